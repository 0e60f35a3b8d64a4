/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lanes.c - steps of free resources for each node. */
#include "core/space/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/space/spans.h"

#define FIRST_STEPS 64

/* The parts of the future: the first BUSY_S seconds, twice as many, and so on.
 * A search goes through many instants of the same part.
 */
#define BUSY_PARTS 12
#define BUSY_S	   300.

bool libra_lanes_init(struct libra_lanes *lanes, uint32_t nnodes)
{
	lanes->first = calloc(nnodes, sizeof(*lanes->first));
	lanes->look = calloc(nnodes, sizeof(*lanes->look));
	lanes->busy_from_s = calloc((size_t)nnodes * BUSY_PARTS,
				    sizeof(*lanes->busy_from_s));
	lanes->busy_to_s =
		calloc((size_t)nnodes * BUSY_PARTS, sizeof(*lanes->busy_to_s));
	return lanes->first && lanes->look && lanes->busy_from_s &&
	       lanes->busy_to_s;
}

void libra_lanes_fini(struct libra_lanes *lanes)
{
	free(lanes->first);
	free(lanes->look);
	free(lanes->busy_from_s);
	free(lanes->busy_to_s);
	free(lanes->next);
	free(lanes->from_s);
	free(lanes->free);
}

int libra_lanes_reserve(struct libra_lanes *lanes, uint64_t n, uint32_t width)
{
	bool ok = true;
	uint32_t cap;

	if (n <= lanes->cap)
		return 0;
	cap = libra_doubled(lanes->cap, FIRST_STEPS, n);
	lanes->next = libra_grown(lanes->next, cap, sizeof(*lanes->next), &ok);
	lanes->from_s =
		libra_grown(lanes->from_s, cap, sizeof(*lanes->from_s), &ok);
	lanes->free = libra_grown(lanes->free, (size_t)cap * width,
				  sizeof(*lanes->free), &ok);
	if (!ok)
		return -1;
	lanes->cap = cap;
	return 0;
}

void libra_lanes_reset(const struct libra_engine *e, struct libra_lanes *lanes)
{
	uint32_t width = 1 + e->nresources;

	lanes->n = e->nnodes;
	lanes->unused = LIBRA_NO_SPAN;
	lanes->forward = lanes->is_full = false;
	for (size_t i = 0; i < (size_t)e->nnodes * BUSY_PARTS; i++)
		lanes->busy_to_s[i] = -INFINITY;
	for (uint32_t i = 0; i < e->nnodes; i++) {
		bool open = e->nodes[i].state == LIBRA_NODE_UP;

		lanes->first[i] = lanes->look[i] = i;
		lanes->next[i] = LIBRA_NO_SPAN;
		lanes->from_s[i] = e->now_s;
		for (uint32_t k = 0; k < width; k++)
			lanes->free[(size_t)i * width + k] =
				open ? libra_node_all(e, i, k) : 0;
	}
}

static uint32_t new_step(struct libra_lanes *lanes)
{
	uint32_t step = lanes->unused;

	if (step != LIBRA_NO_SPAN)
		lanes->unused = lanes->next[step];
	else if (lanes->n < lanes->cap)
		step = lanes->n++;
	else
		lanes->is_full = true;
	return step;
}

static void free_step(struct libra_lanes *lanes, uint32_t step)
{
	lanes->next[step] = lanes->unused;
	lanes->unused = step;
}

/* Return the step that contains an instant, or `step` if the instant is
 * earlier.
 */
static uint32_t step_at(const struct libra_lanes *lanes, uint32_t step,
			double at_s)
{
	uint32_t next = lanes->next[step];

	while (next != LIBRA_NO_SPAN && lanes->from_s[next] <= at_s) {
		step = next;
		next = lanes->next[step];
	}
	return step;
}

/* Split a lane at an instant.  Result: the step that begins there; if the
 * steps have run out, the one that contains it.
 */
