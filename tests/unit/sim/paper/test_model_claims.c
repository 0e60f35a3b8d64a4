/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_model_claims.c - the claims about workload models.
 *
 * Judged on jobs drawn from the models themselves: what the paper says of its
 * models must hold there, and what it says of its log must not.
 */
#include <errno.h>

#include "sim/model/gen.h"
#include "sim/model/model_plot.h"
#include "sim/paper/ccgrid2008/models.h"
#include "tests/unit/test.h"

/* A trace of n drawn jobs, without going through a file. */
struct drawn {
	struct swf_trace trace;
	struct sim_trace_series series;
};

static void draw(struct drawn *d, size_t n, double delay)
{
	struct gen_plan plan;
	struct gen_job *jobs = calloc(n, sizeof(*jobs));

	gen_plan_init(&plan);
	plan.njobs = n;
	plan.options[GEN_ARRIVAL_DELAY] = delay;
	plan.options[GEN_DECIMALS] = 3;
	gen_jobs(&plan, jobs);
	d->trace = (struct swf_trace){.name = "drawn", .nrecords = n};
	d->trace.records = calloc(n, sizeof(*d->trace.records));
	for (size_t i = 0; i < n; i++)
		d->trace.records[i] =
			(struct swf_record){.submit_s = jobs[i].submit_s,
					    .run_s = jobs[i].run_s,
					    .alloc_procs = jobs[i].procs};
	free(jobs);
	assert_int_equal(sim_series_init(&d->series, &d->trace,
					 SIM_SIZE_ALLOCATED, NULL),
			 0);
}

static void drop(struct drawn *d)
{
	sim_series_fini(&d->series);
	free(d->trace.records);
}

static void defaults(double *options, double ndraws)
{
	for (size_t i = 0; i < MODEL_CHECK_NOPTIONS; i++)
		options[i] = model_check_options[i].value;
	options[MODEL_CHECK_DRAWS] = ndraws;
}

static struct sim_paper_study *judge(const struct drawn *d, double ndraws,
				     const uint64_t *seed)
{
	double options[MODEL_CHECK_NOPTIONS];
	struct sim_paper_study *s;

	defaults(options, ndraws);
	s = cc_models_judge(d ? &d->series : NULL, options, seed, NULL);
	assert_non_null(s);
	/* No text and no claim invents a name. */
	assert_string_equal(s->wrong.text, "");
	return s;
}

static enum claim_status status(const struct sim_paper_study *s, const char *id)
{
	for (size_t i = 0; i < s->claims.n; i++)
		if (strcmp(s->claims.claims[i].id, id) == 0)
			return s->results[i].status;
	fail_msg("no claim %s", id);
	return 0;
}

static double value(const struct sim_paper_study *s, const char *expression)
{
	return sim_paper_value(s, "fit", expression);
}

static const uint64_t one = 1, two = 2;

static void without_a_trace_only_the_models_are_judged(void **state)
{
	struct sim_paper_study *s = judge(NULL, 100, &one);

	assert_int_equal(s->claims.n, 13);
	assert_int_equal(claims_count(s->results, s->claims.n, CLAIM_PASS), 4);
	assert_int_equal(claims_count(s->results, s->claims.n, CLAIM_FAIL), 0);
	assert_int_equal(status(s, "M3"), CLAIM_PASS);
	assert_int_equal(status(s, "M4"), CLAIM_PASS);
	assert_int_equal(status(s, "M5"), CLAIM_PASS);
	assert_int_equal(status(s, "M7"), CLAIM_PASS);
	assert_int_equal(status(s, "M1"), CLAIM_INFO);
	sim_paper_study_destroy(s);
}

