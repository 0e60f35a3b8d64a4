/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_job.h - one sweep: its points, and their rows so far.
 *
 * sweep.c runs the points with worker processes of this machine; sweep_slurm.c
 * submits a job array, each task of which runs `librasim sweep --part`. sweep.c
 * owns the struct and frees it.
 */
#ifndef SIM_COMMAND_SWEEP_JOB_H
#define SIM_COMMAND_SWEEP_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/progress.h"
#include "sim/log/swf.h"
#include "sim/study/sweep.h"

struct sweep_args {
	const char *file, *output;
	unsigned workers;
	unsigned part, nparts; /* run only this part; nparts 0 = all */
	bool quiet;
	char **sbatch; /* options for sbatch, ends with NULL; NULL: run here */
};

struct sweep_job {
	const struct sweep_args *args;
	struct sweep sweep;
	struct swf_trace trace;
	/* By point: its key; its result, valid if done. */
	char (*key)[SIM_POINT_KEY_SIZE];
	struct sweep_rows old;	  /* rows of the table at the start */
	struct sweep_rows *parts; /* rows of the tables of an array's tasks */
	size_t nparts;
	bool anywhere; /* search all parts for a row, not only the part of its
			  point, as after an array of another size */
	struct sim_result *result;
	bool *done;
	size_t *todo; /* indices of the points to run */
	size_t ntodo, ndone;
	struct progress bar;
};

/* Return the row of a point, from the old table or a part's; NULL if neither
 * has it.  The job owns the text.
 */
const char *sweep_job_row(const struct sweep_job *job, size_t point);

/* Write a table with all rows that exist, of the points part, part + nparts,
 * ... (0 and 1: of all points).  The file appears whole or not at all.
 * Result: 0, or -1 with errno of the system.
 */
int sweep_job_write(const struct sweep_job *job, const char *path, size_t part,
		    size_t nparts, struct libra_error *err);

/* Submit a job array for the points without a row, or find the array of an
 * earlier call.  Wait until all points have rows, and write the table.
 * Result: 0, or -1 with ENOMEM, errno of the system, or ECHILD (sbatch failed,
 *         or the array ended without all rows).
 */
int sweep_slurm(struct sweep_job *job, struct libra_error *err);

#endif
