/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - what each node has free over time, for plans that name nodes.
 *
 * Where a job wants several processors of one node, memory, generic resources
 * or certain nodes, free processors of the whole machine say too little.  Then
 * (libra_engine_conf.by_node) a plan is a start and a list of spans: nodes,
 * with an amount of each resource on each of them.  Resource 0 is the
 * processors, what the others are is the host's business.
 *
 *     a job is nprocs / chunk equal tasks; a node has room for k of them if
 *     over all of the duration it has free
 *         k x chunk                   processors, and no more than node_max
 *         per_node + k x per_chunk    of each other resource
 *
 * THE INVARIANT is that of planned.h for each resource of each node.  A
 * decision allocates nothing.
 *
 * Of nodes that suit a job alike the one that is free for the shortest time is
 * taken.  Where all are alike and each job has whole ones, and the nodes of all
 * plans were found in the order of their starts, that leaves every hole of the
 * profile to who comes next: the nodes are a stack.  The n at its bottom when a
 * hole begins are taken by nobody while n are free in the profile.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_NODES_H
#define LIBRA_SPACE_NODES_H

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

/* Result: 0, or -1 with ENOMEM; fini in any case. */
int libra_nodes_init(struct libra_engine *e);
void libra_nodes_fini(struct libra_planned_state *s);

/* A job has come: room for it is asked for next. */
void libra_nodes_expect(struct libra_engine *e, uint32_t slot);

/* Room for the jobs there are and njobs more of nprocs processors.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_nodes_reserve(struct libra_engine *e, uint32_t njobs,
			uint32_t nprocs);

/* Keep how a job may be spread, for its slot; e->nslots is for a trial. */
void libra_nodes_shape(struct libra_engine *e, uint32_t slot,
		       const struct libra_where *where);

/* Room for a plan from an instant on: spans of its own.
 * Result: LIBRA_NO_SPAN if there is none.
 */
uint32_t libra_nodes_fit(struct libra_engine *e, struct libra_lanes *lanes,
			 const struct libra_reservation *plan, double start_s);

/* The spans of a job on certain processors.  What a part does not say of other
 * resources is as its slot's shape has it.
 */
uint32_t libra_nodes_spans(struct libra_engine *e, uint32_t slot,
			   const struct libra_part *parts, uint32_t nparts);

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
