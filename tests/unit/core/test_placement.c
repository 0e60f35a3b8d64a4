/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_placement.c - jobs that say where; restored and changed promises.
 *
 * Machine of most tests: nodes of 4, 4, 4, 4 processors.  A job of estimate e
 * and deadline d has the share e / d.
 */
#include "tests/random.h"
#include "tests/unit/host.h"

#define NONE ((uint64_t)0)

static struct libra_engine *make(const char *policy)
{
	return host_engine(policy, 4, 4);
}

static struct libra_job job_of(uint32_t nprocs, double estimate_s,
			       double deadline_s)
{
	return (struct libra_job){.estimate_s = estimate_s,
				  .deadline_s = deadline_s,
				  .nprocs = nprocs};
}

/* Offer, commit and start at 0.  Result: the ticket, or NONE if refused. */
static uint64_t run_job(struct libra_engine *e, struct libra_job job,
			const struct libra_where *where)
{
	struct libra_verdict verdict;

	job.where = where;
	assert_int_equal(libra_engine_offer(e, &job, 0, &verdict, NULL), 0);
	if (verdict.answer != LIBRA_ACCEPT)
		return NONE;
	assert_int_equal(libra_engine_commit(e, verdict.ticket, 1, 0), 0);
	assert_int_equal(libra_engine_started(e, verdict.ticket, 0), 0);
	return verdict.ticket;
}

static void only_allowed_processors_are_taken(void **state)
{
	static const struct libra_range some[] = {{1, 2}, {6, 1}, {9, 7}};
	struct libra_where where = {.allowed = some, .nallowed = 3};
	struct libra_engine *e = make("librarisk");
	uint64_t t = run_job(e, job_of(5, 10, 20), &where);

	assert_string_equal(host_placed(e, t), "1-2,6,9-10");
	/* 10 are allowed in all: 11 cannot be had, however easy. */
	assert_int_equal(run_job(e, job_of(11, 1, 1000), &where), NONE);
	assert_int_equal(run_job(e, job_of(10, 1, 1000), &where) != NONE, 1);
	libra_engine_destroy(e);
}

static void tasks_of_several_processors_stay_on_a_node(void **state)
{
	static const struct libra_range most[] = {{0, 3}, {4, 12}};
	struct libra_where where = {.allowed = most, .nallowed = 2, .chunk = 2};
	struct libra_engine *e = make("librarisk");

	/* Node 0 has 3 allowed processors: one chunk. */
	assert_string_equal(
		host_placed(e, run_job(e, job_of(4, 10, 20), &where)),
		"0-1,4-5");
	libra_engine_destroy(e);
}

static void at_least_so_many_nodes(void **state)
{
	struct libra_where where = {.min_nodes = 3};
	struct libra_engine *e = make("librarisk");

	/* 4 processors: 2 on the first node leave one for each other. */
	assert_string_equal(
		host_placed(e, run_job(e, job_of(4, 10, 20), &where)),
		"0-1,4,8");
	libra_engine_destroy(e);
}

static void at_most_so_many_nodes_takes_the_largest(void **state)
{
	static const struct libra_range uneven[] = {{0, 1}, {4, 2}, {8, 4}};
	struct libra_where where = {
		.allowed = uneven, .nallowed = 3, .max_nodes = 1};
	struct libra_engine *e = make("librarisk");

	/* In index order node 0 would be the one, with 1 processor. */
	assert_string_equal(
		host_placed(e, run_job(e, job_of(4, 10, 20), &where)), "8-11");
	assert_int_equal(run_job(e, job_of(5, 10, 20), &where), NONE);
	libra_engine_destroy(e);
}

static void at_most_so_many_processors_of_a_node(void **state)
{
	struct libra_where where = {.node_max = 1};
	struct libra_engine *e = make("librarisk");

	assert_string_equal(
		host_placed(e, run_job(e, job_of(4, 10, 20), &where)),
		"0,4,8,12");
	assert_int_equal(run_job(e, job_of(5, 1, 1000), &where), NONE);
	libra_engine_destroy(e);
}

static void libra_prefers_the_fullest_node_that_will_do(void **state)
{
	static const struct libra_range third[] = {{8, 2}};
	struct libra_where there = {.allowed = third, .nallowed = 1};
	struct libra_where any = {.chunk = 1};
	struct libra_engine *e = make("libra");

	run_job(e, job_of(2, 6, 10), &there); /* .6 on 8 and 9 */
	/* .4 fits beside it exactly: fullest first, then node 0. */
	assert_string_equal(host_placed(e, run_job(e, job_of(3, 4, 10), &any)),
			    "8-10");
	/* .5 does not: the emptiest are equal, lowest index first; 10 has .4
	 * and is fuller. */
	assert_string_equal(host_placed(e, run_job(e, job_of(2, 5, 10), &any)),
			    "10-11");
	libra_engine_destroy(e);
}

