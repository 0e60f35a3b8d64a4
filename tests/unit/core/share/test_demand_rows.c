/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_demand_rows.c - what demand says of one processor, by hand.
 *
 * Rows are made by hand, and the traits are asked of them.  Instants are those
 * of the clock, which shows 10 where no line says otherwise.  Behind the last
 * task of a row lies one that would be seen by whoever looks too far.
 */
#include "core/policy/policies.h"
#include "core/share/state.h"
#include "tests/unit/host.h"

enum { MOST_TASKS = 3 };

static const struct libra_share_traits *traits;
static struct libra_task tasks[MOST_TASKS + 1];

/* An engine with scratch for rows of MOST_TASKS. */
static struct libra_engine *open_engine(void)
{
	struct libra_engine *e = host_engine("demand", 1, 1);

	for (int i = 0; i < MOST_TASKS; i++)
		assert_true(host_submit(e, host_job(0, 1, 1e6, 1), 0) != 0);
	assert_int_equal(libra_share_reserve(libra_share_state(e)), 0);
	traits = e->policy->traits;
	e->now_s = 10;
	return e;
}

static struct libra_task task(double estimate_s, double left_s,
			      double deadline_s, double rate)
{
	return (struct libra_task){.estimate_s = estimate_s,
				   .est_left_s = left_s,
				   .deadline_s = deadline_s,
				   .rate = rate,
				   .running = rate > 0};
}

/* A new task that waits: all of it is left. */
static struct libra_task waits(double estimate_s, double deadline_s)
{
	return task(estimate_s, estimate_s, deadline_s, 0);
}

/* A row of the first n of tasks[], whose last event was at 10. */
static struct libra_ledger_row row_of(uint32_t n)
{
	tasks[n] = waits(1000, 11.5);
	return (struct libra_ledger_row){
		.pub = {1, n, 10, tasks},
		.tasks = tasks,
	};
}

static struct libra_job job_by(double estimate_s, double deadline_s)
{
	return (struct libra_job){.submit_s = 10,
				  .estimate_s = estimate_s,
				  .deadline_s = deadline_s,
				  .nprocs = 1};
}

/* The slack that a job leaves a row, NAN if it does not suit. */
static double slack_s(const struct libra_engine *e,
		      const struct libra_ledger_row *row, double estimate_s,
		      double deadline_s)
{
	struct libra_job job = job_by(estimate_s, deadline_s);
	double slack = -1;

	return traits->suits(e, row, &job, 0, &slack) ? slack : NAN;
}

static double takes(const struct libra_engine *e,
		    const struct libra_ledger_row *row, double estimate_s,
		    double deadline_s)
{
	struct libra_job job = job_by(estimate_s, deadline_s);

	return traits->takes(e, row, &job);
}

static bool as_empty(const struct libra_engine *e,
		     const struct libra_ledger_row *row, double deadline_s)
{
	struct libra_job job = job_by(5, deadline_s);

	return traits->as_empty(e, row, &job);
}

/* A: 60 s by 110, slack 40.  B: 20 s by 160, slack 150 - 80 = 70. */
static struct libra_ledger_row a_and_b(void)
{
	tasks[0] = waits(60, 110);
	tasks[1] = waits(20, 160);
	return row_of(2);
}

/* C comes before A and B, beside one of them, between them and behind. */
static void the_slack_is_the_least_at_any_deadline(void **state)
{
	static const struct {
		double estimate_s, deadline_s, slack_s;
	} c[] = {
		{30, 60, 10},  /* 50 - 30, 100 - 90, 150 - 110 */
		{45, 60, NAN}, /* 5, -5, 25 */
		{40, 60, 0},   /* 10, 0, 30: just */
		{60, 60, NAN}, /* no more than 50: 0, -10 */
		{30, 110, 10}, /* A and C: 100 - 90; 150 - 110 */
		{45, 110, NAN},	 {55, 130, 5},	/* 40; 120 - 115; 150 - 135 */
		{50, 160, 20},			/* 40; B and C: 150 - 130 */
		{75, 160, NAN},	 {50, 210, 40}, /* 40; 70; 200 - 130 */
		{120, 210, 0},			/* 40; 70; 200 - 200 */
		{121, 210, NAN},
	};
	struct libra_engine *e = open_engine();
	struct libra_ledger_row row = a_and_b(), none;

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		double slack =
			slack_s(e, &row, c[i].estimate_s, c[i].deadline_s);

		assert_int_equal(isnan(slack), isnan(c[i].slack_s));
		if (!isnan(slack))
			assert_near(slack, c[i].slack_s, 1e-9);
	}
	/* Alone it has what it leaves; nothing is left of what is over. */
	none = row_of(0);
	assert_near(slack_s(e, &none, 30, 60), 20, 1e-9);
	assert_near(slack_s(e, &none, 80, 60), 0, 1e-9);
	assert_true(isnan(slack_s(e, &none, 5, 10)));
	assert_true(isnan(slack_s(e, &none, 5, 9)));
	libra_engine_destroy(e);
}

