/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.c - what runs and waits, and what is free of each node. */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "sim/base/memory.h"
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

const char *sched_reason_name(enum sched_reason reason)
{
	static const char *const names[SCHED_NREASONS] = {
		[SCHED_REASON_NONE] = "None",
		[SCHED_BEGIN_TIME] = "BeginTime",
		[SCHED_DEPENDENCY] = "Dependency",
		[SCHED_NEVER] = "DependencyNeverSatisfied",
		[SCHED_HELD] = "JobHeldUser",
		[SCHED_PRIORITY] = "Priority",
		[SCHED_RESOURCES] = "Resources",
		[SCHED_NODES_RESERVED] = "NodesReserved",
		[SCHED_PARTITION_DOWN] = "PartitionDown",
		[SCHED_PARTITION_INACTIVE] = "PartitionInactive",
		[SCHED_ACCOUNT_NOT_ALLOWED] = "AccountNotAllowed",
		[SCHED_QOS_NOT_ALLOWED] = "QOSNotAllowed",
		[SCHED_ARRAY_LIMIT] = "JobArrayTaskLimit",
		[SCHED_QOS_LIMIT] = "QOSLimit",
		[SCHED_ASSOC_LIMIT] = "AssocLimit",
		[SCHED_PARTITION_LIMIT] = "PartitionLimit",
		[SCHED_NO_SUCH_NODES] = "BadConstraints",
	};

	return names[reason];
}

const char *sched_loop_name(enum sched_loop loop)
{
	static const char *const names[] = {"", "main", "backfill", "submit",
					    "promise"};

	return names[loop];
}

int sched_model_init(struct sched_model *m, struct libra_error *err)
{
	m->words = LIBRA_BITS_WORDS(m->nnodes);
	m->machine.up = calloc(m->words + 1, sizeof(*m->machine.up));
	m->machine.completing =
		calloc(m->words + 1, sizeof(*m->machine.completing));
	if (sched_free_init(m, &m->free) < 0 || !m->machine.up ||
	    !m->machine.completing)
		return sim_no_memory(err);
	m->machine.one_weight = m->machine.alike = true;
	for (uint32_t i = 0; i < m->nnodes; i++) {
		const struct sched_node *node = &m->nodes[i];

		m->free.cpus[i] = node->cpus;
		m->free.gpus[i] = node->gpus;
		m->free.mem_mb[i] = node->mem_mb;
		libra_bits_put(m->free.idle, i);
		if (node->cpus > 0)
			libra_bits_put(m->free.some, i);
		if (!node->down)
			libra_bits_put(m->machine.up, i);
		if (node->cpus > m->machine.most_cpus)
			m->machine.most_cpus = node->cpus;
		if (node->weight != m->nodes[0].weight)
			m->machine.one_weight = false;
		if (node->cpus != m->nodes[0].cpus ||
		    node->threads != m->nodes[0].threads ||
		    node->gpus != m->nodes[0].gpus ||
		    node->mem_mb != m->nodes[0].mem_mb)
			m->machine.alike = false;
	}
	for (uint32_t q = 0; q < m->nqos; q++) {
		m->qos[q].by_user =
			calloc(m->nusers + 1, sizeof(*m->qos[q].by_user));
		m->qos[q].by_account =
			calloc(m->naccounts + 1, sizeof(*m->qos[q].by_account));
		if (!m->qos[q].by_user || !m->qos[q].by_account)
			return sim_no_memory(err);
	}
	sched_limits_note(m);
	m->buffers = sched_buffers_new(m);
	return m->buffers ? 0 : sim_no_memory(err);
}

void sched_run_free(struct sched_run *run)
{
	if (!run)
		return;
	free(run->node);
	free(run->cpus);
	free(run->gpus);
	free(run);
}

void sched_model_fini(struct sched_model *m)
{
	for (uint32_t i = 0; i < m->running.n; i++)
		sched_run_free(m->running.runs[i]);
	for (uint32_t q = 0; q < m->nqos; q++) {
		free(m->qos[q].by_user);
		free(m->qos[q].by_account);
	}
	sched_buffers_free(m->buffers);
	sched_free_fini(&m->free);
	free(m->machine.up);
	free(m->machine.completing);
	free(m->running.runs);
	free(m->waiting);
}

/* ---- waiting jobs ---- */

/* Return a place in Slurm's list for a new job.  Jobs come in the order of
 * their numbers, also if a held one is known only later.
 */
static uint64_t new_order(struct sched_model *m, uint32_t job)
{
	uint64_t order = ((uint64_t)job + 1) << 32;

	if (order > m->last_order)
		m->last_order = order;
	return order;
}

