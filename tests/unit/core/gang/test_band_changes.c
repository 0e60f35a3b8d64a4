/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_band_changes.c - band where a job is limited to nodes, restored or
 * changed, by hand.
 */
#include "tests/gang_check.h"
#include "tests/unit/band_host.h"

/* ---- where ---- */

/* Blocks of 2: 0-1 is barred, 2-3 is not.  Blocks of 4: 5-7 has three of them.
 */
static void only_allowed_processors_are_taken(void **state)
{
	static const struct libra_range some[] = {{2, 2}, {5, 3}};
	struct libra_where where = {.allowed = some, .nallowed = 2};
	struct host h;

	open_host(&h, "band", 9, "reserve");
	assert_string_equal(placed(&h, submit_where(&h, 2, 1, 1000, &where)),
			    "2-3");
	assert_string_equal(placed(&h, submit_where(&h, 3, 1, 1000, &where)),
			    "5-7");
	assert_string_equal(placed(&h, submit_where(&h, 5, 1, 1000, &where)),
			    "2-3,5-7");
	assert_int_equal(submit_where(&h, 6, 1, 1000, &where), 0);
	libra_engine_destroy(h.e);
}

/* Nodes 0-2, 3-5, 6-9.  In 0-3 there is one chunk of two (3 is alone), in 4-7
 * there are two.
 */
static void chunks_stay_on_a_node(void **state)
{
	static const uint32_t nodes[] = {3, 3, 4};
	struct libra_where where = {.chunk = 2};
	struct host h;

	open_nodes(&h, "band", nodes, 3, "reserve");
	assert_string_equal(placed(&h, submit_where(&h, 4, 1, 100, &where)),
			    "4-7");
	assert_string_equal(placed(&h, submit_where(&h, 8, 1, 100, &where)),
			    "0-1,3-4,6-9");
	assert_int_equal(submit_where(&h, 10, 1, 100, &where), 0);
	libra_engine_destroy(h.e);
}

static void limits_on_nodes_are_kept(void **state)
{
	static const uint32_t nodes[] = {4, 4, 4, 4};
	static const struct libra_range uneven[] = {{0, 1}, {4, 2}, {8, 4}};
	struct libra_where least = {.min_nodes = 3}, one_each = {.node_max = 1};
	struct libra_where one = {
		.allowed = uneven, .nallowed = 3, .max_nodes = 1};
	struct host h;

	open_nodes(&h, "band", nodes, 4, "reserve");
	/* Blocks of 4 and 8 have no three nodes, 16 has. */
	assert_string_equal(placed(&h, submit_where(&h, 4, 1, 100, &least)),
			    "0-1,4,8");
	assert_string_equal(placed(&h, submit_where(&h, 4, 1, 100, &one_each)),
			    "0,4,8,12");
	assert_int_equal(submit_where(&h, 5, 1, 100, &one_each), 0);
	assert_string_equal(placed(&h, submit_where(&h, 4, 1, 100, &one)),
			    "8-11");
	assert_int_equal(submit_where(&h, 5, 1, 100, &one), 0);
	libra_engine_destroy(h.e);
}

/* Nodes of 2; on 2-3 30 s are promised by 35.  20 s by 40 on two nodes may wait
 * for 20: not in 0-3.  One by one nodes 0 and 2 add nothing.
 */
static void nodes_are_taken_one_by_one(void **state)
{
	static const uint32_t nodes[] = {2, 2, 2};
	static const struct libra_range second[] = {{2, 2}};
	struct libra_where there = {.allowed = second, .nallowed = 1};
	struct libra_where pairs = {.chunk = 2};
	struct host h;

	open_nodes(&h, "band", nodes, 3, "reserve");
	assert_string_equal(placed(&h, submit_where(&h, 2, 30, 35, &there)),
			    "2-3");
	assert_string_equal(placed(&h, submit_where(&h, 4, 20, 40, &pairs)),
			    "0-1,4-5");
	/* On three nodes it waits for both, which run side by side: 30 s. */
	assert_int_equal(submit_where(&h, 6, 20, 49, &pairs), 0);
	assert_int_not_equal(submit_where(&h, 6, 20, 50, &pairs), 0);
	libra_engine_destroy(h.e);
}

