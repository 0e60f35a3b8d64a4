/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_policies.c - each policy on schedules worked out by hand.
 *
 * Processors are numbered from 0; times are seconds; deadlines in the calls
 * are durations from the submission.
 */
#include "core/policy/policies.h"
#include "tests/unit/host.h"

/* ---- libra ---- */

/* One processor has 0.5.  With another 0.5 the sum is exactly 1: accepted.
 * 1e-10 more is within the tolerance of 1e-9, 1e-8 more is not.
 */
static void libra_accepts_up_to_a_sum_of_one(void **state)
{
	static const struct {
		double estimate_s;
		bool accepted;
	} cases[] = {{50, true}, {50 + 1e-8, true}, {50 + 1e-6, false}};

	for (int i = 0; i < 3; i++) {
		struct libra_engine *e = host_engine("libra", 1, 1);
		struct libra_verdict v;

		assert_true(host_submit(e, host_job(0, 50, 100, 1), 0) != 0);
		v = host_offer(e, host_job(0, cases[i].estimate_s, 100, 1), 0);
		assert_int_equal(v.answer == LIBRA_ACCEPT, cases[i].accepted);
		assert_int_equal(v.reason, cases[i].accepted
						   ? LIBRA_REASON_NONE
						   : LIBRA_REASON_NO_SHARE);
		libra_engine_destroy(e);
	}
}

/* 60 s by 100 s, alone: at 30 half is done, and 30 s by 70 s are 0.43.  So at
 * 30 there is room for 0.57 (40 s by 71 s are 0.563), not for 0.58.
 */
static void libra_counts_what_remains(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	uint64_t ticket;

	host_submit(e, host_job(0, 60, 100, 1), 0);
	assert_int_equal(host_submit(e, host_job(30, 40, 69, 1), 30), 0);
	ticket = host_submit(e, host_job(30, 40, 71, 1), 30);
	assert_true(ticket != 0);
	assert_near(libra_engine_beside(e, ticket), 30.0 / 70, 1e-12);
	assert_true(isnan(libra_engine_beside(e, ticket + 1)));
	libra_engine_destroy(e);
}

/* Sums: processor 0 has 0.5, 1 has 0.25, 2 none.  A job of 0.25 goes to the
 * fullest that has room: 0 (0.75), the next to 0 again (1.0), the third to 1.
 */
static void libra_takes_the_fullest_that_suits(void **state)
{
	struct libra_engine *e = host_engine("libra", 3, 1);
	struct libra_job quarter = host_job(0, 25, 100, 1);

	assert_placed(e, host_submit(e, host_job(0, 50, 100, 1), 0), 0, 1);
	/* 0.75 does not fit on 0; of the equal ones 1 and 2 the first. */
	assert_placed(e, host_submit(e, host_job(0, 75, 100, 1), 0), 1, 1);
	assert_placed(e, host_submit(e, quarter, 0), 1, 1);
	assert_placed(e, host_submit(e, quarter, 0), 0, 1);
	assert_placed(e, host_submit(e, quarter, 0), 0, 1);
	assert_placed(e, host_submit(e, quarter, 0), 2, 1);
	libra_engine_destroy(e);
}

/* Sums that differ by less than 1e-9 are equal: 0 has 0.6, 1 has 0.6 + 2e-10.
 */
static void libra_breaks_ties_by_the_lower_index(void **state)
{
	struct libra_engine *e = host_engine("libra", 2, 1);

	assert_placed(e, host_submit(e, host_job(0, 60, 100, 1), 0), 0, 1);
	assert_placed(e, host_submit(e, host_job(0, 60 + 2e-8, 100, 1), 0), 1,
		      1);
	assert_placed(e, host_submit(e, host_job(0, 25, 100, 1), 0), 0, 1);
	libra_engine_destroy(e);
}

/* A parallel job needs its share on every processor. */
static void libra_refuses_if_too_few_processors_suit(void **state)
{
	struct libra_engine *e = host_engine("libra", 4, 1);

	assert_placed(e, host_submit(e, host_job(0, 60, 100, 2), 0), 0, 2);
	assert_int_equal(host_submit(e, host_job(0, 60, 100, 3), 0), 0);
	assert_placed(e, host_submit(e, host_job(0, 60, 100, 2), 0), 2, 2);
	assert_placed(e, host_submit(e, host_job(0, 40, 100, 4), 0), 0, 4);
	libra_engine_destroy(e);
}