/* Rounding may take 1e-6 s, and not more: 40 s leave A nothing. */
static void the_tolerance_is_a_microsecond(void **state)
{
	struct libra_engine *e = open_engine();
	struct libra_ledger_row row = a_and_b();

	assert_near(slack_s(e, &row, 40 + 5e-7, 60), -5e-7, 1e-9);
	assert_true(isnan(slack_s(e, &row, 40 + 2e-6, 60)));
	/* To the bit, at 0: two of 1e-6 s by 1e-6 lack 1e-6 s.  Who comes
	 * behind them by 2e-6 lacks 2e-6 s.
	 */
	e->now_s = 0;
	tasks[0] = waits(1e-6, 1e-6);
	row = row_of(1);
	assert_near(slack_s(e, &row, 1e-6, 1e-6), -1e-6, 0);
	tasks[0] = waits(2e-6, 2e-6);
	tasks[1] = waits(1e-6, 1e-6);
	row = row_of(2);
	assert_true(isnan(slack_s(e, &row, 1e-6, 1e-6)));
	libra_engine_destroy(e);
}

/* A ran from 10 on, 60 s by 110: at 30 it needs 40, at 90 it is 20 s over, has
 * executed 80 and counts as 8.  At 110 it is late, and counts no more.
 */
static void what_runs_needs_what_is_left(void **state)
{
	struct libra_engine *e = open_engine();
	struct libra_ledger_row row;

	tasks[0] = task(60, 60, 110, 1);
	row = row_of(1);
	e->now_s = 30;
	assert_near(slack_s(e, &row, 25, 60), 5, 1e-9);	  /* 80 - 40 - 25 */
	assert_near(slack_s(e, &row, 30, 120), 20, 1e-9); /* 90 - 40 - 30 */
	assert_near(takes(e, &row, 5, 120), 10, 1e-9);	  /* (90 - 40) / 5 */
	e->now_s = 90;
	assert_near(slack_s(e, &row, 10, 110), 2, 1e-9); /* 20 - 8 - 10 */
	assert_true(isnan(slack_s(e, &row, 13, 110)));
	assert_near(takes(e, &row, 4, 110), 3, 1e-9); /* (20 - 8) / 4 */
	e->now_s = 111;
	assert_near(takes(e, &row, 10, 161), 5, 1e-9);
	assert_near(slack_s(e, &row, 40, 161), 10, 1e-9);
	libra_engine_destroy(e);
}

/* Those behind C must bear each of them, and each has what those before leave.
 */
static void a_row_takes_as_many_as_all_can_bear(void **state)
{
	struct libra_engine *e = open_engine();
	struct libra_ledger_row row = a_and_b();

	assert_near(takes(e, &row, 10, 60), 4, 1e-9);	 /* A: 40 / 10 */
	assert_near(takes(e, &row, 10, 40), 3, 1e-9);	 /* 30 / 10 */
	assert_near(takes(e, &row, 10, 110), 4, 1e-9);	 /* (100 - 60) / 10 */
	assert_near(takes(e, &row, 10, 120), 5, 1e-9);	 /* (110 - 60) / 10 */
	assert_near(takes(e, &row, 10, 150), 7, 1e-9);	 /* B: 70 / 10 */
	assert_near(takes(e, &row, 10, 210), 12, 1e-9);	 /* (200 - 80) / 10 */
	assert_near(takes(e, &row, 300, 60), 0.8, 1e-9); /* 40 / 50 */
	row = row_of(0);
	assert_near(takes(e, &row, 10, 60), 5, 1e-9);
	libra_engine_destroy(e);
}

/* A: 60 s by 110, B: 60 s by 120, lacks 10 s.  Two of 1e-6 s by 1e-6 lack what
 * rounding may take: 200 - 2e-6 are left behind them.
 */
