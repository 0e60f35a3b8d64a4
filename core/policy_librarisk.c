/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy_librarisk.c - LibraRisk: a processor suits if the deadline delays of
 * its tasks, the new one included, do not differ (ICPP 2006, section 3.3);
 * the first ones in index order.
 *
 * One delayed task alone has no deviation: an empty processor always suits.
 * That is how over-estimated jobs get in, and the heart of the paper.
 */
#include <math.h>

#include "core/policies.h"
#include "core/share.h"
#include "core/share_ops.h"

/* The literal test: project all tasks and compare their delays. */
static bool no_risk(const struct libra_engine *e, const struct libra_row *row,
		    const struct libra_job *job, double new_share)
{
	struct libra_outlook *outlook = libra_share_state(e)->outlook;
	uint32_t n = row->pub.ntasks;

	for (uint32_t k = 0; k < n; k++) {
		const struct libra_task *task = &row->tasks[k];

		outlook[k].est_left_s = libra_row_est_left(row, task, e->now_s);
		outlook[k].initial_share = task->initial_share;
		outlook[k].deadline_s = task->deadline_s;
	}
	outlook[n].est_left_s = job->estimate_s;
	outlook[n].initial_share = new_share;
	outlook[n].deadline_s = job->deadline_s;
	return libra_risk_free(outlook, n + 1, e->now_s);
}

static bool suits(const struct libra_engine *e, const struct libra_row *row,
		  const struct libra_job *job, double new_share, double *share)
{
	bool late;

	if (row->pub.ntasks == 0)
		return true;
	*share = new_share + libra_row_share(row, e->now_s, &late);
	if (late || job->deadline_s <= e->now_s)
		return false;
	/* In time together, each is in time: no delay, no risk. */
	if (*share <= 1 + LIBRA_SHARE_TOLERANCE)
		return true;
	return no_risk(e, row, job, new_share);
}

static double room(const struct libra_engine *e, const struct libra_row *row)
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
	.summary = "as libra, but accepts where no task risks a delay unlike "
		   "the others'",
	.source = "ICPP 2006, section 3.3",
	.mode = LIBRA_SHARE,
	.needs_deadline = true,
	.ops = &libra_share_ops,
	.traits = &traits,
	.state_size = sizeof(struct libra_share_state),
};