/* 120 s by 100 s: no processor can, not even an empty one. */
static void libra_refuses_what_no_processor_can(void **state)
{
	struct libra_engine *e = host_engine("libra", 4, 1);
	struct libra_verdict v = host_offer(e, host_job(0, 120, 100, 1), 0);

	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_int_equal(v.reason, LIBRA_REASON_NO_SHARE);
	libra_engine_destroy(e);
}

/* 20 s by 100 s, alone; it goes on after 20.  At 50 it still counts with the
 * 0.2 it came with, not with 0: room for 0.8.
 */
static void over_its_estimate_a_task_counts_as_it_came(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);

	host_submit(e, host_job(0, 20, 100, 1), 0);
	assert_int_equal(host_submit(e, host_job(50, 81, 100, 1), 50), 0);
	assert_true(host_submit(e, host_job(50, 80, 100, 1), 50) != 0);
	libra_engine_destroy(e);
}

/* After its deadline it counts as 1: nothing else is promised there. */
static void a_late_task_leaves_libra_no_room(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	uint64_t t = host_submit(e, host_job(0, 20, 100, 1), 0);
	struct libra_job job = host_job(100, 1, 1000, 1);

	assert_int_equal(host_submit(e, job, 100), 0);
	assert_true(libra_engine_earliest_deadline(e, &job, 100) == INFINITY);
	libra_engine_departed(e, t, 101);
	assert_true(host_submit(e, job, 101) != 0);
	libra_engine_destroy(e);
}

/* Shares 0.5 and 0.25: rates 2/3 and 1/3.  When the first ends at 75 (it had
 * 50 s), the other has done 25 s and has all of the processor from then on.
 */
static void all_processor_time_is_handed_out(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	uint64_t a = host_submit(e, host_job(0, 50, 100, 1), 0);
	const struct libra_row *g = libra_engine_row(e, 2);

	host_submit(e, host_job(0, 75, 300, 1), 0);
	assert_int_equal(g->ntasks, 2);
	assert_near(g->tasks[0].rate, 2.0 / 3, 1e-15);
	assert_near(g->tasks[1].rate, 1.0 / 3, 1e-15);
	assert_int_equal(libra_engine_part_departed(e, a, 2, 75), 0);
	assert_int_equal(g->ntasks, 1);
	assert_near(g->tasks[0].est_left_s, 50, 1e-12);
	assert_near(g->tasks[0].rate, 1, 0);
	libra_engine_destroy(e);
}

/* 0.6 is taken: room 0.4.  40 s need 100 s. */
static void libra_names_the_earliest_deadline(void **state)
{
	struct libra_engine *e = host_engine("libra", 2, 1);
	struct libra_job job = host_job(0, 40, 50, 2);

	host_submit(e, host_job(0, 60, 100, 2), 0);
	assert_int_equal(host_submit(e, job, 0), 0);
	assert_near(libra_engine_earliest_deadline(e, &job, 0), 100, 1e-9);
	job.nprocs = 3;
	assert_true(libra_engine_earliest_deadline(e, &job, 0) == INFINITY);
	libra_engine_destroy(e);
}

/* ---- librarisk ---- */

/* One delayed job alone has no deviation of delays. */
static void librarisk_accepts_the_impossible_on_an_empty_processor(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 2, 1);

	assert_placed(e, host_submit(e, host_job(0, 400, 100, 1), 0), 0, 1);
	assert_placed(e, host_submit(e, host_job(0, 10, 0, 1), 0), 1, 1);
	libra_engine_destroy(e);
}

/* A job past its deadline leaves all of its processor to one in time: that
 * needs its estimate, and an offer with the deadline that is named is promised.
 */
