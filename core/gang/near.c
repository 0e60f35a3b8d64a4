/* SPDX-License-Identifier: GPL-2.0-or-later */
/* near.c - neighbours: see near.h. */
#include "core/gang/near.h"

#include <string.h>

#include "core/array.h"

#define FIRST_NEAR 4

bool libra_gang_meet(const struct libra_gang_job *a,
		     const struct libra_gang_job *b)
{
	uint32_t i = 0, k = 0;

	while (i < a->nparts && k < b->nparts) {
		uint32_t a_end = a->parts[i].first + a->parts[i].count;
		uint32_t b_end = b->parts[k].first + b->parts[k].count;

		if (a_end <= b->parts[k].first)
			i++;
		else if (b_end <= a->parts[i].first)
			k++;
		else
			return true;
	}
	return false;
}

uint32_t libra_gang_next_unlisted(const struct libra_gang *g, uint32_t slot,
				  const struct libra_gang_side *side,
				  uint32_t *cursor)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	bool before = side == &job->before;

	while (*cursor < g->njobs) {
		uint32_t near = g->order[(*cursor)++];
		const struct libra_gang_job *other = &g->jobs[near];

		if (near != slot && libra_gang_before(other, job) == before &&
		    libra_gang_meet(other, job))
			return near;
	}
	return LIBRA_GANG_NOBODY;
}

static int reserve_side(struct libra_gang_side *side, uint32_t n)
{
	uint32_t cap;
	bool ok = true;

	n = n < LIBRA_GANG_LISTED ? n : LIBRA_GANG_LISTED;
	if (n <= side->cap)
		return 0;
	cap = libra_doubled(side->cap, FIRST_NEAR, n);
	side->slots = libra_grown(side->slots, cap, sizeof(*side->slots), &ok);
	if (!ok)
		return -1;
	side->cap = cap;
	return 0;
}

int libra_gang_reserve_sides(struct libra_gang_job *job, uint32_t before,
			     uint32_t behind)
{
	return reserve_side(&job->before, before) < 0 ||
			       reserve_side(&job->behind, behind) < 0
		       ? -1
		       : 0;
}

/* Add a neighbour to a side.  An addition has reserved memory; a change that
 * finds no memory leaves the neighbour unlisted.
 */
static void put_side(const struct libra_gang *g, struct libra_gang_side *side,
		     uint32_t slot)
{
	if (side->n == side->nslots && side->n < g->listed &&
	    reserve_side(side, side->n + 1) == 0) {
		side->slots[side->nslots++] = slot;
		side->listed_at = g->stamp;
	}
	side->n++;
}

/* Remove a neighbour from a side; the rest of the list keeps its order. */
static void drop_side(const struct libra_gang *g, struct libra_gang_side *side,
		      uint32_t slot)
{
	uint32_t i = 0;

	side->n--;
	/* In a crowd most jobs are certainly not listed. */
	if (g->jobs[slot].joined > side->listed_at)
		return;
	while (i < side->nslots && side->slots[i] != slot)
		i++;
	if (i == side->nslots)
		return;
	side->nslots--;
	memmove(&side->slots[i], &side->slots[i + 1],
		(side->nslots - i) * sizeof(*side->slots));
}

typedef void change_side_f(const struct libra_gang *g,
			   struct libra_gang_side *side, uint32_t slot);

/* Add two neighbours to each other's sides, or remove them. */
static void pair(struct libra_gang *g, uint32_t first, uint32_t second,
		 change_side_f *change)
{
	struct libra_gang_job *a = &g->jobs[first], *b = &g->jobs[second];
	bool crowded = libra_gang_is_crowded(&b->before);

	change(g, &a->behind, second);
	change(g, &b->before, first);
	g->ncrowded += libra_gang_is_crowded(&b->before);
	g->ncrowded -= crowded;
}

static void pair_by_order(struct libra_gang *g, uint32_t slot, uint32_t near,
			  change_side_f *change)
{
	if (libra_gang_before(&g->jobs[near], &g->jobs[slot]))
		pair(g, near, slot, change);
	else
		pair(g, slot, near, change);
}

void libra_gang_pair(struct libra_gang *g, uint32_t slot, uint32_t near)
{
	pair_by_order(g, slot, near, put_side);
}

/* Remove a job from the sides of its neighbours on one side; its own lists
 * stay.
 */
static void leave_side(struct libra_gang *g, uint32_t slot,
		       const struct libra_gang_side *side)
{
	bool before = side == &g->jobs[slot].before;
	uint32_t cursor = 0, near;

	g->steps += libra_gang_is_crowded(side) ? g->njobs : side->n;
	while ((near = libra_gang_next_near(g, slot, side, &cursor)) !=
	       LIBRA_GANG_NOBODY) {
		struct libra_gang_job *other = &g->jobs[near];
		bool crowded = libra_gang_is_crowded(&other->before);

		drop_side(g, before ? &other->behind : &other->before, slot);
		g->ncrowded += libra_gang_is_crowded(&other->before);
		g->ncrowded -= crowded;
		if (!libra_gang_has_neighbours(other))
			libra_bits_drop(g->with_neighbours, near);
	}
}

void libra_gang_leave(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];

	leave_side(g, slot, &job->before);
	leave_side(g, slot, &job->behind);
	g->ncrowded -= libra_gang_is_crowded(&job->before);
	libra_bits_drop(g->with_neighbours, slot);
	job->before.n = job->before.nslots = 0;
	job->behind.n = job->behind.nslots = 0;
}

/* Move the neighbours between the old deadline and the new one to the other
 * side; no other neighbour is visited.
 */
void libra_gang_change_sides(struct libra_gang *g, uint32_t slot,
			     double deadline_s)
{
	struct libra_gang_job *job = &g->jobs[slot];
	double was_s = job->deadline_s;

	if (deadline_s == was_s)
		return;
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t near = g->order[i];
		const struct libra_gang_job *other = &g->jobs[near];
		bool before = libra_gang_before(other, job);

		job->deadline_s = deadline_s;
		if (before != libra_gang_before(other, job) &&
		    libra_gang_meet(other, job)) {
			job->deadline_s = was_s;
			pair_by_order(g, slot, near, drop_side);
			job->deadline_s = deadline_s;
			pair_by_order(g, slot, near, put_side);
		}
		job->deadline_s = was_s;
	}
	job->deadline_s = deadline_s;
}

/* Check that a side lists existing neighbours only, and no more than it counts.
 */
