/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_when.c - bounds on waits, worked out by hand. */
#include "sim/site/wait_bounds.h"
#include "tests/unit/test.h"

/* With 95 % confidence 0.95^n must be at most 5 %: n >= 58.4, so 59 waits, and
 * then it is the largest of them.  Of 4 values the third bounds the median with
 * P(at most 2 of 4 are below) = 11/16.
 */
static void the_order_is_the_binomials(void **state)
{
	assert_int_equal(when_order(58, 0.95, 0.95), 0);
	assert_int_equal(when_order(59, 0.95, 0.95), 59);
	assert_int_equal(when_order(4, 0.5, 11.0 / 16), 3);
	assert_int_equal(when_order(4, 0.5, 11.0 / 16 + 1e-9), 4);
	assert_int_equal(when_order(0, 0.5, 0.5), 0);
}

static void set_records(struct swf_trace *t, struct swf_record *r, size_t n,
			double (*wait_s)(size_t))
{
	for (size_t i = 0; i < n; i++)
		r[i] = (struct swf_record){.submit_s = 1000.0 * (double)i,
					   .wait_s = wait_s(i),
					   .run_s = 10,
					   .req_procs = 1,
					   .queue = 1,
					   .partition = 1};
	*t = (struct swf_trace){.records = r, .nrecords = n};
}

static double rising(size_t i)
{
	return (double)(i % 100);
}

/* Each job waits longer than all before it, which are known when it comes.  The
 * 60th has the largest of 59 waits, 58, as its bound, and waits 59.  So it goes
 * on; after each tenth miss (known: the waits 68, 78, 88, 98) all but the last
 * 59 are forgotten.  At the end these are 40 to 98, and 99 has come.
 */
static void bounds_are_those_of_what_was_known(void **state)
{
	const struct when_conf conf = {0.95, 0.95};
	struct libra_error err = {""};
	struct swf_record r[100];
	struct swf_trace t;
	struct when w;

	set_records(&t, r, 60, rising);
	assert_int_equal(when_test(&w, &t, &conf, &err), 0);
	assert_int_equal(w.bounds, 1);
	assert_int_equal(w.kept, 0);
	when_fini(&w);
	set_records(&t, r, 100, rising);
	assert_int_equal(when_test(&w, &t, &conf, &err), 0);
	assert_int_equal(w.n, 2);
	assert_int_equal(w.bounds, 41);
	assert_int_equal(w.kept, 0);
	assert_int_equal(w.classes[0].changes, 4);
	assert_int_equal(w.classes[0].history, 60);
	assert_near(w.classes[0].bound_s, 99, 0);
	when_fini(&w);
}

static double stepped(size_t i)
{
	return i < 2000 ? 1 : 500;
}

/* After 2000 waits of 1 s come waits of 500.  Some 84 of them would not move
 * the bound; but ten bounds fail, then all but the last 59 are forgotten.  Of
 * those the largest is the bound, and that is 500.
 */
static void a_change_makes_it_forget(void **state)
{
	const struct when_conf conf = {0.95, 0.95};
	struct libra_error err = {""};
	static struct swf_record r[2200];
	struct swf_trace t;
	struct when w;

	set_records(&t, r, 2200, stepped);
	assert_int_equal(when_test(&w, &t, &conf, &err), 0);
	assert_int_equal(w.bounds, 2200 - 59);
	assert_int_equal(w.bounds - w.kept, 10);
	assert_int_equal(w.classes[0].changes, 1);
	assert_near(w.classes[0].bound_s, 500, 0);
	when_fini(&w);
}

static double endless(size_t i)
{
	return i == 0 ? 1e9 : 1;
}

/* The first job still waits when all others come: its wait is not known. */
static void a_wait_is_known_when_the_job_has_started(void **state)
{
	const struct when_conf conf = {0.95, 0.95};
	struct libra_error err = {""};
	struct swf_record r[61];
	struct swf_trace t;
	struct when w;

	set_records(&t, r, 60, endless);
	assert_int_equal(when_test(&w, &t, &conf, &err), 0);
	assert_int_equal(w.bounds, 0);
	when_fini(&w);
	set_records(&t, r, 61, endless);
	assert_int_equal(when_test(&w, &t, &conf, &err), 0);
	assert_int_equal(w.bounds, 1);
	assert_int_equal(w.kept, 1);
	when_fini(&w);
}

static void nothing_to_learn_from_is_said(void **state)
{
	const struct when_conf conf = {0.95, 0.95}, bad = {1, 0.95};
	struct swf_record r = {.wait_s = -1, .run_s = 1};
	struct swf_trace t = {.records = &r, .nrecords = 1};
	struct libra_error err = {""};
	struct when w;

	assert_int_equal(when_test(&w, &t, &conf, &err), -1);
	assert_contains(err.text, "no record of the log has a wait");
	libra_error_clear(&err);
	assert_int_equal(when_test(&w, &t, &bad, &err), -1);
	assert_one_line(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_is_the_binomials),
		cmocka_unit_test(bounds_are_those_of_what_was_known),
		cmocka_unit_test(a_change_makes_it_forget),
		cmocka_unit_test(a_wait_is_known_when_the_job_has_started),
		cmocka_unit_test(nothing_to_learn_from_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
