/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_ops.h - what the host asks of Slurm: its jobs, nodes and reservations.
 *
 * For the select plugin.  Who calls the host holds Slurm's job lock, to write
 * where records are written, and its node lock.
 */
#ifndef LIBRA_SELECT_SLURM_OPS_H
#define LIBRA_SELECT_SLURM_OPS_H

#include <stdbool.h>

#include "plugin/base/types.h"

struct job_record;

extern const struct libra_host_ops libra_slurm_ops;

/* A job as the host sees it.  Its texts are Slurm's: they live as long as the
 * record is not changed.
 */
struct libra_host_job libra_view(const struct job_record *job, bool look_only);

/* A job's record shall say what it is promised now. */
void libra_set_record(struct job_record *job,
		      const struct libra_host_record *record);

/* The same of a record that came with a placement, if one did; it is freed. */
void libra_take_record(struct job_record *job,
		       struct libra_host_placement *placement);

#endif
