/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.h - measures that all pages and pictures of jobs share.  Pure
 * arithmetic: nothing is allocated.
 */
#ifndef SIM_SITE_MEASURE_H
#define SIM_SITE_MEASURE_H

#include <stddef.h>
#include <stdint.h>

enum { SITE_SLOWDOWN_S = 10, SITE_SIZES = 4 };

/* Four classes of jobs by their processors.  On P processors the first three
 * end at the powers of two nearest to P^(1/4), P^(1/2) and P^(3/4); on a small
 * machine a class may be a single number of processors.
 */
struct site_sizes {
	uint32_t most[SITE_SIZES];  /* largest of a class; UINT32_MAX for the
				       last class */
	char names[SITE_SIZES][24]; /* "1-4", "5-16", "17-64", "65+" */
};

/* Set the classes of a machine of procs processors. */
void site_sizes_init(struct site_sizes *sizes, uint32_t procs);

/* Return the class, from 0, of a number of processors. */
size_t site_size(const struct site_sizes *sizes, uint32_t procs);

/* 1, 10 and 60 minutes: reports count the jobs whose simulated start is at most
 * so far from the logged one.
 */
enum { SITE_WITHIN = 3 };
extern const int64_t site_within_s[SITE_WITHIN];

/* Compare two doubles, for qsort(): the smallest first. */
int site_by_value(const void *a, const void *b);

/* Return element floor(part * n) of n sorted values, at most the last one;
 * part is 0 to 1.  NAN if n is 0.
 */
double site_quantile(const double *sorted, size_t n, double part);

/* Return the bounded slowdown, max(1, (wait + run) / max(run,
 * SITE_SLOWDOWN_S)).
 */
double site_slowdown(double wait_s, double run_s);

/* Spread an amount that lasts from from_s to to_s over n buckets: bucket i,
 * which covers bucket_s seconds from i * bucket_s, grows by amount times the
 * fraction of the bucket in that time.
 */
void site_spread(double *bucket, size_t n, double bucket_s, double from_s,
		 double to_s, double amount);

#endif
