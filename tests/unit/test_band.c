/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_band.c - the policies band and demand: examples worked by hand, and
 * the promise that nobody who keeps to the estimate is late, looked at after
 * every event of random workloads.
 */
#include "tests/unit/test.h"

#include <errno.h>

#include "core/gang/finish.h"
#include "core/gang/ops.h"
#include "sim/run/run.h"

#define WORKLOADS  1000
#define MOST_JOBS  60
#define MOST_WORDS 16 /* of a set of processors */

/* ---- a host in a few lines ---- */

struct host {
	struct libra_engine *e;
	double now_s;
};

static void open_nodes(struct host *h, const char *policy,
		       const uint32_t *node_procs, uint32_t nnodes,
		       const char *off)
{
	const struct libra_policy_type *type = libra_policy_find(policy, NULL);
	double params[16];
	struct libra_engine_conf conf = {
		.policy = type,
		.params = params,
		.node_procs = node_procs,
		.nnodes = nnodes,
		.offer_ttl_s = INFINITY,
	};

	assert_non_null(type);
	for (size_t i = 0; i < type->nparams; i++)
		params[i] = off && strstr(off, type->params[i].name)
				    ? 0
				    : type->params[i].value;
	h->e = libra_engine_create(&conf, NULL);
	h->now_s = 0;
	assert_non_null(h->e);
}

static void open_host(struct host *h, const char *policy, uint32_t nprocs,
		      const char *off)
{
	open_nodes(h, policy, &nprocs, 1, off);
}

/* Result: the ticket, 0 if refused; dispatched and started. */
static uint64_t submit_where(struct host *h, uint32_t n, double estimate_s,
			     double deadline_s, const struct libra_where *where)
{
	struct libra_job job = {
		.submit_s = h->now_s,
		.estimate_s = estimate_s,
		.deadline_s = h->now_s + deadline_s,
		.nprocs = n,
		.where = where,
	};
	struct libra_verdict verdict;

	assert_int_equal(
		libra_engine_offer(h->e, &job, h->now_s, &verdict, NULL), 0);
	if (verdict.answer == LIBRA_ACCEPT)
		assert_int_equal(
			libra_engine_commit(h->e, verdict.ticket, 1, h->now_s),
			0);
	return verdict.ticket;
}

static uint64_t submit(struct host *h, uint32_t n, double estimate_s,
		       double deadline_s)
{
	return submit_where(h, n, estimate_s, deadline_s, NULL);
}

/* Write the actions as "S1 H2 ": kind and number of the ticket's offer. */
static const char *actions(struct host *h)
{
	static char text[256];
	static const char letters[] = "?SR?HG";
	struct libra_action action;

	text[0] = '\0';
	libra_engine_schedule(h->e, h->now_s);
	while (libra_engine_next_action(h->e, &action)) {
		size_t n = strlen(text);

		snprintf(text + n, sizeof(text) - n, "%c%u ",
			 letters[action.kind], (unsigned)(action.ticket >> 32));
		if (action.kind == LIBRA_ACTION_START)
			assert_int_equal(libra_engine_started(
						 h->e, action.ticket, h->now_s),
					 0);
	}
	return text;
}

/* "0-3,8", "" for no ticket */
static const char *placed(const struct host *h, uint64_t ticket)
{
	static char text[256];
	struct libra_range range[32];
	int64_t n =
		ticket ? libra_engine_placement(h->e, ticket, range, 32) : 0;
	size_t at = 0;

	text[0] = '\0';
	assert_in_range(n, 0, 32);
	for (int64_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       range[i].count > 1 ? "%s%u-%u" : "%s%u",
				       i ? "," : "", range[i].first,
				       range[i].first + range[i].count - 1);
	return text;
}

static uint32_t first_proc(const struct host *h, uint64_t ticket)
{
	struct libra_range range;

	assert_true(libra_engine_placement(h->e, ticket, &range, 1) >= 1);
	return range.first;
}

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
	assert_near(libra_gang_slack(&g->jobs[2], 0), 10, 1e-9);
	assert_near(libra_gang_slack(&g->jobs[1], 0), 10, 1e-9);
	assert_near(libra_gang_slack(&g->jobs[0], 0), 30, 1e-9);
	assert_null(libra_gang_check(g, 0));
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
	open_host(&h, "band", 2, "cap");
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
	assert_null(libra_gang_check(&libra_gang_state(h.e)->gang, late_s));
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
	assert_null(libra_gang_check(&libra_gang_state(h.e)->gang, 9));
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
	assert_near(g->jobs[0].need_s, 3, 1e-9);
	libra_gang_touch((struct libra_gang *)g, 98);
	assert_near(g->jobs[0].need_s, 2, 1e-9); /* until the deadline */
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
	assert_near(g->jobs[0].need_s, 55, 1e-9);
	assert_near(libra_gang_slack(&g->jobs[0], 30), 15, 1e-9);
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

	open_host(&h, "band", 2, "cap");
	submit(&h, 2, 60, 80);
	actions(&h);
	job.submit_s = h.now_s = 10;
	at_s = libra_engine_earliest_deadline(h.e, &job, 10);
	/* Before the first it has 20 s of slack; behind it 10 + 50 + 30. */
	assert_true(at_s >= 90 && at_s <= 91);
	assert_int_not_equal(submit(&h, 2, 30, at_s - 10), 0);
	libra_engine_destroy(h.e);
}

/* ---- where ---- */

/* Blocks of 2: 0-1 is barred, 2-3 is not.  Blocks of 4: 5-7 has three of them.
 */
static void only_allowed_processors_are_taken(void **state)
{
	static const struct libra_range some[] = {{2, 2}, {5, 3}};
	struct libra_where where = {.allowed = some, .nallowed = 2};
	struct host h;

	open_host(&h, "band", 9, "reserve");
	assert_string_equal(placed(&h, submit_where(&h, 2, 1, 1000, &where)),
			    "2-3");
	assert_string_equal(placed(&h, submit_where(&h, 3, 1, 1000, &where)),
			    "5-7");
	assert_string_equal(placed(&h, submit_where(&h, 5, 1, 1000, &where)),
			    "2-3,5-7");
	assert_int_equal(submit_where(&h, 6, 1, 1000, &where), 0);
	libra_engine_destroy(h.e);
}

/* Nodes 0-2, 3-5, 6-9.  In 0-3 there is one chunk of two (3 is alone), in 4-7
 * there are two.
 */
static void chunks_stay_on_a_node(void **state)
{
	static const uint32_t nodes[] = {3, 3, 4};
	struct libra_where where = {.chunk = 2};
	struct host h;

	open_nodes(&h, "band", nodes, 3, "reserve");
	assert_string_equal(placed(&h, submit_where(&h, 4, 1, 100, &where)),
			    "4-7");
	assert_string_equal(placed(&h, submit_where(&h, 8, 1, 100, &where)),
			    "0-1,3-4,6-9");
	assert_int_equal(submit_where(&h, 10, 1, 100, &where), 0);
	libra_engine_destroy(h.e);
}

