/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_memory.c - a promise holds memory where Slurm divides it.
 *
 * Two nodes of four processors and 1000 MB each; without Slurm.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/machine.h"
#include "tests/plugin/own_memory.h"

static struct libra_host *host;
static double now_s = 1e9;
static uint64_t used[2]; /* by what runs in Slurm */
static bool divided = true, memory_rules = true;
static char record[512];

static double clock_s(void)
{
	return now_s;
}

static bool memory(struct libra_host_memory *nodes, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		nodes[i] = (struct libra_host_memory){1000, 1000 - used[i]};
	return divided;
}

static void rules(const struct libra_host_request *r,
		  struct libra_host_rules *out)
{
	*out = (struct libra_host_rules){.limits.limit_s = INFINITY,
					 .memory = memory_rules};
}

static const struct libra_host_ops ops = {
	.now_s = clock_s,
	.memory = memory,
	.rules = rules,
};

static void begin(void)
{
	libra_host_fini(host);
	libra_host_init(host, &ops);
	used[0] = used[1] = 0;
	machine_set(host, "libra_policy=libra", 2, 4);
}

/* A share of 0.1 of so many processors. */
static bool submit(uint32_t nprocs, uint64_t per_cpu, uint64_t per_node,
		   const char *refusal)
{
	struct libra_host_request r = {
		.times.estimate_s = 60,
		.times.deadline_s = now_s + 600,
		.size.ncpus = nprocs,
		.size.ntasks = nprocs,
		.size.cpus_per_task = 1,
		.mem.per_cpu = per_cpu,
		.mem.per_node = per_node,
	};
	struct libra_host_reply reply;
	bool accepted, told;

	if (libra_host_submit(host, &r, &reply) < 0) {
		if (!failed)
			abort();
		return false;
	}
	accepted = reply.answer == LIBRA_HOST_ACCEPTED;
	told = !refusal || (reply.text && strstr(reply.text, refusal));
	if (!told)
		printf("# %s\n", reply.text ? reply.text : "nothing");
	snprintf(record, sizeof(record), "%s",
		 reply.record.comment ? reply.record.comment : "");
	libra_host_reply_fini(&reply);
	return accepted && told;
}

static bool refused(uint32_t nprocs, uint64_t per_cpu, uint64_t per_node,
		    const char *why)
{
	return !submit(nprocs, per_cpu, per_node, why) && *record == '\0';
}

/* Slurm looks at the job of the last record.  Result: the node it is to be on,
 * or -1.
 */
static int place(uint32_t id, uint64_t per_cpu)
{
	struct libra_host_job job = {
		.job_id = id, .comment = record, .mem.hold_per_cpu = per_cpu};
	struct libra_host_placement p = {0};
	int node = -1;

	if (libra_host_place(host, &job, &p) == LIBRA_PLACE_HERE)
		node = (int)p.parts[0].node;
	free(p.record.comment);
	free(p.parts);
	return node;
}

static void test_held(void)
{
	begin();
	ok(submit(2, 300, 0, NULL) && place(1, 300) == 0,
	   "a job of 600 MB is on the first node");
	ok(submit(2, 300, 0, NULL) && place(2, 300) == 1,
	   "there is no room for another of these, though there are shares");
	ok(refused(2, 300, 0, "refused (memory)"),
	   "a third one is refused, for its memory");
	ok(refused(2, 300, 0, "on 2 nodes too little memory is free"),
	   "and its user reads so");
	ok(submit(2, 200, 0, NULL), "one that takes less is not");
	ok(submit(2, 0, 0, NULL) == false,
	   "nor one that asks for nothing: all");
}

/* Tasks of one CPU each are put side by side, and then some have to go. */
static void test_parts(void)
{
	begin();
	ok(submit(6, 250, 0, NULL), "six tasks of 250 MB are on two nodes");
	begin();
	used[0] = 600;
	ok(submit(4, 250, 0, NULL) && place(3, 250) == 1,
	   "four are on the one that is free");
	ok(refused(2, 250, 0, "memory"), "and two more nowhere");
	ok(submit(1, 250, 0, NULL) && place(4, 250) == 0, "one is");
}

static void test_nodes(void)
{
	begin();
	used[1] = 1;
	ok(submit(1, 0, 1000, NULL) && place(5, 0) == 0,
	   "all of a node's memory is to be had where nothing runs");
	begin();
	used[0] = used[1] = 1;
	ok(refused(1, 0, 0, "refused (memory)"),
	   "who asks for none has all, where there is no default");
	ok(submit(1, 0, 999, NULL), "and needs less");
}

static void test_spare(void)
{
	uint64_t mb[3];

	begin();
	used[0] = 100;
	ok(!libra_host_spare_memory(host, mb, 3), "none is promised");
	submit(2, 300, 0, NULL);
	ok(libra_host_spare_memory(host, mb, 3) && mb[0] == 300 &&
		   mb[1] == 1000 && mb[2] == UINT64_MAX,
	   "of 1000 MB, 100 run and 600 are promised: 300 are spare");
	place(6, 300);
	ok(libra_host_spare_memory(host, mb, 1) && mb[0] == 300,
	   "while it waits");
}

/* Each allocation fails in turn: what is promised is not free, nor promised
 * again.
 */
static void test_failures(void)
{
	uint64_t mb[2];
	bool good = true;
	long n = 0, m = 0;

	for (failed = true; failed; n++) {
		begin();
		submit(2, 300, 0, NULL);
		failed = false;
		countdown = n;
		libra_host_spare_memory(host, mb, 2);
		countdown = -1;
		good = good && mb[0] == (failed ? 0 : 400);
	}
	ok(good, "none is spare where that is not known");
	for (failed = true, good = true; failed; m++) {
		bool accepted;

		begin();
		submit(2, 300, 0, NULL);
		failed = false;
		countdown = m;
		accepted = submit(2, 300, 0, NULL);
		countdown = -1;
		good = good && (failed || accepted) &&
		       (!accepted || place(7, 300) == 1);
	}
	printf("# %ld and %ld allocations\n", n - 1, m - 1);
	ok(good, "and none is promised twice");
}

static void test_undivided(void)
{
	divided = memory_rules = false;
	begin();
	used[0] = used[1] = 1000;
	ok(submit(8, 1000, 0, NULL),
	   "where Slurm divides no memory none is held");
	divided = memory_rules = true;
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 1;
	test_held();
	test_parts();
	test_nodes();
	test_spare();
	test_failures();
	test_undivided();
	libra_host_destroy(host);
	return finish();
}
