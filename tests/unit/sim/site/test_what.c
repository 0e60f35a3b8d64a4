/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_what.c - a what-if study of five jobs, worked out by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/site/scenarios.h"
#include "sim/site/what.h"
#include "tests/unit/test.h"

/* Four processors.  1 and 2 take all of them for 100 s; 3 (4 processors) comes
 * at 10 and waits until 100; 4 (1 processor, 50 s, limit 80 s) comes at 20, and
 * EASY lets it not pass 3, as nothing is free; 5 comes at 1000.
 */
static const struct swf_record records[] = {
	{.number = 1,
	 .submit_s = 0,
	 .wait_s = 0,
	 .run_s = 100,
	 .request_s = 200,
	 .alloc_procs = 2,
	 .partition = 1,
	 .queue = 1,
	 .user = 1},
	{.number = 2,
	 .submit_s = 0,
	 .wait_s = 0,
	 .run_s = 100,
	 .request_s = 100,
	 .alloc_procs = 2,
	 .partition = 1,
	 .queue = 1,
	 .user = 1},
	{.number = 3,
	 .submit_s = 10,
	 .wait_s = 90,
	 .run_s = 100,
	 .request_s = 400,
	 .alloc_procs = 4,
	 .partition = 2,
	 .queue = 1,
	 .user = 2},
	{.number = 4,
	 .submit_s = 20,
	 .wait_s = 180,
	 .run_s = 50,
	 .request_s = 80,
	 .alloc_procs = 1,
	 .partition = 2,
	 .queue = 1,
	 .user = 2},
	{.number = 5,
	 .submit_s = 1000,
	 .wait_s = 30,
	 .run_s = 10,
	 .request_s = 20,
	 .alloc_procs = 4,
	 .partition = 1,
	 .queue = 1,
	 .user = 1},
};

static void study(struct what *what, const struct plan *plan,
		  const char *const *policies)
{
	static const double factors[] = {2};
	struct swf_record r[5];
	struct swf_trace t = {.records = r, .nrecords = 5, .max_procs = 4};
	struct what_conf conf = {.plan = plan,
				 .policies = policies,
				 .factors = factors,
				 .nfactors = 1,
				 .promise_jobs = 100};
	struct libra_error err = {""};

	memcpy(r, records, sizeof(records));
	for (size_t i = 0; i < 5; i++)
		r[i].req_procs = -1;
	assert_int_equal(what_study(what, &t, &conf, &err), 0);
}

/* Measured: waits 0, 0, 30, 90, 180: mean 60, half below 30.  Simulated: 0, 0,
 * 90, 180, 0: mean 54.  The work until the last arrival, at 1000, is 100 x 2 x
 * 2
 * + 100 x 4 + 50 = 850 of 4000.
 */
static void measured_and_simulated_waits(void **state)
{
	const char *const policies[] = {NULL};
	struct libra_error err = {""};
	struct plan plan;
	struct what_trust trust;
	struct what w;

	assert_int_equal(plan_default(&plan, &err), 0);
	study(&w, &plan, policies);
	assert_int_equal(w.measured_jobs, 5);
	assert_near(w.measured.waits.mean_s, 60, 1e-9);
	assert_near(w.measured.waits.p50_s, 30, 0);
	assert_near(w.measured.waits.p99_s, 180, 0);
	assert_near(w.measured.utilization_pct, 100 * 850.0 / 4000, 1e-9);
	assert_near(w.runs[0].waits.mean_s, 54, 1e-9);
	/* Slowdowns: 1, 1, 1.9, 4.6, 4 and 1, 1, 1.9, 4.6, 1. */
	trust = what_trust(&w);
	assert_near(trust.nearness[WHAT_MEAN], 1, 0); /* both below a minute */
	assert_near(trust.nearness[WHAT_P90], 1, 0);
	assert_near(trust.nearness[WHAT_RANKS], 1, 0);
	assert_near(trust.worst_nearness, 9.5 / 12.5, 1e-9);
	assert_int_equal(trust.worst, WHAT_SLOWDOWN);
	assert_int_equal(trust.verdict, WHAT_NEAR);
	/* By partition: 1 has the waits 0, 0, 30 and 440 of 890 seconds of
	 * work, 2 the waits 90 and 180; most work first.
	 */
	assert_int_equal(w.partitions.n, 2);
	assert_int_equal(w.partitions.list[0].number, 2);
	assert_near(w.partitions.list[0].waits.mean_s, 135, 1e-9);
	assert_near(w.partitions.list[0].work_pct, 100 * 450.0 / 890, 1e-9);
	assert_near(w.partitions.list[1].waits.mean_s, 10, 1e-9);
	/* Run time / limit: 0.25, 0.5, 0.5, 0.625, 1. */
	assert_int_equal(w.limited, 5);
	assert_near(w.limit_used[2], 0.5, 0);
	what_fini(&w);
	plan_fini(&plan);
}

