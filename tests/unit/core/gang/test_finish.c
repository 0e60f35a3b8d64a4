/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_finish.c - when each job of a gang has ended at the latest, by hand.
 *
 * All are promised at 0.  A job waits for each earlier neighbour's need, or
 * until some of them are gone and for the needs of the others.
 */
#include "core/gang/finish.h"
#include "tests/unit/host.h"

enum { A, B, C, D };

static struct libra_gang g;
static struct libra_finishes f;

static void add(uint32_t slot, uint64_t procs, double estimate_s,
		double deadline_s)
{
	assert_int_equal(libra_gang_add(&g, slot, slot + 1u, estimate_s, 0,
					deadline_s, &procs, g.at.touched_s),
			 0);
	assert_int_equal(libra_finishes_reserve(&f, g.cap, g.nprocs), 0);
}

static void open_gang(void)
{
	assert_int_equal(libra_gang_init(&g, 4), 0);
	g.overrun = (struct libra_overrun){.part = 0.1, .floor_s = 1};
}

static void close_gang(void)
{
	libra_finishes_fini(&f);
	libra_gang_fini(&g);
}

/* A, 60 s by 100 on 0 and 1, B, 30 s by 50 on 1 and 2, C, 10 s by 100 on 1. */
static void open_a_b_c(void)
{
	open_gang();
	add(A, 0x3, 60, 100);
	add(B, 0x6, 30, 50);
	add(C, 0x2, 10, 100);
	libra_finishes_project(&f, &g, 0);
}

/* A on 0 and 1 until 60, B on 2 until 50; C, 40 s by 100 on 1 and 2, can wait
 * for both at once.
 */
static void open_side_by_side(void)
{
	open_gang();
	add(A, 0x3, 60, 90);
	add(B, 0x4, 50, 80);
	add(C, 0x6, 40, 100);
	libra_finishes_project(&f, &g, 0);
}

static void assert_finishes(double a_s, double b_s, double c_s)
{
	assert_near(libra_finishes_of(&f, &g, A)->finish_s, a_s, 1e-9);
	assert_near(libra_finishes_of(&f, &g, B)->finish_s, b_s, 1e-9);
	assert_near(libra_finishes_of(&f, &g, C)->finish_s, c_s, 1e-9);
}

static void who_waits_ends_behind_those_before(void **state)
{
	open_a_b_c();
	assert_finishes(90, 30, 100);
	assert_true(libra_finishes_of(&f, &g, A)->in_time &&
		    libra_finishes_of(&f, &g, B)->in_time &&
		    libra_finishes_of(&f, &g, C)->in_time);
	assert_near(libra_finishes_of(&f, &g, A)->gone_s, 90, 1e-9);
	/* At 10 B has 20 left, and nobody ends later than was said. */
	g.jobs[B].runs = true;
	libra_gang_begin(&g, B);
	libra_gang_touch(&g, 10);
	libra_finishes_project(&f, &g, 10);
	assert_finishes(90, 30, 100);
	/* It ends 10 s early. */
	libra_gang_touch(&g, 20);
	libra_gang_remove(&g, B);
	libra_finishes_project(&f, &g, 20);
	assert_near(libra_finishes_of(&f, &g, A)->finish_s, 80, 1e-9);
	assert_near(libra_finishes_of(&f, &g, C)->finish_s, 90, 1e-9);
	close_gang();
}

static void who_runs_side_by_side_is_waited_for_once(void **state)
{
	open_side_by_side();
	assert_finishes(60, 50, 100);
	libra_gang_change(&g, C, 41, 100, 0);
	libra_finishes_project(&f, &g, 0);
	assert_finishes(60, 50, 101);
	assert_false(libra_finishes_of(&f, &g, C)->in_time);
	/* Rounding takes nothing. */
	libra_gang_change(&g, C, 40 + 5e-7, 100, 0);
	libra_finishes_project(&f, &g, 0);
	assert_true(libra_finishes_of(&f, &g, C)->in_time);
	libra_gang_change(&g, C, 40 + 2e-6, 100, 0);
	libra_finishes_project(&f, &g, 0);
	assert_false(libra_finishes_of(&f, &g, C)->in_time);
	close_gang();
}

