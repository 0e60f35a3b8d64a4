/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * band.c - places of any processors: in an aligned block, or one by one.
 */
#include "core/gang/band.h"

#include <stdlib.h>

#include "core/array.h"

/* So often is a block looked at again without those who would miss. */
#define AGAIN 4

int libra_band_init(struct libra_band_memory *m, const struct libra_gang *g,
		    uint32_t nnodes)
{
	m->barred = calloc(g->words, sizeof(*m->barred));
	m->out = calloc(g->words, sizeof(*m->out));
	m->added = calloc(g->nprocs, sizeof(*m->added));
	m->fits = calloc(nnodes, sizeof(*m->fits));
	m->chosen = calloc(g->nprocs, sizeof(*m->chosen));
	m->renewed = calloc(g->words, sizeof(*m->renewed));
	return m->barred && m->out && m->added && m->fits && m->chosen &&
			       m->renewed
		       ? 0
		       : -1;
}

void libra_band_fini(struct libra_band_memory *m)
{
	free(m->barred);
	free(m->out);
	free(m->looks);
	free(m->earlier);
	free(m->later);
	libra_finishes_fini(&m->finishes);
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
	if (libra_finishes_reserve(&m->finishes, nslots) < 0)
		return -1;
	m->earlier = libra_grown(m->earlier, nslots, sizeof(uint32_t), &ok);
	m->later = libra_grown(m->later, nslots, sizeof(uint32_t), &ok);
	m->looks = libra_grown(m->looks, nslots, sizeof(*m->looks), &ok);
	if (!ok)
		return -1;
	memset(m->looks, 0, nslots * sizeof(*m->looks));
	m->looks_cap = nslots;
	return 0;
}

/* ---- the judgement of a choice ---- */

/* By finishes, what was counted.  The later jobs' price is what they rise. */
static double price_finishes(const struct libra_band *b,
			     const struct libra_tally *t, double best,
			     uint32_t *misses)
{
	double floor = t->needs_s + LIBRA_BAND_BOUND_COST * t->bound;
	struct libra_trial trial = {
		.deadline_s = b->deadline_s,
		.need_s = b->least_s,
		.earlier = b->m->earlier,
		.nearlier = t->nearlier,
		.later = b->m->later,
		.nlater = t->later,
	};

	if (floor >= best)
		return INFINITY;
	if (libra_finishes_try(&b->m->finishes, b->g, &trial, best - floor,
			       b->now_s))
		return floor + trial.rise_s;
	if (trial.misses_here)
		*misses = trial.misses;
	return INFINITY;
}

double libra_band_price(const struct libra_band *b, const uint32_t *procs,
			double best, uint32_t *misses)
{
	struct libra_tally t = {0};

	*misses = LIBRA_NOBODY;
	b->m->stamp++;
	for (uint32_t i = 0; i < b->n; i++) {
		libra_band_count(b, &t, procs[i]);
		if (b->by_finishes)
			continue;
		if (libra_band_exceeds(b, &t) || libra_band_cost(b, &t) >= best)
			return INFINITY;
	}
	return b->by_finishes ? price_finishes(b, &t, best, misses)
			      : libra_band_cost(b, &t);
}

/* Its processors are not for J, in the block looked at. */
static void put_out(const struct libra_band *b, uint32_t slot)
{
	const uint64_t *set = libra_gang_set(b->g, slot);

	for (uint32_t i = 0; i < b->g->words; i++)
		b->m->out[i] |= set[i];
}

bool libra_band_judge(const struct libra_band *b)
{
	uint32_t n = 0, misses;

	if (!b->by_finishes)
		return true; /* the sum was watched all along */
	for (uint32_t p = 0; p < b->g->nprocs; p++)
		if (libra_set_has(b->set, p))
			b->m->chosen[n++] = p;
	/* What was taken is counted anew. */
	for (uint32_t i = 0; i < b->g->njobs; i++)
		b->m->looks[b->g->order[i]].seen = 0;
	return libra_band_price(b, b->m->chosen, INFINITY, &misses) < INFINITY;
}

/* ---- in a block ---- */

double libra_band_price_block(const struct libra_band *b,
			      libra_band_choose_f *choose,
			      struct libra_block *block, double best)
{
	double price = INFINITY;
	uint32_t misses;
	int again = 0;

	while (choose(b, block)) {
		block->room = true;
		price = libra_band_price(b, b->m->chosen, best, &misses);
		if (misses == LIBRA_NOBODY || again++ == AGAIN)
			break;
		put_out(b, misses);
	}
	if (again > 0)
		memcpy(b->m->out, b->m->barred,
		       b->g->words * sizeof(*b->m->out));
	return price;
}

void libra_band_take_chosen(const struct libra_band *b)
{
	libra_band_clear(b);
	for (uint32_t i = 0; i < b->n; i++)
		libra_set_put(b->set, b->m->chosen[i]);
}

/* The first n. */
static bool choose_first(const struct libra_band *b, struct libra_block *block)
{
	uint32_t taken = 0;

	for (uint32_t p = block->first; p < block->end && taken < b->n; p++)
		if (!libra_set_has(b->m->out, p))
			b->m->chosen[taken++] = p;
	return taken == b->n;
}

bool libra_band_in_block(const struct libra_band *b)
{
	uint32_t nprocs = b->g->nprocs;
	uint64_t size = 1;
	double best = INFINITY;

	while (size < b->n)
		size *= 2;
	for (uint64_t s = 0; s + b->n <= nprocs; s += size) {
		uint64_t end = s + size < nprocs ? s + size : nprocs;
		struct libra_block block = {.first = (uint32_t)s,
					    .end = (uint32_t)end};
		double price = libra_band_price_block(b, choose_first, &block,
						      best - LIBRA_BAND_TIE);

		if (price < best)
			libra_band_take_chosen(b);
		best = fmin(best, price);
	}
	return best < INFINITY;
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
		if (added[p] < added[least] - LIBRA_BAND_TIE)
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
	return open >= b->n && libra_band_judge(b);
}
