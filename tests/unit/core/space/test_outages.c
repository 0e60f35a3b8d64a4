/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_outages.c - planned goes round the times when nodes are out, worked by
 * hand: 10 processors, 2 nodes of 5.
 */
#include "tests/unit/host.h"

static bool by_node; /* each test runs so and so */

static struct libra_engine *open_policy(const char *name, const char *settings)
{
	return host_engine_with(
		(struct libra_engine_conf){
			.policy = libra_policy_find(name, NULL),
			.node_procs = (const uint32_t[]){5, 5},
			.nnodes = 2,
			.offer_ttl_s = INFINITY,
			.by_node = by_node,
		},
		settings);
}

static struct libra_engine *open_plain(void)
{
	return open_policy("planned", "hold_back=0 pull_forward=0");
}

static uint64_t submit(struct libra_engine *e, uint32_t n, double estimate_s,
		       double deadline_s, double now_s)
{
	return host_submit(
		e, host_job(now_s, estimate_s, deadline_s - now_s, n), now_s);
}

#define assert_start(e, ticket, start)                                         \
	assert_near(libra_engine_planned_start(e, ticket), start, 0)

/* Both nodes, or node 1 alone, are out. */
static void out(struct libra_engine *e, bool both, double from_s, double to_s,
		double now_s)
{
	struct libra_outage list[] = {{1, from_s, to_s}, {0, from_s, to_s}};

	assert_int_equal(
		libra_engine_outages(e, list, both ? 2 : 1, now_s, NULL), 0);
}

/* Nothing lies over [200, 300). */
static void test_around(void **state)
{
	struct libra_engine *e = open_plain();
	uint64_t before, after, beside;

	(void)state;
	out(e, true, 200, 300, 0);
	before = submit(e, 10, 100, 1000, 0);
	after = submit(e, 10, 150, 1000, 0);
	beside = submit(e, 10, 100, 1000, 0);
	assert_start(e, before, 0);
	assert_start(e, after, 300);
	assert_start(e, beside, 100);
	/* Longer than all that is before it, whatever moves. */
	assert_int_equal(submit(e, 5, 250, 549, 0), 0);
	assert_start(e, submit(e, 5, 250, 550, 0), 300);
	libra_engine_destroy(e);
}

/* An outage of one node leaves the other one. */
static void test_one_node(void **state)
{
	struct libra_engine *e = open_plain();
	uint64_t wide, narrow;

	(void)state;
	out(e, false, 200, 300, 0);
	wide = submit(e, 10, 250, 1000, 0);
	narrow = submit(e, 5, 250, 1000, 0);
	assert_start(e, wide, 300);
	assert_start(e, narrow, 0);
	libra_engine_destroy(e);
}

/* Plans that lie over one that is new move within their promises; whose cannot
 * is told at once, and is as early as can be.
 */
static void test_made_later(void **state)
{
	struct libra_engine *e = open_plain();
	uint64_t runs, soon, moves, broken;

	(void)state;
	runs = submit(e, 10, 100, 1000, 0);
	host_pass(e, 0);
	assert_true(host_runs(e, runs));
	soon = submit(e, 10, 50, 200, 0);
	moves = submit(e, 5, 100, 600, 0);
	broken = submit(e, 5, 100, 390, 0);
	assert_start(e, soon, 100);
	assert_start(e, moves, 150);
	assert_start(e, broken, 150);
	out(e, true, 200, 300, 10);
	libra_engine_schedule(e, 10);
	assert_int_equal(host_nlate(e, broken), 1);
	assert_start(e, soon, 100);
	assert_start(e, moves, 300);
	assert_start(e, broken, 300);
	/* Without it all is as it was for who had to be told. */
	assert_int_equal(libra_engine_outages(e, NULL, 0, 20, NULL), 0);
	libra_engine_schedule(e, 20);
	assert_start(e, broken, 150);
	assert_int_equal(host_nlate(e, broken), 0);
	libra_engine_destroy(e);
}

/* Outages with one instant in common are two: both nodes are out in [200, 300),
 * and then one of them alone before, or behind.
 */
static void test_two_windows(void **state)
{
	const struct libra_outage from[] = {{1, 200, 300}, {0, 200, 400}};
	const struct libra_outage until[] = {{1, 100, 300}, {0, 200, 300}};
	struct libra_engine *e = open_plain();

	(void)state;
	assert_int_equal(libra_engine_outages(e, from, 2, 0, NULL), 0);
	assert_start(e, submit(e, 10, 250, 1000, 0), 400);
	libra_engine_destroy(e);
	e = open_plain();
	assert_int_equal(libra_engine_outages(e, until, 2, 0, NULL), 0);
	assert_start(e, submit(e, 5, 150, 1000, 0), 0);
	assert_start(e, submit(e, 10, 100, 1000, 0), 300);
	libra_engine_destroy(e);
}

