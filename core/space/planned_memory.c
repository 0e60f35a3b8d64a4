/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planned_memory.c - see planned_memory.h. */
#include "core/space/planned_memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/bits.h"
#include "core/space/holds.h"
#include "core/where.h"

#define FIRST_PLANS 64
#define FIRST_SPANS 64

/* Return true if each node has one processor and the same other resources:
 * such nodes are interchangeable like processors.
 */
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

static int reserve_spans(struct libra_nodes *r, uint64_t n)
{
	bool ok = true;
	uint32_t cap;

	if (n <= r->spans_cap)
		return 0;
	cap = libra_doubled(r->spans_cap, FIRST_SPANS, n);
	r->spans = libra_grown(r->spans, cap, sizeof(*r->spans), &ok);
	r->amounts = libra_grown(r->amounts, (size_t)cap * r->width,
				 sizeof(*r->amounts), &ok);
	if (!ok)
		return -1;
	r->spans_cap = cap;
	return 0;
}

static int reserve_shapes(struct libra_nodes *r, uint64_t n)
{
	bool ok = true;
	uint32_t cap;

	if (n <= r->nshapes)
		return 0;
	cap = libra_doubled(r->nshapes, FIRST_SPANS, n);
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

/* Return the number of steps that the lanes need: each span begins one and ends
 * one.  A job has spans in its reservation, and others while it is tried, of
 * which only one list is on the same lanes.
 */
static uint64_t steps_of(const struct libra_engine *e, uint64_t nspans)
{
	return e->nnodes + 2 * nspans;
}

int libra_nodes_reserve(struct libra_engine *e, uint32_t njobs, uint32_t nprocs)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint64_t more = ((uint64_t)njobs + 1) * spans_of(e, nprocs) + e->nnodes;
	uint64_t n;

	if (!r)
		return 0;
	more += libra_planned_state(e)->noutages;
	more += libra_hold_spans(libra_planned_state(e));
	n = 2 * (more + r->counted);
	/* The bound seems too small: count the spans of all jobs. */
	if (n > r->spans_cap || steps_of(e, n) > r->now.cap ||
	    steps_of(e, n) > r->trial.cap) {
		r->counted = count_spans(e);
		n = 2 * (more + r->counted);
	}
	return libra_lanes_reserve(&r->now, steps_of(e, n), r->width) < 0 ||
			       libra_lanes_reserve(&r->trial, steps_of(e, n),
						   r->width) < 0 ||
			       reserve_spans(r, n) < 0 ||
			       reserve_shapes(r, (uint64_t)e->nslots + njobs +
							 2) < 0
		       ? -1
		       : 0;
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
	r->constrained_s = -INFINITY;
	r->fits = calloc(e->nnodes, sizeof(*r->fits));
	r->known = calloc(e->nnodes, sizeof(*r->known));
	r->until_s = calloc(LIBRA_KNOWN(e->nnodes), sizeof(*r->until_s));
	r->found.allowed = calloc(r->words, sizeof(*r->found.allowed));
	return r->fits && r->known && r->until_s && r->found.allowed &&
			       libra_lanes_init(e, &r->now) &&
			       libra_lanes_init(e, &r->trial)
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
	free(r->known);
	free(r->until_s);
	free(r->found.allowed);
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

int libra_reservations_make_room(struct libra_planned_state *s, uint64_t n)
{
	/* Two steps for each job and outage, two for a job that is tried, now
	 * and the end.
	 */
	uint64_t nsteps = 2 * (n + s->noutages) + libra_hold_steps(s) + 6;
	bool ok = true;
	uint32_t cap;

	if (libra_timeline_reserve(&s->space.timeline, nsteps) < 0 ||
	    libra_timeline_reserve(&s->trial, nsteps) < 0)
		return -1;
	if (n + 1 <= s->cap)
		return 0;
	cap = libra_doubled(s->cap, FIRST_PLANS, n + 1);
	s->waiting = libra_grown(s->waiting, cap, sizeof(*s->waiting), &ok);
	s->tried = libra_grown(s->tried, cap, sizeof(*s->tried), &ok);
	if (!ok)
		return -1;
	s->cap = cap;
	return 0;
}

int libra_reservations_make_index(struct libra_planned_state *s,
				  uint32_t nslots)
{
	uint32_t cap = libra_doubled(s->nplaces, FIRST_PLANS, nslots);
	bool ok = true;

	if (nslots <= s->nplaces)
		return 0;
	s->places = libra_grown(s->places, cap, sizeof(*s->places), &ok);
	if (!ok)
		return -1;
	memset(s->places + s->nplaces, 0,
	       (cap - s->nplaces) * sizeof(*s->places));
	s->nplaces = cap;
	return 0;
}

void libra_reservations_fini(struct libra_planned_state *s)
{
	free(s->places);
	libra_nodes_fini(s);
	libra_timeline_fini(&s->trial);
	free(s->waiting);
	free(s->tried);
}

int libra_outages_set(struct libra_engine *e, const struct libra_outage *list,
		      uint32_t n)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_outage *fresh = malloc(((size_t)n + 1) * sizeof(*fresh));
	uint32_t was = s->noutages;

	s->noutages = n; /* read by the two reservations of memory below */
	if (!fresh || libra_reservations_make_room(s, e->live + 1) < 0 ||
	    libra_nodes_reserve(e, 1, UINT32_MAX) < 0) {
		s->noutages = was;
		free(fresh);
		return -1;
	}
	if (n > 0)
		memcpy(fresh, list, n * sizeof(*list));
	free(s->outages);
	s->outages = fresh;
	s->must_repair = true;
	return 0;
}

void libra_outages_fini(struct libra_planned_state *s)
{
	free(s->outages);
	free(s->back_s);
}
