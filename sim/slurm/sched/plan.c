/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - which nodes backfill has reserved, slot by slot. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/sched/passes.h"

/* Make room for one more slot, with its set. */
static int reserve(const struct sched_model *m, struct sched_plan *plan)
{
	size_t cap = plan->cap;
	struct sched_slot *bigger;

	if (plan->n < plan->cap)
		return 0;
	bigger =
		sim_grown(plan->slots, &cap, plan->n + 1, sizeof(*plan->slots));
	if (!bigger)
		return -1;
	plan->slots = bigger;
	for (; plan->cap < cap; plan->cap++) {
		uint64_t *set = calloc(m->words + 1, sizeof(*set));

		if (!set)
			return -1;
		plan->slots[plan->cap].nodes = set;
	}
	return 0;
}

int sched_plan_begin(const struct sched_model *m, struct sched_plan *plan,
		     int64_t begin_s, int64_t end_s)
{
	plan->n = 0;
	if (reserve(m, plan) < 0)
		return -1;
	plan->n = 1;
	plan->slots[0].begin_s = begin_s;
	plan->slots[0].end_s = end_s;
	memcpy(plan->slots[0].nodes, m->up, m->words * sizeof(*m->up));
	return 0;
}

/* Divide slot j at an instant; the part behind it is slot j + 1. */
static int divide(const struct sched_model *m, struct sched_plan *plan,
		  uint32_t j, int64_t at_s)
{
	struct sched_slot spare;

	if (reserve(m, plan) < 0)
		return -1;
	spare = plan->slots[plan->n];
	memmove(plan->slots + j + 2, plan->slots + j + 1,
		(plan->n - j - 1) * sizeof(*plan->slots));
	plan->n++;
	plan->slots[j + 1] = spare;
	plan->slots[j + 1].begin_s = at_s;
	plan->slots[j + 1].end_s = plan->slots[j].end_s;
	memcpy(spare.nodes, plan->slots[j].nodes,
	       m->words * sizeof(*spare.nodes));
	plan->slots[j].end_s = at_s;
	return 0;
}

/* Join the first two neighbours with one set in a range, as Slurm does: one
 * pair at each reservation.
 */
static void join(const struct sched_model *m, struct sched_plan *plan,
		 uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end && i + 1 < plan->n; i++) {
		struct sched_slot spare = plan->slots[i + 1];

		if (!sched_set_equal(plan->slots[i].nodes, spare.nodes,
				     m->words))
			continue;
		plan->slots[i].end_s = spare.end_s;
		memmove(plan->slots + i + 1, plan->slots + i + 2,
			(plan->n - i - 2) * sizeof(*plan->slots));
		plan->slots[--plan->n] = spare;
		return;
	}
}

int sched_plan_add(const struct sched_model *m, struct sched_plan *plan,
		   int64_t start_s, int64_t end_s, const uint64_t *nodes)
{
	int64_t step = m->params.bf_resolution_s;
	uint32_t before = 0, after = plan->n, j;

	if (start_s < plan->slots[0].begin_s)
		start_s = plan->slots[0].begin_s;
	if (end_s < start_s + step)
		end_s = start_s + step;
	for (j = 0; j < plan->n; j++) {
		if (plan->slots[j].end_s >= start_s)
			break;
		before = j;
	}
	if (j == plan->n)
		return 0;
	if (plan->slots[j].end_s > start_s && divide(m, plan, j, start_s) < 0)
		return -1;
	after = UINT32_MAX;
	for (j++; j < plan->n; j++) {
		struct sched_slot *slot = &plan->slots[j];

		if (end_s < slot->end_s) {
			if (divide(m, plan, j, end_s) < 0)
				return -1;
			slot = &plan->slots[j];
		}
		for (uint32_t w = 0; w < m->words; w++)
			slot->nodes[w] &= ~nodes[w];
		if (end_s == slot->end_s) {
			if (j + 1 < plan->n)
				after = j + 1;
			break;
		}
	}
	join(m, plan, before, after);
	return 0;
}

bool sched_plan_overlaps(const struct sched_model *m,
			 const struct sched_plan *plan, int64_t start_s,
			 int64_t end_s, const uint64_t *nodes)
{
	for (uint32_t j = 0; j < plan->n; j++)
		if (plan->slots[j].end_s > start_s &&
		    plan->slots[j].begin_s < end_s &&
		    !sched_set_within(nodes, plan->slots[j].nodes, m->words))
			return true;
	return false;
}
