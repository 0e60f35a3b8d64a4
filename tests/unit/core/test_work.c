/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_work.c - what decisions count that they have looked at, by hand.
 *
 * A search for a deadline ends when that is spent, on every host at the same
 * place: so it is a part of what the engine answers.
 */
#include "core/engine_impl.h"
#include "core/policy/policies.h"
#include "core/space/planned.h"
#include "tests/unit/host.h"

/* What it costs to ask whether a job would be accepted. */
static uint64_t cost(struct libra_engine *e, struct libra_job job,
		     bool accepted)
{
	uint64_t before = e->work;

	assert_int_equal(libra_engine_would_accept(e, &job, 1, e->now_s),
			 accepted);
	return e->work - before;
}

static struct libra_engine *open_engine(const struct libra_policy_type *policy,
					uint32_t nnodes, bool by_node,
					const char *settings)
{
	static const uint32_t procs[] = {8, 8, 8};
	struct libra_engine *e = host_engine_with(
		(struct libra_engine_conf){
			.policy = policy,
			.node_procs = procs,
			.nnodes = nnodes,
			.offer_ttl_s = INFINITY,
			.by_node = by_node,
		},
		settings);

	host_pass(e, 0);
	return e;
}

/* ---- band ---- */

static uint64_t cost_on(struct libra_engine *e, uint32_t first, uint32_t count,
			uint32_t n, double deadline_s, bool accepted)
{
	struct libra_range at = {first, count};
	struct libra_where where = {.allowed = &at, .nallowed = 1};
	struct libra_job job = host_job(0, 10, deadline_s, n);

	job.where = &where;
	return cost(e, job, accepted);
}

