/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_search.c - what the search for a deadline may look at, and what it says
 * then.  Work is counted; no clock.
 */
#include <inttypes.h>

#include "core/engine_impl.h"
#include "core/where.h"
#include "tests/unit/host.h"

enum { PROCS = 4096, TASKS = 1000 };

/* Arrays of an hour by two hours, until one is refused.
 * Result: that one; none of its tasks is promised anything.
 */
static struct libra_job fill(struct libra_engine *e)
{
	struct libra_job job = host_job(0, 3600, 7200, 1);
	static uint64_t tickets[TASKS];
	uint64_t id = 0;

	for (;;) {
		uint32_t n = 0;

		for (; n < TASKS; n++) {
			struct libra_verdict v = host_offer(e, job, 0);

			if (v.answer != LIBRA_ACCEPT)
				break;
			tickets[n] = v.ticket;
		}
		for (uint32_t i = 0; i < n; i++)
			if (n == TASKS)
				libra_engine_commit(e, tickets[i], ++id, 0);
			else
				libra_engine_withdraw(e, tickets[i], 0);
		if (n < TASKS)
			return job;
	}
}

/* By hand: band and demand have taken 8 arrays, one or two jobs a processor,
 * which end by 7,200 s; another one of an hour follows.  planned takes 4, for
 * none but the first wave ends by then with its margin of 60 s: the next starts
 * at 3,660 s.  Under libra and librarisk 8 arrays have a share of 0.5 each on
 * 4,000 processors, and 96 are empty: 11 tasks on each, or 39,600 s.  A bound
 * may be a tenth later.  Advice is of some seconds later: then demand takes
 * none beside jobs that have not a second to spare, and 6 on each of 192
 * processors with one job, 25,200 s.
 */
static void an_array_on_a_full_machine_costs_a_bounded_search(void **state)
{
	static const struct {
		const char *policy;
		double at_s, try_s;
	} rows[] = {
		{"band", 10800, 10800},	     {"demand", 10800, 25200},
		{"planned", 7320, 7320},     {"libra", 39600, 39600},
		{"librarisk", 39600, 39600},
	};

	for (int i = 0; i < 5; i++) {
		struct libra_engine *e =
			host_cluster_engine(rows[i].policy, PROCS);
		struct libra_job job = fill(e);
		double at_s, try_s;
		uint64_t work;

		at_s = libra_engine_earliest_together(e, &job, TASKS, 0);
		work = e->work;
		try_s = libra_engine_advise(e, &job, TASKS, at_s, 60, 0);
		print_message("%s: %.0f s, try %.0f s, looked at %" PRIu64
			      " + %" PRIu64 "\n",
			      rows[i].policy, at_s, try_s, work, e->work);
		/* What is begun is ended: some decisions more. */
		assert_true(work < 1.5 * LIBRA_SEARCH_WORK);
		assert_true(e->work < 1.5 * LIBRA_SEARCH_WORK);
		assert_true(at_s > 0.95 * rows[i].at_s);
		assert_true(at_s < 1.1 * rows[i].at_s);
		assert_true(try_s >= at_s && try_s < 1.1 * rows[i].try_s);
		job.deadline_s = try_s;
		assert_true(libra_engine_would_accept(e, &job, TASKS, 0));
		job.deadline_s = at_s;
		assert_true(libra_engine_would_accept(e, &job, TASKS, 0));
		libra_engine_destroy(e);
	}
}

/* Tasks of two processors on one node: only trials tell, and they are dear. */
static void a_search_that_ends_does_not_say_never(void **state)
{
	struct libra_engine *e = host_cluster_engine("band", PROCS);
	struct libra_where where = {.chunk = 2};
	struct libra_job job = fill(e);

	job.nprocs = 2;
	job.where = &where;
	assert_true(isnan(libra_engine_earliest_together(e, &job, TASKS, 0)));
	assert_true(e->work < 1.5 * LIBRA_SEARCH_WORK);
	libra_engine_destroy(e);
}

/* For two tasks that have no room as long as a node is down no deadline will
 * do, and none is looked for in vain at each of ten billion hours.
 */
static void what_has_no_room_costs_as_little_however_late(void **state)
{
	static const char *const policies[] = {"band", "demand", "planned",
					       "libra", "librarisk"};
	static const uint32_t procs[] = {3, 1};

	for (int i = 0; i < 5; i++) {
		struct libra_engine *e =
			host_nodes_engine(policies[i], procs, 2);
		struct libra_job job = host_job(0, 60, 7200, 4);

		libra_engine_node(e, 1, LIBRA_NODE_DOWN, 0);
		assert_true(
			isinf(libra_engine_earliest_together(e, &job, 2, 0)));
		assert_true(e->work < 10000);
		libra_engine_destroy(e);
	}
}

/* What is looked at does not depend on what was asked before. */
static void answers_are_the_same_after_other_questions(void **state)
{
	struct libra_engine *a = host_cluster_engine("band", PROCS),
			    *b = host_cluster_engine("band", PROCS);
	struct libra_job job = fill(a), other = fill(b);
	uint32_t n[] = {2, 10, 30, 100, TASKS};

	other.nprocs = 3;
	for (int i = 0; i < 5; i++) {
		double at_s = libra_engine_earliest_together(a, &job, n[i], 0);

		libra_engine_earliest_together(b, &other, 7, 0);
		libra_engine_advise(b, &other, 7, 20000, 60, 0);
		libra_engine_earliest_deadline(b, &other, 0);
		assert_near(libra_engine_earliest_together(b, &job, n[i], 0),
			    at_s, 0);
		assert_int_equal(b->work, a->work);
	}
	libra_engine_destroy(a);
	libra_engine_destroy(b);
}

/* A log may have an instant that is that far away: the next number after it is
 * 256 s later, and nothing can be halved to a second.
 */
static void far_away_a_search_ends(void **state)
{
	const double now_s = 1795333389, far_s = 1795333330064771075.0;
	struct libra_engine *e = host_cluster_engine("band", 16);
	struct libra_job job = host_job(now_s, 60, 109, 2);

	libra_engine_schedule(e, far_s);
	assert_true(libra_engine_earliest_together(e, &job, 3, now_s) >= far_s);
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			an_array_on_a_full_machine_costs_a_bounded_search),
		cmocka_unit_test(a_search_that_ends_does_not_say_never),
		cmocka_unit_test(what_has_no_room_costs_as_little_however_late),
		cmocka_unit_test(answers_are_the_same_after_other_questions),
		cmocka_unit_test(far_away_a_search_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
