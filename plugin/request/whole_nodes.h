/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whole_nodes.h - the size of a request in whole nodes, if the policy plans
 * starts and no two jobs share a node (OverSubscribe=EXCLUSIVE).
 *
 * A processor of such a policy is a node with all its cores, memory and generic
 * resources.  Callers: plugin/request, under the host's lock.
 */
#ifndef LIBRA_REQUEST_WHOLE_NODES_H
#define LIBRA_REQUEST_WHOLE_NODES_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* Set the size of a request in whole nodes; results as for host_measure(). */
bool host_whole_measure(const struct host_cluster *cluster,
			struct libra_host_request *request,
			const struct host_partition *partition,
			struct request_size *size,
			struct libra_host_reply *reply);

/* Return the number of tasks that fit on the smallest node, by CPUs and memory.
 * Result: 0 with a line for the user if none fits.
 */
uint32_t host_whole_tasks(const struct host_cluster *cluster,
			  const struct libra_host_request *request,
			  struct libra_host_reply *reply);

#endif
