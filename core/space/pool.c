/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pool.c - the map of busy processors, and which jobs run. */
#include "core/space/pool.h"

void libra_pool_unqueue(struct libra_engine *e, uint32_t place)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_queue *q = &s->queue;

	if (libra_space_is_shortest(e))
		libra_queue_remove(&s->shortest,
				   libra_queue_place(&s->shortest,
						     q->estimate_s[place],
						     q->serial[place]));
	libra_queue_remove(q, place);
}

void libra_pool_start(struct libra_engine *e, uint32_t place)
{
	uint32_t slot = libra_space_state(e)->queue.slot[place];

	libra_pool_unqueue(e, place);
	libra_pool_begin(e, slot, e->now_s + e->slots[slot].job.estimate_s);
}

void libra_pool_begin(struct libra_engine *e, uint32_t slot, double end_s)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_slot *entry = &e->slots[slot];

	libra_procmap_take(&s->map, LIBRA_PROCS_FREE, entry->job.nprocs,
			   LIBRA_PROCS_JOB + slot);
	s->free -= entry->job.nprocs;
	entry->start_s = e->now_s;
	entry->state = LIBRA_SLOT_STARTING;
	entry->nprocs_held = entry->job.nprocs;
	entry->end_s = end_s;
	libra_runlist_add(&s->running, end_s, entry->job.nprocs, slot);
	libra_engine_act(e, LIBRA_ACTION_START, slot, LIBRA_REASON_NONE);
}

/* Of the processors from..to-1 those with a label. */
static uint32_t count_label(const struct libra_procmap *map, uint32_t label,
			    uint32_t from, uint32_t to)
{
	uint32_t n = 0;

	for (uint32_t i = libra_procmap_find(map, from);
	     i < map->nruns && map->first[i] < to; i++) {
		uint32_t a = map->first[i], b = map->first[i + 1];

		a = a < from ? from : a;
		b = b > to ? to : b;
		if (map->label[i] == label)
			n += b - a;
	}
	return n;
}

bool libra_pool_is_taken(const struct libra_engine *e,
			 const struct libra_part *parts, uint32_t nparts)
{
	const struct libra_procmap *map = &libra_space_state(e)->map;

	for (uint32_t i = 0; i < nparts; i++) {
		uint32_t from = parts[i].procs.first;
		uint32_t to = from + parts[i].procs.count;

		for (uint32_t k = libra_procmap_find(map, from);
		     k < map->nruns && map->first[k] < to; k++)
			if (map->label[k] >= LIBRA_PROCS_JOB)
				return true;
	}
	return false;
}

void libra_pool_enter(struct libra_engine *e, uint32_t slot,
		      const struct libra_part *parts, uint32_t nparts,
		      double end_s)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_slot *entry = &e->slots[slot];

	for (uint32_t i = 0; i < nparts; i++) {
		struct libra_range r = parts[i].procs;

		s->free -= count_label(&s->map, LIBRA_PROCS_FREE, r.first,
				       r.first + r.count);
		libra_procmap_set(&s->map, r.first, r.count,
				  LIBRA_PROCS_JOB + slot);
	}
	entry->end_s = end_s;
	entry->nprocs_held = entry->job.nprocs;
	libra_runlist_add(&s->running, end_s, entry->job.nprocs, slot);
}

void libra_pool_expect(struct libra_engine *e, uint32_t slot, double end_s)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_slot *entry = &e->slots[slot];

	libra_runlist_remove(&s->running, entry->end_s, entry->job.nprocs,
			     slot);
	entry->end_s = end_s;
	libra_runlist_add(&s->running, end_s, entry->job.nprocs, slot);
}

uint32_t libra_pool_open_procs(const struct libra_engine *e, uint32_t slot)
{
	const struct libra_space_state *s = libra_space_state(e);
	uint32_t n = e->slots[slot].job.nprocs;

	for (uint32_t i = 0; i < e->nnodes && s->nclosed > 0; i++) {
		const struct libra_node *node = &e->nodes[i];

		if (node->state != LIBRA_NODE_UP)
			n -= count_label(&s->map, LIBRA_PROCS_JOB + slot,
					 node->first,
					 node->first + node->count);
	}
	return n;
}

/* Free processors of closed nodes take no jobs. */
static void close_free(struct libra_space_state *s,
		       const struct libra_node *node, uint32_t from,
		       uint32_t to)
{
	struct libra_procmap *map = &s->map;
	uint32_t end = node->first + node->count;

	for (uint32_t i = 0; i < map->nruns && map->first[i] < end; i++) {
		uint32_t a = map->first[i], b = map->first[i + 1];

		a = a < node->first ? node->first : a;
		b = b > end ? end : b;
		if (map->label[i] != from || a >= b)
			continue;
		libra_procmap_set(map, a, b - a, to);
		if (to == LIBRA_PROCS_CLOSED)
			s->free -= b - a;
		else
			s->free += b - a;
		i = i > 2 ? i - 2 : UINT32_MAX; /* the runs have moved */
	}
}

void libra_pool_release(struct libra_engine *e, uint32_t slot)
{
	struct libra_space_state *s = libra_space_state(e);
	const struct libra_slot *entry = &e->slots[slot];

	libra_runlist_remove(&s->running, entry->end_s, entry->job.nprocs,
			     slot);
	libra_procmap_merge(&s->map, LIBRA_PROCS_JOB + slot, LIBRA_PROCS_FREE);
	s->free += entry->job.nprocs;
	s->forecast_holds = false;
	for (uint32_t i = 0; i < e->nnodes && s->nclosed > 0; i++)
		if (e->nodes[i].state != LIBRA_NODE_UP)
			close_free(s, &e->nodes[i], LIBRA_PROCS_FREE,
				   LIBRA_PROCS_CLOSED);
}

int libra_pool_node(struct libra_engine *e, const struct libra_node *node,
		    bool closed)
{
	struct libra_space_state *s = libra_space_state(e);

	if (libra_procmap_reserve(&s->map, node->count + e->live + s->nclosed) <
	    0)
		return -1;
	s->forecast_holds = false;
	s->replan = true;
	s->nclosed += closed ? 1 : UINT32_MAX;
	close_free(s, node, closed ? LIBRA_PROCS_FREE : LIBRA_PROCS_CLOSED,
		   closed ? LIBRA_PROCS_CLOSED : LIBRA_PROCS_FREE);
	return 0;
}
