/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * released.h - the records of waiting jobs that released their promise.
 *
 * After a restart, slurmctld restores what a record contains.  If a waiting job
 * has released its promise, other jobs may have its processors, so its record
 * must name none.  The new record is kept here until a caller with Slurm's
 * write lock of jobs writes it.
 *
 * Callers: plugin/host, in any thread, under the host's lock.
 */
#ifndef LIBRA_JOBS_RELEASED_H
#define LIBRA_JOBS_RELEASED_H

#include "plugin/jobs/job_table.h"

struct released_job {
	uint32_t job_id;
	bool lost; /* the job cannot get a promise again */
	struct libra_host_record record;
};

struct host_released {
	struct released_job *jobs;
	uint32_t n, cap;
};

/* Release the promise of a waiting job, and remove the job from the table; t is
 * invalid afterwards.  lost: the job gets no other promise.  cause: for the
 * decision log.  If memory runs out, the old record stays, and a restart would
 * restore the promise.
 */
void host_release(struct host_released *released, struct host_jobs *jobs,
		  struct tracked_job *t, bool lost, const char *cause,
		  double now_s);

/* Return true if a job lost its promise and its record is not written yet. */
bool host_released_is_lost(const struct host_released *released,
			   uint32_t job_id);

/* Write the kept records of all jobs that are not in the table again, then
 * forget all.  The caller has Slurm's write lock of jobs.
 */
void host_released_flush(struct host_released *released,
			 const struct host_jobs *jobs);

/* Forget a job whose record was written in another way; job_id 0: forget all.
 */
void host_released_forget(struct host_released *released, uint32_t job_id);

#endif
