/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_forecast.c - starts of waiting jobs, worked out by hand. */
#include <errno.h>

#include "core/formula/forecast.h"
#include "tests/unit/test.h"

struct answers {
	struct libra_start_forecast list[4096];
	size_t n;
};

static int take(void *context, const struct libra_start_forecast *f)
{
	struct answers *a = context;

	if (a->n < 4096)
		a->list[a->n++] = *f;
	return 0;
}

static int take_none(void *context, const struct libra_start_forecast *f)
{
	errno = ECANCELED;
	return -1;
}

#define LONG 1e6

/* A user's job of 1,000 s by its limit took 400.  The next one runs since 500,
 * two wait.  Their plans at 700: by limits 1500 and 2500, by the past 900 and
 * 1300; the second is asked for by its place as the first.
 */
static const struct libra_forecast_job few[] = {
	{1, 4, 1000, 0, 0, 400, 0},
	{1, 4, 1000, 500, 500, INFINITY, 0},
	{1, 4, 1000, 600, INFINITY, INFINITY, 2},
	{1, 4, 1000, 650, INFINITY, INFINITY, 1},
};

static void limits_are_corrected_by_the_past(void **state)
{
	static struct answers a;
	struct libra_error err = {""};

	a.n = 0;
	assert_int_equal(libra_forecast_all(few, 4, 4, 700, take, &a, &err), 0);
	assert_int_equal(a.n, 3);
	/* After a minute of waiting, in order of submission. */
	assert_int_equal(a.list[0].job, 2);
	assert_near(a.list[0].asked_s, 660, 0);
	assert_int_equal(a.list[1].job, 3);
	assert_near(a.list[1].limits_s, 1500, 0);
	assert_near(a.list[1].planned_s, 900, 1e-3);
	assert_near(a.list[1].estimate_s, a.list[1].planned_s, 0);
	assert_true(isnan(a.list[1].bound_s));
	assert_int_equal(a.list[2].job, 2);
	assert_near(a.list[2].limits_s, 2500, 0);
	assert_near(a.list[2].planned_s, 1300, 1e-3);
}

/* One processor, a job of a known length every 1,000 s: each waits 500 s, and
 * is asked for 440 s before it starts.  From the 101st answer on there are 100
 * alike, and all say the same.
 */
static size_t steady(struct libra_forecast_job *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double at_s = 1000.0 * (double)i;

		jobs[i] = (struct libra_forecast_job){
			1, 1, 5000, at_s, at_s + 500, at_s + 1400, 0};
	}
	return n;
}

static void likes_give_estimate_and_bound(void **state)
{
	static struct libra_forecast_job jobs[300];
	static struct answers a;
	struct libra_error err = {""};
	size_t n = steady(jobs, 300);

	a.n = 0;
	assert_int_equal(
		libra_forecast_all(jobs, n, 1, INFINITY, take, &a, &err), 0);
	assert_int_equal(a.n, 300);
	assert_true(isnan(a.list[99].bound_s));
	assert_near(a.list[100].bound_s, jobs[100].start_s, 1e-6);
	assert_near(a.list[100].estimate_s, jobs[100].start_s, 1e-6);
	/* A late one raises the bounds, once its own has passed. */
	assert_true(a.list[101].bound_s < jobs[101].start_s);
	assert_true(a.list[102].bound_s > jobs[102].start_s);
}

/* Two wait.  All before were planned after 340 s and came after 440, so with a
 * minute added five fourths of it; the second is planned after 1,240 s.
 */
static void bounds_follow_the_plan(void **state)
{
	static struct libra_forecast_job jobs[302];
	static struct answers a;
	struct libra_error err = {""};
	const struct libra_start_forecast *first, *second;
	size_t n = steady(jobs, 302);

	for (size_t i = n - 2; i < n; i++)
		jobs[i] = (struct libra_forecast_job){
			1, 1, 5000, 300000, INFINITY, INFINITY, (double)i};
	a.n = 0;
	assert_int_equal(libra_forecast_all(jobs, n, 1, 300060, take, &a, &err),
			 0);
	first = &a.list[a.n - 2];
	second = &a.list[a.n - 1];
	assert_near(first->planned_s, 300400, 1e-3);
	assert_near(second->planned_s, 301300, 1e-3);
	/* The same factor. */
	assert_near((second->bound_s - 300060) / (first->bound_s - 300060),
		    (1300 * 1.25 - 60) / 440, 1e-3);
}

/* Of the last jobs a dozen wait for a day, though each was planned within
 * hours: a job that is like them has no bound within hours, while the median of
 * those that have started stays the estimate.
 */
static void jobs_that_wait_late_raise_the_bound(void **state)
{
	static struct libra_forecast_job jobs[313];
	static struct answers a;
	struct libra_error err = {""};
	const struct libra_start_forecast *first;
	size_t n = steady(jobs, 313);
	const double late_s = 300000 + 86400;

	for (size_t i = n - 13; i < n; i++)
		jobs[i] = (struct libra_forecast_job){
			1, 1, 5000, 300000, INFINITY, INFINITY, (double)i};
	a.n = 0;
	assert_int_equal(libra_forecast_all(jobs, n, 1, late_s, take, &a, &err),
			 0);
	first = &a.list[a.n - 13];
	assert_near(first->planned_s, late_s, 1);
	assert_true(first->estimate_s - late_s < 3600);
	assert_true(first->bound_s - late_s > 4 * 440);
}

/* What comes later changes no answer. */
static void nothing_of_the_future_is_known(void **state)
{
	static struct libra_forecast_job jobs[300];
	static struct answers a, b;
	struct libra_error err = {""};
	size_t n = steady(jobs, 300);

	a.n = b.n = 0;
	assert_int_equal(
		libra_forecast_all(jobs, n, 1, INFINITY, take, &a, &err), 0);
	for (size_t i = 200; i < n; i++) {
		jobs[i].procs = 7;
		jobs[i].start_s += LONG;
		jobs[i].end_s += 2 * LONG;
	}
	assert_int_equal(
		libra_forecast_all(jobs, n, 1, INFINITY, take, &b, &err), 0);
	for (size_t i = 0; i < 200; i++) {
		assert_near(a.list[i].estimate_s, b.list[i].estimate_s, 0);
		if (i > 100)
			assert_near(a.list[i].bound_s, b.list[i].bound_s, 0);
	}
}

static void what_is_wrong_is_said(void **state)
{
	struct libra_forecast_job bad = few[0];
	static struct answers a;
	struct libra_error err = {""};

	bad.limit_s = 0;
	assert_int_equal(libra_forecast_all(&bad, 1, 4, 700, take, &a, &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	libra_error_clear(&err);
	assert_int_equal(
		libra_forecast_all(few, 4, 4, 700, take_none, NULL, &err), -1);
	assert_int_equal(errno, ECANCELED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_corrected_by_the_past),
		cmocka_unit_test(likes_give_estimate_and_bound),
		cmocka_unit_test(bounds_follow_the_plan),
		cmocka_unit_test(jobs_that_wait_late_raise_the_bound),
		cmocka_unit_test(nothing_of_the_future_is_known),
		cmocka_unit_test(what_is_wrong_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
