/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_units.c - Slurm's minutes, instants, counts and arrays. */
#include <slurm/slurm.h>

#include "plugin/base/units.h"
#include "tests/random.h"
#include "tests/unit/test.h"

static void minutes_are_seconds(void **state)
{
	assert_near(libra_host_minutes_s(0), 0, 0);
	assert_near(libra_host_minutes_s(90), 5400, 0);
	assert_true(isnan(libra_host_minutes_s(NO_VAL)));
	assert_near(libra_host_minutes_s(INFINITE), INFINITY, 0);
}

static void seconds_are_minutes_rounded_up(void **state)
{
	assert_int_equal(libra_host_minutes(60), 1);
	assert_int_equal(libra_host_minutes(60.001), 2);
	assert_int_equal(libra_host_minutes(0), 1);
	assert_int_equal(libra_host_minutes(-5), 1);
	assert_int_equal(libra_host_minutes(INFINITY), INFINITE);
	assert_int_equal(libra_host_minutes(NAN), INFINITE);
	assert_int_equal(libra_host_minutes(60.0 * NO_VAL), INFINITE);
	assert_int_equal(libra_host_minutes(60.0 * (NO_VAL - 1)), NO_VAL - 1);
}

/* Seconds up to two minutes, then the two largest units. */
static void durations_are_read_by_people(void **state)
{
	static const struct {
		double s;
		const char *text;
	} durations[] = {
		{0, "0 s"},	      {120, "120 s"},
		{121, "2 min 1 s"},   {1200, "20 min"},
		{3599.7, "1 h"},      {5400, "1 h 30 min"},
		{86399, "1 d"},	      {86400 * 2.5, "2 d 12 h"},
		{86400 * 30, "30 d"}, {INFINITY, "none"},
		{NAN, "none"},	      {-0.2, "0 s"},
		{-61, "-61 s"},	      {-5400, "-1 h 30 min"},
		{1e9, "11574 d 2 h"},
	};
	char text[32];

	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		libra_host_duration_text(durations[i].s, text);
		assert_string_equal(text, durations[i].text);
	}
}

/* Today's instants have no day, and the zone is named once. */
static void instants_are_read_by_people(void **state)
{
	static const struct {
		const char *zone;
		double at_s, now_s, zone_s;
		const char *text;
	} instants[] = {
		{"UTC", 1e9 + 599.5, 1e9, NAN, "01:56:40 UTC"},
		{"UTC", 1e9 + 600, 1e9, 1e9, "01:56:40"},
		{"UTC", 1e9 + 86400, 1e9, 1e9, "2001-09-10 01:46:40"},
		{"UTC", 1e9, NAN, NAN, "2001-09-09 01:46:40 UTC"},
		/* The day is that of the place. */
		{"XXX+2:30", 1e9 - 7200, 1e9, NAN, "21:16:40 UTC-02:30"},
		{"XXX+2:30", 1e9, 1e9 + 7200, 1e9, "2001-09-08 23:16:40"},
		/* Summer ends on 2026-10-25: another zone is named. */
		{"CET-1CEST,M3.5.0,M10.5.0/3", 1792890000, 1792870000, NAN,
		 "2026-10-25 02:00:00 UTC+01:00"},
		{"CET-1CEST,M3.5.0,M10.5.0/3", 1792890000, 1792870000,
		 1792870000, "2026-10-25 02:00:00 UTC+01:00"},
		{"UTC", INFINITY, 1e9, NAN, "none"},
		{"UTC", NAN, 1e9, 1e9, "none"},
	};
	char text[32];

	for (size_t i = 0; i < sizeof(instants) / sizeof(*instants); i++) {
		setenv("TZ", instants[i].zone, 1);
		tzset();
		libra_host_clock_text(instants[i].at_s, instants[i].now_s,
				      instants[i].zone_s, text);
		assert_string_equal(text, instants[i].text);
	}
}

/* Before 23.11 scontrol counts from an unlimited time limit: there it is a
 * year, and the sum tells.  Later it does not count.
 */
static void what_is_counted_from_a_lifted_limit(void **state)
{
	uint32_t lifted = libra_host_to_slurm(INFINITE);

	assert_int_equal(libra_host_to_slurm(60), 60);
	assert_int_equal(libra_host_from_slurm(60), 60);
	assert_int_equal(libra_host_from_slurm(lifted), INFINITE);
	assert_true(isnan(libra_host_counted_s(60, 65)));
	assert_true(isnan(libra_host_counted_s(INFINITE, 65)));
	if (lifted == INFINITE) {
		assert_true(
			isnan(libra_host_counted_s(INFINITE, INFINITE - 5)));
		return;
	}
	assert_int_equal(lifted, 525600);
	assert_near(libra_host_counted_s(INFINITE, lifted + 5), 300, 0);
	assert_near(libra_host_counted_s(INFINITE, lifted - 5), -300, 0);
	assert_near(libra_host_counted_s(INFINITE, lifted), 0, 0);
	assert_true(isnan(libra_host_counted_s(65, lifted - 5)));
}

static void zero_is_no_instant(void **state)
{
	assert_near(libra_host_instant_s(0), INFINITY, 0);
	assert_near(libra_host_instant_s(1763650000), 1763650000, 0);
}

static void none_of_a_resource_is_not_asked_for(void **state)
{
	static const char *const some[] = {
		"gres:gpu",	    "gres/gpu:1",
		"gres/gpu:a100:10", "gres:gpu:0,gres:nic",
		"cpu:0,gres/gpu:2", "gres:tape:no_consume"};
	static const char *const none[] = {"",
					   "gres:gpu:0",
					   "gres/gpu:a100:0",
					   "gres:gpu:0,gres:nic:0",
					   "cpu:2",
					   "gres:gpu:0k"};

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		assert_ptr_equal(libra_host_gres_asked(some[i]), some[i]);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_null(libra_host_gres_asked(none[i]));
	assert_null(libra_host_gres_asked(NULL));
}

