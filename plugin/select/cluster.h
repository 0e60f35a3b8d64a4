/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - report Slurm's nodes, partitions and settings to the host.
 *
 * The caller holds Slurm's job write lock, and read locks of nodes and
 * partitions.  A thread that changes Slurm's configuration holds these, too, so
 * the configuration does not change during a call.  Owns a copy of what was
 * reported last.
 */
#ifndef LIBRA_SELECT_CLUSTER_H
#define LIBRA_SELECT_CLUSTER_H

#include <stdbool.h>

/* Report the cluster to the host.  If the host refuses it, the reason is
 * logged, and no job is managed.
 * Result: false only if memory is out; then call this again later.
 */
bool libra_cluster_set(void);

/* Return true if nodes, partitions or settings differ from the last report.
 * Result: true also if memory is out.
 * Cost:   nodes times partitions.
 */
bool libra_cluster_changed(void);

/* Free the copy of the last report. */
void libra_cluster_fini(void);

#endif
