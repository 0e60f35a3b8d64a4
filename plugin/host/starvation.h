/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starvation.h - the starvation guard: a reservation for the ordinary job that
 * has waited longest.
 *
 * Slurm starts an ordinary job only if it ends before a reservation needs its
 * processors.  So promises could keep an ordinary job waiting for ever.  If the
 * oldest has waited for longer than the policy's firm_age, it gets an aged
 * reservation, which does not move: one job of a group at a time.  The guard
 * skips a job for ten minutes if no reservation is found, or if Slurm does not
 * start the job within two minutes of its reservation.
 *
 * Called under the host's lock.
 */
#ifndef LIBRA_HOST_STARVATION_H
#define LIBRA_HOST_STARVATION_H

#include "plugin/host/state.h"

/* Return the id of the job whose aged reservation has begun; 0 = none.  No lock
 * of Slurm is needed.
 */
uint32_t host_starvation_due(const struct host_state *h);

/* Once a second: find the oldest job and reserve processors for it, or give up
 * the reservation of a job that does not start.  Slurm's lock of jobs is held.
 * Cost:   the number of Slurm's jobs whenever Slurm is asked: every second to
 *         every hour while no job has a reservation.
 */
void host_starvation_sync(struct host_state *h, double now_s);

#endif
