/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_advise.c - the choice rules of CCGrid 2008, section 5. */
#include <errno.h>

#include "sim/market/advise.h"
#include "tests/unit/test.h"

static struct advise_answer ask(double q, double pa, double pw, double pd,
				double alpha)
{
	struct advise_case c = {.price = 7 * q,
				.value = 7,
				.admitted = pa,
				.works = pw,
				.done = pd,
				.alpha = alpha};
	struct advise_answer a;

	assert_int_equal(advise(&c, &a, NULL), 0);
	return a;
}

/* Eqs 14 to 17, and eqs 10 and 11 with v = 7. */
static void the_papers_four_cases_come_out(void **state)
{
	static const struct {
		double pa, pw, q, threshold, spot, reserve;
		enum advise_choice choice;
	} rows[] = {
		{0.80, 0.90, 0.10, 8 / 9.0, 0.80, 0.72, ADVISE_SPOT},
		{0.63, 0.39, 0.14, 25 / 86.0, 0.25, 0.5418, ADVISE_RESERVE},
		{0.71, 0.56, 0.12, 0.5, 0.44, 0.6248, ADVISE_RESERVE},
		{0.60, 0.33, 0.10, 23 / 90.0, 0.23, 0.54, ADVISE_RESERVE},
	};

	for (int i = 0; i < 4; i++) {
		struct advise_answer a =
			ask(rows[i].q, rows[i].pa, rows[i].pw, 0, 1);

		assert_near(a.threshold, rows[i].threshold, 1e-12);
		assert_near(a.spot / 7, rows[i].spot, 1e-12);
		assert_near(a.reserve / 7, rows[i].reserve, 1e-12);
		assert_int_equal(a.choice, rows[i].choice);
	}
}

/* Eq. 18: (0.7 - 0.2) / 0.8 = 0.625. */
static void elastic_jobs_look_at_the_work_that_is_done(void **state)
{
	assert_near(ask(0.2, 0.62, 0, 0.7, 0).threshold, 0.625, 1e-15);
	assert_int_equal(ask(0.2, 0.62, 0, 0.7, 0).choice, ADVISE_SPOT);
	assert_int_equal(ask(0.2, 0.63, 0, 0.7, 0).choice, ADVISE_RESERVE);
}

/* (0.39 + 0.8 - 2 x 0.14) / (2 x 0.86) = 0.91 / 1.72. */
static void a_provider_weighs_both_kinds_equally(void **state)
{
	assert_near(advise_provider_threshold(0.39, 0.8, 0.14), 0.91 / 1.72,
		    1e-15);
	assert_near(ask(0.14, 0.5, 0.39, 0.8, 0.5).threshold, 0.91 / 1.72,
		    1e-15);
}

/* The rule and the utilities say the same, at every point of a grid. */
static void the_rule_compares_utilities(void **state)
{
	for (int i = 0; i < 11 * 11 * 9; i++) {
		struct advise_answer a = ask(i / 121 / 10.0, i % 11 / 10.0,
					     i / 11 % 11 / 10.0, 0.5, 1);

		if (fabs(a.reserve - a.spot) < 1e-12)
			continue;
		if (a.choice != ADVISE_NEITHER)
			assert_int_equal(a.choice == ADVISE_RESERVE,
					 a.reserve > a.spot);
		else
			assert_true(a.spot < 0 && a.reserve <= 0);
	}
}

static void equal_utilities_leave_it_at_the_spot_market(void **state)
{
	/* (0.75 - 0.5) / 0.5 = 0.5, all exact */
	assert_int_equal(ask(0.5, 0.5, 0.75, 0, 1).choice, ADVISE_SPOT);
}

static void what_costs_more_than_it_brings_is_left(void **state)
{
	struct advise_answer a = ask(1.5, 0.9, 0.9, 0.9, 1);

	assert_int_equal(a.choice, ADVISE_NEITHER);
	assert_true(isnan(a.threshold));
	assert_true(isnan(advise_threshold(0.5, 1)));
	assert_true(isnan(advise_provider_threshold(0.5, 0.5, 1)));
	assert_string_equal(advise_choice_name(a.choice), "neither");
}

static void numbers_out_of_range_are_named(void **state)
{
	static const struct {
		struct advise_case c;
		const char *text;
	} rows[] = {
		{{-1, 1, .5, .5, .5, 1}, "price"},
		{{NAN, 1, .5, .5, .5, 1}, "price"},
		{{.1, 0, .5, .5, .5, 1}, "value"},
		{{.1, INFINITY, .5, .5, .5, 1}, "value"},
		{{.1, 1, 1.5, .5, .5, 1}, "pa"},
		{{.1, 1, .5, -.5, .5, 1}, "pw"},
		{{.1, 1, .5, .5, NAN, 1}, "pd"},
		{{.1, 1, .5, .5, .5, 2}, "alpha"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct libra_error err = {.text = ""};
		struct advise_answer a;

		errno = 0;
		assert_int_equal(advise(&rows[i].c, &a, &err), -1);
		assert_int_equal(errno, EDOM);
		assert_contains(err.text, rows[i].text);
		assert_one_line(&err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_papers_four_cases_come_out),
		cmocka_unit_test(elastic_jobs_look_at_the_work_that_is_done),
		cmocka_unit_test(a_provider_weighs_both_kinds_equally),
		cmocka_unit_test(the_rule_compares_utilities),
		cmocka_unit_test(equal_utilities_leave_it_at_the_spot_market),
		cmocka_unit_test(what_costs_more_than_it_brings_is_left),
		cmocka_unit_test(numbers_out_of_range_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
