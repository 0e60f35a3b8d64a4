/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - the managed nodes and partitions, as the engine numbers them.
 *
 * The nodes of managed partitions are in Slurm's order.  Their processors are
 * numbered consecutively: node i has first[i] to first[i + 1] - 1.  Where jobs
 * have whole nodes, a node is one processor.  A partition is a list of ranges
 * of processors.
 *
 * Callers: plugin/host and all below it, under the host's lock.  Nodes are the
 * engine's unless a name says Slurm.
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
	struct libra_range *allowed; /* processors; NULL = all */
	uint32_t nallowed;
	const char *unpromised; /* as of struct libra_host_partition */
};

/* The size of a request, and the nodes it may use. */
struct request_size {
	const struct host_partition *partition; /* NULL = all nodes */
	uint32_t chunk;				/* processors of a task */
	uint32_t node_max;	       /* processors per node; 0 = any */
	uint32_t min_nodes, max_nodes; /* 0 = any */
	uint32_t nprocs;	       /* in all; 0 if read from a record */
	uint64_t hold_per_cpu, hold_per_node; /* memory in MB; 0, 0 = none */
	/* Policies that plan: amounts of each resource of
	 * host_cluster.resources.
	 */
	uint64_t per_chunk[LIBRA_RESOURCES], per_node[LIBRA_RESOURCES];
	/* The allowed part of the partition, or NULL for all of it.  Owned by
	 * the caller, for one offer.
	 */
	const struct libra_range *allowed;
	uint32_t nallowed;
};

/* Longest name of a generic resource, with its type and a NUL. */
#define HOST_RESOURCE_NAME 64

/* A node that takes no job now, and comes back by itself (away.h). */
struct host_away {
	enum libra_host_away_kind kind;
	const char *text;
	double since_s;
	double back_s; /* expected instant; INFINITY = gone */
	bool brief;    /* too short to matter */
	double usual_s[LIBRA_AWAY_KINDS]; /* measured; 0 = never */
};

struct host_cluster {
	uint32_t nnodes;
	char **names;
	uint32_t *procs;
	uint32_t *cpus;	      /* usable for jobs, as Slurm counts */
	uint32_t *first;      /* first processor; nnodes + 1 entries */
	uint32_t *slurm_node; /* Slurm's index */
	enum libra_node_state *state;
	uint8_t *reserved; /* scratch, by Slurm's index */
	struct host_away *away;
	double usual_s[LIBRA_AWAY_KINDS]; /* of all nodes */
	double epilog_s; /* added behind ordinary jobs (away.h) */
	uint32_t npartitions;
	struct host_partition *partitions;
	char *default_partition;
	uint32_t cpus_per_proc, max_array;
	/* Policies that plan, if no two jobs share a node: a processor is a
	 * whole node.
	 */
	bool whole_nodes;
	bool plans;	    /* the policy plans starts */
	uint32_t node_cpus; /* of the smallest node, as Slurm counts */
	uint64_t node_mem;  /* of the smallest node, in MB; 0 = unknown */
	bool task_per_core;
	uint32_t boot_s; /* of policies that plan: host_cluster_boot_s() */
	/* Policies that plan: resources of nodes besides processors.  Memory
	 * ("mem", in MB) is first, then generic resources by name and by name
	 * with type ("gpu", "gpu:a100").  amounts has nresources entries per
	 * node.
	 */
	uint32_t nresources;
	char resources[LIBRA_RESOURCES][HOST_RESOURCE_NAME];
	uint64_t *amounts;
};

/* Copy the managed part of a cluster; all nodes are up.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls host_cluster_fini(), after a failure, too.
 */
int host_cluster_init(struct host_cluster *cluster,
		      const struct libra_host_cluster *from,
		      const struct libra_host_conf *conf);
void host_cluster_fini(struct host_cluster *cluster);

/* Return the longest boot delay of a managed node that may be powered down, in
 * seconds; 0 if there is none.
 */
uint32_t host_cluster_boot_s(const struct libra_host_cluster *from,
			     const struct libra_host_conf *conf);

/* Return the number of processors of all nodes. */
uint32_t host_cluster_nprocs(const struct host_cluster *cluster);

/* Return true if both have the same nodes, processors and resources. */
bool host_cluster_same_nodes(const struct host_cluster *a,
			     const struct host_cluster *b);

/* Return the managed partition of this name, or NULL. */
const struct host_partition *host_cluster_partition(
	const struct host_cluster *cluster, const char *name, size_t len);

/* Return the first managed partition in a request's list ("a,b"; NULL or "":
 * the default), or NULL.  *several: the list names more than one.
 */
const struct host_partition *host_cluster_managed(
	const struct host_cluster *cluster, const char *names, bool *several);

/* Return the node of a processor. */
uint32_t host_cluster_node_of(const struct host_cluster *cluster,
			      uint32_t proc);

/* Return the node of this name, or HOST_NO_NODE. */
uint32_t host_cluster_find_node(const struct host_cluster *cluster,
				const char *name, size_t len);

/* Return true if each node of a placement is up, or away and expected back. */
bool host_cluster_nodes_up(const struct host_cluster *cluster,
			   const struct libra_host_placement *placement);

/* Return the node of an index of Slurm's, or HOST_NO_NODE. */
uint32_t host_cluster_of_slurm(const struct host_cluster *cluster,
			       uint32_t slurm_node);

/* Change the nodes of a placement from the engine's numbers to Slurm's. */
void host_cluster_slurm_nodes(const struct host_cluster *cluster,
			      struct libra_host_placement *placement);

#endif
