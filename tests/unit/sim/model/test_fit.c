/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_fit.c - parameters from samples.
 *
 * Samples are quantiles of a known model at equal steps, or draws of it with a
 * fixed seed, so the fit has to find the parameters again.
 */
#include <errno.h>

#include "sim/model/fit.h"
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

/* n quantiles at equal steps; the caller frees them. */
static double *quantiles(const char *spec, size_t n)
{
	struct model m = parsed(spec);
	double *x = calloc(n, sizeof(*x));

	for (size_t i = 0; i < n; i++)
		x[i] = model_quantile(&m, (i + 0.5) / n);
	return x;
}

/* n sorted draws; the caller frees them. */
static double *draws(const char *spec, size_t n)
{
	struct model m = parsed(spec);
	double *x = calloc(n, sizeof(*x));
	struct rng_stream rng;

	rng_stream_init(&rng, 17, spec, 0);
	for (size_t i = 0; i < n; i++)
		x[i] = model_sample(&m, &rng);
	sim_sort(x, n);
	return x;
}

static struct fit_result fitted(const char *type, enum fit_method method,
				const double *x, size_t n)
{
	struct libra_error err = {""};
	struct fit_result r;

	if (fit_model(model_find(type, NULL), method, x, n, NULL, &r, &err))
		fail_msg("%s: %s", type, err.text);
	return r;
}

/* Expect a failure with this errno and part of the text, and the result
 * unchanged. */
static void refused(const char *type, enum fit_method method, const double *x,
		    size_t n, const double *options, int code, const char *text)
{
	struct fit_result r, before;
	struct libra_error err = {""};

	memset(&r, 0x5a, sizeof(r));
	before = r;
	errno = 0;
	assert_int_equal(fit_model(model_find(type, NULL), method, x, n,
				   options, &r, &err),
			 -1);
	assert_int_equal(errno, code);
	assert_one_line(&err);
	assert_contains(err.text, text);
	assert_memory_equal(&r, &before, sizeof(r));
}

static void an_exponential_has_the_mean_of_the_sample(void **state)
{
	double x[40], sum = 0;
	struct fit_result r;

	for (int i = 0; i < 40; i++)
		sum += x[i] = 2.385 * i;
	r = fitted("exponential", FIT_ML, x, 40);
	assert_near(r.model.p[0], sum / 40, 1e-12);
	/* -log density of the mean: ln m + 1 */
	assert_near(r.loss, log(sum / 40) + 1, 1e-12);
	assert_int_equal(r.iterations, 0);
	assert_int_equal(r.used, 40);
}

static void least_squares_find_an_exponential_again(void **state)
{
	double *x = quantiles("exponential:mean=123.4", 5000);
	struct fit_result r = fitted("exponential", FIT_LSQ, x, 5000);

	assert_near(r.model.p[0], 123.4, 0.05);
	assert_true(r.loss < 1e-3);
	assert_true(r.iterations > 0);
	free(x);
}

/* Three standard errors; a Weibull alone has 0.78 k / sqrt(n) for its shape k
 * (0.031 for the 1160 numbers of the first), the mixture twice that. */
static void likelihood_finds_a_hypweib_again(void **state)
{
	double *x = draws("hypweib", 4000);
	struct fit_result r = fitted("hypweib", FIT_ML, x, 4000);

	assert_near(r.model.p[0], 0.29, 0.05);
	assert_near(r.model.p[1], 16.1489, 3);
	assert_near(r.model.p[2], 1.3462, 0.19);
	assert_near(r.model.p[3], 5.93123, 0.08);
	assert_near(r.model.p[4], 4.95969, 0.3);
	assert_true(gof_ks_model(x, 4000, &r.model) < 1.358 / sqrt(4000));
	free(x);
}

static void least_squares_find_a_hypweib_again(void **state)
{
	double *x = quantiles("hypweib", 20000);
	struct fit_result r = fitted("hypweib", FIT_LSQ, x, 20000);

	assert_near(r.model.p[0], 0.29, 0.003);
	assert_near(r.model.p[1], 16.1489, 0.3);
	assert_near(r.model.p[2], 1.3462, 0.03);
	assert_near(r.model.p[3], 5.93123, 0.02);
	assert_near(r.model.p[4], 4.95969, 0.05);
	free(x);
}

/* A log has whole seconds, and a gap of 0 for what was less than half. */
static void likelihood_understands_whole_seconds(void **state)
{
	double *x = draws("hypweib:scale1=4:shape1=1", 50000);
	struct fit_result r;
	size_t zeros = 0;

	for (size_t i = 0; i < 50000; i++) {
		x[i] = round(x[i]);
		zeros += x[i] == 0;
	}
	assert_true(zeros > 1000);
	r = fitted("hypweib", FIT_ML, x, 50000);
	assert_near(r.model.p[0], 0.29, 0.015);
	assert_near(r.model.p[1], 4, 0.3);
	assert_near(r.model.p[2], 1, 0.05);
	free(x);
}

