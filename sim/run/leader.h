/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leader.h - follow the predictor that would have done best so far.
 *
 * Two predictors, the experts, are each carried through the workload
 * alone.  In the run that counts, once a day, the expert is chosen whose own
 * run has the least bounded slowdown over the last days; the first one holds
 * until then.
 *
 * Nothing of the future is looked at.  At an instant only jobs count that came
 * before the oldest job that has not ended yet, in the run that counts; and
 * the experts' runs count only up to that job's submission, with jobs that
 * have not ended by then at the slowdown they have reached.  What happened in
 * an expert's run before that instant depends on these jobs alone, and they
 * have all ended: their run times are known.
 */
#ifndef SIM_LEADER_H
#define SIM_LEADER_H

#include "sim/run/metrics.h"
#include "sim/run/predict.h"

enum { SIM_LEADER_EXPERTS = 2 };

/* Make a leader of the experts, which have not run yet.  The workload stays the
 * caller's and lives on.
 * Result: NULL with ENOMEM.
 * Owner:  the caller calls sim_leader_destroy(); NULL is fine.
 */
struct sim_leader *sim_leader_create(const struct sim_workload *w,
				     struct libra_error *err);

/* Return the workload for an expert's own run; its jobs stay the original's. */
struct sim_workload sim_leader_workload(const struct sim_leader *l,
					size_t expert);

/* Show the leader how the jobs of an expert's own run ended, one outcome for
 * each job.  Each expert is shown once, before the first offer.
 * Result: 0, or -1 with ENOMEM.
 */
int sim_leader_show(struct sim_leader *l, size_t expert,
		    const struct sim_outcome *outcomes,
		    struct libra_error *err);
void sim_leader_destroy(struct sim_leader *l);

/* The prediction for a job that is submitted now; jobs come in order. */
double sim_leader_offer(struct sim_leader *l, const struct sim_job *job);

/* A job has ended, in the run that counts.  Result: 0, or -1 with ENOMEM. */
int sim_leader_learn(struct sim_leader *l, const struct sim_job *job);

#endif
