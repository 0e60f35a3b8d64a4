/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_queue.c - waiting jobs in order, running jobs by their ends. */
#include <errno.h>

#include "core/space/queue.h"
#include "tests/unit/test.h"

static uint32_t insert(struct libra_queue *q, uint32_t job, double key,
		       uint64_t serial, uint32_t nprocs)
{
	return libra_queue_insert(q, job, key, serial, nprocs, 10.0 * job);
}

/* The jobs from the head on. */
static void check_order(const struct libra_queue *q, const uint32_t *job,
			uint32_t n)
{
	uint32_t k = 0;

	for (uint32_t i = q->head; i < q->end; i++) {
		if (q->nprocs[i] == LIBRA_QUEUE_HOLE)
			continue;
		assert_true(k < n);
		assert_int_equal(q->slot[i], job[k]);
		assert_near(q->estimate_s[i], 10.0 * job[k], 0);
		assert_int_equal(libra_queue_find(q, job[k++]), i);
	}
	assert_int_equal(k, n);
	assert_int_equal(q->live, n);
	assert_true(n == 0 || q->nprocs[q->head] != LIBRA_QUEUE_HOLE);
}

static void jobs_stand_by_key_and_then_by_serial(void **state)
{
	struct libra_queue q = {0};
	static const uint32_t order[] = {4, 2, 5, 1, 3};

	assert_int_equal(libra_queue_reserve(&q, 5), 0);
	insert(&q, 1, 30, 1, 1);
	insert(&q, 2, 20.5, 2, 1);
	insert(&q, 3, 30, 3, 1);
	insert(&q, 4, -1, 9, 1);
	insert(&q, 5, 20.5, 4, 1);
	check_order(&q, order, 5);
	libra_queue_fini(&q);
	libra_queue_fini(&q);
}

static void taking_a_job_out_leaves_the_places(void **state)
{
	struct libra_queue q = {0};
	static const uint32_t two[] = {0, 3}, one[] = {3};

	assert_int_equal(libra_queue_reserve(&q, 4), 0);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(insert(&q, i, 0, i, i + 1), i);
	libra_queue_remove(&q, 2);
	libra_queue_remove(&q, 1);
	check_order(&q, two, 2);
	assert_int_equal(libra_queue_find(&q, 3), 3);
	assert_int_equal(libra_queue_find(&q, 2), q.end);
	libra_queue_remove(&q, q.head);
	assert_int_equal(q.head, 3);
	check_order(&q, one, 1);
	libra_queue_remove(&q, q.head);
	assert_int_equal(q.head, q.end);
	assert_int_equal(libra_queue_next(&q, q.head, 99), q.end);
	libra_queue_fini(&q);
}

/* 200 jobs of 5 processors with one of 2 at place 130: three blocks are passed
 * over.
 */
static void a_scan_finds_the_first_that_fits(void **state)
{
	struct libra_queue q = {0};

	assert_int_equal(libra_queue_reserve(&q, 200), 0);
	for (uint32_t i = 0; i < 200; i++)
		insert(&q, i, 0, i, i == 130 ? 2 : 5);
	assert_int_equal(libra_queue_next(&q, 0, 1), q.end);
	assert_int_equal(libra_queue_next(&q, 0, 2), 130);
	assert_int_equal(libra_queue_next(&q, 131, 4), q.end);
	assert_int_equal(libra_queue_next(&q, 131, 5), 131);
	libra_queue_remove(&q, 130);
	assert_int_equal(libra_queue_next(&q, 0, 4), q.end);
	libra_queue_fini(&q);
}

/* A plain sorted array to compare with. */
struct plain {
	uint32_t job, nprocs;
	double key;
	uint64_t serial;
};

static void check_plain(const struct libra_queue *q, const struct plain *jobs,
			uint32_t n, uint32_t nprocs)
{
	uint32_t place = q->head, k = 0;

	for (place = libra_queue_next(q, q->head, nprocs); place < q->end;
	     place = libra_queue_next(q, place + 1, nprocs)) {
		while (k < n && jobs[k].nprocs > nprocs)
			k++;
		assert_true(k < n);
		assert_int_equal(q->slot[place], jobs[k++].job);
	}
	while (k < n && jobs[k].nprocs > nprocs)
		k++;
	assert_int_equal(k, n);
}

static uint32_t seed = 77;

