/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_market_run.c - work plans, their ground truth, what they are worth, and
 * the optimum.
 */
#include <errno.h>

#include "core/policy.h"
#include "sim/market/market_run.h"
#include "sim/market/optimum.h"
#include "tests/unit/test.h"

static void defaults(double *options)
{
	for (int i = 0; i < MARKET_NOPTIONS; i++)
		options[i] = market_options[i].value;
}

/* ---- work plans ---- */

/* Decision by numbers: a shift and a cut give 0.207 and 0.197. */
static void gaps_are_scaled_to_their_mean(void **state)
{
	assert_near(market_gap_scale(90, 153.66, 480), 0.207, 0.0005);
	assert_near(market_gap_scale(30, 92.36, 480), 0.197, 0.0005);
}

static void draw(const double *options, enum market_values values,
		 uint64_t seed, struct market_job *jobs)
{
	assert_int_equal(
		market_draw(options, MARKET_HIGH, values, seed, jobs, NULL), 0);
}

static void a_work_plan_keeps_its_limits(void **state)
{
	double options[MARKET_NOPTIONS], spent[10] = {0};
	unsigned count[10] = {0};
	struct market_job jobs[50];

	defaults(options);
	assert_int_equal(market_njobs(options), 50);
	draw(options, MARKET_PARETO, 3, jobs);
	assert_near(jobs[0].job.submit_s, 0, 0);
	for (int i = 0; i < 50; i++) {
		const struct libra_job *job = &jobs[i].job;
		double run_s = job->deadline_s - job->submit_s;

		assert_in_range(job->nprocs, 4, 10);
		assert_true(run_s >= 119.999 && run_s <= 960.001);
		assert_near(job->estimate_s, 0.75 * run_s, 1e-9);
		assert_true(jobs[i].value >= 1);
		assert_in_range(job->user, 0, 9);
		count[job->user]++;
		spent[job->user] += job->budget;
		if (i > 0) {
			double gap_s = job->submit_s - jobs[i - 1].job.submit_s;

			assert_true(gap_s >= 29.999 && gap_s <= 480.001);
		}
	}
	for (int u = 0; u < 10; u++) {
		assert_int_equal(count[u], 5);
		assert_near(spent[u], 100, 1e-9);
	}
}

/* Within a user, budget is in proportion to value x run time x processors. */
static void budgets_are_split_by_value_time_and_size(void **state)
{
	double options[MARKET_NOPTIONS], per_weight[10] = {0};
	struct market_job jobs[50];

	defaults(options);
	draw(options, MARKET_NORMAL, 4, jobs);
	for (int i = 0; i < 50; i++) {
		const struct libra_job *job = &jobs[i].job;
		double ratio =
			job->budget /
			(jobs[i].value * (job->deadline_s - job->submit_s) *
			 job->nprocs);

		assert_true(jobs[i].value > 0);
		if (per_weight[job->user] == 0)
			per_weight[job->user] = ratio;
		assert_near(ratio / per_weight[job->user], 1, 1e-12);
	}
}

/* The values' distribution changes values and budgets alone. */
static void draws_do_not_disturb_each_other(void **state)
{
	double options[MARKET_NOPTIONS];
	struct market_job a[50], b[50];

	defaults(options);
	draw(options, MARKET_EQUAL, 5, a);
	draw(options, MARKET_PARETO, 5, b);
	for (int i = 0; i < 50; i++) {
		assert_near(a[i].value, 1, 0);
		assert_near(a[i].job.submit_s, b[i].job.submit_s, 0);
		assert_near(a[i].job.deadline_s, b[i].job.deadline_s, 0);
		assert_int_equal(a[i].job.nprocs, b[i].job.nprocs);
		assert_int_equal(a[i].job.user, b[i].job.user);
	}
}

