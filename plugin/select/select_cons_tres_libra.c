/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_cons_tres_libra.c - select/cons_tres, restricted to the promised
 * processors.
 *
 * This plugin loads Slurm's own select_cons_tres.so and forwards every
 * operation to it.  For a job with a promise it excludes all cores but the
 * promised ones.  It reports the cluster and what happens to jobs to the host
 * (libslurm_libra.so).
 *
 * Up to 24.11 commands and slurmd load select plugins, too.  So symbols of
 * slurmctld are declared weak, and init() prints nothing.
 *
 * slurmctld calls each operation in the thread of the request or scheduler that
 * needs it.  These are the locks that the callers hold at least (22.05 to
 * 26.05); what writes job records needs the write lock of jobs, and checks it
 * where Slurm can (locks.h).
 *
 *   operation        caller                                 job    node   part
 *   node_init        start, reconfiguration                 write  write  write
 *   job_test         schedulers, submissions, will-run      write  read   read
 *                    questions, our own thread (starter.c)
 *   job_test         reservations by count (23.11 on), of   read   write  read
 *                    a job that is in no table
 *   nodeinfo_set     start of a job, restored jobs          write  write  read
 *   job_suspend      scontrol suspend, gang scheduling      write  read   none
 *   job_resume       scontrol resume, gang scheduling       write  read   none
 *   job_resized      loss of a node, scontrol update        write  write  none
 *   job_fini         end of a job                           write  write  none
 *   reconfigure      change of nodes or partitions          write  write  write
 *   reconfigure      scontrol setdebugflags                 read   write  read
 *
 * Slurm (25.11 on) may call nodeinfo_set, job_suspend, job_resume, job_resized
 * and job_fini from within a walk over its list of jobs.  A second walk in the
 * same thread ends slurmctld: they leave that to the next libra_cluster_sync().
 */
#define LIBRA_SLURM_INTERNAL

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
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
#include "plugin/select/locks.h"
#include "plugin/select/ordinary.h"
#include "plugin/select/forecast.h"
#include "plugin/select/test_only.h"
#include "plugin/select/shared_capacity.h"
#include "plugin/select/starter.h"
#include "plugin/select/wake.h"
#include "plugin/base/timing.h"

#pragma weak find_job_record
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak slurm_conf

const char plugin_name[] = "cons_tres with promised processors";
const char plugin_type[] = "select/cons_tres_libra";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;
const uint32_t plugin_id = LIBRA_PLUGIN_ID;

int init(void);
LIBRA_FINI fini(void);

/* --- the stock plugin ---------------------------------------------------- */

#define DECLARE_OP(result, name, params, args) result(*name) params;

static struct {
	void *handle;
	int (*init)(void);
	LIBRA_FINI (*fini)(void);
	int (*node_init)(void);
	int(*job_test) LIBRA_JOB_TEST_PARAMS;
	int (*job_suspend)(job_record_t *job, bool indf);
	int (*job_resume)(job_record_t *job, bool indf);
	int (*job_resized)(job_record_t *job, node_record_t *node);
	int (*job_fini)(job_record_t *job);
	int (*select_nodeinfo_set)(job_record_t *job);
	int (*reconfigure)(void);
	LIBRA_OPS(DECLARE_OP)
} stock;

/* Prototypes, then the functions: each hands on what it is given. */
#define FORWARD_OP(result, name, params, args)                                 \
	extern result select_p_##name params;                                  \
	extern result select_p_##name params                                   \
	{                                                                      \
		return stock.name args;                                        \
	}
LIBRA_OPS(FORWARD_OP)

extern int select_p_node_init(void);
extern int select_p_job_test LIBRA_JOB_TEST_PARAMS;
extern int select_p_job_suspend(job_record_t *job, bool indf);
extern int select_p_job_resume(job_record_t *job, bool indf);
extern int select_p_job_resized(job_record_t *job, node_record_t *node);
extern int select_p_job_fini(job_record_t *job);
extern int select_p_select_nodeinfo_set(job_record_t *job);
extern int select_p_reconfigure(void);

