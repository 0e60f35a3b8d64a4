/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_band.c - the policies band and demand: examples worked by hand. */
#include "tests/gang_check.h"
#include "tests/unit/band_host.h"

/* ---- band by hand ---- */

/* A has 60 s by 100: slack 40.  B, 30 s by 50, may go before it: A is held
 * for 30 s and ends at 90.
 */
static void an_earlier_deadline_holds_a_later_one(void **state)
{
	struct host h;
	uint64_t b;

	open_host(&h, "band", 1, "reserve");
	assert_int_not_equal(submit(&h, 1, 60, 100), 0);
	assert_string_equal(actions(&h), "S1 ");
	h.now_s = 10;
	b = submit(&h, 1, 30, 50);
	assert_int_not_equal(b, 0);
	assert_string_equal(actions(&h), "H1 S2 ");
	h.now_s = 40;
	assert_int_equal(libra_engine_departed(h.e, b, 40), 0);
	assert_string_equal(actions(&h), "G1 ");
	libra_engine_destroy(h.e);
}

/* A: 60 s by 100, slack 40, and at 10 still 40.  B of 45 s by 50 would take
 * more: refused.  Of 40 s by 50: accepted.
 */
static void slack_is_all_that_may_be_taken(void **state)
{
	struct host h;

	open_host(&h, "band", 1, "reserve");
	submit(&h, 1, 60, 100);
	actions(&h);
	h.now_s = 10;
	assert_int_equal(submit(&h, 1, 45, 50), 0);
	assert_int_not_equal(submit(&h, 1, 40, 50), 0);
	libra_engine_destroy(h.e);
}

/* On processors 0-1 lies A (40 s by 50).  B, on 1-2 by then, waits for A; C,
 * later than both, needs 2 and 3: its earlier neighbour is B alone, but B's
 * wait for A does not add to C: 30 + 20 = 50 <= 60.
 */
static void the_sum_of_neighbours_is_enough(void **state)
{
	struct host h;
	const struct libra_gang *g;

	open_host(&h, "band", 4, "reserve");
	g = &libra_gang_state(h.e)->gang;
	assert_int_not_equal(submit(&h, 4, 20, 50), 0);
	assert_int_not_equal(submit(&h, 2, 30, 60), 0);
	assert_int_not_equal(submit(&h, 4, 10, 70), 0);
	assert_string_equal(actions(&h), "S1 ");
	libra_gang_touch((struct libra_gang *)g, 0);
	/* 70 - 10 - 30 - 20: both earlier ones are neighbours. */
	assert_near(libra_gang_slack(g, 2, 0), 10, 1e-9);
	assert_near(libra_gang_slack(g, 1, 0), 10, 1e-9);
	assert_near(libra_gang_slack(g, 0, 0), 30, 1e-9);
	assert_null(gang_check(g, 0));
	libra_engine_destroy(h.e);
}

/* Blocks of 2 on 8 processors: two jobs with equal deadlines avoid each other;
 * the third of 4 takes the free half though 0-3 comes first.
 */
static void blocks_are_aligned_and_spread(void **state)
{
	struct host h;
	uint64_t a, b, c;

	open_host(&h, "band", 8, "reserve");
	a = submit(&h, 2, 10, 100);
	b = submit(&h, 2, 10, 100);
	c = submit(&h, 4, 10, 100);
	assert_int_equal(first_proc(&h, a), 0);
	assert_int_equal(first_proc(&h, b), 2);
	assert_int_equal(first_proc(&h, c), 4);
	assert_string_equal(actions(&h), "S1 S2 S3 ");
	libra_engine_destroy(h.e);
}

/* 14 jobs of 540 s run side by side on 16 processors.  One of 540 s on all 16
 * waits for all of them, that is for 540 s; their needs sum to 7560 s.
 */
