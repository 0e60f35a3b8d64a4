/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resources.c - see resources.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/request/messages.h"
#include "plugin/base/units.h"
#include "plugin/request/nodes.h"
#include "plugin/request/task_layout.h"
#include "plugin/engine/gres.h"
#include "plugin/request/resources.h"
#include "plugin/request/whole_nodes.h"

/* ---- nodes ---- */

/* Set size->allowed to the marked nodes of the partition. */
static void mark(const struct host_cluster *c, struct request_size *size,
		 const uint8_t *usable, struct libra_range *ranges)
{
	struct libra_range *last = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		if (!usable[c->slurm_node[i]] || !host_may_have(c, size, i))
			continue;
		if (last && last->first + last->count == c->first[i]) {
			last->count += c->procs[i];
			continue;
		}
		last = &ranges[n++];
		*last = (struct libra_range){c->first[i], c->procs[i]};
	}
	size->allowed = ranges;
	size->nallowed = n;
}

/* A request needs all nodes that it names. */
static bool name_nodes(struct libra_host_request *r, uint32_t n,
		       struct libra_host_reply *reply)
{
	bool few = r->size.min_nodes > n;
	char text[200];

	if (few || (r->size.max_nodes && r->size.max_nodes < n)) {
		snprintf(text, sizeof(text),
			 "--nodelist names %u node%s that the job may be on, "
			 "and --nodes asks for at %s %u: name as many, or "
			 "leave one of the two out",
			 n, n == 1 ? "" : "s", few ? "least" : "most",
			 few ? r->size.min_nodes : r->size.max_nodes);
		host_unacceptable(reply, text);
		return false;
	}
	r->size.min_nodes = r->size.max_nodes = n;
	return true;
}

/* Return the requested amount per GPU, or the default. */
static uint64_t with_each(const char *asked, uint64_t standard)
{
	struct host_gres gres;

	return asked && host_gres_only(asked, &gres) ? gres.count : standard;
}

/* Return true if a node has the CPUs and memory that go with all its GPUs.  A
 * job with whole nodes gets all their GPUs, and Slurm never gives it a node
 * that has less.  Else *few is what the node has too little of, for each of its
 * GPUs: cpus or mem.
 */
static bool bears_gpus(const struct host_cluster *c, uint32_t node,
		       uint32_t resource, const struct host_per_gpu *cpus,
		       const struct host_per_gpu *mem, struct host_per_gpu *few)
{
	const uint64_t *has_of = &c->amounts[(size_t)node * c->nresources];
	uint64_t gpus = has_of[resource];
	uint64_t most = c->whole_nodes
				? c->cpus[node]
				: (uint64_t)c->procs[node] * c->cpus_per_proc;
	bool lacks_cpus = gpus > 0 && cpus->each > most / gpus;

	if (!lacks_cpus &&
	    (gpus == 0 || has_of[0] == 0 || mem->each <= has_of[0] / gpus))
		return true;
	*few = lacks_cpus ? *cpus : *mem;
	few->has = lacks_cpus ? most : has_of[0];
	few->node = c->names[node];
	few->gpus = gpus;
	return false;
}

static bool wants_gpus(const struct libra_host_request *r)
{
	return r->gpu.per_task || host_gres_gpus(r->gres.job) ||
	       host_gres_gpus(r->gres.node) || host_gres_gpus(r->gres.task) ||
	       host_gres_gpus(r->gres.socket);
}

/* Return true if Slurm has to decide which nodes the request may use. */
static bool says_of_nodes(const struct libra_host_request *r,
			  const struct libra_host_ops *ops)
{
	return (r->nodes.list || r->nodes.exclude || r->nodes.constraint ||
		r->gres.socket) &&
	       ops && ops->usable;
}

static bool has_whole_gpus(const struct host_cluster *c,
			   const struct libra_host_request *r)
{
	return (c->whole_nodes || r->nodes.exclusive) && c->nresources > 1 &&
	       wants_gpus(r);
}

