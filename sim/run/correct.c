/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * correct.c - longer predictions for jobs that run on.
 *
 * Jobs with processors of their own are found by the end of their predictions,
 * in the queue predict.over.  For shared processors only the engine knows the
 * progress, so all slots are visited.
 */
#include "sim/base/memory.h"
#include "sim/run/events.h"

/* Return true if a prediction is over by more than after_s: see events.h. */
static bool is_over(double over_s, double after_s)
{
	return over_s > after_s || (after_s == 0 && over_s == 0);
}

/* Jobs with processors of their own: when they are over is known. */
static int correct_due(struct sim_run *r, double after_s)
{
	struct evq *over = &r->predict.over;
	const struct evq_event *due;
	int n = 0;

	while ((due = evq_top(over)) &&
	       is_over(r->exec.now_s - due->at_s, after_s)) {
		uint32_t slot = due->id, index = r->job_of[slot];
		uint64_t ticket = libra_engine_ticket(r->engine, slot);
		const struct sim_job *job = &r->w->jobs[index];
		const struct sim_outcome *outcome = &r->outcomes[index];
		double executed_s =
			libra_engine_job(r->engine, ticket)->estimate_s -
			(due->at_s - r->exec.now_s);
		double next_s = sim_predict_next(
			&r->predict, job, outcome->estimate_s, executed_s);

		libra_engine_reestimate(r->engine, ticket, next_s,
					r->exec.now_s);
		evq_drop(over, slot);
		if (sim_predict_started(&r->predict, slot, job, next_s,
					outcome->start_s) < 0)
			return -1;
		n++;
	}
	return n;
}

/* Jobs whose progress only the engine knows: all are looked at. */
static int correct_all(struct sim_run *r, double after_s)
{
	uint32_t nslots = libra_engine_nslots(r->engine);
	double *left_s = sim_grown(r->predict.left_s, &r->predict.left_cap,
				   (size_t)nslots + 1, sizeof(*left_s));
	int n = 0;

	if (!left_s)
		return -1;
	r->predict.left_s = left_s;
	libra_engine_all_left(r->engine, r->exec.now_s, left_s);
	for (uint32_t slot = 0; slot < nslots; slot++) {
		uint64_t ticket = libra_engine_ticket(r->engine, slot);
		const struct sim_job *job;
		double estimate_s, next_s;
		uint32_t index;

		/* NAN: none that runs. */
		if (!is_over(-left_s[slot], after_s))
			continue;
		index = r->job_of[slot];
		job = &r->w->jobs[index];
		estimate_s = libra_engine_job(r->engine, ticket)->estimate_s;
		if (estimate_s >= job->job.estimate_s)
			continue;
		next_s = sim_predict_next(&r->predict, job,
					  r->outcomes[index].estimate_s,
					  estimate_s - left_s[slot]);
		/* Policies that agreed on a share keep to it. */
		n += libra_engine_reestimate(r->engine, ticket, next_s,
					     r->exec.now_s) == 0;
	}
	return n;
}

int sim_run_correct(struct sim_run *r, double after_s)
{
	if (r->predict.predictor == SIM_PREDICT_REQUESTED)
		return 0;
	return r->mode == LIBRA_SPACE ? correct_due(r, after_s)
				      : correct_all(r, after_s);
}
