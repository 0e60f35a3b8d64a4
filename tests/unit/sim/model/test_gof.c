/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gof.c - statistics of samples.
 *
 * Sources of the numbers: N. Smirnov, "Table for estimating the goodness of fit
 * of empirical distributions" (1948); the usual tables of Student's t; the
 * sleep data of Student (1908), whose paired t is in every textbook; the rest
 * is worked out in the comments.
 */
#include <errno.h>

#include "sim/model/series.h"
#include "sim/model/stats.h"
#include "tests/unit/test.h"

static struct model parsed(const char *spec)
{
	struct model m;

	assert_int_equal(model_parse(&m, spec, NULL), 0);
	return m;
}

/* At 2 half of a is below and nothing of b. */
static void ks_of_two_samples_is_the_largest_gap(void **state)
{
	static const double a[] = {1, 2, 3, 4}, b[] = {3, 4, 5, 6};

	assert_near(gof_ks_two(a, 4, b, 4), 0.5, 0);
	assert_near(gof_ks_two(b, 4, a, 4), 0.5, 0);
	assert_near(gof_ks_two(a, 4, a, 4), 0, 0);
	assert_near(gof_ks_two(a, 2, b, 4), 1, 0);
}

/* At 1: 2/3 against 1/3.  Ties within and between samples count together. */
static void ks_of_two_samples_counts_ties_once(void **state)
{
	static const double a[] = {1, 1, 2}, b[] = {1, 2, 2};

	assert_near(gof_ks_two(a, 3, b, 3), 1.0 / 3, 1e-15);
	assert_true(isnan(gof_ks_two(a, 0, b, 3)));
	assert_true(isnan(gof_ks_two(a, 3, b, 0)));
}

/* One number at the median: F is 0.5, the empirical CDF jumps from 0 to 1.
 * Two at the quartiles: largest gap 0.25. */
static void ks_of_a_continuous_model_looks_at_both_sides_of_a_jump(void **state)
{
	struct model m = parsed("exponential:mean=10");
	double median[] = {10 * log(2)};
	double quartiles[] = {model_quantile(&m, 0.25),
			      model_quantile(&m, 0.75)};
	double tied[] = {10 * log(2), 10 * log(2), 10 * log(2)};

	assert_near(gof_ks_model(median, 1, &m), 0.5, 1e-15);
	assert_near(gof_ks_model(quartiles, 2, &m), 0.25, 1e-15);
	assert_near(gof_ks_model(tied, 3, &m), 0.5, 1e-15);
	assert_true(isnan(gof_ks_model(median, 0, &m)));
}

/* The model has 1 and 2 with one half each. */
static void ks_of_a_discrete_model_looks_at_the_jumps_of_both(void **state)
{
	struct model m = parsed("zipf:exponent=0:values=2:first=0");
	static const double most_ones[] = {1, 1, 1, 2};
	static const double above[] = {4, 4}, between[] = {1.5, 1.5};

	assert_near(gof_ks_model(most_ones, 4, &m), 0.25, 1e-15);
	assert_near(gof_ks_model(above, 2, &m), 1, 0);
	assert_near(gof_ks_model(between, 2, &m), 0.5, 1e-15);
}

/* Smirnov's L is 0.036055 at 0.50, 0.730000 at 1.00, 0.999329 at 2.00. */
static void the_kolmogorov_tail_is_smirnovs_table(void **state)
{
	assert_near(gof_kolmogorov_tail(0.5), 1 - 0.036055, 1e-6);
	assert_near(gof_kolmogorov_tail(1), 1 - 0.730000, 1e-6);
	assert_near(gof_kolmogorov_tail(2), 1 - 0.999329, 1e-6);
	assert_near(gof_kolmogorov_tail(0), 1, 0);
	assert_near(gof_kolmogorov_tail(0.19), 1, 0);
	assert_near(gof_kolmogorov_tail(30), 0, 0);
}

/* lambda is 1.224, 1.358, 1.628 at 10, 5, 1 %: what is asked for without the
 * correction as m grows.  100 and 100: m = 50, 1.358 / (7.07107 + 0.12 +
 * 0.01556) = 0.18845. */