static bool read_socket(struct libra_host_request *r)
{
	struct libra_host_kind *near = &r->gpu.near_each;
	struct host_gres gres;

	if (!r->gres.socket)
		return true;
	if (!host_gres_only(r->gres.socket, &gres))
		return false;
	near->count = gres.count;
	snprintf(near->kind, sizeof(near->kind), "%.31s", gres.kind);
	snprintf(near->type, sizeof(near->type), "%s",
		 strcmp(gres.kind, gres.name) == 0
			 ? ""
			 : gres.name + strlen(gres.kind) + 1);
	return true;
}

/* Result: true if nodes remain. */
static bool said_nodes(const struct host_cluster *c,
		       const struct libra_host_ops *ops,
		       struct libra_host_request *r, struct request_size *size,
		       uint8_t *usable, uint32_t n, struct libra_range *ranges,
		       struct libra_host_reply *reply)
{
	const char *unknown;

	if (!read_socket(r)) {
		host_mixed_gres(reply, r);
		return false;
	}
	unknown = ops->usable(r, usable, n);
	if (unknown) {
		host_odd_nodes(reply, &r->nodes, unknown);
		return false;
	}
	mark(c, size, usable, ranges);
	if (size->nallowed == 0) {
		host_no_nodes(reply, r);
		return false;
	}
	return !r->nodes.list ||
	       name_nodes(r, host_count_allowed(c, size), reply);
}

/* Leave out nodes without enough per GPU.  Result: true if nodes remain, and
 * all that the request names.
 */
static bool gpu_nodes(const struct host_cluster *c,
		      const struct libra_host_request *r,
		      const struct request_size *from,
		      struct request_size *size, uint8_t *usable,
		      struct libra_range *ranges,
		      struct libra_host_reply *reply)
{
	uint32_t resource = host_gres_find(c, "gpu");
	uint32_t before = host_count_allowed(c, size);
	const struct host_per_gpu cpus = {
		.option = "--cpus-per-gpu",
		.standard = r->gres.cpus_per ? NULL : "DefCpuPerGPU",
		.instead = "--cpus-per-task",
		.each = with_each(r->gres.cpus_per, r->gres.def_cpus_per_gpu),
		.exclusive = !c->whole_nodes,
	};
	const struct host_per_gpu mem = {
		.option = "--mem-per-gpu",
		.standard = r->gres.mem_per ? NULL : "DefMemPerGPU",
		.instead = "--mem",
		.each = with_each(r->gres.mem_per, r->gres.def_mem_per_gpu),
		.exclusive = !c->whole_nodes,
	};
	struct host_per_gpu nearest = {0}, few;

	if (resource == UINT32_MAX || host_most_allowed(c, size, resource) == 0)
		return true; /* reported elsewhere */
	for (uint32_t i = 0; i < c->nnodes; i++) {
		if (bears_gpus(c, i, resource, &cpus, &mem, &few))
			continue;
		usable[c->slurm_node[i]] = 0;
		if (host_may_have(c, size, i) &&
		    (!nearest.node ||
		     (few.option == nearest.option &&
		      few.has / few.gpus > nearest.has / nearest.gpus)))
			nearest = few;
	}
	*size = *from; /* ranges are overwritten */
	mark(c, size, usable, ranges);
	if (host_most_allowed(c, size, resource) > 0 &&
	    (!r->nodes.list || host_count_allowed(c, size) == before))
		return true;
	host_few_per_gpu(reply, &nearest);
	return false;
}

int host_resources_nodes(const struct host_cluster *c,
			 const struct libra_host_ops *ops,
			 struct libra_host_request *r,
			 struct request_size *size, struct libra_range **ranges,
			 struct libra_host_reply *reply)
{
	uint32_t most = c->nnodes ? c->slurm_node[c->nnodes - 1] + 1 : 0;
	bool said = says_of_nodes(r, ops), gpus = has_whole_gpus(c, r), good;
	struct request_size from = *size;
	uint8_t *usable;

