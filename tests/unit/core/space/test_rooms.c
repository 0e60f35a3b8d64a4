/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_rooms.c - plans by node, worked by hand: 4 nodes of 8 processors, 64 GB
 * of memory and, on the last two, 4 GPUs.  tests/property/test_rooms.c looks at
 * random workloads.
 */
#include "core/engine_impl.h"
#include "tests/unit/rooms.h"

/* Processors that a job has of each node: "8 0 4 0". */
static void assert_nodes(const struct libra_engine *e, uint64_t ticket,
			 const char *expected)
{
	struct libra_range at[32];
	int64_t n = libra_engine_placement(e, ticket, at, 32);
	uint32_t has[4] = {0};
	char text[64];

	for (int64_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < at[i].count; k++)
			has[(at[i].first + k) / 8]++;
	snprintf(text, sizeof(text), "%u %u %u %u", has[0], has[1], has[2],
		 has[3]);
	assert_string_equal(text, expected);
}

/* Two jobs of 40 GB do not share a node, though there are processors; the third
 * one waits for nobody's processors but for memory.
 */
static void test_memory(void **state)
{
	struct libra_engine *e = open_with(PLAIN);
	const uint64_t memory[KINDS] = {40, 0};
	const struct libra_range first = {0, 16};
	const struct libra_where where = {.allowed = &first,
					  .nallowed = 1,
					  .per_node = memory,
					  .max_nodes = 1};
	uint64_t a, b, c;

	(void)state;
	a = submit(e, 2, 100, 1000, &where, 0);
	b = submit(e, 2, 150, 1000, &where, 0);
	c = submit(e, 2, 100, 1000, &where, 0);
	host_pass(e, 0);
	assert_nodes(e, a, "2 0 0 0");
	assert_nodes(e, b, "0 2 0 0");
	assert_start(e, c, 100);
	/* 24 GB are left on each. */
	{
		const uint64_t less[KINDS] = {24, 0};
		struct libra_where fits = where;

		fits.per_node = less;
		assert_start(e, submit(e, 2, 10, 20, &fits, 0), 0);
	}
	assert_int_equal(submit(e, 2, 100, 199, &where, 0), 0);
	libra_engine_destroy(e);
}

/* For each task: 3 tasks of 2 processors and 20 GB fit a node of 64 GB, though
 * it has processors for 4.
 */
static void test_per_task(void **state)
{
	struct libra_engine *e = open_with(PLAIN);
	const uint64_t memory[KINDS] = {20, 0};
	const struct libra_where where = {.chunk = 2, .per_chunk = memory};
	uint64_t a;

	(void)state;
	a = submit(e, 8, 100, 1000, &where, 0);
	host_pass(e, 0);
	assert_nodes(e, a, "6 2 0 0");
	assert_start(e, submit(e, 16, 100, 1000, &where, 0), 0);
	assert_start(e, submit(e, 2, 100, 1000, &where, 0), 100);
	libra_engine_destroy(e);
}

/* GPUs are counted for themselves; jobs that need none leave their nodes alone
 * while they can.
 */
static void test_gpus(void **state)
{
	struct libra_engine *e = open_with(PLAIN);
	const uint64_t two[KINDS] = {0, 2}, three[KINDS] = {0, 3};
	struct libra_where pair = {.max_nodes = 1, .per_node = two};
	struct libra_where most = {.max_nodes = 1, .per_node = three};
	uint64_t a, b, c, d;

	(void)state;
	a = submit(e, 1, 100, 1000, &pair, 0);
	b = submit(e, 16, 100, 1000, NULL, 0);
	c = submit(e, 1, 100, 1000, &most, 0);
	d = submit(e, 1, 100, 1000, &pair, 0);
	host_pass(e, 0);
	assert_nodes(e, a, "0 0 1 0");
	assert_nodes(e, b, "8 8 0 0");
	assert_nodes(e, c, "0 0 0 1");
	assert_nodes(e, d, "0 0 1 0");
	/* One GPU is left, on the fourth node: two at 100. */
	assert_start(e, submit(e, 1, 50, 1000, &pair, 0), 100);
	/* None has five. */
	{
		const uint64_t five[KINDS] = {0, 5};

		pair.per_node = five;
		assert_int_equal(submit(e, 1, 1, 1e6, &pair, 0), 0);
		assert_true(libra_engine_earliest_deadline(
				    e,
				    &(struct libra_job){.estimate_s = 1,
							.deadline_s = INFINITY,
							.nprocs = 1,
							.where = &pair},
				    0) == INFINITY);
	}
	libra_engine_destroy(e);
}