/* At 60 A, which has not begun, needs no more than the 40 s until its deadline;
 * behind that it holds nobody.
 */
static void who_is_late_holds_nobody(void **state)
{
	open_gang();
	add(A, 0x1, 90, 100);
	add(B, 0x1, 30, 300);
	libra_finishes_project(&f, &g, 0);
	assert_near(libra_finishes_of(&f, &g, B)->finish_s, 120, 1e-9);
	libra_gang_touch(&g, 60);
	libra_finishes_project(&f, &g, 60);
	assert_near(libra_finishes_of(&f, &g, A)->finish_s, 100, 1e-9);
	assert_near(libra_finishes_of(&f, &g, B)->finish_s, 130, 1e-9);
	libra_gang_touch(&g, 200);
	libra_finishes_project(&f, &g, 200);
	assert_near(libra_finishes_of(&f, &g, B)->finish_s, 230, 1e-9);
	close_gang();
}

/* With C's finish at 110, gone it is at its deadline: who comes behind it waits
 * for it until 100, and no longer.
 */
static void gone_is_no_later_than_the_deadline(void **state)
{
	open_gang();
	add(A, 0x1, 70, 90);
	add(B, 0x1, 40, 100); /* would end at 110 */
	add(C, 0x1, 10, 200);
	libra_finishes_project(&f, &g, 0);
	assert_finishes(70, 110, 110);
	assert_near(libra_finishes_of(&f, &g, B)->gone_s, 100, 1e-9);
	assert_false(libra_finishes_of(&f, &g, B)->in_time);
	assert_true(libra_finishes_of(&f, &g, C)->in_time);
	close_gang();
}

/* Only what a new one changes is looked at, and comes out as if all were. */
static void a_new_one_reaches_those_behind_it(void **state)
{
	uint64_t looked;

	open_side_by_side();
	looked = f.looked;
	libra_finishes_project(&f, &g, 0);
	assert_int_equal(f.looked, looked);
	/* D, 20 s by 70 on 0, holds A, and so C, but not B.  C waits until 80
	 * for A, which is less than until 50 for B and 60 for A.
	 */
	add(D, 0x1, 20, 70);
	libra_finishes_project(&f, &g, 0);
	assert_finishes(80, 50, 120);
	assert_near(libra_finishes_of(&f, &g, D)->finish_s, 20, 1e-9);
	assert_int_equal(f.looked, looked + 3);
	assert_false(libra_finishes_of(&f, &g, C)->in_time);
	f.version = 0;
	libra_finishes_project(&f, &g, 0);
	assert_finishes(80, 50, 120);
	close_gang();
}

/* A, 30 s by 100, and D, 20 s by 100, had no neighbours when finishes were
 * projected, at 10.
 */
static void beside_a_late_one_all_is_as_alone(void **state)
{
	open_gang();
	add(D, 0x4, 20, 100);
	add(A, 0x3, 30, 100);
	libra_finishes_project(&f, &g, 0);
	libra_gang_touch(&g, 10);
	libra_finishes_project(&f, &g, 10);
	add(B, 0x5, 30, 5);
	libra_finishes_project(&f, &g, 10);
	assert_false(libra_finishes_spoiled(&f, &g, D, 70, 10));
	assert_true(libra_finishes_spoiled(&f, &g, D, 71, 10));
	assert_near(libra_finishes_of(&f, &g, D)->finish_s, 30, 1e-9);
	assert_near(libra_finishes_of(&f, &g, A)->finish_s, 40, 1e-9);
	assert_near(libra_finishes_of(&f, &g, A)->gone_s, 40, 1e-9);
	assert_true(libra_finishes_of(&f, &g, A)->in_time);
	/* 60 s before it are too many. */
	assert_false(libra_finishes_spoiled(&f, &g, A, 60, 10));
	assert_true(libra_finishes_spoiled(&f, &g, A, 61, 10));
	close_gang();
}