static uint32_t draw(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static uint32_t plain_insert(struct plain *jobs, uint32_t n, struct plain job)
{
	uint32_t i = n;

	while (i > 0 && (jobs[i - 1].key > job.key ||
			 (jobs[i - 1].key == job.key &&
			  jobs[i - 1].serial > job.serial))) {
		jobs[i] = jobs[i - 1];
		i--;
	}
	jobs[i] = job;
	return n + 1;
}

/* Keys are equal (order of submission) in even rounds, drawn in odd ones. */
static void any_sequence_equals_a_sorted_array(void **state)
{
	static struct plain jobs[400];

	for (int round = 0; round < 6; round++) {
		struct libra_queue q = {0};
		uint32_t n = 0;

		for (uint32_t i = 0; i < 3000; i++) {
			bool grow = n < 2 || (n < 399 && draw(100) < 52);
			uint32_t k = draw(2) ? 0 : draw(n + 1);

			if (grow) {
				struct plain job = {i, 1 + draw(30),
						    round % 2 ? draw(50) : 0,
						    i};

				assert_int_equal(libra_queue_reserve(&q, n + 1),
						 0);
				n = plain_insert(jobs, n, job);
				insert(&q, job.job, job.key, job.serial,
				       job.nprocs);
			} else if (k < n) {
				libra_queue_remove(
					&q, libra_queue_find(&q, jobs[k].job));
				n--;
				memmove(&jobs[k], &jobs[k + 1],
					(n - k) * sizeof(*jobs));
			}
			assert_int_equal(q.live, n);
			check_plain(&q, jobs, n, 1 + draw(31));
		}
		check_plain(&q, jobs, n, 30);
		libra_queue_fini(&q);
	}
}

/* The queue's arrays are twice as long as the jobs need, and no longer. */
static void a_long_row_of_holes_is_closed(void **state)
{
	struct libra_queue q = {0};
	uint32_t cap;

	assert_int_equal(libra_queue_reserve(&q, 3), 0);
	cap = q.cap;
	insert(&q, 0, 0, 0, 1);
	insert(&q, 1, 0, 1, 1);
	for (uint32_t i = 2; i < 10 * cap; i++) {
		insert(&q, i, 0, i, 1 + i % 3);
		libra_queue_remove(&q, libra_queue_find(&q, i - 1));
		assert_int_equal(q.live, 2);
		assert_true(q.end <= q.cap);
	}
	assert_int_equal(q.cap, cap);
	assert_int_equal(q.slot[q.head], 0);
	libra_queue_fini(&q);
}

static void more_jobs_than_can_be_counted_are_refused(void **state)
{
	struct libra_queue q = {0};

	errno = 0;
	assert_int_equal(libra_queue_reserve(&q, UINT32_MAX), -1);
	assert_int_equal(errno, ENOMEM);
	assert_int_equal(q.cap, 0);
	libra_queue_fini(&q);
}

static void running_jobs_stand_by_end_and_then_by_size(void **state)
{
	struct libra_runlist list = {0};
	static const uint32_t order[] = {3, 1, 2, 4, 0};

	assert_int_equal(libra_runlist_reserve(&list, 5), 0);
	libra_runlist_add(&list, 50, 1, 0);
	libra_runlist_add(&list, 20, 4, 1);
	libra_runlist_add(&list, 20, 8, 2);
	libra_runlist_add(&list, 10.5, 9, 3);
	libra_runlist_add(&list, 20, 8.0, 4);
	assert_int_equal(list.n, 5);
	/* Equal ones (jobs 2 and 4) may stand in any order. */
	for (uint32_t i = 0; i < 5; i++)
		if (i != 2 && i != 3)
			assert_int_equal(list.jobs[i].slot, order[i]);
	libra_runlist_remove(&list, 20, 8, 2);
	assert_int_equal(list.n, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_not_equal(list.jobs[i].slot, 2);
	/* What is not there cannot be removed. */
	libra_runlist_remove(&list, 20, 8, 2);
	libra_runlist_remove(&list, 99, 1, 0);
	assert_int_equal(list.n, 4);
	libra_runlist_fini(&list);
	libra_runlist_fini(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_stand_by_key_and_then_by_serial),
		cmocka_unit_test(taking_a_job_out_leaves_the_places),
		cmocka_unit_test(a_scan_finds_the_first_that_fits),
		cmocka_unit_test(any_sequence_equals_a_sorted_array),
		cmocka_unit_test(a_long_row_of_holes_is_closed),
		cmocka_unit_test(more_jobs_than_can_be_counted_are_refused),
		cmocka_unit_test(running_jobs_stand_by_end_and_then_by_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