static void librarisk_names_no_deadline_before_the_estimate(void **state)
{
	struct libra_engine *e = host_cluster_engine("librarisk", 1);
	struct libra_job job = host_job(100, 5000, INFINITY, 1);
	struct libra_verdict verdict;

	(void)state;
	assert_near(libra_engine_earliest_deadline(e, &job, 0), 5100, 0);
	assert_int_not_equal(host_submit(e, host_job(0, 10, 20, 1), 0), 0);
	host_pass(e, 0);
	libra_engine_schedule(e, 100);
	job.deadline_s = libra_engine_earliest_deadline(e, &job, 100);
	assert_near(job.deadline_s, 5100, 0);
	assert_int_equal(libra_engine_offer(e, &job, 100, &verdict, NULL), 0);
	assert_int_equal(verdict.answer, LIBRA_ACCEPT);
	assert_near(verdict.late_s, 0, 0);
	libra_engine_destroy(e);
}

/* Index order, not best fit: 0 is empty again, 1 has 0.65. */
static void librarisk_takes_the_first_that_suits(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 3, 1);
	uint64_t t = host_submit(e, host_job(0, 50, 100, 1), 0), u;
	struct libra_range r[2];

	assert_placed(e, t, 0, 1);
	assert_placed(e, host_submit(e, host_job(0, 130, 200, 1), 0), 1, 1);
	libra_engine_departed(e, t, 0);
	assert_placed(e, host_submit(e, host_job(0, 25, 100, 1), 0), 0, 1);
	/* 0.5 suits 0 (0.25) and 2, not 1 (0.65). */
	u = host_submit(e, host_job(0, 50, 100.5, 2), 0);
	assert_int_equal(libra_engine_placement(e, u, r, 2), 2);
	assert_int_equal(r[0].first, 0);
	assert_int_equal(r[1].first, 2);
	libra_engine_destroy(e);
}

/* 0.5 and 0.75 with other deadlines: delays 1.25 and 1 differ. */
static void librarisk_refuses_unequal_delays(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 1, 1);
	struct libra_verdict v;

	host_submit(e, host_job(0, 75, 100, 1), 0);
	v = host_offer(e, host_job(0, 100, 200, 1), 0);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_int_equal(v.reason, LIBRA_REASON_RISK);
	libra_engine_destroy(e);
}

/* The same deadline: both would be 1.25 late, equally. */
static void librarisk_accepts_equal_delays(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 1, 1);

	host_submit(e, host_job(0, 75, 100, 1), 0);
	assert_true(host_submit(e, host_job(0, 50, 100, 1), 0) != 0);
	libra_engine_destroy(e);
}

/* 75 and 50 s of work by 100: both end at 125.  Alone 150 s end at 150, on a
 * processor where there is room for all in time; 60 s beside 30 are in time.
 */
static void librarisk_tells_how_late_it_will_be(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 1, 1);
	struct libra_verdict v;

	host_submit(e, host_job(0, 75, 100, 1), 0);
	v = host_offer(e, host_job(0, 50, 100, 1), 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_near(v.late_s, 25, 1e-9);
	libra_engine_destroy(e);
	e = host_engine("librarisk", 1, 1);
	host_submit(e, host_job(0, 30, 100, 1), 0);
	v = host_offer(e, host_job(0, 60, 100, 1), 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_near(v.late_s, 0, 0);
	/* Its deadline is over, and nobody is to share that. */
	v = host_offer(e, host_job(0, 10, 5, 1), 20);
	assert_int_equal(v.answer, LIBRA_REJECT);
	libra_engine_destroy(e);
	e = host_engine("librarisk", 1, 1);
	v = host_offer(e, host_job(0, 150, 100, 1), 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_near(v.late_s, 50, 1e-9);
	libra_engine_destroy(e);
}

static void a_late_task_suits_librarisk_for_nothing(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 1, 1);
	struct libra_job job = host_job(100, 1, 1e6, 1);

	host_submit(e, host_job(0, 20, 100, 1), 0);
	assert_true(host_submit(e, host_job(99, 1, 1e6, 1), 99) != 0);
	assert_int_equal(host_submit(e, job, 100), 0);
	assert_true(libra_engine_earliest_deadline(e, &job, 100) == INFINITY);
	libra_engine_destroy(e);
}

/* A task of 20 s by 100 s (0.2) is over its estimate at 50 and counts as 1 s of
 * work.  A job of 90 s by 100 s (0.9) comes: shares 1.1.  The first ends after
 * 1 / (0.2 / 1.1) = 5.5 s, in time; the job has done 4.5 s and ends at
 * 50 + 91 = 141, in time (150): no risk.  100 s by 100 s (1.0) would end at
 * 50 + 101 = 151, late: risk.
 */
static void librarisk_sees_that_overrunning_tasks_end_soon(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 1, 1);

	host_submit(e, host_job(0, 20, 100, 1), 0);
	assert_int_equal(host_submit(e, host_job(50, 100, 100, 1), 50), 0);
	assert_true(host_submit(e, host_job(50, 90, 100, 1), 50) != 0);
	libra_engine_destroy(e);
}

