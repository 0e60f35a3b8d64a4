/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start.c - see start.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/host/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/changes.h"
#include "plugin/select/limits.h"
#include "plugin/select/start.h"

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

/* A look is not begun sooner than so long after the last, and takes no longer
 * than that: others want Slurm's locks, too.  Jobs that are left over come
 * first in the next one.
 */
#define PAUSE_NS  100000000L
#define LONGEST_S 0.25

static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	pthread_t thread;
	libra_view_f view;
	bool begun, end, woken;
} starter = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

/* On a clock that nobody sets: else a rest could last until that of day is
 * where it was.
 */
static void init_cond(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&starter.cond, &attr);
	pthread_condattr_destroy(&attr);
}

static void lock_starter(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, init_cond);
	pthread_mutex_lock(&starter.lock);
}

enum { MOST_DUE = 64 };

/* Of one look; kept by the thread. */
struct look {
	uint32_t *ids; /* of jobs that may start */
	size_t n, cap;
	uint32_t after; /* the last one that was tried, if time was up */
};

static double clock_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Asked only where it matters: of a site without slurmdbd Slurm 23.11 and 24.05
 * say for a while that every account is invalid, and pass over the job then.
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

/* Would Slurm's scheduler try it, were it first in the queue?  What is left out
 * here select_nodes() looks at by itself: limits of accounts, reservations,
 * burst buffers, the priority of a held job.
 */
static bool is_runnable(job_record_t *job)
{
	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_REVOKED(job) || job->priority == 0 || !job->details ||
	    !job->part_ptr || job->het_job_id || job->fed_details ||
	    job->preempt_in_progress || job->details->prolog_running ||
	    (job->step_list && list_count(job->step_list)))
		return false;
	if (!has_account(job) || !job_independent(job) ||
	    job_limits_check(&job, false) != WAIT_NO_REASON)
		return false;
	if ((job->array_recs || job->array_task_id != NO_VAL) &&
	    !job_array_start_test(job))
		return false;
	return license_job_test(job, time(NULL), true) == SLURM_SUCCESS;
}

/* Limits may have changed since it was accepted.  It may keep to one that is
 * long enough for what it has to do.
 */
static void keep_limit(job_record_t *job, double estimate_s)
{
	struct libra_limits limits;

	if (libra_limits_of(job, false, &limits) &&
	    limits.run_s >= estimate_s && job->time_limit > limits.run_s / 60)
		job->time_limit = (uint32_t)(limits.run_s / 60);
}

static bool try_start(job_record_t *job)
{
	double estimate_s = libra_changes_estimate(job);
	int rc;

	if (!is_runnable(job))
		return false;
	if (estimate_s > 0)
		keep_limit(job, estimate_s);
	/* As Slurm does: what the job prefers is for its own scheduler. */
	job->details->features_use = job->details->features;
	job->details->feature_list_use = job->details->feature_list;
	rc = LIBRA_SELECT_NODES(job);
	libra_host_limited(libra_host_shared(), job->job_id,
			   rc == ESLURM_ACCOUNTING_POLICY);
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

/* Those of an array one by one: what waits has the array's id. */
static void try_all_tasks(uint32_t id, double until_s)
{
	job_record_t *job = find_job_record(id);
	struct libra_host_job seen;

	while (job && try_start(job) && clock_s() < until_s) {
		job = find_job_record(id);
		if (!job || !IS_JOB_PENDING(job))
			return;
		seen = starter.view(job);
		if (!libra_host_wants(libra_host_shared(), &seen))
			return;
	}
}

static bool add(struct look *look, uint32_t id)
{
	uint32_t *more;

	if (look->n == look->cap) {
		more = realloc(look->ids, (2 * look->cap + 64) * sizeof(*more));
		if (!more)
			return false;
		look->ids = more;
		look->cap = 2 * look->cap + 64;
	}
	look->ids[look->n++] = id;
	return true;
}

/* A start splits arrays, which changes the list: so first all are noted. */
static void note_jobs(struct look *look)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job_list);
	struct libra_host_job seen;
	uint32_t due[MOST_DUE], n;
	job_record_t *job;
	bool ok = true;

	look->n = 0;
	while (ok && (job = list_next(it))) {
		if (!IS_JOB_PENDING(job) || job->priority == 0 ||
		    !job->admin_comment)
			continue;
		seen = starter.view(job);
		if (libra_host_wants(libra_host_shared(), &seen))
			ok = add(look, job->job_id);
	}
	list_iterator_destroy(it);
	n = libra_host_due(libra_host_shared(), due, MOST_DUE);
	for (uint32_t i = 0; ok && i < n; i++)
		ok = add(look, due[i]);
}

