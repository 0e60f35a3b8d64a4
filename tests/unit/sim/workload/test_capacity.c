/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_capacity.c - processors over time, worked out by hand. */
#include "sim/run/run.h"
#include "sim/workload/capacity.h"
#include "tests/unit/test.h"

static int read_text(struct sim_capacity *c, const char *text,
		     const struct sim_capacity_conf *conf,
		     struct libra_error *err)
{
	char name[32];
	int rc;

	test_write_file(name, text, strlen(text));
	rc = sim_capacity_read(c, name, conf, err);
	unlink(name);
	return rc;
}

static void change_is(const struct sim_capacity *c, size_t i, double at_s,
		      unsigned part, bool opens)
{
	assert_true(i < c->nchanges);
	assert_near(c->changes[i].at_s, at_s, 1e-9);
	assert_int_equal(c->changes[i].part, part);
	assert_int_equal(c->changes[i].opens, opens);
}

/* Two nodes of 16.  a is drained from 10 and down from 30 to 50, which is one
 * outage; b from 40 to 45.  So 16 are out from 10, 32 from 40, 16 from 45, none
 * from 50: 16 x 40 + 16 x 5 processor seconds.
 */
static void events_of_nodes_become_levels(void **state)
{
	const struct sim_capacity_conf conf = {
		.procs = 64, .node_procs = 16, .unix_start = 1000, .factor = 1};
	struct libra_error err = {""};
	struct sim_capacity c;

	assert_int_equal(read_text(&c,
				   "NodeName|TimeStart|TimeEnd|State\n"
				   "a|1010|1030|DRAIN\n"
				   "|1000|Unknown|\n"
				   "b|1040|1045|DOWN\n"
				   "a|1030|1050|DOWN*\n"
				   "a|500|900|DOWN\n",
				   &conf, &err),
			 0);
	assert_int_equal(c.nparts, 3);
	assert_int_equal(c.part_procs[0], 16);
	assert_int_equal(c.part_procs[1], 16);
	assert_int_equal(c.part_procs[2], 32);
	assert_int_equal(c.least, 32);
	assert_int_equal(c.nchanges, 4);
	change_is(&c, 0, 10, 0, false);
	change_is(&c, 1, 40, 1, false);
	change_is(&c, 2, 45, 1, true);
	change_is(&c, 3, 50, 0, true);
	assert_near(c.out_s, 16 * 40 + 16 * 5, 1e-9);
	sim_capacity_fini(&c);
}

/* A table: 3 and then 5 more from 0, for ever; 8 of 8 are out from 20. */
static void a_table_has_processors(void **state)
{
	const struct sim_capacity_conf conf = {
		.procs = 8, .begin_s = 100, .factor = 2};
	struct libra_error err = {""};
	struct sim_capacity c;

	assert_int_equal(read_text(&c, "from_s,to_s,procs\n50,,3\n110,,5\n",
				   &conf, &err),
			 0);
	assert_int_equal(c.nparts, 2);
	assert_int_equal(c.part_procs[0], 3);
	assert_int_equal(c.part_procs[1], 5);
	assert_int_equal(c.least, 0);
	change_is(&c, 0, -1, 0, false);
	change_is(&c, 1, 20, 1, false);
	sim_capacity_fini(&c);
}

static void nonsense_is_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"", "the columns must be"},
		{"a,b\n1,2\n", "the columns must be"},
		{"from_s,to_s,procs\nx,2,3\n", ":2: 'x' is no time"},
		{"from_s,to_s,procs\n1,2\n", ":2: too few fields"},
		{"from_s,to_s,procs\n1,2,9\n", "9 processors are out"},
		{"NodeName|TimeStart|TimeEnd\nn|2024-01-01T00:00:00|\n",
		 "is a local time"},
		{"NodeName|TimeStart|TimeEnd\nn|10|20\n",
		 "processors of a node are not known"},
	};
	const struct sim_capacity_conf conf = {.procs = 8, .factor = 1};
	struct sim_capacity c;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_error err = {""};

		assert_int_equal(read_text(&c, bad[i].text, &conf, &err), -1);
		assert_contains(err.text, bad[i].says);
		assert_one_line(&err);
	}
}

