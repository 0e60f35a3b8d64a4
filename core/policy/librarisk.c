/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * librarisk.c - LibraRisk: a processor suits if the deadline delays of
 * its tasks, the new one included, do not differ (ICPP 2006, section 3.3);
 * the first ones in index order.
 *
 * One delayed task alone has no deviation: an empty processor always suits.
 * That is how over-estimated jobs get in, and the heart of the paper.
 */
#include <math.h>

#include "core/formula/share.h"
#include "core/policy/policies.h"
#include "core/share/ops.h"

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

static bool suits(const struct libra_engine *e,
		  const struct libra_ledger_row *row,
		  const struct libra_job *job, double new_share, double *share)
{
	struct libra_outlook *outlook = libra_share_state(e)->outlook;
	uint32_t n = row->pub.ntasks;
	double now_s = e->now_s;
	bool answer;

	if (n == 0)
		return true;
	if (job->deadline_s <= now_s)
		return false;
	if (answer_by_bounds(row, job, new_share, now_s, &answer))
		return answer;
	*share = new_share;
	for (uint32_t k = 0; k < n; k++) {
		const struct libra_task *task = &row->tasks[k];

		if (task->deadline_s <= now_s)
			return false;
		outlook[k].est_left_s = libra_row_est_left(row, task, now_s);
		outlook[k].initial_share = task->initial_share;
		outlook[k].deadline_s = task->deadline_s;
		*share +=
			libra_share(outlook[k].est_left_s, task->initial_share,
				    task->deadline_s, now_s);
	}
	/* In time together, each is in time: no delay, no risk. */
	if (*share <= 1 + LIBRA_SHARE_TOLERANCE)
		return true;
	outlook[n].est_left_s = job->estimate_s;
	outlook[n].initial_share = new_share;
	outlook[n].deadline_s = job->deadline_s;
	return libra_risk_free(outlook, n + 1, now_s, *share);
}

static double room(const struct libra_engine *e,
		   const struct libra_ledger_row *row)
{
	double share;
	bool late;

	if (row->pub.ntasks == 0)
		return INFINITY;
	share = libra_row_share(row, e->now_s, &late);
	return late ? -1 : 1 - share;
}

static const struct libra_share_traits traits = {
	.refusal = LIBRA_REASON_RISK,
	.suits = suits,
	.room = room,
};

const struct libra_policy_type libra_policy_librarisk = {
	.name = "librarisk",
	.summary = "as libra, but accepts a job where no task risks a delay "
		   "unlike the others', first processors first",
	.source = "ICPP 2006, section 3.3",
	.mode = LIBRA_SHARE,
	.needs_deadline = true,
	.ops = &libra_share_ops,
	.traits = &traits,
	.state_size = sizeof(struct libra_share_state),
};
