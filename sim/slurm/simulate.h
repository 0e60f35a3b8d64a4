/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.h - the loops of slurmctld over a whole log, in whole seconds.
 *
 * A pass at second t sees the events before t.  The main loop runs at the first
 * second at which an event has asked for it and batch_sched_delay has passed.
 * Every sched_interval it runs over the full queue.  Backfill runs bf_interval
 * after its last pass.  A pass without new events is left out.  Priorities
 * change at submissions and decay runs (order.h).
 */
#ifndef SIM_SLURM_SIMULATE_H
#define SIM_SLURM_SIMULATE_H

#include "sim/slurm/load.h"

/* The first run of the main loop, of backfill, of the check of time limits and
 * of the decay, in seconds after the first submission.
 */
struct sched_phases {
	uint32_t main_s, backfill_s, limits_s, decay_s;
};

/* Counts of one simulation. */
struct sched_figures {
	uint64_t main_runs, backfill_runs;
	uint64_t started[SCHED_NLOOPS];
	uint64_t waiting; /* tasks that never started */
	uint64_t refused; /* tasks, at their submission */
	uint64_t preempted;
	uint64_t over_submit;	 /* jobs submitted over a MaxSubmit limit */
	int64_t first_s, last_s; /* first submission, last end */
	/* Jobs that could not ask for a promise, by the option that barred it.
	 */
	struct sched_ignored_list unable;
};

/* Draw the second of a day in which slurmctld began: all loops, decay runs and
 * tests of limits count from it.
 */
void sched_phases_draw(const struct sched_load *load, uint64_t seed,
		       struct sched_phases *phases);

/* Simulate the log: set start, end, loop and reason of each of m->tasks.
 * Result: 0, or -1 with ENOMEM.
 */
int sched_simulate(struct sched_load *load, const struct sched_phases *phases,
		   struct sched_figures *figures, struct libra_error *err);

#endif
