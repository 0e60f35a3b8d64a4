/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_engine.c - offers, tickets, time, nodes, actions and placements: what
 * the engine promises its hosts, whatever the policy.
 */
#include "core/policy/policies.h"
#include "tests/unit/host.h"

static const uint32_t four = 4;

static void refuse_conf(struct libra_engine_conf conf, const char *part)
{
	struct libra_error err = {""};

	errno = 0;
	assert_null(libra_engine_create(&conf, &err));
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_contains(err.text, part);
}

static void a_senseless_configuration_is_refused(void **state)
{
	static const uint32_t hole[] = {4, 0}, huge[] = {UINT32_MAX, 1};
	const struct libra_engine_conf good = {
		.policy = &libra_policy_edf,
		.node_procs = &four,
		.nnodes = 1,
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine_conf conf = good;
	double param = 0.5;

	conf.nnodes = 2;
	conf.node_procs = hole;
	refuse_conf(conf, "node 1 has no processors");
	conf.node_procs = huge;
	refuse_conf(conf, "2147483647 processors, not 4294967296");
	conf.nnodes = 0;
	refuse_conf(conf, "2147483647 processors, not 0");
	conf = good;
	conf.offer_ttl_s = -1;
	refuse_conf(conf, "offer_ttl_s");
	conf.offer_ttl_s = NAN;
	refuse_conf(conf, "offer_ttl_s");
	conf = good;
	conf.params = &param;
	for (param = -1; param < 3; param += 3)
		refuse_conf(conf, "edf.admission must be from 0 to 1");
	param = NAN;
	refuse_conf(conf, "edf.admission");
	libra_engine_destroy(NULL);
}

static void destroying_keeps_errno(void **state)
{
	struct libra_engine *e = host_engine("libra", 2, 4);

	errno = EDOM;
	libra_engine_destroy(e);
	assert_int_equal(errno, EDOM);
}

static void the_engine_tells_what_it_is(void **state)
{
	struct libra_engine *e = host_engine("easy", 3, 5);

	assert_int_equal(libra_engine_nprocs(e), 15);
	assert_int_equal(libra_engine_free_procs(e), 15);
	assert_ptr_equal(libra_engine_policy(e), &libra_policy_easy);
	assert_int_equal(libra_engine_nrows(e), 0);
	assert_null(libra_engine_row(e, 0));
	assert_null(libra_engine_job(e, 1));
	assert_int_equal(libra_engine_ticket(e, 0), 0);
	libra_engine_destroy(e);
}

static void refuse_offer(struct libra_engine *e, struct libra_job job,
			 double now_s, const char *part)
{
	struct libra_verdict verdict = {.ticket = 4711};
	struct libra_error err = {""};

	errno = 0;
	assert_int_equal(libra_engine_offer(e, &job, now_s, &verdict, &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_contains(err.text, part);
	assert_int_equal(verdict.ticket, 4711);
	assert_true(libra_engine_earliest_deadline(e, &job, now_s) == INFINITY);
}

/* The clock is set back from 100 s to 90 s, where 41 s of work until 200 s are
 * a share of 0.373; the engine stays at 100 s, where they are 0.41, beside 0.6.
 */
static void a_clock_set_back_makes_no_share_smaller(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	struct libra_job first = host_job(100, 60, 100, 1);
	struct libra_job job = host_job(90, 41, 110, 1);
	struct libra_verdict verdict;
	double earliest_s;

	assert_int_equal(libra_engine_offer(e, &first, 100, &verdict, NULL), 0);
	assert_int_equal(verdict.answer, LIBRA_ACCEPT);
	assert_false(libra_engine_would_accept(e, &job, 1, 90));
	assert_int_equal(libra_engine_offer(e, &job, 90, &verdict, NULL), 0);
	assert_int_equal(verdict.answer, LIBRA_REJECT);
	earliest_s = libra_engine_earliest_deadline(e, &job, 90);
	assert_float_equal(earliest_s, 100 + 41 / 0.4, 1e-6);
	job.deadline_s = earliest_s;
	assert_int_equal(libra_engine_offer(e, &job, 90, &verdict, NULL), 0);
	assert_int_equal(verdict.answer, LIBRA_ACCEPT);
	libra_engine_destroy(e);
}

/* 0.95 of the processor is promised: 8 minutes of work need 160.  Nothing
 * changes while the user types, so that the next whole minute is named.
 */
static void advice_is_near_where_little_is_left(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	struct libra_job job = host_job(0, 8 * 60, 3600, 1);
	double earliest_s;

	host_submit(e, host_job(0, 9500, 10000, 1), 0);
	assert_int_equal(host_offer(e, job, 0).answer, LIBRA_REJECT);
	earliest_s = libra_engine_earliest_deadline(e, &job, 0);
	assert_near(earliest_s, 160 * 60, 1e-6);
	assert_true(libra_engine_earliest_is_exact(e, 1));
	assert_false(libra_engine_earliest_is_exact(e, 2));
	assert_near(libra_engine_advise(e, &job, 1, earliest_s, 60, 0),
		    161 * 60, 0);
	libra_engine_destroy(e);
}

/* The same job has not started: 10 s later it needs 9500 / 9990, which leaves
 * 0.04905, and 8 minutes of work need 163.1 from then; so 164 are named, with
 * the second by which clocks round.  Its own time then does not count.
 */
static void advice_counts_who_has_not_started(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	struct libra_job job = host_job(0, 8 * 60, 3600, 1);
	double earliest_s;

	host_offer(e, host_job(0, 9500, 10000, 1), 0);
	earliest_s = libra_engine_earliest_deadline(e, &job, 0);
	assert_near(earliest_s, 160 * 60, 1e-6);
	assert_near(libra_engine_advise(e, &job, 1, earliest_s, 60, 0),
		    164 * 60, 0);
	libra_engine_destroy(e);
}

static void a_senseless_job_is_an_error(void **state)
{
	static const double no_time[] = {NAN, INFINITY, -INFINITY, 1e15};
	struct libra_engine *e = host_engine("libra", 1, 4);
	const struct libra_job good = host_job(0, 10, 20, 1);

	for (int i = 0; i < 4; i++) {
		struct libra_job job = good;

		job.estimate_s = no_time[i];
		refuse_offer(e, job, 0, "estimate");
		job = good;
		job.submit_s = no_time[i];
		refuse_offer(e, job, 0, "submit");
		refuse_offer(e, good, no_time[i], "submit");
		job = good;
		job.deadline_s = no_time[i];
		if (no_time[i] != INFINITY)
			refuse_offer(e, job, 0, "deadline");
	}
	refuse_offer(e, host_job(0, 0, 20, 1), 0, "estimate");
	refuse_offer(e, host_job(0, -5, 20, 1), 0, "estimate");
	refuse_offer(e, host_job(0, 10, 20, 0), 0, "at least one processor");
	assert_int_equal(host_offer(e, good, 0).answer, LIBRA_ACCEPT);
	libra_engine_destroy(e);
}

/* A refusal is a verdict, not an error. */
static void a_refusal_has_a_reason_and_no_ticket(void **state)
{
	struct libra_engine *e = host_engine("libra", 2, 2);
	struct libra_verdict v = host_offer(e, host_job(0, 10, 20, 5), 0);

	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_int_equal(v.reason, LIBRA_REASON_TOO_LARGE);
	assert_int_equal(v.ticket, 0);
	v = host_offer(e, host_job(0, 10, INFINITY, 1), 0);
	assert_int_equal(v.reason, LIBRA_REASON_NO_DEADLINE);
	v = host_offer(e, host_job(0, 10, 9, 1), 0);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_int_equal(v.reason, LIBRA_REASON_NO_SHARE);
	libra_engine_destroy(e);
}

static void names_are_stable(void **state)
{
	assert_string_equal(libra_answer_name(LIBRA_ACCEPT), "accept");
	assert_string_equal(libra_answer_name(LIBRA_QUEUE), "queue");
	assert_string_equal(libra_answer_name(LIBRA_REJECT), "reject");
	assert_string_equal(libra_answer_name((enum libra_answer)9), "unknown");
	assert_string_equal(libra_reason_name(LIBRA_REASON_NONE), "none");
	assert_string_equal(libra_reason_name(LIBRA_REASON_TOO_LARGE),
			    "too_large");
	assert_string_equal(libra_reason_name(LIBRA_REASON_NO_DEADLINE),
			    "no_deadline");
	assert_string_equal(libra_reason_name(LIBRA_REASON_NO_SHARE),
			    "no_share");
	assert_string_equal(libra_reason_name(LIBRA_REASON_RISK), "risk");
	assert_string_equal(libra_reason_name(LIBRA_REASON_WOULD_MISS),
			    "would_miss");
	assert_string_equal(libra_reason_name(LIBRA_REASON_EXPIRED), "expired");
	assert_string_equal(libra_reason_name(LIBRA_REASON_MEMORY), "memory");
	assert_string_equal(libra_reason_name(LIBRA_REASON_CROWDED), "crowded");
	assert_string_equal(libra_reason_name((enum libra_reason)99),
			    "unknown");
	assert_string_equal(libra_action_name(LIBRA_ACTION_START), "start");
	assert_string_equal(libra_action_name(LIBRA_ACTION_REJECT), "reject");
	assert_string_equal(libra_action_name(LIBRA_ACTION_RESHARE), "reshare");
	assert_string_equal(libra_action_name((enum libra_action_kind)9),
			    "unknown");
}

/* Every call about a ticket, in every state of its job. */
static void calls_out_of_turn_are_refused(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 4);
	uint64_t t = host_offer(e, host_job(0, 10, 20, 1), 0).ticket;

	/* Offered. */
	assert_fails(EINVAL, libra_engine_started(e, t, 0));
	assert_fails(EINVAL, libra_engine_departed(e, t, 0));
	assert_int_equal(libra_engine_commit(e, t, 77, 0), 0);
	/* Starting. */
	assert_fails(EALREADY, libra_engine_commit(e, t, 78, 0));
	assert_fails(EINVAL, libra_engine_departed(e, t, 0));
	assert_int_equal(libra_engine_job(e, t)->id, 77);
	assert_int_equal(libra_engine_started(e, t, 0), 0);
	/* Running. */
	assert_fails(EALREADY, libra_engine_commit(e, t, 78, 0));
	assert_fails(EBUSY, libra_engine_withdraw(e, t, 0));
	assert_fails(EINVAL, libra_engine_started(e, t, 0));
	assert_fails(ENOENT, libra_engine_part_departed(e, t, 0, 0));
	assert_fails(ENOENT, libra_engine_part_departed(e, t, 999, 0));
	assert_int_equal(libra_engine_departed(e, t, 1), 0);
	/* Gone. */
	assert_fails(ENOENT, libra_engine_departed(e, t, 1));
	assert_fails(ENOENT, libra_engine_part_departed(e, t, 2, 1));
	assert_fails(ENOENT, libra_engine_commit(e, t, 1, 1));
	assert_fails(ENOENT, libra_engine_withdraw(e, t, 1));
	assert_fails(ENOENT, libra_engine_started(e, t, 1));
	assert_fails(ENOENT, libra_engine_placement(e, t, NULL, 0));
	assert_null(libra_engine_job(e, t));
	assert_fails(ENOENT, libra_engine_node(e, 1, LIBRA_NODE_DOWN, 1));
	libra_engine_destroy(e);
}

static void a_queued_job_cannot_be_committed_twice(void **state)
{
	struct libra_engine *e = host_engine("easy", 1, 4);
	uint64_t t = host_submit(e, host_job(0, 10, INFINITY, 1), 0);

	assert_fails(EALREADY, libra_engine_commit(e, t, 1, 0));
	assert_fails(EINVAL, libra_engine_started(e, t, 0));
	host_pass(e, 0);
	assert_fails(ENOENT, libra_engine_part_departed(e, t, 0, 0));
	libra_engine_destroy(e);
}

/* The slot is used again, the ticket is not. */
static void a_ticket_is_never_used_again(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	uint64_t old = host_offer(e, host_job(0, 10, 20, 1), 0).ticket, t;

	assert_int_equal(libra_engine_withdraw(e, old, 0), 0);
	t = host_submit(e, host_job(0, 10, 20, 1), 0);
	assert_int_equal(libra_ticket_slot(t), libra_ticket_slot(old));
	assert_int_equal(libra_engine_ticket(e, libra_ticket_slot(t)), t);
	assert_true(t != old);
	assert_fails(ENOENT, libra_engine_departed(e, old, 5));
	assert_fails(ENOENT, libra_engine_withdraw(e, old, 5));
	assert_placed(e, t, 0, 1);
	libra_engine_destroy(e);
}

/* One processor: 0.6 is promised, so another 0.6 is not, until withdrawn. */
static void an_offer_holds_its_share_until_withdrawn(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	struct libra_verdict v = host_offer(e, host_job(0, 60, 100, 1), 0);

	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_near(v.share, 0.6, 0);
	assert_int_equal(host_submit(e, host_job(0, 60, 100, 1), 0), 0);
	assert_int_equal(libra_engine_withdraw(e, v.ticket, 0), 0);
	assert_true(host_submit(e, host_job(0, 60, 100, 1), 0) != 0);
	libra_engine_destroy(e);
}

/* Committed, not yet started: it may still be cancelled, and its START, which
 * is on its way, is about a ticket that is gone.
 */
static void a_job_may_be_withdrawn_before_it_runs(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	uint64_t t = host_offer(e, host_job(0, 60, 100, 1), 0).ticket;
	struct libra_action action;

	assert_int_equal(libra_engine_commit(e, t, 5, 0), 0);
	assert_int_equal(libra_engine_withdraw(e, t, 1), 0);
	assert_int_equal(libra_engine_free_procs(e), 1);
	assert_true(libra_engine_next_action(e, &action));
	assert_int_equal(action.kind, LIBRA_ACTION_START);
	assert_int_equal(action.ticket, t);
	assert_int_equal(action.job_id, 5);
	assert_fails(ENOENT, libra_engine_started(e, t, 1));
	libra_engine_destroy(e);
}

/* Offers live 60 s: after exactly 60 the promise still holds. */
static void an_offer_that_nobody_commits_expires(void **state)
{
	struct libra_engine *e = host_engine_ttl("libra", 1, 1, 60);
	struct libra_action action;
	uint64_t t = host_offer(e, host_job(100, 60, 100, 1), 100).ticket;

	libra_engine_schedule(e, 160);
	assert_false(libra_engine_next_action(e, &action));
	libra_engine_schedule(e, 160.001);
	assert_true(libra_engine_next_action(e, &action));
	assert_int_equal(action.kind, LIBRA_ACTION_REJECT);
	assert_int_equal(action.reason, LIBRA_REASON_EXPIRED);
	assert_int_equal(action.ticket, t);
	assert_false(libra_engine_next_action(e, &action));
	assert_fails(ENOENT, libra_engine_commit(e, t, 1, 161));
	assert_int_equal(libra_engine_free_procs(e), 1);
	libra_engine_destroy(e);
}

/* Of four offers the first and third are committed, the second is withdrawn,
 * the fourth is young.
 */
static void only_stale_offers_expire(void **state)
{
	struct libra_engine *e = host_engine_ttl("libra", 1, 9, 60);
	struct libra_action action;
	uint64_t t[5];

	for (int i = 0; i < 5; i++)
		t[i] = host_offer(e, host_job(10 * i, 60, 600, 1), 10 * i)
			       .ticket;
	libra_engine_commit(e, t[0], 1, 40);
	libra_engine_withdraw(e, t[1], 40);
	libra_engine_commit(e, t[2], 1, 40);
	host_obey(e, 40);
	libra_engine_schedule(e, 95);
	assert_true(libra_engine_next_action(e, &action));
	assert_int_equal(action.ticket, t[3]);
	assert_false(libra_engine_next_action(e, &action));
	assert_non_null(libra_engine_job(e, t[0]));
	assert_non_null(libra_engine_job(e, t[2]));
	assert_int_equal(libra_engine_commit(e, t[4], 1, 95), 0);
	libra_engine_destroy(e);
}

static void an_expired_offer_to_queue_is_gone_too(void **state)
{
	struct libra_engine *e = host_engine_ttl("easy", 1, 1, 0);
	uint64_t t = host_offer(e, host_job(0, 1, INFINITY, 1), 0).ticket;

	host_pass(e, 0);
	assert_int_equal(libra_engine_placement(e, t, NULL, 0), 0);
	host_pass(e, 1);
	assert_fails(ENOENT, libra_engine_placement(e, t, NULL, 0));
	assert_int_equal(libra_engine_free_procs(e), 1);
	libra_engine_destroy(e);
}

/* The task has 50 s of work and all of the processor from 100 on.  The clock
 * goes back to 20: it counts as 100.  At 130 it has 20 s left.
 */
static void a_clock_set_back_loses_nothing(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	uint64_t t = host_submit(e, host_job(100, 50, 400, 1), 100), u;
	const struct libra_row *g;

	u = host_submit(e, host_job(20, 10, 1000, 1), 20);
	assert_true(u != 0);
	g = libra_engine_row(e, 2);
	assert_near(g->since_s, 100, 0);
	assert_near(g->tasks[0].est_left_s, 50, 0);
	assert_int_equal(libra_engine_departed(e, u, NAN), 0);
	assert_near(g->since_s, 100, 0);
	assert_int_equal(host_offer(e, host_job(130, 1, 99, 1), 130).answer,
			 LIBRA_ACCEPT);
	assert_near(g->tasks[0].est_left_s -
			    g->tasks[0].rate * (130 - g->since_s),
		    20, 1e-12);
	assert_int_equal(libra_engine_departed(e, t, 130), 0);
	libra_engine_destroy(e);
}

/* A task of 100 s by 400 has all of the processor.  At 10 the clock is set to
 * 3610, where it is late, and is as far as it was: 90 s are left.  A second
 * later it is set back to 11: 89 s are left, a share of 89/389, and 300/389 is
 * free.  Offers live 60 s that pass, not those of a jump.
 */
static void a_clock_that_is_set_is_no_progress(void **state)
{
	struct libra_engine *e = host_engine_ttl("libra", 1, 1, 60);
	struct libra_action action;
	uint64_t t = host_submit(e, host_job(0, 100, 400, 1), 0), u;
	double rate;

	assert_int_equal(libra_engine_clock(e, 10, 3610), 0);
	assert_near(libra_engine_left_s(e, t, 3610, NULL), 90, 1e-9);
	assert_int_equal(libra_engine_clock(e, 3611, 11), 0);
	assert_near(libra_engine_left_s(e, t, 11, &rate), 89, 1e-9);
	assert_near(rate, 1, 0);
	assert_int_equal(host_offer(e, host_job(11, 301, 389, 1), 11).answer,
			 LIBRA_REJECT);
	u = host_offer(e, host_job(11, 300, 389, 1), 11).ticket;
	assert_true(u != 0);
	host_obey(e, 11);
	assert_int_equal(libra_engine_clock(e, 50, 3650), 0);
	libra_engine_schedule(e, 3671); /* 60 s old */
	host_obey(e, 3671);
	assert_int_equal(libra_engine_clock(e, 3671, 71), 0);
	libra_engine_schedule(e, 72);
	do
		assert_true(libra_engine_next_action(e, &action));
	while (action.kind == LIBRA_ACTION_RESHARE);
	assert_int_equal(action.kind, LIBRA_ACTION_REJECT);
	assert_int_equal(action.ticket, u);
	libra_engine_destroy(e);
}

static void not_every_clock_can_be_set(void **state)
{
	static const char *const policies[] = {"edf", "easy", "market-be"};
	struct libra_engine *e = host_engine("libra", 1, 1);

	assert_fails(EINVAL, libra_engine_clock(e, NAN, 1));
	assert_fails(EINVAL, libra_engine_clock(e, 1, INFINITY));
	libra_engine_destroy(e);
	for (int i = 0; i < 3; i++) {
		e = host_engine(policies[i], 1, 1);
		assert_fails(ENOTSUP, libra_engine_clock(e, 5, 1));
		libra_engine_destroy(e);
	}
}

/* START as committed, then RESHARE once per row. */
static void actions_come_in_order(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 1, 4);
	uint64_t a = host_offer(e, host_job(0, 10, 100, 2), 0).ticket;
	uint64_t b = host_offer(e, host_job(0, 10, 100, 2), 0).ticket;
	struct libra_action action;

	libra_engine_commit(e, b, 2, 0);
	libra_engine_commit(e, a, 1, 0);
	assert_true(libra_engine_next_action(e, &action));
	assert_int_equal(action.job_id, 2);
	libra_engine_started(e, b, 0);
	assert_true(libra_engine_next_action(e, &action));
	assert_int_equal(action.kind, LIBRA_ACTION_START);
	assert_int_equal(action.job_id, 1);
	libra_engine_started(e, a, 0);
	/* a and b are on the same two processors, in one row. */
	assert_true(libra_engine_next_action(e, &action));
	assert_int_equal(action.kind, LIBRA_ACTION_RESHARE);
	assert_int_equal(libra_engine_row(e, action.row)->nprocs, 2);
	assert_int_equal(libra_engine_row(e, action.row)->ntasks, 2);
	assert_false(libra_engine_next_action(e, &action));
	libra_engine_destroy(e);
}

/* A host that reads no actions for long loses none. */
static void actions_wait_for_their_reader(void **state)
{
	struct libra_engine *e = host_engine("easy", 1, 1);
	struct libra_action action;

	for (uint64_t i = 1; i <= 1000; i++) {
		uint64_t t =
			host_offer(e, host_job(i, 1, INFINITY, 1), (double)i)
				.ticket;

		assert_int_equal(libra_engine_commit(e, t, i, (double)i), 0);
		libra_engine_schedule(e, (double)i);
		assert_int_equal(libra_engine_started(e, t, (double)i), 0);
		assert_int_equal(libra_engine_departed(e, t, (double)i), 0);
	}
	for (uint64_t i = 1; i <= 1000; i++) {
		assert_true(libra_engine_next_action(e, &action));
		assert_int_equal(action.job_id, i);
	}
	assert_false(libra_engine_next_action(e, &action));
	libra_engine_destroy(e);
}

/* 8 processors.  Jobs on 0-1, 2-4, 5-6; the second ends: a job of 4 gets 2-4
 * and 7.
 */
static void a_placement_is_ranges_in_index_order(void **state)
{
	struct libra_engine *e = host_engine("fcfs", 2, 4);
	static const uint32_t sizes[] = {2, 3, 2};
	struct libra_range r[3] = {{99, 99}, {99, 99}, {99, 99}};
	uint64_t t[3], u;

	for (int i = 0; i < 3; i++)
		t[i] = host_submit(e, host_job(0, 9, INFINITY, sizes[i]), 0);
	assert_int_equal(libra_engine_placement(e, t[0], r, 3), 0);
	host_pass(e, 0);
	assert_placed(e, t[0], 0, 2);
	assert_placed(e, t[1], 2, 3);
	assert_placed(e, t[2], 5, 2);
	libra_engine_departed(e, t[1], 1);
	u = host_submit(e, host_job(1, 9, INFINITY, 4), 1);
	host_pass(e, 1);
	assert_int_equal(libra_engine_placement(e, u, r, 1), 2);
	assert_int_equal(r[1].first, 99);
	assert_int_equal(libra_engine_placement(e, u, r, 3), 2);
	assert_int_equal(r[0].first, 2);
	assert_int_equal(r[0].count, 3);
	assert_int_equal(r[1].first, 7);
	assert_int_equal(r[1].count, 1);
	libra_engine_destroy(e);
}

/* Neighbouring rows that both hold the job are one range. */
static void a_placement_joins_neighbouring_rows(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 1, 4);
	uint64_t a = host_submit(e, host_job(0, 10, 100, 4), 0);
	uint64_t b = host_submit(e, host_job(0, 10, 100, 2), 0);

	assert_placed(e, a, 0, 4);
	assert_placed(e, b, 0, 2);
	libra_engine_destroy(e);
}

