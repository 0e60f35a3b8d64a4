/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimates.h - correct users' estimates by the run times of their earlier
 * jobs.
 *
 * A promise uses the corrected estimate; the job's record keeps the user's own.
 * When a job has run longer than its corrected estimate, the estimate is raised
 * again.
 *
 * Callers: plugin/host, in any thread, under the host's lock.
 */
#ifndef LIBRA_JOBS_ESTIMATES_H
#define LIBRA_JOBS_ESTIMATES_H

#include "plugin/state/history_file.h"
#include "plugin/jobs/job_table.h"

/* Return the estimate for a new promise; without a history, the user's own. */
double host_estimate(const struct host_history *history, uint32_t user,
		     double user_estimate_s);

/* Return how many seconds of its estimate a running job has executed. */
double host_executed_s(const struct host_jobs *jobs,
		       const struct tracked_job *t, double now_s);

/* Add a job's run time to the history, just before the job leaves the engine.
 * Failed, cancelled and ordinary jobs do not count.
 */
void host_estimates_learn(struct host_history *history,
			  const struct host_jobs *jobs,
			  const struct tracked_job *t, double now_s);

/* Raise the estimates of running jobs that have used up a corrected one, but
 * not above the user's own.
 * Cost:   the number of tracked jobs.
 */
void host_estimates_extend(const struct host_history *history,
			   struct host_jobs *jobs, double now_s);

#endif
