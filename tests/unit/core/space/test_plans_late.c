/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_plans_late.c - planned where starts come later than their plans, the
 * clock is set, or a job has no place at all, worked by hand: 10 processors, 2
 * nodes of 5.
 */
#include "tests/unit/host.h"

/* An engine with parameters: "name=value name=value". */
static struct libra_engine *open_with(const char *settings)
{
	return host_engine_with(
		(struct libra_engine_conf){
			.policy = libra_policy_find("planned", NULL),
			.node_procs = (const uint32_t[]){5, 5},
			.nnodes = 2,
			.offer_ttl_s = INFINITY,
		},
		settings);
}

static uint64_t submit(struct libra_engine *e, uint32_t n, double estimate_s,
		       double deadline_s, double now_s)
{
	return host_submit(
		e, host_job(now_s, estimate_s, deadline_s - now_s, n), now_s);
}

#define assert_plan(e, ticket, start, latest)                                  \
	do {                                                                   \
		assert_near(libra_engine_planned_start(e, ticket), start, 0);  \
		assert_near(libra_engine_latest_start(e, ticket), latest, 0);  \
	} while (0)

/* Node 1 is down, and wide has no place as long as it is: that breaks nobody's
 * promise.  On node 0 a and b run until 16 and 25; late, whose promise went
 * with node 1, comes behind kept, which is in time, and stays there whatever
 * changes.
 */
static void test_hopeless(void **state)
{
	struct libra_engine *e =
		open_with("hold_back=0 machine_reserve=0 pull_forward=0 "
			  "margin=0");
	uint64_t a = submit(e, 3, 16, 1000, 0), b = submit(e, 2, 25, 1000, 0);
	uint64_t lost = submit(e, 5, 5, 1000, 0), late, kept, wide;
	struct libra_action action;

	(void)state;
	host_pass(e, 0);
	assert_true(host_runs(e, a) && host_runs(e, b) && host_runs(e, lost));
	late = submit(e, 4, 50, 60, 0);
	kept = submit(e, 2, 14, 86, 0);
	wide = submit(e, 10, 5, 1000, 0);
	assert_plan(e, late, 5, 10);
	assert_plan(e, kept, 16, 72);
	libra_engine_node(e, 1, LIBRA_NODE_DOWN, 1);
	libra_engine_departed(e, lost, 1);
	libra_engine_schedule(e, 1);
	while (libra_engine_next_action(e, &action))
		assert_int_equal(action.kind, LIBRA_ACTION_LATE);
	assert_plan(e, late, 30, 30);
	assert_plan(e, kept, 16, 72);
	assert_plan(e, wide, INFINITY, INFINITY);
	assert_int_equal(libra_engine_reestimate(e, a, 16, 2), 0);
	libra_engine_schedule(e, 2);
	assert_int_equal(host_nlate(e, 0), 0);
	assert_plan(e, late, 30, 30);
	assert_plan(e, kept, 16, 72);
	libra_engine_node(e, 1, LIBRA_NODE_UP, 3);
	libra_engine_schedule(e, 3);
	assert_near(libra_engine_planned_start(e, late), 3, 0);
	assert_true(libra_engine_planned_start(e, wide) < INFINITY);
	libra_engine_destroy(e);
}

/* A job starts later than its margin allows: who is planned behind it moves,
 * and b, which cannot, is told that it will be late.
 */
static void test_later_than_margin(void **state)
{
	struct libra_engine *e =
		open_with("hold_back=0 machine_reserve=0 pull_forward=0 "
			  "margin=0");
	uint64_t a = submit(e, 10, 100, 1000, 0), b, c;

	(void)state;
	b = submit(e, 10, 100, 200, 0);
	c = submit(e, 10, 100, 1000, 0);
	libra_engine_schedule(e, 0);
	host_obey(e, 5); /* it began to run then */
	assert_true(host_runs(e, a));
	libra_engine_schedule(e, 6);
	assert_int_equal(host_nlate(e, b), 1);
	assert_near(libra_engine_planned_start(e, c), 105, 0);
	assert_near(libra_engine_planned_start(e, b), 205, 0);
	libra_engine_destroy(e);
}

/* The time of a suspension is no progress: the plan behind the job moves with
 * its end, while it is suspended by steps, and exactly when it is resumed.
 */
static void test_suspended(void **state)
{
	struct libra_engine *e =
		open_with("hold_back=0 machine_reserve=0 pull_forward=0 "
			  "margin=0");
	uint64_t a = submit(e, 10, 100, 1000, 0), b;
	double rate;

	(void)state;
	host_pass(e, 0);
	b = submit(e, 10, 10, 500, 0);
	assert_plan(e, b, 100, 490);
	assert_int_equal(libra_engine_suspend(e, a, true, 40), 0);
	assert_int_equal(libra_engine_progress(e, a, 40, 70), 0);
	libra_engine_schedule(e, 70);
	assert_plan(e, b, 130, 490);
	assert_int_equal(libra_engine_progress(e, a, 40, 90), 0);
	assert_int_equal(libra_engine_suspend(e, a, false, 90), 0);
	libra_engine_schedule(e, 90);
	assert_plan(e, b, 150, 490);
	assert_near(libra_engine_left_s(e, a, 95, &rate), 55, 1e-9);

	assert_int_equal(libra_engine_progress(e, a, 60, 95), 0);
	assert_near(libra_engine_left_s(e, a, 95, &rate), 40, 1e-9);
	libra_engine_destroy(e);
}

/* An offer that nobody has committed when its start comes keeps a place of its
 * whole duration: what is promised meanwhile is planned behind it.
 */
static void test_overdue(void **state)
{
	struct libra_engine *e =
		open_with("hold_back=0 pull_forward=0 margin=0");
	struct libra_job job = host_job(0, 10, 1000, 10);
	struct libra_verdict first;
	uint64_t second;

	(void)state;
	assert_int_equal(libra_engine_offer(e, &job, 0, &first, NULL), 0);
	second = submit(e, 10, 10, 1000, 15);
	assert_plan(e, first.ticket, 15, 990);
	assert_plan(e, second, 25, 990);
	assert_int_equal(libra_engine_commit(e, first.ticket, 1, 16), 0);
	host_pass(e, 16);
	assert_true(host_runs(e, first.ticket));
	assert_plan(e, second, 26, 990);
	libra_engine_destroy(e);
}

/* The clock goes beyond the latest start, which moves with the start; back
 * again it is not before the start.
 */
static void test_clock_there_and_back(void **state)
{
	struct libra_engine *e =
		open_with("hold_back=0 hard_starts=1 pull_forward=0 margin=0");
	uint64_t a = submit(e, 10, 100, 1000, 0), b;

	(void)state;
	host_pass(e, 0);
	assert_true(host_runs(e, a));
	b = submit(e, 10, 50, 10000, 0);
	assert_plan(e, b, 100, 100);
	assert_int_equal(libra_engine_clock(e, 10, 3610), 0);
	assert_plan(e, b, 3610, 3610);
	assert_int_equal(libra_engine_clock(e, 3610, 10), 0);
	libra_engine_schedule(e, 10);
	assert_plan(e, b, 3610, 3610);
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hopeless),
		cmocka_unit_test(test_later_than_margin),
		cmocka_unit_test(test_suspended),
		cmocka_unit_test(test_overdue),
		cmocka_unit_test(test_clock_there_and_back),
	};

	return cmocka_run_group_tests_name("plans_late", tests, NULL, NULL);
}
