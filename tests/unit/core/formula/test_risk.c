/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_risk.c - delay, deadline delay, its deviation, and the projection
 * (ICPP 2006, section 3), with the papers' own examples.
 */
#include "core/formula/risk.h"
#include "core/formula/share.h"
#include "tests/unit/test.h"

static void a_delay_begins_at_the_deadline(void **state)
{
	assert_near(libra_delay_s(99, 100), 0, 0);
	assert_near(libra_delay_s(100, 100), 0, 0);
	assert_near(libra_delay_s(102.385, 100), 2.385, 1e-12);
}

/* The paper's examples of eq. 4: (20 + 5) / 5 = 5, (20 + 10) / 10 = 3: the
 * same delay weighs more on the shorter deadline.
 */
static void deadline_delays_are_those_of_the_paper(void **state)
{
	assert_near(libra_deadline_delay(20, 5), 5, 0);
	assert_near(libra_deadline_delay(20, 10), 3, 0);
	assert_near(libra_deadline_delay(0, 10), 1, 0);
}

/* Population form: 5 and 3 have mean 4 and deviation 1 (the sample form would
 * give sqrt(2)); 1, 2, 4: mean 7/3, squares 16/9 + 1/9 + 25/9 = 42/9, over 3
 * 14/9.
 */
static void risk_is_the_population_deviation(void **state)
{
	static const double two[] = {5, 3}, three[] = {1, 2, 4};

	assert_near(libra_risk(two, 2), 1, 1e-15);
	assert_near(libra_risk(three, 3), sqrt(14.0 / 9), 1e-15);
}

/* The heart of the paper: however late, one alone is no risk. */
static void one_task_alone_has_no_risk(void **state)
{
	static const double late = 4711.25;

	assert_near(libra_risk(&late, 1), 0, 0);
}

static void equal_delays_have_no_risk(void **state)
{
	static const double x[] = {2.385, 2.385, 2.385, 2.385, 2.385};

	assert_near(libra_risk(x, 5), 0, 1e-15);
}

/* Ten values of 1 + 2^-30 among ten of 1: the deviation is 2^-31, 4.66e-10.
 * The printed form, sqrt(mean of squares - square of mean), subtracts two
 * numbers near 1 with an error of 2^-53 each: whatever it gives is a multiple
 * of 2^-26.5 = 1e-8, which is more than the tolerance.
 */
static void two_passes_keep_what_one_pass_loses(void **state)
{
	double x[20], sum = 0, squares = 0, one_pass;

	for (int i = 0; i < 20; i++) {
		x[i] = i % 2 ? 1 + ldexp(1, -30) : 1;
		sum += x[i];
		squares += x[i] * x[i];
	}
	one_pass = sqrt(fmax(0, squares / 20 - sum / 20 * (sum / 20)));
	assert_near(libra_risk(x, 20), ldexp(1, -31), 1e-16);
	assert_true(libra_risk(x, 20) <= LIBRA_RISK_TOLERANCE);
	assert_true(fabs(one_pass - ldexp(1, -31)) > 4e-10);
}

/* Values near 1e6 that differ by 1e-6: the same, and worse. */
static void two_passes_stand_great_delays(void **state)
{
	static const double x[] = {1e6, 1e6 + 1e-6};

	assert_near(libra_risk(x, 2), 5e-7, 1e-10);
}

static struct libra_forecast outlook(double est_left_s, double deadline_s)
{
	return (struct libra_forecast){
		.est_left_s = est_left_s,
		.initial_share = 0.25,
		.deadline_s = deadline_s,
	};
}

/* The projection may have changed the order: find a task by its deadline. */
static const struct libra_forecast *with_deadline(
	const struct libra_forecast *t, size_t n, double deadline_s)
{
	for (size_t i = 0; i < n; i++)
		if (t[i].deadline_s == deadline_s)
			return &t[i];
	fail_msg("no task with the deadline %g", deadline_s);
	return NULL;
}

/* 80 s of work due at 200, alone on a processor: it gets all of it. */
static void a_task_alone_ends_after_its_work(void **state)
{
	struct libra_forecast t = outlook(80, 200);

	libra_project(&t, 1, 100);
	assert_near(t.finish_s, 180, 1e-12);
}

