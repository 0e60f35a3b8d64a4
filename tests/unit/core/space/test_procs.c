/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_procs.c - free processors and runs of jobs against an array with one
 * entry per processor.
 */
#include "core/space/procs.h"
#include "tests/unit/test.h"

enum { N = 333, SLOTS = 100, FREE = -1, CLOSED = -2 };

/* The ranges of a slot are its processors in the array, apart from each other
 * and in index order; none below the lowest is free.
 */
static void check(const struct libra_procs *p, const int *owner, int slot)
{
	struct libra_range ranges[N];
	size_t n = libra_procs_ranges(p, (uint32_t)slot, ranges, N), k = 0;

	for (uint32_t i = 0; i < N; i++) {
		if (owner[i] == FREE)
			assert_true(i >= p->lowest);
		if (owner[i] != slot || (i > 0 && owner[i - 1] == slot))
			continue;
		assert_true(k < n);
		assert_int_equal(ranges[k].first, i);
		for (uint32_t j = 0; j < ranges[k].count; j++)
			assert_int_equal(owner[i + j], slot);
		assert_true(i + ranges[k].count == N ||
			    owner[i + ranges[k].count] != slot);
		k++;
	}
	assert_int_equal(k, n);
}

/* 10 processors: job 0 has 0..2, job 1 has 3..7; job 0 ends, and job 2, of 5
 * processors, gets 0..2 and 8..9.
 */
static void a_job_gets_the_first_free_ones(void **state)
{
	struct libra_range ranges[2];
	struct libra_procs p;

	assert_int_equal(libra_procs_init(&p, 10), 0);
	libra_procs_take(&p, 0, 3);
	libra_procs_take(&p, 1, 5);
	libra_procs_release(&p, 0);
	libra_procs_take(&p, 2, 5);
	assert_int_equal(libra_procs_ranges(&p, 2, ranges, 2), 2);
	assert_int_equal(ranges[0].first, 0);
	assert_int_equal(ranges[0].count, 3);
	assert_int_equal(ranges[1].first, 8);
	assert_int_equal(ranges[1].count, 2);
	assert_int_equal(libra_procs_ranges(&p, 0, ranges, 2), 0);
	assert_int_equal(libra_procs_ranges(&p, 1, NULL, 0), 1);
	libra_procs_fini(&p);
}

/* Who asks for more than there are gets what there is, and nothing beyond. */
static void nobody_gets_more_than_there_are(void **state)
{
	struct libra_range range;
	struct libra_procs p;

	(void)state;
	assert_int_equal(libra_procs_init(&p, 10), 0);
	libra_procs_take(&p, 0, 4);
	libra_procs_take(&p, 1, 200);
	assert_int_equal(libra_procs_ranges(&p, 1, &range, 1), 1);
	assert_int_equal(range.first, 4);
	assert_int_equal(range.count, 6);
	libra_procs_take(&p, 2, 1);
	assert_int_equal(libra_procs_ranges(&p, 2, NULL, 0), 0);
	libra_procs_fini(&p);
}

static uint32_t count(const int *owner, int what, uint32_t first, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t i = first; i < first + n; i++)
		sum += owner[i] == what;
	return sum;
}

static void mirror(int *owner, int from, int to, uint32_t first, uint32_t n,
		   uint32_t most)
{
	for (uint32_t i = first; i < first + n && most > 0; i++) {
		if (owner[i] != from)
			continue;
		owner[i] = to;
		most--;
	}
}

/* A range next to what a job has, before or after it, or apart from it. */
static void enter(struct libra_procs *p, int *owner, int slot, uint32_t first,
		  uint32_t n)
{
	struct libra_range range = {first, n};
	uint32_t free = count(owner, FREE, first, n);
	uint32_t closed = count(owner, CLOSED, first, n);

	assert_int_equal(libra_procs_taken(p, range), free + closed < n);
	assert_int_equal(libra_procs_count(p, (uint32_t)slot, range),
			 count(owner, slot, first, n));
	if (free + closed < n)
		return;
	assert_int_equal(libra_procs_enter(p, (uint32_t)slot, range), free);
	for (uint32_t i = first; i < first + n; i++)
		owner[i] = slot;
}

/* Take, enter, release, close and open at random, 20,000 times. */
static void it_is_as_an_array_would_have_it(void **state)
{
	int owner[N], slot;
	uint32_t first, n;
	struct libra_procs p;

	srand(7);
	assert_int_equal(libra_procs_init(&p, N), 0);
	assert_int_equal(libra_procs_reserve(&p, SLOTS), 0);
	for (uint32_t i = 0; i < N; i++)
		owner[i] = FREE;
	for (int step = 0; step < 20000; step++) {
		slot = rand() % SLOTS;
		first = (uint32_t)rand() % N;
		n = (uint32_t)rand() % (N - first) + 1;
		if (rand() % 8 == 0) {
			bool close = rand() % 2;
			int from = close ? FREE : CLOSED;

			assert_int_equal(libra_procs_close(&p, first, n, close),
					 count(owner, from, first, n));
			mirror(owner, from, close ? CLOSED : FREE, first, n, N);
		} else if (rand() % 3 == 0) {
			enter(&p, owner, slot, first, n < 6 ? n : n % 6 + 1);
		} else if (count(owner, slot, 0, N) > 0) {
			libra_procs_release(&p, (uint32_t)slot);
			mirror(owner, slot, FREE, 0, N, N);
		} else {
			n = n / 8 + 1;
			if (count(owner, FREE, 0, N) < n)
				continue;
			libra_procs_take(&p, (uint32_t)slot, n);
			mirror(owner, FREE, slot, 0, N, n);
		}
		check(&p, owner, slot);
	}
	libra_procs_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_gets_the_first_free_ones),
		cmocka_unit_test(nobody_gets_more_than_there_are),
		cmocka_unit_test(it_is_as_an_array_would_have_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