/* One that is late as it comes, and one behind all. */
static void a_late_one_reaches_nobody(void **state)
{
	uint64_t looked;

	open_gang();
	libra_gang_touch(&g, 60);
	add(A, 0x3, 30, 100);
	add(B, 0x1, 30, 130);
	libra_finishes_project(&f, &g, 60);
	looked = f.looked;
	add(C, 0x1, 30, 50);
	libra_finishes_project(&f, &g, 60);
	assert_int_equal(f.looked, looked);
	assert_near(libra_finishes_of(&f, &g, A)->finish_s, 90, 1e-9);
	assert_near(libra_finishes_of(&f, &g, B)->finish_s, 120, 1e-9);
	add(D, 0x2, 30, 160);
	libra_finishes_project(&f, &g, 60);
	assert_int_equal(f.looked, looked + 1);
	assert_near(libra_finishes_of(&f, &g, D)->finish_s, 120, 1e-9);
	assert_int_equal(libra_finishes_of(&f, &g, D)->rank, 2);
	assert_int_equal(libra_finishes_of(&f, &g, C)->rank, 3);
	close_gang();
}

static void who_has_slack_can_wait(void **state)
{
	open_a_b_c();
	/* A ends at 90: 10 s behind it at most; beside B 40 s. */
	assert_false(libra_finishes_spoiled(&f, &g, A, 10, 0));
	assert_false(libra_finishes_spoiled(&f, &g, A, 40, 0));
	assert_true(libra_finishes_spoiled(&f, &g, A, 41, 0));
	assert_false(libra_finishes_spoiled(&f, &g, B, 20, 0));
	assert_true(libra_finishes_spoiled(&f, &g, B, 21, 0));
	assert_false(libra_finishes_spoiled(&f, &g, C, 0, 0));
	assert_true(libra_finishes_spoiled(&f, &g, C, 91, 0));
	/* Who would miss anyway has nothing to lose. */
	libra_gang_change(&g, A, 71, 100, 0);
	libra_finishes_project(&f, &g, 0);
	assert_false(libra_finishes_spoiled(&f, &g, A, 41, 0));
	close_gang();
}

static struct libra_trial trial(double need_s, double deadline_s,
				const uint32_t *earlier, uint32_t nearlier,
				const uint32_t *later, uint32_t nlater)
{
	return (struct libra_trial){.deadline_s = deadline_s,
				    .need_s = need_s,
				    .earlier = earlier,
				    .nearlier = nearlier,
				    .later = later,
				    .nlater = nlater};
}

