/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * librarisk.c - LibraRisk: a processor suits if the deadline delays of its
 * tasks, the new one included, do not differ (ICPP 2006, section 3.3); the
 * first ones in index order.
 *
 * A single delayed task has no deviation: an empty processor always suits.
 * That is how jobs with too long estimates are accepted, the main idea of the
 * paper.
 *
 * By the paper's rule tasks that are late by equal ratios have no risk either,
 * such as tasks with equal deadlines.  Users submit mostly those (an array,
 * "now + 1 hour"), and in index order such jobs would all go to the first
 * processors.  Without equal_delays a job that is expected late has its
 * processor to itself, and all others are in time by their estimates: a
 * processor suits if it is empty, or if the shares sum to at most 1.
 */
#include <math.h>

#include "core/formula/need.h"
#include "core/formula/share.h"
#include "core/policy/policies.h"
#include "core/share/ops.h"

enum { PARAM_EQUAL_DELAYS, PARAM_LATE_YIELDS, PARAM_GUARANTEED_ONLY };

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
	[PARAM_GUARANTEED_ONLY] = LIBRA_PARAM_GUARANTEED_ONLY,
};

static const double cluster_params[] = {
	[PARAM_EQUAL_DELAYS] = 0,
	[PARAM_LATE_YIELDS] = 1,
	[PARAM_GUARANTEED_ONLY] = 0,
};

/* Decide without visiting the tasks, if the bounds on the sum of their shares
 * suffice.
 *
 * If the shares sum to at least low > 1, there is risk if low x the longest
 * remaining time exceeds all work (see delays_differ in risk.c).
 */
static bool answer_by_bounds(const struct libra_ledger_row *row,
			     const struct libra_job *job, double low,
			     double high, double now_s, bool *suits)
{
	double work_s, longest_s;

	*suits = high <= 1;
	if (*suits)
		return true;
	if (low <= 1 + LIBRA_BOUNDS_MARGIN)
		return false;
	work_s = row->work_s - (now_s - row->pub.since_s) + job->estimate_s;
	longest_s =
		row->last_s > job->deadline_s ? row->last_s : job->deadline_s;
	longest_s -= now_s;
	return low * longest_s > (1 + LIBRA_BOUNDS_MARGIN) * work_s;
}

/* If the sum of shares exceeds the work by the longest remaining time by this
 * much, delays certainly differ for any new job with a share of at most LARGE
 * (see delays_differ in risk.c).
 */
#define APART 1e-3
#define LARGE 1e6
/* A limit is valid until a share has fallen by this much: until then it is only
 * a little too high, and is not computed again.
 */
#define FALLS 0.003

static double number(const struct libra_engine *e, const struct libra_job *job,
		     double new_share)
{
	/* The share counts from now on; otherwise unknown. */
	return job->submit_s == e->now_s && new_share <= LARGE ? new_share
							       : -INFINITY;
}

/* A late task excludes all other jobs until an event.  Otherwise the limit is
 * unknown until a task becomes late.
 */
static struct libra_limit unsteady_limit(const struct libra_division *division,
					 const struct libra_ledger_row *row,
					 double now_s)
{
	struct libra_limit limit = {INFINITY, INFINITY};

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		double deadline_s = row->tasks[k].deadline_s;

		if (deadline_s > now_s)
			limit.until_s = fmin(limit.until_s, deadline_s);
		else if (!division->late_yields)
			return (struct libra_limit){-INFINITY, INFINITY};
	}
	return limit;
}

/* Return the sum of shares of a steady row at an instant. */
static double sum_at(const struct libra_ledger_row *row, double at_s)
{
	double sum = 0;

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];

		sum += libra_row_est_left(row, task, at_s) /
		       (task->deadline_s - at_s);
	}
	return sum;
}

/* Return the instant at which the first share of a steady row has fallen by
 * FALLS.
 */
static double fallen_s(const struct libra_ledger_row *row, double now_s)
{
	double first_s = INFINITY;

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];
		double remaining_s = task->deadline_s - now_s;
		double share =
			libra_row_est_left(row, task, now_s) / remaining_s;
		double after_s =
			FALLS * remaining_s / (task->rate - share + FALLS);

		if (task->rate > share && after_s < first_s)
			first_s = after_s;
	}
	return now_s + first_s;
}

/* Return the greatest work of a steady row by its longest remaining time: the
 * quotient only rises, or only falls, so it is highest at one of two instants.
 */
static double work_by_longest(const struct libra_ledger_row *row, double at_s)
{
	return (row->work_s - (at_s - row->pub.since_s)) / (row->last_s - at_s);
}