static void likelihood_finds_a_pareto_again(void **state)
{
	static const char *const specs[] = {"gpareto",
					    "gpareto:shape=0.2:scale=1000",
					    "gpareto:shape=-0.3:scale=5000"};

	for (size_t i = 0; i < 3; i++) {
		struct model m = parsed(specs[i]);
		double *x = draws(specs[i], 5000);
		struct fit_result r = fitted("gpareto", FIT_ML, x, 5000);

		/* 3 standard errors: (1 + k) / sqrt(n) of the shape, sqrt(2 (1
		 * + k) / n) of the scale's logarithm */
		assert_near(r.model.p[0], m.p[0],
			    3 * (1 + m.p[0]) / sqrt(5000));
		assert_near(log(r.model.p[1]), log(m.p[1]),
			    3 * sqrt(2 * (1 + m.p[0]) / 5000));
		assert_near(r.model.p[2], 0, 0);
		free(x);
	}
}

static void least_squares_find_the_parabola_again(void **state)
{
	double *x = quantiles("polylin", 50000);
	struct fit_result r = fitted("polylin", FIT_LSQ, x, 50000);

	assert_near(r.model.p[0], -0.0125, 5e-5);
	assert_near(r.model.p[1], 0.3018, 1e-3);
	assert_near(r.model.p[2], -0.8184, 2e-3);
	assert_near(r.model.p[3], 0, 0);
	/* F(30 s) = 0.0635 of the sample is not compared. */
	assert_near((double)r.left_out / 50000, 0.0635, 1e-4);
	assert_int_equal(r.used + r.left_out, 50000);
	assert_int_equal(r.iterations, 0);
	free(x);
}

/* Where the free parabola has its summit below 1 it is no CDF; a search finds
 * the best one that is. */
static void a_parabola_that_is_no_cdf_is_replaced(void **state)
{
	enum { N = 3000 };
	double *x = calloc(N, sizeof(*x)), options[FIT_NOPTIONS];
	struct libra_error err = {""};
	struct fit_result r;

	/* Nearly all at once, then a long tail: the CDF is a corner. */
	for (int i = 0; i < N; i++)
		x[i] = i < 0.9 * N ? 100 + i * 0.01 : 130 * pow(1.02, i - 2700);
	for (size_t i = 0; i < FIT_NOPTIONS; i++)
		options[i] = fit_options[i].value;
	assert_int_equal(fit_model(model_find("polylin", NULL), FIT_LSQ, x, N,
				   options, &r, &err),
			 0);
	assert_true(r.iterations > 0);
	assert_int_equal(model_check(&r.model, NULL), 0);
	assert_near(model_cdf(&r.model, x[N - 1] * 1e9), 1, 0);
	assert_true(r.loss < 0.2);
	free(x);
}

static double *sizes(const size_t *count, size_t n, size_t *total)
{
	double *x;
	size_t k = 0;

	*total = 0;
	for (size_t e = 0; e < n; e++)
		*total += count[e];
	x = calloc(*total, sizeof(*x));
	for (size_t e = 0; e < n; e++)
		for (size_t i = 0; i < count[e]; i++)
			x[k++] = ldexp(1, (int)e);
	return x;
}

static void a_histogram_has_the_frequencies_of_the_sizes(void **state)
{
	static const size_t count[] = {0, 0, 500, 300, 20, 180};
	size_t n;
	double *x = sizes(count, 6, &n);
	struct fit_result r = fitted("binbin", FIT_HISTOGRAM, x, n);

	assert_near(r.model.p[0], 2, 0);
	assert_near(r.model.p[1], 0.5, 1e-15);
	assert_near(r.model.p[2], 0.3, 1e-15);
	/* rare, but between two that are not */
	assert_near(r.model.p[3], 0.02, 1e-15);
	assert_near(r.model.p[4], 0.18, 1e-15);
	assert_near(r.model.p[5], 0, 0);
	assert_near(gof_ks_model(x, n, &r.model), 0, 1e-12);
	free(x);
}