/* Whole nodes: all processors of so many, and nothing beside. */
static void test_whole(void **state)
{
	struct libra_engine *e = open_with(PLAIN);
	const uint64_t all[KINDS] = {LIBRA_ALL, 0};
	const struct libra_where where = {.chunk = 8,
					  .node_max = 8,
					  .min_nodes = 3,
					  .max_nodes = 3,
					  .per_node = all};
	uint64_t a, b;

	(void)state;
	a = submit(e, 1, 60, 1000, NULL, 0);
	host_pass(e, 0);
	assert_nodes(e, a, "1 0 0 0");
	b = submit(e, 24, 100, 1000, &where, 0);
	assert_start(e, b, 0);
	host_pass(e, 0);
	assert_nodes(e, b, "0 8 8 8");
	b = submit(e, 24, 100, 1000, &where, 0);
	assert_start(e, b, 100);
	libra_engine_destroy(e);
}

/* Certain nodes: room elsewhere is of no use, and they are planned anew. */
static void test_certain_nodes(void **state)
{
	struct libra_engine *e = open_with(PLAIN);
	const struct libra_range second = {8, 8};
	const struct libra_where there = {.allowed = &second, .nallowed = 1};
	uint64_t a, b, c;

	(void)state;
	a = submit(e, 8, 100, 1000, &there, 0);
	host_pass(e, 0);
	assert_nodes(e, a, "0 8 0 0");
	b = submit(e, 8, 100, 1000, &there, 0);
	assert_start(e, b, 100);
	c = submit(e, 8, 100, 210, &there, 0); /* only before b */
	assert_start(e, c, 100);
	assert_start(e, b, 200);
	assert_int_equal(submit(e, 8, 100, 210, &there, 0), 0);
	assert_start(e, submit(e, 8, 100, 110, NULL, 0), 0);
	libra_engine_destroy(e);
}

/* A node goes, and with it what was planned there; elsewhere it fits in time.
 */
static void test_lost_node(void **state)
{
	struct libra_engine *e = open_with(PLAIN);
	const uint64_t one[KINDS] = {0, 1};
	const struct libra_where gpu = {.per_node = one, .max_nodes = 1};
	struct libra_action action;
	uint64_t a, b, c;

	(void)state;
	a = submit(e, 8, 100, 1000, &gpu, 0);
	b = submit(e, 8, 100, 1000, &gpu, 0);
	host_pass(e, 0);
	assert_nodes(e, a, "0 0 8 0");
	assert_nodes(e, b, "0 0 0 8");
	c = submit(e, 8, 100, 220, &gpu, 0);
	assert_start(e, c, 100);
	assert_int_equal(libra_engine_node(e, 2, LIBRA_NODE_DOWN, 10), 0);
	libra_engine_departed(e, a, 10);
	host_pass(e, 10);
	assert_start(e, c, 100); /* after b */
	assert_int_equal(libra_engine_node(e, 3, LIBRA_NODE_DOWN, 20), 0);
	libra_engine_schedule(e, 20);
	assert_true(libra_engine_next_action(e, &action));
	assert_int_equal(action.kind, LIBRA_ACTION_LATE);
	assert_int_equal(action.ticket, c);
	assert_true(libra_engine_planned_start(e, c) == INFINITY);
	assert_int_equal(libra_engine_node(e, 2, LIBRA_NODE_UP, 30), 0);
	host_pass(e, 30);
	assert_nodes(e, c, "0 0 8 0");
	libra_engine_destroy(e);
}

