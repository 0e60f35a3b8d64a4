/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - match a job of Slurm with its promise.
 *
 * The record in a job's AdminComment names the offer (admin_comment.h).  At the
 * first sight of the job that offer is committed: the engine then holds it for
 * this job id.  Called under the host's lock and Slurm's job write lock.
 */
#ifndef LIBRA_HOST_MATCH_H
#define LIBRA_HOST_MATCH_H

#include <stdbool.h>

#include "plugin/engine/admin_comment.h"
#include "plugin/host/state.h"

/* Read what a job's record promises.  If the record was overwritten, take the
 * promise of the job table, and have the record written again.
 * Result: false if the job has no promise; errno is EINVAL if its record is
 *         damaged.
 * Owner:  *promise points into job->comment or the job table.
 */
bool host_read_promise(struct host_state *h, const struct libra_host_job *job,
		       struct libra_promise *promise);

/* Log that the record is damaged, if errno is EINVAL.  Call this after
 * host_read_promise() has failed, once for each job.
 */
void host_report_damage(const struct host_state *h,
			const struct libra_host_job *job);

/* Return true if the partition of a promise is no longer managed: the job is
 * then an ordinary one of Slurm's.
 */
bool host_is_unmanaged(const struct host_state *h,
		       const struct libra_promise *promise);

/* Commit an offer: t belongs to job_id from now on.
 * Result: false if the engine has no such offer, or it is committed already;
 *         then nothing has changed.
 */
bool host_commit(struct host_state *h, struct tracked_job *t, uint32_t job_id,
		 double now_s);

/* Return the tracked job of a job that has not started.  If the job is new,
 * commit the offer that its promise names, for all tasks of an array.
 * Result: NULL if there is no such offer, or it is of another epoch.
 * Owner:  the job table; the pointer is valid until the next host_jobs_add().
 */
struct tracked_job *host_match(struct host_state *h,
			       const struct libra_host_job *job,
			       const struct libra_promise *promise,
			       double now_s);

/* Return true if no job has committed the offer of a promise yet, this engine
 * has made none yet, or the promise was lost before.
 */
bool host_is_new(struct host_state *h, const struct libra_host_job *job,
		 const struct libra_promise *promise);

/* Return what is larger in a job than in its promise, or another partition: in
 * one word, static; NULL = nothing.  An update changes both, but another
 * job_submit plugin may change the request after ours.  A limit of which only
 * an upper bound is known is not compared.
 */
const char *host_differs(const struct host_state *h,
			 const struct libra_host_job *job,
			 const struct libra_promise *promise);

#endif
