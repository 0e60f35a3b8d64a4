/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - places for jobs on nodes, and what they hold there. */
#include "core/space/nodes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/bits.h"
#include "core/space/holds.h"
#include "core/where.h"

#define FIRST_SPANS 64

/* Whole nodes of one kind are processors by another name. */
static bool are_alike(const struct libra_engine *e)
{
	size_t size = e->nresources * sizeof(*e->resources);

	for (uint32_t i = 0; i < e->nnodes; i++)
		if (e->nodes[i].count != 1 ||
		    (size > 0 &&
		     memcmp(&e->resources[(size_t)i * e->nresources],
			    e->resources, size) != 0))
			return false;
	return true;
}

int libra_nodes_init(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_nodes *r;

	if (!e->by_node)
		return 0;
	s->nodes = r = calloc(1, sizeof(*r));
	if (!r)
		return -1;
	r->width = 1 + e->nresources;
	r->alike = are_alike(e);
	r->words = LIBRA_BITS_WORDS(e->nnodes);
	r->free_span = LIBRA_NO_SPAN;
	r->fits = calloc(e->nnodes, sizeof(*r->fits));
	return r->fits && libra_lanes_init(&r->now, e->nnodes) &&
			       libra_lanes_init(&r->trial, e->nnodes)
		       ? libra_nodes_reserve(e, 1, 1)
		       : -1;
}

void libra_nodes_fini(struct libra_planned_state *s)
{
	struct libra_nodes *r = s->nodes;

	if (!r)
		return;
	libra_lanes_fini(&r->now);
	libra_lanes_fini(&r->trial);
	free(r->fits);
	free(r->spans);
	free(r->amounts);
	free(r->shapes);
	free(r->allowed);
	free(r->held);
	free(r->tried);
	free(r->order);
	free(r);
	s->nodes = NULL;
}

/* ---- memory ---- */

static int reserve_spans(struct libra_nodes *r, uint32_t n)
{
	bool ok = true;
	uint32_t cap;

	if (n <= r->nspans)
		return 0;
	cap = (uint32_t)libra_doubled(r->nspans, FIRST_SPANS, n);
	r->spans = libra_grown(r->spans, cap, sizeof(*r->spans), &ok);
	r->amounts = libra_grown(r->amounts, (size_t)cap * r->width,
				 sizeof(*r->amounts), &ok);
	if (!ok)
		return -1;
	while (r->nspans < cap) {
		r->spans[r->nspans].next = r->free_span;
		r->free_span = r->nspans++;
	}
	return 0;
}

static int reserve_shapes(struct libra_nodes *r, uint32_t n)
{
	bool ok = true;
	uint32_t cap;

	if (n <= r->nshapes)
		return 0;
	cap = (uint32_t)libra_doubled(r->nshapes, FIRST_SPANS, n);
	r->shapes = libra_grown(r->shapes, cap, sizeof(*r->shapes), &ok);
	r->held = libra_grown(r->held, cap, sizeof(*r->held), &ok);
	r->tried = libra_grown(r->tried, cap, sizeof(*r->tried), &ok);
	r->order = libra_grown(r->order, cap, sizeof(*r->order), &ok);
	r->allowed = libra_grown(r->allowed, (size_t)cap * r->words,
				 sizeof(*r->allowed), &ok);
	if (!ok)
		return -1;
	for (; r->nshapes < cap; r->nshapes++)
		r->held[r->nshapes] = LIBRA_NO_SPAN;
	return 0;
}

static uint64_t spans_of(const struct libra_engine *e, uint32_t nprocs)
{
	return nprocs < e->nnodes ? nprocs : e->nnodes;
}

void libra_nodes_expect(struct libra_engine *e, uint32_t slot)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;

	if (r)
		r->counted += spans_of(e, e->slots[slot].job.nprocs);
}

static uint64_t count_spans(const struct libra_engine *e)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < e->nslots; i++)
		if (e->slots[i].state != LIBRA_SLOT_FREE)
			n += spans_of(e, e->slots[i].job.nprocs);
	return n;
}

/* Steps of a line.  A job has spans where it is planned, and others while a
 * plan is tried; each begins and ends a step when it is taken, and again when
 * it is moved.
 */
static uint64_t steps_of(const struct libra_engine *e, uint64_t nspans)
{
	return e->nnodes + 4 * nspans;
}

