/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_promise.c - promises as text, and text that is none. */
#include <errno.h>

#include "plugin/engine/admin_comment.h"
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
		.broken.text = "node_lost:n_3",
		.broken.len = 13,
		.changed_s = 1763649100.0 / 3,
		.budget = 100.1,
		.penalty_rate = 1e-3 / 3,
		.chunk = 2,
		.node_max = 4,
		.min_nodes = 1,
		.max_nodes = 9,
		.part.text = "main",
		.part.len = 4,
		.left.text = left,
		.left.len = strlen(left),
		.on.text = on,
		.on.len = strlen(on),
	};
}

static void a_refusal_reads_back(void **state)
{
	static const char *const damaged[] = {
		"/1/2", "would_miss", "would_miss/", "would_miss/x/2",
		"a_reason_longer_than_any_that_there_is/1/2"};
	struct libra_promise p = sample(), q;
	struct libra_refusal r;
	char *text;

	(void)state;
	assert_false(libra_promise_refusal(&p, &r));
	p.refused.text = "would_miss/1763649000/inf";
	p.refused.len = strlen(p.refused.text);
	text = libra_admin_comment_format(&p);
	assert_int_equal(libra_admin_comment_parse(text, &q), 0);
	assert_true(libra_promise_refusal(&q, &r));
	assert_string_equal(r.reason, "would_miss");
	assert_true(r.asked_s == 1763649000 && r.earliest_s == INFINITY);
	free(text);
	p.refused.text = "no_share/17/nan";
	p.refused.len = strlen(p.refused.text);
	assert_true(libra_promise_refusal(&p, &r));
	assert_true(isnan(r.earliest_s));
	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		p.refused.text = damaged[i];
		p.refused.len = strlen(p.refused.text);
		assert_false(libra_promise_refusal(&p, &r));
	}
}

static void what_is_written_reads_back(void **state)
{
	struct libra_promise p = sample(), q;
	char *text = libra_admin_comment_format(&p), cause[LIBRA_CAUSE_SIZE];
	char many[4 * LIBRA_CAUSE_SIZE];

	assert_non_null(text);
	assert_int_equal(libra_admin_comment_parse(text, &q), 0);
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
	assert_int_equal(q.part.len, 4);
	assert_memory_equal(q.part.text, "main", 4);
	libra_promise_cause(&q, cause);
	assert_string_equal(cause, "node lost: n_3");
	free(text);
	q.broken.text = NULL;
	q.broken.len = 0;
	libra_promise_cause(&q, cause);
	assert_string_equal(cause, "");
	memset(many, '_', sizeof(many));
	q.broken.text = many;
	q.broken.len = sizeof(many);
	libra_promise_cause(&q, cause);
	assert_int_equal(strlen(cause), LIBRA_CAUSE_SIZE - 2);
}

/* An operator's text, as one word. */
static void a_note_is_not_read(void **state)
{
	struct libra_promise p = sample(), q;
	char *text, noted[1024];

	p.late_s = p.budget = p.penalty_rate = p.changed_s = 0;
	p.broken.len = 0;
	text = libra_admin_comment_format(&p);
	assert_non_null(text);
	snprintf(noted, sizeof(noted), "%s note=late=5_promise=lost_on=n9:0",
		 text);
	assert_int_equal(libra_admin_comment_parse(noted, &q), 0);
	assert_true(q.late_s == 0 && !q.lost && q.on.len == p.on.len);
	assert_true(q.estimate_s == p.estimate_s && q.left.len == p.left.len);
	free(text);
}

