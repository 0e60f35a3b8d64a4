/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - match a job of Slurm with its promise.
 *
 * The record in a job's AdminComment names the offer (admin_comment.h).  At the
 * first sight of the job that offer is committed: the engine then holds it for
 * this job id.
 *
 * Callers: lifecycle.c, restore.c and update.c, in any thread, under the host's
 * lock and Slurm's job write lock.  unclaimed.c calls host_commit() with the
 * read lock.  No function needs memory or writes to Slurm's job records.
 */
#ifndef LIBRA_HOST_MATCH_H
#define LIBRA_HOST_MATCH_H

#include <stdbool.h>

#include "plugin/engine/admin_comment.h"
#include "plugin/host/state.h"

/* Read the promise in a job's record.  If the record was overwritten, read the
 * promise of the waiting job in the job table instead, and mark the record as
 * stale: then the host writes the record again.
 * Result: false if the job has no promise; errno is EINVAL if the record is
 *         damaged, else ENOENT.
 * Owner:  *promise points into job->comment or the job table.
 */
bool host_read_promise(struct host_state *h, const struct libra_host_job *job,
		       struct libra_promise *promise);

/* If errno is EINVAL, log that the record is damaged.  Call this after
 * host_read_promise() has failed, once for each job.
 */
void host_report_damage(const struct host_state *h,
			const struct libra_host_job *job);

/* Return true if this group no longer manages the partition of a promise.  The
 * job is then an ordinary one.
 */
bool host_is_unmanaged(const struct host_state *h,
		       const struct libra_promise *promise);

/* Commit the offer t for a job.  The job table finds t by job_id from now on,
 * and the decision log gets the event "promised".
 * Result: false if the engine has no such offer, or the offer is committed
 *         already; then nothing has changed.
 */
bool host_commit(struct host_state *h, struct tracked_job *t, uint32_t job_id,
		 double now_s);

/* Return the tracked job of a job that has not started.  If the table does not
 * know the job id, commit the offers that the promise names, for all tasks of
 * an array.  If the job was a task of an array and has an id of its own now,
 * assign it the ticket of one task.
 * Result: NULL if the table knows neither the job id nor the offer; an offer of
 *         another epoch or with number 0 is unknown.
 * Owner:  the job table; the pointer is valid until the next host_jobs_add().
 */
struct tracked_job *host_match(struct host_state *h,
			       const struct libra_host_job *job,
			       const struct libra_promise *promise,
			       double now_s);

/* Return true if the table does not track the job as waiting, and no job uses
 * the promise: its offer is open, or has number 0 (the job waits for its first
 * offer from this engine), or is unknown and the record says that the promise
 * is lost.
 */
bool host_is_new(struct host_state *h, const struct libra_host_job *job,
		 const struct libra_promise *promise);

/* Return the name of the first difference between a job and its promise, which
 * another job_submit plugin has made: another partition, more processors, or,
 * if starts are planned, a longer time limit.  scontrol update makes no
 * difference, as an update changes the promise, too.  If job->minutes is only
 * an upper bound (job->longest), the limit is not compared.
 * Result: "partition", "processors" or "limit", static; NULL = none.
 */
const char *host_differs(const struct host_state *h,
			 const struct libra_host_job *job,
			 const struct libra_promise *promise);

#endif
