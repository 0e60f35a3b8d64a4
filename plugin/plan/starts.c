/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starts.c - see starts.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugin/host/ask.h"
#include "plugin/host/ops.h"
#include "plugin/host/record.h"
#include "plugin/plan/needs.h"
#include "plugin/plan/plan_log.h"
#include "plugin/plan/starts.h"

void host_starts_sync(struct host_state *h)
{
	struct tracked_job *t;
	double start_s;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t)) {
		if (t->ordinary || t->state != TRACKED_COMMITTED)
			continue;
		start_s = libra_engine_planned_start(h->log.engine, t->ticket);
		if (!isfinite(start_s) || fabs(start_s - t->start_s) < 1.0)
			continue;
		t->start_s = start_s;
		host_jobs_set_stale(&h->jobs, t);
	}
}

void host_starts_go_on(struct host_state *h, const struct tracked_job *started)
{
	struct tracked_job *rest;

	if (!h->cluster.plans)
		return;
	rest = host_jobs_find_offer(&h->jobs, started->first);
	if (rest)
		host_jobs_set_stale(&h->jobs, rest);
}

/* What went, if that was just now. */
static void say_cause(const struct host_state *h, double now_s, char *text,
		      size_t size)
{
	if (h->lost_node < h->cluster.nnodes && fabs(now_s - h->lost_s) < 5.0)
		snprintf(text, size, "%s: %s", h->lost_how,
			 h->cluster.names[h->lost_node]);
	else
		snprintf(text, size, "a job before it ran over its limit");
}

void host_starts_late(struct host_state *h, struct tracked_job *t, double now_s)
{
	char cause[96];
	double start_s = libra_engine_planned_start(h->log.engine, t->ticket);

	if (t->ordinary)
		return;
	say_cause(h, now_s, cause, sizeof(cause));
	t->late = true;
	/* Never, as things are: later than if it started now. */
	if (!isfinite(start_s))
		start_s = now_s;
	t->late_s = fmax(1, start_s + t->job.estimate_s - t->job.deadline_s);
	host_jobs_set_stale_soon(&h->jobs, t);
	host_say(h->ops, LIBRA_HOST_INFO,
		 "job %u: promise broken: %s; it cannot end by its deadline, "
		 "and starts as soon as it can",
		 t->job_id, cause);
}

static void append(struct libra_host_placement *to,
		   const struct libra_host_placement *from)
{
	struct libra_host_part *more;
	size_t n = to->nparts + from->nparts;

	if (n > to->cap) {
		more = realloc(to->parts, n * sizeof(*more));
		if (!more)
			return;
		to->parts = more;
		to->cap = n;
	}
	for (size_t i = 0; i < from->nparts; i++)
		to->parts[to->nparts++] = from->parts[i];
}

void host_starts_kept(struct host_state *h, struct libra_host_placement *to)
{
	struct libra_host_placement one = {0};
	struct tracked_job *t;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t)) {
		if (t->state != TRACKED_COMMITTED || !t->may_start ||
		    host_placement_read(&h->log, &h->cluster, t->ticket, &one) <
			    0)
			continue;
		host_cluster_slurm_nodes(&h->cluster, &one);
		append(to, &one);
	}
	free(one.parts);
}

struct tracked_job *host_starts_restore(struct host_state *h,
					const struct libra_host_job *job,
					const struct libra_promise *p,
					uint32_t task, uint64_t first,
					double now_s)
{
	struct libra_error err = {0};
	struct tracked_job *t = NULL;
	struct libra_job again = {
		.id = job->job_id,
		.submit_s = p->submit_s,
		.estimate_s = p->estimate_s,
		.deadline_s = p->deadline_s,
		.budget = p->budget,
		.penalty_rate = p->penalty_rate,
		.nprocs = p->nprocs,
		.user = job->user,
	};
	struct request_size size = host_record_size(&h->cluster, p);
	struct libra_range *ranges;
	struct libra_where where;
	uint64_t ticket;

	host_needs_again(&h->cluster, h->ops, job, &size, &ranges);
	host_set_where(&size, &again, &where);
	if (libra_plan_log_restore_waiting(&h->log, &again,
					   libra_promise_start(p, task), now_s,
					   &ticket, &err) == 0) {
		t = host_jobs_add(&h->jobs, ticket, first);
		if (!t)
			libra_engine_log_withdraw(&h->log, ticket, now_s);
	}
	free(ranges);
	again.where = NULL;
	if (!t) {
		host_say(h->ops, LIBRA_HOST_ERROR,
			 "job %u: its record cannot be restored: %s",
			 job->job_id, *err.text ? err.text : "out of memory");
		return NULL;
	}
	t->job = again;
	t->user_estimate_s = p->user_estimate_s;
	t->size = host_record_size(&h->cluster, p);
	t->share = p->share;
	t->late_s = p->late_s;
	t->changed_s = p->changed_s;
	t->late = p->late_s > 0;
	t->start_s = libra_promise_start(p, task);
	if (isnan(t->start_s))
		t->start_s = 0;
	t->state = TRACKED_COMMITTED;
	t->stale = true;
	host_jobs_link(&h->jobs, t, job->job_id);
	return t;
}
