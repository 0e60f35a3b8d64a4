/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * correct.h - correct estimates by the run times of the users' past jobs.
 *
 * Stands between the workload and the engine: a job is offered with the
 * corrected estimate; its ratio run time / estimate is learnt when it ends; and
 * a job that has executed longer than its corrected estimate, and still runs,
 * gets the next estimate.  That is checked at every event, before any decision.
 * Deadlines were drawn before, from the user's estimate or the run time.
 */
#ifndef SIM_CORRECT_H
#define SIM_CORRECT_H

#include <stdint.h>

#include "core/engine.h"
#include "core/history.h"
#include "sim/workload/workload.h"

struct sim_correct {
	struct libra_history *history; /* NULL = nothing is corrected */
	double *left_s;		       /* by slot: scratch */
	uint32_t cap;
};

/* Prepare; a quantile of 0 corrects nothing.
 * Result: 0, or -1 with EINVAL or ENOMEM.
 */
int sim_correct_init(struct sim_correct *c, double quantile,
		     struct libra_error *err);
void sim_correct_fini(struct sim_correct *c);

/* The estimate with which a job is offered. */
double sim_correct_offer(const struct sim_correct *c,
			 const struct sim_job *job);

/* A job has ended.  Result: 0, or -1 with ENOMEM. */
int sim_correct_learn(struct sim_correct *c, const struct sim_job *job);

/* Give running jobs that exceed their estimates the next ones; job_of maps
 * slots to jobs.
 * Result: how many, or -1 with ENOMEM.
 */
int sim_correct_exceeded(struct sim_correct *c, struct libra_engine *engine,
			 const struct sim_job *jobs, const uint32_t *job_of,
			 double now_s);

#endif
