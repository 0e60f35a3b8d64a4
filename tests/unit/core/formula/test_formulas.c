/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_formulas.c - the machine's reserve and the search of a deadline, worked
 * by hand.  Other formulas have tests of their own.
 */
#include "core/formula/bisect.h"
#include "core/formula/log.h"
#include "core/formula/need.h"
#include "core/formula/reserve.h"
#include "core/width.h"
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
	struct libra_reserve r = {0}, later = {0};

	libra_reserve_learn(&later, &job[2], 10);
	assert_near(later.ninstants, 0, 0); /* before the first was nothing */
	libra_reserve_learn(&r, &job[0], 0);
	assert_near(r.pending_s[5], 60, 0); /* 32 to 64 */
	assert_near(r.mean_work_s, 60, 0);
	assert_near(r.ninstants, 0, 0);
	libra_reserve_learn(&r, &job[1], 10);
	assert_near(libra_reserve_offered_s(&r), 60, 0);
	assert_near(r.between_s, 10, 0);
	assert_near(r.pending_s[6], 80, 0);
	assert_near(r.mean_work_s, 130, 1e-12);
	libra_reserve_learn(&r, &job[2], 10);
	assert_near(r.ninstants, 1, 0);
	assert_near(r.pending_s[6], 80, 0);
	assert_near(r.pending_s[3], 10, 0);
	assert_near(r.mean_work_s, 90, 1e-12);
	libra_reserve_learn(&r, &job[3], 40);
	assert_near(r.ninstants, 2, 0);
	assert_near(r.offered_s[3], 5, 0);
	assert_near(r.offered_s[5], 30, 0);
	assert_near(r.offered_s[6], 40, 0);
	assert_near(libra_reserve_offered_s(&r), 75, 0);
	assert_near(r.between_s, 20, 0);
	assert_near(r.pending_s[3], 10, 0);
	assert_near(r.pending_s[6], 0, 0);
	assert_near(r.mean_work_s, 70, 1e-12);
	assert_near(r.last_s, 40, 0);
	assert_near(r.noffers, 4, 0);
	/* From the 334th instant on each has 0.003. */
	r.ninstants = 1000;
	libra_reserve_learn(&r, &job[3], 50);
	assert_near(libra_reserve_offered_s(&r), 75 + 0.003 * (10 - 75), 1e-12);
	assert_near(r.between_s, 20 + 0.003 * (10 - 20), 1e-12);
}

static const struct libra_reserve_machine half_of_ten = {
	.nprocs = 10, .room = 0.5, .unit = 0.5};

/* What is promised may be 1 - 0.3 ln(load) ln(size) of the time until the
 * deadline, and 0.005 at the least.
 */
static bool refused(double size, double load, double use, double ninstants,
		    bool *may)
{
	/* Mean work 100, so that 50 is size 1; room 0.5 of 10 processors, so
	 * that 5 in a second is load 1; until the deadline there are 2000.
	 */
	const struct libra_reserve r = {.ninstants = ninstants,
					.mean_work_s = 100,
					.offered_s = {50 * load},
					.between_s = 10};
	const struct libra_reserve_job job = {
		.nprocs = 2, .need_s = 25 * size, .deadline_s = 300};

	*may = libra_reserve_may_refuse(&r, &half_of_ten, &job);
	return libra_reserve_refuses(&r, &half_of_ten, &job, 2000 * use, 100);
}