static void options_out_of_range_are_named(void **state)
{
	static const struct {
		enum market_option option;
		double value;
		int code;
		const char *text;
	} rows[] = {
		{MARKET_HOSTS, 0, ERANGE, "hosts"},
		{MARKET_CHARGE, NAN, ERANGE, "charge"},
		{MARKET_MAX_PROCS, 16, EINVAL, "max-procs"},
		{MARKET_MIN_PROCS, 11, EINVAL, "min-procs"},
		{MARKET_MIN_RUN_S, 961, EINVAL, "min-run"},
		{MARKET_LOW_MIN_GAP_S, 200, EINVAL, "low-min-gap"},
		{MARKET_HIGH_MIN_GAP_S, 200, EINVAL, "high-min-gap"},
		{MARKET_MAX_GAP_S, 100, EINVAL, "low-mean-gap"},
		{MARKET_PROMISE, 1.5, EINVAL, "promise"},
		{MARKET_GUARANTEE, 1, ERANGE, "guarantee"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct libra_error err = {.text = ""};
		double options[MARKET_NOPTIONS];

		defaults(options);
		assert_int_equal(market_check(options, &err), 0);
		options[rows[i].option] = rows[i].value;
		errno = 0;
		assert_int_equal(market_check(options, &err), -1);
		assert_int_equal(errno, rows[i].code);
		assert_contains(err.text, rows[i].text);
		assert_one_line(&err);
	}
}

/* ---- utility ---- */

/* v = 10, p = 1.  All done: 9 and 9; 60 % done: -1 and 5; nothing: -1, -1. */
static void utilities_follow_equations_7_to_9(void **state)
{
	assert_near(market_inelastic(1, 1, 10), 9, 0);
	assert_near(market_inelastic(0.999, 1, 10), -1, 0);
	assert_near(market_elastic(0.6, 1, 10), 5, 1e-15);
	assert_near(market_elastic(1.2, 1, 10), 9, 0); /* min(wd / w, 1) */
	assert_near(market_elastic(0, 1, 10), -1, 0);
}

/* ---- ground truth ---- */

/* Jobs on 2 hosts of 2 CPUs, of which a job uses all it gets: estimate e of
 * each part, from submit to deadline, bidding b on each host.
 */
static struct market_job plan(uint32_t nprocs, double submit_s, double e,
			      double deadline_s, double bid)
{
	return (struct market_job){
		.job = {.submit_s = submit_s,
			.estimate_s = e,
			.deadline_s = deadline_s,
			.budget = bid * (deadline_s - submit_s) * nprocs,
			.nprocs = nprocs},
	};
}

static void small_market(double *options, bool pooled)
{
	defaults(options);
	options[MARKET_HOSTS] = 2;
	options[MARKET_POOLED] = pooled;
	options[MARKET_MOST] = 0;
	options[MARKET_BIN_S] = 10;
}

static struct market_truth simulate(const struct market_job *jobs, size_t n,
				    const double *options,
				    struct market_outcome *outcomes,
				    struct market_prices *prices)
{
	static const double params[] = {2, 0, 0, 0};
	struct market_truth truth;

	assert_int_equal(market_run(jobs, n, options,
				    libra_policy_find("market-be", NULL),
				    params, outcomes, &truth, prices, NULL),
			 0);
	return truth;
}

/* Each of two jobs gets a host of its own, with 2 CPUs: 40 s of work take 20 s.
 */
static void a_lone_job_has_the_whole_host(void **state)
{
	const struct market_job jobs[] = {plan(1, 0, 40, 100, 3),
					  plan(1, 0, 60, 100, 1)};
	struct market_outcome outcomes[2];
	double options[MARKET_NOPTIONS];
	struct market_truth truth;

	small_market(options, false);
	truth = simulate(jobs, 2, options, outcomes, NULL);
	assert_near(outcomes[0].finish_s, 20, 1e-9);
	assert_near(outcomes[1].finish_s, 30, 1e-9);
	assert_near(outcomes[0].done, 1, 0);
	assert_near(outcomes[0].spent, 60, 1e-9); /* 3 x 20 s */
	assert_near(truth.work, 100, 1e-9);
	assert_near(truth.capacity, 30 * 4, 1e-9);
}

/* Both jobs on both hosts, bids 3 and 1: 1.5 and 0.5 CPUs.  Job 1 has 60 s of
 * work per part: done at 40.  Job 2 had 20 s then, and goes on with 2 CPUs to
 * its deadline 50: 40 s of 100, so 0.4.
 */
static void a_job_is_stopped_at_its_deadline(void **state)
{
	const struct market_job jobs[] = {plan(2, 0, 60, 100, 3),
					  plan(2, 0, 100, 50, 1)};
	struct market_prices prices = {.price = NULL};
	struct market_outcome outcomes[2];
	double options[MARKET_NOPTIONS];
	struct market_truth truth;

	small_market(options, false);
	truth = simulate(jobs, 2, options, outcomes, &prices);
	assert_near(outcomes[0].finish_s, 40, 1e-9);
	assert_near(outcomes[1].finish_s, 50, 1e-9);
	assert_near(outcomes[1].done, 0.4, 1e-9);
	assert_near(outcomes[1].spent, 100, 1e-9); /* all of it */
	assert_near(truth.work, 2 * 60 + 2 * 40, 1e-9);
	/* The price is 4 up to 40 s, then 1. */
	assert_true(prices.n >= 5);
	assert_near(prices.price[0], 4, 1e-9);
	assert_near(prices.price[3], 4, 1e-9);
	assert_near(prices.price[4], 1, 1e-9);
	market_prices_fini(&prices);
}

/* Job 1 (bid 1) is on both hosts, job 2 (bid 1) on host 0: job 1 has 1 + 2
 * CPUs, and 60 s of work per part.  Alone each part takes 60 and 30 s; pooled
 * the 120 s are done after 40.
 */
static void pooled_parts_end_together(void **state)
{
	const struct market_job jobs[] = {plan(2, 0, 60, 100, 1),
					  plan(1, 0, 200, 100, 1)};
	struct market_outcome outcomes[2];
	double options[MARKET_NOPTIONS];

	small_market(options, false);
	simulate(jobs, 2, options, outcomes, NULL);
	assert_near(outcomes[0].finish_s, 60, 1e-9);
	small_market(options, true);
	simulate(jobs, 2, options, outcomes, NULL);
	assert_near(outcomes[0].finish_s, 40, 1e-9);
}

/* The same two jobs.  The part of job 1 on host 1 is done at 30 s, that on host
 * 0 at 60.  If parts leave with their job it pays for both until then, and host
 * 1 works on; if it runs on to the deadline, until 100 s.  Job 2 has done 60 s
 * then, and if it is alone 2 x 40 s more, else 40.
 */
static void what_is_done_leaves_by_itself_or_later(void **state)
{
	static const struct {
		double finish_s, spent, done, work;
	} expected[] = {
		[MARKET_END_PART] = {60, 90, 0.7, 60 + 60 + 140},
		[MARKET_END_JOB] = {60, 120, 0.7, 60 + 120 + 140},
		[MARKET_END_DEADLINE] = {100, 200, 0.5, 100 + 200 + 100},
	};
	const struct market_job jobs[] = {plan(2, 0, 60, 100, 1),
					  plan(1, 0, 200, 100, 1)};
	struct market_outcome outcomes[2];
	double options[MARKET_NOPTIONS];
	struct market_truth truth;

	small_market(options, false);
	for (int ends = MARKET_END_PART; ends <= MARKET_END_DEADLINE; ends++) {
		options[MARKET_ENDS] = ends;
		truth = simulate(jobs, 2, options, outcomes, NULL);
		assert_near(outcomes[0].done, 1, 0);
		assert_near(outcomes[0].finish_s, expected[ends].finish_s,
			    1e-9);
		assert_near(outcomes[0].spent, expected[ends].spent, 1e-9);
		assert_near(outcomes[1].done, expected[ends].done, 1e-9);
		assert_near(truth.work, expected[ends].work, 1e-9);
	}
}

/* Nothing is lost: work done is what the outcomes say, and no more than there
 * was.
 */
static void work_is_conserved(void **state)
{
	static const char *const policies[] = {"market-be", "market-sac",
					       "market-cac"};
	double options[MARKET_NOPTIONS];
	struct market_job jobs[50];
	struct market_outcome outcomes[50];

	defaults(options);
	for (uint64_t seed = 1; seed <= 10; seed++)
		for (int p = 0; p < 3; p++) {
			double params[] = {2, 1, 0, 0, 0.6, 1, 600, 0, 50};
			struct market_truth truth;
			double work = 0;

			draw(options, (enum market_values)(seed % 3), seed,
			     jobs);
			assert_int_equal(
				market_run(jobs, 50, options,
					   libra_policy_find(policies[p], NULL),
					   params, outcomes, &truth, NULL,
					   NULL),
				0);
			for (int i = 0; i < 50; i++) {
				const struct libra_job *job = &jobs[i].job;

				work += outcomes[i].done * job->estimate_s *
					job->nprocs;
				assert_true(outcomes[i].done >= 0 &&
					    outcomes[i].done <= 1);
				assert_true(outcomes[i].spent <=
					    job->budget * (1 + 1e-9));
				assert_int_equal(outcomes[i].accepted,
						 !isnan(outcomes[i].finish_s));
			}
			assert_near(work, truth.work, 1e-6 * work);
			assert_true(truth.work <= truth.capacity);
		}
}

/* With pooled parts no contract of capacity admission can be broken. */
static void capacity_admission_keeps_its_word(void **state)
{
	const double params[] = {2, 1, 0, 0, 0.6, 1, 600, 0, 50};
	double options[MARKET_NOPTIONS];
	struct market_job jobs[50];
	struct market_outcome outcomes[50];
	struct market_truth truth;

	defaults(options);
	options[MARKET_POOLED] = 1;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		draw(options, MARKET_PARETO, seed, jobs);
		assert_int_equal(
			market_run(jobs, 50, options,
				   libra_policy_find("market-cac", NULL),
				   params, outcomes, &truth, NULL, NULL),
			0);
		for (int i = 0; i < 50; i++)
			assert_true(!outcomes[i].accepted ||
				    outcomes[i].done >= 1);
	}
}