static void who_runs_side_by_side_is_waited_for_once(void **state)
{
	struct libra_job all = {.estimate_s = 540, .nprocs = 16, .submit_s = 0};
	struct host h;
	double at_s;
	uint64_t t;

	open_host(&h, "band", 16, "reserve");
	for (int i = 0; i < 14; i++)
		assert_int_not_equal(submit(&h, 1, 540, 600), 0);
	at_s = libra_engine_earliest_deadline(h.e, &all, 0);
	assert_true(at_s >= 1080 && at_s <= 1080 * 65. / 64);
	t = submit(&h, 16, 540, 1200);
	assert_int_not_equal(t, 0);
	assert_near(libra_engine_ends_by(h.e, t), 1080, 1e-9);
	assert_true(isnan(libra_engine_ends_by(h.e, t + 1)));
	libra_engine_destroy(h.e);

	open_host(&h, "band", 16, "reserve finishes");
	for (int i = 0; i < 14; i++)
		assert_int_not_equal(submit(&h, 1, 540, 600), 0);
	at_s = libra_engine_earliest_deadline(h.e, &all, 0);
	assert_true(at_s >= 15 * 540 && at_s <= 15 * 540 * 65. / 64);
	t = submit(&h, 16, 540, 9000);
	assert_near(libra_engine_ends_by(h.e, t), 15 * 540, 1e-9);
	libra_engine_destroy(h.e);
}

/* One processor: 100 s, then 50 s behind it; 10 s go before both.  A bet of 100
 * s by 50 runs until then, and again when 200 s behind it are done.
 */
static void who_waits_starts_when_those_before_have_ended(void **state)
{
	struct host h;
	uint64_t a, b, c;

	open_host(&h, "band", 1, "reserve");
	a = submit(&h, 1, 100, 1000);
	b = submit(&h, 1, 50, 2000);
	actions(&h);
	assert_near(libra_engine_starts_by(h.e, a), 0, 1e-9);
	assert_near(libra_engine_starts_by(h.e, b), 100, 1e-9);
	h.now_s = 30;
	actions(&h);
	assert_near(libra_engine_starts_by(h.e, b), 100, 1e-9);
	c = submit(&h, 1, 10, 500);
	actions(&h);
	assert_near(libra_engine_starts_by(h.e, c), 30, 1e-9);
	assert_near(libra_engine_starts_by(h.e, a), 40, 1e-9);
	assert_near(libra_engine_starts_by(h.e, b), 110, 1e-9);
	assert_true(isnan(libra_engine_starts_by(h.e, b + 1)));
	libra_engine_destroy(h.e);

	open_host(&h, "band", 1, "reserve");
	a = submit(&h, 1, 100, 50);
	b = submit(&h, 1, 200, 1000);
	actions(&h);
	assert_near(libra_engine_starts_by(h.e, a), 0, 1e-9);
	assert_near(libra_engine_starts_by(h.e, b), 50, 1e-9);
	h.now_s = 60;
	actions(&h);
	assert_near(libra_engine_starts_by(h.e, a), 60 + 200, 1e-9);
	libra_engine_destroy(h.e);

	open_host(&h, "libra", 1, NULL);
	a = submit(&h, 1, 100, 1000);
	assert_true(isnan(libra_engine_starts_by(h.e, a)));
	libra_engine_destroy(h.e);
}

/* 100 s by 50: accepted where it is alone until 50, refused beside others;
 * and nobody may go before it.  Such a bet has no end by its estimate; who
 * comes after it has one, for it yields at 50.
 */
static void the_cap_gives_a_processor_until_the_deadline(void **state)
{
	struct host h;
	uint64_t t;

	open_host(&h, "band", 2, "reserve");
	t = submit(&h, 1, 100, 50);
	assert_int_not_equal(t, 0);
	assert_true(isnan(libra_engine_ends_by(h.e, t)));
	assert_int_not_equal(submit(&h, 1, 100, 50), 0);
	assert_int_equal(submit(&h, 1, 1, 40), 0);
	assert_int_equal(submit(&h, 1, 1, 50.5), 0);
	t = submit(&h, 1, 1, 51);
	assert_int_not_equal(t, 0);
	assert_near(libra_engine_ends_by(h.e, t), 51, 1e-9);
	libra_engine_destroy(h.e);
	open_host(&h, "band", 2, "guaranteed_only");
	assert_int_equal(submit(&h, 1, 100, 50), 0);
	libra_engine_destroy(h.e);
}

