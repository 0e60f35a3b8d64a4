/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_plans.c - plans of jobs: starts, sizes, memory, GPUs, certain nodes,
 * restart.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/plugin/plans.h"

static void test_starts(void)
{
	struct libra_host_request r;

	begin("", true);
	ok(submit(1, 10, 3600, 4) == LIBRA_HOST_ACCEPTED &&
		   strstr(reply_text, "accepted: 4 nodes, planned start"),
	   "whole nodes are promised, with a planned start");
	ok(reply_minutes == 10, "the limit stays the user's");
	ok(submit(2, 10, 3600, 2) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 600)) < 1,
	   "the next starts when the first has ended by its limit");
	ok(place(1) == LIBRA_PLACE_HERE && placement.nparts >= 1 &&
		   placement.minutes == UINT32_MAX,
	   "what is due starts at once, and keeps its limit");
	start(1);
	ok(place(2) == LIBRA_PLACE_WAIT, "what is not due waits");
	ok(strstr(records[2], " start=1000000600") != NULL &&
		   fabs(starts[2] - (T0 + 600)) < 1,
	   "its record says until when, and so does Slurm");
	r = asking(10, 900, 4);
	r.queue_refused = true;
	ok(ask(3, &r) == LIBRA_HOST_ORDINARY,
	   "what cannot be in time joins the queue if its user says so");
	ok(submit(3, 10, 900, 4) == LIBRA_HOST_REFUSED &&
		   strstr(reply_text, "refused (would_miss): 4 nodes") &&
		   strstr(reply_text, "earliest deadline"),
	   "else it is refused, with a deadline that would do");
	now_s += 100;
	job_ends(1);
	ok(place(2) == LIBRA_PLACE_HERE, "an early end pulls the plan forward");
}

static void test_sizes(void)
{
	struct libra_host_request r;

	begin("", true);
	r = asking(10, 3600, 0);
	r.size.ntasks = r.size.ncpus = 5;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && strstr(reply_text, ": 3 nodes"),
	   "five tasks need three nodes of two cores");
	r.mem.per_cpu = 800;
	ok(ask(2, &r) == LIBRA_HOST_REFUSED &&
		   strstr(reply_text, "(too_large): it needs 5 nodes; 4 nodes "
				      "that it may be on have") &&
		   strstr(reply_text, "with room for 4"),
	   "one a node, by the memory of the smallest: there are not so many");
	r = asking(10, 3600, 0);
	r.size.cpus_per_task = r.size.ncpus = 3;
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "the smallest node has 2 CPUs"),
	   "a task that no node has room for is refused as such");
	r = asking(10, 3600, 1);
	r.size.max_nodes = 1;
	r.size.ntasks = r.size.ncpus = 3;
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text,
			  "it needs 2 nodes, and --nodes permits 1"),
	   "and so is one that permits too few nodes");
	r = asking(10, 3600, 2);
	r.nodes.exclusive = r.gpu.any = true;
	r.gres.node = "gres:gpu:2";
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED,
	   "generic resources are of the nodes that have them");
	r.size.min_nodes = 3;
	ok(ask(4, &r) == LIBRA_HOST_REFUSED && strstr(reply_text, "too_large"),
	   "of which there are two");
	ok(strstr(reply_text, "3 nodes; 2 nodes") != NULL, "as it says");
	begin("", false);
	r = asking(10, 3600, 0);
	r.size.ntasks = r.size.ncpus = 8;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(reply_text, "8 processors, planned start"),
	   "where nodes are shared promises are of cores");
	r.size.min_nodes = 2;
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED, "of so many nodes, too");
	r.layout.spread = true;
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--spread-job cannot be promised"),
	   "of as many as there will be nothing is promised");
}