static void add_on(struct libra_engine *e, uint32_t first, uint32_t n,
		   double estimate_s, double deadline_s)
{
	struct libra_range at = {first, n};
	struct libra_where where = {.allowed = &at, .nallowed = 1};
	struct libra_job job = host_job(0, estimate_s, deadline_s, n);
	struct libra_verdict v;

	job.where = &where;
	v = host_offer(e, job, 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
}

/* A run counts itself and what is bound to it; a trial itself, those before the
 * job, and each behind it with its neighbours; a decision all jobs.
 */
static void band_counts_runs_and_jobs(void **state)
{
	struct libra_engine *e = open_engine(&libra_policy_band, 1, false,
					     "machine_reserve=0 reserve=0");

	/* A run, a trial. */
	assert_int_equal(cost_on(e, 0, 8, 3, 50, true), 1 + 1);
	add_on(e, 0, 1, 10, 19);
	/* The empty block at 1; behind the one on 0, it alone before it. */
	assert_int_equal(cost_on(e, 0, 8, 1, 50, true), 1 + 1 + 1);
	assert_int_equal(cost_on(e, 0, 1, 1, 50, true), 2 + 2 + 1);
	/* It cannot wait: what is open is looked for one by one, in two runs.
	 */
	assert_int_equal(cost_on(e, 0, 1, 1, 15, false), 2 + 1 + 1);
	add_on(e, 0, 2, 10, 100);
	/* Both on 0, one on 1, which is behind it and has a neighbour. */
	assert_int_equal(cost_on(e, 0, 2, 2, 90, true),
			 (1 + 2) + (1 + 1) + (1 + 1) + (1 + 1) + 2);
	libra_engine_destroy(e);
}

/* 10 s are before it on 0, 20 s on 1: that is dear, and is not tried. */
static void band_counts_what_is_too_dear(void **state)
{
	struct libra_engine *e = open_engine(&libra_policy_band, 1, false,
					     "machine_reserve=0 reserve=0");

	add_on(e, 0, 1, 10, 40);
	add_on(e, 1, 1, 20, 40);
	assert_int_equal(cost_on(e, 0, 2, 1, 50, true), (2 + 2) + 2 + 2);
	libra_engine_destroy(e);
}

/* ---- planned ---- */

#define PLAIN "hold_back=0 pull_forward=0 machine_reserve=0"

/* 8 processors are taken until 100; then 7, 6 and 5 of them, for 10 s each. */
static struct libra_engine *open_stairs(uint32_t nnodes, bool by_node)
{
	struct libra_engine *e =
		open_engine(&libra_policy_planned, nnodes, by_node, PLAIN);

	assert_true(host_submit(e, host_job(0, 100, 1000, 8 * nnodes), 0));
	host_pass(e, 0);
	for (uint32_t i = 1; i <= 3; i++)
		assert_true(host_submit(
			e, host_job(0, 10, 1000 + i, 8 * nnodes - i), 0));
	return e;
}

/* All that wait, and a quarter of the steps and one. */
static void planned_counts_steps_and_jobs(void **state)
{
	struct libra_engine *e =
		open_engine(&libra_policy_planned, 1, false, PLAIN);

	assert_int_equal(cost(e, host_job(0, 10, 100, 8), true), 1);
	libra_engine_destroy(e);
	e = open_stairs(1, false);
	/* 0, 100, 110, 120, 130. */
	assert_int_equal(cost(e, host_job(0, 10, 500, 8), true), 3 + 1 + 1);
	assert_true(host_submit(e, host_job(0, 10, 1004, 4), 0));
	assert_true(host_submit(e, host_job(0, 10, 1005, 5), 0));
	assert_true(host_submit(e, host_job(0, 5, 1006, 6), 0));
	assert_int_equal(libra_planned_state(e)->space.timeline.n, 8);
	assert_int_equal(cost(e, host_job(0, 10, 500, 8), true), 6 + 1 + 2);
	libra_engine_destroy(e);
}

static uint64_t cost_of_bound(struct libra_engine *e, uint32_t n,
			      double estimate_s, double deadline_s,
			      uint32_t njobs, bool is_sure)
{
	struct libra_job job = host_job(0, estimate_s, deadline_s, n);
	uint64_t before = e->work;

	assert_int_equal(e->policy->ops->search.surely_accepts(e, &job, njobs),
			 is_sure);
	return e->work - before;
}

/* A bound looks at windows from the deadline back, each a duration before the
 * next one, and at the steps of each: a job in [490, 500), [470, 480) and so
 * on. The last step begins at 130, those before at 120 and 110.
 */
static void a_bound_counts_windows_and_steps(void **state)
{
	struct libra_engine *e = open_stairs(1, false);

	assert_int_equal(cost_of_bound(e, 8, 10, 500, 1, true), 1);
	assert_int_equal(cost_of_bound(e, 8, 10, 500, 3, true), 3);
	assert_int_equal(cost_of_bound(e, 4, 10, 500, 5, true), 3);
	/* [125, 155) has the step at 120, with 3 processors, too. */
	assert_int_equal(cost_of_bound(e, 3, 30, 155, 1, true), 1 + 1);
	/* These are too few: the next window ends at 120, and those before it,
	 * which end so at once, at 110, 100 and 0.
	 */
	assert_int_equal(cost_of_bound(e, 4, 30, 155, 1, false),
			 (1 + 1) + 1 + 1 + 1);
	libra_engine_destroy(e);
}

/* And by node each node once, where the first hole has room. */
static void by_node_each_node_counts(void **state)
{
	struct libra_engine *e = open_stairs(3, true);

	assert_int_equal(cost(e, host_job(0, 10, 500, 24), true),
			 3 + (1 + 1) + 3);
	libra_engine_destroy(e);
}

/* Node 0 is another's until 100.  The hole at 0 has no place there, nor has it
 * if nodes are found anew, for one plan; then it is looked for at 0 and 100.
 */
static void by_node_each_look_counts(void **state)
{
	struct libra_engine *e =
		open_engine(&libra_policy_planned, 3, true, PLAIN);
	struct libra_range first = {0, 8};
	struct libra_where where = {.allowed = &first, .nallowed = 1};
	struct libra_job job = host_job(0, 100, 1000, 8);

	job.where = &where;
	assert_true(host_submit(e, job, 0));
	host_pass(e, 0);
	assert_int_equal(libra_planned_state(e)->space.timeline.n, 2);
	job.estimate_s = 10;
	assert_int_equal(cost(e, job, true), 1 + 3 + (1 + 3) + 1 + 3 + 3);
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(band_counts_runs_and_jobs),
		cmocka_unit_test(band_counts_what_is_too_dear),
		cmocka_unit_test(planned_counts_steps_and_jobs),
		cmocka_unit_test(a_bound_counts_windows_and_steps),
		cmocka_unit_test(by_node_each_node_counts),
		cmocka_unit_test(by_node_each_look_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
