/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * band.c - places of any processors: in an aligned block, or one by one.
 */
#include "core/gang/band.h"

#include <stdlib.h>

#include "core/array.h"

int libra_band_init(struct libra_band_memory *m, const struct libra_gang *g,
		    uint32_t nnodes)
{
	m->barred = calloc(g->words, sizeof(*m->barred));
	m->added = calloc(g->nprocs, sizeof(*m->added));
	m->fits = calloc(nnodes, sizeof(*m->fits));
	m->chosen = calloc(g->nprocs, sizeof(*m->chosen));
	m->renewed = calloc(g->words, sizeof(*m->renewed));
	return m->barred && m->added && m->fits && m->chosen && m->renewed ? 0
									   : -1;
}

void libra_band_fini(struct libra_band_memory *m)
{
	free(m->barred);
	free(m->looks);
	free(m->added);
	free(m->fits);
	free(m->chosen);
	free(m->renewed);
}

int libra_band_reserve(struct libra_band_memory *m, uint32_t nslots)
{
	bool ok = true;

	if (nslots <= m->looks_cap)
		return 0;
	m->looks = libra_grown(m->looks, nslots, sizeof(*m->looks), &ok);
	if (!ok)
		return -1;
	memset(m->looks, 0, nslots * sizeof(*m->looks));
	m->looks_cap = nslots;
	return 0;
}

/* ---- in a block ---- */

/* The cost of the first n processors of a block that are not barred; given up
 * as INFINITY once it cannot be less than best.
 */
static double price_block(const struct libra_band *b, uint32_t first,
			  uint32_t end, double best)
{
	struct libra_tally t = {0};
	uint32_t taken = 0;

	b->m->stamp++;
	for (uint32_t p = first; p < end && taken < b->n; p++) {
		if (libra_set_has(b->m->barred, p))
			continue;
		taken++;
		libra_band_count(b, &t, p);
		if (libra_band_exceeds(b, &t) || libra_band_cost(b, &t) >= best)
			return INFINITY;
	}
	return taken == b->n ? libra_band_cost(b, &t) : INFINITY;
}

static void take_block(const struct libra_band *b, uint32_t first)
{
	uint32_t taken = 0;

	for (uint32_t p = first; taken < b->n; p++) {
		if (libra_set_has(b->m->barred, p))
			continue;
		libra_set_put(b->set, p);
		taken++;
	}
}

bool libra_band_in_block(const struct libra_band *b)
{
	uint32_t nprocs = b->g->nprocs;
	uint64_t size = 1, chosen = 0;
	double best = INFINITY;

	while (size < b->n)
		size *= 2;
	for (uint64_t s = 0; s + b->n <= nprocs; s += size) {
		uint64_t end = s + size < nprocs ? s + size : nprocs;
		double price = price_block(b, (uint32_t)s, (uint32_t)end, best);

		if (price < best) {
			best = price;
			chosen = s;
		}
	}
	if (best == INFINITY)
		return false;
	take_block(b, (uint32_t)chosen);
	return true;
}

/* ---- one by one ---- */

/* What a processor would add to the cost of those taken already. */
static inline double addition(const struct libra_band *b,
			      const struct libra_tally *t, uint32_t proc)
{
	const uint32_t *bound = b->g->bound + (size_t)proc * b->g->depth;
	double needs_s = 0, alone_s = 0;
	uint32_t later = 0;

	for (uint32_t i = 0; i < b->g->nbound[proc]; i++) {
		const struct libra_look *look = &b->m->looks[bound[i]];

		alone_s += look->need_s;
		if (look->seen >= b->m->stamp)
			continue;
		needs_s += look->need_s;
		later += look->later;
	}
	if (b->alone)
		needs_s = fmax(alone_s - t->needs_s, 0);
	return needs_s + b->later_cost * later;
}

/* Processors that share a newly counted job add less now. */
static void renew_additions(const struct libra_band *b,
			    const struct libra_tally *t, uint32_t slot)
{
	const uint64_t *set = libra_gang_set(b->g, slot);

	for (uint32_t w = 0; w < b->g->words; w++) {
		b->m->renewed[w] |= set[w];
		for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
			uint32_t p = w * 64 + (uint32_t)__builtin_ctzll(bits);

			if (b->m->added[p] < INFINITY)
				b->m->added[p] = addition(b, t, p);
		}
	}
}

void libra_band_take(const struct libra_band *b, struct libra_tally *t,
		     uint32_t proc)
{
	const uint32_t *bound = b->g->bound + (size_t)proc * b->g->depth;
	double alone_s = 0;

	libra_set_put(b->set, proc);
	b->m->added[proc] = INFINITY;
	t->bound += b->g->nbound[proc];
	for (uint32_t i = 0; i < b->g->nbound[proc]; i++) {
		struct libra_look *look = &b->m->looks[bound[i]];

		alone_s += look->need_s;
		if (look->seen == LIBRA_LOOK_TAKEN)
			continue;
		look->seen = LIBRA_LOOK_TAKEN;
		t->later += look->later;
		if (!b->alone)
			t->needs_s += look->need_s;
		if (look->need_s > 0 || look->later)
			renew_additions(b, t, bound[i]);
	}
	if (b->alone)
		t->needs_s = fmax(t->needs_s, alone_s);
}

/* The first processor that adds least.  One that adds nothing is not to be
 * undercut, and taking it changes no other: those before `from` add something.
 */
static uint32_t least_addition(const struct libra_band *b, uint32_t from)
{
	const double *added = b->m->added;
	uint32_t least = 0;

	for (uint32_t p = from; p < b->g->nprocs; p++)
		if (added[p] == 0)
			return p;
	for (uint32_t p = 1; p < b->g->nprocs; p++)
		if (added[p] < added[least])
			least = p;
	return least;
}

uint32_t libra_band_begin(const struct libra_band *b)
{
	struct libra_tally none = {0};
	uint32_t open = 0;

	b->m->stamp++;
	for (uint32_t p = 0; p < b->g->nprocs; p++) {
		bool barred = libra_set_has(b->m->barred, p);

		b->m->added[p] = barred ? INFINITY : addition(b, &none, p);
		open += !barred;
	}
	return open;
}

bool libra_band_singly(const struct libra_band *b)
{
	struct libra_tally t = {0};
	uint32_t open = libra_band_begin(b), from = 0;

	for (uint32_t taken = 0; open >= b->n && taken < b->n; taken++) {
		uint32_t p = least_addition(b, from);

		from = b->m->added[p] == 0 ? p + 1 : 0;
		libra_band_take(b, &t, p);
		if (libra_band_exceeds(b, &t))
			return false;
	}
	return open >= b->n;
}
