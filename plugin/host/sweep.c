/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep.c - see sweep.h. */
#include <math.h>

#include "plugin/base/ops.h"
#include "plugin/host/sweep.h"
#include "plugin/host/unclaimed.h"

/* Note since when a condition of a job holds.
 * Result: true if it has held for longer than libra_offer_ttl.
 */
static bool outlived(struct host_state *h, double *since_s, double now_s)
{
	if (*since_s == 0)
		*since_s = now_s;
	return now_s - *since_s > h->conf.offer_ttl_s;
}

bool host_is_overdue(struct host_state *h, struct tracked_job *t, double now_s)
{
	return t->may_start && now_s > t->job.deadline_s &&
	       outlived(h, &t->since.overdue_s, now_s);
}

void host_give_up(struct host_state *h, struct tracked_job *t, double now_s)
{
	uint32_t job_id = t->job_id;

	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u: its deadline has passed, and Slurm cannot start it "
		 "on its promised processors",
		 job_id);
	for (; t; t = host_jobs_find(&h->jobs, job_id, false))
		host_release(&h->released, &h->jobs, t, true,
			     "its deadline has passed", now_s);
}

/* Return true if a limit has held back a job that may start for too long. */
static bool is_limited(const struct host_state *h, const struct tracked_job *t,
		       double now_s)
{
	return t->since.limited_s > 0 &&
	       now_s - t->since.limited_s > h->conf.offer_ttl_s;
}

/* If a rule of a partition or QOS, or its reason to wait, bars a job from
 * starting for so long, the job releases its promise.  A rule that is changed
 * for a moment costs no promise.
 */
#define BARRED_S 5.0

static bool is_barred(const struct tracked_job *t, double now_s)
{
	return t->since.barred_by && now_s - t->since.barred_s >= BARRED_S;
}

/* Note what bars a job.  The starvation guard gives up ordinary jobs. */
static void note_barrier(struct host_state *h, struct tracked_job *t,
			 double now_s)
{
	t->since.barred_by =
		t->ordinary ? NULL : host_barrier(h->ops, t->job_id);
	if (!t->since.barred_by)
		t->since.barred_s = 0;
	else if (t->since.barred_s == 0)
		t->since.barred_s = now_s;
}

/* Return true if a job cannot use its promise: it is gone, barred, limited,
 * overdue, or has been held for longer than libra_offer_ttl.  The last task of
 * an array runs under the array's id.  Another promise of that id belongs to a
 * cancelled task, or to a task that became a job of its own and has
 * libra_offer_ttl to claim it.
 */
static bool has_no_use(struct host_state *h, struct tracked_job *t,
		       double now_s)
{
	switch (host_job_state(h->ops, t->job_id)) {
	case LIBRA_JOB_GONE:
		return true;
	case LIBRA_JOB_BLOCKED:
		return outlived(h, &t->since.blocked_s, now_s);
	case LIBRA_JOB_ALIVE:
		t->since.blocked_s = 0;
		return outlived(h, &t->since.surplus_s, now_s) &&
		       host_jobs_find(&h->jobs, t->job_id, true);
	default:
		t->since.blocked_s = 0;
		note_barrier(h, t, now_s);
		return is_barred(t, now_s) || is_limited(h, t, now_s) ||
		       (!t->ordinary && host_is_overdue(h, t, now_s));
	}
}

/* Note a release, so that the barred job does not ask for another promise at
 * once: Slurm may report the bar only after it has found nodes.
 */
static void note_release(struct host_state *h, uint32_t job_id, double now_s)
{
	h->refused[job_id % HOST_REFUSALS] = (struct host_refusal){
		.job_id = job_id,
		.barred = true,
		.changes = h->log.changes,
		.at_s = now_s,
	};
}

static void say_released(const struct host_state *h,
			 const struct tracked_job *t)
{
	host_log(h->ops, LIBRA_HOST_DEBUG, "job %u released its promise",
		 t->job_id);
}

/* Release the promise of a job.  A job that still waits asks again when it may
 * start.
 */
static void release(struct host_state *h, struct tracked_job *t, double now_s)
{
	const char *by =
		is_barred(t, now_s) ? t->since.barred_by : t->since.limited_by;

	switch (host_job_state(h->ops, t->job_id)) {
	case LIBRA_JOB_PENDING:
		if (!is_barred(t, now_s) && !is_limited(h, t, now_s)) {
			host_give_up(h, t, now_s);
			return;
		}
		host_log(h->ops, LIBRA_HOST_INFO,
			 "job %u released its promise: %s does not let it "
			 "start; it asks again when it may",
			 t->job_id, by);
		if (is_barred(t, now_s))
			note_release(h, t->job_id, now_s);
		host_release(&h->released, &h->jobs, t, false, by, now_s);
		return;
	case LIBRA_JOB_BLOCKED:
		say_released(h, t);
		host_release(&h->released, &h->jobs, t, false,
			     "it is held, dependent or begins later", now_s);
		return;
	default:
		say_released(h, t);
		host_jobs_withdraw(&h->jobs, t, "cancelled", now_s);
	}
}

/* Have a record written again that an operator has overwritten (scancel
 * --admin-comment).  The waiting tasks of an array have one record: check it
 * for one task.
 */
static void keep_record(struct host_state *h, struct tracked_job *t)
{
	bool runs = t->state == TRACKED_RUNNING;

	if (t->stale || t->ordinary || t->state < TRACKED_COMMITTED ||
	    !h->ops->has_claim ||
	    t != host_jobs_find(&h->jobs, t->job_id, runs) ||
	    h->ops->has_claim(t->job_id, h->log.epoch,
			      runs ? t->offer : t->first) ||
	    host_job_state(h->ops, t->job_id) == LIBRA_JOB_GONE)
		return;
	host_jobs_set_stale_soon(&h->jobs, t);
}

/* Sweep one job.
 * Result: true if its promise was released.
 */
static bool sweep(struct host_state *h, struct tracked_job *t, double now_s)
{
	if (h->ops)
		keep_record(h, t);
	if (t->state != TRACKED_COMMITTED || !has_no_use(h, t, now_s))
		return false;
	host_unclaimed_refused(h, t, now_s);
	release(h, t, now_s);
	return true;
}

/* A full sweep costs the number of jobs: rest for so many times its duration
 * before the next, however many submissions are refused.
 */
#define SWEEP_REST 20

uint32_t host_sweep(struct host_state *h, double now_s)
{
	double at_s = host_steady_s(h->ops);
	struct tracked_job *t;
	uint32_t n = 0;

	if (fabs(at_s - h->sweep.last_s) < SWEEP_REST * h->sweep.took_s)
		return 0;
	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t))
		n += sweep(h, t, now_s);
	h->sweep.last_s = host_steady_s(h->ops);
	h->sweep.took_s = h->sweep.last_s - at_s;
	return n;
}

/* Jobs in a call, and released promises, which take longer.  All jobs are swept
 * once a second.
 */
#define SWEEP_SOME   64u
#define RELEASE_SOME 4u

void host_sweep_some(struct host_state *h, double now_s)
{
	struct tracked_job *t;
	uint32_t n = 0;

	for (uint32_t i = 0;
	     i < SWEEP_SOME && n < RELEASE_SOME && h->sweep.left > 0; i++) {
		if (h->sweep.at >= h->jobs.njobs)
			h->sweep.at = 0;
		t = &h->jobs.jobs[h->sweep.at++];
		h->sweep.left--;
		if (t->state != TRACKED_FREE)
			n += sweep(h, t, now_s);
	}
}
