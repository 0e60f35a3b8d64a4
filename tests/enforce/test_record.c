/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_record.c - what the SPANK plugin keeps of jobs, and reads of others.
 */
#include <errno.h>
#include <math.h>

#include "plugin/spank/cgroup.h"
#include "plugin/spank/node_files.h"
#include "plugin/spank/options.h"
#include "tests/enforce/spank_fixture.h"

static void records_read_back(void **state)
{
	struct spank_job a = job(7, 1.0 / 3, 59.1, NOW + 0.1), b;
	char text[1024];

	a.ncpus = 3;
	strcpy(a.group, "system.slice/slurmstepd.scope/job_7");
	assert_int_equal(spank_record_format(&a, text, sizeof(text)), 0);
	assert_int_equal(spank_record_parse(text, &b), 0);
	assert_int_equal(b.id, 7);
	assert_int_equal(b.user, 1000);
	assert_int_equal(b.ncpus, 3);
	assert_true(b.share == a.share && b.estimate_s == a.estimate_s &&
		    b.deadline_s == a.deadline_s);
	assert_string_equal(b.group, a.group);
}

static void changed_records_read_back(void **state)
{
	struct spank_job a = job(7, 0.5, 59.1, NOW + 0.1), b;
	char text[2048];

	for (int turns = 0; turns < 2; turns++) {
		a.turns = turns;
		a.change = 12;
		spank_read_cores(turns ? "3" : NULL, a.cores);
		assert_int_equal(spank_record_format(&a, text, sizeof(text)),
				 0);
		assert_contains(text, "libra 3 job=7 user=1000 cpus=0 "
				      "change=12 ");
		assert_int_equal(spank_record_parse(text, &b), 0);
		assert_int_equal(b.change, 12);
		assert_int_equal(b.turns, turns);
		assert_memory_equal(a.cores, b.cores, sizeof(a.cores));
		assert_true(b.share == a.share && b.deadline_s == a.deadline_s);
	}
}

static void lists_of_changes_are_read(void **state)
{
	const char *rest = "7/1/0.5/100/1000000.5;12/3/0/0/0;9/2/1/5/inf";
	struct spank_change c;

	rest = spank_change_next(rest, &c);
	assert_string_equal(rest, "12/3/0/0/0;9/2/1/5/inf");
	assert_true(c.id == 7 && c.number == 1 && c.share == 0.5 &&
		    c.estimate_s == 100 && c.deadline_s == 1000000.5);
	rest = spank_change_next(rest, &c);
	assert_true(c.id == 12 && c.number == 3 && c.share == 0);
	rest = spank_change_next(rest, &c);
	assert_true(c.id == 9 && c.number == 2 && isinf(c.deadline_s));
	assert_string_equal(rest, "");
	assert_null(spank_change_next(rest, &c));
	assert_null(spank_change_next(NULL, &c));
}

static void senseless_changes_are_refused(void **state)
{
	static const char *const bad[] = {
		"x",
		"7",
		"7/1/0.5/100",
		"0/1/0.5/100/9",  /* no job */
		"7/0/0.5/100/9",  /* no change */
		"7/1/-0.5/100/9", /* no share */
		"7/1/nan/100/9",
		"7/1/0.5/0/9",	   /* no estimate */
		"7/1/0.5/100/nan", /* no deadline */
		"7/1/0.5/100/9 ",  /* more behind it */
		"7/1/0.5/100/9,8/1/0.5/100/9",
	};
	struct spank_change c;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_null(spank_change_next(bad[i], &c));
}

/* The cluster's number is in the upper bits of a federation's job ids. */
static void ids_of_a_federation_are_read(void **state)
{
	static const char *const bad[] = {
		"libra 1 job=4294967294 user=1 cpus=0 share=0 estimate=0 "
		"deadline=inf group= end\n",
		"libra 1 job=4294967296 user=1 cpus=0 share=0 estimate=0 "
		"deadline=inf group= end\n",
		"libra 1 job=-5 user=1 cpus=0 share=0 estimate=0 "
		"deadline=inf group= end\n",
	};
	struct spank_job a = job(7, 0.5, 59.1, NOW), b;
	struct spank_change c;
	char text[2048];

	a.id = 4227858433u; /* job 1 of cluster 63 */
	assert_int_equal(spank_record_format(&a, text, sizeof(text)), 0);
	assert_int_equal(spank_record_parse(text, &b), 0);
	assert_true(b.id == a.id);
	assert_non_null(spank_change_next("4227858433/1/0.5/100/9", &c));
	assert_true(c.id == a.id);
	assert_true(spank_files_job("job_4227858433") == a.id);
	assert_true(spank_files_job("job_4294967296") == 0);
	assert_true(spank_files_job("job_-5") == 0);
	assert_null(spank_change_next("4294967296/1/0.5/100/9", &c));
	assert_null(spank_change_next("-5/1/0.5/100/9", &c));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(spank_record_parse(bad[i], &b), -1);
}

