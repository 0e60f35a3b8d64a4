/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series.h - the three series of numbers that workload models describe.
 *
 * Takes the records of a trace that have processors (by default, those whose
 * allocated processors are above 0), and of these the inter-arrival times, run
 * times and sizes, each in the order of submission and sorted.  Memory: 56
 * bytes for each record.
 */
#ifndef SIM_SERIES_H
#define SIM_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "sim/log/swf.h"
#include "sim/model/model.h"
#include "sim/workload/workload.h"

/* One series. */
struct sim_series {
	double *x;	/* in order of submission */
	double *sorted; /* the same, rising */
	size_t n;
};

struct sim_trace_series {
	struct sim_series of[MODEL_NSERIES + 1]; /* index enum model_series */
	size_t nrecords;			 /* all of the trace */
	size_t nchosen;				 /* those with processors */
	size_t nunrun; /* of these, those with a run time <= 0; they count
			  for the inter-arrival times alone */
	/* The jobs that have all three values, in the same order: gap to the
	 * record before (NAN for the first), run time, size.  For correlations.
	 */
	double *gap, *run, *size;
	size_t njobs;
};

/* Take the series from a trace.  Sizes are the allocated processors with
 * SIM_SIZE_ALLOCATED and the requested ones with SIM_SIZE_REQUESTED; a missing
 * one is not replaced.
 * Result: 0, or -1.
 * Errno:  EINVAL (fewer than 3 records have the field, or no run time is above
 *         0; the text names the trace and the field), ENOMEM.
 * Owner:  the caller calls sim_series_fini(); after an error it need not.
 */
int sim_series_init(struct sim_trace_series *s, const struct swf_trace *trace,
		    enum sim_size size, struct libra_error *err);
void sim_series_fini(struct sim_trace_series *s);

/* Sort numbers in place, smallest first.  Cost: O(n log n). */
void sim_sort(double *x, size_t n);

#endif
