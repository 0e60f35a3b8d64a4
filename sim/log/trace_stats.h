/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_stats.h - what a log looks like: arrivals, sizes, run times, and the
 * errors of its users' estimates.
 */
#ifndef SIM_TRACE_STATS_H
#define SIM_TRACE_STATS_H

#include "core/error.h"
#include "sim/log/swf.h"

/* Over all records; those about estimates over the records with run time > 0
 * and an estimate.
 */
struct trace_stats {
	size_t records;
	double span_s;	   /* first to last submission */
	double mean_gap_s; /* between submissions */
	double gap_cv;
	double mean_run_s; /* as recorded, -1 included */
	double mean_procs; /* requested, else allocated */
	double max_procs;
	size_t users;
	size_t ran; /* run time > 0 */
	/* Work of all records / (processors x span). */
	double utilization;
	size_t estimated;
	double over_share;	  /* estimate > run time */
	double over_4, over_16;	  /* estimate > 4, 16 x run time */
	double ratio[4];	  /* estimate / run time: 50, 75, 90, 100 % */
	size_t overruns;	  /* run time > estimate */
	double overrun_max_s;	  /* beyond the estimate */
	double overrun_max_ratio; /* run time / estimate */
};

/* Measure the last n records (0 = all).
 * Result: 0, or -1 with ENOMEM.
 * Units:  shares are fractions of 1; NAN where there is nothing to measure.
 */
int trace_stats(const struct swf_trace *trace, size_t n,
		struct trace_stats *stats, struct libra_error *err);

#endif
