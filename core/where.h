/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * where.h - assign the processors of a job with a placement constraint to
 * nodes.
 *
 * For jobs with a struct libra_where: tasks of several processors on one node,
 * limits on nodes.  Nodes are taken in the policy's order; if the job would
 * then need too many nodes, those with the most usable processors come first.
 * The caller decides which processors are usable: share policies by their
 * ledger, gang policies by the jobs on a processor, reservations by node by
 * what is free over time.  Nothing here allocates.
 */
#ifndef LIBRA_WHERE_H
#define LIBRA_WHERE_H

#include <stdint.h>

#include "core/error.h"
#include "core/job.h"

struct libra_engine;

/* The usable processors of a node. */
struct libra_node_fit {
	double key; /* of its best processor; greater = better */
	uint32_t node;
	uint32_t nprocs; /* usable in whole chunks */
	double since_s;	 /* reservations by node: free since this instant; of
			    equal keys the latest comes first */
};

/* Check the placement constraint of a job for this engine.
 * Result: 0, or -1 with EINVAL; err says what is wrong.
 */
int libra_where_check(const struct libra_engine *e, const struct libra_job *job,
		      struct libra_error *err);

/* Return how many of nprocs suitable processors on a node the job can use, in
 * whole tasks.
 */
uint32_t libra_where_whole(const struct libra_where *where, uint32_t nprocs);

/* Return how many processors to take from the next node, which has nprocs
 * usable ones, if `want` processors are missing and `used` nodes are taken
 * already.
 * Result: 0 if the constraint cannot be met like that.
 */
uint32_t libra_where_give(const struct libra_where *where, uint32_t nprocs,
			  uint32_t want, uint32_t used);

/* Choose nodes for a job: those with the greatest keys, or else those with the
 * most usable processors.  The chosen nodes come first in fits, and their
 * nprocs becomes the number to take from each.
 * Result: number of chosen nodes, or 0 if the job does not fit.
 */
uint32_t libra_where_nodes(const struct libra_job *job,
			   struct libra_node_fit *fits, uint32_t n);

#endif
