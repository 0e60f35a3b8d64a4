/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_least.c - the least of many numbers, against a plain array. */
#include <errno.h>

#include "core/least.h"
#include "tests/random.h"
#include "tests/unit/test.h"

#define N 200

static void nothing_is_at_infinity(void **state)
{
	struct libra_least least = {NULL};

	assert_true(libra_least(&least) == INFINITY);
	assert_int_equal(libra_least_next(&least, 0, INFINITY), 0);
	assert_int_equal(libra_least_reserve(&least, 3), 0);
	assert_true(libra_least(&least) == INFINITY);
	assert_int_equal(libra_least_next(&least, 0, 1e300), least.cap);
	libra_least_fini(&least);
	libra_least_fini(&least);
}

/* 5 at 2, 3 at 40, 3 at 63: up to 4 there are 40 and 63. */
static void the_next_one_is_found_in_order(void **state)
{
	struct libra_least least = {NULL};

	assert_int_equal(libra_least_reserve(&least, 64), 0);
	libra_least_set(&least, 2, 5);
	libra_least_set(&least, 63, 3);
	libra_least_set(&least, 40, 3);
	assert_near(libra_least(&least), 3, 0);
	assert_int_equal(libra_least_next(&least, 0, 5), 2);
	assert_int_equal(libra_least_next(&least, 0, 4), 40);
	assert_int_equal(libra_least_next(&least, 40, 4), 40);
	assert_int_equal(libra_least_next(&least, 41, 4), 63);
	assert_int_equal(libra_least_next(&least, 64, 4), 64);
	assert_int_equal(libra_least_next(&least, 0, 2.9), 64);
	libra_least_set(&least, 40, INFINITY);
	libra_least_set(&least, 63, 6);
	assert_near(libra_least(&least), 5, 0);
	libra_least_fini(&least);
}

static void check(const struct libra_least *least, const double *value,
		  uint32_t n, uint32_t from, double most)
{
	double lowest = INFINITY;
	uint32_t next = least->cap;

	for (uint32_t i = n; i-- > 0;) {
		assert_true(libra_least_get(least, i) == value[i]);
		lowest = value[i] < lowest ? value[i] : lowest;
		next = i >= from && value[i] <= most ? i : next;
	}
	assert_true(libra_least(least) == lowest);
	assert_int_equal(libra_least_next(least, from, most), next);
}

static void any_sequence_equals_an_array(void **state)
{
	struct libra_least least = {NULL}, copy;
	double value[N];
	uint64_t seed = 2385;

	for (uint32_t i = 0; i < N; i++)
		value[i] = INFINITY;
	for (uint32_t i = 0; i < 4000; i++) {
		/* Room grows on the way, from 64 to 256. */
		uint32_t n = 50 + (i < 3000 ? i / 20 : 150);
		uint32_t place = random_below(&seed, n),
			 low = random_below(&seed, 1000);

		assert_int_equal(libra_least_reserve(&least, n), 0);
		value[place] = random_below(&seed, 3) ? low : INFINITY;
		libra_least_set(&least, place, value[place]);
		check(&least, value, n, random_below(&seed, n),
		      random_below(&seed, 300));
	}
	assert_int_equal(libra_least_copy(&copy, &least), 0);
	libra_least_set(&least, 7, -1);
	check(&copy, value, N, 0, 50);
	libra_least_fini(&copy);
	libra_least_fini(&least);
}

static void more_than_can_be_counted_are_refused(void **state)
{
	struct libra_least least = {NULL};

	errno = 0;
	assert_int_equal(libra_least_reserve(&least, UINT32_MAX), -1);
	assert_int_equal(errno, ENOMEM);
	assert_int_equal(least.cap, 0);
	libra_least_fini(&least);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_at_infinity),
		cmocka_unit_test(the_next_one_is_found_in_order),
		cmocka_unit_test(any_sequence_equals_an_array),
		cmocka_unit_test(more_than_can_be_counted_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
