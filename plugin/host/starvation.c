/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starvation.c - see starvation.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/request/ask.h"
#include "plugin/request/messages.h"
#include "plugin/base/ops.h"
#include "plugin/request/resources.h"
#include "plugin/host/starvation.h"
#include "plugin/host/ordinary.h"
#include "plugin/engine/plan_log.h"

/* A reservation is given up if the job could have started for this time, but
 * Slurm has not started it, as it needs something that reservations do not
 * count; or if it has had too few nodes for this time.
 */
#define STUCK_S 120.0

uint32_t host_starvation_due(const struct host_state *h)
{
	struct tracked_job *t;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t))
		if (t->ordinary && t->state == TRACKED_COMMITTED &&
		    t->may_start)
			return t->job_id;
	return 0;
}

static double firm_age_s(const struct host_state *h)
{
	const struct libra_policy_type *p = h->conf.policy;
	int i = libra_param_find(p->params, p->nparams, "firm_age", NULL);

	return i < 0 ? INFINITY : h->conf.params[i];
}

static struct tracked_job *find_firm(const struct host_state *h)
{
	struct tracked_job *t;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t))
		if (t->ordinary && t->state == TRACKED_COMMITTED)
			return t;
	return NULL;
}

/* ---- the queue ---- */

/* Return true if a job may get the reservation.  After a restart only the job
 * that had it before may.
 */
static bool may_be_planned(const void *arg, double submit_s, uint32_t job_id,
			   const char *partition)
{
	const struct host_state *h = arg;

	if (!host_cluster_partition(&h->cluster, partition, strlen(partition)))
		return false;
	return h->firm.fresh
		       ? job_id == h->firm.job_id
		       : !libra_guard_skips(&h->oldest.guard, submit_s, job_id);
}

/* ---- the reservation ---- */

/* Track a job that has a ticket.
 * Result: false if memory is out.
 */
static bool track(struct host_state *h, uint64_t ticket,
		  const struct libra_job *job, const struct request_size *size)
{
	struct tracked_job *t = host_jobs_add(
		&h->jobs, ticket, host_jobs_first_offer(&h->jobs, 1));

	if (!t)
		return false;
	t->job = *job;
	t->job.where = NULL;
	t->user_estimate_s = job->estimate_s;
	t->size = *size;
	t->size.allowed = NULL;
	t->ordinary = true;
	t->state = TRACKED_COMMITTED;
	host_jobs_link(&h->jobs, t, (uint32_t)job->id);
	return true;
}

/* Restore the reservation of before a restart, unless its time is over. */
static bool restore_firm(struct host_state *h, const struct libra_job *job,
			 const struct request_size *size, double now_s)
{
	uint64_t ticket;

	if (!h->firm.fresh || h->firm.job_id != job->id ||
	    libra_plan_log_restore_waiting(&h->log, job, h->firm.start_s, now_s,
					   &ticket, NULL) < 0)
		return false;
	if (track(h, ticket, job, size))
		return true;
	libra_engine_log_withdraw(&h->log, ticket, now_s);
	return false;
}

static bool plan_firm(struct host_state *h, const struct libra_job *job,
		      const struct request_size *size, double now_s)
{
	struct libra_verdict v = {0};

	if (libra_plan_log_plan_ordinary(&h->log, job, now_s, &v, NULL) < 0 ||
	    v.answer != LIBRA_ACCEPT)
		return false;
	if (libra_engine_log_commit(&h->log, v.ticket, job->id, now_s) == 0 &&
	    track(h, v.ticket, job, size))
		return true;
	libra_engine_log_withdraw(&h->log, v.ticket, now_s);
	return false;
}

/* Find the nodes that a job may use.
 * Result: false if they cannot be found, or there are none.
 */
static bool find_nodes(const struct host_state *h,
		       const struct libra_host_job *seen,
		       struct libra_host_request *r, struct request_size *where,
		       struct libra_range **ranges)
{
	struct libra_host_reply reply = {0};
	int rc;

	*r = (struct libra_host_request){
		.nodes.list = seen->nodes.list,
		.nodes.exclude = seen->nodes.exclude,
		.nodes.constraint = seen->nodes.constraint,
		.size.min_nodes = seen->size.min_nodes,
		.size.max_nodes = seen->size.max_nodes,
	};
	rc = host_resources_nodes(&h->cluster, h->ops, r, where, ranges,
				  &reply);
	host_reply_fini(&reply);
	return rc == 0;
}

