/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_follow.c - the select plugin follows Slurm when memory runs out: every
 * allocation of its own fails in turn.  What could not be told is told a second
 * later: a job that started, a cluster that changed, a promise that did.
 *
 * Lists, bitmaps and texts are Slurm's own, of its library.
 */
#define LIBRA_SLURM_INTERNAL

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/slurm_ops.h"
#include "plugin/select/access.h"
#include "plugin/select/job_env.h"
#include "plugin/select/cluster.h"
#include "plugin/select/comment.h"
#include "plugin/select/core_bitmap.h"
#include "plugin/select/follow.h"
#include "plugin/select/shared_capacity.h"
#include "plugin/select/pending.h"
#include "plugin/select/wake.h"
#include "tests/plugin/tap.h"
#include "tests/plugin/wrapped.h"

enum { NODES = 4, CORES = 2, JOBS = 3 };

__typeof__(node_record_count) node_record_count = NODES;
__typeof__(node_record_table_ptr) node_record_table_ptr;
__typeof__(job_list) job_list;
__typeof__(part_list) part_list;
__typeof__(default_part_name) default_part_name = "main";

static struct {
	time_t now;
	bool untold;	/* the host says */
	int rc;		/* of set_cluster() */
	int sets, told; /* calls: of set_cluster(), of started() with parts */
	int restored;
	uint32_t nnodes;
	bool walked; /* Slurm walks over its list of jobs meanwhile */
	int walks;   /* by us, while it was walked */
	int kept, woken;
	uint32_t kept_id;
	char *record;	   /* of the first job */
	int asked, others; /* for it; that another's text was there */
} w;

static node_record_t nodes[NODES];
static node_record_t *table[NODES];
static part_record_t part = {.name = "main", .max_share = 0};
static __typeof__(*((job_record_t *)0)->details) details = {.min_cpus = 4,
							    .num_tasks = 4};
static job_resources_t has;
static job_record_t jobs[JOBS];

/* ---- texts and time ---- */

extern FILE *__real_open_memstream(char **text, size_t *size);
extern FILE *__wrap_open_memstream(char **text, size_t *size);
extern time_t __wrap_time(time_t *at);

/* The text is a block of the caller's. */
FILE *__wrap_open_memstream(char **text, size_t *size)
{
	if (fails())
		return NULL;
	memory.blocks++;
	return __real_open_memstream(text, size);
}

time_t __wrap_time(time_t *at)
{
	if (at)
		*at = w.now;
	return w.now;
}

/* ---- a list that knows that it is walked ---- */

extern LIBRA_LIST_ITERATOR __real_slurm_list_iterator_create(LIBRA_LIST list);
extern LIBRA_LIST_ITERATOR __wrap_slurm_list_iterator_create(LIBRA_LIST list);

LIBRA_LIST_ITERATOR __wrap_slurm_list_iterator_create(LIBRA_LIST list)
{
	w.walks += w.walked && list == job_list;
	return __real_slurm_list_iterator_create(list);
}

/* ---- host and slurmctld ---- */

struct libra_host *libra_host_shared(void)
{
	return NULL;
}

int libra_host_set_cluster(struct libra_host *host,
			   const struct libra_host_cluster *cluster)
{
	w.sets++;
	w.nnodes = cluster->nnodes;
	errno = w.rc;
	return w.rc ? -1 : 0;
}

void libra_host_keep(struct libra_host *host, const struct libra_host_job *seen)
{
	w.kept++;
	w.kept_id = seen->job_id;
}

void libra_wake(void)
{
	w.woken++;
}

bool libra_host_must_report(struct libra_host *host)
{
	bool was = w.untold;

	w.untold = false;
	return was;
}

void libra_host_started(struct libra_host *host,
			const struct libra_host_job *seen,
			struct libra_host_placement *placement)
{
	w.untold = w.untold || seen->unreported;
	w.told += seen->nparts == NODES;
}

void libra_host_restore(struct libra_host *host,
			const struct libra_host_job *seen,
			struct libra_host_placement *placement)
{
	w.restored++;
}

enum libra_host_place libra_host_place(struct libra_host *host,
				       const struct libra_host_job *seen,
				       struct libra_host_placement *placement)
{
	return LIBRA_PLACE_WAIT;
}

bool libra_host_tracks(struct libra_host *host,
		       const struct libra_host_job *seen)
{
	return true;
}

bool libra_host_may_run(struct libra_host *host,
			const struct libra_host_job *seen, uint8_t *in_way,
			uint32_t nnodes)
{
	return true;
}

bool libra_host_manages(struct libra_host *host, const char *partition)
{
	return true;
}

bool libra_host_flush_records(struct libra_host *host)
{
	return false;
}

struct libra_host_job libra_view(const job_record_t *job, bool look_only)
{
	return (struct libra_host_job){.job_id = job->job_id};
}

void libra_take_record(job_record_t *job,
		       struct libra_host_placement *placement)
{
	if (placement->record.comment)
		w.others += libra_comment_set(job, placement->record.comment);
}