void sched_wait(struct sched_model *m, uint32_t job)
{
	size_t cap = m->waiting_cap;
	uint32_t *bigger = sim_grown(m->waiting, &cap, m->nwaiting + 1,
				     sizeof(*m->waiting));
	uint32_t at;

	if (!bigger) {
		m->failed = true;
		return;
	}
	m->waiting = bigger;
	m->waiting_cap = (uint32_t)cap;
	if (m->jobs[job].order == 0)
		m->jobs[job].order = new_order(m, job);
	for (at = m->nwaiting++;
	     at > 0 && m->jobs[m->waiting[at - 1]].order > m->jobs[job].order;
	     at--) {
		m->waiting[at] = m->waiting[at - 1];
		m->jobs[m->waiting[at]].position = at;
	}
	m->waiting[at] = job;
	m->jobs[job].position = at;
	m->jobs[job].waits = true;
	if (m->lasting)
		sched_queue_ask(m, job);
	m->changes++;
}

uint32_t sched_requeue(struct sched_model *m, uint32_t job, uint32_t task,
		       uint64_t order, int64_t submit_s)
{
	struct sched_job *again;

	if (m->jobs[job].array) {
		size_t cap = m->jobs_cap;
		struct sched_job *bigger = sim_grown(
			m->jobs, &cap, m->njobs + 1, sizeof(*m->jobs));

		if (!bigger)
			return SCHED_NONE;
		m->jobs = bigger;
		m->jobs_cap = (uint32_t)cap;
		m->jobs[m->njobs] = m->jobs[job];
		job = m->njobs++;
		m->jobs[job].depends.on = NULL;
		m->jobs[job].depends.n = 0;
		m->jobs[job].waits = false;
		m->jobs[job].copy = true;
		m->jobs[job].id = m->tasks[task].id;
	}
	again = &m->jobs[job];
	again->tasks.next = task;
	again->tasks.n = 1;
	again->times.submit_s = submit_s;
	again->order = order;
	again->preempt_s = 0;
	sched_wait(m, job);
	return job;
}

void sched_unwait(struct sched_model *m, uint32_t job)
{
	uint32_t at = m->jobs[job].position;

	if (!m->jobs[job].waits)
		return;
	m->jobs[job].waits = false;
	memmove(m->waiting + at, m->waiting + at + 1,
		(m->nwaiting - at - 1) * sizeof(*m->waiting));
	m->nwaiting--;
	for (uint32_t i = at; i < m->nwaiting; i++)
		m->jobs[m->waiting[i]].position = i;
	m->changes++;
}

/* Pass tasks that were cancelled. */
static void skip_done(struct sched_model *m, struct sched_job *job)
{
	while (job->tasks.n > 0 && m->tasks[job->tasks.next].done)
		job->tasks.next++;
}

void sched_next_task(struct sched_model *m, uint32_t at)
{
	struct sched_job *job = &m->jobs[at];

	job->tasks.next++;
	sched_drop_task(m, at);
	if (job->waits) {
		job->order = ++m->last_order;
		memmove(m->waiting + job->position,
			m->waiting + job->position + 1,
			(m->nwaiting - job->position - 1) *
				sizeof(*m->waiting));
		m->waiting[m->nwaiting - 1] = at;
		for (uint32_t i = job->position; i < m->nwaiting; i++)
			m->jobs[m->waiting[i]].position = i;
	}
}

void sched_drop_task(struct sched_model *m, uint32_t at)
{
	struct sched_job *job = &m->jobs[at];

	if (job->tasks.n > 0 && --job->tasks.n == 0)
		sched_unwait(m, at);
	skip_done(m, job);
}

/* ---- what runs ---- */

/* Return the place of a run in the list by end and order. */
static uint32_t place_of(const struct sched_model *m,
			 const struct sched_run *run)
{
	uint32_t low = 0, high = m->running.n;

	while (low < high) {
		uint32_t at = low + (high - low) / 2;
		const struct sched_run *other = m->running.runs[at];

		if (other->end_s < run->end_s ||
		    (other->end_s == run->end_s && other->order < run->order))
			low = at + 1;
		else
			high = at;
	}
	return low;
}

int sched_run_begin(struct sched_model *m, struct sched_run *run)
{
	size_t cap = m->running.cap;
	struct sched_run **bigger =
		sim_grown(m->running.runs, &cap, m->running.n + 1,
			  sizeof(struct sched_run *));
	uint32_t at;

	if (!bigger) {
		m->failed = true;
		return -1;
	}
	m->running.runs = bigger;
	m->running.cap = (uint32_t)cap;
	at = place_of(m, run);
	memmove(m->running.runs + at + 1, m->running.runs + at,
		(m->running.n - at) * sizeof(struct sched_run *));
	m->running.runs[at] = run;
	m->running.n++;
	sched_occupy(m, &m->free, run);
	sched_count(m, run, 1);
	m->changes++;
	m->running.changes++;
	return 0;
}

void sched_run_end(struct sched_model *m, struct sched_run *run)
{
	uint32_t at = place_of(m, run);

	memmove(m->running.runs + at, m->running.runs + at + 1,
		(m->running.n - at - 1) * sizeof(struct sched_run *));
	m->running.n--;
	sched_release(m, &m->free, run);
	sched_count(m, run, -1);
	sched_run_free(run);
	m->changes++;
	m->running.changes++;
}