static void where_without_limits_changes_nothing(void **state)
{
	static const char *const names[] = {"libra", "librarisk"};
	struct libra_where any = {.chunk = 0};

	for (int p = 0; p < 2; p++) {
		struct libra_engine *a = make(names[p]), *b = make(names[p]);
		uint64_t seed = 1;

		/* One processor a job: whole nodes are not preferred then. */
		for (int i = 0; i < 200; i++) {
			struct libra_job job;
			uint64_t ta, tb;

			random_step(&seed);
			job = job_of(1, 1 + (double)(seed >> 60),
				     20 + (double)(seed >> 58));
			ta = run_job(a, job, NULL);
			tb = run_job(b, job, &any);
			assert_int_equal(ta == NONE, tb == NONE);
			if (ta == NONE)
				continue;
			char first[256];

			strcpy(first, host_placed(a, ta));
			assert_string_equal(host_placed(b, tb), first);
		}
		libra_engine_destroy(a);
		libra_engine_destroy(b);
	}
}

static void unsound_wheres_are_errors(void **state)
{
	static const struct libra_range disorder[] = {{4, 2}, {5, 1}};
	static const struct libra_range outside[] = {{15, 2}};
	static const struct libra_where bad[] = {
		{.allowed = disorder, .nallowed = 2},
		{.allowed = outside, .nallowed = 1},
		{.chunk = 3},
		{.min_nodes = 3, .max_nodes = 2},
	};
	struct libra_engine *e = make("libra");

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_job job = job_of(4, 1, 10);
		struct libra_error err = {""};
		struct libra_verdict verdict;

		job.where = &bad[i];
		errno = 0;
		assert_int_equal(libra_engine_offer(e, &job, 0, &verdict, &err),
				 -1);
		assert_int_equal(errno, EINVAL);
		assert_one_line(&err);
	}
	libra_engine_destroy(e);
}

static void queues_cannot_be_told_where(void **state)
{
	struct libra_where any = {.chunk = 1};
	struct libra_job job = job_of(1, 1, 10);
	struct libra_engine *e = make("edf");
	struct libra_verdict verdict;

	job.where = &any;
	assert_int_equal(libra_engine_offer(e, &job, 0, &verdict, NULL), -1);
	assert_int_equal(errno, EINVAL);
	libra_engine_destroy(e);
}

static void earliest_deadline_knows_where(void **state)
{
	static const struct libra_range node0[] = {{0, 4}};
	struct libra_where here = {.allowed = node0, .nallowed = 1};
	struct libra_job job = job_of(3, 5, 6);
	struct libra_engine *e = make("libra");
	double earliest_s;

	run_job(e, job_of(2, 5, 10), &here); /* .5 on 0 and 1 */
	/* Three of node 0 need one of these: 5 s of work in 10 s. */
	job.where = &here;
	earliest_s = libra_engine_earliest_deadline(e, &job, 0);
	assert_near(earliest_s, 10, 1e-9);
	assert_int_equal(run_job(e, job, &here), NONE);
	job.deadline_s = earliest_s;
	assert_int_not_equal(run_job(e, job, &here), NONE);
	libra_engine_destroy(e);
}

/* LibraRisk takes anything on an empty processor: room without bound. */
static void earliest_deadline_with_empty_processors(void **state)
{
	static const struct libra_range node0[] = {{0, 4}};
	struct libra_where here = {.allowed = node0, .nallowed = 1};
	struct libra_job job = job_of(3, 5, 6);
	struct libra_engine *e = make("librarisk");

	run_job(e, job_of(2, 5, 10), &here); /* .5 on 0 and 1 */
	job.where = &here;
	assert_int_equal(run_job(e, job, &here), NONE);
	job.deadline_s = libra_engine_earliest_deadline(e, &job, 0);
	assert_near(job.deadline_s, 10, 1e-9);
	assert_int_not_equal(run_job(e, job, &here), NONE);
	libra_engine_destroy(e);
}

