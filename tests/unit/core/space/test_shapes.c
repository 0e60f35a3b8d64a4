/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_shapes.c - jobs that may not run on any nodes where all are alike.
 *
 * 4 nodes of one processor and 4 GB: the nodes of plans are found by counting,
 * unless a job asks for what not each node, or not so many of them, can give.
 */
#include "core/engine_impl.h"
#include "core/space/nodes.h"
#include "core/space/planned.h"
#include "tests/unit/host.h"

static const struct libra_range all[] = {{0, 4}}, some[] = {{0, 2}, {3, 1}};
static const uint64_t four[] = {4}, five[] = {5};

static struct libra_engine *open_engine(void)
{
	static const uint32_t procs[] = {1, 1, 1, 1};
	static const uint64_t memory[] = {4, 4, 4, 4};
	struct libra_engine *e = host_rooms_engine(
		procs, 4, memory, 1,
		"hold_back=0 pull_forward=0 machine_reserve=0");

	host_pass(e, 0);
	return e;
}

/* When two processors for 10 s may have ended, while another job has all for
 * 100 s.
 */
static double earliest_s(struct libra_where where)
{
	struct libra_engine *e = open_engine();
	struct libra_job job = host_job(0, 10, 1000, 2);
	double deadline_s;

	assert_true(host_submit(e, host_job(0, 100, 1000, 4), 0));
	host_pass(e, 0);
	job.where = &where;
	deadline_s = libra_engine_earliest_deadline(e, &job, 0);
	/* An offer says the same. */
	assert_int_equal(host_offer(e, job, 0).answer,
			 deadline_s < INFINITY ? LIBRA_ACCEPT : LIBRA_REJECT);
	libra_engine_destroy(e);
	return deadline_s;
}

static void who_finds_no_nodes_waits_for_ever(void **state)
{
	assert_near(earliest_s((struct libra_where){.chunk = 1}), 110, 1);
	assert_near(earliest_s((struct libra_where){.max_nodes = 2}), 110, 1);
	assert_near(earliest_s((struct libra_where){.min_nodes = 2}), 110, 1);
	assert_near(earliest_s((struct libra_where){.per_node = four}), 110, 1);
	assert_near(earliest_s((struct libra_where){.allowed = some,
						    .nallowed = 2}),
		    110, 1);
	assert_near(earliest_s((struct libra_where){.chunk = 2}), INFINITY, 0);
	assert_near(earliest_s((struct libra_where){.max_nodes = 1}), INFINITY,
		    0);
	assert_near(earliest_s((struct libra_where){.min_nodes = 3}), INFINITY,
		    0);
	assert_near(earliest_s((struct libra_where){.per_node = five}),
		    INFINITY, 0);
	assert_near(earliest_s((struct libra_where){.per_chunk = five}),
		    INFINITY, 0);
}

/* Of several that are tried each has the shape that was asked for: 10 s by 25
 * on node 0 fit there twice.
 */
static void all_that_are_tried_have_the_shape(void **state)
{
	const struct libra_range first = {0, 1};
	const struct libra_where where = {.allowed = &first, .nallowed = 1};
	struct libra_job job = host_job(0, 10, 25, 1);

	for (int waiting = 0; waiting < 4; waiting++) {
		struct libra_engine *e = open_engine();

		for (int i = 0; i < waiting; i++)
			assert_true(host_submit(e, host_job(0, 5, 1000, 1), 5));
		job.submit_s = e->now_s;
		job.deadline_s = e->now_s + 25;
		job.where = &where;
		assert_true(libra_engine_would_accept(e, &job, 2, e->now_s));
		assert_false(libra_engine_would_accept(e, &job, 3, e->now_s));
		libra_engine_destroy(e);
	}
}

static bool is_plain(struct libra_engine *e, struct libra_where where)
{
	libra_nodes_shape(e, e->nslots, &where);
	return libra_planned_state(e)->nodes->shapes[e->nslots].plain;
}

/* Any nodes do, or any processors. */
static void who_may_run_anywhere_is_counted(void **state)
{
	struct libra_engine *e = open_engine();

	assert_true(is_plain(e, (struct libra_where){.chunk = 1}));
	assert_true(is_plain(e, (struct libra_where){.min_nodes = 1}));
	assert_true(is_plain(e, (struct libra_where){.node_max = 1}));
	assert_true(is_plain(
		e, (struct libra_where){.allowed = all, .nallowed = 1}));
	assert_true(is_plain(e, (struct libra_where){.per_node = four}));
	assert_true(is_plain(e, (struct libra_where){.per_chunk = four}));
	assert_false(is_plain(e, (struct libra_where){.per_node = five}));
	assert_false(is_plain(e, (struct libra_where){.per_chunk = five}));
	assert_false(is_plain(
		e, (struct libra_where){.per_chunk = four, .per_node = four}));
	assert_false(is_plain(
		e, (struct libra_where){.allowed = some, .nallowed = 2}));
	assert_false(is_plain(e, (struct libra_where){.chunk = 2}));
	assert_false(is_plain(e, (struct libra_where){.max_nodes = 4}));
	assert_false(is_plain(e, (struct libra_where){.min_nodes = 2}));
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_finds_no_nodes_waits_for_ever),
		cmocka_unit_test(all_that_are_tried_have_the_shape),
		cmocka_unit_test(who_may_run_anywhere_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