/* X is on nodes 0 and 3, Y on 1, 10 s each.  15 s of waiting allow two nodes
 * of X, or one of X and the idle one, but not X and Y.  Idle first: 2; then 0,
 * 1 and 3 add 10 / 1 each; the lowest; then 3 adds nothing any more.
 */
static void what_is_counted_adds_nothing_more(void **state)
{
	static const uint32_t nodes[] = {1, 1, 1, 1};
	static const struct libra_range x[] = {{0, 1}, {3, 1}}, y[] = {{1, 1}};
	struct libra_where of_x = {.allowed = x, .nallowed = 2};
	struct libra_where of_y = {.allowed = y, .nallowed = 1};
	struct libra_where apart = {.node_max = 1, .min_nodes = 3};
	struct host h;

	open_nodes(&h, "band", nodes, 4, "reserve align");
	assert_string_equal(placed(&h, submit_where(&h, 2, 10, 20, &of_x)),
			    "0,3");
	assert_string_equal(placed(&h, submit_where(&h, 1, 10, 20, &of_y)),
			    "1");
	assert_string_equal(placed(&h, submit_where(&h, 3, 10, 25, &apart)),
			    "0,2-3");
	libra_engine_destroy(h.e);
}

/* One by one node 0 would be first, and the only one allowed: too small. */
static void the_largest_nodes_if_they_must_be_few(void **state)
{
	static const uint32_t nodes[] = {1, 1, 4};
	static const struct libra_range third[] = {{2, 4}};
	struct libra_where there = {.allowed = third, .nallowed = 1};
	struct libra_where one = {.max_nodes = 1};
	struct host h;

	open_nodes(&h, "band", nodes, 3, "reserve align");
	submit_where(&h, 4, 10, 15, &there);
	assert_int_equal(submit_where(&h, 4, 10, 19, &one), 0);
	assert_string_equal(placed(&h, submit_where(&h, 4, 10, 20, &one)),
			    "2-5");
	libra_engine_destroy(h.e);
}

/* On 0-1 50 s by 60 may wait for 10; elsewhere it does not matter. */
static void where_breaks_no_promise(void **state)
{
	static const struct libra_range first[] = {{0, 2}};
	struct libra_where here = {.allowed = first, .nallowed = 1};
	struct libra_where pair = {.allowed = first, .nallowed = 1, .chunk = 2};
	struct libra_job job = {.estimate_s = 20, .nprocs = 2, .where = &pair};
	struct host h;
	uint64_t t;
	double at_s;

	open_host(&h, "band", 4, "reserve cap");
	submit_where(&h, 2, 50, 60, &here);
	assert_int_equal(submit_where(&h, 2, 20, 30, &here), 0);
	assert_int_equal(submit_where(&h, 2, 20, 30, &pair), 0);
	at_s = libra_engine_earliest_deadline(h.e, &job, 0);
	assert_true(at_s >= 70 && at_s <= 71);
	t = submit_where(&h, 2, 20, at_s, &pair);
	assert_int_not_equal(t, 0);
	assert_int_equal(libra_engine_withdraw(h.e, t, 0), 0);
	assert_int_equal(submit_where(&h, 2, 10.5, 20, &pair), 0);
	assert_int_not_equal(submit_where(&h, 2, 10, 20, &pair), 0);
	libra_engine_destroy(h.e);
}

/* ---- restore ---- */

static uint64_t restore(struct host *h, double estimate_s, double deadline_s,
			uint32_t first, uint32_t n, double left_s, bool running)
{
	struct libra_job job = {
		.id = 1,
		.estimate_s = estimate_s,
		.deadline_s = deadline_s,
		.nprocs = n,
	};
	struct libra_part part = {{first, n}, left_s, NULL};
	uint64_t ticket = 0;

	assert_int_equal(libra_engine_restore(h->e, &job, &part, 1, running,
					      h->now_s, &ticket, NULL),
			 0);
	return ticket;
}

static double slack_of(const struct host *h, uint64_t ticket)
{
	struct libra_gang *g = &libra_gang_state(h->e)->gang;

	libra_gang_touch(g, h->now_s);
	assert_null(gang_check(g, h->now_s));
	return libra_gang_slack(g, libra_ticket_slot(ticket), h->now_s);
}

