/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement.h - choose processors for a job that cannot run just anywhere.
 *
 * For jobs with a struct libra_where: only some processors allowed, tasks of
 * several processors on one node, limits on nodes.  Nodes are taken in the
 * policy's order (the best processor of a node counts), processors of a node
 * likewise; if that needs too many nodes, the nodes with the most suitable
 * processors come first.  Nothing here decides what suits.  Gang policies,
 * which have no ledger, take the rules for nodes alone.
 */
#ifndef LIBRA_PLACEMENT_H
#define LIBRA_PLACEMENT_H

#include "core/engine_impl.h"
#include "core/share/ledger.h"

/* Which rows suit, and how well: greater keys first. */
struct libra_choice {
	const bool *suits; /* per row */
	const double *key; /* per row */
};

/* A node's suitable processors. */
struct libra_node_fit {
	double key; /* of its best processor */
	uint32_t node;
	uint32_t nprocs; /* usable in whole chunks */
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
uint32_t libra_fit_nodes(const struct libra_job *job,
			 struct libra_node_fit *fits, uint32_t n);

/* Choose: picks of the ledger, to be added or unpicked.
 * Result: 0, 1 if there are too few suitable processors in that shape, or -1
 *         with ENOMEM; then nothing is picked.
 * Owner:  fits has room for all nodes of the engine.
 * Cost:   O(nodes x log nodes + runs), and per node taken O(its runs squared).
 */
int libra_place(const struct libra_engine *e, struct libra_ledger *ledger,
		const struct libra_job *job, const struct libra_choice *choice,
		struct libra_node_fit *fits);

#endif