static void the_reserve_is_for_large_jobs_under_load(void **state)
{
	const double e = exp(1);
	const struct {
		double size, load, use, ninstants;
		bool refused, may;
	} rows[] = {
		{e, e, 0.7001, 20, true, true},
		{e, e, 0.6999, 20, false, true},
		{e, e, 0, 20, false, true},
		{e, e, 0.7001, 19, false, false},
		/* size e^2: 1 - 0.6; both: 1 - 1.2, which is below the least.
		 */
		{e * e, e, 0.4001, 20, true, true},
		{e * e, e, 0.3999, 20, false, true},
		{e, e * e, 0.4001, 20, true, true},
		{e * e, e * e, 0.00501, 20, true, true},
		{e * e, e * e, 0.005, 20, false, true},
		/* Not more than half of the mean, or not more load than room.
		 */
		{1, e, 2, 20, false, false},
		{e, 1, 2, 20, false, false},
		{1.01, e, 2, 20, true, true},
		{e, 1.01, 2, 20, true, true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool may;

		assert_int_equal(refused(rows[i].size, rows[i].load,
					 rows[i].use, rows[i].ninstants, &may),
				 rows[i].refused);
		assert_int_equal(may, rows[i].may);
	}
}

static uint64_t seed = 7;

static double draw(double from, double to)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

/* Who is surely admitted is admitted one by one, whatever was learned.  Result:
 * is that said of them?
 */
static bool sure_ones_are_admitted(void)
{
	const double now_s = 110;
	struct libra_reserve_machine m = half_of_ten;
	const double n = floor(exp(draw(0, 5))), many = floor(draw(20, 60));
	struct libra_reserve r = {.noffers = many,
				  .ninstants = many - floor(draw(0, 10)),
				  .mean_work_s = exp(draw(0, 6)),
				  .offered_s = {[6] = exp(draw(2, 6))},
				  .between_s = draw(1, 10),
				  .last_s = draw(0, 2) < 1 ? 100 : now_s,
				  .pending_s = {[5] = exp(draw(2, 8))}};
	struct libra_reserve_job job = {
		.nprocs = floor(draw(1, 9)),
		.estimate_s = draw(1, 40),
		.submit_s = now_s,
		.deadline_s = now_s + exp(draw(2, 9)),
	};
	double promised_s = exp(draw(0, 9));

	job.need_s = job.estimate_s * draw(0.5, 1);
	m.residents = floor(draw(0, 4));
	if (!libra_reserve_surely_admits(&r, &m, &job, n, promised_s, now_s))
		return false;
	for (int k = 0; k < n; k++) {
		assert_false(
			libra_reserve_refuses(&r, &m, &job, promised_s, now_s));
		libra_reserve_learn(&r, &job, now_s);
		promised_s += job.nprocs * job.need_s;
	}
	return true;
}

/* Mean work 100, and 27.2 s are offered in a second where 5 fit: load e to the
 * 1.69.  A job of 100 s that needs 60 has size 1.2: 1 - 0.3 x 1.69 x 0.182 =
 * 0.907 of the time may be promised.
 */
static void sure_ones_are_never_refused(void **state)
{
	const struct libra_reserve r = {.noffers = 60,
					.ninstants = 30,
					.mean_work_s = 100,
					.offered_s = {[6] = 272},
					.between_s = 10,
					.last_s = 100,
					.pending_s = {[6] = 272}};
	const struct libra_reserve_job job = {.nprocs = 4,
					      .estimate_s = 25,
					      .need_s = 15,
					      .submit_s = 110,
					      .deadline_s = 310};
	int sure = 0;

	assert_true(libra_reserve_surely_admits(&r, &half_of_ten, &job, 1, 1700,
						110));
	assert_false(libra_reserve_surely_admits(&r, &half_of_ten, &job, 1,
						 1790, 110));
	assert_true(libra_reserve_surely_admits(&r, &half_of_ten, &job, 5, 1500,
						110));
	assert_false(libra_reserve_surely_admits(&r, &half_of_ten, &job, 6,
						 1500, 110));
	for (int i = 0; i < 100000; i++)
		sure += sure_ones_are_admitted();
	assert_in_range(sure, 10000, 90000);
}

/* 10 processors with at most 4 jobs on each: half of a room of 1, 50 s in 10 s.
 * 200 s are offered: load 4, ln 1.386.  Jobs of 16 to 32 s fill 20 of the 50,
 * and a quarter of the octave of 64 to 128 the rest: 64 x 2^(30 / 120) = 76.1
 * s.  A job of 152.2 s has size 2, ln 0.693: 1 - 0.3 x 1.386 x 0.693 = 0.712 of
 * the time.  Half of the mean work would be 200 s.
 */
static void residents_lower_the_unit(void **state)
{
	const struct libra_reserve r = {
		.ninstants = 30,
		.mean_work_s = 400,
		.offered_s = {[4] = 20, [6] = 120, [10] = 60},
		.between_s = 10};
	struct libra_reserve_machine m = {
		.nprocs = 10, .room = 1, .unit = 0.5, .residents = 4};
	struct libra_reserve_job job = {
		.nprocs = 1, .need_s = 2 * 64 * exp2(0.25), .deadline_s = 200};

	assert_false(libra_reserve_refuses(&r, &m, &job, 711, 100));
	assert_true(libra_reserve_refuses(&r, &m, &job, 713, 100));
	job.need_s = 64 * exp2(0.25);
	assert_false(libra_reserve_may_refuse(&r, &m, &job));
	job.need_s *= 1.001;
	assert_true(libra_reserve_may_refuse(&r, &m, &job));
	/* Nobody is too large where any number of jobs may share. */
	m = (struct libra_reserve_machine){
		.nprocs = 10, .room = 0.5, .unit = 0.5};
	job.need_s = 200;
	assert_false(libra_reserve_may_refuse(&r, &m, &job));
	job.need_s = 200.1;
	assert_true(libra_reserve_may_refuse(&r, &m, &job));
	/* Nor, with few jobs, where all together do not fill the room. */
	m = (struct libra_reserve_machine){
		.nprocs = 10, .room = 5, .unit = 0.5, .residents = 4};
	job.need_s = 1e9;
	assert_false(libra_reserve_may_refuse(&r, &m, &job));
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

static double ulps(double value, double exact)
{
	return fabs(value - exact) / (nextafter(exact, INFINITY) - exact);
}

/* Near the C library's, and of the same bits everywhere. */
static void logarithms_and_powers(void **state)
{
	for (double x = 1 + 1e-12; x < 1e12; x *= 1.0137)
		assert_true(ulps(libra_log(x), log(x)) <= 2);
	for (double x = 0; x < 900; x += 0.0371)
		assert_true(ulps(libra_exp2(x), exp2(x)) <= 2);
	assert_true(libra_log(1) == 0);
	assert_true(libra_exp2(0) == 1 && libra_exp2(39) == 0x1p39);
	assert_true(libra_log(3) == 0x1.193ea7aad030bp+0 &&
		    libra_log(1e6) == 0x1.ba18a998fffap+3);
	assert_true(libra_exp2(0.3) == 0x1.3b2c47bff8329p+0 &&
		    libra_exp2(7.9) == 0x1.ddb680117ab14p+7);
}

static void widths_of_a_job(void **state)
{
	uint32_t last = 0, n = 0, w;

	assert_int_equal(libra_width_at(2, 8, 0), 2);
	assert_int_equal(libra_width_at(2, 8, 6), 8);
	assert_int_equal(libra_width_at(2, 8, 7), 0);
	assert_int_equal(libra_width_at(5, 5, 0), 5);
	assert_int_equal(libra_width_at(5, 0, 1), 0);
	for (; (w = libra_width_at(1, UINT32_MAX, n)) > 0; n++) {
		assert_true(w > last);
		last = w;
	}
	assert_int_equal(n, LIBRA_WIDTHS);
	assert_int_equal(last, UINT32_MAX);
	assert_near(libra_width_time_s(120, 2, 8, 0), 120, 0);
	assert_near(libra_width_time_s(120, 2, 8, 1), 30, 0);
	assert_near(libra_width_time_s(120, 2, 8, 0.5), 75, 0);
	assert_near(libra_width_time_s(120, 2, 2, 0.5), 120, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(averages_of_offers),
		cmocka_unit_test(the_reserve_is_for_large_jobs_under_load),
		cmocka_unit_test(sure_ones_are_never_refused),
		cmocka_unit_test(residents_lower_the_unit),
		cmocka_unit_test(the_interval_is_halved),
		cmocka_unit_test(what_a_job_needs),
		cmocka_unit_test(logarithms_and_powers),
		cmocka_unit_test(widths_of_a_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