static void restored_jobs_go_on_as_before(void **state)
{
	static const struct libra_part parts[] = {{{2, 1}, 6, NULL},
						  {{5, 2}, 4, NULL}};
	struct libra_job job = job_of(3, 10, 20);
	struct libra_engine *e = make("libra");
	struct libra_action action;
	uint64_t t;
	double rate;

	/* At 10 s: 6 s left on one processor, 4 s on two, 10 s to go. */
	assert_int_equal(
		libra_engine_restore(e, &job, parts, 2, true, 10, &t, NULL), 0);
	assert_string_equal(host_placed(e, t), "2,5-6");
	/* The slowest part counts; alone it has all of its processor. */
	assert_near(libra_engine_left_s(e, t, 10, &rate), 6, 1e-9);
	assert_near(libra_engine_left_s(e, t, 13, NULL), 3, 1e-9);
	assert_near(rate, 1, 1e-9);
	errno = 0;
	assert_true(isnan(libra_engine_left_s(e, t + 1, 13, NULL)));
	assert_int_equal(errno, ENOENT);
	/* 6 of 10 s are taken on 2: .4 fits there, .41 does not. */
	job = job_of(16, 0.41 * 10, 20);
	job.submit_s = 10;
	struct libra_verdict verdict;

	assert_int_equal(libra_engine_offer(e, &job, 10, &verdict, NULL), 0);
	assert_int_equal(verdict.answer, LIBRA_REJECT);
	job.estimate_s = 0.4 * 10;
	assert_int_equal(libra_engine_offer(e, &job, 10, &verdict, NULL), 0);
	assert_int_equal(verdict.answer, LIBRA_ACCEPT);
	libra_engine_withdraw(e, verdict.ticket, 10);
	while (libra_engine_next_action(e, &action))
		assert_int_equal(action.kind, LIBRA_ACTION_RESHARE);
	assert_int_equal(libra_engine_departed(e, t, 16), 0);
	assert_int_equal(libra_engine_free_procs(e), 16);
	libra_engine_destroy(e);
}

/* A job that had not started before the restart. */
static void a_restored_job_is_told_to_start(void **state)
{
	static const struct libra_part part = {{3, 2}, 10, NULL};
	struct libra_job job = job_of(2, 10, 20);
	struct libra_engine *e = make("libra");
	struct libra_action action;
	uint64_t t;
	double rate;

	job.id = 9;
	assert_int_equal(
		libra_engine_restore(e, &job, &part, 1, false, 0, &t, NULL), 0);
	assert_true(libra_engine_next_action(e, &action));
	assert_int_equal(action.kind, LIBRA_ACTION_START);
	assert_int_equal(action.ticket, t);
	assert_int_equal(action.job_id, 9);
	assert_near(libra_engine_left_s(e, t, 5, &rate), 10, 1e-9);
	assert_near(rate, 0, 0);
	assert_int_equal(libra_engine_started(e, t, 5), 0);
	assert_near(libra_engine_left_s(e, t, 7, &rate), 8, 1e-9);
	assert_near(rate, 1, 1e-9);
	libra_engine_destroy(e);
}

/* Queues count from the start on. */
static void what_is_left_in_a_queue(void **state)
{
	struct libra_engine *e = make("edf");
	struct libra_job job = job_of(16, 10, 50);
	struct libra_verdict v;
	uint64_t t[2];
	double rate;

	for (int i = 0; i < 2; i++) {
		assert_int_equal(libra_engine_offer(e, &job, 0, &v, NULL), 0);
		assert_int_equal(libra_engine_commit(e, v.ticket, 1, 0), 0);
		t[i] = v.ticket;
	}
	libra_engine_schedule(e, 0);
	assert_int_equal(libra_engine_started(e, t[0], 0), 0);
	assert_near(libra_engine_left_s(e, t[0], 4, &rate), 6, 1e-9);
	assert_near(rate, 1, 0);
	assert_near(libra_engine_left_s(e, t[1], 4, &rate), 10, 1e-9);
	assert_near(rate, 0, 0);
	libra_engine_destroy(e);
}

