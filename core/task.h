/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.h - the tasks on a divided processor, and rows of such processors.
 *
 * Share policies only.  Hosts read rows through engine.h, and compute the
 * progress of jobs from them between two calls of the engine.  The engine owns
 * rows and tasks.
 */
#ifndef LIBRA_TASK_H
#define LIBRA_TASK_H

#include <stdbool.h>
#include <stdint.h>

/* One job's part on each processor of a row. */
struct libra_task {
	double est_left_s;    /* estimate minus progress, at the row's since_s;
				 below 0 = over its estimate */
	double rate;	      /* processor time per time; 0 = not running */
	double deadline_s;    /* instant */
	double estimate_s;    /* duration */
	double initial_share; /* estimate / time until the deadline, at
				 submission */
	double bid; /* credits per second for this processor; 0 under policies
		       without money */
	uint32_t slot; /* of the job, fixed until it departs */
	bool running;
};

/* Processors with the same tasks, which were added and progressed at the same
 * instants.  One row of the ledger describes all of them.
 */
struct libra_row {
	uint32_t nprocs; /* 0 = unused row */
	uint32_t ntasks;
	double since_s; /* instant of est_left_s and the rates */
	const struct libra_task *tasks; /* in order of arrival */
};

#endif
