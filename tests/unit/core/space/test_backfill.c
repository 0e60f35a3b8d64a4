/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Backfilling, by hand: who may skip ahead under easy, fcfs-bf, edf-bf and
 * conservative; and the profile against counting.
 */
#include "tests/unit/test.h"

#include "core/engine.h"
#include "core/timeline.h"

/* ---- a little machine of 10 processors ---- */

enum { PROCS = 10, MAX_JOBS = 8 };

struct machine {
	struct libra_engine *e;
	uint64_t ticket[MAX_JOBS + 1]; /* by id, from 1 */
	double start_s[MAX_JOBS + 1];  /* NAN: waits or was refused */
	bool refused[MAX_JOBS + 1];
};

static struct machine machine(const char *policy)
{
	static const uint32_t nprocs = PROCS;
	struct libra_engine_conf conf = {
		.policy = libra_policy_find(policy, NULL),
		.node_procs = &nprocs,
		.nnodes = 1,
		.offer_ttl_s = INFINITY,
	};
	struct machine m = {.e = libra_engine_create(&conf, NULL)};

	assert_non_null(m.e);
	for (int i = 0; i <= MAX_JOBS; i++)
		m.start_s[i] = NAN;
	return m;
}

static void submit(struct machine *m, int id, double now_s, uint32_t nprocs,
		   double estimate_s, double deadline_s)
{
	struct libra_job job = {.submit_s = now_s,
				.estimate_s = estimate_s,
				.deadline_s = deadline_s,
				.nprocs = nprocs};
	struct libra_verdict v;

	assert_int_equal(libra_engine_offer(m->e, &job, now_s, &v, NULL), 0);
	assert_int_equal(v.answer, LIBRA_QUEUE);
	m->ticket[id] = v.ticket;
	libra_engine_commit(m->e, v.ticket, (uint64_t)id, now_s);
}

static void schedule(struct machine *m, double now_s)
{
	struct libra_action action;

	libra_engine_schedule(m->e, now_s);
	while (libra_engine_next_action(m->e, &action)) {
		if (action.kind == LIBRA_ACTION_REJECT) {
			assert_int_equal(action.reason,
					 LIBRA_REASON_WOULD_MISS);
			m->refused[action.job_id] = true;
			continue;
		}
		m->start_s[action.job_id] = now_s;
		libra_engine_started(m->e, action.ticket, now_s);
	}
}

static void end(struct machine *m, int id, double now_s)
{
	assert_int_equal(libra_engine_departed(m->e, m->ticket[id], now_s), 0);
}

/* At 0 job 1 takes 6 processors until 100, by its estimate.  At 10 come
 *
 *	job  procs  estimate
 *	 2     8       50    the head: 4 are free; shadow time 100, extra 2
 *	 3     3      120    ends after 100 and is larger than extra: forbidden
 *	 4     2      120    ends after 100, but fits into extra
 *	 5     4       90    ends at 100 exactly
 *	 6     2       95    ends at 105
 *
 * easy starts 4 (2 processors are left), and then 5 does not fit; 6 would,
 * but extra is used up.  Strict EASY starts 5 alone.
 */
static void shadow_case(struct machine *m)
{
	submit(m, 1, 0, 6, 100, 1e6);
	schedule(m, 0);
	submit(m, 2, 10, 8, 50, 1e6);
	submit(m, 3, 10, 3, 120, 1e6);
	submit(m, 4, 10, 2, 120, 1e6);
	submit(m, 5, 10, 4, 90, 1e6);
	submit(m, 6, 10, 2, 95, 1e6);
	schedule(m, 10);
}

static void easy_uses_what_the_head_will_not_need(void **state)
{
	struct machine m = machine("easy");

	shadow_case(&m);
	assert_true(m.start_s[4] == 10);
	assert_true(isnan(m.start_s[2]) && isnan(m.start_s[3]));
	assert_true(isnan(m.start_s[5]) && isnan(m.start_s[6]));
	end(&m, 1, 100);
	schedule(&m, 100);
	assert_true(m.start_s[2] == 100);
	libra_engine_destroy(m.e);
}

