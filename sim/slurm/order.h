/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - the priorities of the jobs that wait, during a simulation.
 *
 * A job gets its priority at submission; decay runs, each PriorityCalcPeriod,
 * charge the jobs that run and compute the priorities of all that wait.  If
 * priorities are not computed (PriorityType is not multifactor, or the site's
 * priorities are as logged), every call does nothing: jobs keep the log's.
 */
#ifndef SIM_SLURM_ORDER_H
#define SIM_SLURM_ORDER_H

#include "sim/slurm/load.h"
#include "sim/slurm/priority.h"

struct sched_order {
	struct sched_load *load;
	struct slurm_prio prio;
	bool computed, limits_age; /* the latter: how many jobs have age */
	int64_t next_s;		   /* the next decay run */
	double *billing;	   /* of each task that runs: of a second */
	struct sched_run **runs;   /* those of the model, in Slurm's order */
	size_t runs_cap;
	uint32_t gpu; /* the site's number of gres/gpu */
};

/* Begin with the usage of the site's associations at first_s, and decay runs
 * at next_s and each PriorityCalcPeriod after it.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls sched_order_fini(), after an error as well.
 */
int sched_order_init(struct sched_order *o, struct sched_load *load,
		     int64_t first_s, int64_t next_s, struct libra_error *err);
void sched_order_fini(struct sched_order *o);

/* Compute the priority of a job that was submitted or requeued. */
void sched_order_submit(struct sched_order *o, uint32_t job, int64_t at_s);

/* Note a start, and charge a run that ends at at_s, before it is removed. */
void sched_order_start(struct sched_order *o, const struct sched_run *run);
void sched_order_end(struct sched_order *o, const struct sched_run *run,
		     int64_t at_s);

/* After a pass: let jobs that wait have age, as far as limits allow.  Before a
 * job that has age is cancelled: let it go to another one.
 */
void sched_order_pass(struct sched_order *o);
void sched_order_leave(struct sched_order *o, uint32_t job);

/* Do the decay runs that are due up to a second.  Cost of each: the jobs that
 * run or wait, and the associations.  A change of priorities counts in
 * m->changes.
 */
void sched_order_run(struct sched_order *o, int64_t until_s);

#endif
