/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - simulate one workload under one policy.
 *
 * Owns the clock and the hidden run times, tells the engine what happens, and
 * carries out its actions.  Events at one instant, in the
 * project's own order: all departures, then
 * processors that come or go (capacity.h), then all arrivals in order of
 * submission, then one call of the scheduler.
 * Predictions that are over are corrected after the departures.
 *
 * The order of SC 2015 is for policies that queue jobs for processors of their
 * own.  At one instant: (1) predictions that are over now, of jobs that run on,
 * are corrected; (2) processors of jobs that were predicted to end now count as
 * free; (3) each submission, followed by a schedule if there is a predictor or
 * if it fits the free processors; (4) each end, in order of starts, is learnt
 * from and followed by a schedule.
 */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "core/engine.h"
#include "sim/run/metrics.h"
#include "sim/run/result.h"
#include "sim/workload/workload.h"

/* Simulate.
 * Result: 0, or -1 with ENOMEM or EINVAL (parameters).
 * Owner:  outcomes has w->njobs elements of the caller's, or is NULL.  With
 *         w->keeps_nodes it is not NULL, zero at first, and the caller frees
 * the nodes of each, after an error, too.
 */
int sim_run(const struct sim_workload *w,
	    const struct libra_policy_type *policy, const double *params,
	    struct sim_result *result, struct sim_outcome *outcomes,
	    struct libra_error *err);

#endif
