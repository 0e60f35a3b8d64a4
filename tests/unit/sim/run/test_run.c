/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_run.c - small workloads, carried through by hand. */
#include <errno.h>

#include "core/policy/policies.h"
#include "sim/run/run.h"
#include "tests/unit/test.h"

/* A job; the deadline is a duration. */
static struct sim_job job(double submit_s, double runtime_s, double estimate_s,
			  double deadline_rel_s, uint32_t nprocs)
{
	return (struct sim_job){
		.job = {.submit_s = submit_s,
			.estimate_s = estimate_s,
			.deadline_s = submit_s + deadline_rel_s,
			.nprocs = nprocs},
		.runtime_s = runtime_s,
		.deadline_rel_s = deadline_rel_s,
	};
}

static struct sim_result run(struct sim_job *jobs, size_t n, uint32_t procs,
			     const struct libra_policy_type *policy,
			     struct sim_outcome *o)
{
	struct sim_workload w = {.jobs = jobs, .njobs = n, .procs = procs};
	struct libra_error err = {""};
	struct sim_result r;

	if (sim_run(&w, policy, NULL, &r, o, &err) < 0)
		fail_msg("%s", err.text);
	return r;
}

/* 4 processors.  0: A (3, 10 s of 20 s).  1: B (2, 5 s) waits.  2: C (1, 4 s)
 * waits behind B under fcfs, until A ends at 10: both start.
 * EASY: B is expected at 20; C ends by its estimate at 6: starts at 2.
 */
static void queues_wait_for_real_ends(void **state)
{
	struct sim_job jobs[] = {job(0, 10, 20, INFINITY, 3),
				 job(1, 5, 5, INFINITY, 2),
				 job(2, 4, 4, INFINITY, 1)};
	struct sim_outcome o[3];
	struct sim_result r = run(jobs, 3, 4, &libra_policy_fcfs, o);

	assert_near(o[0].start_s, 0, 0);
	assert_near(o[1].start_s, 10, 0);
	assert_near(o[2].start_s, 10, 0);
	assert_near(o[1].finish_s, 15, 0);
	assert_near(o[2].finish_s, 14, 0);
	assert_near(r.mean_wait_s, (0 + 9 + 8) / 3.0, 1e-12);
	assert_near(r.makespan_s, 15, 0);
	/* Work: 30 + 10 + 4 = 44 of 60. */
	assert_near(r.utilization_pct, 100 * 44 / 60.0, 1e-12);
	run(jobs, 3, 4, &libra_policy_easy, o);
	assert_near(o[1].start_s, 10, 0);
	assert_near(o[2].start_s, 2, 0);
}

/* At 10 A ends, B comes and needs all: it starts at once. */
static void ends_come_before_arrivals(void **state)
{
	struct sim_job jobs[] = {job(0, 10, 10, 100, 2), job(10, 5, 5, 100, 2)};
	struct sim_outcome o[2];

	run(jobs, 2, 2, &libra_policy_edf, o);
	assert_near(o[1].start_s, 10, 0);
	run(jobs, 2, 2, &libra_policy_libra, o);
	assert_near(o[1].finish_s, 15, 1e-12);
}

/* Two arrivals at one instant: one pass sees both, the earlier deadline wins,
 * though it came second.
 */
static void arrivals_at_an_instant_come_before_the_pass(void **state)
{
	struct sim_job jobs[] = {job(5, 10, 10, 90, 1), job(5, 10, 10, 80, 1)};
	struct sim_outcome o[2];

	run(jobs, 2, 1, &libra_policy_edf, o);
	assert_near(o[1].start_s, 5, 0);
	assert_near(o[0].start_s, 15, 0);
}

/* One processor.  A: 50 s by 100.  B at 20: 40 s by 120 (100 s later).
 * At 20: A has 30 s left, 30 / 80 = 0.375; B 0.4.  Sum 0.775; rates 15/31 and
 * 16/31.  A would end at 20 + 30 x 31/15 = 82, B at 20 + 40 x 31/16 = 97.5.
 * At 82 B has 40 - 32 = 8 s left: it ends at 90.
 */
static void shares_are_renewed_at_each_event(void **state)
{
	struct sim_job jobs[] = {job(0, 50, 50, 100, 1),
				 job(20, 40, 40, 100, 1)};
	struct sim_outcome o[2];
	struct sim_result r = run(jobs, 2, 1, &libra_policy_libra, o);

	assert_near(o[0].finish_s, 82, 1e-9);
	assert_near(o[1].finish_s, 90, 1e-9);
	assert_int_equal(r.fulfilled, 2);
	/* Slowdown: 82 / 50 and 70 / 40. */
	assert_near(r.mean_slowdown, (1.64 + 1.75) / 2, 1e-9);
	assert_near(r.mean_wait_s, 0, 0);
	assert_near(r.utilization_pct, 100, 1e-9);
}

/* A parallel job ends with its last part.  A: 30 s on processors 0 and 1 by
 * 60; B: 25 s by 100 goes beside it on 0 (0.75): rates 2/3 and 1/3.  On 1 A
 * ends at 30.  On 0 it ends at 45; B has 10 s left: 55.
 */
