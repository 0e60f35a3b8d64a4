/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - the managed part of the cluster, as the engine numbers it.
 *
 * The nodes of managed partitions stand in Slurm's order; their processors are
 * numbered through, so that node i has those from first[i] to first[i + 1] - 1.
 * A partition is a list of ranges of them.
 */
#ifndef LIBRA_ENGINE_CLUSTER_H
#define LIBRA_ENGINE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/job.h"
#include "plugin/base/conf.h"
#include "plugin/base/types.h"

#define HOST_NO_NODE UINT32_MAX

struct host_partition {
	char *name;
	uint32_t max_minutes;
	struct libra_range *allowed; /* its processors; NULL = all */
	uint32_t nallowed;
	const char *unpromised; /* as of struct libra_host_partition */
};

/* How much a job asks for, and where it may be. */
struct request_size {
	const struct host_partition *partition; /* NULL = all nodes */
	uint32_t chunk;				/* processors of a task */
	uint32_t node_max;			/* per node; 0 = any */
	uint32_t min_nodes, max_nodes;		/* 0 = any */
	uint32_t nprocs; /* all together; 0 where a record was read */
	uint64_t hold_per_cpu, hold_per_node; /* memory in MB; 0, 0 = none */
	/* Of policies that plan: of each other resource of the nodes. */
	uint64_t per_chunk[LIBRA_RESOURCES], per_node[LIBRA_RESOURCES];
	/* Within the partition, where it may not be on all its nodes: the
	 * caller's, for one question.
	 */
	const struct libra_range *allowed;
	uint32_t nallowed;
};

/* A name that a list of generic resources may have, with its type. */
#define HOST_RESOURCE_NAME 64

/* A node that takes no job now, and comes back by itself: away.h. */
struct host_away {
	enum libra_host_away_kind kind;
	const char *text;
	double since_s;
	double back_s; /* expected; INFINITY = it counts as gone */
	bool brief;    /* for too short a time to matter */
	double usual_s[LIBRA_AWAY_KINDS]; /* as measured; 0 = never was */
};

struct host_cluster {
	uint32_t nnodes;
	char **names;
	uint32_t *procs;
	uint32_t *cpus;	      /* for jobs, as Slurm counts */
	uint32_t *first;      /* processor; nnodes + 1 of them */
	uint32_t *slurm_node; /* Slurm's index */
	enum libra_node_state *state;
	uint8_t *reserved; /* Slurm's nodes: for one look at them */
	struct host_away *away;
	double usual_s[LIBRA_AWAY_KINDS]; /* of all nodes, likewise */
	double epilog_s; /* counted behind ordinary jobs: away.h */
	uint32_t npartitions;
	struct host_partition *partitions;
	char *default_partition;
	uint32_t cpus_per_proc, max_array;
	/* Of policies that plan, where no two jobs are on a node: a processor
	 * is a node then.
	 */
	bool whole_nodes;
	bool plans;	    /* its policy */
	uint32_t node_cpus; /* of the smallest, as Slurm counts */
	uint64_t node_mem;  /* of the smallest, in MB; 0 = not known */
	bool task_per_core;
	uint32_t boot_s; /* of policies that plan: host_cluster_boot_s() */
	/* Of policies that plan: resources of nodes besides processors, memory
	 * ("mem") first, then generic ones by their names, and with their types
	 * ("gpu", "gpu:a100").  amounts has nresources for each node.
	 */
	uint32_t nresources;
	char resources[LIBRA_RESOURCES][HOST_RESOURCE_NAME];
	uint64_t *amounts;
};

/* Copy what the settings have managed; all nodes count as up.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller ends it with host_cluster_fini(), after a failure, too.
 */
int host_cluster_init(struct host_cluster *cluster,
		      const struct libra_host_cluster *from,
		      const struct libra_host_conf *conf);
void host_cluster_fini(struct host_cluster *cluster);

/* The longest that a job may wait for a managed node that powers down, or has,
 * in seconds; 0 = none does.
 */
uint32_t host_cluster_boot_s(const struct libra_host_cluster *from,
			     const struct libra_host_conf *conf);

uint32_t host_cluster_nprocs(const struct host_cluster *cluster);

/* Do nodes and processors stand as they did? */
bool host_cluster_same_nodes(const struct host_cluster *a,
			     const struct host_cluster *b);

/* A managed partition by its name, or NULL. */
const struct host_partition *host_cluster_partition(
	const struct host_cluster *cluster, const char *name, size_t len);

/* The first managed one of a request's partitions ("a,b"; NULL or "" is the
 * default one), or NULL; *several: it names others, too.
 */
const struct host_partition *host_cluster_managed(
	const struct host_cluster *cluster, const char *names, bool *several);

/* The node that has a processor. */
uint32_t host_cluster_node_of(const struct host_cluster *cluster,
			      uint32_t proc);

/* A node by its name, or HOST_NO_NODE. */
uint32_t host_cluster_find_node(const struct host_cluster *cluster,
				const char *name, size_t len);

/* May the nodes of a placement be used, now or when one that is away is back?
 */
bool host_cluster_nodes_up(const struct host_cluster *cluster,
			   const struct libra_host_placement *placement);

/* A node by Slurm's index, or HOST_NO_NODE. */
uint32_t host_cluster_of_slurm(const struct host_cluster *cluster,
			       uint32_t slurm_node);

/* From the engine's index of nodes to Slurm's. */
void host_cluster_slurm_nodes(const struct host_cluster *cluster,
			      struct libra_host_placement *placement);

#endif