/* Ordinary jobs start on processors of the host's choice: may they? */
static void test_ordinary(void **state)
{
	struct libra_engine *e = open_with(PLAIN);
	const uint64_t gpu[KINDS] = {0, 4}, some[KINDS] = {8, 1};
	const struct libra_where where = {.per_node = gpu, .max_nodes = 1};
	struct libra_part part = {{16, 1}, 50, NULL};
	const struct libra_start_query at = {.parts = &part, .nparts = 1};
	struct libra_job job = host_job(0, 50, INFINITY, 1);
	uint64_t a, ticket;

	(void)state;
	a = submit(e, 1, 100, 1000, &where, 0);
	host_pass(e, 0);
	assert_nodes(e, a, "0 0 1 0");
	part.procs.first = 17;
	assert_true(libra_engine_may_start(e, &job, &at, 0));
	part.resources = some; /* a GPU of that node: it has none left */
	assert_false(libra_engine_may_start(e, &job, &at, 0));
	part.procs.first = 24;
	assert_true(libra_engine_may_start(e, &job, &at, 0));
	assert_int_equal(
		libra_engine_restore(e, &job, &part, 1, true, 0, &ticket, NULL),
		0);
	/* All GPUs of a node: when one of the two has ended. */
	assert_start(e, submit(e, 1, 10, 1000, &where, 0), 50);
	/* Nor may one start that would end after that. */
	job.estimate_s = 60;
	part.procs.first = 25;
	assert_false(libra_engine_may_start(e, &job, &at, 0));
	job.estimate_s = 50;
	assert_true(libra_engine_may_start(e, &job, &at, 0));
	libra_engine_destroy(e);
}

/* So long others may need to be gone. */
#define GONE_S 60

/* May a job of a whole node start there once others are gone? */
static bool may_instead(struct libra_engine *e, uint32_t node,
			double estimate_s, const uint64_t *gone, uint32_t ngone,
			bool stops, double now_s)
{
	const struct libra_part part = {{node * 8, 8}, 0, NULL};
	struct libra_start_query at = {.parts = &part,
				       .nparts = 1,
				       .gone = gone,
				       .ngone = ngone,
				       .delay_s = stops ? GONE_S : 0,
				       .stops = stops};
	struct libra_job job = host_job(now_s, estimate_s, INFINITY, 8);
	bool may;

	job.id = 77;
	may = libra_engine_may_start(e, &job, &at, now_s);
	at.stops = false;
	at.again = true;
	assert_int_equal(libra_engine_may_start(e, &job, &at, now_s), may);
	return may;
}

/* Two ordinary jobs of 100 s, a promised one on the rest of the machine, and
 * one that waits for the first node at 100.
 */
static struct libra_engine *open_for_preemption(uint64_t gone[2],
						uint64_t *waits)
{
	struct libra_engine *e = open_with(PULL);
	const struct libra_range last = {16, 16}, first = {0, 8};
	const struct libra_where there = {.allowed = &last, .nallowed = 1};
	const struct libra_where here = {.allowed = &first, .nallowed = 1};

	gone[0] = run_on(e, 1, 0, 100, 0);
	gone[1] = run_on(e, 2, 1, 100, 0);
	submit(e, 16, 300, 1000, &there, 0);
	host_pass(e, 0);
	*waits = submit(e, 8, 50, 1000, &here, 0);
	assert_start(e, *waits, 100);
	return e;
}

/* A quarter is held back: 8 processors are free, but 16 are wanted, by who is
 * not in a hurry.
 */
