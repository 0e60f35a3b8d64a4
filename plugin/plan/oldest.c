/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * oldest.c - see oldest.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/host/ask.h"
#include "plugin/host/messages.h"
#include "plugin/host/ops.h"
#include "plugin/plan/needs.h"
#include "plugin/plan/oldest.h"
#include "plugin/plan/ordinary.h"
#include "plugin/plan/plan_log.h"

/* Whom no plan was found for is not looked at for so long. */
#define PASS_S 600.0
/* Nor whom Slurm has not started where it was planned, with all of it free for
 * so long: it asks for what the plan does not know.
 */
#define STUCK_S 120.0

uint32_t host_oldest_due(const struct host_state *h)
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

/* ---- who is passed over ---- */

static void pass_over(struct host_state *h, uint32_t job_id, double now_s)
{
	struct host_oldest *o = &h->oldest;
	uint32_t i = o->npassed++ % HOST_PASSED;

	o->passed[i].job_id = job_id;
	o->passed[i].until_s = now_s + PASS_S;
	o->asked_s = 0; /* the next one comes at once */
}

/* An instant that a clock set back has put far away is none. */
static bool is_passed(const struct host_state *h, uint32_t job_id, double now_s)
{
	const struct host_oldest *o = &h->oldest;

	for (uint32_t i = 0; i < HOST_PASSED; i++)
		if (o->passed[i].job_id == job_id &&
		    fabs(o->passed[i].until_s - now_s) <= PASS_S &&
		    now_s < o->passed[i].until_s)
			return true;
	return false;
}

static bool may_be_planned(const void *arg, uint32_t job_id,
			   const char *partition)
{
	const struct host_state *h = arg;

	return host_cluster_partition(&h->cluster, partition,
				      strlen(partition)) &&
	       !is_passed(h, job_id, h->oldest.asked_s);
}

/* ---- its plan ---- */

/* It has a ticket.  Result: false without memory. */
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

/* It had a plan before a restart: that one, unless its time is over. */
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

/* Where it may be.  Result: false if no plan can tell, or no node is such. */
static bool find_nodes(const struct host_state *h,
		       const struct libra_host_job *seen,
		       struct request_size *size, struct libra_range **ranges)
{
	struct libra_host_request r = {
		.nodelist = seen->nodelist,
		.exclude = seen->exclude,
		.constraint = seen->constraint,
		.min_nodes = size->min_nodes,
		.max_nodes = size->max_nodes,
	};
	struct libra_host_reply reply = {0};
	bool good = host_needs_nodes(&h->cluster, h->ops, &r, size, ranges,
				     &reply) == 0;

	size->min_nodes = r.min_nodes;
	size->max_nodes = r.max_nodes;
	good = good && host_needs_fit(&h->cluster, size, &reply);
	host_reply_fini(&reply);
	return good;
}

static bool plan_one(struct host_state *h, const struct libra_host_job *seen,
		     double now_s)
{
	struct request_size size = host_ordinary_size(h, seen);
	struct libra_range *ranges = NULL;
	struct libra_where where;
	struct libra_job job;
	bool planned = false;

	if (size.nprocs > 0 && find_nodes(h, seen, &size, &ranges)) {
		job = host_ordinary_job(seen, size.nprocs, now_s);
		host_set_where(&size, &job, &where);
		planned = restore_firm(h, &job, &size, now_s) ||
			  plan_firm(h, &job, &size, now_s);
	}
	free(ranges);
	return planned;
}

/* Asking Slurm for it costs the number of its jobs. */
static bool may_ask(struct host_state *h, double age_s, double now_s)
{
	double rest_s = fmin(fmax(1, age_s / 60), 60);

	if (!h->firm.fresh && fabs(now_s - h->oldest.asked_s) < rest_s)
		return false;
	h->oldest.asked_s = now_s;
	return true;
}

static void plan_oldest(struct host_state *h, double now_s)
{
	double age_s = firm_age_s(h);
	struct libra_host_job seen;

	if (!h->ops->oldest || !may_ask(h, age_s, now_s) ||
	    !h->ops->oldest(may_be_planned, h, now_s - age_s, &seen) ||
	    host_jobs_find(&h->jobs, seen.job_id, false))
		return;
	if (!plan_one(h, &seen, now_s)) {
		host_say(h->ops, LIBRA_HOST_DEBUG,
			 "job %u has waited for longer than libra_firm_age, "
			 "and no plan is found for it now: others come first "
			 "for %g minutes",
			 seen.job_id, PASS_S / 60);
		pass_over(h, seen.job_id, now_s);
		return;
	}
	h->oldest.asked_s = 0; /* the next comes at once behind it */
	host_say(h->ops, LIBRA_HOST_INFO,
		 "job %u has waited for longer than libra_firm_age: it is "
		 "planned now",
		 seen.job_id);
}

/* It keeps its place from all others, and would for ever. */
static bool is_stuck(struct tracked_job *t, double now_s)
{
	if (!t->may_start)
		return false;
	if (t->overdue_since_s == 0)
		t->overdue_since_s = now_s;
	return now_s - t->overdue_since_s > STUCK_S;
}

static void give_up(struct host_state *h, struct tracked_job *t, double now_s)
{
	host_say(h->ops, LIBRA_HOST_INFO,
		 "job %u is not planned any more: Slurm has not started it for "
		 "%g minutes where it could",
		 t->job_id, STUCK_S / 60);
	pass_over(h, t->job_id, now_s);
	host_jobs_withdraw(&h->jobs, t, now_s);
}

/* A restart shall find the plan. */
static void note_firm(struct host_state *h)
{
	const struct tracked_job *t = find_firm(h);

	host_firm_set(&h->firm, h->ops, t ? t->job_id : 0,
		      t ? libra_engine_planned_start(h->log.engine, t->ticket)
			: 0);
}

void host_oldest_sync(struct host_state *h, double now_s)
{
	struct tracked_job *t = find_firm(h);

	if (t && is_stuck(t, now_s))
		give_up(h, t, now_s);
	else if (!t)
		plan_oldest(h, now_s);
	note_firm(h);
}