int libra_nodes_reserve(struct libra_engine *e, uint32_t njobs, uint32_t nprocs)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint64_t more = (njobs + 1) * spans_of(e, nprocs) + e->nnodes, n;

	if (!r)
		return 0;
	more += libra_planned_state(e)->noutages;
	more += libra_hold_spans(libra_planned_state(e));
	n = 2 * (more + r->counted);
	/* All jobs are counted where it seems to be too little alone. */
	if (n > r->nspans || steps_of(e, n) > r->now.cap ||
	    steps_of(e, n) > r->trial.cap) {
		r->counted = count_spans(e);
		n = 2 * (more + r->counted);
	}
	if (steps_of(e, n) > UINT32_MAX / 2) { /* doubled, it still has room */
		errno = ENOMEM;
		return -1;
	}
	return reserve_spans(r, (uint32_t)n) < 0 ||
			       libra_lanes_reserve(&r->now,
						   (uint32_t)steps_of(e, n),
						   r->width) < 0 ||
			       libra_lanes_reserve(&r->trial,
						   (uint32_t)steps_of(e, n),
						   r->width) < 0 ||
			       reserve_shapes(r, e->nslots + njobs + 2) < 0
		       ? -1
		       : 0;
}

static uint32_t new_span(struct libra_nodes *r, uint32_t node, uint32_t next)
{
	uint32_t span = r->free_span;

	if (span == LIBRA_NO_SPAN)
		return span;
	r->free_span = r->spans[span].next;
	r->spans[span] = (struct libra_span){.node = node, .next = next};
	memset(&r->amounts[(size_t)span * r->width], 0,
	       r->width * sizeof(*r->amounts));
	return span;
}

void libra_spans_free(struct libra_nodes *r, uint32_t *spans)
{
	while (r && *spans != LIBRA_NO_SPAN) {
		uint32_t next = r->spans[*spans].next;

		r->spans[*spans].next = r->free_span;
		r->free_span = *spans;
		*spans = next;
	}
}

/* ---- shapes ---- */

/* What a job takes of a node besides processors. */
static int64_t taken(const struct libra_engine *e,
		     const struct libra_shape *shape, uint32_t node, uint32_t i,
		     uint32_t chunks)
{
	if (shape->per_node[i] == LIBRA_ALL)
		return libra_node_all(e, node, i + 1);
	return (int64_t)(shape->per_node[i] + chunks * shape->per_chunk[i]);
}

static void allow(struct libra_engine *e, uint64_t *bits,
		  const struct libra_where *w)
{
	for (uint32_t i = 0, k = 0; i < e->nnodes && k < w->nallowed;) {
		const struct libra_range *range = &w->allowed[k];

		if (range->first + range->count <= e->nodes[i].first) {
			k++;
			continue;
		}
		if (range->first <= e->nodes[i].first)
			libra_bits_put(bits, i);
		i++;
	}
}

/* Does a job in this shape fit each node, and on as many as may be? */
static bool fits_each(const struct libra_engine *e,
		      const struct libra_shape *shape, const uint64_t *bits)
{
	const struct libra_where *w = &shape->where;

	if (w->max_nodes > 0 || w->min_nodes > 1 || w->chunk > 1)
		return false;
	for (uint32_t k = 0; k < e->nresources; k++)
		if (taken(e, shape, 0, k, 1) > libra_node_all(e, 0, k + 1))
			return false;
	for (uint32_t i = 0; i < e->nnodes && !shape->anywhere; i++)
		if (!libra_bits_has(bits, i))
			return false;
	return true;
}

void libra_nodes_shape(struct libra_engine *e, uint32_t slot,
		       const struct libra_where *where)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	size_t size = e->nresources * sizeof(uint64_t);
	struct libra_shape *shape;
	uint64_t *bits;

	if (!r || slot >= r->nshapes)
		return;
	shape = &r->shapes[slot];
	bits = &r->allowed[(size_t)slot * r->words];
	*shape = (struct libra_shape){.anywhere = true, .plain = true};
	if (!where)
		return;
	shape->where = *where;
	shape->anywhere = !where->allowed;
	if (where->per_chunk)
		memcpy(shape->per_chunk, where->per_chunk, size);
	if (where->per_node)
		memcpy(shape->per_node, where->per_node, size);
	memset(bits, 0, r->words * sizeof(*bits));
	if (where->allowed)
		allow(e, bits, where);
	shape->plain = r->alike && fits_each(e, shape, bits);
}

/* ---- a place for a job ---- */