static void test_hold_back(void **state)
{
	struct libra_engine *e = open_with("hold_back=25 machine_reserve=0");

	(void)state;
	submit(e, 24, 100, 1000, NULL, 0);
	host_pass(e, 0);
	assert_start(e, submit(e, 8, 10, 1000, NULL, 0), 100);
	assert_start(e, submit(e, 8, 10, 20, NULL, 0), 0);
	libra_engine_destroy(e);
}

/* Its place is kept from now until it has started, 60 s later at the latest,
 * has run for its 55 s, and for the margin of 10; and it is nobody's any more
 * when it is forgone.
 */
static void test_kept_until(void **state)
{
	struct libra_engine *e = open_with(PLAIN " margin=10");
	const struct libra_range first = {0, 8};
	const struct libra_where here = {.allowed = &first, .nallowed = 1};
	uint64_t gone = run_on(e, 1, 0, 100, 0);

	(void)state;
	assert_true(may_instead(e, 0, 55, &gone, 1, true, 0));
	assert_start(e, submit(e, 8, 20, 1000, &here, 0), 60 + 55 + 10);
	libra_engine_forgo(e, 77, 0);
	/* The other one may stay, for its 100 s and the margin. */
	assert_start(e, submit(e, 8, 5, 1000, &here, 0), 100 + 10);
	libra_engine_destroy(e);
}

/* Jobs that would be gone leave room before and beside the plans. */
static void test_preempts(void **state)
{
	uint64_t gone[2], waits;
	struct libra_engine *e = open_for_preemption(gone, &waits);
	const uint64_t nobody = 4711;

	(void)state;
	assert_false(may_instead(e, 0, 10, NULL, 0, false, 0));
	assert_false(may_instead(e, 0, 10, &nobody, 1, false, 0));
	assert_false(may_instead(e, 0, 10, &gone[1], 1, false, 0));
	/* It has to end before the plan needs its node. */
	assert_true(may_instead(e, 0, 100, &gone[0], 1, false, 0));
	assert_false(may_instead(e, 0, 101, &gone[0], 1, false, 0));
	assert_true(may_instead(e, 1, 101, &gone[1], 1, false, 0));
	assert_true(may_instead(e, 1, 101, gone, 2, false, 0));
	/* Nothing was changed by all that. */
	assert_start(e, waits, 100);
	assert_false(may_instead(e, 0, 10, NULL, 0, false, 0));
	libra_engine_destroy(e);
}

/* Where others were stopped for a job nothing else comes, while it may still
 * come.
 */
static void test_room_for_one(void **state)
{
	uint64_t gone[2], waits, came;
	struct libra_engine *e = open_for_preemption(gone, &waits);

	(void)state;
	/* It has to end before the plan even if they take all that time. */
	assert_false(may_instead(e, 0, 41, &gone[0], 1, true, 0));
	assert_int_equal(libra_engine_departed(e, gone[0], 1), 0);
	host_pass(e, 1); /* nothing is stopped for a refused one */
	assert_nodes(e, waits, "8 0 0 0");
	libra_engine_destroy(e);

	e = open_for_preemption(gone, &waits);
	assert_true(may_instead(e, 0, 40, &gone[0], 1, true, 0));
	assert_int_equal(libra_engine_departed(e, gone[0], 1), 0);
	host_pass(e, 1);
	assert_start(e, waits, 100);
	came = run_on(e, 77, 0, 90, 10);
	host_pass(e, 11);
	assert_start(e, waits, 100);
	assert_int_equal(libra_engine_departed(e, came, 20), 0);
	host_pass(e, 20); /* all is as ever */
	assert_nodes(e, waits, "8 0 0 0");
	libra_engine_destroy(e);

	/* It never comes. */
	e = open_for_preemption(gone, &waits);
	assert_true(may_instead(e, 0, 40, &gone[0], 1, true, 0));
	assert_int_equal(libra_engine_departed(e, gone[0], 1), 0);
	host_pass(e, GONE_S - 1);
	assert_start(e, waits, 100);
	assert_near(libra_engine_next_event_s(e), GONE_S, 0);
	host_pass(e, GONE_S);
	assert_nodes(e, waits, "8 0 0 0");
	libra_engine_destroy(e);
}

