/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_kept.c - places kept for jobs which others are stopped for, by hand.
 *
 * 4 nodes of 8 processors and 64 GB.  X runs on node 0 and Y on node 1, until
 * 100 and 50; 77 may start on nodes 0 to 2 once both are gone, by 60, for 55 s:
 * its place is kept until 115.
 */
#include "core/engine_impl.h"
#include "core/space/holds.h"
#include "tests/unit/host.h"
#include "tests/unit/wrap_memory.h"

#define NNODES 4
#define PROCS  8

static struct libra_engine *e;
static struct libra_planned_state *s;
static uint64_t x, y;

static uint64_t run_on(uint64_t id, uint32_t node, double left_s)
{
	struct libra_part part = {{node * PROCS, PROCS}, left_s, NULL};
	struct libra_job job = host_job(0, left_s, INFINITY, PROCS);
	uint64_t ticket;

	job.id = id;
	assert_int_equal(libra_engine_restore(e, &job, &part, 1, true, e->now_s,
					      &ticket, NULL),
			 0);
	return ticket;
}

/* Nodes first..first+n-1 for a job, once others are gone. */
static void keep(uint64_t id, uint32_t first, uint32_t n, double delay_s,
		 double estimate_s, const uint64_t *gone, uint32_t ngone)
{
	const struct libra_part part = {{first * PROCS, n * PROCS}, 0, NULL};
	const struct libra_start_query at = {.parts = &part,
					     .nparts = 1,
					     .gone = gone,
					     .ngone = ngone,
					     .delay_s = delay_s,
					     .stops = true};
	struct libra_job job =
		host_job(e->now_s, estimate_s, INFINITY, n * PROCS);

	job.id = id;
	assert_true(libra_engine_may_start(e, &job, &at, e->now_s));
}

static void open_engine(void)
{
	static const uint32_t procs[] = {8, 8, 8, 8};
	static const uint64_t memory[] = {64, 64, 64, 64};

	e = host_rooms_engine(procs, NNODES, memory, 1,
			      "hold_back=0 pull_forward=0 machine_reserve=0");
	s = libra_planned_state(e);
	host_pass(e, 0);
	x = run_on(1, 0, 100);
	y = run_on(2, 1, 50);
	keep(77, 0, 3, 60, 55, (const uint64_t[]){x, y}, 2);
}

/* What is free of so many by count, once it is laid: "0:24 100:8 115:32". */
static const char *laid(const struct libra_start_query *gone)
{
	static char text[256];
	struct libra_timeline p = {0};
	size_t at = 0;

	assert_int_equal(libra_timeline_reserve(&p, 64), 0);
	libra_timeline_reset(&p, e->now_s, NNODES * PROCS);
	libra_hold_reserve_procs(e, &p, gone);
	for (uint32_t i = 0; i < p.n; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%g:%d",
				       i ? " " : "", p.steps[i].from_s,
				       (int)p.steps[i].free);
	libra_timeline_fini(&p);
	return text;
}

/* Of a node by itself, its processors. */
static const char *laid_on(uint32_t node, const struct libra_start_query *gone)
{
	static char text[256];
	struct libra_lanes *line = &s->nodes->trial;
	size_t at = 0;

	libra_lanes_reset(e, line);
	libra_hold_reserve_lanes(e, line, gone);
	text[0] = '\0';
	for (uint32_t i = line->first[node]; i != LIBRA_NO_SPAN;
	     i = libra_lanes_next(line, i))
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%g:%d",
				       at ? " " : "", line->from_s[i],
				       (int)line->free[i * s->nodes->width]);
	return text;
}

/* X and Y may stay until their ends: 77 has node 2 at once, 1 from 50 on, 0
 * from 100 on.
 */
static void it_has_what_others_leave(void **state)
{
	struct libra_start_query gone = {.gone = &x, .ngone = 1};

	open_engine();
	assert_string_equal(laid(NULL), "0:24 50:16 100:8 115:32");
	assert_string_equal(laid_on(0, NULL), "0:8 100:0 115:8");
	assert_string_equal(laid_on(1, NULL), "0:8 50:0 115:8");
	assert_string_equal(laid_on(2, NULL), "0:0 115:8");
	assert_string_equal(laid_on(3, NULL), "0:8");
	/* As if X were gone, and with Y gone. */
	assert_string_equal(laid(&gone), "0:16 50:8 115:32");
	assert_string_equal(laid_on(0, &gone), "0:0 115:8");
	libra_engine_departed(e, y, 10);
	assert_string_equal(laid(NULL), "10:16 100:8 115:32");
	assert_string_equal(laid_on(1, NULL), "10:0 115:8");
	libra_engine_departed(e, x, 20);
	assert_string_equal(laid(NULL), "20:8 115:32");
	/* For itself it is not in the way. */
	s->asking = &(uint64_t){77};
	assert_string_equal(laid(NULL), "20:32");
	s->asking = &(uint64_t){78};
	assert_string_equal(laid(NULL), "20:8 115:32");
	s->asking = NULL;
	libra_engine_destroy(e);
}

/* X runs longer than the place is kept. */
static void who_stays_leaves_nothing(void **state)
{
	open_engine();
	assert_int_equal(libra_engine_reestimate(e, x, 200, 5), 0);
	assert_string_equal(laid(NULL), "5:24 50:16 115:32");
	assert_string_equal(laid_on(0, NULL), "5:8");
	libra_engine_destroy(e);
}