#define OP_ENTRY(result, name, params, args)                                   \
	{"select_p_" #name, (void **)&stock.name},

static const struct {
	const char *symbol;
	void **at;
} ops[] = {
	{"init", (void **)&stock.init},
	{"fini", (void **)&stock.fini},
	{"select_p_node_init", (void **)&stock.node_init},
	{"select_p_job_test", (void **)&stock.job_test},
	{"select_p_job_suspend", (void **)&stock.job_suspend},
	{"select_p_job_resume", (void **)&stock.job_resume},
	{"select_p_job_resized", (void **)&stock.job_resized},
	{"select_p_job_fini", (void **)&stock.job_fini},
	{"select_p_select_nodeinfo_set", (void **)&stock.select_nodeinfo_set},
	{"select_p_reconfigure", (void **)&stock.reconfigure},
	LIBRA_OPS(OP_ENTRY)};

/* Programs that link libslurm load us too, and have less of Slurm than its own
 * commands: nothing that init() calls may be missing there.
 */
static void *open_stock(void)
{
	char *dirs = strdup(slurm_conf.plugindir ? slurm_conf.plugindir : "");
	char *save = NULL, *dir;
	char path[4096];
	void *handle = NULL;

	for (dir = dirs ? strtok_r(dirs, ":", &save) : NULL; dir && !handle;
	     dir = strtok_r(NULL, ":", &save)) {
		snprintf(path, sizeof(path), "%s/select_cons_tres.so", dir);
		handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	}
	free(dirs);
	return handle;
}

static int load_stock(void)
{
	const uint32_t *version;

	stock.handle = open_stock();
	if (!stock.handle) {
		error("%s: Slurm's select_cons_tres.so is not in PluginDir (%s)",
		      plugin_type, slurm_conf.plugindir);
		return SLURM_ERROR;
	}
	version = dlsym(stock.handle, "plugin_version");
	if (!version || *version != SLURM_VERSION_NUMBER) {
		error("%s: select_cons_tres.so is of another release of Slurm",
		      plugin_type);
		goto fail;
	}
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		*ops[i].at = dlsym(stock.handle, ops[i].symbol);
		if (*ops[i].at)
			continue;
		error("%s: select_cons_tres.so has no %s", plugin_type,
		      ops[i].symbol);
		goto fail;
	}
	return SLURM_SUCCESS;
fail:
	dlclose(stock.handle);
	stock.handle = NULL;
	return SLURM_ERROR;
}

/* --- the cluster ---------------------------------------------------------- */

extern int select_p_node_init(void)
{
	int rc = stock.node_init();

	if (rc != SLURM_SUCCESS)
		return rc;
	libra_need_job_lock(__func__);
	libra_shared_fini();
	libra_host_init(libra_host_shared(), &libra_slurm_ops);
	libra_host_log_times(libra_host_shared());
	if (!libra_cluster_set())
		libra_cluster_sync_later();
	if (!libra_starter_begin())
		error("libra: no thread: promised jobs start when Slurm looks "
		      "at them");
	return rc;
}

/* --- jobs ------------------------------------------------------------------
 */

/* Times the present call; under the job write lock there is only one. */
static struct libra_host_watch watch;

static void begin_call(const char *where)
{
	libra_need_job_lock(where);
	watch = (struct libra_host_watch){0};
	libra_host_watch_start(&watch);
}

static void end_call(enum libra_host_call call)
{
	libra_host_watch_stop(&watch);
	libra_host_took(libra_host_shared(), call, &watch);
}

/* Run Slurm's test, whose time is not ours. */
static int stock_test LIBRA_JOB_TEST_PARAMS
{
	int rc;

	libra_host_watch_stop(&watch);
	rc = stock.job_test LIBRA_JOB_TEST_ARGS;
	libra_host_watch_start(&watch);
	return rc;
}

/* Where the host wants the job.  Kept over calls, as job_test() runs under the
 * job write lock, one at a time.
 */
static struct libra_host_placement placement;

/* Let Slurm end a waiting job at its next look: state DEADLINE, as a job of its
 * own that can no longer end in time.
 */
static void end_as_late(job_record_t *job)
{
	job->deadline = time(NULL);
	job->time_min = 1;
}

/* Return the cores that a job without a promise must not use now, or NULL:
 * those of jobs with a planned start that may start now, and crowded ones
 * (shared_capacity.h).
 */
static bitstr_t *not_for(const job_record_t *job)
{
	bitstr_t *full = libra_shared_full(job), *kept = NULL;

	libra_host_kept(libra_host_shared(), &placement);
	if (placement.nparts)
		kept = libra_cores_of(&placement);
	if (full && kept)
		bit_or(kept, full);
	if (!kept)
		return full;
	FREE_NULL_BITMAP(full);
	return kept;
}

/* Tries to find nodes that no reservation needs. */
enum { LOOKS = 4 };

/* Let Slurm choose nodes for a job without a promise, and ask the host whether
 * it may start there now.
 */