/* Two have each their own; who is new finds neither free. */
static void test_rooms_for_two(void **state)
{
	struct libra_engine *e = open_with(PULL);
	const struct libra_range first = {0, 8}, second = {8, 8};
	const struct libra_where on_first = {.allowed = &first, .nallowed = 1};
	const struct libra_where on_second = {.allowed = &second,
					      .nallowed = 1};
	const struct libra_part part = {{8, 8}, 0, NULL};
	const struct libra_part there = {{0, 8}, 0, NULL};
	struct libra_start_query at = {.parts = &part, .nparts = 1};
	struct libra_job other = host_job(0, 40, INFINITY, 8);
	uint64_t a = run_on(e, 1, 0, 20, 0), b = run_on(e, 2, 1, 500, 0);

	(void)state;
	other.id = 78;
	assert_true(may_instead(e, 0, 40, &a, 1, true, 0));
	/* Another one may not have it, though it would go for that, too. */
	at.parts = &there;
	at.gone = &a;
	at.ngone = 1;
	assert_false(libra_engine_may_start(e, &other, &at, 0));
	at.parts = &part;
	/* From the end of the first, as it may stay until then. */
	assert_start(e, submit(e, 8, 10, 2000, &on_first, 1), 100);
	at.gone = &b;
	at.ngone = 1;
	at.delay_s = GONE_S;
	at.stops = true;
	assert_true(libra_engine_may_start(e, &other, &at, 2));
	assert_int_equal(libra_engine_departed(e, a, 3), 0);
	assert_start(e, submit(e, 8, 10, 2000, &on_first, 4), 110);
	/* Until its own end, as nobody knows whether it is stopped. */
	assert_start(e, submit(e, 8, 10, 2000, &on_second, 5), 500);
	assert_int_equal(libra_engine_departed(e, b, 6), 0);
	host_pass(e, 6);
	assert_start(e, submit(e, 8, 10, 2000, &on_second, 7), 112);
	/* Each may come, in its own place alone. */
	at.ngone = 0;
	at.delay_s = 0;
	assert_true(libra_engine_may_start(e, &other, &at, 8));
	other.id = 79;
	assert_false(libra_engine_may_start(e, &other, &at, 8));
	assert_true(may_instead(e, 0, 40, NULL, 0, false, 8));
	assert_false(may_instead(e, 1, 40, NULL, 0, false, 8));
	run_on(e, 78, 1, 40, 9);
	host_pass(e, 9);
	assert_false(libra_engine_may_start(e, &other, &at, 9));
	assert_true(may_instead(e, 0, 40, NULL, 0, false, 9));
	/* The other one does not come: plans do. */
	libra_engine_forgo(e, 4711, 10);
	host_pass(e, 10);
	assert_start(e, submit(e, 8, 10, 2000, &on_first, 10), 120);
	libra_engine_forgo(e, 77, 11);
	host_pass(e, 11);
	assert_start(e, submit(e, 8, 10, 2000, &on_first, 11), 41);
	libra_engine_destroy(e);
}

/* Nobody goes for two; and who needs no parts of nodes, or a node that is
 * closed or will be out, has no place.
 */