/* Nodes of 2 processors.  Node 1 is drained while a job runs on nodes 0 and 1:
 * the job keeps its processors, new ones pass over 2 and 3 until it is up.
 */
/* Two processors that may be promised to two jobs each; none asks for more than
 * a hundredth of one.
 */
static void a_processor_is_promised_to_so_many_jobs(void **state)
{
	static const char *const names[] = {"libra", "librarisk", "demand",
					    "band"};
	static const uint32_t two = 2;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct libra_engine_conf conf = {
			.policy = libra_policy_find(names[i], NULL),
			.node_procs = &two,
			.nnodes = 1,
			.offer_ttl_s = INFINITY,
			.max_jobs = 2,
		};
		struct libra_engine *e = libra_engine_create(&conf, NULL);
		struct libra_job job = host_job(0, 1, 100, 1);
		uint64_t last = 0, ticket;

		assert_non_null(e);
		for (int n = 0; n < 4; n++, last = ticket) {
			ticket = host_submit(e, job, 0);
			assert_int_not_equal(ticket, 0);
		}
		assert_int_equal(host_offer(e, job, 0).reason,
				 LIBRA_REASON_CROWDED);
		assert_true(isinf(libra_engine_earliest_deadline(e, &job, 0)));
		assert_int_equal(host_submit(e, host_job(0, 1, 100, 2), 0), 0);
		if (libra_engine_withdraw(e, last, 0) < 0)
			libra_engine_departed(e, last, 0);
		assert_true(
			isfinite(libra_engine_earliest_deadline(e, &job, 0)));
		assert_int_not_equal(host_submit(e, job, 0), 0);
		assert_int_equal(host_submit(e, job, 0), 0);
		libra_engine_destroy(e);
	}
}

