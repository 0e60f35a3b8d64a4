/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gen.c - drawn jobs, the series of a trace, and files of models.
 *
 * What is written has to be read back: by the reader of traces, and by the
 * reader of models.
 */
#include <errno.h>

#include "sim/log/swf.h"
#include "sim/model/gen.h"
#include "sim/model/model_file.h"
#include "sim/model/series.h"
#include "sim/model/stats.h"
#include "tests/unit/test.h"

static struct model parsed(const char *spec)
{
	struct model m;

	assert_int_equal(model_parse(&m, spec, NULL), 0);
	return m;
}

static struct gen_job *drawn(const struct gen_plan *plan)
{
	struct gen_job *jobs = calloc(plan->njobs, sizeof(*jobs));

	assert_int_equal(gen_plan_check(plan, NULL), 0);
	gen_jobs(plan, jobs);
	return jobs;
}

/* Write the jobs of a plan and read the file as a trace. */
static void written(const struct gen_plan *plan, struct swf_trace *trace)
{
	struct gen_job *jobs = drawn(plan);
	struct libra_error err = {""};
	char name[32];
	FILE *fp;

	test_write_file(name, "", 0);
	fp = fopen(name, "w");
	gen_write(plan, jobs, fp);
	assert_int_equal(fclose(fp), 0);
	if (swf_read(trace, name, &err))
		fail_msg("%s", err.text);
	unlink(name);
	free(jobs);
}

static void jobs_are_written_as_a_trace_that_reads_back(void **state)
{
	struct gen_plan plan;
	struct swf_trace trace;
	struct gen_job *jobs;

	gen_plan_init(&plan);
	plan.njobs = 500;
	plan.options[GEN_DECIMALS] = 3;
	plan.options[GEN_USERS] = 7;
	plan.options[GEN_ESTIMATES] = 1;
	jobs = drawn(&plan);
	written(&plan, &trace);
	assert_int_equal(trace.nrecords, 500);
	assert_int_equal(trace.max_procs, 256);
	assert_int_equal(trace.unsorted, 0);
	for (size_t i = 0; i < 500; i++) {
		const struct swf_record *r = &trace.records[i];

		assert_int_equal(r->number, i + 1);
		assert_near(r->submit_s, jobs[i].submit_s, 1e-9);
		assert_near(r->run_s, jobs[i].run_s, 1e-9);
		assert_near(r->request_s, r->run_s, 0);
		assert_int_equal(r->alloc_procs, jobs[i].procs);
		assert_int_equal(r->req_procs, jobs[i].procs);
		assert_in_range(r->user, 1, 7);
	}
	swf_fini(&trace);
	free(jobs);
}

static void without_options_there_are_no_users_and_no_estimates(void **state)
{
	struct gen_plan plan;
	struct swf_trace trace;

	gen_plan_init(&plan);
	plan.njobs = 20;
	written(&plan, &trace);
	assert_int_equal(trace.no_estimate, 20);
	for (size_t i = 0; i < 20; i++) {
		const struct swf_record *r = &trace.records[i];

		assert_int_equal(r->user, -1);
		assert_near(r->submit_s, floor(r->submit_s), 0);
		assert_near(r->run_s, floor(r->run_s), 0);
	}
	assert_near(trace.records[0].submit_s, 0, 0);
	swf_fini(&trace);
}

/* One-sample KS at 1 %; times are rounded to whole microseconds. */
static void drawn_jobs_follow_their_models(void **state)
{
	struct sim_trace_series series;
	struct gen_plan plan;
	struct swf_trace trace;

	gen_plan_init(&plan);
	plan.njobs = 20000;
	plan.options[GEN_DECIMALS] = 6;
	written(&plan, &trace);
	assert_int_equal(
		sim_series_init(&series, &trace, SIM_SIZE_ALLOCATED, NULL), 0);
	assert_int_equal(series.of[MODEL_IAT].n, 19999);
	for (int s = MODEL_IAT; s <= MODEL_SIZE; s++)
		assert_true(gof_ks_model(series.of[s].sorted, series.of[s].n,
					 &plan.model[s]) <
			    1.628 / sqrt(series.of[s].n));
	sim_series_fini(&series);
	swf_fini(&trace);
}

static void one_model_does_not_disturb_the_draws_of_another(void **state)
{
	struct gen_plan plan;
	struct gen_job *a, *b, *c;

	gen_plan_init(&plan);
	plan.njobs = 100;
	a = drawn(&plan);
	plan.model[MODEL_RUN] = parsed("gpareto");
	plan.options[GEN_ARRIVAL_DELAY] = 0.5;
	b = drawn(&plan);
	plan.seed = 2;
	c = drawn(&plan);
	for (size_t i = 0; i < 100; i++) {
		assert_int_equal(a[i].procs, b[i].procs);
		/* half of the unrounded time, so within a second */
		assert_near(b[i].submit_s, a[i].submit_s / 2, 1);
	}
	assert_true(a[50].run_s != b[50].run_s);
	assert_true(b[50].submit_s != c[50].submit_s);
	free(a);
	free(b);
	free(c);
}

