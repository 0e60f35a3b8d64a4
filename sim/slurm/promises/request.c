/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.c - a job of the model as a question to the engine. */
#include <string.h>

#include "sim/slurm/promises/request.h"
#include "sim/slurm/sched/passes.h"

enum { ANY_NODES = 500000 }; /* the most of sched_node_counts() */

static uint32_t at_least(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t parts_of(uint32_t n, uint32_t each)
{
	return (n + each - 1) / each;
}

bool promise_is_whole(const struct sched_model *m, const struct sched_job *job,
		      uint32_t part)
{
	return job->req.whole || m->parts[part].exclusive;
}

/* Return true if an empty node has the memory of one CPU, or of all of them if
 * the job has it alone.
 */
static bool has_memory(const struct sched_model *m,
		       const struct sched_request *req,
		       const struct sched_node *node, bool whole)
{
	uint64_t cpus = whole ? node->cpus : 1;

	return !m->params.count_memory ||
	       (req->mem_per_cpu ? req->mem_mb * cpus : req->mem_mb) <=
		       node->mem_mb;
}

/* Return true if the job may have a node of so many CPUs (0: of any number). */
static bool suits(const struct sched_model *m, const struct sched_job *job,
		  uint32_t part, uint32_t node, uint32_t cpus)
{
	const struct sched_request *req = &job->req;
	const struct sched_node *n = &m->nodes[node];

	return libra_bits_has(m->parts[part].nodes, node) &&
	       libra_bits_has(m->machine.up, node) && n->cpus > 0 &&
	       !(req->required && !libra_bits_has(req->required, node)) &&
	       !(req->excluded && libra_bits_has(req->excluded, node)) &&
	       (cpus == 0 || n->cpus == cpus) && n->gpus >= req->gpus_node &&
	       has_memory(m, req, n, promise_is_whole(m, job, part));
}

/* Return the number of CPUs that most suitable nodes have. */
static uint32_t usual_cpus(const struct sched_model *m,
			   const struct sched_job *job, uint32_t part)
{
	uint32_t size[16], n[16], sizes = 0, best = 0, k;

	for (uint32_t i = 0; i < m->nnodes; i++) {
		if (!suits(m, job, part, i, 0))
			continue;
		for (k = 0; k < sizes && size[k] != m->nodes[i].cpus; k++)
			;
		if (k == sizeof(size) / sizeof(*size))
			continue;
		if (k == sizes) {
			size[sizes] = m->nodes[i].cpus;
			n[sizes++] = 0;
		}
		n[k]++;
	}
	for (k = 1; k < sizes; k++)
		if (n[k] > n[best])
			best = k;
	return sizes ? size[best] : 0;
}

static void allow(const struct sched_model *m, const struct sched_job *job,
		  const uint32_t *first, uint32_t cpus,
		  struct promise_request *r)
{
	struct libra_range *last = NULL;

	r->where.allowed = r->allowed;
	for (uint32_t i = 0; i < m->nnodes; i++) {
		uint32_t count = first[i + 1] - first[i];

		if (!suits(m, job, r->part, i, cpus))
			continue;
		if (last && last->first + last->count == first[i]) {
			last->count += count;
			continue;
		}
		last = &r->allowed[r->where.nallowed++];
		*last = (struct libra_range){first[i], count};
	}
}

/* Set tasks and nodes; cpus: those of a node that the job has alone, or 0.
 * Result: false if it would need more nodes than it may have.
 */
static bool set_size(const struct sched_job *job, const struct sched_ask *ask,
		     uint32_t cpus, struct promise_request *r)
{
	const struct sched_request *req = &job->req;
	uint32_t each = at_least(req->cpus_per_task, 1);
	uint32_t tasks = req->tasks_per_node, n = ask->min_nodes;

	r->where.chunk = cpus ? cpus : each * at_least(tasks, 1);
	r->where.node_max = cpus || tasks ? r->where.chunk : 0;
	if (tasks && req->ntasks)
		n = at_least(n, parts_of(req->ntasks, tasks));
	r->nodes = n;
	n = at_least(n, parts_of(req->min_cpus, r->where.chunk));
	r->cpus = r->nprocs = n * r->where.chunk;
	if (r->where.node_max) {
		r->nodes = n;
		r->where.min_nodes = r->where.max_nodes = n;
		if (r->by_node) {
			r->where.chunk = r->where.node_max = 1;
			r->nprocs = n;
		}
		return n <= ask->max_nodes;
	}
	r->where.min_nodes = r->nodes;
	r->where.max_nodes = ask->max_nodes < ANY_NODES ? ask->max_nodes : 0;
	return true;
}

const char *promise_bar(const struct sched_job *job)
{
	if (job->req.unpromised)
		return job->req.unpromised;
	if (job->nparts > 1)
		return "several partitions";
	if (job->tasks.throttle > 0)
		return "array with %n";
	return job->tasks.total > PROMISE_TASKS ? "array of over 1000 tasks"
						: NULL;
}

bool promise_asks_later(const struct sched_job *job)
{
	return job->depends.n > 0 || job->held ||
	       job->times.begin_s > job->times.submit_s;
}

uint32_t promise_part(const struct sched_model *m, const struct sched_job *job)
{
	for (uint32_t p = 0; p < job->nparts; p++)
		if (sched_closed(m, job, job->parts[p]) == SCHED_REASON_NONE)
			return job->parts[p];
	return SCHED_NONE;
}

/* Return the number of nodes that a job names and thus needs, or 0 if it asks
 * for another number.
 */
static uint32_t count_named(const struct sched_model *m,
			    const struct sched_request *req, uint32_t part)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->nnodes; i++)
		n += libra_bits_has(req->required, i) &&
		     libra_bits_has(m->parts[part].nodes, i);
	return req->min_nodes == n &&
			       (req->max_nodes == 0 || req->max_nodes >= n)
		       ? n
		       : 0;
}

