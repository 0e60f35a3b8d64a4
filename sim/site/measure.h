/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.h - measures that all pages and pictures of jobs share.  Pure
 * arithmetic: nothing is allocated.
 */
#ifndef SIM_SITE_MEASURE_H
#define SIM_SITE_MEASURE_H

#include <stddef.h>
#include <stdint.h>

/* In slowdowns a shorter run time counts as SITE_SLOWDOWN_S. */
enum { SITE_SLOWDOWN_S = 10, SITE_SIZES = 4 };

/* Classes of jobs by their processors: at most the fourth root of the machine's
 * processors, its square, its cube, and more; each a power of two.
 */
struct site_sizes {
	uint32_t most[SITE_SIZES];  /* of a class; the last has no end */
	char names[SITE_SIZES][24]; /* "1-4", "5-16", "17-64", "65+" */
};

/* Set the classes of a machine. */
void site_sizes_init(struct site_sizes *sizes, uint32_t procs);

/* Return the class of a number of processors. */
size_t site_size(const struct site_sizes *sizes, uint32_t procs);

/* A start is near another one within 1, 10 or 60 minutes. */
enum { SITE_WITHIN = 3 };
extern const int64_t site_within_s[SITE_WITHIN];

/* Compare two doubles, for qsort(): the smallest first. */
int site_by_value(const void *a, const void *b);

/* Return the quantile of n sorted values, part of them (0 to 1) being below it;
 * NAN if n is 0.
 */
double site_quantile(const double *sorted, size_t n, double part);

/* Return the bounded slowdown: max(1, (wait + run) / max(run, 10 s)). */
double site_slowdown(double wait_s, double run_s);

/* Add to each of n buckets of bucket_s seconds, the first of which begins at 0:
 * amount times the fraction of the bucket between two instants.
 */
void site_spread(double *bucket, size_t n, double bucket_s, double from_s,
		 double to_s, double amount);

#endif
