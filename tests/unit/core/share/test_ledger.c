/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_ledger.c - rows of processors with equal tasks. */
#include <errno.h>

#include "core/share/ledger.h"
#include "tests/unit/test.h"

static struct libra_task task(uint32_t slot, double estimate_s,
			      double deadline_s)
{
	return (struct libra_task){
		.est_left_s = estimate_s,
		.deadline_s = deadline_s,
		.estimate_s = estimate_s,
		.initial_share = estimate_s / deadline_s,
		.slot = slot,
	};
}

/* Promise a task on n processors of a row. */
static void add(struct libra_ledger *l, uint32_t row, uint32_t n,
		struct libra_task t)
{
	libra_ledger_choose(l, row, n);
	assert_int_equal(libra_ledger_add(l, &t), 0);
	assert_int_equal(l->taken[row], 0);
}

static const struct libra_ledger_row *row_at(const struct libra_ledger *l,
					     uint32_t proc)
{
	return &l->rows[libra_procmap_label(&l->map, proc)];
}

static uint32_t total(const struct libra_ledger *l)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->nrows; i++)
		n += l->rows[i].pub.nprocs;
	return n;
}

static void a_job_takes_a_row_of_its_own(void **state)
{
	struct libra_ledger l;

	assert_int_equal(libra_ledger_init(&l, 10), 0);
	assert_int_equal(l.rows[LIBRA_ROW_EMPTY].pub.nprocs, 10);
	add(&l, LIBRA_ROW_EMPTY, 4, task(7, 50, 100));
	assert_int_equal(l.rows[LIBRA_ROW_EMPTY].pub.nprocs, 6);
	for (uint32_t p = 0; p < 10; p++)
		assert_int_equal(row_at(&l, p)->pub.ntasks, p < 4);
	assert_int_equal(row_at(&l, 3)->pub.nprocs, 4);
	assert_int_equal(total(&l), 10);
	libra_ledger_fini(&l);
	libra_ledger_fini(&l);
}

static void a_machine_without_processors_is_refused(void **state)
{
	struct libra_ledger l;

	errno = 0;
	assert_int_equal(libra_ledger_init(&l, 0), -1);
	assert_int_equal(errno, EINVAL);
}

/* Job 1 on 0-3; job 2 on the first two of them and on 4: three rows. */
static void a_part_of_a_row_is_split_off(void **state)
{
	struct libra_ledger l;
	struct libra_task t = task(2, 20, 100);
	uint32_t old;

	assert_int_equal(libra_ledger_init(&l, 5), 0);
	add(&l, LIBRA_ROW_EMPTY, 4, task(1, 50, 100));
	old = libra_procmap_label(&l.map, 0);
	libra_ledger_choose(&l, LIBRA_ROW_EMPTY, 1);
	add(&l, old, 2, t);
	assert_int_equal(row_at(&l, 0)->pub.ntasks, 2);
	assert_int_equal(row_at(&l, 1)->pub.nprocs, 2);
	assert_int_equal(row_at(&l, 2)->pub.ntasks, 1);
	assert_int_equal(row_at(&l, 2)->tasks[0].slot, 1);
	assert_int_equal(row_at(&l, 4)->tasks[0].slot, 2);
	assert_int_equal(total(&l), 5);
	/* Job 2 leaves from everywhere: 3 processors had it. */
	assert_int_equal(libra_ledger_remove(&l, 2, UINT32_MAX, 0), 3);
	assert_int_equal(libra_ledger_remove(&l, 2, UINT32_MAX, 0), 0);
	assert_int_equal(l.rows[LIBRA_ROW_EMPTY].pub.nprocs, 1);
	assert_int_equal(libra_ledger_remove(&l, 1, UINT32_MAX, 0), 4);
	assert_int_equal(l.rows[LIBRA_ROW_EMPTY].pub.nprocs, 5);
	libra_ledger_fini(&l);
}

/* A promise counts and draws nothing until it is started, here at 30.
 *
 * Job 1 has 50 s by 100 and all of the processor from 0: at 30, 20 s by 70 s.
 * Job 2 has 60 s by 150: at 30, 60 s by 120 s = 0.5.  Rates (2/7) / (2/7 + 1/2)
 * = 4/11 and 7/11.
 */