static void critical_differences_are_those_of_the_tables(void **state)
{
	assert_near(gof_ks_critical(0.05, 100, 100), 0.18845, 1e-5);
	assert_near(gof_ks_critical(0.10, 2e12, 2e12) * 1e6, 1.2239, 1e-3);
	assert_near(gof_ks_critical(0.05, 2e12, 2e12) * 1e6, 1.3581, 1e-3);
	assert_near(gof_ks_critical(0.01, 2e12, 2e12) * 1e6, 1.6276, 1e-3);
	assert_true(isnan(gof_ks_critical(0, 100, 100)));
	assert_true(isnan(gof_ks_critical(1, 100, 100)));
	assert_true(isnan(gof_ks_critical(0.05, 0, 100)));
}

/* P(D >= k / n) of two samples of n, exactly: 2 (C(2n, n-k) - C(2n, n-2k) +
 * ...) / C(2n, n) (Gnedenko and Korolyuk 1951). */
static double exact_tail(int n, int k)
{
	double sum = 0;

	for (int i = 1; i * k <= n; i++) {
		double l = 2 * lgamma(n + 1) - lgamma(n - i * k + 1) -
			   lgamma(n + i * k + 1);

		sum += (i % 2 ? 2 : -2) * exp(l);
	}
	return sum;
}

/* The difference moves in steps of 0.01, so 0.18 passes and 0.19 does not. */
static void a_sample_passes_against_itself_as_often_as_is_exact(void **state)
{
	enum { N = 20000, DRAWS = 4000 };
	double *data = calloc(N, sizeof(*data)), expected;
	struct gof_bootstrap b;
	struct rng_stream rng;

	for (size_t i = 0; i < N; i++)
		data[i] = (double)i;
	rng_stream_init(&rng, 3, "draws", 0);
	assert_int_equal(
		gof_bootstrap(data, N, NULL, DRAWS, 100, 0.05, &rng, &b, NULL),
		0);
	expected = 1 - exact_tail(100, 19);
	assert_near(b.success, expected,
		    3 * sqrt(expected * (1 - expected) / DRAWS));
	/* E(D) is the sum of the tails over the steps. */
	expected = 0;
	for (int k = 1; k <= 100; k++)
		expected += exact_tail(100, k) / 100;
	assert_near(b.mean_ks, expected, 3 * 0.04 / sqrt(DRAWS));
	assert_near(b.critical, 0.18845, 1e-5);
	free(data);
}

static void the_repeated_test_sees_a_wrong_model(void **state)
{
	struct model right = parsed("exponential:mean=20");
	struct model wrong = parsed("exponential:mean=100");
	struct gof_bootstrap a, b;
	struct rng_stream rng;
	double data[1000];

	for (size_t i = 0; i < 1000; i++)
		data[i] = model_quantile(&right, (i + 0.5) / 1000);
	rng_stream_init(&rng, 1, "draws", 0);
	assert_int_equal(gof_bootstrap(data, 1000, &wrong, 500, 100, 0.05, &rng,
				       &a, NULL),
			 0);
	assert_true(a.success < 0.01);
	rng_stream_init(&rng, 1, "draws", 0);
	assert_int_equal(gof_bootstrap(data, 1000, &right, 500, 100, 0.05, &rng,
				       &a, NULL),
			 0);
	assert_true(a.success > 0.92);
	/* same stream, same numbers */
	rng_stream_init(&rng, 1, "draws", 0);
	assert_int_equal(gof_bootstrap(data, 1000, &right, 500, 100, 0.05, &rng,
				       &b, NULL),
			 0);
	assert_memory_equal(&a, &b, sizeof(a));
}

