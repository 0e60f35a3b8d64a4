/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_planned.c - the policy planned, worked by hand: 10 processors, 2 nodes
 * of 5.  tests/property/test_plans.c looks at random workloads.
 */
#include "core/space/planned_ops.h"
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

/* A hole beside the jobs there are, then START when it comes. */
static void test_hole(void **state)
{
	struct libra_engine *e = open_with("hold_back=0");
	uint64_t a, b, c, none;

	(void)state;
	a = submit(e, 6, 100, 1000, 0);
	host_pass(e, 0);
	assert_placed(e, a, 0, 6);
	b = submit(e, 5, 50, 400, 0);  /* behind a */
	c = submit(e, 4, 100, 150, 0); /* beside it */
	assert_plan(e, b, 100, 350);
	assert_plan(e, c, 0, 50);
	assert_near(libra_engine_next_event_s(e), 100, 0);
	assert_int_equal(libra_engine_placement(e, b, NULL, 0), 0);
	host_pass(e, 0);
	assert_placed(e, c, 6, 4);
	assert_near(libra_engine_next_event_s(e), 100, 0);
	/* None in time: 10 are free from 100 on. */
	none = submit(e, 10, 10, 109, 0);
	assert_int_equal(none, 0);
	libra_engine_departed(e, a, 100);
	host_pass(e, 100);
	assert_placed(e, b, 0, 5);
	assert_plan(e, b, 100, 100);
	libra_engine_destroy(e);
}

/* Some processors are held back where that is possible. */
static void test_hold_back(void **state)
{
	struct libra_engine *e = open_with("hold_back=20");
	uint64_t a, b;

	(void)state;
	a = submit(e, 6, 100, 1000, 0);
	b = submit(e, 3, 10, 1000, 0); /* 4 are free, 2 of them held back */
	assert_plan(e, a, 0, 900);
	assert_plan(e, b, 100, 990);
	b = submit(e, 3, 10, 20, 0); /* in a hurry */
	assert_plan(e, b, 0, 10);
	libra_engine_destroy(e);
}

/* All that wait are planned anew, by latest start, for one that has no hole. */
static void test_replan(void **state)
{
	for (int replan = 0; replan < 2; replan++) {
		struct libra_engine *e = open_with(
			replan ? "hold_back=0" : "hold_back=0 replan=0");
		uint64_t a, b, c;

		(void)state;
		a = submit(e, 10, 100, 1000, 0);
		host_pass(e, 0);
		b = submit(e, 10, 50, 500, 0);
		assert_plan(e, b, 100, 450);
		c = submit(e, 10, 30, 135, 0); /* by 105 at the latest */
		if (replan) {
			assert_plan(e, c, 100, 105);
			assert_plan(e, b, 130, 450);
		} else {
			assert_int_equal(c, 0);
			assert_plan(e, b, 100, 450);
		}
		/* Nobody's promise is broken for another one. */
		assert_int_equal(submit(e, 10, 30, 134, 0), 0);
		assert_plan(e, a, 0, 0);
		libra_engine_destroy(e);
	}
}

/* With hard starts a job never starts later than it was told. */
static void test_hard(void **state)
{
	struct libra_engine *e = open_with("hold_back=0 hard_starts=1");
	uint64_t b;

	(void)state;
	submit(e, 10, 100, 1000, 0);
	host_pass(e, 0);
	b = submit(e, 10, 50, 500, 0);
	assert_plan(e, b, 100, 100);
	assert_int_equal(submit(e, 10, 30, 135, 0), 0);
	assert_plan(e, b, 100, 100);
	libra_engine_destroy(e);
}

