/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.c - the jobs that may run now, in order. */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "sim/base/memory.h"
#include "sim/slurm/sched/passes.h"

bool sched_preempts(const struct sched_model *m, uint32_t qos, uint32_t part,
		    uint32_t other_qos, uint32_t other_part)
{
	if (m->params.preempt_by_qos)
		return qos != SCHED_NONE && other_qos != SCHED_NONE &&
		       libra_bits_has(m->qos[qos].preempts, other_qos);
	return m->params.preempt_by_part &&
	       m->parts[part].tier > m->parts[other_part].tier &&
	       m->parts[other_part].preempt_mode != SCHED_PREEMPT_OFF;
}

/* Return a job's priority in one of its partitions. */
static double priority_of(const struct sched_model *m,
			  const struct sched_entry *e)
{
	const struct sched_job *job = &m->jobs[e->job];

	if (job->priority_part == e->part)
		return job->priority;
	return job->priority + m->parts[e->part].priority -
	       m->parts[job->priority_part].priority;
}

/* Return a negative number if a goes before b. */
static int compare(const struct sched_model *m, const struct sched_entry *ea,
		   const struct sched_entry *eb)
{
	const struct sched_job *a = &m->jobs[ea->job], *b = &m->jobs[eb->job];
	uint32_t tier_a = m->parts[ea->part].tier;
	uint32_t tier_b = m->parts[eb->part].tier;

	if (m->params.preempt_by_qos || m->params.preempt_by_part) {
		if (sched_preempts(m, a->owner.qos, ea->part, b->owner.qos,
				   eb->part))
			return -1;
		if (sched_preempts(m, b->owner.qos, eb->part, a->owner.qos,
				   ea->part))
			return 1;
	}
	if (tier_a != tier_b)
		return tier_a > tier_b ? -1 : 1;
	if (ea->priority != eb->priority)
		return ea->priority > eb->priority ? -1 : 1;
	if (a->times.submit_s != b->times.submit_s)
		return a->times.submit_s < b->times.submit_s ? -1 : 1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (ea->job != eb->job)
		return ea->job < eb->job ? -1 : 1;
	for (uint32_t p = 0; p < a->nparts && ea->part != eb->part; p++)
		if (a->parts[p] == ea->part || a->parts[p] == eb->part)
			return a->parts[p] == ea->part ? -1 : 1;
	return 0;
}

/* Sort by halves, as glibc's qsort() did up to 2.36: preemption makes an order
 * with circles, in which the way of sorting decides.
 */
static void sort(const struct sched_model *m, struct sched_entry *e, uint32_t n,
		 struct sched_entry *room)
{
	uint32_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	sort(m, e, half, room);
	sort(m, e + half, n - half, room);
	while (i < half && j < n)
		room[k++] = compare(m, &e[i], &e[j]) <= 0 ? e[i++] : e[j++];
	while (i < half)
		room[k++] = e[i++];
	memcpy(e, room, k * sizeof(*e));
}

/* Merge the sorted entries from number half on with those before. */
static void merge(const struct sched_model *m, struct sched_entry *e,
		  uint32_t half, uint32_t n, struct sched_entry *room)
{
	uint32_t i = half, j = n - half, k = n;

	memcpy(room, e + half, j * sizeof(*e));
	while (j > 0)
		if (i > 0 && compare(m, &e[i - 1], &room[j - 1]) > 0)
			e[--k] = e[--i];
		else
			e[--k] = room[--j];
}

static bool reserve(struct sched_model *m, uint32_t n)
{
	struct sched_buffers *b = m->buffers;
	size_t cap = b->queue_cap;
	struct sched_entry *bigger =
		sim_grown(b->queue, &cap, n, sizeof(*b->queue));

	if (!bigger) {
		m->failed = true;
		return false;
	}
	b->queue = bigger;
	bigger = realloc(b->merge, cap * sizeof(*b->merge));
	if (!bigger) {
		m->failed = true;
		return false;
	}
	b->merge = bigger;
	b->queue_cap = (uint32_t)cap;
	return true;
}

/* Append a job, once for each of its partitions.  The passes skip those that
 * are closed: if all are, that is the reason of the job from now on.
 */
static bool append(struct sched_model *m, uint32_t at)
{
	struct sched_buffers *b = m->buffers;
	struct sched_job *job = &m->jobs[at];
	enum sched_reason closed = SCHED_REASON_NONE;
	bool all = true;

	if (b->nqueue + job->nparts > b->queue_cap &&
	    !reserve(m, b->nqueue + job->nparts))
		return false;
	for (uint32_t p = 0; p < job->nparts; p++) {
		struct sched_entry *e = &b->queue[b->nqueue++];

		e->job = at;
		e->part = job->parts[p];
		e->reason = SCHED_REASON_NONE;
		e->priority = priority_of(m, e);
		closed = sched_closed(m, job, e->part);
		all = all && closed != SCHED_REASON_NONE;
	}
	if (all)
		job->reason = closed;
	return true;
}

