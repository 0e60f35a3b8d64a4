/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifecycle.h - follow a job from the first test by Slurm over its start to its
 * end.
 *
 * Called by the functions of the same names in host.h, which describe arguments
 * and results: under the host's lock and Slurm's job write lock, but
 * host_may_try() without a lock of Slurm.
 */
#ifndef LIBRA_HOST_LIFECYCLE_H
#define LIBRA_HOST_LIFECYCLE_H

#include "plugin/host/state.h"

/* host_place() matches a new job with the offer that its record names
 * (match.h).  If that offer is gone, host_place() asks the engine for another,
 * unless job->look_only is set.
 */
enum libra_host_place host_place(struct host_state *h,
				 const struct libra_host_job *job,
				 struct libra_host_placement *placement);
void host_started(struct host_state *h, const struct libra_host_job *job,
		  struct libra_host_placement *placement);
void host_ended(struct host_state *h, uint32_t job_id);

/* Read the present record of a job's promise.  If the job has no promise,
 * *record stays as it is.  If memory is out, record->comment is NULL.
 * Owner:  the caller frees record->comment.
 */
void host_record_again(struct host_state *h, uint32_t job_id,
		       struct libra_host_record *record);

void host_limited(struct host_state *h, uint32_t job_id, const char *what,
		  double now_s);
void host_keep(struct host_state *h, const struct libra_host_job *job);

/* Return whether Slurm should test a waiting job now, because the job may start
 * on its promised processors, or should ask for a promise.  A job that lost its
 * promise is left to Slurm's queue: LIBRA_NOT_WANTED.
 */
enum libra_host_wanted host_wants(struct host_state *h,
				  const struct libra_host_job *job,
				  double now_s);

/* Note that Slurm could not start a job: wait 0.2 s before the next try, twice
 * as long after each further failure, up to 15 s.  A START by the engine ends
 * the wait.
 */
void host_tried(struct host_state *h, uint32_t job_id, double now_s);

/* Return false while a job waits after a failed try.  The wait is 0.2 s once a
 * job has ended or capacity was freed since.
 */
bool host_may_try(const struct host_state *h, uint32_t job_id, double now_s);

#endif
