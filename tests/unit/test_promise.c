/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_promise.c - promises as text, and text that is none. */
#include <errno.h>

#include "plugin/host/promise.h"
#include "tests/unit/test.h"

static const char left[] = "600.5/0.25/1e9,-3/1/1e9";
static const char on[] = "n1:0-2,node-2:7";

static struct libra_promise sample(void)
{
	return (struct libra_promise){
		.epoch = 17,
		.offer = 3,
		.tasks = 2,
		.nprocs = 4,
		.estimate_s = 600.1,
		.deadline_s = 1763650000.0 / 3,
		.submit_s = 1763649000.5,
		.share = 0.25,
		.late_s = 720.1,
		.changed_s = 1763649100.0 / 3,
		.budget = 100.1,
		.penalty_rate = 1e-3 / 3,
		.chunk = 2,
		.node_max = 4,
		.min_nodes = 1,
		.max_nodes = 9,
		.part = "main",
		.part_len = 4,
		.left = left,
		.left_len = strlen(left),
		.on = on,
		.on_len = strlen(on),
	};
}

static void what_is_written_reads_back(void **state)
{
	struct libra_promise p = sample(), q;
	char *text = libra_promise_format(&p);

	assert_non_null(text);
	assert_int_equal(libra_promise_parse(text, &q), 0);
	assert_true(q.epoch == 17 && q.offer == 3 && q.tasks == 2);
	assert_true(q.nprocs == 4 && q.chunk == 2 && q.node_max == 4);
	assert_true(q.min_nodes == 1 && q.max_nodes == 9 && !q.lost);
	assert_true(q.estimate_s == p.estimate_s);
	assert_true(q.deadline_s == p.deadline_s);
	assert_true(q.submit_s == p.submit_s);
	assert_true(q.late_s == p.late_s);
	assert_true(q.changed_s == p.changed_s);
	assert_true(q.budget == p.budget);
	assert_true(q.penalty_rate == p.penalty_rate);
	assert_int_equal(q.part_len, 4);
	assert_memory_equal(q.part, "main", 4);
	free(text);
}

static void tasks_of_an_array_read_back(void **state)
{
	static const char places[] = "n1:0-1;n1:2,n2:0;n2:3";
	struct libra_promise p = {.tasks = 5, .nprocs = 2, .on = places}, task;
	struct libra_promise_part part;
	struct libra_promise_at in = {0};
	size_t at = 0;

	p.on_len = strlen(places);
	assert_true(libra_promise_task(&p, &at, &task));
	assert_int_equal(task.tasks, 1);
	assert_int_equal(task.nprocs, 2);
	assert_true(libra_promise_part(&task, &in, &part));
	assert_int_equal(part.count, 2);
	assert_false(libra_promise_part(&task, &in, &part));
	assert_int_equal(in.on, task.on_len);

	in.on = 0;
	assert_true(libra_promise_task(&p, &at, &task));
	assert_true(libra_promise_part(&task, &in, &part));
	assert_int_equal(part.first, 2);
	assert_true(libra_promise_part(&task, &in, &part));
	assert_memory_equal(part.node, "n2", 2);
	assert_false(libra_promise_part(&task, &in, &part));
	assert_int_equal(in.on, task.on_len);

	assert_true(libra_promise_task(&p, &at, &task));
	assert_int_equal(task.on_len, 4);
	assert_false(libra_promise_task(&p, &at, &task));

	/* As one, they are on all of these. */
	in.on = 0;
	for (int i = 0; i < 4; i++)
		assert_true(libra_promise_part(&p, &in, &part));
	assert_false(libra_promise_part(&p, &in, &part));
	assert_int_equal(in.on, p.on_len);
}

static void no_deadline_and_no_place_read_back(void **state)
{
	struct libra_promise p = sample(), q;
	char *text;

	p.deadline_s = INFINITY;
	p.on_len = p.left_len = p.part_len = 0;
	p.lost = true;
	text = libra_promise_format(&p);
	assert_contains(text, " promise=lost ");
	assert_int_equal(libra_promise_parse(text, &q), 0);
	assert_true(isinf(q.deadline_s) && q.lost);
	assert_int_equal(q.on_len, 0);
	free(text);
}

static void parts_are_read_one_by_one(void **state)
{
	struct libra_promise p = sample();
	struct libra_promise_at at = {0};
	struct libra_promise_part part;

	assert_true(libra_promise_part(&p, &at, &part));
	assert_memory_equal(part.node, "n1", 2);
	assert_int_equal(part.node_len, 2);
	assert_true(part.first == 0 && part.count == 3 && part.begun);
	assert_near(part.left_s, 600.5, 0);
	assert_near(part.rate, 0.25, 0);
	assert_true(libra_promise_part(&p, &at, &part));
	assert_int_equal(part.node_len, 6);
	assert_true(part.first == 7 && part.count == 1);
	assert_near(part.left_s, -3, 0);
	assert_false(libra_promise_part(&p, &at, &part));
	assert_int_equal(at.on, p.on_len);
}

static void damaged_parts_end_before_the_end(void **state)
{
	static const char *const bad[] = {"n1",	    "n1:",     "n1:x",
					  "n1:3-1", "n1:0-2x", "n1:99999999999",
					  ",,,"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_promise p = {.on = bad[i],
					  .on_len = strlen(bad[i])};
		struct libra_promise_at at = {0};
		struct libra_promise_part part;

		while (libra_promise_part(&p, &at, &part))
			;
		assert_true(at.on < p.on_len);
	}
}

static void other_comments_are_none_of_ours(void **state)
{
	struct libra_promise p;

	assert_int_equal(libra_promise_parse(NULL, &p), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(libra_promise_parse("", &p), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(libra_promise_parse("a note libra:1", &p), -1);
	assert_int_equal(errno, ENOENT);
}

/* Each: a word of a good promise, and what it is replaced by. */
static void damage_is_seen(void **state)
{
	static const char *const bad[][2] = {
		{"libra:1", "libra:0"},	       {"libra:1", "libra:2"},
		{"offer=17.3", "offer=x"},     {"offer=17.3", "offer=17"},
		{"tasks=2", "tasks=0"},	       {"procs=4", "procs=-4"},
		{"procs=4", "procs=4.5"},      {"procs=4", "procs=99999999999"},
		{"procs=4", "procs="},	       {"estimate=", "estimate=nan"},
		{"estimate=", "estimate=-"},   {"estimate=", "estimate=inf "},
		{"submit=", "submit=inf "},    {"share=0.25", "share=x"},
		{"shape=2.4.1.9", "shape=2"},  {"shape=2.4.1.9", ""},
		{"deadline=", "deadline=nan "}};
	struct libra_promise p = sample(), q;
	char *text = libra_promise_format(&p), hurt[512], *at;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		at = strstr(text, bad[i][0]);
		assert_non_null(at);
		snprintf(hurt, sizeof(hurt), "%.*s%s%s", (int)(at - text), text,
			 bad[i][1], at + strlen(bad[i][0]));
		errno = 0;
		if (libra_promise_parse(hurt, &q) == 0)
			fail_msg("taken: %s", hurt);
		assert_int_equal(errno, EINVAL);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(tasks_of_an_array_read_back),
		cmocka_unit_test(no_deadline_and_no_place_read_back),
		cmocka_unit_test(parts_are_read_one_by_one),
		cmocka_unit_test(damaged_parts_end_before_the_end),
		cmocka_unit_test(other_comments_are_none_of_ours),
		cmocka_unit_test(damage_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