static void a_promise_counts_and_draws_nothing(void **state)
{
	const struct libra_ledger_row *row;
	struct libra_ledger l;
	const struct libra_division yields = {.late_yields = true};

	assert_int_equal(libra_ledger_init(&l, 1), 0);
	add(&l, LIBRA_ROW_EMPTY, 1, task(1, 50, 100));
	libra_ledger_start(&l, 1, 0);
	add(&l, libra_procmap_label(&l.map, 0), 1, task(2, 60, 150));
	row = row_at(&l, 0);
	assert_near(row->tasks[0].rate, 1, 0);
	assert_near(row->tasks[1].rate, 0, 0);
	/* At 20: 30 / 80 + 60 / 130. */
	assert_near(libra_row_share(row, &l.division, 20).share,
		    0.375 + 60.0 / 130, 1e-15);
	assert_int_equal(libra_row_share(row, &l.division, 20).nlate, 0);
	libra_ledger_start(&l, 2, 30);
	assert_near(row->tasks[0].est_left_s, 20, 1e-12);
	assert_near(row->tasks[1].est_left_s, 60, 0);
	assert_near(row->tasks[0].rate, 4.0 / 11, 1e-15);
	assert_near(row->tasks[1].rate, 7.0 / 11, 1e-15);
	/* At 100: 1 + (60 - 70 x 7/11) / 50 = 1.30909; the second one alone if
	 * the first one, late, yields.
	 */
	assert_int_equal(libra_row_share(row, &l.division, 100).nlate, 1);
	assert_near(libra_row_share(row, &l.division, 100).share,
		    1 + (60 - 490.0 / 11) / 50, 1e-12);
	assert_int_equal(libra_row_share(row, &yields, 100).nlate, 1);
	assert_near(libra_row_share(row, &yields, 100).share,
		    (60 - 490.0 / 11) / 50, 1e-12);
	libra_ledger_fini(&l);
}

/* Two jobs with deadlines at 10 and one, of 30 s, with 100.
 *
 * At 10 both are late: the third, with 30 - 10 x its rate left, has just its
 * share from then on, and they have half of the rest each.
 */
static void the_late_have_what_others_leave(void **state)
{
	const struct libra_ledger_row *row;
	struct libra_ledger l;
	double left_s, share;

	assert_int_equal(libra_ledger_init(&l, 1), 0);
	l.division.late_yields = true;
	add(&l, LIBRA_ROW_EMPTY, 1, task(1, 50, 10));
	add(&l, libra_procmap_label(&l.map, 0), 1, task(2, 50, 10));
	add(&l, libra_procmap_label(&l.map, 0), 1, task(3, 30, 100));
	for (uint32_t slot = 1; slot <= 3; slot++)
		libra_ledger_start(&l, slot, 0);
	row = row_at(&l, 0);
	assert_near(row->tasks[2].rate, 0.3 / 10.3, 1e-15);
	assert_near(libra_ledger_next_late_s(&l), 10, 1e-5);
	libra_ledger_renew_late(&l, libra_ledger_next_late_s(&l));
	left_s = 30 - 10 * 0.3 / 10.3;
	share = left_s / 90;
	assert_near(row->tasks[2].rate, share, 1e-6);
	assert_near(row->tasks[0].rate, (1 - share) / 2, 1e-6);
	assert_near(row->tasks[1].rate, row->tasks[0].rate, 0);
	assert_near(libra_ledger_next_late_s(&l), 100, 1e-5);
	/* Without the third they have all. */
	libra_ledger_remove(&l, 3, UINT32_MAX, 20);
	assert_near(row->tasks[0].rate, 0.5, 0);
	libra_ledger_fini(&l);
}

/* Started long after others came: it is found without being the last added. */
static void an_older_promise_can_start(void **state)
{
	struct libra_ledger l;

	assert_int_equal(libra_ledger_init(&l, 3), 0);
	add(&l, LIBRA_ROW_EMPTY, 2, task(1, 50, 100));
	add(&l, LIBRA_ROW_EMPTY, 1, task(2, 50, 100));
	libra_ledger_start(&l, 1, 5);
	assert_true(row_at(&l, 0)->tasks[0].running);
	assert_false(row_at(&l, 2)->tasks[0].running);
	libra_ledger_fini(&l);
}

