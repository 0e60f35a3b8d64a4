/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_predict.c - predictions, corrections, and both orders, by hand. */
#include <errno.h>

#include "core/policy/policies.h"
#include "sim/run/predict.h"
#include "sim/run/run.h"
#include "tests/unit/test.h"

#define MINUTE 60
#define HOUR   3600

static struct sim_job job(uint32_t user, double submit_s, double runtime_s,
			  double request_s, uint32_t nprocs)
{
	return (struct sim_job){
		.job = {.submit_s = submit_s,
			.estimate_s = request_s,
			.deadline_s = INFINITY,
			.nprocs = nprocs,
			.user = user},
		.runtime_s = runtime_s,
		.deadline_rel_s = INFINITY,
	};
}

static int try(struct sim_job *jobs, size_t n, uint32_t procs,
	       const struct libra_policy_type *policy,
	       struct sim_prediction prediction, struct sim_outcome *o)
{
	struct sim_workload w = {
		.jobs = jobs,
		.njobs = n,
		.procs = procs,
		.prediction = prediction,
	};
	struct libra_error err = {""};
	struct sim_result r;

	return sim_run(&w, policy, NULL, &r, o, &err);
}

static void run(struct sim_job *jobs, size_t n, uint32_t procs,
		const struct libra_policy_type *policy,
		struct sim_prediction prediction, struct sim_outcome *o)
{
	assert_int_equal(try(jobs, n, procs, policy, prediction, o), 0);
}

static struct sim_predict predictor(struct sim_prediction prediction)
{
	struct sim_workload w = {.prediction = prediction};
	struct libra_error err = {""};
	struct sim_predict p;

	if (sim_predict_init(&p, &w, &err) < 0)
		fail_msg("%s", err.text);
	return p;
}

/* ---- predictors ---- */

/* Of 7 and 20 the mean is 13.5: 13.  Two jobs of another user change nothing,
 * a request of 10 s bounds it, and two runs of 0.5 s give 1 s.
 */
static void the_last_two_by_hand(void **state)
{
	struct sim_predict p = predictor(
		(struct sim_prediction){.predictor = SIM_PREDICT_LAST_TWO});
	struct sim_job next = job(1, 0, 99, 100, 1);
	const struct sim_job ended[] = {
		job(1, 0, 7, 100, 1), job(2, 0, 50, 100, 1),
		job(1, 0, 20, 100, 1), job(2, 0, 60, 100, 1)};
	static const double expected[] = {100, 100, 13, 13};
	const struct sim_job brief = job(1, 0, 0.5, 100, 1);

	assert_near(sim_predict_offer(&p, &next), 100, 0);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(sim_predict_learn(&p, &ended[i]), 0);
		assert_near(sim_predict_offer(&p, &next), expected[i], 0);
	}
	next.job.estimate_s = 10;
	assert_near(sim_predict_offer(&p, &next), 10, 0);
	sim_predict_learn(&p, &brief);
	/* 20 and 0.5: 10.25. */
	next.job.estimate_s = 100;
	assert_near(sim_predict_offer(&p, &next), 10, 0);
	sim_predict_learn(&p, &brief);
	assert_near(sim_predict_offer(&p, &next), 1, 0);
	sim_predict_fini(&p);
}

/* Many users: all that is known of each stays. */
static void users_are_told_apart(void **state)
{
	struct sim_predict p = predictor(
		(struct sim_prediction){.predictor = SIM_PREDICT_LAST_TWO});

	for (uint32_t i = 0; i < 2000; i++) {
		struct sim_job ended = job(i % 1000, 0, 10 + i, 1e6, 1);

		assert_int_equal(sim_predict_learn(&p, &ended), 0);
	}
	for (uint32_t i = 0; i < 1000; i++) {
		struct sim_job next = job(i, 0, 1, 1e6, 1);

		/* (10 + i + 1010 + i) / 2 */
		assert_near(sim_predict_offer(&p, &next), 510 + i, 0);
	}
	sim_predict_fini(&p);
}

