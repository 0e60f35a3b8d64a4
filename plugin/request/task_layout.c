/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_layout.c - see task_layout.h.
 */
#include <stdio.h>

#include "plugin/request/messages.h"
#include "plugin/base/units.h"
#include "plugin/request/nodes.h"
#include "plugin/request/task_layout.h"
#include "plugin/engine/gres.h"
#include "plugin/request/whole_nodes.h"

/* ---- --gpus=N, of any nodes ---- */

/* Count the allowed nodes (up: only those that are up) with this amount. */
static uint32_t count_with(const struct host_cluster *c,
			   const struct request_size *size, uint32_t resource,
			   uint64_t each, bool up)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nnodes; i++)
		n += host_may_have(c, size, i) &&
		     (!up || c->state[i] == LIBRA_NODE_UP) &&
		     c->amounts[(size_t)i * c->nresources + resource] >= each;
	return n;
}

/* Divide n over the fewest nodes.  Each task is on one node.
 * Result: the number of nodes, or 0 if there are not enough such nodes.
 */
static uint32_t divide_over(const struct host_cluster *c,
			    const struct libra_host_request *r,
			    const struct request_size *where, uint32_t resource,
			    uint64_t n, uint32_t last, bool up)
{
	uint32_t k = libra_host_larger(1, r->size.min_nodes);

	for (; k <= last && k <= c->nnodes; k++)
		if (n % k == 0 &&
		    count_with(c, where, resource, n / k, up) >= k)
			return k;
	return 0;
}

/* As divide_over(), on nodes that are up if possible.  If n exceeds all nodes
 * together, any number of nodes above theirs will do: the request is too large.
 */
static uint32_t divide(const struct host_cluster *c,
		       const struct libra_host_request *r,
		       const struct request_size *where, uint32_t resource,
		       uint64_t n)
{
	uint64_t most = host_most_allowed(c, where, resource);
	uint32_t k = libra_host_larger(1, r->size.min_nodes), last, good;
	uint32_t nodes = host_count_allowed(c, where);

	if (most == 0 || n > UINT32_MAX)
		return 0;
	last = r->size.max_nodes && r->size.max_nodes < n ? r->size.max_nodes
							  : (uint32_t)n;
	if (r->size.ntasks > 1 && r->size.ntasks < last)
		last = r->size.ntasks;
	good = divide_over(c, r, where, resource, n, last, true);
	if (good == 0)
		good = divide_over(c, r, where, resource, n, last, false);
	if (good > 0)
		return good;
	k = libra_host_larger(k, libra_host_ceil(n, most));
	if (k > nodes && k <= last)
		return k;
	for (; k <= last && k <= nodes; k++)
		if (n % k == 0)
			return k;
	return 0;
}

bool host_divide_job(const struct host_cluster *c, struct libra_host_request *r,
		     const struct request_size *where,
		     struct libra_host_reply *reply)
{
	struct host_gres gres;
	uint32_t resource, nodes;
	char text[200];

	if (!host_gres_only(r->gres.job, &gres) || r->gres.node ||
	    r->gres.task) {
		host_mixed_gres(reply, r);
		return false;
	}
	resource = host_gres_find(c, gres.name);
	if (resource == UINT32_MAX) {
		host_no_gres(reply, gres.name);
		return false;
	}
	if (!host_counts_gpus(c, where, &gres)) {
		host_unacceptable(reply, HOST_NO_WHOLE_GPUS);
		return false;
	}
	nodes = divide(c, r, where, resource, gres.count);
	if (nodes == 0) {
		snprintf(text, sizeof(text),
			 "%llu of %s cannot be divided evenly: a node has %llu "
			 "at the most; give --nodes=N and --gpus-per-node=M",
			 (unsigned long long)gres.count, gres.name,
			 (unsigned long long)host_most_allowed(c, where,
							       resource));
		host_unacceptable(reply, text);
		return false;
	}
	snprintf(reply->gres_node, sizeof(reply->gres_node), "%s:%llu",
		 gres.name, (unsigned long long)(gres.count / nodes));
	r->gres.job = NULL;
	r->gres.node = reply->gres_node;
	r->size.min_nodes = r->size.max_nodes = reply->nodes = nodes;
	return true;
}

/* ---- GPUs near the cores of tasks ---- */

/* Return the number of tasks that fit on an empty node, by GPUs and CPUs. */
static uint32_t tasks_room(const struct host_cluster *c,
			   const struct libra_host_request *r, uint32_t node,
			   uint64_t gpus)
{
	uint32_t resource = host_gres_find(c, "gpu");
	uint64_t n, by_cpus;

	if (resource == UINT32_MAX)
		return 0;
	n = c->amounts[(size_t)node * c->nresources + resource] / gpus;
	by_cpus = (uint64_t)c->procs[node] * c->cpus_per_proc /
		  libra_host_larger(1, r->size.cpus_per_task);
	n = by_cpus < n ? by_cpus : n;
	return n < r->size.ntasks ? (uint32_t)n : r->size.ntasks;
}

/* Count the allowed nodes on which this many tasks fit; *most: the best node's.
 */
static uint32_t count_roomy(const struct host_cluster *c,
			    const struct libra_host_request *r,
			    const struct request_size *where, uint64_t gpus,
			    uint32_t tasks, uint32_t *most)
{
	uint32_t n = 0, room;

	*most = 0;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		room = host_may_have(c, where, i) ? tasks_room(c, r, i, gpus)
						  : 0;
		*most = libra_host_larger(*most, room);
		n += room > 0 && room >= tasks;
	}
	return n;
}

