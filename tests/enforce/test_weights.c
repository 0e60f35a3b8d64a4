/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_weights.c - the weights of the jobs of a node, worked by hand.
 */
#include <math.h>

#include "plugin/spank/weights.h"
#include "tests/enforce/spank_fixture.h"

static void weigh(const struct spank_job *jobs, const double *used, size_t n,
		  uint32_t least, uint32_t most, uint32_t *w)
{
	const struct spank_weight_range range = {least, most, 10 * most};

	spank_weights(jobs, used, n, NOW, &range, w);
}

/* Shares .5 .3 .2 of what is left: 50/100, 30/100, 20/100. */
static void weights_follow_the_shares(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.9, 60, NOW + 100),
		job(2, 0.9, 30, NOW + 100),
		job(3, 0.9, 25, NOW + 100),
	};
	const double used[] = {10, 0, 5};
	uint32_t w[3];

	for (int i = 0; i < 3; i++)
		jobs[i].ncpus = 1;
	weigh(jobs, used, 3, 1, 10000, w);
	assert_int_equal(w[0], 10000);
	assert_int_equal(w[1], 6000);
	assert_int_equal(w[2], 4000);
}

/* 40 s of CPU time on 4 processors are 10 s of progress: (60 - 10) / 100 = .5
 * of each, 10000 on each of them, and as much on the other's one.
 */
static void a_job_on_several_cpus_weighs_more(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.9, 60, NOW + 100),
		job(2, 0.9, 50, NOW + 100),
	};
	const double used[] = {40, 0};
	uint32_t w[2];

	jobs[0].ncpus = 4;
	jobs[1].ncpus = 1;
	weigh(jobs, used, 2, 1, 10000, w);
	assert_int_equal(w[0], 40000);
	assert_int_equal(w[1], 10000);
}

/* .25 of each of 8 CPUs, .75 of one: 1024 x 8 / 3 = 2731 and 1024, so that on
 * the CPU of both 341 meet 1024, and best effort 2.
 */
static void no_cpu_weighs_more_than_most(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.25, 25, NOW + 100),
		job(2, 0.75, 75, NOW + 100),
		job(3, 0, 0, 0),
	};
	const double used[] = {0, 0, 0};
	uint32_t w[3];

	jobs[0].ncpus = 8;
	jobs[1].ncpus = jobs[2].ncpus = 1;
	weigh(jobs, used, 3, 2, 1024, w);
	assert_int_equal(w[0], 2731);
	assert_int_equal(w[1], 1024);
	assert_int_equal(w[2], 2);
}

/* The kernel takes 10240: .5 of 64 CPUs is as much, 160 for each, and the
 * others' shares of one CPU keep to that: .75 is 240, .25 is 80.
 */
static void the_kernels_greatest_scales_all(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.5, 50, NOW + 100),
		job(2, 0.75, 75, NOW + 100),
		job(3, 0.25, 25, NOW + 100),
	};
	const double used[] = {0, 0, 0};
	uint32_t w[3];

	jobs[0].ncpus = 64;
	jobs[1].ncpus = jobs[2].ncpus = 1;
	weigh(jobs, used, 3, 2, 1024, w);
	assert_int_equal(w[0], 10240);
	assert_int_equal(w[1], 240);
	assert_int_equal(w[2], 80);
}

/* 1 s before its deadline a job that idled asks for 50 CPUs, and one CPU is all
 * it can have: beside it .5 is the half.
 */
static void who_idled_gets_no_more_than_a_cpu(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.5, 50, NOW + 1),
		job(2, 0.5, 50, NOW + 100),
	};
	const double used[] = {0, 0};
	uint32_t w[2];

	weigh(jobs, used, 2, 1, 1000, w);
	assert_int_equal(w[0], 1000);
	assert_int_equal(w[1], 500);
}

static void late_and_overrun_jobs_keep_to_the_rule(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.3, 60, NOW - 1),   /* late: share 1 */
		job(2, 0.25, 10, NOW + 50), /* over its estimate: .25 */
		job(3, 0.5, 10, NOW + 20),  /* .5 */
		job(4, 0, 0, 0),	    /* best effort */
	};
	const double used[] = {1, 11, 0, 0};
	uint32_t w[4];

	for (int i = 0; i < 4; i++)
		jobs[i].ncpus = 1;
	weigh(jobs, used, 4, 2, 100000, w);
	assert_int_equal(w[0], 100000);
	assert_int_equal(w[1], 25000);
	assert_int_equal(w[2], 50000);
	assert_int_equal(w[3], 2);
}