/* An estimate beyond the deadline: a start at once, or nothing. */
static void test_bet(void **state)
{
	struct libra_engine *e = open_with("hold_back=0");
	struct libra_verdict v = host_offer(e, host_job(0, 100, 80, 10), 0);

	(void)state;
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_near(v.late_s, 20, 0);
	assert_plan(e, v.ticket, 0, 0);
	libra_engine_commit(e, v.ticket, 1, 0);
	host_pass(e, 0);
	assert_true(host_runs(e, v.ticket));
	v = host_offer(e, host_job(0, 100, 99, 1), 0);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_int_equal(v.reason, LIBRA_REASON_WOULD_MISS);
	v = host_offer(e, host_job(0, 10, 110, 1), 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_near(v.late_s, 0, 0);
	libra_engine_destroy(e);
}

/* An early end leaves a hole; plans come forward into it if asked. */
static void test_early_end(void **state)
{
	for (int pull = 0; pull < 2; pull++) {
		struct libra_engine *e =
			open_with(pull ? "hold_back=0 replan=0 pull_hold_back=0"
				       : "hold_back=0 pull_forward=0");
		uint64_t a = submit(e, 10, 100, 1000, 0), b, c;

		(void)state;
		host_pass(e, 0);
		b = submit(e, 10, 50, 500, 0);
		libra_engine_departed(e, a, 40);
		c = submit(e, 5, 60, 101, 40);
		host_pass(e, 40);
		if (pull) { /* c came too late */
			assert_int_equal(c, 0);
			assert_plan(e, b, 40, 40);
		} else {
			assert_plan(e, c, 40, 40);
			assert_plan(e, b, 100, 450);
		}
		libra_engine_destroy(e);
	}
}

/* Plans come forward beside a part of the machine that stays free, two
 * processors here, or with nobody beside them.
 */
static void test_pull_hold_back(void **state)
{
	struct libra_engine *e = open_with("hold_back=0 pull_hold_back=20");
	uint64_t a = submit(e, 10, 100, 1000, 0), b, c, d;

	(void)state;
	host_pass(e, 0);
	b = submit(e, 5, 30, 500, 0);
	c = submit(e, 4, 60, 400, 0);
	d = submit(e, 9, 50, 1000, 0);
	assert_plan(e, b, 100, 470);
	assert_plan(e, c, 100, 340);
	assert_plan(e, d, 160, 950);
	libra_engine_departed(e, a, 20);
	host_pass(e, 20);
	assert_plan(e, c, 20, 20);   /* the first by latest start: 6 free */
	assert_plan(e, b, 80, 470);  /* beside c it would leave 1 */
	assert_plan(e, d, 110, 950); /* beside nobody */
	libra_engine_departed(e, c, 50);
	host_pass(e, 50);
	assert_plan(e, b, 50, 50);
	assert_plan(e, d, 80, 950);
	libra_engine_destroy(e);
}

/* Over its estimate a job needs 10 % more, and more again; who cannot wait for
 * it is told so, once.
 */
static void test_overrun(void **state)
{
	struct libra_engine *e = open_with("hold_back=0");
	uint64_t a = submit(e, 10, 100, 1000, 0), b, c;

	(void)state;
	host_pass(e, 0);
	b = submit(e, 10, 50, 165, 0); /* by 115 */
	c = submit(e, 10, 50, 999, 0);
	assert_plan(e, b, 100, 115);
	assert_plan(e, c, 150, 949);
	libra_engine_schedule(e, 100);
	assert_int_equal(host_nlate(e, 0), 0);
	assert_plan(e, b, 110, 115);
	assert_plan(e, c, 160, 949);
	libra_engine_schedule(e, 110);
	assert_int_equal(host_nlate(e, b), 1);
	/* Expected at 121: b is lost, and behind c now. */
	assert_plan(e, c, 121, 949);
	assert_plan(e, b, 171, 171);
	libra_engine_schedule(e, 112);
	assert_int_equal(host_nlate(e, b), 0);
	/* It ends: with c behind b again both keep their deadlines. */
	libra_engine_departed(e, a, 113);
	libra_engine_schedule(e, 113);
	assert_plan(e, b, 113, 113);
	libra_engine_destroy(e);
}

/* Half of the machine goes: what can wait waits, the other is told. */
static void test_nodes(void **state)
{
	struct libra_engine *e = open_with("hold_back=0");
	uint64_t a, b, c;

	(void)state;
	submit(e, 10, 100, 1000, 0);
	host_pass(e, 0);
	a = submit(e, 5, 50, 200, 0);
	b = submit(e, 5, 50, 300, 0);
	c = submit(e, 6, 10, 500, 0);
	assert_plan(e, a, 100, 150);
	assert_plan(e, b, 100, 250);
	assert_plan(e, c, 150, 490);
	assert_int_equal(libra_engine_node(e, 1, LIBRA_NODE_DRAIN, 10), 0);
	libra_engine_schedule(e, 10);
	assert_int_equal(host_nlate(e, c), 1);
	assert_plan(e, a, 100, 150);
	assert_plan(e, b, 150, 250);
	assert_plan(e, c, INFINITY, INFINITY);
	assert_int_equal(submit(e, 6, 10, 5000, 20), 0);
	assert_int_equal(libra_engine_node(e, 1, LIBRA_NODE_UP, 30), 0);
	libra_engine_schedule(e, 30);
	assert_plan(e, b, 100, 250);
	assert_plan(e, c, 150, 490);

	libra_engine_destroy(e);
}

static enum libra_answer change(struct libra_engine *e, uint64_t ticket,
				double estimate_s, double deadline_s,
				double now_s, double late_s)
{
	struct libra_job job = {.estimate_s = estimate_s,
				.deadline_s = deadline_s};
	struct libra_verdict v;

	assert_int_equal(libra_engine_modify(e, ticket, &job, now_s, &v, NULL),
			 0);
	if (v.answer == LIBRA_ACCEPT)
		assert_near(v.late_s, late_s, 0);
	else if (v.answer == LIBRA_REJECT)
		assert_int_equal(v.reason, LIBRA_REASON_WOULD_MISS);
	return v.answer;
}

static void test_change(void **state)
{
	struct libra_engine *e = open_with("hold_back=0");
	uint64_t a = submit(e, 10, 100, 1000, 0), b, o;

	(void)state;
	host_pass(e, 0);
	b = submit(e, 10, 50, 160, 0); /* by 110 */
	/* a may need 10 s more, not 20. */
	assert_int_equal(change(e, a, 120, 1000, 10, 0), LIBRA_REJECT);
	assert_plan(e, b, 100, 110);
	assert_int_equal(change(e, a, 110, 1000, 10, 0), LIBRA_ACCEPT);
	assert_plan(e, b, 110, 110);
	assert_near(libra_engine_left_s(e, a, 10, NULL), 100, 0);
	/* b may not be due earlier, but later, and need less. */
	assert_int_equal(change(e, b, 50, 159, 10, 0), LIBRA_REJECT);
	assert_plan(e, b, 110, 110);
	assert_int_equal(change(e, b, 40, 200, 10, 0), LIBRA_ACCEPT);
	assert_plan(e, b, 110, 160);
	/* A job that runs has its processors: a bet. */
	assert_int_equal(change(e, a, 110, 90, 10, 20), LIBRA_ACCEPT);
	assert_int_equal(change(e, a, 110, 9, 10, 0), LIBRA_REJECT);
	/* An ordinary one may ask for a promise. */
	o = submit(e, 10, 10, INFINITY, 10);
	assert_int_equal(change(e, o, 20, INFINITY, 10, 0), LIBRA_QUEUE);
	assert_int_equal(change(e, o, 20, 100, 10, 0), LIBRA_REJECT);
	assert_int_equal(change(e, o, 20, 300, 10, 0), LIBRA_ACCEPT);
	assert_plan(e, o, 150, 280);
	libra_engine_destroy(e);
}

/* Ordinary jobs: in order, round the plans, without delay of the first. */
static void test_ordinary(void **state)
{
	struct libra_engine *e = open_with("hold_back=0");
	uint64_t a, big, fits, longer, late;

	(void)state;
	a = submit(e, 6, 100, 1000, 0);
	host_pass(e, 0);
	submit(e, 10, 50, 170, 0);		 /* at 100, by 120 */
	big = submit(e, 5, 40, INFINITY, 1);	 /* at 150 */
	longer = submit(e, 2, 101, INFINITY, 1); /* beyond 100 */
	fits = submit(e, 2, 98, INFINITY, 1);
	late = submit(e, 2, 500, INFINITY, 1);
	host_pass(e, 1);
	assert_true(isnan(libra_engine_planned_start(e, big)));
	assert_false(host_runs(e, big));
	assert_false(host_runs(e, longer));
	assert_placed(e, fits, 6, 2);
	assert_false(host_runs(e, late));
	libra_engine_departed(e, a, 30);
	host_pass(e, 30);
	assert_placed(e, big, 0, 5);
	assert_false(host_runs(e, longer));
	libra_engine_destroy(e);
}

/* The oldest ordinary job gets a plan after firm_age, one at a time. */
static void test_firm(void **state)
{
	struct libra_engine *e = open_with("hold_back=0 firm_age=60");
	uint64_t first, second;

	(void)state;
	submit(e, 1, 100, 1000, 0);
	host_pass(e, 0);
	first = submit(e, 10, 10, INFINITY, 5);
	second = submit(e, 10, 10, INFINITY, 6);
	host_pass(e, 6);
	assert_true(isnan(libra_engine_planned_start(e, first)));
	assert_near(libra_engine_next_event_s(e), 65, 0);
	host_pass(e, 65);
	assert_plan(e, first, 100, 100);
	assert_true(isnan(libra_engine_planned_start(e, second)));
	/* Promises go round it. */
	assert_int_equal(submit(e, 1, 20, 115, 90), 0);
	assert_plan(e, submit(e, 1, 20, 130, 90), 110, 110);
	libra_engine_destroy(e);
}

/* A firm plan of a node that goes and comes back is firm where it is then. */
static void test_firm_after_loss(void **state)
{
	struct libra_engine *e = open_with("hold_back=0 firm_age=60");
	uint64_t first;

	(void)state;
	submit(e, 1, 100, 1000, 0);
	host_pass(e, 0);
	first = submit(e, 10, 10, INFINITY, 5);
	host_pass(e, 65);
	assert_plan(e, first, 100, 100);
	assert_int_equal(libra_engine_node(e, 1, LIBRA_NODE_DRAIN, 70), 0);
	libra_engine_schedule(e, 70);
	assert_plan(e, first, INFINITY, INFINITY);
	assert_int_equal(libra_engine_node(e, 1, LIBRA_NODE_UP, 80), 0);
	libra_engine_schedule(e, 80);
	assert_plan(e, first, 100, 100);
	assert_int_equal(submit(e, 1, 20, 115, 90), 0);
	libra_engine_destroy(e);
}

/* Promises that come faster than the machine empties: every ten minutes half of
 * it for nearly twenty.  Result: when an ordinary job that needs all of it
 * starts, INFINITY = not within a week.
 */
static double start_in_traffic(const char *settings)
{
	struct libra_engine *e = open_with(settings);
	uint64_t whole = submit(e, 10, 600, INFINITY, 0), last[2] = {0, 0};
	double start_s = INFINITY;

	for (int i = 0; i < 7 * 144 && start_s == INFINITY; i++) {
		double now_s = 600.0 * i;
		uint64_t *mine = &last[i % 2];

		if (*mine && libra_engine_departed(e, *mine, now_s) == 0)
			*mine = 0;
		if (*mine == 0)
			*mine = submit(e, 5, 1150, now_s + 1300, now_s);
		host_pass(e, now_s);
		if (host_runs(e, whole))
			start_s = now_s;
	}
	libra_engine_destroy(e);
	return start_s;
}

/* Without a plan of its own it starves; with one it has a day and an hour. */
static void test_starvation(void **state)
{
	(void)state;
	assert_near(start_in_traffic("hold_back=0 machine_reserve=0 "
				     "firm_age=1e9"),
		    INFINITY, 0);
	assert_true(start_in_traffic("hold_back=0 machine_reserve=0 "
				     "firm_age=86400") <= 25 * 3600);
}

/* A host that starts ordinary jobs itself. */
static void test_host_starts(void **state)
{
	struct libra_engine *e = open_with("hold_back=0");
	struct libra_part part = {{7, 3}, 90, NULL};
	struct libra_job job = host_job(0, 100, INFINITY, 4);
	struct libra_verdict v;
	uint64_t b, o;

	(void)state;
	submit(e, 6, 100, 1000, 0);
	host_pass(e, 0);
	b = submit(e, 10, 50, 170, 0);
	assert_plan(e, b, 100, 120);
	assert_true(libra_engine_may_start(e, &job,
					   &(struct libra_start_query){0}, 0));
	assert_false(libra_engine_may_start(e, &job,
					    &(struct libra_start_query){0}, 1));
	job.nprocs = 3;
	job.estimate_s = 90;
	assert_true(libra_engine_may_start(e, &job,
					   &(struct libra_start_query){0}, 10));
	assert_int_equal(
		libra_engine_restore(e, &job, &part, 1, true, 10, &o, NULL), 0);
	assert_placed(e, o, 7, 3);
	assert_plan(e, b, 100, 120);
	assert_fails(EBUSY, libra_engine_restore(e, &job, &part, 1, true, 10,
						 &o, NULL));
	assert_int_equal(libra_engine_plan_ordinary(e, &job, 10, &v, NULL), 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_plan(e, v.ticket, 150, 150);
	job.deadline_s = 500;
	assert_fails(EINVAL, libra_engine_plan_ordinary(e, &job, 10, &v, NULL));
	libra_engine_destroy(e);
}

/* After a restart: on their processors, and at their planned starts. */
static void test_restore(void **state)
{
	struct libra_engine *e = open_with("hold_back=0");
	struct libra_part part = {{2, 6}, 60, NULL};
	struct libra_job runs = host_job(0, 100, 1000, 6);
	struct libra_job waits = host_job(0, 50, 500, 8);
	struct libra_action action;
	uint64_t a, b, c;

	(void)state;
	assert_int_equal(
		libra_engine_restore_waiting(e, &waits, 120, 40, &b, NULL), 0);
	assert_int_equal(
		libra_engine_restore_waiting(e, &waits, NAN, 40, &c, NULL), 0);
	assert_int_equal(
		libra_engine_restore(e, &runs, &part, 1, true, 40, &a, NULL),
		0);
	libra_engine_schedule(e, 40);
	assert_placed(e, a, 2, 6);
	assert_near(libra_engine_left_s(e, a, 40, NULL), 60, 0);
	assert_int_equal(host_nlate(e, 0), 0);
	/* One without a known start: all anew, b first, behind a at 100. */
	assert_plan(e, b, 100, 450);
	assert_plan(e, c, 150, 450);
	/* Jobs and starts that cannot be are refused. */
	assert_fails(EINVAL, libra_engine_restore_waiting(e, &waits, -1e18, 40,
							  &c, NULL));
	waits.nprocs = 11;
	assert_fails(EINVAL, libra_engine_restore_waiting(e, &waits, 120, 40,
							  &c, NULL));
	waits.nprocs = 10;
	waits.estimate_s = -1;
	assert_fails(EINVAL, libra_engine_restore_waiting(e, &waits, 120, 40,
							  &c, NULL));
	waits.estimate_s = 50;
	waits.deadline_s = INFINITY;
	assert_int_equal(
		libra_engine_restore_waiting(e, &waits, 120, 41, &c, NULL), 0);
	libra_engine_destroy(e);
	/* Its start and its latest start have passed: told before it starts. */
	e = open_with("hold_back=0");
	waits.deadline_s = 500;
	assert_int_equal(
		libra_engine_restore_waiting(e, &waits, 120, 460, &b, NULL), 0);
	libra_engine_schedule(e, 460);
	for (int i = 0; i < 2; i++) {
		assert_true(libra_engine_next_action(e, &action));
		assert_int_equal(action.kind,
				 i ? LIBRA_ACTION_START : LIBRA_ACTION_LATE);
		assert_int_equal(action.ticket, b);
	}
	assert_false(libra_engine_next_action(e, &action));
	libra_engine_destroy(e);
	waits.deadline_s = INFINITY;
	e = host_engine("easy", 1, 1);
	waits.nprocs = 1;
	a = host_submit(e, waits, 1);
	assert_int_not_equal(a, 0);
	assert_true(isnan(libra_engine_planned_start(e, a)));
	assert_true(isnan(libra_engine_latest_start(e, a)));
	assert_fails(ENOTSUP,
		     libra_engine_restore_waiting(e, &waits, 1, 2, &b, NULL));
	waits.deadline_s = INFINITY;
	assert_fails(ENOTSUP,
		     libra_engine_plan_ordinary(e, &waits, 1, NULL, NULL));
	assert_false(libra_engine_may_start(e, &waits,
					    &(struct libra_start_query){0}, 1));
	libra_engine_destroy(e);
}

/* On two parts: five processors are left, and none of the job's. */
static void test_restore_parts(void **state)
{
	static const struct libra_part parts[] = {{{1, 2}, 60, NULL},
						  {{6, 3}, 60, NULL}};
	static const struct libra_part taken[] = {{{0, 1}, 10, NULL},
						  {{8, 1}, 10, NULL}};
	struct libra_engine *e = open_with("hold_back=0");
	struct libra_job runs = host_job(0, 100, 1000, 5);
	struct libra_job more = host_job(0, 10, INFINITY, 5);
	struct libra_range at[4];
	uint64_t a, b;

	(void)state;
	assert_int_equal(
		libra_engine_restore(e, &runs, parts, 2, true, 40, &a, NULL),
		0);
	assert_int_equal(libra_engine_placement(e, a, at, 4), 2);
	assert_int_equal(at[0].first, 1);
	assert_int_equal(at[0].count, 2);
	assert_int_equal(at[1].first, 6);
	assert_int_equal(at[1].count, 3);
	assert_true(libra_engine_may_start(e, &more,
					   &(struct libra_start_query){0}, 40));
	more.nprocs = 6;
	assert_false(libra_engine_may_start(
		e, &more, &(struct libra_start_query){0}, 40));
	more.nprocs = 2;
	assert_fails(EBUSY, libra_engine_restore(e, &more, taken, 2, true, 40,
						 &b, NULL));
	assert_int_equal(libra_engine_departed(e, a, 50), 0);
	more.nprocs = 10;
	assert_true(libra_engine_may_start(e, &more,
					   &(struct libra_start_query){0}, 50));
	libra_engine_destroy(e);
}

/* The earliest deadline is the first that is accepted, to the second. */
static void test_advice(void **state)
{
	struct libra_engine *e = open_with("hold_back=0");
	struct libra_job job = host_job(0, 30, 1000, 10);

	(void)state;
	submit(e, 10, 100, 1000, 0);
	host_pass(e, 0);
	submit(e, 10, 50, 500, 0);
	/* Before the one that waits: it can. */
	assert_near(libra_engine_earliest_deadline(e, &job, 0), 130, 1);
	job.deadline_s = 250;
	assert_true(libra_engine_would_accept(e, &job, 5, 0));
	assert_false(libra_engine_would_accept(e, &job, 6, 0));
	assert_near(libra_engine_earliest_together(e, &job, 3, 0), 190, 2);
	job.nprocs = 11;
	assert_near(libra_engine_earliest_deadline(e, &job, 0), INFINITY, 0);
	libra_engine_destroy(e);
}

/* now + 61 is some 3e-15 s after the outage begins, and that - 61 rounds to
 * now: two jobs that were judged by the difference were named a deadline that
 * an offer, which adds, refused.
 */
static void test_advice_rounded(void **state)
{
	struct libra_engine *e = open_with("hold_back=0 margin=60");
	const double now_s = -61.916666666666664;
	const struct libra_outage both[] = {{0, -0.91666666666666696, 4},
					    {1, -0.91666666666666696, 4}};
	struct libra_job job = host_job(now_s, 1, 1, 1);

	(void)state;
	assert_int_equal(libra_engine_outages(e, both, 2, now_s, NULL), 0);
	job.deadline_s = libra_engine_earliest_together(e, &job, 2, now_s);
	assert_int_equal(host_offer(e, job, now_s).answer, LIBRA_ACCEPT);
	assert_int_equal(host_offer(e, job, now_s).answer, LIBRA_ACCEPT);
	libra_engine_destroy(e);
}

/* A job starts half a second after its plan, as its submission took so long,
 * and another one is planned behind it.  It ends by its plan all the same, or
 * the two would lie over each other for half a second, and nobody could be
 * planned across that.
 */
static void test_late_start(void **state)
{
	struct libra_engine *e =
		open_with("hold_back=0 machine_reserve=0 pull_forward=0 "
			  "margin=45");
	uint64_t a, b, c, d;

	(void)state;
	d = submit(e, 5, 300, 9000, 0);
	host_pass(e, 0);
	a = submit(e, 5, 100, 9000, 0);
	b = submit(e, 5, 100, 9000, 0.25);
	assert_plan(e, b, 145, 8855);
	host_pass(e, 0.5);
	assert_true(host_runs(e, a));
	libra_engine_departed(e, d, 10);
	c = submit(e, 5, 200, 9000, 10);
	assert_plan(e, c, 10, 8755);
	host_pass(e, 10);
	assert_true(host_runs(e, c));
	libra_engine_destroy(e);
}

/* A margin: starts may be late by it, and ends. */
static void test_margin(void **state)
{
	struct libra_engine *e = open_with("hold_back=0 margin=10");
	uint64_t a = submit(e, 10, 100, 1000, 0), b;

	(void)state;
	b = submit(e, 10, 50, 200, 0);
	assert_plan(e, b, 110, 140);
	libra_engine_schedule(e, 0);
	host_obey(e, 8); /* it began to run then */
	libra_engine_schedule(e, 109);
	assert_plan(e, b, 110, 140);
	libra_engine_departed(e, a, 109);
	host_pass(e, 110);
	assert_true(host_runs(e, b));
	libra_engine_destroy(e);
}

/* A has 10 of its 100 s behind it when the clock is set an hour forward, to
 * where c cannot be in time any more.  A second later it is put right: a ends
 * at 100, and all is as it was.
 */
static void test_clock(void **state)
{
	struct libra_engine *e = open_with("hold_back=0 pull_hold_back=0");
	uint64_t a = submit(e, 10, 100, 1000, 0), b, c, moves;

	(void)state;
	host_pass(e, 0);
	b = submit(e, 10, 50, 10000, 0);
	c = submit(e, 10, 20, 500, 0);
	assert_plan(e, b, 100, 9950);
	assert_plan(e, c, 150, 480);
	moves = libra_engine_plan_moves(e);
	assert_int_equal(libra_engine_clock(e, 10, 3610), 0);
	assert_near(libra_engine_planned_start(e, b), 3610, 0);
	assert_true(libra_engine_plan_moves(e) > moves);
	assert_near(libra_engine_left_s(e, a, 3610, NULL), 90, 0);
	libra_engine_schedule(e, 3610);
	assert_int_equal(host_nlate(e, c), 1);
	assert_plan(e, b, 3700, 9950);
	assert_plan(e, c, 3750, 3750);
	assert_int_equal(libra_engine_clock(e, 3611, 11), 0);
	assert_near(libra_engine_left_s(e, a, 11, NULL), 89, 0);
	libra_engine_schedule(e, 11);
	assert_int_equal(host_nlate(e, 0), 0);
	assert_plan(e, c, 100, 480);
	assert_plan(e, b, 120, 9950);
	/* What comes now is planned from now on. */
	libra_engine_departed(e, a, 20);
	host_pass(e, 20);
	assert_true(host_runs(e, c));
	assert_plan(e, b, 40, 9950);
	libra_engine_destroy(e);
}

/* Each is found by its ticket, wherever it has gone among the others. */
static void test_places(void **state)
{
	enum { JOBS = 60 };
	struct libra_engine *e = open_with("hold_back=0");
	uint64_t tickets[JOBS];

	(void)state;
	submit(e, 10, 100, 1000, 0);
	host_pass(e, 0);
	for (int i = 0; i < JOBS; i++) /* before all that wait */
		tickets[i] = submit(e, 10, 10, 10000 - 100 * i, 0);
	for (int gone = 0; gone < 4; gone++) {
		for (int i = 0; i < JOBS; i++)
			if (i % 4 < gone)
				assert_true(isnan(libra_engine_latest_start(
					e, tickets[i])));
			else
				assert_near(libra_engine_latest_start(
						    e, tickets[i]),
					    9990 - 100 * i, 0);
		for (int i = gone; i < JOBS; i += 4)
			assert_int_equal(
				libra_engine_withdraw(e, tickets[i], 0), 0);
	}
	assert_true(libra_engine_next_event_s(e) == INFINITY);
	libra_engine_destroy(e);
}

static bool sure(struct libra_engine *e, uint32_t n, double estimate_s,
		 double deadline_s, uint32_t njobs)
{
	struct libra_job job = host_job(0, estimate_s, deadline_s, n);

	return libra_planned_surely_accepts(e, &job, njobs);
}

/* Windows as long as the job, from the deadline back, with as much between
 * them: [200, 300) and [0, 100) by 300.
 */
static void test_sure(void **state)
{
	struct libra_engine *e = open_with("hold_back=0 machine_reserve=0");

	(void)state;
	libra_engine_schedule(e, 0);
	assert_true(sure(e, 5, 100, 100, 2));
	assert_false(sure(e, 5, 100, 100, 3));
	assert_true(sure(e, 5, 100, 300, 4));
	assert_false(sure(e, 5, 100, 300, 5));
	assert_true(sure(e, 4, 100, 300, 4));
	assert_false(sure(e, 4, 100, 300, 5));
	assert_true(sure(e, 10, 100, 299, 1));
	assert_false(sure(e, 10, 100, 299, 2));
	assert_false(sure(e, 11, 100, 300, 1));
	/* Eight of ten run until 150: the last two windows by 400 are open. */
	submit(e, 8, 150, 1000, 0);
	host_pass(e, 0);
	assert_true(sure(e, 5, 100, 450, 4));
	assert_false(sure(e, 5, 100, 450, 5));
	/* By 300 the one behind 150 is, and two of one that ends before. */
	assert_true(sure(e, 5, 100, 300, 2));
	assert_false(sure(e, 5, 100, 300, 3));
	assert_true(sure(e, 2, 100, 300, 6));
	assert_false(sure(e, 2, 100, 300, 7));
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_sure),
		cmocka_unit_test(test_hole),
		cmocka_unit_test(test_hold_back),
		cmocka_unit_test(test_replan),
		cmocka_unit_test(test_hard),
		cmocka_unit_test(test_bet),
		cmocka_unit_test(test_early_end),
		cmocka_unit_test(test_pull_hold_back),
		cmocka_unit_test(test_overrun),
		cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_change),
		cmocka_unit_test(test_ordinary),
		cmocka_unit_test(test_firm),
		cmocka_unit_test(test_firm_after_loss),
		cmocka_unit_test(test_starvation),
		cmocka_unit_test(test_host_starts),
		cmocka_unit_test(test_restore),
		cmocka_unit_test(test_restore_parts),
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_advice_rounded),
		cmocka_unit_test(test_late_start),
		cmocka_unit_test(test_margin),
		cmocka_unit_test(test_clock),
	};

	return cmocka_run_group_tests_name("planned", tests, NULL, NULL);
}
