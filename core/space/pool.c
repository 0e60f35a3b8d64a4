/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pool.c - assign processors to jobs, and list running jobs. */
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
	libra_procs_take(&libra_space_state(e)->procs, slot,
			 e->slots[slot].job.nprocs);
	libra_pool_run(e, slot, end_s);
}

void libra_pool_run(struct libra_engine *e, uint32_t slot, double end_s)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_slot *entry = &e->slots[slot];

	s->free -= entry->job.nprocs;
	entry->node_turn = 0;
	entry->start_s = e->now_s;
	entry->state = LIBRA_SLOT_STARTING;
	entry->nprocs_held = entry->job.nprocs;
	entry->end_s = end_s;
	libra_runlist_add(&s->running, end_s, entry->job.nprocs, slot);
	libra_engine_act(e, LIBRA_ACTION_START, slot, LIBRA_REASON_NONE);
}

bool libra_pool_is_taken(const struct libra_engine *e,
			 const struct libra_part *parts, uint32_t nparts)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (libra_procs_taken(&libra_space_state(e)->procs,
				      parts[i].procs))
			return true;
	return false;
}

void libra_pool_enter(struct libra_engine *e, uint32_t slot,
		      const struct libra_part *parts, uint32_t nparts,
		      double end_s)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_slot *entry = &e->slots[slot];

	for (uint32_t i = 0; i < nparts; i++)
		s->free -= libra_procs_enter(&s->procs, slot, parts[i].procs);
	entry->end_s = end_s;
	entry->node_turn = 0;
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

void libra_pool_shift(struct libra_engine *e, double by_s)
{
	struct libra_runlist *running = &libra_space_state(e)->running;
	uint32_t n = running->n;

	/* Rounding may make different ends equal: insert each job again. */
	running->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct libra_running job = running->jobs[i];
		struct libra_slot *entry = &e->slots[job.slot];

		entry->end_s += by_s;
		libra_runlist_add(running, entry->end_s, job.nprocs, job.slot);
	}
}

uint32_t libra_pool_node_of(const struct libra_engine *e, uint32_t proc)
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

struct libra_job_node libra_pool_nodes(const struct libra_engine *e,
				       uint32_t slot)
{
	const struct libra_procs *p = &libra_space_state(e)->procs;
	uint32_t run = p->first[slot];

	return (struct libra_job_node){.run = run, .proc = run};
}

bool libra_pool_next_node(const struct libra_engine *e,
			  struct libra_job_node *at)
{
	const struct libra_procs *p = &libra_space_state(e)->procs;
	uint32_t end;

	if (at->run == p->nprocs)
		return false;
	at->node = at->proc == at->run ? libra_pool_node_of(e, at->proc)
				       : at->node + 1;
	end = e->nodes[at->node].first + e->nodes[at->node].count;
	end = p->end[at->run] < end ? p->end[at->run] : end;
	at->nprocs = end - at->proc;
	at->proc = end;
	if (end == p->end[at->run])
		at->proc = at->run = p->next[at->run];
	return true;
}

uint32_t libra_pool_open_procs(const struct libra_engine *e, uint32_t slot)
{
	const struct libra_space_state *s = libra_space_state(e);
	struct libra_slot *entry = &e->slots[slot];
	struct libra_job_node at;

	if (s->nclosed == 0)
		return entry->job.nprocs;
	if (entry->node_turn == s->node_turn)
		return entry->nprocs_open;
	entry->node_turn = s->node_turn;
	entry->nprocs_open = entry->job.nprocs;
	at = libra_pool_nodes(e, slot);
	while (libra_pool_next_node(e, &at))
		if (e->nodes[at.node].state != LIBRA_NODE_UP)
			entry->nprocs_open -= at.nprocs;
	return entry->nprocs_open;
}

void libra_pool_release(struct libra_engine *e, uint32_t slot)
{
	struct libra_space_state *s = libra_space_state(e);
	const struct libra_slot *entry = &e->slots[slot];
	/* The runs can be read until the processors are assigned again. */
	struct libra_job_node at = libra_pool_nodes(e, slot);

	libra_runlist_remove(&s->running, entry->end_s, entry->job.nprocs,
			     slot);
	libra_procs_release(&s->procs, slot);
	s->free += entry->job.nprocs;
	s->forecast_holds = false;
	while (s->nclosed > 0 && libra_pool_next_node(e, &at)) {
		const struct libra_node *node = &e->nodes[at.node];

		if (node->state != LIBRA_NODE_UP)
			s->free -= libra_procs_close(&s->procs, node->first,
						     node->count, true);
	}
}

int libra_pool_node(struct libra_engine *e, const struct libra_node *node,
		    bool closed)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t n =
		libra_procs_close(&s->procs, node->first, node->count, closed);

	s->free += closed ? -n : n;
	s->forecast_holds = false;
	s->replan = true;
	s->node_turn++;
	s->nclosed += closed ? 1 : UINT32_MAX;
	return 0;
}