static void librarisk_names_a_deadline_that_it_accepts(void **state)
{
	struct libra_engine *e = host_engine("librarisk", 1, 1);
	struct libra_job job = host_job(0, 40, 41, 1);

	host_submit(e, host_job(0, 60, 100, 1), 0);
	assert_int_equal(host_submit(e, job, 0), 0);
	job.deadline_s = libra_engine_earliest_deadline(e, &job, 0);
	assert_near(job.deadline_s, 100, 1e-9);
	assert_true(host_submit(e, job, 0) != 0);
	libra_engine_destroy(e);
}

/* ---- edf ---- */

/* One processor, taken until 10.  Waiting: deadline 50 (first come), 40, 40.
 * At 10 the order is 40, 40 (in order of submission), 50.
 */
static void edf_runs_the_earliest_deadline_first(void **state)
{
	struct libra_engine *e = host_engine("edf", 1, 1);
	uint64_t t[4];

	t[0] = host_submit(e, host_job(0, 10, 100, 1), 0);
	host_pass(e, 0);
	t[1] = host_submit(e, host_job(1, 5, 49, 1), 1);
	t[2] = host_submit(e, host_job(2, 5, 38, 1), 2);
	t[3] = host_submit(e, host_job(3, 5, 37, 1), 3);
	host_pass(e, 3);
	assert_false(host_runs(e, t[1]));
	libra_engine_departed(e, t[0], 10);
	host_pass(e, 10);
	assert_true(host_runs(e, t[2]));
	libra_engine_departed(e, t[2], 15);
	host_pass(e, 15);
	assert_true(host_runs(e, t[3]));
	libra_engine_departed(e, t[3], 20);
	host_pass(e, 20);
	assert_true(host_runs(e, t[1]));
	libra_engine_destroy(e);
}

/* 4 processors, 2 taken.  The head needs 3 and blocks one that would fit. */
static void an_edf_head_that_does_not_fit_blocks(void **state)
{
	struct libra_engine *e = host_engine("edf", 1, 4);
	uint64_t a = host_submit(e, host_job(0, 10, 100, 2), 0), b, c;

	host_pass(e, 0);
	b = host_submit(e, host_job(1, 10, 50, 3), 1);
	c = host_submit(e, host_job(1, 1, 60, 1), 1);
	host_pass(e, 1);
	assert_false(host_runs(e, b) || host_runs(e, c));
	libra_engine_departed(e, a, 7);
	host_pass(e, 7);
	assert_true(host_runs(e, b) && host_runs(e, c));
	libra_engine_destroy(e);
}

/* The test comes when a job could start: at 10, 31 s by 40 are too late, and
 * are refused; 30 s by 40 end just in time; what fits is looked at next.
 */
static void edf_refuses_when_a_job_could_start(void **state)
{
	static const struct {
		double estimate_s;
		bool starts;
	} cases[] = {{30, true}, {30 + 5e-7, true}, {30 + 2e-6, false}};

	for (int i = 0; i < 3; i++) {
		struct libra_engine *e = host_engine("edf", 1, 1);
		uint64_t a = host_submit(e, host_job(0, 10, 100, 1), 0), b, c;
		struct libra_action action;

		host_pass(e, 0);
		b = host_submit(e, host_job(0, cases[i].estimate_s, 40, 1), 0);
		c = host_submit(e, host_job(0, 3, 90, 1), 0);
		host_pass(e, 0);
		assert_non_null(libra_engine_job(e, b));
		libra_engine_departed(e, a, 10);
		libra_engine_schedule(e, 10);
		assert_true(libra_engine_next_action(e, &action));
		assert_int_equal(action.ticket, b);
		assert_int_equal(action.kind, cases[i].starts
						      ? LIBRA_ACTION_START
						      : LIBRA_ACTION_REJECT);
		if (!cases[i].starts) {
			assert_int_equal(action.reason,
					 LIBRA_REASON_WOULD_MISS);
			assert_null(libra_engine_job(e, b));
		}
		assert_int_equal(host_runs(e, c), !cases[i].starts);
		libra_engine_destroy(e);
	}
}

