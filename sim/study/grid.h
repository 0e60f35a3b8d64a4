/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grid.h - many runs on one trace, by several processes.
 *
 * The results do not depend on the number of workers (workers.h).  Equal points
 * (scenario, policy and parameters) are run once, and points of one scenario
 * share its workload.  Callers: checkpoint.h and `librasim sweep`.
 */
#ifndef SIM_GRID_H
#define SIM_GRID_H

#include "sim/base/workers.h"
#include "sim/log/swf.h"
#include "sim/run/result.h"
#include "sim/study/point.h"

/* Run n points on a trace with nworkers processes (0 or 1 = in this process).
 * The progress, with arg, counts different points.
 * Result: 0, or -1: a point failed (its errno and text), a worker died (EIO),
 *         ENOMEM.  Then all workers are gone and results[] is as it was.
 * Owner:  results has n elements of the caller's.
 */
int sim_grid_run(const struct swf_trace *trace, const struct sim_point *points,
		 size_t n, struct sim_result *results, unsigned nworkers,
		 sim_progress_f *progress, void *arg, struct libra_error *err);

#endif