/* The median of 1/4, 1/2, 3/4 is 1/2; of the last two the less: 1/2 as well;
 * clairvoyance is the run time, and no prediction the request.
 */
static void the_others_by_hand(void **state)
{
	struct sim_prediction x = {.predictor = SIM_PREDICT_QUANTILE,
				   .quantile = 0.5,
				   .depth = 20};
	struct sim_job next = job(1, 0, 33, 60, 1);
	struct sim_predict p = predictor(x);

	for (int k = 1; k <= 3; k++) {
		struct sim_job ended = job(1, 0, 25 * k, 100, 1);

		sim_predict_learn(&p, &ended);
	}
	assert_near(sim_predict_offer(&p, &next), 30, 1e-6);
	sim_predict_fini(&p);
	p = predictor(
		(struct sim_prediction){.predictor = SIM_PREDICT_CLAIRVOYANT});
	assert_near(sim_predict_offer(&p, &next), 33, 0);
	sim_predict_fini(&p);
	p = predictor((struct sim_prediction){SIM_PREDICT_REQUESTED});
	assert_near(sim_predict_offer(&p, &next), 60, 0);
	sim_predict_fini(&p);
}

/* ---- corrections ---- */

static double next_s(int correction, double first_s, double request_s,
		     double executed_s)
{
	struct sim_predict p =
		predictor((struct sim_prediction){.correction = correction});
	const struct sim_job j = job(1, 0, 1, request_s, 1);
	double s = sim_predict_next(&p, &j, first_s, executed_s);

	sim_predict_fini(&p);
	return s;
}

/* 100 s predicted: 160, 400, 1000, 1900 s, then 1 h and 100 s and so on. */
static void increments_are_those_of_the_paper(void **state)
{
	static const double more[] = {1 * MINUTE,  5 * MINUTE, 15 * MINUTE,
				      30 * MINUTE, 1 * HOUR,   2 * HOUR,
				      5 * HOUR,	   10 * HOUR,  20 * HOUR,
				      50 * HOUR,   100 * HOUR, 1e6};
	double at_s = 100;

	for (int i = 0; i < 12; i++) {
		double expected = i == 11 ? 1e6 : 100 + more[i];

		at_s = next_s(SIM_CORRECTION_INCREMENTS, 100, 1e6, at_s);
		assert_near(at_s, expected, 0);
	}
	/* Never more than was asked for; what has gone by is left out. */
	assert_near(next_s(SIM_CORRECTION_INCREMENTS, 100, 130, 100), 130, 0);
	assert_near(next_s(SIM_CORRECTION_INCREMENTS, 100, 1e6, 500), 1000, 0);
}

static void doubling_and_the_request(void **state)
{
	assert_near(next_s(SIM_CORRECTION_DOUBLE, 100, 1000, 100), 200, 0);
	assert_near(next_s(SIM_CORRECTION_DOUBLE, 100, 1000, 200), 400, 0);
	assert_near(next_s(SIM_CORRECTION_DOUBLE, 100, 1000, 800), 1000, 0);
	assert_near(next_s(SIM_CORRECTION_REQUEST, 100, 1000, 100), 1000, 0);
}

/* ---- runs ---- */

/* 4 processors, A (3, 100 s) runs.  B (4) heads the queue and is expected at
 * 100.  C (1, 90 s), D (1, 50 s) and E (1, 50 s) came in this order: EASY takes
 * C, by the estimates D goes first and then E, at 51; C would end too late.
 */
