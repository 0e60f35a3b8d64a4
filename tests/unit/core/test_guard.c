/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_guard.c - when the starvation guard looks, and which jobs it skips. */
#include "core/guard.h"
#include "tests/unit/test.h"

#define NOW_S 1e9
#define AGE_S 86400.0

static void skips_at_second_failure(void **state)
{
	struct libra_guard g = {0};

	(void)state;
	assert_true(libra_guard_looks(&g, AGE_S, NOW_S));
	assert_false(libra_guard_failed(&g, 100, 7, NOW_S));
	assert_false(libra_guard_skips(&g, 100, 7));
	/* another job in between: the first one has two tries again */
	assert_false(libra_guard_failed(&g, 90, 6, NOW_S));
	assert_false(libra_guard_failed(&g, 100, 7, NOW_S));
	assert_false(libra_guard_looks(&g, AGE_S, NOW_S + 59));
	assert_true(libra_guard_looks(&g, AGE_S, NOW_S + 60));
	assert_true(libra_guard_failed(&g, 100, 7, NOW_S + 60));
	/* the next one at once */
	assert_true(libra_guard_looks(&g, AGE_S, NOW_S + 60));
	assert_true(libra_guard_skips(&g, 100, 7));
	assert_true(libra_guard_skips(&g, 99, 8));
	assert_false(libra_guard_skips(&g, 100, 8));
	assert_true(libra_guard_looks(&g, AGE_S, NOW_S + 660));
	assert_false(libra_guard_skips(&g, 100, 7));
}

static void rests_longer_each_time(void **state)
{
	struct libra_guard g = {0};
	double rest_s = 60;

	(void)state;
	for (int i = 0; i < 9; i++) {
		double now_s = NOW_S + 1e6 * i;

		libra_guard_gave_up(&g, 100, 7, now_s);
		assert_false(libra_guard_looks(&g, AGE_S, now_s + rest_s - 1));
		assert_true(libra_guard_looks(&g, AGE_S, now_s + rest_s));
		assert_int_equal(libra_guard_skips(&g, 100, 7), rest_s < 600);
		rest_s = rest_s < 1800 ? 2 * rest_s : 3600;
	}
	libra_guard_reserved(&g);
	assert_true(libra_guard_looks(&g, AGE_S, NOW_S));
}

/* A clock that was set back skips nobody for longer than ten minutes. */
static void survives_a_clock_set_back(void **state)
{
	struct libra_guard g = {0};

	(void)state;
	libra_guard_gave_up(&g, 100, 7, NOW_S);
	assert_true(libra_guard_looks(&g, AGE_S, NOW_S - 5000));
	assert_false(libra_guard_skips(&g, 100, 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skips_at_second_failure),
		cmocka_unit_test(rests_longer_each_time),
		cmocka_unit_test(survives_a_clock_set_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
