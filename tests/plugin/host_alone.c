/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_alone.c - ordinary jobs that keep others from their nodes, or give some
 * back: in plans, and where they are refused.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/plans.h"

/* One core of a node, that is its user's alone. */
static struct libra_host_job alone(uint32_t id, uint32_t mins,
				   struct libra_host_part *part, uint32_t node)
{
	struct libra_host_job job = ordinary(id, mins, part, node, node);

	part->first = 1;
	part->count = 1;
	job.alone = job.nodes.one_user = true;
	return job;
}

static void run_job(const struct libra_host_job *job)
{
	struct libra_host_placement p = {0};

	libra_host_started(host, job, &p);
	free(p.parts);
}

static void run_alone(uint32_t id, uint32_t mins, uint32_t node)
{
	struct libra_host_part part;
	struct libra_host_job job = alone(id, mins, &part, node);

	run_job(&job);
}

/* On the nodes of a list of digits; n cores. */
static enum libra_host_answer submit_on(uint32_t id, const char *list,
					uint32_t n)
{
	struct libra_host_request r = asking(10, 2 * 3600, 0);

	r.nodes.list = list;
	r.size.ntasks = r.size.ncpus = n;
	return ask(id, &r);
}

static void test_plans_go_round(void)
{
	struct libra_host_part part;
	struct libra_host_job job;

	begin("", false);
	job = alone(20, 60, &part, 1);
	job.alone = job.nodes.one_user = false;
	run_job(&job);
	ok(submit_on(1, "1", 1) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - T0) < 1,
	   "a plan has the other core of a node beside an ordinary job");
	run_alone(21, 60, 2);
	ok(submit_on(2, "2", 1) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 3600)) < 1,
	   "and waits for all of one that is its user's alone");
	now_s += 600;
	job_ends(21);
	ok(place(2) == LIBRA_PLACE_HERE, "until that ends");
}

static void test_goes_round_plans(void)
{
	uint8_t in_way[NODES] = {0};
	struct libra_host_part part;
	struct libra_host_job job;

	begin("", false);
	run(20, 60, 0, 1);
	submit_on(1, "013", 5);
	ok(fabs(reply_start_s - (T0 + 3600)) < 1, "a plan of three nodes");
	place(1);
	job = alone(21, 120, &part, 3);
	ok(!libra_host_may_run(host, &job, in_way, NODES) && in_way[3] &&
		   !in_way[2],
	   "a long job keeps off the nodes of a plan");
	job.alone = false;
	now_s += 1.5;
	ok(libra_host_may_run(host, &job, NULL, 0),
	   "on which it may be beside it");
	job = alone(22, 120, &part, 2);
	ok(libra_host_may_run(host, &job, NULL, 0), "others it may have");
	job = alone(23, 59, &part, 3);
	ok(libra_host_may_run(host, &job, NULL, 0),
	   "and those of the plan, if it ends before");
	job = alone(24, 120, &part, 2);
	run_job(&job);
	job = alone(25, 5, &part, 2);
	part.first = 0;
	ok(!libra_host_may_run(host, &job, NULL, 0),
	   "two such jobs are not on one node");
}

/* After a restart all that runs is entered: two jobs may be on such a node that
 * the plans knew nothing of.
 */
static void test_found_together(void)
{
	struct libra_host_part part;
	struct libra_host_job job;

	begin("", false);
	job = alone(20, 30, &part, 1);
	part.first = 0;
	job.alone = job.nodes.one_user = false;
	run_job(&job);
	run_alone(21, 60, 1);
	ok(submit_on(1, "1", 1) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 1800)) < 1,
	   "one that is found beside another has its own cores at least");
}

static void test_oldest_is_alone(void)
{
	begin("libra_firm_age=3600", false);
	old = (struct libra_host_job){.job_id = 20,
				      .minutes = 10,
				      .size.min_nodes = 1,
				      .size.ncpus = 1,
				      .mem.hold_per_cpu = 1500,
				      .alone = true};
	old_submit_s = T0 - 4000;
	for (uint32_t i = 0; i < NODES; i++) {
		struct libra_host_part part = {.node = i, .count = 1};
		struct libra_host_job job = {.job_id = 10 + i,
					     .minutes = 60 - 10 * i,
					     .start_s = now_s,
					     .parts = &part,
					     .nparts = 1};

		minutes[10 + i] = job.minutes;
		run_job(&job);
	}
	now_s += 61;
	libra_host_look(host);
	ok(fabs(libra_host_next_s(host) - (30 * 60 - 61)) < 1,
	   "the oldest waits for a whole node");
	old = (struct libra_host_job){0};
}

