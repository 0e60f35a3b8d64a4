/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - compare the model with a recording, pass by pass.
 *
 * Each pass of the model's loops begins with the recorded state and the
 * recorded priorities.  The jobs that the pass starts are compared with those
 * that slurmctld started, and computed priorities with the recorded ones.
 */
#ifndef SIM_SLURM_STEPS_H
#define SIM_SLURM_STEPS_H

#include <stdio.h>

#include "sim/slurm/load.h"
#include "sim/slurm/recording.h"

/* Counts of one loop.  A pass is right if the model starts the same jobs. */
struct step_count {
	uint64_t runs, right;		/* passes, and those that are right */
	uint64_t busy_runs, busy_right; /* of these: slurmctld started a job */
	uint64_t starts;		/* jobs that slurmctld started */
	uint64_t found; /* of these: the model starts them, too */
	uint64_t extra; /* jobs that only the model starts */
	uint64_t nodes; /* found jobs that got the same nodes */
};

struct steps {
	struct step_count main, backfill;
	uint64_t priorities, equal; /* compared; computed as recorded */
};

/* Replay a recording.  Passes that differ are printed to out, unless it is
 * NULL.
 * Result: 0, or -1 with ENOMEM, or EINVAL (the recording has no passes, or
 *         belongs to another log).
 */
int sched_steps(struct sched_load *load, const struct recording *rec,
		struct steps *steps, FILE *out, struct libra_error *err);

#endif
