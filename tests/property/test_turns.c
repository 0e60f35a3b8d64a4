/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_turns.c - who runs and what it needs, against all jobs looked through.
 *
 * Two gangs live through the same offers, starts, suspensions, ends, overruns,
 * changes, late jobs and clocks that are set.  One looks at what has changed
 * alone, and at needs now and then; the other at all, each time: needs,
 * progress, who runs and the order in which the host is told are the same, to
 * the last bit.
 */
#include "core/gang/gang.h"
#include "tests/random.h"
#include "tests/unit/host.h"

#define WORLDS	  300
#define STEPS	  300
#define MOST_JOBS 120

enum side { SOME, ALL, SIDES };

struct world {
	struct libra_gang g[SIDES];
	double now_s;
	uint64_t order, random;
	uint32_t most;
	int few, told, late, read;
};

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

/* The other side is to look at all. */
static void forget(struct libra_gang *g)
{
	g->dirty.many = g->unreported.many = true;
}

static void pass(struct world *w)
{
	libra_gang_pass(&w->g[SOME], w->now_s);
	forget(&w->g[ALL]);
	if (w->now_s != w->g[ALL].at.touched_s)
		w->g[ALL].at.ref_s = 1; /* another one: all claims anew */
	libra_gang_touch(&w->g[ALL], w->now_s);
}

static void add(struct world *w, uint32_t slot)
{
	double left_s = 1 + draw(w, 400), estimate_s = 1 + draw(w, 200);
	double executed_s = draw(w, 8) == 0 ? estimate_s + draw(w, 3) : 0;
	uint32_t nprocs = w->g[0].nprocs, n = 1 + draw(w, 3);
	uint64_t set = 0;

	while (n-- > 0)
		set |= (uint64_t)1 << draw(w, nprocs);
	if (draw(w, 20) == 0)
		left_s = INFINITY;
	w->order++;
	for (int i = 0; i < SIDES; i++)
		assert_int_equal(libra_gang_add(&w->g[i], slot, w->order,
						estimate_s, executed_s,
						w->now_s + left_s, &set,
						w->now_s),
				 0);
}

static void change(struct world *w, uint32_t slot)
{
	double estimate_s = 1 + draw(w, 200), left_s = draw(w, 400);
	uint32_t how = draw(w, 4);

	for (int i = 0; i < SIDES; i++) {
		struct libra_gang *g = &w->g[i];

		if (how == 0) {
			libra_gang_change(g, slot, estimate_s,
					  w->now_s + left_s, w->now_s);
			continue;
		}
		if (how == 1)
			libra_gang_progress(g, slot, estimate_s);
		else
			libra_gang_reestimate(g, slot, estimate_s);
	}
}

static void do_one(struct world *w)
{
	uint32_t slot = draw(w, w->most), what = draw(w, 8);
	bool ready = draw(w, 4) > 0;

	if (w->g[0].jobs[slot].nprocs == 0) {
		add(w, slot);
		return;
	}
	if (what == 7 && draw(w, 4) == 0) {
		change(w, slot);
		return;
	}
	for (int i = 0; i < SIDES; i++) {
		struct libra_gang *g = &w->g[i];

		if (what == 0)
			libra_gang_remove(g, slot);
		else if (what < 4)
			libra_gang_ready(g, slot, ready);
		else if (what < 6)
			libra_gang_begin(g, slot);
		else if (what == 6 && !ready)
			libra_gang_report(g, slot);
	}
}

static void set_clock(struct world *w)
{
	w->now_s += draw(w, 200);
	w->now_s -= 100;
	for (int i = 0; i < SIDES; i++)
		libra_gang_clock(&w->g[i], w->now_s);
}

/* The next one of whom the host is to be told, of all; or nobody. */
static uint32_t find_untold(const struct libra_gang *g)
{
	for (int runs = 0; runs <= 1; runs++)
		for (uint32_t i = 0; i < g->njobs; i++) {
			const struct libra_gang_job *job =
				&g->jobs[g->order[i]];

			if (libra_gang_is_unreported(job) && job->runs == runs)
				return g->order[i];
		}
	return LIBRA_GANG_NOBODY;
}