static int find_ordinary LIBRA_TEST_ORDINARY_PARAMS
{
	bool now = SELECT_IS_MODE_RUN_NOW(mode), around = true;
	uint8_t *in_way = calloc((size_t)node_record_count + 1, 1);
	bitstr_t *all = bit_copy(nodes);
	LIBRA_LIST own = NULL;
	int rc = ESLURM_NODES_BUSY;

	/* Backfill passes no list of victims. */
	if (!preemptees)
		preemptees = &own;
	for (int i = 0; i < LOOKS && around; i++) {
		bit_copybits(nodes, all);
		FREE_NULL_LIST(*preemptees);
		rc = stock_test(job, nodes, min_nodes, max_nodes, req_nodes,
				mode, candidates, preemptees,
				exc LIBRA_WILL_RUN_ARG);
		if (rc != SLURM_SUCCESS) {
			rc = i > 0 ? ESLURM_NODES_BUSY : rc;
			break;
		}
		if (libra_ordinary_may(job, seen, nodes, *preemptees,
				       now ? 0 : LIBRA_WILL_START(job), in_way))
			break;
		if (now)
			free_job_resources(&job->job_resrcs);
		FREE_NULL_LIST(*preemptees); /* the job does not start */
		rc = ESLURM_NODES_BUSY;
		around = in_way && libra_ordinary_around(all, in_way);
	}
	FREE_NULL_LIST(own);
	FREE_NULL_BITMAP(all);
	free(in_way);
	return rc;
}

/* Answer backfill for a job that Slurm would start now beside others, on cores
 * that the host does not let it share: it starts when the first of those ends.
 */
static int find_freed LIBRA_JOB_TEST_PARAMS
{
	int rc = stock_test LIBRA_JOB_TEST_ARGS;
	time_t from = rc == SLURM_SUCCESS ? libra_shared_first_end(nodes) : 0;

	if (from <= time(NULL))
		return ESLURM_NODES_BUSY;
	LIBRA_WILL_NOT_START_BEFORE(job, from);
	return rc;
}

/* OverSubscribe=FORCE:n, or YES:n and --oversubscribe. */
static bool shares_cores(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;

	return part && ((part->max_share & SHARED_FORCE) ||
			(part->max_share > 1 && job->details->share_res == 1));
}

/* Answer backfill when a job starts.  Slurm counts crowded cores as free, but
 * the job would not start there, and would keep others from its nodes until the
 * end of its time limit.  So let it start when the first job there ends; with
 * preemption, when Slurm says.
 */
static int find_later LIBRA_TEST_ORDINARY_PARAMS
{
	bool preempts = candidates && list_count(candidates) > 0;
	bitstr_t *full = preempts ? NULL : libra_shared_full(job);
	bitstr_t *all = bit_copy(nodes);
	__typeof__(job->bit_flags) flags = job->bit_flags;
	int rc = ESLURM_NODES_BUSY;
	LIBRA_EXC_STORE narrowed;
	time_t from = 0;

	if (full) {
		job->bit_flags |= TEST_NOW_ONLY;
		rc = find_ordinary(job, seen, nodes, min_nodes, max_nodes,
				   req_nodes, mode, candidates, preemptees,
				   libra_exc_add(&narrowed, exc, full)
					   LIBRA_WILL_RUN_ARG);
		job->bit_flags = flags;
		libra_exc_free(&narrowed);
	}
	if (rc != SLURM_SUCCESS) {
		bit_copybits(nodes, all);
		rc = find_ordinary(job, seen, nodes, min_nodes, max_nodes,
				   req_nodes, mode, candidates, preemptees,
				   exc LIBRA_WILL_RUN_ARG);
		if (full && rc == SLURM_SUCCESS)
			from = libra_shared_first_end(nodes);
		LIBRA_WILL_NOT_START_BEFORE(job, from);
	}
	if (rc != SLURM_SUCCESS && !preempts && shares_cores(job)) {
		bit_copybits(nodes, all);
		rc = find_freed(job, nodes, min_nodes, max_nodes, req_nodes,
				mode, candidates, preemptees,
				exc LIBRA_WILL_RUN_ARG);
	}
	FREE_NULL_BITMAP(full);
	FREE_NULL_BITMAP(all);
	return rc;
}