/* Where nodes are shared: memory, GPUs, certain nodes. */
static void test_gpus(void)
{
	struct libra_host_request r;
	clock_t began;

	begin("", false);
	r = asking(10, 3600, 0);
	r.gpu.any = true;
	r.gres.job = "gres:gpu:2";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 1 &&
		   strcmp(reply_gres, "gpu:2") == 0 &&
		   strstr(records[1], " need=gpu=2/0 "),
	   "--gpus that one node has are of one node");
	r.gres.job = "gres/gpu:4";
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 2 &&
		   strcmp(reply_gres, "gpu:2") == 0 &&
		   fabs(reply_start_s - (T0 + 600)) < 1,
	   "else of some equal ones, when they are free");
	r.gres.job = "gres:gpu:3";
	ok(ask(3, &r) == LIBRA_HOST_REFUSED && strstr(reply_text, "too_large"),
	   "of those that there are");
	began = clock();
	r.gres.job = "gres:gpu:4294967291"; /* a prime number */
	ok(ask(3, &r) == LIBRA_HOST_REFUSED && strstr(reply_text, "too_large"),
	   "of as many as can be told, too");
	ok(clock() - began < CLOCKS_PER_SEC, "and nobody waits for that");
	r.gres.job = "gres:gpu:h100:2";
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED && fabs(reply_start_s - T0) < 1 &&
		   strcmp(reply_gres, "gpu:h100:2") == 0,
	   "a type is of the nodes that have it");
	ok(place(3) == LIBRA_PLACE_HERE && placement.nparts == 1 &&
		   placement.parts[0].node == 3 &&
		   placement.parts[0].count == 1,
	   "where the job then goes");
}

