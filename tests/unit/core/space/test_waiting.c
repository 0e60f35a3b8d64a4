/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_waiting.c - jobs that wait with a plan: the list that is kept in order,
 * and nodes for all of them at once.
 */
#include "core/engine_impl.h"
#include "core/space/replan.h"
#include "core/space/admit.h"
#include "core/space/nodes.h"
#include "core/space/assign.h"
#include "core/space/reservations.h"
#include "tests/unit/host.h"

enum { MOST = 8, NODES = 4, PROCS = 8 };

/* ---- the list ---- */

static struct libra_reservation waiting[MOST + 1];
static uint32_t places[MOST];

static struct libra_planned_state list_of(uint32_t nplaces)
{
	memset(waiting, 0, sizeof(waiting));
	memset(places, 0, sizeof(places));
	return (struct libra_planned_state){.waiting = waiting,
					    .cap = MOST,
					    .places = places,
					    .nplaces = nplaces};
}

static struct libra_reservation plan(uint32_t slot, double latest_s,
				     uint64_t order, double start_s)
{
	return (struct libra_reservation){.slot = slot,
					  .latest_s = latest_s,
					  .order = order,
					  .start_s = start_s};
}

/* The slots in the order of the list: "3 1 2". */
static void assert_slots(const struct libra_planned_state *s,
			 const char *expected)
{
	char text[64] = "";
	int n = 0;

	for (uint32_t i = 0; i < s->nwaiting; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%u",
			      i ? " " : "", s->waiting[i].slot);
	assert_string_equal(text, expected);
}

static struct libra_planned_state five(uint32_t nplaces)
{
	static const struct {
		double latest_s, start_s;
		uint64_t order;
	} rows[] = {{300, 50, 1},
		    {200, 20, 3},
		    {200, 20, 2},
		    {100, 20, 4},
		    {400, 10, 5}};
	struct libra_planned_state s = list_of(nplaces);

	for (uint32_t i = 0; i < 5; i++) {
		struct libra_reservation p = plan(
			i, rows[i].latest_s, rows[i].order, rows[i].start_s);

		libra_reservations_insert(&s, &p);
	}
	return s;
}

static void they_are_kept_by_latest_start_and_order(void **state)
{
	struct libra_planned_state s = five(MOST);
	struct libra_reservation p = plan(5, 200, 6, 0);

	assert_slots(&s, "3 2 1 0 4");
	assert_int_equal(libra_reservations_insert(&s, &p), 3);
	assert_slots(&s, "3 2 1 5 0 4");
	p = plan(6, 50, 7, 0);
	assert_int_equal(libra_reservations_insert(&s, &p), 0);
	libra_reservations_extract(&s, 0);
	libra_reservations_extract(&s, 3);
	assert_slots(&s, "3 2 1 0 4");
	libra_reservations_extract(&s, 4);
	assert_slots(&s, "3 2 1 0");
	/* By starts, and of equal ones as before. */
	s = five(MOST);
	libra_reservations_sort_by_start(&s);
	assert_slots(&s, "4 3 2 1 0");
	libra_reservations_sort(&s);
	assert_slots(&s, "3 2 1 0 4");
	s.waiting[0].latest_s = 250;
	s.waiting[4].latest_s = 150;
	libra_reservations_sort(&s);
	assert_slots(&s, "4 2 1 3 0");
}

/* Equal in all that counts: who was there first stays first. */
static void equal_ones_keep_their_order(void **state)
{
	struct libra_planned_state s = list_of(MOST);

	for (uint32_t i = 0; i < 3; i++) {
		struct libra_reservation p = plan(i, 100, 1, 20);

		libra_reservations_insert(&s, &p);
	}
	assert_slots(&s, "0 1 2");
	libra_reservations_sort(&s);
	libra_reservations_sort_by_start(&s);
	assert_slots(&s, "0 1 2");
}

static void assert_counts(const struct libra_planned_state *s, uint32_t firm,
			  uint32_t late, uint32_t untold)
{
	assert_int_equal(s->nfirm, firm);
	assert_int_equal(s->nlate, late);
	assert_int_equal(s->nunreported, untold);
}

static void what_they_are_is_counted(void **state)
{
	struct libra_planned_state s = list_of(MOST);
	struct libra_reservation p = plan(0, 1, 1, 1);

	libra_reservations_insert(&s, &p);
	assert_counts(&s, 0, 0, 0);
	p.firm = true;
	libra_reservations_insert(&s, &p);
	assert_counts(&s, 1, 0, 0);
	p.late = true;
	libra_reservations_insert(&s, &p);
	assert_counts(&s, 2, 1, 0);
	p.unreported = true;
	libra_reservations_insert(&s, &p);
	assert_counts(&s, 3, 2, 1);
	libra_reservations_count(&s, &p, -1);
	assert_counts(&s, 2, 1, 0);
	libra_reservations_count(&s, &p, 1);
	libra_reservations_extract(&s, 3);
	assert_counts(&s, 2, 1, 0);
	libra_reservations_extract(&s, 0);
	assert_counts(&s, 2, 1, 0);
	libra_reservations_extract(&s, 1);
	assert_counts(&s, 1, 0, 0);
}

