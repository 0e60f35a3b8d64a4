/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Money: utility, and FirstReward's value, cost, slack and reward. */
#include "tests/unit/test.h"

#include <errno.h>

#include "core/engine.h"
#include "core/formula/reward.h"

/* Budget 1000, 2.5 per second, deadline at 500 (eqs 8 and 9). */
static void utility_falls_linearly_after_the_deadline(void **state)
{
	assert_near(libra_utility(1000, 2.5, 120, 500), 1000, 0);
	assert_near(libra_utility(1000, 2.5, 500, 500), 1000, 0);
	/* 100 s late: 1000 - 250; 400 s: nothing; 1000 s: a loss of 1500 */
	assert_near(libra_utility(1000, 2.5, 600, 500), 750, 1e-9);
	assert_near(libra_utility(1000, 2.5, 900, 500), 0, 1e-9);
	assert_near(libra_utility(1000, 2.5, 1500, 500), -1500, 1e-9);
	assert_near(libra_utility(1000, 2.5, 1e9, INFINITY), 1000, 0);
}

/* Three jobs, 1 % per second:
 *
 *	   budget  rate  remaining  value            cost (others' rates)
 *	a    900     3     100 s    900/2 = 450      (5 + 2) 100 = 700
 *	b   2200     5     120 s    2200/2.2 = 1000  (3 + 2) 120 = 600
 *	c    300     2      50 s    300/1.5 = 200    (3 + 5) 50 = 400
 *
 * slack: a (450 - 700)/3 = -83.3, b (1000 - 600)/5 = 80, c (200-400)/2 = -100
 * reward, alpha 1: a 4.5, b 8.33, c 4; alpha 0.4: a (180 - 420)/100 = -2.4,
 * b (400 - 360)/120 = 1/3, c (80 - 240)/50 = -3.2
 */
static const struct {
	double budget, rate, left_s, value, cost, slack_s, greedy, careful;
} three[] = {
	{900, 3, 100, 450, 700, -250.0 / 3, 4.5, -2.4},
	{2200, 5, 120, 1000, 600, 80, 25.0 / 3, 1.0 / 3},
	{300, 2, 50, 200, 400, -100, 4, -3.2},
};

static void three_jobs_have_their_slack_and_reward(void **state)
{
	for (size_t i = 0; i < 3; i++) {
		double v = libra_present_value(three[i].budget, 0.01,
					       three[i].left_s);
		double c = libra_opportunity_cost(10 - three[i].rate,
						  three[i].left_s);

		assert_near(v, three[i].value, 1e-9);
		assert_near(c, three[i].cost, 1e-9);
		assert_near(libra_slack_s(v, c, three[i].rate),
			    three[i].slack_s, 1e-9);
		assert_near(libra_reward(1, v, c, three[i].left_s),
			    three[i].greedy, 1e-9);
		assert_near(libra_reward(0.4, v, c, three[i].left_s),
			    three[i].careful, 1e-9);
	}
}

static void a_job_without_penalty_has_any_slack_or_none(void **state)
{
	assert_true(libra_slack_s(10, 10, 0) == INFINITY);
	assert_true(libra_slack_s(10, 11, 0) == -INFINITY);
}

/* ---- the policy ---- */

static struct libra_engine *engine(uint32_t nprocs, double alpha,
				   double threshold)
{
	const double params[] = {alpha, 1, threshold, 1};
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("firstreward", NULL),
		.params = params,
		.node_procs = &nprocs,
		.nnodes = 1,
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine *e = libra_engine_create(&conf, NULL);

	assert_non_null(e);
	return e;
}

static struct libra_verdict offer(struct libra_engine *e, uint64_t id,
				  double now_s, uint32_t nprocs, size_t like)
{
	struct libra_job job = {
		.submit_s = now_s,
		.estimate_s = three[like].left_s,
		.deadline_s = INFINITY,
		.nprocs = nprocs,
		.budget = three[like].budget,
		.penalty_rate = three[like].rate,
	};
	struct libra_verdict v;

	assert_int_equal(libra_engine_offer(e, &job, now_s, &v, NULL), 0);
	if (v.answer != LIBRA_REJECT)
		libra_engine_commit(e, v.ticket, id, now_s);
	return v;
}

