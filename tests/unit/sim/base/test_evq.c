/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_evq.c - the order of events. */
#include <errno.h>

#include "sim/base/evq.h"
#include "tests/unit/test.h"

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long countdown = -1; /* calls until one fails; < 0 = never */
static bool failed;

void *__wrap_realloc(void *old, size_t size)
{
	if (countdown < 0 || countdown-- > 0)
		return __real_realloc(old, size);
	errno = ENOMEM;
	failed = true;
	return NULL;
}

static void check_next(struct evq *q, uint32_t id, double at_s)
{
	const struct evq_event *top = evq_top(q);

	assert_non_null(top);
	assert_int_equal(top->id, id);
	assert_near(top->at_s, at_s, 0);
	evq_drop(q, id);
}

static void an_empty_queue_has_no_next(void **state)
{
	struct evq q;

	evq_init(&q);
	assert_null(evq_top(&q));
	evq_drop(&q, 0);
	evq_drop(&q, 4000000000u);
	assert_null(evq_top(&q));
	evq_fini(&q);
	evq_fini(&q);
}

static void events_come_by_instant_then_as_pushed(void **state)
{
	struct evq q;

	evq_init(&q);
	evq_set(&q, 5, 2.385);
	evq_set(&q, 1000, 1);
	evq_set(&q, 0, 2.385);
	evq_set(&q, 9, 1);
	evq_set(&q, 3, -7);
	check_next(&q, 3, -7);
	check_next(&q, 1000, 1);
	check_next(&q, 9, 1);
	check_next(&q, 5, 2.385);
	check_next(&q, 0, 2.385);
	assert_null(evq_top(&q));
	evq_fini(&q);
}

static void moving_an_event_is_pushing_it_anew(void **state)
{
	struct evq q;

	evq_init(&q);
	for (uint32_t i = 0; i < 4; i++)
		evq_set(&q, i, 10);
	evq_set(&q, 0, 10); /* behind the others now */
	evq_set(&q, 2, 5);
	evq_set(&q, 2, 20);
	assert_int_equal(q.n, 4);
	check_next(&q, 1, 10);
	check_next(&q, 3, 10);
	check_next(&q, 0, 10);
	check_next(&q, 2, 20);
	evq_fini(&q);
}

static void a_dropped_event_never_comes(void **state)
{
	struct evq q;

	evq_init(&q);
	for (uint32_t i = 0; i < 10; i++)
		evq_set(&q, i, 10 - i);
	for (uint32_t i = 1; i < 10; i += 2)
		evq_drop(&q, i);
	evq_drop(&q, 1);
	for (uint32_t i = 10; i-- > 0;)
		if (i % 2 == 0)
			check_next(&q, i, 10 - i);
	assert_null(evq_top(&q));
	evq_fini(&q);
}

#define IDS 300

struct plain {
	double at_s[IDS]; /* NAN = none */
	uint64_t serial[IDS];
};

static uint32_t first_of(const struct plain *p)
{
	uint32_t best = IDS;

	for (uint32_t i = 0; i < IDS; i++)
		if (!isnan(p->at_s[i]) &&
		    (best == IDS || p->at_s[i] < p->at_s[best] ||
		     (p->at_s[i] == p->at_s[best] &&
		      p->serial[i] < p->serial[best])))
			best = i;
	return best;
}

/* Times are small whole numbers, so that many events are at one instant. */
static void any_sequence_equals_a_search_of_all(void **state)
{
	struct plain p;
	uint32_t seed = 99;
	struct evq q;

	evq_init(&q);
	for (int i = 0; i < IDS; i++)
		p.at_s[i] = NAN;
	for (uint64_t i = 0; i < 20000; i++) {
		uint32_t id, first;

		seed = seed * 1664525 + 1013904223;
		id = (seed >> 8) % IDS;
		if (seed >> 30 == 0) {
			p.at_s[id] = NAN;
			evq_drop(&q, id);
		} else {
			p.at_s[id] = (seed >> 20) % 37;
			p.serial[id] = i;
			assert_int_equal(evq_set(&q, id, p.at_s[id]), 0);
		}
		first = first_of(&p);
		if (first == IDS) {
			assert_null(evq_top(&q));
			continue;
		}
		assert_int_equal(evq_top(&q)->id, first);
		if (i % 3 == 0) {
			check_next(&q, first, p.at_s[first]);
			p.at_s[first] = NAN;
		}
	}
	evq_fini(&q);
}

static void the_greatest_id_is_refused(void **state)
{
	struct evq q;

	evq_init(&q);
	evq_set(&q, 3, 1);
	errno = 0;
	assert_int_equal(evq_set(&q, UINT32_MAX, 1), -1);
	assert_int_equal(errno, ENOMEM);
	check_next(&q, 3, 1);
	evq_fini(&q);
}

static void an_event_that_finds_no_memory_is_not_set(void **state)
{
	struct evq q;

	evq_init(&q);
	for (uint32_t id = 0; id < 1000; id += 100) {
		int rc = -1;

		for (long at = 0; rc < 0; at++) {
			uint32_t n = q.n;

			failed = false;
			countdown = at;
			rc = evq_set(&q, id, 1000.0 - id);
			countdown = -1;
			assert_int_equal(rc, failed ? -1 : 0);
			assert_int_equal(q.n, failed ? n : n + 1);
		}
		assert_int_equal(evq_top(&q)->id, id);
	}
	evq_fini(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_queue_has_no_next),
		cmocka_unit_test(events_come_by_instant_then_as_pushed),
		cmocka_unit_test(moving_an_event_is_pushing_it_anew),
		cmocka_unit_test(a_dropped_event_never_comes),
		cmocka_unit_test(any_sequence_equals_a_search_of_all),
		cmocka_unit_test(the_greatest_id_is_refused),
		cmocka_unit_test(an_event_that_finds_no_memory_is_not_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
