/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_model.c - the workload distributions.
 *
 * Expected numbers are worked out in the comments from the printed formulas of
 * the market paper (section 2), or are properties that every distribution has.
 */
#include <errno.h>

#include "sim/model/model.h"
#include "sim/model/series.h"
#include "sim/model/stats.h"
#include "tests/unit/test.h"

static struct model parsed(const char *spec)
{
	struct libra_error err = {""};
	struct model m;

	if (model_parse(&m, spec, &err))
		fail_msg("%s: %s", spec, err.text);
	return m;
}

static void the_quantile_function_inverts_the_cdf(void **state)
{
	for (size_t t = 0; t < model_ntypes; t++) {
		struct model m = parsed(model_types[t].name);

		if (m.type->weights)
			continue;
		for (double u = 0.0005; u < 1; u += 0.0101)
			assert_near(model_cdf(&m, model_quantile(&m, u)), u,
				    1e-10);
	}
}

static void each_value_of_a_discrete_type_is_a_quantile(void **state)
{
	for (size_t t = 0; t < model_ntypes; t++) {
		struct model m = parsed(model_types[t].name);
		double at[MODEL_MAX_VALUES], before = 0;
		size_t n;

		if (!m.type->weights)
			continue;
		n = model_values(&m, at);
		assert_int_equal(n, 6);
		for (size_t i = 0; i < n; i++) {
			double f = model_cdf(&m, at[i]);

			assert_near(model_quantile(&m, f), at[i], 0);
			assert_near(model_quantile(&m, before + 1e-9), at[i],
				    0);
			assert_near(model_cdf(&m, at[i] - 0.5), before, 1e-15);
			before = f;
		}
		assert_near(before, 1, 1e-15);
	}
}

/* One-sample KS at 1 %: 1.628 / sqrt(n). */
static void draws_follow_the_cdf(void **state)
{
	enum { N = 20000 };
	double *x = calloc(N, sizeof(*x));

	for (size_t t = 0; t < model_ntypes; t++) {
		struct model m = parsed(model_types[t].name);
		struct rng_stream rng;

		rng_stream_init(&rng, 11, m.type->name, 0);
		for (size_t i = 0; i < N; i++)
			x[i] = model_sample(&m, &rng);
		sim_sort(x, N);
		assert_true(gof_ks_model(x, N, &m) < 1.628 / sqrt(N));
	}
	free(x);
}

static void the_mean_is_that_of_the_draws(void **state)
{
	static const char *const specs[] = {"hypweib",
					    "exponential",
					    "polylin",
					    "polylin:floor_s=30",
					    "gpareto:shape=0.1",
					    "gpareto:shape=-0.5:threshold=7",
					    "binbin",
					    "zipf"};
	enum { N = 50000 };
	double *x = calloc(N, sizeof(*x));

	for (size_t s = 0; s < sizeof(specs) / sizeof(specs[0]); s++) {
		struct model m = parsed(specs[s]);
		struct rng_stream rng;
		struct test_moments mom;

		rng_stream_init(&rng, 5, specs[s], 0);
		for (size_t i = 0; i < N; i++)
			x[i] = model_sample(&m, &rng);
		mom = test_moments(x, N);
		assert_mean_near(mom, model_mean(&m));
		assert_near(sqrt(mom.var) / mom.mean, model_cv(&m),
			    0.06 * model_cv(&m));
	}
	free(x);
}

/* At its scale a Weibull has 1 - 1/e = 0.632121 below; with shape 1 it is an
 * exponential. */
static void hypweib_is_a_mixture(void **state)
{
	struct model first = parsed("hypweib:weight=1:shape1=1");
	struct model second = parsed("hypweib:weight=0:scale2=2:shape2=3");
	struct model both =
		parsed("hypweib:weight=0.25:shape1=1:scale2=2:shape2=3");

	assert_near(model_cdf(&first, 16.1489), 0.63212055882855767, 1e-14);
	assert_near(model_quantile(&first, 0.5), 16.1489 * log(2), 1e-10);
	assert_near(model_mean(&first), 16.1489, 1e-9);
	/* exp(Y) reaches exp(scale2) where Y reaches scale2. */
	assert_near(model_cdf(&second, exp(2)), 0.63212055882855767, 1e-14);
	assert_near(model_cdf(&second, 1), 0, 0);
	assert_near(model_cdf(&both, 5),
		    0.25 * model_cdf(&first, 5) + 0.75 * model_cdf(&second, 5),
		    1e-15);
}