/* For 78 Z on node 3 is to be gone by 30, for 20 s. */
static void places_are_found_by_their_jobs(void **state)
{
	struct libra_start_query share = {.ngone = 2};
	uint64_t z;

	open_engine();
	z = run_on(3, 3, 40);
	keep(78, 3, 1, 30, 20, &z, 1);
	assert_int_equal(s->nholds, 2);
	assert_true(libra_hold_has(s, 77));
	assert_true(libra_hold_has(s, 78));
	assert_false(libra_hold_has(s, 79));
	assert_near(libra_hold_next_s(s), 30, 0);
	assert_near(libra_hold_end_s(s, 0), 50, 0);
	assert_near(libra_hold_end_s(s, 50), 115, 0);
	assert_near(libra_hold_end_s(s, 115), INFINITY, 0);
	/* Two steps for each piece, of which there is one for each that may
	 * stay, and one more; spans of each, and of those laid meanwhile.
	 */
	assert_int_equal(libra_hold_steps(s), 2 * 3 + 2 * 2);
	assert_int_equal(libra_hold_spans(s), 3 * 4 + 1 * 3);
	share.gone = (const uint64_t[]){4711, z};
	assert_true(libra_hold_shares(s, 77, &share));
	assert_false(libra_hold_shares(s, 78, &share));
	share.ngone = 1;
	assert_false(libra_hold_shares(s, 77, &share));
	share.gone = (const uint64_t[]){y, z};
	assert_true(libra_hold_shares(s, 79, &share));
	/* Another place of 78 takes the place of this one. */
	keep(78, 3, 1, 20, 20, &z, 1);
	assert_int_equal(s->nholds, 2);
	assert_near(libra_hold_next_s(s), 20, 0);
	libra_hold_drop(s, 77);
	assert_false(libra_hold_has(s, 77));
	assert_true(libra_hold_has(s, 78));
	assert_true(s->must_repair && s->capacity_grew);
	libra_hold_drop_all(s);
	assert_near(libra_hold_next_s(s), INFINITY, 0);
	assert_near(libra_hold_end_s(s, 0), INFINITY, 0);
	assert_int_equal(libra_hold_steps(s), 0);
	libra_engine_destroy(e);
}

static void a_place_goes_when_its_time_is_over(void **state)
{
	open_engine();
	host_pass(e, 59);
	assert_true(libra_hold_has(s, 77));
	host_pass(e, 60);
	assert_false(libra_hold_has(s, 77));
	libra_engine_destroy(e);
}

static bool kept_with_outage(uint32_t node, double from_s, double to_s)
{
	struct libra_outage out = {node, from_s, to_s};

	open_engine();
	host_pass(e, 10);
	assert_int_equal(libra_engine_outages(e, &out, 1, 10, NULL), 0);
	host_pass(e, 10);
	return libra_hold_has(s, 77);
}

#define assert_kept(kept, node, from_s, to_s)                                  \
	do {                                                                   \
		assert_int_equal(kept_with_outage(node, from_s, to_s), kept);  \
		libra_engine_destroy(e);                                       \
	} while (0)

/* Nodes 0 to 2 until 115. */
static void a_place_goes_with_its_nodes(void **state)
{
	for (uint32_t node = 0; node < NNODES; node++) {
		assert_kept(node == 3, node, 114, 200);
		assert_kept(node == 3, node, 5, 11);
		assert_kept(true, node, 115, 200);
		assert_kept(true, node, 5, 10);
	}
}

static void set_node(uint32_t node, enum libra_node_state state, double now_s)
{
	assert_int_equal(libra_engine_node(e, node, state, now_s), 0);
}

static void set_outage(uint32_t node, double from_s, double to_s)
{
	const struct libra_outage out = {node, from_s, to_s};

	assert_int_equal(
		libra_engine_outages(e, &out, to_s > from_s, e->now_s, NULL),
		0);
}

static void assert_stays(double now_s, const char *on_1)
{
	host_pass(e, now_s);
	assert_true(libra_hold_has(s, 77));
	assert_string_equal(laid_on(1, NULL), on_1);
	assert_false(libra_lanes_is_short(e, &s->nodes->now));
	assert_true(libra_timeline_least(&s->space.timeline) >= 0);
}

/* The epilog of Y runs on node 1: the node is closed from 10 on, is expected
 * back at 30, is overdue from then on, and is back at 40.  A closed node has
 * nothing that the place could take.
 */
static void a_place_stays_while_its_nodes_are_closed(void **state)
{
	open_engine();
	libra_engine_departed(e, y, 10);
	set_node(1, LIBRA_NODE_DRAIN, 10);
	assert_stays(10, "10:0");
	set_outage(1, 10, 30);
	assert_stays(11, "11:0 30:-8 115:0");
	assert_string_equal(laid(NULL), "11:24 30:16 100:8 115:32");
	assert_stays(35, "35:0");
	assert_string_equal(laid(NULL), "35:24 100:16 115:32");
	set_outage(1, 0, 0);
	assert_stays(36, "36:0");
	set_node(1, LIBRA_NODE_UP, 40);
	assert_stays(40, "40:0 115:8");
	libra_engine_destroy(e);
}

/* The node is expected back at 30; the other outage begins after that. */
static void a_place_goes_with_the_next_outage_of_a_closed_node(void **state)
{
	const struct libra_outage outs[] = {{1, 10, 30}, {1, 114, 200}};

	open_engine();
	libra_engine_departed(e, y, 10);
	set_node(1, LIBRA_NODE_DRAIN, 10);
	assert_int_equal(libra_engine_outages(e, outs, 2, 10, NULL), 0);
	host_pass(e, 10);
	assert_false(libra_hold_has(s, 77));
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		freed_test(it_has_what_others_leave),
		freed_test(who_stays_leaves_nothing),
		freed_test(places_are_found_by_their_jobs),
		freed_test(a_place_goes_when_its_time_is_over),
		freed_test(a_place_goes_with_its_nodes),
		freed_test(a_place_stays_while_its_nodes_are_closed),
		freed_test(a_place_goes_with_the_next_outage_of_a_closed_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