static bool fits(const struct host_state *h, const struct request_size *size)
{
	struct libra_host_reply reply = {0};
	bool good = size->nprocs > 0 &&
		    host_resources_fit(&h->cluster, size, &reply);

	host_reply_fini(&reply);
	return good;
}

static bool plan_one(struct host_state *h, const struct libra_host_job *seen,
		     double now_s)
{
	struct request_size size, at = {0};
	struct libra_range *ranges = NULL;
	struct libra_host_request r;
	struct libra_where where;
	struct libra_job job;
	bool planned = false;

	if (find_nodes(h, seen, &r, &at, &ranges)) {
		size = host_ordinary_size(h, seen, &at);
		if (seen->nodes.list)
			size.min_nodes = size.max_nodes = r.size.min_nodes;
		if (fits(h, &size)) {
			job = host_ordinary_job(h, seen, size.nprocs, now_s);
			host_set_where(&size, &job, &where);
			planned = restore_firm(h, &job, &size, now_s) ||
				  plan_firm(h, &job, &size, now_s);
		}
	}
	free(ranges);
	return planned;
}

/* Return true if it is time to ask Slurm for the oldest job, which costs the
 * number of Slurm's jobs.
 */
static bool may_ask(struct host_state *h, double age_s, double now_s)
{
	if (libra_guard_looks(&h->oldest.guard, age_s, now_s))
		return true;
	if (h->firm.fresh)
		h->oldest.guard.asked_s = now_s;
	return h->firm.fresh;
}

static void fail(struct host_state *h, const struct libra_host_job *seen,
		 double now_s)
{
	if (libra_guard_failed(&h->oldest.guard, seen->submit_s, seen->job_id,
			       now_s))
		host_log(h->ops, LIBRA_HOST_DEBUG,
			 "job %u has waited for longer than libra_firm_age, "
			 "and no plan is found for it now: others come first",
			 seen->job_id);
}

/* Reserve processors for the oldest job.
 * Result: true if the job of before a restart is to be tried again.
 */
static bool plan_oldest(struct host_state *h, double now_s)
{
	double age_s = firm_age_s(h);
	struct libra_host_job seen;

	if (!h->ops->oldest || !may_ask(h, age_s, now_s) ||
	    !h->ops->oldest(may_be_planned, h, now_s - age_s, &seen) ||
	    host_jobs_find(&h->jobs, seen.job_id, false))
		return false;
	if (!plan_one(h, &seen, now_s)) {
		fail(h, &seen, now_s);
		return h->oldest.guard.tried_id != 0;
	}
	libra_guard_reserved(&h->oldest.guard);
	h->oldest.submit_s = seen.submit_s;
	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u has waited for longer than libra_firm_age: it is "
		 "planned now",
		 seen.job_id);
	return false;
}

/* Return true if a job has not started for so long that it would keep its
 * processors from all others for ever.
 */
static bool is_stuck(const struct host_state *h, struct tracked_job *t,
		     double now_s)
{
	bool idle =
		t->may_start ||
		!isfinite(libra_engine_planned_start(h->log.engine, t->ticket));

	if (!idle)
		t->since.overdue_s = 0;
	else if (t->since.overdue_s == 0)
		t->since.overdue_s = now_s;
	return idle && now_s - t->since.overdue_s > STUCK_S;
}

static void give_up(struct host_state *h, struct tracked_job *t, double now_s)
{
	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u is not planned any more: %s for %g minutes", t->job_id,
		 t->may_start ? "Slurm has not started it where it could"
			      : "there have been too few nodes for it",
		 STUCK_S / 60);
	libra_guard_gave_up(&h->oldest.guard, h->oldest.submit_s, t->job_id,
			    now_s);
	host_jobs_withdraw(&h->jobs, t, NULL, now_s);
}

/* Write the reservation to the file, for a restart. */
static void note_firm(struct host_state *h)
{
	const struct tracked_job *t = find_firm(h);

	host_firm_set(&h->firm, h->ops, t ? t->job_id : 0,
		      t ? libra_engine_planned_start(h->log.engine, t->ticket)
			: 0);
}

void host_starvation_sync(struct host_state *h, double now_s)
{
	struct tracked_job *t = find_firm(h);
	bool again = false;

	if (t && is_stuck(h, t, now_s))
		give_up(h, t, now_s);
	else if (!t)
		again = plan_oldest(h, now_s) && h->firm.fresh;
	if (!again)
		note_firm(h);
}