/* GPUs of a task. */
static void test_gpus_of_tasks(void)
{
	struct libra_host_request r;

	begin("", false);
	r = asking(10, 3600, 0);
	r.gpu.any = true;
	r.gres.task = "gres:gpu:1";
	ok(ask(4, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--ntasks"),
	   "GPUs of a task need tasks");
	r.size.ntasks = r.size.ncpus = 2;
	ok(ask(4, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(records[4], " need=gpu=0/1 "),
	   "and are counted for each");
	ok(reply_tasks == 0, "which may lie as they like");
	r.gres.task = NULL;
	r.gres.socket = "gres:gpu:1";
	ok(ask(5, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--gpus-per-socket"),
	   "what is counted in no way is refused");
}

/* GPUs of a task, of whole nodes: two have two GPUs each, of different types.
 */
static void test_gpus_of_whole(void)
{
	struct libra_host_request r;

	begin("", true);
	r = asking(10, 36000, 0);
	r.gpu.any = true;
	r.gres.task = "gres:gpu:1";
	r.size.ntasks = r.size.ncpus = 4;
	ok(ask(4, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 2 &&
		   reply_tasks == 2 && !*reply_gres &&
		   place(4) == LIBRA_PLACE_HERE && placement.nparts == 2 &&
		   placement.parts[0].node == 2 && placement.parts[1].node == 3,
	   "two tasks with a GPU each on each node that has two");
	start(4);
	r.gres.task = "gres:gpu:2";
	r.size.ntasks = r.size.ncpus = 2;
	ok(ask(5, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 2 &&
		   reply_tasks == 1 && fabs(reply_start_s - (T0 + 600)) < 1,
	   "one task with both on each, behind them");
	r.gres.task = "gres:gpu:h100:1";
	ok(ask(6, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 1 &&
		   fabs(reply_start_s - (T0 + 1200)) < 1,
	   "of a type: on the node that has it");
	r.gres.task = "gres:gpu:1";
	r.size.ntasks = r.size.ncpus = 3;
	ok(ask(7, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "3 tasks with 1 of gpu each"),
	   "three on no equal nodes are refused");
	r.gres.task = "gres:tape:1";
	ok(ask(7, &r) == LIBRA_HOST_UNACCEPTABLE, "and what no node has");
	r.gres.task = "gres:gpu:1";
	r.size.ntasks = r.size.ncpus = 2;
	r.size.cpus_per_task = 2;
	r.size.ncpus = 4;
	ok(ask(7, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 2 &&
		   reply_tasks == 1,
	   "as many of a node as it has CPUs for");
	r.size.cpus_per_task = 3;
	r.size.ncpus = 6;
	ok(ask(8, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--cpus-per-task=3"),
	   "or none");
}

/* Slurm may never give tasks GPUs that are far of some of them, if it is not
 * told how many a node has.  Two sockets of two cores and a GPU here, on two
 * nodes.
 */
static void test_near_gpus_of_tasks(void)
{
	struct libra_host_request r;

	for (uint32_t i = 0; i < NODES; i++)
		procs[i] = 4;
	begin("", false);
	r = asking(10, 3600, 0);
	r.gpu.any = true;
	r.gres.task = "gres:gpu:1";
	r.gpu.socket_cores = 2;
	r.size.ntasks = r.size.ncpus = 2;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && reply_tasks == 2 &&
		   reply_nodes == 1,
	   "tasks that a node has room for are of one node");
	r.size.ntasks = r.size.ncpus = 4;
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED && reply_tasks == 2 &&
		   reply_nodes == 2,
	   "others of as many equal ones as are needed");
	r.size.ntasks = r.size.ncpus = 3;
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--ntasks-per-node"),
	   "such as no equal nodes have are refused");
	r.size.cpus_per_task = 2; /* a socket for each */
	r.size.ncpus = 6;
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED && reply_tasks == 0,
	   "but where each has its own near");
	r.size.cpus_per_task = 1;
	r.size.ntasks = r.size.ncpus = 2;
	r.size.tasks_per_node = 1;
	ok(ask(5, &r) == LIBRA_HOST_ACCEPTED && reply_tasks == 0,
	   "who says how many a node has is taken at his word");
	for (uint32_t i = 0; i < NODES; i++)
		procs[i] = PROCS;
}

/* GPUs of a node, and what comes with each of them. */
static void test_gpus_of_nodes(void)
{
	struct libra_host_request r;

	begin("", false);
	r = asking(10, 3600, 0);
	r.gpu.any = true;
	r.gres.node = "gres:gpu:1";
	r.gres.cpus_per = "gres:gpu:2";
	r.gres.mem_per = "gres:gpu:500";
	ok(ask(5, &r) == LIBRA_HOST_ACCEPTED && strstr(records[5], "procs=2") &&
		   strstr(records[5], " need=mem=500/0,gpu=1/0 "),
	   "CPUs and memory of a GPU are counted with it");
	r.gres.cpus_per = r.gres.mem_per = NULL;
	r.gres.def_cpus_per_gpu = 2;
	r.gres.def_mem_per_gpu = 300;
	ok(ask(6, &r) == LIBRA_HOST_ACCEPTED && strstr(records[6], "procs=2") &&
		   strstr(records[6], " need=mem=300/0,gpu=1/0 "),
	   "or what the cluster gives with each");
	r.size.ntasks = r.size.ncpus = 3;
	r.size.min_nodes = 2;
	ok(ask(7, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "multiple of --nodes"),
	   "for the same part of the tasks on each node");
	r.size.ntasks = r.size.ncpus = r.size.min_nodes = 0;
	r.gpu.per_task = 2;
	ok(ask(7, &r) == LIBRA_HOST_ACCEPTED && strstr(records[7], "procs=2") &&
		   reply_nodes == 1,
	   "tasks of a GPU are counted with it");
	r.gpu.near = true;
	ok(ask(8, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "enforce-binding"),
	   "near cores alone are not promised");
	r.gpu.near = false;
	r.gpu.per_task = 0;
	r.gres.def_cpus_per_gpu = r.gres.def_mem_per_gpu = 0;
	r.gres.node = "gres:tape:1";
	ok(ask(6, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "scontrol show node"),
	   "what no node has is refused as such");
}

static void test_certain(void)
{
	struct libra_host_request r;

	begin("", false);
	r = asking(10, 3600, 0);
	r.nodes.list = "1";
	r.size.ncpus = r.size.ntasks = 2;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && place(1) == LIBRA_PLACE_HERE &&
		   placement.parts[0].node == 1,
	   "a node that is named is promised");
	start(1);
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 600)) < 1,
	   "when it is free");
	r.size.min_nodes = 2;
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--nodelist names 1"),
	   "as many as are needed have to be named");
	r = asking(10, 3600, 1);
	r.nodes.list = "013";
	r.size.max_nodes = 2;
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "names 3 nodes that the job may be on, "
				      "and --nodes asks for at most 2: "),
	   "and no more than it may have");
	r = asking(10, 3600, 0);
	r.nodes.list = "1";
	r.nodes.exclude = "1";
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "meets --nodelist=1 --exclude=1: leave"),
	   "if none is left, the options are named with their values");
	r = asking(10, 3600, 1);
	r.mem.per_node = r.mem.hold_per_node = 99999;
	ok(ask(3, &r) == LIBRA_HOST_REFUSED &&
		   strstr(reply_text, "(too_large): 99999 MB of memory on one "
				      "node: of the nodes that it may be on "
				      "none has more than "),
	   "more memory than a node has is named, and how much there is");
	r = asking(10, 3600, 1);
	r.gpu.any = true;
	r.gres.node = "gres:gpu:1,gres:pump:1";
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "has the generic resources pump: "),
	   "and generic resources that no node has");
	r = asking(10, 3600, 0);
	r.nodes.list = NULL;
	r.nodes.exclude = "023";
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 1200)) < 1,
	   "others are left out");
	r.nodes.exclude = NULL;
	r.nodes.constraint = "big";
	r.nodes.exclusive = true;
	r.size.min_nodes = 2;
	ok(ask(4, &r) == LIBRA_HOST_ACCEPTED && strstr(records[4], "procs=4") &&
		   place(4) == LIBRA_PLACE_HERE && placement.nparts == 2 &&
		   placement.parts[0].node == 0 && placement.parts[1].node == 3,
	   "whole nodes that have a feature");
	r.nodes.constraint = "a|b";
	ok(ask(5, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--constraint=a|b: a promise counts "
				      "features joined by & or by |"),
	   "one that cannot be told is refused");
	r.nodes.constraint = NULL;
	r.nodes.list = "1";
	r.nodes.exclude = "?";
	ok(ask(5, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--exclude=?: it names nodes that do"),
	   "so are unknown nodes");
}

