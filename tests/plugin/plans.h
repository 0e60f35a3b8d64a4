/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plans.h - a host with policy planned, and what slurmctld tells it.
 *
 * Four nodes of two cores, alone on each node unless said otherwise, and a
 * clock of our own.
 */
#ifndef LIBRA_TEST_PLANS_H
#define LIBRA_TEST_PLANS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/machine.h"

enum { NODES = 4, PROCS = 2, JOBS = 32 };

#define T0 1e9

static double now_s;
static char *records[JOBS];
static double starts[JOBS]; /* as Slurm was told */
static uint32_t minutes[JOBS];
static enum libra_node_state nodes[NODES];
static char *said;	 /* the last line */
static char heard[8192]; /* all lines since they were asked for */
static struct libra_host *host;
static const char *state_folder;
static struct libra_host_placement placement;

static inline void log_line(enum libra_host_level level, const char *text)
{
	size_t n = strlen(heard);

	free(said);
	said = strdup(text);
	snprintf(heard + n, sizeof(heard) - n, "%s\n", text);
}

static inline bool hear(const char *text)
{
	return strstr(heard, text) != NULL;
}

static inline double clock_s(void)
{
	return now_s;
}

static inline void keep(uint32_t id, const struct libra_host_record *record)
{
	free(records[id]);
	records[id] = strdup(record->comment);
	starts[id] = record->start_s;
}

static inline uint32_t job_minutes(uint32_t id)
{
	return minutes[id];
}

static inline enum libra_node_state node_state(uint32_t node)
{
	return nodes[node];
}

static struct libra_host_away aways[NODES]; /* kind 0: it is not away */

static inline bool node_away(uint32_t node, struct libra_host_away *away)
{
	*away = aways[node];
	return away->kind != LIBRA_AWAY_NOT;
}

/* Jobs that wait, of those that have an id. */
enum { OLD = 24 };
static struct libra_host_job olds[OLD];
static uint32_t asked_oldest;
#define old	     olds[0]
#define old_submit_s olds[0].submit_s

static inline bool oldest(bool (*may)(const void *arg, double submit_s,
				      uint32_t job_id, const char *partition),
			  const void *arg, double before_s,
			  struct libra_host_job *job)
{
	const struct libra_host_job *found = NULL;

	asked_oldest++;
	for (int i = 0; i < OLD; i++) {
		const struct libra_host_job *o = &olds[i];

		if (o->job_id && o->submit_s < before_s &&
		    (!found || o->submit_s < found->submit_s) &&
		    may(arg, o->submit_s, o->job_id, "main") &&
		    !may(arg, o->submit_s, o->job_id, "other"))
			found = o;
	}
	if (found)
		*job = *found;
	return found != NULL;
}

/* The node that is powered down, and how long a job waits for it; NODES = none.
 */
static uint32_t sleeper = NODES, sleeper_s;

static inline uint32_t wakes_s(uint32_t node)
{
	return node == sleeper ? sleeper_s : 0;
}

/* The nodes of one reservation, or none. */
static uint8_t reserved_nodes[NODES];
static bool no_memory; /* to tell of it */
static double reserved_from_s, reserved_to_s;
static enum libra_host_repeat reserved_repeat;
static uint64_t reserved_stamp;
static unsigned reserved_read; /* so often */

static inline bool reservations(
	void (*each)(void *arg,
		     const struct libra_host_reservation *reservation),
	void *arg, double at_s)
{
	const struct libra_host_reservation r = {
		reserved_from_s,
		reserved_to_s,
		reserved_nodes,
		reserved_repeat,
	};

	reserved_read++;
	if (no_memory)
		return false;
	if (r.to_s > at_s)
		each(arg, &r);
	return true;
}

static inline uint64_t reservations_stamp(void)
{
	return reserved_stamp;
}

/* Slurm knows: the nodes of a list of digits (? is none), and one feature. */
static inline const char *usable(const struct libra_host_request *r,
				 uint8_t *nodes_of, uint32_t n)
{
	if (r->nodes.constraint && strcmp(r->nodes.constraint, "big") != 0)
		return "--constraint";
	if (r->nodes.exclude && strchr(r->nodes.exclude, '?'))
		return "--exclude";
	for (uint32_t i = 0; i < n; i++) {
		char name = (char)('0' + i);

		nodes_of[i] =
			(!r->nodes.list || strchr(r->nodes.list, name)) &&
			!(r->nodes.exclude && strchr(r->nodes.exclude, name)) &&
			(!r->nodes.constraint || i != 2);
	}
	return NULL;
}

/* What a job that was made smaller has now; NULL: it is gone. */
static const struct libra_host_job *smaller;

static inline bool running(uint32_t id, struct libra_host_job *job)
{
	size_t size;
	void *copy;

	if (!smaller || smaller->job_id != id)
		return false;
	*job = *smaller;
	size = job->nparts * sizeof(*job->parts);
	copy = malloc(size + 1);
	job->parts = copy ? memcpy(copy, smaller->parts, size) : NULL;
	return true;
}

