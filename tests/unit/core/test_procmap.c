/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_procmap.c - runs of processors against an array with one entry per
 * processor.
 */
#include <errno.h>

#include "core/procmap.h"
#include "tests/random.h"
#include "tests/unit/test.h"

#define N 97

/* The runs of a label are those of its list, or of the set of bits. */
static void check_lists(const struct libra_procmap *map, const uint32_t *label,
			uint32_t n)
{
	uint32_t listed = 0, others = 0;

	for (uint32_t l = 1; l < map->cap; l++)
		for (uint32_t run = map->head[l], prev = n; run < n;
		     prev = run, run = map->next[run]) {
			assert_true(libra_bits_has(map->edges, run));
			assert_int_equal(map->label[run], l);
			assert_int_equal(map->prev[run], prev);
			listed += map->end[run] - run;
		}
	for (uint32_t i = 0; i < n; i++) {
		others += label[i] != 0;
		assert_int_equal(libra_bits_has(map->plain, i), label[i] == 0);
		assert_true(label[i] != 0 || i >= map->lowest);
	}
	assert_int_equal(listed, others);
}

/* Labels of all processors are those of the array, in as few runs as can be. */
static void check(const struct libra_procmap *map, const uint32_t *label,
		  uint32_t n)
{
	uint32_t nruns = 1, met = 0;

	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(libra_procmap_label(map, i), label[i]);
		nruns += i > 0 && label[i] != label[i - 1];
	}
	assert_int_equal(map->nruns, nruns);
	for (uint32_t run = 0; run < n; run = map->end[run]) {
		assert_int_equal(libra_procmap_count(map, run),
				 map->end[run] - run);
		assert_int_equal(libra_procmap_find(map, map->end[run] - 1),
				 run);
		met++;
	}
	assert_int_equal(met, nruns);
	check_lists(map, label, n);
}

static void all_processors_begin_with_one_label(void **state)
{
	struct libra_procmap map;

	assert_int_equal(libra_procmap_init(&map, 100000, 7), 0);
	assert_int_equal(map.nruns, 1);
	assert_int_equal(libra_procmap_label(&map, 0), 7);
	assert_int_equal(libra_procmap_label(&map, 99999), 7);
	assert_int_equal(libra_procmap_count(&map, 0), 100000);
	libra_procmap_fini(&map);
	libra_procmap_fini(&map);
}

static void a_machine_without_processors_is_refused(void **state)
{
	struct libra_procmap map;

	errno = 0;
	assert_int_equal(libra_procmap_init(&map, 0, 0), -1);
	assert_int_equal(errno, EINVAL);
	libra_procmap_fini(&map);
}

/* 10 processors: [3,6) becomes b: aaabbbaaaa.  Then [2,4) c: aacc bb aaaa.
 * Then [4,6) c joins: aacccc aaaa.  Then [2,6) a: one run again.
 */