/* Whole nodes, where they are of several sizes. */
static void test_unequal(void)
{
	static const struct {
		uint32_t procs[NODES], promised;
	} shapes[] = {
		{{1, 2, 2, 3}, 2}, /* of most of them */
		{{1, 1, 3, 3}, 3}, /* the larger one of two */
		{{4, 1, 2, 3}, 4},
	};
	struct libra_host_request r;
	char text[16];

	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		memcpy(procs, shapes[i].procs, sizeof(procs));
		begin("", false);
		r = asking(10, 3600, 1);
		r.nodes.exclusive = true;
		snprintf(text, sizeof(text), " procs=%u ", shapes[i].promised);
		ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
			   strstr(records[1], text),
		   "a whole node is one of the usual size");
	}
	for (uint32_t i = 0; i < NODES; i++)
		procs[i] = PROCS;
}

/* Memory and GPUs that ordinary jobs have, and restarts. */
static void test_beside(void)
{
	struct libra_host_part part = {.node = 2, .count = 1, .mem = 900};
	struct libra_host_job job = {
		.job_id = 20, .minutes = 30, .parts = &part, .nparts = 1};
	struct libra_host_placement p = {0};
	struct libra_host_request r;

	begin("", false);
	r = asking(10, 3600, 0);
	r.mem.per_node = r.mem.hold_per_node = 1000;
	r.gres.node = "gres:gpu:a100:2";
	r.gpu.any = true;
	minutes[20] = 30;
	job.start_s = now_s;
	libra_host_started(host, &job, &p);
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 1800)) < 1,
	   "a plan waits for the memory that an ordinary job has");
	job.job_id = 21;
	job.minutes = 40;
	part.mem = 50;
	part.first = 1;
	ok(!libra_host_may_run(host, &job, NULL, 0),
	   "no other may have of it for longer than that");
	job.minutes = 20;
	ok(libra_host_may_run(host, &job, NULL, 0),
	   "with a shorter limit, and at once, it may");
	job.minutes = 40;
	now_s += 1.5;
	part.node = 3;
	ok(libra_host_may_run(host, &job, NULL, 0), "but elsewhere");
	part.node = 2;
	job.minutes = 20;
	part.gres = "gpu:a100:1";
	now_s += 1.5;
	ok(libra_host_may_run(host, &job, NULL, 0),
	   "a GPU may be taken until then");
	libra_host_ended(host, 20);
	set_cluster("libra_offer_ttl=61", false); /* another engine */
	ok(place(1) == LIBRA_PLACE_HERE && placement.parts[0].node == 2,
	   "the record has what is needed, over a restart");
	free(p.parts);
}

