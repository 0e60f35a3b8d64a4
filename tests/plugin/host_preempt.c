/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_preempt.c - ordinary jobs in the places of others, which Slurm preempts
 * for them.  Speaks TAP.
 */
#include "tests/plugin/plans.h"

/* May an urgent job of so many minutes start on a node if another one ends for
 * it; and does that one, if it may?
 */
static bool may_instead(uint32_t id, uint32_t mins, uint32_t node,
			uint32_t gone, bool preempts)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job = ordinary(id, mins, parts, node, node);

	job.victims.ids = &gone;
	job.victims.n = 1;
	job.victims.take_s = 60;
	job.victims.preempted = preempts;
	now_s += 1.5;
	return libra_host_may_run(host, &job, NULL, 0);
}

static double start_after(double s)
{
	now_s += s;
	libra_host_look(host);
	flush();
	return starts[1];
}

/* Job 10 has n0 for 20 minutes and 11 n1 for 60, when all are planned. */
static void lay(void)
{
	begin("", true);
	run(10, 20, 0, 0);
	run(11, 60, 1, 1);
	ok(submit(1, 10, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   reply_start_s == T0 + 3600,
	   "a plan for all nodes, behind two jobs");
	place(1);
}

static void test_judged(void)
{
	lay();
	ok(!may_instead(20, 30, 0, 31, false),
	   "the place of a job is not there if another one ends");
	ok(may_instead(20, 30, 0, 10, false), "it is if that one does");
	ok(!may_instead(20, 90, 0, 10, false), "but not past the plan");
	ok(!may_instead(20, 30, 0, 11, false), "nor that of its neighbour");
	ok(start_after(2) == T0 + 3600, "to ask moves nothing");
}

/* The node of job 11 is free before 20 has it: the plan could be at T0 + 1200.
 * It comes forward to where job 20 ends if it starts as late as it may.
 */
static const double asked_s = 1.5;

static void test_kept(void)
{
	lay();
	ok(may_instead(20, 50, 1, 11, true), "job 20 may have the place of 11");
	job_ends(11);
	ok(start_after(2) == T0 + asked_s + 60 + 3000,
	   "which no plan comes forward to");
	run(20, 50, 1, 1);
	ok(start_after(2) <= now_s + 3000 && starts[1] >= T0 + 3000,
	   "when it runs plans come forward to its end");
}

/* Slurm asks for all tasks of an array by one id, and gives the task that runs
 * another.
 */
static void test_task(void)
{
	struct libra_host_part parts[NODES];
	struct libra_host_placement p = {0};
	struct libra_host_job task;

	lay();
	may_instead(20, 50, 1, 11, true);
	job_ends(11);
	task = ordinary(21, 20, parts, 1, 1);
	task.array = 20;
	libra_host_started(host, &task, &p);
	free(p.parts);
	ok(start_after(2) < T0 + asked_s + 60 + 3000 &&
		   starts[1] >= T0 + asked_s + 1200,
	   "when a task runs nothing is kept for its array");
}

static void test_for_a_minute(void)
{
	lay();
	may_instead(20, 50, 1, 11, true);
	job_ends(11);
	ok(start_after(50) == T0 + asked_s + 60 + 3000,
	   "plans wait for the job");
	ok(start_after(15) == T0 + 1200, "for as long as others take to go");
	lay();
	may_instead(20, 50, 1, 11, false);
	job_ends(11);
	ok(start_after(2) == T0 + 1200,
	   "and not for one that Slurm just tries");
}

/* Slurm asks for the place of job 11 again and again.  Result: how often it may
 * stop that job.
 */
static int times_it_may(int times)
{
	int n = 0;

	for (int i = 0; i < times; i++) {
		n += may_instead(20, 30, 1, 11, true);
		start_after(28.5);
	}
	return n;
}

static void test_not_for_ever(void)
{
	lay();
	ok(times_it_may(9) == 9, "each time is another minute");
	ok(start_after(1) == T0 + 3600, "plans stay while the other is there");
	ok(times_it_may(10) < 6,
	   "but nobody is stopped for ever for who does not start");
	job_ends(11);
	ok(start_after(2) == T0 + 1200, "nor is a place kept");
	lay();
	times_it_may(20);
	now_s += 100;
	ok(may_instead(21, 30, 1, 11, true), "another one may");
}

/* Slurm asks for others while the node of the first is not free yet. */
static void test_one_after_the_other(void)
{
	lay();
	ok(may_instead(20, 30, 1, 11, true), "job 11 is stopped for job 20");
	ok(!may_instead(20, 30, 0, 10, true), "nobody else is");
	ok(may_instead(20, 30, 1, 11, true), "who was may be stopped again");
	job_ends(11);
	ok(!may_instead(20, 30, 0, 10, true), "nobody, when that one is gone");
	ok(start_after(2) > T0 + 1800, "the place is kept");
	ok(may_instead(21, 10, 0, 10, true), "for another job others may be");
	start_after(70);
	ok(may_instead(20, 10, 0, 10, true),
	   "and for this one when its time is over");
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 1;
	test_judged();
	test_kept();
	test_task();
	test_for_a_minute();
	test_not_for_ever();
	test_one_after_the_other();
	return finish_plans();
}
