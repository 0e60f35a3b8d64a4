/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_record.c - what a test of the select plugin leaves in Slurm's records:
 * each member of a job and of its details is compared before and after, in
 * every mode, for every answer of the host and of Slurm.
 *
 * Slurm's select_cons_tres.so, the host and slurmctld are the test's; lists and
 * bitmaps are Slurm's own, of its library.
 */
#define LIBRA_SLURM_INTERNAL

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/job_resources.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/slurm_ops.h"
#include "plugin/select/job_env.h"
#include "plugin/select/cluster.h"
#include "plugin/select/core_bitmap.h"
#include "plugin/select/follow.h"
#include "plugin/select/limits.h"
#include "plugin/select/locks.h"
#include "plugin/select/ordinary.h"
#include "plugin/select/forecast.h"
#include "plugin/select/shared_capacity.h"
#include "plugin/select/pending.h"
#include "plugin/select/starter.h"
#include "plugin/select/wake.h"
#include "plugin/base/timing.h"
#include "tests/plugin/tap.h"

enum { NODES = 4, CORES = 8, MANY = 5000, MINUTES = 7, ME = 7 };

__typeof__(node_record_count) node_record_count = NODES;
__typeof__(job_list) job_list;

/* The plugin's. */
extern int init(void);
extern LIBRA_FINI fini(void);
extern int select_p_job_test LIBRA_JOB_TEST_PARAMS;

/* Slurm's, for developers. */
extern bool verify_lock(lock_datatype_t datatype, lock_level_t level);

/* What Slurm's test finds. */
enum found { FITS, FITS_AFTER, NEVER, TOO_LATE };

static struct {
	enum libra_host_place place;
	enum found found;
	time_t after;  /* FITS_AFTER: the job fits when this has ended */
	bool tracks;   /* the host knows the job */
	bool unlocked; /* Slurm's lock of jobs is held to read only */
	bool slow;     /* a test of Slurm takes 60 ms */

	int tests, host, written, errors;
	time_t now;
} w;

typedef __typeof__(*((job_record_t *)0)->details) details_t;

static part_record_t part = {.name = "main",
			     .total_nodes = NODES,
			     .total_cpus = 3 * NODES,
			     .max_time = 1000};
static job_record_t mine, running[MANY], waiting[3];
static details_t details, other_details;

/* ---- Slurm's select_cons_tres.so ---- */

extern void *__wrap_dlopen(const char *path, int flags);
extern void *__wrap_dlsym(void *handle, const char *name);
extern int __wrap_dlclose(void *handle);

void *__wrap_dlopen(const char *path, int flags)
{
	return &w;
}

int __wrap_dlclose(void *handle)
{
	return 0;
}

static int stock_init(void)
{
	return SLURM_SUCCESS;
}

/* The job that ends last of those that are in the way ends now, to Slurm. */
static bool fits(void)
{
	for (int i = 0; i < MANY && running[i].job_id; i++)
		if (100 + i <= w.after && running[i].end_time > w.now + 10)
			return false;
	return true;
}

static int stock_job_test LIBRA_JOB_TEST_PARAMS
{
	static const struct timespec pause = {.tv_nsec = 60000000};

	w.tests++;
	if (w.slow)
		nanosleep(&pause, NULL);
	if (w.found == NEVER || (w.found == FITS_AFTER && !fits()))
		return ESLURM_NODES_BUSY;
	if (SELECT_IS_MODE_WILL_RUN(mode))
		job->start_time = w.found == TOO_LATE ? w.now * 2 : w.now + 1;
	return SLURM_SUCCESS;
}

void *__wrap_dlsym(void *handle, const char *name)
{
	static uint32_t version = SLURM_VERSION_NUMBER;

	if (!strcmp(name, "plugin_version"))
		return &version;
	if (!strcmp(name, "select_p_job_test"))
		return (void *)stock_job_test;
	return (void *)stock_init;
}

/* ---- slurmctld ---- */

extern job_record_t *find_job_record(uint32_t id)
{
	return id == ME ? &mine : NULL;
}

