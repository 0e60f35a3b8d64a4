/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.c - start one job, or preempt others for it. */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "sim/base/memory.h"
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

enum { MESSAGE_S = 10 }; /* MessageTimeout */

static uint32_t lesser(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

enum sched_result sched_node_counts(const struct sched_model *m,
				    const struct sched_job *job, uint32_t part,
				    struct sched_ask *ask)
{
	const struct sched_part *p = &m->parts[part];
	const struct sched_request *req = &job->req;
	const struct sched_qos *qos =
		job->owner.qos == SCHED_NONE ? NULL : &m->qos[job->owner.qos];
	uint32_t allowed = sched_limits_nodes(m, job, part);
	uint32_t most = p->max_nodes;

	ask->min_nodes = req->min_nodes;
	if (p->min_nodes > ask->min_nodes && !(qos && qos->part_min_nodes))
		ask->min_nodes = p->min_nodes;
	if (req->max_nodes)
		most = qos && qos->part_max_nodes
			       ? req->max_nodes
			       : lesser(req->max_nodes, most);
	most = lesser(most, allowed);
	ask->max_nodes = lesser(most, 500000);
	ask->req_nodes = req->max_nodes ? ask->max_nodes : ask->min_nodes;
	if (allowed < ask->min_nodes)
		return SCHED_POLICY;
	return ask->max_nodes < ask->min_nodes ? SCHED_PART_CONF
					       : SCHED_STARTED;
}

void sched_ask_init(const struct sched_model *m, const struct sched_job *job,
		    uint32_t part, const uint64_t *allowed,
		    struct sched_ask *ask)
{
	ask->req = &job->req;
	ask->allowed = allowed;
	ask->whole = job->req.whole || m->parts[part].exclusive;
	ask->any_tasks = false;
	ask->least_loaded =
		m->params.least_loaded || m->parts[part].least_loaded;
	ask->busy_first = false;
}

/* ---- what a job holds ---- */

static uint64_t billing_of(const struct sched_model *m, uint32_t part,
			   const uint64_t tres[SCHED_NTRES])
{
	const struct sched_part *p = &m->parts[part];
	double sum = 0;

	if (!p->has_billing)
		return tres[SCHED_CPU];
	for (size_t t = 0; t < SCHED_NTRES; t++)
		sum += p->billing[t] * (double)tres[t];
	return (uint64_t)sum;
}

void sched_tres_of(const struct sched_model *m, const struct sched_job *job,
		   uint32_t part, const struct sched_place *place,
		   uint64_t tres[SCHED_NTRES])
{
	const struct sched_request *req = &job->req;
	bool whole = req->whole || m->parts[part].exclusive;
	uint64_t nodes = place ? place->n : req->min_nodes;

	memset(tres, 0, SCHED_NTRES * sizeof(*tres));
	tres[SCHED_NODE] = nodes;
	tres[SCHED_GPU] =
		req->gpus_job ? req->gpus_job : nodes * req->gpus_node;
	tres[SCHED_CPU] = job->tested_cpus ? job->tested_cpus : req->min_cpus;
	if (place) {
		tres[SCHED_CPU] = 0;
		for (uint32_t i = 0; i < place->n; i++)
			tres[SCHED_CPU] += place->cpus[i];
		if (whole) {
			tres[SCHED_GPU] = 0;
			for (uint32_t i = 0; i < place->n; i++)
				tres[SCHED_GPU] +=
					m->nodes[place->node[i]].gpus;
		}
	}
	tres[SCHED_MEM] = req->mem_per_cpu ? req->mem_mb * tres[SCHED_CPU]
					   : req->mem_mb * nodes;
	tres[SCHED_BILLING] = billing_of(m, part, tres);
}

int sched_place_gpus(const struct sched_job *job,
		     const struct sched_place *place, struct sched_run *run)
{
	if (job->req.gpus_job == 0 || job->promised)
		return 0;
	run->gpus = malloc((place->n + 1) * sizeof(*run->gpus));
	if (!run->gpus)
		return -1;
	memcpy(run->gpus, place->gpus, place->n * sizeof(*run->gpus));
	return 0;
}

bool sched_begin(struct sched_model *m, uint32_t at, uint32_t part,
		 enum sched_loop loop)
{
	const struct sched_place *place = &m->buffers->place;
	struct sched_job *job = &m->jobs[at];
	struct sched_run *run = calloc(1, sizeof(*run));

	if (!run) {
		m->failed = true;
		return false;
	}
	run->nnodes = place->n;
	run->node = malloc((place->n + 1) * sizeof(*run->node));
	run->cpus = malloc((place->n + 1) * sizeof(*run->cpus));
	if (!run->node || !run->cpus) {
		sched_run_free(run);
		m->failed = true;
		return false;
	}
	memcpy(run->node, place->node, place->n * sizeof(*run->node));
	memcpy(run->cpus, place->cpus, place->n * sizeof(*run->cpus));
	run->job = at;
	run->task = job->tasks.next;
	run->qos = job->owner.qos;
	run->part = part;
	run->priority = job->priority;
	run->start_s = m->now_s;
	run->end_s = m->now_s + job->limit_s;
	run->order = job->order;
	run->mem_mb = job->req.mem_mb;
	run->mem_per_cpu = job->req.mem_per_cpu;
	run->gpus_node = job->req.gpus_node;
	if (sched_place_gpus(job, place, run) < 0) {
		sched_run_free(run);
		m->failed = true;
		return false;
	}
	run->whole = job->req.whole || m->parts[part].exclusive;
	run->promised = job->promised;
	sched_tres_of(m, job, part, place, run->tres);
	if (sched_run_begin(m, run) < 0) {
		sched_run_free(run);
		return false;
	}
	m->jobs[job->tasks.base].tasks.running++;
	job->reason = SCHED_REASON_NONE;
	job->planned_s = 0;
	job->preempting = false;
	sched_next_task(m, at);
	m->hooks.started(m, run, loop);
	return true;
}

/* ---- preemption ---- */

static uint64_t victim_rank(const struct sched_model *m,
			    const struct sched_run *run)
{
	uint64_t rank = run->nnodes < 0xffff ? run->nnodes : 0xffff;

	if (m->params.preempt_youngest)
		return UINT64_MAX - (uint64_t)run->start_s;
	if (m->params.preempt_by_part)
		rank += (uint64_t)m->parts[run->part].tier << 16;
	else if (run->qos != SCHED_NONE)
		rank += (uint64_t)lesser(m->qos[run->qos].priority, 0xffff)
			<< 16;
	return rank;
}

enum sched_preempt sched_preempt_mode(const struct sched_model *m,
				      const struct sched_run *run)
{
	if (m->params.preempt_by_part)
		return m->parts[run->part].preempt_mode;
	return run->qos == SCHED_NONE ? m->params.preempt_mode
				      : m->qos[run->qos].preempt_mode;
}

uint32_t sched_grace_s(const struct sched_model *m, const struct sched_run *run)
{
	if (m->params.preempt_by_part)
		return m->parts[run->part].grace_s;
	return run->qos == SCHED_NONE ? 0 : m->qos[run->qos].grace_s;
}

static bool may_go(const struct sched_model *m, const struct sched_job *job,
		   uint32_t part, const struct sched_run *run)
{
	uint32_t exempt = run->qos == SCHED_NONE ? m->params.exempt_s
						 : m->qos[run->qos].exempt_s;

	return !run->ending && !run->promised &&
	       sched_preempt_mode(m, run) != SCHED_PREEMPT_OFF &&
	       sched_preempts(m, job->owner.qos, part, run->qos, run->part) &&
	       run->start_s + (int64_t)exempt <= m->now_s &&
	       sched_run_touches(run, m->parts[part].nodes);
}

void sched_find_victims(struct sched_model *m, const struct sched_job *job,
			uint32_t part)
{
	struct sched_buffers *b = m->buffers;

	b->nvictims = 0;
	if (!m->params.preempt_by_qos && !m->params.preempt_by_part)
		return;
	for (uint32_t i = 0; i < m->running.n; i++) {
		struct sched_run *run = m->running.runs[i];
		size_t cap = b->victims_cap;
		struct sched_run **bigger;
		uint64_t rank;
		uint32_t at;

		if (!may_go(m, job, part, run))
			continue;
		bigger = sim_grown(b->victims, &cap, b->nvictims + 1,
				   sizeof(struct sched_run *));
		if (!bigger) {
			m->failed = true;
			return;
		}
		b->victims = bigger;
		b->victims_cap = (uint32_t)cap;
		rank = victim_rank(m, run);
		run->usable = 0;
		for (at = b->nvictims; at > 0; at--) {
			struct sched_run *other = b->victims[at - 1];
			uint64_t theirs = victim_rank(m, other);

			if (theirs < rank ||
			    (theirs == rank &&
			     m->tasks[other->task].id < m->tasks[run->task].id))
				break;
			b->victims[at] = other;
		}
		b->victims[at] = run;
		b->nvictims++;
	}
}

/* Put the victims that share most nodes with the choice first; the last one
 * that had to go before all.
 */
static void reorder(struct sched_model *m, uint32_t last)
{
	struct sched_buffers *b = m->buffers;

	for (uint32_t v = 0; v < b->nvictims; v++) {
		struct sched_run *run = b->victims[v];

		run->usable = 0;
		if (v == last)
			run->usable = 99999;
		for (uint32_t i = 0; v < last && i < run->nnodes; i++)
			run->usable +=
				libra_bits_has(b->place.set, run->node[i]);
	}
	for (uint32_t v = 1; v < b->nvictims; v++) {
		struct sched_run *run = b->victims[v];
		uint32_t at = v;

		if (m->params.preempt_strict && v != last)
			continue;
		for (; at > 0 && (m->params.preempt_strict ||
				  b->victims[at - 1]->usable < run->usable);
		     at--)
			b->victims[at] = b->victims[at - 1];
		b->victims[at] = run;
	}
}

/* Find the victims without which the job fits: the first *gone + 1 of the list
 * that are on nodes of the choice.
 * Result: false: it does not fit without all of them.
 */
static bool choose_victims(struct sched_model *m, const struct sched_ask *ask,
			   uint32_t *gone)
{
	struct sched_buffers *b = m->buffers;
	uint32_t passes = 0;

	while (true) {
		bool fits = false;

		sched_free_copy(m, &b->scratch, &m->free);
		for (*gone = 0; *gone < b->nvictims; ++*gone) {
			sched_release(m, &b->scratch, b->victims[*gone]);
			fits = sched_choose(m, &b->scratch, ask, &b->place);
			if (fits)
				break;
		}
		if (!fits)
			return false;
		if (passes++ > m->params.preempt_reorder ||
		    b->nvictims <= passes)
			return true;
		reorder(m, *gone);
	}
}

/* Have the victims end, but not while others already end for this job.
 * Result: true if the choice has a victim.
 */
static bool preempt(struct sched_model *m, struct sched_job *job, uint32_t gone)
{
	struct sched_buffers *b = m->buffers;
	bool any = false;
	bool wait = job->preempt_s != 0 &&
		    m->now_s - job->preempt_s <
			    (int64_t)m->params.kill_wait_s + MESSAGE_S;

	for (uint32_t v = 0; v <= gone && v < b->nvictims; v++)
		if (sched_run_touches(b->victims[v], b->place.set)) {
			any = true;
			if (!wait)
				m->hooks.preempted(m, b->victims[v]);
		}
	if (any && !wait) {
		job->preempt_s = m->now_s;
		job->preempting = true;
	}
	return any;
}

/* ---- one job ---- */

/* Return true if the job would fit on nodes of the partition without others. */
static bool ever_fits(struct sched_model *m, struct sched_job *job,
		      uint32_t part, const struct sched_ask *ask)
{
	struct sched_ask all = *ask;

	all.allowed = m->parts[part].nodes;
	if (job->fits_part != part + 1 &&
	    sched_choose(m, &m->buffers->empty, &all, &m->buffers->place))
		job->fits_part = part + 1;
	return job->fits_part == part + 1;
}

/* Once nodes were found for it, a job counts with their CPUs. */
static void note_cpus(struct sched_job *job, const struct sched_place *place)
{
	job->tested_cpus = 0;
	for (uint32_t i = 0; i < place->n; i++)
		job->tested_cpus += place->cpus[i];
}

/* Choose nodes on which a start now delays no promise. */
static bool choose_now(struct sched_model *m, uint32_t at, uint32_t part,
		       struct sched_ask *ask)
{
	struct sched_buffers *b = m->buffers;

	if (!m->hooks.may_take)
		return sched_choose(m, &m->free, ask, &b->place);
	memcpy(b->next, ask->allowed, m->words * sizeof(*b->next));
	ask->allowed = b->next;
	for (int i = 0; i < SCHED_LOOKS; i++) {
		if (!sched_choose(m, &m->free, ask, &b->place))
			return false;
		if (m->hooks.may_take(m, at, part, 0, b->next))
			return true;
	}
	return false;
}

/* Find victims without which the job may start. */
static bool find_preempted(struct sched_model *m, uint32_t at, uint32_t part,
			   const struct sched_ask *ask, uint32_t *gone)
{
	sched_find_victims(m, &m->jobs[at], part);
	return m->buffers->nvictims > 0 && choose_victims(m, ask, gone) &&
	       (!m->hooks.may_take ||
		m->hooks.may_take(m, at, part, *gone + 1, NULL));
}

enum sched_result sched_try_start(struct sched_model *m, uint32_t at,
				  uint32_t part, const uint64_t *allowed,
				  enum sched_loop loop)
{
	struct sched_buffers *b = m->buffers;
	struct sched_job *job = &m->jobs[at];
	struct sched_ask ask;
	uint64_t tres[SCHED_NTRES];
	enum sched_result counts;
	enum sched_reason limit = sched_limits_before(m, job, part);
	bool fits, preempts = false;
	uint32_t gone = 0;

	job->reason = limit;
	if (limit != SCHED_REASON_NONE)
		return SCHED_POLICY;
	counts = sched_node_counts(m, job, part, &ask);
	job->reason = SCHED_PARTITION_LIMIT;
	if (counts != SCHED_STARTED)
		return counts;
	sched_ask_init(m, job, part, allowed, &ask);
	fits = choose_now(m, at, part, &ask);
	if (!fits)
		preempts = find_preempted(m, at, part, &ask, &gone);
	if (fits || preempts)
		note_cpus(job, &b->place);
	sched_tres_of(m, job, part, fits || preempts ? &b->place : NULL, tres);
	limit = sched_limits_after(m, job, part, tres);
	job->reason = limit;
	if (limit != SCHED_REASON_NONE)
		return SCHED_POLICY;
	if (fits)
		return sched_begin(m, at, part, loop) ? SCHED_STARTED
						      : SCHED_BUSY;
	job->reason = SCHED_RESOURCES;
	if ((preempts && preempt(m, job, gone)) ||
	    ever_fits(m, job, part, &ask))
		return SCHED_BUSY;
	job->reason = SCHED_NO_SUCH_NODES;
	return SCHED_BAD;
}