static void a_row_that_fails_somebody_takes_none(void **state)
{
	struct libra_engine *e = open_engine();
	struct libra_ledger_row row;

	tasks[0] = waits(60, 110);
	tasks[1] = waits(60, 120);
	row = row_of(2);
	assert_near(takes(e, &row, 10, 210), 0, 0);
	/* Nothing is left, and nobody fails: (200 - 100) / 10. */
	tasks[0] = waits(100, 110);
	row = row_of(1);
	assert_near(takes(e, &row, 10, 210), 10, 1e-9);
	e->now_s = 0;
	tasks[0] = tasks[1] = waits(1e-6, 1e-6);
	row = row_of(2);
	assert_near(takes(e, &row, 10, 200), 20, 1e-5);
	libra_engine_destroy(e);
}

/* Only who has a deadline that is no later, more than a second until it and
 * more than a second of work takes something from C that an empty row leaves.
 */
static void an_earlier_task_is_no_tie(void **state)
{
	struct libra_engine *e = open_engine();
	struct libra_ledger_row row;

	tasks[0] = waits(60, 110);
	row = row_of(1);
	assert_true(as_empty(e, &row, 109));
	assert_false(as_empty(e, &row, 110));
	assert_false(as_empty(e, &row, 111));
	/* Until its deadline: 1.1 s, 1 s, half a second. */
	e->now_s = 108.9;
	assert_false(as_empty(e, &row, 200));
	e->now_s = 109;
	assert_true(as_empty(e, &row, 200));
	e->now_s = 109.5;
	assert_true(as_empty(e, &row, 200));
	/* Of its work, at 10 + 58.5, 59 and 59.5: 1.5, 1 and 0.5 s. */
	tasks[0] = task(60, 60, 110, 1);
	e->now_s = 68.5;
	assert_false(as_empty(e, &row, 200));
	e->now_s = 69;
	assert_true(as_empty(e, &row, 200));
	e->now_s = 69.5;
	assert_true(as_empty(e, &row, 200));
	/* Each of several. */
	e->now_s = 10;
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++)
			tasks[k] = waits(60, k == i ? 100 : 300);
		row = row_of(3);
		assert_false(as_empty(e, &row, 200));
		assert_true(as_empty(e, &row, 99));
	}
	libra_engine_destroy(e);
}

/* Until when a row of one task is no place for jobs with its deadline or a
 * later one; -INFINITY if nothing is known.
 */
static double known_until_s(struct libra_task only, double now_s)
{
	static const struct libra_division ranked = {.ranked = true};
	struct libra_ledger_row row;
	struct libra_limit limit;

	tasks[0] = only;
	row = row_of(1);
	limit = traits->limit(&ranked, &row, now_s);
	if (limit.most == INFINITY)
		return -INFINITY;
	assert_near(limit.most, only.deadline_s, 0);
	return limit.until_s;
}

/* As long as 1.001 s are left of its work, and until its deadline. */
static void a_limit_holds_while_its_second_is_left(void **state)
{
	struct libra_engine *e = open_engine();
	double end_s = 10 + (60 - 1.001);

	/* 60 s from 10 on; at half the rate 30 s, which end as late. */
	assert_near(known_until_s(task(60, 60, 110, 1), 10), 68.999, 1e-9);
	assert_near(known_until_s(task(60, 30, 110, 0.5), 10), 67.998, 1e-9);
	/* By 60 it has not ended; who waits has all of its work left. */
	assert_near(known_until_s(task(60, 60, 60, 1), 10), 58.999, 1e-9);
	assert_near(known_until_s(waits(60, 110), 10), 108.999, 1e-9);
	assert_near(known_until_s(waits(1.5, 110), 10), 108.999, 1e-9);
	/* Who waits with too little left is no limit, nor who ends then. */
	assert_true(known_until_s(waits(1.001, 110), 10) == -INFINITY);
	assert_true(known_until_s(waits(0.5, 110), 10) == -INFINITY);
	assert_near(known_until_s(task(60, 60, 110, 1), 68), 68.999, 1e-9);
	assert_true(known_until_s(task(60, 60, 110, 1), end_s) == -INFINITY);
	assert_true(known_until_s(task(60, 60, 110, 1), 70) == -INFINITY);
	libra_engine_destroy(e);
}

