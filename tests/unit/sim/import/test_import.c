/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_import.c - what the fields of accounting logs say; names and their
 * hashes.  Whole logs are in tests/cli/import.sh.
 */
#include "sim/base/names.h"
#include "sim/import/key.h"
#include "sim/import/values.h"
#include "tests/unit/test.h"

static struct import_text text(const char *s)
{
	return (struct import_text){s, strlen(s)};
}

static void durations_have_days_hours_minutes_or_parts(void **state)
{
	static const struct {
		const char *text;
		double s;
	} good[] = {
		{"00:00:00", 0},	{"01:02:03", 3723},
		{"2-01:02:03", 176523}, {"02:03.250", 123.25},
		{"100", 100},		{"1-12", 129600},
		{"1-12:30", 131400},	{"-5", -5},
	};
	static const char *const bad[] = {
		"x", "1:2:3:4", "12:", "1-", "INVALID", "3h"};
	double s;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(import_duration(text(good[i].text), &s),
				 IMPORT_OK);
		assert_near(s, good[i].s, 1e-9);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(import_duration(text(bad[i]), &s), IMPORT_BAD);
	assert_int_equal(import_duration(text("Unknown"), &s), IMPORT_NONE);
	assert_int_equal(import_duration(text(""), &s), IMPORT_NONE);
}

static void limits_may_be_none_or_the_partitions(void **state)
{
	double s = 0;

	assert_int_equal(import_limit(text("90"), 60, &s), IMPORT_OK);
	assert_near(s, 5400, 0);
	assert_int_equal(import_limit(text("01:30:00"), 60, &s), IMPORT_OK);
	assert_near(s, 5400, 0);
	assert_int_equal(import_limit(text("UNLIMITED"), 60, &s),
			 IMPORT_UNLIMITED);
	assert_int_equal(import_limit(text("Partition_Limit"), 60, &s),
			 IMPORT_PARTITION);
	assert_int_equal(import_limit(text("0"), 60, &s), IMPORT_NONE);
}

/* 2024-02-29 is day 19782: 54 years, 13 leap days before 2024, 59 days. */
static void instants_are_seconds_or_dates(void **state)
{
	struct libra_error err = {""};
	struct import_clock clock;
	int64_t at_s;
	bool twice;

	assert_int_equal(import_clock_init(&clock, NULL, &err), 0);
	assert_int_equal(import_time(&clock, text("1700000000"), &at_s, &twice),
			 IMPORT_OK);
	assert_true(at_s == 1700000000);
	assert_int_equal(import_time(&clock, text("2024-02-29T12:00:00Z"),
				     &at_s, &twice),
			 IMPORT_OK);
	assert_true(at_s == INT64_C(19782) * 86400 + 43200);
	assert_int_equal(import_time(&clock, text("2024-02-29T12:00:00-01:30"),
				     &at_s, &twice),
			 IMPORT_OK);
	assert_true(at_s == INT64_C(19782) * 86400 + 43200 + 5400);
	assert_int_equal(
		import_time(&clock, text("2024-02-29T12:00:00"), &at_s, &twice),
		IMPORT_LOCAL);
	assert_int_equal(import_time(&clock, text("0"), &at_s, &twice),
			 IMPORT_NONE);
	assert_int_equal(import_time(&clock, text("None"), &at_s, &twice),
			 IMPORT_NONE);
	assert_int_equal(import_time(&clock, text("2024-13-01"), &at_s, &twice),
			 IMPORT_BAD);
	assert_int_equal(import_time(&clock, text("Ystday"), &at_s, &twice),
			 IMPORT_BAD);
	assert_int_equal(import_clock_init(&clock, "Nowhere", &err), -1);
	assert_one_line(&err);
}

static void tres_do_not_count_a_gpu_twice(void **state)
{
	struct import_tres t;

	assert_int_equal(
		import_tres(text("billing=2,cpu=2,gres/gpu=3,gres/gpu:a100=2,"
				 "gres/gpu:v100=1,gres/gpumem=5G,mem=4000M,"
				 "node=1"),
			    &t),
		IMPORT_OK);
	assert_int_equal(t.cpus, 2);
	assert_int_equal(t.gpus, 3);
	assert_int_equal(t.nodes, 1);
	assert_near(t.mem_mb, 4000, 0);
	assert_int_equal(
		import_tres(text("gres/gpu:a100=2,gres/gpu:v100=1,mem=1.5T"),
			    &t),
		IMPORT_OK);
	assert_int_equal(t.gpus, 3);
	assert_near(t.mem_mb, 1.5 * 1024 * 1024, 0);
	assert_int_equal(import_tres(text(""), &t), IMPORT_NONE);
	assert_int_equal(import_tres(text("cpu"), &t), IMPORT_BAD);
	assert_int_equal(import_tres(text("cpu=x"), &t), IMPORT_BAD);
}

