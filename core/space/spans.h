/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spans.h - the nodes of a reservation or a running job: a list of spans.
 *
 * A span is one node with an amount of each resource.  Spans come from a pool
 * in struct libra_nodes, which planned_memory.c fills; no function here
 * allocates. nodes.h finds spans for a job.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_SPANS_H
#define LIBRA_SPACE_SPANS_H

#include "core/space/lanes.h"
#include "core/space/planned.h"

struct libra_span {
	uint32_t node, next;
};

/* How a job may be spread. */
struct libra_shape {
	struct libra_where where; /* its pointers are not used */
	bool anywhere;		  /* else the bits of its nodes */
	bool plain;		  /* any processors do, or any nodes */
	uint64_t per_chunk[LIBRA_RESOURCES], per_node[LIBRA_RESOURCES];
};

struct libra_nodes {
	uint32_t width; /* resources, with processors */
	bool alike;	/* one processor each, and the same of all else */
	struct libra_lanes now, trial;
	struct libra_node_fit *fits; /* scratch, nnodes of them */
	struct libra_span *spans;
	int64_t *amounts; /* width of them for each span */
	uint32_t free_span, nspans;
	uint64_t counted; /* spans of all jobs, or more: as they were counted,
			     and of those that have come since */
	/* By slot; one more for a job that is tried. */
	struct libra_shape *shapes;
	uint64_t *allowed; /* words of them for each shape */
	uint32_t *held;	   /* spans of a job that runs */
	uint32_t nshapes, words;
	uint32_t *tried; /* spans of each plan, not adopted yet */
	uint32_t ntried;
	uint32_t *order; /* of the plans, by start; room as for plans */
	uint64_t looks;	 /* at nodes that a search may still make */
	double sought_s; /* no hole is before that, as last searched */
	bool redraw;	 /* the lines and the profile */
};

/* Take a span of a node from the pool; its amounts are 0.
 * Result: LIBRA_NO_SPAN if the pool is empty.
 */
uint32_t libra_spans_new(struct libra_nodes *rooms, uint32_t node,
			 uint32_t next);

/* What a span has of each resource: width of them. */
static inline int64_t *libra_span_amounts(const struct libra_nodes *rooms,
					  uint32_t span)
{
	return &rooms->amounts[(size_t)span * rooms->width];
}

void libra_spans_free(struct libra_nodes *rooms, uint32_t *spans);

/* What spans have beyond n others, of each node: spans of the caller's. */
uint32_t libra_spans_beyond(struct libra_engine *e, uint32_t spans,
			    const uint32_t *others, uint32_t n);

/* How many there are, and their processors. */
uint64_t libra_spans_count(const struct libra_nodes *rooms, uint32_t spans);
int64_t libra_spans_procs(const struct libra_nodes *rooms, uint32_t spans);

/* Are as many processors free on the nodes of spans, or will be once these jobs
 * are gone (NULL: none)?
 */
bool libra_spans_are_free(const struct libra_engine *e, uint32_t spans,
			  const struct libra_start_query *gone);

/* Give the processors of spans to a job; so many are free. */
void libra_spans_take(struct libra_engine *e, uint32_t slot, uint32_t spans);

#endif