/* On 0, where A is; beside B, which A waits for anyway. */
static void a_trial_tells_what_rises(void **state)
{
	static const uint32_t later[] = {A};
	struct libra_trial t;

	open_a_b_c();
	t = trial(10, 60, NULL, 0, later, 1);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.finish_s, 10, 1e-9);
	assert_near(t.rise_s, 0, 1e-9);
	assert_int_equal(t.misses, LIBRA_NOBODY);
	/* 40 s: A waits 40, ends at 100, and C has its 90 s to wait. */
	t = trial(40, 60, NULL, 0, later, 1);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.rise_s, 10, 1e-9);
	assert_near(libra_finishes_of(&f, &g, A)->tried_s, 100, 1e-9);
	assert_true(libra_finishes_try(&f, &g, &t, 10.1, 0));
	assert_false(libra_finishes_try(&f, &g, &t, 10, 0));
	assert_int_equal(t.misses, LIBRA_NOBODY);
	t = trial(41, 60, NULL, 0, later, 1);
	assert_false(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_int_equal(t.misses, A);
	assert_true(t.misses_here);
	/* The same one again, which is too late by itself. */
	t.deadline_s = 40;
	assert_false(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_int_equal(t.misses, LIBRA_NOBODY);
	assert_false(t.misses_here);
	assert_near(t.rise_s, 0, 0);
	/* Nothing of it is kept. */
	assert_finishes(90, 30, 100);
	close_gang();
}

static uint64_t visits(double need_s, const uint32_t *later, uint32_t nlater)
{
	struct libra_trial t = trial(need_s, 60, NULL, 0, later, nlater);
	uint64_t before = f.visits;

	libra_finishes_try(&f, &g, &t, INFINITY, 0);
	return f.visits - before;
}

/* Itself, and each that it reaches with its earlier neighbours, B, or A and B;
 * what is gone first moves one place in a list.
 */
static void a_trial_costs_what_it_reaches(void **state)
{
	static const uint32_t later[] = {A, C};

	open_a_b_c();
	/* A ends as before, and so does C behind it. */
	assert_int_equal(visits(10, later, 1), 1 + (1 + 1 + 1));
	assert_int_equal(visits(40, later, 1), 1 + (1 + 1) + 1 + (1 + 2));
	/* A would miss: nobody asks C, nor does the next trial. */
	assert_int_equal(visits(41, later, 2), 1 + (1 + 1));
	assert_int_equal(visits(10, later, 1), 1 + (1 + 1 + 1));
	close_gang();
}

/* D is alone, and so it is not projected: not either where a trial did not come
 * to it.
 */
static void what_a_trial_leaves_is_forgotten(void **state)
{
	static const uint32_t later[] = {A, D};
	uint64_t looked;

	open_gang();
	add(A, 0x3, 60, 100);
	add(B, 0x6, 30, 50);
	add(D, 0x8, 10, 200);
	libra_finishes_project(&f, &g, 0);
	visits(41, later, 2);
	libra_gang_touch(&g, 1);
	looked = f.looked;
	libra_finishes_project(&f, &g, 1);
	assert_int_equal(f.looked - looked, 2);
	assert_near(libra_finishes_of(&f, &g, D)->finish_s, 11, 1e-9);
	close_gang();
}

/* 130 jobs, each by itself; J comes before those of the ranks 65 and 129, and
 * they wait for it.
 */
static void ranks_are_found_in_all_words(void **state)
{
	enum { MANY = 130 };
	static const uint32_t later[] = {65, 129};
	struct libra_trial t = trial(10, 60, NULL, 0, later, 2);
	uint64_t set[(MANY + 63) / 64];

	assert_int_equal(libra_gang_init(&g, MANY), 0);
	for (uint32_t i = 0; i < MANY; i++) {
		memset(set, 0, sizeof(set));
		set[i / 64] = (uint64_t)1 << i % 64;
		assert_int_equal(
			libra_gang_add(&g, i, i + 1u, 20, 0, 100 + i, set, 0),
			0);
	}
	assert_int_equal(libra_finishes_reserve(&f, g.cap, g.nprocs), 0);
	libra_finishes_project(&f, &g, 0);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.rise_s, 20, 1e-9);
	assert_near(f.of[65].tried_s, 30, 1e-9);
	assert_near(f.of[129].tried_s, 30, 1e-9);
	close_gang();
}

/* On 1, behind B: J ends at 40, A at 100, C 10 s too late. */
static void a_trial_waits_and_is_waited_for(void **state)
{
	static const uint32_t earlier[] = {B}, later[] = {A, C}, all[] = {B, A};
	struct libra_trial t;

	open_a_b_c();
	t = trial(10, 60, earlier, 1, later, 2);
	assert_false(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.finish_s, 40, 1e-9);
	assert_near(t.rise_s, 20, 1e-9);
	assert_int_equal(t.misses, C);
	assert_true(t.misses_here);
	libra_gang_remove(&g, C);
	libra_finishes_project(&f, &g, 0);
	t = trial(10, 60, earlier, 1, later, 1);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.rise_s, 10, 1e-9);
	/* Itself it has 30 s by 60, and 40 s by 130 behind both. */
	t = trial(31, 60, earlier, 1, NULL, 0);
	assert_false(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_int_equal(t.misses, LIBRA_NOBODY);
	t = trial(30, 60, earlier, 1, NULL, 0);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.finish_s, 60, 1e-9);
	t = trial(40, 130, all, 2, NULL, 0);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.finish_s, 130, 1e-9);
	t = trial(40 + 2e-6, 130, all, 2, NULL, 0);
	assert_false(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	close_gang();
}