static void unset_counts_are_zero(void **state)
{
	assert_int_equal(libra_host_count(7), 7);
	assert_int_equal(libra_host_count(NO_VAL), 0);
	assert_int_equal(libra_host_count(INFINITE), 0);
	assert_int_equal(libra_host_count16(7), 7);
	assert_int_equal(libra_host_count16(NO_VAL16), 0);
	assert_int_equal(libra_host_count16(INFINITE16), 0);
}

/* Lists of a few parts, against a list of all indices. */
static void tasks_are_those_marked_one_by_one(void **state)
{
	uint64_t seed = 1;
	bool limited;

	for (int i = 0; i < 2000; i++) {
		uint32_t parts = 1 + random_below(&seed, 6), n = 0;
		bool seen[6000] = {false};
		char text[256] = "";
		size_t len = 0;

		for (uint32_t k = 0; k < parts; k++) {
			uint32_t first = random_below(&seed, 5500);
			uint32_t last = first + random_below(&seed, 300);
			uint32_t step = 1 + random_below(&seed, 3) *
						    random_below(&seed, 40);

			len += (size_t)snprintf(text + len, sizeof(text) - len,
						"%s%u-%u:%u", k ? "," : "",
						first, last, step);
			for (uint32_t at = first; at <= last; at += step) {
				n += !seen[at];
				seen[at] = true;
			}
		}
		if (libra_host_array_tasks(text, 6000, &limited) != n)
			fail_msg("%s: not %u tasks", text, n);
	}
}

static void nodes_of_lists_are_counted(void **state)
{
	static const struct {
		const char *text;
		uint64_t nodes;
	} lists[] = {
		{"n1", 1},
		{"n[0-7]", 8},
		{"n1,n2", 2},
		{"n[0-3,7]", 5},
		{"n[1-2]m[1-3]", 6},
		{"n[0-7],m,o[1-2]", 11},
		{"n[08-11]", 4},
		{"n[0-999999999]", 100},
		{"n[5-2]", 100},
		{"n[0-9][0-9]", 100},
		{"n[0-9][0-9],a", 100},
		{"[1-3]", 3},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		uint64_t n = libra_host_nodes_named(lists[i].text, 99);

		if (n != lists[i].nodes)
			fail_msg("%s: %llu nodes", lists[i].text,
				 (unsigned long long)n);
	}
}

static void tasks_of_arrays_are_counted(void **state)
{
	static const struct {
		const char *text;
		uint32_t tasks;
		bool limited;
	} arrays[] = {
		{"0", 1, false},	 {"0-15", 16, false},
		{"0-15:4", 4, false},	 {"1,3,5-7", 5, false},
		{"0-9%2", 10, true},	 {"[1-3]", 3, false},
		{"7-3", 0, false},	 {"", 0, false},
		{"x", 0, false},	 {"1-", 0, false},
		{"0-9:0", 0, false},	 {"-1", 0, false},
		{"1,,2", 0, false},	 {"99999999999", 0, false},
		{"0-4000001", 0, false}, {"1,1,1", 1, false},
		{"0-3,2-5%1", 6, true},	 {"0-4,1-9:2", 8, false},
	};
	bool limited;

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
		uint32_t n = libra_host_array_tasks(arrays[i].text,
						    UINT32_MAX - 1, &limited);

		if (n != arrays[i].tasks || (n && limited != arrays[i].limited))
			fail_msg("%s: %u tasks", arrays[i].text, n);
	}
	assert_int_equal(libra_host_array_tasks(NULL, 9, &limited), 0);
	assert_int_equal(libra_host_array_tasks("0-9", 9, &limited), 10);
	assert_int_equal(libra_host_array_tasks("0-8", 9, &limited), 9);
	assert_int_equal(libra_host_array_tasks("0-8,4-9", 9, &limited), 10);
	assert_int_equal(libra_host_array_tasks("0-8,2-8:3", 9, &limited), 9);
	assert_int_equal(libra_host_array_tasks("60-70,64", 99, &limited), 11);
	assert_int_equal(libra_host_array_tasks("0-4000000", 99, &limited),
			 100);
	assert_int_equal(
		libra_host_array_tasks("4000000,1,4000000", 99, &limited), 2);
	assert_int_equal(libra_host_array_tasks("0-4000000", 5000000, &limited),
			 4000001);
	assert_int_equal(libra_host_array_last("3,10-20:4,[5]%2"), 20);
	assert_int_equal(libra_host_array_last("0"), 0);
	assert_int_equal(libra_host_times(131072, 32768), UINT32_MAX);
	assert_int_equal(libra_host_times(3, 4), 12);
	assert_int_equal(libra_host_ceil(0, 4), 0);
	assert_int_equal(libra_host_ceil(8, 4), 2);
	assert_int_equal(libra_host_ceil(9, 4), 3);
	assert_int_equal(libra_host_ceil(UINT64_MAX, 2), UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(minutes_are_seconds),
		cmocka_unit_test(seconds_are_minutes_rounded_up),
		cmocka_unit_test(durations_are_read_by_people),
		cmocka_unit_test(instants_are_read_by_people),
		cmocka_unit_test(what_is_counted_from_a_lifted_limit),
		cmocka_unit_test(zero_is_no_instant),
		cmocka_unit_test(none_of_a_resource_is_not_asked_for),
		cmocka_unit_test(unset_counts_are_zero),
		cmocka_unit_test(tasks_are_those_marked_one_by_one),
		cmocka_unit_test(nodes_of_lists_are_counted),
		cmocka_unit_test(tasks_of_arrays_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