	*ranges = NULL;
	if (!said && !gpus)
		return 0;
	usable = malloc(most + 1);
	*ranges = calloc(c->nnodes + 1, sizeof(**ranges));
	if (!usable || !*ranges) {
		free(usable);
		errno = ENOMEM;
		return -1;
	}
	memset(usable, 1, most + 1);
	good = !said ||
	       said_nodes(c, ops, r, size, usable, most, *ranges, reply);
	good = good &&
	       (!gpus || gpu_nodes(c, r, &from, size, usable, *ranges, reply));
	free(usable);
	return good ? 0 : 1;
}

int host_resources_again(const struct host_cluster *c,
			 const struct libra_host_ops *ops,
			 const struct libra_host_job *job,
			 struct request_size *size, struct libra_range **ranges)
{
	struct libra_host_request r = {
		.nodes.list = job->nodes.list,
		.nodes.exclude = job->nodes.exclude,
		.nodes.constraint = job->nodes.constraint,
		.gres = job->gres,
		.nodes.exclusive = job->nodes.exclusive,
	};
	struct libra_host_reply reply = {0};
	static const struct libra_range none;
	int rc = 0;

	*ranges = NULL;
	if (c->plans)
		rc = host_resources_nodes(c, ops, &r, size, ranges, &reply);
	/* No node remains, or not all that the job names. */
	if (rc != 0)
		size->nallowed = 0;
	if (rc < 0)
		size->allowed = &none;
	else if (rc > 0 && size->allowed != *ranges)
		size->allowed = NULL;
	host_reply_fini(&reply);
	return rc < 0 ? -1 : 0;
}

/* ---- generic resources ---- */

/* Set the requested amount per GPU, or the default of jobs with GPUs. */
static bool per_gpu(const struct libra_host_request *r, const char *asked,
		    uint64_t standard, uint64_t gpus, uint64_t *per,
		    struct libra_host_reply *reply)
{
	struct host_gres gres;

	*per = gpus ? standard : 0;
	if (!asked)
		return true;
	if (gpus && host_gres_only(asked, &gres) &&
	    strcmp(gres.kind, "gpu") == 0) {
		*per = gres.count;
		return true;
	}
	host_mixed_gres(reply, r);
	return false;
}

/* Set the tasks per node from the tasks per GPU.  asked: as the user gave it.
 */
static bool count_gpu_tasks(struct libra_host_request *r,
			    const struct libra_host_request *asked,
			    struct libra_host_reply *reply)
{
	uint64_t n = host_gres_gpus(r->gres.node) * r->gpu.per_task;
	uint32_t nodes = libra_host_larger(1, r->size.min_nodes);

	if (n == 0 || n > 65535 || r->gres.task || r->size.tasks_per_node) {
		host_mixed_gres(reply, asked);
		return false;
	}
	r->size.tasks_per_node = (uint32_t)n;
	r->size.ntasks = libra_host_times(nodes, r->size.tasks_per_node);
	r->size.ncpus = libra_host_times(
		r->size.ntasks, libra_host_larger(1, r->size.cpus_per_task));
	r->size.min_nodes = r->size.max_nodes = nodes;
	reply->ntasks = r->size.ntasks;
	reply->ncpus = r->size.ncpus;
	reply->nodes = nodes;
	return true;
}

/* Return false, with a line for the user, if these are more than a node has. */
static bool has_cpus(uint64_t cpus, struct libra_host_reply *reply)
{
	if (cpus <= UINT16_MAX)
		return true;
	host_unacceptable(
		reply,
		"more than 65535 CPUs for the GPUs of a node (--cpus-per-gpu, "
		"or this cluster's DefCpuPerGPU): no node has so many: ask for "
		"fewer");
	return false;
}

/* Set the CPUs per task or per node from the CPUs per GPU. */
static bool count_gpu_cpus(const struct host_cluster *c,
			   struct libra_host_request *r,
			   struct libra_host_reply *reply)
{
	uint64_t gpus =
		host_gres_gpus(r->gres.task ? r->gres.task : r->gres.node);
	uint32_t nodes = libra_host_larger(1, r->size.min_nodes);
	uint32_t each = libra_host_larger(1, r->size.cpus_per_task);
	uint64_t per, cpus;

