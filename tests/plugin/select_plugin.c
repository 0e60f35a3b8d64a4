/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_plugin.c - the select plugin itself when memory runs out: each of its
 * own allocations fails.  It does not load then, or looks for an ordinary job's
 * place once.
 *
 * Slurm's select_cons_tres.so and the plugin's other files are the test's;
 * lists and bitmaps are Slurm's own, of its library.
 */
#define LIBRA_SLURM_INTERNAL

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/job_resources.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/slurm_ops.h"
#include "plugin/select/job_env.h"
#include "plugin/select/cluster.h"
#include "plugin/select/core_bitmap.h"
#include "plugin/select/follow.h"
#include "plugin/select/limits.h"
#include "plugin/select/ordinary.h"
#include "plugin/select/forecast.h"
#include "plugin/select/test_only.h"
#include "plugin/select/shared_capacity.h"
#include "plugin/select/starter.h"
#include "plugin/select/wake.h"
#include "plugin/base/timing.h"
#include "tests/plugin/tap.h"
#include "tests/plugin/wrapped.h"

enum { NODES = 4 };

__typeof__(node_record_count) node_record_count = NODES;
const struct libra_host_ops libra_slurm_ops;

/* The plugin's. */
extern int init(void);
extern LIBRA_FINI fini(void);
extern int select_p_job_test LIBRA_JOB_TEST_PARAMS;

static struct {
	int refused; /* so many places are in the way of a plan */

	int opened, closed, errors;
	int tests, asked, given_back;
	int seen[2]; /* so many nodes the first and the second test had */
	bool marks;  /* the host could say where it was in the way */
	bool crowded, now_only; /* all cores are; so the first test was */
	bool overdue;		/* jobs on the nodes should have ended */
	char path[64];
} w;

static job_record_t ordinary = {.job_id = 7};

/* ---- Slurm's select_cons_tres.so, in the second of two folders ---- */

extern char *__real_strdup(const char *text);
extern char *__wrap_strdup(const char *text);
extern void *__wrap_dlopen(const char *path, int flags);
extern void *__wrap_dlsym(void *handle, const char *name);
extern int __wrap_dlclose(void *handle);

char *__wrap_strdup(const char *text)
{
	if (fails())
		return NULL;
	memory.blocks++;
	return __real_strdup(text);
}

void *__wrap_dlopen(const char *path, int flags)
{
	snprintf(w.path, sizeof(w.path), "%s", path);
	w.opened++;
	return w.opened == 2 ? &w : NULL;
}

int __wrap_dlclose(void *handle)
{
	w.closed++;
	return 0;
}

static int stock_init(void)
{
	return SLURM_SUCCESS;
}

/* The first node of those that it may have. */
static int stock_job_test LIBRA_JOB_TEST_PARAMS
{
	bitoff_t first = bit_ffs(nodes);

	if (w.tests < 2)
		w.seen[w.tests] = bit_set_count(nodes);
	if (w.tests++ == 0)
		w.now_only = job->bit_flags & TEST_NOW_ONLY;
	if (first < 0 || exc)
		return ESLURM_NODES_BUSY;
	job->start_time = 1;
	for (int i = 0; i < NODES; i++)
		if (i != first)
			bit_clear(nodes, i);
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
	return &ordinary;
}

extern int error(const char *format, ...)
{
	w.errors += strstr(format, "PluginDir") != NULL;
	return SLURM_ERROR;
}

extern void free_job_resources(job_resources_t **resources)
{
	w.given_back++;
}

extern uint32_t cr_get_coremap_offset(uint32_t node)
{
	return node;
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
	return LIBRA_PLACE_STOCK;
}

void libra_host_kept(struct libra_host *host,
		     struct libra_host_placement *placement)
{
}