static void times_end_at_the_longest_allowed(void **state)
{
	struct gen_plan plan;
	struct gen_job *jobs;

	gen_plan_init(&plan);
	plan.njobs = 2000;
	plan.model[MODEL_RUN] = parsed("gpareto");
	plan.options[GEN_MAX_TIME_S] = 500;
	jobs = drawn(&plan);
	for (size_t i = 0; i < plan.njobs; i++) {
		assert_true(jobs[i].run_s >= 1 && jobs[i].run_s <= 500);
		if (i)
			assert_in_range(jobs[i].submit_s - jobs[i - 1].submit_s,
					0, 501);
	}
	free(jobs);
}

static void a_plan_that_cannot_be_drawn_is_refused(void **state)
{
	static const struct {
		const char *spec;
		enum model_series series;
		double procs, max_time_s;
		int code;
		const char *text;
	} bad[] = {
		{"polylin", MODEL_SIZE, 0, 1e6, EINVAL, "whole processors"},
		{"binbin", MODEL_SIZE, 128, 1e6, ERANGE, "256 processors"},
		{"polylin", MODEL_RUN, 0, 20, ERANGE, "at most 20 s"},
		{"gpareto:threshold=1e7", MODEL_IAT, 0, 1e6, ERANGE, "iat"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_error err = {""};
		struct gen_plan plan;

		gen_plan_init(&plan);
		plan.model[bad[i].series] = parsed(bad[i].spec);
		plan.options[GEN_PROCS] = bad[i].procs;
		plan.options[GEN_MAX_TIME_S] = bad[i].max_time_s;
		assert_int_equal(gen_plan_check(&plan, &err), -1);
		assert_int_equal(errno, bad[i].code);
		assert_one_line(&err);
		assert_contains(err.text, bad[i].text);
	}
}

static void a_plan_checks_its_models_and_jobs(void **state)
{
	struct gen_plan plan;

	gen_plan_init(&plan);
	plan.model[MODEL_IAT].p[0] = 2;
	assert_int_equal(gen_plan_check(&plan, NULL), -1);
	assert_int_equal(errno, ERANGE);
	gen_plan_init(&plan);
	plan.njobs = 0;
	assert_int_equal(gen_plan_check(&plan, NULL), -1);
	assert_int_equal(errno, EINVAL);
}

static struct swf_record record(double submit_s, double run_s, int alloc,
				int request)
{
	return (struct swf_record){.submit_s = submit_s,
				   .run_s = run_s,
				   .alloc_procs = alloc,
				   .req_procs = request};
}

/* Of seven records one has no allocated processors and one no run time. */
static void series_are_of_the_records_with_processors(void **state)
{
	struct swf_record r[] = {record(10, 100, 4, 4),	 record(15, 90, -1, 4),
				 record(30, -1, 2, 2),	 record(31, 70, 8, 8),
				 record(50.5, 60, 1, 1), record(20, 50, 16, 16),
				 record(60, 40, 32, 32)};
	static const double gaps[] = {10, 10, 1, 19.5, 9.5};
	static const double runs[] = {100, 50, 70, 60, 40};
	struct swf_trace trace = {
		.name = "trace", .records = r, .nrecords = 7, .unsorted = 1};
	struct sim_trace_series s;

	assert_int_equal(sim_series_init(&s, &trace, SIM_SIZE_ALLOCATED, NULL),
			 0);
	assert_int_equal(s.nrecords, 7);
	assert_int_equal(s.nchosen, 6);
	assert_int_equal(s.nunrun, 1);
	assert_int_equal(s.njobs, 5);
	assert_int_equal(s.of[MODEL_IAT].n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_near(s.of[MODEL_IAT].x[i], gaps[i], 0);
		assert_near(s.of[MODEL_RUN].x[i], runs[i], 0);
	}
	assert_true(isnan(s.gap[0]));
	assert_near(s.gap[2], 1, 0);
	assert_near(s.of[MODEL_RUN].sorted[0], 40, 0);
	assert_near(s.of[MODEL_RUN].sorted[4], 100, 0);
	assert_near(s.size[1], 16, 0);
	sim_series_fini(&s);
	assert_int_equal(sim_series_init(&s, &trace, SIM_SIZE_REQUESTED, NULL),
			 0);
	assert_int_equal(s.nchosen, 7);
	sim_series_fini(&s);
}

static void a_trace_without_the_fields_is_refused(void **state)
{
	struct swf_record r[] = {record(1, 5, -1, 2), record(2, 5, -1, 2),
				 record(3, 5, -1, 2), record(4, 5, 2, -1)};
	struct swf_trace trace = {
		.name = "some.swf", .records = r, .nrecords = 4};
	struct libra_error err = {""};
	struct sim_trace_series s;

	assert_int_equal(sim_series_init(&s, &trace, SIM_SIZE_ALLOCATED, &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_contains(err.text, "some.swf: only 1 of 4");
	assert_contains(err.text, "--size=requested");
	for (int i = 0; i < 4; i++)
		r[i].run_s = -1;
	libra_error_clear(&err);
	assert_int_equal(sim_series_init(&s, &trace, SIM_SIZE_REQUESTED, &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_contains(err.text, "run time (field 4)");
}

static struct model_fit fit_of(const char *spec, bool best)
{
	struct model_fit f = {.fit = {.method = FIT_ML, .used = 100},
			      .best = best};

	f.fit.model = parsed(spec);
	f.series = f.fit.model.type->series;
	return f;
}

static void models_read_back_from_their_file(void **state)
{
	struct model_fit fits[] = {
		fit_of("exponential:mean=0.1", false),
		fit_of("hypweib:weight=0.123456789012345678", true),
		fit_of("zipf:values=4", true)};
	struct model set[MODEL_NSERIES + 1];
	struct libra_error err = {""};
	struct gen_plan plan;
	char name[32];
	FILE *fp;

	test_write_file(name, "", 0);
	fp = fopen(name, "w");
	model_file_write(fp, "a \"trace\"", "", 1, fits, 3);
	assert_int_equal(fclose(fp), 0);
	gen_plan_init(&plan);
	memcpy(set, plan.model, sizeof(set));
	if (model_file_read(name, set, &err))
		fail_msg("%s", err.text);
	unlink(name);
	assert_memory_equal(&set[MODEL_IAT], &fits[1].fit.model,
			    sizeof(set[0]));
	assert_memory_equal(&set[MODEL_SIZE], &fits[2].fit.model,
			    sizeof(set[0]));
	/* what the file does not have stays */
	assert_string_equal(set[MODEL_RUN].type->name, "polylin");
}

static void a_bad_file_of_models_is_refused(void **state)
{
	static const struct {
		const char *json;
		int code;
		const char *text;
	} bad[] = {
		{"", EINVAL, ":1: "},
		{"{\"models\": [\n}", EINVAL, ":2: "},
		{"{}", EINVAL, "model fit --json"},
		{"[]", EINVAL, "model fit --json"},
		{"{\"models\": [3]}", EINVAL, "needs series"},
		{"{\"models\": [{\"series\": \"iat\"}]}", EINVAL,
		 "needs series"},
		{"{\"models\": [{\"series\": \"cpu\", \"model\": \"zipf\", "
		 "\"parameters\": {}}]}",
		 EINVAL, "unknown series 'cpu'"},
		{"{\"models\": [{\"series\": \"iat\", \"model\": \"gauss\", "
		 "\"parameters\": {}}]}",
		 ENOENT, "'gauss'"},
		{"{\"models\": [{\"series\": \"iat\", \"model\": "
		 "\"exponential\", \"parameters\": {\"men\": 1}}]}",
		 ENOENT, "'men'"},
		{"{\"models\": [{\"series\": \"iat\", \"model\": "
		 "\"exponential\", \"parameters\": {\"mean\": \"1\"}}]}",
		 EINVAL, "not a number"},
		{"{\"models\": [{\"series\": \"iat\", \"model\": "
		 "\"exponential\", \"parameters\": {\"mean\": -1}}]}",
		 ERANGE, "not -1"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_error err = {""};
		struct gen_plan plan, before;
		char name[32];

		gen_plan_init(&plan);
		before = plan;
		test_write_file(name, bad[i].json, strlen(bad[i].json));
		assert_int_equal(model_file_read(name, plan.model, &err), -1);
		assert_int_equal(errno, bad[i].code);
		assert_one_line(&err);
		assert_contains(err.text, name);
		assert_contains(err.text, bad[i].text);
		assert_memory_equal(plan.model, before.model,
				    sizeof(plan.model));
		unlink(name);
		assert_int_equal(model_file_read(name, plan.model, NULL), -1);
		assert_int_equal(errno, ENOENT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_are_written_as_a_trace_that_reads_back),
		cmocka_unit_test(
			without_options_there_are_no_users_and_no_estimates),
		cmocka_unit_test(drawn_jobs_follow_their_models),
		cmocka_unit_test(
			one_model_does_not_disturb_the_draws_of_another),
		cmocka_unit_test(times_end_at_the_longest_allowed),
		cmocka_unit_test(a_plan_that_cannot_be_drawn_is_refused),
		cmocka_unit_test(a_plan_checks_its_models_and_jobs),
		cmocka_unit_test(series_are_of_the_records_with_processors),
		cmocka_unit_test(a_trace_without_the_fields_is_refused),
		cmocka_unit_test(models_read_back_from_their_file),
		cmocka_unit_test(a_bad_file_of_models_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
