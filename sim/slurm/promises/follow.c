/* SPDX-License-Identifier: GPL-2.0-or-later */
/* follow.c - the engine of planned, and what runs on the model's nodes. */
#include "sim/slurm/promises/follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/base/rng.h"
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

enum { MAX_PARAMS = 32 };

/* ---- the engine ---- */

double promise_margin_s(const struct sched_model *m, double usual_s)
{
	uint32_t overtime_s = 0;

	for (uint32_t i = 0; i < m->nparts; i++)
		if (m->parts[i].overtime_s > overtime_s)
			overtime_s = m->parts[i].overtime_s;
	return fmax(usual_s, overtime_s + m->params.limit_check_s +
				     m->params.kill_wait_s);
}

static int create_engine(struct sched_promises *p, struct libra_error *err)
{
	const struct sched_model *m = p->m;
	const struct libra_policy_type *policy =
		libra_policy_find("planned", err);
	uint32_t *procs = calloc(m->nnodes + 1, sizeof(*procs));
	uint64_t *has = calloc(m->nnodes + 1, PROMISE_RESOURCES * sizeof(*has));
	double params[MAX_PARAMS];
	struct libra_engine_conf conf = {
		.policy = policy,
		.params = params,
		.node_procs = procs,
		.nnodes = m->nnodes,
		.offer_ttl_s = INFINITY,
		.by_node = true,
		.compress_later = true,
		.nresources = p->request.by_node ? 0 : PROMISE_RESOURCES,
		.node_resources = has,
	};

	for (size_t i = 0; policy && i < policy->nparams && i < MAX_PARAMS;
	     i++) {
		params[i] = libra_policy_cluster_value(policy, i);
		if (strcmp(policy->params[i].name, "margin") == 0)
			params[i] = promise_margin_s(m, params[i]);
		if (strcmp(policy->params[i].name, "firm_age") == 0)
			p->aged.age_s = params[i];
	}
	for (uint32_t i = 0; procs && has && i < m->nnodes; i++) {
		procs[i] = p->first[i + 1] - p->first[i];
		has[PROMISE_RESOURCES * i + PROMISE_MEMORY] =
			m->nodes[i].mem_mb;
		has[PROMISE_RESOURCES * i + PROMISE_GPUS] = m->nodes[i].gpus;
	}
	if (!procs || !has)
		sim_no_memory(err);
	else if (policy)
		p->engine = libra_engine_create(&conf, err);
	free(procs);
	free(has);
	return p->engine ? 0 : -1;
}

/* Return true if every job has its nodes alone, in all of its partitions. */
static bool all_alone(const struct sched_model *m)
{
	for (uint32_t j = 0; j < m->njobs; j++)
		for (uint32_t k = 0; k < m->jobs[j].nparts; k++)
			if (!promise_is_whole(m, &m->jobs[j],
					      m->jobs[j].parts[k]))
				return false;
	return true;
}

struct sched_promises *sched_promises_new(struct sched_model *m, double share,
					  double within,
					  struct sched_ignored_list *unable,
					  struct libra_error *err)
{
	struct sched_promises *p = calloc(1, sizeof(*p));
	uint32_t nprocs = 0;