static void read_plan(const char *text, struct plan *plan, int want,
		      const char *says)
{
	struct libra_error err = {""};
	char name[32];

	test_write_file(name, text, strlen(text));
	assert_int_equal(plan_read(plan, name, false, &err), want);
	unlink(name);
	if (want < 0)
		assert_contains(err.text, says);
}

/* With twice the processors 3 starts at once, and 4 waits until 100: 80 s.
 * Limits of 30 s end four jobs: 1 and 2 at 30, so that 3 waits 20 s, and 4,
 * which runs from 60, 40 s.
 */
static void scenarios_of_a_file(void **state)
{
	const char *const policies[] = {NULL};
	struct plan plan;
	struct what w;

	read_plan("# mine\ntwice: processors=+100%\n"
		  "short: limits=00:00:30 # ended\n"
		  "eight: processors=8 policy=fcfs load=2\n",
		  &plan, 0, "");
	assert_int_equal(plan.n, 4);
	study(&w, &plan, policies);
	assert_int_equal(w.runs[1].procs, 8);
	assert_near(w.runs[1].waits.mean_s, 80 / 5.0, 1e-9);
	assert_int_equal(w.runs[2].ended, 4);
	assert_near(w.runs[2].waits.mean_s, (20 + 40) / 5.0, 1e-9);
	assert_int_equal(w.runs[3].procs, 8);
	what_fini(&w);
	plan_fini(&plan);
}

/* Two processors leave out 3 and 5, the others wait 0, 100 and 180 s.  As it
 * was, the others alone wait 0, 0 and 80 s.
 */
static void the_same_jobs_are_compared(void **state)
{
	const char *const policies[] = {NULL};
	struct plan plan;
	struct what w;

	read_plan("two: processors=2\neight: processors=8\n", &plan, 0, "");
	study(&w, &plan, policies);
	assert_int_equal(w.runs[1].left_out, 2);
	assert_int_equal(w.runs[1].too_large, 2);
	assert_int_equal(w.runs[1].waits.n, 3);
	assert_near(w.runs[1].waits.mean_s, 280 / 3.0, 1e-9);
	assert_int_equal(w.was[1].waits.n, 3);
	assert_int_equal(w.was[1].procs, 4);
	assert_near(w.was[1].waits.mean_s, 80 / 3.0, 1e-9);
	assert_int_equal(w.runs[2].left_out, 0);
	assert_near(w.was[2].waits.mean_s, 54, 1e-9);
	what_fini(&w);
	plan_fini(&plan);
}

static void wrong_scenarios_are_refused(void **state)
{
	struct plan plan;

	read_plan("", &plan, -1, "no scenario is in it");
	read_plan("no colon\n", &plan, -1, ":1: a scenario is NAME: CHANGE");
	read_plan("\na: nodes=3\n", &plan, -1, ":2: 'nodes=3' is no change");
	read_plan("a: processors=-100%\n", &plan, -1, "is no change");
	read_plan("a: policy=libra\n", &plan, -1, "is no change");
	read_plan("a: load=0\n", &plan, -1, "is no change");
}

/* Ends within twice the limits of 200, 100, 400, 80 and 20 s: each needs half
 * of its processors.  Libra's best fit puts 2 where 1 is, which fills those
 * two; so 3 finds no four with a half left, 4 finds one, and 5 comes when all
 * is over.
 */
static void promises_of_the_last_month(void **state)
{
	const char *const policies[] = {"libra", NULL};
	struct libra_error err = {""};
	struct plan plan;
	struct what w;

	assert_int_equal(plan_default(&plan, &err), 0);
	study(&w, &plan, policies);
	assert_int_equal(w.npromises, 1);
	assert_string_equal(w.promises[0].policy, "libra");
	assert_int_equal(w.promises[0].jobs, 5);
	assert_int_equal(w.promises[0].promised, 4);
	assert_int_equal(w.promises[0].kept, 4);
	assert_near(w.promises[0].work_pct, 100 * 490.0 / 890, 1e-9);
	what_fini(&w);
	plan_fini(&plan);
}