	if (!per_gpu(r, r->gres.cpus_per, r->gres.def_cpus_per_gpu, gpus, &per,
		     reply))
		return false;
	if (gpus == 0 || per == 0)
		return true;
	cpus = gpus < 65536 && per < 65536 ? gpus * per : UINT64_MAX;
	/* Among whole nodes, only those with enough CPUs for all their GPUs are
	 * allowed.
	 */
	if (c->whole_nodes || cpus > UINT16_MAX)
		return has_cpus(cpus, reply);
	if (r->gres.task) {
		r->size.cpus_per_task = libra_host_larger(each, (uint32_t)cpus);
		return true;
	}
	/* The nodes are equal, so each needs the same number of tasks. */
	if (!r->size.tasks_per_node && r->size.ntasks > nodes &&
	    r->size.ntasks % nodes) {
		host_unacceptable(reply, HOST_GRES_TASKS);
		return false;
	}
	each *= libra_host_larger(1, r->size.tasks_per_node
					     ? r->size.tasks_per_node
					     : r->size.ntasks / nodes);
	r->gpu.cpus = libra_host_larger((uint32_t)cpus, each);
	return true;
}

/* Return the most frequent number of cores per node; of two, the larger.  There
 * are few sizes, taken from the largest down.
 */
static uint32_t whole_size(const struct host_cluster *c,
			   const struct request_size *where)
{
	uint32_t best = 0, size = 0, above = UINT32_MAX, next, n;

	do {
		next = n = 0;
		for (uint32_t i = 0; i < c->nnodes; i++) {
			if (c->procs[i] >= above || c->procs[i] < next ||
			    !host_may_have(c, where, i))
				continue;
			n = c->procs[i] > next ? 1 : n + 1;
			next = c->procs[i];
		}
		if (n > best) {
			best = n;
			size = next;
		}
		above = next;
	} while (next > 0);
	return size;
}

/* Return true, with a line for the user, for GPUs that promises cannot count.
 */
static bool is_odd(const struct host_cluster *c,
		   const struct libra_host_request *r,
		   struct libra_host_reply *reply)
{
	bool whole = c->whole_nodes || r->nodes.exclusive;

	if (r->gpu.near && r->gpu.any && !whole)
		host_unacceptable(reply, HOST_GRES_NEAR);
	else if (r->gres.socket && !whole)
		host_unacceptable(reply, HOST_GRES_SOCKET);
	else if (r->gres.task && !r->size.ntasks)
		host_unacceptable(reply, HOST_GRES_TASKS);
	else
		return false;
	return true;
}

/* Convert GPUs per socket to GPUs per whole node.  Slurm then counts CPUs and
 * memory per GPU differently: refuse these.
 */
static bool socket_gres(struct libra_host_request *r,
			struct libra_host_reply *reply)
{
	uint32_t sockets = libra_host_larger(1, r->gres.sockets);
	struct host_gres gres;

	if (!host_gres_only(r->gres.socket, &gres) || r->gres.job ||
	    r->gres.node || r->gres.task || r->gpu.per_task ||
	    r->gres.cpus_per || r->gres.mem_per || gres.count > UINT32_MAX) {
		host_mixed_gres(reply, r);
		return false;
	}
	snprintf(reply->gres_whole, sizeof(reply->gres_whole), "%s:%llu",
		 gres.name, (unsigned long long)gres.count * sockets);
	r->gres.node = reply->gres_whole;
	return true;
}

bool host_resources_expand(const struct host_cluster *c,
			   struct libra_host_request *r,
			   const struct request_size *where,
			   struct libra_host_reply *reply)
{
	const struct libra_host_request asked = *r;
	char gpus[32];

