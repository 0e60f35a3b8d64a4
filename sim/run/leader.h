/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leader.h - follow the predictor that would have done best so far.
 *
 * Two predictors, the experts, are each simulated on the workload alone first.
 * In the main run the leader chooses an expert once a day: the one whose own
 * run has the least bounded slowdown over the last days.  Until the first
 * choice the first expert predicts.
 *
 * No choice uses the future.  Let J be the oldest job of the main run that has
 * not ended.  Only jobs submitted before J count, and the experts' runs count
 * up to J's submission; a job that has not ended by then counts with the
 * slowdown it has reached.  An expert's run up to that instant depends on these
 * jobs alone, and all of them have ended in the main run: their run times are
 * known.
 *
 * The caller is run.c: one leader for one main run, in one process.
 */
#ifndef SIM_LEADER_H
#define SIM_LEADER_H

#include "sim/run/metrics.h"
#include "sim/run/predict.h"

enum { SIM_LEADER_EXPERTS = 2 };

/* Create a leader whose experts have not run yet.
 * Result: NULL with ENOMEM.
 * Owner:  the workload stays the caller's and must outlive the leader.  The
 *         caller calls sim_leader_destroy(), which accepts NULL.
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

/* Return the prediction in seconds for a job that is submitted now; NAN if
 * memory is out.  Call it for the jobs in order of submission.
 */
double sim_leader_offer(struct sim_leader *l, const struct sim_job *job);

/* Record that a job has ended in the main run.  Result: 0, or -1 with ENOMEM.
 */
int sim_leader_learn(struct sim_leader *l, const struct sim_job *job);

#endif