/* Two tasks that share to 1: 25 s by 50 (0.5) and 50 s by 100 (0.5).  Rates
 * are 0.5: the first ends at 50.  Then the second has 25 s left, all of the
 * processor, and ends at 75.
 */
static void spare_time_is_handed_out(void **state)
{
	struct libra_forecast t[] = {outlook(25, 50), outlook(50, 100)};

	libra_project(t, 2, 0);
	assert_near(with_deadline(t, 2, 50)->finish_s, 50, 1e-12);
	assert_near(with_deadline(t, 2, 100)->finish_s, 75, 1e-12);
}

static void check_two(double s1, double s2, double d1, double d2)
{
	static const double now_s = 1000;
	struct libra_forecast t[] = {outlook(s2 * d2, now_s + d2),
				     outlook(s1 * d1, now_s + d1)};
	double f1, f2;

	libra_project(t, 2, now_s);
	f1 = with_deadline(t, 2, now_s + d1)->finish_s;
	f2 = with_deadline(t, 2, now_s + d2)->finish_s;
	assert_near(libra_deadline_delay(libra_delay_s(f1, now_s + d1), d1),
		    s1 + s2, 1e-11);
	assert_near(libra_deadline_delay(libra_delay_s(f2, now_s + d2), d2),
		    fmax(1, s2 + s1 * d1 / d2), 1e-11);
}

/* Two tasks with S = s1 + s2 > 1 and d1 < d2.  Rates are s1 / S and s2 / S.
 * The first has work s1 d1 and ends at s1 d1 / (s1 / S) = S d1: its deadline
 * delay is S.  The second would end at S d2, later; so it ends when all work
 * is done, at s1 d1 + s2 d2: over d2 that is s2 + s1 d1 / d2, if late.
 */
static void two_tasks_beyond_one_end_as_worked_out(void **state)
{
	check_two(0.75, 0.5, 100, 200);	 /* 1.25; 0.875: in time, 1 */
	check_two(0.9, 0.9, 100, 200);	 /* 1.8; 1.35 */
	check_two(1.5, 0.2, 40, 333);	 /* one alone is too much */
	check_two(0.1, 2.385, 77.7, 91); /* the later one is */
	check_two(0.6, 0.401, 1e5, 2e5); /* barely beyond 1 */
}

/* Equal deadlines, S = 1.5: rates 2/3 and 1/3, work 100 and 50: both end at
 * 150, and all deadline delays are 1.5.
 */
static void equal_deadlines_delay_equally(void **state)
{
	struct libra_forecast t[] = {outlook(100, 100), outlook(50, 100)};

	libra_project(t, 2, 0);
	assert_near(t[0].finish_s, 150, 1e-12);
	assert_near(t[1].finish_s, 150, 1e-12);
	assert_true(libra_risk_free(t, 2, 0, 1.5));
}

/* A task over its estimate counts as 1 s of work and keeps its share 0.25; the
 * other needs 75 of 100 s.  Rates 0.25 and 0.75: the first ends at 4.  Then
 * 72 s are left: the other ends at 76.
 */
static void a_task_over_its_estimate_counts_as_one_second(void **state)
{
	struct libra_forecast t[] = {outlook(75, 100), outlook(-30, 200)};

	libra_project(t, 2, 0);
	assert_near(with_deadline(t, 2, 200)->finish_s, 4, 1e-12);
	assert_near(with_deadline(t, 2, 100)->finish_s, 76, 1e-12);
}

/* Its deadline passes while it is projected: 1 s of work at first, no share but
 * 1 once it is late.  Shares 0.25 (over its estimate, due at 2) and 2 (200 s
 * by 100): rates 1/9 and 8/9.  The first ends at 9.
 */
static void shares_are_renewed_only_at_a_finish(void **state)
{
	struct libra_forecast t[] = {outlook(-1, 2), outlook(200, 100)};

	libra_project(t, 2, 0);
	assert_near(with_deadline(t, 2, 2)->finish_s, 9, 1e-12);
	assert_near(with_deadline(t, 2, 100)->finish_s, 201, 1e-12);
}

