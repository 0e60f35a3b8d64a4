/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_away.c - plans round nodes that take no job now, and come back by
 * themselves.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/plans.h"

static struct libra_host_away completing(uint32_t expect_s)
{
	return (struct libra_host_away){
		.kind = LIBRA_AWAY_COMPLETING,
		.text = "is completing",
		.expect_s = expect_s,
		.longest_s = 2,
	};
}

static void all_complete(uint32_t expect_s)
{
	for (int i = 0; i < NODES; i++)
		aways[i] = completing(expect_s);
}

static void none_is_away(void)
{
	memset(aways, 0, sizeof(aways));
}

/* Seconds pass, one by one, and our thread looks. */
static void pass(int s)
{
	for (; s > 0; s--) {
		now_s += 1;
		while (libra_host_look(host))
			;
		flush();
	}
}

static double planned_in(uint32_t id)
{
	const char *at = records[id] ? strstr(records[id], " start=") : NULL;

	return at ? strtod(at + 7, NULL) - now_s : NAN;
}

static void test_idle_first(void)
{
	begin("", true);
	aways[0] = completing(30);
	submit(1, 1, 60, 1);
	ok(place(1) == LIBRA_PLACE_HERE && placement.parts[0].node != 0,
	   "an idle node goes before one that is completing");
	ok(submit(2, 1, 80, 4) == LIBRA_HOST_REFUSED &&
		   strstr(reply_text, "node n0 is completing since ") &&
		   strstr(reply_text, ", and is expected back by "),
	   "a refusal names the node, and when it is expected back");
}

static void test_all_away(void)
{
	begin("", true);
	all_complete(30);
	ok(submit(1, 1, 60 + 29, 1) == LIBRA_HOST_REFUSED,
	   "nothing is promised on nodes that are back too late");
	ok(submit(1, 1, 60 + 50, 1) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - T0 - 33) < 1,
	   "a plan begins when the first is expected back");
	place(1);
	pass(20);
	none_is_away();
	pass(2);
	ok(place(1) == LIBRA_PLACE_HERE, "and earlier, if it is back earlier");
}

static void test_measured(void)
{
	begin("", true);
	aways[0] = completing(30);
	submit(1, 1, 600, 1);
	pass(100);
	none_is_away();
	pass(1);
	all_complete(30);
	pass(1);
	ok(submit(2, 1, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - now_s - 102) < 3,
	   "the next time it is expected to take as long as it took");
	begin("", true);
	all_complete(30);
	submit(1, 1, 36000, 4);
	pass(4);
	none_is_away();
	pass(1);
	all_complete(30);
	pass(1);
	submit(2, 1, 36000, 4);
	ok(reply_start_s - now_s < 70,
	   "shorter times are measured as well as longer ones");
}

/* Twice as long as usual, and then until Slurm has it back. */
static void test_stuck(void)
{
	begin("", true);
	all_complete(30);
	heard[0] = '\0';
	submit(1, 1, 60 + 45, 1);
	place(1);
	pass(29);
	ok(!hear("promise broken"), "a promise waits for its node");
	pass(10);
	ok(hear("job 1: promise broken: node is completing since ") &&
		   strstr(heard, ": n"),
	   "if that takes too long the cause has the node, and since when");
	ok(!hear("nothing is promised on it"), "it is expected back once more");
	pass(30);
	ok(hear("node n0 is completing since ") &&
		   hear("nothing is promised on it until Slurm has it back"),
	   "after twice the usual time it counts as gone");
	ok(submit(2, 1, 36000, 1) == LIBRA_HOST_REFUSED,
	   "and nothing is promised there");
	none_is_away();
	pass(2);
	ok(submit(2, 1, 600, 1) == LIBRA_HOST_ACCEPTED,
	   "until Slurm has it back");
}

static void test_brief(void)
{
	begin("", true);
	all_complete(0);
	ok(submit(1, 1, 60, 1) == LIBRA_HOST_ACCEPTED,
	   "what is over in a moment closes no node");
	none_is_away();
	pass(1);
	aways[0] = completing(0);
	aways[0].longest_s = 30;
	pass(5);
	submit(2, 1, 600, 4);
	ok(reply_start_s > now_s, "what goes on for longer does");
}

/* An epilog that takes longer than it did may do so for minutes: a promise that
 * has time for that is not broken, and one that has not waits for twice as
 * long.
 */
static void test_overdue(void)
{
	begin("", true);
	all_complete(10);
	for (int i = 0; i < NODES; i++)
		aways[i].longest_s = 300;
	heard[0] = '\0';
	submit(1, 1, 60 + 400, 1);
	place(1);
	submit(2, 1, 60 + 35, 1);
	place(2);
	pass(20);
	ok(!hear("promise broken"), "it is expected to take twice as long");
	pass(20);
	ok(hear("job 2: promise broken") && !hear("job 1: promise broken"),
	   "and twice as long again");
	pass(250);
	ok(!hear("job 1: promise broken") && !hear("nothing is promised on it"),
	   "as long as it may take");
	pass(20);
	ok(hear("nothing is promised on it"), "but not for ever");
}

