/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_band_sure.c - how many equal jobs band accepts for certain, by hand.
 *
 * Each asks for 10 s.  On an empty processor the first ends at 10, the second
 * at 20, and so on, as far as the deadline goes.
 */
#include "core/gang/ops.h"
#include "core/policy/policies.h"
#include "tests/unit/host.h"

static struct libra_engine *open_with(uint32_t nprocs, uint32_t max_jobs,
				      const char *settings)
{
	struct libra_engine *e =
		host_band_engine(&nprocs, 1, max_jobs, settings);

	libra_engine_schedule(e, 0);
	return e;
}

static struct libra_engine *open_band(uint32_t nprocs, uint32_t max_jobs)
{
	return open_with(nprocs, max_jobs, "machine_reserve=0 reserve=0");
}

static bool sure(struct libra_engine *e, uint32_t n, double deadline_s,
		 uint32_t njobs)
{
	const struct libra_gang_traits *traits = libra_policy_band.traits;
	struct libra_job job = host_job(0, 10, deadline_s, n);

	assert_int_equal(libra_gang_make_room(e, e->nslots + 1), 0);
	libra_gang_catch_up(e);
	return traits->surely_accepts(e, &job, njobs);
}

/* So many and no more. */
#define assert_takes(e, n, deadline_s, njobs)                                  \
	do {                                                                   \
		assert_true(sure((e), (n), (deadline_s), (njobs)));            \
		assert_false(sure((e), (n), (deadline_s), (njobs) + 1));       \
	} while (0)

/* A job on one processor. */
static void add_at(struct libra_engine *e, uint32_t proc, double estimate_s,
		   double deadline_s)
{
	struct libra_range allowed = {proc, 1};
	struct libra_where where = {.allowed = &allowed, .nallowed = 1};
	struct libra_job job = host_job(0, estimate_s, deadline_s, 1);

	job.where = &where;
	assert_placed(e, host_submit(e, job, 0), proc, 1);
}

static void empty_blocks_take_what_fits_one_behind_the_other(void **state)
{
	struct libra_engine *e = open_band(5, 0);

	assert_takes(e, 1, 10, 5);
	assert_takes(e, 1, 25, 10);
	assert_takes(e, 1, 30, 15);
	/* Blocks of two begin at 0 and 2, one of four at 0. */
	assert_takes(e, 2, 25, 4);
	assert_takes(e, 3, 35, 3);
	assert_takes(e, 5, 25, 2);
	assert_false(sure(e, 6, 25, 1));
	/* Less than its estimate is a bet. */
	assert_false(sure(e, 1, 9, 1));
	libra_engine_destroy(e);
}

/* A, 10 s by 12 on 0, comes before: there the first ends at 20. */
static void who_waits_has_less_room(void **state)
{
	struct libra_engine *e = open_band(4, 0);

	add_at(e, 0, 10, 12);
	assert_takes(e, 1, 25, 1 + 3 * 2);
	assert_takes(e, 1, 15, 3);
	assert_takes(e, 2, 25, 1 + 2);
	libra_engine_destroy(e);
}

/* L, 10 s by 100 on 3, comes behind and bears one: the last that is asked for,
 * as others elsewhere may reach it.
 */
static void who_comes_behind_bears_one(void **state)
{
	struct libra_engine *e = open_band(4, 0);

	add_at(e, 3, 10, 100);
	assert_takes(e, 1, 25, 3 * 2 + 1);
	assert_takes(e, 2, 25, 2 + 1);
	libra_engine_destroy(e);
	/* On 0 it is asked about first, when others are wanted, too. */
	e = open_band(4, 0);
	add_at(e, 0, 10, 100);
	assert_takes(e, 1, 25, 3 * 2);
	assert_true(sure(e, 4, 25, 1));
	assert_false(sure(e, 4, 25, 2));
	libra_engine_destroy(e);
}