static void records_of_turns_read_back(void **state)
{
	struct spank_job a = job(7, 1, 59.1, NOW + 0.1), b;
	char text[2048];

	a.turns = true;
	a.ncpus = spank_read_cores("0-2,63-64,1023", a.cores);
	strcpy(a.group, "system.slice/slurmstepd.scope/job_7");
	assert_int_equal(spank_record_format(&a, text, sizeof(text)), 0);
	assert_contains(text, "libra 2 ");
	assert_int_equal(spank_record_parse(text, &b), 0);
	assert_true(b.turns && b.ncpus == 6 && b.deadline_s == a.deadline_s);
	assert_memory_equal(a.cores, b.cores, sizeof(a.cores));
	assert_string_equal(b.group, a.group);
	spank_read_cores(NULL, a.cores);
	assert_int_equal(spank_record_format(&a, text, sizeof(text)), 0);
	assert_contains(text, " cores=0 ");
	assert_int_equal(spank_record_parse(text, &b), 0);
	assert_memory_equal(a.cores, b.cores, sizeof(a.cores));
}

static void records_of_who_yields_read_back(void **state)
{
	struct spank_job a = job(7, 0.5, 59.1, NOW + 0.1), b;
	char text[2048];

	a.yields = true;
	a.ncpus = spank_read_cores("0-2,63", a.cores);
	for (int changed = 0; changed < 2; changed++) {
		a.change = changed ? 12 : 0;
		assert_int_equal(spank_record_format(&a, text, sizeof(text)),
				 0);
		assert_contains(text, "libra 4 ");
		assert_int_equal(spank_record_parse(text, &b), 0);
		assert_true(b.yields && !b.turns && b.share == a.share);
		assert_int_equal(b.change, a.change);
		assert_memory_equal(a.cores, b.cores, sizeof(a.cores));
	}
}

/* As written before there were turns, and read by what was there then. */
static void records_of_shares_are_as_they_were(void **state)
{
	static const char text[] =
		"libra 1 job=7 user=1000 cpus=3 share=0.25 estimate=60 "
		"deadline=1000000 group= end\n";
	struct spank_job j;
	char again[1024];

	assert_int_equal(spank_record_parse(text, &j), 0);
	assert_false(j.turns);
	assert_int_equal(spank_record_format(&j, again, sizeof(again)), 0);
	assert_string_equal(again, text);
}

/* Cut anywhere, a record is no record: a shorter number would be believed. */
static void records_cut_short_are_refused(void **state)
{
	struct spank_job a = job(7, 0.25, 59.1, NOW + 0.1), b;
	char text[1024], part[1024];

	for (int turns = 0; turns < 3; turns++) {
		a.turns = turns == 1;
		a.yields = turns == 2;
		spank_read_cores("0-9,17", a.cores);
		assert_int_equal(spank_record_format(&a, text, sizeof(text)),
				 0);
		for (size_t n = 0; n < strlen(text); n++) {
			memcpy(part, text, n);
			part[n] = '\0';
			assert_int_equal(spank_record_parse(part, &b), -1);
			assert_int_equal(errno, EINVAL);
		}
	}
}

static void senseless_records_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"libra 2 job=1 user=0 cpus=1 share=0.5 estimate=1 deadline=9 "
		"group= end\n",
		"libra 4 job=1 user=0 cpus=1 share=0.5 estimate=1 deadline=9 "
		"group= end\n",
		"libra 2 job=1 user=0 cpus=1 rule=other cores=1 share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 2 job=1 user=0 cpus=1 rule=yield cores=1 share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 4 job=1 user=0 cpus=1 rule=deadline cores=1 share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 2 job=1 user=0 cpus=1 rule=deadline cores= share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 2 job=1 user=0 cpus=1 rule=deadline cores=0x1 share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 1 job=0 user=0 cpus=1 share=0.5 estimate=1 deadline=9 "
		"group= end\n",
		"libra 1 job=1 user=0 cpus=1 share=-1 estimate=1 deadline=9 "
		"group= end\n",
		"libra 1 job=1 user=0 cpus=1 share=nan estimate=1 deadline=9 "
		"group= end\n",
		"libra 1 job=1 user=0 cpus=1 share=0.5 estimate=0 deadline=9 "
		"group= end\n",
		"libra 1 job=1 user=0 cpus=1 share=0.5 estimate=1 deadline=nan "
		"group= end\n",
	};
	struct spank_job j;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(spank_record_parse(bad[i], &j), -1);
}

