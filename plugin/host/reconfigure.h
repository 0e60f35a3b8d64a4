/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reconfigure.h - set the cluster and the settings of one group, and make its
 * engine.
 *
 * Called by groups.c under the host's lock, at start and on reconfigure, with
 * Slurm's locks of jobs, nodes and partitions.
 */
#ifndef LIBRA_HOST_RECONFIGURE_H
#define LIBRA_HOST_RECONFIGURE_H

#include "plugin/host/state.h"

/* Set the cluster of one group, as libra_host_set_cluster() does.
 * running: the group has an engine.  The engine and its jobs stay if policy,
 * parameters and nodes are the same.  Else the group gets an empty engine, and
 * the caller reports and restores all jobs.
 * Result: 0, or -1 with errno as for host_groups_reconfigure(); then the group
 *         may lack an engine.
 * Owner:  the group takes the contents of *conf, also after -1.
 */
int host_reconfigure(struct host_state *h,
		     const struct libra_host_cluster *cluster,
		     struct libra_host_conf *conf, bool running);

#endif