	if (!p) {
		sim_no_memory(err);
		return NULL;
	}
	p->m = m;
	p->share = share;
	p->within = within;
	p->unable = unable;
	p->later.next_s = INT64_MAX;
	p->family = rng_family(1, "slurm-promises");
	p->called_s = INT64_MIN;
	p->aged.task = SCHED_NONE;
	p->request.by_node = all_alone(m);
	p->first = calloc(m->nnodes + 1, sizeof(*p->first));
	for (uint32_t i = 0; p->first && i < m->nnodes; i++) {
		p->first[i] = nprocs;
		nprocs += p->request.by_node || m->nodes[i].cpus == 0
				  ? 1
				  : m->nodes[i].cpus;
	}
	if (p->first)
		p->first[m->nnodes] = nprocs;
	/* no two ranges of a node are neighbours */
	p->room = nprocs / 2 + m->nnodes + 1;
	p->taken = calloc(LIBRA_BITS_WORDS(nprocs) + 1, sizeof(*p->taken));
	p->seats = calloc(m->ntasks + 1, sizeof(*p->seats));
	p->request.allowed = calloc(m->nnodes + 1, sizeof(*p->request.allowed));
	p->parts = calloc(p->room, sizeof(*p->parts));
	p->amounts = calloc(p->room, PROMISE_RESOURCES * sizeof(*p->amounts));
	p->ranges = calloc(p->room, sizeof(*p->ranges));
	if (!p->first || !p->taken || !p->seats || !p->request.allowed ||
	    !p->parts || !p->amounts || !p->ranges)
		sim_no_memory(err);
	else if (create_engine(p, err) == 0) {
		for (uint32_t i = 0; i < m->nnodes; i++)
			if (!libra_bits_has(m->machine.up, i))
				libra_engine_node(p->engine, i, LIBRA_NODE_DOWN,
						  0);
		return p;
	}
	sched_promises_free(p);
	return NULL;
}

static void drop_seat(struct sched_promises *p, uint32_t task)
{
	struct sched_run *run = p->seats[task].run;

	if (!run)
		return;
	sched_count(p->m, run, -1);
	free(run);
	p->seats[task].run = NULL;
}

void sched_promises_free(struct sched_promises *p)
{
	if (!p)
		return;
	for (uint32_t t = 0; p->seats && t < p->m->ntasks; t++)
		drop_seat(p, t);
	libra_engine_destroy(p->engine);
	free(p->first);
	free(p->taken);
	free(p->seats);
	free(p->request.allowed);
	free(p->parts);
	free(p->amounts);
	free(p->ranges);
	free(p->gone);
	free(p->later.jobs);
	free(p);
}

void sched_promises_cancel(struct sched_promises *p, uint32_t task)
{
	struct seat *seat = p ? &p->seats[task] : NULL;

	if (!p)
		return;
	p->news++;
	if (seat->ticket == 0)
		return;
	p->frees++;
	libra_engine_withdraw(p->engine, seat->ticket, (double)p->m->now_s);
	seat->ticket = 0;
	if (p->aged.task == task)
		p->aged.task = SCHED_NONE;
	drop_seat(p, task);
}

uint32_t promise_procs(const struct sched_promises *p, uint32_t cpus)
{
	return p->request.by_node ? 1 : cpus;
}

struct libra_job promise_job(const struct sched_promises *p, uint32_t at,
			     uint32_t task, uint32_t nprocs)
{
	const struct sched_job *job = &p->m->jobs[at];

	return (struct libra_job){
		.id = (uint64_t)task + 1,
		.submit_s = (double)p->m->now_s,
		.estimate_s = job->limit_s > 0 ? (double)job->limit_s : 1,
		.deadline_s = INFINITY,
		.nprocs = nprocs,
		.user = job->owner.user,
	};
}

/* ---- what runs ---- */

static uint32_t node_of(const struct sched_promises *p, uint32_t proc)
{
	uint32_t low = 0, high = p->m->nnodes;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (p->first[mid] <= proc)
			low = mid;
		else
			high = mid;
	}
	return low;
}

void promise_set_part(struct sched_promises *p, uint32_t n,
		      const struct sched_job *job, uint32_t part, uint32_t node,
		      uint32_t cpus, struct libra_range procs)
{
	uint64_t *amounts = p->amounts + (size_t)n * PROMISE_RESOURCES;

	promise_amounts(p->m, job, part, node, cpus, amounts);
	p->parts[n] = (struct libra_part){
		.procs = procs,
		.est_left_s = job->limit_s > 0 ? (double)job->limit_s : 1,
		.resources = amounts,
	};
}