static void test_no_room(void **state)
{
	uint64_t gone[2], waits;
	struct libra_engine *e = open_for_preemption(gone, &waits);
	const struct libra_outage out = {1, 30, 60};
	struct libra_job other = host_job(0, 30, INFINITY, 4);
	const struct libra_part part = {{4, 4}, 0, NULL};
	const struct libra_part rest = {{0, 4}, 0, NULL};
	struct libra_start_query at = {.parts = &part,
				       .nparts = 1,
				       .gone = gone,
				       .ngone = 1,
				       .delay_s = GONE_S,
				       .stops = true};

	(void)state;
	other.id = 77;
	assert_true(libra_engine_may_start(e, &other, &at, 0));
	other.id = 78;
	at.parts = &rest;
	assert_false(libra_engine_may_start(e, &other, &at, 0));
	libra_engine_forgo(e, 77, 0);
	assert_true(libra_engine_may_start(e, &other, &at, 0));
	/* Its own is another one then. */
	assert_true(libra_engine_may_start(e, &other, &at, 1));
	libra_engine_forgo(e, 78, 1);
	at.nparts = 0;
	assert_false(libra_engine_may_start(e, &other, &at, 1));
	libra_engine_destroy(e);

	/* All of the other nodes, when the one with the place is closed. */
	e = open_with(PULL);
	gone[0] = run_on(e, 1, 0, 100, 0);
	assert_true(may_instead(e, 0, 90, gone, 1, true, 0));
	waits = submit(e, 24, 50, 160, NULL, 0);
	assert_start(e, waits, 0);
	assert_int_equal(libra_engine_node(e, 0, LIBRA_NODE_DOWN, 0), 0);
	host_pass(e, 0);
	assert_nodes(e, waits, "0 8 8 8");
	libra_engine_destroy(e);

	e = open_with(PULL);
	gone[0] = run_on(e, 1, 1, 20, 0);
	assert_true(may_instead(e, 1, 90, gone, 1, true, 0));
	waits = submit(e, 24, 100, 200, NULL, 0);
	assert_start(e, waits, 0);
	assert_int_equal(libra_engine_outages(e, &out, 1, 0, NULL), 0);
	host_pass(e, 0);
	assert_nodes(e, waits, "8 0 8 8");
	libra_engine_destroy(e);
}

/* A trial of several jobs, and another start for one that waits, leave all as
 * it was.
 */
