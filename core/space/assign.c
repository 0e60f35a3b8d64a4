/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assign.c - assign nodes to all reservations, in order of starts. */
#include "core/space/assign.h"

#include <math.h>

#include "core/space/schedule.h"

/* ---- in order of starts ---- */

static bool starts_later(const struct libra_planned_state *s, uint32_t a,
			 uint32_t b)
{
	if (s->tried[a] != s->tried[b])
		return s->tried[a] > s->tried[b];
	return a > b;
}

/* Put an index into a heap of n elements whose element i is empty; the latest
 * start is at 0.
 */
static void sift(const struct libra_planned_state *s, uint32_t n, uint32_t i,
		 uint32_t plan)
{
	uint32_t *heap = s->nodes->order, child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n &&
		    starts_later(s, heap[child + 1], heap[child]))
			child++;
		if (!starts_later(s, heap[child], plan))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = plan;
}

/* Heapsort, as qsort() may allocate.  Result: the number of reservations with
 * a start.
 */
static uint32_t sort_by_start(const struct libra_planned_state *s)
{
	uint32_t *order = s->nodes->order, n = 0;

	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->tried[i] < INFINITY)
			order[n++] = i;
	for (uint32_t i = n / 2; i-- > 0;)
		sift(s, n, i, order[i]);
	for (uint32_t end = n; end > 1; end--) {
		uint32_t last = order[0];

		sift(s, end - 1, 0, order[end - 1]);
		order[end - 1] = last;
	}
	return n;
}

static bool find_nodes(struct libra_engine *e, uint32_t place)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_reservation *plan = &s->waiting[place];
	double start_s = s->tried[place];
	uint32_t spans = libra_nodes_fit(e, &s->nodes->trial, plan, start_s);

	e->work += e->nnodes;
	s->nodes->tried[place] = spans;
	libra_lanes_add(e, &s->nodes->trial, spans, start_s,
			start_s + plan->duration_s, 1);
	return spans != LIBRA_NO_SPAN;
}

bool libra_assign_nodes(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_lanes *lanes = &s->nodes->trial;
	uint32_t n = sort_by_start(s), i = 0;

	libra_lanes_begin(e, lanes, NULL);
	lanes->forward = true;
	while (i < n && find_nodes(e, s->nodes->order[i]))
		i++;
	libra_lanes_back(e, lanes);
	if (i == n)
		s->nodes->trial_is_base = false;
	else if (s->nodes->trial_is_base)
		libra_lanes_undo_trial(e);
	return i == n;
}

/* ---- by count ---- */

/* The time for which reservations have nodes after a request for certain ones:
 * to name the nodes of all reservations costs much more than to count.
 */
#define PARTICULAR_S 3600.

/* Return true if all nodes suit a reservation. */
static bool is_for_any(const struct libra_nodes *r,
		       const struct libra_reservation *plan)
{
	const struct libra_shape *shape = &r->shapes[plan->shape];

	return shape->each && libra_shape_has(shape, plan->nprocs);
}

static bool can_count(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	if (!s->nodes->alike || !e->compress_later || s->nholds > 0 ||
	    e->now_s < s->nodes->constrained_s + PARTICULAR_S)
		return false;
	for (uint32_t i = 0; i < s->noutages; i++) {
		const struct libra_outage *out = &s->outages[i];
		bool closed = e->nodes[out->node].state != LIBRA_NODE_UP;

		if (out->to_s > e->now_s &&
		    !(closed && out->from_s <= e->now_s))
			return false;
	}
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (!is_for_any(s->nodes, &s->waiting[i]))
			return false;
	return true;
}

void libra_assign_choose(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (!s->nodes)
		return;
	s->nodes->gives_nodes = s->nodes->by_count;
	s->nodes->by_count = can_count(e);
	for (uint32_t i = 0; s->nodes->by_count && i < s->nwaiting; i++)
		libra_spans_free(s->nodes, &s->waiting[i].spans);
}

void libra_assign_ask(struct libra_engine *e,
		      const struct libra_reservation *plan)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;

	if (!r || is_for_any(r, plan))
		return;
	r->constrained_s = e->now_s;
	r->must_rebuild |= r->by_count;
}

/* ---- certainty ---- */

bool libra_assign_is_certain(const struct libra_engine *e,
			     const struct libra_reservation *more)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	if (s->noutages > 0 || (more && !s->nodes->shapes[more->shape].plain))
		return false;
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (!s->nodes->shapes[s->waiting[i].shape].plain)
			return false;
	return true;
}
