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
 * order of starts.  Proof: the free nodes are a stack, and the node that was
 * freed last is on top.  A job takes nodes from the top.  While the timeline
 * has n nodes free, no job takes the n nodes at the bottom.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_NODES_H
#define LIBRA_SPACE_NODES_H

#include "core/space/spans.h"

/* Store the placement constraint of the job in a slot (NULL: no constraint).
 * Slot e->nslots is for a job that is only tried.  `where` stays the caller's:
 * the function copies what it needs.  Without effect if reservations are not by
 * node, or if no memory is reserved for the slot (libra_nodes_reserve()).
 * Cost: O(nodes); O(1) without a constraint.
 */
void libra_nodes_shape(struct libra_engine *e, uint32_t slot,
		       const struct libra_where *where);

/* Find nodes for a reservation over [start_s, start_s + duration_s).  The
 * function reads only shape, nprocs and duration_s of the reservation.  The
 * function reserves nothing; the lanes only note which steps the function has
 * read.  A search (see below) stays valid.
 * Result: spans that the caller frees (libra_spans_free()).  LIBRA_NO_SPAN if
 *         there is no room, or if the pool of spans is empty.
 * Cost:   O(nodes x slots of that time / LIBRA_PEAK_NODES), and a visit to each
 *         node that the peaks (peaks.h) do not exclude: O(its steps in that
 *         time).  If the start is now, a visit only to the nodes that are not
 *         steady (steady.h), and to those that the job gets.
 */
uint32_t libra_nodes_fit(struct libra_engine *e, struct libra_lanes *lanes,
			 const struct libra_reservation *plan, double start_s);

/* Search: try a reservation at several starts, none earlier than the last.
 * Call _search once, then _fit_later for each start.  _fit_later returns the
 * same spans as libra_nodes_fit(), and the caller frees the spans.
 *
 * An engine has one search at a time: the current and the trial lanes share its
 * memory (libra_nodes.known).  _search discards the search before.  From
 * _search until the last _fit_later the caller
 *     passes the same lanes, and reservations with equal shape, nprocs and
 *         duration_s
 *     may reserve spans on the lanes (libra_lanes_add() with sign 1)
 *     must not release spans, reset the lanes or call libra_lanes_set()
 *     must not call libra_schedule_find(), which searches itself
 * _fit_later does not check this.
 *
 * Cost: O(nodes) for _search.  For each start a comparison for each
 *       LIBRA_NODE_RANGE nodes, a copy of each node with room, and a visit, as
 *       for libra_nodes_fit(), to each node whose room is not known: at the
 *       first start those that no equal search has visited, later those on
 *       which spans were reserved, and those on which a step has begun or ended
 *       that decided the room.
 */
void libra_nodes_search(struct libra_engine *e);
uint32_t libra_nodes_fit_later(struct libra_engine *e,
			       struct libra_lanes *lanes,
			       const struct libra_reservation *plan,
			       double start_s);

/* End a search: no later search goes on where it has come to.  Cost: O(1). */
void libra_nodes_end_search(struct libra_engine *e);

/* Note how far a search on the current lanes has come: the reservation has no
 * start in [e->now_s, start_s) that leaves `more` processors free.  A search
 * for an equal reservation can then go on at start_s.  Call this after _search;
 * start_s itself may be tried afterwards.  If _fit_later has tried a start
 * after start_s, the timeline must have no start before that one, from start_s
 * on.
 * Cost: O(nodes / 64).
 */
void libra_nodes_note_reached(struct libra_engine *e,
			      const struct libra_reservation *plan,
			      uint32_t more, double start_s);

/* Return the instant before which a reservation has no start on the current
 * schedule that leaves `more` processors free.  The instant is known if
 *     the last search was noted and not ended, with the same `more`, for a
 *         reservation with equal shape, nprocs and duration_s
 *     nothing has been released on the current lanes since
 *     no try was adopted since (libra_replan_adopt_starts())
 * Otherwise return -INFINITY.  If the instant is known, _fit_later may go on at
 * that instant, or later, without _search.  The instant may be before
 * e->now_s.  Call libra_reservations_refresh() before.
 * Cost: O(nodes / 64).
 */
double libra_nodes_none_before_s(const struct libra_engine *e,
				 const struct libra_reservation *plan,
				 uint32_t more);

/* While reservations are by count: return spans of the first nodes that are
 * free now, for a job that starts now.  The caller frees the spans.  The caller
 * has tested that the job fits beside the reservations.
 * Result: LIBRA_NO_SPAN if too few suitable nodes are free, or if the pool of
 *         spans is empty.
 * Cost:   O(nodes / 64 + nodes of the job).
 */
uint32_t libra_nodes_first(struct libra_engine *e,
			   const struct libra_reservation *plan);

/* Return the spans of the job in a slot on the processors in parts.  The caller
 * frees the spans.  Parts on one node follow one another, and share a span.  If
 * a part names amounts of other resources, these are the amounts on each of its
 * nodes.  If a part names none, the amounts follow from the slot's placement
 * constraint.  The function does not test whether the processors are free.
 * Result: the list, which is incomplete if the pool of spans is empty.
 * Cost:   O(spans x log nodes).
 */
uint32_t libra_nodes_spans(struct libra_engine *e, uint32_t slot,
			   const struct libra_part *parts, uint32_t nparts);

#endif
