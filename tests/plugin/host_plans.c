/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_plans.c - the host with policy planned: starts, ordinary jobs, restart.
 *
 * Four nodes of two cores, alone on each node unless said otherwise, and a
 * clock of our own.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/host/promise.h"
#include "tests/plugin/machine.h"

enum { NODES = 4, PROCS = 2, JOBS = 32 };

#define T0 1e9

static double now_s;
static char *records[JOBS];
static double starts[JOBS]; /* as Slurm was told */
static uint32_t minutes[JOBS];
static enum libra_node_state nodes[NODES];
static char *said; /* the last line */
static struct libra_host *host;
static const char *state_folder;
static struct libra_host_placement placement;

static void log_line(enum libra_host_level level, const char *text)
{
	free(said);
	said = strdup(text);
}

static double clock_s(void)
{
	return now_s;
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	free(records[id]);
	records[id] = strdup(record->comment);
	starts[id] = record->start_s;
}

static uint32_t job_minutes(uint32_t id)
{
	return minutes[id];
}

static enum libra_node_state node_state(uint32_t node)
{
	return nodes[node];
}

/* One job that waits, if it has an id. */
static struct libra_host_job old;
static double old_submit_s;

static bool oldest(bool (*has)(const void *arg, const char *partition),
		   const void *arg, double before_s, struct libra_host_job *job)
{
	if (!old.job_id || old_submit_s >= before_s || !has(arg, "main") ||
	    has(arg, "other"))
		return false;
	*job = old;
	return true;
}

static void reservations(
	void (*each)(void *arg,
		     const struct libra_host_reservation *reservation),
	void *arg, double at_s);

/* Slurm knows: the nodes of a list of digits, and one feature. */
static bool usable(const struct libra_host_request *r, uint8_t *nodes_of,
		   uint32_t n)
{
	if (r->constraint && strcmp(r->constraint, "big") != 0)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		char name = (char)('0' + i);

		nodes_of[i] = (!r->nodelist || strchr(r->nodelist, name)) &&
			      !(r->exclude && strchr(r->exclude, name)) &&
			      (!r->constraint || i != 2);
	}
	return true;
}

static const struct libra_host_ops ops = {
	.log = log_line,
	.usable = usable,
	.oldest = oldest,
	.now_s = clock_s,
	.write_record = keep,
	.job_minutes = job_minutes,
	.node_state = node_state,
	.reservations = reservations,
};

static int set_cluster(const char *tokens, bool whole)
{
	static const char *const names[NODES] = {"n0", "n1", "n2", "n3"};
	static const uint32_t procs[NODES] = {PROCS, PROCS, PROCS, PROCS};
	static const uint64_t mem[NODES] = {2000, 2000, 1000, 2000};
	static const char *const gres[NODES] = {NULL, NULL, "gpu:a100:2",
						"gpu:h100:2(S:0-1)"};
	static const uint8_t all[NODES] = {1, 1, 1, 1};
	const struct libra_host_partition part = {.name = "main",
						  .max_minutes = UINT32_MAX,
						  .max_jobs = 1,
						  .nodes = all,
						  .whole_nodes = whole};
	char params[256];
	const struct libra_host_cluster cluster = {
		.sched_params = params,
		.default_partition = "main",
		.state_folder = state_folder,
		.nnodes = NODES,
		.node_names = names,
		.node_procs = procs,
		.node_mem = mem,
		.node_gres = gres,
		.npartitions = 1,
		.partitions = &part,
		.cpus_per_proc = 1,
	};

	snprintf(params, sizeof(params),
		 "libra_policy=planned,libra_machine_reserve=no,"
		 "libra_hold_back=0,libra_margin=0,%s",
		 tokens);
	return libra_host_set_cluster(host, &cluster);
}