/* Schedule, start all that is to start.  Result: the first one's id, or 0. */
static uint64_t next_start(struct libra_engine *e, double now_s)
{
	struct libra_action action;
	uint64_t id = 0;

	libra_engine_schedule(e, now_s);
	while (libra_engine_next_action(e, &action)) {
		assert_int_equal(action.kind, LIBRA_ACTION_START);
		libra_engine_started(e, action.ticket, now_s);
		id = id ? id : action.job_id;
	}
	return id;
}

/* b alone has slack 1000/5 = 200; then a has (450 - 5 x 100)/3 = -16.7 and c
 * (200 - 5 x 50)/2 = -25.
 */
static void a_job_of_too_little_slack_is_refused(void **state)
{
	struct libra_engine *e = engine(4, 1, -20);
	struct libra_verdict v = offer(e, 2, 0, 4, 1);

	assert_int_equal(v.answer, LIBRA_QUEUE);
	v = offer(e, 3, 0, 1, 2);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_int_equal(v.reason, LIBRA_REASON_SLACK);
	assert_string_equal(libra_reason_name(v.reason), "slack");
	v = offer(e, 1, 0, 1, 0);
	assert_int_equal(v.answer, LIBRA_QUEUE);
	libra_engine_destroy(e);
}

static void an_ended_job_costs_nothing_any_more(void **state)
{
	struct libra_engine *e = engine(4, 1, 80);
	uint64_t b = offer(e, 2, 0, 4, 1).ticket;

	assert_int_equal(next_start(e, 0), 2);
	assert_int_equal(offer(e, 3, 0, 1, 2).answer, LIBRA_REJECT);
	libra_engine_departed(e, b, 30);
	/* c alone: 200 / 2 = 100 */
	assert_int_equal(offer(e, 3, 30, 1, 2).answer, LIBRA_QUEUE);
	libra_engine_destroy(e);
}

/* The head waits for its processors, and nobody passes it. */
static void the_highest_reward_is_next(void **state)
{
	struct libra_engine *e = engine(4, 1, -1e9);
	uint64_t first = offer(e, 9, 0, 3, 2).ticket;

	assert_int_equal(next_start(e, 0), 9);
	offer(e, 3, 1, 1, 2); /* reward 4, would fit */
	offer(e, 1, 1, 2, 0); /* 4.5 */
	offer(e, 2, 1, 3, 1); /* 8.33 */
	assert_int_equal(next_start(e, 1), 0);
	libra_engine_departed(e, first, 20);
	assert_int_equal(next_start(e, 20), 2);
	libra_engine_destroy(e);
}

/* With alpha 0 the job whose own penalty is highest costs the others least. */
static void alpha_0_asks_for_costs_alone(void **state)
{
	struct libra_engine *e = engine(4, 0, -1e9);
	uint64_t first = offer(e, 9, 0, 4, 1).ticket;

	assert_int_equal(next_start(e, 0), 9);
	offer(e, 3, 1, 4, 2); /* rate 2 */
	offer(e, 1, 1, 4, 0); /* rate 3 */
	libra_engine_departed(e, first, 20);
	assert_int_equal(next_start(e, 20), 1);
	libra_engine_destroy(e);
}

static void absurd_money_is_refused(void **state)
{
	static const double bad[] = {-1, NAN, INFINITY, 1e30};
	struct libra_engine *e = engine(4, 1, 25);

	for (size_t i = 0; i < 4; i++) {
		struct libra_job job = {.estimate_s = 10,
					.deadline_s = INFINITY,
					.nprocs = 1,
					.budget = bad[i]};
		struct libra_error err = {""};
		struct libra_verdict v;

		assert_int_equal(libra_engine_offer(e, &job, 0, &v, &err), -1);
		assert_int_equal(errno, EINVAL);
		assert_contains(err.text, "budget");
		job.budget = 1;
		job.penalty_rate = bad[i];
		err.text[0] = '\0';
		assert_int_equal(libra_engine_offer(e, &job, 0, &v, &err), -1);
		assert_int_equal(errno, EINVAL);
		assert_contains(err.text, "penalty rate");
	}
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utility_falls_linearly_after_the_deadline),
		cmocka_unit_test(three_jobs_have_their_slack_and_reward),
		cmocka_unit_test(a_job_without_penalty_has_any_slack_or_none),
		cmocka_unit_test(a_job_of_too_little_slack_is_refused),
		cmocka_unit_test(an_ended_job_costs_nothing_any_more),
		cmocka_unit_test(the_highest_reward_is_next),
		cmocka_unit_test(alpha_0_asks_for_costs_alone),
		cmocka_unit_test(absurd_money_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