static void the_shortest_skips_ahead_first(void **state)
{
	struct sim_job jobs[] = {job(1, 0, 100, 100, 3), job(1, 1, 10, 10, 4),
				 job(1, 1, 90, 90, 1), job(1, 1, 49, 50, 1),
				 job(1, 1, 40, 49, 1)};
	struct sim_prediction none = {0};
	struct sim_outcome o[5];

	run(jobs, 5, 4, &libra_policy_easy, none, o);
	assert_near(o[2].start_s, 1, 0);
	assert_near(o[1].start_s, 100, 0);
	assert_near(o[3].start_s, 110, 0);
	run(jobs, 5, 4, &libra_policy_easy_sjbf, none, o);
	assert_near(o[4].start_s, 1, 0);
	/* E ends at 41: D, 50 s, is in time, C is not. */
	assert_near(o[3].start_s, 41, 0);
	assert_near(o[1].start_s, 100, 0);
	assert_near(o[2].start_s, 110, 0);
}

/* 2 processors, two jobs of user 1, 10 s of 100: the third, at 20, is
 * predicted to take 10.  It takes 70: at 20 + 10 it is over.  F (2) heads the
 * queue from 25, expected at 30; G (1, 8 s of user 2) at 28 would be late, for
 * 28 + 8 > 30.  H (1, 8 s) comes at 31: the prediction is corrected to the
 * request (120): H and G start.  Doubled to 20 it holds until 40: they start as
 * well, 31 + 8 <= 40.  With a minute more, too.
 */
static void a_job_outlives_its_prediction(void **state)
{
	struct sim_job jobs[] = {job(1, 0, 10, 100, 1),	 job(1, 9, 10, 100, 1),
				 job(1, 20, 70, 100, 1), job(2, 25, 5, 5, 2),
				 job(2, 28, 8, 8, 1),	 job(2, 31, 8, 9, 1)};
	struct sim_outcome o[6];

	for (int how = SIM_CORRECTION_REQUEST; how <= SIM_CORRECTION_DOUBLE;
	     how++) {
		struct sim_prediction x = {.predictor = SIM_PREDICT_LAST_TWO,
					   .correction = how};

		for (int order = 0; order <= SIM_ORDER_SC15; order++) {
			x.event_order = order;
			run(jobs, 6, 2, &libra_policy_easy, x, o);
			assert_near(o[2].estimate_s, 10, 0);
			assert_near(o[4].start_s, 31, 0);
			assert_near(o[3].start_s, 90, 0);
			/* G ends at 39.  9 s more are in time but for the
			 * doubled prediction, which is over at 40.
			 */
			assert_near(o[5].start_s,
				    how == SIM_CORRECTION_DOUBLE ? 95 : 39, 0);
		}
	}
}

/* A clairvoyant knows that A (3 of 4, 10 s of 50) ends at 10: C (1, 20 s) must
 * wait for B (4, 5 s), which is not delayed by it otherwise.
 */
static void a_clairvoyant_reserves_the_real_end(void **state)
{
	struct sim_job jobs[] = {job(1, 0, 10, 50, 3), job(1, 1, 5, 40, 4),
				 job(1, 2, 20, 30, 1)};
	struct sim_prediction x = {.predictor = SIM_PREDICT_CLAIRVOYANT};
	struct sim_outcome o[3];

	run(jobs, 3, 4, &libra_policy_easy, x, o);
	assert_near(o[1].start_s, 10, 0);
	assert_near(o[2].start_s, 15, 0);
	run(jobs, 3, 4, &libra_policy_easy, (struct sim_prediction){0}, o);
	assert_near(o[2].start_s, 2, 0);
	assert_near(o[1].start_s, 22, 0);
}

/* 2 processors, A (1) and B (1) end at 10.  A was expected to: its processor is
 * free when C (1) comes at 10, B's is not until its end is handled.  D (2)
 * comes at 10, too, after C.  In the project's own order A and B are gone
 * before.
 *
 * C starts with its submission in both orders.  E (2) waits since 5 and needs
 * both: in the order of SC 2015 C, which comes first and fits, has a pass in
 * which E is the head, that does not fit.  E is expected at 20, when B's
 * request ends; C, 5 s, may go first.  In the other order E starts at 10.
 */
