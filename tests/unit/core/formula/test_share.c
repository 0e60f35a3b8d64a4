/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_share.c - the part of a processor that a task needs. */
#include "core/formula/share.h"
#include "tests/unit/test.h"

/* Eq. 1: 30 s of work left, 80 s to go: 30 / 80 = 0.375. */
static void a_task_in_time_needs_work_over_time(void **state)
{
	assert_near(libra_share(30, 0.9, 100, 20), 0.375, 0);
	assert_near(libra_share(2.385, 0.9, 109.54, 100), 0.25, 1e-15);
}

/* 90 s of work in 60 s: 1.5. */
static void a_share_may_exceed_one(void **state)
{
	assert_near(libra_share(90, 0.1, 160, 100), 1.5, 0);
}

static void over_its_estimate_a_task_keeps_its_share(void **state)
{
	assert_near(libra_share(0, 0.3, 100, 20), 0.3, 0);
	assert_near(libra_share(-7, 0.3, 100, 99), 0.3, 0);
	assert_true(libra_share(1e-9, 0.3, 100, 20) < 1e-10);
}

static void a_late_task_asks_for_all(void **state)
{
	assert_near(libra_share(30, 0.3, 100, 100), 1, 0);
	assert_near(libra_share(30, 0.3, 100, 5000), 1, 0);
	/* Late comes before over its estimate. */
	assert_near(libra_share(-1, 0.3, 100, 100.5), 1, 0);
}

static void a_task_without_deadline_needs_nothing(void **state)
{
	assert_near(libra_share(30, 0, INFINITY, 100), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_in_time_needs_work_over_time),
		cmocka_unit_test(a_share_may_exceed_one),
		cmocka_unit_test(over_its_estimate_a_task_keeps_its_share),
		cmocka_unit_test(a_late_task_asks_for_all),
		cmocka_unit_test(a_task_without_deadline_needs_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
