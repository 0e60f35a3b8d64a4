/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.h - when will a waiting job start?
 *
 * The walk goes through the jobs of a machine in order of time.  It asks about
 * a job one minute after its submission, if the job still waits, and again each
 * time that the job has waited 16 times as long.  An answer uses only facts
 * that are known at its instant:
 *
 * 1.  Two plans of the queue (timeline.h), each job at its earliest fit in the
 *    order of the queue: one by the limits, as squeue --start has it, and one
 *    by the median of what the users' last jobs took of their limits
 *    (history.h).  Only the first 2,000 jobs are planned; the jobs behind them
 *    count as the last of them.
 * 2.  Of the last 1,000 questions whose jobs have started since, among the last
 *    3,000, the 100 that are most alike: by the logarithms of both planned
 *    waits, of the time waited, processors, limit, work before the job and jobs
 *    in the queue.  A job that still waits, later than it was planned, counts
 *    as if it started now, for the bound only: else the past would have jobs
 *    that start early before jobs that start late.
 * 3.  The estimate is the median of their waits.  For the bound each wait is
 *    multiplied by this job's planned wait, by the past, over theirs (a minute
 *    is added to all three), as a short past has few that are alike.  The bound
 *    is the 96th of these times a factor, which rises by 0.475 % when a job is
 *    later than its bound, and else falls by 0.025 %: so 95 % of the bounds
 *    hold in the long run.  A late job is known when its bound passes.
 *
 * With fewer than 100 such questions the second plan is the estimate, and there
 * is no bound.
 */
#ifndef LIBRA_FORECAST_H
#define LIBRA_FORECAST_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum {
	LIBRA_FORECAST_ALIKE = 100,
	LIBRA_FORECAST_PERCENT = 95, /* of the bounds hold in the long run */
};

struct libra_forecast_job {
	uint32_t user, procs;
	double limit_s; /* > 0, finite */
	double submit_s;
	double start_s; /* INFINITY = it waits */
	double end_s;	/* INFINITY = it waits or runs */
	double place;	/* order in the queue, of jobs that wait at the end: the
			   least is the first */
};

/* An answer: instants, NAN = none.  A job that never fits has INFINITY. */
struct libra_start_forecast {
	size_t job; /* index in jobs */
	double asked_s;
	double limits_s;   /* start, by the limits */
	double planned_s;  /* by what the users' last jobs took */
	double estimate_s; /* half of the jobs start by then */
	double bound_s;	   /* 95 % of the jobs start by then */
};

/* Receive an answer, valid for the call.  Result: 0 to go on, or -1 with errno.
 */
typedef int libra_forecast_f(void *context,
			     const struct libra_start_forecast *answer);

/* Go through jobs in order of submission, until now_s, and give the answers in
 * order of their instants; at last those for all jobs that wait at now_s.
 * procs: of the machine.
 * Result: 0, or -1 with ENOMEM, EINVAL (not in order, a limit or number of
 *         processors that is not above 0), or the callback's errno.
 */
int libra_forecast_all(const struct libra_forecast_job *jobs, size_t n,
		       uint32_t procs, double now_s, libra_forecast_f *answer,
		       void *context, struct libra_error *err);

#endif
