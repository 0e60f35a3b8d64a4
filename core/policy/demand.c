/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demand.c - each processor serves the earliest deadline first.
 *
 * A processor suits if, with the new job J, for every deadline d on it that is
 * not late,
 *
 *     sum of need(b) over its tasks with deadlines <= d that are not late
 *         <= d - now + 1e-6 s
 *
 * The suitable processors with most slack are taken, the slack being
 * the least of d - now - sum; ties by index.  need() is that of need.h.
 *
 * Promises hold for independent parts: a processor's tasks wait only for
 * earlier deadlines, and those were counted.
 *
 * The reserve of the machine is core/formula/reserve.h, where promised work is
 * the need of each task.  It is not used for a change.
 */
#include <math.h>
#include <stddef.h>

#include "core/formula/need.h"
#include "core/formula/reserve.h"
#include "core/policy/policies.h"
#include "core/share/ops.h"

/* The room of the machine's reserve: a processor is filled by itself. */
#define RESERVE_ROOM 1.5
#define RESERVE_UNIT 0.5

enum {
	PARAM_MACHINE_RESERVE,
	PARAM_OVERRUN,
	PARAM_FLOOR,
	PARAM_GUARANTEED_ONLY,
	NPARAMS,
};

static const struct libra_param params[NPARAMS] = {
	[PARAM_MACHINE_RESERVE] = LIBRA_PARAM_MACHINE_RESERVE,
	[PARAM_OVERRUN] = LIBRA_PARAM_OVERRUN,
	[PARAM_FLOOR] = LIBRA_PARAM_OVERRUN_FLOOR,
	[PARAM_GUARANTEED_ONLY] = LIBRA_PARAM_GUARANTEED_ONLY,
};

static const double cluster_params[NPARAMS] = {
	[PARAM_MACHINE_RESERVE] = 0,
	[PARAM_OVERRUN] = 0.1,
	[PARAM_FLOOR] = 1,
};

struct demand_state {
	struct libra_share_state share; /* first */
	struct libra_reserve machine;
};

static struct libra_reserve *machine(const struct libra_engine *e)
{
	return &((struct demand_state *)e->state)->machine;
}

static struct libra_overrun overrun_rule(const struct libra_engine *e)
{
	return (struct libra_overrun){libra_engine_param(e, PARAM_OVERRUN),
				      libra_engine_param(e, PARAM_FLOOR)};
}

static double task_need(const struct libra_overrun *rule,
			const struct libra_ledger_row *row,
			const struct libra_task *task, double now_s)
{
	double left_s = libra_row_est_left(row, task, now_s);

	return libra_need(rule, task->estimate_s, task->estimate_s - left_s,
			  task->deadline_s, now_s);
}

/* Collect the tasks of a row that count, with need and deadline; result: how
 * many.
 */
static uint32_t collect(const struct libra_engine *e,
			const struct libra_ledger_row *row,
			struct libra_forecast *outlook)
{
	struct libra_overrun rule = overrun_rule(e);
	uint32_t n = 0;

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];

		if (libra_is_late(task->deadline_s, e->now_s))
			continue;
		outlook[n].deadline_s = task->deadline_s;
		outlook[n++].est_left_s = task_need(&rule, row, task, e->now_s);
	}
	return n;
}

/* From so many tasks on, sort them: below, sums for each task cost less. */
#define MANY 64

/* Return the order of n tasks by deadline: key = deadline, row = index. */
static const struct libra_fit *sorted(const struct libra_engine *e, uint32_t n)
{
	const struct libra_share_state *s = libra_share_state(e);

	for (uint32_t i = 0; i < n; i++)
		s->order[i] = (struct libra_fit){s->outlook[i].deadline_s, i};
	libra_fit_heap(s->order, n);
	for (uint32_t left = n; left > 1; left--)
		libra_fit_pop(s->order, left);
	return s->order;
}

/* Return the slack of task k of n, which are served by deadline. */
static double slack_s(const struct libra_engine *e, uint32_t k, uint32_t n)
{
	const struct libra_forecast *outlook = libra_share_state(e)->outlook;
	double sum_s = 0;

	for (uint32_t i = 0; i < n; i++)
		if (outlook[i].deadline_s <= outlook[k].deadline_s)
			sum_s += outlook[i].est_left_s;
	return outlook[k].deadline_s - e->now_s - sum_s;
}