static void a_submission_comes_before_an_early_end(void **state)
{
	struct sim_job jobs[] = {job(1, 0, 10, 10, 1), job(1, 0, 10, 20, 1),
				 job(1, 5, 7, 7, 2), job(1, 10, 5, 5, 1)};
	struct sim_prediction x = {.event_order = SIM_ORDER_SC15};
	struct sim_outcome o[4];

	run(jobs, 4, 2, &libra_policy_easy, x, o);
	assert_near(o[3].start_s, 10, 0);
	assert_near(o[2].start_s, 15, 0);
	run(jobs, 4, 2, &libra_policy_easy, (struct sim_prediction){0}, o);
	assert_near(o[2].start_s, 10, 0);
	assert_near(o[3].start_s, 17, 0);
}

static void shared_processors_have_no_such_order(void **state)
{
	struct sim_job jobs[] = {job(1, 0, 10, 10, 1)};
	struct sim_prediction x = {.event_order = SIM_ORDER_SC15};
	struct sim_outcome o[1];

	errno = 0;
	assert_int_equal(try(jobs, 1, 2, &libra_policy_libra, x, o), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(try(jobs, 1, 2, &libra_policy_demand, x, o), -1);
}

/* ---- the leader ---- */

enum { NJOBS = 400, NDAYS = 20 };

/* Four users, 8 processors, jobs that take a half of what is asked for, or any
 * part of it; they queue.
 */
static void make_jobs(struct sim_job *jobs)
{
	uint32_t x = 12345;

	for (int i = 0; i < NJOBS; i++) {
		double request_s, part;
		uint32_t user;

		x = x * 1664525 + 1013904223;
		user = x >> 16 & 3;
		request_s = 600 + (x >> 8) % 40000;
		part = user == 0 ? 0.5 : 0.05 + (x >> 12 & 255) / 300.0;
		jobs[i] = job(user, floor(i * 86400.0 * NDAYS / NJOBS),
			      floor(part * request_s), request_s,
			      1 + (x >> 20) % 6);
	}
}

static const struct sim_prediction follow = {.predictor = SIM_PREDICT_LEADER,
					     .event_order = SIM_ORDER_SC15,
					     .quantile = 0.5,
					     .depth = 20,
					     .window = 7};

/* What happens before a job comes is the same if it and all that follow never
 * come, or take ten times as long.
 */
static void the_leader_sees_no_future(void **state)
{
	static struct sim_job jobs[NJOBS], other[NJOBS];
	static struct sim_outcome o[NJOBS], p[NJOBS];
	size_t nsame = 0, nother = 0;

	make_jobs(jobs);
	make_jobs(other);
	for (int i = NJOBS / 2; i < NJOBS; i++) {
		other[i].job.estimate_s *= 10;
		other[i].runtime_s *= 10;
	}
	run(jobs, NJOBS, 8, &libra_policy_easy_sjbf, follow, o);
	for (int cut = NJOBS / 2; cut <= NJOBS / 2 + 20; cut += 10) {
		double from_s = jobs[cut].job.submit_s;

		run(jobs, (size_t)cut, 8, &libra_policy_easy_sjbf, follow, p);
		for (int i = 0; i < cut; i++) {
			if (o[i].start_s >= from_s)
				continue;
			assert_near(p[i].start_s, o[i].start_s, 0);
			nsame++;
		}
	}
	run(other, NJOBS, 8, &libra_policy_easy_sjbf, follow, p);
	for (int i = 0; i < NJOBS / 2; i++) {
		assert_near(p[i].estimate_s, o[i].estimate_s, 0);
		nother += o[i].estimate_s < jobs[i].job.estimate_s;
	}
	assert_true(nsame > NJOBS / 2 && nother > NJOBS / 4);
}

/* It begins as the median, and then does something else. */
static void the_leader_begins_with_the_median(void **state)
{
	static struct sim_job jobs[NJOBS];
	static struct sim_outcome o[NJOBS], p[NJOBS];
	struct sim_prediction median = follow;
	size_t ndiffer = 0;

	median.predictor = SIM_PREDICT_QUANTILE;
	make_jobs(jobs);
	run(jobs, NJOBS, 8, &libra_policy_easy_sjbf, follow, o);
	run(jobs, NJOBS, 8, &libra_policy_easy_sjbf, median, p);
	for (int i = 0; i < NJOBS / NDAYS; i++)
		assert_near(o[i].start_s, p[i].start_s, 0);
	for (int i = 0; i < NJOBS; i++)
		ndiffer += o[i].start_s != p[i].start_s;
	assert_true(ndiffer > 0);
}

static void the_leader_needs_waiting_times(void **state)
{
	static struct sim_job jobs[NJOBS];
	static struct sim_outcome o[NJOBS];
	struct sim_prediction own = follow;

	make_jobs(jobs);
	own.event_order = SIM_ORDER_LIBRASIM;
	assert_int_equal(try(jobs, NJOBS, 8, &libra_policy_easy, own, o), 0);
	errno = 0;
	assert_int_equal(try(jobs, NJOBS, 8, &libra_policy_libra, own, o), -1);
	assert_int_equal(errno, EINVAL);
	for (int i = 0; i < NJOBS; i++)
		jobs[i].job.deadline_s = jobs[i].job.submit_s + 1;
	errno = 0;
	assert_int_equal(try(jobs, NJOBS, 8, &libra_policy_edf, own, o), -1);
	assert_int_equal(errno, EINVAL);
}

/* ---- names and records ---- */

static void names_are_found_both_ways(void **state)
{
	struct libra_error err = {""};

	for (int i = 0; i < SIM_NNAMES; i++) {
		int n = 0;

		for (; sim_names_of(i, n); n++)
			assert_int_equal(
				sim_names_find(i, sim_names_of(i, n), &err), n);
		assert_in_range(n, 2, 8);
		assert_null(sim_names_of(i, -1));
	}
	assert_int_equal(sim_names_find(SIM_NAMES_CORRECTION, "much", &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(err.text, "correction is request, increments, "
				      "double or likes, not 'much'");
}

static int check(struct sim_prediction x)
{
	struct libra_error err = {""};

	errno = 0;
	return sim_prediction_check(&x, &err);
}

static void senseless_predictions_are_refused(void **state)
{
	struct sim_prediction x = {.quantile = 0.5, .depth = 20}, y;

	assert_int_equal(check(x), 0);
	y = x;
	y.depth = 2.5;
	assert_int_equal(check(y), -1);
	assert_int_equal(errno, EINVAL);
	y.depth = 0;
	assert_int_equal(check(y), -1);
	y = x;
	y.predictor = 77;
	assert_int_equal(check(y), -1);
	y = x;
	y.correction = SIM_CORRECTION_LIKES;
	assert_int_equal(check(y), -1);
	y.predictor = SIM_PREDICT_QUANTILE;
	assert_int_equal(check(y), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_two_by_hand),
		cmocka_unit_test(users_are_told_apart),
		cmocka_unit_test(the_others_by_hand),
		cmocka_unit_test(increments_are_those_of_the_paper),
		cmocka_unit_test(doubling_and_the_request),
		cmocka_unit_test(the_shortest_skips_ahead_first),
		cmocka_unit_test(a_job_outlives_its_prediction),
		cmocka_unit_test(a_clairvoyant_reserves_the_real_end),
		cmocka_unit_test(a_submission_comes_before_an_early_end),
		cmocka_unit_test(shared_processors_have_no_such_order),
		cmocka_unit_test(the_leader_sees_no_future),
		cmocka_unit_test(the_leader_begins_with_the_median),
		cmocka_unit_test(the_leader_needs_waiting_times),
		cmocka_unit_test(names_are_found_both_ways),
		cmocka_unit_test(senseless_predictions_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