static void strict_easy_asks_for_an_end_by_the_shadow_time(void **state)
{
	struct machine m = machine("fcfs-bf");

	shadow_case(&m);
	assert_true(m.start_s[5] == 10);
	assert_true(isnan(m.start_s[2]) && isnan(m.start_s[3]));
	assert_true(isnan(m.start_s[4]) && isnan(m.start_s[6]));
	end(&m, 1, 100);
	end(&m, 5, 100);
	schedule(&m, 100);
	assert_true(m.start_s[2] == 100);
	libra_engine_destroy(m.e);
}

/* The same, but the head is chosen by deadline; job 5 has the earliest. */
static void edf_bf_heads_the_queue_by_deadline(void **state)
{
	struct machine m = machine("edf-bf");

	submit(&m, 1, 0, 6, 100, 1e6);
	schedule(&m, 0);
	submit(&m, 2, 10, 4, 50, 9000);
	submit(&m, 3, 10, 8, 50, 500); /* the head */
	schedule(&m, 10);
	assert_true(m.start_s[2] == 10); /* ends at 60, before 100 */
	assert_true(isnan(m.start_s[3]));
	end(&m, 2, 60);
	submit(&m, 4, 60, 4, 41, 9000); /* 60 + 41 > 100 */
	schedule(&m, 60);
	assert_true(isnan(m.start_s[4]));
	libra_engine_destroy(m.e);
}

/* A candidate that is late is refused only when it could start: job 3 cannot
 * (it would end after the shadow time), job 4 could.  The head is refused when
 * it would end too late, and the next one is the head.
 */
static void lateness_is_asked_when_a_job_could_start(void **state)
{
	struct machine m = machine("fcfs-bf");

	submit(&m, 1, 0, 6, 100, 1e6);
	schedule(&m, 0);
	submit(&m, 2, 10, 8, 50, 140);
	submit(&m, 3, 10, 2, 120, 20);
	submit(&m, 4, 10, 2, 60, 69.9);
	submit(&m, 5, 10, 2, 60, 70);
	schedule(&m, 10);
	assert_true(m.refused[4] && !m.refused[3] && !m.refused[2]);
	assert_true(m.start_s[5] == 10);
	end(&m, 5, 70);
	end(&m, 1, 100);
	schedule(&m, 100); /* 100 + 50 > 140, 100 + 120 > 20 */
	assert_true(m.refused[2] && m.refused[3]);
	libra_engine_destroy(m.e);
}

static void without_admission_nobody_is_refused(void **state)
{
	static const uint32_t nprocs = PROCS;
	const double off = 0;
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("fcfs-bf", NULL),
		.params = &off,
		.node_procs = &nprocs,
		.nnodes = 1,
		.offer_ttl_s = INFINITY,
	};
	struct machine m = {.e = libra_engine_create(&conf, NULL)};

	submit(&m, 1, 0, 6, 100, 50);
	schedule(&m, 0);
	assert_true(m.start_s[1] == 0 && !m.refused[1]);
	libra_engine_destroy(m.e);
}

/* A running job over its estimate counts as ending now: the shadow time is
 * now, and nobody may pass the head.
 */
static void an_overrun_leaves_no_time_to_fill(void **state)
{
	struct machine m = machine("fcfs-bf");

	submit(&m, 1, 0, 6, 100, 1e6);
	schedule(&m, 0);
	submit(&m, 2, 10, 8, 50, 1e6);
	schedule(&m, 10);
	submit(&m, 3, 130, 1, 1, 1e6);
	schedule(&m, 130);
	assert_true(isnan(m.start_s[3]));
	end(&m, 1, 140);
	schedule(&m, 140);
	assert_true(m.start_s[2] == 140 && m.start_s[3] == 140);
	libra_engine_destroy(m.e);
}

/* ---- conservative ---- */

