/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.h - the outcomes of a run's jobs, and the measures of a run.
 *
 * sim_run() fills the outcomes and calls sim_measure() at the end of the run.
 */
#ifndef SIM_METRICS_H
#define SIM_METRICS_H

#include <stdbool.h>

#include "core/engine.h"
#include "sim/run/result.h"
#include "sim/workload/workload.h"

/* The outcome of one job; index as in the workload. */
struct sim_outcome {
	double start_s;	   /* NAN if rejected */
	double finish_s;   /* NAN if rejected */
	double utility;	   /* credits; 0 if rejected, may be negative */
	double estimate_s; /* offered to the engine: the user's, or a
			      corrected one */
	enum libra_reason reason;
	uint32_t width; /* processors, of a job that may have several numbers;
			   0 = as asked */
	bool accepted;
	bool guaranteed;   /* accepted, and in time by its estimate */
	bool fulfilled;	   /* accepted, in time, and not killed */
	bool ordinary;	   /* runs without a promise */
	bool lucky;	   /* refused a promise, and in time nevertheless */
	double told_s;	   /* its planned start when it was accepted, or NAN */
	double earliest_s; /* the earliest deadline that a refused job was told
			      (w->tells_earliest), or NAN */
	char *nodes; /* its nodes (nodes.h), for the caller to free; NULL if it
			did not start, or w->keeps_nodes is not set */
};

/* In the bounded slowdown a shorter run time counts as this, in seconds. */
#define SIM_SLOWDOWN_BOUND_S 10.0

/* Return response time / run time, with both at least the bound; at least 1. */
double sim_bounded_slowdown(double response_s, double runtime_s);

/* Measure a run.  A mean of no jobs is NAN.  Without an accepted job the
 * makespan and the utilization are NAN.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  outcomes has w->njobs elements.
 * Cost:   O(jobs), or O(jobs log jobs) if the workload is `studied`.
 */
int sim_measure(const struct sim_workload *w,
		const struct sim_outcome *outcomes, struct sim_result *result);

#endif
