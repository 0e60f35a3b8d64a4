/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Budgets and penalties of workloads, and what a run earns. */
#include "tests/unit/test.h"

#include <errno.h>

#include "sim/run/run.h"
#include "sim/workload/workload.h"

enum { N = 20000 };

static struct swf_record records[N];

/* A log of N jobs: 1 to 4 processors, 100 or 300 s, one after the other. */
static struct swf_trace trace(void)
{
	for (int i = 0; i < N; i++)
		records[i] = (struct swf_record){
			.number = i + 1,
			.submit_s = 1000.0 * i,
			.run_s = i % 2 ? 300 : 100,
			.request_s = 300,
			.alloc_procs = 1 + i % 4,
			.req_procs = 1 + i % 4,
		};
	return (struct swf_trace){
		.records = records, .nrecords = N, .max_procs = 4};
}

static struct sim_workload make(const struct sim_scenario *sc)
{
	struct swf_trace t = trace();
	struct libra_error err = {""};
	struct sim_workload w;

	if (sim_workload_make(&w, &t, sc, &err) < 0)
		fail_msg("%s", err.text);
	return w;
}

static struct sim_scenario base(void)
{
	struct sim_scenario sc;

	sim_scenario_init(&sc);
	return sc;
}

/* Fill x with a factor of one class.  Result: how many. */
static size_t factors(const struct sim_workload *w, bool urgent, bool budget,
		      double *x)
{
	size_t n = 0;

	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *job = &w->jobs[i];

		if (job->high_urgency != urgent)
			continue;
		x[n++] = budget ? job->job.budget /
					  (job->runtime_s * job->job.nprocs)
				: job->job.penalty_rate / job->job.nprocs;
	}
	return n;
}

/* Normal, CV 0.25: P(factor <= 0) is 3e-5, so redrawing moves nothing. */
static void urgent_jobs_pay_the_high_mean(void **state)
{
	static double x[N];
	struct sim_scenario sc = base();
	struct sim_workload w = make(&sc);

	for (int k = 0; k < 4; k++) {
		bool urgent = k % 2;
		double mean = urgent ? 16 : 4;
		struct test_moments m =
			test_moments(x, factors(&w, urgent, k / 2, x));

		assert_mean_near(m, mean);
		assert_near(sqrt(m.var) / mean, 0.25, 0.01);
	}
	sim_workload_fini(&w);
}

static void no_option_disturbs_the_draws_of_another(void **state)
{
	struct sim_scenario sc = base();
	struct sim_workload a = make(&sc), b;

	sc.penalty_mean = 9;
	sc.penalty_cv = 1;
	b = make(&sc);
	for (size_t i = 0; i < a.njobs; i++) {
		assert_true(a.jobs[i].job.budget == b.jobs[i].job.budget);
		assert_true(a.jobs[i].deadline_rel_s ==
			    b.jobs[i].deadline_rel_s);
		assert_true(b.jobs[i].job.penalty_rate > 0);
	}
	sim_workload_fini(&a);
	sim_workload_fini(&b);
}

/* Half of the jobs run 100 s, half 300: the mean is 200. */
static void a_bias_divides_long_and_multiplies_short(void **state)
{
	struct sim_scenario sc = base();
	struct sim_workload a = make(&sc), b;

	sc.deadline_bias = 14;
	sc.budget_bias = 2.5;
	sc.penalty_bias = 0.5;
	b = make(&sc);
	assert_near(b.mean_run_s, 200, 1e-9);
	for (size_t i = 0; i < a.njobs; i++) {
		const struct sim_job *x = &a.jobs[i], *y = &b.jobs[i];
		bool is_long = x->runtime_s > 200;

		assert_near(y->deadline_rel_s / x->deadline_rel_s,
			    is_long ? 1 / 14.0 : 14, 1e-12);
		assert_near(y->job.deadline_s,
			    y->job.submit_s + y->deadline_rel_s, 1e-6);
		assert_near(y->job.budget / x->job.budget, is_long ? 0.4 : 2.5,
			    1e-12);
		assert_near(y->job.penalty_rate / x->job.penalty_rate,
			    is_long ? 2 : 0.5, 1e-12);
	}
	sim_workload_fini(&a);
	sim_workload_fini(&b);
}

