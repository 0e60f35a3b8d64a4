/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starter.c - see starter.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/base/units.h"
#include "plugin/select/access.h"
#include "plugin/select/job_env.h"
#include "plugin/select/follow.h"
#include "plugin/select/limits.h"
#include "plugin/select/forecast.h"
#include "plugin/base/clock.h"
#include "plugin/base/timing.h"
#include "plugin/select/pending.h"
#include "plugin/select/starter.h"
#include "plugin/select/wake.h"

#pragma weak accounting_enforce
#pragma weak acct_db_conn
#pragma weak find_job_record
#pragma weak job_array_start_test
#pragma weak job_independent
#pragma weak job_limits_check
#pragma weak job_list
#pragma weak last_job_update
#pragma weak launch_job
#pragma weak license_job_test
#pragma weak lock_slurmctld
#pragma weak select_nodes
#pragma weak slurmctld_config
#pragma weak srun_allocate
#pragma weak unlock_slurmctld

/* The thread rests for PAUSE_NS between two passes.  It releases Slurm's locks
 * after SLICE_S or, while it tries jobs, TRIES_S, as others need them.  If jobs
 * that failed before have failed again, the locks stay free for REST times as
 * long as they were held; between two slices of the host's work, for LOOK_REST
 * times as long.
 */
#define PAUSE_NS   100000000L
#define MOST_WOKEN 1024
#define SLICE_S	   5e-5
#define TRIES_S	   1.5e-4
#define REST	   10
#define LOOK_REST  2

/* Time for jobs that failed to start before; the rest is left to the next pass,
 * so that other jobs may start for the first time.
 */
#define AGAIN_S 0.25
#define SOON_S	0.2

static struct {
	pthread_t thread;
	bool begun;
} starter;

enum { MOST_DUE = 64 };

struct ids {
	uint32_t *ids;
	size_t n, cap;
};

/* State of the thread, kept from pass to pass. */
struct look {
	/* Jobs that may start: tried for the first time, tried before, and
	 * ordinary jobs with an aged reservation.
	 */
	struct ids first, again, due;
	/* Position in Slurm's list of jobs; NULL = none.  The list keeps its
	 * iterators valid when a job is removed.
	 */
	LIBRA_LIST_ITERATOR at;
	LIBRA_LIST list;
	struct libra_host_watch own, all;
	double begun_s, until_s; /* of this slice */
	double held_s;	 /* time for which the last slice held the locks */
	double looked_s; /* last pass over all jobs */
};

static double clock_s(void)
{
	return libra_host_read_clock(CLOCK_MONOTONIC);
}

static void rest_s(double s)
{
	const struct timespec pause = {.tv_nsec = (long)(fmin(s, 0.1) * 1e9)};

	nanosleep(&pause, NULL);
}

/* Return true if the job's account is valid.  Without slurmdbd, Slurm 23.11 and
 * 24.05 report for a while that every account is invalid, and skip the job:
 * then reset that reason.
 */
static bool has_account(job_record_t *job)
{
	if (accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS)
		return assoc_mgr_validate_assoc_id(acct_db_conn, job->assoc_id,
						   accounting_enforce) ==
		       SLURM_SUCCESS;
	if (job->state_reason == FAIL_ACCOUNT)
		job->state_reason = WAIT_NO_REASON;
	return true;
}

/* Return true if Slurm's scheduler would try the job if it were first in the
 * queue.  select_nodes() itself tests the rest: limits of accounts, advance
 * reservations, burst buffers, the priority of a held job.
 */
static bool is_runnable(job_record_t *job)
{
	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_REVOKED(job) || job->priority == 0 || !job->details ||
	    !job->part_ptr || job->het_job_id || job->fed_details ||
	    job->preempt_in_progress || job->details->prolog_running ||
	    (job->step_list && list_count(job->step_list)))
		return false;
	return has_account(job);
}

/* Return true if something bars the job from starting, whatever is free.  *what
 * names it; NULL if it passes by itself, as a dependency or a license in use:
 * then the promise stays.
 */
static bool is_held(job_record_t *job, const char **what)
{
	*what = libra_access_denied(job);
	if (*what)
		return true;
	if ((job->array_recs || job->array_task_id != NO_VAL) &&
	    !job_array_start_test(job)) {
		*what = "its ArrayTaskThrottle";
		return true;
	}
	if (!job_independent(job))
		return true;
	if (job_limits_check(&job, false) != WAIT_NO_REASON)
		*what = "a limit of its partition or QOS";
	return *what ||
	       license_job_test(job, time(NULL), true) != SLURM_SUCCESS;
}

/* Reduce the time limit to the limits of accounts and the partition, which may
 * have changed since the job was accepted, but not below its estimate.
 */
static void keep_limit(job_record_t *job, double estimate_s)
{
	struct libra_limits limits;
	double run_s;

	libra_limits_of(job, false, &limits);
	run_s = limits.run_s;
	if (job->limit_set.time != ADMIN_SET_LIMIT)
		run_s = fmin(run_s,
			     libra_host_minutes_s(job->part_ptr->max_time));
	if (run_s >= estimate_s && job->time_limit > run_s / 60)
		job->time_limit = (uint32_t)(run_s / 60);
}

