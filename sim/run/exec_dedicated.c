/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec_dedicated.c - jobs that have their processors for themselves: a job
 * runs, or stands still, as a whole.
 */
#include <math.h>

#include "sim/run/exec.h"

/* Run a job from now on, and expect its end. */
static int resume(struct sim_exec *x, uint32_t slot)
{
	struct sim_exec_job *job = &x->jobs[slot];

	job->since_s = x->now_s;
	job->runs = true;
	return evq_set(&x->ends, slot,
		       x->now_s + job->runtime_s - job->executed_s);
}

/* Stop a job, and count what it has executed. */
static void hold(struct sim_exec *x, uint32_t slot)
{
	struct sim_exec_job *job = &x->jobs[slot];

	if (job->runs)
		job->executed_s += x->now_s - job->since_s;
	job->runs = false;
	evq_drop(&x->ends, slot);
}

static double next_s(struct sim_exec *x)
{
	const struct evq_event *event = evq_top(&x->ends);

	return event ? event->at_s : INFINITY;
}

/* End the first job of the queue. */
static bool end(struct sim_exec *x, double until_s)
{
	uint32_t slot = evq_top(&x->ends)->id;
	uint64_t ticket = libra_engine_ticket(x->engine, slot);

	evq_drop(&x->ends, slot);
	libra_engine_departed(x->engine, ticket, x->now_s);
	x->ended(x->arg, slot);
	return true;
}

const struct sim_exec_type sim_exec_dedicated = {
	.start = resume,
	.resume = resume,
	.hold = hold,
	.next_s = next_s,
	.end = end,
};