static void limits_on_nodes_are_kept(void **state)
{
	static const uint32_t nodes[] = {4, 4, 4, 4};
	static const struct libra_range uneven[] = {{0, 1}, {4, 2}, {8, 4}};
	struct libra_where least = {.min_nodes = 3}, one_each = {.node_max = 1};
	struct libra_where one = {
		.allowed = uneven, .nallowed = 3, .max_nodes = 1};
	struct host h;

	open_nodes(&h, "band", nodes, 4, "reserve");
	/* Blocks of 4 and 8 have no three nodes, 16 has. */
	assert_string_equal(placed(&h, submit_where(&h, 4, 1, 100, &least)),
			    "0-1,4,8");
	assert_string_equal(placed(&h, submit_where(&h, 4, 1, 100, &one_each)),
			    "0,4,8,12");
	assert_int_equal(submit_where(&h, 5, 1, 100, &one_each), 0);
	assert_string_equal(placed(&h, submit_where(&h, 4, 1, 100, &one)),
			    "8-11");
	assert_int_equal(submit_where(&h, 5, 1, 100, &one), 0);
	libra_engine_destroy(h.e);
}

/* Nodes of 2; on 2-3 30 s are promised by 35.  20 s by 40 on two nodes may wait
 * for 20: not in 0-3.  One by one nodes 0 and 2 add nothing.
 */
static void nodes_are_taken_one_by_one(void **state)
{
	static const uint32_t nodes[] = {2, 2, 2};
	static const struct libra_range second[] = {{2, 2}};
	struct libra_where there = {.allowed = second, .nallowed = 1};
	struct libra_where pairs = {.chunk = 2};
	struct host h;

	open_nodes(&h, "band", nodes, 3, "reserve");
	assert_string_equal(placed(&h, submit_where(&h, 2, 30, 35, &there)),
			    "2-3");
	assert_string_equal(placed(&h, submit_where(&h, 4, 20, 40, &pairs)),
			    "0-1,4-5");
	/* On three nodes it waits for both, which run side by side: 30 s. */
	assert_int_equal(submit_where(&h, 6, 20, 49, &pairs), 0);
	assert_int_not_equal(submit_where(&h, 6, 20, 50, &pairs), 0);
	libra_engine_destroy(h.e);
}

/* X is on nodes 0 and 3, Y on 1, 10 s each.  15 s of waiting allow two nodes
 * of X, or one of X and the idle one, but not X and Y.  Idle first: 2; then 0,
 * 1 and 3 add 10 / 1 each; the lowest; then 3 adds nothing any more.
 */
static void what_is_counted_adds_nothing_more(void **state)
{
	static const uint32_t nodes[] = {1, 1, 1, 1};
	static const struct libra_range x[] = {{0, 1}, {3, 1}}, y[] = {{1, 1}};
	struct libra_where of_x = {.allowed = x, .nallowed = 2};
	struct libra_where of_y = {.allowed = y, .nallowed = 1};
	struct libra_where apart = {.node_max = 1, .min_nodes = 3};
	struct host h;

	open_nodes(&h, "band", nodes, 4, "reserve align");
	assert_string_equal(placed(&h, submit_where(&h, 2, 10, 20, &of_x)),
			    "0,3");
	assert_string_equal(placed(&h, submit_where(&h, 1, 10, 20, &of_y)),
			    "1");
	assert_string_equal(placed(&h, submit_where(&h, 3, 10, 25, &apart)),
			    "0,2-3");
	libra_engine_destroy(h.e);
}

/* One by one node 0 would be first, and the only one allowed: too small. */
static void the_largest_nodes_if_they_must_be_few(void **state)
{
	static const uint32_t nodes[] = {1, 1, 4};
	static const struct libra_range third[] = {{2, 4}};
	struct libra_where there = {.allowed = third, .nallowed = 1};
	struct libra_where one = {.max_nodes = 1};
	struct host h;

	open_nodes(&h, "band", nodes, 3, "reserve align");
	submit_where(&h, 4, 10, 15, &there);
	assert_int_equal(submit_where(&h, 4, 10, 19, &one), 0);
	assert_string_equal(placed(&h, submit_where(&h, 4, 10, 20, &one)),
			    "2-5");
	libra_engine_destroy(h.e);
}

/* On 0-1 50 s by 60 may wait for 10; elsewhere it does not matter. */
static void where_breaks_no_promise(void **state)
{
	static const struct libra_range first[] = {{0, 2}};
	struct libra_where here = {.allowed = first, .nallowed = 1};
	struct libra_where pair = {.allowed = first, .nallowed = 1, .chunk = 2};
	struct libra_job job = {.estimate_s = 20, .nprocs = 2, .where = &pair};
	struct host h;
	uint64_t t;
	double at_s;

	open_host(&h, "band", 4, "reserve cap");
	submit_where(&h, 2, 50, 60, &here);
	assert_int_equal(submit_where(&h, 2, 20, 30, &here), 0);
	assert_int_equal(submit_where(&h, 2, 20, 30, &pair), 0);
	at_s = libra_engine_earliest_deadline(h.e, &job, 0);
	assert_true(at_s >= 70 && at_s <= 71);
	t = submit_where(&h, 2, 20, at_s, &pair);
	assert_int_not_equal(t, 0);
	assert_int_equal(libra_engine_withdraw(h.e, t, 0), 0);
	assert_int_equal(submit_where(&h, 2, 10.5, 20, &pair), 0);
	assert_int_not_equal(submit_where(&h, 2, 10, 20, &pair), 0);
	libra_engine_destroy(h.e);
}

/* ---- restore ---- */

static uint64_t restore(struct host *h, double estimate_s, double deadline_s,
			uint32_t first, uint32_t n, double left_s, bool running)
{
	struct libra_job job = {
		.id = 1,
		.estimate_s = estimate_s,
		.deadline_s = deadline_s,
		.nprocs = n,
	};
	struct libra_part part = {{first, n}, left_s, NULL};
	uint64_t ticket = 0;

	assert_int_equal(libra_engine_restore(h->e, &job, &part, 1, running,
					      h->now_s, &ticket, NULL),
			 0);
	return ticket;
}

static double slack_of(const struct host *h, uint64_t ticket)
{
	struct libra_gang *g = &libra_gang_state(h->e)->gang;

	libra_gang_touch(g, h->now_s);
	assert_null(libra_gang_check(g, h->now_s));
	return libra_gang_slack(&g->jobs[libra_ticket_slot(ticket)], h->now_s);
}

/* At 100: A has 25 of 60 s left by 200, B 30 s by 150 and has not begun.  B is
 * first: A can wait for 200 - 100 - 25 - 30.
 */