/* ---- partitions ---- */

static int read_parts(struct site_parts *parts, const char *text,
		      struct libra_error *err)
{
	char name[32];
	int rc;

	test_write_file(name, text, strlen(text));
	err->text[0] = '\0';
	rc = site_parts_read(parts, name, err);
	unlink(name);
	return rc;
}

/* a has n1 to n4 with 8 each, b n3 to n6 with 8: together six nodes, 48.  gpu
 * has nodes of its own; all has these and two more, and is as large as it says.
 */
static void partitions_that_share_nodes_are_one_machine(void **state)
{
	struct libra_error err = {""};
	struct site_parts p;

	assert_int_equal(
		read_parts(
			&p,
			"PartitionName=a Default=YES DefaultTime=01:00:00 "
			"MaxTime=2-00:00:00 Nodes=n[1-4] TotalCPUs=32\n"
			"PartitionName=b\n   MaxTime=UNLIMITED "
			"DefaultTime=NONE\n   Nodes=n[3,4-5],n6\n"
			"   State=UP TotalCPUs=32 TotalNodes=4\n\n"
			"PartitionName=gpu MaxTime=30:00 Nodes=g[01-02]x[1-2] "
			"TotalCPUs=16\n"
			"PartitionName=all Nodes=g[01-02]x[1-3] "
			"TotalCPUs=100\n",
			&err),
		0);
	assert_int_equal(p.n, 4);
	assert_int_equal(p.nmachines, 2);
	assert_int_equal(p.list[0].machine, 0);
	assert_int_equal(p.list[1].machine, 0);
	assert_int_equal(p.list[3].machine, p.list[2].machine);
	assert_int_equal(p.procs[0], 48);
	assert_int_equal(p.procs[1], 100);
	assert_int_equal(p.list[2].nodes, 4);
	assert_near(p.list[0].default_s, 3600, 0);
	assert_near(p.list[0].max_s, 172800, 0);
	assert_true(isinf(p.list[1].max_s) && isnan(p.list[1].default_s));
	assert_near(p.list[2].max_s, 1800, 0);
	site_parts_fini(&p);
}

static void partitions_of_a_table(void **state)
{
	struct libra_error err = {""};
	struct site_parts p;

	assert_int_equal(read_parts(&p,
				    "partition,max_s,procs,machine\n"
				    "a,60,8,m\nb,,16,m\nc,,4,\n",
				    &err),
			 0);
	assert_int_equal(p.nmachines, 2);
	assert_int_equal(p.procs[0], 16);
	assert_int_equal(p.procs[1], 4);
	assert_near(p.list[0].max_s, 60, 0);
	assert_true(isinf(p.list[1].max_s));
	site_parts_fini(&p);
	assert_int_equal(read_parts(&p, "nothing\n", &err), -1);
	assert_non_null(strstr(err.text, "no partition in it"));
	assert_int_equal(read_parts(&p, "partition,size\na,1\n", &err), -1);
	assert_non_null(strstr(err.text, "no column procs"));
	assert_int_equal(read_parts(&p, "partition,procs\na,\n", &err), -1);
	assert_non_null(strstr(err.text, "partition 'a' has no processors"));
	assert_int_equal(read_parts(&p,
				    "PartitionName=a Nodes=n[x] TotalCPUs=1\n",
				    &err),
			 -1);
	assert_non_null(strstr(err.text, ":1: these are not nodes"));
}

static void study_parts(struct what *w, struct swf_record *r, size_t n,
			const char *table)
{
	static const char *const none[] = {NULL};
	static struct swf_name names[] = {{1, (char *)"a"},
					  {2, (char *)"b (the other)"},
					  {3, (char *)"gone"}};
	struct swf_trace t = {.records = r,
			      .nrecords = n,
			      .max_procs = 4,
			      .partitions = {names, 3}};
	struct libra_error err = {""};
	struct site_parts parts;
	struct plan plan;
	struct what_conf conf = {.policies = none, .plan = &plan};

	assert_int_equal(plan_default(&plan, &err), 0);
	if (table) {
		assert_int_equal(read_parts(&parts, table, &err), 0);
		conf.parts = &parts;
	}
	assert_int_equal(what_study(w, &t, &conf, &err), 0);
	if (table)
		site_parts_fini(&parts);
	plan_fini(&plan);
}