/* Ask all that wait, and sort. */
static void build_anew(struct sched_model *m)
{
	struct sched_buffers *b = m->buffers;

	b->nqueue = b->asking.n = 0;
	for (uint32_t i = 0; i < m->nwaiting; i++) {
		struct sched_job *job = &m->jobs[m->waiting[i]];
		enum sched_reason reason = m->hooks.may_run(m, job);

		job->preempting = false;
		if (reason != SCHED_REASON_NONE)
			job->reason = reason;
		else if (!append(m, m->waiting[i]))
			return;
	}
	sort(m, b->queue, b->nqueue, b->merge);
}

/* ---- the queue that is kept ---- */

static bool is_singleton(const struct sched_job *job)
{
	for (uint32_t d = 0; d < job->depends.n; d++)
		if (job->depends.on[d].kind == SCHED_SINGLETON)
			return true;
	return false;
}

void sched_queue_ask(struct sched_model *m, uint32_t job)
{
	struct sched_buffers *b = m->buffers;
	size_t cap = b->asking.cap;
	uint32_t *bigger = sim_grown(b->asking.jobs, &cap, b->asking.n + 1,
				     sizeof(*b->asking.jobs));

	if (!bigger) {
		m->failed = true;
		return;
	}
	b->asking.jobs = bigger;
	b->asking.cap = (uint32_t)cap;
	b->asking.jobs[b->asking.n++] = job;
	m->jobs[job].queued = false;
}

/* Drop what does not wait any more, and see new priorities.
 * Result: false: the order is to be made anew.
 */
static bool look_through(struct sched_model *m)
{
	struct sched_buffers *b = m->buffers;
	uint32_t kept = 0;
	bool sorted = true;

	for (uint32_t i = 0; i < b->nqueue; i++) {
		struct sched_entry e = b->queue[i];
		const struct sched_job *job = &m->jobs[e.job];
		double priority;

		if (!job->waits || !job->queued)
			continue;
		if (job->held) {
			sched_queue_ask(m, e.job);
			continue;
		}
		priority = priority_of(m, &e);
		if (priority != e.priority) {
			e.priority = priority;
			sorted = false;
		}
		e.reason = SCHED_REASON_NONE;
		b->queue[kept++] = e;
	}
	b->nqueue = kept;
	return sorted;
}

/* Append the jobs that may run from now on.
 * Result: false: a singleton may not run any more.
 */
static bool ask(struct sched_model *m)
{
	struct sched_buffers *b = m->buffers;
	uint32_t kept = 0;
	bool all = true;

	for (uint32_t i = 0; i < b->asking.n; i++) {
		struct sched_job *job = &m->jobs[b->asking.jobs[i]];
		enum sched_reason reason;

		if (!job->waits)
			continue;
		reason = m->hooks.may_run(m, job);
		if (reason != SCHED_REASON_NONE) {
			job->reason = reason;
			all = all && !job->queued;
			job->queued = false;
		} else if (!job->queued) {
			job->queued = append(m, b->asking.jobs[i]);
		}
		if (reason != SCHED_REASON_NONE || is_singleton(job))
			b->asking.jobs[kept++] = b->asking.jobs[i];
	}
	b->asking.n = kept;
	return all;
}

/* Bring last pass's queue up to date.  The order has no circles here, so it
 * does not matter how it is sorted.
 */
static void build_from_last(struct sched_model *m)
{
	struct sched_buffers *b = m->buffers;
	bool sorted = look_through(m);
	uint32_t old = b->nqueue;

	if (!ask(m)) {
		look_through(m);
		sorted = false;
	}
	if (!sorted) {
		sort(m, b->queue, b->nqueue, b->merge);
	} else if (b->nqueue > old) {
		sort(m, b->queue + old, b->nqueue - old, b->merge);
		merge(m, b->queue, old, b->nqueue, b->merge);
	}
}

void sched_build_queue(struct sched_model *m)
{
	if (m->lasting && !m->params.preempt_by_qos &&
	    !m->params.preempt_by_part)
		build_from_last(m);
	else
		build_anew(m);
}

bool sched_queue_lacks_nodes(const struct sched_model *m)
{
	const struct sched_buffers *b = m->buffers;

	for (uint32_t i = 0; i < b->nqueue; i++) {
		const struct sched_job *job = &m->jobs[b->queue[i].job];

		if (job->waits && (job->reason == SCHED_RESOURCES ||
				   job->reason == SCHED_PRIORITY ||
				   job->reason == SCHED_NODES_RESERVED))
			return true;
	}
	return false;
}