/* 3 % is the limit: 2 of 100 jobs are left out, at either end. */
static void rare_sizes_at_the_ends_are_left_out(void **state)
{
	static const size_t count[] = {2, 49, 47, 2};
	size_t n;
	double *x = sizes(count, 4, &n);
	struct fit_result r = fitted("binbin", FIT_HISTOGRAM, x, n);
	double options[FIT_NOPTIONS];

	assert_near(r.model.p[0], 1, 0);
	assert_near(r.model.p[1], 49.0 / 96, 1e-15);
	assert_int_equal(r.used, 96);
	assert_int_equal(r.left_out, 4);
	for (size_t i = 0; i < FIT_NOPTIONS; i++)
		options[i] = fit_options[i].value;
	options[FIT_MIN_DENSITY] = 0;
	assert_int_equal(fit_model(model_find("binbin", NULL), FIT_HISTOGRAM, x,
				   n, options, &r, NULL),
			 0);
	assert_int_equal(r.left_out, 0);
	free(x);
}

/* Sizes between powers of two count with the nearest by their logarithm: 11 is
 * 3.46, 12 is 3.58. */
static void sizes_are_rounded_in_their_logarithm(void **state)
{
	double x[40];
	struct fit_result r;

	for (int i = 0; i < 40; i++)
		x[i] = i < 10 ? 11 : 12;
	r = fitted("binbin", FIT_HISTOGRAM, x, 40);
	assert_near(r.model.p[0], 3, 0);
	assert_near(r.model.p[1], 0.25, 1e-15);
	assert_near(r.model.p[2], 0.75, 1e-15);
}

/* Counts in proportion to k^-1.4: both methods have their optimum there. */
static void a_zipf_finds_its_exponent_again(void **state)
{
	size_t count[8] = {0}, n;
	double *x;

	for (int k = 1; k <= 6; k++)
		count[k + 1] = (size_t)lround(1e6 * pow(k, -1.4));
	x = sizes(count, 8, &n);
	for (int m = FIT_ML; m <= FIT_LSQ; m++) {
		struct fit_result r = fitted("zipf", m, x, n);

		assert_near(r.model.p[0], 1.4, 1e-4);
		assert_near(r.model.p[1], 6, 0);
		assert_near(r.model.p[2], 2, 0);
	}
	free(x);
}

/* Sizes that grow more frequent: the bound is the best exponent. */
static void a_zipf_never_has_an_exponent_below_zero(void **state)
{
	static const size_t count[] = {10, 20, 70};
	size_t n;
	double *x = sizes(count, 3, &n);
	struct fit_result r = fitted("zipf", FIT_ML, x, n);

	assert_near(r.model.p[0], 0, 1e-9);
	free(x);
}

static void the_same_sample_gives_the_same_bits(void **state)
{
	double *x = draws("hypweib", 3000);
	struct fit_result a = fitted("hypweib", FIT_ML, x, 3000);
	struct fit_result b = fitted("hypweib", FIT_ML, x, 3000);

	assert_memory_equal(a.model.p, b.model.p, sizeof(a.model.p));
	free(x);
}

static void a_sample_that_is_too_small_is_refused(void **state)
{
	double x[FIT_MIN_VALUES];

	for (int i = 0; i < FIT_MIN_VALUES; i++)
		x[i] = 50 + 3.5 * i;
	for (size_t t = 0; t < model_ntypes; t++) {
		const struct model_type *type = &model_types[t];

		refused(type->name, fit_first_method(type), x,
			FIT_MIN_VALUES - 1, NULL, EDOM, "too few");
		refused(type->name, fit_first_method(type), x, 0, NULL, EDOM,
			"too few");
	}
	fitted("gpareto", FIT_ML, x, FIT_MIN_VALUES);
	/* enough, but not from 30 s on */
	x[0] = 5;
	refused("polylin", FIT_LSQ, x, FIT_MIN_VALUES, NULL, EDOM, "left out");
}

static void a_sample_without_variety_is_refused(void **state)
{
	double x[100];

	for (int i = 0; i < 100; i++)
		x[i] = 60;
	refused("hypweib", FIT_ML, x, 100, NULL, EDOM, "too few different");
	refused("exponential", FIT_ML, x, 100, NULL, EDOM, "too few different");
	refused("polylin", FIT_LSQ, x, 100, NULL, EDOM, "too few different");
	memset(x, 0, sizeof(x));
	refused("gpareto", FIT_LSQ, x, 100, NULL, EDOM, "too few different");
	/* one size is a fine histogram */
	for (int i = 0; i < 100; i++)
		x[i] = 64;
	assert_near(fitted("binbin", FIT_HISTOGRAM, x, 100).model.p[0], 6, 0);
}

static void numbers_that_are_no_times_are_refused(void **state)
{
	double x[100];

	for (int i = 0; i < 100; i++)
		x[i] = i - 1;
	refused("gpareto", FIT_ML, x, 100, NULL, EINVAL,
		"negative or infinite");
	x[0] = 0;
	x[99] = INFINITY;
	refused("gpareto", FIT_ML, x, 100, NULL, EINVAL,
		"negative or infinite");
	x[0] = NAN;
	x[99] = 99;
	refused("gpareto", FIT_ML, x, 100, NULL, EINVAL,
		"negative or infinite");
}