extern bool verify_lock(lock_datatype_t datatype, lock_level_t level)
{
	return !w.unlocked || datatype != JOB_LOCK || level != WRITE_LOCK;
}

extern int error(const char *format, ...)
{
	w.errors += strstr(format, "write lock of jobs") != NULL;
	return SLURM_ERROR;
}

extern void free_job_resources(job_resources_t **resources)
{
}

extern uint32_t cr_get_coremap_offset(uint32_t node)
{
	return 2 * node;
}

/* ---- host ---- */

struct libra_host *libra_host_shared(void)
{
	return NULL;
}

enum libra_host_place libra_host_place(struct libra_host *host,
				       const struct libra_host_job *seen,
				       struct libra_host_placement *placement)
{
	w.host++;
	placement->record.comment = strdup("libra:1 promised");
	placement->minutes = MINUTES;
	return w.place;
}

bool libra_host_tracks(struct libra_host *host,
		       const struct libra_host_job *seen)
{
	w.host++;
	return w.tracks;
}

void libra_host_forget(struct libra_host *host,
		       const struct libra_host_job *seen)
{
}

double libra_host_earliest_fit_s(struct libra_host *host,
				 const struct libra_host_job *seen,
				 const uint8_t *nodes, uint32_t nnodes,
				 const struct libra_host_job *ahead,
				 uint32_t nahead)
{
	return NAN;
}

double libra_host_starts_s(struct libra_host *host,
			   const struct libra_host_job *seen)
{
	return (double)w.now + 1000;
}

double libra_host_last_end_s(struct libra_host *host)
{
	return 0;
}

double libra_host_ends_s(struct libra_host *host, uint32_t job_id)
{
	return NAN;
}

bool libra_host_manages(struct libra_host *host, const char *partition)
{
	return true;
}

void libra_host_kept(struct libra_host *host,
		     struct libra_host_placement *placement)
{
}

bool libra_host_flush_records(struct libra_host *host)
{
	w.host++;
	return false;
}

void libra_host_init(struct libra_host *host, const struct libra_host_ops *ops)
{
}

void libra_host_fini(struct libra_host *host)
{
}

void libra_host_ended(struct libra_host *host, uint32_t job_id)
{
}

void libra_host_resized(struct libra_host *host, uint32_t job_id)
{
}

void libra_host_suspended(struct libra_host *host, uint32_t job_id,
			  bool suspended)
{
}

void libra_host_log_times(struct libra_host *host)
{
}

void libra_host_took(struct libra_host *host, enum libra_host_call call,
		     const struct libra_host_watch *watch)
{
}

void libra_host_watch_start(struct libra_host_watch *watch)
{
}

void libra_host_watch_stop(struct libra_host_watch *watch)
{
}

/* ---- the other files of the plugin ---- */

static enum libra_host_job_state job_state(uint32_t job_id)
{
	return LIBRA_JOB_PENDING;
}

const struct libra_host_ops libra_slurm_ops = {.job_state = job_state};

struct libra_host_job libra_view(const job_record_t *of, bool look_only)
{
	w.host++;
	return (struct libra_host_job){.job_id = of->job_id};
}

/* The host's record is not what this test is about: it is counted. */
void libra_take_record(job_record_t *of, struct libra_host_placement *placement)
{
	w.written++;
	free(placement->record.comment);
	placement->record.comment = NULL;
}

bool libra_waits_for_place(const job_record_t *of)
{
	return IS_JOB_PENDING(of);
}

bool libra_ordinary_may(const job_record_t *of, struct libra_host_job *seen,
			const bitstr_t *nodes, LIBRA_LIST preempted,
			time_t start, uint8_t *in_way)
{
	return true;
}

bool libra_ordinary_around(bitstr_t *nodes, const uint8_t *in_way)
{
	return false;
}

LIBRA_LIST libra_ordinary_spare(LIBRA_LIST candidates)
{
	return NULL;
}

void libra_job_env_send(job_record_t *of)
{
}

bool libra_cluster_set(void)
{
	return true;
}