static void begin(const char *tokens, bool whole)
{
	libra_host_fini(host);
	libra_host_init(host, &ops);
	now_s = T0;
	for (int i = 0; i < NODES; i++)
		nodes[i] = LIBRA_NODE_UP;
	for (int i = 0; i < JOBS; i++) {
		free(records[i]);
		records[i] = NULL;
	}
	set_cluster(tokens, whole);
}

static struct libra_host_request asking(uint32_t mins, double within_s,
					uint32_t min_nodes)
{
	return (struct libra_host_request){
		.estimate_s = 60.0 * mins,
		.limit_asked_s = 60.0 * mins,
		.deadline_s = now_s + within_s,
		.min_nodes = min_nodes,
		.ncpus = 1,
		.cpus_per_task = 1,
	};
}

static char *reply_text;
static uint32_t reply_minutes;
static double reply_start_s;
static uint32_t reply_nodes;
static char reply_gres[128];

static enum libra_host_answer ask(uint32_t id,
				  const struct libra_host_request *r)
{
	struct libra_host_reply reply;
	enum libra_host_answer answer;

	libra_host_submit(host, r, &reply);
	answer = reply.answer;
	free(reply_text);
	reply_text = strdup(reply.text ? reply.text : "");
	reply_minutes = reply.minutes;
	reply_start_s = reply.record.start_s;
	reply_nodes = reply.nodes;
	strcpy(reply_gres, reply.gres_node);
	if (answer == LIBRA_HOST_ACCEPTED) {
		keep(id, &reply.record);
		minutes[id] = reply.minutes;
	}
	libra_host_reply_fini(&reply);
	return answer;
}

static enum libra_host_answer submit(uint32_t id, uint32_t mins,
				     double within_s, uint32_t min_nodes)
{
	struct libra_host_request r = asking(mins, within_s, min_nodes);

	return ask(id, &r);
}

/* A call may leave some for later. */
static void flush(void)
{
	while (libra_host_flush_records(host))
		;
}

static enum libra_host_place place(uint32_t id)
{
	struct libra_host_job job = {.job_id = id, .comment = records[id]};
	enum libra_host_place where;

	where = libra_host_place(host, &job, &placement);
	if (placement.record.comment)
		keep(id, &placement.record);
	free(placement.record.comment);
	flush();
	return where;
}

static void start(uint32_t id)
{
	struct libra_host_job job = {.job_id = id,
				     .comment = records[id],
				     .start_s = now_s,
				     .minutes = minutes[id]};
	struct libra_host_placement p = {0};

	libra_host_started(host, &job, &p);
	if (p.record.comment)
		keep(id, &p.record);
	free(p.record.comment);
	free(p.parts);
}

/* An ordinary job on nodes first to last. */
static struct libra_host_job ordinary(uint32_t id, uint32_t mins,
				      struct libra_host_part *parts,
				      uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i <= last; i++)
		parts[i - first] =
			(struct libra_host_part){.node = i, .count = PROCS};
	minutes[id] = mins;
	return (struct libra_host_job){.job_id = id,
				       .minutes = mins,
				       .start_s = now_s,
				       .parts = parts,
				       .nparts = last - first + 1};
}

static bool may_run(uint32_t id, uint32_t mins, uint32_t first, uint32_t last)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job = ordinary(id, mins, parts, first, last);

	now_s += 1.5; /* not the same question again */
	return libra_host_may_run(host, &job);
}

static void run(uint32_t id, uint32_t mins, uint32_t first, uint32_t last)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job = ordinary(id, mins, parts, first, last);
	struct libra_host_placement p = {0};

	libra_host_started(host, &job, &p);
	free(p.parts);
}

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
	libra_host_ended(host, 1);
	ok(place(2) == LIBRA_PLACE_HERE, "an early end pulls the plan forward");
}