/* Job 1 holds 6 until 100.  Job 2 (8 processors, 50 s) is promised 100, job 3
 * (9, 40 s) 150.  Job 4 (4, 95 s) would end at 105 and delay job 2; EASY
 * refuses it as well.  Job 5 (2, 120 s) uses what job 2 leaves, but would
 * delay job 3 at 150: easy starts it, conservative does not.
 */
static void a_promise_binds_for_every_job(void **state)
{
	static const char *const names[] = {"easy", "conservative"};

	for (int k = 0; k < 2; k++) {
		struct machine m = machine(names[k]);

		submit(&m, 1, 0, 6, 100, INFINITY);
		schedule(&m, 0);
		submit(&m, 2, 10, 8, 50, INFINITY);
		submit(&m, 3, 10, 9, 40, INFINITY);
		submit(&m, 4, 10, 4, 95, INFINITY);
		submit(&m, 5, 10, 2, 141, INFINITY);
		schedule(&m, 10);
		assert_true(isnan(m.start_s[4]));
		if (k == 0)
			assert_true(m.start_s[5] == 10);
		else
			assert_true(isnan(m.start_s[5]));
		submit(&m, 6, 10, 2, 140, INFINITY); /* until 150 exactly */
		schedule(&m, 10);
		if (k == 1)
			assert_true(m.start_s[6] == 10);
		libra_engine_destroy(m.e);
	}
}

/* Job 1 ends at 40 instead of 100: job 2 moves to 40, job 3 behind it. */
static void an_early_end_moves_all_forward(void **state)
{
	struct machine m = machine("conservative");

	submit(&m, 1, 0, 6, 100, INFINITY);
	schedule(&m, 0);
	submit(&m, 2, 10, 8, 50, INFINITY);
	submit(&m, 3, 10, 9, 40, INFINITY);
	schedule(&m, 10);
	end(&m, 1, 40);
	schedule(&m, 40);
	assert_true(m.start_s[2] == 40 && isnan(m.start_s[3]));
	end(&m, 2, 90);
	schedule(&m, 90);
	assert_true(m.start_s[3] == 90);
	libra_engine_destroy(m.e);
}

/* Moving forward keeps the promises of those behind: job 3 was promised 20
 * (beside job 1, before job 2), and an early end that lets job 2 begin at 15
 * would break it if all were planned anew in order.
 */
static void moving_forward_delays_nobody(void **state)
{
	struct machine m = machine("conservative");

	submit(&m, 1, 0, 5, 100, INFINITY);
	submit(&m, 7, 0, 5, 20, INFINITY);
	schedule(&m, 0);
	submit(&m, 2, 1, 8, 100, INFINITY); /* promised 100 */
	submit(&m, 3, 1, 5, 80, INFINITY);  /* promised 20 */
	schedule(&m, 1);
	end(&m, 1, 15);
	schedule(&m, 15);
	/* 5 are free: job 2 needs 8, job 3 starts at once */
	assert_true(m.start_s[3] == 15 && isnan(m.start_s[2]));
	end(&m, 7, 20);
	schedule(&m, 20);
	assert_true(isnan(m.start_s[2]));
	end(&m, 3, 95);
	schedule(&m, 95);
	assert_true(m.start_s[2] == 95);
	libra_engine_destroy(m.e);
}

/* Job 1 overruns; job 2's promise of 100 is missed.  At 120 all are planned
 * anew: job 2 is next, and job 3 may run beside it.
 */
static void a_missed_promise_is_made_anew(void **state)
{
	struct machine m = machine("conservative");

	submit(&m, 1, 0, 6, 100, INFINITY);
	schedule(&m, 0);
	submit(&m, 2, 10, 8, 50, INFINITY);
	schedule(&m, 10);
	submit(&m, 3, 120, 2, 50, INFINITY);
	schedule(&m, 120);
	assert_true(isnan(m.start_s[2]) && m.start_s[3] == 120);
	end(&m, 1, 130);
	schedule(&m, 130);
	assert_true(m.start_s[2] == 130);
	libra_engine_destroy(m.e);
}

