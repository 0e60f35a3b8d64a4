/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_what.c - a what-if study of five jobs, worked out by hand. */
#include "sim/site/plan.h"
#include "sim/site/what.h"
#include "tests/unit/test.h"

/* Four processors.  1 and 2 take all of them for 100 s; 3 (4 processors) comes
 * at 10 and waits until 100; 4 (1 processor, 50 s, limit 80 s) comes at 20, and
 * EASY lets it not pass 3, as nothing is free; 5 comes at 1000.
 */
static const struct swf_record records[] = {
	{.number = 1,
	 .submit_s = 0,
	 .wait_s = 0,
	 .run_s = 100,
	 .request_s = 200,
	 .alloc_procs = 2,
	 .partition = 1,
	 .queue = 1,
	 .user = 1},
	{.number = 2,
	 .submit_s = 0,
	 .wait_s = 0,
	 .run_s = 100,
	 .request_s = 100,
	 .alloc_procs = 2,
	 .partition = 1,
	 .queue = 1,
	 .user = 1},
	{.number = 3,
	 .submit_s = 10,
	 .wait_s = 90,
	 .run_s = 100,
	 .request_s = 400,
	 .alloc_procs = 4,
	 .partition = 2,
	 .queue = 1,
	 .user = 2},
	{.number = 4,
	 .submit_s = 20,
	 .wait_s = 180,
	 .run_s = 50,
	 .request_s = 80,
	 .alloc_procs = 1,
	 .partition = 2,
	 .queue = 1,
	 .user = 2},
	{.number = 5,
	 .submit_s = 1000,
	 .wait_s = 30,
	 .run_s = 10,
	 .request_s = 20,
	 .alloc_procs = 4,
	 .partition = 1,
	 .queue = 1,
	 .user = 1},
};

static void study(struct what *what, const struct plan *plan,
		  const char *const *policies)
{
	static const double factors[] = {2};
	struct swf_record r[5];
	struct swf_trace t = {.records = r, .nrecords = 5, .max_procs = 4};
	struct what_conf conf = {.plan = plan,
				 .policies = policies,
				 .factors = factors,
				 .nfactors = 1,
				 .promise_jobs = 100};
	struct libra_error err = {""};

	memcpy(r, records, sizeof(records));
	for (size_t i = 0; i < 5; i++)
		r[i].req_procs = -1;
	assert_int_equal(what_study(what, &t, &conf, &err), 0);
}

/* Measured: waits 0, 0, 30, 90, 180: mean 60, half below 30.  Simulated: 0, 0,
 * 90, 180, 0: mean 54.  The work until the last arrival, at 1000, is 100 x 2 x
 * 2
 * + 100 x 4 + 50 = 850 of 4000.
 */
static void measured_and_simulated_waits(void **state)
{
	const char *const policies[] = {NULL};
	struct libra_error err = {""};
	struct plan plan;
	struct what w;

	assert_int_equal(plan_default(&plan, &err), 0);
	study(&w, &plan, policies);
	assert_int_equal(w.measured_jobs, 5);
	assert_near(w.measured.waits.mean_s, 60, 1e-9);
	assert_near(w.measured.waits.p50_s, 30, 0);
	assert_near(w.measured.waits.p99_s, 180, 0);
	assert_near(w.measured.utilization_pct, 100 * 850.0 / 4000, 1e-9);
	assert_near(w.runs[0].waits.mean_s, 54, 1e-9);
	assert_near(what_trust(&w), 0.9, 1e-9);
	/* By partition: 1 has the waits 0, 0, 30 and 440 of 890 seconds of
	 * work, 2 the waits 90 and 180; most work first.
	 */
	assert_int_equal(w.partitions.n, 2);
	assert_int_equal(w.partitions.list[0].number, 2);
	assert_near(w.partitions.list[0].waits.mean_s, 135, 1e-9);
	assert_near(w.partitions.list[0].work_pct, 100 * 450.0 / 890, 1e-9);
	assert_near(w.partitions.list[1].waits.mean_s, 10, 1e-9);
	/* Run time / limit: 0.25, 0.5, 0.5, 0.625, 1. */
	assert_int_equal(w.limited, 5);
	assert_near(w.limit_used[2], 0.5, 0);
	what_fini(&w);
	plan_fini(&plan);
}

static void read_plan(const char *text, struct plan *plan, int want,
		      const char *says)
{
	struct libra_error err = {""};
	char name[32];

	test_write_file(name, text, strlen(text));
	assert_int_equal(plan_read(plan, name, &err), want);
	unlink(name);
	if (want < 0)
		assert_contains(err.text, says);
}

/* With twice the processors 3 starts at once, and 4 waits until 100: 80 s.
 * Limits of 30 s end four jobs: 1 and 2 at 30, so that 3 waits 20 s, and 4,
 * which runs from 60, 40 s.
 */
static void scenarios_of_a_file(void **state)
{
	const char *const policies[] = {NULL};
	struct plan plan;
	struct what w;

	read_plan("# mine\ntwice: processors=+100%\n"
		  "short: limits=00:00:30 # ended\n"
		  "eight: processors=8 policy=fcfs load=2\n",
		  &plan, 0, "");
	assert_int_equal(plan.n, 4);
	study(&w, &plan, policies);
	assert_int_equal(w.runs[1].procs, 8);
	assert_near(w.runs[1].waits.mean_s, 80 / 5.0, 1e-9);
	assert_int_equal(w.runs[2].ended, 4);
	assert_near(w.runs[2].waits.mean_s, (20 + 40) / 5.0, 1e-9);
	assert_int_equal(w.runs[3].procs, 8);
	what_fini(&w);
	plan_fini(&plan);
}

static void wrong_scenarios_are_refused(void **state)
{
	struct plan plan;

	read_plan("", &plan, -1, "no scenario is in it");
	read_plan("no colon\n", &plan, -1, ":1: a scenario is NAME: CHANGE");
	read_plan("\na: nodes=3\n", &plan, -1, ":2: 'nodes=3' is no change");
	read_plan("a: processors=-100%\n", &plan, -1, "is no change");
	read_plan("a: policy=libra\n", &plan, -1, "is no change");
	read_plan("a: load=0\n", &plan, -1, "is no change");
}

/* Ends within twice the limits of 200, 100, 400, 80 and 20 s: each needs half
 * of its processors.  Libra's best fit puts 2 where 1 is, which fills those
 * two; so 3 finds no four with a half left, 4 finds one, and 5 comes when all
 * is over.
 */
static void promises_of_the_last_month(void **state)
{
	const char *const policies[] = {"libra", NULL};
	struct libra_error err = {""};
	struct plan plan;
	struct what w;

	assert_int_equal(plan_default(&plan, &err), 0);
	study(&w, &plan, policies);
	assert_int_equal(w.npromises, 1);
	assert_string_equal(w.promises[0].policy, "libra");
	assert_int_equal(w.promises[0].jobs, 5);
	assert_int_equal(w.promises[0].promised, 4);
	assert_int_equal(w.promises[0].kept, 4);
	assert_near(w.promises[0].work_pct, 100 * 490.0 / 890, 1e-9);
	what_fini(&w);
	plan_fini(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measured_and_simulated_waits),
		cmocka_unit_test(scenarios_of_a_file),
		cmocka_unit_test(wrong_scenarios_are_refused),
		cmocka_unit_test(promises_of_the_last_month),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