/* Take free processors of a node for a run.  Result: the number of parts. */
static uint32_t take_procs(struct sched_promises *p, uint32_t n,
			   const struct sched_run *run, uint32_t node,
			   uint32_t cpus)
{
	const struct sched_job *job = &p->m->jobs[run->job];
	uint32_t end = p->first[node + 1], left = promise_procs(p, cpus);
	uint32_t at = p->first[node];

	while (left > 0) {
		uint32_t to;

		at = libra_bits_next_not(p->taken, at, end);
		if (at >= end)
			break;
		to = libra_bits_next(p->taken, at, end);
		if (to - at > left)
			to = at + left;
		libra_bits_fill(p->taken, at, to);
		promise_set_part(p, n++, job, run->part, node, cpus,
				 (struct libra_range){at, to - at});
		left -= to - at;
		at = to;
	}
	return n;
}

static int by_first(const void *a, const void *b)
{
	const struct libra_part *x = a, *y = b;

	return x->procs.first < y->procs.first
		       ? -1
		       : x->procs.first > y->procs.first;
}

/* Enter a run that Slurm's order began. */
static void enter(struct sched_promises *p, const struct sched_run *run)
{
	struct sched_model *m = p->m;
	uint32_t n = 0, nprocs = 0;
	struct libra_job job;

	for (uint32_t i = 0; i < run->nnodes; i++) {
		n = take_procs(p, n, run, run->node[i], run->cpus[i]);
		nprocs += promise_procs(p, run->cpus[i]);
	}
	qsort(p->parts, n, sizeof(*p->parts), by_first);
	job = promise_job(p, run->job, run->task, nprocs);
	if (libra_engine_restore(p->engine, &job, p->parts, n, true,
				 (double)m->now_s, &p->seats[run->task].ticket,
				 NULL) < 0)
		m->failed = true;
}

void sched_promises_started(struct sched_promises *p,
			    const struct sched_run *run)
{
	if (!p)
		return;
	p->news++;
	if (p->aged.task == run->task && !p->aged.begins)
		sched_promises_cancel(p, run->task);
	if (p->seats[run->task].ticket == 0) {
		enter(p, run);
		return;
	}
	libra_engine_started(p->engine, p->seats[run->task].ticket,
			     (double)p->m->now_s);
	drop_seat(p, run->task);
}

/* Read where a task is.  Result: the number of ranges. */
static size_t read_ranges(struct sched_promises *p, uint32_t task)
{
	int64_t n = libra_engine_placement(p->engine, p->seats[task].ticket,
					   p->ranges, p->room);

	return n > 0 && (size_t)n <= p->room ? (size_t)n : 0;
}

void promise_give_back(struct sched_promises *p, uint32_t task)
{
	size_t n = read_ranges(p, task);

	for (size_t i = 0; i < n; i++)
		libra_bits_clear(p->taken, p->ranges[i].first,
				 p->ranges[i].first + p->ranges[i].count);
}

void sched_promises_ended(struct sched_promises *p, const struct sched_run *run,
			  int64_t at_s)
{
	struct seat *seat = p ? &p->seats[run->task] : NULL;

	if (!p)
		return;
	p->news++;
	p->frees++;
	promise_give_back(p, run->task);
	libra_engine_departed(p->engine, seat->ticket, (double)at_s);
	seat->ticket = 0;
}

void promise_set_place(struct sched_promises *p, uint32_t task)
{
	struct sched_model *m = p->m;
	struct sched_place *place = &m->buffers->place;
	size_t n = read_ranges(p, task);

	place->n = 0;
	memset(place->set, 0, m->words * sizeof(*place->set));
	for (size_t i = 0; i < n; i++) {
		uint32_t at = p->ranges[i].first;
		uint32_t end = at + p->ranges[i].count;

		libra_bits_fill(p->taken, at, end);
		while (at < end) {
			uint32_t node = node_of(p, at);
			uint32_t to = p->first[node + 1];

			to = to < end ? to : end;
			if (!libra_bits_has(place->set, node)) {
				libra_bits_put(place->set, node);
				place->node[place->n] = node;
				place->cpus[place->n++] = 0;
			}
			place->cpus[place->n - 1] +=
				p->request.by_node ? m->nodes[node].cpus
						   : to - at;
			at = to;
		}
	}
}