static void edf_may_run_without_admission(void **state)
{
	static const double off = 0;
	static const uint32_t one = 1;
	struct libra_engine_conf conf = {
		.policy = &libra_policy_edf,
		.params = &off,
		.node_procs = &one,
		.nnodes = 1,
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine *e = libra_engine_create(&conf, NULL);
	uint64_t t = host_submit(e, host_job(0, 50, 40, 1), 0);
	struct libra_job job = host_job(5, 50, 40, 1);

	host_pass(e, 0);
	assert_true(host_runs(e, t));
	assert_near(libra_engine_earliest_deadline(e, &job, 5), 55, 0);
	libra_engine_destroy(e);
}

/* ---- fcfs and easy ---- */

/* 10 processors, from 0: A 6 until 10, then B needs 8, C 2 for 100 s, D 2 for
 * 5 s, E 4 for 10 s, F 4 for 11 s.  FCFS: only A runs.
 */
struct crowd {
	struct libra_engine *e;
	uint64_t a, b, c, d, x, f;
};

static struct crowd crowd(const char *policy)
{
	struct crowd w = {.e = host_engine(policy, 1, 10)};

	w.a = host_submit(w.e, host_job(0, 10, INFINITY, 6), 0);
	w.b = host_submit(w.e, host_job(0, 20, INFINITY, 8), 0);
	w.c = host_submit(w.e, host_job(0, 100, INFINITY, 2), 0);
	w.d = host_submit(w.e, host_job(0, 5, INFINITY, 2), 0);
	w.x = host_submit(w.e, host_job(0, 10, INFINITY, 4), 0);
	w.f = host_submit(w.e, host_job(0, 11, INFINITY, 4), 0);
	host_pass(w.e, 0);
	return w;
}

static void fcfs_waits_for_its_head(void **state)
{
	struct crowd w = crowd("fcfs");

	assert_true(host_runs(w.e, w.a));
	assert_false(host_runs(w.e, w.b) || host_runs(w.e, w.c) ||
		     host_runs(w.e, w.d) || host_runs(w.e, w.x));
	libra_engine_departed(w.e, w.a, 10);
	host_pass(w.e, 10);
	assert_placed(w.e, w.b, 0, 8);
	assert_placed(w.e, w.c, 8, 2);
	assert_false(host_runs(w.e, w.d));
	libra_engine_destroy(w.e);
}

/* EASY at 0: 4 free.  The shadow time is 10 (A's end), then 10 are free: 2
 * extra.  C ends late but takes the 2 extra: starts; 2 free, 0 extra.  D ends
 * at 5 <= 10: starts; 0 free.  E and F do not fit.
 * At 5, D ends: 2 free.  G (2, 5 s, ends exactly at 10) starts, H (2, 6 s) does
 * not: nothing is extra.
 * At 10, A and G end together: 8 free: B starts at its shadow time.
 */
static void easy_backfills_around_its_head(void **state)
{
	struct crowd w = crowd("easy");
	uint64_t g, h;

	assert_placed(w.e, w.a, 0, 6);
	assert_placed(w.e, w.c, 6, 2);
	assert_placed(w.e, w.d, 8, 2);
	assert_false(host_runs(w.e, w.b) || host_runs(w.e, w.x) ||
		     host_runs(w.e, w.f));
	libra_engine_departed(w.e, w.d, 5);
	h = host_submit(w.e, host_job(5, 6, INFINITY, 2), 5);
	g = host_submit(w.e, host_job(5, 5, INFINITY, 2), 5);
	host_pass(w.e, 5);
	assert_placed(w.e, g, 8, 2);
	assert_false(host_runs(w.e, h));
	libra_engine_departed(w.e, w.a, 10);
	libra_engine_departed(w.e, g, 10);
	host_pass(w.e, 10);
	assert_int_equal(libra_engine_placement(w.e, w.b, NULL, 0), 2);
	assert_false(host_runs(w.e, w.x));
	libra_engine_destroy(w.e);
}

/* Ends at one instant count together: A (3) and B (3) of 8 both end at 10, the
 * head needs 5: free then 8, extra 3.  C (2, long) takes 2 of the extra.  D
 * (1, long), later, does not fit.
 */
static void ends_at_one_instant_count_together(void **state)
{
	struct libra_engine *e = host_engine("easy", 1, 8);
	uint64_t c, head;

	host_submit(e, host_job(0, 10, INFINITY, 3), 0);
	host_submit(e, host_job(0, 10, INFINITY, 3), 0);
	host_pass(e, 0);
	head = host_submit(e, host_job(1, 10, INFINITY, 5), 1);
	c = host_submit(e, host_job(1, 99, INFINITY, 2), 1);
	host_pass(e, 1);
	assert_false(host_runs(e, head));
	assert_true(host_runs(e, c));
	libra_engine_destroy(e);
}

/* A of 2 was to end at 5 and runs on.  At 8 it counts as ending now: the head
 * (4 of 4) is expected at 8, and nothing can end by then.
 */
static void a_job_that_overran_ends_now(void **state)
{
	struct libra_engine *e = host_engine("easy", 1, 4);
	uint64_t early, late;

	host_submit(e, host_job(0, 5, INFINITY, 2), 0);
	host_pass(e, 0);
	host_submit(e, host_job(0, 10, INFINITY, 4), 0);
	early = host_submit(e, host_job(0, 5, INFINITY, 1), 0);
	host_pass(e, 0);
	assert_true(host_runs(e, early));
	late = host_submit(e, host_job(8, 0.5, INFINITY, 1), 8);
	host_pass(e, 8);
	assert_false(host_runs(e, late));
	libra_engine_destroy(e);
}

/* A pass that brings only arrivals looks at them alone: they get what an
 * earlier one left of the extra processors.  8 processors: A 4 until 10, the
 * head needs 6: extra 2.  C (1, long) and D (1, long), in passes of their own,
 * start; E (1, long) does not; F (1, ends by 10) does.
 */
static void the_reservation_outlives_passes_with_arrivals_only(void **state)
{
	struct libra_engine *e = host_engine("easy", 1, 8);
	static const double estimate_s[] = {99, 99, 99, 4};
	static const bool starts[] = {true, true, false, true};

	host_submit(e, host_job(0, 10, INFINITY, 4), 0);
	host_submit(e, host_job(0, 10, INFINITY, 6), 0);
	host_pass(e, 0);
	for (int i = 0; i < 4; i++) {
		uint64_t t = host_submit(
			e, host_job(i, estimate_s[i], INFINITY, 1), i);

		host_pass(e, i);
		assert_int_equal(host_runs(e, t), starts[i]);
	}
	libra_engine_destroy(e);
}

/* Offered before a pass and committed after it, a job is not yet looked at. */
static void a_job_committed_after_a_pass_is_still_looked_at(void **state)
{
	struct libra_engine *e = host_engine("easy", 1, 4);
	struct libra_verdict v;

	host_submit(e, host_job(0, 10, INFINITY, 3), 0);
	host_submit(e, host_job(0, 10, INFINITY, 4), 0);
	host_submit(e, host_job(0, 99, INFINITY, 1), 0);
	host_pass(e, 0);
	v = host_offer(e, host_job(1, 5, INFINITY, 1), 1);
	host_pass(e, 1);
	libra_engine_commit(e, v.ticket, 1, 2);
	host_pass(e, 2);
	assert_true(host_runs(e, v.ticket));
	libra_engine_destroy(e);
}

/* The queue's order is that of the offers, not of the commits. */
static void a_late_commit_keeps_its_place(void **state)
{
	struct libra_engine *e = host_engine("fcfs", 1, 1);
	struct libra_verdict v = host_offer(e, host_job(0, 5, INFINITY, 1), 0);
	uint64_t t = host_submit(e, host_job(0, 5, INFINITY, 1), 0);

	libra_engine_commit(e, v.ticket, 1, 0);
	host_pass(e, 0);
	assert_true(host_runs(e, v.ticket));
	assert_false(host_runs(e, t));
	libra_engine_destroy(e);
}

/* The head is withdrawn: the next one fits. */
static void a_withdrawn_head_makes_way(void **state)
{
	struct libra_engine *e = host_engine("easy", 1, 4);
	uint64_t head, next;

	host_submit(e, host_job(0, 10, INFINITY, 2), 0);
	host_pass(e, 0);
	head = host_submit(e, host_job(0, 10, INFINITY, 4), 0);
	next = host_submit(e, host_job(0, 99, INFINITY, 2), 0);
	host_pass(e, 0);
	assert_false(host_runs(e, next));
	assert_int_equal(libra_engine_withdraw(e, head, 1), 0);
	host_pass(e, 1);
	assert_true(host_runs(e, next));
	libra_engine_destroy(e);
}

/* Decided at 0, started at 4: its 10 s end at 14, so 13 s beside the head are
 * in time at 1 no more than before, and at 4 10 s are.
 */
static void a_late_start_is_a_late_end(void **state)
{
	struct libra_engine *e = host_engine("easy", 1, 4);
	struct libra_action action;
	uint64_t a, b;

	a = host_submit(e, host_job(0, 10, INFINITY, 3), 0);
	libra_engine_schedule(e, 0);
	assert_true(libra_engine_next_action(e, &action));
	host_submit(e, host_job(0, 10, INFINITY, 4), 0);
	b = host_submit(e, host_job(0, 10, INFINITY, 1), 1);
	host_pass(e, 1);
	assert_false(host_runs(e, b));
	assert_int_equal(libra_engine_started(e, a, 4), 0);
	host_pass(e, 4);
	assert_true(host_runs(e, b));
	libra_engine_destroy(e);
}

/* A job without one is no job for those that promise it, or sort by it; queues
 * take it, and one that they cannot end in time, too.
 */
static void who_needs_a_deadline(void **state)
{
	static const char *const need[] = {"libra", "librarisk", "demand",
					   "band",  "edf",	 "edf-bf"};
	static const char *const queues[] = {"fcfs", "easy", "easy-sjbf",
					     "conservative"};
	struct libra_job without = host_job(0, 10, INFINITY, 1);
	struct libra_job late = host_job(0, 10, 5, 1);

	for (size_t i = 0; i < sizeof(need) / sizeof(need[0]); i++) {
		struct libra_engine *e = host_engine(need[i], 1, 1);
		struct libra_verdict v = host_offer(e, without, 0);

		assert_int_equal(v.answer, LIBRA_REJECT);
		assert_int_equal(v.reason, LIBRA_REASON_NO_DEADLINE);
		libra_engine_destroy(e);
	}
	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
		struct libra_engine *e = host_engine(queues[i], 1, 1);
		uint64_t ticket = host_submit(e, without, 0);
		uint64_t next = host_submit(e, late, 0);

		host_pass(e, 0);
		assert_true(host_runs(e, ticket));
		assert_int_equal(libra_engine_departed(e, ticket, 10), 0);
		host_pass(e, 10);
		assert_true(host_runs(e, next));
		libra_engine_destroy(e);
	}
}