static void a_drained_node_takes_no_new_jobs(void **state)
{
	static const char *const policies[] = {"libra", "librarisk", "edf",
					       "easy"};

	for (int i = 0; i < 4; i++) {
		struct libra_engine *e = host_engine(policies[i], 3, 2);
		struct libra_job wide = host_job(0, 50, 50.0, 4);
		uint64_t t = host_submit(e, wide, 0), u;

		host_pass(e, 0);
		assert_placed(e, t, 0, 4);
		libra_engine_node(e, 1, LIBRA_NODE_DRAIN, 1);
		libra_engine_node(e, 1, LIBRA_NODE_DOWN, 1);
		assert_placed(e, t, 0, 4);
		assert_int_equal(libra_engine_free_procs(e), 2);
		libra_engine_departed(e, t, 2);
		assert_int_equal(libra_engine_free_procs(e), 4);
		u = host_submit(e, host_job(2, 50, 50, 3), 2);
		host_pass(e, 2);
		assert_int_equal(libra_engine_placement(e, u, NULL, 0), 2);
		libra_engine_node(e, 1, LIBRA_NODE_UP, 3);
		assert_int_equal(libra_engine_free_procs(e), 3);
		t = host_submit(e, host_job(3, 50, 50, 3), 3);
		host_pass(e, 3);
		assert_int_equal(libra_engine_free_procs(e), 0);
		assert_int_equal(libra_engine_departed(e, t, 4), 0);
		assert_int_equal(libra_engine_departed(e, u, 4), 0);
		assert_int_equal(libra_engine_free_procs(e), 6);
		libra_engine_destroy(e);
	}
}

