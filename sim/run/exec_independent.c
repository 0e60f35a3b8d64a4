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

/* Work that a task still has to do at an instant. */
static double work_left(const struct sim_exec *x, const struct libra_row *row,
			const struct libra_task *task, double now_s)
{
	double est_left_s =
		task->est_left_s - task->rate * (now_s - row->since_s);

	return x->jobs[task->slot].runtime_s - (task->estimate_s - est_left_s);
}

typedef double number __attribute__((vector_size(16)));
typedef int64_t bits __attribute__((vector_size(16)));

/* work_s / rate if that is sooner, chosen without a branch: which task of a row
 * is next cannot be predicted.
 */
static inline double sooner(double soonest_s, double work_s, double rate)
{
	number work = {work_s}, most = {soonest_s * rate};
	number end = {work_s / rate}, soonest = {soonest_s};
	bits take = work < most;

	return ((number)(((bits)end & take) | ((bits)soonest & ~take)))[0];
}

/* Compute when the next of the row's tasks ends. */
static int reshare(struct sim_exec *x, uint32_t index)
{
	const struct libra_row *row = libra_engine_row(x->engine, index);
	double soonest_s = INFINITY;

	for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];
		double work_s;

		if (!task->running || task->rate == 0)
			continue;
		work_s = x->jobs[task->slot].runtime_s -
			 (task->estimate_s - task->est_left_s);
		if (work_s <= LIBRA_WORK_TOLERANCE_S)
			soonest_s = 0; /* done at this event */
		else
			soonest_s = sooner(soonest_s, work_s, task->rate);
	}
	if (soonest_s == INFINITY) {
		evq_drop(&x->ends, index);
		return 0;
	}
	return evq_set(&x->ends, index, row->since_s + soonest_s);
}

static double next_s(struct sim_exec *x)
{
	const struct evq_event *event = evq_top(&x->ends);

	return event ? event->at_s : INFINITY;
}

/* All tasks of a row that are done now depart.  The event was for one of them:
 * it is done even if rounding left it an amount of work that takes no time.
 */
static void end(struct sim_exec *x)
{
	uint32_t index = evq_top(&x->ends)->id;
	const struct libra_row *row = libra_engine_row(x->engine, index);

	for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks;) {
		const struct libra_task *task = &row->tasks[k];
		double work_s = work_left(x, row, task, x->now_s);
		uint32_t slot = task->slot;
		int64_t left;

		if (!task->running ||
		    !sim_exec_done(work_s, task->rate, x->now_s)) {
			k++;
			continue;
		}
		left = libra_engine_part_departed(
			x->engine, libra_engine_ticket(x->engine, slot), index,
			x->now_s);
		if (left == 0)
			x->ended(x->arg, slot);
	}
}

const struct sim_exec_type sim_exec_independent = {
	.reshare = reshare,
	.next_s = next_s,
	.end = end,
};
