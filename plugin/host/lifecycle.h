/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifecycle.h - what happens to a job: it is looked at, starts and ends.
 */
#ifndef LIBRA_HOST_LIFECYCLE_H
#define LIBRA_HOST_LIFECYCLE_H

#include "plugin/host/state.h"

/* As the entry points of the same names in host.h.  The first sight of a job
 * matches it with its offer; where there is none any more, it asks again.
 */
enum libra_host_place host_place(struct host_state *h,
				 const struct libra_host_job *job,
				 struct libra_host_placement *placement);
void host_started(struct host_state *h, const struct libra_host_job *job,
		  struct libra_host_placement *placement);
void host_ended(struct host_state *h, uint32_t job_id);

/* The record of a job's promise; none if the job has no promise.  Owner: the
 * caller frees its comment.
 */
void host_record_again(struct host_state *h, uint32_t job_id,
		       struct libra_host_record *record);

/* As the entry points of the same names. */
void host_limited(struct host_state *h, uint32_t job_id, const char *what,
		  double now_s);
void host_keep(struct host_state *h, const struct libra_host_job *job);

/* May a waiting job start on what it was promised, or has it reason to ask for
 * a promise (again)?  Nothing is changed.  One whose promise is lost is left to
 * Slurm's own queue.
 */
enum libra_host_wanted host_wants(struct host_state *h,
				  const struct libra_host_job *job,
				  double now_s);

/* Slurm could not start it, or gave it no promise. */
void host_tried(struct host_state *h, uint32_t job_id, double now_s);

/* Has it not been tried in vain just now? */
bool host_may_try(const struct host_state *h, uint32_t job_id, double now_s);

#endif
