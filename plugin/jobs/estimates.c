/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimates.c - see estimates.h.
 */
#include <math.h>

#include "plugin/jobs/estimates.h"

double host_estimate(const struct host_history *history, uint32_t user,
		     double user_estimate_s)
{
	return history->history ? libra_history_correct(history->history, user,
							user_estimate_s, 0)
				: user_estimate_s;
}

double host_executed_s(const struct host_jobs *jobs,
		       const struct tracked_job *t, double now_s)
{
	if (t->suspended)
		return t->executed_s;
	return fmax(0, t->job.estimate_s -
			       libra_engine_left_s(jobs->log->engine, t->ticket,
						   now_s, NULL));
}

void host_estimates_learn(struct host_history *history,
			  const struct host_jobs *jobs,
			  const struct tracked_job *t, double now_s)
{
	const struct libra_host_ops *ops = jobs->ops;
	double run_s;

	if (!history->history || t->ordinary || !ops->ended_by_itself ||
	    !ops->ended_by_itself(t->job_id))
		return;
	run_s = host_executed_s(jobs, t, now_s);
	if (libra_history_add(history->history, t->job.user, run_s,
			      t->user_estimate_s) == 0)
		history->changed = true;
}

void host_estimates_extend(const struct host_history *history,
			   struct host_jobs *jobs, double now_s)
{
	double run_s, estimate_s;

	if (!history->history)
		return;
	for (struct tracked_job *t = host_jobs_next(jobs, NULL); t;
	     t = host_jobs_next(jobs, t)) {
		if (t->state != TRACKED_RUNNING ||
		    t->user_estimate_s <= t->job.estimate_s)
			continue;
		run_s = host_executed_s(jobs, t, now_s);
		if (run_s < t->job.estimate_s)
			continue;
		estimate_s =
			libra_history_correct(history->history, t->job.user,
					      t->user_estimate_s, run_s);
		if (libra_engine_log_reestimate(jobs->log, t->ticket,
						estimate_s, now_s) < 0)
			continue;
		t->job.estimate_s = estimate_s;
		host_jobs_set_stale(jobs, t);
	}
}
