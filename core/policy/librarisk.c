/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * librarisk.c - LibraRisk: a processor suits if the deadline delays of
 * its tasks, the new one included, do not differ (ICPP 2006, section 3.3);
 * the first ones in index order.
 *
 * One delayed task alone has no deviation: an empty processor always suits.
 * That is how over-estimated jobs get in, and the heart of the paper.
 *
 * By the paper's rule tasks that are late by equal parts carry no risk either,
 * as those of equal deadlines are.  Users have little else (an array, "now + 1
 * hour"), and processors in index order: such jobs would pile up on the first
 * one.  Without equal_delays a job that is expected late has its processor for
 * itself, and all others are in time by their estimates: a processor suits if
 * it is empty, or if the shares sum to 1 at the most.
 */
#include <math.h>

#include "core/formula/share.h"
#include "core/policy/policies.h"
#include "core/share/ops.h"

enum { PARAM_EQUAL_DELAYS, PARAM_LATE_YIELDS };

static const struct libra_param params[] = {
	[PARAM_EQUAL_DELAYS] =
		{
			.name = "equal_delays",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "jobs late by equal parts may share a "
				"processor; no: a job that is expected late "
				"has its processors for itself",
		},
	[PARAM_LATE_YIELDS] = LIBRA_PARAM_LATE_YIELDS,
};

static const double cluster_params[] = {
	[PARAM_EQUAL_DELAYS] = 0,
	[PARAM_LATE_YIELDS] = 1,
};

/* Answer without looking at the tasks, if the row's bounds can tell.
 *
 * If the shares sum to low > 1 at least, there is risk if low x the longest
 * remaining time exceeds all work (see delays_differ in risk.c).
 */
static bool answer_by_bounds(const struct libra_ledger_row *row,
			     const struct libra_job *job, double new_share,
			     double now_s, bool *suits)
{
	double low, high, work_s, longest_s;

	if (!libra_row_bounds(row, now_s, &low, &high))
		return false;
	*suits = high + new_share <= 1;
	if (*suits)
		return true;
	low += new_share;
	work_s = row->work_s - (now_s - row->pub.since_s) + job->estimate_s;
	longest_s =
		row->last_s > job->deadline_s ? row->last_s : job->deadline_s;
	longest_s -= now_s;
	return low > 1 + LIBRA_BOUNDS_MARGIN &&
	       low * longest_s > (1 + LIBRA_BOUNDS_MARGIN) * work_s;
}

/* The tasks of a row that count, for the projection.
 * Result: their number; *nlate are past their deadlines, of which none counts
 *         where the late yield.
 */
static uint32_t collect(const struct libra_engine *e,
			const struct libra_ledger_row *row, double *share,
			uint32_t *nlate)
{
	const struct libra_share_state *s = libra_share_state(e);
	double now_s = e->now_s;
	uint32_t n = 0;

	*nlate = 0;
	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];
		struct libra_outlook *outlook = &s->outlook[n];

		if (task->deadline_s <= now_s) {
			++*nlate;
			if (s->ledger.division.late_yields)
				continue;
		}
		outlook->est_left_s = libra_row_est_left(row, task, now_s);
		outlook->initial_share = task->initial_share;
		outlook->deadline_s = task->deadline_s;
		*share += libra_share(outlook->est_left_s, task->initial_share,
				      task->deadline_s, now_s);
		n++;
	}
	return n;
}

static bool suits(const struct libra_engine *e,
		  const struct libra_ledger_row *row,
		  const struct libra_job *job, double new_share, double *share)
{
	const struct libra_share_state *s = libra_share_state(e);
	struct libra_outlook *outlook = s->outlook;
	bool answer, equal_delays = libra_engine_param(e, PARAM_EQUAL_DELAYS);
	uint32_t n, nlate;

	if (row->pub.ntasks == 0)
		return true;
	if (job->deadline_s <= e->now_s)
		return false;
	if (answer_by_bounds(row, job, new_share, e->now_s, &answer))
		return answer;
	*share = new_share;
	n = collect(e, row, share, &nlate);
	libra_row_know(&s->ledger.rows[row - s->ledger.rows], e->now_s,
		       *share - new_share);
	if (n == 0) /* the late leave all of it */
		return true;
	if (nlate > 0 && !s->ledger.division.late_yields)
		return false;
	/* In time together, each is in time: no delay, no risk. */
	if (*share <= 1 + LIBRA_SHARE_TOLERANCE)
		return true;
	if (!equal_delays)
		return false;
	outlook[n].est_left_s = job->estimate_s;
	outlook[n].initial_share = new_share;
	outlook[n].deadline_s = job->deadline_s;
	return libra_risk_free(outlook, n + 1, e->now_s, *share);
}

/* Where the shares sum to more than 1, the projection tells. */
static double late_s(const struct libra_engine *e,
		     const struct libra_ledger_row *row,
		     const struct libra_job *job, double new_share)
{
	struct libra_outlook *outlook = libra_share_state(e)->outlook;
	double share = new_share, late_s = 0;
	uint32_t nlate, n;

	if (row->pub.ntasks == 0 || !libra_engine_param(e, PARAM_EQUAL_DELAYS))
		return 0; /* as alone */
	n = collect(e, row, &share, &nlate);
	if (share <= 1 + LIBRA_SHARE_TOLERANCE)
		return 0;
	outlook[n].est_left_s = job->estimate_s;
	outlook[n].initial_share = new_share;
	outlook[n].deadline_s = job->deadline_s;
	libra_project(outlook, n + 1, e->now_s);
	/* The projection has put them into another order. */
	for (uint32_t k = 0; k <= n; k++)
		if (outlook[k].deadline_s == job->deadline_s &&
		    outlook[k].est_left_s == job->estimate_s)
			late_s = fmax(late_s, libra_delay_s(outlook[k].finish_s,
							    job->deadline_s));
	return late_s;
}

static double room(const struct libra_engine *e,
		   const struct libra_ledger_row *row)
{
	const struct libra_division *division =
		&libra_share_state(e)->ledger.division;
	struct libra_row_sum sum = libra_row_share(row, division, e->now_s);

	if (sum.nlate > 0 && !division->late_yields)
		return -1;
	return sum.nlate == row->pub.ntasks ? INFINITY : 1 - sum.share;
}

static int init(struct libra_engine *e)
{
	libra_share_state(e)->ledger.division.late_yields =
		libra_engine_param(e, PARAM_LATE_YIELDS) != 0;
	return 0;
}

static const struct libra_share_traits traits = {
	.refusal = LIBRA_REASON_RISK,
	.suits = suits,
	.room = room,
	.late_s = late_s,
	.init = init,
};

const struct libra_policy_type libra_policy_librarisk = {
	.name = "librarisk",
	.summary = "as libra, but accepts a job where no task risks a delay "
		   "unlike the others', first processors first",
	.source = "ICPP 2006, section 3.3",
	.mode = LIBRA_SHARE,
	.needs_deadline = true,
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cluster_params = cluster_params,
	.ops = &libra_share_ops,
	.traits = &traits,
	.state_size = sizeof(struct libra_share_state),
};
