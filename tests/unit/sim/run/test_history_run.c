/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_history_run.c - corrected estimates in a run, worked by hand. */
#include "core/policy/policies.h"
#include "sim/run/run.h"
#include "tests/unit/test.h"

/* A job of one processor; the deadline is a duration. */
static struct sim_job job(uint32_t user, double submit_s, double runtime_s,
			  double estimate_s, double deadline_rel_s)
{
	return (struct sim_job){
		.job = {.submit_s = submit_s,
			.estimate_s = estimate_s,
			.deadline_s = submit_s + deadline_rel_s,
			.nprocs = 1,
			.user = user},
		.runtime_s = runtime_s,
		.deadline_rel_s = deadline_rel_s,
	};
}

/* On one processor. */
static void run(struct sim_job *jobs, size_t n, double correct,
		enum sim_execution execution,
		const struct libra_policy_type *policy, struct sim_outcome *o)
{
	struct sim_workload w = {
		.jobs = jobs,
		.njobs = n,
		.procs = 1,
		.execution = execution,
		.correct = correct,
	};
	struct libra_error err = {""};
	struct sim_result r;

	if (sim_run(&w, policy, NULL, &r, o, &err) < 0)
		fail_msg("%s", err.text);
}

/* The median of one ratio is that ratio.
 * A: 10 s of 40: ends at 10; ratio 0.25.
 * B at 20: 80 s are said: 20.  Alone, it has executed 10 at 30.
 * C at 30: 40 s are said: 10, by 80: 0.2; B has 10 s in 90: 0.1111.  Both fit;
 * by the users' estimates they would not: 0.8 + 70/90.
 * C gets 0.2 / 0.3111 and needs 20 s: ends at 61.1111; ratio 0.5.  B has
 * executed 21.1111, more than 20: of the ratios it exceeds 0.25, so it is given
 * 0.5, 40 s.  It ends when all is done, at 70.
 */
static void a_share_by_hand(void **state)
{
	struct sim_job jobs[] = {job(1, 0, 10, 40, 100),
				 job(1, 20, 30, 80, 100),
				 job(1, 30, 20, 40, 50)};

	for (int x = SIM_INDEPENDENT; x <= SIM_COUPLED; x++) {
		struct sim_outcome o[3];

		run(jobs, 3, 0.5, x, &libra_policy_libra, o);
		assert_near(o[0].estimate_s, 40, 0);
		assert_near(o[1].estimate_s, 20, 1e-6);
		assert_near(o[2].estimate_s, 10, 1e-6);
		assert_near(o[0].finish_s, 10, 1e-6);
		assert_near(o[2].finish_s, 30 + 20 * 14 / 9.0, 1e-5);
		assert_near(o[1].finish_s, 70, 1e-5);
		run(jobs, 3, 0, x, &libra_policy_libra, o);
		assert_near(o[1].estimate_s, 80, 0);
		assert_false(o[2].accepted);
	}
}

/* A: as above.  B at 20: 80 s are said: 20; it runs for 30 s.
 * C at 45: 160 s are said: 40, by 125.  B has executed 25 and exceeds all that
 * is known, so it is given its 80 s, and needs 55 more: 95 > 80, refused.  By
 * band's own rule for overruns B would need 2.5, and C be accepted.
 */
static void what_was_exceeded_counts_in_a_decision(void **state)
{
	struct sim_job jobs[] = {job(1, 0, 10, 40, 100),
				 job(1, 20, 30, 80, 100),
				 job(1, 45, 15, 160, 80)};
	struct sim_outcome o[3];

	run(jobs, 3, 0.5, 0, &libra_policy_band, o);
	assert_near(o[2].estimate_s, 40, 1e-6);
	assert_false(o[2].accepted);
	assert_near(o[1].finish_s, 50, 1e-6);
	/* At 51 B is gone. */
	jobs[2].job.submit_s = 51;
	run(jobs, 3, 0.5, 0, &libra_policy_band, o);
	assert_true(o[2].accepted);
}

/* What has not ended is not known: B and C come while A runs. */
static void nobody_knows_the_future(void **state)
{
	struct sim_job jobs[] = {
		job(1, 0, 10, 40, 1000), job(1, 5, 10, 40, 1000),
		job(2, 15, 10, 40, 1000), job(1, 15, 10, 40, 1000)};
	struct sim_outcome o[4];

	run(jobs, 4, 0.5, 0, &libra_policy_fcfs, o);
	assert_near(o[1].estimate_s, 40, 0);
	assert_near(o[2].estimate_s, 40, 0); /* another user */
	assert_near(o[3].estimate_s, 10, 1e-6);
	/* An end comes before an arrival at the same instant. */
	jobs[1].job.submit_s = 10;
	run(jobs, 4, 0.5, 0, &libra_policy_fcfs, o);
	assert_near(o[1].estimate_s, 10, 1e-6);
}

/* Every policy of the table comes to an end with it. */
static void every_policy_runs(void **state)
{
	struct sim_job jobs[60];
	struct sim_outcome o[60];
	int corrected = 0;

	for (int i = 0; i < 60; i++) {
		double run_s = 5 + i * 37 % 50;

		jobs[i] = job((uint32_t)i % 3, 8 * i, run_s, 100, 400);
		jobs[i].job.budget = 1e4;
	}
	for (size_t p = 0; libra_policies[p]; p++)
		for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
			run(jobs, 60, 0.6, x, libra_policies[p], o);
			for (int i = 0; i < 60; i++) {
				corrected += o[i].estimate_s < 100;
				assert_true(o[i].estimate_s > 0 &&
					    o[i].estimate_s <= 100);
				assert_true(!o[i].accepted ||
					    isfinite(o[i].finish_s));
			}
		}
	assert_true(corrected > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_by_hand),
		cmocka_unit_test(what_was_exceeded_counts_in_a_decision),
		cmocka_unit_test(nobody_knows_the_future),
		cmocka_unit_test(every_policy_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
