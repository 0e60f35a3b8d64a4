/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_workload.c - which jobs a scenario makes of which records.
 *
 * Traces are built by hand; random draws have fixed seeds and bounds of three
 * standard errors.
 */
#include <errno.h>

#include "sim/workload/workload.h"
#include "tests/unit/test.h"

/* A record of which only what matters here is set. */
static struct swf_record record(double submit_s, double run_s, double request_s,
				int req_procs, int alloc_procs)
{
	static int64_t number = 100;

	return (struct swf_record){
		.number = ++number,
		.submit_s = submit_s,
		.run_s = run_s,
		.request_s = request_s,
		.req_procs = req_procs,
		.alloc_procs = alloc_procs,
		.user = 7,
	};
}

static struct swf_trace trace_of(struct swf_record *records, size_t n)
{
	return (struct swf_trace){
		.records = records, .nrecords = n, .max_procs = 64};
}

/* n jobs of 100 s, every 10 s, estimated at 400 s. */
static struct swf_trace many(size_t n)
{
	struct swf_record *records = calloc(n, sizeof(*records));

	for (size_t i = 0; i < n; i++)
		records[i] = record(10.0 * (double)i, 100, 400, 4, 4);
	return trace_of(records, n);
}

static void make(struct sim_workload *w, const struct swf_trace *trace,
		 const struct sim_scenario *sc)
{
	struct libra_error err = {""};

	if (sim_workload_make(w, trace, sc, &err) < 0)
		fail_msg("%s", err.text);
}

static struct sim_scenario defaults(void)
{
	struct sim_scenario sc;

	sim_scenario_init(&sc);
	return sc;
}

static void the_last_records_are_chosen_before_any_is_dropped(void **state)
{
	struct swf_record r[] = {
		record(5, 100, 100, 1, 1),
		record(20, 100, 100, 1, 1),
		record(30, -1, 100, 1, 1),
		record(47.5, 100, 100, 1, 1),
	};
	struct swf_trace t = trace_of(r, 4);
	struct sim_scenario sc = defaults();
	struct sim_workload w;

	sc.last = 3;
	make(&w, &t, &sc);
	assert_int_equal(w.records, 3);
	assert_int_equal(w.njobs, 2);
	assert_int_equal(w.dropped_unrun, 1);
	assert_int_equal(w.procs, 64);
	assert_int_equal(w.jobs[0].job.id, r[1].number);
	assert_int_equal(w.jobs[0].job.user, 7);
	assert_near(w.jobs[0].job.submit_s, 0, 0);
	assert_near(w.jobs[1].job.submit_s, 27.5, 0);
	sim_workload_fini(&w);
	sc.last = 0;
	make(&w, &t, &sc);
	assert_int_equal(w.njobs, 3);
	assert_near(w.jobs[1].job.submit_s, 15, 0);
	sim_workload_fini(&w);
	sc.last = 99;
	make(&w, &t, &sc);
	assert_int_equal(w.records, 4);
	sim_workload_fini(&w);
}

/* Time starts at the first chosen record even if that one is dropped. */
static void the_instant_zero_does_not_depend_on_dropping(void **state)
{
	struct swf_record r[] = {record(30, 0, 100, 1, 1),
				 record(42, 5, 100, 1, 1)};
	struct swf_trace t = trace_of(r, 2);
	struct sim_scenario sc = defaults();
	struct sim_workload w;

	make(&w, &t, &sc);
	assert_int_equal(w.njobs, 1);
	assert_near(w.jobs[0].job.submit_s, 12, 0);
	sim_workload_fini(&w);
}