/* Each half of a job has its own history once its node is drained; each task
 * still gets all of its processor.
 */
static void a_job_on_a_drained_node_goes_on(void **state)
{
	struct libra_engine *e = host_engine("libra", 2, 2);
	uint64_t t = host_submit(e, host_job(0, 50, 100, 4), 0);
	uint32_t parts = 0;

	libra_engine_node(e, 0, LIBRA_NODE_DRAIN, 10);
	host_obey(e, 10);
	for (uint32_t i = 0; i < libra_engine_nrows(e); i++) {
		const struct libra_row *g = libra_engine_row(e, i);

		if (g->nprocs == 0 || g->ntasks == 0)
			continue;
		assert_int_equal(g->nprocs, 2);
		assert_near(g->tasks[0].rate, 1, 0);
		assert_near(g->tasks[0].est_left_s + g->since_s, 50, 0);
		parts++;
	}
	assert_int_equal(parts, 2);
	/* A second job is promised the open half only. */
	assert_int_equal(host_submit(e, host_job(10, 1, 100, 3), 10), 0);
	assert_placed(e, host_submit(e, host_job(10, 1, 100, 2), 10), 2, 2);
	for (uint32_t i = 0, left = 4; i < libra_engine_nrows(e); i++) {
		int64_t n = libra_engine_part_departed(e, t, i, 50);

		if (n >= 0) {
			left -= 2;
			assert_int_equal(n, left);
		}
	}
	assert_null(libra_engine_job(e, t));
	libra_engine_destroy(e);
}

