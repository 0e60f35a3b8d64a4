/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang.c - who shares processors with whom, by hand.
 *
 * Most begin with A, 60 s by 100 on the processors 0 and 1, B, 30 s by 50 on 1
 * and 2, and C, 10 s by 100 on 1, at 0.  B comes first, then A, then C, which
 * was offered later: B needs 30, A 60 behind that, C 10 behind both.
 */
#include "core/gang/gang.h"
#include "tests/gang_check.h"
#include "tests/unit/host.h"

enum { A, B, C, D };

static struct libra_gang g;

static void add_at(uint32_t slot, uint64_t procs, double estimate_s,
		   double deadline_s, double now_s)
{
	assert_int_equal(libra_gang_add(&g, slot, slot + 1u, estimate_s, 0,
					deadline_s, &procs, now_s),
			 0);
}

static void add(uint32_t slot, uint64_t procs, double estimate_s,
		double deadline_s)
{
	add_at(slot, procs, estimate_s, deadline_s, 0);
}

static uint32_t near_of(uint32_t slot)
{
	return g.jobs[slot].before.n + g.jobs[slot].behind.n;
}

static void open_gang(uint32_t nprocs)
{
	assert_int_equal(libra_gang_init(&g, nprocs), 0);
	g.overrun = (struct libra_overrun){.part = 0.1, .floor_s = 1};
}

static void open_a_b_c(void)
{
	open_gang(4);
	add(A, 0x3, 60, 100);
	add(B, 0x6, 30, 50);
	add(C, 0x2, 10, 100);
}

#define assert_sound(now_s)                                                    \
	do {                                                                   \
		const char *wrong_ = gang_check(&g, (now_s));                  \
		if (wrong_)                                                    \
			fail_msg("%s", wrong_);                                \
	} while (0)

/* The runs with the slots on them: "0:0 1:0,1 3:". */
static const char *runs(void)
{
	static char text[256];
	size_t at = 0;

	for (uint32_t run = 0; run < g.nprocs;
	     run = libra_gang_run_end(&g, run, g.nprocs)) {
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "%s%u:", run ? " " : "", run);
		for (uint32_t i = 0; i < g.runs.nbound[run]; i++)
			at += (size_t)snprintf(text + at, sizeof(text) - at,
					       "%s%u", i ? "," : "",
					       libra_gang_bound(&g, run)[i]);
	}
	return text;
}

static const char *order(void)
{
	static char text[256];
	size_t at = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < g.njobs; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%u",
				       i ? " " : "", g.order[i]);
	return text;
}

static void assert_loads(double a_s, double b_s, double c_s)
{
	const double wanted_s[] = {a_s, b_s, c_s};

	for (uint32_t slot = A; slot <= C; slot++)
		if (g.jobs[slot].nprocs > 0)
			assert_near(libra_gang_load_s(&g, slot), wanted_s[slot],
				    1e-9);
}

static void neighbours_that_come_before_are_a_load(void **state)
{
	open_a_b_c();
	assert_string_equal(order(), "1 0 2");
	assert_string_equal(runs(), "0:0 1:0,1,2 2:1 3:");
	assert_loads(90, 30, 100);
	assert_near(libra_gang_slack(&g, A, 0), 10, 1e-9);
	assert_int_equal(near_of(A), 2);
	assert_int_equal(g.jobs[A].nprocs, 2);
	assert_int_equal(g.runs.used[0], 0x7);
	assert_sound(0);
	libra_gang_remove(&g, B);
	assert_string_equal(order(), "0 2");
	assert_string_equal(runs(), "0:0 1:0,2 2:");
	assert_loads(60, 0, 70);
	assert_int_equal(near_of(A), 1);
	assert_int_equal(near_of(B), 0);
	assert_int_equal(g.jobs[B].nprocs, 0);
	assert_int_equal(g.runs.used[0], 0x3);
	assert_sound(0);
	libra_gang_remove(&g, C);
	assert_string_equal(runs(), "0:0 2:");
	assert_sound(0);
	libra_gang_remove(&g, A);
	assert_string_equal(runs(), "0:");
	assert_int_equal(g.runs.used[0], 0);
	assert_int_equal(g.njobs, 0);
	libra_gang_fini(&g);
}

