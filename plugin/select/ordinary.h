/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.h - jobs as Slurm has them, for policies that plan: the cores that a
 * job has or would have, and the begin time of one that waits for its plan.
 *
 * A bitmap is a bitstr_t.  For the select plugin, under Slurm's job and node
 * locks.
 */
#ifndef LIBRA_SELECT_ORDINARY_H
#define LIBRA_SELECT_ORDINARY_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugin/host/types.h"

struct job_record;

/* A bitmap of all cores, with those of a placement set. */
int64_t *libra_cores_of(const struct libra_host_placement *placement);

/* The cores that a job has, by its job_resrcs; none without memory.
 * Owner: the caller frees seen->parts.
 */
void libra_parts_of(const struct job_record *job, struct libra_host_job *seen);

/* May an ordinary job start now?  Slurm found it job_resrcs (start = 0), or
 * nodes on which it would start at an instant; later ones are not judged.
 */
bool libra_ordinary_may(const struct job_record *job,
			struct libra_host_job *seen, const int64_t *nodes,
			time_t start);

/* The first planned start that a job's record names, or 0. */
time_t libra_planned_begin(const struct job_record *job);

/* The record of a waiting job is new, and named another start before (or 0):
 * Slurm shall leave the job alone until then.  A later begin that its user
 * asked for stays.
 */
void libra_set_begin(struct job_record *job, time_t was);

#endif