static void try_jobs(struct look *look)
{
	double until_s = clock_s() + LONGEST_S;
	size_t first = 0;

	for (size_t i = 0; i < look->n; i++)
		if (look->ids[i] == look->after)
			first = i + 1;
	look->after = 0;
	for (size_t i = 0; i < look->n; i++) {
		uint32_t id = look->ids[(first + i) % look->n];

		try_all_tasks(id, until_s);
		if (clock_s() < until_s)
			continue;
		look->after = id;
		libra_start_wake();
		return;
	}
}

static bool ends(void)
{
	bool end;

	lock_starter();
	end = starter.end;
	pthread_mutex_unlock(&starter.lock);
	return end || slurmctld_config.shutdown_time;
}

static void look_once(struct look *look)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK,
		.job = WRITE_LOCK,
		.node = WRITE_LOCK,
		.part = READ_LOCK,
		.fed = READ_LOCK,
	};

	if (ends())
		return;
	lock_slurmctld(locks);
	if (!ends() && job_list) {
		libra_host_look(libra_host_shared());
		note_jobs(look);
		if (look->n)
			try_jobs(look);
		libra_host_flush_records(libra_host_shared());
	}
	unlock_slurmctld(locks);
}

/* Until somebody wakes us, a planned start comes, or a second is over.
 * Result: false at the end.
 */
static bool rest(void)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	struct timespec until;
	double next_s;
	bool end;

	nanosleep(&pause, NULL);
	next_s = libra_host_next_s(libra_host_shared());
	clock_gettime(CLOCK_MONOTONIC, &until);
	if (next_s < 1)
		until.tv_nsec += (long)(next_s * 1e9);
	if (next_s >= 1 || until.tv_nsec >= 1000000000L)
		until.tv_sec++;
	until.tv_nsec %= 1000000000L;
	lock_starter();
	while (!starter.woken && !starter.end &&
	       pthread_cond_timedwait(&starter.cond, &starter.lock, &until) !=
		       ETIMEDOUT)
		;
	starter.woken = false;
	end = starter.end;
	pthread_mutex_unlock(&starter.lock);
	return !end;
}

static void *run(void *unused)
{
	struct look look = {0};

	while (rest() && !slurmctld_config.shutdown_time)
		look_once(&look);
	free(look.ids);
	return unused;
}

bool libra_start_begin(libra_view_f view)
{
	bool ok = true;

	lock_starter();
	if (!starter.begun) {
		starter.view = view;
		starter.end = false;
		ok = pthread_create(&starter.thread, NULL, run, NULL) == 0;
		starter.begun = ok;
	}
	pthread_mutex_unlock(&starter.lock);
	return ok;
}

void libra_start_end(void)
{
	bool begun;

	lock_starter();
	begun = starter.begun;
	starter.begun = false;
	starter.end = true;
	pthread_cond_signal(&starter.cond);
	pthread_mutex_unlock(&starter.lock);
	if (begun)
		pthread_join(starter.thread, NULL);
}

void libra_start_wake(void)
{
	lock_starter();
	starter.woken = true;
	pthread_cond_signal(&starter.cond);
	pthread_mutex_unlock(&starter.lock);
}