/* On 0 and 2, and on 1 and 3, they are no neighbours; on 2 and 3 it is both's.
 */
static void parts_need_not_lie_together(void **state)
{
	open_gang(5);
	add(A, 0x5, 60, 100);
	add(B, 0xa, 30, 50);
	assert_int_equal(g.jobs[A].nparts, 2);
	assert_int_equal(near_of(A), 0);
	assert_string_equal(runs(), "0:0 1:1 2:0 3:1 4:");
	add(C, 0xc, 10, 200);
	assert_string_equal(runs(), "0:0 1:1 2:0,2 3:1,2 4:");
	assert_loads(60, 30, 100);
	assert_sound(0);
	libra_gang_remove(&g, A);
	assert_string_equal(runs(), "0: 1:1 2:2 3:1,2 4:");
	libra_gang_remove(&g, B);
	assert_string_equal(runs(), "0: 2:2 4:");
	assert_int_equal(g.runs.used[0], 0xc);
	assert_sound(0);
	libra_gang_fini(&g);
}

/* B runs from 0 on.  At 10 it needs 20, at 30 nothing, at 35, 5 s over, a tenth
 * of what it has executed, at 50 it is late.
 */
static void who_runs_needs_less_and_less(void **state)
{
	open_a_b_c();
	libra_gang_run_job(&g, B, true, true);
	libra_gang_touch(&g, 10);
	assert_loads(80, 20, 90);
	assert_near(libra_gang_executed_s(&g.jobs[B], 10), 10, 0);
	assert_near(libra_gang_executed_s(&g.jobs[A], 10), 0, 0);
	assert_sound(10);
	libra_gang_touch(&g, 30);
	assert_loads(60, 0, 70);
	libra_gang_touch(&g, 35);
	assert_loads(63.5, 3.5, 73.5);
	assert_near(libra_gang_next_late_s(&g), 50 + LIBRA_LATE_AFTER_S, 0);
	libra_gang_touch(&g, 50);
	/* No more than until the deadlines: 50 of 60. */
	assert_loads(50, 0, 60);
	assert_int_equal(g.nlate, 0);
	libra_gang_touch(&g, 51);
	assert_int_equal(g.nlate, 1);
	assert_string_equal(order(), "0 2 1");
	assert_loads(49, 0, 59);
	assert_near(libra_gang_executed_s(&g.jobs[B], 51), 51, 1e-9);
	assert_near(libra_gang_next_late_s(&g), 100 + LIBRA_LATE_AFTER_S, 0);
	assert_sound(51);
	libra_gang_touch(&g, 101);
	assert_string_equal(order(), "1 0 2");
	assert_int_equal(g.nlate, 3);
	assert_loads(0, 0, 0);
	assert_true(libra_gang_next_late_s(&g) == INFINITY);
	libra_gang_remove(&g, A);
	assert_int_equal(g.nlate, 2);
	assert_string_equal(order(), "1 2");
	assert_sound(101);
	libra_gang_fini(&g);
}

/* Who has been given its processors and not begun has executed nothing. */
static void only_what_executes_is_counted(void **state)
{
	uint64_t version;

	open_a_b_c();
	libra_gang_run_job(&g, B, true, false);
	libra_gang_begin(&g, C);
	libra_gang_touch(&g, 10);
	assert_loads(90, 30, 100);
	/* Nothing is another at the same instant, unless it says so. */
	version = g.version;
	libra_gang_touch(&g, 10);
	assert_int_equal(g.version, version);
	libra_gang_progress(&g, A, 15);
	assert_loads(75, 30, 85);
	assert_true(g.version > version);
	version = g.version;
	libra_gang_reestimate(&g, A, 65);
	assert_loads(80, 30, 90);
	assert_true(g.version > version);
	version = g.version;
	libra_gang_touch(&g, 11);
	assert_true(g.version > version);
	libra_gang_fini(&g);
}

/* B runs from 0 to 10, from 15 to 20 and, behind its estimate, from 25 on; its
 * need was read at 0 alone.  A, by 100, needs less than 60 from 40 on.
 */