static void restored_jobs_go_on_as_before(void **state)
{
	struct host h;
	uint64_t a, b;
	double rate;

	open_host(&h, "band", 1, "reserve");
	h.now_s = 100;
	a = restore(&h, 60, 200, 0, 1, 25, true);
	b = restore(&h, 30, 150, 0, 1, 30, false);
	assert_near(slack_of(&h, a), 45, 1e-9);
	assert_near(slack_of(&h, b), 20, 1e-9);
	assert_near(libra_engine_left_s(h.e, a, 110, &rate), 25, 1e-9);
	assert_near(rate, 0, 0);
	assert_int_equal(libra_engine_started(h.e, b, 100), -1);
	assert_string_equal(actions(&h), "H1 S2 ");
	assert_near(libra_engine_left_s(h.e, b, 110, &rate), 20, 1e-9);
	assert_near(rate, 1, 0);
	assert_near(libra_engine_left_s(h.e, b, 90, NULL), 30, 1e-9);
	h.now_s = 110;
	assert_int_equal(submit(&h, 1, 46, 60), 0);
	assert_int_equal(submit(&h, 1, 45, 60), 0); /* B before it: 20 + 45 */
	assert_int_not_equal(submit(&h, 1, 40, 60), 0);
	h.now_s = 130;
	assert_int_equal(libra_engine_departed(h.e, b, 130), 0);
	assert_string_equal(actions(&h), "S3 ");
	libra_engine_destroy(h.e);
}

/* B has the processor, and A waits.  At 110 the clock is set to 1110: both are
 * late, and B has 20 s left.  A second later it is set back to 111, where they
 * are not: 111 + 19 + 25 and 111 + 19 are 45 and 20 s before their deadlines.
 */
static void who_is_late_by_a_jump_is_not_for_ever(void **state)
{
	struct host h;
	uint64_t a, b;

	open_host(&h, "band", 1, "reserve");
	h.now_s = 100;
	a = restore(&h, 60, 200, 0, 1, 25, true);
	b = restore(&h, 30, 150, 0, 1, 30, true);
	assert_string_equal(actions(&h), "H1 G2 ");
	assert_int_equal(libra_engine_clock(h.e, 110, 1110), 0);
	h.now_s = 1110;
	assert_string_equal(actions(&h), "");
	assert_near(libra_engine_left_s(h.e, a, 1110, NULL), 25, 1e-9);
	assert_near(libra_engine_left_s(h.e, b, 1110, NULL), 20, 1e-9);
	assert_int_equal(libra_gang_state(h.e)->gang.nlate, 2);
	assert_int_equal(libra_engine_clock(h.e, 1111, 111), 0);
	h.now_s = 111;
	assert_string_equal(actions(&h), "");
	assert_near(slack_of(&h, a), 45, 1e-9);
	assert_near(slack_of(&h, b), 20, 1e-9);
	libra_engine_destroy(h.e);
}

/* The host may not know who was held: each is told, once. */
static void who_runs_after_a_restart_is_told(void **state)
{
	static const struct libra_part parts[] = {{{0, 1}, 20, NULL},
						  {{2, 1}, 30, NULL}};
	struct libra_job job = {
		.estimate_s = 60, .deadline_s = 90, .nprocs = 2};
	struct host h;
	uint64_t t;

	open_host(&h, "band", 3, "reserve");
	assert_int_equal(
		libra_engine_restore(h.e, &job, parts, 2, true, 0, &t, NULL),
		0);
	assert_string_equal(placed(&h, t), "0,2");
	restore(&h, 60, 100, 1, 2, 10, true);
	restore(&h, 60, 100, 1, 1, 10, true);
	/* Of parts that differ the slowest counts. */
	assert_near(libra_engine_left_s(h.e, t, 0, NULL), 30, 1e-9);
	assert_near(slack_of(&h, t), 60, 1e-9);
	assert_string_equal(actions(&h), "H2 G1 G3 ");
	assert_string_equal(actions(&h), "");
	h.now_s = 30;
	assert_int_equal(libra_engine_departed(h.e, t, 30), 0);
	/* 3, which ran meanwhile, is behind 2. */
	assert_string_equal(actions(&h), "H3 G2 ");
	libra_engine_destroy(h.e);
}

/* 50 s by 60 twice on one processor would never have been promised; one that
 * was late; one over its estimate; one without a deadline.
 */
static void restore_asks_nothing_but_sense(void **state)
{
	static const struct libra_part two[] = {{{0, 1}, 9, NULL},
						{{0, 1}, 9, NULL}};
	struct libra_job large = {
		.estimate_s = 9, .deadline_s = 10, .nprocs = 2};
	struct libra_job job = {.estimate_s = 9, .nprocs = 2};
	struct host h;
	uint64_t a, b, over, late, earlier, t;
	double at_s;

	open_host(&h, "band", 2, "reserve");
	assert_int_equal(
		libra_engine_restore(h.e, &large, two, 2, true, 0, &t, NULL),
		-1);
	assert_int_equal(errno, EINVAL);
	a = restore(&h, 50, 60, 0, 1, 50, true);
	b = restore(&h, 50, 60, 0, 1, 50, true);
	h.now_s = 5;
	late = restore(&h, 50, 4, 0, 2, 50, true);
	earlier = restore(&h, 50, 3, 0, 1, 50, false);
	over = restore(&h, 10, 90, 1, 1, -5, true);
	restore(&h, 10, INFINITY, 0, 2, 10, false);
	assert_near(slack_of(&h, a), 5, 1e-9);
	assert_near(slack_of(&h, b), -45, 1e-9);
	assert_near(libra_engine_left_s(h.e, over, 5, NULL), -5, 1e-9);
	assert_near(slack_of(&h, over), 90 - 5 - 1.5, 1e-9);
	assert_string_equal(actions(&h), "H2 H3 G1 G5 ");
	/* Behind all but the last: b ends at 105 and is late from 60 on, the
	 * one over its estimate is gone at 6.5; so it waits until 60, and
	 * takes 9.
	 */
	job.submit_s = 5;
	at_s = libra_engine_earliest_deadline(h.e, &job, 5);
	assert_true(at_s >= 69 && at_s <= 70);
	assert_int_equal(libra_engine_departed(h.e, a, 5), 0);
	assert_int_equal(libra_engine_departed(h.e, b, 5), 0);
	assert_int_equal(libra_engine_departed(h.e, over, 5), 0);
	assert_string_equal(actions(&h), "S6 ");
	assert_int_equal(
		libra_engine_departed(h.e, libra_engine_ticket(h.e, 5), 5), 0);
	/* Late ones by deadline, too. */
	assert_string_equal(actions(&h), "S4 ");
	assert_int_equal(libra_engine_departed(h.e, earlier, 5), 0);
	assert_string_equal(actions(&h), "G3 ");
	assert_int_equal(libra_engine_departed(h.e, late, 5), 0);
	assert_int_equal(libra_engine_free_procs(h.e), 2);
	libra_engine_destroy(h.e);
}

/* ---- modify ---- */

static enum libra_answer modify(struct host *h, uint64_t ticket,
				double estimate_s, double deadline_s)
{
	struct libra_job job = {.estimate_s = estimate_s,
				.deadline_s = deadline_s,
				.nprocs = 77};
	struct libra_verdict verdict;

	assert_int_equal(libra_engine_modify(h->e, ticket, &job, h->now_s,
					     &verdict, NULL),
			 0);
	assert_int_equal(verdict.reason, verdict.answer == LIBRA_ACCEPT
						 ? LIBRA_REASON_NONE
						 : LIBRA_REASON_WOULD_MISS);
	return verdict.answer;
}

