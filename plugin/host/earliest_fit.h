/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * earliest_fit.h - forecast the start of an ordinary job where starts are
 * planned, for sbatch --test-only.
 *
 * Called by libra_host_earliest_fit_s(), under the host's lock and Slurm's job
 * write lock.
 */
#ifndef LIBRA_HOST_EARLIEST_FIT_H
#define LIBRA_HOST_EARLIEST_FIT_H

#include "plugin/host/state.h"

/* Return the earliest start of a job on some of Slurm's nodes (nodes[i] = 1),
 * after the jobs ahead of it in this order.  At most LIBRA_FIT_AHEAD of these
 * count.  Each job gets a reservation as the starvation guard would make it,
 * without moving any other.  All of them are withdrawn before the return.
 * Result: an instant; INFINITY: never; NAN if no node belongs to this group, or
 *         memory is out.
 */
double host_earliest_fit_s(struct host_state *h,
			   const struct libra_host_job *job,
			   const uint8_t *nodes, uint32_t nnodes,
			   const struct libra_host_job *ahead, uint32_t nahead);

#endif
