/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - simulate one workload under one policy.
 *
 * Owns the clock and the hidden run times, reports events to the engine, and
 * carries out its actions.
 *
 * The project's own order of events at one instant: all departures; corrections
 * of predictions that are over; processors that open or close (capacity.h); all
 * arrivals in order of submission; one call of the scheduler.
 *
 * The order of SC 2015 is for policies that queue jobs for processors of their
 * own.  At one instant: (1) the predictions that end now, of jobs that run on,
 * are corrected.  (2) The processors of jobs that were predicted to end now
 * count as free.  (3) Each job is submitted; a call of the scheduler follows if
 * there is a predictor or if the job fits the free processors.  (4) For
 * each end, in order of starts, the predictor learns from it, and a call of the
 * scheduler follows.
 *
 * Callers: commands in their own process, and worker processes
 * (sim/study/grid.h).  Runs share only the workload, which they do not change.
 */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "core/engine.h"
#include "sim/run/metrics.h"
#include "sim/run/result.h"
#include "sim/workload/workload.h"

/* Simulate all jobs of a workload.  params NULL: the policy's defaults.
 * Result: 0 with *result, or -1 with ENOMEM or EINVAL (parameters).
 * Owner:  outcomes has w->njobs elements of the caller's, or is NULL.  With
 *         w->keeps_nodes, outcomes must not be NULL and must be all zeros; the
 *         caller frees the nodes of each outcome, after an error too.
 */
int sim_run(const struct sim_workload *w,
	    const struct libra_policy_type *policy, const double *params,
	    struct sim_result *result, struct sim_outcome *outcomes,
	    struct libra_error *err);

#endif