static void a_method_the_type_does_not_have_is_refused(void **state)
{
	double x[40];

	for (int i = 0; i < 40; i++)
		x[i] = 40 + i;
	refused("hypweib", FIT_HISTOGRAM, x, 40, NULL, EINVAL, "histogram");
	refused("polylin", FIT_ML, x, 40, NULL, EINVAL, "ml");
	refused("binbin", FIT_LSQ, x, 40, NULL, EINVAL, "lsq");
	assert_false(fit_has_method(model_find("binbin", NULL), FIT_ML));
	assert_true(fit_has_method(model_find("zipf", NULL), FIT_ML));
	assert_int_equal(fit_first_method(model_find("polylin", NULL)),
			 FIT_LSQ);
}

static void a_search_that_does_not_converge_says_so(void **state)
{
	double *x = draws("hypweib", 1000), options[FIT_NOPTIONS];

	for (size_t i = 0; i < FIT_NOPTIONS; i++)
		options[i] = fit_options[i].value;
	options[FIT_MAX_ITERATIONS] = 10;
	refused("hypweib", FIT_ML, x, 1000, options, ECANCELED,
		"did not converge in 10");
	refused("hypweib", FIT_LSQ, x, 1000, options, ECANCELED,
		"max-iterations");
	free(x);
}

static void sizes_beyond_the_type_are_refused(void **state)
{
	double x[100], options[FIT_NOPTIONS];

	for (int i = 0; i < 100; i++)
		x[i] = ldexp(1, 30);
	refused("binbin", FIT_HISTOGRAM, x, 100, NULL, ERANGE, "first");
	refused("zipf", FIT_ML, x, 100, NULL, EDOM, "too few different");
	for (int i = 0; i < 50; i++)
		x[i] = ldexp(1, 29);
	refused("zipf", FIT_ML, x, 100, NULL, ERANGE, "first");
	/* from 1 to 2^17 are 18 powers */
	for (int i = 0; i < 100; i++)
		x[i] = i < 50 ? 1 : ldexp(1, 17);
	refused("binbin", FIT_HISTOGRAM, x, 100, NULL, EDOM, "18 powers");
	for (int i = 50; i < 100; i++)
		x[i] = ldexp(1, 24);
	refused("zipf", FIT_LSQ, x, 100, NULL, ERANGE, "values");
	for (int i = 0; i < 100; i++)
		x[i] = i < 50 ? 1 : 2;
	/* every size rarer than the limit */
	for (size_t i = 0; i < FIT_NOPTIONS; i++)
		options[i] = fit_options[i].value;
	options[FIT_MIN_DENSITY] = 0.5;
	refused("binbin", FIT_HISTOGRAM, x, 100, options, EDOM, "min-density");
}

static void methods_have_names(void **state)
{
	for (int m = FIT_ML; m <= FIT_HISTOGRAM; m++)
		assert_int_equal(fit_method_find(fit_method_name(m)), m);
	assert_int_equal(fit_method_find("moments"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exponential_has_the_mean_of_the_sample),
		cmocka_unit_test(least_squares_find_an_exponential_again),
		cmocka_unit_test(likelihood_finds_a_hypweib_again),
		cmocka_unit_test(least_squares_find_a_hypweib_again),
		cmocka_unit_test(likelihood_understands_whole_seconds),
		cmocka_unit_test(likelihood_finds_a_pareto_again),
		cmocka_unit_test(least_squares_find_the_parabola_again),
		cmocka_unit_test(a_parabola_that_is_no_cdf_is_replaced),
		cmocka_unit_test(a_histogram_has_the_frequencies_of_the_sizes),
		cmocka_unit_test(rare_sizes_at_the_ends_are_left_out),
		cmocka_unit_test(sizes_are_rounded_in_their_logarithm),
		cmocka_unit_test(a_zipf_finds_its_exponent_again),
		cmocka_unit_test(a_zipf_never_has_an_exponent_below_zero),
		cmocka_unit_test(the_same_sample_gives_the_same_bits),
		cmocka_unit_test(a_sample_that_is_too_small_is_refused),
		cmocka_unit_test(a_sample_without_variety_is_refused),
		cmocka_unit_test(numbers_that_are_no_times_are_refused),
		cmocka_unit_test(a_method_the_type_does_not_have_is_refused),
		cmocka_unit_test(a_search_that_does_not_converge_says_so),
		cmocka_unit_test(sizes_beyond_the_type_are_refused),
		cmocka_unit_test(methods_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