/* Return the fewest nodes with equal numbers of tasks, or 0. */
static uint32_t even_nodes(const struct host_cluster *c,
			   const struct libra_host_request *r,
			   const struct request_size *where, uint64_t gpus)
{
	uint32_t most, nodes = count_roomy(c, r, where, gpus, 1, &most);
	uint32_t k = libra_host_larger(1, r->size.min_nodes);

	if (r->size.max_nodes && r->size.max_nodes < nodes)
		nodes = r->size.max_nodes;
	for (; k <= nodes; k++)
		if (r->size.ntasks % k == 0 && r->size.ntasks / k <= most &&
		    count_roomy(c, r, where, gpus, r->size.ntasks / k, &most) >=
			    k)
			return k;
	return 0;
}

/* Return true if, with this many tasks on a node's first cores, only some tasks
 * have their GPUs near.
 */
static bool lacks_near(const struct host_cluster *c,
		       const struct libra_host_request *r, uint32_t node,
		       uint64_t gpus, uint32_t tasks)
{
	uint32_t resource = host_gres_find(c, "gpu");
	uint64_t has_of = c->amounts[(size_t)node * c->nresources + resource];
	uint64_t cores = libra_host_ceil(
		(uint64_t)tasks * libra_host_larger(1, r->size.cpus_per_task),
		c->cpus_per_proc);
	uint64_t sockets = libra_host_ceil(cores, r->gpu.socket_cores);
	uint64_t near = sockets * has_of /
			libra_host_ceil(c->procs[node], r->gpu.socket_cores);

	return near >= gpus && near < tasks * gpus;
}

static bool any_lacks_near(const struct host_cluster *c,
			   const struct libra_host_request *r,
			   const struct request_size *where, uint64_t gpus)
{
	for (uint32_t i = 0; i < c->nnodes; i++) {
		uint32_t most = host_may_have(c, where, i)
					? tasks_room(c, r, i, gpus)
					: 0;

		for (uint32_t k = 2; k <= most; k++)
			if (lacks_near(c, r, i, gpus, k))
				return true;
	}
	return false;
}

bool host_divide_near(const struct host_cluster *c,
		      struct libra_host_request *r,
		      const struct request_size *where,
		      struct libra_host_reply *reply)
{
	uint64_t gpus = host_gres_gpus(r->gres.task);
	uint32_t nodes;

	if (!r->gpu.socket_cores || gpus == 0 || r->size.tasks_per_node ||
	    r->size.ntasks < 2)
		return true;
	nodes = even_nodes(c, r, where, gpus);
	if (nodes > 0 && r->size.ntasks / nodes <= UINT16_MAX) {
		r->size.tasks_per_node = reply->tasks_per_node =
			r->size.ntasks / nodes;
		r->size.min_nodes = r->size.max_nodes = reply->nodes = nodes;
		return true;
	}
	if (!any_lacks_near(c, r, where, gpus))
		return true;
	host_unacceptable(reply, HOST_GRES_UNEVEN);
	return false;
}

/* ---- of each task, where jobs have whole nodes ---- */

/* Return the fewest nodes with equal numbers of tasks, at most `most`, and with
 * the resource that each task needs; or 0.
 */
static uint32_t whole_nodes_for(const struct host_cluster *c,
				const struct libra_host_request *r,
				const struct request_size *where,
				uint32_t resource, uint64_t each, uint32_t most)
{
	uint32_t last = host_count_allowed(c, where), n;

	if (r->size.max_nodes && r->size.max_nodes < last)
		last = r->size.max_nodes;
	for (uint32_t k = libra_host_larger(1, r->size.min_nodes); k <= last;
	     k++) {
		if (r->size.ntasks % k || r->size.ntasks / k > most)
			continue;
		n = 0;
		for (uint32_t i = 0; i < c->nnodes; i++)
			n += host_may_have(c, where, i) &&
			     c->amounts[(size_t)i * c->nresources + resource] /
					     each >=
				     r->size.ntasks / k;
		if (n >= k)
			return k;
	}
	return 0;
}

bool host_divide_whole(const struct host_cluster *c,
		       struct libra_host_request *r,
		       const struct request_size *where,
		       struct libra_host_reply *reply)
{
	struct host_gres gres;
	uint32_t resource, nodes, most;
	char text[200];

	if (!host_gres_only(r->gres.task, &gres) || r->gres.node ||
	    r->gres.job || gres.count == 0) {
		host_mixed_gres(reply, r);
		return false;
	}
	resource = host_gres_find(c, gres.name);
	most = resource == UINT32_MAX ? 1 : host_whole_tasks(c, r, reply);
	if (most == 0)
		return false;
	nodes = resource == UINT32_MAX ? 0
				       : whole_nodes_for(c, r, where, resource,
							 gres.count, most);
	if (nodes == 0 || r->size.ntasks / nodes > UINT16_MAX) {
		snprintf(text, sizeof(text),
			 "%u tasks with %llu of %s each cannot be divided "
			 "evenly over whole nodes that have so many: give "
			 "--nodes=N and --gpus-per-node=M",
			 r->size.ntasks, (unsigned long long)gres.count,
			 gres.name);
		host_unacceptable(reply, text);
		return false;
	}
	r->size.tasks_per_node = reply->tasks_per_node = r->size.ntasks / nodes;
	r->size.min_nodes = r->size.max_nodes = reply->nodes = nodes;
	snprintf(reply->gres_whole, sizeof(reply->gres_whole), "%s:%llu",
		 gres.name,
		 (unsigned long long)gres.count * r->size.tasks_per_node);
	r->gres.node = reply->gres_whole;
	r->gres.task = NULL;
	return true;
}
