/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.h - jobs without a promise, on nodes whose starts are planned.
 *
 * Slurm starts them.  The engine knows where they run and until when, by their
 * time limits; and it says of each that would start whether it ends before a
 * plan needs its place.
 */
#ifndef LIBRA_HOST_ORDINARY_H
#define LIBRA_HOST_ORDINARY_H

#include "plugin/host/state.h"

/* May a job start now on its parts and run to its limit?  True for what is not
 * on nodes of this group, and where it is over before an outage of its nodes
 * is.  in_way as in libra_host_may_run().  The caller calls host_sync() first.
 */
bool host_ordinary_may_run(struct host_state *h,
			   const struct libra_host_job *job, uint8_t *in_way,
			   uint32_t n);

/* The job runs on its parts.  Told again, or of a job with a promise, it is
 * nothing new.  Where memory is out for it or its parts the state is untold.
 */
void host_ordinary_enter(struct host_state *h,
			 const struct libra_host_job *job);

/* Likewise, of a job that is not tracked; no action follows. */
void host_ordinary_place(struct host_state *h, const struct libra_host_job *job,
			 double now_s);

/* As the engine sees a job without a promise on so many processors; and what it
 * would take: where it wants more of a node than a core, its CPUs.  Of where
 * only the nodes count, which it may have.
 */
struct libra_job host_ordinary_job(const struct host_state *h,
				   const struct libra_host_job *job,
				   uint32_t nprocs, double now_s);
struct request_size host_ordinary_size(const struct host_state *h,
				       const struct libra_host_job *job,
				       const struct request_size *where);

/* Slurm is about to change the job.  Result: 0. */
int host_ordinary_changed(struct host_state *h, struct tracked_job *t,
			  double now_s);

/* Tell the engine the time limits of jobs that run, as Slurm may have changed
 * them.
 */
void host_ordinary_limits(struct host_state *h, double now_s);

#endif
