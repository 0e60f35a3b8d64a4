/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sizing.c - see sizing.h.
 */
#include <math.h>
#include <stdio.h>

#include "plugin/request/messages.h"
#include "plugin/request/sizing.h"
#include "plugin/base/units.h"
#include "plugin/engine/gres.h"
#include "plugin/request/whole_nodes.h"

/* Return the CPUs of a core that a request uses. */
static uint32_t cpus_of_core(const struct host_cluster *cluster,
			     const struct libra_host_request *r)
{
	uint32_t per = cluster->cpus_per_proc;

	return r->size.threads_per_core && r->size.threads_per_core < per
		       ? r->size.threads_per_core
		       : per;
}

/* Return the tasks; with a number per node, each node has that number. */
static uint32_t tasks_of(const struct libra_host_request *r)
{
	uint32_t each = libra_host_larger(1, r->size.tasks_per_node);
	uint32_t n =
		libra_host_larger(1, libra_host_times(r->size.min_nodes, each));

	return libra_host_times(
		libra_host_ceil(libra_host_larger(n, r->size.ntasks), each),
		each);
}

/* Make Slurm count as many tasks and CPUs as are promised. */
static void round_up(struct libra_host_request *r, uint32_t per,
		     struct libra_host_reply *reply)
{
	uint32_t tasks = tasks_of(r), cpus = r->size.cpus_per_task;

	if (r->size.ntasks && tasks > r->size.ntasks) {
		reply->ntasks = tasks;
		host_reply_text(
			reply,
			"libra: %u tasks are counted instead of %u: %u on each "
			"node",
			tasks, r->size.ntasks,
			libra_host_larger(1, r->size.tasks_per_node));
	}
	if (cpus > 1 && tasks > 1 && cpus % per != 0) {
		r->size.cpus_per_task =
			libra_host_times(libra_host_ceil(cpus, per), per);
		reply->cpus_per_task = r->size.cpus_per_task;
		host_reply_text(
			reply,
			"libra: %u CPUs per task are counted instead of %u: "
			"each task has whole cores, of %u CPUs",
			r->size.cpus_per_task, cpus, per);
	}
	if (!reply->ntasks && !reply->cpus_per_task)
		return;
	r->size.ncpus = libra_host_times(tasks, r->size.cpus_per_task);
	reply->ncpus = r->size.ncpus;
}

/* Measure a request for equal nodes, with so many cores of each. */
static bool measure_nodes(const struct host_cluster *cluster,
			  const struct libra_host_request *r,
			  const struct host_partition *partition,
			  struct request_size *s,
			  struct libra_host_reply *reply)
{
	uint32_t per = cpus_of_core(cluster, r), n = r->size.min_nodes;
	uint32_t cores = libra_host_larger(r->layout.whole_cores,
					   libra_host_ceil(r->gpu.cpus, per));
	char text[200];

	n = libra_host_larger(1, n);
	if (r->layout.whole_cores) {
		n = libra_host_larger(
			n, libra_host_ceil(r->size.ncpus, per * cores));
		if (cluster->task_per_core || r->size.task_per_core)
			n = libra_host_larger(
				n, libra_host_ceil(r->size.ntasks, cores));
	}
	if (r->size.tasks_per_node)
		n = libra_host_larger(n,
				      libra_host_ceil(r->size.ntasks,
						      r->size.tasks_per_node));
	if (r->size.max_nodes && n > r->size.max_nodes) {
		snprintf(text, sizeof(text),
			 "it needs %u whole nodes of %u cores, and --nodes "
			 "permits %u: give more --nodes or fewer --ntasks",
			 n, cores, r->size.max_nodes);
		host_unacceptable(reply, text);
		return false;
	}
	*s = (struct request_size){
		.partition = partition,
		.chunk = cores,
		.node_max = cores,
		.min_nodes = n,
		.max_nodes = n,
		.nprocs = libra_host_times(n, cores),
		.hold_per_cpu = r->mem.hold_per_cpu,
		.hold_per_node = r->mem.hold_per_node,
	};
	reply->nodes = n;
	if (r->gpu.cpus)
		reply->ncpus = libra_host_larger(
			r->size.ncpus, libra_host_times(n, r->gpu.cpus));
	return true;
}

bool host_measure(const struct host_cluster *cluster,
		  struct libra_host_request *r,
		  const struct host_partition *partition,
		  struct request_size *s, struct libra_host_reply *reply)
{
	uint32_t per = cpus_of_core(cluster, r), tasks = tasks_of(r), n;
	uint32_t each = r->size.tasks_per_node;
	bool alone = cluster->task_per_core || r->size.task_per_core;

