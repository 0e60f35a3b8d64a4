/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * earliest_fit.h - forecast the start of an ordinary job in a group whose
 * policy plans starts, for sbatch --test-only.
 *
 * Called by libra_host_earliest_fit_s(), in the thread of the request, under
 * the host's lock and Slurm's job write lock.
 */
#ifndef LIBRA_HOST_EARLIEST_FIT_H
#define LIBRA_HOST_EARLIEST_FIT_H

#include "plugin/host/state.h"

/* Return the earliest start of an ordinary job on some of Slurm's nodes
 * (nodes[i] = 1).  First each of the jobs in ahead gets a reservation, in their
 * order, but at most LIBRA_FIT_AHEAD of them.  Then the job itself gets one.
 * The starvation guard reserves in the same way: no other reservation moves.
 * All new reservations are withdrawn before the return.  A pointer to a tracked
 * job may be invalid afterwards.
 * Result: an instant; INFINITY: never, or memory is out; NAN: none of the nodes
 *         belongs to this group.
 */
double host_earliest_fit_s(struct host_state *h,
			   const struct libra_host_job *job,
			   const uint8_t *nodes, uint32_t nnodes,
			   const struct libra_host_job *ahead, uint32_t nahead);

#endif
