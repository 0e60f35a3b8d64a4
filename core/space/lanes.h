/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lanes.h - what each node has free over time, as a line of steps for each: one
 * for the plans there are, and one to try others (nodes.h).
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_LANES_H
#define LIBRA_SPACE_LANES_H

#include "core/space/planned.h"

#define LIBRA_NO_SPAN UINT32_MAX /* nor a step */

/* What is free on all nodes: a list of steps for each.  Neither steps nor spans
 * are ever more than were reserved: what has no room makes a line short.
 */
struct libra_lanes {
	uint32_t *first; /* step of each node */
	uint32_t *look;	 /* where to look from: first, or forward of it */
	uint32_t *next;	 /* step after a step, or LIBRA_NO_SPAN */
	double *from_s;
	int64_t *free; /* width of them for each step */
	uint32_t n, cap, unused;
	bool forward; /* each look is at the instant of the last or later */
	bool is_full;
};

/* A resource of a node when it is empty; 0 is its processors. */
static inline int64_t libra_node_all(const struct libra_engine *e,
				     uint32_t node, uint32_t resource)
{
	if (resource == 0)
		return e->nodes[node].count;
	return (int64_t)
		e->resources[(size_t)node * e->nresources + resource - 1];
}

/* Result: false where memory is out; fini in any case. */
bool libra_lanes_init(struct libra_lanes *lanes, uint32_t nnodes);
void libra_lanes_fini(struct libra_lanes *lanes);

/* Room for n steps of so many resources.
 * Result: 0, or -1 with ENOMEM, and all steps are as they were.
 */
int libra_lanes_reserve(struct libra_lanes *lanes, uint32_t n, uint32_t width);

/* All nodes that are open are free from now on. */
void libra_lanes_reset(const struct libra_engine *e, struct libra_lanes *lanes);

/* Look from the first steps on again. */
void libra_lanes_back(const struct libra_engine *e, struct libra_lanes *lanes);

/* Forget what was before now. */
void libra_lanes_advance(const struct libra_engine *e,
			 struct libra_lanes *lanes);

/* Is somewhere less than nothing of something? */
bool libra_lanes_is_short(const struct libra_engine *e,
			  const struct libra_lanes *lanes);

/* Spans take (sign 1) or give (-1) what they have from one instant to another.
 * What is given was taken with the same instants.
 */
void libra_lanes_add(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t spans, double from_s, double to_s, int sign);

/* A node has all of its own, or nothing, from one instant to another. */
void libra_lanes_set(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t node, double from_s, double to_s, bool all);

/* Take spans from an instant to another; on a closed node, only from when that
 * node is expected back.
 */
void libra_lanes_add_open(const struct libra_engine *e,
			  struct libra_lanes *lanes, uint32_t spans,
			  double from_s, double end_s);

/* The least of each resource that a node has over a stretch of time, in free,
 * width of them; less is looked at where it has no processor.
 * Result: since when it has had what it has at its begin.
 */
double libra_lanes_least(const struct libra_lanes *lanes, uint32_t node,
			 double from_s, double to_s, uint32_t width,
			 int64_t *free);

/* Does a line have what these spans have, over a stretch of time? */
bool libra_lanes_has(const struct libra_engine *e,
		     const struct libra_lanes *lanes, uint32_t spans,
		     double from_s, double to_s);

#endif