/* At 100: A has 25 of 60 s left by 200, B 30 s by 150 and has not begun.  B is
 * first: A can wait for 200 - 100 - 25 - 30.
 */
static void restored_jobs_go_on_as_before(void **state)
{
	struct host h;
	uint64_t a, b;
	double rate;

	open_host(&h, "band", 1, "reserve");
	h.now_s = 100;
	a = restore(&h, 60, 200, 0, 1, 25, true);
	b = restore(&h, 30, 150, 0, 1, 30, false);
	assert_near(slack_of(&h, a), 45, 1e-9);
	assert_near(slack_of(&h, b), 20, 1e-9);
	assert_near(libra_engine_left_s(h.e, a, 110, &rate), 25, 1e-9);
	assert_near(rate, 0, 0);
	assert_int_equal(libra_engine_started(h.e, b, 100), -1);
	assert_string_equal(actions(&h), "H1 S2 ");
	assert_near(libra_engine_left_s(h.e, b, 110, &rate), 20, 1e-9);
	assert_near(rate, 1, 0);
	assert_near(libra_engine_left_s(h.e, b, 90, NULL), 30, 1e-9);
	h.now_s = 110;
	assert_int_equal(submit(&h, 1, 46, 60), 0);
	assert_int_equal(submit(&h, 1, 45, 60), 0); /* B before it: 20 + 45 */
	assert_int_not_equal(submit(&h, 1, 40, 60), 0);
	h.now_s = 130;
	assert_int_equal(libra_engine_departed(h.e, b, 130), 0);
	assert_string_equal(actions(&h), "S3 ");
	libra_engine_destroy(h.e);
}

/* B has the processor, and A waits.  At 110 the clock is set to 1110: both are
 * late, and B has 20 s left.  A second later it is set back to 111, where they
 * are not: 111 + 19 + 25 and 111 + 19 are 45 and 20 s before their deadlines.
 */
static void who_is_late_by_a_jump_is_not_for_ever(void **state)
{
	struct host h;
	uint64_t a, b;

	open_host(&h, "band", 1, "reserve");
	h.now_s = 100;
	a = restore(&h, 60, 200, 0, 1, 25, true);
	b = restore(&h, 30, 150, 0, 1, 30, true);
	assert_string_equal(actions(&h), "H1 G2 ");
	assert_int_equal(libra_engine_clock(h.e, 110, 1110), 0);
	h.now_s = 1110;
	assert_string_equal(actions(&h), "");
	assert_near(libra_engine_left_s(h.e, a, 1110, NULL), 25, 1e-9);
	assert_near(libra_engine_left_s(h.e, b, 1110, NULL), 20, 1e-9);
	assert_int_equal(libra_gang_state(h.e)->gang.nlate, 2);
	assert_int_equal(libra_engine_clock(h.e, 1111, 111), 0);
	h.now_s = 111;
	assert_string_equal(actions(&h), "");
	assert_near(slack_of(&h, a), 45, 1e-9);
	assert_near(slack_of(&h, b), 20, 1e-9);
	libra_engine_destroy(h.e);
}

/* The host may not know who was held: each is told, once. */
static void who_runs_after_a_restart_is_told(void **state)
{
	static const struct libra_part parts[] = {{{0, 1}, 20, NULL},
						  {{2, 1}, 30, NULL}};
	struct libra_job job = {
		.estimate_s = 60, .deadline_s = 90, .nprocs = 2};
	struct host h;
	uint64_t t;

	open_host(&h, "band", 3, "reserve");
	assert_int_equal(
		libra_engine_restore(h.e, &job, parts, 2, true, 0, &t, NULL),
		0);
	assert_string_equal(placed(&h, t), "0,2");
	restore(&h, 60, 100, 1, 2, 10, true);
	restore(&h, 60, 100, 1, 1, 10, true);
	/* Of parts that differ the slowest counts. */
	assert_near(libra_engine_left_s(h.e, t, 0, NULL), 30, 1e-9);
	assert_near(slack_of(&h, t), 60, 1e-9);
	/* Not before all are restored, and one has been looked for. */
	assert_false(libra_engine_next_action(h.e, &(struct libra_action){0}));
	assert_string_equal(actions(&h), "H2 G1 G3 ");
	assert_string_equal(actions(&h), "");
	h.now_s = 30;
	assert_int_equal(libra_engine_departed(h.e, t, 30), 0);
	/* 3, which ran meanwhile, is behind 2. */
	assert_string_equal(actions(&h), "H3 G2 ");
	libra_engine_destroy(h.e);
}