/* Of the printed parameters: computed once with another program from the same
 * formula (decision B22a). */
static void hypweib_has_the_moments_of_the_paper(void **state)
{
	struct model m = parsed("hypweib");

	assert_near(model_mean(&m), 335.9, 0.05);
	assert_near(model_mean(&m) * model_cv(&m), 597, 0.5);
	assert_near(model_quantile(&m, 0.5), 122, 0.5);
	assert_near(model_quantile(&m, 0.99), 2822, 0.5);
	assert_near(model_cdf(&m, 10), 0.125, 0.0005);
}

/* E(exp(Y)) of an exponential Y with mean s is 1 / (1 - s), and has no end for
 * s >= 1, nor for a shape below 1. */
static void hypweib_knows_when_it_has_no_mean(void **state)
{
	struct model m = parsed("hypweib:weight=0:scale2=0.4:shape2=1");

	assert_near(model_mean(&m), 1 / 0.6, 1e-8);
	assert_near(model_cv(&m), sqrt(1 / 0.2 - 1 / 0.36) * 0.6, 1e-7);
	m = parsed("hypweib:weight=0.5:scale2=1:shape2=1");
	assert_true(isinf(model_mean(&m)));
	m = parsed("hypweib:weight=0.5:shape2=0.9");
	assert_true(isinf(model_mean(&m)));
}

/* x = ln 1000 = 6.907755: -0.0125 * 47.717083 + 0.3018 * 6.907755 - 0.8184 =
 * 0.669897.  Zeros and summit from the quadratic formula: (0.3018 -
 * sqrt(0.09108324 - 0.05 * 0.8184)) / 0.025 = 3.113137, exp = 22.4915;
 * with 1.8184 for 0.8184: 11.560936, exp = 104,918. */
static void polylin_is_the_printed_parabola(void **state)
{
	struct model m = parsed("polylin");

	assert_near(model_cdf(&m, 1000), 0.669897, 1e-6);
	assert_near(model_quantile(&m, 0), 22.4915, 1e-4);
	assert_near(model_quantile(&m, 1), 104918, 0.5);
	assert_near(model_cdf(&m, 22), 0, 0);
	assert_near(model_cdf(&m, 0), 0, 0);
	assert_near(model_cdf(&m, 2e5), 1, 0);
	assert_near(model_mean(&m), 3958, 0.5);
	assert_near(model_cv(&m), 2.807, 0.0005);
}

/* F(30) = 0.0635; above it, (F - F(30)) / (1 - F(30)). */
static void polylin_can_leave_out_short_times(void **state)
{
	struct model all = parsed("polylin");
	struct model cut = parsed("polylin:floor_s=30");
	double low = model_cdf(&all, 30);

	assert_near(low, 0.0635, 5e-5);
	assert_near(model_quantile(&cut, 0), 30, 1e-9);
	assert_near(model_cdf(&cut, 25), 0, 0);
	assert_near(model_cdf(&cut, 500),
		    (model_cdf(&all, 500) - low) / (1 - low), 1e-14);
	assert_near(model_quantile(&cut, 1), model_quantile(&all, 1), 1e-6);
}

/* A straight line in ln t, F = (ln t) / 4: quantile exp(4 u), mean (e^4 - 1) /
 * 4. */
static void polylin_may_be_a_straight_line(void **state)
{
	struct model m = parsed("polylin:a=0:b=0.25:c=0");

	assert_near(model_quantile(&m, 0.5), exp(2), 1e-12);
	assert_near(model_mean(&m), (exp(4) - 1) / 4, 1e-10);
}

/* At one scale: 1 - (1 + 1.77332)^(-1/1.77332); ln 2.77332 = 1.020045, divided
 * by the shape 0.575218, exp(-0.575218) = 0.562582. */