static bool try_start(job_record_t *job)
{
	double estimate_s = libra_job_env_estimate(job);
	const char *held;
	int rc;

	if (!is_runnable(job))
		return false;
	if (estimate_s > 0)
		keep_limit(job, estimate_s);
	if (is_held(job, &held)) {
		libra_host_limited(libra_host_shared(), job->job_id, held);
		return false;
	}
	/* Ignore the features that the job prefers, as Slurm does here. */
	job->details->features_use = job->details->features;
	job->details->feature_list_use = job->details->feature_list;
	rc = LIBRA_SELECT_NODES(job);
	libra_host_limited(libra_host_shared(), job->job_id,
			   rc == ESLURM_ACCOUNTING_POLICY
				   ? "a limit of its account or QOS"
				   : NULL);
	if (rc != SLURM_SUCCESS)
		return false;
	last_job_update = time(NULL);
	info("libra: started %pJ in %s on %s", job, job->part_ptr->name,
	     job->nodes);
	if (job->batch_flag == 0)
		srun_allocate(job);
	else if (!IS_JOB_CONFIGURING(job))
		launch_job(job);
	return true;
}

/* Return true if the thread must do nothing: it is to end, slurmctld shuts
 * down, or is not in control.  slurmctld may go on after a shutdown.
 * While in control, slurmctld has a thread that saves its state.
 */
static bool ends(void)
{
	return libra_wake_is_ended() || slurmctld_config.shutdown_time ||
	       !slurmctld_config.thread_id_save;
}

/* --- slices ----------------------------------------------------------------
 */

static const slurmctld_lock_t locks = {
	.conf = READ_LOCK,
	.job = WRITE_LOCK,
	.node = WRITE_LOCK,
	.part = READ_LOCK,
	.fed = READ_LOCK,
};

/* Take Slurm's locks.
 * Result: false, without the locks, if the thread must do nothing.
 */
static bool begin_slice(struct look *look, double longest_s)
{
	if (ends())
		return false;
	lock_slurmctld(locks);
	if (ends() || !job_list) {
		unlock_slurmctld(locks);
		return false;
	}
	look->own = look->all = (struct libra_host_watch){0};
	libra_host_watch_start(&look->own);
	libra_host_watch_start(&look->all);
	look->begun_s = clock_s();
	look->until_s = look->begun_s + longest_s;
	return true;
}

static void end_slice(struct look *look)
{
	libra_host_watch_stop(&look->own);
	libra_host_watch_stop(&look->all);
	look->held_s = clock_s() - look->begun_s;
	unlock_slurmctld(locks);
	libra_host_took(libra_host_shared(), LIBRA_CALL_LOOK, &look->own);
	libra_host_took(libra_host_shared(), LIBRA_CALL_HOLD, &look->all);
	sched_yield();
}

static bool is_over(const struct look *look)
{
	return clock_s() >= look->until_s;
}

/* --- the jobs that may start -----------------------------------------------
 */

static void add(struct ids *ids, uint32_t id)
{
	uint32_t *more;

	if (ids->n == ids->cap) {
		more = realloc(ids->ids, (2 * ids->cap + 64) * sizeof(*more));
		if (!more)
			return; /* the next pass finds the job */
		ids->ids = more;
		ids->cap = 2 * ids->cap + 64;
	}
	ids->ids[ids->n++] = id;
}

/* Open Slurm's list of jobs.  A backup that takes over has another list. */
static void open_list(struct look *look)
{
	if (look->at && look->list == job_list)
		return;
	look->list = job_list;
	look->at = list_iterator_create(job_list);
}

static void close_list(struct look *look)
{
	if (look->at && look->list == job_list)
		list_iterator_destroy(look->at);
	look->at = NULL;
}

/* Collect jobs that may start, for one slice.
 * Result: true if jobs are left.
 */
static bool note_some(struct look *look)
{
	const job_record_t *job;

	open_list(look);
	for (unsigned n = 1; (job = list_next(look->at)); n++) {
		switch (libra_pending_wanted(job)) {
		case LIBRA_WANTED:
			add(&look->first, job->job_id);
			break;
		case LIBRA_WANTED_AGAIN:
			add(&look->again, job->job_id);
			break;
		case LIBRA_NOT_WANTED:
			break;
		}
		if (n % 8 == 0 && is_over(look))
			return true;
	}
	close_list(look);
	return false;
}

/* A pass over all jobs costs their number, so it is made once a second.
 * Between, only jobs that became able to start, and jobs that failed, are
 * tried.
 */
#define ALL_S 1.0

static bool note_woken(struct look *look)
{
	uint32_t ids[MOST_WOKEN];
	uint32_t n = libra_host_woken(libra_host_shared(), ids, MOST_WOKEN);

	if (n > MOST_WOKEN || clock_s() - look->looked_s >= ALL_S)
		return false;
	for (uint32_t i = 0; i < n; i++)
		add(&look->first, ids[i]);
	return true;
}