/* ---- the optimum ---- */

/* 2 hosts of 2 CPUs, 10 s: 40 CPU s.  Jobs of 2 hosts x 10 s = 20 CPU s with
 * values 6, 5 and 4: two fit.  As a fraction nothing more fits either.
 */
static void the_optimum_takes_what_fits(void **state)
{
	const struct market_job jobs[] = {plan(2, 0, 10, 10, 0.2),
					  plan(2, 0, 10, 10, 0.3),
					  plan(2, 0, 10, 10, 0.25)};
	struct market_optimum optimum;
	double options[MARKET_NOPTIONS];
	bool chosen[3];

	small_market(options, false);
	assert_int_equal(
		market_optimum(jobs, 3, options, &optimum, chosen, NULL), 0);
	assert_near(optimum.value, 11, 1e-9);
	assert_near(optimum.bound, 11, 1e-9);
	assert_false(chosen[0]);
	assert_true(chosen[1]);
	assert_true(chosen[2]);
}

/* Job 1 can wait: 20 CPU s of 0 to 20, job 2 needs all 40 CPU s of 0 to 10.
 * Both fit only if job 1's work, put first, moves behind.
 */
static void work_moves_to_make_room(void **state)
{
	const struct market_job jobs[] = {plan(2, 0, 10, 20, 1),
					  plan(2, 0, 20, 10, 1)};
	struct market_optimum optimum;
	double options[MARKET_NOPTIONS];

	small_market(options, false);
	assert_int_equal(market_optimum(jobs, 2, options, &optimum, NULL, NULL),
			 0);
	assert_near(optimum.value, 60, 1e-9);
}

