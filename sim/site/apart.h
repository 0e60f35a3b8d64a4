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

struct apart_job {
	double ready_s, run_s; /* as logged */
	double wait_s, logged_s;
	double apart_s; /* simulated start less the logged one */
	uint32_t procs;
	const char *partition, *qos;
};

enum { APART_WITHIN = 3 }; /* 1, 10 and 60 minutes */

struct apart_group {
	const char *by, *name; /* "all", "partition", "qos", "size" */
	size_t n;
	double wait_s, logged_s; /* means */
	double error_pct;	 /* of the moving mean wait */
	double within_pct[APART_WITHIN];
};

struct apart {
	struct apart_group *groups; /* of all jobs, then of some of them */
	size_t n, cap;
	double window_s; /* of the moving mean */
	double ranks;	 /* correlation of the waits; NAN: all are equal */
	double utilization_pct, logged_pct;
	char sizes[8][24]; /* their names */
};

/* Compare.  The order of the jobs becomes that of ready_s.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls apart_fini(), after an error as well; names are
 *         those of the jobs.
 */
int apart_measure(struct apart *a, struct apart_job *jobs, size_t n,
		  uint32_t procs, struct libra_error *err);
void apart_fini(struct apart *a);

#endif
