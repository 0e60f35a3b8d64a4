/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_stats.h - statistics of a log: arrivals, sizes, run times, and the
 * errors of its users' estimates.
 *
 * `librasim trace` prints them.
 */
#ifndef SIM_TRACE_STATS_H
#define SIM_TRACE_STATS_H

#include "core/error.h"
#include "sim/log/swf.h"

/* Fields up to utilization are over all records.  Fields from `estimated` on
 * are over the records with a run time > 0 and an estimate.
 */
struct trace_stats {
	size_t records;
	double span_s;	   /* first to last submission */
	double mean_gap_s; /* between submissions */
	double gap_cv;	   /* coefficient of variation of the gaps */
	double mean_run_s; /* as recorded, -1 included */
	double mean_procs; /* requested, else allocated */
	double max_procs;
	size_t users;
	size_t ran; /* run time > 0 */
	/* Work of all records / (processors x span). */
	double utilization;
	size_t estimated;	  /* records with both */
	double over_share;	  /* estimate > run time */
	double over_4, over_16;	  /* estimate > 4, 16 x run time */
	double ratio[4];	  /* estimate / run time: 50, 75, 90, 100 % */
	size_t overruns;	  /* run time > estimate */
	double overrun_max_s;	  /* beyond the estimate */
	double overrun_max_ratio; /* run time / estimate */
};

/* Measure the last n records (0 = all).
 * Result: 0, or -1 with ENOMEM.
 * Units:  shares are fractions of 1; NAN if there is no record to measure.
 * Cost:   O(n log n), and 8 bytes of memory for each record.
 */
int trace_stats(const struct swf_trace *trace, size_t n,
		struct trace_stats *stats, struct libra_error *err);

#endif