/* 1 job of 20 CPU s and value 3 has the best density, but a job of 40 CPU s and
 * value 5 is worth more, and only one fits: greedy by value finds 5.  In
 * fractions: 3 + 5 / 2.
 */
static void whole_jobs_are_not_fractions(void **state)
{
	const struct market_job jobs[] = {plan(2, 0, 10, 10, 0.15),
					  plan(2, 0, 20, 10, 0.25)};
	struct market_optimum optimum;
	double options[MARKET_NOPTIONS];

	small_market(options, false);
	assert_int_equal(market_optimum(jobs, 2, options, &optimum, NULL, NULL),
			 0);
	assert_near(optimum.value, 5, 1e-9);
	assert_near(optimum.bound, 5.5, 1e-6);
}

/* Job 1 needs more than it can ever get. */
static void what_cannot_be_done_is_left(void **state)
{
	const struct market_job jobs[] = {plan(2, 0, 21, 10, 9),
					  plan(1, 5, 1, 10, 1)};
	struct market_optimum optimum;
	double options[MARKET_NOPTIONS];
	bool chosen[2];

	small_market(options, false);
	assert_int_equal(
		market_optimum(jobs, 2, options, &optimum, chosen, NULL), 0);
	assert_false(chosen[0]);
	assert_near(optimum.value, 5, 1e-9);
}