static void names_near_a_policy_are_told(void **state)
{
	static const char *const told[][2] = {
		{"lbra", "unknown policy 'lbra' (did you mean 'libra'?)"},
		{"librarsk", "unknown policy 'librarsk' (did you mean "
			     "'librarisk'?)"},
		{"random-rejct", "unknown policy 'random-rejct' (did you mean "
				 "'random-reject'?)"},
		{"zzzzzzzzzz", "unknown policy 'zzzzzzzzzz'"},
	};

	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		struct libra_error err = {""};

		errno = 0;
		assert_null(libra_policy_find(told[i][0], &err));
		assert_int_equal(errno, ENOENT);
		assert_string_equal(err.text, told[i][1]);
	}
	for (size_t i = 0; libra_policies[i]; i++)
		assert_ptr_equal(
			libra_policy_find(libra_policies[i]->name, NULL),
			libra_policies[i]);
}

/* What differs in slurmctld from the papers; all else is as it is there. */
static void clusters_have_values_of_their_own(void **state)
{
	static const struct {
		const char *policy, *values;
	} expected[] = {
		{"libra", "late_yields=1 "},
		{"librarisk",
		 "equal_delays=0 late_yields=1 guaranteed_only=0 "},
		{"band",
		 "finishes=1 machine_reserve=0 reserve=1 residents=0 "
		 "overrun=0.1 overrun_floor=1 guaranteed_only=0 neighbours=1 align=1 "
		 "spread=1 "},
		{"demand", "machine_reserve=0 overrun=0.1 overrun_floor=1 "
			   "guaranteed_only=0 "},
		{"planned",
		 "machine_reserve=1 hold_back=10 hard_starts=0 replan=1 "
		 "pull_forward=1 pull_hold_back=0 firm_age=86400 margin=60 "
		 "overrun=0.1 overrun_floor=1 guaranteed_only=0 "},
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct libra_policy_type *p =
			libra_policy_find(expected[i].policy, NULL);
		size_t at = 0;

		assert_non_null(p);
		for (size_t k = 0; k < p->nparams; k++)
			at += (size_t)snprintf(
				text + at, sizeof(text) - at, "%s=%g ",
				p->params[k].name,
				libra_policy_cluster_value(p, k));
		assert_string_equal(text, expected[i].values);
	}
}