static uint32_t split(struct libra_lanes *lanes, uint32_t step, double at_s,
		      uint32_t width)
{
	uint32_t more;

	step = step_at(lanes, step, at_s);
	if (lanes->from_s[step] >= at_s)
		return step;
	more = new_step(lanes);
	if (more == LIBRA_NO_SPAN)
		return step;
	lanes->next[more] = lanes->next[step];
	lanes->next[step] = more;
	lanes->from_s[more] = at_s;
	memcpy(&lanes->free[(size_t)more * width],
	       &lanes->free[(size_t)step * width],
	       width * sizeof(*lanes->free));
	return more;
}

/* Join the steps that begin at two instants to their predecessors if the
 * amounts are equal.  A lane is then the same whether it was rebuilt or
 * changed job by job.
 */
static void join(struct libra_lanes *lanes, uint32_t node, double from_s,
		 double to_s, uint32_t width)
{
	size_t size = width * sizeof(*lanes->free);
	uint32_t step = lanes->first[node], next;

	while ((next = lanes->next[step]) != LIBRA_NO_SPAN &&
	       lanes->from_s[next] <= to_s) {
		if ((lanes->from_s[next] == from_s ||
		     lanes->from_s[next] == to_s) &&
		    memcmp(&lanes->free[(size_t)step * width],
			   &lanes->free[(size_t)next * width], size) == 0) {
			lanes->next[step] = lanes->next[next];
			if (lanes->look[node] == next)
				lanes->look[node] = step;
			free_step(lanes, next);
		} else {
			step = next;
		}
	}
}

/* Forget what is known of a node: more of it is free. */
static void forget_busy(const struct libra_engine *e, struct libra_lanes *lanes,
			uint32_t node)
{
	for (size_t part = 0; part < BUSY_PARTS; part++)
		lanes->busy_to_s[part * e->nnodes + node] = -INFINITY;
}

/* Note the stretch without a free processor that a step belongs to. */
static void note_busy(struct libra_lanes *lanes, uint32_t node, uint32_t step,
		      uint32_t width)
{
	uint32_t next = lanes->next[step];

	while (next != LIBRA_NO_SPAN && lanes->free[(size_t)next * width] <= 0)
		next = lanes->next[next];
	lanes->busy_from_s[lanes->part + node] = lanes->from_s[step];
	lanes->busy_to_s[lanes->part + node] =
		next == LIBRA_NO_SPAN ? INFINITY : lanes->from_s[next];
}

void libra_lanes_look(const struct libra_engine *e, struct libra_lanes *lanes,
		      double from_s)
{
	double end_s = e->now_s + BUSY_S, part_s = BUSY_S;
	size_t part = 0;

	for (; part + 1 < BUSY_PARTS && end_s <= from_s; part++)
		end_s += part_s *= 2;
	lanes->part = part * e->nnodes;
}

static void add_span(const struct libra_nodes *r, struct libra_lanes *lanes,
		     uint32_t span, double from_s, double to_s, int sign)
{
	const int64_t *amount = libra_span_amounts(r, span);
	uint32_t width = r->width, node = r->spans[span].node;
	uint32_t step = lanes->look[node];

	if (!(from_s < to_s) || to_s <= lanes->from_s[step])
		return;
	step = split(lanes, step, from_s, width);
	split(lanes, step, to_s, width);
	for (; step != LIBRA_NO_SPAN && lanes->from_s[step] < to_s;
	     step = lanes->next[step])
		for (uint32_t k = 0; k < width; k++)
			lanes->free[(size_t)step * width + k] -=
				sign * amount[k];
	join(lanes, node, from_s, to_s, width);
}

void libra_lanes_back(const struct libra_engine *e, struct libra_lanes *lanes)
{
	lanes->forward = false;
	memcpy(lanes->look, lanes->first, e->nnodes * sizeof(*lanes->look));
}

void libra_lanes_advance(const struct libra_engine *e,
			 struct libra_lanes *lanes)
{
	for (uint32_t i = 0; i < e->nnodes; i++) {
		uint32_t step = lanes->first[i], now;

		now = step_at(lanes, step, e->now_s);
		while (step != now) {
			uint32_t next = lanes->next[step];

			free_step(lanes, step);
			step = next;
		}
		lanes->first[i] = lanes->look[i] = now;
	}
}