/* Return the least slack of n tasks with deadlines at from_s or later; or, at
 * once, one of any task that is too small.  The last task is tested first.
 */
static double least_slack_s(const struct libra_engine *e, uint32_t n,
			    double from_s)
{
	const struct libra_forecast *outlook = libra_share_state(e)->outlook;
	double least_s = INFINITY, sum_s = 0;
	const struct libra_fit *order;

	for (uint32_t k = n; k-- > 0;) {
		double its_s = slack_s(e, k, n);

		if (its_s < -LIBRA_SLACK_TOLERANCE_S)
			return its_s;
		if (its_s < least_s && outlook[k].deadline_s >= from_s)
			least_s = its_s;
		if (n >= MANY)
			break;
	}
	order = n >= MANY ? sorted(e, n) : NULL;
	for (uint32_t i = 0; order && i < n; i++) {
		double its_s;

		sum_s += outlook[order[i].row].est_left_s;
		if (i + 1 < n && order[i + 1].key == order[i].key)
			continue;
		its_s = order[i].key - e->now_s - sum_s;
		if (its_s < -LIBRA_SLACK_TOLERANCE_S)
			return its_s;
		if (its_s < least_s && order[i].key >= from_s)
			least_s = its_s;
	}
	return least_s;
}

/* *share is the key of the best fit: the slack. */
static bool suits(const struct libra_engine *e,
		  const struct libra_ledger_row *row,
		  const struct libra_job *job, double new_share, double *share)
{
	struct libra_forecast *outlook = libra_share_state(e)->outlook;
	struct libra_overrun rule = overrun_rule(e);
	uint32_t n;

	if (job->deadline_s <= e->now_s)
		return false;
	n = collect(e, row, outlook);
	outlook[n].deadline_s = job->deadline_s;
	outlook[n].est_left_s = libra_need(&rule, job->estimate_s, 0,
					   job->deadline_s, e->now_s);
	*share = least_slack_s(e, n + 1, -INFINITY);
	return *share >= -LIBRA_SLACK_TOLERANCE_S;
}

/* An earlier task with a second left changes the slack: no tie. */
static bool as_empty(const struct libra_engine *e,
		     const struct libra_ledger_row *row,
		     const struct libra_job *job)
{
	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];

		if (task->deadline_s <= job->deadline_s &&
		    task->deadline_s - e->now_s > 1 &&
		    libra_row_est_left(row, task, e->now_s) > 1)
			return false;
	}
	return true;
}

/* A task that may come before a job must have more than a second left. */
#define CLEAR_S 1.001

static double number(const struct libra_engine *e, const struct libra_job *job,
		     double new_share)
{
	return job->deadline_s;
}

/* A row with a task before the job is not as good as an empty one while that
 * task has its second left.  The limit is the deadline of the first such task.
 */
static struct libra_limit limit(const struct libra_division *division,
				const struct libra_ledger_row *row,
				double now_s)
{
	struct libra_limit limit = {INFINITY, INFINITY};

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];
		double until_s = task->deadline_s - CLEAR_S;
		double over_s = task->est_left_s - CLEAR_S;

		if (task->deadline_s >= limit.most)
			continue;
		over_s = task->rate > 0 ? over_s / task->rate
			 : over_s > 0	? INFINITY
					: 0;
		until_s = fmin(until_s, row->pub.since_s + over_s);
		if (until_s > now_s)
			limit = (struct libra_limit){task->deadline_s, until_s};
	}
	return limit;
}

/* Tasks with its deadline or a later one must have slack for each job. */
static double takes(const struct libra_engine *e,
		    const struct libra_ledger_row *row,
		    const struct libra_job *job)
{
	const struct libra_forecast *outlook = libra_share_state(e)->outlook;
	struct libra_overrun rule = overrun_rule(e);
	double need_s = libra_need(&rule, job->estimate_s, 0, job->deadline_s,
				   e->now_s);
	uint32_t n = collect(e, row, libra_share_state(e)->outlook);
	double own_s = job->deadline_s - e->now_s;
	double least_s = least_slack_s(e, n, job->deadline_s);

	if (least_s < -LIBRA_SLACK_TOLERANCE_S)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		if (outlook[i].deadline_s <= job->deadline_s)
			own_s -= outlook[i].est_left_s;
	return fmin(least_s, own_s) / need_s;
}

