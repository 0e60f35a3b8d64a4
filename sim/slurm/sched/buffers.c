/* SPDX-License-Identifier: GPL-2.0-or-later */
/* buffers.c - memory of the passes, allocated once. */
#include <stdlib.h>

#include "sim/slurm/sched/passes.h"

struct sched_buffers *sched_buffers_new(const struct sched_model *m)
{
	struct sched_buffers *b = calloc(1, sizeof(*b));
	uint64_t **sets[5];
	bool ok;

	if (!b)
		return NULL;
	sets[0] = &b->avail;
	sets[1] = &b->allowed;
	sets[2] = &b->next;
	sets[3] = &b->current;
	sets[4] = &b->before;
	ok = sched_place_init(m, &b->place) == 0 &&
	     sched_free_init(m, &b->scratch) == 0 &&
	     sched_free_init(m, &b->empty) == 0;
	for (size_t i = 0; i < 5; i++) {
		*sets[i] = calloc(m->words + 1, sizeof(uint64_t));
		ok = ok && *sets[i];
	}
	for (size_t i = 0; i < SCHED_FUTURES; i++)
		ok = ok && sched_free_init(m, &b->futures[i].free) == 0;
	b->by_user = calloc(m->nusers + 1, sizeof(*b->by_user));
	b->by_assoc = calloc(m->nassocs + 1, sizeof(*b->by_assoc));
	b->by_user_part = calloc((size_t)(m->nusers + 1) * (m->nparts + 1),
				 sizeof(*b->by_user_part));
	b->ended.last = calloc(m->nnodes + 1, sizeof(*b->ended.last));
	b->ended.set = calloc(m->words + 1, sizeof(*b->ended.set));
	b->ended.changes = UINT64_MAX;
	ok = ok && b->ended.last && b->ended.set;
	b->chances = calloc(m->nparts + 1, sizeof(*b->chances));
	b->taken = calloc(m->nnodes + 1, sizeof(*b->taken));
	if (!ok || !b->chances || !b->taken || !b->by_user || !b->by_assoc ||
	    !b->by_user_part) {
		sched_buffers_free(b);
		return NULL;
	}
	sched_free_copy(m, &b->empty, &m->free);
	return b;
}

void sched_buffers_free(struct sched_buffers *b)
{
	if (!b)
		return;
	sched_place_fini(&b->place);
	sched_free_fini(&b->scratch);
	sched_free_fini(&b->empty);
	for (size_t i = 0; i < SCHED_FUTURES; i++)
		sched_free_fini(&b->futures[i].free);
	free(b->avail);
	free(b->allowed);
	free(b->next);
	free(b->current);
	free(b->before);
	free(b->queue);
	free(b->merge);
	free(b->asking.jobs);
	free(b->victims);
	for (uint32_t i = 0; i < b->plan.cap; i++)
		free(b->plan.slots[i].nodes);
	free(b->plan.slots);
	free(b->plan.some);
	free(b->ended.sets);
	free(b->ended.last);
	free(b->ended.set);
	free(b->chances);
	free(b->taken);
	free(b->by_user);
	free(b->by_assoc);
	free(b->by_user_part);
	free(b);
}
