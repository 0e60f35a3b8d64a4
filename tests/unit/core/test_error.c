/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_error.c - the text that goes with a failed call. */
#include <errno.h>

#include "tests/unit/test.h"

static void failing_is_a_single_statement(void **state)
{
	struct libra_error err = {""};

	errno = 0;
	assert_int_equal(
		libra_errf(&err, ERANGE, "%s is %d, not %.3f", "x", 7, 2.385),
		-1);
	assert_int_equal(errno, ERANGE);
	assert_string_equal(err.text, "x is 7, not 2.385");
}

static void the_text_is_optional(void **state)
{
	assert_int_equal(libra_errf(NULL, EINVAL, "lost %d", 1), -1);
	assert_int_equal(errno, EINVAL);
	libra_error_clear(NULL);
}

static void the_first_error_wins_until_cleared(void **state)
{
	struct libra_error err = {""};

	libra_errf(&err, EINVAL, "first");
	assert_int_equal(libra_errf(&err, ENOENT, "second"), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(err.text, "first");
	libra_error_clear(&err);
	assert_string_equal(err.text, "");
	libra_errf(&err, EINVAL, "third");
	assert_string_equal(err.text, "third");
}

static void a_long_text_is_cut_and_ended(void **state)
{
	struct libra_error err = {""};
	char text[2 * LIBRA_ERROR_TEXT_SIZE];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	libra_errf(&err, EINVAL, "%s", text);
	assert_int_equal(strlen(err.text), LIBRA_ERROR_TEXT_SIZE - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failing_is_a_single_statement),
		cmocka_unit_test(the_text_is_optional),
		cmocka_unit_test(the_first_error_wins_until_cleared),
		cmocka_unit_test(a_long_text_is_cut_and_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