static uint32_t chunk_of(const struct libra_shape *shape)
{
	return shape->where.chunk > 1 ? shape->where.chunk : 1;
}

/* Processors of a node for whole tasks, where so much is free. */
static uint32_t usable(const struct libra_engine *e,
		       const struct libra_shape *shape, uint32_t node,
		       const int64_t *free)
{
	uint32_t n = free[0] > 0 ? (uint32_t)free[0] : 0;
	uint32_t chunk = chunk_of(shape), most;

	n = libra_where_whole(&shape->where, n);
	for (uint32_t i = 0; i < e->nresources && n > 0; i++) {
		int64_t left = free[i + 1] - taken(e, shape, node, i, 0);

		if (left < 0)
			return 0;
		if (shape->per_chunk[i] == 0)
			continue;
		if ((uint64_t)left / shape->per_chunk[i] < n / chunk) {
			most = (uint32_t)((uint64_t)left / shape->per_chunk[i]);
			n = most * chunk;
		}
	}
	return n;
}

/* Nodes that have nothing which the job does not need, of these the one that it
 * fills most, or those that have most room for a part of it.
 */
static double key_of(const struct libra_engine *e,
		     const struct libra_shape *shape, uint32_t node, uint32_t n,
		     uint32_t want, const int64_t *free)
{
	double key = n;

	if (n >= want)
		key = 2e9 - (double)free[0];
	for (uint32_t i = 0; i < e->nresources; i++)
		if (libra_node_all(e, node, i + 1) > 0 &&
		    shape->per_chunk[i] == 0 && shape->per_node[i] == 0)
			key -= 1e10;
	return key;
}

static uint32_t write_spans(struct libra_engine *e,
			    const struct libra_shape *shape, uint32_t n)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t spans = LIBRA_NO_SPAN, span;

	for (uint32_t i = 0; i < n; i++) {
		const struct libra_node_fit *fit = &r->fits[i];
		uint32_t chunks = fit->nprocs / chunk_of(shape);
		int64_t *amount;

		span = new_span(r, fit->node, spans);
		if (span == LIBRA_NO_SPAN) {
			libra_spans_free(r, &spans);
			return LIBRA_NO_SPAN;
		}
		spans = span;
		amount = libra_span_amounts(r, span);
		amount[0] = fit->nprocs;
		for (uint32_t k = 0; k < e->nresources; k++)
			amount[k + 1] = taken(e, shape, fit->node, k, chunks);
	}
	return spans;
}

uint32_t libra_nodes_fit(struct libra_engine *e, struct libra_lanes *lanes,
			 const struct libra_reservation *plan, double start_s)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	const struct libra_shape *shape = &r->shapes[plan->shape];
	const uint64_t *bits = &r->allowed[(size_t)plan->shape * r->words];
	struct libra_job job = {.nprocs = plan->nprocs, .where = &shape->where};
	int64_t free[1 + LIBRA_RESOURCES];
	uint32_t n = 0, procs;
	double since_s;

	for (uint32_t i = 0; i < e->nnodes; i++) {
		if (!shape->anywhere && !libra_bits_has(bits, i))
			continue;
		since_s = libra_lanes_least(lanes, i, start_s,
					    start_s + plan->duration_s,
					    r->width, free);
		procs = usable(e, shape, i, free);
		if (procs == 0)
			continue;
		r->fits[n++] = (struct libra_node_fit){
			.key = key_of(e, shape, i, procs, plan->nprocs, free),
			.node = i,
			.nprocs = procs,
			.since_s = fmax(since_s, e->now_s),
		};
	}
	n = n ? libra_where_nodes(&job, r->fits, n) : 0;
	return n ? write_spans(e, shape, n) : LIBRA_NO_SPAN;
}

/* ---- jobs on their processors ---- */

