/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.c - quantiles, classes of size, amounts over time. */
#include "sim/site/measure.h"

#include <math.h>

const char *const site_size_names[SITE_SIZES] = {"1-4", "5-16", "17-64", "65+"};

size_t site_size(uint32_t procs)
{
	return procs <= 4 ? 0 : procs <= 16 ? 1 : procs <= 64 ? 2 : 3;
}

int site_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double site_quantile(const double *sorted, size_t n, double part)
{
	size_t at = (size_t)(part * (double)n);

	return n == 0 ? NAN : sorted[at < n ? at : n - 1];
}

double site_slowdown(double wait_s, double run_s)
{
	return fmax(1, (wait_s + run_s) / fmax(run_s, SITE_SLOWDOWN_S));
}

void site_spread(double *bucket, size_t n, double bucket_s, double from_s,
		 double to_s, double amount)
{
	from_s = fmax(from_s, 0);
	to_s = fmin(to_s, (double)n * bucket_s);
	while (from_s < to_s) {
		size_t i = (size_t)(from_s / bucket_s);
		double until_s = fmin(to_s, (double)(i + 1) * bucket_s);

		if (i >= n || until_s <= from_s)
			return;
		bucket[i] += amount * (until_s - from_s) / bucket_s;
		from_s = until_s;
	}
}
