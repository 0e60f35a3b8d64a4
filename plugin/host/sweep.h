/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep.h - release promises that jobs cannot use any more.
 *
 * Once a second the sweep asks Slurm for the state of each tracked job.  Called
 * under the host's lock and Slurm's lock of jobs, to read at least.
 */
#ifndef LIBRA_HOST_SWEEP_H
#define LIBRA_HOST_SWEEP_H

#include "plugin/host/state.h"

/* Return true if a job may start, but its deadline passed more than
 * libra_offer_ttl ago.
 */
bool host_is_overdue(struct host_state *h, struct tracked_job *t, double now_s);

/* Release the promises of all waiting tasks of an overdue job, and log that.  t
 * is invalid afterwards.
 */
void host_give_up(struct host_state *h, struct tracked_job *t, double now_s);

/* Sweep all jobs.  Release the promise of a waiting job that is gone, overdue,
 * or barred by a rule for 5 s.  Release it also if the job was held, or was
 * held back by a limit, for longer than libra_offer_ttl.  Mark records that
 * were overwritten, to be written again.  If the last full sweep took d seconds
 * and ended less than 20 d ago, do nothing.
 * Result: the number of released promises.
 * Cost:   the number of tracked jobs.
 */
uint32_t host_sweep(struct host_state *h, double now_s);

/* Sweep the next jobs of this second (host_state.sweep.left).
 * Cost:   64 jobs, or 4 released promises, at most.
 */
void host_sweep_some(struct host_state *h, double now_s);

#endif
