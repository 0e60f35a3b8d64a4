/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises.c - promises beside Slurm's own order. */
#include "sim/slurm/promises/promises.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "sim/base/memory.h"
#include "sim/base/rng.h"
#include "sim/slurm/promises/request.h"
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

enum {
	KILL_WAIT_S = 30, /* that the margin of slurmctld's defaults covers */
	MAX_PARAMS = 32,
	COMPRESS_STEPS = 5000, /* as slurmctld's plugin */
};

/* A task that has processors or a promise. */
struct seat {
	uint64_t ticket;       /* 0: none */
	struct sched_run *run; /* that counts until the promised one begins */
};

struct sched_promises {
	struct sched_model *m;
	struct libra_engine *engine;
	double share, within;
	uint64_t family;    /* of the draws */
	uint32_t *first;    /* processor of each node, and of one more */
	uint64_t *taken;    /* set of processors */
	struct seat *seats; /* of each task */
	struct promise_request request;
	struct libra_part *parts;
	uint64_t *amounts; /* of each part */
	struct libra_range *ranges;
	size_t room; /* of parts and ranges */
	uint64_t *gone;
	uint32_t gone_cap;
	int64_t called_s;
	uint64_t moves;
};

/* ---- the engine ---- */

static int create_engine(struct sched_promises *p, struct libra_error *err)
{
	const struct sched_model *m = p->m;
	const struct libra_policy_type *policy =
		libra_policy_find("planned", err);
	uint32_t *procs = calloc(m->nnodes + 1, sizeof(*procs));
	uint64_t *has = calloc(m->nnodes + 1, PROMISE_RESOURCES * sizeof(*has));
	double params[MAX_PARAMS], late_s = m->params.overtime_s;
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

	if (m->params.kill_wait_s > KILL_WAIT_S)
		late_s += m->params.kill_wait_s - KILL_WAIT_S;
	for (size_t i = 0; policy && i < policy->nparams && i < MAX_PARAMS;
	     i++) {
		params[i] = libra_policy_cluster_value(policy, i);
		if (strcmp(policy->params[i].name, "margin") == 0)
			params[i] += late_s;
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
	p->family = rng_family(1, "slurm-promises");
	p->called_s = INT64_MIN;
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
	free(p);
}

/* Return the processors that stand for CPUs of a node. */
static uint32_t procs_of(const struct sched_promises *p, uint32_t cpus)
{
	return p->request.by_node ? 1 : cpus;
}

/* What waits may start where a plan has moved. */
static void see_moves(struct sched_promises *p)
{
	uint64_t moves = libra_engine_plan_moves(p->engine);

	p->m->changes += moves != p->moves;
	p->moves = moves;
}

static struct libra_job as_job(const struct sched_promises *p, uint32_t at,
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

/* ---- who asks, and the answer ---- */

static bool asks(const struct sched_promises *p, const struct sched_job *job)
{
	struct rng_stream stream;

	rng_stream_begin(&stream, p->family, job->id);
	return rng_uniform(&stream) < p->share;
}

/* Return true if limits leave room for the job beside what runs or is
 * promised; tres is what it would hold.
 */
static bool has_room(struct sched_promises *p, struct sched_job *job,
		     uint64_t tres[SCHED_NTRES])
{
	const struct promise_request *r = &p->request;
	uint32_t was = job->tested_cpus;

	if (sched_limits_before(p->m, job, r->part) != SCHED_REASON_NONE)
		return false;
	job->tested_cpus = r->cpus;
	sched_tres_of(p->m, job, r->part, NULL, tres);
	tres[SCHED_NODE] = r->nodes;
	if (sched_limits_after(p->m, job, r->part, tres) == SCHED_REASON_NONE)
		return true;
	job->tested_cpus = was;
	return false;
}

static bool take_seat(struct sched_promises *p, uint32_t at, uint64_t ticket,
		      const uint64_t tres[SCHED_NTRES])
{
	struct sched_job *job = &p->m->jobs[at];
	struct seat *seat = &p->seats[job->tasks.next];
	struct sched_run *run = calloc(1, sizeof(*run));

	if (!run) {
		p->m->failed = true;
		return false;
	}
	run->job = at;
	run->task = job->tasks.next;
	run->part = p->request.part;
	run->qos = job->owner.qos;
	/* so long it may need the minutes of its limit */
	run->end_s = p->m->tasks[run->task].deadline_s;
	memcpy(run->tres, tres, sizeof(run->tres));
	sched_count(p->m, run, 1);
	seat->ticket = ticket;
	seat->run = run;
	job->promised = true;
	return true;
}

static bool offer(struct sched_promises *p, uint32_t at)
{
	struct sched_model *m = p->m;
	struct sched_job *job = &m->jobs[at];
	uint32_t task = job->tasks.next;
	uint64_t tres[SCHED_NTRES];
	struct libra_verdict verdict;
	struct libra_job asked;

	if (!has_room(p, job, tres))
		return false;
	asked = as_job(p, at, task, p->request.nprocs);
	asked.deadline_s = (double)m->tasks[task].deadline_s;
	asked.where = &p->request.where;
	if (libra_engine_offer(p->engine, &asked, (double)m->now_s, &verdict,
			       NULL) < 0) {
		m->failed = m->failed || errno == ENOMEM;
		return false;
	}
	see_moves(p);
	if (verdict.answer != LIBRA_ACCEPT)
		return false;
	if (verdict.late_s > 0 || !take_seat(p, at, verdict.ticket, tres)) {
		libra_engine_withdraw(p->engine, verdict.ticket,
				      (double)m->now_s);
		return false;
	}
	libra_engine_commit(p->engine, verdict.ticket, asked.id,
			    (double)m->now_s);
	return true;
}

bool sched_promises_offer(struct sched_promises *p, uint32_t at)
{
	struct sched_job *job = p ? &p->m->jobs[at] : NULL;
	struct sched_task *tasks;

	if (!p || !asks(p, job))
		return false;
	tasks = &p->m->tasks[job->tasks.first];
	if (!promise_request(p->m, job, p->first, &p->request)) {
		for (uint32_t t = 0; t < job->tasks.total; t++)
			tasks[t].promise = SCHED_PROMISE_UNABLE;
		return false;
	}
	tasks->deadline_s = job->times.submit_s +
			    (int64_t)(p->within * (double)job->limit_s);
	tasks->promise =
		offer(p, at) ? SCHED_PROMISE_GIVEN : SCHED_PROMISE_REFUSED;
	return job->promised;
}

void sched_promises_cancel(struct sched_promises *p, uint32_t task)
{
	struct seat *seat = p ? &p->seats[task] : NULL;

	if (!p || seat->ticket == 0)
		return;
	libra_engine_withdraw(p->engine, seat->ticket, (double)p->m->now_s);
	seat->ticket = 0;
	drop_seat(p, task);
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

/* Write a part of a run; n is its number. */
static void set_part(struct sched_promises *p, uint32_t n,
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
	uint32_t end = p->first[node + 1], left = procs_of(p, cpus);
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
		set_part(p, n++, job, run->part, node, cpus,
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
		nprocs += procs_of(p, run->cpus[i]);
	}
	qsort(p->parts, n, sizeof(*p->parts), by_first);
	job = as_job(p, run->job, run->task, nprocs);
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
	if (!p->m->jobs[run->job].promised) {
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

void sched_promises_ended(struct sched_promises *p, const struct sched_run *run,
			  int64_t at_s)
{
	struct seat *seat = p ? &p->seats[run->task] : NULL;
	size_t n;

	if (!p)
		return;
	n = read_ranges(p, run->task);
	for (size_t i = 0; i < n; i++)
		libra_bits_clear(p->taken, p->ranges[i].first,
				 p->ranges[i].first + p->ranges[i].count);
	libra_engine_departed(p->engine, seat->ticket, (double)at_s);
	seat->ticket = 0;
}

/* ---- planned starts ---- */

/* Set b->place to the processors of a task. */
static void set_place(struct sched_promises *p, uint32_t task)
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

static void start_task(struct sched_promises *p, uint32_t task)
{
	struct sched_model *m = p->m;
	uint32_t at = m->tasks[task].job;

	set_place(p, task);
	sched_begin(m, at, p->seats[task].run->part, SCHED_PROMISE);
}

void sched_promises_start(struct sched_promises *p)
{
	struct libra_action action;
	double now_s;

	if (!p)
		return;
	now_s = (double)p->m->now_s;
	p->called_s = p->m->now_s;
	libra_engine_schedule(p->engine, now_s);
	while (libra_engine_compress(p->engine, now_s, COMPRESS_STEPS))
		;
	/* what has moved to this instant starts, too */
	libra_engine_schedule(p->engine, now_s);
	while (!p->m->failed && libra_engine_next_action(p->engine, &action))
		if (action.kind == LIBRA_ACTION_START)
			start_task(p, (uint32_t)(action.job_id - 1));
	see_moves(p);
}

int64_t sched_promises_next_s(const struct sched_promises *p)
{
	double next_s =
		p ? ceil(libra_engine_next_event_s(p->engine)) : INFINITY;

	if (!(next_s < 1e15))
		return INT64_MAX;
	return next_s > (double)p->called_s ? (int64_t)next_s : p->called_s + 1;
}

/* ---- ordinary starts ---- */

/* List the victims that the choice needs, of the first ngone.
 * Result: their number; *grace_s: how long the last of them goes on.
 */
static uint32_t list_gone(struct sched_promises *p, uint32_t ngone,
			  double *grace_s)
{
	struct sched_model *m = p->m;
	const struct sched_buffers *b = m->buffers;
	size_t cap = p->gone_cap;
	uint64_t *bigger =
		sim_grown(p->gone, &cap, ngone + 1, sizeof(*p->gone));
	uint32_t n = 0;

	*grace_s = 0;
	if (!bigger) {
		m->failed = true;
		return 0;
	}
	p->gone = bigger;
	p->gone_cap = (uint32_t)cap;
	for (uint32_t v = 0; v < ngone && v < b->nvictims; v++) {
		const struct sched_run *run = b->victims[v];

		if (!sched_run_touches(run, b->place.set))
			continue;
		p->gone[n++] = p->seats[run->task].ticket;
		*grace_s = fmax(*grace_s, sched_grace_s(m, run));
	}
	return n;
}

/* Take nodes out of a set on which the job would delay a promise: those of the
 * choice, and others on which its least part would; all if there is none.
 */
static void narrow(struct sched_promises *p, const struct libra_job *job,
		   uint32_t at, uint32_t part, uint64_t *open)
{
	struct sched_model *m = p->m;
	const struct sched_place *place = &m->buffers->place;
	struct libra_start_query query = {.parts = p->parts, .nparts = 1};
	bool whole = promise_is_whole(m, &m->jobs[at], part);
	struct libra_job there = *job;
	uint32_t least = UINT32_MAX, cpus, k = 0;
	bool any = false;

	for (uint32_t i = 0; i < place->n; i++)
		least = place->cpus[i] < least ? place->cpus[i] : least;
	for (uint32_t i = libra_bits_next(open, 0, m->nnodes); i < m->nnodes;
	     i = libra_bits_next(open, i + 1, m->nnodes)) {
		cpus = whole ? m->nodes[i].cpus : least;
		for (k = 0; libra_bits_has(place->set, i) && k < place->n; k++)
			if (place->node[k] == i)
				cpus = place->cpus[k];
		if (m->free.cpus[i] < cpus)
			continue;
		set_part(p, 0, &m->jobs[at], part, i, cpus,
			 (struct libra_range){p->first[i], procs_of(p, cpus)});
		there.nprocs = procs_of(p, cpus);
		if (!libra_engine_may_start_on(p->engine, &there, &query,
					       (double)m->now_s)) {
			libra_bits_drop(open, i);
			any = true;
		}
	}
	if (!any) /* another look would find the same */
		memset(open, 0, m->words * sizeof(*open));
}

bool sched_promises_may_take(struct sched_promises *p, uint32_t at,
			     uint32_t part, uint32_t ngone, uint64_t *open)
{
	struct sched_model *m = p->m;
	const struct sched_place *place = &m->buffers->place;
	struct libra_start_query query = {.parts = p->parts,
					  .nparts = place->n};
	struct libra_job job = as_job(p, at, m->jobs[at].tasks.next, 0);

	query.ngone = list_gone(p, ngone, &query.delay_s);
	query.gone = p->gone;
	for (uint32_t i = 0; i < place->n; i++) {
		set_part(p, i, &m->jobs[at], part, place->node[i],
			 place->cpus[i],
			 (struct libra_range){p->first[place->node[i]],
					      procs_of(p, place->cpus[i])});
		job.nprocs += procs_of(p, place->cpus[i]);
	}
	if (libra_engine_may_start_on(p->engine, &job, &query,
				      (double)m->now_s))
		return true;
	if (open)
		narrow(p, &job, at, part, open);
	return false;
}

/* ---- what became of them ---- */

void sched_promises_count(const struct sched_model *m,
			  struct sched_promise_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	for (uint32_t t = 0; t < m->ntasks; t++) {
		const struct sched_task *task = &m->tasks[t];
		int64_t ran_s = task->end_s - task->start_s;

		counts->unable += task->promise == SCHED_PROMISE_UNABLE;
		counts->asked += task->promise >= SCHED_PROMISE_REFUSED;
		if (task->promise != SCHED_PROMISE_GIVEN)
			continue;
		counts->given++;
		if (task->start_s == 0)
			counts->cancelled += task->done;
		else if (task->end_s <= task->deadline_s)
			counts->kept++;
		else if (ran_s > m->jobs[task->job].limit_s)
			counts->overran++;
		else
			counts->broken++;
	}
}
