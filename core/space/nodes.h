/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - find nodes for a reservation.
 *
 * If a job wants several processors of one node, memory, generic resources or
 * certain nodes, the free processors of the whole machine are not enough to
 * decide.  By node (libra_engine_conf.by_node) a reservation is a start and a
 * list of spans: nodes, with an amount of each resource on each node.
 * Resource 0 is processors; the host defines the others.
 *
 *     a job is nprocs / chunk equal tasks; a node has room for k tasks if over
 *     all of the duration it has free
 *         k x chunk                   processors, and no more than node_max
 *         per_node + k x per_chunk    of each other resource
 *
 * THE INVARIANT of planned.h holds for each resource of each node.  No
 * function here allocates memory.
 *
 * A job gets, of equally suitable nodes, those that have been free for the
 * shortest time.  This leaves every gap of the timeline to the next job, if
 * all nodes are alike, each job has whole nodes, and nodes were assigned in
 * order of starts.  Proof: the nodes are a stack.  While n nodes are free on
 * the timeline, no job takes the n nodes that were at the bottom when the gap
 * began.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_NODES_H
#define LIBRA_SPACE_NODES_H

#include "core/space/spans.h"

/* Store the placement constraint of a slot's job (NULL: none); slot e->nslots
 * is for a job that is only tried.  Copies what it needs of `where`.  Without
 * effect if reservations are not by node.
 */
void libra_nodes_shape(struct libra_engine *e, uint32_t slot,
		       const struct libra_where *where);

/* Find nodes for a reservation over [start_s, start_s + duration_s).  The
 * lanes do not change.
 * Result: spans that the caller frees, or LIBRA_NO_SPAN if there is no room.
 * Cost: O(nodes), and the steps in that time.
 */
uint32_t libra_nodes_fit(struct libra_engine *e, struct libra_lanes *lanes,
			 const struct libra_reservation *plan, double start_s);

/* Try a reservation at several starts, none earlier than the last: call _search
 * once, then _fit_later for each start.  Between these calls the lanes may only
 * lose free resources, by reservations.  _fit_later returns the same nodes as
 * libra_nodes_fit().
 * Cost: for each start O(nodes / LIBRA_NODE_RANGE) comparisons, a copy for each
 * node with room, and a visit to each node whose room is not known: at the
 * first start all nodes, later those on which a step has begun or ended.
 */
void libra_nodes_search(struct libra_engine *e);
uint32_t libra_nodes_fit_later(struct libra_engine *e,
			       struct libra_lanes *lanes,
			       const struct libra_reservation *plan,
			       double start_s);

/* Note that a search by _fit_later, from now on, has reached start_s on the
 * current schedule, with `more` processors left free: there is no earlier
 * start.
 */
void libra_nodes_note_reached(struct libra_engine *e,
			      const struct libra_reservation *plan,
			      uint32_t more, double start_s);

/* Return the instant before which a reservation has no start on the current
 * schedule, with `more` processors left free.  This is known if the last search
 * that was noted was for an equal reservation, and no more has become free
 * since; else return -INFINITY.  _fit_later may go on at that instant without
 * _search.
 * Cost: O(nodes / 64).
 */
double libra_nodes_none_before_s(const struct libra_engine *e,
				 const struct libra_reservation *plan,
				 uint32_t more);

/* While reservations are by count: return spans of the first nodes that are
 * free now for a job that starts now; the caller frees them.  LIBRA_NO_SPAN if
 * there are too few.
 * Cost: O(nodes / 64 + nodes of the job).
 */
uint32_t libra_nodes_first(struct libra_engine *e,
			   const struct libra_reservation *plan);

/* Return the spans of a job on the processors in parts; the caller frees the
 * spans.  If a part does not name amounts of other resources, they follow from
 * the slot's placement constraint.
 */
uint32_t libra_nodes_spans(struct libra_engine *e, uint32_t slot,
			   const struct libra_part *parts, uint32_t nparts);

#endif
