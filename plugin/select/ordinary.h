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

#include "plugin/base/types.h"

struct job_record;
struct xlist; /* a list of Slurm's */

/* The cores that a job has, by its job_resrcs.
 * Result: false if there is no memory for them; then it has none, and is
 *         untold.
 * Owner:  the caller frees seen->parts.
 */
bool libra_parts_of(const struct job_record *job, struct libra_host_job *seen);

/* Does a job ask for nodes that are its user's, or its label's, alone, or for
 * more than its own? Does it keep others from its nodes, for that reason or
 * another?
 */
bool libra_wants_alone(const struct job_record *job);
bool libra_is_alone(const struct job_record *job);

/* Return the longest time, in seconds, from the end of a job to that of its
 * epilog, besides its grace: Slurm may have to kill the job first.
 */
double libra_cleared_s(void);

/* May an ordinary job start now? Slurm found it job_resrcs (start = 0), or
 * nodes on which it would start at an instant; later ones are not judged.
 * preempted: the jobs that it would preempt there, or has in mind to; or NULL.
 * If not, nodes where it would be in the way are marked in in_way, as
 * libra_host_may_run() has it.
 */
bool libra_ordinary_may(const struct job_record *job,
			struct libra_host_job *seen, const int64_t *nodes,
			struct xlist *preempted, time_t start, uint8_t *in_way);

/* Of jobs that may be preempted for an ordinary one, those without a promise;
 * NULL of NULL.
 * Owner:  the caller.
 */
struct xlist *libra_ordinary_spare(struct xlist *candidates);

/* Leave out marked nodes.
 * Result: whether there was one among them, and others are left.
 */
bool libra_ordinary_around(int64_t *nodes, const uint8_t *in_way);

/* The first planned start that a job's record names, or 0. */
time_t libra_planned_begin(const struct job_record *job);

/* The record of a waiting job is new, and named another start before (or 0):
 * Slurm shall leave the job alone until then.  A later begin that its user
 * asked for stays.
 */
void libra_set_begin(struct job_record *job, time_t was);

#endif
