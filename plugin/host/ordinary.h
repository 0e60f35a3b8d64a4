/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.h - ordinary jobs (jobs without a promise) in groups where starts
 * are planned.
 *
 * Slurm starts ordinary jobs.  The engine knows where they run, and until when
 * by their time limits.  Before a start the engine is asked whether the job
 * ends before a reservation needs its processors.  Called under the host's lock
 * and Slurm's job write lock.
 */
#ifndef LIBRA_HOST_ORDINARY_H
#define LIBRA_HOST_ORDINARY_H

#include "plugin/host/state.h"

/* Return true if a job may start now on its parts and run to its time limit
 * without delay to a reservation.  Nodes of other groups do not count.  A node
 * that is out now counts only if a promised job waits and the job would run
 * beyond that outage.  in_way: as for libra_host_may_run().  If the job
 * preempts others and may start, a hold is noted (preemption.h).  Call
 * host_sync() first. Result: false also if memory is out.
 */
bool host_ordinary_may_run(struct host_state *h,
			   const struct libra_host_job *job, uint8_t *in_way,
			   uint32_t n);

/* Report that a job runs on its parts.  If the job was reported before, or has
 * a promise, nothing changes.  If memory is out, h->untold is set and no
 * promise is given until all running jobs were reported again.
 */
void host_ordinary_enter(struct host_state *h,
			 const struct libra_host_job *job);

/* Do the same for a job that is not tracked, but carry out no actions. */
void host_ordinary_place(struct host_state *h, const struct libra_host_job *job,
			 double now_s);

/* Return a job as the engine sees an ordinary one on nprocs processors: its
 * estimate is its time limit and an epilog, its deadline infinite.
 * host_ordinary_size() returns the size that the job would take; of *where only
 * the allowed nodes are read, and the result points to them.
 */
struct libra_job host_ordinary_job(const struct host_state *h,
				   const struct libra_host_job *job,
				   uint32_t nprocs, double now_s);
struct request_size host_ordinary_size(const struct host_state *h,
				       const struct libra_host_job *job,
				       const struct request_size *where);

/* Follow a change of a job by Slurm.  If the job waits with a reservation, that
 * is withdrawn, and made again with the new numbers (starvation.h).
 * Result: 0.
 */
int host_ordinary_changed(struct host_state *h, struct tracked_job *t,
			  double now_s);

/* Report the present time limits of running ordinary jobs to the engine, as
 * Slurm may have changed them.
 * Cost:   the number of tracked jobs.
 */
void host_ordinary_limits(struct host_state *h, double now_s);

#endif