	if (cluster->plans && cluster->whole_nodes)
		return host_whole_measure(cluster, r, partition, s, reply);
	r->size.cpus_per_task = libra_host_larger(1, r->size.cpus_per_task);
	if (r->layout.whole_cores || r->gpu.cpus)
		return measure_nodes(cluster, r, partition, s, reply);
	round_up(r, per, reply);
	alone = alone || r->size.cpus_per_task > 1;
	*s = (struct request_size){
		.partition = partition,
		.chunk = libra_host_ceil(r->size.cpus_per_task, per),
		.min_nodes = r->size.min_nodes,
		.max_nodes = r->size.max_nodes,
		.hold_per_cpu = r->mem.hold_per_cpu,
		.hold_per_node = r->mem.hold_per_node,
	};
	n = libra_host_times(tasks, s->chunk);
	if (each) { /* all tasks of a node */
		s->chunk = alone ? libra_host_times(each, s->chunk)
				 : libra_host_ceil(each, per);
		s->node_max = s->chunk;
		n = libra_host_times(tasks / each, s->chunk);
	} else if (!alone) {
		n = libra_host_larger(libra_host_ceil(tasks, per),
				      s->min_nodes);
	}
	s->nprocs = libra_host_larger(n, libra_host_ceil(r->size.ncpus, per));
	if (s->nprocs >
	    UINT32_MAX - s->chunk) /* too large anyway; keep whole tasks */
		s->nprocs -= s->nprocs % s->chunk;
	if (s->nprocs % s->chunk == 0)
		return true;
	reply->answer = LIBRA_HOST_UNACCEPTABLE;
	host_reply_text(
		reply,
		"libra: %u CPUs cannot be divided into tasks of %u CPUs: give "
		"another --ntasks or --cpus-per-task",
		r->size.ncpus, r->size.cpus_per_task);
	return false;
}

static bool has_node(const struct host_cluster *cluster,
		     const struct host_partition *partition, uint32_t node)
{
	uint32_t first = cluster->first[node];

	if (!partition || !partition->allowed)
		return true;
	for (uint32_t i = 0; i < partition->nallowed; i++)
		if (first >= partition->allowed[i].first &&
		    first - partition->allowed[i].first <
			    partition->allowed[i].count)
			return true;
	return false;
}

/* The capacity of a partition for tasks of a size. */
struct room {
	uint32_t nnodes, nprocs; /* with capacity for one task */
	uint32_t largest;	 /* node's processors */
};

static struct room room_for(const struct host_cluster *cluster,
			    const struct request_size *size)
{
	struct room room = {0};

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		uint32_t n = cluster->procs[i];

		if (!has_node(cluster, size->partition, i))
			continue;
		room.largest = libra_host_larger(room.largest, n);
		if (size->node_max && n > size->node_max)
			n = size->node_max;
		room.nnodes += n >= size->chunk;
		room.nprocs += n - n % size->chunk;
	}
	return room;
}

bool host_can_fit(const struct host_cluster *cluster,
		  const struct request_size *size,
		  struct libra_host_reply *reply)
{
	struct room room = room_for(cluster, size);

	if (room.nnodes >= size->min_nodes && room.nnodes > 0 &&
	    room.nprocs >= size->nprocs)
		return true;
	reply->answer = LIBRA_HOST_REFUSED;
	reply->reason = LIBRA_REASON_TOO_LARGE;
	if (room.largest < size->chunk)
		host_reply_text(reply,
				"libra: refused (too_large): %u processors on "
				"one node: no node has more than %u: give a "
				"task fewer CPUs",
				size->chunk, room.largest);
	else if (room.nnodes < size->min_nodes)
		host_reply_text(reply,
				"libra: refused (too_large): %u nodes: the "
				"partition has %u that are large enough: ask "
				"for fewer",
				size->min_nodes, room.nnodes);
	else
		host_reply_text(reply,
				"libra: refused (too_large): %u processors: "
				"there are %u processors for such tasks: ask "
				"for fewer",
				size->nprocs, room.nprocs);
	return false;
}

bool host_fits_max_time(const struct host_cluster *c,
			const struct host_partition *partition,
			double estimate_s, double deadline_s, double now_s,
			struct libra_host_reply *reply)
{
	double run_s = c->plans ? estimate_s : deadline_s - now_s;

	if (!partition || !isfinite(deadline_s) ||
	    !(run_s > libra_host_minutes_s(partition->max_minutes)))
		return true;
	host_over_max_time(reply, partition->name, partition->max_minutes,
			   c->plans);
	return false;
}

uint32_t host_limit_minutes(const struct libra_job *job,
			    const struct host_partition *partition,
			    double grace_s, double now_s)
{
	uint32_t minutes = UINT32_MAX; /* INFINITE */

	if (isnan(grace_s))
		minutes = libra_host_minutes(job->estimate_s);
	else if (isfinite(grace_s) && isfinite(job->deadline_s))
		minutes = libra_host_minutes(job->deadline_s - now_s + grace_s);
	if (partition && partition->max_minutes < minutes)
		minutes = partition->max_minutes;
	return minutes;
}