static void a_withdrawn_job_gives_its_promise_back(void **state)
{
	struct machine m = machine("conservative");

	submit(&m, 1, 0, 6, 100, INFINITY);
	schedule(&m, 0);
	submit(&m, 2, 10, 8, 50, INFINITY);
	submit(&m, 3, 10, 4, 120, INFINITY); /* promised 150 */
	schedule(&m, 10);
	assert_true(isnan(m.start_s[3]));
	assert_int_equal(libra_engine_withdraw(m.e, m.ticket[2], 20), 0);
	schedule(&m, 20);
	assert_true(m.start_s[3] == 20);
	libra_engine_destroy(m.e);
}

/* An offer that is committed only after a pass waits without a promise. */
static void a_late_commit_is_planned_too(void **state)
{
	struct machine m = machine("conservative");
	struct libra_job job = {
		.estimate_s = 10, .deadline_s = INFINITY, .nprocs = 4};
	struct libra_verdict v;

	submit(&m, 1, 0, 8, 100, INFINITY);
	assert_int_equal(libra_engine_offer(m.e, &job, 0, &v, NULL), 0);
	schedule(&m, 0);
	libra_engine_commit(m.e, v.ticket, 2, 5);
	schedule(&m, 5);
	assert_true(isnan(m.start_s[2]));
	end(&m, 1, 100);
	schedule(&m, 100);
	assert_true(m.start_s[2] == 100);
	libra_engine_destroy(m.e);
}

/* A drained node takes its free processors out of the plan. */
static void a_drained_node_takes_no_jobs(void **state)
{
	static const uint32_t procs[] = {4, 6};
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("conservative", NULL),
		.node_procs = procs,
		.nnodes = 2,
		.offer_ttl_s = INFINITY,
	};
	struct machine m = {.e = libra_engine_create(&conf, NULL)};

	for (int i = 0; i <= MAX_JOBS; i++)
		m.start_s[i] = NAN;
	libra_engine_node(m.e, 1, LIBRA_NODE_DRAIN, 0);
	submit(&m, 1, 0, 5, 10, INFINITY);
	submit(&m, 2, 0, 4, 10, INFINITY);
	schedule(&m, 0);
	assert_true(isnan(m.start_s[1]) && m.start_s[2] == 0);
	libra_engine_node(m.e, 1, LIBRA_NODE_UP, 3);
	schedule(&m, 3);
	assert_true(m.start_s[1] == 3);
	libra_engine_destroy(m.e);
}

/* ---- the profile ---- */

enum { HORIZON = 60, TOP = 20 };

/* The first instant with enough room, by counting seconds. */
static double count_find(const int *free, int now, int need, int duration)
{
	for (int begin = now; begin <= HORIZON; begin++) {
		int t = begin;

		while (t < begin + duration &&
		       (t >= HORIZON ? TOP : free[t]) >= need)
			t++;
		if (t == begin + duration)
			return begin;
	}
	return INFINITY;
}

/* Random reservations, releases and steps of time against an array of whole
 * seconds.
 */
static void the_profile_counts_as_an_array_does(void **state)
{
	struct libra_timeline p = {0};
	uint32_t random = 12345;

	assert_int_equal(libra_timeline_reserve(&p, 200), 0);
	for (int round = 0; round < 300; round++) {
		int free[HORIZON], now = 0;

		libra_timeline_reset(&p, 0, TOP);
		for (int t = 0; t < HORIZON; t++)
			free[t] = TOP;
		for (int k = 0; k < 40; k++) {
			uint32_t r[3];
			double at_s;
			int need, duration;

			for (int i = 0; i < 3; i++)
				r[i] = (random = random * 1664525 +
						 1013904223) >>
				       16;
			need = 1 + (int)(r[0] % (TOP + 2));
			duration = 1 + (int)(r[1] % 9);
			at_s = libra_timeline_find(&p, (uint32_t)need,
						   duration);
			assert_true(at_s ==
				    count_find(free, now, need, duration));
			if (at_s + duration >= HORIZON)
				break;
			libra_timeline_add(&p, at_s, at_s + duration, -need);
			for (int t = 0; t < duration; t++)
				free[(int)at_s + t] -= need;
			if (r[2] % 4 == 0) /* give the second half back */
				libra_timeline_add(&p, at_s + duration / 2,
						   at_s + duration, need);
			for (int t = duration / 2;
			     r[2] % 4 == 0 && t < duration; t++)
				free[(int)at_s + t] += need;
			if (r[2] % 3 == 0)
				libra_timeline_advance(&p, ++now);
		}
		assert_true(p.n >= 1 && p.n <= 90);
	}
	libra_timeline_fini(&p);
}