/* At 10 A has done 10 s and B, 30 s by 200, is behind it. */
static void a_change_must_leave_later_ones_in_time(void **state)
{
	struct host h;
	uint64_t a, b;

	open_host(&h, "band", 1, "reserve");
	a = submit(&h, 1, 60, 100);
	actions(&h);
	h.now_s = 10;
	b = submit(&h, 1, 30, 190);
	assert_near(slack_of(&h, b), 190 - 50 - 30, 1e-9);
	assert_int_equal(modify(&h, a, 150, 160), LIBRA_ACCEPT);
	assert_near(slack_of(&h, a), 150 - 140, 1e-9);
	assert_near(slack_of(&h, b), 190 - 140 - 30, 1e-9);
	/* Equal deadlines: A was first.  161 + 30 > 190. */
	assert_int_equal(modify(&h, a, 171, 200), LIBRA_REJECT);
	assert_near(slack_of(&h, a), 10, 1e-9);
	assert_near(slack_of(&h, b), 20, 1e-9);
	assert_near(libra_engine_job(h.e, a)->estimate_s, 150, 0);
	assert_int_equal(modify(&h, a, 170, 200), LIBRA_ACCEPT);
	assert_near(slack_of(&h, b), 0, 1e-9);
	/* Behind B: 30 + 90 by 300. */
	assert_int_equal(modify(&h, a, 100, 300), LIBRA_ACCEPT);
	assert_near(slack_of(&h, a), 290 - 120, 1e-9);
	assert_near(slack_of(&h, b), 190 - 30, 1e-9);
	assert_string_equal(actions(&h), "H1 S2 ");
	/* And before it again. */
	assert_int_equal(modify(&h, a, 100, 150), LIBRA_ACCEPT);
	assert_string_equal(actions(&h), "H2 G1 ");
	libra_engine_destroy(h.e);
}

/* At 10 B, 30 s by 40, goes before A, which has 50 s left. */
static void a_change_must_fit_itself(void **state)
{
	struct libra_job job = {.estimate_s = -1, .deadline_s = 90};
	struct libra_verdict verdict;
	struct host h;
	uint64_t a;

	open_host(&h, "band", 1, "reserve cap");
	a = submit(&h, 1, 60, 100);
	actions(&h);
	h.now_s = 10;
	assert_int_not_equal(submit(&h, 1, 30, 30), 0);
	assert_int_equal(modify(&h, a, 60, 89), LIBRA_REJECT);
	assert_int_equal(modify(&h, a, 60, 90), LIBRA_ACCEPT);
	assert_int_equal(modify(&h, a, 61, 90), LIBRA_REJECT);
	assert_int_equal(modify(&h, a, 60, 10), LIBRA_REJECT);
	assert_int_equal(modify(&h, a, 60, 30), LIBRA_REJECT); /* cap */
	assert_int_equal(libra_engine_modify(h.e, a, &job, 10, &verdict, NULL),
			 -1);
	assert_int_equal(errno, EINVAL);
	job.estimate_s = 1;
	assert_int_equal(libra_engine_modify(h.e, 77, &job, 10, &verdict, NULL),
			 -1);
	assert_int_equal(errno, ENOENT);
	job.deadline_s = INFINITY;
	assert_int_equal(libra_engine_modify(h.e, a, &job, 10, &verdict, NULL),
			 0);
	assert_int_equal(verdict.reason, LIBRA_REASON_NO_DEADLINE);
	libra_engine_destroy(h.e);
}

/* A is late at 30, with 30 s done of 10; 45 s by 60 are 15 s more.  B, 20 s by
 * 90, can wait for 40.
 */
static void a_late_job_gets_a_new_deadline(void **state)
{
	struct host h;
	uint64_t a, b;

	open_host(&h, "band", 1, "reserve");
	a = submit(&h, 1, 10, 20);
	actions(&h);
	h.now_s = 30;
	b = submit(&h, 1, 20, 60);
	assert_string_equal(actions(&h), "H1 S2 ");
	assert_int_equal(modify(&h, a, 70.5, 75), LIBRA_REJECT);
	assert_int_equal(modify(&h, a, 45, 60), LIBRA_ACCEPT);
	assert_near(slack_of(&h, a), 15, 1e-9);
	assert_near(slack_of(&h, b), 25, 1e-9);
	assert_string_equal(actions(&h), "H2 G1 ");
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

/* ---- the promise ---- */

/* A generator of our own: the same numbers everywhere. */
static double draw(uint64_t *seed, double low, double high)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

/* Nobody overruns; estimates are often far too long, deadlines sometimes
 * shorter than the estimate, never than the run time.
 */
static void random_workload(struct sim_workload *w, uint64_t seed)
{
	double now_s = 0, load;

	memset(w, 0, sizeof(*w));
	w->procs = 1 + (uint32_t)draw(&seed, 0, 40);
	w->njobs = (size_t)draw(&seed, 5, MOST_JOBS);
	w->jobs = calloc(w->njobs, sizeof(*w->jobs));
	assert_non_null(w->jobs);
	load = draw(&seed, 1, 60);
	for (size_t i = 0; i < w->njobs; i++) {
		struct sim_job *job = &w->jobs[i];
		double size = draw(&seed, 0, 1);

		if (draw(&seed, 0, 1) < 0.8)
			now_s += draw(&seed, 0, load);
		job->job.id = i + 1;
		job->job.submit_s = now_s;
		job->job.nprocs = 1 + (uint32_t)(size * size * (w->procs - 1));
		job->runtime_s = draw(&seed, 1, 100);
		job->job.estimate_s = job->runtime_s;
		if (draw(&seed, 0, 1) < 0.8)
			job->job.estimate_s *= draw(&seed, 1, 10);
		job->deadline_rel_s = job->runtime_s * draw(&seed, 1, 12);
		job->job.deadline_s = now_s + job->deadline_rel_s;
	}
}

/* Result: how many were accepted. */
static size_t assert_promises(const struct sim_workload *w, const char *policy,
			      uint64_t seed)
{
	struct sim_outcome outcomes[MOST_JOBS];
	struct sim_result result;
	size_t accepted = 0;

	assert_int_equal(sim_run(w, libra_policy_find(policy, NULL), NULL,
				 &result, outcomes, NULL),
			 0);
	for (size_t i = 0; i < w->njobs; i++) {
		accepted += outcomes[i].accepted;
		if (outcomes[i].accepted == outcomes[i].fulfilled)
			continue;
		print_error("%s, seed %llu: job %zu ends at %.9f, promised "
			    "%.9f\n",
			    policy, (unsigned long long)seed, i + 1,
			    outcomes[i].finish_s, w->jobs[i].job.deadline_s);
		fail();
	}
	return accepted;
}

static void who_keeps_to_the_estimate_is_in_time(void **state)
{
	size_t accepted = 0, jobs = 0;

	for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
		struct sim_workload w;

		random_workload(&w, seed);
		for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
			w.execution = (enum sim_execution)x;
			accepted += assert_promises(&w, "band", seed);
			jobs += w.njobs;
		}
		/* demand promises for independent parts alone. */
		w.execution = SIM_INDEPENDENT;
		assert_promises(&w, "demand", seed);
		free(w.jobs);
	}
	/* Neither trivial nor hopeless. */
	assert_true(accepted > jobs / 4 && accepted < jobs);
}