static void what_is_said_of_the_log_fails_on_drawn_jobs(void **state)
{
	struct sim_paper_study *s;
	struct drawn d;

	draw(&d, 40000, 1);
	s = judge(&d, 1000, &one);
	/* Of the log: number, mean gap 335.9 s, CV 1.78, no memory. */
	assert_int_equal(status(s, "M1"), CLAIM_FAIL);
	assert_int_equal(status(s, "M2"), CLAIM_FAIL);
	assert_int_equal(status(s, "M9"), CLAIM_FAIL);
	assert_int_equal(status(s, "M10"), CLAIM_FAIL);
	assert_int_equal(status(s, "M12"), CLAIM_FAIL);
	/* Of the models. */
	assert_int_equal(status(s, "M3"), CLAIM_PASS);
	assert_int_equal(status(s, "M6"), CLAIM_PASS);
	assert_int_equal(status(s, "M8"), CLAIM_PASS);
	assert_int_equal(status(s, "M11"), CLAIM_PASS);
	assert_int_equal(status(s, "M13"), CLAIM_PASS);
	assert_near(value(s, "iat_mean_s"), 335.9, 3 * 597 / sqrt(40000));
	assert_near(value(s, "iat_below_10s"), 0.125, 0.005);
	assert_near(value(s, "run_below_30s"), 0.0635, 0.004);
	assert_near(value(s, "size_not_power"), 0, 0);
	/* HypWeib against its own draws. */
	assert_true(value(s, "ks[sample=HypWeib]") < 1.628 / sqrt(40000));
	assert_true(value(s, "success[sample=HypWeib]") > 0.92);
	sim_paper_study_destroy(s);
	drop(&d);
}

static void one_rate_of_arrivals_is_told_from_another(void **state)
{
	struct sim_paper_study *slow, *fast;
	struct drawn a, b;

	draw(&a, 2000, 1);
	draw(&b, 2000, 0.1);
	slow = judge(&a, 200, &one);
	fast = judge(&b, 200, &one);
	assert_near(value(fast, "iat_mean_s"), value(slow, "iat_mean_s") / 10,
		    0.01);
	assert_near(value(fast, "iat_cv"), value(slow, "iat_cv"), 1e-3);
	assert_near(value(fast, "iat_hurst"), value(slow, "iat_hurst"), 1e-3);
	assert_true(value(fast, "success[sample=HypWeib]") <
		    value(slow, "success[sample=HypWeib]") - 0.3);
	sim_paper_study_destroy(slow);
	sim_paper_study_destroy(fast);
	drop(&a);
	drop(&b);
}

static void the_same_seed_measures_the_same(void **state)
{
	static const char mean[] = "mean(fit sample: mean_ks)";
	struct sim_paper_study *a, *b, *c;
	struct drawn d;

	draw(&d, 500, 1);
	a = judge(&d, 100, &one);
	b = judge(&d, 100, &one);
	c = judge(&d, 100, &two);
	assert_near(value(a, mean), value(b, mean), 0);
	assert_true(value(a, mean) != value(c, mean));
	sim_paper_study_destroy(a);
	sim_paper_study_destroy(b);
	sim_paper_study_destroy(c);
	drop(&d);
}

static void a_log_too_short_for_the_claims_is_refused(void **state)
{
	double options[MODEL_CHECK_NOPTIONS];
	struct libra_error err = {""};
	struct drawn d;

	draw(&d, 40, 1);
	defaults(options, 100);
	assert_null(cc_models_judge(&d.series, options, &one, &err));
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_contains(err.text, "Hurst");
	drop(&d);
}

static void pictures_need_a_sample(void **state)
{
	struct sim_series none = {NULL, NULL, 0};
	struct libra_error err = {""};
	struct model m;
	char *svg = NULL;

	model_init(&m, model_find("hypweib", NULL));
	assert_int_equal(model_plot_cdf(MODEL_IAT, &none, &m, 1, &svg, &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(
		model_plot_quantiles(MODEL_IAT, &none, &m, 1, &svg, NULL), -1);
	assert_null(svg);
}

/* Without gnuplot there is no picture, which is no error. */
static void pictures_name_the_models(void **state)
{
	struct libra_error err = {""};
	struct drawn d;
	struct model m;
	char *svg = NULL;

	draw(&d, 200, 1);
	model_init(&m, model_find("hypweib", NULL));
	assert_int_equal(model_plot_cdf(MODEL_IAT, &d.series.of[MODEL_IAT], &m,
					1, &svg, &err),
			 0);
	if (svg) {
		assert_contains(svg, "HypWeib");
		assert_contains(svg, "inter-arrival time");
	}
	free(svg);
	drop(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_trace_only_the_models_are_judged),
		cmocka_unit_test(what_is_said_of_the_log_fails_on_drawn_jobs),
		cmocka_unit_test(one_rate_of_arrivals_is_told_from_another),
		cmocka_unit_test(the_same_seed_measures_the_same),
		cmocka_unit_test(a_log_too_short_for_the_claims_is_refused),
		cmocka_unit_test(pictures_need_a_sample),
		cmocka_unit_test(pictures_name_the_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