static void records_that_never_ran_may_be_kept(void **state)
{
	struct swf_record r[] = {record(0, -1, 100, 1, 1),
				 record(1, 0, -1, 1, 1)};
	struct swf_trace t = trace_of(r, 2);
	struct sim_scenario sc = defaults();
	struct sim_workload w;

	sc.keep_unrun = true;
	make(&w, &t, &sc);
	assert_int_equal(w.njobs, 2);
	assert_int_equal(w.given_one_second, 2);
	assert_int_equal(w.dropped_unrun, 0);
	assert_near(w.jobs[0].runtime_s, 1, 0);
	assert_near(w.jobs[0].job.estimate_s, 100, 0);
	assert_int_equal(w.estimate_from_run, 1);
	assert_near(w.jobs[1].job.estimate_s, 1, 0);
	sim_workload_fini(&w);
}

static void processors_are_the_requested_or_the_allocated(void **state)
{
	struct swf_record r[] = {
		record(0, 9, 9, 3, 8),	   record(0, 9, 9, -1, 8),
		record(0, 9, 9, 3, -1),	   record(0, 9, 9, -1, 0),
		record(0, 9, 9, 65, 64),   record(0, 9, 9, 64, 65),
		record(0, 9, 9, 3000, -1),
	};
	struct swf_trace t = trace_of(r, 7);
	struct sim_scenario sc = defaults();
	struct sim_workload w;

	make(&w, &t, &sc);
	assert_int_equal(w.njobs, 4);
	assert_int_equal(w.dropped_procs, 1);
	assert_int_equal(w.dropped_large, 2);
	assert_int_equal(w.jobs[0].job.nprocs, 3);
	assert_int_equal(w.jobs[1].job.nprocs, 8);
	assert_int_equal(w.jobs[2].job.nprocs, 3);
	assert_int_equal(w.jobs[3].job.nprocs, 64);
	sim_workload_fini(&w);
	sc.size = SIM_SIZE_ALLOCATED;
	make(&w, &t, &sc);
	assert_int_equal(w.njobs, 4);
	assert_int_equal(w.jobs[0].job.nprocs, 8);
	assert_int_equal(w.jobs[2].job.nprocs, 3);
	sim_workload_fini(&w);
	sc.procs = 3000;
	make(&w, &t, &sc);
	assert_int_equal(w.procs, 3000);
	assert_int_equal(w.njobs, 6);
	assert_int_equal(w.dropped_large, 0);
	sim_workload_fini(&w);
}

/* L13: both ends exact; between them run + x (estimate - run):
 * 100 + 0.25 x 300 = 175, 100 + 0.25 x (80 - 100) = 95.
 */
static void estimates_lie_between_run_time_and_request(void **state)
{
	struct swf_record r[] = {
		record(0, 100, 400, 1, 1), record(0, 100, 80, 1, 1),
		record(0, 100, -1, 1, 1), record(0, 0.3, 0.7, 1, 1)};
	struct swf_trace t = trace_of(r, 4);
	struct sim_scenario sc = defaults();
	static const double expected[][5] = {{0, 100, 100, 100, 0.3},
					     {25, 175, 95, 100, 0.4},
					     {100, 400, 80, 100, 0.7}};
	struct sim_workload w;

	for (int i = 0; i < 3; i++) {
		sc.inaccuracy_pct = expected[i][0];
		make(&w, &t, &sc);
		for (int k = 0; k < 4; k++) {
			assert_near(w.jobs[k].job.estimate_s,
				    expected[i][k + 1], i == 1 ? 1e-12 : 0);
			assert_near(w.jobs[k].runtime_s, r[k].run_s, 0);
		}
		assert_int_equal(w.estimate_from_run, 1);
		sim_workload_fini(&w);
	}
}

static void jobs_may_be_killed_at_their_estimate(void **state)
{
	struct swf_record r[] = {record(0, 100, 400, 1, 1),
				 record(0, 100, 80, 1, 1)};
	struct swf_trace t = trace_of(r, 2);
	struct sim_scenario sc = defaults();
	struct sim_workload w;

	sc.kill_at_estimate = true;
	make(&w, &t, &sc);
	assert_int_equal(w.run_clipped, 1);
	assert_near(w.jobs[0].runtime_s, 100, 0);
	assert_near(w.jobs[1].runtime_s, 80, 0);
	assert_near(w.jobs[1].job.estimate_s, 80, 0);
	assert_true(w.jobs[1].deadline_rel_s > 80);
	sim_workload_fini(&w);
}

