/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec_independent.c - independent parts (the papers' model).
 *
 * Every processor divides its time by the rates of the engine's ledger, and a
 * task is finished when it has executed its hidden run time.  So the ledger's
 * progress is the true progress, and only the instant of the end is hidden.
 */
#include <math.h>

#include "sim/run/exec.h"

/* The instant at which a task of a row ends; INFINITY if it does not run. */
static inline double end_s(const struct sim_exec *x,
			   const struct libra_row *row,
			   const struct libra_task *task)
{
	double executed_s = task->estimate_s - task->est_left_s;

	if (!task->running)
		return INFINITY;
	return sim_exec_end_s(row->since_s,
			      x->jobs[task->slot].runtime_s - executed_s,
			      task->rate);
}

/* Compute when the next of the row's tasks ends. */
static int reshare(struct sim_exec *x, uint32_t index)
{
	const struct libra_row *row = libra_engine_row(x->engine, index);
	double next_s = INFINITY;

	for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks; k++) {
		double at_s = end_s(x, row, &row->tasks[k]);

		next_s = at_s < next_s ? at_s : next_s;
	}
	if (next_s == INFINITY) {
		evq_drop(&x->ends, index);
		return 0;
	}
	return evq_set(&x->ends, index, next_s);
}

static double next_s(struct sim_exec *x)
{
	const struct evq_event *event = evq_top(&x->ends);

	return event ? event->at_s : INFINITY;
}

/* All tasks of the next row that end until then depart. */
static bool end(struct sim_exec *x, double until_s)
{
	uint32_t index = evq_top(&x->ends)->id;
	const struct libra_row *row = libra_engine_row(x->engine, index);
	bool ended = false;

	for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks;) {
		uint32_t slot = row->tasks[k].slot;
		int64_t left;

		if (end_s(x, row, &row->tasks[k]) > until_s) {
			k++;
			continue;
		}
		left = libra_engine_part_departed(
			x->engine, libra_engine_ticket(x->engine, slot), index,
			x->now_s);
		if (left == 0)
			x->ended(x->arg, slot);
		ended = true;
	}
	return ended;
}

const struct sim_exec_type sim_exec_independent = {
	.reshare = reshare,
	.next_s = next_s,
	.end = end,
};
