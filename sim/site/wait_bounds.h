/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait_bounds.h - bound the wait of a job by the log's own waits.
 *
 * Jobs are in classes by queue, partition and processors (1 to 4, to 16, to 64,
 * more).  The bound of a class is an order statistic: the least of its recorded
 * waits that, by the binomial distribution and with the given confidence, is
 * above the given quantile of all its waits (BMBP: Brevik, Nurmi and Wolski,
 * PPoPP 2006; QBETS).  This assumes that the distribution does not change.
 * Therefore a class drops all but its latest waits when WHEN_MISSES jobs in a
 * row have waited longer than their bounds.  Fewer prove nothing, because waits
 * of neighbouring jobs are alike.
 *
 * A wait is known once its job has started.  A job whose class has too few
 * waits gets the bound of the class of all jobs.
 */
#ifndef LIBRA_SITE_WAIT_BOUNDS_H
#define LIBRA_SITE_WAIT_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/log/swf.h"

enum { WHEN_SIZES = 4, WHEN_MISSES = 10 };

struct when_conf {
	double quantile;   /* part of the waits below the bound: 0.95 */
	double confidence; /* that the quantile is below the bound: 0.95 */
};

/* A class of jobs, and how many of its bounds held.  The last class in
 * when.classes has all jobs.
 */
struct when_class {
	int32_t queue, partition;
	uint32_t size;	 /* 0 to 3 */
	size_t jobs;	 /* of the log */
	size_t bounds;	 /* jobs that got a bound */
	size_t kept;	 /* bounds that the wait did not exceed */
	size_t borrowed; /* bounds taken from the class of all jobs */
	size_t changes;	 /* times that the class dropped its old waits */
	size_t history;	 /* waits that count at the end of the log */
	double bound_s;	 /* at the end of the log; NAN = too few waits */
	double median_s; /* likewise, for half of the waits */
};

struct when {
	struct when_class *classes;
	size_t n; /* classes, with the class of all jobs */
	size_t jobs, bounds, kept, changes; /* sums over the other classes */
};

/* Give each job of a log a bound by the waits that were known at its arrival,
 * and compare the bound with the wait.
 * Result: 0, or -1 with ENOMEM, or EINVAL (quantile or confidence not between 0
 *         and 1, or no record has a wait).
 * Owner:  the caller calls when_fini() after success, and need not after an
 *         error.
 */
int when_test(struct when *when, const struct swf_trace *trace,
	      const struct when_conf *conf, struct libra_error *err);
void when_fini(struct when *when);

/* Return the first class with a bound for jobs of this queue, partition (-1:
 * any) and number of processors; if there is none, the class of all jobs.
 */
const struct when_class *when_class_of(const struct when *when, int32_t queue,
				       int32_t partition, uint32_t procs);

/* Return the name of a class's size: "1-4", "5-16", "17-64", "65+"; "all" for
 * the last class.
 */
const char *when_size_name(const struct when *when, const struct when_class *c);

/* Return the rank, from 1 in ascending order, of the bound among n waits; 0: n
 * is too small for a bound.
 */
size_t when_order(size_t n, double quantile, double confidence);

#endif
