/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_band_again.c - a block is looked at again without those who would miss,
 * and what a refusal says; by hand.
 *
 * J has 10 s by 40.  E, 21 s by 25, goes before it.  L, 30 s by 55, can wait
 * for F, 20 s by 25, and for J beside it: it ends at 50.  Where J waits for E
 * it is gone at 31, and L would end at 60.
 */
#include "tests/unit/host.h"

static struct libra_engine *open_band(uint32_t nprocs, uint32_t max_jobs)
{
	return host_band_engine(&nprocs, 1, max_jobs,
				"machine_reserve=0 reserve=0");
}

static struct libra_verdict offer_on(struct libra_engine *e,
				     const struct libra_range *allowed,
				     uint32_t nallowed, uint32_t n,
				     double estimate_s, double deadline_s)
{
	struct libra_where where = {.allowed = allowed, .nallowed = nallowed};
	struct libra_job job = host_job(0, estimate_s, deadline_s, n);

	job.where = &where;
	return host_offer(e, job, 0);
}

/* A job on one processor, or on one of the first half and one of the second. */
static void add_at(struct libra_engine *e, uint32_t proc, double estimate_s,
		   double deadline_s)
{
	const struct libra_range at = {proc, 1};

	assert_int_equal(offer_on(e, &at, 1, 1, estimate_s, deadline_s).answer,
			 LIBRA_ACCEPT);
}

static void add_l(struct libra_engine *e, uint32_t proc, uint32_t other)
{
	const struct libra_range at[] = {{proc, 1}, {other, 1}};

	add_at(e, other, 20, 25);
	assert_int_equal(offer_on(e, at, 2, 2, 30, 55).answer, LIBRA_ACCEPT);
}

/* E on 0, L on 1 and 5 with F.  In 4-7, where 5 would be less than E, J costs
 * nothing without it; in 0-3 it waits for E.
 */
static void who_would_miss_is_gone_round(void **state)
{
	const struct libra_range low = {0, 4};
	struct libra_engine *e = open_band(8, 0);
	struct libra_verdict v;

	add_at(e, 0, 21, 25);
	add_l(e, 1, 5);
	v = host_offer(e, host_job(0, 10, 40, 3), 0);
	assert_string_equal(host_placed(e, v.ticket), "4,6-7");
	assert_int_equal(libra_engine_withdraw(e, v.ticket, 0), 0);
	v = offer_on(e, &low, 1, 3, 10, 40);
	assert_string_equal(host_placed(e, v.ticket), "0,2-3");
	assert_int_equal(libra_engine_withdraw(e, v.ticket, 0), 0);
	/* All of 0-3 needs the one of L. */
	assert_int_equal(offer_on(e, &low, 1, 4, 10, 40).answer, LIBRA_REJECT);
	libra_engine_destroy(e);
}

/* 1 to 4 are of jobs that would miss: J is on the next ones.  With one more it
 * is no place, and one by one the empty ones are taken, without E.
 */
static void four_times_and_no_more(void **state)
{
	const struct libra_range low = {0, 16};
	struct libra_engine *e = open_band(32, 0);
	struct libra_verdict v;

	add_at(e, 0, 21, 25);
	for (uint32_t i = 1; i <= 4; i++)
		add_l(e, i, 16 + i);
	v = offer_on(e, &low, 1, 9, 10, 40);
	assert_string_equal(host_placed(e, v.ticket), "0,5-12");
	assert_int_equal(libra_engine_withdraw(e, v.ticket, 0), 0);
	add_l(e, 5, 21);
	v = offer_on(e, &low, 1, 9, 10, 40);
	assert_string_equal(host_placed(e, v.ticket), "6-14");
	libra_engine_destroy(e);
}

/* Blocks of four on 11: the second is empty, and so is what there is of the
 * third.
 */
static void the_first_of_the_empty_ones_is_taken(void **state)
{
	struct libra_engine *e = open_band(11, 0);
	struct libra_range at[4] = {{0, 0}, {4711, 4712}};
	struct libra_verdict v;

	add_at(e, 0, 20, 25);
	v = host_offer(e, host_job(0, 10, 40, 3), 0);
	assert_string_equal(host_placed(e, v.ticket), "4-6");
	/* No more is written than there is. */
	assert_int_equal(libra_engine_placement(e, v.ticket, at, 4), 1);
	assert_int_equal(at[1].first, 4711);
	assert_int_equal(at[1].count, 4712);
	libra_engine_destroy(e);
}

/* Before it have 5 s whoever is on 0-99, and 20 s those behind.  From 64 on J
 * is first of its run on 64 itself, though that begins before.
 */
static void a_run_is_looked_at_where_it_may_be_used(void **state)
{
	const struct libra_range low = {0, 100}, high = {100, 28};
	const struct libra_range may = {64, 64};
	struct libra_engine *e = open_band(128, 0);
	struct libra_verdict v;

	assert_int_equal(offer_on(e, &low, 1, 100, 5, 40).answer, LIBRA_ACCEPT);
	assert_int_equal(offer_on(e, &high, 1, 28, 20, 40).answer,
			 LIBRA_ACCEPT);
	v = offer_on(e, &may, 1, 1, 10, 60);
	assert_string_equal(host_placed(e, v.ticket), "64");
	libra_engine_destroy(e);
}

/* Two processors with two jobs each at the most.  J would miss for A, 20 s by
 * 20; where there is one place only it is the places that are too few.
 */
static void who_would_miss_is_not_in_a_crowd(void **state)
{
	const struct libra_range all = {0, 2};
	struct libra_engine *e = open_band(2, 2);
	struct libra_verdict v;

	v = offer_on(e, &all, 1, 2, 20, 20);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	v = host_offer(e, host_job(0, 10, 25, 2), 0);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_int_equal(v.reason, LIBRA_REASON_WOULD_MISS);
	add_at(e, 0, 10, 100);
	v = host_offer(e, host_job(0, 10, 25, 2), 0);
	assert_int_equal(v.reason, LIBRA_REASON_CROWDED);
	v = host_offer(e, host_job(0, 10, 25, 1), 0);
	assert_int_equal(v.reason, LIBRA_REASON_WOULD_MISS);
	libra_engine_destroy(e);
}

/* At its deadline no job can be promised it, nor is that said. */
static void a_deadline_that_is_now_is_missed(void **state)
{
	static const char *const names[] = {"band", "demand", "planned"};

	for (int i = 0; i < 3; i++) {
		struct libra_engine *e = host_engine(names[i], 1, 2);
		struct libra_job job = host_job(0, 10, 50, 1);
		struct libra_verdict v;

		assert_false(libra_engine_would_accept(e, &job, 1, 50));
		v = host_offer(e, job, 50);
		assert_int_equal(v.answer, LIBRA_REJECT);
		assert_int_equal(v.reason, LIBRA_REASON_WOULD_MISS);
		libra_engine_destroy(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_would_miss_is_gone_round),
		cmocka_unit_test(four_times_and_no_more),
		cmocka_unit_test(the_first_of_the_empty_ones_is_taken),
		cmocka_unit_test(a_run_is_looked_at_where_it_may_be_used),
		cmocka_unit_test(who_would_miss_is_not_in_a_crowd),
		cmocka_unit_test(a_deadline_that_is_now_is_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
