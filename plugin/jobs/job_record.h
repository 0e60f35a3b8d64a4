/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_record.h - what the records of tracked jobs say, and when it is written.
 *
 * A record is stale where the table knows better than Slurm's job record does;
 * slurmctld reads the records alone when it starts again.
 */
#ifndef LIBRA_JOBS_JOB_RECORD_H
#define LIBRA_JOBS_JOB_RECORD_H

#include "plugin/jobs/job_table.h"
#include "plugin/engine/admin_comment.h"

/* What a job's record says, but for where it is. */
void host_job_promise(const struct host_jobs *jobs, const struct tracked_job *t,
		      uint32_t tasks, struct libra_promise *promise);

/* The text of a job's record, or of the tasks of an array from it on.  Until
 * its offer is committed it names no processors: an offer that expires is not
 * promised any more, and nobody could take them out of the record again.
 * Result: for the caller to free, or NULL with ENOMEM.
 */
char *host_job_comment(const struct host_jobs *jobs,
		       const struct tracked_job *t, uint32_t tasks);

/* The record of a job; without a comment if there is no memory. */
void host_job_record(const struct host_jobs *jobs, const struct tracked_job *t,
		     struct libra_host_record *record);

/* What a job's record says from now on, if it is stale: for the caller to
 * write.
 */
void host_job_hand_over(struct tracked_job *t, const struct host_jobs *jobs,
			struct libra_host_record *record);

/* Write some of the records that are stale, unless many were just written.
 * Result: are there more?
 */
bool host_jobs_flush(struct host_jobs *jobs);

#endif