/* At its deadline a job is not late yet (it may end just then), a millionth
 * of a second later it is, and yields.
 */
static void late_jobs_yield(void **state)
{
	struct host h;
	double late_s;

	open_host(&h, "band", 1, "reserve");
	submit(&h, 1, 10, 20);
	submit(&h, 1, 10, 60);
	assert_string_equal(actions(&h), "S1 ");
	late_s = libra_engine_next_event_s(h.e);
	assert_near(late_s, 20 + LIBRA_LATE_AFTER_S, 1e-12);
	h.now_s = 20;
	assert_string_equal(actions(&h), "");
	h.now_s = late_s;
	assert_string_equal(actions(&h), "H1 S2 ");
	libra_gang_touch(&libra_gang_state(h.e)->gang, late_s);
	assert_null(gang_check(&libra_gang_state(h.e)->gang, late_s));
	libra_engine_destroy(h.e);
}

/* The first is stopped at 4, when it has executed 4 of 10 s, and keeps its
 * promise: the second goes on meanwhile, and gives way again.
 */
static void a_suspended_job_gives_its_turn_away(void **state)
{
	struct host h;
	uint64_t first, second;
	double rate;

	open_host(&h, "band", 2, "reserve");
	first = submit(&h, 2, 10, 40);
	second = submit(&h, 2, 10, 60);
	assert_string_equal(actions(&h), "S1 ");
	h.now_s = 4;
	assert_int_equal(libra_engine_suspend(h.e, first, true, 4), 0);
	assert_string_equal(actions(&h), "H1 S2 ");
	h.now_s = 9;
	assert_near(libra_engine_left_s(h.e, first, 9, &rate), 6, 1e-12);
	assert_near(rate, 0, 0);
	assert_near(libra_engine_left_s(h.e, second, 9, &rate), 5, 1e-12);
	libra_gang_touch(&libra_gang_state(h.e)->gang, 9);
	assert_null(gang_check(&libra_gang_state(h.e)->gang, 9));
	/* 6 of it and 5 are needed by 60: 40 are left, and no more. */
	assert_int_equal(submit(&h, 2, 41, 51), 0);
	assert_int_equal(libra_engine_suspend(h.e, first, false, 9), 0);
	assert_string_equal(actions(&h), "H2 G1 ");
	h.now_s = 15;
	assert_near(libra_engine_left_s(h.e, first, 15, &rate), 0, 1e-12);
	libra_engine_departed(h.e, first, 15);
	assert_string_equal(actions(&h), "G2 ");
	libra_engine_destroy(h.e);
}