/* The same jobs driven here, to look inside after every event. */
struct watched {
	struct host h;
	const struct sim_workload *w;
	uint32_t job_of[MOST_JOBS];
	double left_s[MOST_JOBS];
	uint64_t ticket[MOST_JOBS];
	bool runs[MOST_JOBS];
	double previous_s[MOST_JOBS]; /* finish, by slot */
	uint64_t owner[MOST_JOBS];    /* of that finish */
	struct libra_finishes kept;   /* from look to look */
};

/* All finishes anew.  Result: NULL, or who would not be in time. */
static const struct libra_gang_job *find_out_of_time(const struct libra_gang *g,
						     double now_s,
						     struct libra_finishes *f)
{
	assert_int_equal(libra_finishes_reserve(f, g->cap), 0);
	f->version = g->version + 1; /* none of it is known */
	libra_finishes_project(f, g, now_s);
	for (uint32_t i = 0; i < g->njobs; i++)
		if (g->jobs[g->order[i]].late || !f->of[g->order[i]].in_time)
			return &g->jobs[g->order[i]];
	return NULL;
}

static void obey(struct watched *d)
{
	struct libra_action action;

	while (libra_engine_next_action(d->h.e, &action)) {
		uint32_t i = d->job_of[libra_ticket_slot(action.ticket)];

		d->runs[i] = action.kind != LIBRA_ACTION_HOLD;
		if (action.kind == LIBRA_ACTION_START)
			libra_engine_started(d->h.e, action.ticket, d->h.now_s);
	}
}

/* What is left of a look is no other than all of it anew, to the last bit. */
static void compare_kept(struct watched *d, const struct libra_gang *g,
			 const struct libra_finishes *anew)
{
	struct libra_finishes *kept = &d->kept;

	assert_int_equal(libra_finishes_reserve(kept, g->cap), 0);
	libra_finishes_project(kept, g, d->h.now_s);
	for (uint32_t i = 0; i < g->njobs; i++) {
		const struct libra_finish *a = &kept->of[g->order[i]];
		const struct libra_finish *b = &anew->of[g->order[i]];

		assert_int_equal(a->rank, b->rank);
		if (g->jobs[g->order[i]].late)
			continue;
		assert_true(a->finish_s == b->finish_s);
		assert_true(a->gone_s == b->gone_s);
		assert_int_equal(a->in_time, b->in_time);
	}
}

/* The invariant of finish.h.  falls: nothing was admitted since last time. */
static void look_inside(struct watched *d, bool falls)
{
	static struct libra_finishes f;
	const struct libra_gang *g = &libra_gang_state(d->h.e)->gang;
	const char *wrong;

	libra_gang_touch((struct libra_gang *)g, d->h.now_s);
	wrong = libra_gang_check(g, d->h.now_s);
	if (wrong)
		print_error("at %.9f: %s\n", d->h.now_s, wrong);
	assert_null(wrong);
	assert_null(find_out_of_time(g, d->h.now_s, &f));
	compare_kept(d, g, &f);
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t slot = g->order[i];
		double finish_s = f.of[slot].finish_s;

		if (falls && d->owner[slot] == g->jobs[slot].order)
			assert_true(finish_s <= d->previous_s[slot] + 1e-7);
		d->previous_s[slot] = finish_s;
		d->owner[slot] = g->jobs[slot].order;
	}
	libra_finishes_fini(&f);
}

static double next_end_s(const struct watched *d, uint32_t *which)
{
	double soonest_s = INFINITY;

	for (uint32_t i = 0; i < d->w->njobs; i++)
		if (d->runs[i] && d->left_s[i] < soonest_s) {
			soonest_s = d->left_s[i];
			*which = i;
		}
	return d->h.now_s + soonest_s;
}

static void pass(struct watched *d, double until_s)
{
	for (uint32_t i = 0; i < d->w->njobs; i++)
		if (d->runs[i])
			d->left_s[i] -= until_s - d->h.now_s;
	d->h.now_s = until_s;
}

static void arrive(struct watched *d, uint32_t i)
{
	const struct sim_job *job = &d->w->jobs[i];

	d->ticket[i] = submit(&d->h, job->job.nprocs, job->job.estimate_s,
			      job->job.deadline_s - d->h.now_s);
	if (d->ticket[i])
		d->job_of[libra_ticket_slot(d->ticket[i])] = i;
	d->left_s[i] = job->runtime_s;
}

static void drive(struct watched *d)
{
	uint32_t next = 0, which = 0;

	for (;;) {
		double end_s = next_end_s(d, &which);
		bool ends = next == d->w->njobs ||
			    end_s <= d->w->jobs[next].job.submit_s;

		if (ends && end_s == INFINITY)
			return;
		pass(d, ends ? end_s : d->w->jobs[next].job.submit_s);
		look_inside(d, true);
		if (ends) {
			d->runs[which] = false;
			libra_engine_departed(d->h.e, d->ticket[which],
					      d->h.now_s);
		} else {
			arrive(d, next++);
		}
		libra_engine_schedule(d->h.e, d->h.now_s);
		obey(d);
		look_inside(d, ends);
	}
}

static void no_finish_rises_but_by_admission(void **state)
{
	for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
		struct sim_workload w;
		struct watched d = {.w = &w};

		random_workload(&w, seed);
		open_host(&d.h, "band", w.procs, seed % 2 ? "reserve" : NULL);
		drive(&d);
		libra_finishes_fini(&d.kept);
		assert_int_equal(libra_engine_free_procs(d.h.e), w.procs);
		libra_engine_destroy(d.h.e);
		free(w.jobs);
	}
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
		assert_int_equal(libra_finishes_reserve(&f, g->cap), 0);
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
	assert_int_equal(libra_finishes_reserve(&f, g->cap), 0);
	libra_finishes_project(&f, g, 0);
	assert_near(f.of[libra_ticket_slot(second)].finish_s, 120, 1e-9);
	assert_int_equal(libra_engine_withdraw(h.e, first, 0), 0);
	libra_finishes_project(&f, g, 0);
	assert_near(f.of[libra_ticket_slot(second)].finish_s, 60, 1e-9);
	assert_int_equal(libra_ticket_slot(submit(&h, 1, 60, 100)),
			 libra_ticket_slot(first));
	libra_finishes_project(&f, g, 0);
	assert_near(f.of[libra_ticket_slot(second)].finish_s, 120, 1e-9);
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

/* ---- everything at once ---- */

