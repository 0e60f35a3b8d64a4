/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_dispatch.c - who runs, and of whom the host is to be told, by hand.
 *
 * tests/property/test_turns.c compares what is kept with a look at all jobs;
 * here is what the lists hold.
 */
#include "core/engine_impl.h"
#include "core/gang/gang.h"
#include "core/gang/short_list.h"
#include "tests/unit/host.h"

#define NJOBS 40

static struct libra_gang g;

static void open_gang(uint32_t nprocs)
{
	assert_int_equal(libra_gang_init(&g, nprocs), 0);
	assert_int_equal(libra_gang_reserve(&g, NJOBS), 0);
}

/* 10 s, by an instant; may run. */
static void add(uint32_t slot, uint64_t procs, double deadline_s)
{
	assert_int_equal(libra_gang_add(&g, slot, slot + 1u, 10, 0, deadline_s,
					&procs, 0),
			 0);
	libra_gang_ready(&g, slot, true);
}

static void tell(uint32_t slot)
{
	g.jobs[slot].reported = g.jobs[slot].runs;
	g.jobs[slot].unreported = false;
}

/* The slots of a list in order: "0 3 7 many". */
static const char *listed(const struct libra_gang_short_list *few)
{
	static char text[256];
	size_t at = 0;

	text[0] = '\0';
	for (uint32_t slot = 0; slot < NJOBS; slot++)
		for (uint32_t i = 0; i < few->n; i++)
			if (few->slots[i] == slot)
				at += (size_t)snprintf(
					text + at, sizeof(text) - at, "%s%u",
					at ? " " : "", slot);
	if (few->many)
		snprintf(text + at, sizeof(text) - at, " many");
	return text;
}

/* Each slot is on a list once; of more than 32 it knows no more than that. */
static void a_list_has_each_slot_once(void **state)
{
	struct libra_gang_short_list few = {.n = 0};

	for (int again = 0; again < 2; again++)
		for (uint32_t slot = 0; slot < LIBRA_GANG_FEW; slot++)
			libra_gang_short_list_add(&few, slot);
	assert_int_equal(few.n, LIBRA_GANG_FEW);
	assert_false(few.many);
	libra_gang_short_list_add(&few, LIBRA_GANG_FEW);
	assert_int_equal(few.n, LIBRA_GANG_FEW);
	assert_true(few.many);
	few.n = 0;
	libra_gang_short_list_add(&few, 1);
	assert_int_equal(few.n, 0);
}

static void who_is_dropped_is_on_no_list(void **state)
{
	struct libra_gang_short_list few = {.n = 0};

	for (uint32_t slot = 0; slot < 4; slot++)
		libra_gang_short_list_add(&few, slot);
	libra_gang_short_list_drop(&few, 1);
	assert_string_equal(listed(&few), "0 2 3");
	libra_gang_short_list_drop(&few, 3);
	libra_gang_short_list_drop(&few, 3);
	assert_string_equal(listed(&few), "0 2");
	libra_gang_short_list_drop(&few, 0);
	libra_gang_short_list_drop(&few, 2);
	assert_int_equal(few.n, 0);
}

/* 0 by 50 on both processors; 1 by 40 on the first, 2 by 60 on the second. */
static void only_who_changes_is_told(void **state)
{
	open_gang(2);
	add(0, 0x3, 50);
	add(2, 0x2, 60);
	assert_string_equal(listed(&g.dirty), "0 2");
	assert_true(libra_gang_dispatch(&g, 0));
	assert_int_equal(g.dirty.n, 0);
	assert_string_equal(listed(&g.unreported), "0");
	assert_int_equal(libra_gang_next_unreported(&g), 0);
	tell(0);
	assert_int_equal(libra_gang_next_unreported(&g), LIBRA_GANG_NOBODY);
	assert_false(libra_gang_dispatch(&g, 1));
	/* 1 takes the first from 0, and so 2 gets the second. */
	add(1, 0x1, 40);
	assert_true(libra_gang_dispatch(&g, 2));
	assert_string_equal(listed(&g.unreported), "0 1 2");
	/* First who is held, then the others by their deadlines. */
	assert_int_equal(libra_gang_next_unreported(&g), 0);
	tell(0);
	assert_int_equal(libra_gang_next_unreported(&g), 1);
	tell(1);
	assert_int_equal(libra_gang_next_unreported(&g), 2);
	assert_string_equal(listed(&g.unreported), "2");
	tell(2);
	/* One that is as it was told to be, and was restored, is told again. */
	libra_gang_report(&g, 1);
	assert_true(libra_gang_dispatch(&g, 3));
	assert_int_equal(libra_gang_next_unreported(&g), 1);
	libra_gang_fini(&g);
}

