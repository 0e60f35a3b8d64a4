/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lanes.c - steps of what each node has free. */
#include "core/space/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/space/nodes.h"

#define FIRST_STEPS 64

bool libra_line_init(struct libra_line *line, uint32_t nnodes)
{
	line->first = calloc(nnodes, sizeof(*line->first));
	line->look = calloc(nnodes, sizeof(*line->look));
	return line->first && line->look;
}

void libra_line_fini(struct libra_line *line)
{
	free(line->first);
	free(line->look);
	free(line->next);
	free(line->from_s);
	free(line->free);
}

int libra_line_reserve(struct libra_line *line, uint32_t n, uint32_t width)
{
	bool ok = true;
	uint32_t cap;

	if (n <= line->cap)
		return 0;
	cap = (uint32_t)libra_doubled(line->cap, FIRST_STEPS, n);
	line->next = libra_grown(line->next, cap, sizeof(*line->next), &ok);
	line->from_s =
		libra_grown(line->from_s, cap, sizeof(*line->from_s), &ok);
	line->free = libra_grown(line->free, (size_t)cap * width,
				 sizeof(*line->free), &ok);
	if (!ok)
		return -1;
	line->cap = cap;
	return 0;
}

void libra_line_reset(const struct libra_engine *e, struct libra_line *line)
{
	uint32_t width = 1 + e->nresources;

	line->n = e->nnodes;
	line->unused = LIBRA_NO_SPAN;
	line->forward = line->is_full = false;
	for (uint32_t i = 0; i < e->nnodes; i++) {
		bool open = e->nodes[i].state == LIBRA_NODE_UP;

		line->first[i] = line->look[i] = i;
		line->next[i] = LIBRA_NO_SPAN;
		line->from_s[i] = e->now_s;
		for (uint32_t k = 0; k < width; k++)
			line->free[(size_t)i * width + k] =
				open ? libra_node_all(e, i, k) : 0;
	}
}

static uint32_t new_step(struct libra_line *line)
{
	uint32_t step = line->unused;

	if (step != LIBRA_NO_SPAN)
		line->unused = line->next[step];
	else if (line->n < line->cap)
		step = line->n++;
	else
		line->is_full = true;
	return step;
}

static void free_step(struct libra_line *line, uint32_t step)
{
	line->next[step] = line->unused;
	line->unused = step;
}

/* The step that an instant lies in, or the first one to look at. */
static uint32_t step_at(const struct libra_line *line, uint32_t step,
			double at_s)
{
	uint32_t next = line->next[step];

	while (next != LIBRA_NO_SPAN && line->from_s[next] <= at_s) {
		step = next;
		next = line->next[step];
	}
	return step;
}

/* Begin a step of a node at an instant after its first.  Result: the step. */
static uint32_t split(struct libra_line *line, uint32_t step, double at_s,
		      uint32_t width)
{
	uint32_t more;

	step = step_at(line, step, at_s);
	if (line->from_s[step] >= at_s)
		return step;
	more = new_step(line);
	if (more == LIBRA_NO_SPAN)
		return step;
	line->next[more] = line->next[step];
	line->next[step] = more;
	line->from_s[more] = at_s;
	memcpy(&line->free[(size_t)more * width],
	       &line->free[(size_t)step * width], width * sizeof(*line->free));
	return more;
}

/* Join the steps of a node that begin at two instants to those before, where
 * nothing changes: so a line is the same whether it was drawn at once or job by
 * job.
 */
static void join(struct libra_line *line, uint32_t node, double from_s,
		 double to_s, uint32_t width)
{
	size_t size = width * sizeof(*line->free);
	uint32_t step = line->first[node], next;

	while ((next = line->next[step]) != LIBRA_NO_SPAN &&
	       line->from_s[next] <= to_s) {
		if ((line->from_s[next] == from_s ||
		     line->from_s[next] == to_s) &&
		    memcmp(&line->free[(size_t)step * width],
			   &line->free[(size_t)next * width], size) == 0) {
			line->next[step] = line->next[next];
			if (line->look[node] == next)
				line->look[node] = step;
			free_step(line, next);
		} else {
			step = next;
		}
	}
}