/* A job that yields, by its cores. */
static struct spank_job yielding(uint32_t id, double share, double deadline_s,
				 const char *cores)
{
	/* Nothing was used: 100 s before the deadline it needs its share. */
	struct spank_job j = job(id, 0.5, 100 * share, deadline_s);

	j.yields = true;
	j.ncpus = spank_read_cores(cores, j.cores);
	j.ncpus = j.ncpus ? j.ncpus : 1;
	return j;
}

static void expect_weights(const struct spank_job *jobs, size_t n,
			   const uint32_t *expected)
{
	const double used[8] = {0};
	uint32_t w[8];

	assert_true(n <= 8);
	weigh(jobs, used, n, 2, 100000, w);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(w[i], expected[i]);
}

/* .6 of core 0 is promised: .4 is left for a late job, .2 for each of two.
 * Late is who would be at the instant of its deadline, as in the engine.
 */
static void late_jobs_that_yield_divide_the_rest(void **state)
{
	const struct spank_job jobs[] = {
		yielding(1, 0.6, NOW + 100, "0"),
		yielding(2, 0.9, NOW - 1, "0"),
		job(3, 0, 0, 0),
		yielding(4, 0.9, NOW, "0"),
	};

	expect_weights(jobs, 3, (uint32_t[]){100000, 66667, 2});
	expect_weights(jobs, 4, (uint32_t[]){100000, 33333, 2, 33333});
}

/* The fullest of two cores leaves .25; 2 CPUs weigh twice. */
static void a_late_job_goes_by_its_fullest_core(void **state)
{
	const struct spank_job jobs[] = {
		yielding(1, 0.9, NOW - 1, "0-1"),
		yielding(2, 0.75, NOW + 100, "0"),
		yielding(3, 0.5, NOW + 100, "1"),
		yielding(4, 1, NOW + 100, "2"),
	};

	expect_weights(jobs, 4, (uint32_t[]){50000, 75000, 50000, 100000});
}

/* All of core 0 is promised: a late job there is held, one on core 1 has it. */
static void a_late_job_with_nothing_left_is_held(void **state)
{
	const struct spank_job jobs[] = {
		yielding(1, 0.9, NOW - 1, "0"),
		yielding(2, 1, NOW + 100, "0"),
		yielding(3, 0.9, NOW - 1, "1"),
	};

	expect_weights(jobs, 3, (uint32_t[]){3, 100000, 100000});
}

/* Who may be anywhere counts everywhere. */
static void late_jobs_without_cores_go_by_the_fullest(void **state)
{
	const struct spank_job late[] = {
		yielding(1, 0.9, NOW - 1, NULL),
		yielding(2, 0.75, NOW + 100, "5"),
	};
	const struct spank_job other[] = {
		yielding(1, 0.9, NOW - 1, "3"),
		yielding(2, 0.75, NOW + 100, NULL),
	};

	expect_weights(late, 2, (uint32_t[]){33333, 100000});
	expect_weights(other, 2, (uint32_t[]){33333, 100000});
}

/* An instant before its deadline a job's share has no bound. */
static void no_share_makes_a_weight_senseless(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.3, 1e9, nextafter(NOW, INFINITY)),
		job(2, 0.3, 1, NOW + 10), /* .1 */
		job(3, 0.3, 1, INFINITY),
	};
	const double used[] = {0, 0, 0};
	uint32_t w[3];

	weigh(jobs, used, 3, 1, 10000, w);
	assert_int_equal(w[0], 10000);
	assert_int_equal(w[1], 1000);
	assert_int_equal(w[2], 2);
}

static void expect_turns(const struct spank_job *jobs, size_t n,
			 const uint32_t *expected)
{
	const double used[8] = {0};
	uint32_t w[8];

	assert_true(n <= 8);
	weigh(jobs, used, n, 2, 1024, w);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(w[i], expected[i]);
}

/* In the order of deadlines: 2 takes core 0; 1 wants 0 and 1: held; 3 takes 1,
 * although 1 comes before it; best effort after all.
 */
static void turns_go_by_deadline(void **state)
{
	const struct spank_job jobs[] = {
		turn(1, NOW + 20, "0-1"),
		turn(2, NOW + 10, "0"),
		turn(3, NOW + 30, "1"),
		job(4, 0, 0, 0),
	};

	expect_turns(jobs, 4, (uint32_t[]){3, 1024, 1024, 2});
}

