/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_band_words.c - band remembers what runs cost, by words of processors:
 * who tries them one by one finds the same place, and looks at as much.
 *
 * 200 processors, whose fourth word is not full, and jobs on one to seventy of
 * them that come, execute, stand still, go and get late in any order.
 */
#include "core/gang/band.h"
#include "tests/unit/test.h"

enum { PROCS = 200, JOBS = 400, STEPS = 5000 };

static uint64_t bits = 88172645463325252u;

static uint32_t below(uint32_t n)
{
	bits ^= bits << 13;
	bits ^= bits >> 7;
	bits ^= bits << 17;
	return (uint32_t)(bits % n);
}

/* A space, and what band remembers of it. */
struct space {
	struct libra_gang g;
	struct libra_band_memory m;
};

static int open_space(void **state)
{
	static struct space space;

	space = (struct space){0};
	assert_int_equal(libra_gang_init(&space.g, PROCS), 0);
	assert_int_equal(libra_band_init(&space.m, &space.g, 1), 0);
	*state = &space;
	return 0;
}

static int close_space(void **state)
{
	struct space *s = *state;

	libra_band_fini(&s->m);
	libra_gang_fini(&s->g);
	return 0;
}

/* A place for a job of one processor. */
struct answer {
	uint64_t set[LIBRA_BITS_WORDS(PROCS)];
	uint64_t visits;
	bool empty; /* a processor that nobody has a promise on */
};

static struct libra_band band(struct libra_band_memory *m, struct libra_gang *g,
			      struct answer *a, double deadline_s, double now_s)
{
	*a = (struct answer){.visits = m->visits};
	assert_int_equal(libra_band_reserve(m, g->cap), 0);
	libra_finishes_project(&m->finishes, g, now_s);
	return (struct libra_band){
		.m = m,
		.g = g,
		.set = a->set,
		.now_s = now_s,
		.deadline_s = deadline_s,
		.least_s = 1,
		.n = 1,
		.by_finishes = true,
		.end = UINT64_MAX,
	};
}

static struct answer ask(struct libra_band_memory *m, struct libra_gang *g,
			 double deadline_s, double now_s)
{
	struct answer a;
	struct libra_band b = band(m, g, &a, deadline_s, now_s);

	libra_band_in_block(&b);
	a.visits = m->visits - a.visits;
	return a;
}

static bool begins(const struct libra_band *b, uint32_t p)
{
	return !libra_bits_has(b->m->out, p) &&
	       (libra_bits_has(b->g->runs.edges, p) ||
		(p > 0 && libra_bits_has(b->m->out, p - 1)));
}

/* All runs one by one, by the price of each. */
static struct answer try_all(struct libra_band_memory *m, struct libra_gang *g,
			     double deadline_s, double now_s)
{
	struct answer a;
	struct libra_band b = band(m, g, &a, deadline_s, now_s);
	double best = INFINITY, price;
	uint32_t misses;

	for (uint32_t p = 0; p < PROCS; p++) {
		if (!begins(&b, p))
			continue;
		m->nchosen = 0;
		libra_band_choose(&b, p, 1);
		price = libra_band_price(&b, best - LIBRA_BAND_TIE, &misses);
		if (price < best)
			libra_band_take_chosen(&b);
		best = fmin(best, price);
		a.empty = a.empty || !libra_bits_has(g->runs.used, p);
	}
	a.visits = m->visits - a.visits;
	return a;
}

/* Result: did the search need more than a look for an empty processor? */
static bool compare(struct libra_band_memory *m, struct libra_gang *g,
		    double deadline_s, double now_s)
{
	struct answer known = ask(m, g, deadline_s, now_s);
	struct answer plain = try_all(m, g, deadline_s, now_s);

	assert_memory_equal(known.set, plain.set, sizeof(known.set));
	if (!plain.empty)
		assert_int_equal(known.visits, plain.visits);
	return !plain.empty;
}

/* Up to n processors; many end where a word does. */
static void draw_part(uint64_t *set, uint32_t n)
{
	uint32_t end = below(3) ? 1 + below(PROCS) : 64 * (1 + below(3));

	libra_bits_fill(set, end > n ? end - n : 0, end);
}

static void come(struct libra_gang *g, uint32_t slot, uint64_t order,
		 double now_s)
{
	uint64_t set[LIBRA_BITS_WORDS(PROCS)] = {0};

	draw_part(set, 1 + below(below(3) ? 2 : 70));
	assert_int_equal(
		libra_gang_add(g, slot, order, 1 + below(200), 0,
			       below(8) ? now_s + 20 + below(4000) : now_s - 20,
			       set, now_s),
		0);
}

static void bar_some(struct libra_band_memory *m, const struct libra_gang *g)
{
	memset(m->out, 0, g->words * sizeof(*m->out));
	if (below(3) == 0)
		draw_part(m->out, 1 + below(100));
	memcpy(m->barred, m->out, g->words * sizeof(*m->out));
}