static void the_bases_are_what_their_names_say(void **state)
{
	struct sim_scenario sc = base();
	double per_run, per_one, per_hour;
	struct sim_workload w;
	const struct sim_job *job;

	sc.budget_cv = sc.penalty_cv = 0;
	sc.high_urgency_pct = 0;
	sc.budget_base = sim_budget_base_find("run");
	sc.penalty_base = sim_penalty_base_find("run");
	w = make(&sc);
	job = &w.jobs[3]; /* 300 s on 4 processors */
	assert_near(job->job.budget, 4 * 300, 1e-9);
	per_run = job->job.penalty_rate;
	sim_workload_fini(&w);
	sc.penalty_base = sim_penalty_base_find("one");
	w = make(&sc);
	per_one = w.jobs[3].job.penalty_rate;
	sim_workload_fini(&w);
	sc.penalty_base = sim_penalty_base_find("run-hours");
	w = make(&sc);
	per_hour = w.jobs[3].job.penalty_rate;
	sim_workload_fini(&w);
	assert_near(per_run, 4 * 300, 1e-9);
	assert_near(per_one, 4, 1e-9);
	assert_near(per_hour, 4 * 300 / 3600.0, 1e-9);
	assert_int_equal(sim_budget_base_find("procs"), 0);
	assert_int_equal(sim_penalty_base_find(""), 0);
	assert_string_equal(sim_budget_base_name(SIM_BUDGET_RUN_PROCS),
			    "run-procs");
	assert_string_equal(sim_penalty_base_name(SIM_PENALTY_PROCS), "procs");
}

static void absurd_money_is_refused(void **state)
{
	const size_t offset[] = {
		offsetof(struct sim_scenario, budget_mean),
		offsetof(struct sim_scenario, budget_ratio),
		offsetof(struct sim_scenario, budget_cv),
		offsetof(struct sim_scenario, budget_bias),
		offsetof(struct sim_scenario, penalty_mean),
		offsetof(struct sim_scenario, penalty_bias),
		offsetof(struct sim_scenario, deadline_bias),
	};
	const double bad[] = {-1, NAN, 1e300};

	for (size_t i = 0; i < sizeof(offset) / sizeof(offset[0]); i++)
		for (size_t k = 0; k < 3; k++) {
			struct libra_error err = {""};
			struct sim_scenario sc = base();

			*(double *)((char *)&sc + offset[i]) = bad[k];
			assert_int_equal(sim_scenario_check(&sc, &err), -1);
			assert_int_equal(errno, EINVAL);
			assert_one_line(&err);
		}
}

static void an_unknown_base_is_refused(void **state)
{
	struct sim_scenario sc = base();

	sc.budget_base = 0;
	assert_int_equal(sim_scenario_check(&sc, NULL), -1);
	sc = base();
	sc.penalty_base = SIM_PENALTY_RUN + 1;
	assert_int_equal(sim_scenario_check(&sc, NULL), -1);
}

/* Two jobs on one processor, fcfs: job 1 runs 100 s with a deadline of 200, job
 * 2 ends at 400 with one of 150, 250 s late.  Budgets 4 x 100 and 4 x 300,
 * penalty rates 4: 400 + (1200 - 1000) of 1600.
 */
static void profit_is_utility_over_all_budgets(void **state)
{
	struct swf_trace t = trace();
	struct sim_scenario sc = base();
	struct sim_outcome outcomes[2];
	struct sim_workload w;
	struct sim_result r;

	t.nrecords = 2;
	records[1].submit_s = 0;
	records[1].req_procs = records[1].alloc_procs = 1;
	t.max_procs = 1;
	sc.budget_cv = sc.penalty_cv = sc.deadline_cv = 0;
	sc.high_urgency_pct = 0;
	assert_int_equal(sim_workload_make(&w, &t, &sc, NULL), 0);
	w.jobs[0].job.deadline_s = 200;
	w.jobs[1].job.deadline_s = 150;
	assert_int_equal(sim_run(&w, libra_policy_find("fcfs", NULL), NULL, &r,
				 outcomes, NULL),
			 0);
	assert_near(r.budget, 1600, 1e-9);
	assert_near(outcomes[0].utility, 400, 1e-9);
	assert_near(outcomes[1].utility, 200, 1e-9);
	assert_near(r.utility, 600, 1e-9);
	assert_near(r.profit_pct, 37.5, 1e-9);
	/* EDF refuses job 2, which earns nothing and costs nothing. */
	w.jobs[0].job.deadline_s = w.jobs[0].job.estimate_s = 100;
	assert_int_equal(sim_run(&w, libra_policy_find("edf", NULL), NULL, &r,
				 outcomes, NULL),
			 0);
	assert_near(outcomes[1].utility, 0, 0);
	assert_near(r.profit_pct, 25, 1e-9);
	sim_workload_fini(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urgent_jobs_pay_the_high_mean),
		cmocka_unit_test(no_option_disturbs_the_draws_of_another),
		cmocka_unit_test(a_bias_divides_long_and_multiplies_short),
		cmocka_unit_test(the_bases_are_what_their_names_say),
		cmocka_unit_test(absurd_money_is_refused),
		cmocka_unit_test(an_unknown_base_is_refused),
		cmocka_unit_test(profit_is_utility_over_all_budgets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
