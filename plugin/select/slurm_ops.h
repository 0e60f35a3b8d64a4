/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_ops.h - Slurm as the host sees it: jobs, nodes and advance
 * reservations.
 *
 * The host calls libra_slurm_ops in the thread of its caller, which holds
 * Slurm's locks of jobs and nodes: to read, but Slurm's job write lock where
 * records are written (host.h).  No function here calls the host.
 */
#ifndef LIBRA_SELECT_SLURM_OPS_H
#define LIBRA_SELECT_SLURM_OPS_H

#include <stdbool.h>

#include "plugin/base/types.h"

struct job_record;

extern const struct libra_host_ops libra_slurm_ops;

/* Return a job as the host sees it, without its parts.  look_only: the host
 * must not give the job a promise.
 * Owner:  the texts are Slurm's, and valid until the job's record changes.
 */
struct libra_host_job libra_view(const struct job_record *job, bool look_only);

/* Write the present promise of a job into its AdminComment, environment and
 * begin time.
 * Locks:  Slurm's job write lock.
 */
void libra_set_record(struct job_record *job,
		      const struct libra_host_record *record);

/* Write the record of a placement, if there is one, by libra_set_record(), and
 * free its comment.
 * Locks:  Slurm's job write lock.
 */
void libra_take_record(struct job_record *job,
		       struct libra_host_placement *placement);

#endif
