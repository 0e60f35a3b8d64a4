/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resources.h - what a request wants of nodes besides processors, and which
 * nodes, where starts are planned.
 *
 * Memory and generic resources are counted for each task or for each node.  So
 * many GPUs in all (--gpus) are divided evenly: the fewest nodes that have room
 * for equal numbers of them, and Slurm is told to take so many of each node.
 * CPUs and memory for each GPU are counted with them.  What does not come down
 * to equal nodes or equal tasks is refused with a line that says so.
 */
#ifndef LIBRA_REQUEST_RESOURCES_H
#define LIBRA_REQUEST_RESOURCES_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* Which nodes a request may have: size->allowed, if not all of the partition,
 * in *ranges, for the caller to free.  Nodes that it names it needs all of.
 * Result: 0; or 1, and the user is told, if that cannot be; or -1 with ENOMEM.
 */
int host_resources_nodes(const struct host_cluster *cluster,
			 const struct libra_host_ops *ops,
			 struct libra_host_request *request,
			 struct request_size *size, struct libra_range **ranges,
			 struct libra_host_reply *reply);

/* The same of a job that was promised something before: nobody is told, and
 * where it cannot be told which nodes it may have that is any node.  One that
 * may have none of them, as after a change of the nodes, has none: Slurm would
 * not start it on others.
 */
void host_resources_again(const struct host_cluster *cluster,
			  const struct libra_host_ops *ops,
			  const struct libra_host_job *job,
			  struct request_size *size,
			  struct libra_range **ranges);

/* CPUs and nodes that generic resources and whole nodes mean, on nodes that are
 * allowed: written into the request, and into the reply for Slurm.
 * Result: false, and the user is told, if it cannot be promised.
 */
bool host_resources_expand(const struct host_cluster *cluster,
			   struct libra_host_request *request,
			   const struct request_size *where,
			   struct libra_host_reply *reply);

/* What a measured request takes of each resource.
 * Result: likewise.
 */
bool host_resources_measure(const struct host_cluster *cluster,
			    const struct libra_host_request *request,
			    struct request_size *size,
			    struct libra_host_reply *reply);

/* Could it run if all nodes that it may have were up and empty?  Only what is
 * no processor is looked at.
 * Result: likewise.
 */
bool host_resources_fit(const struct host_cluster *cluster,
			const struct request_size *size,
			struct libra_host_reply *reply);

#endif