/* Four processors, two of them out from 5 to 100.  Job 1 (4 processors, 10 s)
 * runs through that; job 2 (4 for 10 s) comes at 6 and has to wait until 100;
 * job 3 (2 for 20 s) comes at 7, fits, and is backfilled at 10; so is job 4 at
 * 30.
 */
static void jobs_wait_for_nodes_that_come_back(void **state)
{
	static const double submit_s[] = {0, 6, 7, 7};
	static const uint32_t procs[] = {4, 4, 2, 2};
	static const double run_s[] = {10, 10, 20, 30};
	static const double start_s[] = {0, 100, 10, 30};
	const struct sim_capacity_conf conf = {.procs = 4, .factor = 1};
	struct libra_error err = {""};
	struct sim_outcome out[4];
	struct sim_capacity c;
	struct sim_job jobs[4];
	struct sim_workload w = {.jobs = jobs, .njobs = 4, .procs = 4};
	struct sim_result result;

	memset(jobs, 0, sizeof(jobs));
	for (size_t i = 0; i < 4; i++) {
		jobs[i].job = (struct libra_job){.id = i + 1,
						 .submit_s = submit_s[i],
						 .estimate_s = run_s[i],
						 .deadline_s = INFINITY,
						 .nprocs = procs[i]};
		jobs[i].runtime_s = run_s[i];
	}
	assert_int_equal(
		read_text(&c, "from_s,to_s,procs\n5,100,2\n", &conf, &err), 0);
	w.capacity = &c;
	assert_int_equal(sim_run(&w, libra_policy_find("easy", &err), NULL,
				 &result, out, &err),
			 0);
	for (size_t i = 0; i < 4; i++)
		assert_near(out[i].start_s, start_s[i], 1e-9);
	sim_capacity_fini(&c);
}

/* Under every policy no more processors are promised or used than there are:
 * with half of them out from the start, the same as with a machine of half the
 * size, for those that put one job on a processor.
 */
static void half_a_machine_is_a_smaller_machine(void **state)
{
	static const char *const names[] = {"fcfs", "easy",    "conservative",
					    "edf",  "fcfs-bf", "edf-bf"};
	const struct sim_capacity_conf conf = {.procs = 8, .factor = 1};
	struct libra_error err = {""};
	struct sim_outcome half[40], small[40];
	struct sim_job jobs[40];
	struct sim_workload w = {.jobs = jobs, .njobs = 40};
	struct sim_capacity c;
	struct sim_result result;

	memset(jobs, 0, sizeof(jobs));
	for (size_t i = 0; i < 40; i++) {
		double run_s = 10 + (double)(i * 37 % 50);

		jobs[i].job = (struct libra_job){
			.id = i + 1,
			.submit_s = (double)i * 7,
			.estimate_s = run_s * 1.5,
			.deadline_s = (double)i * 7 + 20 * run_s,
			.nprocs = 1 + (uint32_t)(i * 5 % 4)};
		jobs[i].runtime_s = run_s;
	}
	assert_int_equal(
		read_text(&c, "from_s,to_s,procs\n0,,4\n", &conf, &err), 0);
	for (size_t p = 0; p < 6; p++) {
		w.procs = 8;
		w.capacity = &c;
		assert_int_equal(sim_run(&w, libra_policy_find(names[p], &err),
					 NULL, &result, half, &err),
				 0);
		w.procs = 4;
		w.capacity = NULL;
		assert_int_equal(sim_run(&w, libra_policy_find(names[p], &err),
					 NULL, &result, small, &err),
				 0);
		for (size_t i = 0; i < 40; i++) {
			assert_int_equal(half[i].accepted, small[i].accepted);
			if (small[i].accepted) /* else it is NAN */
				assert_near(half[i].start_s, small[i].start_s,
					    1e-9);
		}
	}
	sim_capacity_fini(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_of_nodes_become_levels),
		cmocka_unit_test(a_table_has_processors),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(jobs_wait_for_nodes_that_come_back),
		cmocka_unit_test(half_a_machine_is_a_smaller_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
