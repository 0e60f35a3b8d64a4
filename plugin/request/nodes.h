/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - the nodes that a request may use, if the policy plans starts: the
 * nodes of size->allowed, or else all managed nodes of its partition.
 *
 * Nodes count whether they are up or not.  Callers: plugin/request, under the
 * host's lock.
 */
#ifndef LIBRA_REQUEST_NODES_H
#define LIBRA_REQUEST_NODES_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"
#include "plugin/engine/gres.h"

/* Return true if the request may use a node. */
bool host_may_have(const struct host_cluster *cluster,
		   const struct request_size *size, uint32_t node);

/* Return the number of nodes that the request may use. */
uint32_t host_count_allowed(const struct host_cluster *cluster,
			    const struct request_size *size);

/* Return the number of these nodes that are down or drained. */
uint32_t host_count_closed(const struct host_cluster *cluster,
			   const struct request_size *size);

/* Return the largest amount of a resource on one of these nodes. */
uint64_t host_most_allowed(const struct host_cluster *cluster,
			   const struct request_size *size, uint32_t resource);

/* Return false if gres is GPUs and none of these nodes has counted GPUs. */
bool host_counts_gpus(const struct host_cluster *cluster,
		      const struct request_size *size,
		      const struct host_gres *gres);

/* Return the number of tasks that fit on an empty node. */
uint64_t host_chunks_of(const struct host_cluster *cluster,
			const struct request_size *size, uint32_t node);

#endif