static void tasks_of_an_array_read_back(void **state)
{
	static const char places[] = "n1:0-1;n1:2,n2:0;n2:3";
	struct libra_promise p = {.tasks = 5, .nprocs = 2, .on.text = places},
			     task;
	struct libra_promise_part part;
	struct libra_promise_at in = {0};
	size_t at = 0;

	p.on.len = strlen(places);
	assert_true(libra_promise_task(&p, &at, &task));
	assert_int_equal(task.tasks, 1);
	assert_int_equal(task.nprocs, 2);
	assert_true(libra_promise_part(&task, &in, &part));
	assert_int_equal(part.count, 2);
	assert_false(libra_promise_part(&task, &in, &part));
	assert_int_equal(in.on, task.on.len);

	in.on = 0;
	assert_true(libra_promise_task(&p, &at, &task));
	assert_true(libra_promise_part(&task, &in, &part));
	assert_int_equal(part.first, 2);
	assert_true(libra_promise_part(&task, &in, &part));
	assert_memory_equal(part.node, "n2", 2);
	assert_false(libra_promise_part(&task, &in, &part));
	assert_int_equal(in.on, task.on.len);

	assert_true(libra_promise_task(&p, &at, &task));
	assert_int_equal(task.on.len, 4);
	assert_false(libra_promise_task(&p, &at, &task));

	/* As one, they are on all of these. */
	in.on = 0;
	for (int i = 0; i < 4; i++)
		assert_true(libra_promise_part(&p, &in, &part));
	assert_false(libra_promise_part(&p, &in, &part));
	assert_int_equal(in.on, p.on.len);
}

static void no_deadline_and_no_place_read_back(void **state)
{
	struct libra_promise p = sample(), q;
	char *text;

	p.deadline_s = INFINITY;
	p.on.len = p.left.len = p.part.len = 0;
	p.lost = true;
	text = libra_admin_comment_format(&p);
	assert_contains(text, " promise=lost ");
	assert_int_equal(libra_admin_comment_parse(text, &q), 0);
	assert_true(isinf(q.deadline_s) && q.lost);
	assert_int_equal(q.on.len, 0);
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
	assert_int_equal(at.on, p.on.len);
}

static void damaged_parts_end_before_the_end(void **state)
{
	static const char *const bad[] = {"n1",	    "n1:",     "n1:x",
					  "n1:3-1", "n1:0-2x", "n1:99999999999",
					  ",,,"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_promise p = {.on.text = bad[i],
					  .on.len = strlen(bad[i])};
		struct libra_promise_at at = {0};
		struct libra_promise_part part;

		while (libra_promise_part(&p, &at, &part))
			;
		assert_true(at.on < p.on.len);
	}
}