static void memory_is_per_node_per_cpu_or_of_the_job(void **state)
{
	double mb;
	char per;

	assert_int_equal(import_memory(text("4000M"), &mb, &per), IMPORT_OK);
	assert_near(mb, 4000, 0);
	assert_int_equal(per, 0);
	assert_int_equal(import_memory(text("62.50Gn"), &mb, &per), IMPORT_OK);
	assert_near(mb, 64000, 0);
	assert_int_equal(per, 'n');
	assert_int_equal(import_memory(text("512Kc"), &mb, &per), IMPORT_OK);
	assert_near(mb, 0.5, 0);
	assert_int_equal(per, 'c');
	assert_int_equal(import_memory(text("lots"), &mb, &per), IMPORT_BAD);
}

static void job_ids_have_tasks_components_and_steps(void **state)
{
	static const struct {
		const char *text;
		enum import_part kind;
		int64_t part;
	} ids[] = {
		{"123", IMPORT_JOB, 0},
		{"123_7", IMPORT_TASK, 7},
		{"123+1", IMPORT_HET, 1},
		{"123.batch", IMPORT_STEP, 0},
		{"123_7.0", IMPORT_STEP, 7},
		{"123.extern", IMPORT_STEP, 0},
		{"123_[1-10,15%3]", IMPORT_TASKS, 0},
	};
	struct import_id id;

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		assert_int_equal(import_job_id(text(ids[i].text), &id),
				 IMPORT_OK);
		assert_int_equal(id.number, 123);
		assert_int_equal(id.kind, ids[i].kind);
		assert_int_equal(id.part, ids[i].part);
	}
	assert_int_equal(import_job_id(text("x"), &id), IMPORT_BAD);
	assert_int_equal(import_job_id(text("12x"), &id), IMPORT_BAD);
}

static void of_a_state_the_first_word_counts(void **state)
{
	assert_int_equal(import_state(text("CANCELLED by 1000")),
			 IMPORT_CANCELLED);
	assert_int_equal(import_state(text("OUT_OF_MEMORY")),
			 IMPORT_OUT_OF_MEMORY);
	assert_int_equal(import_state(text("NEW_IN_30.05")),
			 IMPORT_STATE_OTHER);
}

static void names_are_numbered_as_they_come(void **state)
{
	struct names n = {.no_text = false};
	char name[16];

	assert_int_equal(names_add(&n, "ann", 3), 1);
	assert_int_equal(names_add(&n, "anne", 4), 2);
	assert_int_equal(names_add(&n, "ann", 3), 1);
	assert_int_equal(names_add(&n, "", 0), 0);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "u%d", i);
		assert_int_equal(names_add(&n, name, strlen(name)), i + 3);
	}
	assert_int_equal(names_add(&n, "u500", 4), 503);
	assert_string_equal(names_text(&n, 2), "anne");
	assert_string_equal(names_text(&n, 0), "");
	names_fini(&n);
}

/* RFC 4231, test cases 1 and 6. */
static void the_hash_is_hmac_sha256(void **state)
{
	static const unsigned char first[] = {0xb0, 0x34, 0x4c, 0x61, 0xd8,
					      0xdb, 0x38, 0x53, 0x5c, 0xa8};
	static const unsigned char sixth[] = {0x60, 0xe4, 0x31, 0x59, 0x1e,
					      0xe0, 0xb6, 0x7f, 0x0d, 0x8a};
	static const char long_key[] =
		"Test Using Larger Than Block-Size Key - Hash Key First";
	struct import_key key = {.n = 20};
	unsigned char out[32];

	memset(key.byte, 0x0b, 20);
	import_hmac(&key, "Hi There", 8, out);
	assert_memory_equal(out, first, sizeof(first));
	key.n = 131;
	memset(key.byte, 0xaa, 131);
	import_hmac(&key, long_key, strlen(long_key), out);
	assert_memory_equal(out, sixth, sizeof(sixth));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_have_days_hours_minutes_or_parts),
		cmocka_unit_test(limits_may_be_none_or_the_partitions),
		cmocka_unit_test(instants_are_seconds_or_dates),
		cmocka_unit_test(tres_do_not_count_a_gpu_twice),
		cmocka_unit_test(memory_is_per_node_per_cpu_or_of_the_job),
		cmocka_unit_test(job_ids_have_tasks_components_and_steps),
		cmocka_unit_test(of_a_state_the_first_word_counts),
		cmocka_unit_test(names_are_numbered_as_they_come),
		cmocka_unit_test(the_hash_is_hmac_sha256),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
