/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * band.c - placements on any processors: in an aligned block, or one by one.
 */
#include "core/gang/band.h"

#include <stdlib.h>

#include "core/array.h"

/* Most repetitions for a block, each without the jobs that would miss. */
#define AGAIN 4

int libra_band_init(struct libra_band_memory *m, const struct libra_gang *g,
		    uint32_t nnodes)
{
	m->nprocs = g->nprocs;
	m->barred = calloc(g->words, sizeof(*m->barred));
	m->out = calloc(g->words, sizeof(*m->out));
	m->added = calloc(g->nprocs, sizeof(*m->added));
	m->fits = calloc(nnodes, sizeof(*m->fits));
	m->chosen = malloc(g->nprocs * sizeof(*m->chosen));
	m->renewed = calloc(g->words, sizeof(*m->renewed));
	m->touched = calloc(g->words, sizeof(*m->touched));
	m->pieces = calloc(g->words, sizeof(*m->pieces));
	m->piece_end = malloc(g->nprocs * sizeof(*m->piece_end));
	m->words = malloc(g->words * sizeof(*m->words));
	for (uint32_t w = 0; m->words && w < g->words; w++)
		m->words[w].changes = UINT64_MAX; /* never looked at */
	return m->barred && m->out && m->added && m->fits && m->chosen &&
			       m->renewed && m->touched && m->pieces &&
			       m->piece_end && m->words
		       ? 0
		       : -1;
}

void libra_band_fini(struct libra_band_memory *m)
{
	free(m->barred);
	free(m->out);
	free(m->seen);
	free(m->earlier);
	free(m->later);
	libra_finishes_fini(&m->finishes);
	free(m->added);
	free(m->fits);
	free(m->chosen);
	free(m->renewed);
	free(m->touched);
	free(m->pieces);
	free(m->piece_end);
	free(m->words);
}

int libra_band_reserve(struct libra_band_memory *m, uint32_t nslots)
{
	bool ok = true;

	if (nslots <= m->seen_cap)
		return 0;
	if (libra_finishes_reserve(&m->finishes, nslots, m->nprocs) < 0)
		return -1;
	m->earlier = libra_grown(m->earlier, nslots, sizeof(uint32_t), &ok);
	m->later = libra_grown(m->later, nslots, sizeof(uint32_t), &ok);
	m->seen = libra_grown(m->seen, nslots, sizeof(*m->seen), &ok);
	if (!ok)
		return -1;
	memset(m->seen, 0, nslots * sizeof(*m->seen));
	m->seen_cap = nslots;
	return 0;
}

void libra_band_forget_taken(const struct libra_band *b)
{
	if (b->m->taken)
		memset(b->m->seen, 0, b->m->seen_cap * sizeof(*b->m->seen));
	b->m->taken = false;
}

/* ---- the judgement of a choice ---- */

/* By finishes: the least cost of a placement, before the rise of others. */
static inline double floor_cost(double needs_s, uint32_t bound)
{
	return needs_s + LIBRA_BAND_BOUND_COST * bound;
}

/* By finishes: return the cost of a counted candidate.  The cost of later jobs
 * is their rise.
 */
