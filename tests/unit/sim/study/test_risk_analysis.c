/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Separate and integrated risk analysis, and the files they are made of. */
#include "tests/unit/test.h"

#include <errno.h>

#include "sim/output/table_file.h"
#include "sim/study/risk_analysis.h"

/* 2.5, 3.5, 5, 7, 8, 10: sum 36, mean 6; squares 12.25 + 6.25 + 1 + 1 + 4 + 16
 * = 40.5, / 6 = 6.75 (of a sample it would be 8.1).
 */
static const double six[] = {2.5, 3.5, 5, 7, 8, 10};

static void six_numbers_have_their_mean_and_population_sd(void **state)
{
	struct risk_point p;

	assert_int_equal(risk_separate(six, 6, &p), 0);
	assert_near(p.performance, 6, 1e-12);
	assert_near(p.volatility, sqrt(6.75), 1e-12);
}

/* The printed form, mean of squares less square of mean, would give 0.02 or
 * NAN here.
 */
static void large_equal_numbers_have_no_volatility(void **state)
{
	const double x[] = {1e9 + 0.1, 1e9 + 0.1, 1e9 + 0.1};
	struct risk_point p;

	assert_int_equal(risk_separate(x, 3, &p), 0);
	assert_near(p.volatility, 0, 1e-6);
}

static void nothing_and_no_numbers_are_errors(void **state)
{
	const double nan[] = {1, NAN}, inf[] = {INFINITY};
	struct risk_point p;

	assert_int_equal(risk_separate(six, 0, &p), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(risk_separate(nan, 2, &p), -1);
	assert_int_equal(risk_separate(inf, 1, &p), -1);
	assert_int_equal(errno, EINVAL);
}

/* 0.5 (6, 2) + 0.3 (100, 0) + 0.2 (-40, 30) = (25, 7) */
static void integration_weighs_both(void **state)
{
	const struct risk_point p[] = {{6, 2}, {100, 0}, {-40, 30}};
	const double weights[] = {0.5, 0.3, 0.2};
	struct risk_point sum = risk_integrated(p, weights, 3);

	assert_near(sum.performance, 25, 1e-12);
	assert_near(sum.volatility, 7, 1e-12);
}

/* 0.7 x 100 + 0.2 x 100 + 0.1 x 100, and seven sevenths, as doubles. */
static void a_mean_of_equal_numbers_is_that_number(void **state)
{
	const struct risk_point p[] = {{100, 0}, {100, 0}, {100, 0}};
	const double weights[] = {0.7, 0.2, 0.1};
	const double seven[] = {99.9, 99.9, 99.9, 99.9, 99.9, 99.9, 99.9};
	struct risk_point mean;

	assert_true(risk_integrated(p, weights, 3).performance == 100);
	assert_int_equal(risk_separate(seven, 7, &mean), 0);
	assert_true(mean.performance == 99.9);
	assert_true(mean.volatility == 0);
}

static void weights_must_sum_to_1(void **state)
{
	const double thirds[] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
	const double printed[] = {0.33, 0.33, 0.33},
		     rounded[] = {0.333333, 0.333333, 0.333333};
	const double negative[] = {-0.5, 1.5}, nan[] = {NAN, 1};
	struct libra_error err = {""};

	assert_int_equal(risk_check_weights(thirds, 3, &err), 0);
	assert_int_equal(risk_check_weights(rounded, 3, &err), 0);
	assert_int_equal(risk_check_weights(printed, 3, &err), -1);
	assert_int_equal(errno, EINVAL);
	assert_contains(err.text, "0.99");
	assert_one_line(&err);
	assert_int_equal(risk_check_weights(negative, 2, NULL), -1);
	assert_int_equal(risk_check_weights(nan, 2, NULL), -1);
}

/* ---- files ---- */

static int read_text(struct table_file *f, const char *text,
		     struct libra_error *err)
{
	char name[32];
	int rc;

	test_write_file(name, text, strlen(text));
	rc = table_file_read(f, name, "policy", err);
	unlink(name);
	return rc;
}

static void csv_fields_may_be_quoted(void **state)
{
	struct table_file f;

	assert_int_equal(read_text(&f,
				   "policy,note,x\r\n"
				   "libra,\"a, \"\"b\"\"\nc\",2.5\r\n"
				   "edf,,",
				   NULL),
			 0);
	assert_int_equal(f.nrows, 2);
	assert_string_equal(table_row_text(&f.rows[0], "note"), "a, \"b\"\nc");
	assert_string_equal(table_row_text(&f.rows[0], "x"), "2.5");
	assert_string_equal(table_row_text(&f.rows[1], "policy"), "edf");
	assert_string_equal(table_row_text(&f.rows[1], "x"), "");
	assert_null(table_row_text(&f.rows[1], "y"));
	table_file_fini(&f);
}

static void json_results_share_their_workload(void **state)
{
	struct table_file f;

	assert_int_equal(read_text(&f,
				   "{\"results\": [{\"policy\": \"a\", \"x\": "
				   "0.1}, {\"policy\": \"b\", \"x\": null}], "
				   "\"workload\": {\"load\": 3, \"more\": []}}",
				   NULL),
			 0);
	assert_int_equal(f.nrows, 2);
	assert_string_equal(table_row_text(&f.rows[0], "x"), "0.1");
	assert_string_equal(table_row_text(&f.rows[1], "x"), "");
	assert_string_equal(table_row_text(&f.rows[1], "load"), "3");
	assert_null(table_row_text(&f.rows[0], "more"));
	table_file_fini(&f);
	assert_int_equal(read_text(&f, "{\"policy\": \"a\"}", NULL), 0);
	assert_int_equal(f.nrows, 1);
	table_file_fini(&f);
}

static void what_is_no_result_is_told_in_one_line(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{"", "empty"},
		{" \n", "empty"},
		{"policy,x\n", "it has no results"},
		{"x,y\n1,2\n", "no column is named policy"},
		{"policy,x\na\n", "does not have the 2 fields"},
		{"policy,x\na,1,2\n", "does not have the 2 fields"},
		{"{", "not JSON"},
		{"{}", "neither 'results' nor 'policy'"},
		{"[{\"policy\": \"a\"}]", "neither 'results' nor 'policy'"},
		{"{\"results\": []}", "it has no results"},
		{"{\"results\": [{\"x\": 1}]}", "has no policy"},
		{"{\"results\": [3]}", "has no policy"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_error err = {""};
		struct table_file f;

		assert_int_equal(read_text(&f, bad[i].text, &err), -1);
		assert_int_equal(errno, EINVAL);
		assert_contains(err.text, bad[i].why);
		assert_contains(err.text, "/tmp/libra-test-");
		assert_one_line(&err);
	}
}

static void a_missing_file_is_told(void **state)
{
	struct libra_error err = {""};
	struct table_file f;

	assert_int_equal(table_file_read(&f, "/nowhere/at.all", "policy", &err),
			 -1);
	assert_int_equal(errno, ENOENT);
	assert_one_line(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_numbers_have_their_mean_and_population_sd),
		cmocka_unit_test(large_equal_numbers_have_no_volatility),
		cmocka_unit_test(nothing_and_no_numbers_are_errors),
		cmocka_unit_test(integration_weighs_both),
		cmocka_unit_test(a_mean_of_equal_numbers_is_that_number),
		cmocka_unit_test(weights_must_sum_to_1),
		cmocka_unit_test(csv_fields_may_be_quoted),
		cmocka_unit_test(json_results_share_their_workload),
		cmocka_unit_test(what_is_no_result_is_told_in_one_line),
		cmocka_unit_test(a_missing_file_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