/* No more than three on a processor; on 0 there is one already. */
static void places_are_counted(void **state)
{
	struct libra_engine *e = open_band(4, 3);

	assert_takes(e, 1, 95, 4 * 3);
	add_at(e, 0, 10, 12);
	assert_takes(e, 1, 95, 2 + 3 * 3);
	assert_takes(e, 4, 95, 2);
	libra_engine_destroy(e);
}

/* Node 1 of four is closed: three of a block are 0, 2 and 3, and on 3 are two
 * already, which the first of them waits for.  It ends at 30.
 */
static void the_fullest_of_them_counts(void **state)
{
	const uint32_t procs[] = {1, 1, 1, 1};
	struct libra_engine *e =
		host_band_engine(procs, 4, 3, "machine_reserve=0 reserve=0");

	libra_engine_schedule(e, 0);
	assert_int_equal(libra_engine_node(e, 1, LIBRA_NODE_DRAIN, 0), 0);
	add_at(e, 3, 10, 12);
	assert_takes(e, 3, 95, 2);
	add_at(e, 3, 10, 25);
	assert_takes(e, 3, 95, 1);
	assert_takes(e, 3, 30, 1);
	assert_false(sure(e, 3, 29, 1));
	libra_engine_destroy(e);
}

/* 10 jobs of 10 s were refused on 0, behind A: rho is 1 - 0.99^10, and each
 * needs 10 + 50 rho = 14.78 s of room.  Behind A, or another one, that
 * is 24.78.
 */
static void room_for_the_refused_is_wanted(void **state)
{
	struct libra_engine *e = open_with(4, 0, "machine_reserve=0");
	struct libra_range first = {0, 1};
	struct libra_where where = {.allowed = &first, .nallowed = 1};
	struct libra_job job = host_job(0, 10, 15, 1);

	add_at(e, 0, 10, 12);
	assert_takes(e, 1, 25, 1 + 3 * 2);
	assert_int_equal(
		libra_engine_withdraw(
			e, host_offer(e, host_job(0, 10, 900, 4), 0).ticket, 0),
		0);
	job.where = &where;
	for (int i = 0; i < 10; i++)
		assert_int_equal(host_offer(e, job, 0).answer, LIBRA_REJECT);
	assert_takes(e, 1, 24.79, 1 + 3 * 2);
	assert_takes(e, 1, 24.77, 3);
	assert_takes(e, 1, 14.79, 3);
	libra_engine_destroy(e);
}

/* One full processor of two is enough for a job of two to be told that. */
static void one_is_a_crowd(void **state)
{
	struct libra_engine *e = open_band(2, 1);
	struct libra_verdict v;

	add_at(e, 0, 10, 25);
	v = host_offer(e, host_job(0, 10, 25, 2), 0);
	assert_int_equal(v.reason, LIBRA_REASON_CROWDED);
	libra_engine_destroy(e);
}

/* A place is not taken by halves; and who refuses says why. */
static void an_offer_says_what_it_holds(void **state)
{
	struct libra_engine *e = open_band(2, 1);
	struct libra_verdict v = host_offer(e, host_job(0, 10, 25, 2), 0);

	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_near(v.share, 1, 0);
	v = host_offer(e, host_job(0, 10, 25, 1), 0);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_int_equal(v.reason, LIBRA_REASON_CROWDED);
	libra_engine_destroy(e);
	/* On a closed node there is no crowd. */
	e = open_band(2, 1);
	assert_int_equal(libra_engine_node(e, 0, LIBRA_NODE_DRAIN, 0), 0);
	v = host_offer(e, host_job(0, 10, 25, 1), 0);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_int_not_equal(v.reason, LIBRA_REASON_CROWDED);
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			empty_blocks_take_what_fits_one_behind_the_other),
		cmocka_unit_test(who_waits_has_less_room),
		cmocka_unit_test(who_comes_behind_bears_one),
		cmocka_unit_test(places_are_counted),
		cmocka_unit_test(the_fullest_of_them_counts),
		cmocka_unit_test(room_for_the_refused_is_wanted),
		cmocka_unit_test(one_is_a_crowd),
		cmocka_unit_test(an_offer_says_what_it_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