static double price_finishes(const struct libra_band *b,
			     const struct libra_tally *t, double best,
			     uint32_t *misses)
{
	double floor = floor_cost(t->needs_s, t->bound);
	struct libra_trial trial = {
		.deadline_s = b->deadline_s,
		.need_s = b->least_s,
		.earlier = b->m->earlier,
		.nearlier = t->nearlier,
		.nidle = t->nidle,
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

void libra_band_count_chosen(const struct libra_band *b, struct libra_tally *t)
{
	for (uint32_t i = 0; i < b->m->nchosen; i++) {
		uint32_t p = b->m->chosen[i].first, next;
		uint32_t end = p + b->m->chosen[i].count;

		for (; p < end; p = next) {
			next = libra_gang_run_end(b->g, p, end);
			libra_band_count(b, t, libra_gang_run(b->g, p),
					 next - p);
		}
	}
}

double libra_band_price(const struct libra_band *b, double best,
			uint32_t *misses)
{
	struct libra_tally t = {0};

	*misses = LIBRA_NOBODY;
	b->m->stamp++;
	libra_band_count_chosen(b, &t);
	if (b->by_finishes)
		return price_finishes(b, &t, best, misses);
	if (libra_band_exceeds(b, &t) || libra_band_cost(b, &t) >= best)
		return INFINITY;
	return libra_band_cost(b, &t);
}

bool libra_band_judge(const struct libra_band *b)
{
	uint32_t nprocs = b->g->nprocs, misses, end;

	if (!b->by_finishes)
		return true; /* the sum was tested at each step */
	b->m->nchosen = 0;
	for (uint32_t p = libra_bits_next(b->set, 0, nprocs); p < nprocs;
	     p = libra_bits_next(b->set, end, nprocs)) {
		end = libra_bits_next_not(b->set, p, nprocs);
		libra_band_choose(b, p, end - p);
	}
	libra_band_forget_taken(b); /* count it again */
	return libra_band_price(b, INFINITY, &misses) < INFINITY;
}

/* ---- in a block ---- */

/* Exclude the processors of a job from the present block. */
static void put_out(const struct libra_band *b, const struct libra_block *block,
		    uint32_t slot)
{
	const struct libra_gang_job *job = &b->g->jobs[slot];

	for (uint32_t i = 0; i < job->nparts; i++) {
		uint32_t first = job->parts[i].first;
		uint32_t end = first + job->parts[i].count;

		first = first > block->first ? first : block->first;
		end = end < block->end ? end : block->end;
		if (first < end)
			libra_bits_fill(b->m->out, first, end);
	}
}

double libra_band_price_block(const struct libra_band *b,
			      libra_band_choose_f *choose,
			      struct libra_block *block, double best)
{
	uint32_t first = block->first / 64, misses;
	uint32_t words = LIBRA_BITS_WORDS(block->end) - first;
	double price = INFINITY;
	int again = 0;

	while (choose(b, block)) {
		block->room = true;
		price = libra_band_price(b, best, &misses);
		if (misses == LIBRA_NOBODY || again++ == AGAIN ||
		    libra_band_is_spent(b))
			break;
		put_out(b, block, misses);
	}
	if (again > 0)
		memcpy(&b->m->out[first], &b->m->barred[first],
		       words * sizeof(*b->m->out));
	return price;
}

void libra_band_take_chosen(const struct libra_band *b)
{
	libra_band_clear(b);
	for (uint32_t i = 0; i < b->m->nchosen; i++)
		libra_bits_fill(b->set, b->m->chosen[i].first,
				b->m->chosen[i].first + b->m->chosen[i].count);
}

uint32_t libra_band_choose_first(const struct libra_band *b,
				 struct libra_range range, uint32_t n)
{
	uint32_t end = range.first + range.count, found = 0, next;

	for (uint32_t p = libra_bits_next_not(b->m->out, range.first, end);
	     p < end && found < n;
	     p = libra_bits_next_not(b->m->out, next, end)) {
		uint32_t most = end - p < n - found ? end - p : n - found;

		next = libra_bits_next(b->m->out, p, p + most);
		libra_band_choose(b, p, next - p);
		found += next - p;
	}
	return found;
}

/* Choose the first n processors. */
static bool choose_first(const struct libra_band *b, struct libra_block *block)
{
	b->m->nchosen = 0;
	return libra_band_choose_first(
		       b,
		       (struct libra_range){block->first,
					    block->end - block->first},
		       b->n) == b->n;
}

/* Return true if the first n processors of a block have no residents. */
static bool is_empty(const struct libra_band *b, uint32_t first, uint32_t end)
{
	uint32_t found = 0;

	for (uint32_t w = first / 64; w * 64 < end && found < b->n; w++) {
		uint64_t open = ~b->m->out[w] & libra_bits_mask(w, first, end);
		uint64_t used = open & b->g->runs.used[w];

		if (used)
			open &= (used & -used) - 1;
		found += libra_bits_count(open);
		if (used)
			break;
	}
	return found >= b->n;
}

/* Return the next processor that is neither out nor used, or nprocs. */
static uint32_t next_free(const struct libra_band *b, uint32_t from)
{
	uint32_t nprocs = b->g->nprocs;

	for (uint32_t w = from / 64; w * 64 < nprocs; w++) {
		uint64_t open = ~(b->m->out[w] | b->g->runs.used[w]) &
				libra_bits_mask(w, from, nprocs);

		if (open)
			return w * 64 + (uint32_t)__builtin_ctzll(open);
	}
	return nprocs;
}

/* Choose the first block without residents.  It costs nothing, and any other
 * block more than a tie, so the others need no visit.
 */
static bool in_empty_block(const struct libra_band *b, uint64_t size)
{
	uint32_t nprocs = b->g->nprocs;

	for (uint64_t s = 0; s + b->n <= nprocs; s += size) {
		struct libra_block block = {0};

		s = next_free(b, (uint32_t)s) / size * size;
		block.first = (uint32_t)s;
		block.end = s + size < nprocs ? (uint32_t)(s + size) : nprocs;
		if (!is_empty(b, block.first, block.end))
			continue;
		/* J waits for no job there: it is within any budget. */
		libra_band_price_block(b, choose_first, &block, INFINITY);
		libra_band_take_chosen(b);
		return true;
	}
	return false;
}

/* Return one past the processors from p on that are like it: all out, or none
 * of them, and all of one run.
 */
static inline uint32_t alike_end(const struct libra_band *b, uint32_t p)
{
	uint32_t nprocs = b->g->nprocs;

	return libra_bits_has(b->m->out, p)
		       ? libra_bits_next_not(b->m->out, p + 1, nprocs)
		       : libra_bits_next(b->m->out, p + 1,
					 libra_gang_run_end(b->g, p, nprocs));
}

static inline uint64_t behind_alike(uint64_t s, uint64_t size, uint32_t alike)
{
	return alike - s > size ? s + (alike - s) / size * size : s + size;
}

uint64_t libra_band_next_block(const struct libra_band *b, uint64_t s,
			       uint64_t size)
{
	return behind_alike(s, size, alike_end(b, (uint32_t)s));
}

/* Return the costs of a word's runs; compute them if anything has changed. */
static const struct libra_band_word *word_of(const struct libra_band *b,
					     uint32_t w)
{
	const struct libra_gang *g = b->g;
	struct libra_band_word *word = &b->m->words[w];
	uint64_t edges = g->runs.edges[w] & libra_bits_mask(w, 0, g->nprocs);

	if (word->changes == g->changes[w] &&
	    (word->touched_s == g->at.touched_s || g->falling[w] == 0))
		return word;
	*word = (struct libra_band_word){.changes = g->changes[w],
					 .touched_s = g->at.touched_s,
					 .cost = INFINITY,
					 .last_s = -INFINITY};
	for (; edges; edges &= edges - 1) {
		uint32_t run = w * 64 + (uint32_t)__builtin_ctzll(edges);
		const uint32_t *bound = libra_gang_bound(g, run);
		double needs_s = 0;

		for (uint32_t i = 0; i < g->runs.nbound[run]; i++) {
			needs_s += libra_gang_need_s(g, bound[i]);
			if (g->need_lines[bound[i]].deadline_s > word->last_s)
				word->last_s =
					g->need_lines[bound[i]].deadline_s;
		}
		word->cost = fmin(word->cost,
				  floor_cost(needs_s, g->runs.nbound[run]));
		word->visits += 1 + g->runs.nbound[run];
	}
	return word;
}

/* Return true if each run of a word costs too much for a job of one processor.
 * If all residents come before it, that is known without visiting them.
 */
static bool is_dear_word(const struct libra_band *b, uint32_t w, double best)
{
	const struct libra_band_word *word = word_of(b, w);

	if (word->last_s > b->deadline_s || word->cost < best)
		return false;
	b->m->visits += word->visits;
	return true;
}

/* Return true if a placement on a run costs too much by its residents alone.
 * Tested before it is chosen: on a full machine nearly all blocks end here.
 * Counts steps as libra_band_price() would.
 */
static inline bool is_dear(const struct libra_band *b, uint32_t run,
			   double best)
{
	const uint32_t *bound = libra_gang_bound(b->g, run);
	double needs_s = 0;

	for (uint32_t i = 0; i < b->g->runs.nbound[run]; i++)
		needs_s += libra_band_need_s(b, bound[i]);
	if (floor_cost(needs_s, b->n * b->g->runs.nbound[run]) < best)
		return false;
	b->m->visits += 1 + b->g->runs.nbound[run];
	return true;
}

/* Return true if the first n processors of a block are of one run and none is
 * out; processors up to `alike` are like the first.
 */
static inline bool is_plain(const struct libra_band *b, uint32_t first,
			    uint32_t alike)
{
	return b->by_finishes && alike - first >= b->n &&
	       !libra_bits_has(b->m->out, first);
}

/* Try one block.  Result: the least cost so far. */
static double try_block(const struct libra_band *b, struct libra_block block,
			double best)
{
	double price = libra_band_price_block(b, choose_first, &block,
					      best - LIBRA_BAND_TIE);

	if (price < best)
		libra_band_take_chosen(b);
	return fmin(best, price);
}

/* Blocks of one processor: of those that are not out, the first of each run,
 * and the first after an excluded one, found by words.
 */
static bool in_one(const struct libra_band *b)
{
	const struct libra_gang *g = b->g;
	uint64_t out_before = 0, out;
	double best = INFINITY;

	for (uint32_t w = 0; w < g->words && !libra_band_is_spent(b);
	     w++, out_before = out >> 63) {
		out = b->m->out[w];
		if (out == 0 && out_before == 0 &&
		    is_dear_word(b, w, best - LIBRA_BAND_TIE))
			continue;
		for (uint64_t first =
			     (g->runs.edges[w] | out << 1 | out_before) & ~out &
			     libra_bits_mask(w, 0, g->nprocs);
		     first && !libra_band_is_spent(b); first &= first - 1) {
			uint32_t p = w * 64 + (uint32_t)__builtin_ctzll(first);
			uint32_t run = libra_gang_run(g, p);

			if (!is_dear(b, run, best - LIBRA_BAND_TIE))
				best = try_block(
					b,
					(struct libra_block){.first = p,
							     .end = p + 1},
					best);
		}
	}
	return best < INFINITY;
}

bool libra_band_in_block(const struct libra_band *b)
{
	uint32_t nprocs = b->g->nprocs, alike;
	uint64_t size = 1;
	double best = INFINITY;

	while (size < b->n)
		size *= 2;
	if (in_empty_block(b, size))
		return true;
	if (size == 1 && b->by_finishes)
		return in_one(b);
	for (uint64_t s = 0; s + b->n <= nprocs && !libra_band_is_spent(b);
	     s = behind_alike(s, size, alike)) {
		uint64_t end = s + size < nprocs ? s + size : nprocs;
		struct libra_block block = {.first = (uint32_t)s,
					    .end = (uint32_t)end};

		alike = alike_end(b, block.first);
		if (!is_plain(b, block.first, alike) ||
		    !is_dear(b, libra_gang_run(b->g, block.first),
			     best - LIBRA_BAND_TIE))
			best = try_block(b, block, best);
	}
	return best < INFINITY;
}

/* ---- one by one ---- */

/* Return what a processor of a run would add to the cost of those chosen. */
static inline double addition(const struct libra_band *b,
			      const struct libra_tally *t, uint32_t run)
{
	const uint32_t *bound = libra_gang_bound(b->g, run);
	double needs_s = 0, alone_s = 0;
	uint32_t later = 0;

	b->m->visits += 1 + b->g->runs.nbound[run];
	for (uint32_t i = 0; i < b->g->runs.nbound[run]; i++) {
		double need_s = libra_band_need_s(b, bound[i]);

		alone_s += need_s;
		if (b->m->seen[bound[i]] >= b->m->stamp)
			continue;
		needs_s += need_s;
		later += libra_band_is_later(b, bound[i]);
	}
	if (b->alone)
		needs_s = fmax(alone_s - t->needs_s, 0);
	return needs_s + b->later_cost * later;
}

/* Update processors that share a newly counted job (touched): they add less
 * now.
 */
typedef void renew_f(const struct libra_band *b, const struct libra_tally *t);

static void renew_procs(const struct libra_band *b, const struct libra_tally *t)
{
	const uint64_t *touched = b->m->touched;
	uint32_t nprocs = b->g->nprocs, next;

	for (uint32_t p = libra_bits_next(touched, 0, nprocs); p < nprocs;
	     p = libra_bits_next(touched, next, nprocs)) {
		double adds = addition(b, t, libra_gang_run(b->g, p));

		next = libra_bits_next_not(touched, p,
					   libra_gang_run_end(b->g, p, nprocs));
		b->m->visits += next - p;
		libra_bits_fill(b->m->renewed, p, next);
		for (; p < next; p++)
			if (b->m->added[p] < INFINITY)
				b->m->added[p] = adds;
	}
}

static void renew_pieces(const struct libra_band *b,
			 const struct libra_tally *t)
{
	for (uint32_t w = 0; w < b->g->words; w++)
		for (uint64_t first = b->m->pieces[w] & b->m->touched[w]; first;
		     first &= first - 1) {
			uint32_t p = w * 64 + (uint32_t)__builtin_ctzll(first);

			b->m->added[p] =
				addition(b, t, libra_gang_run(b->g, p));
		}
}

/* Mark the residents of a run as taken. */
static void take_run(const struct libra_band *b, struct libra_tally *t,
		     uint32_t run, renew_f *renew)
{
	const uint32_t *bound = libra_gang_bound(b->g, run);
	double alone_s = 0;
	bool touched = false;

	b->m->visits += 1 + b->g->runs.nbound[run];
	for (uint32_t i = 0; i < b->g->runs.nbound[run]; i++) {
		double need_s = libra_band_need_s(b, bound[i]);
		bool later = libra_band_is_later(b, bound[i]);

		alone_s += need_s;
		if (b->m->seen[bound[i]] == LIBRA_BAND_TAKEN)
			continue;
		b->m->seen[bound[i]] = LIBRA_BAND_TAKEN;
		b->m->taken = true;
		t->later += later;
		if (!b->alone)
			t->needs_s += need_s;
		if (!(need_s > 0 || later))
			continue;
		touched = true;
		b->m->visits += b->g->jobs[bound[i]].nparts;
		libra_gang_put(b->g, bound[i], b->m->touched);
	}
	if (touched) {
		renew(b, t);
		b->m->visits += b->g->words;
		memset(b->m->touched, 0, b->g->words * sizeof(*b->m->touched));
	}
	if (b->alone)
		t->needs_s = fmax(t->needs_s, alone_s);
}

void libra_band_take(const struct libra_band *b, struct libra_tally *t,
		     uint32_t proc)
{
	uint32_t run = libra_gang_run(b->g, proc);

	libra_bits_put(b->set, proc);
	b->m->added[proc] = INFINITY;
	t->bound += b->g->runs.nbound[run];
	take_run(b, t, run, renew_procs);
}

void libra_band_begin(const struct libra_band *b)
{
	struct libra_tally none = {0};
	uint32_t next;

	b->m->stamp++;
	for (uint32_t run = 0; run < b->g->nprocs; run = next) {
		double adds = addition(b, &none, run);

		next = libra_gang_run_end(b->g, run, b->g->nprocs);
		for (uint32_t p = run; p < next; p++)
			b->m->added[p] = libra_bits_has(b->m->barred, p)
						 ? INFINITY
						 : adds;
	}
}

/* Add a piece, if it has processors. */
static void put_piece(const struct libra_band *b, uint32_t first, uint32_t end,
		      double adds)
{
	if (first == end)
		return;
	libra_bits_put(b->m->pieces, first);
	b->m->piece_end[first] = end;
	b->m->added[first] = adds;
}

/* Begin with the pieces, before any choice.
 * Result: how many processors may be chosen.
 */
static uint32_t begin_pieces(const struct libra_band *b)
{
	struct libra_tally none = {0};
	uint32_t open = 0, nprocs = b->g->nprocs, run_end, end;

	b->m->stamp++;
	memset(b->m->pieces, 0, b->g->words * sizeof(*b->m->pieces));
	for (uint32_t run = 0; run < nprocs; run = run_end) {
		double adds = addition(b, &none, run);

		run_end = libra_gang_run_end(b->g, run, nprocs);
		for (uint32_t p =
			     libra_bits_next_not(b->m->barred, run, run_end);
		     p < run_end;
		     p = libra_bits_next_not(b->m->barred, end, run_end)) {
			end = libra_bits_next(b->m->barred, p, run_end);
			put_piece(b, p, end, adds);
			open += end - p;
		}
	}
	return open;
}

/* Return the first piece that adds least.  If one adds nothing, none adds less,
 * and choosing it changes no other; the pieces before `from` add something.
 */
static uint32_t least_piece(const struct libra_band *b, uint32_t from)
{
	const uint64_t *pieces = b->m->pieces;
	const double *added = b->m->added;
	uint32_t nprocs = b->g->nprocs, least;

	for (uint32_t p = libra_bits_next(pieces, from, nprocs); p < nprocs;
	     p = libra_bits_next(pieces, p + 1, nprocs), b->m->visits++)
		if (added[p] == 0)
			return p;
	least = libra_bits_next(pieces, 0, nprocs);
	for (uint32_t p = least; p < nprocs;
	     p = libra_bits_next(pieces, p + 1, nprocs), b->m->visits++)
		if (added[p] < added[least] - LIBRA_BAND_TIE)
			least = p;
	return least;
}

bool libra_band_singly(const struct libra_band *b)
{
	struct libra_tally t = {0};
	uint32_t open = begin_pieces(b), from = 0, taken = 0, n;

	for (; open >= b->n && taken < b->n && !libra_band_is_spent(b);
	     taken += n) {
		uint32_t p = least_piece(b, from), end = b->m->piece_end[p];
		uint32_t run = libra_gang_run(b->g, p);
		bool nothing = b->m->added[p] == 0;

		/* The second processor of a piece may add less than the first.
		 */
		n = nothing ? end - p : 1;
		n = n < b->n - taken ? n : b->n - taken;
		libra_bits_fill(b->set, p, p + n);
		libra_bits_drop(b->m->pieces, p);
		put_piece(b, p + n, end, b->m->added[p]);
		t.bound += n * b->g->runs.nbound[run];
		take_run(b, &t, run, renew_pieces);
		if (libra_band_exceeds(b, &t))
			return false;
		from = nothing ? p + n : 0;
	}
	return taken == b->n && libra_band_judge(b);
}
