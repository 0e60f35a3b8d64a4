/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_jobs.h - the jobs of a log, as a scheduler's model has them. */
#ifndef SIM_SLURM_LOAD_JOBS_H
#define SIM_SLURM_LOAD_JOBS_H

#include "sim/slurm/load.h"

/* Make jobs and tasks: one job for each array, in the order of submission.  If
 * the log lacks a part of a request, the job is taken to have asked for what it
 * got.
 * Result: 0, or -1 with ENOMEM or EINVAL (no job fits the site).
 */
int sched_load_jobs(struct sched_load *load, struct libra_error *err);

#endif