/* 2048 for two cores; 3 has to wait for both. */
static void a_turn_on_several_cores_weighs_more(void **state)
{
	const struct spank_job jobs[] = {
		turn(1, NOW + 10, "0-1"),
		turn(2, NOW + 10, "2"),
		turn(3, NOW + 11, "1-2"),
	};

	expect_turns(jobs, 3, (uint32_t[]){2048, 1024, 3});
}

/* 20 cores would weigh 20480; the kernel takes 10240 at most. */
static void no_turn_weighs_more_than_the_kernel_takes(void **state)
{
	const struct spank_job jobs[] = {
		turn(1, NOW + 10, "0-19"),
	};

	expect_turns(jobs, 1, (uint32_t[]){10240});
}

/* Late from the instant of the deadline on; among the late ones, the earlier
 * deadline comes first.
 */
static void late_jobs_come_last(void **state)
{
	const struct spank_job jobs[] = {
		turn(1, NOW, "0"),
		turn(2, NOW + 1000, "0"),
		turn(3, NOW - 5, "0"),
	};
	const struct spank_job late[] = {
		turn(1, NOW, "0"),
		turn(3, NOW - 5, "0"),
	};

	expect_turns(jobs, 3, (uint32_t[]){3, 1024, 3});
	expect_turns(late, 2, (uint32_t[]){3, 1024});
}

static void equal_deadlines_go_by_id(void **state)
{
	const struct spank_job jobs[] = {
		turn(12, NOW + 9, "0"),
		turn(11, NOW + 9, "0"),
	};

	expect_turns(jobs, 2, (uint32_t[]){3, 1024});
}

/* Cores that nobody could tell are not taken from others. */
static void unknown_cores_exclude_nobody(void **state)
{
	struct spank_job jobs[] = {
		turn(1, NOW + 9, NULL),
		turn(2, NOW + 10, "900"),
		turn(3, NOW + 8, "3"),
		turn(4, NOW + 11, "900"),
	};

	jobs[0].ncpus = 2;
	expect_turns(jobs, 4, (uint32_t[]){2048, 1024, 1024, 3});
}

/* Before its first process comes, a job takes nothing. */
static void who_has_not_come_takes_no_turn(void **state)
{
	struct spank_job jobs[] = {
		turn(1, NOW + 9, "0"),
		turn(2, NOW + 10, "0"),
	};

	jobs[0].ncpus = 0;
	expect_turns(jobs, 2, (uint32_t[]){3, 1024});
}

/* After a change of policy both kinds may meet on a node. */
static void shares_beside_turns_stay_in_their_range(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.5, 50, NOW + 100),
		job(2, 0.25, 25, NOW + 100),
		turn(3, NOW + 10, "0"),
		turn(4, NOW + 11, "0"),
	};

	jobs[0].ncpus = jobs[1].ncpus = 1;
	expect_turns(jobs, 4, (uint32_t[]){1024, 512, 1024, 3});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_follow_the_shares),
		cmocka_unit_test(a_job_on_several_cpus_weighs_more),
		cmocka_unit_test(no_cpu_weighs_more_than_most),
		cmocka_unit_test(the_kernels_greatest_scales_all),
		cmocka_unit_test(who_idled_gets_no_more_than_a_cpu),
		cmocka_unit_test(late_and_overrun_jobs_keep_to_the_rule),
		cmocka_unit_test(late_jobs_that_yield_divide_the_rest),
		cmocka_unit_test(a_late_job_goes_by_its_fullest_core),
		cmocka_unit_test(a_late_job_with_nothing_left_is_held),
		cmocka_unit_test(late_jobs_without_cores_go_by_the_fullest),
		cmocka_unit_test(no_share_makes_a_weight_senseless),
		cmocka_unit_test(turns_go_by_deadline),
		cmocka_unit_test(a_turn_on_several_cores_weighs_more),
		cmocka_unit_test(no_turn_weighs_more_than_the_kernel_takes),
		cmocka_unit_test(late_jobs_come_last),
		cmocka_unit_test(equal_deadlines_go_by_id),
		cmocka_unit_test(unknown_cores_exclude_nobody),
		cmocka_unit_test(who_has_not_come_takes_no_turn),
		cmocka_unit_test(shares_beside_turns_stay_in_their_range),
	};

	return cmocka_run_group_tests_name("weights", tests, NULL, NULL);
}
