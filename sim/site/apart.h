/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart.h - the differences between a simulated schedule and the logged one, of
 * the same jobs.
 */
#ifndef SIM_SITE_APART_H
#define SIM_SITE_APART_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/site/measure.h"

struct apart_job {
	double ready_s; /* instant at which the wait began, as logged */
	double run_s;	/* as logged */
	double wait_s, logged_s; /* wait: simulated, as logged */
	double apart_s;		 /* simulated start less the logged one */
	uint32_t procs;
	const char *partition, *qos; /* "": none; never NULL */
};

enum { APART_MEASURED, APART_SIMULATED, APART_SIDES, APART_POINTS = 200 };

/* A moving mean of the waits: at each point, of the jobs that became ready in
 * the window around the point.  The window is two weeks, or a tenth of the time
 * between the first and the last ready_s if that is less.
 */
struct apart_moving {
	double window_s;
	double at_s[APART_POINTS]; /* middle of the window, after the first job
				    */
	double mean_s[APART_SIDES][APART_POINTS]; /* NAN: no job */
	/* Mean over the points of |simulated - measured|, in % of the measured
	 * mean.  A mean below WHAT_LEAST_WAIT_S counts as WHAT_LEAST_WAIT_S.
	 */
	double error_pct;
};

struct apart_group {
	const char *by;		 /* "all", "partition", "qos", "size" */
	const char *name;	 /* of the partition, QOS or size; "" for all */
	size_t n;		 /* jobs; above 0 */
	double wait_s, logged_s; /* means */
	double error_pct;	 /* as in struct apart_moving */
	/* % of the jobs with |apart_s| at most site_within_s[k] */
	double within_pct[SITE_WITHIN];
};

struct apart {
	struct apart_group *groups; /* all jobs, partitions, QOS, sizes */
	size_t n, cap;
	double window_s; /* of the moving mean, for each group */
	/* Spearman's rank correlation of simulated and logged waits; NAN: all
	 * waits of a side are equal.
	 */
	double ranks;
	double utilization_pct, logged_pct; /* simulated, as logged */
	struct site_sizes sizes;
};

/* Sort n > 0 jobs by ready_s and compute the moving mean of their waits.
 * Result: 0, or -1 with ENOMEM.
 */
int apart_move(struct apart_moving *moving, struct apart_job *jobs, size_t n,
	       struct libra_error *err);

/* Sort n jobs by ready_s and compare both schedules on a machine of procs
 * processors.  A job whose partition or QOS is "" is in no group of that kind.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls apart_fini(), after an error as well.  The names of
 *         groups point to texts of the jobs or into *a: *a must not move.
 */
int apart_measure(struct apart *a, struct apart_job *jobs, size_t n,
		  uint32_t procs, struct libra_error *err);
void apart_fini(struct apart *a);

#endif
