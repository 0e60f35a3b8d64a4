/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_param.c - values of parameters, and names that were meant. */
#include <errno.h>

#include "core/param.h"
#include "core/policy.h"
#include "tests/unit/test.h"

static const struct libra_param table[] = {
	{"alpha", LIBRA_PARAM_NUMBER, "", 0.5, 0, 1, "A weight."},
	{"depth", LIBRA_PARAM_INTEGER, "", 3, 1, 100, "How deep."},
	{"admission", LIBRA_PARAM_SWITCH, "", 1, 0, 1, "Whether."},
	{"slack", LIBRA_PARAM_NUMBER, "s", 0, -60, INFINITY, "How long."},
};

static void types_have_names(void **state)
{
	assert_string_equal(libra_param_type_name(LIBRA_PARAM_NUMBER),
			    "number");
	assert_string_equal(libra_param_type_name(LIBRA_PARAM_INTEGER),
			    "integer");
	assert_string_equal(libra_param_type_name(LIBRA_PARAM_SWITCH),
			    "switch");
	assert_string_equal(libra_param_type_name((enum libra_param_type)0),
			    "unknown");
}

static void a_name_is_found_or_the_nearest_suggested(void **state)
{
	struct libra_error err = {""};

	assert_int_equal(libra_param_find(table, 4, "alpha", &err), 0);
	assert_int_equal(libra_param_find(table, 4, "slack", &err), 3);
	assert_int_equal(libra_param_find(table, 4, "admision", &err), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(err.text, "unknown parameter 'admision' (did you "
				      "mean 'admission'?)");
	libra_error_clear(&err);
	assert_int_equal(libra_param_find(table, 4, "zzzzzzzz", &err), -1);
	assert_string_equal(err.text, "unknown parameter 'zzzzzzzz'");
	assert_int_equal(libra_param_find(NULL, 0, "alpha", NULL), -1);
	assert_int_equal(errno, ENOENT);
}

static void parse(size_t i, const char *text, double expected)
{
	struct libra_error err = {""};
	double value = NAN;

	if (libra_param_parse(&table[i], text, &value, &err) < 0)
		fail_msg("%s", err.text);
	assert_near(value, expected, 0);
}

static void refuse(size_t i, const char *text, int code, const char *part)
{
	struct libra_error err = {""};
	double value = 42;

	errno = 0;
	assert_int_equal(libra_param_parse(&table[i], text, &value, &err), -1);
	assert_int_equal(errno, code);
	assert_one_line(&err);
	assert_contains(err.text, table[i].name);
	assert_contains(err.text, part);
	assert_near(value, 42, 0);
}

static void numbers_are_read_with_both_ends_allowed(void **state)
{
	parse(0, "0.2385", 0.2385);
	parse(0, "0", 0);
	parse(0, "1", 1);
	parse(3, "-60", -60);
	parse(3, "1e3", 1000);
	parse(1, "7", 7);
	parse(1, "1e2", 100);
}

static void switches_are_read_in_any_case(void **state)
{
	static const char *const yes[] = {"yes", "TRUE", "On", "1"};
	static const char *const no[] = {"no", "False", "OFF", "0"};

	for (int i = 0; i < 4; i++) {
		parse(2, yes[i], 1);
		parse(2, no[i], 0);
	}
}

static void what_is_no_value_is_refused(void **state)
{
	refuse(0, "", EINVAL, "a number");
	refuse(0, "abc", EINVAL, "'abc'");
	refuse(0, "0.5s", EINVAL, "a number");
	refuse(0, "nan", EINVAL, "a number");
	refuse(0, "1.0000001", ERANGE, "from 0 to 1");
	refuse(0, "-1e-9", ERANGE, "from 0 to 1");
	refuse(0, "inf", ERANGE, "from 0 to 1");
	refuse(1, "2.5", EINVAL, "whole number");
	refuse(1, "0", ERANGE, "from 1 to 100");
	refuse(1, "inf", ERANGE, "from 1 to 100");
	refuse(2, "2", EINVAL, "yes or no");
	refuse(2, "", EINVAL, "yes or no");
	refuse(3, "-61", ERANGE, "from -60");
}

/* Distances: edff-edf 1 (a letter too many), lbra-libra 1 (one missing),
 * esay-easy 2 (a swap is two changes; a name of 4 may differ by 4/3 + 1 = 2),
 * fcfs-edf 3.
 */
static void the_nearest_name_is_by_edit_distance(void **state)
{
	static const char *const names[] = {"libra", NULL,   "librarisk",
					    "edf",   "fcfs", "easy"};

	assert_string_equal(libra_nearest_name("edff", names, 6), "edf");
	assert_string_equal(libra_nearest_name("lbra", names, 6), "libra");
	assert_string_equal(libra_nearest_name("esay", names, 6), "easy");
	assert_string_equal(libra_nearest_name("libraryrisk", names, 6),
			    "librarisk");
	assert_string_equal(libra_nearest_name("fcfs", names, 6), "fcfs");
	assert_null(libra_nearest_name("conservative", names, 6));
	assert_null(libra_nearest_name("", names, 6));
	assert_null(libra_nearest_name("x", names + 1, 1));
	assert_null(libra_nearest_name("x", NULL, 0));
}

static void names_without_bounds_are_never_meant(void **state)
{
	char text[200];
	const char *names[] = {text};

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_null(libra_nearest_name(text, names, 1));
	names[0] = "libra";
	assert_null(libra_nearest_name(text, names, 1));
}

static void policies_are_found_by_name(void **state)
{
	struct libra_error err = {""};

	for (size_t i = 0; libra_policies[i]; i++)
		assert_ptr_equal(
			libra_policy_find(libra_policies[i]->name, &err),
			libra_policies[i]);
	assert_null(libra_policy_find("librarisc", &err));
	assert_int_equal(errno, ENOENT);
	assert_string_equal(err.text, "unknown policy 'librarisc' (did you "
				      "mean 'librarisk'?)");
	libra_error_clear(&err);
	assert_null(libra_policy_find("round-robin", &err));
	assert_string_equal(err.text, "unknown policy 'round-robin'");
	assert_null(libra_policy_find("", NULL));
}

static void the_tables_of_policies_are_sound(void **state)
{
	for (size_t i = 0; libra_policies[i]; i++) {
		const struct libra_policy_type *p = libra_policies[i];

		assert_true(p->summary[0] != '\0' && p->source != NULL);
		assert_null(strchr(p->summary, '\n'));
		assert_string_not_equal(libra_mode_name(p->mode), "unknown");
		for (size_t k = 0; k < p->nparams; k++) {
			const struct libra_param *q = &p->params[k];

			assert_true(q->min <= q->value && q->value <= q->max);
			assert_true(q->help[0] != '\0' && q->unit != NULL);
			assert_int_equal(libra_param_find(p->params, p->nparams,
							  q->name, NULL),
					 k);
		}
	}
	assert_string_equal(libra_mode_name(LIBRA_SPACE), "space-shared");
	assert_string_equal(libra_mode_name(LIBRA_SHARE), "time-shared");
	assert_string_equal(libra_mode_name((enum libra_mode)0), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_have_names),
		cmocka_unit_test(a_name_is_found_or_the_nearest_suggested),
		cmocka_unit_test(numbers_are_read_with_both_ends_allowed),
		cmocka_unit_test(switches_are_read_in_any_case),
		cmocka_unit_test(what_is_no_value_is_refused),
		cmocka_unit_test(the_nearest_name_is_by_edit_distance),
		cmocka_unit_test(names_without_bounds_are_never_meant),
		cmocka_unit_test(policies_are_found_by_name),
		cmocka_unit_test(the_tables_of_policies_are_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