/* L12: 0.1 turns 600 s into 60 s. */
static void the_arrival_delay_scales_the_gaps(void **state)
{
	struct swf_record r[] = {record(1000, 1, 1, 1, 1),
				 record(1600, 1, 1, 1, 1),
				 record(1600, 1, 1, 1, 1)};
	struct swf_trace t = trace_of(r, 3);
	struct sim_scenario sc = defaults();
	struct sim_workload w;

	sc.arrival_delay = 0.1;
	make(&w, &t, &sc);
	assert_near(w.jobs[1].job.submit_s, 60, 1e-12);
	assert_int_equal(w.jobs[1].job.id, r[1].number);
	assert_int_equal(w.jobs[2].job.id, r[2].number);
	sim_workload_fini(&w);
	sc.arrival_delay = 0;
	make(&w, &t, &sc);
	assert_near(w.jobs[2].job.submit_s, 0, 0);
	sim_workload_fini(&w);
}

static void unsorted_submissions_are_sorted_and_counted(void **state)
{
	struct swf_record r[] = {
		record(50, 1, 1, 1, 1), record(20, 2, 2, 1, 1),
		record(50, 3, 3, 1, 1), record(20, 4, 4, 1, 1),
		record(60, 5, 5, 1, 1),
	};
	static const double run_s[] = {2, 4, 1, 3, 5};
	static const double submit_s[] = {0, 0, 30, 30, 40};
	struct swf_trace t = trace_of(r, 5);
	struct sim_scenario sc = defaults();
	struct sim_workload w;

	make(&w, &t, &sc);
	assert_int_equal(w.reordered, 2);
	for (int i = 0; i < 5; i++) {
		assert_near(w.jobs[i].runtime_s, run_s[i], 0);
		assert_near(w.jobs[i].job.submit_s, submit_s[i], 0);
	}
	sim_workload_fini(&w);
}

/* The mean and variance of a normal cut below 1, by integration: the
 * reference for factors drawn again until they are > 1.
 */
static struct test_moments cut_normal(double mean, double sd)
{
	double sum = 0, first = 0, second = 0, step = sd * 1e-4;
	struct test_moments m;

	for (double x = 1 + step / 2; x < mean + 10 * sd; x += step) {
		double p = exp(-(x - mean) * (x - mean) / (2 * sd * sd));

		sum += p;
		first += p * x;
		second += p * x * x;
	}
	m.mean = first / sum;
	m.var = second / sum - m.mean * m.mean;
	return m;
}

static void check_factors(const struct sim_workload *w, bool high, double mean,
			  double cv)
{
	double *x = calloc(w->njobs, sizeof(*x));
	struct test_moments m, expected = cut_normal(mean, mean * cv);
	size_t n = 0;

	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *j = &w->jobs[i];

		if (j->high_urgency != high)
			continue;
		x[n] = j->deadline_rel_s / j->runtime_s;
		assert_true(x[n] > 1); /* L11 */
		assert_true(j->job.deadline_s ==
			    j->job.submit_s + j->deadline_rel_s);
		n++;
	}
	m = test_moments(x, n);
	assert_mean_near(m, expected.mean);
	assert_near(m.var, expected.var, 3 * m.var * sqrt(2.0 / (double)n));
	free(x);
}