static void a_later_version_is_not_damaged(void **state)
{
	struct spank_job j;

	assert_int_equal(spank_record_parse("libra 5 job=1 any end\n", &j), -1);
	assert_int_equal(errno, ENOTSUP);
	assert_int_equal(spank_record_parse("libra 12 job=1", &j), -1);
	assert_int_equal(errno, ENOTSUP);
	assert_int_equal(spank_record_parse("libra 4", &j), -1);
	assert_int_equal(errno, EINVAL);
}

static void cores_are_read(void **state)
{
	static const struct {
		const char *list;
		uint32_t n;
		uint64_t first, second; /* words */
	} cases[] = {
		{"0", 1, 0x1, 0},
		{"0-3", 4, 0xf, 0},
		{"0-3,8,10-11", 7, 0xd0f, 0},
		{"63-64", 2, 1ull << 63, 1},
		{"1020-1024", 5, 0, 0}, /* more than can be told apart */
		{"", 0, 0, 0},
		{NULL, 0, 0, 0},
		{"3-1", 0, 0, 0},
		{"1;2", 0, 0, 0},
		{"1,x", 0, 0, 0},
	};
	uint64_t cores[SPANK_CORE_WORDS];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(spank_read_cores(cases[i].list, cores),
				 cases[i].n);
		assert_true(cores[0] == cases[i].first);
		assert_true(cores[1] == cases[i].second);
		assert_true(cores[SPANK_CORE_WORDS - 1] == 0);
	}
	assert_int_equal(spank_read_cores("1023", cores), 1);
	assert_true(cores[SPANK_CORE_WORDS - 1] == 1ull << 63);
}

static void options_take_what_they_say(void **state)
{
	static const struct {
		int option;
		const char *text;
		double value;
	} good[] = {
		{0, "90", 5400},       {0, "1:30", 90},	 {0, "1:00:00", 3600},
		{0, "2-1", 176400},    {0, "1.5s", 1.5}, {0, "90s", 90},
		{0, "1-0:0:1", 86401}, {1, "0", 0},	 {1, "250.5", 250.5},
		{2, "0.001", 0.001},
	};
	double value;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(
			libra_option_parse(&libra_options[good[i].option],
					   good[i].text, &value, NULL),
			0);
		assert_near(value, good[i].value, 1e-9);
	}
}

static void options_refuse_the_rest(void **state)
{
	static const struct {
		int option;
		const char *text;
	} bad[] = {
		{0, ""},
		{0, "0"},
		{0, "-5"},
		{0, "abc"},
		{0, "1:60"},
		{0, "1::2"},
		{0, "1:2:3:4"},
		{0, "0s"},
		{0, "1e3s"},
		{0, "-1-1"},
		{0, "0x10"},
		{0, "1 0"},
		{0, "inf"},
		{1, ""},
		{1, "-1"},
		{1, "1e3"},
		{1, "nan"},
		{1, "."},
		{1, "1.2.3"},
		{2, "ten"},
		{1, NULL},
		{0, ":"},
		{0, "99999999999999999999"},
	};
	double value;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct libra_error err = {0};

		assert_int_equal(
			libra_option_parse(&libra_options[bad[i].option],
					   bad[i].text, &value, &err),
			-1);
		assert_one_line(&err);
		assert_contains(err.text, libra_options[bad[i].option].name);
	}
}

static void another_jobs_group_is_not_taken(void **state)
{
	struct libra_cgroup cg = {.version = 2};
	char path[LIBRA_CGROUP_PATH];

	assert_false(
		libra_cgroup_of_job(&cg, "0::/a/job_120/step_0\n", 12, path));
	assert_false(
		libra_cgroup_of_job(&cg, "0::/a/xjob_12/step_0\n", 12, path));
	assert_false(
		libra_cgroup_of_job(&cg, "1:cpu:/a/job_12/step_0\n", 12, path));
	assert_true(libra_cgroup_of_job(
		&cg, "1:name=x:/\n0::/a/job_12/step_0/b\n", 12, path));
	assert_string_equal(path, "a/job_12");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_read_back),
		cmocka_unit_test(records_cut_short_are_refused),
		cmocka_unit_test(senseless_records_are_refused),
		cmocka_unit_test(a_later_version_is_not_damaged),
		cmocka_unit_test(cores_are_read),
		cmocka_unit_test(changed_records_read_back),
		cmocka_unit_test(lists_of_changes_are_read),
		cmocka_unit_test(senseless_changes_are_refused),
		cmocka_unit_test(ids_of_a_federation_are_read),
		cmocka_unit_test(records_of_turns_read_back),
		cmocka_unit_test(records_of_who_yields_read_back),
		cmocka_unit_test(records_of_shares_are_as_they_were),
		cmocka_unit_test(options_take_what_they_say),
		cmocka_unit_test(options_refuse_the_rest),
		cmocka_unit_test(another_jobs_group_is_not_taken),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
