/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_synth.c - the built-in trace has the published statistics.
 *
 * The expected values are those of the last 3000 records of the SDSC SP2 log.
 * What the generator makes exact is compared closely; what is random has the
 * bounds of what some tens of seeds gave, with room.
 */
#include "sim/log/synth.h"
#include "sim/run/run.h"
#include "tests/unit/test.h"

enum { SEEDS = 5 };

static void make(struct swf_trace *t, uint64_t seed)
{
	struct libra_error err = {""};

	if (synth_trace(t, seed, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(t->nrecords, 3000);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* L1, L2. */
static void the_span_and_the_gaps_are_those_of_the_log(void **state)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct swf_trace t;
		double gaps[2999], span_s;
		struct test_moments m;

		make(&t, seed);
		for (int i = 0; i < 2999; i++) {
			gaps[i] = t.records[i + 1].submit_s -
				  t.records[i].submit_s;
			assert_true(gaps[i] >= 0);
		}
		span_s = t.records[2999].submit_s - t.records[0].submit_s;
		m = test_moments(gaps, 2999);
		assert_near(m.mean, 2131.14, 0.5);
		assert_near(span_s / 86400, 73.97, 0.02);
		assert_near(sqrt(m.var) / m.mean, 2.05, 0.7);
		swf_fini(&t);
	}
}

/* More than twice as many arrive from 9 to 17 h than from 0 to 8 h (3.1 in
 * the log).
 */
static void more_jobs_come_by_day(void **state)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct swf_trace t;
		int day = 0, night = 0;

		make(&t, seed);
		for (int i = 0; i < 3000; i++) {
			int hour = (int)fmod(t.records[i].submit_s / 3600, 24);

			day += hour >= 9 && hour < 17;
			night += hour < 8;
		}
		assert_true(day > 2 * night);
		swf_fini(&t);
	}
}

/* L3, L4, L5, B16. */
static void run_times_and_sizes_have_their_means(void **state)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct swf_trace t;
		double run_s = 0, procs = 0;
		int unrun = 0;

		make(&t, seed);
		for (int i = 0; i < 3000; i++) {
			const struct swf_record *r = &t.records[i];

			run_s += r->run_s / 3000;
			procs += r->req_procs / 3000.0;
			unrun += r->run_s <= 0;
			assert_true(r->run_s >= 20 || r->run_s == -1);
			assert_true(r->req_procs >= 1 && r->req_procs <= 128);
			assert_true(r->user >= 1 && r->user <= 97);
		}
		assert_near(run_s, 8880.12, 0.5);
		assert_near(procs, 17.49, 0.1);
		assert_int_equal(unrun, 278);
		assert_int_equal(t.no_run, 278);
		assert_int_equal(swf_procs(&t), 128);
		assert_string_equal(t.name, SYNTH_NAME);
		swf_fini(&t);
	}
}

/* The work of the last 3000 records is 84.8 % of what the machine could do. */
static void the_offered_load_is_that_of_the_log(void **state)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct swf_trace t;
		double work = 0;

		make(&t, seed);
		for (int i = 0; i < 3000; i++)
			if (t.records[i].run_s > 0)
				work += t.records[i].run_s *
					t.records[i].req_procs;
		assert_near(work / 128 / t.records[2999].submit_s, 0.848, 0.08);
		swf_fini(&t);
	}
}

static double share_above(const double *x, size_t n, double limit)
{
	size_t above = 0;

	for (size_t i = 0; i < n; i++)
		above += x[i] > limit;
	return (double)above / (double)n;
}

