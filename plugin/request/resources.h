/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resources.h - a request's nodes, memory and generic resources, if the policy
 * plans starts.
 *
 * Memory and generic resources are counted per task or per node.  --gpus=N is
 * divided evenly over the fewest nodes that have enough, and the reply asks
 * Slurm for that number on each node.  CPUs and memory per GPU are counted,
 * too.  If the resources cannot be divided evenly over nodes or tasks, the
 * request is rejected, with the reason in a line for the user.
 *
 * Callers: plugin/host, in any thread, under the host's lock.
 */
#ifndef LIBRA_REQUEST_RESOURCES_H
#define LIBRA_REQUEST_RESOURCES_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* If a request may not use all nodes of its partition, set size->allowed to the
 * array *ranges of those that it may use; else size->allowed does not change.
 * A request needs all nodes of its --nodelist.
 * Result: 0; 1 with a line for the user if the nodes cannot be determined or
 *         none remain; -1 with ENOMEM.
 * Owner:  the caller frees *ranges, after each result.
 */
int host_resources_nodes(const struct host_cluster *cluster,
			 const struct libra_host_ops *ops,
			 struct libra_host_request *request,
			 struct request_size *size, struct libra_range **ranges,
			 struct libra_host_reply *reply);

/* Set size->allowed again for a job from the queue, without a line for the
 * user.  If the text of an option is not understood, any node is allowed.  If
 * no node is left, or not all that the job names, as after a change of the
 * nodes, none is allowed (size->nallowed is 0): Slurm would not start the job
 * on others. Result: 0, or -1 with ENOMEM; then none is allowed. Owner:  the
 * caller frees *ranges, after each result.
 */
int host_resources_again(const struct host_cluster *cluster,
			 const struct libra_host_ops *ops,
			 const struct libra_host_job *job,
			 struct request_size *size,
			 struct libra_range **ranges);

/* Convert a request's generic resources and whole nodes to CPUs and nodes,
 * among those that `where` allows.  Changes the request, and the reply for
 * Slurm.
 * Result: false with a line for the user if they cannot be promised.  The
 *         request may point to text in the reply.
 */
bool host_resources_expand(const struct host_cluster *cluster,
			   struct libra_host_request *request,
			   const struct request_size *where,
			   struct libra_host_reply *reply);

/* Set the amounts of each resource in size, after host_measure().
 * Result: false with a line for the user if no node has a resource of that
 *         name, or an amount cannot be divided evenly.
 */
bool host_resources_measure(const struct host_cluster *cluster,
			    const struct libra_host_request *request,
			    struct request_size *size,
			    struct libra_host_reply *reply);

/* Return true if the processors and all other resources of its nodes would
 * suffice for the request, were these nodes up and empty.
 * Result: false with a line for the user.
 */
bool host_resources_fit(const struct host_cluster *cluster,
			const struct request_size *size,
			struct libra_host_reply *reply);

#endif
