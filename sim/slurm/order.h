/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - the priorities of the jobs that wait, during a simulation.
 *
 * A job gets its priority at submission.  A decay run, once every
 * PriorityCalcPeriod, charges the running jobs and computes the priorities of
 * all waiting jobs.  If priorities are not computed (PriorityType is not
 * multifactor, or the site's priorities are as logged), no function does
 * anything: jobs keep the priorities of the log.
 */
#ifndef SIM_SLURM_ORDER_H
#define SIM_SLURM_ORDER_H

#include "sim/slurm/load.h"
#include "sim/slurm/priority.h"

struct sched_order {
	struct sched_load *load;
	struct slurm_prio prio;
	bool computed;	 /* priorities are computed */
	bool limits_age; /* a limit bounds how many waiting jobs have age */
	int64_t next_s;	 /* the next decay run */
	double *billing; /* of each running task: cost of a second */
	struct sched_run **runs; /* the model's runs, in Slurm's order */
	size_t runs_cap;
	uint32_t gpu; /* the site's number of gres/gpu */
};

/* Begin with the usage of the site's associations, which is that of a decay run
 * at last_s.  The next one is a PriorityCalcPeriod later.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls sched_order_fini(), after an error as well.
 */
int sched_order_init(struct sched_order *o, struct sched_load *load,
		     int64_t last_s, struct libra_error *err);
void sched_order_fini(struct sched_order *o);

/* Compute the priority of a job that was submitted or requeued. */
void sched_order_submit(struct sched_order *o, uint32_t job, int64_t at_s);

/* _start: note that a run has begun.  _end: charge a run that ends at at_s;
 * call this before the run is removed.
 */
void sched_order_start(struct sched_order *o, const struct sched_run *run);
void sched_order_end(struct sched_order *o, const struct sched_run *run,
		     int64_t at_s);

/* _pass:  after a pass, let the age of waiting jobs begin, as far as limits
 *         permit.
 * _leave: before a job that has age is cancelled, free its place under these
 *         limits for another job.
 */
void sched_order_pass(struct sched_order *o);
void sched_order_leave(struct sched_order *o, uint32_t job);

/* Do the decay runs that are due until until_s.  A change of priorities counts
 * in m->changes.
 * Cost of each: the number of running and waiting jobs, and of associations.
 */
void sched_order_run(struct sched_order *o, int64_t until_s);

#endif