static uint32_t node_of(const struct libra_engine *e, uint32_t proc)
{
	uint32_t low = 0, high = e->nnodes;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (e->nodes[middle].first <= proc)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Whatever its processors say of other resources; else by the shape. */
static void fill_in(const struct libra_engine *e,
		    const struct libra_shape *shape,
		    const struct libra_part *part, uint32_t node,
		    int64_t *amount)
{
	uint32_t chunks = (uint32_t)amount[0] / chunk_of(shape);

	for (uint32_t k = 0; k < e->nresources; k++)
		amount[k + 1] = part->resources
					? (int64_t)part->resources[k]
					: taken(e, shape, node, k, chunks);
}

uint64_t libra_spans_count(const struct libra_nodes *r, uint32_t spans)
{
	uint64_t n = 0;

	for (uint32_t span = spans; span != LIBRA_NO_SPAN;
	     span = r->spans[span].next)
		n++;
	return n;
}

int64_t libra_spans_procs(const struct libra_nodes *r, uint32_t spans)
{
	int64_t n = 0;

	for (uint32_t span = spans; span != LIBRA_NO_SPAN;
	     span = r->spans[span].next)
		n += r->amounts[(size_t)span * r->width];
	return n;
}

/* Take what spans have of a node from amounts of it. */
static void take_of_node(const struct libra_nodes *r, uint32_t spans,
			 uint32_t node, int64_t *amounts)
{
	for (uint32_t span = spans; span != LIBRA_NO_SPAN;
	     span = r->spans[span].next) {
		const int64_t *has_of = &r->amounts[(size_t)span * r->width];

		if (r->spans[span].node != node)
			continue;
		for (uint32_t i = 0; i < r->width; i++)
			amounts[i] = amounts[i] > has_of[i]
					     ? amounts[i] - has_of[i]
					     : 0;
	}
}

uint32_t libra_spans_beyond(struct libra_engine *e, uint32_t spans,
			    const uint32_t *others, uint32_t n)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t more = LIBRA_NO_SPAN, span;

	for (uint32_t of = spans; of != LIBRA_NO_SPAN; of = r->spans[of].next) {
		span = new_span(r, r->spans[of].node, more);
		if (span == LIBRA_NO_SPAN)
			return more;
		more = span;
		memcpy(libra_span_amounts(r, span), libra_span_amounts(r, of),
		       r->width * sizeof(*r->amounts));
		for (uint32_t i = 0; i < n; i++)
			take_of_node(r, others[i], r->spans[of].node,
				     libra_span_amounts(r, span));
	}
	return more;
}

uint32_t libra_nodes_spans(struct libra_engine *e, uint32_t slot,
			   const struct libra_part *parts, uint32_t nparts)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t spans = LIBRA_NO_SPAN, span = LIBRA_NO_SPAN, node;

	for (uint32_t i = 0; i < nparts; i++) {
		uint32_t first = parts[i].procs.first;
		uint32_t end = first + parts[i].procs.count, n;

		for (; first < end; first += n) {
			node = node_of(e, first);
			n = e->nodes[node].first + e->nodes[node].count - first;
			n = n < end - first ? n : end - first;
			if (span == LIBRA_NO_SPAN ||
			    r->spans[span].node != node) {
				span = new_span(r, node, spans);
				if (span == LIBRA_NO_SPAN)
					return spans;
				spans = span;
			}
			libra_span_amounts(r, span)[0] += n;
			fill_in(e, &r->shapes[slot], &parts[i], node,
				libra_span_amounts(r, span));
		}
	}
	return spans;
}

/* Processors of a range that are free without these jobs. */
static uint64_t free_without(const struct libra_engine *e,
			     struct libra_range range,
			     const struct libra_start_query *gone)
{
	const struct libra_procs *procs = &libra_space_state(e)->procs;
	uint64_t n = libra_procs_free(procs, range);

	for (uint32_t i = 0; gone && i < gone->ngone; i++) {
		uint32_t slot = libra_ticket_slot(gone->gone[i]);

		if (slot < e->nslots && e->slots[slot].ticket == gone->gone[i])
			n += libra_procs_count(procs, slot, range);
	}
	return n;
}

bool libra_spans_are_free(const struct libra_engine *e, uint32_t spans,
			  const struct libra_start_query *gone)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_nodes *r = s->nodes;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next) {
		const struct libra_node *node = &e->nodes[r->spans[spans].node];

		if (node->state != LIBRA_NODE_UP ||
		    free_without(
			    e, (struct libra_range){node->first, node->count},
			    gone) < (uint64_t)libra_span_amounts(r, spans)[0])
			return false;
	}
	return true;
}

void libra_spans_take(struct libra_engine *e, uint32_t slot, uint32_t spans)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_nodes *r = s->nodes;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next) {
		const struct libra_node *node = &e->nodes[r->spans[spans].node];

		libra_procs_take_in(
			&s->space.procs, slot,
			(struct libra_range){node->first, node->count},
			(uint32_t)libra_span_amounts(r, spans)[0]);
	}
}