static void nobody_need_look_in_between(void **state)
{
	open_a_b_c();
	libra_gang_run_job(&g, B, true, true);
	libra_gang_pass(&g, 10);
	libra_gang_run_job(&g, B, false, true);
	libra_gang_pass(&g, 15);
	assert_near(libra_gang_executed_s(&g.jobs[B], 15), 10, 0);
	libra_gang_run_job(&g, B, true, true);
	assert_int_equal(g.nmoving, 0);
	libra_gang_pass(&g, 20);
	libra_gang_run_job(&g, B, false, true);
	libra_gang_touch(&g, 24);
	assert_near(libra_gang_need_s(&g, B), 15, 0);
	assert_near(libra_gang_load_s(&g, A), 75, 0);
	assert_int_equal(g.nmoving, 0);
	libra_gang_pass(&g, 25);
	libra_gang_run_job(&g, B, true, true);
	libra_gang_touch(&g, 45);
	assert_near(libra_gang_executed_s(&g.jobs[B], 45), 35, 0);
	assert_int_equal(g.nmoving, 1); /* behind its estimate */
	assert_near(libra_gang_need_s(&g, B), 3.5, 1e-12);
	assert_near(libra_gang_need_s(&g, A), 55, 0);
	assert_sound(45);
	/* Late, it executes, and needs nothing. */
	libra_gang_pass(&g, 51);
	assert_true(g.jobs[B].late);
	assert_int_equal(g.jobs[B].moves, 0);
	assert_near(libra_gang_executed_s(&g.jobs[B], 52), 42, 0);
	libra_gang_touch(&g, 52);
	assert_sound(52);
	libra_gang_fini(&g);
	(void)state;
}

/* Nobody executes: time alone changes no claim. */
static void who_stands_still_needs_the_same(void **state)
{
	uint64_t version, changes;

	open_a_b_c();
	version = g.version;
	changes = g.changes[0];
	libra_gang_touch(&g, 10);
	libra_gang_run_job(&g, B, true, false); /* it has not begun */
	assert_int_equal(g.version, version + 1);
	assert_int_equal(g.changes[0], changes);
	assert_loads(90, 30, 100);
	libra_gang_fini(&g);
	(void)state;
}

/* Since 1970 a double has 2e-7 s, but a need is known as well as its times. */
static void a_need_is_not_rounded_to_the_date(void **state)
{
	const double from_s = 1.7e9 + 1 / 3., to_s = 1.7e9 + 70000 + 1 / 7.;

	open_gang(4);
	add_at(A, 0x1, 1e5 + 1e-3, 2e9, from_s);
	libra_gang_pass(&g, from_s);
	libra_gang_run_job(&g, A, true, true);
	libra_gang_touch(&g, to_s);
	assert_near(libra_gang_need_s(&g, A), 1e5 + 1e-3 - (to_s - from_s),
		    1e-10);
	libra_gang_fini(&g);
	(void)state;
}

/* A was restored with 50 s done; D came late, and is behind all. */
static void what_is_restored_counts_as_it_is(void **state)
{
	uint64_t procs = 0x3;

	open_gang(4);
	assert_int_equal(libra_gang_add(&g, A, 1, 60, 50, 100, &procs, 20), 0);
	add_at(D, 0x1, 30, 15, 20);
	add_at(B, 0x1, 30, 90, 20);
	assert_string_equal(order(), "1 0 3");
	assert_int_equal(g.nlate, 1);
	assert_true(g.jobs[D].late);
	assert_near(libra_gang_load_s(&g, A), 40, 1e-9);
	assert_near(libra_gang_load_s(&g, B), 30, 1e-9);
	assert_near(libra_gang_need_s(&g, D), 0, 0);
	/* Another one, later by its deadline, and one earlier. */
	add_at(C, 0x1, 30, 10, 20);
	assert_string_equal(order(), "1 0 2 3");
	add_at(D + 1, 0x1, 30, 19, 20);
	assert_string_equal(order(), "1 0 2 3 4");
	assert_int_equal(g.nlate, 3);
	assert_sound(20);
	libra_gang_fini(&g);
}