static void test_sizes(void)
{
	struct libra_host_request r;

	begin("", true);
	r = asking(10, 3600, 0);
	r.ntasks = r.ncpus = 5;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && strstr(reply_text, ": 3 nodes"),
	   "five tasks need three nodes of two cores");
	r.mem_per_cpu = 800;
	ok(ask(2, &r) == LIBRA_HOST_UNACCEPTABLE || strstr(reply_text, "5"),
	   "one a node, by the memory of the smallest: there are not so many");
	r = asking(10, 3600, 0);
	r.cpus_per_task = r.ncpus = 3;
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "the smallest node has 2 CPUs"),
	   "a task that no node has room for is refused as such");
	r = asking(10, 3600, 1);
	r.max_nodes = 1;
	r.ntasks = r.ncpus = 3;
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text,
			  "it needs 2 nodes, and --nodes permits 1"),
	   "and so is one that permits too few nodes");
	r = asking(10, 3600, 2);
	r.exclusive = r.gres = true;
	r.gres_node = "gres:gpu:2";
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED,
	   "generic resources are of the nodes that have them");
	r.min_nodes = 3;
	ok(ask(4, &r) == LIBRA_HOST_REFUSED && strstr(reply_text, "too_large"),
	   "of which there are two");
	begin("", false);
	r = asking(10, 3600, 0);
	r.ntasks = r.ncpus = 8;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(reply_text, "8 processors, planned start"),
	   "where nodes are shared promises are of cores");
	r.min_nodes = 2;
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED, "of so many nodes, too");
}

/* Where nodes are shared: memory, GPUs, certain nodes. */
static void test_shared(void)
{
	struct libra_host_request r;

	begin("", false);
	r = asking(10, 3600, 0);
	r.gres = true;
	r.gres_job = "gres:gpu:2";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 1 &&
		   strcmp(reply_gres, "gpu:2") == 0 &&
		   strstr(records[1], " need=gpu=2/0 "),
	   "--gpus that one node has are of one node");
	r.gres_job = "gres/gpu:4";
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED && reply_nodes == 2 &&
		   strcmp(reply_gres, "gpu:2") == 0 &&
		   fabs(reply_start_s - (T0 + 600)) < 1,
	   "else of some equal ones, when they are free");
	r.gres_job = "gres:gpu:3";
	ok(ask(3, &r) == LIBRA_HOST_REFUSED && strstr(reply_text, "too_large"),
	   "of those that there are");
	r.gres_job = "gres:gpu:h100:2";
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED && fabs(reply_start_s - T0) < 1 &&
		   strcmp(reply_gres, "gpu:h100:2") == 0,
	   "a type is of the nodes that have it");
	ok(place(3) == LIBRA_PLACE_HERE && placement.nparts == 1 &&
		   placement.parts[0].node == 3 &&
		   placement.parts[0].count == 1,
	   "where the job then goes");
	start(3);
	r.gres_job = NULL;
	r.gres_task = "gres:gpu:1";
	ok(ask(4, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--ntasks"),
	   "GPUs of a task need tasks");
	r.ntasks = r.ncpus = 2;
	ok(ask(4, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(records[4], " need=gpu=0/1 "),
	   "and are counted for each");
	r.gres_odd = true;
	ok(ask(5, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--gpus-per-socket"),
	   "what is counted in no way is refused");
	r = asking(10, 3600, 0);
	r.gres = true;
	r.gres_node = "gres:gpu:1";
	r.cpus_per_gres = "gres:gpu:2";
	r.mem_per_gres = "gres:gpu:500";
	ok(ask(5, &r) == LIBRA_HOST_ACCEPTED && strstr(records[5], "procs=2") &&
		   strstr(records[5], " need=mem=500/0,gpu=1/0 "),
	   "CPUs and memory of a GPU are counted with it");
	r.gres_node = "gres:tape:1";
	r.cpus_per_gres = r.mem_per_gres = NULL;
	ok(ask(6, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "scontrol show node"),
	   "what no node has is refused as such");
}

static void test_certain(void)
{
	struct libra_host_request r;

	begin("", false);
	r = asking(10, 3600, 0);
	r.nodelist = "1";
	r.ncpus = r.ntasks = 2;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && place(1) == LIBRA_PLACE_HERE &&
		   placement.parts[0].node == 1,
	   "a node that is named is promised");
	start(1);
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 600)) < 1,
	   "when it is free");
	r.min_nodes = 2;
	ok(ask(3, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "--nodelist names 1"),
	   "as many as are needed have to be named");
	r = asking(10, 3600, 0);
	r.exclude = "023";
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 1200)) < 1,
	   "others are left out");
	r.exclude = NULL;
	r.constraint = "big";
	r.exclusive = true;
	r.min_nodes = 2;
	ok(ask(4, &r) == LIBRA_HOST_ACCEPTED && strstr(records[4], "procs=4") &&
		   place(4) == LIBRA_PLACE_HERE && placement.nparts == 2 &&
		   placement.parts[0].node == 0 && placement.parts[1].node == 3,
	   "whole nodes that have a feature");
	r.constraint = "a|b";
	ok(ask(5, &r) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(reply_text, "joined by &"),
	   "one that cannot be told is refused");
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
	r.mem_per_node = r.hold_per_node = 1000;
	r.gres_node = "gres:gpu:a100:2";
	r.gres = true;
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
	ok(!libra_host_may_run(host, &job),
	   "no other may have of it for longer than that");
	now_s += 1.5;
	part.node = 3;
	ok(libra_host_may_run(host, &job), "but elsewhere");
	part.node = 2;
	job.minutes = 20;
	part.gres = "gpu:a100:1";
	now_s += 1.5;
	ok(libra_host_may_run(host, &job), "a GPU may be taken until then");
	libra_host_ended(host, 20);
	set_cluster("libra_offer_ttl=61", false); /* another engine */
	ok(place(1) == LIBRA_PLACE_HERE && placement.parts[0].node == 2,
	   "the record has what is needed, over a restart");
	free(p.parts);
}

