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
	struct libra_space_state *s = libra_space_state(e);
	uint32_t slot = s->queue.slot[place];
	struct libra_slot *entry = &e->slots[slot];

	libra_pool_unqueue(e, place);
	libra_procmap_take(&s->map, LIBRA_PROCS_FREE, entry->job.nprocs,
			   LIBRA_PROCS_JOB + slot);
	s->free -= entry->job.nprocs;
	entry->start_s = e->now_s;
	entry->state = LIBRA_SLOT_STARTING;
	entry->nprocs_held = entry->job.nprocs;
	libra_runlist_add(&s->running, e->now_s + entry->job.estimate_s,
			  entry->job.nprocs, slot);
	libra_engine_act(e, LIBRA_ACTION_START, slot, LIBRA_REASON_NONE);
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

	libra_runlist_remove(&s->running, libra_pool_end_s(entry),
			     entry->job.nprocs, slot);
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