/* Wherever it was last, and where nothing is known of it. */
static void each_is_found_from_anywhere(void **state)
{
	for (uint32_t nplaces = 0; nplaces <= MOST; nplaces += MOST) {
		struct libra_planned_state s = five(nplaces);

		for (uint32_t last = 0; last <= MOST; last++)
			for (uint32_t at = 0; at < 5; at++) {
				uint32_t slot = s.waiting[at].slot;

				places[slot] = last;
				assert_int_equal(
					libra_reservations_find(&s, slot), at);
				assert_int_equal(places[slot],
						 nplaces ? at : last);
			}
		places[6] = 2;
		assert_int_equal(libra_reservations_find(&s, 6), 5);
		assert_int_equal(places[6], 2);
		s.nwaiting = 0;
		assert_int_equal(libra_reservations_find(&s, 0), 0);
	}
}

/* ---- nodes for all ---- */

/* Full until 100; four jobs of a node each wait. */
static struct libra_engine *open_waiting(void)
{
	static const uint32_t procs[] = {PROCS, PROCS, PROCS, PROCS};
	struct libra_engine *e = host_rooms_engine(
		procs, NODES, NULL, 0, "hold_back=0 machine_reserve=0");

	host_submit(e, host_job(0, 100, 1000, NODES * PROCS), 0);
	host_pass(e, 0);
	for (int i = 0; i < NODES; i++)
		host_submit(e, host_job(0, 1000, 90000, PROCS), 0);
	assert_int_equal(libra_planned_state(e)->nwaiting, NODES);
	return e;
}

/* Starts for the four; which node each gets: "0 1 2 3", - for none. */
static void assert_spread(struct libra_engine *e, const double starts_s[NODES],
			  const char *expected)
{
	struct libra_planned_state *s = libra_planned_state(e);
	uint64_t work = e->work;
	uint32_t n = 0;
	char text[16] = "";

	libra_replan_clear(s);
	for (uint32_t i = 0; i < NODES; i++) {
		s->tried[i] = starts_s[i];
		n += starts_s[i] < INFINITY;
	}
	assert_true(libra_assign_nodes(e));
	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t span = s->nodes->tried[i];
		char *at = text + strlen(text);

		if (span == LIBRA_NO_SPAN) {
			strcpy(at, i ? " -" : "-");
			continue;
		}
		snprintf(at, 4, "%s%u", i ? " " : "",
			 s->nodes->spans[span].node);
		assert_int_equal(s->nodes->spans[span].next, LIBRA_NO_SPAN);
	}
	assert_string_equal(text, expected);
	assert_int_equal(e->work - work, n * NODES);
	libra_replan_clear(s);
}

static void nodes_are_given_in_order_of_starts(void **state)
{
	struct libra_engine *e = open_waiting();

	assert_spread(e, (const double[]){200, 300, 400, 500}, "0 1 2 3");
	assert_spread(e, (const double[]){500, 400, 300, 200}, "3 2 1 0");
	assert_spread(e, (const double[]){300, 500, 200, 400}, "1 3 0 2");
	/* Of equal starts, in the order of the list. */
	assert_spread(e, (const double[]){200, 200, 200, 200}, "0 1 2 3");
	assert_spread(e, (const double[]){300, 200, 300, 200}, "2 0 3 1");
	/* Who has no start gets no node. */
	assert_spread(e, (const double[]){200, INFINITY, 200, 200}, "0 - 1 2");
	assert_spread(e,
		      (const double[]){INFINITY, INFINITY, INFINITY, INFINITY},
		      "- - - -");
	assert_spread(e, (const double[]){INFINITY, 200, INFINITY, INFINITY},
		      "- 0 - -");
	libra_engine_destroy(e);
}

static void a_start_without_room_is_told(void **state)
{
	struct libra_engine *e = open_waiting();
	struct libra_planned_state *s = libra_planned_state(e);

	libra_replan_clear(s);
	for (uint32_t i = 0; i < NODES; i++)
		s->tried[i] = i ? 200 : 50; /* all nodes are taken at 50 */
	assert_false(libra_assign_nodes(e));
	libra_replan_clear(s);
	libra_engine_destroy(e);
}

/* It always works out if nobody asks for certain nodes, and none is out. */
static void where_it_is_sure(void **state)
{
	struct libra_engine *e = open_waiting();
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_reservation more = {.shape = e->nslots};
	bool *plain;

	assert_true(libra_assign_is_certain(e, NULL));
	s->nodes->shapes[more.shape].plain = true;
	assert_true(libra_assign_is_certain(e, &more));
	s->nodes->shapes[more.shape].plain = false;
	assert_false(libra_assign_is_certain(e, &more));
	assert_true(libra_assign_is_certain(e, NULL));
	for (uint32_t i = 0; i < NODES; i++) {
		plain = &s->nodes->shapes[s->waiting[i].shape].plain;
		*plain = false;
		assert_false(libra_assign_is_certain(e, NULL));
		*plain = true;
	}
	s->noutages = 1;
	assert_false(libra_assign_is_certain(e, NULL));
	s->noutages = 0;
	assert_true(libra_assign_is_certain(e, NULL));
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_kept_by_latest_start_and_order),
		cmocka_unit_test(equal_ones_keep_their_order),
		cmocka_unit_test(what_they_are_is_counted),
		cmocka_unit_test(each_is_found_from_anywhere),
		cmocka_unit_test(nodes_are_given_in_order_of_starts),
		cmocka_unit_test(a_start_without_room_is_told),
		cmocka_unit_test(where_it_is_sure),
	};

	return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