/* A node that is closed for its outage is back at its end. */
static void test_back(void **state)
{
	struct libra_engine *e = open_plain();
	uint64_t wide;

	(void)state;
	libra_engine_node(e, 1, LIBRA_NODE_DRAIN, 50);
	assert_int_equal(submit(e, 10, 100, 1000, 50), 0);
	out(e, false, 40, 200, 50);
	wide = submit(e, 10, 100, 1000, 50);
	assert_start(e, wide, 200);
	/* And a second time it is out. */
	{
		const struct libra_outage list[] = {{1, 40, 200},
						    {1, 250, 400}};

		assert_int_equal(libra_engine_outages(e, list, 2, 60, NULL), 0);
	}
	libra_engine_schedule(e, 60);
	assert_start(e, wide, 400);
	/* Open again: its outage is over. */
	libra_engine_node(e, 1, LIBRA_NODE_UP, 200);
	assert_int_equal(libra_engine_outages(e, NULL, 0, 200, NULL), 0);
	host_pass(e, 400);
	assert_true(host_runs(e, wide));
	libra_engine_destroy(e);
}

/* Node 1 is closed for an outage in [10, 20), and is not open at 20: nothing
 * starts on it, whether or not anybody asked at 20.
 */
static void test_not_back(void **state)
{
	struct libra_job ordinary = host_job(21, 5, INFINITY, 10);

	(void)state;
	for (int asked = 0; asked < 2; asked++) {
		struct libra_engine *e = open_plain();
		uint64_t queued;

		out(e, false, 10, 20, 0);
		libra_engine_node(e, 1, LIBRA_NODE_DRAIN, 10);
		libra_engine_schedule(e, 10);
		assert_near(libra_engine_next_event_s(e), 20, 0);
		if (asked)
			libra_engine_schedule(e, 20);
		assert_false(libra_engine_may_start(
			e, &ordinary, &(struct libra_start_query){0}, 21));
		assert_int_equal(submit(e, 10, 5, 30, 21), 0);
		assert_near(libra_engine_earliest_deadline(e, &ordinary, 21),
			    INFINITY, 0);
		queued = host_submit(e, ordinary, 21);
		host_pass(e, 21);
		assert_false(host_runs(e, queued));
		assert_int_equal(libra_engine_free_procs(e), 5);
		libra_engine_node(e, 1, LIBRA_NODE_UP, 22);
		assert_int_equal(libra_engine_free_procs(e), 10);
		host_pass(e, 22);
		assert_true(host_runs(e, queued));
		libra_engine_destroy(e);
	}
}

/* A plan that counted on the node is repaired: it is LATE, waits, and starts
 * when the node is open.  A plan that has room elsewhere moves there.
 */
static void test_counted_on(void **state)
{
	struct libra_engine *e = open_plain();
	uint64_t wide, narrow;

	(void)state;
	out(e, false, 10, 200, 0);
	libra_engine_node(e, 1, LIBRA_NODE_DOWN, 10);
	wide = submit(e, 10, 100, 310, 10);
	narrow = submit(e, 5, 300, 800, 10);
	assert_start(e, wide, 200);
	assert_start(e, narrow, 300);
	libra_engine_schedule(e, 200);
	assert_false(host_runs(e, wide));
	assert_int_equal(host_nlate(e, wide), 1);
	assert_start(e, wide, INFINITY);
	assert_true(host_runs(e, narrow));
	libra_engine_withdraw(e, narrow, 205);
	libra_engine_node(e, 1, LIBRA_NODE_UP, 205);
	host_pass(e, 205);
	assert_true(host_runs(e, wide));
	libra_engine_destroy(e);
}

/* A job that stays on a closed node has its processors there when the node is
 * back, also after a new estimate.
 */
static void test_stays(void **state)
{
	struct libra_engine *e = open_plain();
	uint64_t first, stays, wide;

	(void)state;
	first = submit(e, 5, 400, 1000, 0);
	stays = submit(e, 5, 100, 1000, 0);
	host_pass(e, 0);
	assert_true(host_runs(e, first) && host_runs(e, stays));
	out(e, false, 10, 50, 0);
	libra_engine_node(e, 1, LIBRA_NODE_DRAIN, 10);
	wide = submit(e, 5, 100, 1000, 10);
	assert_start(e, wide, 100);
	assert_int_equal(libra_engine_reestimate(e, stays, 150, 20), 0);
	libra_engine_schedule(e, 20);
	assert_start(e, wide, 150);
	libra_engine_departed(e, stays, 30);
	assert_start(e, submit(e, 5, 100, 1000, 30), 50);
	libra_engine_destroy(e);
}