static void test_trials(void **state)
{
	struct libra_engine *e = open_with(PLAIN);
	const uint64_t gpu[KINDS] = {0, 4};
	const struct libra_where where = {.per_node = gpu, .max_nodes = 1};
	struct libra_job job = host_job(0, 100, 300, 1), other = job;
	struct libra_verdict v;
	uint64_t a;

	(void)state;
	job.where = &where;
	a = submit(e, 1, 100, 1000, &where, 0);
	/* 2 nodes, 300 s: 6 of them, and a is planned. */
	assert_true(libra_engine_would_accept(e, &job, 5, 0));
	assert_false(libra_engine_would_accept(e, &job, 7, 0));
	assert_start(e, a, 0);
	assert_near(libra_engine_earliest_together(e, &job, 3, 0), 200, 2);
	a = submit(e, 1, 100, 1000, &where, 0);
	host_pass(e, 0);
	a = submit(e, 1, 100, 1000, &where, 0);
	assert_start(e, a, 100);
	other.deadline_s = 150;
	assert_int_equal(libra_engine_modify(e, a, &other, 0, &v, NULL), 0);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_start(e, a, 100);
	other.deadline_s = 250;
	assert_int_equal(libra_engine_modify(e, a, &other, 0, &v, NULL), 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_start(e, a, 100);
	libra_engine_destroy(e);
}

/* After a restart: those that run, with what they have, then those that wait.
 */
static void test_restore(void **state)
{
	struct libra_engine *e = open_with(PLAIN);
	const uint64_t gpu[KINDS] = {0, 3};
	const struct libra_where where = {.per_node = gpu, .max_nodes = 1};
	struct libra_job job = host_job(0, 100, 1000, 2);
	struct libra_part part = {{16, 2}, 70, NULL};
	uint64_t a, b, c;

	(void)state;
	job.where = &where;
	assert_int_equal(
		libra_engine_restore(e, &job, &part, 1, true, 30, &a, NULL), 0);
	assert_int_equal(
		libra_engine_restore_waiting(e, &job, 30, 30, &b, NULL), 0);
	assert_int_equal(
		libra_engine_restore_waiting(e, &job, 30, 30, &c, NULL), 0);
	host_pass(e, 30);
	assert_nodes(e, b, "0 0 0 2");
	assert_start(e, c, 100);
	libra_engine_destroy(e);
}

/* Four whole nodes of one kind: a has two for 100 s, b two for 50, c waits for
 * a and d, of one node, for b.  When a ends at 10, c comes forward to 50 on any
 * nodes, and d may begin at once, though both had nodes that run others.
 */
static void test_other_nodes(void **state)
{
	static const uint32_t one[] = {1, 1, 1, 1};
	struct libra_engine *e = host_rooms_engine(one, 4, NULL, 0, PULL);
	uint64_t a, c, d;

	(void)state;
	a = submit(e, 2, 100, 1000, NULL, 0);
	submit(e, 2, 50, 1000, NULL, 0);
	host_pass(e, 0);
	c = submit(e, 3, 100, 250, NULL, 0);
	d = submit(e, 1, 60, 1000, NULL, 0);
	assert_start(e, c, 100);
	assert_start(e, d, 50);
	libra_engine_departed(e, a, 10);
	host_pass(e, 10);
	assert_start(e, c, 50);
	assert_start(e, d, 10);
	assert_true(host_runs(e, d));
	libra_engine_destroy(e);
}

/* The most that a call looked at. */
static void note_work(const struct libra_engine *e, uint64_t *before,
		      uint64_t *most)
{
	*most = e->work - *before > *most ? e->work - *before : *most;
	*before = e->work;
}

enum { CROWD_NODES = 200, CROWD = 500 };

/* 200 nodes, of which 8 have GPUs. */
static struct libra_engine *open_crowd(void)
{
	static uint32_t one[CROWD_NODES];
	static uint64_t has[CROWD_NODES * KINDS];

	for (int i = 0; i < CROWD_NODES; i++) {
		one[i] = 4;
		has[i * KINDS + GPUS] = i % 25 == 7 ? 4 : 0;
	}
	return host_rooms_engine(one, CROWD_NODES, has, KINDS, PULL);
}

static const uint64_t all_gpus[KINDS] = {0, 4};
static const struct libra_where gpu_node = {.per_node = all_gpus};

/* 500 jobs that want all GPUs of one of 8 nodes, while 192 others are idle: at
 * each end of a job there are processors, and no node.  Neither an offer nor
 * the end of a job looks through all of that.
 */
static void test_bounded(void **state)
{
	static uint64_t tickets[CROWD];
	uint64_t before = 0, most = 0;
	struct libra_engine *e = open_crowd();

	(void)state;
	for (int i = 0; i < CROWD; i++) {
		tickets[i] = submit(e, 1, 100 + i, 1e6, &gpu_node, 0);
		note_work(e, &before, &most);
		host_pass(e, 0);
		note_work(e, &before, &most);
	}
	assert_int_equal(submit(e, 1, 100, 3000, &gpu_node, 0), 0);
	note_work(e, &before, &most);
	libra_engine_departed(e, tickets[0], 10);
	host_pass(e, 10);
	note_work(e, &before, &most);
	assert_true(most > LIBRA_SEARCH_WORK);
	assert_true(most < 2 * LIBRA_SEARCH_WORK);
	/* Who is next has its nodes at once all the same. */
	assert_true(host_runs(e, tickets[8]));
	libra_engine_destroy(e);
}

/* Jobs that wait and have a place; the others keep their latest start. */
static int count_planned(const struct libra_engine *e, const uint64_t *tickets)
{
	int n = 0;

	for (int i = 1; i < CROWD; i++) { /* the first has gone */
		double start_s = libra_engine_planned_start(e, tickets[i]);

		assert_true(start_s < INFINITY);
		n += !host_runs(e, tickets[i]) &&
		     start_s < libra_engine_latest_start(e, tickets[i]);
	}
	return n;
}

/* The same, and one of the 8 nodes is lost: no call looks through all of what
 * 492 jobs might do, and after some calls each has a place again.  Until then
 * nothing is promised, asked for or started that could take one, and nobody is
 * told of a broken promise.
 */
static void test_bounded_repair(void **state)
{
	static uint64_t tickets[CROWD];
	struct libra_job job = host_job(10, 100, 1e6, 1);
	struct libra_engine *e = open_crowd();
	const struct libra_part part = {{0, 1}, 100, NULL};
	const struct libra_start_query at = {.parts = &part, .nparts = 1};
	uint64_t before, most = 0;
	struct libra_action action;
	int calls = 0, planned, had = 0;

	(void)state;
	for (int i = 0; i < CROWD; i++)
		tickets[i] = submit(e, 1, 100 + i, 1e6, &gpu_node, 0);
	host_pass(e, 0);
	assert_int_equal(count_planned(e, tickets), CROWD - 8);
	before = e->work;
	assert_int_equal(libra_engine_node(e, 7, LIBRA_NODE_DOWN, 10), 0);
	libra_engine_departed(e, tickets[0], 10);
	while (had < CROWD - 8) {
		libra_engine_schedule(e, 10);
		assert_false(libra_engine_next_action(e, &action));
		note_work(e, &before, &most);
		planned = count_planned(e, tickets);
		assert_true(planned >= had);
		had = planned;
		assert_true(calls++ < 200);
		if (had == CROWD - 8)
			break;
		job.where = NULL;
		assert_near(libra_engine_next_event_s(e), 11, 0);
		assert_int_equal(submit(e, 1, 100, 1e6, NULL, 10), 0);
		assert_true(isnan(libra_engine_earliest_deadline(e, &job, 10)));
		assert_false(libra_engine_would_accept(e, &job, 1, 10));
		job.deadline_s = INFINITY;
		assert_false(libra_engine_may_start(e, &job, &at, 10));
		job.deadline_s = 1e6;
		before = e->work;
	}
	assert_true(calls > 2);
	assert_true(most > LIBRA_SEARCH_WORK);
	assert_true(most < 5 * LIBRA_SEARCH_WORK);
	assert_true(submit(e, 1, 100, 1e6, NULL, 10) != 0);
	libra_engine_destroy(e);
}

/* What is no engine, or no job for it. */
static void test_errors(void **state)
{
	struct libra_engine *e = host_engine("planned", 4, 8);
	const struct libra_where where = {.chunk = 2};
	struct libra_job job = host_job(0, 100, 1000, 2);
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("planned", NULL),
		.node_procs = procs,
		.nnodes = 4,
		.by_node = true,
		.nresources = LIBRA_RESOURCES + 1,
		.node_resources = resources,
	};
	struct libra_verdict v;

	(void)state;
	job.where = &where;
	assert_fails(EINVAL, libra_engine_offer(e, &job, 0, &v, NULL));
	libra_engine_destroy(e);
	errno = 0;
	assert_null(libra_engine_create(&conf, NULL));
	assert_int_equal(errno, EINVAL);
	e = open_with(PLAIN);
	job.nprocs = 3;
	assert_fails(EINVAL, libra_engine_offer(e, &job, 0, &v, NULL));
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_per_task),
		cmocka_unit_test(test_gpus),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_certain_nodes),
		cmocka_unit_test(test_lost_node),
		cmocka_unit_test(test_ordinary),
		cmocka_unit_test(test_hold_back),
		cmocka_unit_test(test_kept_until),
		cmocka_unit_test(test_preempts),
		cmocka_unit_test(test_room_for_one),
		cmocka_unit_test(test_rooms_for_two),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_trials),
		cmocka_unit_test(test_restore),
		cmocka_unit_test(test_other_nodes),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_bounded_repair),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
