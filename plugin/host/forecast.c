/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.c - see forecast.h.
 */
#include <math.h>

#include "plugin/host/forecast.h"
#include "plugin/host/clock.h"
#include "plugin/host/actions.h"

static double starts_s(const struct host_state *h, const struct tracked_job *t,
		       double now_s)
{
	double start_s;

	if (t->may_start)
		return now_s;
	start_s = h->cluster.plans
			  ? libra_engine_planned_start(h->log.engine, t->ticket)
			  : libra_engine_starts_by(h->log.engine, t->ticket);
	return fmax(now_s, start_s); /* now if start_s is NAN */
}

double host_starts_s(struct host_state *h, uint32_t job_id)
{
	double now_s = host_now(h), first_s = INFINITY;
	const struct tracked_job *t;

	host_sync_actions(h, now_s);
	t = host_jobs_find(&h->jobs, job_id, false);
	if (!t || t->ordinary)
		return NAN;
	for (; t; t = host_jobs_next_waiting(&h->jobs, t))
		first_s = fmin(first_s, starts_s(h, t, now_s));
	return first_s;
}

double host_ends_s(struct host_state *h, uint32_t job_id)
{
	const struct tracked_job *t = host_jobs_find(&h->jobs, job_id, true);
	double now_s = host_now(h), left_s, ends_s, rate;

	if (!t || t->ordinary)
		return NAN;
	host_sync_actions(h, now_s);
	ends_s = libra_engine_ends_by(h->log.engine, t->ticket);
	if (!isnan(ends_s))
		return fmax(now_s, ends_s);
	left_s = libra_engine_left_s(h->log.engine, t->ticket, now_s, &rate);
	if (!(left_s > 0))
		return now_s;
	return now_s + (rate > 0 ? left_s / rate : left_s);
}

double host_last_end_s(struct host_state *h)
{
	double now_s = host_now(h), last_s = now_s;
	const struct tracked_job *t;

	host_sync_actions(h, now_s);
	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t))
		if (t->state == TRACKED_COMMITTED && !t->ordinary)
			last_s = fmax(last_s, starts_s(h, t, now_s) +
						      t->job.estimate_s);
	return last_s;
}

void host_forget(struct host_state *h, uint32_t job_id)
{
	double now_s = host_now(h);
	struct tracked_job *t;

	for (t = host_jobs_find(&h->jobs, job_id, false); t;
	     t = host_jobs_find(&h->jobs, job_id, false))
		host_jobs_withdraw(&h->jobs, t, "cancelled", now_s);
	host_sync_actions(h, now_s);
}