/* Tasks start one after the other, and the record of the rest follows. */
/* When would an ordinary job start on the first n nodes, behind another one? */
static double hole(uint32_t mins, uint32_t ncpus, uint32_t n,
		   const struct libra_host_job *ahead)
{
	const struct libra_host_job job = {.job_id = 25,
					   .minutes = mins,
					   .size.ncpus = ncpus,
					   .partition = "main"};
	uint8_t on[NODES] = {0};

	memset(on, 1, n);
	return libra_host_earliest_fit_s(host, &job, on, NODES, ahead,
					 ahead != NULL) -
	       now_s;
}

/* Nodes 0 and 1 are taken for 20 minutes, then a plan has all four for 10. */
static void test_outlook(void)
{
	const struct libra_host_job first = {
		.job_id = 1, .user = 1000, .comment = NULL};
	struct libra_host_job ahead = {.job_id = 24,
				       .minutes = 15,
				       .size.ncpus = 2 * PROCS,
				       .partition = "main"};
	struct libra_host_job asked = first;
	double margin_s;

	begin("libra_policy=planned", true);
	run(10, 20, 0, 1);
	submit(1, 10, 7200, 4);
	place(1);
	asked.comment = records[1];
	ok(fabs(libra_host_starts_s(host, &asked) - (T0 + 1200)) < 1.5,
	   "a promised job starts when its plan says");
	ok(isnan(libra_host_ends_s(host, 10)),
	   "ordinary ones end when Slurm says");
	ok(hole(15, PROCS, 4, NULL) < 1, "a short one has its place now");
	margin_s = hole(15, 3 * PROCS, 4, NULL) - 1200 - 600;
	ok(margin_s >= 0 && margin_s <= 61,
	   "one of three nodes starts behind the plan");
	ok(fabs(hole(30, PROCS, 4, NULL) - 1800 - margin_s) < 1,
	   "and so does a long one");
	ok(fabs(hole(15, PROCS, 4, &ahead) - 1800 - margin_s) < 1,
	   "or one behind another that takes the free nodes");
	ok(fabs(hole(15, PROCS, 2, NULL) - 1800 - margin_s) < 1,
	   "on the nodes that are taken it waits for them");
	ok(isinf(hole(15, 3 * PROCS, 2, NULL)),
	   "what has no room never starts");
	ok(isnan(hole(15, PROCS, 0, NULL)),
	   "other nodes are not those of the plans");
	ok(fabs(libra_host_starts_s(host, &asked) - (T0 + 1200)) < 1.5,
	   "questions move no plan");
	ok(libra_host_tracks(host, &asked), "the job is known");
	libra_host_forget(host, &asked);
	ok(!libra_host_tracks(host, &asked) &&
		   isnan(libra_host_starts_s(host, &asked)) &&
		   hole(30, PROCS, 4, NULL) < 1,
	   "who was only asked about is in nobody's way");
}

/* One that wants a GPU, with what the cluster gives with it, on a node of two
 * cores and 1000 MB, of which another has the first core and some memory.
 */
static double gpu_hole(uint64_t cpus, uint64_t mem)
{
	const struct libra_host_job job = {.job_id = 25,
					   .minutes = 10,
					   .size.ncpus = 1,
					   .partition = "main",
					   .gres.node = "gres:gpu:1",
					   .gres.def_cpus_per_gpu = cpus,
					   .gres.def_mem_per_gpu = mem};
	const uint8_t on[NODES] = {0, 0, 1, 0};

	return libra_host_earliest_fit_s(host, &job, on, NODES, NULL, 0) -
	       now_s;
}

static void test_outlook_of_gpus(void)
{
	struct libra_host_part part = {.node = 2, .count = 1, .mem = 900};
	struct libra_host_job job = {.job_id = 20,
				     .minutes = 30,
				     .start_s = T0,
				     .parts = &part,
				     .nparts = 1};
	struct libra_host_placement p = {0};

	begin("", false);
	minutes[20] = 30;
	libra_host_started(host, &job, &p);
	ok(gpu_hole(0, 0) < 1, "one beside another has a GPU now");
	ok(fabs(gpu_hole(2, 0) - 1800) < 1,
	   "with two CPUs that come with it it waits for that one's");
	ok(gpu_hole(1, 100) < 1, "with as many as are free it has it now");
	ok(fabs(gpu_hole(1, 101) - 1800) < 1, "and so it is with memory");
}

