/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * need.h - the processor time that a job still needs, by its estimate.
 *
 * Pure arithmetic in seconds, for the gang, for share rows and for policies
 * that serve jobs in order of deadlines.  Nothing is allocated and nothing
 * fails.
 */
#ifndef LIBRA_NEED_H
#define LIBRA_NEED_H

#include <math.h>
#include <stdbool.h>

#include "core/job.h"

/* Time from the deadline until a job counts as late, so that rounding does not
 * hold a job that ends at its deadline.
 */
#define LIBRA_LATE_AFTER_S LIBRA_DEADLINE_TOLERANCE_S
/* Excess until a job counts as over its estimate, so that rounding does not
 * count a job that ends just then.
 */
#define LIBRA_OVERRUN_AFTER_S 1e-6
/* Largest negative slack that is attributed to rounding. */
#define LIBRA_SLACK_TOLERANCE_S 1e-6
/* Largest remaining work of a finished part that is attributed to rounding. */
#define LIBRA_WORK_TOLERANCE_S 1e-6

/* The over-estimate rule: once a job has exceeded its estimate, its need is
 * part x executed, and at least floor_s.
 */
struct libra_overrun {
	double part;
	double floor_s;
};

/* Return true if the deadline has passed, beyond rounding. */
static inline bool libra_is_late(double deadline_s, double now_s)
{
	return deadline_s + LIBRA_LATE_AFTER_S <= now_s;
}

/* Return true if a part with so much work left counts as done; NAN is done. */
static inline bool libra_is_done(double work_s)
{
	return !(work_s > LIBRA_WORK_TOLERANCE_S);
}

/* Return the remaining estimate, or, over the estimate, the need by the
 * over-estimate rule.
 */
static inline double libra_work_left(const struct libra_overrun *overrun,
				     double estimate_s, double executed_s)
{
	double need_s = estimate_s - executed_s;

	if (need_s < -LIBRA_OVERRUN_AFTER_S)
		need_s = fmax(overrun->floor_s, overrun->part * executed_s);
	/* No fmin() or fmax() here: they are calls, and this is frequent. */
	return need_s > 0 ? need_s : 0;
}

/* Return the need of a job that is not late: libra_work_left(), and at most the
 * time until its deadline.
 */
static inline double libra_need(const struct libra_overrun *overrun,
				double estimate_s, double executed_s,
				double deadline_s, double now_s)
{
	double need_s = libra_work_left(overrun, estimate_s, executed_s);
	double left_s = deadline_s - now_s;

	left_s = left_s > 0 ? left_s : 0;
	return need_s < left_s ? need_s : left_s;
}

#endif