void libra_cluster_fini(void)
{
}

bitstr_t *libra_cores_of(const struct libra_host_placement *placement)
{
	return NULL;
}

bitstr_t *libra_cores_but(const struct libra_host_placement *placement)
{
	return bit_alloc(CORES);
}

bool libra_cores_nodes(const struct libra_host_placement *placement,
		       bitstr_t *nodes, uint32_t *min_nodes,
		       uint32_t *max_nodes, uint32_t *req_nodes)
{
	return true;
}

void libra_cluster_sync(void)
{
	libra_need_job_lock(__func__);
	w.host++;
}

void libra_cluster_sync_job(job_record_t *of)
{
}

void libra_follow_end(const job_record_t *of)
{
}

void libra_follow_record(job_record_t *of)
{
}

void libra_cluster_sync_later(void)
{
}

bool libra_limits_hold(const job_record_t *of)
{
	return false;
}

bool libra_limits_leave(const job_record_t *of)
{
	return true;
}

time_t libra_planned_begin(const job_record_t *of)
{
	return 0;
}

void libra_shared_memory(const job_record_t *of,
			 const struct libra_host_job *seen, bitstr_t *nodes)
{
}

bitstr_t *libra_shared_full(const job_record_t *of)
{
	return NULL;
}

time_t libra_shared_first_end(const bitstr_t *nodes)
{
	return 0;
}

bitstr_t *libra_shared_full_after(const job_record_t *of, time_t at)
{
	return NULL;
}

void libra_shared_ended(void)
{
}

void libra_shared_fini(void)
{
}

bool libra_starter_begin(void)
{
	return true;
}

void libra_starter_end(void)
{
}

void libra_wake(void)
{
}

/* ---- records ---- */

/* A waiting job whose every member is something. */
static void fill(job_record_t *of, details_t *with, uint32_t id)
{
	memset(of, 0x5a, sizeof(*of));
	memset(with, 0x5a, sizeof(*with));
	of->job_id = id;
	of->job_state = JOB_PENDING;
	of->bit_flags = 0;
	of->priority = 100;
	of->time_limit = 60;
	of->start_time = 12345;
	of->part_ptr = &part;
	of->details = with;
	of->admin_comment = NULL;
	of->job_resrcs = NULL;
	of->array_recs = NULL;
	with->min_cpus = 5;
	with->min_nodes = 2;
	with->begin_time = 0;
}

static void run(int i, time_t end)
{
	static bitstr_t *on;

	if (!on)
		on = bit_alloc(NODES);
	running[i] = (job_record_t){.job_id = 100 + (uint32_t)i,
				    .job_state = JOB_RUNNING,
				    .node_bitmap = on,
				    .part_ptr = &part,
				    .end_time = end};
	list_append(job_list, &running[i]);
}

/* n jobs run, each ends a minute after the one before; three wait. */
static void reset(int n)
{
	FREE_NULL_LIST(job_list);
	job_list = list_create(NULL);
	memset(&w, 0, sizeof(w));
	memset(running, 0, sizeof(running));
	w.now = time(NULL);
	fill(&mine, &details, ME);
	list_append(job_list, &mine);
	for (int i = 0; i < n; i++)
		run(i, w.now + 60 * (i + 1));
	for (uint32_t i = 0; i < 3; i++) {
		fill(&waiting[i], &other_details, ME + 1 + i);
		list_append(job_list, &waiting[i]);
	}
	waiting[0].time_limit = INFINITE;
	waiting[1].time_limit = NO_VAL;
	waiting[2].priority = 99;
}

/* ---- tests of one job ---- */

struct before {
	job_record_t job, running, waiting[3];
	details_t details, other_details;
};

static struct before look(const job_record_t *of)
{
	struct before b;

	memset(&b, 0, sizeof(b));
	memcpy(&b.job, of, sizeof(*of));
	memcpy(&b.running, &running[0], sizeof(b.running));
	memcpy(b.waiting, waiting, sizeof(b.waiting));
	memcpy(&b.details, &details, sizeof(b.details));
	memcpy(&b.other_details, &other_details, sizeof(b.other_details));
	return b;
}

