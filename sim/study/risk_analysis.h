/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * risk_analysis.h - how well a policy meets objectives, and how reliably (IPDPS
 * 2007, section 4).
 *
 * A scenario is a series of runs that differ in one setting.  Separate risk
 * analysis looks at one objective: performance is the mean of the scenario's
 * results, volatility their standard deviation.  Integrated risk analysis is
 * the weighted sum of both over several objectives.  In the paper results are
 * percentages; other numbers are possible if larger ones are better.
 *
 * Pure functions of the caller's arrays.
 */
#ifndef SIM_RISK_ANALYSIS_H
#define SIM_RISK_ANALYSIS_H

#include <stddef.h>

#include "core/error.h"

struct risk_point {
	double performance;
	double volatility;
};

/* Compute performance and volatility (eqs 4 and 5): mean and population
 * standard deviation, in two passes.
 * Result: 0, or -1 with EINVAL if n is 0 or a number is not finite.
 */
int risk_separate(const double *results, size_t n, struct risk_point *point);

/* Return the weighted sums over n objectives (eqs 6 and 7). */
struct risk_point risk_integrated(const struct risk_point *separate,
				  const double *weights, size_t n);

/* Check the weights of n objectives.
 * Result: 0, or -1 with EINVAL if a weight is not in [0, 1] or the sum is not 1
 *         (within 1e-5).
 */
int risk_check_weights(const double *weights, size_t n,
		       struct libra_error *err);

#endif
