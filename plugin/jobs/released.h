/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * released.h - the records of waiting jobs that released their promise.
 *
 * A restart of slurmctld restores what a record says.  So the record of a job
 * that is not over, but whose processors others may have by now, shall name
 * none; it is written when the caller may write records.
 */
#ifndef LIBRA_JOBS_RELEASED_H
#define LIBRA_JOBS_RELEASED_H

#include "plugin/jobs/job_table.h"

struct released_job {
	uint32_t job_id;
	bool lost; /* it is promised nothing again */
	struct libra_host_record record;
};

struct host_released {
	struct released_job *jobs;
	uint32_t n, cap;
};

/* A job that is not over releases what it was promised, for good if its promise
 * is lost.
 */
void host_release(struct host_released *released, struct host_jobs *jobs,
		  struct tracked_job *t, bool lost, double now_s);

/* Is that so of a job whose record does not say it yet? */
bool host_released_is_lost(const struct host_released *released,
			   uint32_t job_id);

/* Write the records of those that have been promised nothing since. */
void host_released_flush(struct host_released *released,
			 const struct host_jobs *jobs);

/* A job's record has been written in another way; 0 = all. */
void host_released_forget(struct host_released *released, uint32_t job_id);

#endif