static void only_what_runs_in_turn_is_suspended(void **state)
{
	struct host h;
	uint64_t first, waits;

	open_host(&h, "band", 1, "reserve");
	first = submit(&h, 1, 10, 40);
	waits = submit(&h, 1, 10, 60);
	actions(&h);
	errno = 0;
	assert_int_equal(libra_engine_suspend(h.e, waits, true, 0), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(libra_engine_suspend(h.e, first + 1, true, 0), -1);
	assert_int_equal(errno, ENOENT);
	libra_engine_destroy(h.e);
	open_host(&h, "libra", 1, NULL);
	first = submit(&h, 1, 10, 40);
	actions(&h);
	assert_int_equal(libra_engine_suspend(h.e, first, true, 0), -1);
	assert_int_equal(errno, ENOTSUP);
	libra_engine_destroy(h.e);
}

/* Over its estimate by 20 s of 30 in all: the need is max(1, 3). */
static void over_the_estimate_the_rule_counts(void **state)
{
	struct host h;
	const struct libra_gang *g;

	open_host(&h, "band", 1, "reserve");
	g = &libra_gang_state(h.e)->gang;
	submit(&h, 1, 10, 100);
	actions(&h);
	libra_gang_touch((struct libra_gang *)g, 30);
	assert_near(libra_gang_need_s(g, 0), 3, 1e-9);
	libra_gang_touch((struct libra_gang *)g, 98);
	assert_near(libra_gang_need_s(g, 0), 2, 1e-9); /* until the deadline */
	libra_engine_destroy(h.e);
}

/* The host measured 5 s in 30: 55 s are left of 60. */
static void measured_progress_counts(void **state)
{
	struct host h;
	const struct libra_gang *g;
	uint64_t a;

	open_host(&h, "band", 1, "reserve");
	g = &libra_gang_state(h.e)->gang;
	a = submit(&h, 1, 60, 100);
	assert_int_equal(libra_engine_progress(h.e, a, 5, 0), -1);
	assert_int_equal(errno, EINVAL); /* does not run yet */
	actions(&h);
	assert_int_equal(libra_engine_progress(h.e, a, 5, 30), 0);
	libra_gang_touch((struct libra_gang *)g, 30);
	assert_near(libra_gang_need_s(g, 0), 55, 1e-9);
	assert_near(libra_gang_slack(g, 0, 30), 15, 1e-9);
	assert_int_equal(libra_engine_progress(h.e, a, -1, 30), -1);
	assert_int_equal(libra_engine_progress(h.e, a + 1, 5, 30), -1);
	assert_int_equal(errno, ENOENT);
	libra_engine_destroy(h.e);
}

/* What was changed and changed back before anybody asked is not told. */
static void only_the_last_word_is_told(void **state)
{
	struct host h;
	uint64_t b;

	open_host(&h, "band", 1, "reserve");
	submit(&h, 1, 60, 200);
	actions(&h);
	b = submit(&h, 1, 30, 50);
	libra_engine_schedule(h.e, h.now_s);
	assert_int_equal(libra_engine_withdraw(h.e, b, h.now_s), 0);
	assert_string_equal(actions(&h), "");
	libra_engine_destroy(h.e);
}

/* 1 and 2 are late when the host says that 1 has begun: the order is 3 1 2,
 * and 3 is told all the same.
 */
static void who_gets_late_hides_no_action(void **state)
{
	struct host h;
	struct libra_action action;
	uint64_t first;

	open_host(&h, "band", 3, "reserve");
	first = submit(&h, 1, 5, 10);
	submit(&h, 1, 5, 11);
	submit(&h, 1, 5, 100);
	libra_engine_schedule(h.e, 0);
	assert_true(libra_engine_next_action(h.e, &action));
	assert_int_equal(action.ticket, first);
	assert_true(libra_engine_next_action(h.e, &action));
	assert_int_equal(libra_engine_started(h.e, first, 20), 0);
	assert_true(libra_engine_next_action(h.e, &action));
	assert_int_equal(action.kind, LIBRA_ACTION_START);
	assert_int_equal(action.ticket >> 32, 3);
	libra_engine_destroy(h.e);
}

static void closed_processors_take_no_jobs(void **state)
{
	const uint32_t nodes[] = {2, 2};
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("band", NULL),
		.node_procs = nodes,
		.nnodes = 2,
		.offer_ttl_s = INFINITY,
	};
	struct host h = {.e = libra_engine_create(&conf, NULL)};

	assert_int_equal(libra_engine_node(h.e, 0, LIBRA_NODE_DRAIN, 0), 0);
	assert_int_equal(first_proc(&h, submit(&h, 2, 10, 100)), 2);
	assert_int_equal(submit(&h, 3, 10, 100), 0);
	assert_int_equal(libra_engine_free_procs(h.e), 0);
	assert_int_equal(libra_engine_node(h.e, 0, LIBRA_NODE_UP, 0), 0);
	assert_int_equal(libra_engine_free_procs(h.e), 2);
	assert_int_not_equal(submit(&h, 3, 10, 100), 0);
	libra_engine_destroy(h.e);
}

/* A third job of 100 s by 50 is refused; by 1 s it would be a bet, and what is
 * named is the earliest promise: behind a bet, which yields at 50.
 */
