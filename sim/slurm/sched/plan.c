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
	const uint64_t **some;

	if (plan->n < plan->cap)
		return 0;
	bigger =
		sim_grown(plan->slots, &cap, plan->n + 1, sizeof(*plan->slots));
	if (!bigger)
		return -1;
	plan->slots = bigger;
	some = realloc(plan->some, cap * sizeof(*some));
	if (!some)
		return -1;
	plan->some = some;
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
	plan->slots[0].gains = plan->slots[0].loses = false;
	memcpy(plan->slots[0].nodes, m->machine.up,
	       m->words * sizeof(*m->machine.up));
	plan->slots[0].count = sched_set_count(m->machine.up, m->words);
	return 0;
}

/* Divide slot j at an instant; the part behind it is slot j + 1. */
static int divide(const struct sched_model *m, struct sched_plan *plan,
		  uint32_t j, int64_t at_s)
{
	struct sched_slot *slot;
	uint64_t *nodes;

	if (reserve(m, plan) < 0)
		return -1;
	nodes = plan->slots[plan->n].nodes;
	memmove(plan->slots + j + 1, plan->slots + j,
		(plan->n - j) * sizeof(*plan->slots));
	plan->n++;
	slot = &plan->slots[j];
	slot[1].nodes = nodes;
	memcpy(nodes, slot->nodes, m->words * sizeof(*nodes));
	slot[1].begin_s = slot->end_s = at_s;
	slot[1].loses = slot->gains = false;
	return 0;
}

static bool are_equal(const struct sched_model *m, const struct sched_slot *a,
		      const struct sched_slot *b)
{
	if (!a->gains && !b->loses)
		return true;
	return a->count == b->count &&
	       sched_set_equal(a->nodes, b->nodes, m->words);
}

/* Join the first two neighbours with one set in a range, as Slurm does: one
 * pair at each reservation.
 */
static void join(const struct sched_model *m, struct sched_plan *plan,
		 uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end && i + 1 < plan->n; i++) {
		struct sched_slot spare = plan->slots[i + 1];

		if (!are_equal(m, &plan->slots[i], &spare))
			continue;
		plan->slots[i].end_s = spare.end_s;
		plan->slots[i].gains = spare.gains;
		memmove(plan->slots + i + 1, plan->slots + i + 2,
			(plan->n - i - 2) * sizeof(*plan->slots));
		plan->slots[--plan->n] = spare;
		return;
	}
}

/* A set of nodes, and the words of it that are not 0. */
struct part {
	const uint64_t *nodes;
	uint32_t first, end;
};

static struct part part_of(const struct sched_model *m, const uint64_t *nodes)
{
	struct part part = {nodes, 0, m->words};

	while (part.first < part.end && nodes[part.first] == 0)
		part.first++;
	while (part.end > part.first && nodes[part.end - 1] == 0)
		part.end--;
	return part;
}

static void take_out(struct sched_slot *slot, const struct part *part)
{
	for (uint32_t w = part->first; w < part->end; w++) {
		slot->count -=
			libra_bits_count(slot->nodes[w] & part->nodes[w]);
		slot->nodes[w] &= ~part->nodes[w];
	}
}

int sched_plan_add(const struct sched_model *m, struct sched_plan *plan,
		   int64_t start_s, int64_t end_s, const uint64_t *nodes)
{
	int64_t step = m->params.bf.resolution_s;
	struct part part = part_of(m, nodes);
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
	if (j + 1 < plan->n)
		plan->slots[j + 1].loses = true;
	for (j++; j < plan->n; j++) {
		if (end_s < plan->slots[j].end_s &&
		    divide(m, plan, j, end_s) < 0)
			return -1;
		take_out(&plan->slots[j], &part);
		if (end_s == plan->slots[j].end_s) {
			plan->slots[j].gains = true;
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
	struct part part = part_of(m, nodes);

	for (uint32_t j = 0; j < plan->n; j++) {
		const struct sched_slot *slot = &plan->slots[j];

		if (slot->begin_s >= end_s)
			break;
		if (slot->end_s <= start_s)
			continue;
		for (uint32_t w = part.first; w < part.end; w++)
			if (nodes[w] & ~slot->nodes[w])
				return true;
	}
	return false;
}

void sched_set_common(uint64_t *to, const uint64_t *with,
		      const uint64_t *const *sets, uint32_t n, uint32_t words)
{
	uint32_t w = 0;

	for (; w + 4 <= words; w += 4) {
		uint64_t a = with[w], b = with[w + 1];
		uint64_t c = with[w + 2], d = with[w + 3];

		for (uint32_t i = 0; i < n && (a | b | c | d); i++) {
			const uint64_t *set = sets[i] + w;

			a &= set[0];
			b &= set[1];
			c &= set[2];
			d &= set[3];
		}
		to[w] = a;
		to[w + 1] = b;
		to[w + 2] = c;
		to[w + 3] = d;
	}
	for (; w < words; w++) {
		to[w] = with[w];
		for (uint32_t i = 0; i < n; i++)
			to[w] &= sets[i][w];
	}
}
