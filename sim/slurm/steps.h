/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - compare the model with a recording, run by run: each run of the
 * model's loops begins with the recorded state, and what it starts is compared
 * with what slurmctld started.  The priorities are recorded ones; computed ones
 * are compared with them.
 */
#ifndef SIM_SLURM_STEPS_H
#define SIM_SLURM_STEPS_H

#include <stdio.h>

#include "sim/slurm/load.h"
#include "sim/slurm/recording.h"

struct step_count {
	uint64_t runs, right;		/* all jobs of the run are right */
	uint64_t busy_runs, busy_right; /* runs in which slurmctld started */
	uint64_t starts, found, extra;	/* jobs */
	uint64_t nodes;			/* found, and on the same nodes */
};

struct steps {
	struct step_count main, backfill;
	uint64_t priorities, equal; /* computed as recorded */
};

/* Replay a recording.  out: where runs that differ are printed; NULL: nowhere.
 * Result: 0, or -1 with ENOMEM, or EINVAL: it has no runs, or is not of the
 * log.
 */
int sched_steps(struct sched_load *load, const struct recording *rec,
		struct steps *steps, FILE *out, struct libra_error *err);

#endif
