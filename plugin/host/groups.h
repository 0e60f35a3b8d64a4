/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups.h - the groups of partitions, each with an engine of its own, and to
 * which of them a job belongs.
 *
 * Nodes belong to one group at the most, so that what one engine promises
 * another cannot.  What is known of users' estimates is of all groups, and no
 * two engines have the same epoch: an offer's number with its epoch is of one.
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
};

/* Forget everything and close the logs. */
void host_groups_end(struct host_groups *groups);

/* As libra_host_set_cluster(); running: the engines are in use.  A group whose
 * first partition is still the same keeps its engine, if that would decide as a
 * new one.
 */
int host_groups_reconfigure(struct host_groups *groups,
			    const struct libra_host_cluster *cluster,
			    bool running);

/* The group that manages the first managed partition of a request ("a,b"; NULL
 * is the default one), or NULL.
 */
struct host_state *host_groups_of_partition(const struct host_groups *groups,
					    const char *names);

/* The group that has a promise of a job, else the one of the partition that the
 * job's record names, else the first.
 */
struct host_state *host_groups_of_job(const struct host_groups *groups,
				      uint32_t job_id, const char *comment);

#endif
