/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.h - what all pages and pictures of jobs measure alike. */
#ifndef SIM_SITE_MEASURE_H
#define SIM_SITE_MEASURE_H

#include <stddef.h>
#include <stdint.h>

/* Slowdowns of shorter jobs are those of jobs of ten seconds. */
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

/* For qsort(): doubles, the smallest first. */
int site_by_value(const void *a, const void *b);

/* The value below which a part of n sorted ones is; NAN of none. */
double site_quantile(const double *sorted, size_t n, double part);

/* max(1, (wait + run) / max(run, 10 s)) */
double site_slowdown(double wait_s, double run_s);

/* Add amount to each of n buckets for that part of it which lies between two
 * instants; the first begins at 0.
 */
void site_spread(double *bucket, size_t n, double bucket_s, double from_s,
		 double to_s, double amount);

#endif
