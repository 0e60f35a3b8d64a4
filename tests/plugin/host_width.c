/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_width.c - jobs that may have several numbers of nodes.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/plans.h"

/* --nodes=1-4 --time=MINUTES with a deadline so far ahead, in seconds. */
static struct libra_host_request wide(uint32_t limit, double within_s,
				      double speedup)
{
	struct libra_host_request r = asking(limit, within_s, 1);

	r.size.max_nodes = 4;
	r.speedup = speedup;
	return r;
}

static void test_whole_nodes(void)
{
	struct libra_host_request r;

	begin("", true);
	r = wide(60, 7200, 0);
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 0 &&
		   strstr(reply_text, "accepted: 1 node,") &&
		   reply_minutes == 60,
	   "a job without a speedup gets the least number of nodes");
	place(1);
	start(1);
	r = wide(60, 7200, 1);
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 3 &&
		   reply_minutes == 20 &&
		   strstr(reply_text, "accepted: 3 nodes,") &&
		   strstr(reply_text,
			  "libra: on 3 of 1 to 4 nodes its time limit is 20 "
			  "min (libra_speedup=1)"),
	   "a job three times as fast on three nodes gets three");
	ok(strstr(records[2], " procs=3 estimate=1200 ") != NULL,
	   "its record has width and time");
	ok(place(2) == LIBRA_PLACE_HERE && placement.nparts == 3,
	   "it starts on three");
	start(2);
	r = wide(60, 3600, 1);
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 3 &&
		   reply_minutes == 20 && fabs(reply_start_s - (T0 + 1200)) < 1,
	   "three nodes later, as none is free now");
	r = wide(10, 7200, 0.5);
	ok(ask(4, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 3 &&
		   reply_minutes == 7 && fabs(reply_start_s - (T0 + 2400)) < 1,
	   "half of the time is divided by three, in whole minutes");
	r = wide(60, 600, 1);
	ok(ask(5, &r) == LIBRA_HOST_REFUSED &&
		   strstr(reply_text, "(would_miss): 1 node for 1 h"),
	   "a job late on any number of nodes is refused on the least");
}

static void test_least(void)
{
	struct libra_host_request r;

	begin("", true);
	submit(1, 100, 86400, 3);
	place(1);
	start(1);
	r = wide(90, 86400, 1);
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 1 &&
		   reply_minutes == 90 && fabs(reply_start_s - T0) < 1,
	   "one node now ends before four that are free later");
	begin("", true);
	submit(1, 100, 86400, 2);
	place(1);
	start(1);
	r = wide(90, 3000, 1);
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 2 &&
		   reply_minutes == 45,
	   "two nodes, where one is too slow and more are free too late");
}

/* Clients of Slurm may send any number as the least and the most. */
static void test_bounds(void)
{
	struct libra_host_request r;

	begin("", true);
	r = wide(60, 7200, 1);
	r.size.min_nodes = 0;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && reply_minutes == 60 &&
		   strstr(reply_text, "accepted: 1 node,"),
	   "a job without a least number of nodes has one width");
	begin("", true);
	r = wide(60, 7200, 1);
	r.size.max_nodes = UINT32_MAX - 2;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && reply_minutes == 15 &&
		   strstr(reply_text, "on 4 of 1 to 4 nodes"),
	   "no number above those of the partition is tried");
	begin("", true);
	submit(1, 100, 86400, 4);
	place(1);
	start(1);
	r = wide(60, 600, 1);
	r.size.ntasks = r.size.ncpus = 3 * PROCS;
	ok(ask(2, &r) == LIBRA_HOST_REFUSED &&
		   strstr(reply_text, "(would_miss): 3 nodes for 20 min"),
	   "a job late on any is refused on the least that can hold it");
	r.size.ntasks = r.size.ncpus = 5 * PROCS;
	ok(ask(2, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "needs 5 nodes, and --nodes permits 4"),
	   "a job that none can hold is refused on the most");
}

static void test_cores(void)
{
	struct libra_host_request r;

	begin("", false);
	r = wide(60, 7200, 1);
	r.size.tasks_per_node = 2;
	r.size.ncpus = 2;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 4 &&
		   reply_minutes == 15 &&
		   strstr(reply_text, "accepted: 8 processors,"),
	   "where nodes are shared a width has as many tasks on each node");
	r.size.ntasks = 4;
	r.size.ncpus = 4;
	r.size.tasks_per_node = 0;
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED && reply_minutes == 60 &&
		   strstr(reply_text, "accepted: 4 processors,"),
	   "a job with a number of tasks in all has one width");
	r = wide(60, 7200, NAN);
	ok(ask(2, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--comment=libra_speedup=S: S must be"),
	   "a speedup that is no number from 0 to 1 is refused");
}

/* A job of an account may have so many nodes, all its jobs so many (0 = any),
 * and a promise counts so many.
 */
static uint32_t most, together, counted = UINT32_MAX;

static void rules(const struct libra_host_request *r,
		  struct libra_host_rules *out)
{
	bool limited = r->size.min_nodes > most;

	*out = (struct libra_host_rules){
		.limits.limit_s = INFINITY,
		.limits.room = limited	  ? 0
			       : together ? together / r->size.min_nodes
					  : INFINITY,
		.limits.limit_name = limited || together ? "GrpTRES" : NULL,
		.uncounted =
			r->size.min_nodes > counted ? "several nodes" : NULL,
	};
}

static void test_limits(void)
{
	static struct libra_host_ops limited;
	struct libra_host_request r;

	limited = ops;
	limited.rules = rules;
	libra_host_fini(host);
	libra_host_init(host, &limited);
	now_s = T0;
	set_cluster("", true);
	most = 2;
	r = wide(60, 7200, 1);
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 2 &&
		   strstr(reply_text, "on 2 of 1 to 2 nodes"),
	   "limits of accounts bound the width");
	most = 4;
	counted = 1;
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(reply_text, "accepted: 1 node,"),
	   "so does what a promise does not count");
	counted = UINT32_MAX;
	libra_host_fini(host);
	libra_host_init(host, &limited);
	set_cluster("", true);
	together = 5;
	submit(1, 10, 7200, 2);
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(reply_text, "accepted: 1 node,"),
	   "and an offer without a job yet: four nodes more would be above it");
	place(1);
	place(2);
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 3,
	   "an offer with a job is Slurm's to count");
	together = 0;
	most = 0;
	ok(ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "GrpTRES"),
	   "a job above the limit on any number of nodes is refused by it");
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 1;
	now_s = T0;
	test_whole_nodes();
	test_least();
	test_bounds();
	test_cores();
	test_limits();
	return finish_plans();
}