static void new_rates_are_told_once_oldest_first(void **state)
{
	struct libra_ledger l;
	uint32_t a, b;

	assert_int_equal(libra_ledger_init(&l, 2), 0);
	assert_int_equal(libra_ledger_next_dirty(&l), UINT32_MAX);
	add(&l, LIBRA_ROW_EMPTY, 1, task(1, 50, 100));
	add(&l, LIBRA_ROW_EMPTY, 1, task(2, 50, 100));
	a = libra_procmap_label(&l.map, 0);
	b = libra_procmap_label(&l.map, 1);
	libra_ledger_start(&l, 2, 0);
	libra_ledger_start(&l, 1, 0);
	libra_ledger_start(&l, 2, 1);
	assert_int_equal(libra_ledger_next_dirty(&l), b);
	assert_int_equal(libra_ledger_next_dirty(&l), a);
	assert_int_equal(libra_ledger_next_dirty(&l), UINT32_MAX);
	libra_ledger_fini(&l);
}

/* Rows with a task each on closed and open processors; the closed ones come
 * back empty where they were closed.
 */
static void closed_processors_take_no_tasks(void **state)
{
	struct libra_ledger l;

	assert_int_equal(libra_ledger_init(&l, 10), 0);
	add(&l, LIBRA_ROW_EMPTY, 6, task(1, 50, 100));
	assert_int_equal(libra_ledger_close(&l, 4, 4, true), 0);
	assert_int_equal(l.rows[LIBRA_ROW_EMPTY].pub.nprocs, 2);
	assert_int_equal(l.rows[LIBRA_ROW_CLOSED].pub.nprocs, 2);
	for (uint32_t p = 0; p < 10; p++)
		assert_int_equal(row_at(&l, p)->closed, p >= 4 && p < 8);
	assert_int_equal(row_at(&l, 0)->pub.nprocs, 4);
	assert_int_equal(row_at(&l, 4)->pub.nprocs, 2);
	assert_int_equal(libra_ledger_remove(&l, 1, UINT32_MAX, 0), 6);
	assert_int_equal(l.rows[LIBRA_ROW_CLOSED].pub.nprocs, 4);
	assert_int_equal(libra_ledger_close(&l, 4, 4, false), 0);
	assert_int_equal(l.rows[LIBRA_ROW_EMPTY].pub.nprocs, 10);
	assert_int_equal(l.map.nruns, 1);
	libra_ledger_fini(&l);
}

/* Every other one is closed already: the others, too, then; and open again. */
static void closed_processors_between_open_ones(void **state)
{
	struct libra_ledger l;

	assert_int_equal(libra_ledger_init(&l, 7), 0);
	for (uint32_t p = 0; p < 7; p += 2)
		assert_int_equal(libra_ledger_close(&l, p, 1, true), 0);
	assert_int_equal(l.map.nruns, 7);
	assert_int_equal(libra_ledger_close(&l, 0, 7, true), 0);
	assert_int_equal(l.map.nruns, 1);
	assert_int_equal(l.rows[LIBRA_ROW_CLOSED].pub.nprocs, 7);
	assert_int_equal(l.rows[LIBRA_ROW_EMPTY].pub.nprocs, 0);
	for (uint32_t p = 1; p < 7; p += 2)
		assert_int_equal(libra_ledger_close(&l, p, 1, false), 0);
	assert_int_equal(libra_ledger_close(&l, 0, 7, false), 0);
	assert_int_equal(l.map.nruns, 1);
	assert_int_equal(l.rows[LIBRA_ROW_EMPTY].pub.nprocs, 7);
	libra_ledger_fini(&l);
}

/* What is known of a row as of its last event: 50 s by 100 and 60 s by 150 at 0
 * are shares of 0.5 and 0.4, 110 s of work.  A task that does not run, is over
 * its estimate, or late, makes the row unsteady.
 */