/* What is in time but for rounding is no bet; what is late says by how much. */
static void a_rounding_is_no_bet(void **state)
{
	static const char *const names[] = {"planned", "band", "demand"};

	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
		struct libra_engine *e = host_engine(names[k], 1, 4);
		double now_s = 1.7e9 + 0.1;
		struct libra_verdict v;

		v = host_offer(e, host_job(now_s, 100, 100 - 5e-7, 1), now_s);
		assert_int_equal(v.answer, LIBRA_ACCEPT);
		assert_true(v.late_s == 0);
		v = host_offer(e, host_job(now_s, 100, 90, 1), now_s);
		if (v.answer == LIBRA_ACCEPT)
			assert_near(v.late_s, 10, 1e-6);
		libra_engine_destroy(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libra_accepts_up_to_a_sum_of_one),
		cmocka_unit_test(a_rounding_is_no_bet),
		cmocka_unit_test(libra_counts_what_remains),
		cmocka_unit_test(libra_takes_the_fullest_that_suits),
		cmocka_unit_test(libra_breaks_ties_by_the_lower_index),
		cmocka_unit_test(libra_refuses_if_too_few_processors_suit),
		cmocka_unit_test(libra_refuses_what_no_processor_can),
		cmocka_unit_test(over_its_estimate_a_task_counts_as_it_came),
		cmocka_unit_test(a_late_task_leaves_libra_no_room),
		cmocka_unit_test(all_processor_time_is_handed_out),
		cmocka_unit_test(libra_names_the_earliest_deadline),
		cmocka_unit_test(
			librarisk_accepts_the_impossible_on_an_empty_processor),
		cmocka_unit_test(
			librarisk_names_no_deadline_before_the_estimate),
		cmocka_unit_test(librarisk_takes_the_first_that_suits),
		cmocka_unit_test(librarisk_refuses_unequal_delays),
		cmocka_unit_test(who_needs_a_deadline),
		cmocka_unit_test(names_near_a_policy_are_told),
		cmocka_unit_test(librarisk_accepts_equal_delays),
		cmocka_unit_test(librarisk_tells_how_late_it_will_be),
		cmocka_unit_test(a_late_task_suits_librarisk_for_nothing),
		cmocka_unit_test(
			librarisk_sees_that_overrunning_tasks_end_soon),
		cmocka_unit_test(librarisk_names_a_deadline_that_it_accepts),
		cmocka_unit_test(edf_runs_the_earliest_deadline_first),
		cmocka_unit_test(an_edf_head_that_does_not_fit_blocks),
		cmocka_unit_test(edf_refuses_when_a_job_could_start),
		cmocka_unit_test(edf_may_run_without_admission),
		cmocka_unit_test(fcfs_waits_for_its_head),
		cmocka_unit_test(easy_backfills_around_its_head),
		cmocka_unit_test(ends_at_one_instant_count_together),
		cmocka_unit_test(a_job_that_overran_ends_now),
		cmocka_unit_test(
			the_reservation_outlives_passes_with_arrivals_only),
		cmocka_unit_test(
			a_job_committed_after_a_pass_is_still_looked_at),
		cmocka_unit_test(a_late_commit_keeps_its_place),
		cmocka_unit_test(a_withdrawn_head_makes_way),
		cmocka_unit_test(a_late_start_is_a_late_end),
		cmocka_unit_test(clusters_have_values_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