/* Random wheres, closed nodes, changes and a restart, with all numbers
 * multiples of 1/64: sums are exact, so that an engine that was restored must
 * decide as the one that has seen everything, bit for bit.
 */
#define MOST_NODES 8

struct crowd {
	struct host h[2]; /* the second one is restored from the first */
	int nhosts;
	uint64_t seed;
	uint32_t nodes[MOST_NODES], first[MOST_NODES + 1], nnodes;
	bool closed[MOST_NODES];
	bool overruns;
	struct sim_workload w;
	struct member {
		struct libra_job job; /* numbers as changed */
		uint64_t ticket[2];   /* 0 = not there */
		double left_s;	      /* of the run time */
		bool runs, started;
	} jobs[MOST_JOBS];
	uint32_t job_of[2][MOST_JOBS];
	uint32_t next;
	size_t accepted, changed, refused_changes, restored, shaped;
	size_t clocks;
};

static double draw64(struct crowd *c, double low, double high)
{
	return ceil(draw(&c->seed, low, high) * 64) / 64;
}

static uint32_t draw_below(struct crowd *c, uint32_t n)
{
	return (uint32_t)draw(&c->seed, 0, n);
}

static void open_crowd(struct crowd *c, int which)
{
	open_nodes(&c->h[which], "band", c->nodes, c->nnodes,
		   "reserve machine_reserve overrun");
	c->h[which].now_s = which ? c->h[0].now_s : 0;
	c->nhosts = which + 1;
}

static void make_crowd(struct crowd *c, uint64_t seed)
{
	memset(c, 0, sizeof(*c));
	random_workload(&c->w, seed);
	c->seed = seed;
	c->overruns = seed % 4 == 0;
	c->nnodes = 1 + draw_below(c, MOST_NODES);
	for (uint32_t i = 0; i < c->nnodes; i++) {
		c->nodes[i] = 1 + draw_below(c, 6);
		c->first[i + 1] = c->first[i] + c->nodes[i];
	}
	for (size_t i = 0; i < c->w.njobs; i++) {
		struct sim_job *job = &c->w.jobs[i];
		double end_s = job->deadline_rel_s;

		job->job.submit_s = ceil(job->job.submit_s * 64) / 64;
		job->runtime_s = ceil(job->runtime_s * 64) / 64;
		job->job.estimate_s = ceil(job->job.estimate_s * 64) / 64;
		if (c->overruns && i % 5 == 0)
			job->job.estimate_s = ceil(job->runtime_s * 16) / 64;
		job->job.deadline_s = job->job.submit_s + ceil(end_s * 64) / 64;
		job->job.nprocs = 1 + draw_below(c, c->first[c->nnodes]);
		if (draw_below(c, 2))
			job->job.nprocs = 1 + job->job.nprocs / 4;
	}
	open_crowd(c, 0);
}

static struct libra_gang *gang_of(struct crowd *c, int which)
{
	return &libra_gang_state(c->h[which].e)->gang;
}

/* The invariant of finish.h, in each engine. */
static void look_inside_crowd(struct crowd *c)
{
	static struct libra_finishes f;

	for (int k = 0; k < c->nhosts; k++) {
		struct libra_gang *g = gang_of(c, k);
		const char *wrong;

		libra_gang_touch(g, c->h[k].now_s);
		wrong = libra_gang_check(g, c->h[k].now_s);
		if (wrong)
			print_error("at %.9f: %s\n", c->h[k].now_s, wrong);
		assert_null(wrong);
		if (!c->overruns)
			assert_null(find_out_of_time(g, c->h[k].now_s, &f));
	}
	libra_finishes_fini(&f);
}

/* The actions of an engine, by number of the job: "S1 H2 ". */
static void take_all(struct crowd *c, int which, char *text, size_t size)
{
	static const char letters[] = "?SR?HG";
	struct libra_engine *e = c->h[which].e;
	struct libra_action action;
	size_t n = 0;

	text[0] = '\0';
	libra_engine_schedule(e, c->h[which].now_s);
	while (libra_engine_next_action(e, &action)) {
		uint32_t i = c->job_of[which][libra_ticket_slot(action.ticket)];
		bool runs = action.kind != LIBRA_ACTION_HOLD;

		n += (size_t)snprintf(text + n, size - n, "%c%u ",
				      letters[action.kind], i);
		assert_true(n < size);
		if (action.kind == LIBRA_ACTION_START)
			assert_int_equal(
				libra_engine_started(e, action.ticket,
						     c->h[which].now_s),
				0);
		if (which > 0) {
			assert_int_equal(c->jobs[i].runs, runs);
			continue;
		}
		c->jobs[i].runs = runs;
		c->jobs[i].started = true;
	}
}

/* Both do the same. */
static void decide(struct crowd *c)
{
	char text[2][1024];

	for (int k = 0; k < c->nhosts; k++)
		take_all(c, k, text[k], sizeof(text[k]));
	if (c->nhosts == 2)
		assert_string_equal(text[0], text[1]);
	look_inside_crowd(c);
}

/* A sound where for a job, whose processors may have to be more. */
static void draw_where(struct crowd *c, struct libra_job *job,
		       struct libra_where *where, struct libra_range *allowed)
{
	uint32_t end = 0, procs = c->first[c->nnodes], n = 0;

	*where = (struct libra_where){.chunk = draw_below(c, 4)};
	while (draw_below(c, 2) && end + 1 < procs) {
		uint32_t first = end + draw_below(c, (procs - end + 1) / 2);

		allowed[n].first = first;
		allowed[n].count = 1 + draw_below(c, procs - first);
		end = first + allowed[n++].count;
	}
	if (n > 0) {
		where->allowed = allowed;
		where->nallowed = n;
	}
	if (where->chunk > 1)
		job->nprocs +=
			where->chunk - 1 - (job->nprocs - 1) % where->chunk;
	if (draw_below(c, 3) == 0)
		where->node_max = 1 + draw_below(c, 6);
	if (draw_below(c, 3) == 0)
		where->min_nodes = draw_below(c, 4);
	if (draw_below(c, 3) == 0)
		where->max_nodes = where->min_nodes + 1 + draw_below(c, 3);
	job->where = where;
}

static bool is_allowed(const struct libra_where *w, uint32_t proc)
{
	for (uint32_t i = 0; w->allowed && i < w->nallowed; i++)
		if (proc >= w->allowed[i].first &&
		    proc - w->allowed[i].first < w->allowed[i].count)
			return true;
	return !w->allowed;
}

