/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_formulas.c - the machine's reserve and the search of a deadline, worked
 * by hand.  Other formulas have tests of their own.
 */
#include "core/formula/bisect.h"
#include "core/formula/need.h"
#include "core/formula/reserve.h"
#include "tests/unit/test.h"

/* Four jobs.  At 0: 2 processors, 30 s by 100: 60 processor seconds are
 * offered.  At 10: 4 for 50 s by 30: 4 x 20, as no more can be done by then;
 * and 1 for 10 s.  At 40: 1 for 10 s.
 *
 * The first instant counts in full, at the second: 60 in 10 s.  The second by
 * a half, at the third: 60 + (90 - 60) / 2 = 75 in 10 + (30 - 10) / 2 = 20 s.
 * Work of a job: 60; (60 + 200) / 2 = 130; 270 / 3 = 90; 280 / 4 = 70.
 */
static void averages_of_offers(void **state)
{
	static const struct libra_reserve_job job[] = {
		{2, 30, 0, 0, 100},
		{4, 50, 0, 10, 30},
		{1, 10, 0, 10, 100},
		{1, 10, 0, 40, 100},
	};
	struct libra_reserve r = {0};

	libra_reserve_learn(&r, &job[0], 0);
	assert_near(r.pending_s, 60, 0);
	assert_near(r.mean_work_s, 60, 0);
	assert_near(r.ninstants, 0, 0);
	libra_reserve_learn(&r, &job[1], 10);
	assert_near(r.offered_s, 60, 0);
	assert_near(r.between_s, 10, 0);
	assert_near(r.pending_s, 80, 0);
	assert_near(r.mean_work_s, 130, 1e-12);
	libra_reserve_learn(&r, &job[2], 10);
	assert_near(r.ninstants, 1, 0);
	assert_near(r.pending_s, 90, 0);
	assert_near(r.mean_work_s, 90, 1e-12);
	libra_reserve_learn(&r, &job[3], 40);
	assert_near(r.ninstants, 2, 0);
	assert_near(r.offered_s, 75, 0);
	assert_near(r.between_s, 20, 0);
	assert_near(r.pending_s, 10, 0);
	assert_near(r.mean_work_s, 70, 1e-12);
	assert_near(r.last_s, 40, 0);
	assert_near(r.noffers, 4, 0);
	/* From the 334th instant on each has 0.003. */
	r.ninstants = 1000;
	libra_reserve_learn(&r, &job[3], 50);
	assert_near(r.offered_s, 75 + 0.003 * (10 - 75), 1e-12);
	assert_near(r.between_s, 20 + 0.003 * (10 - 20), 1e-12);
}

/* What is promised may be 1 - 0.3 ln(load) ln(size) of the time until the
 * deadline, and 0.005 at the least.
 */
static bool refused(double size, double load, double use, double ninstants)
{
	/* Mean work 100, so that 50 is size 1; room 0.5 of 10 processors, so
	 * that 5 in a second is load 1; until the deadline there are 2000.
	 */
	const struct libra_reserve r = {.ninstants = ninstants,
					.mean_work_s = 100,
					.offered_s = 50 * load,
					.between_s = 10};
	const struct libra_reserve_job job = {
		.nprocs = 2, .need_s = 25 * size, .deadline_s = 300};

	return libra_reserve_refuses(&r, &job, 0.5, 10, 2000 * use, 100);
}

static void the_reserve_is_for_large_jobs_under_load(void **state)
{
	const double e = exp(1);

	assert_true(refused(e, e, 0.7001, 20));
	assert_false(refused(e, e, 0.6999, 20));
	assert_false(refused(e, e, 0.7001, 19));
	/* size e^2: 1 - 0.6; both: 1 - 1.2, which is below the least. */
	assert_true(refused(e * e, e, 0.4001, 20));
	assert_false(refused(e * e, e, 0.3999, 20));
	assert_true(refused(e, e * e, 0.4001, 20));
	assert_true(refused(e * e, e * e, 0.00501, 20));
	assert_false(refused(e * e, e * e, 0.005, 20));
	/* Not more than half of the mean, or not more load than room. */
	assert_false(refused(1, e, 2, 20));
	assert_false(refused(e, 1, 2, 20));
	assert_true(refused(1.01, e, 2, 20));
	assert_true(refused(e, 1.01, 2, 20));
}

static void residents_share_the_room(void **state)
{
	assert_near(libra_reserve_room(1.5, 0), 1.5, 0);
	assert_near(libra_reserve_room(1.5, -1), 1.5, 0);
	assert_near(libra_reserve_room(1.5, 4), 0.75, 0);
	assert_near(libra_reserve_room(1.5, 12), 1.125, 0);
	assert_near(libra_reserve_room(1.5, 1), 0.3, 1e-15);
}

struct question {
	double from_s; /* accepted from then on */
	unsigned asked;
};

static bool accepts(void *context, double deadline_s)
{
	struct question *q = context;

	q->asked++;
	return deadline_s >= q->from_s;
}

static double search(double low_s, double high_s, double from_s,
		     unsigned *asked)
{
	struct question q = {.from_s = from_s};
	double at_s = libra_bisect_deadline(low_s, high_s, accepts, &q);

	*asked = q.asked;
	return at_s;
}

static void the_interval_is_halved(void **state)
{
	unsigned n;

	/* 3, 1.5, 0.75: to within a second. */
	assert_near(search(0, 3, -1, &n), 0.75, 0);
	assert_int_equal(n, 3);
	/* 4, 2 no, 3: from 2 to 3 is a second. */
	assert_near(search(0, 4, 2.5, &n), 3, 0);
	assert_int_equal(n, 3);
	assert_near(search(1000, 1004, 1001.5, &n), 1002, 0);
	assert_near(search(0, 1, 0.5, &n), 1, 0);
	assert_int_equal(n, 1);
	assert_true(isinf(search(0, 4, 5, &n)));
	assert_int_equal(n, 1);
	/* 64 halves at the most. */
	assert_near(search(0, ldexp(1, 100), -1, &n), ldexp(1, 36), 0);
	assert_int_equal(n, 65);
}

/* Over its estimate a job is believed to need a part of what it did, and the
 * floor at least; never more than there is until the deadline.
 */
static void what_a_job_needs(void **state)
{
	const struct libra_overrun overrun = {.part = 0.5, .floor_s = 20};

	assert_near(libra_need(&overrun, 100, 30, 1000, 0), 70, 0);
	assert_near(libra_need(&overrun, 100, 30, 1000, 950), 50, 0);
	assert_near(libra_need(&overrun, 100, 30, 1000, 1100), 0, 0);
	assert_near(libra_need(&overrun, 100, 100, 1000, 0), 0, 0);
	/* Rounding is no overrun. */
	assert_near(libra_need(&overrun, 100, 100 + 1e-7, 1000, 0), 0, 0);
	assert_near(libra_need(&overrun, 100, 101, 1000, 0), 50.5, 0);
	assert_near(libra_need(&overrun, 10, 11, 1000, 0), 20, 0);
	assert_near(libra_need(&overrun, 10, 11, 1000, 990), 10, 0);
	assert_true(libra_is_late(100, 100.001));
	assert_false(libra_is_late(100, 100));
	assert_false(libra_is_late(100, 99));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(averages_of_offers),
		cmocka_unit_test(the_reserve_is_for_large_jobs_under_load),
		cmocka_unit_test(residents_share_the_room),
		cmocka_unit_test(the_interval_is_halved),
		cmocka_unit_test(what_a_job_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