	if (is_odd(c, r, reply))
		return false;
	if (r->gres.socket && !socket_gres(r, reply))
		return false;
	if (r->gres.task && c->whole_nodes &&
	    !host_divide_whole(c, r, where, reply))
		return false;
	if (r->gpu.per_task && r->size.ntasks && !r->gpu.any) {
		snprintf(gpus, sizeof(gpus), "gpu:%u",
			 r->size.ntasks / r->gpu.per_task);
		r->gres.job = gpus;
	}
	if (r->gres.job && !host_divide_job(c, r, where, reply))
		return false;
	if (r->gpu.per_task && !count_gpu_tasks(r, &asked, reply))
		return false;
	if (!count_gpu_cpus(c, r, reply) ||
	    !host_divide_near(c, r, where, reply))
		return false;
	if (r->nodes.exclusive && !c->whole_nodes)
		r->layout.whole_cores = whole_size(c, where);
	return true;
}

/* ---- amounts ---- */

/* Return true if the list has named this resource before, as some or as none.
 * This avoids another check of all nodes.
 */
static bool is_again(const struct host_cluster *c, const struct host_gres *gres,
		     bool seen[2][LIBRA_RESOURCES + 1])
{
	uint32_t at = host_gres_find(c, gres->name);
	bool *mark = &seen[gres->count > 0]
			  [at < c->nresources ? at : LIBRA_RESOURCES];
	bool again = *mark;

	*mark = true;
	return again;
}

/* Return false, with a line for the user, for GPUs that are not counted, or if
 * the type is missing and a node has several.
 */
static bool is_clear(const struct host_cluster *c,
		     const struct request_size *size, const char *list,
		     struct libra_host_reply *reply)
{
	bool seen[2][LIBRA_RESOURCES + 1] = {{false}};
	struct host_gres gres;
	char text[400];

	while (host_gres_next(&list, &gres)) {
		if (is_again(c, &gres, seen))
			continue;
		if (!host_counts_gpus(c, size, &gres)) {
			host_unacceptable(reply, HOST_NO_WHOLE_GPUS);
			return false;
		}
		if (strcmp(gres.kind, gres.name) != 0)
			continue;
		for (uint32_t i = 0; i < c->nnodes; i++) {
			if (!host_may_have(c, size, i) ||
			    !host_gres_mixed(c, i, gres.kind))
				continue;
			snprintf(text, sizeof(text),
				 "name the type of %s, as in "
				 "--gres=%s:TYPE:N: node %s has several",
				 gres.kind, gres.kind, c->names[i]);
			host_unacceptable(reply, text);
			return false;
		}
	}
	return true;
}

/* Return the name of the first resource of a list that no node has, else the
 * whole list.
 */
static const char *missing_of(const struct host_cluster *c, const char *list,
			      struct host_gres *gres)
{
	const char *at = list;

	while (host_gres_next(&at, gres))
		if (gres->count > 0 &&
		    host_gres_find(c, gres->name) == UINT32_MAX)
			return gres->name;
	return list;
}

static bool count_gres(const struct host_cluster *c,
		       const struct request_size *size, const char *list,
		       uint64_t times, uint64_t *amounts,
		       struct libra_host_reply *reply)
{
	struct host_gres gres;

	if (!list)
		return true;
	if (!host_gres_add(c, list, times, amounts)) {
		host_no_gres(reply, missing_of(c, list, &gres));
		return false;
	}
	return is_clear(c, size, list, reply);
}

/* Set the memory per task or per node from the memory per GPU. */
static bool count_gpu_memory(const struct libra_host_request *r,
			     struct request_size *size, uint64_t tasks,
			     struct libra_host_reply *reply)
{
	uint64_t gpus =
		host_gres_gpus(r->gres.task ? r->gres.task : r->gres.node);
	uint64_t per;

	if (!per_gpu(r, r->gres.mem_per, r->gres.def_mem_per_gpu, gpus, &per,
		     reply))
		return false;
	if (per == 0)
		return true;
	size->per_chunk[0] = size->per_node[0] = 0;
	if (r->gres.task)
		size->per_chunk[0] = tasks * gpus * per;
	else
		size->per_node[0] = gpus * per;
	return true;
}