/* L8, L9, L10, L11. */
static void deadlines_have_the_shape_of_the_papers(void **state)
{
	struct swf_trace t = many(20000);
	struct sim_scenario sc = defaults();
	static const struct {
		double mean, ratio, cv;
	} points[] = {{4, 4, 0.25}, {4, 8, 0.25}, {2, 1, 0.5}, {1, 2, 0.4}};

	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++) {
		struct sim_workload w;
		size_t high = 0;

		sc.deadline_mean = points[i].mean;
		sc.deadline_ratio = points[i].ratio;
		sc.deadline_cv = points[i].cv;
		make(&w, &t, &sc);
		for (size_t k = 0; k < w.njobs; k++)
			high += w.jobs[k].high_urgency;
		assert_near((double)high / 20000, 0.2,
			    3 * sqrt(0.2 * 0.8 / 20000));
		check_factors(&w, true, sc.deadline_mean, sc.deadline_cv);
		check_factors(&w, false, sc.deadline_mean * sc.deadline_ratio,
			      sc.deadline_cv);
		sim_workload_fini(&w);
	}
	free(t.records);
}

static void without_spread_factors_are_the_means(void **state)
{
	struct swf_trace t = many(200);
	struct sim_scenario sc = defaults();
	struct sim_workload w;

	sc.deadline_cv = 0;
	sc.deadline_mean = 2.385;
	make(&w, &t, &sc);
	for (size_t i = 0; i < w.njobs; i++)
		assert_near(w.jobs[i].deadline_rel_s,
			    w.jobs[i].high_urgency ? 238.5 : 954, 1e-9);
	sim_workload_fini(&w);
	free(t.records);
}

static void the_share_of_high_urgency_has_exact_ends(void **state)
{
	struct swf_trace t = many(500);
	struct sim_scenario sc = defaults();
	struct sim_workload w;

	for (int high = 0; high < 2; high++) {
		sc.high_urgency_pct = high ? 100 : 0;
		make(&w, &t, &sc);
		for (size_t i = 0; i < w.njobs; i++)
			assert_int_equal(w.jobs[i].high_urgency, high);
		sim_workload_fini(&w);
	}
	free(t.records);
}

/* Each option alone is changed; what it does not name must stay bit for bit.
 */
static void no_option_disturbs_the_draws_of_another(void **state)
{
	struct swf_trace t = many(300);
	struct sim_scenario base = defaults(), sc;
	struct sim_workload a, b;

	for (size_t i = 0; i < 300; i += 7)
		t.records[i].run_s = -1;
	base.keep_unrun = true;
	make(&a, &t, &base);
	sc = base;
	sc.keep_unrun = false;
	sc.inaccuracy_pct = 10;
	sc.arrival_delay = 0.3;
	make(&b, &t, &sc);
	assert_int_equal(a.njobs, 300);
	assert_int_equal(b.njobs, 300 - 43);
	for (size_t i = 0, k = 0; i < 300; i++) {
		if (i % 7 == 0)
			continue;
		assert_int_equal(a.jobs[i].job.id, b.jobs[k].job.id);
		assert_int_equal(a.jobs[i].high_urgency,
				 b.jobs[k].high_urgency);
		assert_true(a.jobs[i].deadline_rel_s ==
			    b.jobs[k].deadline_rel_s);
		k++;
	}
	sim_workload_fini(&b);
	sc = base;
	sc.high_urgency_pct = 50; /* who was in stays in */
	make(&b, &t, &sc);
	for (size_t i = 0; i < 300; i++)
		assert_true(b.jobs[i].high_urgency || !a.jobs[i].high_urgency);
	sim_workload_fini(&b);
	sc = base;
	sc.seed = 2;
	make(&b, &t, &sc);
	for (size_t i = 1, same = 0; i < 300; i++) {
		same += a.jobs[i].deadline_rel_s == b.jobs[i].deadline_rel_s;
		assert_int_equal(same, 0);
	}
	sim_workload_fini(&b);
	sim_workload_fini(&a);
	free(t.records);
}

