/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_jobs.h - the part of sched_load() that makes jobs and tasks. */
#ifndef SIM_SLURM_LOAD_JOBS_H
#define SIM_SLURM_LOAD_JOBS_H

#include "sim/slurm/load.h"

/* Make the jobs and tasks of load->model, in the order of submission; an array
 * is one job.  If the log lacks a part of a request, the job's allocation
 * counts as its request.
 * Result: 0, or -1 with ENOMEM or EINVAL (no job fits the site).
 */
int sched_load_jobs(struct sched_load *load, struct libra_error *err);

#endif