static void a_row_knows_its_sums(void **state)
{
	struct libra_ledger_row *row;
	struct libra_ledger l;
	double low = 0, high = 0;

	assert_int_equal(libra_ledger_init(&l, 1), 0);
	add(&l, LIBRA_ROW_EMPTY, 1, task(1, 50, 100));
	add(&l, libra_procmap_label(&l.map, 0), 1, task(2, 60, 150));
	row = &l.rows[libra_procmap_label(&l.map, 0)];
	libra_ledger_start(&l, 1, 0);
	assert_false(row->steady);
	libra_ledger_start(&l, 2, 0);
	assert_true(row->steady);
	assert_near(row->share, 0.9, 1e-15);
	assert_near(row->known, 0.9, 1e-15);
	assert_near(row->work_s, 110, 0);
	assert_near(row->first_s, 100, 0);
	assert_near(row->last_s, 150, 0);
	/* At 10: (0.9 x 100 - 10) / 90 at the least, and not more than 0.9. */
	assert_true(libra_row_bounds(row, 10, &low, &high));
	assert_near(low, 80. / 90, 1e-15);
	assert_near(high, 0.9, 1e-15);
	/* What is found at 20 holds from then on: 0.8 there. */
	libra_row_know(row, 20, 0.8);
	assert_true(libra_row_bounds(row, 30, &low, &high));
	assert_near(low, (0.8 * 80 - 10) / 70, 1e-15);
	assert_near(high, 0.8, 0);
	assert_false(libra_row_bounds(row, 90, &low, &high));
	assert_false(libra_row_bounds(row, 100, &low, &high));
	/* Over its estimate. */
	libra_ledger_progress(&l, 1, 51, 40);
	libra_ledger_renew(&l, libra_procmap_label(&l.map, 0), 40);
	assert_false(row->steady);
	libra_ledger_progress(&l, 1, 20, 40);
	libra_ledger_renew(&l, libra_procmap_label(&l.map, 0), 40);
	assert_true(row->steady);
	libra_ledger_renew(&l, libra_procmap_label(&l.map, 0), 100);
	assert_false(row->steady);
	/* More than there is: it grows. */
	libra_ledger_remove(&l, 1, UINT32_MAX, 100);
	libra_ledger_progress(&l, 2, 0, 100);
	libra_ledger_renew(&l, libra_procmap_label(&l.map, 0), 100);
	assert_near(row->share, 60. / 50, 1e-15);
	assert_true(libra_row_bounds(row, 110, &low, &high));
	assert_near(low, 1.2, 1e-15);
	assert_true(isinf(high));
	libra_ledger_fini(&l);
}

/* 200 jobs, each on the first half of the empty processors or of some row:
 * no processor is lost, and rows are used again.
 */
static void rows_are_used_again(void **state)
{
	struct libra_ledger l;
	uint32_t most = 0;

	assert_int_equal(libra_ledger_init(&l, 1000), 0);
	for (uint32_t i = 0; i < 2000; i++) {
		uint32_t row = libra_procmap_label(&l.map, i * 37 % 1000);

		add(&l, row, (l.rows[row].pub.nprocs + 1) / 2,
		    task(i, 50, 1e6));
		libra_ledger_start(&l, i, i);
		if (i >= 20)
			assert_true(libra_ledger_remove(&l, i - 20, UINT32_MAX,
							i) > 0);
		assert_int_equal(total(&l), 1000);
		most = l.nrows > most ? l.nrows : most;
		while (libra_ledger_next_dirty(&l) != UINT32_MAX)
			continue;
	}
	assert_true(most < 100);
	libra_ledger_fini(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_takes_a_row_of_its_own),
		cmocka_unit_test(a_machine_without_processors_is_refused),
		cmocka_unit_test(a_part_of_a_row_is_split_off),
		cmocka_unit_test(a_promise_counts_and_draws_nothing),
		cmocka_unit_test(the_late_have_what_others_leave),
		cmocka_unit_test(an_older_promise_can_start),
		cmocka_unit_test(new_rates_are_told_once_oldest_first),
		cmocka_unit_test(closed_processors_take_no_tasks),
		cmocka_unit_test(closed_processors_between_open_ones),
		cmocka_unit_test(a_row_knows_its_sums),
		cmocka_unit_test(rows_are_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