/* 50 s by 60 twice on one processor would never have been promised; one that
 * was late; one over its estimate; one without a deadline.
 */
static void restore_asks_nothing_but_sense(void **state)
{
	static const struct libra_part two[] = {{{0, 1}, 9, NULL},
						{{0, 1}, 9, NULL}};
	struct libra_job large = {
		.estimate_s = 9, .deadline_s = 10, .nprocs = 2};
	struct libra_job job = {.estimate_s = 9, .nprocs = 2};
	struct host h;
	uint64_t a, b, over, late, earlier, t;
	double at_s;

	open_host(&h, "band", 2, "reserve");
	assert_int_equal(
		libra_engine_restore(h.e, &large, two, 2, true, 0, &t, NULL),
		-1);
	assert_int_equal(errno, EINVAL);
	a = restore(&h, 50, 60, 0, 1, 50, true);
	b = restore(&h, 50, 60, 0, 1, 50, true);
	h.now_s = 5;
	late = restore(&h, 50, 4, 0, 2, 50, true);
	earlier = restore(&h, 50, 3, 0, 1, 50, false);
	over = restore(&h, 10, 90, 1, 1, -5, true);
	restore(&h, 10, INFINITY, 0, 2, 10, false);
	assert_near(slack_of(&h, a), 5, 1e-9);
	assert_near(slack_of(&h, b), -45, 1e-9);
	assert_near(libra_engine_left_s(h.e, over, 5, NULL), -5, 1e-9);
	assert_near(slack_of(&h, over), 90 - 5 - 1.5, 1e-9);
	assert_string_equal(actions(&h), "H2 H3 G1 G5 ");
	/* Behind all but the last: b ends at 105 and is late from 60 on, the
	 * one over its estimate is gone at 6.5; so it waits until 60, and
	 * takes 9.
	 */
	job.submit_s = 5;
	at_s = libra_engine_earliest_deadline(h.e, &job, 5);
	assert_true(at_s >= 69 && at_s <= 70);
	assert_int_equal(libra_engine_departed(h.e, a, 5), 0);
	assert_int_equal(libra_engine_departed(h.e, b, 5), 0);
	assert_int_equal(libra_engine_departed(h.e, over, 5), 0);
	assert_string_equal(actions(&h), "S6 ");
	assert_int_equal(
		libra_engine_departed(h.e, libra_engine_ticket(h.e, 5), 5), 0);
	/* Late ones by deadline, too. */
	assert_string_equal(actions(&h), "S4 ");
	assert_int_equal(libra_engine_departed(h.e, earlier, 5), 0);
	assert_string_equal(actions(&h), "G3 ");
	assert_int_equal(libra_engine_departed(h.e, late, 5), 0);
	assert_int_equal(libra_engine_free_procs(h.e), 2);
	libra_engine_destroy(h.e);
}

/* ---- modify ---- */

static enum libra_answer modify(struct host *h, uint64_t ticket,
				double estimate_s, double deadline_s)
{
	struct libra_job job = {.estimate_s = estimate_s,
				.deadline_s = deadline_s,
				.nprocs = 77};
	struct libra_verdict verdict;

	assert_int_equal(libra_engine_modify(h->e, ticket, &job, h->now_s,
					     &verdict, NULL),
			 0);
	assert_int_equal(verdict.reason, verdict.answer == LIBRA_ACCEPT
						 ? LIBRA_REASON_NONE
						 : LIBRA_REASON_WOULD_MISS);
	return verdict.answer;
}