static void what_is_known_is_as_if_all_were_tried(void **state)
{
	struct space *s = *state;
	bool there[JOBS] = {false};
	double now_s = 0;
	size_t full = 0;

	for (uint64_t step = 1; step <= STEPS; step++) {
		uint32_t slot = below(JOBS);

		if (below(2))
			now_s += below(5);
		libra_gang_touch(&s->g, now_s);
		if (below(500) == 0)
			libra_gang_clock(&s->g, now_s);
		if (there[slot] && below(2)) {
			libra_gang_run_job(&s->g, slot, below(4) > 0, true);
			continue;
		}
		if (there[slot])
			libra_gang_remove(&s->g, slot);
		else
			come(&s->g, slot, step, now_s);
		there[slot] = !there[slot];
		bar_some(&s->m, &s->g);
		full += compare(&s->m, &s->g, now_s + 10 + below(8000), now_s);
	}
	assert_true(full > STEPS / 10);
}

static void add(struct libra_gang *g, uint32_t slot, uint32_t first,
		uint32_t end)
{
	uint64_t set[LIBRA_BITS_WORDS(PROCS)] = {0};

	libra_bits_fill(set, first, end);
	assert_int_equal(libra_gang_add(g, slot, slot + 1u, 5, 0, 1000, set, 0),
			 0);
}

static void add_long(struct libra_gang *g, uint32_t slot, double estimate_s,
		     uint32_t first, uint32_t end)
{
	uint64_t set[LIBRA_BITS_WORDS(PROCS)] = {0};

	libra_bits_fill(set, first, end);
	assert_int_equal(
		libra_gang_add(g, slot, slot + 1u, estimate_s, 0, 1000, set, 0),
		0);
}

/* A on the second word executes, B and C on the others stand still, and need
 * less than A until 30 s later.  That nothing but time has changed A's word is
 * no reason to know it.
 */
static void needs_fall_without_a_change(void **state)
{
	struct space *s = *state;

	add_long(&s->g, 0, 100, 64, 128);
	add_long(&s->g, 1, 80, 0, 64);
	add_long(&s->g, 2, 90, 128, PROCS);
	libra_gang_run_job(&s->g, 0, true, true);
	assert_int_equal(s->g.falling[0], 0);
	assert_int_equal(s->g.falling[1], 1);
	assert_true(libra_bits_has(ask(&s->m, &s->g, 2000, 0).set, 0));
	libra_gang_touch(&s->g, 30);
	assert_true(libra_bits_has(ask(&s->m, &s->g, 2000, 30).set, 64));
	libra_gang_remove(&s->g, 0);
	assert_int_equal(s->g.falling[1], 0);
}

/* The run of A on 0-199 begins in the first word alone, until B on 0-127 lets
 * one begin at 128: that is the only place without B.
 */
static void a_run_may_begin_where_a_part_ends(void **state)
{
	struct space *s = *state;
	struct answer a;

	add(&s->g, 0, 0, PROCS);
	a = ask(&s->m, &s->g, 2000, 0);
	assert_true(libra_bits_has(a.set, 0));
	add(&s->g, 1, 0, 128);
	a = ask(&s->m, &s->g, 2000, 0);
	assert_true(libra_bits_has(a.set, 128));
	libra_gang_remove(&s->g, 1);
	a = ask(&s->m, &s->g, 2000, 0);
	assert_true(libra_bits_has(a.set, 0));
}

/* 64 is the first processor of A's run that is not barred: none begins there.
 */
static void who_is_behind_a_barred_one_is_looked_at(void **state)
{
	struct space *s = *state;
	struct answer a;

	add(&s->g, 0, 0, PROCS);
	libra_bits_fill(s->m.out, 0, 64);
	libra_bits_fill(s->m.barred, 0, 64);
	a = ask(&s->m, &s->g, 2000, 0);
	assert_true(libra_bits_has(a.set, 64));
}

/* A late one claims nothing, as the slot did before; but it is bound, and what
 * is behind it begins a run.
 */
static void a_late_job_comes_to_a_used_slot(void **state)
{
	struct space *s = *state;
	uint64_t set[LIBRA_BITS_WORDS(PROCS)] = {0};
	uint64_t changes;

	add(&s->g, 0, 0, PROCS);
	add(&s->g, 1, 0, 64);
	libra_gang_remove(&s->g, 1);
	ask(&s->m, &s->g, 2000, 0);
	changes = s->g.changes[0];
	libra_bits_fill(set, 0, 64);
	assert_int_equal(libra_gang_add(&s->g, 1, 2, 5, 0, -10, set, 0), 0);
	assert_true(s->g.changes[0] > changes);
	compare(&s->m, &s->g, 2000, 0);
}

#define space_test(function)                                                   \
	cmocka_unit_test_setup_teardown(function, open_space, close_space)

int main(void)
{
	const struct CMUnitTest tests[] = {
		space_test(a_run_may_begin_where_a_part_ends),
		space_test(needs_fall_without_a_change),
		space_test(who_is_behind_a_barred_one_is_looked_at),
		space_test(a_late_job_comes_to_a_used_slot),
		space_test(what_is_known_is_as_if_all_were_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