static void the_repeated_test_needs_something_to_draw(void **state)
{
	struct libra_error err = {""};
	static const double x[] = {1, 2};
	struct gof_bootstrap b;
	struct rng_stream rng;

	rng_stream_init(&rng, 1, "draws", 0);
	assert_int_equal(gof_bootstrap(x, 0, NULL, 1, 1, 0.05, &rng, &b, &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_int_equal(gof_bootstrap(x, 2, NULL, 0, 1, 0.05, &rng, &b, NULL),
			 -1);
	assert_int_equal(gof_bootstrap(x, 2, NULL, 1, 0, 0.05, &rng, &b, NULL),
			 -1);
	assert_int_equal(gof_bootstrap(x, 2, NULL, 1, 1, 2, &rng, &b, NULL),
			 -1);
}

/* mean 5, sum of squares 32, sample variance 32/7 */
static void the_cv_takes_the_sample_deviation(void **state)
{
	static const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};

	assert_near(gof_cv(x, 8), sqrt(32.0 / 7) / 5, 1e-15);
	assert_true(isnan(gof_cv(x, 1)));
}

/* Sxy = 5.5, Sxx = 5, Syy = 8.75 */
static void the_correlation_is_pearsons(void **state)
{
	static const double x[] = {1, 2, 3, 4}, y[] = {1, 3, 2, 5};
	static const double down[] = {8, 6, 4, 2}, flat[] = {3, 3, 3, 3};

	assert_near(gof_correlation(x, y, 4), 5.5 / sqrt(5 * 8.75), 1e-14);
	assert_near(gof_correlation(x, down, 4), -1, 1e-14);
	assert_true(isnan(gof_correlation(x, flat, 4)));
	assert_true(isnan(gof_correlation(x, y, 1)));
}

/* +1, -1, +1, ...: the range is 1 and the deviation 1 in any block, so R/S does
 * not grow.  0, 1, 2, ...: R = n^2 / 8 and S = sqrt((n^2 - 1) / 12) of a block
 * of n, so R/S grows like n. */
static void the_hurst_exponent_of_simple_series_is_known(void **state)
{
	enum { N = 1 << 12 };
	double *x = calloc(N, sizeof(*x)), h;
	struct rng_stream rng;

	for (int i = 0; i < N; i++)
		x[i] = i % 2 ? -1 : 1;
	assert_int_equal(gof_hurst_rs(x, N, 16, 1024, &h, NULL), 0);
	assert_near(h, 0, 1e-12);
	for (int i = 0; i < N; i++)
		x[i] = i;
	assert_int_equal(gof_hurst_rs(x, N, 16, 1024, &h, NULL), 0);
	assert_near(h, 1, 1e-3);
	/* Of white noise a half, in short blocks somewhat more (Anis and Lloyd
	 * 1976). */
	rng_stream_init(&rng, 9, "noise", 0);
	for (int i = 0; i < N; i++)
		x[i] = rng_uniform(&rng);
	assert_int_equal(gof_hurst_rs(x, N, 16, 1024, &h, NULL), 0);
	assert_true(h > 0.48 && h < 0.62);
	free(x);
}

/* Expected R/S of normal white noise in blocks of n (Anis and Lloyd 1976):
 * Gamma((n-1)/2) / (sqrt(pi) Gamma(n/2)) * sum over i < n of sqrt((n-i)/i).
 * The slope between the blocks of 16 and 64 must be that of the formula. */
static double anis_lloyd(int n)
{
	double sum = 0;

	for (int i = 1; i < n; i++)
		sum += sqrt((double)(n - i) / i);
	return sum * exp(lgamma((n - 1) / 2.0) - lgamma(n / 2.0)) / sqrt(M_PI);
}

static void rescaled_ranges_are_those_of_anis_and_lloyd(void **state)
{
	enum { N = 1 << 17 };
	double *x = calloc(N, sizeof(*x)), h;
	double expected;
	struct rng_stream rng;

	rng_stream_init(&rng, 10, "noise", 0);
	/* Sums of twelve uniforms are normal enough. */
	for (int i = 0; i < N; i++)
		for (int k = 0; k < 12; k++)
			x[i] += rng_uniform(&rng);
	/* Slope through three points at equal steps of ln 2. */
	expected = log(anis_lloyd(64) / anis_lloyd(16)) / log(4);
	assert_int_equal(gof_hurst_rs(x, N, 16, 64, &h, NULL), 0);
	assert_near(h, expected, 0.006);
	free(x);
}

static void the_hurst_exponent_needs_blocks(void **state)
{
	struct libra_error err = {""};
	double x[64], h = -1;

	for (int i = 0; i < 64; i++)
		x[i] = i % 7;
	assert_int_equal(gof_hurst_rs(x, 64, 3, 64, &h, &err), -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_int_equal(gof_hurst_rs(x, 60, 16, 1024, &h, NULL), -1);
	assert_int_equal(gof_hurst_rs(x, 64, 16, 32, &h, NULL), -1);
	assert_near(h, -1, 0);
	assert_int_equal(gof_hurst_rs(x, 64, 16, 1024, &h, NULL), 0);
	/* no variation, no block */
	memset(x, 0, sizeof(x));
	assert_int_equal(gof_hurst_rs(x, 64, 4, 1024, &h, NULL), -1);
}

/* Student (1908), extra sleep of ten patients under two drugs: t = 4.0621 with
 * 9 degrees of freedom, two-sided p = 0.002833; mean difference 1.58. */
static void the_paired_t_test_finds_students_sleep(void **state)
{
	static const double a[] = {1.9, 0.8, 1.1, 0.1, -0.1,
				   4.4, 5.5, 1.6, 4.6, 3.4};
	static const double b[] = {0.7, -1.6, -0.2, -1.2, -0.1,
				   3.4, 3.7,  0.8,  0.0,  2.0};
	struct gof_t t;

	assert_int_equal(gof_t_paired(a, b, 10, &t, NULL), 0);
	assert_near(t.t, 4.0621, 5e-5);
	assert_near(t.df, 9, 0);
	assert_near(t.difference, 1.58, 1e-12);
	assert_near(t.p_two, 0.002833, 5e-7);
	assert_near(t.p_one, 0.002833 / 2, 5e-7);
	assert_int_equal(gof_t_paired(b, a, 10, &t, NULL), 0);
	assert_near(t.t, -4.0621, 5e-5);
	assert_near(t.p_one, 1 - 0.002833 / 2, 5e-7);
	assert_near(t.p_two, 0.002833, 5e-7);
}

static void the_paired_t_test_needs_pairs_that_differ(void **state)
{
	static const double a[] = {1, 2, 3}, b[] = {0, 1, 2};
	struct libra_error err = {""};
	struct gof_t t = {.t = 7};

	assert_int_equal(gof_t_paired(a, b, 1, &t, &err), -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_int_equal(gof_t_paired(a, b, 3, &t, NULL), -1);
	assert_int_equal(errno, EDOM);
	assert_near(t.t, 7, 0);
}

/* Tables: 4 degrees of freedom, 5 %: 2.132 one-sided (the paper prints
 * 2.1318), 2.776 two-sided; 10: 1.812 and 2.228; many: 1.645 and 1.960. */
static void critical_t_values_are_those_of_the_tables(void **state)
{
	assert_near(gof_t_critical(0.05, 4, false), 2.1318, 5e-5);
	assert_near(gof_t_critical(0.05, 4, true), 2.7764, 5e-5);
	assert_near(gof_t_critical(0.05, 10, false), 1.8125, 5e-5);
	assert_near(gof_t_critical(0.05, 10, true), 2.2281, 5e-5);
	assert_near(gof_t_critical(0.05, 1e7, false), 1.6449, 5e-5);
	assert_near(gof_t_critical(0.05, 1e7, true), 1.9600, 5e-5);
	assert_true(isnan(gof_t_critical(0, 4, true)));
	assert_true(isnan(gof_t_critical(0.05, 0, true)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ks_of_two_samples_is_the_largest_gap),
		cmocka_unit_test(ks_of_two_samples_counts_ties_once),
		cmocka_unit_test(
			ks_of_a_continuous_model_looks_at_both_sides_of_a_jump),
		cmocka_unit_test(
			ks_of_a_discrete_model_looks_at_the_jumps_of_both),
		cmocka_unit_test(the_kolmogorov_tail_is_smirnovs_table),
		cmocka_unit_test(critical_differences_are_those_of_the_tables),
		cmocka_unit_test(
			a_sample_passes_against_itself_as_often_as_is_exact),
		cmocka_unit_test(the_repeated_test_sees_a_wrong_model),
		cmocka_unit_test(the_repeated_test_needs_something_to_draw),
		cmocka_unit_test(the_cv_takes_the_sample_deviation),
		cmocka_unit_test(the_correlation_is_pearsons),
		cmocka_unit_test(the_hurst_exponent_of_simple_series_is_known),
		cmocka_unit_test(rescaled_ranges_are_those_of_anis_and_lloyd),
		cmocka_unit_test(the_hurst_exponent_needs_blocks),
		cmocka_unit_test(the_paired_t_test_finds_students_sleep),
		cmocka_unit_test(the_paired_t_test_needs_pairs_that_differ),
		cmocka_unit_test(critical_t_values_are_those_of_the_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