/* Slurm tells of it before its record is right. */
static void test_smaller(void)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job;

	begin("", false);
	run(20, 60, 0, 3);
	ok(submit(1, 10, 1800, 2) == LIBRA_HOST_REFUSED,
	   "nothing is free beside a job of all nodes");
	job = ordinary(20, 60, parts, 0, 1);
	smaller = &job;
	now_s += 600;
	libra_host_look(host);
	ok(submit(1, 10, 1800, 2) == LIBRA_HOST_REFUSED,
	   "nor do plans ask what it has");
	libra_host_resized(host, 20);
	libra_host_resized(host, 20);
	libra_host_resized(host, 21);
	now_s += 2;
	ok(submit(1, 10, 1800, 2) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - now_s) < 1,
	   "what it has given back is promised");
	ok(place(1) == LIBRA_PLACE_HERE && placement.parts[0].node >= 2,
	   "where that is");
	start(1);
	ok(submit_on(2, "0", 2) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 3600)) < 1,
	   "it has the rest until its limit");
	place(2);
	smaller = NULL;
	libra_host_resized(host, 20);
	now_s += 2;
	libra_host_look(host);
	ok(place(2) == LIBRA_PLACE_WAIT, "and of what is not known keeps all");
	job_ends(20);
	ok(place(2) == LIBRA_PLACE_HERE, "until it ends");
}

/* ---- requests ---- */

static void test_requests(void)
{
	struct libra_host_request r;

	begin("", false);
	r = asking(10, INFINITY, 1);
	r.nodes.one_user = true;
	ok(ask(1, &r) == LIBRA_HOST_STOCK,
	   "an ordinary job may ask for that where starts are planned");
	r.nodes.one_user = false;
	r.layout.more_nodes = true;
	ok(ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--exclusive=topo"),
	   "but not for nodes that it is not on");
	r.reserved = true;
	ok(ask(1, &r) == LIBRA_HOST_STOCK, "but those of a reservation");
	r = asking(10, INFINITY, 1);
	r.change.expands = true;
	ok(ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--dependency=expand"),
	   "none is to become a part of another");
	r = asking(10, 3600, 1);
	r.nodes.one_user = true;
	r.layout.pinned = "--exclusive=user";
	ok(ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--exclusive=user"),
	   "and no promised one may");
}

static struct libra_host_job shown;

static struct libra_host_job view(const void *record)
{
	return shown;
}

static enum libra_host_answer move_to(const char *partition)
{
	struct libra_host_request r = {.times.estimate_s = NAN,
				       .times.deadline_s = NAN,
				       .partition = partition};
	enum libra_host_answer answer;
	struct libra_host_reply reply;

	if (libra_host_modify(host, &shown, 0, &r, &reply) < 0)
		return 0;
	answer = reply.answer;
	libra_host_reply_fini(&reply);
	return answer;
}

static void test_shared(void)
{
	static const struct libra_host_ops viewing = {
		.log = log_line, .now_s = clock_s, .view = view};
	struct libra_host_request r;

	libra_host_fini(host);
	libra_host_init(host, &viewing);
	machine_set(host, "libra_policy=libra,libra_partitions=main", 4, 2);
	r = asking(10, INFINITY, 1);
	r.partition = "main";
	ok(ask(1, &r) == LIBRA_HOST_STOCK, "an ordinary job is Slurm's");
	r.nodes.one_user = true;
	ok(ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "leave out --exclusive=user"),
	   "where processors are shared it keeps nobody off");
	r.nodes.one_user = false;
	r.change.expands = true;
	ok(ask(1, &r) == LIBRA_HOST_STOCK,
	   "to become a part of another is Slurm's business");
	r.nodes.one_user = true;
	r.partition = "other";
	ok(ask(1, &r) == LIBRA_HOST_STOCK, "elsewhere it may");
	shown = (struct libra_host_job){
		.job_id = 1, .nodes.one_user = true, .alone = true};
	ok(move_to("main") == LIBRA_HOST_UNACCEPTABLE,
	   "but not come from there");
	ok(move_to("other") == LIBRA_HOST_STOCK, "nor does that keep it there");
	shown.nodes.one_user = false;
	ok(move_to("main") == LIBRA_HOST_STOCK, "others may come");
}

static void test_partition(void)
{
	struct libra_host_request r;

	unpromised = "ExclusiveUser=YES";
	*heard = '\0';
	begin("", false);
	ok(hear("partition main has ExclusiveUser=YES: "),
	   "a partition of single users is told");
	ok(submit(1, 10, 3600, 1) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "partition main has ExclusiveUser=YES"),
	   "no promise is given there");
	r = asking(10, INFINITY, 1);
	ok(ask(1, &r) == LIBRA_HOST_STOCK, "ordinary jobs come as ever");
	unpromised = NULL;
	*heard = '\0';
	begin("", false);
	ok(!hear("ExclusiveUser"), "others are not");
}

/* An early end: Slurm asks for an ordinary job before our thread has moved the
 * plan, and the job would end before the plan as that was.
 */
static void test_early_end(void)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job;

	begin("", true);
	run(10, 20, 0, NODES - 1);
	submit(1, 10, 7200, NODES);
	place(1);
	libra_host_ended(host, 10);
	now_s += 1.5;
	job = ordinary(11, 15, parts, 0, 0);
	ok(!libra_host_may_run(host, &job, NULL, 0),
	   "what an early end frees is the promised job's");
	ok(place(1) == LIBRA_PLACE_HERE, "which starts there");
}

int main(void)
{
	host = libra_host_create();
	test_plans_go_round();
	test_goes_round_plans();
	test_found_together();
	test_oldest_is_alone();
	test_smaller();
	test_requests();
	test_shared();
	test_partition();
	test_early_end();
	return finish_plans();
}