bool libra_host_flush_records(struct libra_host *host)
{
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

bool libra_ordinary_may(const job_record_t *of, struct libra_host_job *seen,
			const bitstr_t *nodes, LIBRA_LIST preempted,
			time_t start, uint8_t *in_way)
{
	w.marks = in_way != NULL;
	if (w.asked++ >= w.refused)
		return true;
	if (in_way)
		in_way[bit_ffs((bitstr_t *)nodes)] = 1;
	return false;
}

bool libra_ordinary_around(bitstr_t *nodes, const uint8_t *in_way)
{
	for (int i = 0; i < NODES; i++)
		if (in_way[i])
			bit_clear(nodes, i);
	return bit_set_count(nodes) > 0;
}

LIBRA_LIST libra_ordinary_spare(LIBRA_LIST candidates)
{
	return NULL;
}

struct libra_host_job libra_view(const job_record_t *of, bool look_only)
{
	return (struct libra_host_job){.job_id = of->job_id};
}

void libra_take_record(job_record_t *of, struct libra_host_placement *placement)
{
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
	return NULL;
}

bool libra_cores_nodes(const struct libra_host_placement *placement,
		       bitstr_t *nodes, uint32_t *min_nodes,
		       uint32_t *max_nodes, uint32_t *req_nodes)
{
	return false;
}

void libra_cluster_sync(void)
{
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

bool libra_is_test_only(const job_record_t *of, uint16_t mode, bool preempts)
{
	return false;
}

int libra_test_only_answer(const struct libra_test_only *question,
			   struct libra_host_placement *room)
{
	return SLURM_ERROR;
}

int libra_test_only_ever(const struct libra_test_only *question,
			 const struct libra_host_placement *room)
{
	return SLURM_ERROR;
}

void libra_shared_memory(const job_record_t *of,
			 const struct libra_host_job *seen, bitstr_t *nodes)
{
}

bitstr_t *libra_shared_full(const job_record_t *of)
{
	return w.crowded ? bit_alloc(NODES) : NULL;
}

/* Later than any clock. */
static const time_t ends = 50000000000;

time_t libra_shared_first_end(const bitstr_t *nodes)
{
	if (bit_set_count((bitstr_t *)nodes) != 1)
		return 0;
	return w.overdue ? 1 : ends;
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

/* ---- cases ---- */

static void test_load(void)
{
	slurm_conf.plugindir = (char *)"/one:/two";
	fail_at(0);
	ok(init() == SLURM_ERROR && w.opened == 0 && w.errors == 1,
	   "without memory for its path the plugin says that it does not load");
	fail_no_more();
	fini();
	ok(w.closed == 0, "and is nothing to unload");
	ok(init() == SLURM_SUCCESS && w.errors == 1 && memory.blocks == 0 &&
		   !strcmp(w.path, "/two/select_cons_tres.so"),
	   "with it Slurm's own is found");
}

/* An ordinary job is to start now, and the host refuses so many places. */
static int test(int refused)
{
	bitstr_t *nodes = bit_alloc(NODES);
	LIBRA_LIST preemptees = NULL;
	int rc;

	memset(&w, 0, sizeof(w));
	w.refused = refused;
	bit_set_all(nodes);
	rc = select_p_job_test(&ordinary, nodes, 1, 1, 1, SELECT_MODE_RUN_NOW,
			       NULL, &preemptees, NULL LIBRA_NO_WILL_RUN);
	FREE_NULL_BITMAP(nodes);
	return rc;
}

static void test_place(void)
{
	ok(test(1) == SLURM_SUCCESS && w.tests == 2 && w.asked == 2 &&
		   w.marks && w.seen[0] == NODES && w.seen[1] == NODES - 1 &&
		   w.given_back == 1 && memory.blocks == 0,
	   "an ordinary job is looked for around what is in its way");
	fail_at(0);
	ok(test(1) == ESLURM_NODES_BUSY && memory.calls == 1 && w.tests == 1 &&
		   w.asked == 1 && !w.marks && w.given_back == 1 &&
		   memory.blocks == 0,
	   "without memory for that it is tested once, and waits");
	fail_at(0);
	ok(test(0) == SLURM_SUCCESS && w.tests == 1 && w.given_back == 0,
	   "or starts, where it is in nobody's way");
	fail_no_more();
}

/* Backfill asks when an ordinary job starts. */
static time_t start_of(bool crowded, int refused, bool overdue)
{
	bitstr_t *nodes = bit_alloc(NODES);
	int rc;

	memset(&w, 0, sizeof(w));
	w.crowded = crowded;
	w.refused = refused;
	w.overdue = overdue;
	bit_set_all(nodes);
	rc = select_p_job_test(&ordinary, nodes, 1, 1, 1, SELECT_MODE_WILL_RUN,
			       NULL, NULL, NULL LIBRA_NO_WILL_RUN);
	FREE_NULL_BITMAP(nodes);
	return rc == SLURM_SUCCESS ? ordinary.start_time : 0;
}

static void test_later(void)
{
	part_record_t shared = {.max_share = SHARED_FORCE | 64};
	part_record_t allowed = {.max_share = 4};
	__typeof__(*ordinary.details) details = {0};

	ok(start_of(false, 0, false) == 1 && w.tests == 1 && !w.now_only,
	   "backfill may start a job where no core is crowded");
	ok(start_of(true, 0, false) == ends && w.tests == 2 && w.now_only &&
		   w.seen[1] == NODES && !(ordinary.bit_flags & TEST_NOW_ONLY),
	   "where all are, the job starts when another one ends there");
	ok(start_of(false, NODES, false) == 0,
	   "where the host lets it start nowhere now, backfill plans nothing");
	ordinary.part_ptr = &shared;
	ok(start_of(false, NODES, false) == ends,
	   "unless that is for a core shared by force: when a job ends there");
	ok(start_of(false, NODES, true) == 0,
	   "but no start in the past, if that job should have ended by now");
	ordinary.part_ptr = &allowed;
	ordinary.details = &details;
	ok(start_of(false, NODES, false) == 0,
	   "where sharing is allowed, nothing");
	details.share_res = 1;
	ok(start_of(false, NODES, false) == ends, "but with --oversubscribe");
	ordinary.details = NULL;
	ordinary.part_ptr = NULL;
}

int main(void)
{
	test_load();
	test_place();
	test_later();
	fini();
	return finish();
}