#define RECORD(at, run, limit, procs, part)                                    \
	{                                                                      \
		.submit_s = (at), .wait_s = 0, .run_s = (run),                 \
		.request_s = (limit), .alloc_procs = (procs),                  \
		.partition = (part)                                            \
	}

/* The third job's partition is busy until 100, the machine until 50. */
static void partitions_do_not_compete(void **state)
{
	struct swf_record r[] = {
		RECORD(0, 100, 100, 2, 1), RECORD(10, 40, 40, 2, 2),
		RECORD(20, 100, 100, 2, 1), RECORD(30, 5, 5, 1, 3)};
	struct what w;

	study_parts(&w, r, 3, NULL);
	assert_near(w.runs[0].waits.mean_s, 30.0 / 3, 1e-9);
	assert_int_equal(w.runs[0].procs, 4);
	what_fini(&w);
	study_parts(&w, r, 3, "partition,procs\na,2\nb,2\n");
	assert_near(w.runs[0].waits.mean_s, 80.0 / 3, 1e-9);
	assert_int_equal(w.runs[0].procs, 4);
	assert_int_equal(w.runs[1].procs, 4); /* 10 % more of two are two */
	what_fini(&w);
	study_parts(&w, r, 3, "partition,procs,machine\na,4,m\nb,4,m\n");
	assert_near(w.runs[0].waits.mean_s, 30.0 / 3, 1e-9);
	what_fini(&w);
	study_parts(&w, r, 4, "partition,procs\na,2\nb,2\n");
	assert_int_equal(w.unplaced, 1);
	assert_int_equal(w.runs[0].waits.n, 3);
	what_fini(&w);
	study_parts(&w, r, 3, "partition,procs\na,1\nb,2\n");
	assert_int_equal(w.runs[0].too_large, 2);
	what_fini(&w);
}

/* Nine processors are too few for the first job; the others have 18 of 20.  The
 * third waits for the second on both machines.
 */
static void jobs_are_left_out_by_machine(void **state)
{
	struct swf_record r[] = {RECORD(0, 100, 100, 10, 1),
				 RECORD(0, 100, 100, 10, 2),
				 RECORD(10, 100, 100, 15, 2)};
	struct what w;

	study_parts(&w, r, 3, "partition,procs\na,10\nb,20\n");
	assert_int_equal(w.runs[0].waits.n, 3);
	assert_int_equal(w.runs[2].procs, 9 + 18);
	assert_int_equal(w.runs[2].left_out, 1);
	assert_int_equal(w.runs[2].waits.n, 2);
	assert_int_equal(w.was[2].waits.n, 2);
	assert_int_equal(w.was[2].procs, 10 + 20);
	assert_near(w.was[2].waits.mean_s, 45, 1e-9);
	assert_int_equal(w.was[1].waits.n, 3);
	what_fini(&w);
}

/* The first job named no limit.  With the partition's, 150 s, the third is over
 * at 140 and may pass the second; by the run time, 100 s, it may not.
 */
static void limits_are_those_of_the_partition(void **state)
{
	struct swf_record r[] = {RECORD(0, 100, -1, 1, 1),
				 RECORD(10, 10, 10, 2, 1),
				 RECORD(20, 120, 120, 1, 1)};
	struct what w;

	study_parts(&w, r, 3, "partition,procs,default_s\na,2,150\n");
	assert_near(w.runs[0].waits.mean_s, 130.0 / 3, 1e-9);
	what_fini(&w);
	study_parts(&w, r, 3, "partition,procs\na,2\n");
	assert_near(w.runs[0].waits.mean_s, (90 + 90.0) / 3, 1e-9);
	what_fini(&w);
	/* At most 100 s, whatever it named. */
	r[0].request_s = 900;
	study_parts(&w, r, 3, "partition,procs,max_s\na,2,100\n");
	assert_near(w.runs[0].waits.mean_s, (90 + 90.0) / 3, 1e-9);
	what_fini(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measured_and_simulated_waits),
		cmocka_unit_test(scenarios_of_a_file),
		cmocka_unit_test(the_same_jobs_are_compared),
		cmocka_unit_test(wrong_scenarios_are_refused),
		cmocka_unit_test(promises_of_the_last_month),
		cmocka_unit_test(partitions_that_share_nodes_are_one_machine),
		cmocka_unit_test(partitions_of_a_table),
		cmocka_unit_test(partitions_do_not_compete),
		cmocka_unit_test(jobs_are_left_out_by_machine),
		cmocka_unit_test(limits_are_those_of_the_partition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
