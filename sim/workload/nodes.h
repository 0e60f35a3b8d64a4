/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - the nodes of the simulated machine, and the requests of jobs.
 *
 * The user names groups of equal nodes.  Processors are numbered node by node,
 * in the order of the groups.  Memory and GPUs count if a group names them.  A
 * job requests
 *
 *     processors   on any nodes, as with sbatch --ntasks
 *     memory       for each processor: field 10 of its record
 *     GPUs         spread evenly over its processors: the side table
 *     nodes        at most as many as it had: the side table
 *
 * A job requests nothing that the log does not name.
 *
 * Callers: `librasim run` and the worker processes of sim/study, after a
 * workload is made and before it is simulated.  The simulation (sim/run) calls
 * sim_nodes_text() alone.
 */
#ifndef SIM_NODES_H
#define SIM_NODES_H

#include <stdint.h>

#include "core/policy.h"
#include "sim/workload/workload.h"

struct sim_node_group {
	uint32_t count;
	uint32_t procs; /* of each node; 0 = not known yet */
	uint64_t mem_mb, gpus;
};

struct sim_nodes {
	struct sim_node_group *groups;
	size_t ngroups;
	bool has_mem, has_gpus; /* a group names them */
	bool asked;		/* a job requests more than processors */
	bool few; /* each job takes the fewest nodes that hold it */
	/* In the form of struct libra_engine_conf: memory in KB. */
	uint32_t *node_procs, nnodes;
	uint32_t *first; /* processor of each node */
	uint64_t *resources;
	uint32_t nresources;
	/* Requests of the workload's jobs, which point here. */
	struct libra_where *wheres;
	uint64_t *amounts;
};

/* Read "N", or "COUNTxCORES,...".  Each group may end in ":mem=MB" and
 * ":gpu=N".
 * Result: 0, or -1 with EINVAL or ENOMEM.
 * Owner:  the caller calls sim_nodes_fini(); after an error it need not.
 */
int sim_nodes_parse(struct sim_nodes *nodes, const char *text,
		    struct libra_error *err);
void sim_nodes_fini(struct sim_nodes *nodes);

/* Divide the processors of a workload into the equal nodes of its scenario,
 * whose node_procs is not 0.
 * Result, owner: as sim_nodes_parse().
 */
int sim_nodes_equal(struct sim_nodes *nodes, const struct sim_workload *w,
		    const struct sim_scenario *sc, struct libra_error *err);

/* Return the processors of all nodes.  0: the text was "N", and the nodes
 * divide the processors of the log.
 */
uint32_t sim_nodes_procs(const struct sim_nodes *nodes);

/* Give a workload these nodes, and its jobs the requests of their records.
 * Jobs that would not fit the empty machine are dropped and counted as too
 * large.  The workload points to nodes from then on, so nodes must outlive it.
 * Result: 0, or -1 with EINVAL (the processors cannot be divided evenly; no job
 *         is left) or ENOMEM.
 */
int sim_nodes_apply(struct sim_nodes *nodes, struct sim_workload *w,
		    const struct swf_trace *trace, struct libra_error *err);

/* Check that a policy can place the jobs of the workload on its nodes.
 * Result: 0, or -1 with EINVAL and a text for the user.
 */
int sim_nodes_check(const struct sim_nodes *nodes,
		    const struct libra_policy_type *policy,
		    struct libra_error *err);

/* Write n ranges of processors node by node: "0-3:16 7:4" are 16 processors on
 * each of the nodes 0 to 3, and 4 on node 7.
 * Result: the text, or NULL with ENOMEM.
 * Owner:  the caller frees it.
 */
char *sim_nodes_text(const struct sim_nodes *nodes,
		     const struct libra_range *ranges, size_t n);

#endif
