/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_job_table.c - tracked jobs, by id, offer and ticket, against a list.
 */
#include "plugin/jobs/job_table.h"
#include "tests/random.h"
#include "tests/unit/test.h"

enum { MOST = 300 };

static struct host_jobs jobs;

/* What is tracked, in the order in which it came to its chain of jobs; those
 * without a job id are in the order of their offers alone.
 */
struct listed {
	uint64_t offer, first, ticket;
	uint32_t job_id;
	bool running, used;
	unsigned long linked; /* when */
};

static struct listed list[MOST];
static uint32_t slot_used[MOST];
static unsigned long ticks;
static uint64_t seed;

static uint32_t draw(uint32_t n)
{
	return random_below(&seed, n);
}

/* The one that came to its chain next after some time: of a job, or of an
 * offer.
 */
static struct listed *of_job(uint32_t id, bool running, unsigned long after)
{
	struct listed *best = NULL;

	for (uint32_t i = 0; i < MOST; i++)
		if (list[i].used && list[i].job_id == id &&
		    list[i].running == running && list[i].linked > after &&
		    (!best || list[i].linked < best->linked))
			best = &list[i];
	return best;
}

static struct listed *of_offer(uint64_t first, uint64_t after)
{
	struct listed *best = NULL;

	for (uint32_t i = 0; i < MOST; i++)
		if (list[i].used && !list[i].running &&
		    list[i].first == first && list[i].offer > after &&
		    (!best || list[i].offer < best->offer))
			best = &list[i];
	return best;
}

static void is_same(const struct tracked_job *t, const struct listed *l)
{
	if (!l) {
		assert_null(t);
		return;
	}
	assert_non_null(t);
	assert_int_equal(t->offer, l->offer);
	assert_int_equal(t->first, l->first);
	assert_int_equal(t->ticket, l->ticket);
	assert_int_equal(t->job_id, l->job_id);
	assert_int_equal(t->state == TRACKED_RUNNING, l->running);
}

static void same_chains(uint32_t id, uint64_t first)
{
	struct tracked_job *t = host_jobs_find(&jobs, id, false), *last;
	struct listed *l = of_job(id, false, 0), *end = NULL;
	uint32_t n = 0;

	for (; t || l; t = host_jobs_next_waiting(&jobs, t)) {
		is_same(t, l);
		end = l;
		l = of_job(id, false, l->linked);
		n++;
	}
	assert_int_equal(host_jobs_count_waiting(&jobs, id, &last), n);
	is_same(last, end);
	is_same(host_jobs_find(&jobs, id, true), of_job(id, true, 0));
	t = host_jobs_find_offer(&jobs, first);
	for (l = of_offer(first, 0); t || l;
	     t = host_jobs_next_offer(&jobs, t)) {
		is_same(t, l);
		l = of_offer(first, l->offer);
	}
}

static void same_table(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < MOST; i++) {
		if (!list[i].used)
			continue;
		is_same(host_jobs_find_ticket(&jobs, list[i].ticket), &list[i]);
		assert_null(
			host_jobs_find_ticket(&jobs, list[i].ticket + MOST));
		n++;
	}
	assert_null(host_jobs_find_ticket(&jobs, 1ull << 32 | 1000000));
	for (struct tracked_job *t = host_jobs_next(&jobs, NULL); t;
	     t = host_jobs_next(&jobs, t)) {
		assert_int_not_equal(t->state, TRACKED_FREE);
		n--;
	}
	assert_int_equal(n, 0);
}

/* Some have the bucket of others: ids and offers 4096 apart. */
static uint32_t some_id(void)
{
	return 1 + draw(6) + HOST_BUCKETS * draw(2);
}

static void step(void)
{
	struct listed *l = &list[draw(MOST)];
	uint32_t slot = (uint32_t)(l - list);
	struct tracked_job *t;

	if (!l->used) {
		uint64_t first = host_jobs_first_offer(&jobs, 1);

		if (draw(3) == 0)
			first = 1 + draw(8);
		*l = (struct listed){
			.ticket = (uint64_t)++slot_used[slot] << 32 | slot,
			.first = first,
			.used = true,
		};
		t = host_jobs_add(&jobs, l->ticket, first);
		assert_non_null(t);
		l->offer = jobs.last_offer;
		assert_int_equal(t->state, TRACKED_OFFERED);
		return;
	}
	t = host_jobs_find_ticket(&jobs, l->ticket);
	assert_non_null(t);
	switch (draw(4)) {
	case 0:
		host_jobs_remove(&jobs, t);
		l->used = false;
		break;
	case 1:
		if (l->running)
			break;
		l->job_id = some_id();
		host_jobs_run(&jobs, t, l->job_id);
		l->running = true;
		l->linked = ++ticks;
		break;
	default:
		l->job_id = some_id();
		host_jobs_link(&jobs, t, l->job_id);
		l->linked = ++ticks;
	}
}

static void any_sequence_equals_a_list(void **state)
{
	seed = 18;
	host_jobs_clear(&jobs);
	jobs.last_offer = 0;
	memset(list, 0, sizeof(list));
	for (int i = 0; i < 3000; i++) {
		step();
		same_chains(some_id(), 1 + draw(8));
		if (i % 16 == 0)
			same_table();
	}
	for (uint32_t id = 1; id <= 6; id++) {
		same_chains(id, id);
		same_chains(id + HOST_BUCKETS, id + HOST_BUCKETS);
	}
	host_jobs_clear(&jobs);
}

static void arrays_have_a_number_before_their_tasks(void **state)
{
	struct tracked_job *t;

	host_jobs_clear(&jobs);
	jobs.last_offer = 0;
	assert_int_equal(host_jobs_first_offer(&jobs, 1), 1);
	assert_int_equal(host_jobs_first_offer(&jobs, 1), 1);
	t = host_jobs_add(&jobs, 1ull << 32, 1);
	assert_int_equal(t->offer, 1);
	assert_int_equal(host_jobs_first_offer(&jobs, 2), 2);
	t = host_jobs_add(&jobs, 1ull << 32 | 1, 2);
	assert_int_equal(t->offer, 3);
	/* A slot of the engine that another ticket has by now stays his. */
	t = host_jobs_add(&jobs, 2ull << 32 | 1, 4);
	host_jobs_remove(&jobs, host_jobs_find_offer(&jobs, 2));
	assert_ptr_equal(host_jobs_find_ticket(&jobs, 2ull << 32 | 1), t);
	t->suspended = true;
	jobs.nsuspended = 1;
	host_jobs_remove(&jobs, t);
	assert_int_equal(jobs.nsuspended, 0);
	assert_null(host_jobs_find_ticket(&jobs, 2ull << 32 | 1));
	host_jobs_clear(&jobs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_sequence_equals_a_list),
		cmocka_unit_test(arrays_have_a_number_before_their_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