static void gpareto_is_the_generalised_one(void **state)
{
	struct model m = parsed("gpareto");
	struct model exponential = parsed("gpareto:shape=0:scale=50");
	struct model light = parsed("gpareto:shape=0.25:scale=3:threshold=1");
	struct model bounded = parsed("gpareto:shape=-0.5:scale=10");

	assert_near(model_cdf(&m, 213.171), 1 - 0.562582, 1e-6);
	assert_true(isinf(model_mean(&m)));
	assert_near(model_cdf(&exponential, 50), 0.63212055882855767, 1e-14);
	assert_near(model_quantile(&exponential, 0.5), 50 * log(2), 1e-12);
	/* mean 1 + 3 / 0.75 = 5, variance (3 / 0.75)^2 / 0.5 = 32 */
	assert_near(model_mean(&light), 5, 1e-12);
	assert_near(model_cv(&light), sqrt(32) / 5, 1e-12);
	assert_near(model_cdf(&light, 0.9), 0, 0);
	/* ends at scale / 0.5 */
	assert_near(model_cdf(&bounded, 20), 1, 0);
	assert_near(model_cdf(&bounded, 25), 1, 0);
	assert_near(model_quantile(&bounded, 1), 20, 1e-9);
}

/* The printed weights sum to 0.998.  Mean: (8 * .508 + 16 * .144 + 32 * .126 +
 * 64 * .137 + 128 * .048 + 256 * .035) / .998 = 34.272 / .998. */
static void binbin_renormalises_its_weights(void **state)
{
	struct model m = parsed("binbin");

	assert_near(model_cdf(&m, 8), 0.508 / 0.998, 1e-15);
	assert_near(model_cdf(&m, 31), 0.652 / 0.998, 1e-15);
	assert_near(model_mean(&m), 34.272 / 0.998, 1e-12);
	assert_near(model_quantile(&m, 0), 8, 0);
	assert_near(model_quantile(&m, 1), 256, 0);
}

static void binbin_skips_values_without_weight(void **state)
{
	struct model m = parsed("binbin:first=0:w1=0:w2=3:w3=0:w4=1:w5=0:w6=0");
	double at[MODEL_MAX_VALUES];

	assert_int_equal(model_values(&m, at), 2);
	assert_near(at[0], 2, 0);
	assert_near(at[1], 8, 0);
	assert_near(model_quantile(&m, 0), 2, 0);
	assert_near(model_quantile(&m, 0.75), 2, 0);
	assert_near(model_quantile(&m, 0.76), 8, 0);
	assert_near(model_cdf(&m, 4), 0.75, 0);
}

/* Exponent 1, three values: weights 1, 1/2, 1/3 of 11/6. */
static void zipf_weighs_by_rank(void **state)
{
	struct model m = parsed("zipf:exponent=1:values=3:first=2");

	assert_near(model_cdf(&m, 4), 6.0 / 11, 1e-15);
	assert_near(model_cdf(&m, 8), 9.0 / 11, 1e-15);
	assert_near(model_mean(&m), (4 * 6 + 8 * 3 + 16 * 2) / 11.0, 1e-12);
	m = parsed("zipf:exponent=0:values=4:first=0");
	assert_near(model_cdf(&m, 2), 0.5, 1e-15);
}

/* The sum of k^-1.4 for k = 1 to 6 is 1.92379.  The CDFs differ most after the
 * second value: 1.37893 / 1.92379 = 0.71678 against 0.652 / 0.998 = 0.65331.
 */
static void zipf_is_0_063_from_binbin(void **state)
{
	struct model a = parsed("binbin"), b = parsed("zipf");
	struct model time = parsed("polylin");

	assert_near(model_distance(&a, &b), 0.71678 - 0.65331, 1e-5);
	assert_near(model_distance(&b, &a), model_distance(&a, &b), 0);
	assert_near(model_distance(&a, &a), 0, 0);
	assert_true(isnan(model_distance(&a, &time)));
}

static void a_specification_reads_back_as_printed(void **state)
{
	static const char *const specs[] = {
		"hypweib:weight=0.123456789012345:scale1=3.3333333333333335",
		"polylin:floor_s=30", "gpareto:shape=0:threshold=0.1",
		"binbin:w16=0.25:first=0", "zipf:values=9"};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct model m = parsed(specs[i]), again;
		char text[1024];
		int n = model_print(&m, text, sizeof(text));

		assert_int_equal(n, strlen(text));
		again = parsed(text);
		assert_ptr_equal(again.type, m.type);
		assert_memory_equal(again.p, m.p, sizeof(m.p));
	}
}

static void printing_into_too_little_room_says_how_much_it_takes(void **state)
{
	struct model m = parsed("hypweib");
	char whole[256], part[10];
	int n = model_print(&m, whole, sizeof(whole));

	assert_int_equal(model_print(&m, part, sizeof(part)), n);
	assert_int_equal(strncmp(part, whole, 9), 0);
	assert_int_equal(strlen(part), 9);
}

