/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_job.h - one sweep: its points, and what is known of them.
 *
 * sweep.c runs points here; sweep_slurm.c lets the tasks of a job array run
 * them.
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
	unsigned part, nparts; /* run part 0..nparts-1 only */
	bool quiet;
	char **sbatch; /* options for sbatch; NULL: run here */
};

struct sweep_job {
	const struct sweep_args *args;
	struct sweep sweep;
	struct swf_trace trace;
	char (*key)[SIM_POINT_KEY_SIZE]; /* of each point */
	struct sweep_rows old;		 /* of the table */
	struct sweep_rows *parts;	 /* of the parts of an array */
	size_t nparts;
	bool anywhere; /* a row may be in any part, not in its point's alone */
	struct sim_result *result; /* of each point that was run */
	bool *done;
	size_t *todo; /* points to run */
	size_t ntodo, ndone;
	struct progress bar;
};

/* The row of a point, from the table or a part of it; NULL if it is not known.
 */
const char *sweep_job_row(const struct sweep_job *job, size_t point);

/* Write the rows that are known, of all points, or those of one part of so
 * many.
 */
int sweep_job_write(const struct sweep_job *job, const char *path, size_t part,
		    size_t nparts, struct libra_error *err);

/* Submit an array for the points without a row, or follow the one that was
 * submitted, until it has them all.
 */
int sweep_slurm(struct sweep_job *job, struct libra_error *err);

#endif