static void test_ordinary(void)
{
	struct libra_host_request r;

	begin("libra_refused=queue", true);
	run(10, 20, 0, 1);
	ok(submit(1, 10, 7200, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 1200)) < 1,
	   "plans wait for ordinary jobs to end by their limits");
	place(1);
	ok(may_run(11, 15, 2, 3), "one that ends before the plan may start");
	ok(!may_run(12, 30, 2, 2), "one that does not may not");
	run(11, 15, 2, 3);
	ok(submit(2, 5, 600, 1) == LIBRA_HOST_ORDINARY &&
		   strstr(reply_text, "WITHOUT A PROMISE"),
	   "a refused job may join the queue, and its user reads so");
	r = asking(5, 600, 1);
	r.only_promised = true;
	ok(ask(2, &r) == LIBRA_HOST_REFUSED, "not one who says otherwise");
	minutes[10] = 40;
	now_s += 2;
	libra_host_look(host);
	flush();
	ok(starts[1] > T0 + 2399, "a longer limit moves the plan");
	libra_host_ended(host, 11);
	ok(may_run(12, 30, 2, 2), "and others may use the time");
	libra_host_ended(host, 10);
	now_s += 2;
	libra_host_look(host);
	ok(place(1) == LIBRA_PLACE_HERE, "the plan comes when all have ended");
	libra_host_kept(host, &placement);
	ok(placement.nparts == 4 && placement.parts[0].count == LIBRA_ALL_CORES,
	   "its nodes are kept until it runs");
	ok(!may_run(13, 1, 0, 0), "nobody else may start there");
	start(1);
	libra_host_kept(host, &placement);
	ok(placement.nparts == 0, "then nothing is kept");
}