static void add_span(const struct libra_rooms *r, struct libra_line *line,
		     uint32_t span, double from_s, double to_s, int sign)
{
	const int64_t *amount = libra_span_amounts(r, span);
	uint32_t width = r->width, node = r->spans[span].node;
	uint32_t step = line->look[node];

	if (!(from_s < to_s) || to_s <= line->from_s[step])
		return;
	step = split(line, step, from_s, width);
	split(line, step, to_s, width);
	for (; step != LIBRA_NO_SPAN && line->from_s[step] < to_s;
	     step = line->next[step])
		for (uint32_t k = 0; k < width; k++)
			line->free[(size_t)step * width + k] -=
				sign * amount[k];
	join(line, node, from_s, to_s, width);
}

void libra_line_back(const struct libra_engine *e, struct libra_line *line)
{
	line->forward = false;
	memcpy(line->look, line->first, e->nnodes * sizeof(*line->look));
}

void libra_line_advance(const struct libra_engine *e, struct libra_line *line)
{
	for (uint32_t i = 0; i < e->nnodes; i++) {
		uint32_t step = line->first[i], now;

		now = step_at(line, step, e->now_s);
		while (step != now) {
			uint32_t next = line->next[step];

			free_step(line, step);
			step = next;
		}
		line->first[i] = line->look[i] = now;
	}
}

bool libra_line_is_short(const struct libra_engine *e,
			 const struct libra_line *line)
{
	uint32_t width = 1 + e->nresources;

	for (uint32_t i = 0; i < e->nnodes; i++)
		for (uint32_t step = line->first[i]; step != LIBRA_NO_SPAN;
		     step = line->next[step])
			for (uint32_t k = 0; k < width; k++)
				if (line->free[(size_t)step * width + k] < 0)
					return true;
	return line->is_full;
}

void libra_line_set(const struct libra_engine *e, struct libra_line *line,
		    uint32_t node, double from_s, double to_s, bool all)
{
	uint32_t width = 1 + e->nresources, step = line->first[node];

	if (to_s <= line->from_s[step])
		return;
	step = split(line, step, from_s, width);
	if (to_s < INFINITY)
		split(line, step, to_s, width);
	for (; step != LIBRA_NO_SPAN && line->from_s[step] < to_s;
	     step = line->next[step])
		for (uint32_t k = 0; k < width; k++)
			line->free[(size_t)step * width + k] =
				all ? libra_node_all(e, node, k) : 0;
}

void libra_line_add(const struct libra_engine *e, struct libra_line *line,
		    uint32_t spans, double from_s, double to_s, int sign)
{
	const struct libra_rooms *r = libra_planned_state(e)->rooms;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next)
		add_span(r, line, spans, from_s, to_s, sign);
}

void libra_line_add_open(const struct libra_engine *e, struct libra_line *line,
			 uint32_t spans, double end_s)
{
	const struct libra_rooms *r = libra_planned_state(e)->rooms;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next)
		if (e->nodes[r->spans[spans].node].state == LIBRA_NODE_UP)
			add_span(r, line, spans, e->now_s, end_s, 1);
}

void libra_line_add_back(const struct libra_engine *e, struct libra_line *line,
			 uint32_t spans, double end_s)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_rooms *r = s->rooms;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next) {
		uint32_t node = r->spans[spans].node;

		if (e->nodes[node].state != LIBRA_NODE_UP)
			add_span(r, line, spans, s->back_s[node], end_s, 1);
	}
}

double libra_line_least(const struct libra_line *line, uint32_t node,
			double from_s, double to_s, uint32_t width,
			int64_t *free)
{
	uint32_t step = step_at(line, line->look[node], from_s), next;

	if (line->forward)
		line->look[node] = step;
	memcpy(free, &line->free[(size_t)step * width], width * sizeof(*free));
	for (next = line->next[step];
	     free[0] > 0 && next != LIBRA_NO_SPAN && line->from_s[next] < to_s;
	     next = line->next[next])
		for (uint32_t k = 0; k < width; k++) {
			int64_t n = line->free[(size_t)next * width + k];

			free[k] = n < free[k] ? n : free[k];
		}
	return line->from_s[step];
}

bool libra_line_has(const struct libra_engine *e, const struct libra_line *line,
		    uint32_t spans, double from_s, double to_s)
{
	const struct libra_rooms *r = libra_planned_state(e)->rooms;
	int64_t free[1 + LIBRA_RESOURCES];

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next) {
		const int64_t *amount = libra_span_amounts(r, spans);

		libra_line_least(line, r->spans[spans].node, from_s, to_s,
				 r->width, free);
		for (uint32_t k = 0; k < r->width; k++)
			if (amount[k] > free[k])
				return false;
	}
	return true;
}