/* A late task has share 1 as any other late one: at 0, 60 s due at -10 and
 * 30 s due at -20 get a half each.  The second ends at 60, the first at 90.
 */
static void late_tasks_share_alike(void **state)
{
	struct libra_forecast t[] = {outlook(60, -10), outlook(30, -20)};

	libra_project(t, 2, 0);
	assert_near(with_deadline(t, 2, -20)->finish_s, 60, 1e-12);
	assert_near(with_deadline(t, 2, -10)->finish_s, 90, 1e-12);
}

/* All that a processor does is done when the work is, whatever the shares. */
static void the_last_ends_when_all_work_is_done(void **state)
{
	struct libra_forecast t[40];
	double work_s = 0, last_s = 0;

	for (int i = 0; i < 40; i++) {
		t[i] = outlook(3 + 7.3 * i, 1000 + 37 * ((i * 17) % 40));
		work_s += t[i].est_left_s;
	}
	libra_project(t, 40, 500);
	for (int i = 0; i < 40; i++)
		last_s = fmax(last_s, t[i].finish_s);
	assert_near(last_s, 500 + work_s, 1e-8);
}

static bool literal(struct libra_forecast *t, size_t n, double now_s)
{
	double delay[8];

	libra_project(t, n, now_s);
	for (size_t i = 0; i < n; i++)
		delay[i] = libra_deadline_delay(
			libra_delay_s(t[i].finish_s, t[i].deadline_s),
			t[i].deadline_s - now_s);
	return libra_risk(delay, n) <= LIBRA_RISK_TOLERANCE;
}

/* Random tasks whose shares exceed 1, some over their estimates, some with
 * deadlines that are equal or nearly so: the short way and the long one.
 */
static void risk_free_is_the_literal_answer(void **state)
{
	uint32_t r = 12345, yes = 0;

	for (int round = 0; round < 20000; round++) {
		struct libra_forecast t[8], copy[8];
		double share = 0;
		size_t n;

#define DRAW(k) ((r = r * 1664525 + 1013904223) >> 8) % (k)
		n = 2 + DRAW(6);
		for (size_t i = 0; i < n; i++) {
			double deadline_s = 1 + (round % 2 ? 0 : DRAW(3));

			deadline_s +=
				DRAW(4) ? 0 : ldexp(1, -20 - (int)DRAW(20));
			t[i] = outlook(DRAW(3) ? 0.5 + DRAW(4) : -1,
				       deadline_s);
			share += libra_share(t[i].est_left_s, 0.25, deadline_s,
					     0);
		}
#undef DRAW
		memcpy(copy, t, sizeof(t));
		if (share <= 1 + LIBRA_SHARE_TOLERANCE)
			continue;
		yes += literal(copy, n, 0);
		assert_int_equal(libra_risk_free(t, n, 0, share),
				 literal(copy, n, 0));
	}
	assert_true(yes > 500); /* both answers occur */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_delay_begins_at_the_deadline),
		cmocka_unit_test(deadline_delays_are_those_of_the_paper),
		cmocka_unit_test(risk_is_the_population_deviation),
		cmocka_unit_test(one_task_alone_has_no_risk),
		cmocka_unit_test(equal_delays_have_no_risk),
		cmocka_unit_test(two_passes_keep_what_one_pass_loses),
		cmocka_unit_test(two_passes_stand_great_delays),
		cmocka_unit_test(a_task_alone_ends_after_its_work),
		cmocka_unit_test(spare_time_is_handed_out),
		cmocka_unit_test(two_tasks_beyond_one_end_as_worked_out),
		cmocka_unit_test(equal_deadlines_delay_equally),
		cmocka_unit_test(a_task_over_its_estimate_counts_as_one_second),
		cmocka_unit_test(shares_are_renewed_only_at_a_finish),
		cmocka_unit_test(late_tasks_share_alike),
		cmocka_unit_test(the_last_ends_when_all_work_is_done),
		cmocka_unit_test(risk_free_is_the_literal_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