static void the_earliest_deadline_is_a_promise(void **state)
{
	struct host h;
	struct libra_job job = {.estimate_s = 100, .nprocs = 1};
	double at_s;

	open_host(&h, "band", 2, "reserve");
	assert_int_not_equal(submit(&h, 1, 100, 50), 0);
	assert_int_not_equal(submit(&h, 1, 100, 50), 0);
	assert_int_equal(submit(&h, 1, 100, 50), 0);
	at_s = libra_engine_earliest_deadline(h.e, &job, 0);
	assert_true(at_s >= 150 && at_s <= 151);
	libra_engine_destroy(h.e);
	/* On idle processors it is the estimate. */
	open_host(&h, "band", 2, "reserve");
	at_s = libra_engine_earliest_deadline(h.e, &job, 0);
	assert_true(at_s >= 100 && at_s <= 101);
	libra_engine_destroy(h.e);
}

static void the_earliest_deadline_is_accepted(void **state)
{
	struct host h;
	struct libra_job job = {.estimate_s = 30, .nprocs = 2};
	double at_s;

	open_host(&h, "band", 2, "guaranteed_only");
	submit(&h, 2, 60, 80);
	actions(&h);
	job.submit_s = h.now_s = 10;
	at_s = libra_engine_earliest_deadline(h.e, &job, 10);
	/* Before the first it has 20 s of slack; behind it 10 + 50 + 30. */
	assert_true(at_s >= 90 && at_s <= 91);
	assert_int_not_equal(submit(&h, 2, 30, at_s - 10), 0);
	libra_engine_destroy(h.e);
}

/* ---- demand by hand ---- */

/* 60 s by 100 on 0.  40 s by 50 fits before it there (40 + 60 <= 100) with
 * slack 0, and on 1 with slack 10: most slack first.
 */
static void demand_takes_most_slack_first(void **state)
{
	struct host h;
	uint64_t b;

	open_host(&h, "demand", 2, NULL);
	assert_int_equal(first_proc(&h, submit(&h, 1, 60, 100)), 0);
	b = submit(&h, 1, 40, 50);
	assert_int_equal(first_proc(&h, b), 1);
	/* 41 s by 50 fits beside nobody; 40 s by 50 once more, on 0. */
	assert_int_equal(submit(&h, 1, 41, 50), 0);
	assert_int_equal(first_proc(&h, submit(&h, 1, 40, 50)), 0);
	libra_engine_destroy(h.e);
}

/* ---- what decisions cost ---- */

/* An array: the finishes looked at are those that its tasks change. */
static void a_task_costs_what_it_meets(void **state)
{
	enum { PROCS = 16, DEPTH = 50 };
	struct libra_finishes f = {0};
	struct libra_gang *g;
	struct host h;

	open_host(&h, "band", PROCS, "reserve");
	g = &libra_gang_state(h.e)->gang;
	for (uint32_t i = 0; i < PROCS * DEPTH; i++) {
		assert_true(submit(&h, 1, 60, 36000) != 0);
		assert_int_equal(libra_finishes_reserve(&f, g->cap, g->nprocs),
				 0);
		libra_finishes_project(&f, g, h.now_s);
	}
	/* Behind all others: nobody's finish but its own. */
	assert_int_equal(f.looked, PROCS * DEPTH);
	/* Before all others: its own and those on its processor. */
	assert_true(submit(&h, 1, 60, 18000) != 0);
	libra_finishes_project(&f, g, h.now_s);
	assert_int_equal(f.looked, PROCS * DEPTH + 1 + DEPTH);
	/* Another instant: all. */
	h.now_s = 1;
	libra_gang_touch(g, h.now_s);
	libra_finishes_project(&f, g, h.now_s);
	assert_int_equal(f.looked, 2 * (PROCS * DEPTH + 1) + DEPTH);
	libra_finishes_fini(&f);
	libra_engine_destroy(h.e);
	(void)state;
}

static double finish_s(const struct libra_finishes *f,
		       const struct libra_gang *g, uint64_t ticket)
{
	return libra_finishes_of(f, g, libra_ticket_slot(ticket))->finish_s;
}