/* Mostly all are told; the host may stop in between. */
static void tell(struct world *w)
{
	uint32_t n = draw(w, 8) == 0 ? draw(w, 3) : UINT32_MAX, slot;

	while (n-- > 0) {
		slot = find_untold(&w->g[ALL]);
		if (!w->g[SOME].unreported.many) {
			assert_int_equal(
				libra_gang_next_unreported(&w->g[SOME]), slot);
			w->few++;
		}
		if (slot == LIBRA_GANG_NOBODY)
			return;
		for (int i = 0; i < SIDES; i++) {
			struct libra_gang_job *job = &w->g[i].jobs[slot];

			job->reported = job->runs;
			job->unreported = false;
		}
		w->told++;
	}
}

static void compare(struct world *w)
{
	const struct libra_gang *a = &w->g[SOME], *b = &w->g[ALL];
	bool read = draw(w, 4) == 0;

	if (read)
		for (int i = 0; i < SIDES; i++)
			libra_gang_touch(&w->g[i], w->now_s);
	assert_int_equal(a->njobs, b->njobs);
	assert_int_equal(a->nlate, b->nlate);
	w->late += (int)a->nlate;
	w->read += read;
	for (uint32_t i = 0; i < a->njobs; i++) {
		uint32_t slot = a->order[i];
		const struct libra_gang_job *x = &a->jobs[slot];
		const struct libra_gang_job *y = &b->jobs[slot];

		assert_int_equal(slot, b->order[i]);
		assert_true(!read || libra_gang_need_s(a, slot) ==
					     libra_gang_need_s(b, slot));
		assert_true(libra_gang_executed_s(x, w->now_s) ==
			    libra_gang_executed_s(y, w->now_s));
		assert_true(x->runs == y->runs && x->late == y->late);
		if (i > 0)
			assert_true(libra_gang_precedes(
				&a->jobs[a->order[i - 1]], x));
	}
}

static void live(struct world *w)
{
	bool changed;

	for (int step = 0; step < STEPS; step++) {
		if (draw(w, 3) > 0)
			w->now_s += draw(w, 3) == 0 ? draw(w, 40)
						    : draw(w, 100) / 97.;
		pass(w);
		for (uint32_t n = draw(w, draw(w, 10) == 0 ? 60 : 4); n-- > 0;)
			do_one(w);
		if (draw(w, 60) == 0)
			set_clock(w);
		if (draw(w, 3) > 0) {
			forget(&w->g[ALL]);
			changed = libra_gang_dispatch(&w->g[ALL], w->now_s);
			assert_int_equal(
				libra_gang_dispatch(&w->g[SOME], w->now_s),
				changed);
			assert_int_equal(changed, find_untold(&w->g[ALL]) !=
							  LIBRA_GANG_NOBODY);
			tell(w);
		}
		compare(w);
	}
}

static void who_changed_is_all_that_matters(void **state)
{
	struct world w = {0};
	int few = 0, told = 0, late = 0, read = 0;

	for (uint64_t i = 0; i < WORLDS; i++) {
		/* Claims count from another instant at 1048576. */
		w = (struct world){.now_s = i % 2 ? 1e6 : 1048000,
				   .random = 4321 + i};
		w.most = 2 + draw(&w, MOST_JOBS - 1);
		for (int side = 0; side < SIDES; side++) {
			assert_int_equal(libra_gang_init(&w.g[side],
							 2 + (uint32_t)i % 60),
					 0);
			assert_int_equal(
				libra_gang_reserve(&w.g[side], MOST_JOBS), 0);
			w.g[side].overrun = (struct libra_overrun){
				.part = 0.1, .floor_s = 1};
		}
		live(&w);
		few += w.few;
		told += w.told;
		late += w.late;
		read += w.read;
		for (int side = 0; side < SIDES; side++)
			libra_gang_fini(&w.g[side]);
	}
	assert_true(few > 10000 && told > 10000 && late > 10000);
	assert_true(read > 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_changed_is_all_that_matters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