/* All is entered again, running ones last, and nothing moves meanwhile. */
static void test_restart(void)
{
	struct libra_host_placement p = {0};
	struct libra_host_job job;

	begin("", true);
	submit(1, 10, 3600, 4);
	place(1);
	start(1);
	submit(2, 10, 3600, 3);
	place(2);
	flush();
	libra_host_fini(host);
	libra_host_init(host, &ops);
	now_s += 60;
	set_cluster("", true);
	restore(2);
	job = (struct libra_host_job){.job_id = 1,
				      .comment = records[1],
				      .start_s = T0,
				      .minutes = 10};
	libra_host_started(host, &job, &p);
	machine_take(1, &p, keep);
	libra_host_look(host);
	flush();
	ok(place(2) == LIBRA_PLACE_WAIT && fabs(starts[2] - (T0 + 600)) < 1,
	   "a restart restores the plan");
	ok(submit(3, 10, 1100, 4) == LIBRA_HOST_REFUSED,
	   "what was promised still counts");
	job_ends(1);
	ok(place(2) == LIBRA_PLACE_HERE, "and starts when it may");
}

/* Slurm gives all GPUs of whole nodes, and counts what goes with each: n2 has
 * 1000 MB for two of them, n3 twice that.
 */
static void test_all_gpus(void)
{
	struct libra_host_request r;

	begin("", false);
	r = asking(10, 36000, 0);
	r.gpu.any = r.nodes.exclusive = true;
	r.gres.job = "gres:gpu:1";
	r.gres.mem_per = "gres:gpu:500";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && fabs(reply_start_s - T0) < 1 &&
		   ask(2, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - T0) < 1,
	   "both nodes have 500 MB for each of two GPUs");
	begin("", false);
	r.gres.mem_per = "gres:gpu:501";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && fabs(reply_start_s - T0) < 1 &&
		   ask(2, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - T0 - 600) < 1,
	   "one of them more, though only one GPU is asked for");
	ok(place(1) == LIBRA_PLACE_HERE && placement.nparts == 1 &&
		   placement.parts[0].node == 3,
	   "which is where the job goes");
	r.gres.mem_per = "gres:gpu:1001";
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text,
			  "--mem-per-gpu=1001 counts for each: node n3 has 2 "
			  "GPUs and 2000 MB: give less --mem-per-gpu, or leave "
			  "--exclusive out"),
	   "what none has is refused, with what the nearest has");
	r.nodes.exclusive = false;
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED,
	   "but where one is counted it fits");
	r.nodes.exclusive = true;
	r.gres.mem_per = NULL;
	r.gres.def_cpus_per_gpu = 2;
	ok(ask(4, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text,
			  "the cluster's DefCpuPerGPU=2 counts for each: node "
			  "n2 has 2 GPUs and 2 CPUs: give --cpus-per-task"),
	   "two CPUs for each of two are more than two");
	r.gres.def_cpus_per_gpu = 1;
	ok(ask(4, &r) == LIBRA_HOST_ACCEPTED, "one for each are as many");
}

/* What a restarted slurmctld tells of a job with this much for each GPU. */
static void restart_with(uint32_t id, uint64_t mem)
{
	libra_host_fini(host);
	libra_host_init(host, &ops);
	set_cluster("", false);
	restore_job(&(struct libra_host_job){.job_id = id,
					     .comment = records[id],
					     .nodes.exclusive = true,
					     .gres.node = "gres:gpu:1",
					     .gres.def_mem_per_gpu = mem});
}

/* Only n3 has the cluster's 501 MB for each of its GPUs. */
static void test_all_gpus_again(void)
{
	struct libra_host_request r;

	begin("", false);
	r = asking(10, 36000, 0);
	r.gpu.any = r.nodes.exclusive = true;
	r.gres.job = "gres:gpu:1";
	r.gres.def_mem_per_gpu = 501;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED, "memory goes with each GPU");
	nodes[3] = LIBRA_NODE_DOWN;
	restart_with(1, 501);
	ok(place(1) == LIBRA_PLACE_WAIT,
	   "after a restart, too: it does not go to a node with less");
	nodes[3] = LIBRA_NODE_UP;
	libra_host_look(host);
	ok(place(1) == LIBRA_PLACE_HERE && placement.nparts == 1 &&
		   placement.parts[0].node == 3,
	   "but to that which has it");
	restart_with(1, 1001);
	ok(place(1) == LIBRA_PLACE_WAIT,
	   "and to none where it is more than any has by now");
}