static void a_bad_specification_is_one_line_and_changes_nothing(void **state)
{
	static const struct {
		const char *spec;
		int code;
		const char *text;
	} bad[] = {
		{"hypwieb", ENOENT, "did you mean 'hypweib'"},
		{"", ENOENT, "unknown model"},
		{"qqqqqqqqq", ENOENT, "see librasim model list"},
		{"hypweib:wait=1", ENOENT, "wait"},
		{"hypweib:weight", EINVAL, "PARAM=VALUE"},
		{"hypweib:weight=x", EINVAL, "number"},
		{"hypweib:weight=nan", EINVAL, "number"},
		{"hypweib:weight=1.5", ERANGE, "from 0 to 1"},
		{"exponential:mean=0", ERANGE, "mean"},
		{"gpareto:scale=-3", ERANGE, "scale"},
		{"zipf:values=0", ERANGE, "values"},
		{"zipf:values=2.5", EINVAL, "whole"},
		{"binbin:first=99", ERANGE, "first"},
		{"binbin:w1=0:w2=0:w3=0:w4=0:w5=0:w6=0", EINVAL, "weights"},
		{"polylin:c=-5", EINVAL, "rise from 0 to 1"},
		{"polylin:a=-0.02", EINVAL, "rise from 0 to 1"},
		{"polylin:a=0:b=0", EINVAL, "rise from 0 to 1"},
		{"polylin:a=0:b=1e-6", EINVAL, "rise from 0 to 1"},
		{"polylin:floor_s=200000", EINVAL, "leaves nothing"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct model m = parsed("zipf:values=5"), before = m;
		struct libra_error err = {""};

		errno = 0;
		assert_int_equal(model_parse(&m, bad[i].spec, &err), -1);
		assert_int_equal(errno, bad[i].code);
		assert_one_line(&err);
		assert_contains(err.text, bad[i].text);
		assert_memory_equal(&m, &before, sizeof(m));
		assert_int_equal(model_parse(&m, bad[i].spec, NULL), -1);
	}
}

static void a_model_out_of_its_range_is_refused(void **state)
{
	struct model m = parsed("gpareto");
	struct libra_error err = {""};

	m.p[0] = 101;
	assert_int_equal(model_check(&m, &err), -1);
	assert_int_equal(errno, ERANGE);
	assert_contains(err.text, "from -100 to 100, not 101");
	m.p[0] = NAN;
	assert_int_equal(model_check(&m, NULL), -1);
	m = parsed("zipf");
	m.p[1] = 2.5;
	assert_int_equal(model_check(&m, NULL), -1);
	assert_int_equal(errno, EINVAL);
}

static void series_have_names(void **state)
{
	for (int s = MODEL_IAT; s <= MODEL_SIZE; s++)
		assert_int_equal(model_series_find(model_series_name(s)), s);
	assert_int_equal(model_series_find("cpu"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_quantile_function_inverts_the_cdf),
		cmocka_unit_test(each_value_of_a_discrete_type_is_a_quantile),
		cmocka_unit_test(draws_follow_the_cdf),
		cmocka_unit_test(the_mean_is_that_of_the_draws),
		cmocka_unit_test(hypweib_is_a_mixture),
		cmocka_unit_test(hypweib_has_the_moments_of_the_paper),
		cmocka_unit_test(hypweib_knows_when_it_has_no_mean),
		cmocka_unit_test(polylin_is_the_printed_parabola),
		cmocka_unit_test(polylin_can_leave_out_short_times),
		cmocka_unit_test(polylin_may_be_a_straight_line),
		cmocka_unit_test(gpareto_is_the_generalised_one),
		cmocka_unit_test(binbin_renormalises_its_weights),
		cmocka_unit_test(binbin_skips_values_without_weight),
		cmocka_unit_test(zipf_weighs_by_rank),
		cmocka_unit_test(zipf_is_0_063_from_binbin),
		cmocka_unit_test(a_specification_reads_back_as_printed),
		cmocka_unit_test(
			printing_into_too_little_room_says_how_much_it_takes),
		cmocka_unit_test(
			a_bad_specification_is_one_line_and_changes_nothing),
		cmocka_unit_test(a_model_out_of_its_range_is_refused),
		cmocka_unit_test(series_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