static const struct libra_host_ops ops = {
	.log = log_line,
	.usable = usable,
	.oldest = oldest,
	.now_s = clock_s,
	.write_record = keep,
	.job_minutes = job_minutes,
	.running = running,
	.node_state = node_state,
	.node_away = node_away,
	.wakes_s = wakes_s,
	.reservations = reservations,
	.reservations_stamp = reservations_stamp,
};

/* Processors of each node. */
static uint32_t procs[NODES] = {PROCS, PROCS, PROCS, PROCS};

/* Of each node, in seconds. */
static uint32_t boot_s[NODES];

/* Generic resources of each node. */
static const char *gres[NODES] = {NULL, NULL, "gpu:a100:2",
				  "gpu:h100:2(S:0-1)"};

/* A partition where jobs keep others off, by this setting. */
static const char *unpromised;

static inline int set_cluster(const char *tokens, bool whole)
{
	static const char *const names[NODES] = {"n0", "n1", "n2", "n3"};
	static const uint64_t mem[NODES] = {2000, 2000, 1000, 2000};
	static const uint8_t all[NODES] = {1, 1, 1, 1};
	const struct libra_host_partition part = {.name = "main",
						  .max_minutes = UINT32_MAX,
						  .max_jobs = 1,
						  .nodes = all,
						  .whole_nodes = whole,
						  .unpromised = unpromised};
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
		.node_boot_s = boot_s,
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

static inline void begin(const char *tokens, bool whole)
{
	libra_host_fini(host);
	libra_host_init(host, &ops);
	now_s = T0;
	for (int i = 0; i < NODES; i++)
		nodes[i] = LIBRA_NODE_UP;
	memset(aways, 0, sizeof(aways));
	for (int i = 0; i < JOBS; i++) {
		free(records[i]);
		records[i] = NULL;
	}
	set_cluster(tokens, whole);
}

static inline struct libra_host_request asking(uint32_t mins, double within_s,
					       uint32_t min_nodes)
{
	return (struct libra_host_request){
		.times.estimate_s = 60.0 * mins,
		.times.limit_s = 60.0 * mins,
		.times.deadline_s = now_s + within_s,
		.size.min_nodes = min_nodes,
		.size.ncpus = 1,
		.size.cpus_per_task = 1,
	};
}

static char *reply_text;
static uint32_t reply_minutes;
static double reply_start_s;
static uint32_t reply_nodes, reply_tasks;
static char reply_gres[128];

static inline enum libra_host_answer ask(uint32_t id,
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
	reply_tasks = reply.tasks_per_node;
	strcpy(reply_gres, reply.gres_node);
	if (answer == LIBRA_HOST_ACCEPTED) {
		keep(id, &reply.record);
		minutes[id] = reply.minutes;
	}
	libra_host_reply_fini(&reply);
	return answer;
}

static inline enum libra_host_answer submit(uint32_t id, uint32_t mins,
					    double within_s, uint32_t min_nodes)
{
	struct libra_host_request r = asking(mins, within_s, min_nodes);

	return ask(id, &r);
}

/* A call may leave some for later. */
static inline void flush(void)
{
	while (libra_host_flush_records(host))
		;
}

/* The nodes that place() leaves out; NULL: none. */
static const char *excluded;

static inline enum libra_host_place place(uint32_t id)
{
	struct libra_host_job job = {.job_id = id,
				     .comment = records[id],
				     .nodes.exclude = excluded};
	enum libra_host_place where;

	where = libra_host_place(host, &job, &placement);
	if (placement.record.comment)
		keep(id, &placement.record);
	free(placement.record.comment);
	flush();
	return where;
}

static inline void start(uint32_t id)
{
	struct libra_host_job job = {.job_id = id,
				     .comment = records[id],
				     .start_s = now_s,
				     .minutes = minutes[id]};
	struct libra_host_placement p = {0};

	libra_host_started(host, &job, &p);
	machine_take(id, &p, keep);
}

/* An ordinary job on nodes first to last. */
static inline struct libra_host_job ordinary(uint32_t id, uint32_t mins,
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

static inline void run(uint32_t id, uint32_t mins, uint32_t first,
		       uint32_t last)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job = ordinary(id, mins, parts, first, last);
	struct libra_host_placement p = {0};

	libra_host_started(host, &job, &p);
	free(p.parts);
}

static inline void restore_job(const struct libra_host_job *job)
{
	struct libra_host_placement p = {0};

	libra_host_restore(host, job, &p);
	machine_take(job->job_id, &p, keep);
}

static inline void restore(uint32_t id)
{
	restore_job(
		&(struct libra_host_job){.job_id = id, .comment = records[id]});
}

/* A job ends, and our thread moves plans earlier. */
static inline void job_ends(uint32_t id)
{
	libra_host_ended(host, id);
	libra_host_look(host);
}

/* At the end of main().  Result: for exit(). */
static inline int finish_plans(void)
{
	libra_host_destroy(host);
	for (int i = 0; i < JOBS; i++)
		free(records[i]);
	free(reply_text);
	free(placement.parts);
	free(said);
	return finish();
}

#endif
