/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outages.c - outages of nodes, on timeline and lanes. */
#include "core/space/outages.h"
#include "core/space/pool.h"

#include <math.h>
#include <stdlib.h>

int libra_outages_init(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	s->turn_s = INFINITY;
	s->back_s = malloc(e->nnodes * sizeof(*s->back_s));
	if (!s->back_s)
		return -1;
	for (uint32_t i = 0; i < e->nnodes; i++)
		s->back_s[i] = -INFINITY;
	return 0;
}

/* ---- closed nodes ---- */

void libra_outages_pass(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	s->must_repair |= s->turn_s <= e->now_s;
	if (!s->must_repair)
		return;
	s->turn_s = INFINITY;
	for (uint32_t i = 0; i < e->nnodes; i++)
		s->back_s[i] = e->nodes[i].state == LIBRA_NODE_UP ? -INFINITY
								  : INFINITY;
	for (uint32_t i = 0; i < s->noutages; i++) {
		const struct libra_outage *out = &s->outages[i];

		if (e->nodes[out->node].state == LIBRA_NODE_UP)
			continue;
		if (out->from_s <= e->now_s && out->to_s > e->now_s)
			s->back_s[out->node] = out->to_s;
		if (out->to_s > e->now_s)
			s->turn_s = fmin(s->turn_s, out->from_s <= e->now_s
							    ? out->to_s
							    : out->from_s);
	}
}

void libra_outages_change_job(const struct libra_engine *e,
			      struct libra_timeline *p, uint32_t slot,
			      double end_s, int sign)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	struct libra_job_node at;

	if (s->space.nclosed == 0 || s->noutages == 0)
		return;
	at = libra_pool_nodes(e, slot);
	while (libra_pool_next_node(e, &at))
		if (e->nodes[at.node].state != LIBRA_NODE_UP &&
		    s->back_s[at.node] < end_s)
			libra_timeline_add(p, s->back_s[at.node], end_s,
					   -sign * (int64_t)at.nprocs);
}

/* ---- reserve ---- */

/* The processors that an outage takes from the timeline, and when. */
struct window {
	double from_s, to_s;
	int64_t taken; /* below 0: given */
};

static struct window window_of(const struct libra_engine *e,
			       const struct libra_outage *out)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_node *node = &e->nodes[out->node];
	double back_s = s->back_s[out->node];

	if (out->from_s >= back_s)
		return (struct window){out->from_s, out->to_s, node->count};
	if (out->to_s == back_s)
		return (struct window){back_s, INFINITY, -(int64_t)node->count};
	return (struct window){0, 0, 0};
}

void libra_outages_add_back(const struct libra_engine *e,
			    struct libra_lanes *lanes)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->noutages; i++) {
		struct window w = window_of(e, &s->outages[i]);

		if (w.taken < 0)
			libra_lanes_set(e, lanes, s->outages[i].node, w.from_s,
					w.to_s, true);
	}
}

void libra_outages_take_lanes(const struct libra_engine *e,
			      struct libra_lanes *lanes)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->noutages; i++) {
		struct window w = window_of(e, &s->outages[i]);

		if (w.taken > 0)
			libra_lanes_set(e, lanes, s->outages[i].node, w.from_s,
					w.to_s, false);
	}
}

/* By node nothing is free on a node that is out, whatever runs there: return
 * the processors of running jobs, so that they are not taken twice.
 */
static void give_running(const struct libra_engine *e, struct libra_timeline *p,
			 const struct libra_outage *out,
			 const struct libra_start_query *gone)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_runlist *running = &s->space.running;
	const struct libra_node *node = &e->nodes[out->node];
	struct libra_range procs = {node->first, node->count};

	for (uint32_t i = running->n;
	     i-- > 0 && running->jobs[i].end_s > out->from_s;) {
		uint32_t slot = running->jobs[i].slot;
		double to_s = fmin(running->jobs[i].end_s, out->to_s);

		if (!libra_is_victim(e, slot, gone))
			libra_timeline_add(p, out->from_s, to_s,
					   libra_procs_count(&s->space.procs,
							     slot, procs));
	}
}

/* Neighbouring outages with the same times are one window. */
void libra_outages_take(const struct libra_engine *e, struct libra_timeline *p,
			const struct libra_start_query *gone)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	struct window sum = {0}, next;

	for (uint32_t i = 0; i < s->noutages; i++) {
		next = window_of(e, &s->outages[i]);
		if (s->nodes && next.taken > 0)
			give_running(e, p, &s->outages[i], gone);
		if (next.from_s == sum.from_s && next.to_s == sum.to_s) {
			sum.taken += next.taken;
			continue;
		}
		libra_timeline_add(p, sum.from_s, sum.to_s, -sum.taken);
		sum = next;
	}
	libra_timeline_add(p, sum.from_s, sum.to_s, -sum.taken);
}
