/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimates.h - estimates corrected by what the user's last jobs took.
 *
 * A promise is made with the corrected estimate; the user's own stays on the
 * job's record, and counts again once the job has run past the other.
 */
#ifndef LIBRA_JOBS_ESTIMATES_H
#define LIBRA_JOBS_ESTIMATES_H

#include "plugin/state/history_file.h"
#include "plugin/jobs/job_table.h"

/* The estimate to promise with; without a history the user's own. */
double host_estimate(const struct host_history *history, uint32_t user,
		     double user_estimate_s);

/* A running job is about to leave the engine. */
void host_estimates_learn(struct host_history *history,
			  const struct host_jobs *jobs,
			  const struct tracked_job *t, double now_s);

/* Give jobs that have run past their estimate another one. */
void host_estimates_extend(const struct host_history *history,
			   struct host_jobs *jobs, double now_s);

#endif
