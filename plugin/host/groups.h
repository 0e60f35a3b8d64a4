/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups.h - the groups of partitions, each with its own engine, and the choice
 * of a job's group.
 *
 * A node belongs to one group at most, so that no two engines promise the same
 * processors.  All groups share the history of users' estimates.  No two
 * engines have the same epoch, so an epoch and an offer's number identify one
 * offer.
 *
 * Called by host.c and answer.c, in any thread, under the host's lock.
 * host_groups_reconfigure() also needs Slurm's locks of jobs (to write), nodes
 * and partitions.  The choice of a group needs no lock of Slurm.
 */
#ifndef LIBRA_HOST_GROUPS_H
#define LIBRA_HOST_GROUPS_H

#include "plugin/base/conf_list.h"
#include "plugin/host/state.h"

/* All zeros: there is no group. */
struct host_groups {
	const struct libra_host_ops *ops;
	struct host_history history;
	uint64_t last_epoch;
	struct host_state *states[LIBRA_HOST_MAX_GROUPS]; /* owned */
	size_t n;
	char *params; /* SchedulerParameters in force; owned */
	char *wrong;  /* messages about wrong values in params; owned */
};

/* Write the data that the policies have learned, close the decision logs, and
 * free all groups.  *groups then has no group.
 */
void host_groups_end(struct host_groups *groups);

/* Set the cluster and SchedulerParameters for all groups, as
 * libra_host_set_cluster() does.  A group keeps its state if its label (conf.h)
 * is the same as before.  The group keeps its engine, too, if a new one would
 * decide the same (reconfigure.h).  Other old groups are freed.
 * running: the engines are in use.  If false, a wrong value in
 * SchedulerParameters is logged and replaced by its default.  If true, a new
 * wrong value, or any cause of EINVAL, is logged, and the former
 * SchedulerParameters stay in force.
 * Result: 0, or -1 with errno (EINVAL: two groups share a node, or a policy
 *         plans starts and a partition has not all nodes of its group; ENOENT:
 *         a group has no node; ENOMEM); then some groups may lack an engine,
 *         and the caller must use none.
 */
int host_groups_reconfigure(struct host_groups *groups,
			    const struct libra_host_cluster *cluster,
			    bool running);

/* Return the group of the first managed partition of a list ("a,b"; NULL: the
 * default partition), or NULL if none is managed.
 */
struct host_state *host_groups_of_partition(const struct host_groups *groups,
					    const char *names);

/* Return the group that tracks a job; else that of the partition in the job's
 * record (comment); else the first.  NULL only if there is no group.
 */
struct host_state *host_groups_of_job(const struct host_groups *groups,
				      uint32_t job_id, const char *comment);

#endif
