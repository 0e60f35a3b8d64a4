/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.h - what runs on a divided processor: a job's part, and all of them.
 *
 * Share policies alone.  Hosts read rows through engine.h, and follow the
 * progress of jobs by them between two calls of the engine.
 */
#ifndef LIBRA_TASK_H
#define LIBRA_TASK_H

#include <stdbool.h>
#include <stdint.h>

/* One job's part on each processor of a row. */
struct libra_task {
	double est_left_s;    /* estimate less progress, at the row's since_s;
				 below 0 = over its estimate */
	double rate;	      /* processor time per time; 0 = not running */
	double deadline_s;    /* instant */
	double estimate_s;    /* duration */
	double initial_share; /* estimate / deadline as it came */
	double bid; /* credits per second for this processor; 0 where no money
		       is in play */
	uint32_t slot; /* of the job, stable while it lives */
	bool running;
};

/* Processors with the same tasks, added and progressed at the same instants:
 * one row of the ledger stands for all of them.
 */
struct libra_row {
	uint32_t nprocs; /* 0 = unused row */
	uint32_t ntasks;
	double since_s; /* instant of est_left_s and the rates */
	const struct libra_task *tasks; /* in order of arrival */
};

#endif