/* Held ones, too, are told by priority, wherever they are on the list. */
static void the_first_of_the_held_is_told_first(void **state)
{
	open_gang(4);
	for (uint32_t slot = 0; slot < 4; slot++)
		add(slot, (uint64_t)1 << slot, 100 - slot);
	libra_gang_dispatch(&g, 0);
	for (uint32_t i = 4; i-- > 0; tell(i))
		assert_int_equal(libra_gang_next_unreported(&g), i);
	for (uint32_t slot = 1; slot < 4; slot++)
		libra_gang_ready(&g, slot, false);
	libra_gang_dispatch(&g, 1);
	for (uint32_t i = 4; i-- > 1; tell(i))
		assert_int_equal(libra_gang_next_unreported(&g), i);
	assert_int_equal(libra_gang_next_unreported(&g), LIBRA_GANG_NOBODY);
	libra_gang_fini(&g);
}

/* 40 jobs are more than a list holds.  Once they have been looked through the
 * lists are as good as ever.
 */
static void of_many_all_are_looked_through_once(void **state)
{
	open_gang(NJOBS);
	for (uint32_t slot = 0; slot < NJOBS; slot++)
		add(slot, (uint64_t)1 << slot, 100 + slot);
	assert_true(g.dirty.many);
	assert_true(libra_gang_dispatch(&g, 0));
	assert_int_equal(g.dirty.n, 0);
	assert_false(g.dirty.many);
	assert_true(g.unreported.many);
	for (uint32_t slot = 0; slot < NJOBS; slot++) {
		assert_true(g.jobs[slot].runs);
		tell(slot);
	}
	for (uint32_t slot = 3; slot < 6; slot++)
		libra_gang_ready(&g, slot, false);
	assert_true(libra_gang_dispatch(&g, 1));
	assert_string_equal(listed(&g.unreported), "3 4 5");
	assert_int_equal(g.dirty.n, 0);
	assert_false(g.dirty.many);
	libra_gang_fini(&g);
}

/* 8 of 9 on one processor: no more are asked than those that may have to do
 * otherwise.
 */
static void who_stays_as_he_is_asks_nobody(void **state)
{
	open_gang(1);
	for (uint32_t slot = 0; slot < 8; slot++)
		add(slot, 1, 50 + slot);
	libra_gang_dispatch(&g, 0);
	tell(0);
	libra_gang_remove(&g, 0);
	assert_true(libra_gang_dispatch(&g, 1));
	assert_int_equal(libra_gang_next_unreported(&g), 1);
	for (uint32_t slot = 1; slot < 8; slot++)
		assert_int_equal(g.jobs[slot].runs, slot == 1);
	assert_string_equal(listed(&g.unreported), "1");
	libra_gang_fini(&g);
}

/* ---- what a host is told ---- */

/* "S3 H1 ": kinds with the numbers of offers. */
static const char *told(struct libra_engine *e, uint32_t most)
{
	static const char letters[] = "?SR?HG";
	static char text[1024];
	struct libra_action action;
	size_t at = 0;

	text[0] = '\0';
	while (most-- > 0 && libra_engine_next_action(e, &action)) {
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%c%u ",
				       letters[action.kind],
				       (unsigned)(action.ticket >> 32));
		if (action.kind == LIBRA_ACTION_START)
			libra_engine_started(e, action.ticket, e->now_s);
	}
	return text;
}

static uint64_t run_at(struct libra_engine *e, uint32_t proc, double deadline_s)
{
	struct libra_part part = {{proc, 1}, 10, NULL};
	struct libra_job job = host_job(0, 10, deadline_s, 1);
	uint64_t ticket;

	assert_int_equal(libra_engine_restore(e, &job, &part, 1, false,
					      e->now_s, &ticket, NULL),
			 0);
	return ticket;
}

/* 40 run, each on its own processor.  Then one that needs them all comes before
 * them: of so many no list is kept, and all the same first each of them is
 * held, in order of the deadlines, then the new one begins.
 */
