/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whole_nodes.h - the size of a request where starts are planned and no two
 * jobs are on a node (OverSubscribe=EXCLUSIVE).
 *
 * A processor of the plan is a node there, with all that it has: cores, memory,
 * generic resources.
 */
#ifndef LIBRA_REQUEST_WHOLE_NODES_H
#define LIBRA_REQUEST_WHOLE_NODES_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* As host_measure(), in whole nodes. */
bool host_whole_measure(const struct host_cluster *cluster,
			struct libra_host_request *request,
			const struct host_partition *partition,
			struct request_size *size,
			struct libra_host_reply *reply);

/* Tasks that a node has room for by its CPUs and memory.
 * Result: 0 for none, and the user is told.
 */
uint32_t host_whole_tasks(const struct host_cluster *cluster,
			  const struct libra_host_request *request,
			  struct libra_host_reply *reply);

#endif
