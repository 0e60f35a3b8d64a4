/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_base.c - growing arrays, suggestions. */
#include <errno.h>

#include "sim/base/memory.h"
#include "sim/base/suggest.h"
#include "tests/unit/test.h"

static void an_array_grows_by_doubling_and_keeps_its_elements(void **state)
{
	size_t cap = 0;
	int *array = NULL;

	for (size_t n = 1; n <= 1000; n++) {
		int *grown = sim_grown(array, &cap, n, sizeof(*grown));

		assert_non_null(grown);
		assert_true(cap >= n);
		array = grown;
		array[n - 1] = (int)n;
	}
	assert_int_equal(cap, 1024);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(array[i], i + 1);
	free(array);
}

/* 2^61 elements of 16 bytes: their number of bytes is no size_t. */
static void an_array_that_cannot_grow_stays(void **state)
{
	size_t cap = 0;
	int *array = sim_grown(NULL, &cap, 1, sizeof(*array));

	assert_non_null(array);
	array[0] = 7;
	errno = 0;
	assert_null(sim_grown(array, &cap, (size_t)1 << 61, 16));
	assert_int_equal(errno, ENOMEM);
	assert_int_equal(cap, 16);
	assert_int_equal(array[0], 7);
	free(array);
}

static void out_of_memory_is_an_error_with_text(void **state)
{
	struct libra_error err = {""};

	errno = 0;
	assert_int_equal(sim_no_memory(&err), -1);
	assert_int_equal(errno, ENOMEM);
	assert_string_equal(err.text, "out of memory");
	assert_int_equal(sim_no_memory(NULL), -1);
}

static void the_nearest_name_is_suggested(void **state)
{
	static const char *const names[] = {"run", "risk", "replay"};
	char text[SIM_SUGGESTION_SIZE];
	const char *near = NULL;

	for (size_t i = 0; i < 3; i++)
		near = sim_nearer_name("replya", near, names[i]);
	assert_string_equal(near, "replay");
	assert_string_equal(sim_suggestion(text, near, ""),
			    " (did you mean 'replay'?)");
	near = NULL;
	for (size_t i = 0; i < 3; i++)
		near = sim_nearer_name("qqqqqqqqq", near, names[i]);
	assert_null(near);
	assert_string_equal(sim_suggestion(text, near, " (see --help)"),
			    " (see --help)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			an_array_grows_by_doubling_and_keeps_its_elements),
		cmocka_unit_test(an_array_that_cannot_grow_stays),
		cmocka_unit_test(out_of_memory_is_an_error_with_text),
		cmocka_unit_test(the_nearest_name_is_suggested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