/* At 10 A has done 10 s and B, 30 s by 200, is behind it. */
static void a_change_must_leave_later_ones_in_time(void **state)
{
	struct host h;
	uint64_t a, b;

	open_host(&h, "band", 1, "reserve");
	a = submit(&h, 1, 60, 100);
	actions(&h);
	h.now_s = 10;
	b = submit(&h, 1, 30, 190);
	assert_near(slack_of(&h, b), 190 - 50 - 30, 1e-9);
	assert_int_equal(modify(&h, a, 150, 160), LIBRA_ACCEPT);
	assert_near(slack_of(&h, a), 150 - 140, 1e-9);
	assert_near(slack_of(&h, b), 190 - 140 - 30, 1e-9);
	/* Equal deadlines: A was first.  161 + 30 > 190. */
	assert_int_equal(modify(&h, a, 171, 200), LIBRA_REJECT);
	assert_near(slack_of(&h, a), 10, 1e-9);
	assert_near(slack_of(&h, b), 20, 1e-9);
	assert_near(libra_engine_job(h.e, a)->estimate_s, 150, 0);
	assert_int_equal(modify(&h, a, 170, 200), LIBRA_ACCEPT);
	assert_near(slack_of(&h, b), 0, 1e-9);
	/* Behind B: 30 + 90 by 300. */
	assert_int_equal(modify(&h, a, 100, 300), LIBRA_ACCEPT);
	assert_near(slack_of(&h, a), 290 - 120, 1e-9);
	assert_near(slack_of(&h, b), 190 - 30, 1e-9);
	assert_string_equal(actions(&h), "H1 S2 ");
	/* And before it again. */
	assert_int_equal(modify(&h, a, 100, 150), LIBRA_ACCEPT);
	assert_string_equal(actions(&h), "H2 G1 ");
	libra_engine_destroy(h.e);
}

/* One processor.  L and M, which have 20 and 30 s left, are late; B, 10 s by
 * 100, and C, 5 s by 200, go before both.
 */
static void who_is_late_waits_for_all_in_time(void **state)
{
	struct host h;
	uint64_t l, m, b, c;

	open_host(&h, "band", 1, "reserve");
	h.now_s = 100;
	l = restore(&h, 60, 50, 0, 1, 20, false);
	m = restore(&h, 60, 60, 0, 1, 30, false);
	b = restore(&h, 10, 200, 0, 1, 10, false);
	c = restore(&h, 5, 300, 0, 1, 5, false);
	actions(&h);
	assert_near(libra_engine_starts_by(h.e, b), 100, 1e-9);
	assert_near(libra_engine_starts_by(h.e, c), 110, 1e-9);
	assert_near(libra_engine_starts_by(h.e, l), 115, 1e-9);
	assert_near(libra_engine_starts_by(h.e, m), 115 + 20, 1e-9);
	assert_true(isnan(libra_engine_ends_by(h.e, l)));
	assert_near(libra_engine_ends_by(h.e, c), 115, 1e-9);
	libra_engine_destroy(h.e);
}

/* F, 60 s by 50, cannot be in time.  It waits for E, 40 s by 45, and not for B,
 * 10 s by 100: until 40 it is not late.  D, 60 s by 30, would be so then: it
 * waits for C, 35 s by 25, for F and B, too.
 */
static void who_cannot_be_in_time_is_not_late_yet(void **state)
{
	struct host h;
	uint64_t d, f;

	open_host(&h, "band", 1, "reserve");
	restore(&h, 40, 45, 0, 1, 40, false);
	f = restore(&h, 60, 50, 0, 1, 60, false);
	restore(&h, 10, 100, 0, 1, 10, false);
	actions(&h);
	assert_near(libra_engine_starts_by(h.e, f), 40, 1e-9);
	libra_engine_destroy(h.e);
	open_host(&h, "band", 1, "reserve");
	restore(&h, 35, 25, 0, 1, 35, false);
	d = restore(&h, 60, 30, 0, 1, 60, false);
	restore(&h, 60, 50, 0, 1, 60, false);
	restore(&h, 10, 100, 0, 1, 10, false);
	actions(&h);
	assert_near(libra_engine_starts_by(h.e, d), 35 + 60 + 10, 1e-9);
	libra_engine_destroy(h.e);
}

