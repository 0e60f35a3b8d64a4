/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.h - ordinary jobs (jobs without a promise) in groups where starts
 * are planned.
 *
 * Slurm starts ordinary jobs.  The engine knows where they run, and until when
 * by their time limits.  Before a start the engine is asked whether the job
 * ends before a reservation needs its processors.
 *
 * Callers: host.c, sync.c, starvation.c, resize.c, earliest_fit.c and update.c,
 * in any thread, under the host's lock and Slurm's lock of jobs: to write for
 * host_ordinary_may_run() and host_ordinary_enter(), for the others to read at
 * least.
 */
#ifndef LIBRA_HOST_ORDINARY_H
#define LIBRA_HOST_ORDINARY_H

#include "plugin/host/state.h"

/* Return true if a job may start now on its parts and run to its time limit
 * without delay to a reservation.  Only parts on open nodes of this group
 * count, as no reservation begins on a closed node or during an outage.  But if
 * the job would run beyond the outage of one of its nodes, and a promised job
 * waits, return false.  in_way: as for libra_host_may_run().  If the job
 * preempts others and may start, a hold is noted (preemption.h).  Call
 * host_sync() first.
 * Result: false also if memory is out.
 */
bool host_ordinary_may_run(struct host_state *h,
			   const struct libra_host_job *job, uint8_t *in_way,
			   uint32_t n);

/* Report to the engine and the job table that a job runs on its parts.  If the
 * job was reported before, or has a promise, nothing changes.  If memory is
 * out, h->unreported is set, and no promise is given until all running jobs
 * were reported again.
 */
void host_ordinary_enter(struct host_state *h,
			 const struct libra_host_job *job);

/* Report to the engine and the job table that a job runs on its parts.  The job
 * must not be in the table.  The caller then carries out the engine's actions
 * (actions.h).  If memory is out: as for host_ordinary_enter().
 */
void host_ordinary_place(struct host_state *h, const struct libra_host_job *job,
			 double now_s);

/* Return a job as the engine sees an ordinary one on nprocs processors.  Its
 * estimate is its time limit and the time of an epilog.  Its deadline is
 * infinite.
 */
struct libra_job host_ordinary_job(const struct host_state *h,
				   const struct libra_host_job *job,
				   uint32_t nprocs, double now_s);

/* Return the size that an ordinary job asks for.  Of *where, only allowed and
 * nallowed are read: the nodes that the job may use.
 * Owner:  the result points to where->allowed.
 */
struct request_size host_ordinary_size(const struct host_state *h,
				       const struct libra_host_job *job,
				       const struct request_size *where);

/* Note that Slurm has changed a job.  If the job waits with an aged
 * reservation, the reservation is withdrawn and t is removed; the starvation
 * guard makes another one with the new numbers.
 * Result: 0, for host_update() to return.
 */
int host_ordinary_changed(struct host_state *h, struct tracked_job *t,
			  double now_s);

/* Report to the engine the present time limits of running ordinary jobs, as
 * Slurm may have changed them.
 * Cost:   the number of tracked jobs.
 */
void host_ordinary_limits(struct host_state *h, double now_s);

#endif