static void equal_steps_are_joined(void **state)
{
	struct libra_timeline p = {0};

	assert_int_equal(libra_timeline_reserve(&p, 8), 0);
	libra_timeline_reset(&p, 5, 10);
	libra_timeline_add(&p, 7, 9, -3);
	libra_timeline_add(&p, 9, 12, -3);
	assert_int_equal(p.n, 3);
	libra_timeline_add(&p, 7, 12, 3);
	assert_int_equal(p.n, 1);
	libra_timeline_add(&p, 1, 4, -3); /* all of it is past */
	assert_int_equal(p.n, 1);
	libra_timeline_add(&p, 1, INFINITY, -4);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.steps[0].free, 6);
	assert_true(libra_timeline_find(&p, 7, 1) == INFINITY);
	libra_timeline_fini(&p);
}

/* Of 4 processors 3 are taken until 100.  Then comes a job of 4; one of 1
 * starts before it if it ends by then, and else behind it.
 */
static void holes_are_filled_in_order(void **state)
{
	const struct {
		uint32_t need;
		double duration_s, start_s;
	} jobs[] = {
		{4, 50, 100},	   {1, 90, 10},	       {1, 10, 150},
		{5, 10, INFINITY}, {4, INFINITY, 160}, {1, 11, INFINITY},
		{1, 10, 150},
	};
	struct libra_timeline p = {0};

	assert_int_equal(libra_timeline_reserve(&p, 32), 0);
	libra_timeline_reset(&p, 10, 4);
	libra_timeline_add(&p, 10, 100, -3);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		double start_s = libra_timeline_find(&p, jobs[i].need,
						     jobs[i].duration_s);

		assert_true(start_s == jobs[i].start_s);
		if (start_s < INFINITY)
			libra_timeline_add(&p, start_s,
					   start_s + jobs[i].duration_s,
					   -(int64_t)jobs[i].need);
	}
	libra_timeline_fini(&p);
}

/* A machine that lost processors has fewer than run. */
static void more_may_run_than_there_is(void **state)
{
	struct libra_timeline p = {0};

	assert_int_equal(libra_timeline_reserve(&p, 8), 0);
	libra_timeline_reset(&p, 0, 2);
	libra_timeline_add(&p, 0, 50, -2);
	libra_timeline_add(&p, 0, 70, -2);
	assert_true(libra_timeline_find(&p, 1, 10) == 70);
	libra_timeline_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(easy_uses_what_the_head_will_not_need),
		cmocka_unit_test(
			strict_easy_asks_for_an_end_by_the_shadow_time),
		cmocka_unit_test(edf_bf_heads_the_queue_by_deadline),
		cmocka_unit_test(lateness_is_asked_when_a_job_could_start),
		cmocka_unit_test(without_admission_nobody_is_refused),
		cmocka_unit_test(an_overrun_leaves_no_time_to_fill),
		cmocka_unit_test(a_promise_binds_for_every_job),
		cmocka_unit_test(an_early_end_moves_all_forward),
		cmocka_unit_test(moving_forward_delays_nobody),
		cmocka_unit_test(a_missed_promise_is_made_anew),
		cmocka_unit_test(a_withdrawn_job_gives_its_promise_back),
		cmocka_unit_test(a_late_commit_is_planned_too),
		cmocka_unit_test(a_drained_node_takes_no_jobs),
		cmocka_unit_test(the_profile_counts_as_an_array_does),
		cmocka_unit_test(equal_steps_are_joined),
		cmocka_unit_test(holes_are_filled_in_order),
		cmocka_unit_test(more_may_run_than_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