/* L7, B2: quantiles of estimate / run time. */
static void estimates_are_as_far_off_as_the_users(void **state)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct swf_trace t;
		double ratio[3000];
		size_t n = 0;

		make(&t, seed);
		for (int i = 0; i < 3000; i++) {
			const struct swf_record *r = &t.records[i];

			if (r->run_s <= 0)
				continue;
			assert_true(r->run_s <= r->request_s + 130);
			ratio[n++] = r->request_s / r->run_s;
		}
		assert_int_equal(n, 2722);
		qsort(ratio, n, sizeof(*ratio), by_value);
		assert_near(1 - share_above(ratio, n, 0.99999), 0.089, 0.005);
		assert_near(ratio[n / 2], 3.55, 0.3);
		assert_near(ratio[n * 3 / 4], 21.4, 2.5);
		assert_near(log(ratio[n * 9 / 10]), log(201), log(1.4));
		assert_true(ratio[n - 1] > 1000 && ratio[n - 1] < 7200);
		assert_true(1 / ratio[0] < 1.551);
		assert_near(share_above(ratio, n, 4), 0.48, 0.02);
		assert_near(share_above(ratio, n, 16), 0.27, 0.02);
		swf_fini(&t);
	}
}

/* Long estimates go with large jobs: 0.47 in the log. */
static void sizes_go_with_estimates(void **state)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct swf_trace t;
		double x[3000], y[3000], sum = 0;
		struct test_moments mx, my;

		make(&t, seed);
		for (int i = 0; i < 3000; i++) {
			x[i] = log(t.records[i].request_s);
			y[i] = log(t.records[i].req_procs);
		}
		mx = test_moments(x, 3000);
		my = test_moments(y, 3000);
		for (int i = 0; i < 3000; i++)
			sum += (x[i] - mx.mean) * (y[i] - my.mean) / 2999;
		assert_near(sum / sqrt(mx.var * my.var), 0.44, 0.1);
		swf_fini(&t);
	}
}

static void a_seed_names_a_trace(void **state)
{
	struct swf_trace a, b;
	int same = 0;

	make(&a, 7);
	make(&b, 7);
	assert_memory_equal(a.records, b.records, 3000 * sizeof(*a.records));
	swf_fini(&b);
	make(&b, 8);
	for (int i = 0; i < 3000; i++)
		same += a.records[i].run_s == b.records[i].run_s &&
			a.records[i].submit_s == b.records[i].submit_s;
	assert_true(same < 100);
	swf_fini(&b);
	swf_fini(&a);
}

static double fulfilled_pct(const struct sim_workload *w, const char *name)
{
	struct libra_error err = {""};
	struct sim_result result;

	if (sim_run(w, libra_policy_find(name, &err), NULL, &result, NULL,
		    &err) < 0)
		fail_msg("%s", err.text);
	return result.fulfilled_pct;
}

/* L23, L24: LibraRisk far above Libra with the users' estimates, and as good
 * with exact ones (24.4 and 0.1 pp in the log).
 */
static void the_papers_effect_shows(void **state)
{
	struct sim_scenario sc;
	struct swf_trace t;

	make(&t, 1);
	sim_scenario_init(&sc);
	for (sc.inaccuracy_pct = 0; sc.inaccuracy_pct <= 100;
	     sc.inaccuracy_pct += 100) {
		struct sim_workload w;
		double gap;

		assert_int_equal(sim_workload_make(&w, &t, &sc, NULL), 0);
		gap = fulfilled_pct(&w, "librarisk") -
		      fulfilled_pct(&w, "libra");
		if (sc.inaccuracy_pct > 0)
			assert_true(gap >= 15);
		else
			assert_near(gap, 0, 1);
		sim_workload_fini(&w);
	}
	swf_fini(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_span_and_the_gaps_are_those_of_the_log),
		cmocka_unit_test(more_jobs_come_by_day),
		cmocka_unit_test(run_times_and_sizes_have_their_means),
		cmocka_unit_test(the_offered_load_is_that_of_the_log),
		cmocka_unit_test(estimates_are_as_far_off_as_the_users),
		cmocka_unit_test(sizes_go_with_estimates),
		cmocka_unit_test(a_seed_names_a_trace),
		cmocka_unit_test(the_papers_effect_shows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