/* Is a job where it may be, in the shape that it asked for? */
static void check_place(const struct crowd *c, const struct libra_job *job,
			const struct libra_gang *g, uint32_t slot)
{
	static const struct libra_where anywhere;
	uint64_t set[MOST_WORDS] = {0};
	const struct libra_where *w = job->where ? job->where : &anywhere;
	uint32_t nodes = 0, n = 0;

	assert_true(g->words <= MOST_WORDS);
	libra_gang_put(g, slot, set);
	for (uint32_t i = 0; i < c->nnodes; i++) {
		uint32_t here = 0;

		for (uint32_t p = c->first[i]; p < c->first[i + 1]; p++) {
			if (!libra_bits_has(set, p))
				continue;
			here++;
			assert_false(c->closed[i]);
			assert_true(is_allowed(w, p));
		}
		if (w->chunk > 1)
			assert_int_equal(here % w->chunk, 0);
		if (w->node_max > 0)
			assert_true(here <= w->node_max);
		nodes += here > 0;
		n += here;
	}
	assert_int_equal(n, job->nprocs);
	assert_true(nodes >= w->min_nodes);
	assert_true(w->max_nodes == 0 || nodes <= w->max_nodes);
}

/* Each engine is asked; they must agree, on the place too. */
static void arrive_in_crowd(struct crowd *c)
{
	uint32_t i = c->next++;
	struct member *m = &c->jobs[i];
	struct libra_range allowed[MOST_JOBS];
	struct libra_where where;
	struct libra_verdict v;
	char place[256] = "";

	m->job = c->w.jobs[i].job;
	m->left_s = c->w.jobs[i].runtime_s;
	if (draw_below(c, 2))
		draw_where(c, &m->job, &where, allowed);
	for (int k = 0; k < c->nhosts; k++) {
		struct host *h = &c->h[k];

		assert_int_equal(
			libra_engine_offer(h->e, &m->job, h->now_s, &v, NULL),
			0);
		m->ticket[k] = v.ticket;
		assert_int_equal(m->ticket[k] != 0, m->ticket[0] != 0);
		if (!v.ticket)
			continue;
		assert_int_equal(
			libra_engine_commit(h->e, v.ticket, i, h->now_s), 0);
		c->job_of[k][libra_ticket_slot(v.ticket)] = i;
		check_place(c, &m->job, gang_of(c, k),
			    libra_ticket_slot(v.ticket));
		if (k > 0)
			assert_string_equal(placed(h, v.ticket), place);
		strcpy(place, placed(h, v.ticket));
	}
	c->accepted += m->ticket[0] != 0;
	c->shaped += m->ticket[0] && m->job.where;
	m->job.where = NULL;
}

static void end_in_crowd(struct crowd *c, uint32_t i)
{
	struct member *m = &c->jobs[i];

	for (int k = 0; k < c->nhosts; k++)
		assert_int_equal(libra_engine_departed(c->h[k].e, m->ticket[k],
						       c->h[k].now_s),
				 0);
	m->ticket[0] = 0;
	m->runs = false;
	if (!c->overruns)
		assert_true(c->h[0].now_s <= m->job.deadline_s);
}

/* W over all neighbours that come before, by trying every k. */
static double plain_wait_s(const struct libra_gang *g, uint32_t slot,
			   const double *gone_s, double now_s)
{
	const struct libra_gang_job *a = &g->jobs[slot];
	double least_s = INFINITY;
	uint32_t n = 0, list[MOST_JOBS];

	for (uint32_t i = 0; i < a->nnear; i++) {
		const struct libra_gang_job *b = &g->jobs[a->near[i]];

		if (!b->late && b->need_s > 0 && libra_gang_before(b, a))
			list[n++] = a->near[i];
	}
	for (uint32_t k = 0; k <= n; k++) {
		double until_s = k < n ? gone_s[list[k]] : -INFINITY;
		double sum_s = fmax(0, until_s - now_s);

		for (uint32_t i = 0; i < n; i++)
			if (gone_s[list[i]] > until_s)
				sum_s += g->jobs[list[i]].need_s;
		least_s = fmin(least_s, sum_s);
	}
	return least_s;
}

/* Who is in time by the bound of finishes, computed in the plainest way. */
static void plain_in_time(const struct libra_gang *g, double now_s,
			  bool *in_time)
{
	double gone_s[MOST_JOBS];
	bool known[MOST_JOBS] = {false};

	for (uint32_t done = 0; done < g->njobs; done++) {
		uint32_t first = UINT32_MAX;

		for (uint32_t i = 0; i < g->njobs; i++) {
			uint32_t k = g->order[i];

			if (!known[k] &&
			    (first == UINT32_MAX ||
			     libra_gang_before(&g->jobs[k], &g->jobs[first])))
				first = k;
		}
		known[first] = true;
		gone_s[first] = now_s + g->jobs[first].need_s +
				plain_wait_s(g, first, gone_s, now_s);
		in_time[first] =
			!g->jobs[first].late &&
			gone_s[first] <= g->jobs[first].deadline_s + 1e-6;
		gone_s[first] = fmin(gone_s[first], g->jobs[first].deadline_s);
	}
}

/* The rule to the letter: all finishes anew, before and with the numbers. */
static bool may_change(struct crowd *c, uint32_t slot, double estimate_s,
		       double deadline_s)
{
	struct libra_gang *g = gang_of(c, 0);
	struct libra_gang_job saved = g->jobs[slot], *job = &g->jobs[slot];
	double now_s = c->h[0].now_s;
	bool in_time[2][MOST_JOBS] = {0}, holds = deadline_s > now_s;

	plain_in_time(g, now_s, in_time[0]);
	job->estimate_s = estimate_s;
	job->deadline_s = deadline_s;
	job->late = false;
	job->need_s = libra_need(&g->overrun, estimate_s, job->executed_s,
				 deadline_s, now_s);
	plain_in_time(g, now_s, in_time[1]);
	*job = saved;
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t k = g->order[i];

		if (k == slot || in_time[0][k])
			holds &= in_time[1][k];
	}
	return holds;
}

/* New numbers for some job: its user knows how long it really runs. */
static void change_one(struct crowd *c)
{
	uint32_t i = draw_below(c, c->next + 1), slot;
	struct member *m = &c->jobs[i];
	struct libra_gang_job before;
	struct libra_job job;
	bool expected;

	if (i == c->next || !m->ticket[0])
		return;
	slot = libra_ticket_slot(m->ticket[0]);
	job = m->job;
	job.estimate_s =
		ceil(c->w.jobs[i].runtime_s * draw(&c->seed, 1, 4) * 64) / 64;
	job.deadline_s = c->h[0].now_s + m->left_s + draw64(c, 0, 400);
	expected = may_change(c, slot, job.estimate_s, job.deadline_s);
	before = gang_of(c, 0)->jobs[slot];
	for (int k = 0; k < c->nhosts; k++) {
		struct libra_verdict v;

		assert_int_equal(libra_engine_modify(c->h[k].e, m->ticket[k],
						     &job, c->h[k].now_s, &v,
						     NULL),
				 0);
		assert_int_equal(v.answer == LIBRA_ACCEPT, expected);
	}
	if (!expected)
		assert_memory_equal(&before, &gang_of(c, 0)->jobs[slot],
				    sizeof(before));
	else
		m->job = job;
	c->changed += expected;
	c->refused_changes += !expected;
}