/* Many jobs with few tasks on other nodes, many tasks on the one drained. */
static void a_node_with_many_tasks_can_be_drained(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 3, 1);
	uint64_t t[60];

	assert_true(host_submit(e, host_job(0, 1, 1000, 3), 0) != 0);
	assert_true(host_submit(e, host_job(0, 1, 1000, 1), 0) != 0);
	libra_engine_node(e, 0, LIBRA_NODE_DRAIN, 0);
	for (int i = 0; i < 60; i++)
		t[i] = host_submit(e, host_job(0, 1, 1000, 1), 0);
	assert_placed(e, t[59], 1, 1);
	libra_engine_node(e, 1, LIBRA_NODE_DRAIN, 0);
	host_obey(e, 0);
	for (int i = 0; i < 60; i++) {
		assert_placed(e, t[i], 1, 1);
		assert_int_equal(libra_engine_departed(e, t[i], 1), 0);
	}
	libra_engine_node(e, 1, LIBRA_NODE_UP, 2);
	assert_placed(e, host_submit(e, host_job(2, 1, 1000, 1), 2), 1, 1);
	libra_engine_destroy(e);
}

/* One job on 200 nodes, every other of which is drained: when it departs, its
 * processors become 200 runs at once.
 */
static void a_job_leaves_many_drained_nodes_at_once(void **state)
{
	struct libra_engine *e = host_engine("fcfs", 200, 1);
	uint64_t t = host_submit(e, host_job(0, 1, INFINITY, 200), 0);

	host_pass(e, 0);
	for (uint32_t i = 0; i < 200; i += 2)
		assert_int_equal(libra_engine_node(e, i, LIBRA_NODE_DRAIN, 1),
				 0);
	assert_int_equal(libra_engine_departed(e, t, 2), 0);
	assert_int_equal(libra_engine_free_procs(e), 100);
	t = host_submit(e, host_job(2, 1, INFINITY, 100), 2);
	host_pass(e, 2);
	assert_int_equal(libra_engine_placement(e, t, NULL, 0), 100);
	libra_engine_destroy(e);
}