/* Against all subsets of small random plans: never above the truth, never below
 * it by more than the bound says.
 */
static bool fits(const struct market_job *jobs, unsigned set, unsigned n,
		 const double *options)
{
	struct market_job chosen[8];
	struct market_optimum optimum;
	double value = 0;
	unsigned m = 0;

	for (unsigned i = 0; i < n; i++)
		if (set >> i & 1) {
			chosen[m++] = jobs[i];
			value += jobs[i].job.budget;
		}
	if (m == 0)
		return true;
	assert_int_equal(
		market_optimum(chosen, m, options, &optimum, NULL, NULL), 0);
	return optimum.bound > value * (1 - 1e-7);
}

static void the_bound_holds_the_true_optimum(void **state)
{
	double options[MARKET_NOPTIONS];
	struct market_job jobs[50];

	defaults(options);
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct market_optimum optimum;
		double best = 0;

		draw(options, MARKET_PARETO, seed, jobs);
		for (int i = 0; i < 8; i++) { /* crowd them */
			double run_s =
				jobs[i].job.deadline_s - jobs[i].job.submit_s;

			jobs[i].job.submit_s /= 5;
			jobs[i].job.deadline_s = jobs[i].job.submit_s + run_s;
		}
		assert_int_equal(
			market_optimum(jobs, 8, options, &optimum, NULL, NULL),
			0);
		for (unsigned set = 0; set < 256; set++) {
			double value = 0;

			for (unsigned i = 0; i < 8; i++)
				value += set >> i & 1 ? jobs[i].job.budget : 0;
			if (value > best && fits(jobs, set, 8, options))
				best = value;
		}
		assert_true(optimum.value <= best * (1 + 1e-7));
		assert_true(best <= optimum.bound * (1 + 1e-7));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_are_scaled_to_their_mean),
		cmocka_unit_test(a_work_plan_keeps_its_limits),
		cmocka_unit_test(budgets_are_split_by_value_time_and_size),
		cmocka_unit_test(draws_do_not_disturb_each_other),
		cmocka_unit_test(options_out_of_range_are_named),
		cmocka_unit_test(utilities_follow_equations_7_to_9),
		cmocka_unit_test(a_lone_job_has_the_whole_host),
		cmocka_unit_test(a_job_is_stopped_at_its_deadline),
		cmocka_unit_test(pooled_parts_end_together),
		cmocka_unit_test(what_is_done_leaves_by_itself_or_later),
		cmocka_unit_test(work_is_conserved),
		cmocka_unit_test(capacity_admission_keeps_its_word),
		cmocka_unit_test(the_optimum_takes_what_fits),
		cmocka_unit_test(work_moves_to_make_room),
		cmocka_unit_test(whole_jobs_are_not_fractions),
		cmocka_unit_test(what_cannot_be_done_is_left),
		cmocka_unit_test(the_bound_holds_the_true_optimum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