/* 1 s was estimated, 4 s it runs: a tenth of that is less than the floor. */
static void a_floor_is_what_is_left_at_least(void **state)
{
	struct host h;
	uint64_t a;

	open_host(&h, "band", 1, "reserve");
	a = submit(&h, 1, 1, 100);
	actions(&h);
	h.now_s = 4;
	actions(&h);
	assert_near(slack_of(&h, a), 100 - 4 - 1, 1e-9);
	libra_engine_destroy(h.e);
}

/* At 10 B, 30 s by 40, goes before A, which has 50 s left. */
static void a_change_must_fit_itself(void **state)
{
	struct libra_job job = {.estimate_s = -1, .deadline_s = 90};
	struct libra_verdict verdict;
	struct host h;
	uint64_t a;

	open_host(&h, "band", 1, "reserve cap");
	a = submit(&h, 1, 60, 100);
	actions(&h);
	h.now_s = 10;
	assert_int_not_equal(submit(&h, 1, 30, 30), 0);
	assert_int_equal(modify(&h, a, 60, 89), LIBRA_REJECT);
	assert_int_equal(modify(&h, a, 60, 90), LIBRA_ACCEPT);
	assert_int_equal(modify(&h, a, 61, 90), LIBRA_REJECT);
	assert_int_equal(modify(&h, a, 60, 10), LIBRA_REJECT);
	assert_int_equal(modify(&h, a, 60, 30), LIBRA_REJECT); /* cap */
	assert_int_equal(libra_engine_modify(h.e, a, &job, 10, &verdict, NULL),
			 -1);
	assert_int_equal(errno, EINVAL);
	job.estimate_s = 1;
	assert_int_equal(libra_engine_modify(h.e, 77, &job, 10, &verdict, NULL),
			 -1);
	assert_int_equal(errno, ENOENT);
	job.deadline_s = INFINITY;
	assert_int_equal(libra_engine_modify(h.e, a, &job, 10, &verdict, NULL),
			 0);
	assert_int_equal(verdict.reason, LIBRA_REASON_NO_DEADLINE);
	libra_engine_destroy(h.e);
}

/* A is late at 30, with 30 s done of 10; 45 s by 60 are 15 s more.  B, 20 s by
 * 90, can wait for 40.
 */
static void a_late_job_gets_a_new_deadline(void **state)
{
	struct host h;
	uint64_t a, b;

	open_host(&h, "band", 1, "reserve");
	a = submit(&h, 1, 10, 20);
	actions(&h);
	h.now_s = 30;
	b = submit(&h, 1, 20, 60);
	assert_string_equal(actions(&h), "H1 S2 ");
	assert_int_equal(modify(&h, a, 70.5, 75), LIBRA_REJECT);
	assert_int_equal(modify(&h, a, 45, 60), LIBRA_ACCEPT);
	assert_near(slack_of(&h, a), 15, 1e-9);
	assert_near(slack_of(&h, b), 25, 1e-9);
	assert_string_equal(actions(&h), "H2 G1 ");
	libra_engine_destroy(h.e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_allowed_processors_are_taken),
		cmocka_unit_test(chunks_stay_on_a_node),
		cmocka_unit_test(limits_on_nodes_are_kept),
		cmocka_unit_test(nodes_are_taken_one_by_one),
		cmocka_unit_test(what_is_counted_adds_nothing_more),
		cmocka_unit_test(the_largest_nodes_if_they_must_be_few),
		cmocka_unit_test(where_breaks_no_promise),
		cmocka_unit_test(restored_jobs_go_on_as_before),
		cmocka_unit_test(who_is_late_by_a_jump_is_not_for_ever),
		cmocka_unit_test(who_runs_after_a_restart_is_told),
		cmocka_unit_test(restore_asks_nothing_but_sense),
		cmocka_unit_test(a_change_must_leave_later_ones_in_time),
		cmocka_unit_test(a_change_must_fit_itself),
		cmocka_unit_test(who_is_late_waits_for_all_in_time),
		cmocka_unit_test(who_cannot_be_in_time_is_not_late_yet),
		cmocka_unit_test(a_floor_is_what_is_left_at_least),
		cmocka_unit_test(a_late_job_gets_a_new_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