/* J on 0 holds A for 10 s; C, which it never meets, ends as much later. */
static void who_is_behind_others_may_miss(void **state)
{
	static const uint32_t later[] = {A};
	struct libra_trial t = trial(10, 40, NULL, 0, later, 1);

	open_side_by_side();
	assert_false(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_int_equal(t.misses, C);
	assert_false(t.misses_here);
	assert_near(t.rise_s, 20, 1e-9);
	/* With 10 s more C can wait. */
	libra_gang_change(&g, C, 40, 110, 0);
	libra_finishes_project(&f, &g, 0);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.rise_s, 20, 1e-9);
	close_gang();
}

/* Each job lists one earlier neighbour.  A, 30 s by 100, is on 0, B, 60 s by
 * 200, on 1, and D, 10 s by 150, on 0 behind A.  C, 20 s by 300 on both, lists
 * A alone: C waits until the last of the three is gone, B at 60.
 */
static void in_a_crowd_the_last_one_counts(void **state)
{
	static const uint32_t later[] = {C};
	struct libra_trial t;

	open_gang();
	g.listed = 1;
	add(A, 0x1, 30, 100);
	add(B, 0x2, 60, 200);
	add(C, 0x3, 20, 300);
	add(D, 0x1, 10, 150);
	assert_int_equal(g.ncrowded, 1);
	libra_finishes_project(&f, &g, 0);
	assert_finishes(30, 60, 80);
	assert_near(libra_finishes_of(&f, &g, D)->finish_s, 40, 1e-9);
	/* C can wait until 280, and no longer. */
	assert_false(libra_finishes_spoiled(&f, &g, C, 280, 0));
	assert_true(libra_finishes_spoiled(&f, &g, C, 281, 0));
	/* 3 s on 1 by 10 hold B until 63, and so C until 83. */
	t = trial(3, 10, NULL, 0, (const uint32_t[]){B, C}, 2);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.rise_s, 6, 1e-9);
	/* A new job that is gone at 100 is the last one before C. */
	t = trial(100, 250, NULL, 0, later, 1);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(t.rise_s, 40, 1e-9);
	close_gang();
}

/* B, 90 s by 95, is on 2, and A, 3 s by 100, behind it on 0 and 2.  C, 20 s by
 * 300 on 0 and 1, lists A and waits 3 s for it.  One neighbour more, D, crowds
 * C: C waits until A is gone at 93.
 */
static void one_more_makes_a_crowd(void **state)
{
	static const uint32_t later[] = {C};
	struct libra_trial t;

	open_gang();
	g.listed = 1;
	add(B, 0x4, 90, 95);
	add(A, 0x5, 3, 100);
	add(C, 0x3, 20, 300);
	libra_finishes_project(&f, &g, 0);
	assert_finishes(93, 90, 23);
	t = trial(5, 120, NULL, 0, later, 1);
	assert_true(libra_finishes_try(&f, &g, &t, INFINITY, 0));
	assert_near(libra_finishes_of(&f, &g, C)->tried_s, 113, 1e-9);
	add(D, 0x2, 5, 120);
	libra_finishes_project(&f, &g, 0);
	assert_finishes(93, 90, 113);
	/* Without D, C lists all of its earlier neighbours again. */
	libra_gang_remove(&g, D);
	libra_finishes_project(&f, &g, 0);
	assert_finishes(93, 90, 23);
	close_gang();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_waits_ends_behind_those_before),
		cmocka_unit_test(who_runs_side_by_side_is_waited_for_once),
		cmocka_unit_test(who_is_late_holds_nobody),
		cmocka_unit_test(gone_is_no_later_than_the_deadline),
		cmocka_unit_test(a_new_one_reaches_those_behind_it),
		cmocka_unit_test(a_late_one_reaches_nobody),
		cmocka_unit_test(beside_a_late_one_all_is_as_alone),
		cmocka_unit_test(who_has_slack_can_wait),
		cmocka_unit_test(a_trial_tells_what_rises),
		cmocka_unit_test(a_trial_costs_what_it_reaches),
		cmocka_unit_test(what_a_trial_leaves_is_forgotten),
		cmocka_unit_test(ranks_are_found_in_all_words),
		cmocka_unit_test(a_trial_waits_and_is_waited_for),
		cmocka_unit_test(who_is_behind_others_may_miss),
		cmocka_unit_test(in_a_crowd_the_last_one_counts),
		cmocka_unit_test(one_more_makes_a_crowd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
