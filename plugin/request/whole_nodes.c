/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whole_nodes.c - see whole_nodes.h.
 */
#include <stdio.h>

#include "plugin/request/messages.h"
#include "plugin/base/units.h"
#include "plugin/request/whole_nodes.h"

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Return the CPUs that Slurm counts on a node for a request, which may use one
 * thread of each core, or one task per core.
 */
static uint32_t cpus_of_node(const struct host_cluster *c,
			     const struct libra_host_request *r)
{
	uint32_t per = c->cpus_per_proc, threads = per;

	if (r->size.threads_per_core)
		threads = smaller(r->size.threads_per_core, per);
	if (r->size.task_per_core || c->task_per_core)
		threads = 1;
	return libra_host_larger(1, c->node_cpus / per * threads);
}

uint32_t host_whole_tasks(const struct host_cluster *c,
			  const struct libra_host_request *r,
			  struct libra_host_reply *reply)
{
	uint32_t cpus = libra_host_larger(1, r->size.cpus_per_task);
	uint32_t n = cpus_of_node(c, r) / cpus;
	uint64_t mem = r->mem.per_cpu * cpus;
	char text[200];

	if (n == 0) {
		snprintf(text, sizeof(text),
			 "--cpus-per-task=%u: the smallest node has %u CPUs "
			 "for a task: give at most so many",
			 cpus, cpus_of_node(c, r));
	} else if (c->node_mem &&
		   (mem > c->node_mem || r->mem.per_node > c->node_mem)) {
		n = 0;
		snprintf(text, sizeof(text),
			 "%llu MB of memory on a node: the smallest has %llu "
			 "MB: ask for no more with --mem or --mem-per-cpu",
			 (unsigned long long)(mem > r->mem.per_node
						      ? mem
						      : r->mem.per_node),
			 (unsigned long long)c->node_mem);
	}
	if (n == 0) {
		host_unacceptable(reply, text);
		return 0;
	}
	if (mem && c->node_mem)
		n = smaller(n, (uint32_t)(c->node_mem / mem));
	return r->size.tasks_per_node ? smaller(n, r->size.tasks_per_node) : n;
}

static bool count_nodes(const struct host_cluster *c,
			const struct libra_host_request *r, uint32_t *nodes,
			struct libra_host_reply *reply)
{
	uint32_t per = host_whole_tasks(c, r, reply);
	char text[200];

	if (per == 0)
		return false;
	*nodes = libra_host_larger(1, r->size.min_nodes);
	*nodes =
		libra_host_larger(*nodes, libra_host_ceil(r->size.ntasks, per));
	*nodes = libra_host_larger(
		*nodes, libra_host_ceil(r->size.ncpus, cpus_of_node(c, r)));
	if (!r->size.max_nodes || *nodes <= r->size.max_nodes)
		return true;
	snprintf(text, sizeof(text),
		 "it needs %u nodes, and --nodes permits %u: the smallest node "
		 "has room for %u of its tasks: give more --nodes or fewer "
		 "--ntasks",
		 *nodes, r->size.max_nodes, per);
	host_unacceptable(reply, text);
	return false;
}

bool host_whole_measure(const struct host_cluster *c,
			struct libra_host_request *r,
			const struct host_partition *partition,
			struct request_size *size,
			struct libra_host_reply *reply)
{
	uint32_t n = 0;

	r->size.cpus_per_task = libra_host_larger(1, r->size.cpus_per_task);
	if (!count_nodes(c, r, &n, reply))
		return false;
	*size = (struct request_size){
		.partition = partition,
		.chunk = 1,
		.nprocs = n,
		/* A job gets all of its nodes' memory anyway. */
		.hold_per_node = r->mem.per_node,
	};
	return true;
}