static void neighbours_with_one_label_are_one_run(void **state)
{
	struct libra_procmap map;
	static const uint32_t step[][10] = {
		{0, 0, 0, 1, 1, 1, 0, 0, 0, 0},
		{0, 0, 2, 2, 1, 1, 0, 0, 0, 0},
		{0, 0, 2, 2, 2, 2, 0, 0, 0, 0},
		{0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	};

	assert_int_equal(libra_procmap_init(&map, 10, 0), 0);
	libra_procmap_set(&map, 3, 3, 1);
	check(&map, step[0], 10);
	libra_procmap_set(&map, 2, 2, 2);
	check(&map, step[1], 10);
	libra_procmap_set(&map, 4, 2, 2);
	check(&map, step[2], 10);
	libra_procmap_set(&map, 5, 0, 9); /* nothing */
	check(&map, step[2], 10);
	libra_procmap_set(&map, 2, 4, 0);
	check(&map, step[3], 10);
	libra_procmap_fini(&map);
}

static void taking_is_in_index_order(void **state)
{
	struct libra_procmap map;
	static const uint32_t after[] = {5, 5, 1, 1, 5, 0, 1, 0, 0, 0};

	assert_int_equal(libra_procmap_init(&map, 10, 0), 0);
	assert_true(map.cap > 5);
	libra_procmap_set(&map, 2, 2, 1);
	libra_procmap_set(&map, 6, 1, 1);
	assert_int_equal(libra_procmap_take(&map, 0, 3, 5), 3);
	check(&map, after, 10);
	/* Only 4 of label 0 are left. */
	assert_int_equal(libra_procmap_take(&map, 0, 9, 5), 4);
	assert_int_equal(libra_procmap_take(&map, 0, 1, 5), 0);
	assert_int_equal(libra_procmap_take(&map, 1, 0, 5), 0);
	libra_procmap_fini(&map);
}

static void take_a_step(struct libra_procmap *map, uint32_t *label,
			uint64_t *seed)
{
	uint32_t a = random_below(seed, 5), b = random_below(seed, 5),
		 first = random_below(seed, N);
	uint32_t count = random_below(seed, N - first) + 1, n = 0;

	switch (random_below(seed, 8)) {
	case 0:
		libra_procmap_merge(map, a, b);
		for (uint32_t i = 0; i < N; i++)
			label[i] = label[i] == a ? b : label[i];
		break;
	case 1:
	case 2:
		if (a == b)
			break;
		count = random_below(seed, N) + 1;
		for (uint32_t i = 0; i < N && n < count; i++)
			if (label[i] == a) {
				label[i] = b;
				n++;
			}
		assert_int_equal(libra_procmap_take(map, a, count, b), n);
		break;
	default:
		count = random_below(seed, 4) == 0 ? count : 1;
		libra_procmap_set(map, first, count, b);
		for (uint32_t i = first; i < first + count; i++)
			label[i] = b;
	}
}

static void any_sequence_equals_an_array(void **state)
{
	uint64_t seed = 2385;

	for (int round = 0; round < 20; round++) {
		struct libra_procmap map;
		uint32_t label[N] = {0};

		assert_int_equal(libra_procmap_init(&map, N, 0), 0);
		for (int i = 0; i < 500; i++) {
			take_a_step(&map, label, &seed);
			check(&map, label, N);
		}
		libra_procmap_fini(&map);
	}
}

/* 1000 single processors set apart make 2001 runs, one label or 1000. */
static void single_processors_are_runs(void **state)
{
	struct libra_procmap map, copy;

	assert_int_equal(libra_procmap_init(&map, 2001, 0), 0);
	assert_int_equal(libra_procmap_reserve(&map, 1001), 0);
	for (uint32_t i = 0; i < 1000; i++)
		libra_procmap_set(&map, 2 * i + 1, 1, 1);
	assert_int_equal(map.nruns, 2001);
	assert_int_equal(libra_procmap_copy(&copy, &map), 0);
	for (uint32_t i = 0; i < 1000; i++)
		libra_procmap_set(&map, 2 * i + 1, 1, i + 1);
	assert_int_equal(map.nruns, 2001);
	libra_procmap_merge(&copy, 1, 0);
	assert_int_equal(copy.nruns, 1);
	for (uint32_t i = 0; i < 1000; i++)
		libra_procmap_merge(&map, i + 1, 0);
	assert_int_equal(map.nruns, 1);
	libra_procmap_fini(&copy);
	libra_procmap_fini(&map);
}

static void more_labels_than_can_be_counted_are_refused(void **state)
{
	struct libra_procmap map;
	uint32_t cap;

	assert_int_equal(libra_procmap_init(&map, 3, 0), 0);
	cap = map.cap;
	errno = 0;
	assert_int_equal(libra_procmap_reserve(&map, UINT32_MAX), -1);
	assert_int_equal(errno, ENOMEM);
	assert_int_equal(map.cap, cap);
	libra_procmap_fini(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_processors_begin_with_one_label),
		cmocka_unit_test(a_machine_without_processors_is_refused),
		cmocka_unit_test(neighbours_with_one_label_are_one_run),
		cmocka_unit_test(taking_is_in_index_order),
		cmocka_unit_test(any_sequence_equals_an_array),
		cmocka_unit_test(single_processors_are_runs),
		cmocka_unit_test(more_labels_than_can_be_counted_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
