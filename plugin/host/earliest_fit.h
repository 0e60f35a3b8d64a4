/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * earliest_fit.h - when an ordinary job would start beside jobs whose starts
 * are planned.
 */
#ifndef LIBRA_HOST_EARLIEST_FIT_H
#define LIBRA_HOST_EARLIEST_FIT_H

#include "plugin/host/state.h"

/* The earliest start of a job on some of Slurm's nodes (nodes: 1 each), if
 * those that are ahead of it start first, in this order, and nobody moves a
 * plan for it: each is planned as if it had waited for firm_age, and taken
 * back.  Of those ahead at most LIBRA_FIT_AHEAD count.
 * Result: an instant; INFINITY if there is none; NAN if none of the nodes is of
 *         this group.
 */
double host_earliest_fit_s(struct host_state *h,
			   const struct libra_host_job *job,
			   const uint8_t *nodes, uint32_t nnodes,
			   const struct libra_host_job *ahead, uint32_t nahead);

#endif