static void refuse(const struct sim_scenario *sc, const char *text)
{
	struct swf_trace t = many(50);
	struct libra_error err = {""};
	struct sim_workload w;

	errno = 0;
	assert_int_equal(sim_workload_make(&w, &t, sc, &err), -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_contains(err.text, text);
	assert_int_equal(sim_workload_make(&w, &t, sc, NULL), -1);
	free(t.records);
}

#define REFUSE(field, value, text)                                             \
	do {                                                                   \
		struct sim_scenario sc_ = defaults();                          \
		sc_.field = value;                                             \
		refuse(&sc_, text);                                            \
	} while (0)

static void what_is_out_of_range_is_named(void **state)
{
	REFUSE(arrival_delay, -0.1, "arrival-delay must be from 0 to 1e+06");
	REFUSE(arrival_delay, NAN, "arrival-delay must be from 0");
	REFUSE(arrival_delay, INFINITY, "not inf");
	REFUSE(inaccuracy_pct, 101, "inaccuracy must be from 0 to 100");
	REFUSE(inaccuracy_pct, -1, "not -1");
	REFUSE(high_urgency_pct, 100.5, "high-urgency must be from 0 to 100");
	REFUSE(high_urgency_pct, -1, "not -1");
	REFUSE(deadline_mean, 0, "deadline-mean must be from");
	REFUSE(deadline_ratio, -4, "deadline-ratio must be from");
	REFUSE(deadline_cv, -1, "deadline-cv must be from 0 to 10, not -1");
	REFUSE(deadline_cv, NAN, "deadline-cv must be from");
	REFUSE(size, (enum sim_size)9, "no such choice of processors: 9");
	REFUSE(deadline_model, (enum sim_deadline_model)0,
	       "no such deadline model: 0");
}

static void factors_that_never_exceed_one_are_refused(void **state)
{
	struct sim_scenario sc = defaults();

	sc.deadline_mean = 1;
	sc.deadline_ratio = 1;
	sc.deadline_cv = 0;
	refuse(&sc, "never longer than the run time");
	sc.deadline_mean = 0.5; /* 1 lies ten standard deviations above */
	sc.deadline_cv = 0.1;
	refuse(&sc, "mean 0.5 run times and cv 0.1");
}

static void a_workload_without_jobs_is_refused(void **state)
{
	struct swf_record r[] = {record(0, -1, 9, 1, 1),
				 record(0, 9, 9, -1, -1),
				 record(0, 9, 9, 65, 1)};
	struct swf_trace t = trace_of(r, 3);
	struct sim_scenario sc = defaults();
	struct libra_error err = {""};
	struct sim_workload w;

	assert_int_equal(sim_workload_make(&w, &t, &sc, &err), -1);
	assert_int_equal(errno, EINVAL);
	assert_contains(
		err.text,
		"no job is left of 3 records: 1 never ran, 1 have no "
		"processors, 1 need more than the machine's 64 processors");
	assert_null(w.jobs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_last_records_are_chosen_before_any_is_dropped),
		cmocka_unit_test(the_instant_zero_does_not_depend_on_dropping),
		cmocka_unit_test(records_that_never_ran_may_be_kept),
		cmocka_unit_test(processors_are_the_requested_or_the_allocated),
		cmocka_unit_test(estimates_lie_between_run_time_and_request),
		cmocka_unit_test(jobs_may_be_killed_at_their_estimate),
		cmocka_unit_test(the_arrival_delay_scales_the_gaps),
		cmocka_unit_test(unsorted_submissions_are_sorted_and_counted),
		cmocka_unit_test(deadlines_have_the_shape_of_the_papers),
		cmocka_unit_test(without_spread_factors_are_the_means),
		cmocka_unit_test(the_share_of_high_urgency_has_exact_ends),
		cmocka_unit_test(no_option_disturbs_the_draws_of_another),
		cmocka_unit_test(what_is_out_of_range_is_named),
		cmocka_unit_test(factors_that_never_exceed_one_are_refused),
		cmocka_unit_test(a_workload_without_jobs_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