const char *promise_request(const struct sched_model *m,
			    const struct sched_job *job, const uint32_t *first,
			    struct promise_request *r)
{
	const struct sched_request *req = &job->req;
	bool memory = m->params.count_memory;
	struct sched_ask ask;
	uint32_t cpus = 0, named = 0;

	memset(&r->where, 0, sizeof(r->where));
	memset(r->per_chunk, 0, sizeof(r->per_chunk));
	memset(r->per_node, 0, sizeof(r->per_node));
	r->part = promise_part(m, job);
	if (r->part == SCHED_NONE)
		return "closed partition";
	if (req->required)
		named = count_named(m, req, r->part);
	if (req->required && named == 0)
		return "nodelist unlike nodes";
	if (sched_node_counts(m, job, r->part, &ask) != SCHED_STARTED)
		return "more nodes than allowed";
	if (named > 0)
		ask.max_nodes = named;
	if (promise_is_whole(m, job, r->part)) {
		cpus = usual_cpus(m, job, r->part);
		if (cpus == 0)
			return "no such nodes";
	}
	allow(m, job, first, cpus, r);
	if (r->where.nallowed == 0 || !set_size(job, &ask, cpus, r))
		return "no such nodes";
	if (memory && req->mem_per_cpu)
		r->per_chunk[PROMISE_MEMORY] = req->mem_mb * r->where.chunk;
	else if (memory)
		r->per_node[PROMISE_MEMORY] = req->mem_mb;
	r->per_node[PROMISE_GPUS] = cpus ? LIBRA_ALL : req->gpus_node;
	r->where.per_chunk = r->per_chunk;
	r->where.per_node = r->per_node;
	return NULL;
}

void promise_amounts(const struct sched_model *m, const struct sched_job *job,
		     uint32_t part, uint32_t node, uint32_t cpus,
		     uint64_t amounts[PROMISE_RESOURCES])
{
	const struct sched_request *req = &job->req;

	amounts[PROMISE_MEMORY] = !m->params.count_memory ? 0
				  : req->mem_per_cpu	  ? req->mem_mb * cpus
							  : req->mem_mb;
	amounts[PROMISE_GPUS] = promise_is_whole(m, job, part)
					? m->nodes[node].gpus
					: req->gpus_node;
}