static void of_many_all_are_told(void **state)
{
	struct libra_engine *e = host_engine("band", 1, NJOBS);
	struct libra_part all = {{0, NJOBS}, 5, NULL};
	struct libra_job job = host_job(0, 5, 20, NJOBS);
	uint64_t first = 0, wide;
	char text[16];

	libra_engine_schedule(e, 0);
	for (uint32_t i = 0; i < NJOBS; i++)
		first = run_at(e, NJOBS - 1 - i, 100 + i);
	libra_engine_schedule(e, 0);
	assert_string_equal(told(e, 3), "S1 S2 S3 ");
	assert_contains(told(e, NJOBS), "S39 S40 ");
	assert_int_equal(
		libra_engine_restore(e, &job, &all, 1, false, 0, &wide, NULL),
		0);
	libra_engine_schedule(e, 0);
	assert_string_equal(told(e, 3), "H1 H2 H3 ");
	/* One goes meanwhile: nobody else is left out. */
	assert_int_equal(libra_engine_departed(e, first, 0), 0);
	libra_engine_schedule(e, 0);
	for (uint32_t i = 4; i < NJOBS; i++) {
		snprintf(text, sizeof(text), "H%u ", i);
		assert_string_equal(told(e, 1), text);
	}
	assert_string_equal(told(e, NJOBS), "S41 ");
	assert_string_equal(told(e, NJOBS), "");
	/* When it has ended all go on. */
	assert_int_equal(libra_engine_departed(e, wide, 5), 0);
	libra_engine_schedule(e, 5);
	assert_string_equal(told(e, 2), "G1 G2 ");
	/* Who comes back meanwhile may be held: from the beginning on. */
	run_at(e, NJOBS - 1, 50);
	libra_engine_schedule(e, 5);
	assert_string_equal(told(e, 3), "H1 S42 G3 ");
	assert_contains(told(e, NJOBS), "G38 G39 ");
	assert_string_equal(told(e, NJOBS), "");
	libra_engine_destroy(e);
}

/* 1 to 3 of 40 have begun when 1 and 2 are late: the order is 3 4 ... 1 2, and
 * 4 is the next one all the same.
 */
static void who_is_late_meanwhile_hides_nobody(void **state)
{
	struct libra_engine *e = host_engine("band", 1, NJOBS);
	uint64_t first = 0, ticket;

	libra_engine_schedule(e, 0);
	for (uint32_t i = 0; i < NJOBS; i++) {
		ticket = run_at(e, i, 100 + i);
		first = first ? first : ticket;
	}
	libra_engine_schedule(e, 0);
	assert_string_equal(told(e, 3), "S1 S2 S3 ");
	assert_int_equal(libra_engine_suspend(e, first, false, 101.5), 0);
	assert_string_equal(told(e, 2), "S4 S5 ");
	libra_engine_destroy(e);
}

/* What is to be told when the clock is set waits for the next look. */
static void another_clock_is_told_at_the_next_look(void **state)
{
	struct libra_engine *e = host_engine("band", 1, NJOBS);

	libra_engine_schedule(e, 0);
	run_at(e, 0, 100);
	run_at(e, 1, 100);
	libra_engine_schedule(e, 0);
	assert_string_equal(told(e, 1), "S1 ");
	assert_int_equal(libra_engine_clock(e, 0, 10), 0);
	assert_string_equal(told(e, 1), "");
	libra_engine_schedule(e, 10);
	assert_string_equal(told(e, 2), "S2 ");
	/* So it is when a job is restored. */
	run_at(e, 2, 200);
	libra_engine_schedule(e, 11);
	run_at(e, 3, 100);
	assert_string_equal(told(e, 1), "");
	libra_engine_schedule(e, 11);
	assert_string_equal(told(e, 3), "S4 S3 ");
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_has_each_slot_once),
		cmocka_unit_test(who_is_dropped_is_on_no_list),
		cmocka_unit_test(only_who_changes_is_told),
		cmocka_unit_test(the_first_of_the_held_is_told_first),
		cmocka_unit_test(of_many_all_are_looked_through_once),
		cmocka_unit_test(who_stays_as_he_is_asks_nobody),
		cmocka_unit_test(of_many_all_are_told),
		cmocka_unit_test(who_is_late_meanwhile_hides_nobody),
		cmocka_unit_test(another_clock_is_told_at_the_next_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