/* ---- the reserve of the machine ---- */

static struct libra_reserve_job reserve_job(const struct libra_engine *e,
					    const struct libra_job *job)
{
	struct libra_overrun rule = overrun_rule(e);

	return (struct libra_reserve_job){
		.nprocs = job->nprocs,
		.estimate_s = job->estimate_s,
		.need_s = libra_need(&rule, job->estimate_s, 0, job->deadline_s,
				     e->now_s),
		.submit_s = job->submit_s,
		.deadline_s = job->deadline_s,
	};
}

static struct libra_reserve_machine reserve_machine(
	const struct libra_engine *e)
{
	return (struct libra_reserve_machine){
		.nprocs = e->nprocs,
		.room = RESERVE_ROOM,
		.unit = RESERVE_UNIT,
		.residents = e->max_jobs == UINT32_MAX ? 0 : e->max_jobs,
	};
}

/* Return the needs of the tasks that are due by a deadline, on all their
 * processors.
 */
static double due_s(struct libra_engine *e, double deadline_s)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	struct libra_overrun rule = overrun_rule(e);
	double promised_s = 0;

	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		const struct libra_ledger_row *row = &ledger->rows[i];

		e->work += 1 + row->pub.ntasks;
		for (uint32_t k = 0; k < row->pub.ntasks; k++) {
			const struct libra_task *task = &row->tasks[k];

			if (task->deadline_s <= deadline_s &&
			    !libra_is_late(task->deadline_s, e->now_s))
				promised_s +=
					row->pub.nprocs *
					task_need(&rule, row, task, e->now_s);
		}
	}
	return promised_s;
}

static bool reserves(struct libra_engine *e, const struct libra_job *job)
{
	struct libra_reserve_job asks = reserve_job(e, job);
	struct libra_reserve_machine m = reserve_machine(e);

	return libra_engine_param(e, PARAM_MACHINE_RESERVE) &&
	       job->deadline_s > e->now_s &&
	       libra_reserve_may_refuse(machine(e), &m, &asks) &&
	       libra_reserve_refuses(machine(e), &m, &asks,
				     due_s(e, job->deadline_s), e->now_s);
}

static bool surely_admits(struct libra_engine *e, const struct libra_job *job,
			  uint32_t njobs)
{
	struct libra_reserve_job asks = reserve_job(e, job);
	struct libra_reserve_machine m = reserve_machine(e);

	return !libra_engine_param(e, PARAM_MACHINE_RESERVE) ||
	       libra_reserve_surely_admits(machine(e), &m, &asks, njobs,
					   due_s(e, job->deadline_s), e->now_s);
}

static void decided(struct libra_engine *e, const struct libra_job *job)
{
	struct libra_reserve_job asked = reserve_job(e, job);

	libra_reserve_learn(machine(e), &asked, e->now_s);
}

static const struct libra_share_traits traits = {
	.refusal = LIBRA_REASON_WOULD_MISS,
	.best_fit = true,
	.suits = suits,
	.takes = takes,
	.as_empty = as_empty,
	.number = number,
	.limit = limit,
	.reserves = reserves,
	.surely_admits = surely_admits,
	.decided = decided,
	.learned = offsetof(struct demand_state, machine),
	.learned_size = sizeof(struct libra_reserve),
};

const struct libra_policy_type libra_policy_demand = {
	.name = "demand",
	.summary = "earliest deadline first on each processor; accepts a job "
		   "where every deadline can be kept, most slack first",
	.source = "docs/beyond.md",
	.mode = LIBRA_SHARE,
	.needs_deadline = true,
	.ranked = true,
	.params = params,
	.nparams = NPARAMS,
	.cluster_params = cluster_params,
	.ops = &libra_share_ops,
	.traits = &traits,
	.state_size = sizeof(struct demand_state),
};
