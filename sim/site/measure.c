/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.c - quantiles, classes of size, amounts over time. */
#include "sim/site/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const int64_t site_within_s[SITE_WITHIN] = {60, 600, 3600};

void site_sizes_init(struct site_sizes *sizes, uint32_t procs)
{
	double power = log2(procs > 0 ? procs : 1) / SITE_SIZES;
	uint32_t above = 0; /* processors of the class before */

	for (size_t i = 0; i + 1 < SITE_SIZES; i++) {
		uint32_t most = 1U << (unsigned)rint((double)(i + 1) * power);
		char *name = sizes->names[i];

		/* A small machine has classes of one size. */
		most = most > above ? most : above + 1;
		sizes->most[i] = most;
		if (most == above + 1)
			snprintf(name, sizeof(sizes->names[i]), "%" PRIu32,
				 most);
		else
			snprintf(name, sizeof(sizes->names[i]),
				 "%" PRIu32 "-%" PRIu32, above + 1, most);
		above = most;
	}
	sizes->most[SITE_SIZES - 1] = UINT32_MAX;
	snprintf(sizes->names[SITE_SIZES - 1], sizeof(sizes->names[0]),
		 "%" PRIu32 "+", above + 1);
}

size_t site_size(const struct site_sizes *sizes, uint32_t procs)
{
	size_t i = 0;

	while (i + 1 < SITE_SIZES && procs > sizes->most[i])
		i++;
	return i;
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