static void a_change_is_tried_on_all_neighbours(void **state)
{
	static const struct {
		uint32_t slot;
		double estimate_s, deadline_s;
		bool may;
	} c[] =
		{
			/* C has nothing to give, A 10 s, B 20 s. */
			{A, 60, 100, true},
			{A, 50, 100, true},
			{A, 61, 100, false},
			{A, 60, 90, true}, /* 30 + 60 */
			{A, 60, 89, false},
			{A, 70, 200, true}, /* behind C: nobody bears it */
			{A, 161, 200, false},
			{A, 20, 40, true}, /* before B, which bears it all */
			{A, 21, 40, false},
			{B, 30, 50, true},
			{B, 31, 50, false},
			{B, 30, 30, true},
			{B, 130, 200, true}, /* behind A and C: 60 + 10 + 130 */
			{B, 131, 200, false},
			{C, 10, 100, true},
			{C, 11, 100, false},
			{C, 10, 40, true}, /* before both: A has 10 */
			{C, 11, 40, false},
			{C, 10, 60, true}, /* between: 30 + 10, and A has 10 */
			{C, 11, 60, false},
			{C, 10, 39, true},
			{C, 110, 200, true},
			{C, 111, 200, false},
			{C, 10, -1, false},
		};

	open_a_b_c();
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++)
		if (libra_gang_may_change(&g, c[i].slot, c[i].estimate_s,
					  c[i].deadline_s, 0) != c[i].may)
			fail_msg("%u: %g s by %g", c[i].slot, c[i].estimate_s,
				 c[i].deadline_s);
	/* What is lost already has no voice: A, 20 s too long, nor has who is
	 * late.
	 */
	libra_gang_change(&g, A, 90, 100, 0);
	libra_gang_remove(&g, C);
	assert_true(libra_gang_may_change(&g, B, 40, 50, 0));
	libra_gang_touch(&g, 51);
	assert_true(libra_gang_may_change(&g, A, 49, 100, 51));
	/* Late itself, it gets another deadline, behind A. */
	assert_true(libra_gang_may_change(&g, B, 30, 131, 51));
	assert_false(libra_gang_may_change(&g, B, 30, 129, 51));
	assert_false(libra_gang_may_change(&g, B, 30, 50, 51));
	libra_gang_fini(&g);
}

static void a_change_moves_needs_and_places(void **state)
{
	uint64_t version;

	open_a_b_c();
	libra_gang_change(&g, A, 70, 100, 0);
	assert_loads(100, 30, 110);
	libra_gang_change(&g, A, 60, 100, 0);
	assert_loads(90, 30, 100);
	version = g.version;
	libra_gang_change(&g, B, 30, 200, 0);
	assert_true(g.version > version);
	assert_string_equal(order(), "0 2 1");
	assert_loads(60, 100, 70);
	assert_sound(0);
	libra_gang_change(&g, B, 30, 50, 0);
	assert_string_equal(order(), "1 0 2");
	assert_loads(90, 30, 100);
	/* Late, and in time again: A needs 49 of 60 at 51. */
	libra_gang_touch(&g, 51);
	assert_int_equal(g.nlate, 1);
	libra_gang_change(&g, B, 30, 200, 51);
	assert_int_equal(g.nlate, 0);
	assert_loads(49, 89, 59);
	assert_sound(51);
	libra_gang_change(&g, A, 60, 40, 51);
	assert_int_equal(g.nlate, 1);
	assert_string_equal(order(), "2 1 0");
	assert_loads(0, 40, 10);
	assert_sound(51);
	libra_gang_fini(&g);
}

/* At 60 B is late; the clock is set to 40, when it was not. */
static void another_clock_judges_anew(void **state)
{
	uint64_t version;

	open_a_b_c();
	libra_gang_touch(&g, 60);
	assert_int_equal(g.nlate, 1);
	assert_loads(40, 0, 50);
	version = g.version;
	libra_gang_clock(&g, 40);
	assert_true(g.version > version);
	assert_int_equal(g.nlate, 0);
	assert_string_equal(order(), "1 0 2");
	assert_loads(70, 10, 80);
	assert_near(g.jobs[A].since_s, 40, 0);
	assert_near(g.at.touched_s, 40, 0);
	assert_sound(40);
	libra_gang_clock(&g, 99);
	assert_string_equal(order(), "0 2 1");
	assert_loads(1, 0, 2);
	assert_sound(99);
	libra_gang_fini(&g);
}