/* The first deadline of those with more than their second left: of 110, 60 and
 * 80, in any order, and without whoever is about to end.
 */
static void the_limit_is_the_first_deadline(void **state)
{
	static const struct libra_division ranked = {.ranked = true};
	static const double deadlines_s[] = {110, 60, 80};
	struct libra_engine *e = open_engine();
	struct libra_ledger_row row;
	struct libra_limit limit;

	for (int turn = 0; turn < 3; turn++) {
		for (int k = 0; k < 3; k++)
			tasks[k] = waits(20, deadlines_s[(k + turn) % 3]);
		row = row_of(3);
		limit = traits->limit(&ranked, &row, 10);
		assert_near(limit.most, 60, 0);
		assert_near(limit.until_s, 58.999, 1e-9);
		limit = traits->limit(&ranked, &row, 59);
		assert_near(limit.most, 80, 0);
		assert_near(limit.until_s, 78.999, 1e-9);
		limit = traits->limit(&ranked, &row, 79);
		assert_near(limit.most, 110, 0);
	}
	row = row_of(0);
	assert_true(traits->limit(&ranked, &row, 10).most == INFINITY);
	libra_engine_destroy(e);
}

/* ---- long rows, whose tasks are sorted ---- */

enum { LONG = 200 };

/* By the rule, task by task: the least slack, NAN if one is too small. */
static double slack_by_rule(const struct libra_task *row, uint32_t n,
			    double estimate_s, double deadline_s)
{
	double least_s = INFINITY;

	for (uint32_t k = 0; k <= n; k++) {
		double d = k < n ? row[k].deadline_s : deadline_s;
		double left_s = d - 10 - (deadline_s <= d ? estimate_s : 0);

		for (uint32_t i = 0; i < n; i++)
			if (row[i].deadline_s <= d)
				left_s -= row[i].est_left_s;
		least_s = fmin(least_s, left_s);
	}
	return least_s >= -1e-6 ? least_s : NAN;
}

/* Deadlines in no order, some of them equal; the row is nearly full. */
static void long_rows_have_the_slack_of_the_rule(void **state)
{
	static struct libra_task row_tasks[LONG + 1];
	struct libra_engine *e = host_engine("demand", 1, 1);
	struct libra_ledger_row row = {.pub = {1, LONG, 10, row_tasks},
				       .tasks = row_tasks};
	int nfit = 0, nfull = 0;

	for (int i = 0; i < LONG; i++)
		assert_true(host_submit(e, host_job(0, 1, 1e6, 1), 0) != 0);
	assert_int_equal(libra_share_reserve(libra_share_state(e)), 0);
	traits = e->policy->traits;
	e->now_s = 10;
	for (int i = 0; i < LONG; i++) {
		double left_s = 1 + i % 9;

		row_tasks[i] = waits(left_s, 40 + 6.25 * (i * 67 % 157));
	}
	for (int i = 0; i < 400; i++) {
		double estimate_s = 1 + i % 23, deadline_s = 30 + 3 * i;
		double rule_s =
			slack_by_rule(row_tasks, LONG, estimate_s, deadline_s);
		double its_s = slack_s(e, &row, estimate_s, deadline_s);

		assert_int_equal(isnan(its_s), isnan(rule_s));
		assert_int_equal(takes(e, &row, estimate_s, deadline_s) >= 1,
				 !isnan(rule_s));
		if (!isnan(rule_s))
			assert_near(its_s, rule_s, 1e-9);
		nfit += !isnan(rule_s);
		nfull += isnan(rule_s);
	}
	print_message("%d fit, %d do not\n", nfit, nfull);
	assert_true(nfit > 50 && nfull > 50);
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests_[] = {
		cmocka_unit_test(the_slack_is_the_least_at_any_deadline),
		cmocka_unit_test(the_tolerance_is_a_microsecond),
		cmocka_unit_test(what_runs_needs_what_is_left),
		cmocka_unit_test(a_row_takes_as_many_as_all_can_bear),
		cmocka_unit_test(a_row_that_fails_somebody_takes_none),
		cmocka_unit_test(an_earlier_task_is_no_tie),
		cmocka_unit_test(a_limit_holds_while_its_second_is_left),
		cmocka_unit_test(the_limit_is_the_first_deadline),
		cmocka_unit_test(long_rows_have_the_slack_of_the_rule),
	};

	return cmocka_run_group_tests(tests_, NULL, NULL);
}
