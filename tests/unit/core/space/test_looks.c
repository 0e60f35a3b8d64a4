/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_looks.c - how far one search for nodes may look, by hand.
 *
 * 3 nodes of 8 processors.  X has node 0 until 100 and Z node 1 until 50.  A,
 * 60 s, waits for node 0; B, 30 s, and C, 40 s, wait for node 1: they start at
 * 100, at 50 and at 80.  When Z ends early, at 10, processors are free, but not
 * those that A needs: B and C come forward by holes, to 10 and 40.
 */
#include "core/engine_impl.h"
#include "core/space/admit.h"
#include "core/space/nodes.h"
#include "core/space/planned.h"
#include "core/space/schedule.h"
#include "tests/unit/host.h"

#define PROCS 8

static struct libra_engine *e;
static uint64_t z, a, b, c;

static uint64_t submit_on(uint32_t node, double estimate_s, double deadline_s)
{
	const struct libra_range there = {node * PROCS, PROCS};
	struct libra_where where = {.allowed = &there, .nallowed = 1};
	struct libra_job job = host_job(0, estimate_s, deadline_s, PROCS);
	uint64_t ticket;

	job.where = &where;
	ticket = host_submit(e, job, 0);
	assert_true(ticket);
	host_pass(e, 0);
	return ticket;
}

#define assert_starts(a_s, b_s, c_s)                                           \
	do {                                                                   \
		assert_near(libra_engine_planned_start(e, a), (a_s), 0);       \
		assert_near(libra_engine_planned_start(e, b), (b_s), 0);       \
		assert_near(libra_engine_planned_start(e, c), (c_s), 0);       \
	} while (0)

static void open_engine(void)
{
	static const uint32_t procs[] = {PROCS, PROCS, PROCS};

	e = host_rooms_engine(procs, 3, NULL, 0,
			      "hold_back=0 pull_hold_back=0 machine_reserve=0");
	host_pass(e, 0);
	submit_on(0, 100, 1000);
	z = submit_on(1, 50, 1000);
	a = submit_on(0, 60, 1000);
	b = submit_on(1, 30, 1001);
	c = submit_on(1, 40, 1100);
	assert_starts(100, 50, 80);
}

/* Whatever the last search has left. */
static void each_pull_has_looks_of_its_own(void **state)
{
	for (int left = 0; left < 2; left++) {
		open_engine();
		libra_planned_state(e)->nodes->budget = left ? 1000 : 0;
		assert_int_equal(libra_engine_departed(e, z, 10), 0);
		libra_engine_schedule(e, 10);
		assert_starts(100, 10, 40);
		libra_engine_destroy(e);
	}
}

/* Node 2 is free.  A search that begins at 30 shows nothing of starts before,
 * so an equal reservation still starts at once.
 */
static void a_search_from_later_on_is_not_noted(void **state)
{
	struct libra_reservation plan = {.nprocs = PROCS, .duration_s = 10};
	uint32_t spans;

	open_engine();
	libra_nodes_shape(e, e->nslots, NULL);
	libra_schedule_set_budget(e, 1000);
	plan.shape = e->nslots;
	for (int i = 0; i < 4; i++) {
		plan.sought_s = i % 2 ? 0 : 30;
		assert_near(libra_schedule_find(e, LIBRA_CURRENT, &plan, 0,
						INFINITY, &spans),
			    plan.sought_s, 0);
		libra_spans_free(libra_planned_state(e)->nodes, &spans);
	}
	libra_engine_destroy(e);
}

/* Node 0 is free from 160 on, others before: one look does not get so far.  A
 * question that is asked again would get further if it went on there, and the
 * answer would depend on who asks.
 */
static void a_search_without_looks_does_not_go_on(void **state)
{
	const struct libra_range there = {0, PROCS};
	const struct libra_where where = {.allowed = &there, .nallowed = 1};
	struct libra_reservation plan = {.nprocs = PROCS, .duration_s = 10};
	uint32_t spans = LIBRA_NO_SPAN;

	open_engine();
	libra_nodes_shape(e, e->nslots, &where);
	plan.shape = e->nslots;
	for (int i = 0; i < 10; i++) {
		libra_schedule_set_budget(e, 3);
		assert_true(libra_schedule_find(e, LIBRA_CURRENT, &plan, 0,
						INFINITY, &spans) == INFINITY);
	}
	libra_schedule_set_budget(e, 1000);
	assert_near(libra_schedule_find(e, LIBRA_CURRENT, &plan, 0, INFINITY,
					&spans),
		    160, 0);
	libra_spans_free(libra_planned_state(e)->nodes, &spans);
	libra_engine_destroy(e);
}

/* Advice comes behind the earliest deadline and is in no decision log: it must
 * find no search to go on with, or a replay could decide otherwise.
 */
static void the_earliest_deadline_ends_its_search(void **state)
{
	static const uint32_t procs[] = {PROCS, PROCS};
	const struct libra_range there = {PROCS, PROCS};
	const struct libra_where where = {.allowed = &there, .nallowed = 1};
	struct libra_job job = host_job(0, 10, 1000, PROCS);
	struct libra_reservation plan;

	e = host_rooms_engine(procs, 2, NULL, 0,
			      "hold_back=0 machine_reserve=0 replan=0");
	host_pass(e, 0);
	submit_on(0, 100, 1000);
	job.where = &where;
	assert_near(libra_engine_earliest_deadline(e, &job, 0), 10, 0);
	plan = libra_reservation_of(e, &job, e->nslots, 0);
	assert_true(libra_nodes_none_before_s(e, &plan, 0) == -INFINITY);
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_pull_has_looks_of_its_own),
		cmocka_unit_test(a_search_from_later_on_is_not_noted),
		cmocka_unit_test(a_search_without_looks_does_not_go_on),
		cmocka_unit_test(the_earliest_deadline_ends_its_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