bool host_resources_measure(const struct host_cluster *c,
			    const struct libra_host_request *r,
			    struct request_size *size,
			    struct libra_host_reply *reply)
{
	uint64_t tasks = libra_host_larger(1, r->size.tasks_per_node);

	memset(size->per_chunk, 0, sizeof(size->per_chunk));
	memset(size->per_node, 0, sizeof(size->per_node));
	if (size->hold_per_node == LIBRA_WHOLE_MEMORY)
		size->per_node[0] = LIBRA_ALL;
	else if (size->hold_per_node)
		size->per_node[0] = size->hold_per_node;
	else if (!c->whole_nodes)
		size->per_chunk[0] =
			size->hold_per_cpu * size->chunk * c->cpus_per_proc;
	if (!count_gpu_memory(r, size, tasks, reply))
		return false;
	return count_gres(c, size, r->gres.node, 1, size->per_node, reply) &&
	       count_gres(c, size, r->gres.task, tasks, size->per_chunk, reply);
}

/* Refuse a job that needs more of a resource on one node than any node has that
 * the job may be on.
 * Result: false if no resource decides alone.
 */
static bool refuse_amount(const struct host_cluster *c,
			  const struct request_size *size,
			  struct libra_host_reply *reply)
{
	uint64_t need, most;
	bool memory;

	for (uint32_t i = 0; i < c->nresources; i++) {
		if (size->per_node[i] == LIBRA_ALL)
			continue;
		need = size->per_node[i] + size->per_chunk[i];
		most = host_most_allowed(c, size, i);
		if (need <= most)
			continue;
		memory = i == 0;
		host_reply_text(
			reply,
			"libra: refused (too_large): %llu%s%s on one node: of "
			"the nodes that it may be on none has more than %llu: "
			"ask for less with %s",
			(unsigned long long)need, memory ? " MB of " : " ",
			memory ? "memory" : c->resources[i],
			(unsigned long long)most,
			memory ? "--mem or --mem-per-cpu" : "--gres or --gpus");
		return true;
	}
	return false;
}

bool host_resources_fit(const struct host_cluster *c,
			const struct request_size *size,
			struct libra_host_reply *reply)
{
	uint64_t chunks = 0, most = 0, n;
	uint32_t nodes = 0;
	char on[32] = "";

	for (uint32_t i = 0; i < c->nnodes; i++) {
		n = host_may_have(c, size, i) ? host_chunks_of(c, size, i) : 0;
		chunks += n;
		most = n > most ? n : most;
		nodes += n > 0;
	}
	if (size->max_nodes && chunks > size->max_nodes * most)
		chunks = size->max_nodes * most;
	if (nodes > 0 && nodes >= size->min_nodes &&
	    chunks * size->chunk >= size->nprocs)
		return true;
	if (!c->whole_nodes && size->max_nodes)
		snprintf(on, sizeof(on), " on %u node%s", size->max_nodes,
			 size->max_nodes == 1 ? "" : "s");
	else if (!c->whole_nodes && size->min_nodes > 1)
		snprintf(on, sizeof(on), " on %u nodes", size->min_nodes);
	reply->answer = LIBRA_HOST_REFUSED;
	reply->reason = LIBRA_REASON_TOO_LARGE;
	if (nodes == 0 && refuse_amount(c, size, reply))
		return false;
	host_reply_text(reply,
			"libra: refused (too_large): it needs %u %s%s%s; %u "
			"node%s that it may be on ha%s the processors, memory "
			"and generic resources it asks for, with room for "
			"%llu: ask for less",
			size->nprocs, c->whole_nodes ? "node" : "processor",
			size->nprocs == 1 ? "" : "s", on, nodes,
			nodes == 1 ? "" : "s", nodes == 1 ? "s" : "ve",
			(unsigned long long)(chunks * size->chunk));
	return false;
}