/* "S" for who runs, "-" for who is held. */
static const char *running(void)
{
	static char text[8];

	for (uint32_t i = 0; i <= D; i++)
		text[i] = g.jobs[i].nprocs == 0 ? '.'
			  : g.jobs[i].runs	? 'S'
						: '-';
	text[D + 1] = '\0';
	return text;
}

static void who_is_first_takes_its_processors(void **state)
{
	open_a_b_c();
	add(D, 0x9, 10, 300);
	for (uint32_t i = 0; i <= D; i++)
		libra_gang_ready(&g, i, true);
	/* B has 1 and 2; D 0 and 3. */
	assert_true(libra_gang_dispatch(&g, 0));
	assert_string_equal(running(), "-S-S");
	for (uint32_t i = 0; i <= D; i++)
		g.jobs[i].reported = g.jobs[i].runs;
	assert_false(libra_gang_dispatch(&g, 1));
	libra_gang_report(&g, D);
	assert_true(libra_gang_dispatch(&g, 1));
	g.jobs[D].unreported = false;
	/* B is suspended: A has 0 and 1, and D waits for 0. */
	libra_gang_ready(&g, B, false);
	assert_true(libra_gang_dispatch(&g, 2));
	assert_string_equal(running(), "S---");
	/* Nor does it come back before A has ended. */
	libra_gang_remove(&g, A);
	assert_true(libra_gang_dispatch(&g, 3));
	assert_string_equal(running(), ".-SS");
	/* Late, B is behind C. */
	libra_gang_ready(&g, B, true);
	assert_true(libra_gang_dispatch(&g, 51));
	assert_string_equal(running(), ".-SS");
	assert_sound(51);
	libra_gang_fini(&g);
}

/* 60 s by 50 need all that is left, though they do not run; B, 30 s by 90,
 * needs that as long as it has more.
 */
static void a_bet_needs_what_is_left(void **state)
{
	open_gang(4);
	add(A, 0x1, 60, 50);
	libra_gang_touch(&g, 0);
	assert_near(libra_gang_need_s(&g, A), 50, 0);
	libra_gang_touch(&g, 10);
	assert_near(libra_gang_need_s(&g, A), 40, 0);
	add_at(B, 0x2, 30, 90, 10);
	libra_gang_touch(&g, 45);
	assert_near(libra_gang_need_s(&g, A), 5, 0);
	assert_near(libra_gang_need_s(&g, B), 30, 0);
	libra_gang_touch(&g, 65);
	assert_near(libra_gang_need_s(&g, A), 0, 0);
	assert_true(g.jobs[A].late);
	assert_near(libra_gang_need_s(&g, B), 25, 0);
	assert_sound(65);
	libra_gang_fini(&g);
}

/* 200 jobs on a processor, and 200 beside them on another: each comes behind
 * those before it.  Of 199 neighbours 128 are listed.
 */
static void there_is_room_for_many(void **state)
{
	enum { MANY = 200 };

	open_gang(3);
	for (uint32_t i = 0; i < MANY; i++) {
		add(2 * i, 0x1, 1 + i, 10000 + i);
		add(2 * i + 1, 0x4, 1, 10000 - i);
	}
	/* 1 + 2 + ... + 200; the others come before those before them. */
	assert_near(libra_gang_load_s(&g, 2 * MANY - 2), 20100, 1e-6);
	assert_near(libra_gang_load_s(&g, 1), MANY, 1e-6);
	assert_near(libra_gang_load_s(&g, 2 * MANY - 1), 1, 1e-6);
	assert_int_equal(near_of(0), MANY - 1);
	assert_int_equal(g.jobs[0].behind.nslots, LIBRA_GANG_LISTED);
	assert_int_equal(g.ncrowded, 2 * (MANY - 1 - LIBRA_GANG_LISTED));
	assert_int_equal(g.runs.nbound[0], MANY);
	assert_int_equal(g.runs.nbound[1], 0);
	assert_sound(0);
	for (uint32_t i = 0; i < MANY; i++)
		libra_gang_remove(&g, 2 * i);
	assert_int_equal(g.njobs, MANY);
	assert_int_equal(g.ncrowded, MANY - 1 - LIBRA_GANG_LISTED);
	assert_int_equal(g.order[0], 2 * MANY - 1);
	assert_int_equal(g.order[MANY - 1], 1);
	assert_int_equal(g.runs.nbound[0], 0);
	assert_sound(0);
	libra_gang_fini(&g);
}

