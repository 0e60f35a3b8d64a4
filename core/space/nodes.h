/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - what each node has free over time, for plans that name nodes.
 *
 * Where a job wants several processors of one node, memory, generic resources
 * or certain nodes, free processors of the whole machine say too little.  Then
 * (libra_engine_conf.by_node) a plan is a start and a list of spans: nodes,
 * with an amount of each resource on each of them.  Resource 0 is the
 * processors, what the others are is the host's business.
 *
 *     a job is nprocs / chunk equal tasks; a node has room for k of them if
 *     over all of the duration it has free
 *         k x chunk                   processors, and no more than node_max
 *         per_node + k x per_chunk    of each other resource
 *
 * THE INVARIANT is that of planned.h for each resource of each node.  A
 * decision allocates nothing.
 *
 * Of nodes that suit a job alike the one that is free for the shortest time is
 * taken.  Where all are alike and each job has whole ones, and the nodes of all
 * plans were found in the order of their starts, that leaves every hole of the
 * profile to who comes next: the nodes are a stack.  The n at its bottom when a
 * hole begins are taken by nobody while n are free in the profile.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_NODES_H
#define LIBRA_SPACE_NODES_H

#include "core/space/spans.h"

/* Keep how a job may be spread, for its slot; e->nslots is for a trial. */
void libra_nodes_shape(struct libra_engine *e, uint32_t slot,
		       const struct libra_where *where);

/* Room for a plan from an instant on: spans of its own.
 * Result: LIBRA_NO_SPAN if there is none.
 */
uint32_t libra_nodes_fit(struct libra_engine *e, struct libra_lanes *lanes,
			 const struct libra_reservation *plan, double start_s);

/* The spans of a job on certain processors.  What a part does not say of other
 * resources is as its slot's shape has it.
 */
uint32_t libra_nodes_spans(struct libra_engine *e, uint32_t slot,
			   const struct libra_part *parts, uint32_t nparts);

#endif