/* So many GPUs in all, where the node with the most is down. */
static void test_gpus_divided(void)
{
	static const char *const ones[] = {"gpu:a100:1", "gpu:a100:1", NULL};
	const char *before[] = {gres[0], gres[1], gres[3]};
	struct libra_host_request r;

	gres[0] = ones[0];
	gres[1] = ones[1];
	gres[3] = ones[2];
	begin("", false);
	r = asking(10, 36000, 0);
	r.gpu.any = true;
	r.gres.job = "gres:gpu:2";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 1,
	   "two GPUs are of the node that has two");
	nodes[2] = LIBRA_NODE_DOWN;
	now_s += 2;
	libra_host_look(host);
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 2 &&
		   fabs(reply_start_s - now_s) < 1,
	   "of two others while that is down");
	r.size.max_nodes = 1;
	ok(ask(3, &r) != LIBRA_HOST_ACCEPTED,
	   "but not where only one may be used");
	gres[0] = before[0];
	gres[1] = before[1];
	gres[3] = before[2];
}

/* So many CPUs with each GPU of whole nodes: some node has them. */
static void test_cpus_of_whole(void)
{
	static const uint32_t shape[NODES] = {1, 1, 2, 4};
	struct libra_host_request r;

	memcpy(procs, shape, sizeof(procs));
	begin("", true);
	r = asking(10, 36000, 0);
	r.gpu.any = true;
	r.gres.node = "gres:gpu:2";
	r.gres.cpus_per = "gres:gpu:1";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && fabs(reply_start_s - T0) < 1 &&
		   ask(2, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - T0) < 1,
	   "a node with two CPUs will do for two GPUs, though others have one");
	r.gres.cpus_per = "gres:gpu:2";
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - T0 - 600) < 1,
	   "one with four for two CPUs each");
	r.gres.node = "gres:gpu:1";
	ok(ask(4, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - T0 - 1200) < 1,
	   "and for one of its GPUs: Slurm counts both");
	r.gres.cpus_per = "gres:gpu:3";
	ok(ask(5, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "all GPUs of a node"),
	   "three for each has none");
	for (uint32_t i = 0; i < NODES; i++)
		procs[i] = PROCS;
}

/* Which nodes have such sockets is Slurm's to say (gpus.sh). */
static void test_gpus_of_sockets(void)
{
	struct libra_host_request r;

	begin("", false);
	r = asking(10, 36000, 0);
	r.gpu.any = r.nodes.exclusive = true;
	r.gres.socket = "gres:gpu:1";
	r.gres.sockets = 2;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(records[1], " need=gpu=2/0 "),
	   "a GPU of each of two sockets are two of a node");
	r.gres.socket = "gres:gpu:2";
	ok(ask(2, &r) == LIBRA_HOST_REFUSED && strstr(reply_text, "too_large"),
	   "two of each are four, which no node has");
	r.gres.socket = "gres:gpu:1";
	r.nodes.exclude = "0123";
	ok(ask(2, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "meets --exclude=0123 "
				      "--sockets-per-node=2 "
				      "--gpus-per-socket=1: leave"),
	   "if no node has such sockets, the options are named");
	r.nodes.exclude = NULL;
	r.gres.cpus_per = "gres:gpu:1";
	ok(ask(2, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "promised: --gpus-per-socket=gpu:1 "
				      "--cpus-per-gpu=gpu:1: with a deadline "
				      "give one kind of GPU in one way"),
	   "CPUs for each are not counted with that, and both are named");
	r.gres.cpus_per = NULL;
	r.gres.socket = "gres:gpu:a100:1,gres:gpu:h100:1";
	ok(ask(2, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "one kind of GPU in one way"),
	   "nor GPUs of two types");
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 1;
	test_starts();
	test_sizes();
	test_gpus();
	test_gpus_of_tasks();
	test_gpus_of_whole();
	test_near_gpus_of_tasks();
	test_gpus_of_nodes();
	test_all_gpus();
	test_all_gpus_again();
	test_gpus_divided();
	test_cpus_of_whole();
	test_gpus_of_sockets();
	test_certain();
	test_unequal();
	test_beside();
	test_outlook();
	test_outlook_of_gpus();
	test_restart();
	return finish_plans();
}