static bool same(const struct before *a, const struct before *b)
{
	return memcmp(&a->job, &b->job, sizeof(a->job)) == 0 &&
	       memcmp(&a->running, &b->running, sizeof(a->running)) == 0 &&
	       memcmp(a->waiting, b->waiting, sizeof(a->waiting)) == 0 &&
	       memcmp(&a->details, &b->details, sizeof(a->details)) == 0 &&
	       memcmp(&a->other_details, &b->other_details,
		      sizeof(a->other_details)) == 0;
}

static int test(job_record_t *of, uint16_t mode, bool may_preempt)
{
	bitstr_t *nodes = bit_alloc(NODES);
	LIBRA_LIST preemptees = NULL;
	int rc;

	bit_set_all(nodes);
	rc = select_p_job_test(of, nodes, 1, 1, 1, mode, NULL,
			       may_preempt ? &preemptees : NULL,
			       NULL LIBRA_NO_WILL_RUN);
	FREE_NULL_BITMAP(nodes);
	return rc;
}

/* By whom Slurm has a job tested. */
static const struct caller {
	const char *name;
	uint16_t mode;
	bool backfill, may_preempt;
} callers[] = {
	{"a start", SELECT_MODE_RUN_NOW, false, true},
	{"could it ever run", SELECT_MODE_TEST_ONLY, false, true},
	{"a user's question", SELECT_MODE_WILL_RUN, false, true},
	{"backfill", SELECT_MODE_WILL_RUN, true, true},
	{"sched/builtin", SELECT_MODE_WILL_RUN, false, false},
};

enum { CALLERS = sizeof(callers) / sizeof(callers[0]), QUESTION = 2 };

/* What Slurm or a start wants changed, into what was there before. */
static void expect(struct before *b, const struct caller *caller, int rc)
{
	if (caller->mode == SELECT_MODE_WILL_RUN &&
	    (rc == SLURM_SUCCESS || caller != &callers[QUESTION]))
		b->job.start_time = mine.start_time;
	if (caller->mode == SELECT_MODE_RUN_NOW && rc == SLURM_SUCCESS &&
	    w.place == LIBRA_PLACE_HERE)
		b->job.time_limit = MINUTES;
	if (w.place == LIBRA_PLACE_END && w.written == 1 &&
	    caller->mode != SELECT_MODE_TEST_ONLY &&
	    caller != &callers[QUESTION]) {
		b->job.deadline = mine.deadline;
		b->job.time_min = 1;
	}
}

static bool kept(const struct caller *caller, enum libra_host_place place,
		 enum found found, bool tracks)
{
	struct before before, after;
	int rc;

	reset(3);
	w.place = place;
	w.found = found;
	w.after = 101;
	w.tracks = tracks;
	if (caller->backfill)
		mine.bit_flags |= BACKFILL_TEST;
	before = look(&mine);
	rc = test(&mine, caller->mode, caller->may_preempt);
	after = look(&mine);
	expect(&before, caller, rc);
	if (same(&before, &after) &&
	    (caller != &callers[QUESTION] || w.written == tracks))
		return true;
	printf("# %s: place %d, found %d, tracks %d, rc %d\n", caller->name,
	       place, found, tracks, rc);
	return false;
}

static void test_kept(void)
{
	char name[80];

	for (int c = 0; c < CALLERS; c++) {
		bool all = true;

		for (int place = 0; place <= LIBRA_PLACE_END; place++)
			for (int found = FITS; found <= TOO_LATE; found++)
				for (int tracks = 0; tracks < 2; tracks++)
					all &= kept(
						&callers[c],
						(enum libra_host_place)place,
						(enum found)found, tracks);
		snprintf(name, sizeof(name), "%s leaves the record as it was",
			 callers[c].name);
		ok(all, name);
	}
}

/* ---- the answer ---- */

/* Slurm's own rule, by what its manual and its sources say: on four nodes of
 * three CPUs jobs of two nodes count as six CPUs.  No limit is 2^32 - 1
 * minutes, in 32 bits.
 */
