/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives.h - jobs as slurmctld tells of them, on a clock of our own, for tests
 * of one host.
 *
 * Four nodes of two processors, in two partitions; without Slurm.
 */
#ifndef LIBRA_TEST_LIVES_H
#define LIBRA_TEST_LIVES_H

#include <stdlib.h>
#include <string.h>

#include "tests/plugin/machine.h"

enum { NODES = 4, PROCS = 2, JOBS = 32 };

static double now_s = 1e9;
static struct libra_host *host;
static char *records[JOBS];			 /* admin_comment by job id */
static enum libra_host_job_state states[JOBS];	 /* 0 = pending */
static bool taken_out[JOBS];			 /* it was a task of an array */
static enum libra_node_state node_states[NODES]; /* 0 = up */
static uint64_t stamp;
static unsigned asked; /* for the state of a node */
static unsigned woken; /* the scheduler */
static const char *folder;
static uint32_t cpus_per_proc = 1;

static inline void log_line(enum libra_host_level level, const char *text)
{
	if (level == LIBRA_HOST_ERROR)
		printf("# %s\n", text);
}

static inline double clock_s(void)
{
	return now_s;
}

static inline void keep(uint32_t id, const struct libra_host_record *record)
{
	free(records[id]);
	records[id] = strdup(record->comment);
}

enum { OPERATOR = 1, OWNER, STRANGER };

static inline enum libra_host_right right(const void *record, uint32_t user)
{
	static const enum libra_host_right rights[] = {
		[OPERATOR] = LIBRA_RIGHT_OPERATOR,
		[OWNER] = LIBRA_RIGHT_OWNER,
		[STRANGER] = LIBRA_RIGHT_NONE,
	};

	return rights[user];
}

/* Slurm's records are just what we see of them. */
static inline struct libra_host_job view(const void *record)
{
	return *(const struct libra_host_job *)record;
}

static inline enum libra_host_job_state job_state(uint32_t id)
{
	return states[id] ? states[id] : LIBRA_JOB_PENDING;
}

static inline enum libra_node_state node_state(uint32_t node)
{
	asked++;
	return node_states[node] ? node_states[node] : LIBRA_NODE_UP;
}

static struct libra_host_away aways[NODES]; /* kind 0: it is not away */

static inline bool node_away(uint32_t node, struct libra_host_away *away)
{
	*away = aways[node];
	return away->kind != LIBRA_AWAY_NOT;
}

static inline uint64_t nodes_stamp(void)
{
	return stamp;
}

static inline bool ended_by_itself(uint32_t id)
{
	return true;
}

static inline void wake(void)
{
	woken++;
}

static const struct libra_host_ops ops = {
	.log = log_line,
	.view = view,
	.right = right,
	.now_s = clock_s,
	.write_record = keep,
	.job_state = job_state,
	.node_state = node_state,
	.node_away = node_away,
	.nodes_stamp = nodes_stamp,
	.ended_by_itself = ended_by_itself,
	.wake = wake,
};

/* slurmctld reads its settings. */
static inline int configure(const char *params)
{
	static const char *const names[NODES] = {"a", "b", "c", "d"};
	static const uint32_t procs[NODES] = {PROCS, PROCS, PROCS, PROCS};
	static const uint8_t all[NODES] = {1, 1, 1, 1};
	static const struct libra_host_partition parts[] = {
		{.name = "main", .max_minutes = UINT32_MAX, .nodes = all},
		{.name = "side", .max_minutes = UINT32_MAX, .nodes = all},
	};
	struct libra_host_cluster site = {
		.sched_params = params,
		.default_partition = "main",
		.state_folder = folder,
		.nnodes = NODES,
		.node_names = names,
		.node_procs = procs,
		.npartitions = 2,
		.partitions = parts,
		.cpus_per_proc = cpus_per_proc,
		.max_array = 100,
	};

	return libra_host_set_cluster(host, &site);
}

/* slurmctld starts: what it knew is in the records alone. */
static inline int start_host(const char *params)
{
	libra_host_fini(host);
	libra_host_init(host, &ops);
	return configure(params);
}

static inline struct libra_host_job job(uint32_t id, uint32_t waiting)
{
	return (struct libra_host_job){
		.job_id = id,
		.comment = records[id],
		.waiting = waiting,
		.whole_array = !taken_out[id],
	};
}

static const char *partition; /* of the next submissions */

static inline bool submit(uint32_t id, uint32_t ncpus, double estimate_s,
			  double until_s, const char *array)
{
	struct libra_host_request r = {
		.partition = partition,
		.times.estimate_s = estimate_s,
		.times.deadline_s = now_s + until_s,
		.size.ncpus = ncpus,
		.size.cpus_per_task = 1,
		.array = array,
	};

	return machine_submit(host, id, &r, keep);
}

/* The scheduler looks at a job. */
static inline enum libra_host_place place(uint32_t id, uint32_t waiting)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, waiting);
	enum libra_host_place where = libra_host_place(host, &seen, &p);

	machine_take(id, &p, keep);
	return where;
}

/* Result: may it start? */
static inline bool look(uint32_t id, uint32_t waiting)
{
	return place(id, waiting) == LIBRA_PLACE_HERE;
}

static inline void started(uint32_t id, bool suspended)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, 0);

	seen.suspended = suspended;
	libra_host_started(host, &seen, &p);
	machine_take(id, &p, keep);
}

static inline void known(uint32_t id, uint32_t waiting)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, waiting);

	libra_host_restore(host, &seen, &p);
	machine_take(id, &p, keep);
}

static inline uint32_t committed(void)
{
	return machine_committed(host);
}

static const char with_ttl[] = "libra_policy=libra,libra_offer_ttl=60";

/* At the end of main().  Result: for exit(). */
static inline int finish_lives(void)
{
	libra_host_destroy(host);
	for (int i = 0; i < JOBS; i++)
		free(records[i]);
	return finish();
}

#endif
