/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics.h - the outcomes of a run's jobs, and what is measured of them. */
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
	bool lucky;	   /* was refused one, and is in time nevertheless */
	double told_s;	   /* its planned start when it was accepted, or NAN */
	double earliest_s; /* of a refused job, the deadline that it was told
			      would do (w->tells_earliest), or NAN */
	char *nodes; /* where it started (nodes.h), for the caller to free; NULL
			if it did not, or w->keeps_nodes is not set */
};

/* Jobs shorter than this count as so long in the bounded slowdown. */
#define SIM_SLOWDOWN_BOUND_S 10.0

/* Response time / run time, both at least the bound; at least 1. */
double sim_bounded_slowdown(double response_s, double runtime_s);

/* Measure; NAN where there is nothing to measure: a mean of no jobs, and
 * without an accepted job the makespan and what is relative to it. Result: 0,
 * or -1 with ENOMEM. Owner:  outcomes has w->njobs elements.
 */
int sim_measure(const struct sim_workload *w,
		const struct sim_outcome *outcomes, struct sim_result *result);

#endif