static void a_job_ends_with_its_last_part(void **state)
{
	struct sim_job jobs[] = {job(0, 30, 30, 60, 2), job(0, 25, 25, 100, 1)};
	struct sim_outcome o[2];

	run(jobs, 2, 2, &libra_policy_libra, o);
	assert_near(o[0].finish_s, 45, 1e-9);
	assert_near(o[1].finish_s, 55, 1e-9);
}

/* 30 s of work that were said to be 10 s, by 20: late at 20, ends at 30. */
static void nothing_is_killed(void **state)
{
	struct sim_job jobs[] = {job(0, 30, 10, 20, 1)};
	struct sim_outcome o[1];
	struct sim_result r = run(jobs, 1, 1, &libra_policy_libra, o);

	assert_true(o[0].accepted && !o[0].fulfilled);
	assert_near(o[0].finish_s, 30, 1e-9);
	assert_near(r.reliability_pct, 0, 0);
	r = run(jobs, 1, 1, &libra_policy_edf, o);
	assert_near(o[0].finish_s, 30, 0);
	assert_int_equal(r.accepted, 1);
}

/* The papers' point: 400 s are said, 90 are needed, by 100.  Libra refuses,
 * LibraRisk takes it on an empty processor, and it ends in time.
 */
static void librarisk_takes_overestimated_jobs(void **state)
{
	struct sim_job jobs[] = {job(0, 90, 400, 100, 1)};
	struct sim_outcome o[1];

	run(jobs, 1, 1, &libra_policy_libra, o);
	assert_false(o[0].accepted);
	assert_int_equal(o[0].reason, LIBRA_REASON_NO_SHARE);
	assert_true(isnan(o[0].finish_s) && isnan(o[0].start_s));
	run(jobs, 1, 1, &libra_policy_librarisk, o);
	assert_true(o[0].accepted && o[0].fulfilled);
	assert_near(o[0].finish_s, 90, 1e-9);
}

/* EDF refuses when it could start, not before: A until 10; B (30 s by 35). */
static void refusals_are_in_the_outcome(void **state)
{
	struct sim_job jobs[] = {job(0, 10, 10, 50, 1), job(1, 30, 30, 35, 1),
				 job(2, 5, 5, 100, 1), job(3, 1, 1, 9, 2)};
	struct sim_outcome o[4];
	struct sim_result r = run(jobs, 4, 1, &libra_policy_edf, o);

	assert_int_equal(o[1].reason, LIBRA_REASON_WOULD_MISS);
	assert_int_equal(o[3].reason, LIBRA_REASON_TOO_LARGE);
	assert_near(o[2].start_s, 10, 0);
	assert_int_equal(r.submitted, 4);
	assert_int_equal(r.accepted, 2);
	assert_near(r.fulfilled_pct, 50, 0);
	assert_near(r.reliability_pct, 100, 0);
}

/* Bounded slowdown: A waits 0 s for 4 s of work (1), B waits 4 s for 2 s: 6 s
 * over at least 10 s is below 1: 1; C (20 s) waits 6 s: 26 / 20.
 */
static void the_bounded_slowdown_spares_short_jobs(void **state)
{
	struct sim_job jobs[] = {job(0, 4, 4, INFINITY, 1),
				 job(0, 2, 2, INFINITY, 1),
				 job(0, 20, 20, INFINITY, 1)};
	struct sim_result r = run(jobs, 3, 1, &libra_policy_fcfs, NULL);

	assert_near(r.mean_bounded_slowdown, (1 + 1 + 1.3) / 3, 1e-12);
	assert_near(r.mean_wait_s, 10 / 3.0, 1e-12);
}

/* An end later than the deadline by 1e-6 s at the most is in time. */
static void the_deadline_has_a_tolerance(void **state)
{
	struct sim_outcome o[1];

	for (int i = 0; i < 2; i++) {
		double late_s = i ? 1.5e-6 : 0.5e-6;
		struct sim_job jobs[] = {job(0, 10, 9, 10 - late_s, 1)};

		run(jobs, 1, 1, &libra_policy_fcfs, o);
		assert_int_equal(o[0].fulfilled, i == 0);
	}
}

static void senseless_parameters_are_refused(void **state)
{
	static const double param = 3;
	struct sim_job jobs[] = {job(0, 10, 10, 50, 1)};
	struct sim_workload w = {.jobs = jobs, .njobs = 1, .procs = 1};
	struct libra_error err = {""};
	struct sim_result r;

	assert_int_equal(sim_run(&w, &libra_policy_edf, &param, &r, NULL, &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	libra_error_clear(&err);
	jobs[0].job.estimate_s = NAN;
	assert_int_equal(sim_run(&w, &libra_policy_edf, NULL, &r, NULL, &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_contains(err.text, "estimate");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queues_wait_for_real_ends),
		cmocka_unit_test(ends_come_before_arrivals),
		cmocka_unit_test(arrivals_at_an_instant_come_before_the_pass),
		cmocka_unit_test(shares_are_renewed_at_each_event),
		cmocka_unit_test(a_job_ends_with_its_last_part),
		cmocka_unit_test(nothing_is_killed),
		cmocka_unit_test(librarisk_takes_overestimated_jobs),
		cmocka_unit_test(refusals_are_in_the_outcome),
		cmocka_unit_test(the_bounded_slowdown_spares_short_jobs),
		cmocka_unit_test(the_deadline_has_a_tolerance),
		cmocka_unit_test(senseless_parameters_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
