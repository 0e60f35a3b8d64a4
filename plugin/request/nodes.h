/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - the nodes that a request may have, where starts are planned:
 * those of size->allowed, else all that promises are given for in its
 * partition.
 *
 * They are counted whether up or not.
 */
#ifndef LIBRA_REQUEST_NODES_H
#define LIBRA_REQUEST_NODES_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"
#include "plugin/engine/gres.h"

bool host_may_have(const struct host_cluster *cluster,
		   const struct request_size *size, uint32_t node);

uint32_t host_count_allowed(const struct host_cluster *cluster,
			    const struct request_size *size);

/* How many of a resource the best of them has. */
uint64_t host_most_allowed(const struct host_cluster *cluster,
			   const struct request_size *size, uint32_t resource);

/* Has any of them GPUs that are counted, if it is these? */
bool host_counts_gpus(const struct host_cluster *cluster,
		      const struct request_size *size,
		      const struct host_gres *gres);

/* Whole tasks that one of them has room for when it is empty. */
uint64_t host_chunks_of(const struct host_cluster *cluster,
			const struct request_size *size, uint32_t node);

#endif
