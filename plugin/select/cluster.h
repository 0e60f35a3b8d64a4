/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - nodes, partitions and settings of Slurm, for the host.
 */
#ifndef LIBRA_SELECT_CLUSTER_H
#define LIBRA_SELECT_CLUSTER_H

/* Tell the host what the cluster is now.  If that fails, Slurm's log says so,
 * and no job is managed.  The caller holds Slurm's locks of configuration,
 * nodes and partitions.
 */
void libra_cluster_set(void);

#endif
