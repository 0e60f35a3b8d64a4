/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_record.h - compose the records of tracked jobs, and write those that
 * changed.
 *
 * A record is the text in a job's admin_comment (admin_comment.h), and all that
 * slurmctld knows after a restart.  A record is stale if the table knows more.
 *
 * Callers: plugin/host and released.c, in any thread, under the host's lock.
 * Only host_jobs_flush() writes to Slurm's job records: its caller has Slurm's
 * write lock of jobs.
 */
#ifndef LIBRA_JOBS_JOB_RECORD_H
#define LIBRA_JOBS_JOB_RECORD_H

#include "plugin/jobs/job_table.h"
#include "plugin/engine/admin_comment.h"

/* Fill in a promise from a job, without its processors and planned starts. */
void host_job_promise(const struct host_jobs *jobs, const struct tracked_job *t,
		      uint32_t tasks, struct libra_promise *promise);

/* Compose the record of a job, or of an array's tasks from this one on.
 * Processors are named only after the offer was committed: an offer that
 * expires can no longer be removed from the record.
 * Result: the text, or NULL with ENOMEM.
 * Owner:  the caller frees the text.
 */
char *host_job_comment(const struct host_jobs *jobs,
		       const struct tracked_job *t, uint32_t tasks);

/* Return the earliest planned start of a job, or of an array's waiting tasks:
 * Slurm has one begin time for all of them.  *latest_s is the latest instant to
 * which one of them may move.  Cost: O(tasks).
 */
double host_job_planned_starts(const struct host_jobs *jobs,
			       const struct tracked_job *t, uint32_t tasks,
			       double *latest_s);

/* Fill in a job's record; for a waiting task of an array, the record of all its
 * waiting tasks.  If memory runs out, the comment is NULL.
 * Owner:  the caller frees record->comment.
 */
void host_job_record(const struct host_jobs *jobs, const struct tracked_job *t,
		     struct libra_host_record *record);

/* If a job's record is stale, fill in the new one, as host_job_record() does;
 * the caller writes it.  If memory runs out, the record stays stale.  For an
 * ordinary job, or a record that is not stale, *record is unchanged.
 */
void host_job_hand_over(struct tracked_job *t, const struct host_jobs *jobs,
			struct libra_host_record *record);

/* Write stale records for about 50 microseconds.  If some remain after d
 * seconds, calls within the next 20 d do nothing.
 * Result: true if stale records remain.
 */
bool host_jobs_flush(struct host_jobs *jobs);

#endif