static void other_comments_are_none_of_ours(void **state)
{
	struct libra_promise p;

	assert_int_equal(libra_admin_comment_parse(NULL, &p), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(libra_admin_comment_parse("", &p), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(libra_admin_comment_parse("a note libra:1", &p), -1);
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
	char *text = libra_admin_comment_format(&p), hurt[512], *at;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		at = strstr(text, bad[i][0]);
		assert_non_null(at);
		snprintf(hurt, sizeof(hurt), "%.*s%s%s", (int)(at - text), text,
			 bad[i][1], at + strlen(bad[i][0]));
		errno = 0;
		if (libra_admin_comment_parse(hurt, &q) != -1)
			fail_msg("taken: %s", hurt);
		assert_int_equal(errno, EINVAL);
	}
	free(text);
}

/* Words that say nothing are left out; the rest is as admin_comment.h has it.
 */
static void the_text_is_to_the_letter(void **state)
{
	struct libra_promise p = {.epoch = 17,
				  .offer = 3,
				  .tasks = 1,
				  .nprocs = 4,
				  .estimate_s = 600,
				  .user_estimate_s = 600,
				  .deadline_s = 1763650000,
				  .submit_s = 1763649000.5,
				  .share = 0.25,
				  .chunk = 1};
	static const char start[] = "libra:1 offer=17.3 tasks=1 procs=4 "
				    "estimate=600 deadline=1763650000 "
				    "submit=1763649000.5 share=0.25 part= "
				    "shape=1.0.0.0";
	static const char end[] = " left= on=";
	char want[512], *text = libra_admin_comment_format(&p);

	snprintf(want, sizeof(want), "%s%s", start, end);
	assert_string_equal(text, want);
	free(text);
	p.budget = 0.5;
	text = libra_admin_comment_format(&p);
	snprintf(want, sizeof(want), "%s budget=0.5 penalty=0%s", start, end);
	assert_string_equal(text, want);
	free(text);
	p.budget = 0;
	p.penalty_rate = 0.5;
	p.user_estimate_s = 0.5;
	p.late_s = 0.5;
	p.changed_s = 0.5;
	p.broken.text = "node_lost:n_3";
	p.broken.len = 13;
	p.start.text = "7;8";
	p.start.len = 3;
	p.lost = true;
	p.left.text = left;
	p.left.len = 4;
	p.on.text = on;
	p.on.len = 6;
	text = libra_admin_comment_format(&p);
	snprintf(
		want, sizeof(want),
		"%s own=0.5 late=0.5 broken=node_lost:n_3 changed=0.5 budget=0 penalty=0.5 "
		"start=7;8 promise=lost left=600. on=n1:0-2",
		start);
	assert_string_equal(text, want);
	free(text);
}

/* A good text, another word in it, and whether it is one still; the numbers
 * that it then has are checked where they are asked for.
 */
static int with(struct libra_promise *p, const char *was, const char *is)
{
	static char hurt[512];
	static const char good[] =
		"libra:1 offer=17.3 tasks=2 procs=4 estimate=600 deadline=700 "
		"submit=100 share=0.25 part=main shape=2.4.1.9 own=500 late=1 "
		"changed=2 budget=3 penalty=4 start=7 promise=lost left= on=";
	const char *at = strstr(good, was);

	assert_non_null(at);
	snprintf(hurt, sizeof(hurt), "%.*s%s%s", (int)(at - good), good, is,
		 at + strlen(was));
	errno = 0;
	return libra_admin_comment_parse(hurt, p);
}

/* Of the same name the first word counts; whatever else is one of no name. */
static void words_are_found_in_any_order(void **state)
{
	struct libra_promise p;

	assert_int_equal(with(&p, " tasks=2", " x=1 = tasks=2 tasks=3 tasks"),
			 0);
	assert_int_equal(p.tasks, 2);
	assert_int_equal(with(&p, "offer=17.3 tasks=2", "tasks=2 offer=17.3"),
			 0);
	assert_true(p.epoch == 17 && p.offer == 3 && p.tasks == 2);
	assert_int_equal(with(&p, "procs=4", "procs=4e0"), 0);
	assert_int_equal(p.nprocs, 4);
	assert_int_equal(with(&p, "submit=100", "submit=9007199254740993"), 0);
	assert_true(p.submit_s == 9007199254740992.0);
	(void)state;
}

static void each_number_has_its_bounds(void **state)
{
	/* Amounts are 0 or more; the estimates more than that. */
	static const char *const bad[][2] = {
		{" own=500", " own=0"},
		{" own=500", " own=-1"},
		{" own=500", " own=nan"},
		{" own=500", " own=inf"},
		{" own=500", " own="},
		{" late=1", " late=-1"},
		{" late=1", " late=inf"},
		{" changed=2", " changed=-1"},
		{" changed=2", " changed=x"},
		{" budget=3", " budget=-1"},
		{" budget=3", " budget=inf"},
		{" penalty=4", " penalty=-0.5"},
		{"shape=2.4", "shape=0.4"},
		{"1.9 own", "1.9x own"},
		{"procs=4", "procs=0"},
		{"procs=4", "procs=4000000001"},
		{"estimate=600", "estimate=0"},
		{"17.3 ", "17.3x "},
		{" tasks=2", " task=2"},
		{" tasks=2", " tasks2"},
		{"=17.3", "=+17.3"},
		{"=17.3", "=17.-3"},
		{"=17.3", "= 17.3"},
		{"=2.4.1", "=2.-4.1"},
		{"=17.3", "=17.99999999999999999999"},
		{"=2.4.1", "=2.4294967296.1"},
		{"1.9 own", "1. own"},
	};
	struct libra_promise p;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (with(&p, bad[i][0], bad[i][1]) != -1)
			fail_msg("taken: %s", bad[i][1]);
		assert_int_equal(errno, EINVAL);
	}
	assert_int_equal(with(&p, " own=500", ""), 0);
	assert_near(p.user_estimate_s, 600, 0);
	assert_int_equal(with(&p, " own=500", " own=0.5"), 0);
	assert_near(p.user_estimate_s, 0.5, 0);
	assert_true(p.lost);
	assert_int_equal(p.start.len, 1);
	assert_int_equal(p.left.len, 0);
	assert_int_equal(with(&p, "procs=4", "procs=4000000000"), 0);
	assert_int_equal(p.nprocs, 4000000000u);
	assert_int_equal(with(&p, "procs=4", "procs=1"), 0);
	assert_int_equal(with(&p, "tasks=2", "tasks=1"), 0);
	assert_int_equal(with(&p, "shape=2", "shape=1"), 0);
	assert_int_equal(with(&p, "estimate=600", "estimate=0.5"), 0);
	assert_int_equal(with(&p, "late=1", "late=0"), 0);
	assert_int_equal(with(&p, "promise=lost", "promise=kept"), 0);
	assert_false(p.lost);
}