/* The check that other tests rely on finds what is wrong. */
static void the_check_finds_what_is_wrong(void **state)
{
	open_gang(6);
	add(A, 0x3, 60, 100);
	add(B, 0x6, 30, 50);
	add(C, 0x2, 10, 100);
	add(D, 0x8, 5, 70);
	assert_sound(0);
	assert_string_equal(gang_check(&g, 51),
			    "a job is late and not marked, or marked and not "
			    "late");
	g.falling[0]++;
	assert_string_equal(gang_check(&g, 0),
			    "needs fall that nobody knows of");
	g.falling[0]--;
	libra_bits_put(g.runs.used, 5);
	assert_string_equal(gang_check(&g, 0), "a processor is used by nobody");
	libra_bits_drop(g.runs.used, 5);
	libra_bits_put(g.runs.edges, 5);
	g.runs.nbound[5] = 0;
	assert_string_equal(gang_check(&g, 0), "two runs are one");
	libra_bits_drop(g.runs.edges, 5);
	g.jobs[D].nprocs++;
	assert_string_equal(gang_check(&g, 0),
			    "not all processors of a job are bound");
	g.jobs[D].nprocs--;
	g.jobs[B].late = true;
	assert_string_equal(gang_check(&g, 0), "late jobs are not last");
	g.jobs[B].late = false;
	g.jobs[C].late = true;
	g.nlate = 1;
	assert_string_equal(gang_check(&g, 0),
			    "a job is late and not marked, or marked and not "
			    "late");
	g.jobs[C].late = false;
	g.nlate = 0;
	g.jobs[A].runs = g.jobs[B].runs = g.jobs[D].runs = true;
	assert_string_equal(gang_check(&g, 0), "two jobs run on one processor");
	g.jobs[A].runs = false;
	assert_sound(0);
	g.jobs[A].before.n--;
	assert_string_equal(gang_check(&g, 0),
			    "a job does not know its neighbours");
	g.jobs[A].before.n++;
	g.need_lines[A].base_s += 2e-6;
	assert_string_equal(gang_check(&g, 0),
			    "what a job claims is not what it needs");
	g.need_lines[A].base_s = 60;
	g.need_lines[A].deadline_s += 1;
	assert_string_equal(gang_check(&g, 0),
			    "what a job claims is not when it is due");
	g.need_lines[A].deadline_s -= 1;
	assert_sound(0);
	/* B and D, which are no neighbours. */
	g.order[0] = D;
	g.order[1] = B;
	assert_string_equal(gang_check(&g, 0), "jobs are not in order");
	libra_gang_fini(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbours_that_come_before_are_a_load),
		cmocka_unit_test(parts_need_not_lie_together),
		cmocka_unit_test(who_runs_needs_less_and_less),
		cmocka_unit_test(only_what_executes_is_counted),
		cmocka_unit_test(nobody_need_look_in_between),
		cmocka_unit_test(who_stands_still_needs_the_same),
		cmocka_unit_test(a_need_is_not_rounded_to_the_date),
		cmocka_unit_test(what_is_restored_counts_as_it_is),
		cmocka_unit_test(a_change_is_tried_on_all_neighbours),
		cmocka_unit_test(a_change_moves_needs_and_places),
		cmocka_unit_test(another_clock_judges_anew),
		cmocka_unit_test(who_is_first_takes_its_processors),
		cmocka_unit_test(a_bet_needs_what_is_left),
		cmocka_unit_test(there_is_room_for_many),
		cmocka_unit_test(the_check_finds_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