static int test_ordinary LIBRA_TEST_ORDINARY_PARAMS
{
	bool now = SELECT_IS_MODE_RUN_NOW(mode);
	bitstr_t *kept = now ? not_for(job) : NULL;
	LIBRA_EXC_STORE narrowed;
	LIBRA_LIST spare;
	int rc;

	if (now && !libra_limits_leave(job)) {
		FREE_NULL_BITMAP(kept);
		return ESLURM_NODES_BUSY;
	}
	spare = libra_ordinary_spare(candidates);
	if (now)
		rc = find_ordinary(job, seen, nodes, min_nodes, max_nodes,
				   req_nodes, mode, spare, preemptees,
				   kept ? libra_exc_add(&narrowed, exc, kept)
					: exc LIBRA_WILL_RUN_ARG);
	else
		rc = find_later(job, seen, nodes, min_nodes, max_nodes,
				req_nodes, mode, spare, preemptees,
				exc LIBRA_WILL_RUN_ARG);
	if (kept)
		libra_exc_free(&narrowed);
	FREE_NULL_BITMAP(kept);
	FREE_NULL_LIST(spare);
	return rc;
}

/* Ask the host where the job may run, and store the answer in `placement`. */
static enum libra_host_place find_place(job_record_t *job,
					const struct libra_host_job *seen)
{
	enum libra_host_place where =
		libra_host_place(libra_host_shared(), seen, &placement);

	libra_take_record(job, &placement);
	libra_host_flush_records(libra_host_shared());
	return where;
}

static int test_job LIBRA_JOB_TEST_PARAMS
{
	struct libra_host_job seen = libra_view(job, libra_limits_hold(job));
	enum libra_host_place where = find_place(job, &seen);
	uint32_t limit = job->time_limit;
	LIBRA_EXC_STORE narrowed;
	LIBRA_LIST spare;
	bitstr_t *cores;
	int rc;

	if (where == LIBRA_PLACE_STOCK || where == LIBRA_PLACE_LOST) {
		libra_shared_memory(job, &seen, nodes);
		return test_ordinary(job, &seen, nodes, min_nodes, max_nodes,
				     req_nodes, mode, candidates, preemptees,
				     exc LIBRA_WILL_RUN_ARG);
	}
	if (where == LIBRA_PLACE_WAIT && SELECT_IS_MODE_WILL_RUN(mode) &&
	    libra_planned_begin(job)) {
		rc = stock_test(job, nodes, min_nodes, max_nodes, req_nodes,
				mode, candidates, preemptees,
				exc LIBRA_WILL_RUN_ARG);
		LIBRA_WILL_NOT_START_BEFORE(job, libra_planned_begin(job));
		return rc;
	}
	if (where == LIBRA_PLACE_END)
		end_as_late(job);
	if (where != LIBRA_PLACE_HERE)
		return ESLURM_NODES_BUSY;
	if (!libra_cores_nodes(&placement, nodes, &min_nodes, &max_nodes,
			       &req_nodes))
		return ESLURM_NODES_BUSY;
	/* The time limit counted from the submission; a job that does not start
	 * keeps it.
	 */
	if (SELECT_IS_MODE_RUN_NOW(mode) && limit > placement.minutes)
		job->time_limit = placement.minutes;
	cores = libra_cores_but(&placement);
	spare = libra_ordinary_spare(candidates);
	rc = stock_test(job, nodes, min_nodes, max_nodes, req_nodes, mode,
			spare, preemptees,
			libra_exc_add(&narrowed, exc, cores)
				LIBRA_WILL_RUN_ARG);
	FREE_NULL_LIST(spare);
	libra_exc_free(&narrowed);
	FREE_NULL_BITMAP(cores);
	if (rc != SLURM_SUCCESS) {
		job->time_limit = limit;
		debug("libra: %pJ: cons_tres cannot use the promised cores",
		      job);
	}
	return rc;
}

/* Arguments that are the same in each repeated test. */
struct asked {
	uint16_t mode;
	LIBRA_LIST candidates;
	LIBRA_LIST *preemptees;
	LIBRA_EXC exc;
};

static int test_asked(const struct libra_test_only *q, bitstr_t *not_these)
{
	const struct asked *asked = q->arg;
	LIBRA_EXC_STORE narrowed;
	int rc;

	rc = stock_test(
		q->job, q->nodes, q->min_nodes, q->max_nodes, q->req_nodes,
		asked->mode, asked->candidates, asked->preemptees,
		not_these ? libra_exc_add(&narrowed, asked->exc, not_these)
			  : asked->exc LIBRA_NO_WILL_RUN);
	if (not_these)
		libra_exc_free(&narrowed);
	return rc;
}

static int test_ever(const struct libra_test_only *q)
{
	struct libra_host_job seen = libra_view(q->job, true);

	find_place(q->job, &seen);
	return libra_test_only_ever(q, &placement);
}

/* Slurm tests jobs that are in no table for reservations by count; then it
 * holds the lock of jobs to read only, and no promise is concerned.
 */