/* Jobs with deadlines come for ever; the ordinary one wants all nodes. */
static void test_oldest(void)
{
	struct libra_host_job job = {.job_id = 20};

	begin("libra_firm_age=3600", true);
	old = (struct libra_host_job){
		.job_id = 20, .minutes = 10, .min_nodes = 4, .ncpus = 8};
	old_submit_s = T0;
	submit(1, 60, 36000, 3);
	place(1);
	start(1);
	now_s += 3000;
	libra_host_look(host);
	ok(submit(2, 60, 3 * 3600, 3) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 3600)) < 1,
	   "before its age an ordinary job has no place of its own");
	place(2);
	now_s += 601;
	libra_host_ended(host, 1);
	now_s = T0 + 3602;
	ok(place(2) == LIBRA_PLACE_HERE, "others go before it");
	start(2);
	libra_host_look(host);
	ok(said && strstr(said, "job 20 has waited for longer"),
	   "after that it is planned");
	ok(submit(3, 60, 3 * 3600, 3) == LIBRA_HOST_ACCEPTED &&
		   reply_start_s > T0 + 3600 + 3600 + 599,
	   "and others go behind it");
	place(3);
	now_s += 3600;
	libra_host_ended(host, 2);
	now_s += 2;
	libra_host_look(host);
	ok(libra_host_place(host, &job, &placement) == LIBRA_PLACE_HERE &&
		   placement.nparts == 4 && !placement.record.comment,
	   "it has its nodes then, and no record");
	run(20, 10, 0, 3);
	old.job_id = 0;
	libra_host_ended(host, 20);
	now_s += 2;
	libra_host_look(host);
	ok(place(3) == LIBRA_PLACE_HERE, "the others come when it has ended");
}

/* One task of an array at a time; it gets an id of its own when it starts. */
static void test_oldest_array(void)
{
	struct libra_host_job job = {.job_id = 20, .array = 20, .waiting = 2};
	struct libra_host_part parts[NODES];
	struct libra_host_placement p = {0};
	uint32_t ids[2];

	begin("libra_firm_age=3600", true);
	submit(1, 60, 36000, 3);
	place(1);
	start(1);
	old = (struct libra_host_job){.job_id = 20,
				      .array = 20,
				      .waiting = 2,
				      .minutes = 10,
				      .min_nodes = 4,
				      .ncpus = 8};
	old_submit_s = T0 - 4000;
	now_s += 2;
	libra_host_look(host);
	ok(libra_host_due(host, ids, 2) == 0 &&
		   libra_host_place(host, &job, &placement) == LIBRA_PLACE_WAIT,
	   "an array waits for the plan of its first task");
	ok(fabs(libra_host_next_s(host) - 3598) < 1,
	   "which is the next thing to come");
	libra_host_ended(host, 1);
	ok(libra_host_due(host, ids, 2) == 1 && ids[0] == 20,
	   "it is due when the nodes are free");
	ok(libra_host_place(host, &job, &placement) == LIBRA_PLACE_HERE &&
		   placement.nparts == 4,
	   "on them");
	job = ordinary(21, 10, parts, 0, 3);
	job.array = 20;
	libra_host_started(host, &job, &p);
	free(p.parts);
	ok(libra_host_due(host, ids, 2) == 0, "then its task runs");
	now_s += 2;
	libra_host_look(host);
	ok(fabs(libra_host_next_s(host) - 598) < 1,
	   "and the next one is planned behind it");
	old.job_id = 0;
	libra_host_ended(host, 21);
	ok(libra_host_due(host, ids, 2) == 1, "which comes then");
}

static void restore(uint32_t id)
{
	struct libra_host_job job = {.job_id = id, .comment = records[id]};
	struct libra_host_placement p = {0};

	libra_host_restore(host, &job, &p);
	if (p.record.comment)
		keep(id, &p.record);
	free(p.record.comment);
	free(p.parts);
}

