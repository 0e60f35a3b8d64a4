/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_bound.c - the fluid bound by hand, and against the policies. */
#include "tests/random.h"
#include "tests/unit/test.h"

#include "sim/run/bound.h"
#include "sim/run/run.h"

static struct sim_job job(double submit_s, double runtime_s, uint32_t n,
			  double deadline_s)
{
	return (struct sim_job){
		.job = {.submit_s = submit_s,
			.estimate_s = runtime_s,
			.deadline_s = submit_s + deadline_s,
			.nprocs = n},
		.runtime_s = runtime_s,
		.deadline_rel_s = deadline_s,
	};
}

static double bound(struct sim_job *jobs, size_t n, uint32_t procs)
{
	struct sim_workload w = {.jobs = jobs, .njobs = n, .procs = procs};

	return sim_fluid_bound_pct(&w);
}

/* Two processors: 60 s x 1 and 100 s x 1 by 100 s are 160 of 200 s. */
static void what_fits_is_all_of_it(void **state)
{
	struct sim_job jobs[] = {job(0, 60, 1, 100), job(0, 100, 1, 100)};

	assert_near(bound(jobs, 2, 2), 100, 1e-9);
}

/* One processor, 100 s: 40 s and 60 s fit, of 80 s nothing is left. */
static void the_least_work_comes_first(void **state)
{
	struct sim_job jobs[] = {job(0, 80, 1, 100), job(0, 40, 1, 100),
				 job(0, 60, 1, 100)};

	assert_near(bound(jobs, 3, 1), 100 * 2 / 3.0, 0.1);
}

/* 50 s by 100 s and then half of 100 s by 100 s: 1.5 of 2 jobs. */
static void parts_of_jobs_count(void **state)
{
	struct sim_job jobs[] = {job(0, 50, 1, 100), job(0, 100, 1, 100)};

	assert_near(bound(jobs, 2, 1), 75, 0.1);
}

/* Time before the submission is of no use: 60 s within 50-100, 50 s fit. */
static void work_waits_for_its_submission(void **state)
{
	struct sim_job jobs[] = {job(0, 10, 1, 20), job(50, 60, 1, 50)};

	assert_near(bound(jobs, 2, 1), 100 * (1 + 50 / 60.0) / 2, 0.1);
}

static void no_policy_exceeds_it(void **state)
{
	struct sim_job jobs[80];
	struct sim_workload w = {.jobs = jobs, .njobs = 80, .procs = 8};
	double least = 100;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		uint64_t s = seed;
		double now_s = 0, pct;

		for (int i = 0; i < 80; i++) {
			double run_s = random_between(&s, 1, 100);

			jobs[i] = job(now_s, run_s,
				      1 + (uint32_t)random_between(&s, 0, 8),
				      run_s * random_between(&s, 1, 5));
			now_s += random_between(&s, 0, 20);
		}
		pct = sim_fluid_bound_pct(&w);
		least = fmin(least, pct);
		for (size_t p = 0; libra_policies[p]; p++) {
			struct sim_result r;

			assert_int_equal(sim_run(&w, libra_policies[p], NULL,
						 &r, NULL, NULL),
					 0);
			assert_true(r.fulfilled_pct <= pct + 1e-9);
		}
	}
	assert_true(least < 95); /* it binds */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_is_all_of_it),
		cmocka_unit_test(the_least_work_comes_first),
		cmocka_unit_test(parts_of_jobs_count),
		cmocka_unit_test(work_waits_for_its_submission),
		cmocka_unit_test(no_policy_exceeds_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
