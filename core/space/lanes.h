/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lanes.h - free resources of each node over time.
 *
 * A lane is the timeline of one node: a list of steps, each with the free
 * amount of every resource.  struct libra_nodes (spans.h) has one set of lanes
 * for the current schedule and one for the trial schedule.  Only init and
 * reserve allocate.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_LANES_H
#define LIBRA_SPACE_LANES_H

#include "core/space/planned.h"

#define LIBRA_NO_SPAN UINT32_MAX /* no span, or no step */

/* The lanes of all nodes.  If the reserved steps run out, is_full is set, and
 * the lanes are incomplete until the next reset.
 */
struct libra_lanes {
	uint32_t *first; /* first step of each node */
	uint32_t *look;	 /* step at which a search begins: first, or a later one
			    while forward is set */
	uint32_t *next;	 /* step after a step, or LIBRA_NO_SPAN */
	double *from_s;
	int64_t *free; /* width amounts for each step */
	/* A stretch of time in which a node has no processor free, as the last
	 * search found it: one for each node and each part of the future
	 * (BUSY_PARTS in lanes.c); part is the one of this search.
	 */
	double *busy_from_s, *busy_to_s;
	size_t part;
	uint32_t n, cap, unused;
	bool forward; /* no search is at an earlier instant than the last one */
	bool is_full;
};

/* Return how much of a resource an empty node has.  Resource 0 is processors.
 */
static inline int64_t libra_node_all(const struct libra_engine *e,
				     uint32_t node, uint32_t resource)
{
	if (resource == 0)
		return e->nodes[node].count;
	return (int64_t)
		e->resources[(size_t)node * e->nresources + resource - 1];
}

/* Result: false if memory is out.  Call fini in either case. */
bool libra_lanes_init(struct libra_lanes *lanes, uint32_t nnodes);
void libra_lanes_fini(struct libra_lanes *lanes);

/* Reserve memory for n steps of width resources each.
 * Result: 0, or -1 with ENOMEM, and all steps are as they were.
 */
int libra_lanes_reserve(struct libra_lanes *lanes, uint64_t n, uint32_t width);

/* Reset all lanes: from now on open nodes are empty, and closed nodes have
 * nothing.
 */
void libra_lanes_reset(const struct libra_engine *e, struct libra_lanes *lanes);

/* Begin to examine nodes from an instant on: choose the stretches that
 * libra_lanes_is_busy() reads.
 */
void libra_lanes_look(const struct libra_engine *e, struct libra_lanes *lanes,
		      double from_s);

/* Return true if a node is known to have no processor free at some time in
 * [from_s, to_s).  libra_lanes_least() finds out.
 */
static inline bool libra_lanes_is_busy(const struct libra_lanes *lanes,
				       uint32_t node, double from_s,
				       double to_s)
{
	return lanes->busy_to_s[lanes->part + node] > from_s &&
	       lanes->busy_from_s[lanes->part + node] < to_s;
}

/* Clear forward: later searches begin at the first steps again. */
void libra_lanes_back(const struct libra_engine *e, struct libra_lanes *lanes);

/* Remove the steps that end before now. */
void libra_lanes_advance(const struct libra_engine *e,
			 struct libra_lanes *lanes);

/* Return true if a lane is below 0 in any resource at any time, or is_full is
 * set.
 */
bool libra_lanes_is_short(const struct libra_engine *e,
			  const struct libra_lanes *lanes);

/* Reserve (sign 1) or release (-1) the amounts of spans over [from_s, to_s).
 * A release has the same two instants as its reservation.
 */
void libra_lanes_add(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t spans, double from_s, double to_s, int sign);

/* Set a node's lane over [from_s, to_s) to all resources of the node, or to
 * nothing.
 */
void libra_lanes_set(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t node, double from_s, double to_s, bool all);

/* As add, for a running job: on a closed node only from the instant at which
 * the node is expected back.
 */
void libra_lanes_add_open(const struct libra_engine *e,
			  struct libra_lanes *lanes, uint32_t spans,
			  double from_s, double end_s, int sign);

/* Write the least free amount of each resource of a node over [from_s, to_s)
 * to free, an array of width amounts.  If a step has no processor free, the
 * steps behind it do not count.
 * Result: the instant since when the node has had the amounts that it has at
 * from_s.
 */
double libra_lanes_least(struct libra_lanes *lanes, uint32_t node,
			 double from_s, double to_s, uint32_t width,
			 int64_t *free);

/* Return the first instant in [from_s, before_s) from which a node has `amount`
 * (width amounts) free for duration_s seconds or until before_s, or INFINITY.
 * Cost: O(steps of the node).
 */
double libra_lanes_find_before(const struct libra_lanes *lanes, uint32_t node,
			       const int64_t *amount, uint32_t width,
			       double from_s, double duration_s,
			       double before_s);

/* Return true if the lanes have the amounts of spans free over [from_s, to_s).
 */
bool libra_lanes_has(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t spans, double from_s, double to_s);

#endif
