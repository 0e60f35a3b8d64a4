/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * where.h - how a job that cannot run just anywhere is spread over nodes.
 *
 * For jobs with a struct libra_where: tasks of several processors on one node,
 * limits on nodes.  Nodes are taken in the policy's order; if that needs too
 * many of them, those with the most usable processors come first.  Which
 * processors are usable is decided elsewhere: share policies ask their ledger,
 * gang policies who is bound, plans by node what is free over time.
 */
#ifndef LIBRA_WHERE_H
#define LIBRA_WHERE_H

#include <stdint.h>

#include "core/error.h"
#include "core/job.h"

struct libra_engine;

/* A node's suitable processors. */
struct libra_node_fit {
	double key; /* of its best processor */
	uint32_t node;
	uint32_t nprocs; /* usable in whole chunks */
	double since_s;	 /* of equal nodes the last comes first */
};

/* Is the where of a job sound for this engine?
 * Result: 0, or -1 with EINVAL and what is wrong.
 */
int libra_where_check(const struct libra_engine *e, const struct libra_job *job,
		      struct libra_error *err);

/* Of so many suitable processors of a node, those that can be used. */
uint32_t libra_where_whole(const struct libra_where *where, uint32_t nprocs);

/* What the next node, with so many usable processors, gives of the want that
 * are missing after used nodes; 0 if the shape does not work out like that.
 */
uint32_t libra_where_give(const struct libra_where *where, uint32_t nprocs,
			  uint32_t want, uint32_t used);

/* Which nodes give how many: the greatest keys first, or else those with the
 * most usable processors.  The nodes used come first, and nprocs becomes what
 * each of them gives.
 * Result: nodes used, or 0 if the job has no room in its shape.
 */
uint32_t libra_where_nodes(const struct libra_job *job,
			   struct libra_node_fit *fits, uint32_t n);

#endif