bool host_know_estimate(struct libra_host_request *r, uint32_t limit,
			double user_estimate_s, struct libra_host_reply *reply)
{
	double counted_s = libra_host_counted_s(limit, r->times.minutes);
	char text[256];

	if (isnan(r->times.estimate_s) || !isnan(r->times.deadline_s) ||
	    !r->times.minutes)
		return true;
	if (!isnan(counted_s)) {
		r->times.estimate_s = user_estimate_s + counted_s;
		return true;
	}
	/* If the limit is not lifted, both readings are the same. */
	if (limit == 0 || limit == UINT32_MAX ||
	    limit == libra_host_minutes(user_estimate_s) ||
	    60.0 * r->times.minutes <= 60.0 * limit - user_estimate_s)
		return true;
	snprintf(text, sizeof(text),
		 "TimeLimit=+N and -N count from the lifted limit of %u "
		 "minutes, not from the estimate of %.0f: give the whole "
		 "estimate; with Deadline= in the same update, if it is so "
		 "near to the limit",
		 limit, ceil(user_estimate_s / 60));
	host_unacceptable(reply, text);
	return false;
}

/* If a request has more memory per CPU than Slurm permits, Slurm adds CPUs, per
 * task or, without tasks, in all.
 */
static void count_memory(struct libra_host_request *r, uint64_t most)
{
	uint32_t times;

	if (!most || r->mem.per_cpu <= most)
		return;
	times = (uint32_t)fmin(UINT32_MAX,
			       ceil((double)r->mem.per_cpu / (double)most));
	r->size.cpus_per_task = libra_host_times(
		libra_host_larger(1, r->size.cpus_per_task), times);
	r->size.ncpus =
		libra_host_times(libra_host_larger(1, r->size.ncpus), times);
	r->mem.per_cpu = (r->mem.per_cpu + times - 1) / times;
}

/* Set the default CPUs and memory per GPU, unless they are requested. */
static void count_gpus(struct libra_host_request *r,
		       const struct libra_host_rules *rules)
{
	if (!r->cpus_asked)
		r->gres.def_cpus_per_gpu = rules->def_cpus_per_gpu;
	if (!r->mem.per_cpu && !r->mem.per_node && !r->mem.whole)
		r->gres.def_mem_per_gpu = rules->def_mem_per_gpu;
	r->gpu.socket_cores = rules->socket_cores;
}

/* Set the memory that Slurm will allocate: without a request and a default, all
 * of each node.
 */
static void hold_memory(struct libra_host_request *r,
			const struct libra_host_rules *rules)
{
	bool asks = r->mem.per_cpu || r->mem.per_node || r->mem.whole;

	if (!rules->memory)
		return;
	r->mem.hold_per_cpu = asks ? r->mem.per_cpu : rules->def_per_cpu;
	r->mem.hold_per_node = asks ? r->mem.per_node : rules->def_per_node;
	if (r->mem.hold_per_cpu == 0 && r->mem.hold_per_node == 0)
		r->mem.hold_per_node = LIBRA_WHOLE_MEMORY;
}

void host_count_rules(struct libra_host_request *r,
		      const struct libra_host_rules *rules)
{
	count_memory(r, rules->mem_per_cpu);
	count_gpus(r, rules);
	hold_memory(r, rules);
}

void host_take_limits(struct libra_host_request *r,
		      const struct libra_host_rules *rules)
{
	r->limits = rules->limits;
	if (rules->max_nodes &&
	    (r->size.max_nodes == 0 || rules->max_nodes < r->size.max_nodes))
		r->size.max_nodes = rules->max_nodes;
}

void host_take_rules(struct libra_host_request *r,
		     const struct libra_host_rules *rules)
{
	r->bounds.denial = rules->denial;
	r->bounds.constrained = rules->constrained;
	r->bounds.no_account = rules->no_account;
	r->bounds.no_license = rules->no_license;
	if (!r->uncounted)
		r->uncounted = rules->uncounted;
	host_take_limits(r, rules);
}

void host_report_memory(const struct libra_host_request *asked,
			const struct libra_host_request *counted,
			struct libra_host_reply *reply)
{
	if (asked->mem.per_cpu == counted->mem.per_cpu)
		return;
	reply->mem_per_cpu = counted->mem.per_cpu;
	if (!reply->ncpus)
		reply->ncpus = counted->size.ncpus;
	if (!reply->cpus_per_task)
		reply->cpus_per_task = counted->size.cpus_per_task;
	host_reply_text(
		reply,
		"libra: %u CPUs are counted instead of %u: --mem-per-cpu is "
		"above this cluster's MaxMemPerCPU",
		reply->ncpus, asked->size.ncpus);
}

void host_sum_gpus(struct libra_host_request *r)
{
	uint64_t nodes = libra_host_larger(1, r->size.min_nodes);

	r->gpu.per_node = host_gres_gpus(r->gres.node) +
			  host_gres_gpus(r->gres.socket) *
				  libra_host_larger(1, r->gres.sockets);
	r->gpu.all = r->gpu.per_node * nodes +
		     host_gres_gpus(r->gres.task) *
			     libra_host_larger(1, r->size.ntasks);
	if (r->gres.job)
		r->gpu.all = host_gres_gpus(r->gres.job);
	else if (r->gpu.all == 0 && r->gpu.per_task)
		r->gpu.all = r->size.ntasks / r->gpu.per_task;
}
