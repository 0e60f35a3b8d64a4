/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart.h - how far two schedules of the same jobs are apart: a simulation and
 * what happened.
 */
#ifndef SIM_SITE_APART_H
#define SIM_SITE_APART_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/site/measure.h"

struct apart_job {
	double ready_s, run_s; /* as logged */
	double wait_s, logged_s;
	double apart_s; /* simulated start less the logged one */
	uint32_t procs;
	const char *partition, *qos;
};

enum { APART_MEASURED, APART_SIMULATED, APART_SIDES, APART_POINTS = 200 };

/* The mean wait of the jobs that became ready in a window: of two weeks, or of
 * a tenth of the time from the first such job to the last one if that is less.
 */
struct apart_moving {
	double window_s;
	double at_s[APART_POINTS]; /* its middle, after the first job */
	double mean_s[APART_SIDES][APART_POINTS]; /* NAN: no job */
	/* Mean difference, in % of the measured mean; a mean below
	 * WHAT_LEAST_WAIT_S counts as that long.
	 */
	double error_pct;
};

struct apart_group {
	const char *by, *name; /* "all", "partition", "qos", "size" */
	size_t n;
	double wait_s, logged_s; /* means */
	double error_pct;	 /* of the moving mean wait, in window_s */
	double within_pct[SITE_WITHIN]; /* site_within_s */
};

struct apart {
	struct apart_group *groups; /* of all jobs, then of some of them */
	size_t n, cap;
	double window_s; /* of the moving mean */
	double ranks;	 /* correlation of the waits; NAN: all are equal */
	double utilization_pct, logged_pct;
	struct site_sizes sizes;
};

/* Find the moving mean of n > 0 jobs, whose order becomes that of ready_s.
 * Result: 0, or -1 with ENOMEM.
 */
int apart_move(struct apart_moving *moving, struct apart_job *jobs, size_t n,
	       struct libra_error *err);

/* Compare.  The order of the jobs becomes that of ready_s.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls apart_fini(), after an error as well; names are
 *         those of the jobs.
 */
int apart_measure(struct apart *a, struct apart_job *jobs, size_t n,
		  uint32_t procs, struct libra_error *err);
void apart_fini(struct apart *a);

#endif