/* As long as no task is late or over its estimate, a sum of shares up to 1 only
 * falls, and one above 1 only rises (see libra_row_bounds).  A new job that
 * brings the least sum above 1 is a risk, unless all delays are equal.
 */
static struct libra_limit limit(const struct libra_division *division,
				const struct libra_ledger_row *row,
				double now_s)
{
	double least_s = row->first_s - row->pub.since_s, sum, work;
	double over_s = row->pub.since_s - LIBRA_OVERRUN_AFTER_S +
			(row->share < 1 ? row->share * least_s : least_s);
	struct libra_limit limit = {INFINITY, over_s};

	if (!row->steady || over_s <= now_s)
		return unsteady_limit(division, row, now_s);
	sum = sum_at(row, now_s);
	if (row->share <= 1) {
		double until_s = fallen_s(row, now_s);

		limit.until_s = until_s < over_s ? until_s : over_s;
		sum = sum_at(row, limit.until_s);
	}
	work = fmax(work_by_longest(row, now_s),
		    work_by_longest(row, limit.until_s));
	if (sum - work > APART)
		limit.most = 1 - sum + LIBRA_BOUNDS_MARGIN;
	return limit;
}

/* Collect the tasks of a row that count, for the projection.
 * Result: their number; *nlate are past their deadlines, of which none counts
 *         with late_yields.
 */
static inline uint32_t collect(const struct libra_engine *e,
			       const struct libra_ledger_row *row,
			       double *share, uint32_t *nlate)
{
	const struct libra_share_state *s = libra_share_state(e);
	bool late_yields = s->ledger.division.late_yields;
	struct libra_forecast *outlook = s->outlook;
	double now_s = e->now_s, sum = *share;
	uint32_t late = 0;

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];

		if (task->deadline_s <= now_s) {
			late++;
			if (late_yields)
				continue;
		}
		outlook->est_left_s = libra_row_est_left(row, task, now_s);
		outlook->initial_share = task->initial_share;
		outlook->deadline_s = task->deadline_s;
		sum += libra_share(outlook->est_left_s, task->initial_share,
				   task->deadline_s, now_s);
		outlook++;
	}
	*share = sum;
	*nlate = late;
	return (uint32_t)(outlook - s->outlook);
}

static bool suits(const struct libra_engine *e,
		  const struct libra_ledger_row *row,
		  const struct libra_job *job, double new_share, double *share)
{
	const struct libra_share_state *s = libra_share_state(e);
	struct libra_forecast *outlook = s->outlook;
	bool answer, bounded;
	double low, high;
	uint32_t n, nlate;

	if (row->pub.ntasks == 0)
		return true;
	if (job->deadline_s <= e->now_s)
		return false;
	bounded = libra_row_bounds(row, e->now_s, &low, &high);
	if (bounded && answer_by_bounds(row, job, low + new_share,
					high + new_share, e->now_s, &answer))
		return answer;
	*share = new_share;
	n = collect(e, row, share, &nlate);
	if (bounded)
		libra_row_know(&s->ledger.rows[row - s->ledger.rows], e->now_s,
			       *share - new_share);
	if (n == 0) /* the late tasks leave the whole processor */
		return true;
	if (nlate > 0 && !s->ledger.division.late_yields)
		return false;
	/* If the shares sum to at most 1, each task is in time: no delay, no
	 * risk.
	 */
	if (*share <= 1 + LIBRA_SHARE_TOLERANCE)
		return true;
	if (!libra_engine_param(e, PARAM_EQUAL_DELAYS))
		return false;
	outlook[n].est_left_s = job->estimate_s;
	outlook[n].initial_share = new_share;
	outlook[n].deadline_s = job->deadline_s;
	return libra_risk_free(outlook, n + 1, e->now_s, *share);
}

/* If the shares sum to more than 1, use the projection. */
static double late_s(const struct libra_engine *e,
		     const struct libra_ledger_row *row,
		     const struct libra_job *job, double new_share)
{
	struct libra_forecast *outlook = libra_share_state(e)->outlook;
	double share = new_share, late_s = 0, low, high;
	uint32_t nlate, n;

	if (row->pub.ntasks == 0 || !libra_engine_param(e, PARAM_EQUAL_DELAYS))
		return 0; /* as alone */
	if (libra_row_bounds(row, e->now_s, &low, &high) &&
	    high + new_share <= 1)
		return 0;
	n = collect(e, row, &share, &nlate);
	if (share <= 1 + LIBRA_SHARE_TOLERANCE)
		return 0;
	outlook[n].est_left_s = job->estimate_s;
	outlook[n].initial_share = new_share;
	outlook[n].deadline_s = job->deadline_s;
	libra_project(outlook, n + 1, e->now_s);
	/* The projection has changed their order. */
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
	.number = number,
	.limit = limit,
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