static void open_or_close(struct crowd *c)
{
	uint32_t i = draw_below(c, c->nnodes);

	c->closed[i] = !c->closed[i];
	for (int k = 0; k < c->nhosts; k++)
		assert_int_equal(libra_engine_node(c->h[k].e, i,
						   c->closed[i]
							   ? LIBRA_NODE_DRAIN
							   : LIBRA_NODE_UP,
						   c->h[k].now_s),
				 0);
}

static void restore_one(struct crowd *c, uint32_t i)
{
	struct member *m = &c->jobs[i];
	struct libra_range range[64];
	struct libra_part parts[64];
	int64_t n = libra_engine_placement(c->h[0].e, m->ticket[0], range, 64);
	double rate, left_s = libra_engine_left_s(c->h[0].e, m->ticket[0],
						  c->h[0].now_s, &rate);

	assert_in_range(n, 1, 64);
	assert_near(rate, m->runs, 0);
	for (int64_t k = 0; k < n; k++)
		parts[k] = (struct libra_part){range[k], left_s, NULL};
	assert_int_equal(libra_engine_restore(c->h[1].e, &m->job, parts,
					      (uint32_t)n, m->started,
					      c->h[1].now_s, &m->ticket[1],
					      NULL),
			 0);
	c->job_of[1][libra_ticket_slot(m->ticket[1])] = i;
	c->restored++;
}

/* Another engine takes all jobs over, and both go on. */
static void restart(struct crowd *c)
{
	char text[1024];

	open_crowd(c, 1);
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (c->closed[i])
			libra_engine_node(c->h[1].e, i, LIBRA_NODE_DRAIN,
					  c->h[1].now_s);
	for (uint32_t i = 0; i < c->next; i++)
		if (c->jobs[i].ticket[0])
			restore_one(c, i);
	/* All are told what they do already, in the first engine. */
	take_all(c, 1, text, sizeof(text));
	look_inside_crowd(c);
	for (uint32_t i = 0; i < c->next; i++)
		if (c->jobs[i].ticket[0] && c->jobs[i].started)
			assert_true(libra_engine_left_s(c->h[0].e,
							c->jobs[i].ticket[0],
							1e6, NULL) ==
				    libra_engine_left_s(c->h[1].e,
							c->jobs[i].ticket[1],
							1e6, NULL));
}

/* The first engine's clock is set, and set back at once: it must go on as the
 * other one.
 */
static void there_and_back(struct crowd *c)
{
	double now_s = c->h[0].now_s, far_s = now_s + draw64(c, -500, 5000);

	assert_int_equal(libra_engine_clock(c->h[0].e, now_s, far_s), 0);
	assert_null(libra_gang_check(gang_of(c, 0), far_s));
	assert_int_equal(libra_engine_clock(c->h[0].e, far_s, now_s), 0);
	c->clocks += gang_of(c, 0)->njobs > 0;
}

static double next_of_crowd(const struct crowd *c, uint32_t *which)
{
	double at_s = INFINITY, late_s;

	for (uint32_t i = 0; i < c->next; i++)
		if (c->jobs[i].runs &&
		    c->h[0].now_s + c->jobs[i].left_s < at_s) {
			at_s = c->h[0].now_s + c->jobs[i].left_s;
			*which = i;
		}
	if (c->next < c->w.njobs && c->w.jobs[c->next].job.submit_s < at_s) {
		at_s = c->w.jobs[c->next].job.submit_s;
		*which = UINT32_MAX;
	}
	late_s = ceil(libra_engine_next_event_s(c->h[0].e) * 64) / 64;
	if (late_s < at_s) {
		at_s = late_s;
		*which = UINT32_MAX - 1;
	}
	return at_s;
}

static void pass_in_crowd(struct crowd *c, double until_s)
{
	for (uint32_t i = 0; i < c->next; i++)
		if (c->jobs[i].runs)
			c->jobs[i].left_s -= until_s - c->h[0].now_s;
	for (int k = 0; k < c->nhosts; k++)
		c->h[k].now_s = until_s;
	look_inside_crowd(c);
}

static void drive_crowd(struct crowd *c)
{
	uint32_t which = 0, restart_at = 5 + draw_below(c, 60);

	for (uint32_t event = 0;; event++) {
		double at_s = next_of_crowd(c, &which);

		if (at_s == INFINITY)
			return;
		pass_in_crowd(c, at_s);
		if (which == UINT32_MAX)
			arrive_in_crowd(c);
		else if (which < UINT32_MAX - 1)
			end_in_crowd(c, which);
		if (draw_below(c, 4) == 0)
			change_one(c);
		if (draw_below(c, 12) == 0)
			open_or_close(c);
		if (draw_below(c, 8) == 0)
			there_and_back(c);
		decide(c);
		if (event == restart_at)
			restart(c);
	}
}

static void all_of_it_keeps_the_promise(void **state)
{
	size_t accepted = 0, shaped = 0, changed = 0, refused = 0, restored = 0;
	size_t clocks = 0;

	for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
		static struct crowd c;

		make_crowd(&c, seed);
		drive_crowd(&c);
		for (int k = 0; k < c.nhosts; k++) {
			assert_int_equal(gang_of(&c, k)->njobs, 0);
			libra_engine_destroy(c.h[k].e);
		}
		accepted += c.accepted;
		shaped += c.shaped;
		changed += c.changed;
		refused += c.refused_changes;
		restored += c.restored;
		clocks += c.clocks;
		free(c.w.jobs);
	}
	/* All of it has happened, and often. */
	assert_true(accepted > 10 * WORKLOADS && shaped > 3 * WORKLOADS);
	assert_true(changed > WORKLOADS && refused > WORKLOADS / 10);
	assert_true(restored > WORKLOADS && clocks > WORKLOADS);
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
		cmocka_unit_test(only_allowed_processors_are_taken),
		cmocka_unit_test(chunks_stay_on_a_node),
		cmocka_unit_test(limits_on_nodes_are_kept),
		cmocka_unit_test(nodes_are_taken_one_by_one),
		cmocka_unit_test(what_is_counted_adds_nothing_more),
		cmocka_unit_test(the_largest_nodes_if_they_must_be_few),
		cmocka_unit_test(where_breaks_no_promise),
		cmocka_unit_test(restored_jobs_go_on_as_before),
		cmocka_unit_test(who_is_late_by_a_jump_is_not_for_ever),
		cmocka_unit_test(who_runs_after_a_restart_is_told),
		cmocka_unit_test(restore_asks_nothing_but_sense),
		cmocka_unit_test(a_change_must_leave_later_ones_in_time),
		cmocka_unit_test(a_change_must_fit_itself),
		cmocka_unit_test(a_late_job_gets_a_new_deadline),
		cmocka_unit_test(demand_takes_most_slack_first),
		cmocka_unit_test(who_keeps_to_the_estimate_is_in_time),
		cmocka_unit_test(no_finish_rises_but_by_admission),
		cmocka_unit_test(a_task_costs_what_it_meets),
		cmocka_unit_test(a_new_job_reaches_those_behind_it),
		cmocka_unit_test(no_deadline_makes_places),
		cmocka_unit_test(all_of_it_keeps_the_promise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
