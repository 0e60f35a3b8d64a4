/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_stats.c - a handful of records, measured by hand. */
#include "sim/log/trace_stats.h"
#include "tests/unit/test.h"

static struct swf_record record(double submit_s, double run_s, double request_s,
				int req_procs, int alloc_procs, int user)
{
	return (struct swf_record){
		.submit_s = submit_s,
		.run_s = run_s,
		.request_s = request_s,
		.req_procs = req_procs,
		.alloc_procs = alloc_procs,
		.user = user,
	};
}

static struct trace_stats measure(struct swf_record *r, size_t nrecords,
				  size_t n)
{
	struct swf_trace t = {
		.records = r, .nrecords = nrecords, .max_procs = 10};
	struct libra_error err = {""};
	struct trace_stats st;

	assert_int_equal(trace_stats(&t, n, &st, &err), 0);
	return st;
}

/* Gaps 10, 30, 20: mean 20, variance (100 + 100) / 3, cv 8.165 / 20. */
static void arrivals_and_jobs(void **state)
{
	struct swf_record r[] = {
		record(100, 30, 60, 4, 8, 3), record(110, 60, 60, -1, 2, 3),
		record(140, -1, 60, 9, -1, -1), record(160, 15, -1, 1, 1, 7)};
	struct trace_stats st = measure(r, 4, 0);

	assert_int_equal(st.records, 4);
	assert_near(st.span_s, 60, 0);
	assert_near(st.mean_gap_s, 20, 0);
	assert_near(st.gap_cv, sqrt(200.0 / 3) / 20, 1e-15);
	assert_near(st.mean_run_s, (30 + 60 - 1 + 15) / 4.0, 0);
	assert_near(st.mean_procs, (4 + 2 + 9 + 1) / 4.0, 0);
	assert_near(st.max_procs, 9, 0);
	assert_int_equal(st.users, 2);
	assert_int_equal(st.ran, 3);
	/* Work on the allocated: 30 x 8 + 60 x 2 + 15 = 375 of 60 x 10. */
	assert_near(st.utilization, 375 / 600.0, 1e-15);
	assert_int_equal(st.estimated, 2);
}

static void only_the_last_records_count(void **state)
{
	struct swf_record r[] = {record(0, 1000, 60, 4, 8, 1),
				 record(110, 60, 60, 1, 2, 3),
				 record(140, 30, 60, 1, 1, 5)};
	struct trace_stats st = measure(r, 3, 2);

	assert_int_equal(st.records, 2);
	assert_near(st.span_s, 30, 0);
	assert_near(st.mean_run_s, 45, 0);
	assert_int_equal(st.users, 2);
	assert_int_equal(measure(r, 3, 99).records, 3);
	assert_int_equal(measure(r, 3, 3).records, 3);
}

/* Ratios of estimate and run time: 0.5, 1, 2, 5, 20.  Above 1: 3 of 5; above 4:
 * 2; above 16: 1.  Quantiles between the sorted ones: the median is 2, 75 % lie
 * at place 3 (5), 90 % at place 3.6: 5 + 0.6 x 15 = 14.
 */
static void estimates_are_measured_against_run_times(void **state)
{
	struct swf_record r[] = {
		record(0, 10, 200, 1, 1, 1), record(1, 40, 20, 1, 1, 1),
		record(2, 10, 10, 1, 1, 1),  record(3, 10, 50, 1, 1, 1),
		record(4, 30, 60, 1, 1, 1),  record(5, 0, 60, 1, 1, 1),
		record(6, 30, -1, 1, 1, 1)};
	struct trace_stats st = measure(r, 7, 0);

	assert_int_equal(st.estimated, 5);
	assert_near(st.over_share, 0.6, 1e-15);
	assert_near(st.over_4, 0.4, 1e-15);
	assert_near(st.over_16, 0.2, 1e-15);
	assert_near(st.ratio[0], 2, 1e-12);
	assert_near(st.ratio[1], 5, 1e-12);
	assert_near(st.ratio[2], 14, 1e-12);
	assert_near(st.ratio[3], 20, 0);
	assert_int_equal(st.overruns, 1);
	assert_near(st.overrun_max_s, 20, 0);
	assert_near(st.overrun_max_ratio, 2, 1e-15);
}

static void what_cannot_be_measured_is_no_number(void **state)
{
	struct swf_record r[] = {record(5, -1, -1, 1, 1, -1)};
	struct trace_stats st = measure(r, 1, 0);

	assert_true(isnan(st.mean_gap_s) && isnan(st.gap_cv));
	assert_true(isnan(st.utilization));
	assert_true(isnan(st.over_share) && isnan(st.ratio[0]));
	assert_int_equal(st.estimated, 0);
	assert_int_equal(st.users, 0);
	assert_near(st.span_s, 0, 0);
}

/* All at one instant: no variation to divide. */
static void equal_instants_have_no_variation(void **state)
{
	struct swf_record r[] = {record(5, 1, 1, 1, 1, 1),
				 record(5, 1, 1, 1, 1, 1)};
	struct trace_stats st = measure(r, 2, 0);

	assert_near(st.mean_gap_s, 0, 0);
	assert_true(isnan(st.gap_cv));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrivals_and_jobs),
		cmocka_unit_test(only_the_last_records_count),
		cmocka_unit_test(estimates_are_measured_against_run_times),
		cmocka_unit_test(what_cannot_be_measured_is_no_number),
		cmocka_unit_test(equal_instants_have_no_variation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