static time_t slurm_answers(void)
{
	uint32_t unlimited = 6u * INFINITE, partition = 6u * 1000;
	uint64_t minutes = (uint64_t)unlimited + partition;

	return mine.start_time + (time_t)(minutes / 12 * 60);
}

static void test_answer(void)
{
	reset(3);
	w.place = LIBRA_PLACE_HERE;
	w.found = FITS_AFTER;
	w.after = 101;
	ok(test(&mine, SELECT_MODE_WILL_RUN, true) == SLURM_SUCCESS &&
		   slurm_answers() == w.now + 120,
	   "Slurm answers with the end of the second job, whatever waits");
	ok(w.written == 0, "who is not known gets no record");
	part.total_cpus = 0;
	reset(0);
	w.place = LIBRA_PLACE_HERE;
	ok(test(&mine, SELECT_MODE_WILL_RUN, true) == SLURM_SUCCESS &&
		   mine.start_time >= w.now && mine.start_time <= w.now + 5,
	   "a partition without CPUs adds nothing");
	part.total_cpus = 3 * NODES;
}

static void test_cost(void)
{
	time_t last;

	reset(MANY);
	w.place = LIBRA_PLACE_HERE;
	w.found = FITS_AFTER;
	w.after = 100 + 3210;
	ok(test(&mine, SELECT_MODE_WILL_RUN, true) == SLURM_SUCCESS &&
		   w.tests <= 3 + LIBRA_OUTLOOK_HALVINGS,
	   "one question costs thirteen tests at most, of 5,000 jobs");
	last = w.now + 60 * 3211;
	ok(slurm_answers() >= last && slurm_answers() <= last + 60 * 5,
	   "the answer is five ends too late at most, never too early");
	reset(1000);
	w.place = LIBRA_PLACE_HERE;
	w.found = FITS_AFTER;
	w.after = 100 + 321;
	ok(test(&mine, SELECT_MODE_WILL_RUN, true) == SLURM_SUCCESS &&
		   slurm_answers() == w.now + 60 * 322,
	   "of 1,000 jobs it is the first");
	reset(1000);
	w.place = LIBRA_PLACE_HERE;
	w.found = FITS_AFTER;
	w.after = 100 + 321;
	w.slow = true;
	ok(test(&mine, SELECT_MODE_WILL_RUN, true) == SLURM_SUCCESS &&
		   w.tests == 3 && slurm_answers() >= w.now + 60 * 322,
	   "after 0.1 s no more are made, and the answer is not too early");
	w.slow = false;
}

/* ---- jobs of no table ---- */

static bool untouched(job_record_t *of)
{
	bool all = true;

	for (int c = 0; c < CALLERS; c++) {
		w.tests = w.host = w.written = 0;
		w.unlocked = true;
		all &= test(of, callers[c].mode, callers[c].may_preempt) ==
			       SLURM_SUCCESS &&
		       w.tests == 1 && w.host == 0 && w.written == 0 &&
		       w.errors == 0;
	}
	return all;
}

static void test_no_table(void)
{
	job_record_t synthetic;
	details_t with;

	reset(3);
	w.place = LIBRA_PLACE_WAIT;
	fill(&synthetic, &with, 0);
	ok(untouched(&synthetic),
	   "a reservation's job, of id 0, is Slurm's alone");
	synthetic.job_id = ME;
	ok(untouched(&synthetic), "so is one with the id of another");
	test(&mine, SELECT_MODE_RUN_NOW, true);
	ok(w.host > 0 && w.errors == 2,
	   "for others the write lock of jobs is asked for");
	w.unlocked = false;
	test(&mine, SELECT_MODE_RUN_NOW, true);
	ok(w.errors == 2, "and who holds it is left in peace");
}

int main(void)
{
	slurm_conf.plugindir = (char *)"/one";
	ok(init() == SLURM_SUCCESS, "the plugin loads");
	test_kept();
	test_answer();
	test_cost();
	test_no_table();
	fini();
	return finish();
}