static bool is_in_table(const job_record_t *job)
{
	return find_job_record(job->job_id) == job;
}

extern int select_p_job_test LIBRA_JOB_TEST_PARAMS
{
	const struct asked asked = {mode, candidates, preemptees, exc};
	const struct libra_test_only q = {
		.job = job,
		.nodes = nodes,
		.min_nodes = min_nodes,
		.max_nodes = max_nodes,
		.req_nodes = req_nodes,
		.test = test_asked,
		.arg = &asked,
	};
	int rc;

	if (!is_in_table(job))
		return stock.job_test LIBRA_JOB_TEST_ARGS;
	begin_call(__func__);
	libra_cluster_sync();
	if (libra_is_test_only(job, mode, preemptees != NULL))
		rc = libra_test_only_answer(&q, &placement);
	else if (SELECT_IS_MODE_TEST_ONLY(mode))
		rc = test_ever(&q);
	else
		rc = test_job LIBRA_JOB_TEST_ARGS;
	end_call(LIBRA_CALL_TEST);
	return rc;
}

/* Called when a job starts, and for every job after node_init(). */
extern int select_p_select_nodeinfo_set(job_record_t *job)
{
	int rc = stock.select_nodeinfo_set(job);

	if (rc != SLURM_SUCCESS || IS_JOB_FINISHED(job))
		return rc;
	begin_call(__func__);
	libra_cluster_sync_job(job);
	end_call(LIBRA_CALL_SET);
	return rc;
}

/* Called when partitions or nodes are created, changed or deleted, with the
 * write locks of jobs, nodes and partitions, and at the end of a start.  Also
 * called, with fewer locks, when debug flags are set, which sets the time of
 * the configuration: then our thread follows the change.
 */
extern int select_p_reconfigure(void)
{
	int rc = stock.reconfigure();

	if (rc != SLURM_SUCCESS)
		return rc;
	libra_shared_fini();
	libra_cluster_sync_later();
	if (slurm_conf.last_update + 1 >= time(NULL)) {
		libra_wake();
		return rc;
	}
	begin_call(__func__);
	libra_cluster_sync();
	end_call(LIBRA_CALL_SET);
	return rc;
}

static void set_suspended(const job_record_t *job, bool suspended)
{
	begin_call(__func__);
	libra_host_suspended(libra_host_shared(), job->job_id, suspended);
	libra_host_flush_records(libra_host_shared());
	end_call(LIBRA_CALL_END);
}

extern int select_p_job_suspend(job_record_t *job, bool indf)
{
	int rc = stock.job_suspend(job, indf);

	if (rc == SLURM_SUCCESS)
		set_suspended(job, true);
	return rc;
}

extern int select_p_job_resume(job_record_t *job, bool indf)
{
	int rc = stock.job_resume(job, indf);

	if (rc == SLURM_SUCCESS)
		set_suspended(job, false);
	return rc;
}

/* Called for each node that a job loses; then Slurm brings its record up to
 * date.
 */
extern int select_p_job_resized(job_record_t *job, node_record_t *node)
{
	int rc = stock.job_resized(job, node);

	if (rc != SLURM_SUCCESS)
		return rc;
	begin_call(__func__);
	libra_shared_ended();
	libra_host_resized(libra_host_shared(), job->job_id);
	end_call(LIBRA_CALL_END);
	return rc;
}

extern int select_p_job_fini(job_record_t *job)
{
	begin_call(__func__);
	libra_shared_ended();
	libra_follow_record(job);
	libra_host_ended(libra_host_shared(), job->job_id);
	libra_follow_end(job);
	libra_host_flush_records(libra_host_shared());
	libra_job_env_send(job);
	end_call(LIBRA_CALL_END);
	return stock.job_fini(job);
}

/* --- the plugin -------------------------------------------------------------
 */

int init(void)
{
	if (load_stock() != SLURM_SUCCESS)
		return SLURM_ERROR;
	if (stock.init() == SLURM_SUCCESS)
		return SLURM_SUCCESS;
	dlclose(stock.handle);
	stock.handle = NULL;
	return SLURM_ERROR;
}

LIBRA_FINI fini(void)
{
	if (stock.handle) {
		libra_starter_end();
		libra_host_fini(libra_host_shared());
		stock.fini();
		dlclose(stock.handle);
		stock.handle = NULL;
		libra_shared_fini();
		libra_cluster_fini();
		free(placement.parts);
		placement = (struct libra_host_placement){0};
	}
	LIBRA_FINI_RETURN;
}
