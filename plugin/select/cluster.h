/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - nodes, partitions and settings of Slurm, for the host.
 */
#ifndef LIBRA_SELECT_CLUSTER_H
#define LIBRA_SELECT_CLUSTER_H

#include <stdbool.h>

/* Tell the host what the cluster is now.  If that fails, Slurm's log says so,
 * and no job is managed.
 * Result: false if memory is out: then it is to be told again.  The caller
 * holds Slurm's locks of nodes and partitions; who changes its configuration
 * holds these, too.
 */
bool libra_cluster_set(void);

/* Is it another one than the host was told of: nodes that came or went, other
 * nodes or limits of a partition?  True also where memory is short.  Cost:
 * nodes times partitions.  Locks as above.
 */
bool libra_cluster_changed(void);

/* What is kept to compare with is freed. */
void libra_cluster_fini(void);

#endif
