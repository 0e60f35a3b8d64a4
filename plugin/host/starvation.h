/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starvation.h - the starvation guard: a reservation for the ordinary job that
 * has waited longest.
 *
 * Slurm starts an ordinary job only if it ends before a reservation needs its
 * processors.  So promises could keep an ordinary job waiting for ever.  If the
 * oldest has waited for longer than the policy's firm_age, it gets an aged
 * reservation, which does not move: one job of a group at a time.  The guard
 * gives up a job if it finds no reservation twice in a row, if Slurm has not
 * started the job two minutes after it could, or if too few nodes are open for
 * two minutes.  Then it skips this job and all older ones, until no job was
 * given up for ten minutes.
 *
 * Called in any thread, under the host's lock.
 */
#ifndef LIBRA_HOST_STARVATION_H
#define LIBRA_HOST_STARVATION_H

#include "plugin/host/state.h"

/* Return the id of the job whose aged reservation has begun and which may start
 * now; 0 = none.  No lock of Slurm is needed.
 * Cost:   the number of tracked jobs.
 */
uint32_t host_starvation_due(const struct host_state *h);

/* Once a second: find the oldest job and reserve processors for it, or give up
 * the reservation of a job that does not start.  The caller holds Slurm's locks
 * of jobs and nodes, to read at least.
 * Cost:   the number of tracked jobs.  Each question to Slurm also costs the
 *         number of Slurm's jobs: while no job has a reservation, one every 1
 *         to 60 s; after jobs were given up, down to one an hour.
 */
void host_starvation_sync(struct host_state *h, double now_s);

#endif
