/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups.h - the groups of partitions, each with its own engine, and the choice
 * of a job's group.
 *
 * A node belongs to one group at most, so that no two engines promise the same
 * processors.  All groups share the history of users' estimates.  No two
 * engines have the same epoch, so an epoch and an offer's number identify one
 * offer.  Called by host.c, under the host's lock.
 */
#ifndef LIBRA_HOST_GROUPS_H
#define LIBRA_HOST_GROUPS_H

#include "plugin/base/conf_list.h"
#include "plugin/host/state.h"

struct host_groups {
	const struct libra_host_ops *ops;
	struct host_history history;
	uint64_t last_epoch;
	struct host_state *states[LIBRA_HOST_MAX_GROUPS]; /* owned */
	size_t n;
	char *params; /* SchedulerParameters in force; owned */
	char *wrong;  /* what the log said of wrong values in them; owned */
};

/* Free all groups, write what the policies have learned, and close the logs. */
void host_groups_end(struct host_groups *groups);

/* Set the cluster for all groups, as libra_host_set_cluster() does; running:
 * the engines are in use.  If another value of ours is wrong then, the former
 * SchedulerParameters stay in force, and the log tells it.  A group with the
 * same label as before keeps its state.  It keeps its engine, too, if a new
 * engine would decide the same (reconfigure.h).  Other old groups are freed.
 * Result: 0, or -1 with errno: EINVAL if two groups share a node.
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