void libra_host_record(struct libra_host *host, uint32_t job_id,
		       struct libra_host_placement *placement)
{
	w.asked++;
	placement->record.comment = job_id == 7 ? w.record : NULL;
}

bitstr_t *libra_cores_but(const struct libra_host_placement *placement)
{
	return bit_alloc(NODES * CORES);
}

void libra_shared_started(const job_record_t *job)
{
}

const char *libra_access_denied(const job_record_t *job)
{
	return NULL;
}

bool libra_is_wanted(const job_record_t *job)
{
	return false;
}

extern uint16_t slurm_job_preempt_mode(job_record_t *of)
{
	return PREEMPT_MODE_REQUEUE;
}

extern uint32_t cr_get_coremap_offset(uint32_t node)
{
	return node * CORES;
}

extern job_record_t *find_job_record(uint32_t id)
{
	for (int i = 0; i < JOBS; i++)
		if (jobs[i].job_id == id)
			return &jobs[i];
	return NULL;
}

/* ---- cases ---- */

static bitstr_t *bitmap(bitoff_t n)
{
	bitstr_t *b = bit_alloc(n);

	bit_set_all(b);
	return b;
}

/* Jobs on all nodes, the last of which waits. */
static void setup(void)
{
	w.now = 1000000000;
	node_record_table_ptr = table;
	for (int i = 0; i < NODES; i++) {
		nodes[i].name = "n";
		nodes[i].tot_cores = nodes[i].cpus = CORES;
		table[i] = &nodes[i];
	}
	part.node_bitmap = bitmap(NODES);
	part_list = list_create(NULL);
	list_append(part_list, &part);
	has.node_bitmap = bitmap(NODES);
	has.core_bitmap = bitmap((bitoff_t)NODES * CORES);
	job_list = list_create(NULL);
	for (int i = 0; i < JOBS; i++) {
		bool waits = i == JOBS - 1;

		jobs[i].job_id = 7 + (uint32_t)i;
		jobs[i].job_state = waits ? JOB_PENDING : JOB_RUNNING;
		jobs[i].part_ptr = &part;
		jobs[i].details = &details;
		jobs[i].job_resrcs = waits ? NULL : &has;
		jobs[i].node_bitmap = waits ? NULL : has.node_bitmap;
		list_append(job_list, &jobs[i]);
	}
}

static void test_started(void)
{
	w.walked = true;
	fail_at(FAIL_ALL);
	libra_cluster_sync_job(&jobs[0]);
	w.walked = false;
	ok(w.untold && w.told == 0 && memory.blocks == 0,
	   "without memory for its nodes a job that starts is untold");
	libra_cluster_sync();
	ok(w.untold && w.told == 0, "while there is none it stays so");
	fail_no_more();
	libra_cluster_sync();
	ok(w.told == 0, "that is tried once a second");
	w.now++;
	libra_cluster_sync();
	ok(!w.untold && w.told == JOBS - 1 && w.restored == 0,
	   "with memory all that run are told again");
	w.now++;
	libra_cluster_sync();
	ok(w.told == JOBS - 1 && memory.blocks == 0, "once");
}

/* Result: so many allocations; each failed in turn. */
static int try_set(bool *good)
{
	int n = 0;

	for (bool failed = true; failed; n++) {
		bool set;

		w.sets = 0;
		fail_at(n);
		set = libra_cluster_set();
		failed = memory.calls > n;
		fail_no_more();
		/* The last is the text to compare with. */
		*good = *good && w.sets == set && (failed || set);
		*good = *good && libra_cluster_changed() == failed;
		libra_cluster_fini();
		*good = *good && memory.blocks == 0;
	}
	return n - 1;
}

static void test_cluster(void)
{
	bool good = true;
	int n = try_set(&good);

	printf("# %d allocations\n", n);
	ok(good && n >= 9,
	   "the host is told of a whole cluster, or that is still to do");
	fail_at(FAIL_ALL);
	ok(libra_cluster_changed(), "what cannot be compared has changed");
	fail_no_more();
	w.sets = 0;
	w.rc = ENOMEM;
	ok(!libra_cluster_set() && w.sets == 1,
	   "a host without memory is told again");
	w.rc = EINVAL;
	ok(libra_cluster_set(), "one that refuses its settings is not");
	w.rc = 0;
	libra_cluster_set();
}

static void test_follow(void)
{
	w.now++;
	w.sets = w.told = w.restored = 0;
	libra_cluster_sync_later();
	libra_cluster_sync();
	ok(w.sets == 0, "of what is the same nothing is told");
	part.max_time = 7;
	libra_cluster_sync_later();
	fail_at(FAIL_ALL);
	libra_cluster_sync();
	fail_no_more();
	libra_cluster_sync();
	ok(w.sets == 0 && w.told == 0, "a change that there is no memory for");
	w.now++;
	libra_cluster_sync();
	ok(w.sets == 1 && w.nnodes == NODES && w.told == JOBS - 1 &&
		   w.restored == 1,
	   "is told a second later, with all jobs");
	w.now++;
	libra_cluster_sync();
	ok(w.sets == 1, "once");
	libra_cluster_fini();
	ok(memory.blocks == 0, "all memory is given back");
}

