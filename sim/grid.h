/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grid.h - many runs on one trace, by several processes.
 *
 * Points are independent; workers fork, share the trace, and write results
 * into shared memory at the point's own place: the results do not depend on
 * the number of workers.
 */
#ifndef SIM_GRID_H
#define SIM_GRID_H

#include "core/policy.h"
#include "sim/result.h"
#include "sim/swf.h"
#include "sim/workload.h"

struct sim_point {
	struct sim_scenario scenario;
	const struct libra_policy_type *policy;
	const double *params; /* NULL = defaults */
};

/* Called in the parent, a few times a second and at the end. */
typedef void sim_progress_f(void *arg, size_t done, size_t total);

/* Run n points with nworkers processes (1 = in this process).
 * Result: 0, or -1: a point failed (its text), a worker died (EIO), ENOMEM.
 * Owner:  results has n elements of the caller's.
 */
int sim_grid_run(const struct swf_trace *trace, const struct sim_point *points,
		 size_t n, struct sim_result *results, unsigned nworkers,
		 sim_progress_f *progress, void *arg, struct libra_error *err);

#endif