/* Who waits behind it does not come forward over its place. */
static void test_oldest_restart(void)
{
	char dir[] = "/tmp/host_plans.XXXXXX", file[64];
	struct libra_host_part parts[NODES];
	struct libra_host_placement p = {0};
	struct libra_host_job job;

	state_folder = mkdtemp(dir);
	snprintf(file, sizeof(file), "%s/libra_firm", dir);
	begin("libra_firm_age=3600", true);
	run(10, 60, 0, 0);
	old = (struct libra_host_job){
		.job_id = 20, .minutes = 10, .min_nodes = 4, .ncpus = 8};
	old_submit_s = T0 - 4000;
	now_s += 2;
	libra_host_look(host);
	ok(access(file, F_OK) == 0, "the plan of the oldest is noted");
	ok(submit(1, 60, 36000, 3) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 4200)) < 3,
	   "others go behind it");
	place(1);
	flush();
	libra_host_fini(host);
	libra_host_init(host, &ops);
	now_s += 10;
	set_cluster("libra_firm_age=3600", true);
	restore(1);
	job = ordinary(10, 60, parts, 0, 0);
	job.start_s = T0;
	libra_host_started(host, &job, &p);
	free(p.parts);
	now_s += 2;
	libra_host_look(host);
	flush();
	ok(fabs(starts[1] - (T0 + 4200)) < 20, "after a restart, too");
	libra_host_ended(host, 10);
	now_s += 2;
	libra_host_look(host);
	ok(place(1) == LIBRA_PLACE_WAIT, "it is first");
	old.job_id = 0;
	run(20, 10, 0, 3);
	now_s += 2;
	libra_host_look(host);
	ok(access(file, F_OK) < 0, "then nothing is noted any more");
	libra_host_fini(host);
	snprintf(file, sizeof(file), "rm -rf %s", dir);
	ok(system(file) == 0, "all is removed");
	state_folder = NULL;
}

static void test_nodes(void)
{
	begin("", true);
	submit(1, 10, 1500, 2);
	place(1);
	start(1);
	submit(2, 10, 1300, 4);
	place(2);
	ok(place(2) == LIBRA_PLACE_WAIT, "a job waits for all nodes");
	nodes[3] = LIBRA_NODE_DOWN;
	now_s += 2;
	libra_host_look(host);
	flush();
	ok(said && strstr(said, "job 2: promise broken: node lost: n3"),
	   "a lost node that breaks a promise is told at once, by name");
	ok(strstr(records[2], " late=") != NULL, "the record says it too");
	nodes[3] = LIBRA_NODE_UP;
	now_s += 700;
	libra_host_ended(host, 1);
	now_s += 2;
	libra_host_look(host);
	ok(place(2) == LIBRA_PLACE_HERE, "the job runs as soon as it can");
}

/* The nodes of one reservation, or none. */
static uint8_t reserved_nodes[NODES];
static double reserved_from_s, reserved_to_s;

static void reservations(
	void (*each)(void *arg,
		     const struct libra_host_reservation *reservation),
	void *arg, double at_s)
{
	const struct libra_host_reservation r = {reserved_from_s, reserved_to_s,
						 reserved_nodes};

	if (r.to_s > at_s)
		each(arg, &r);
}

static void reserve(uint32_t first, uint32_t n, double from_s, double to_s)
{
	for (uint32_t i = 0; i < NODES; i++)
		reserved_nodes[i] = i >= first && i < first + n;
	reserved_from_s = from_s;
	reserved_to_s = to_s;
	now_s += 2;
	libra_host_look(host);
	flush();
}