static const char *changes_of(const job_record_t *job)
{
	static const char name[] = "LIBRA_CHANGES=";

	for (uint32_t i = 0; i < job->spank_job_env_size; i++)
		if (strncmp(job->spank_job_env[i], name, strlen(name)) == 0)
			return job->spank_job_env[i] + strlen(name);
	return "";
}

/* Both run on the same nodes. */
static void test_changes(void)
{
	struct libra_host_record r = {.rule = LIBRA_RULE_SHARE,
				      .share = 0.5,
				      .estimate_s = 60,
				      .deadline_s = 2e9};

	for (int i = 0; i < 2; i++) {
		jobs[i].job_state = JOB_PENDING;
		libra_job_env_set(&jobs[i], &r);
		jobs[i].job_state = JOB_RUNNING;
	}
	r.share = 0.75;
	fail_at(FAIL_ALL);
	libra_job_env_set(&jobs[0], &r);
	w.walked = true;
	libra_job_env_send(&jobs[1]);
	ok(!*changes_of(&jobs[1]),
	   "a change that there is no memory for is not sent");
	fail_no_more();
	libra_job_env_send(&jobs[1]);
	w.walked = false;
	ok(w.walks == 0, "nor looked for in a list that is walked");
	libra_cluster_sync();
	libra_job_env_send(&jobs[1]);
	ok(strncmp(changes_of(&jobs[1]), "7/1/0.75/", 9) == 0 &&
		   !strchr(changes_of(&jobs[1]), ';'),
	   "but with the next job after a look at all");
}

static void test_back(void)
{
	jobs[0].batch_flag = 1;
	details.requeue = 1;
	jobs[0].job_state = JOB_NODE_FAIL;
	w.walked = true;
	libra_follow_end(&jobs[0]);
	w.walked = false;
	ok(w.kept == 0 && w.woken == 1 && w.walks == 0,
	   "a job whose node failed is noted while the list is walked");
	libra_cluster_sync();
	ok(w.kept == 0, "it is not in the queue yet");
	jobs[0].job_state = JOB_PENDING | JOB_COMPLETING;
	libra_cluster_sync();
	libra_cluster_sync();
	ok(w.kept == 1 && w.kept_id == 7, "there it keeps a promise, once");
	jobs[0].job_state = JOB_TIMEOUT;
	libra_follow_end(&jobs[0]);
	jobs[0].job_state = JOB_NODE_FAIL;
	libra_follow_end(&jobs[0]);
	jobs[0].job_state = JOB_CANCELLED;
	libra_cluster_sync();
	ok(w.kept == 1 && w.woken == 2, "no job that ended does");
	jobs[0].job_state = JOB_NODE_FAIL;
	for (int i = 0; i < 1000; i++)
		libra_follow_end(&jobs[0]);
	jobs[0].job_state = JOB_PENDING;
	libra_cluster_sync();
	ok(w.kept == 257, "of very many some ask by themselves");
}

static bool says(const job_record_t *job, const char *text)
{
	if (job->admin_comment && strcmp(job->admin_comment, text) == 0)
		return true;
	printf("# %s\n", job->admin_comment ? job->admin_comment : "nothing");
	return false;
}

/* The AdminComment of a job with a promise. */
static void test_comments(void)
{
	static char first[] = "libra:1 offer=1.2 on=n1:0",
		    second[] = "libra:1 offer=1.2 on=n1:1";
	char text[600];
	job_record_t *job = &jobs[0];

	w.others = w.asked = 0;
	w.record = first;
	libra_follow_record(job);
	ok(says(job, first) && w.others == 0, "nothing is no other text");
	libra_follow_record(job);
	ok(w.asked == 1, "what has a record is not asked for");
	xfree(job->admin_comment);
	job->admin_comment = xstrdup("late=9 by\tops");
	libra_follow_record(job);
	ok(says(job, "libra:1 offer=1.2 on=n1:0 note=late=9_by_ops") &&
		   w.others == 1,
	   "another's text is noted behind the record, as one word");
	ok(!libra_comment_set(job, second) &&
		   says(job, "libra:1 offer=1.2 on=n1:1 note=late=9_by_ops"),
	   "and stays there");
	xfree(job->admin_comment);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	job->admin_comment = xstrdup(text);
	libra_comment_set(job, second);
	ok(strlen(job->admin_comment) == strlen(second) + 6 + 256,
	   "so far as there is room");
	xfree(job->admin_comment);
	job->admin_comment = xstrdup("hers");
	job[1].admin_comment = xstrdup("his");
	libra_follow_record(&job[1]);
	ok(says(&job[1], "his"), "a job without a promise keeps his own");
	part.max_time++;
	w.now++;
	libra_cluster_sync_later();
	libra_cluster_sync();
	ok(says(job, "libra:1 offer=1.2 on=n1:0 note=hers"),
	   "before promises are read again from records, these are written");
	libra_cluster_fini();
}

int main(void)
{
	setup();
	test_started();
	test_cluster();
	test_follow();
	test_changes();
	test_back();
	test_comments();
	return finish();
}