bool libra_lanes_is_short(const struct libra_engine *e,
			  const struct libra_lanes *lanes)
{
	uint32_t width = 1 + e->nresources;

	for (uint32_t i = 0; i < e->nnodes; i++)
		for (uint32_t step = lanes->first[i]; step != LIBRA_NO_SPAN;
		     step = lanes->next[step])
			for (uint32_t k = 0; k < width; k++)
				if (lanes->free[(size_t)step * width + k] < 0)
					return true;
	return lanes->is_full;
}

void libra_lanes_set(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t node, double from_s, double to_s, bool all)
{
	uint32_t width = 1 + e->nresources, step = lanes->first[node];

	if (to_s <= lanes->from_s[step])
		return;
	if (all)
		forget_busy(e, lanes, node);
	step = split(lanes, step, from_s, width);
	if (to_s < INFINITY)
		split(lanes, step, to_s, width);
	for (; step != LIBRA_NO_SPAN && lanes->from_s[step] < to_s;
	     step = lanes->next[step])
		for (uint32_t k = 0; k < width; k++)
			lanes->free[(size_t)step * width + k] =
				all ? libra_node_all(e, node, k) : 0;
}

void libra_lanes_add(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t spans, double from_s, double to_s, int sign)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next) {
		add_span(r, lanes, spans, from_s, to_s, sign);
		if (sign < 0)
			forget_busy(e, lanes, r->spans[spans].node);
	}
}

void libra_lanes_add_open(const struct libra_engine *e,
			  struct libra_lanes *lanes, uint32_t spans,
			  double from_s, double end_s, int sign)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next) {
		add_span(r, lanes, spans,
			 fmax(from_s,
			      libra_node_back_s(e, r->spans[spans].node)),
			 end_s, sign);
		if (sign < 0)
			forget_busy(e, lanes, r->spans[spans].node);
	}
}

double libra_lanes_least(struct libra_lanes *lanes, uint32_t node,
			 double from_s, double to_s, uint32_t width,
			 int64_t *free)
{
	uint32_t step = step_at(lanes, lanes->look[node], from_s), next;
	uint32_t last = step;

	if (lanes->forward)
		lanes->look[node] = step;
	memcpy(free, &lanes->free[(size_t)step * width], width * sizeof(*free));
	for (next = lanes->next[step];
	     free[0] > 0 && next != LIBRA_NO_SPAN && lanes->from_s[next] < to_s;
	     last = next, next = lanes->next[next])
		for (uint32_t k = 0; k < width; k++) {
			int64_t n = lanes->free[(size_t)next * width + k];

			free[k] = n < free[k] ? n : free[k];
		}
	if (free[0] <= 0)
		note_busy(lanes, node, last, width);
	return lanes->from_s[step];
}

static bool has_amounts(const struct libra_lanes *lanes, uint32_t step,
			const int64_t *amount, uint32_t width)
{
	for (uint32_t k = 0; k < width; k++)
		if (lanes->free[(size_t)step * width + k] < amount[k])
			return false;
	return true;
}

double libra_lanes_find_before(const struct libra_lanes *lanes, uint32_t node,
			       const int64_t *amount, uint32_t width,
			       double from_s, double duration_s,
			       double before_s)
{
	uint32_t step = step_at(lanes, lanes->first[node], from_s), next;
	double at_s = from_s;

	for (; at_s < before_s; step = next) {
		next = lanes->next[step];
		if (!has_amounts(lanes, step, amount, width))
			at_s = next == LIBRA_NO_SPAN ? INFINITY
						     : lanes->from_s[next];
		else if (next == LIBRA_NO_SPAN ||
			 lanes->from_s[next] >=
				 fmin(at_s + duration_s, before_s))
			return at_s;
	}
	return INFINITY;
}

bool libra_lanes_has(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t spans, double from_s, double to_s)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;
	int64_t free[1 + LIBRA_RESOURCES];

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next) {
		const int64_t *amount = libra_span_amounts(r, spans);

		libra_lanes_least(lanes, r->spans[spans].node, from_s, to_s,
				  r->width, free);
		for (uint32_t k = 0; k < r->width; k++)
			if (amount[k] > free[k])
				return false;
	}
	return true;
}