static void restore_asks_nothing_but_sense(void **state)
{
	static const struct libra_part two[] = {{{0, 1}, 9, NULL},
						{{0, 1}, 9, NULL}};
	static const struct libra_part one[] = {{{0, 1}, 9, NULL}};
	struct libra_job job = job_of(1, 9, 10), large = job_of(2, 9, 10);
	struct libra_engine *e = make("libra"), *queue = make("edf");
	struct libra_error err = {""};
	uint64_t t;

	/* .9 + .9 on one processor would never have been accepted. */
	for (int i = 0; i < 2; i++)
		assert_int_equal(libra_engine_restore(e, &job, one, 1, true, 0,
						      &t, NULL),
				 0);
	assert_int_equal(
		libra_engine_restore(e, &large, two, 2, true, 0, &t, &err), -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_int_equal(
		libra_engine_restore(e, &large, one, 1, true, 0, &t, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(
		libra_engine_restore(queue, &job, one, 1, true, 0, &t, NULL),
		-1);
	assert_int_equal(errno, ENOTSUP);
	libra_engine_destroy(e);
	libra_engine_destroy(queue);
}

static void restore_works_on_closed_nodes(void **state)
{
	static const struct libra_part parts[] = {{{3, 2}, 5, NULL}};
	struct libra_job job = job_of(2, 10, 20);
	struct libra_engine *e = make("librarisk");
	uint64_t t;

	assert_int_equal(libra_engine_node(e, 0, LIBRA_NODE_DRAIN, 0), 0);
	assert_int_equal(
		libra_engine_restore(e, &job, parts, 1, true, 1, &t, NULL), 0);
	assert_string_equal(host_placed(e, t), "3-4");
	/* Processor 3 stays closed after it. */
	assert_int_equal(libra_engine_departed(e, t, 2), 0);
	assert_int_equal(libra_engine_free_procs(e), 12);
	assert_int_equal(libra_engine_node(e, 0, LIBRA_NODE_UP, 3), 0);
	assert_int_equal(libra_engine_free_procs(e), 16);
	libra_engine_destroy(e);
}

static void a_change_that_fits_is_made(void **state)
{
	struct libra_engine *e = make("libra");
	uint64_t a = run_job(e, job_of(16, 5, 10), NULL);
	uint64_t b = run_job(e, job_of(16, 4, 10), NULL);
	struct libra_job changed = job_of(1, 6, 10);
	struct libra_verdict verdict;

	/* .6 + .4 = 1 */
	assert_int_equal(libra_engine_modify(e, a, &changed, 0, &verdict, NULL),
			 0);
	assert_int_equal(verdict.answer, LIBRA_ACCEPT);
	assert_near(libra_engine_job(e, a)->estimate_s, 6, 0);
	/* .6 + .5 is too much: refused, and b is as it was. */
	changed = job_of(1, 5, 10);
	assert_int_equal(libra_engine_modify(e, b, &changed, 0, &verdict, NULL),
			 0);
	assert_int_equal(verdict.answer, LIBRA_REJECT);
	assert_int_equal(verdict.reason, LIBRA_REASON_NO_SHARE);
	assert_near(libra_engine_job(e, b)->estimate_s, 4, 0);
	/* A later deadline makes room: 5 / 12.5 = .4 */
	changed = job_of(1, 5, 12.5);
	assert_int_equal(libra_engine_modify(e, b, &changed, 0, &verdict, NULL),
			 0);
	assert_int_equal(verdict.answer, LIBRA_ACCEPT);
	libra_engine_destroy(e);
}

static void a_change_counts_what_was_done(void **state)
{
	struct libra_engine *e = make("libra");
	uint64_t t = run_job(e, job_of(16, 5, 10), NULL);
	struct libra_job changed = job_of(1, 11, 10);
	struct libra_verdict verdict;

	/* Alone it has done 4 s at 4 s; 7 of 11 s in the 6 s left: too much;
	 * 6 of 10 s just fit. */
	assert_int_equal(libra_engine_modify(e, t, &changed, 4, &verdict, NULL),
			 0);
	assert_int_equal(verdict.answer, LIBRA_REJECT);
	changed.estimate_s = 10;
	assert_int_equal(libra_engine_modify(e, t, &changed, 4, &verdict, NULL),
			 0);
	assert_int_equal(verdict.answer, LIBRA_ACCEPT);
	changed.estimate_s = -1;
	assert_int_equal(libra_engine_modify(e, t, &changed, 4, &verdict, NULL),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(
		libra_engine_modify(e, 77, &changed, 4, &verdict, NULL), -1);
	assert_int_equal(errno, ENOENT);
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_allowed_processors_are_taken),
		cmocka_unit_test(tasks_of_several_processors_stay_on_a_node),
		cmocka_unit_test(at_least_so_many_nodes),
		cmocka_unit_test(at_most_so_many_nodes_takes_the_largest),
		cmocka_unit_test(at_most_so_many_processors_of_a_node),
		cmocka_unit_test(libra_prefers_the_fullest_node_that_will_do),
		cmocka_unit_test(where_without_limits_changes_nothing),
		cmocka_unit_test(unsound_wheres_are_errors),
		cmocka_unit_test(queues_cannot_be_told_where),
		cmocka_unit_test(earliest_deadline_knows_where),
		cmocka_unit_test(earliest_deadline_with_empty_processors),
		cmocka_unit_test(restored_jobs_go_on_as_before),
		cmocka_unit_test(a_restored_job_is_told_to_start),
		cmocka_unit_test(what_is_left_in_a_queue),
		cmocka_unit_test(restore_asks_nothing_but_sense),
		cmocka_unit_test(restore_works_on_closed_nodes),
		cmocka_unit_test(a_change_that_fits_is_made),
		cmocka_unit_test(a_change_counts_what_was_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