static void test_reservations(void)
{
	begin("", true);
	submit(1, 10, 36000, 4);
	place(1);
	start(1);
	ok(submit(2, 10, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 600)) < 1,
	   "a plan behind a job");
	place(2);
	ok(submit(3, 10, 2100, 4) == LIBRA_HOST_ACCEPTED, "and another one");
	place(3);
	reserve(0, NODES, T0 + 1000, T0 + 3000);
	ok(fabs(starts[2] - (T0 + 3000)) < 1,
	   "a reservation of all nodes moves it behind that");
	ok(said && strstr(said, "job 3: promise broken: node reserved: n0"),
	   "a promise that cannot be kept is told, with the cause");
	ok(submit(4, 5, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 600)) < 1,
	   "before it others have their place");
	reserve(0, NODES, 0, 0);
	ok(starts[2] < T0 + 1600, "when it is deleted plans come forward");
	begin("", true);
	reserve(3, 1, T0 + 100000, T0 + 200000);
	ok(submit(1, 10, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   reply_start_s < T0 + 10,
	   "nodes of a reservation of some are of use until then");
	now_s = T0 + 99700;
	libra_host_look(host);
	ok(submit(2, 10, 36000, 4) == LIBRA_HOST_REFUSED,
	   "not to who would reach it");
	ok(submit(2, 10, 36000, 3) == LIBRA_HOST_ACCEPTED &&
		   reply_start_s < now_s + 1,
	   "the others are");
	ok(submit(3, 10, 360000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 200000)) < 1,
	   "and all are when it is over");
	ok(may_run(11, 4, 3, 3) && !may_run(12, 10, 3, 3),
	   "an ordinary job runs there until then");
	now_s = T0 + 100001;
	libra_host_look(host);
	ok(may_run(13, 600, 3, 3), "and then those whom it is for");
	reserve(0, 0, 0, 0);
}

/* Tasks start one after the other, and the record of the rest follows. */
static void test_array(void)
{
	struct libra_host_request r;
	struct libra_host_job job = {.job_id = 1, .waiting = 3};

	begin("", true);
	r = asking(10, 7200, 4);
	r.array = "0-2";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(reply_text, "3 tasks, each 4 nodes"),
	   "an array has a plan for each task");
	job.comment = records[1];
	libra_host_place(host, &job, &placement);
	if (placement.record.comment)
		keep(1, &placement.record);
	free(placement.record.comment);
	ok(strstr(records[1], " start=1000000000;1000000600;1000001200 ") !=
		   NULL,
	   "its record names them all");
	records[2] = strdup(records[1]);
	minutes[2] = 10;
	job = (struct libra_host_job){.job_id = 2,
				      .comment = records[2],
				      .start_s = now_s,
				      .minutes = 10};
	libra_host_started(host, &job, &placement);
	free(placement.record.comment);
	flush();
	ok(strstr(records[1], " start=1000000600;1000001200 ") &&
		   fabs(starts[1] - (T0 + 600)) < 1,
	   "when one has started, those of the others");
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
	job = (struct libra_host_job){.job_id = 2, .comment = records[2]};
	libra_host_restore(host, &job, &p);
	if (p.record.comment)
		keep(2, &p.record);
	free(p.record.comment);
	free(p.parts);
	job = (struct libra_host_job){.job_id = 1,
				      .comment = records[1],
				      .start_s = T0,
				      .minutes = 10};
	p = (struct libra_host_placement){0};
	libra_host_started(host, &job, &p);
	free(p.record.comment);
	free(p.parts);
	libra_host_look(host);
	flush();
	ok(place(2) == LIBRA_PLACE_WAIT && fabs(starts[2] - (T0 + 600)) < 1,
	   "a restart restores the plan");
	ok(submit(3, 10, 1100, 4) == LIBRA_HOST_REFUSED,
	   "what was promised still counts");
	libra_host_ended(host, 1);
	ok(place(2) == LIBRA_PLACE_HERE, "and starts when it may");
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 1;
	test_starts();
	test_sizes();
	test_shared();
	test_certain();
	test_beside();
	test_ordinary();
	test_oldest();
	test_oldest_array();
	test_oldest_restart();
	test_nodes();
	test_reservations();
	test_array();
	test_restart();
	libra_host_destroy(host);
	for (int i = 0; i < JOBS; i++)
		free(records[i]);
	free(reply_text);
	free(placement.parts);
	free(said);
	return finish();
}