/* A slot that was another's, who was gone at the same instant. */
static void a_new_job_reaches_those_behind_it(void **state)
{
	struct libra_finishes f = {0};
	struct libra_gang *g;
	uint64_t first, second;
	struct host h;

	open_host(&h, "band", 1, "reserve");
	g = &libra_gang_state(h.e)->gang;
	first = submit(&h, 1, 60, 100);
	second = submit(&h, 1, 60, 1000);
	assert_int_equal(libra_finishes_reserve(&f, g->cap, g->nprocs), 0);
	libra_finishes_project(&f, g, 0);
	assert_near(finish_s(&f, g, second), 120, 1e-9);
	assert_int_equal(libra_engine_withdraw(h.e, first, 0), 0);
	libra_finishes_project(&f, g, 0);
	assert_near(finish_s(&f, g, second), 60, 1e-9);
	assert_int_equal(libra_ticket_slot(submit(&h, 1, 60, 100)),
			 libra_ticket_slot(first));
	libra_finishes_project(&f, g, 0);
	assert_near(finish_s(&f, g, second), 120, 1e-9);
	libra_finishes_fini(&f);
	libra_engine_destroy(h.e);
	(void)state;
}

/* 2 processors of 3 jobs each: a deadline is no help to the fourth. */
static void no_deadline_makes_places(void **state)
{
	const uint32_t nprocs = 2;
	const struct libra_policy_type *type = libra_policy_find("band", NULL);
	double params[16];
	struct libra_engine_conf conf = {
		.policy = type,
		.params = params,
		.node_procs = &nprocs,
		.nnodes = 1,
		.max_jobs = 3,
		.offer_ttl_s = INFINITY,
	};
	struct libra_job job = {.estimate_s = 60, .deadline_s = 600};
	struct host h = {0};
	uint64_t version;

	for (size_t i = 0; i < type->nparams; i++)
		params[i] = type->params[i].value;
	h.e = libra_engine_create(&conf, NULL);
	assert_non_null(h.e);
	assert_true(submit(&h, 2, 60, 600) != 0);
	job.nprocs = 1;
	assert_true(libra_engine_would_accept(h.e, &job, 4, 0));
	version = libra_gang_state(h.e)->gang.version;
	assert_false(libra_engine_would_accept(h.e, &job, 5, 0));
	assert_false(libra_engine_would_accept(h.e, &job, UINT32_MAX, 0));
	/* Nobody was tried. */
	assert_int_equal(libra_gang_state(h.e)->gang.version, version);
	assert_true(libra_engine_earliest_together(h.e, &job, 5, 0) ==
		    INFINITY);
	assert_true(libra_engine_earliest_together(h.e, &job, 4, 0) < 300);
	libra_engine_destroy(h.e);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_earlier_deadline_holds_a_later_one),
		cmocka_unit_test(slack_is_all_that_may_be_taken),
		cmocka_unit_test(the_sum_of_neighbours_is_enough),
		cmocka_unit_test(blocks_are_aligned_and_spread),
		cmocka_unit_test(who_runs_side_by_side_is_waited_for_once),
		cmocka_unit_test(who_waits_starts_when_those_before_have_ended),
		cmocka_unit_test(the_cap_gives_a_processor_until_the_deadline),
		cmocka_unit_test(late_jobs_yield),
		cmocka_unit_test(a_suspended_job_gives_its_turn_away),
		cmocka_unit_test(only_what_runs_in_turn_is_suspended),
		cmocka_unit_test(over_the_estimate_the_rule_counts),
		cmocka_unit_test(measured_progress_counts),
		cmocka_unit_test(only_the_last_word_is_told),
		cmocka_unit_test(who_gets_late_hides_no_action),
		cmocka_unit_test(closed_processors_take_no_jobs),
		cmocka_unit_test(the_earliest_deadline_is_a_promise),
		cmocka_unit_test(the_earliest_deadline_is_accepted),
		cmocka_unit_test(demand_takes_most_slack_first),
		cmocka_unit_test(a_task_costs_what_it_meets),
		cmocka_unit_test(a_new_job_reaches_those_behind_it),
		cmocka_unit_test(no_deadline_makes_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
