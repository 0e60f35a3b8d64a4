/* SPDX-License-Identifier: GPL-2.0-or-later */
/* risk_analysis.c - performance and volatility. */
#include "sim/study/risk_analysis.h"

#include <errno.h>
#include <math.h>

#define WEIGHT_TOLERANCE 1e-5

/* Return a mean, limited to the range of its values, which rounding may exceed.
 */
static double between(double mean, double least, double most)
{
	return fmin(fmax(mean, least), most);
}

int risk_separate(const double *results, size_t n, struct risk_point *point)
{
	double mean = 0, squares = 0, least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		mean += results[i] / (double)n;
		least = fmin(least, results[i]);
		most = fmax(most, results[i]);
	}
	if (n == 0 || !isfinite(mean)) {
		errno = EINVAL;
		return -1;
	}
	mean = between(mean, least, most);
	for (size_t i = 0; i < n; i++)
		squares += (results[i] - mean) * (results[i] - mean);
	point->performance = mean;
	point->volatility = sqrt(squares / (double)n);
	return 0;
}

struct risk_point risk_integrated(const struct risk_point *separate,
				  const double *weights, size_t n)
{
	struct risk_point sum = {0, 0};
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		sum.performance += weights[i] * separate[i].performance;
		sum.volatility += weights[i] * separate[i].volatility;
		least = fmin(least, separate[i].performance);
		most = fmax(most, separate[i].performance);
	}
	sum.performance = between(sum.performance, least, most);
	return sum;
}

int risk_check_weights(const double *weights, size_t n, struct libra_error *err)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(weights[i] >= 0 && weights[i] <= 1))
			return libra_errf(err, EINVAL,
					  "a weight must be from 0 to 1, not "
					  "%g",
					  weights[i]);
		sum += weights[i];
	}
	if (!(fabs(sum - 1) <= WEIGHT_TOLERANCE))
		return libra_errf(err, EINVAL,
				  "the weights sum to %g; they must sum to 1 "
				  "(thirds can be given as 1/3)",
				  sum);
	return 0;
}