/* A node closes before its outage begins: the outage takes nothing from the
 * others, and its end is when the node is expected back once it has begun.
 */
static void test_closed_before(void **state)
{
	struct libra_engine *e = open_plain();
	uint64_t narrow;

	(void)state;
	out(e, false, 100, 200, 0);
	libra_engine_node(e, 1, LIBRA_NODE_DOWN, 10);
	narrow = submit(e, 5, 150, 1000, 10);
	assert_start(e, narrow, 10);
	assert_int_equal(submit(e, 10, 100, 1000, 10), 0);
	host_pass(e, 10);
	assert_near(libra_engine_next_event_s(e), 100, 0);
	assert_start(e, submit(e, 10, 100, 1000, 100), 200);
	libra_engine_destroy(e);
}

/* By node a job that runs into an outage takes nothing more from the others. */
static void test_runs_into(void **state)
{
	struct libra_engine *e = open_plain();
	uint64_t first, second;

	(void)state;
	first = submit(e, 5, 20, 1000, 0);
	second = submit(e, 5, 100, 1000, 0);
	host_pass(e, 0);
	assert_true(host_runs(e, first) && host_runs(e, second));
	out(e, false, 30, 80, 0);
	assert_start(e, submit(e, 5, 60, 1000, 0), 20);
	assert_start(e, submit(e, 10, 60, 1000, 0), 100);
	libra_engine_destroy(e);
}

/* By node: a job that needs the one that is out starts when that is back,
 * though no job ends then and others have room all the time.
 */
static void test_its_node(void **state)
{
	const struct libra_range second = {5, 5};
	const struct libra_where there = {.allowed = &second, .nallowed = 1};
	struct libra_engine *e = open_plain();
	struct libra_job job = host_job(0, 100, 1000, 5);
	uint64_t a, b;

	(void)state;
	job.where = &there;
	out(e, false, 0, 200, 0);
	a = host_submit(e, job, 0);
	b = host_submit(e, job, 0);
	assert_start(e, a, 200);
	assert_start(e, b, 300);
	/* Both may wait for a third one. */
	assert_near(libra_engine_earliest_deadline(e, &job, 0), 300, 0);
	libra_engine_destroy(e);
	/* The other one is back before, and no help. */
	e = open_plain();
	{
		const struct libra_outage list[] = {{0, 0, 100}, {1, 0, 200}};

		assert_int_equal(libra_engine_outages(e, list, 2, 0, NULL), 0);
	}
	assert_start(e, host_submit(e, job, 0), 200);
	libra_engine_destroy(e);
}

static void test_errors(void **state)
{
	static const struct libra_outage bad[] = {
		{2, 0, 100}, {0, 100, 100}, {0, NAN, 100}, {0, 0, NAN}};
	struct libra_engine *e = open_plain();
	struct libra_error err = {""};

	(void)state;
	out(e, true, 100, 200, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		errno = 0;
		assert_int_equal(libra_engine_outages(e, &bad[i], 1, 0, NULL),
				 -1);
		assert_int_equal(errno, EINVAL);
	}
	/* What there was stays. */
	assert_start(e, submit(e, 10, 150, 1000, 0), 200);
	libra_engine_destroy(e);
	e = open_policy("band", "");
	assert_int_equal(libra_engine_outages(e, NULL, 0, 0, &err), -1);
	assert_int_equal(errno, ENOTSUP);
	assert_string_equal(err.text, "band plans no starts");
	libra_engine_destroy(e);
}

static int counted(void **state)
{
	(void)state;
	by_node = false;
	return 0;
}

static int placed(void **state)
{
	(void)state;
	by_node = true;
	return 0;
}

#define BOTH(test)                                                             \
	cmocka_unit_test_setup(test, counted),                                 \
		cmocka_unit_test_setup(test, placed)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_around),
		BOTH(test_one_node),
		BOTH(test_made_later),
		BOTH(test_two_windows),
		BOTH(test_back),
		BOTH(test_not_back),
		BOTH(test_counted_on),
		BOTH(test_stays),
		BOTH(test_closed_before),
		cmocka_unit_test_setup(test_runs_into, placed),
		BOTH(test_errors),
		cmocka_unit_test_setup(test_its_node, placed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
