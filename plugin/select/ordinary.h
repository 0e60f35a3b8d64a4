/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.h - read and write Slurm's jobs for policies with planned starts:
 * the cores that a job has or would get, and the begin time of a job with a
 * planned start.
 *
 * A bitmap is a bitstr_t.  Called under Slurm's job write lock and node lock,
 * in any thread.
 */
#ifndef LIBRA_SELECT_ORDINARY_H
#define LIBRA_SELECT_ORDINARY_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugin/base/types.h"

struct job_record;
struct xlist; /* a list of Slurm's */

/* Read the cores of a job from its job_resrcs into seen->parts.
 * Result: false if memory is out; then seen has no parts, and unreported is
 * set.  Owner:  the caller frees seen->parts.
 */
bool libra_parts_of(const struct job_record *job, struct libra_host_job *seen);

/* Return true if a job asks that its nodes, or more, are only for jobs of its
 * user, or of its MCS label.
 */
bool libra_wants_alone(const struct job_record *job);

/* Return true if other jobs cannot use the nodes of a job, for any reason. */
bool libra_is_alone(const struct job_record *job);

/* Return the longest time, in seconds, from the end of a job to that of its
 * epilog, besides its grace: Slurm may have to kill the job first.
 */
double libra_cleared_s(void);

/* Return true if an ordinary job may start now (libra_host_may_run(), also for
 * in_way).  start = 0: Slurm starts the job on the cores in its job_resrcs.
 * Else Slurm only tests the job, on these nodes at the instant start; a start
 * later than now is always allowed.  preempted: the jobs that Slurm would
 * preempt for the job, or NULL.  If there are any, Slurm has chosen no cores,
 * and the most that the job may get of each node counts.  seen: the job as
 * libra_view() returns it; it has no parts and victims afterwards.
 * Result: false also if memory is out.
 */
bool libra_ordinary_may(const struct job_record *job,
			struct libra_host_job *seen, const int64_t *nodes,
			struct xlist *preempted, time_t start, uint8_t *in_way);

/* Return those candidates for preemption that have no promise; NULL for NULL.
 * Owner:  the caller frees the list, but not its jobs.
 */
struct xlist *libra_ordinary_spare(struct xlist *candidates);

/* Clear in a bitmap the nodes that in_way marks.
 * Result: true if a node was cleared, and others are left.
 */
bool libra_ordinary_around(int64_t *nodes, const uint8_t *in_way);

/* Return the first planned start in a job's record, or 0. */
time_t libra_planned_begin(const struct job_record *job);

/* Set the begin time of a waiting job to the planned start in its new record,
 * so that Slurm does not test the job earlier.  was: the start in the former
 * record, or 0.  A later begin time of the user stays.
 */
void libra_set_begin(struct job_record *job, time_t was);

#endif