static double start_of(const char *text, uint32_t task)
{
	struct libra_promise p = {.start.text = text,
				  .start.len = strlen(text)};

	return libra_promise_start(&p, task);
}

static void planned_starts_are_found_by_task(void **state)
{
	struct libra_promise p = {0};

	assert_near(start_of("10.5", 0), 10.5, 0);
	assert_true(isnan(start_of("10.5", 1)));
	assert_near(start_of("1;22;3", 0), 1, 0);
	assert_near(start_of("1;22;3", 1), 22, 0);
	assert_near(start_of("1;22;3", 2), 3, 0);
	assert_true(isnan(start_of("1;22;3", 3)));
	assert_true(isnan(start_of("1;;3", 1)));
	assert_true(isnan(start_of("x;2", 0)));
	assert_true(isnan(start_of("inf", 0)));
	assert_true(isnan(start_of("", 0)));
	assert_true(isnan(libra_promise_start(&p, 0)));
	assert_true(isnan(libra_promise_start(&p, 1)));
	/* What stands behind the word is none of it. */
	p.start.text = "1;23";
	p.start.len = 3;
	assert_true(isnan(libra_promise_start(&p, 1)));
	p.start.len = 2;
	assert_true(isnan(libra_promise_start(&p, 1)));
}

static void work_left_is_read_with_its_part(void **state)
{
	static const char *const bad[] = {"inf/1/2", "1/nan/2", "1/2/inf",
					  "1/2", "x"};
	struct libra_promise p = {.on.text = "a:3-3,b:1", .on.len = 9};
	struct libra_promise_part part;
	struct libra_promise_at at = {0};

	assert_true(libra_promise_part(&p, &at, &part));
	assert_int_equal(part.first, 3);
	assert_int_equal(part.count, 1);
	assert_false(part.begun);
	/* Of two parts one has begun. */
	p.left.text = "5/0.5/100";
	p.left.len = strlen(p.left.text);
	at = (struct libra_promise_at){0};
	assert_true(libra_promise_part(&p, &at, &part));
	assert_true(part.begun && part.left_s == 5 && part.rate == 0.5 &&
		    part.since_s == 100);
	assert_int_equal(at.left, p.left.len);
	assert_true(libra_promise_part(&p, &at, &part));
	assert_false(part.begun);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		p.left.text = bad[i];
		p.left.len = strlen(bad[i]);
		at = (struct libra_promise_at){0};
		assert_false(libra_promise_part(&p, &at, &part));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refusal_reads_back),
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(a_note_is_not_read),
		cmocka_unit_test(tasks_of_an_array_read_back),
		cmocka_unit_test(no_deadline_and_no_place_read_back),
		cmocka_unit_test(parts_are_read_one_by_one),
		cmocka_unit_test(damaged_parts_end_before_the_end),
		cmocka_unit_test(other_comments_are_none_of_ours),
		cmocka_unit_test(damage_is_seen),
		cmocka_unit_test(the_text_is_to_the_letter),
		cmocka_unit_test(words_are_found_in_any_order),
		cmocka_unit_test(each_number_has_its_bounds),
		cmocka_unit_test(planned_starts_are_found_by_task),
		cmocka_unit_test(work_left_is_read_with_its_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