/* A job that was told to start, and has not, when its node is away. */
static void test_moves(void)
{
	uint32_t node;

	begin("", true);
	submit(1, 1, 120, 1);
	place(1);
	node = placement.parts[0].node;
	aways[node] = completing(90);
	heard[0] = '\0';
	pass(1);
	place(1);
	pass(1);
	ok(place(1) == LIBRA_PLACE_HERE && placement.parts[0].node != node,
	   "it moves to a node that is idle");
	ok(hear("job 1: promised other nodes: node n") &&
		   hear(" is completing since "),
	   "the log says why");
	all_complete(20);
	aways[node] = completing(90);
	heard[0] = '\0';
	pass(2);
	place(1);
	pass(2);
	place(1);
	ok(hear("job 1 waits: node n") && !hear("promised other nodes") &&
		   !hear("promise lost") && !hear("broken"),
	   "where there is none it keeps its promise, and waits");
	none_is_away();
	pass(2);
	ok(place(1) == LIBRA_PLACE_HERE, "until the node is back");
}

/* scontrol reboot ASAP nextstate=RESUME */
static void test_reboot(void)
{
	begin("", true);
	run(9, 10, 2, 2);
	submit(1, 10, 5400, 4);
	place(1);
	heard[0] = '\0';
	nodes[2] = LIBRA_NODE_DRAIN;
	aways[2] = (struct libra_host_away){
		.kind = LIBRA_AWAY_REBOOT_ASKED,
		.text = "is to reboot",
		.expect_s = 60,
		.jobs_end_s = T0 + 600,
	};
	pass(3);
	place(1);
	ok(!hear("broken") && !hear("lost") &&
		   fabs(planned_in(1) - (660 - 3)) < 5,
	   "a promise waits for the jobs of a node and its reboot");
	ok(submit(2, 2, 3600, 4) == LIBRA_HOST_ACCEPTED,
	   "and others are given");
	libra_host_ended(host, 9);
	now_s += 200;
	nodes[2] = LIBRA_NODE_DOWN;
	aways[2].kind = LIBRA_AWAY_REBOOT;
	aways[2].text = "reboots";
	pass(2);
	place(1);
	ok(!hear("broken") && planned_in(1) > 50 && planned_in(1) < 64,
	   "the reboot counts from when it begins");
	nodes[2] = LIBRA_NODE_UP;
	none_is_away();
	pass(2);
	ok(place(1) == LIBRA_PLACE_HERE, "and is over when Slurm says so");
}

/* Ordinary jobs have the time of an epilog behind them. */
static void test_epilog(void)
{
	begin("libra_margin=10", true);
	heard[0] = '\0';
	aways[0] = completing(30);
	pass(150);
	none_is_away();
	pass(1);
	ok(hear("nodes take up to 15") && hear("set libra_margin=16"),
	   "a margin that is shorter than an epilog is reported");
	for (uint32_t i = 0; i < NODES; i++)
		run(10 + i, 10, i, i);
	submit(1, 1, 36000, 1);
	ok(fabs(reply_start_s - now_s - 600 - 10 - 150) < 4,
	   "a plan behind an ordinary job counts its epilog");
}

/* Another job runs on a node that is completing: its core is not back with the
 * others.
 */
static void test_shared(void)
{
	struct libra_host_part part = {.node = 0, .count = 1};
	const struct libra_host_job job = {.job_id = 9,
					   .minutes = 10,
					   .start_s = T0,
					   .parts = &part,
					   .nparts = 1};
	struct libra_host_placement p = {0};
	struct libra_host_request r;

	begin("", false);
	minutes[9] = 10;
	libra_host_started(host, &job, &p);
	free(p.parts);
	aways[0] = completing(30);
	pass(1);
	r = asking(1, 36000, 1);
	r.size.ncpus = NODES * PROCS - 1;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - T0 - 33) < 3,
	   "the cores of a shared node that are free come back");
	r.size.ncpus = NODES * PROCS;
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED && reply_start_s >= T0 + 600,
	   "those of a job that runs on do when it ends");
}

static double ahead_s; /* what the clock is ahead of a steady one */

static double steady_s(void)
{
	return now_s - ahead_s;
}

/* The time of day is set: what is away comes back as late as before. */
static void test_clock(void)
{
	struct libra_host_ops steady = ops;

	steady.steady_s = steady_s;
	begin("", true);
	libra_host_fini(host);
	libra_host_init(host, &steady);
	set_cluster("", true);
	all_complete(30);
	pass(1);
	now_s += 7200;
	ahead_s = 7200;
	pass(1);
	ok(submit(1, 1, 36000, 1) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - now_s - 30) < 3,
	   "a clock that is set keeps nobody away");
	libra_host_fini(host);
	libra_host_init(host, &ops);
}

int main(void)
{
	host = libra_host_create();
	test_idle_first();
	test_all_away();
	test_measured();
	test_stuck();
	test_overdue();
	test_brief();
	test_moves();
	test_reboot();
	test_epilog();
	test_shared();
	test_clock();
	return finish_plans();
}