/* A job of 100 s by 50 s is a bet; with guaranteed_only it is refused, by an
 * offer, a question, a change, and for whoever asks for a deadline.
 */
static void guaranteed_only_refuses_what_is_late_alone(void **state)
{
	static const char *const policies[] = {"band", "planned", "demand",
					       "librarisk"};
	static const uint32_t procs = 2;

	for (size_t i = 0; i < 2 * 4; i++) {
		bool only = i % 2;
		struct libra_engine *e = host_engine_with(
			(struct libra_engine_conf){
				.policy = libra_policy_find(policies[i / 2],
							    NULL),
				.node_procs = &procs,
				.nnodes = 1,
				.offer_ttl_s = INFINITY,
			},
			only ? "guaranteed_only=1" : "guaranteed_only=0");
		struct libra_job job = host_job(0, 100, 50, 1);
		uint64_t ticket = host_submit(e, host_job(0, 10, 1000, 1), 0);
		struct libra_verdict v = host_offer(e, job, 0);

		assert_true(ticket != 0);
		assert_int_equal(v.answer, only ? LIBRA_REJECT : LIBRA_ACCEPT);
		assert_int_equal(v.reason, only ? LIBRA_REASON_WOULD_MISS
						: LIBRA_REASON_NONE);
		assert_true(only || v.late_s > 49);
		if (only) {
			assert_false(libra_engine_would_accept(e, &job, 1, 0));
			assert_true(libra_engine_earliest_deadline(e, &job,
								   0) >= 100);
			assert_int_equal(libra_engine_modify(e, ticket, &job, 0,
							     &v, NULL),
					 0);
			assert_int_equal(v.answer, LIBRA_REJECT);
		}
		libra_engine_destroy(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_senseless_configuration_is_refused),
		cmocka_unit_test(destroying_keeps_errno),
		cmocka_unit_test(the_engine_tells_what_it_is),
		cmocka_unit_test(a_clock_set_back_makes_no_share_smaller),
		cmocka_unit_test(advice_is_near_where_little_is_left),
		cmocka_unit_test(advice_counts_who_has_not_started),
		cmocka_unit_test(a_senseless_job_is_an_error),
		cmocka_unit_test(a_refusal_has_a_reason_and_no_ticket),
		cmocka_unit_test(names_are_stable),
		cmocka_unit_test(calls_out_of_turn_are_refused),
		cmocka_unit_test(a_queued_job_cannot_be_committed_twice),
		cmocka_unit_test(a_ticket_is_never_used_again),
		cmocka_unit_test(an_offer_holds_its_share_until_withdrawn),
		cmocka_unit_test(a_job_may_be_withdrawn_before_it_runs),
		cmocka_unit_test(an_offer_that_nobody_commits_expires),
		cmocka_unit_test(only_stale_offers_expire),
		cmocka_unit_test(an_expired_offer_to_queue_is_gone_too),
		cmocka_unit_test(a_clock_set_back_loses_nothing),
		cmocka_unit_test(a_clock_that_is_set_is_no_progress),
		cmocka_unit_test(not_every_clock_can_be_set),
		cmocka_unit_test(actions_come_in_order),
		cmocka_unit_test(actions_wait_for_their_reader),
		cmocka_unit_test(a_placement_is_ranges_in_index_order),
		cmocka_unit_test(a_placement_joins_neighbouring_rows),
		cmocka_unit_test(a_processor_is_promised_to_so_many_jobs),
		cmocka_unit_test(a_drained_node_takes_no_new_jobs),
		cmocka_unit_test(a_job_on_a_drained_node_goes_on),
		cmocka_unit_test(a_node_with_many_tasks_can_be_drained),
		cmocka_unit_test(a_job_leaves_many_drained_nodes_at_once),
		cmocka_unit_test(guaranteed_only_refuses_what_is_late_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
