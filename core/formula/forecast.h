/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.h - when will a waiting job start?
 *
 * The jobs of a machine are gone through in order of time.  A job is asked for
 * one minute after its submission, if it still waits, and again each time that
 * it has waited 16 times as long.  What counts is known at that instant alone:
 *
 * 1. Two plans of all jobs (timeline.h), each job at its earliest fit in the
 *    order of the queue: one by the limits, as squeue --start has it, and one
 *    by the median of what the users' last jobs took of their limits
 *    (history.h).
 * 2. Of the last 1,000 questions whose jobs have started since, the 100 that
 *    are most alike: by the logarithms of both planned waits, of the time
 *    waited, processors, limit, work before the job and jobs in the queue.
 * 3. The estimate is the median of their waits.  The bound is their 96th wait
 *    times a factor, which rises by 0.475 % when a job is later than its bound,
 *    and else falls by 0.025 %: so 95 % of the bounds hold in the long run,
 *    whatever the waits are.  A late job is known when its bound passes.
 *
 * With fewer than 100 such questions the second plan is the estimate, and there
 * is no bound.
 */
#ifndef LIBRA_FORECAST_H
#define LIBRA_FORECAST_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum { LIBRA_FORECAST_ALIKE = 100 };

struct libra_forecast_job {
	uint32_t user, procs;
	double limit_s; /* > 0 */
	double submit_s;
	double start_s; /* INFINITY = it waits */
	double end_s;	/* INFINITY = it waits or runs */
	double place;	/* in the queue of those that wait at the end; the
			   least is the first */
};

/* An answer: instants, NAN = none.  A job that never fits has INFINITY. */
struct libra_start_forecast {
	size_t job;
	double asked_s;
	double limits_s;   /* start, by the limits */
	double planned_s;  /* by what the users' last jobs took */
	double estimate_s; /* half of the jobs start before */
	double bound_s;	   /* 95 % of the jobs do */
};

/* Take an answer.  Result: 0 to go on, or -1. */
typedef int libra_forecast_f(void *context,
			     const struct libra_start_forecast *answer);

/* Go through jobs in order of submission, until now_s, and give the answers in
 * order of their instants; at last those for all jobs that wait at now_s.
 * procs: of the machine.
 * Result: 0, or -1 with ENOMEM, EINVAL (not in order, a limit or number of
 *         processors that is not above 0) or what the callback had.
 */
int libra_forecast_all(const struct libra_forecast_job *jobs, size_t n,
		       uint32_t procs, double now_s, libra_forecast_f *answer,
		       void *context, struct libra_error *err);

#endif