static void note_due(struct look *look)
{
	uint32_t ids[MOST_DUE];
	uint32_t n = libra_host_due(libra_host_shared(), ids, MOST_DUE);

	look->due.n = 0;
	for (uint32_t i = 0; i < n; i++)
		add(&look->due, ids[i]);
}

static bool note_jobs(struct look *look)
{
	bool more = true;

	look->first.n = 0;
	note_due(look);
	if (note_woken(look))
		return true;
	look->again.n = 0;
	look->looked_s = clock_s();
	while (more) {
		if (!begin_slice(look, SLICE_S)) {
			look->at = NULL; /* a backup's list will go */
			return false;
		}
		more = note_some(look);
		end_slice(look);
	}
	return true;
}

/* --- their starts ----------------------------------------------------------
 */

/* Try to start a job.
 * Result: true if it has started; then the waiting tasks of an array, which
 *         have the same id, may start next.
 */
static bool try_job(struct look *look, const struct ids *ids, uint32_t id)
{
	job_record_t *job = find_job_record(id);
	bool started;

	if (!job || (ids != &look->due && !libra_pending_wanted(job)))
		return false;
	libra_host_watch_stop(&look->own);
	started = try_start(job);
	libra_host_watch_start(&look->own);
	if (started)
		return true;
	libra_host_tried(libra_host_shared(), id);
	if (ids == &look->first)
		add(&look->again, id);
	return false;
}

/* Find the next job that may be tried, so that Slurm's locks are not taken for
 * jobs that have just failed.
 */
static size_t next_one(const struct ids *ids, size_t i)
{
	while (i < ids->n &&
	       !libra_host_may_try(libra_host_shared(), ids->ids[i]))
		i++;
	return i;
}

/* Try all jobs of a list, or as many as there is time for. */
static void try_jobs(struct look *look, const struct ids *ids, double until_s)
{
	size_t i = 0;

	while ((i = next_one(ids, i)) < ids->n && clock_s() < until_s) {
		bool any = false;

		if (!begin_slice(look, TRIES_S))
			return;
		while (i < ids->n && !is_over(look)) {
			if (try_job(look, ids, ids->ids[i]))
				any = true;
			else
				i++;
		}
		end_slice(look);
		if (!any && ids == &look->again)
			rest_s(REST * look->held_s);
	}
	if (i < ids->n)
		libra_wake();
}

/* Do the host's work that is due, and write changed records.
 * Result: false if the thread must do nothing.
 */
static bool bring_up(struct look *look)
{
	bool more = true;

	while (more) {
		if (!begin_slice(look, SLICE_S))
			return false;
		libra_cluster_sync();
		do
			more = libra_host_look(libra_host_shared());
		while (more && !is_over(look));
		if (libra_host_flush_records(libra_host_shared()))
			libra_wake();
		end_slice(look);
		if (more)
			rest_s(LOOK_REST * look->held_s);
	}
	return true;
}

static void look_once(struct look *look)
{
	/* The times of calls are logged at this level only. */
	libra_host_time_calls(get_log_level() >= LOG_LEVEL_DEBUG);
	/* Start no job as a backup, or before a federation is up. */
	if (!bring_up(look) || slurmctld_config.scheduling_disabled ||
	    !note_jobs(look))
		return;
	try_jobs(look, &look->due, INFINITY);
	try_jobs(look, &look->first, INFINITY);
	try_jobs(look, &look->again, clock_s() + AGAIN_S);
}

/* Until somebody wakes us, a planned start comes, or a second is over; sooner
 * if there are jobs to be tried again.
 * Result: false at the end.
 */
static bool rest(const struct look *look)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	struct timespec until;
	double next_s;

	nanosleep(&pause, NULL);
	next_s = libra_host_next_s(libra_host_shared());
	if (look->again.n > 0)
		next_s = fmin(next_s, SOON_S);
	clock_gettime(CLOCK_MONOTONIC, &until);
	if (next_s < 1)
		until.tv_nsec += (long)(next_s * 1e9);
	if (next_s >= 1 || until.tv_nsec >= 1000000000L)
		until.tv_sec++;
	until.tv_nsec %= 1000000000L;
	return libra_wake_wait(&until);
}

static void *run(void *unused)
{
	struct look look = {0};

	while (rest(&look))
		look_once(&look);
	libra_host_log_times(libra_host_shared());
	free(look.due.ids);
	free(look.first.ids);
	free(look.again.ids);
	return unused;
}

bool libra_starter_begin(void)
{
	if (!starter.begun) {
		libra_wake_reset();
		starter.begun =
			pthread_create(&starter.thread, NULL, run, NULL) == 0;
	}
	return starter.begun;
}

void libra_starter_end(void)
{
	libra_wake_end();
	if (starter.begun)
		pthread_join(starter.thread, NULL);
	starter.begun = false;
}
