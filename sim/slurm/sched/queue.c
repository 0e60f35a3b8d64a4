/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.c - who may run now, and in which order. */
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
	double prio_a = priority_of(m, ea), prio_b = priority_of(m, eb);

	if (m->params.preempt_by_qos || m->params.preempt_by_part) {
		if (sched_preempts(m, a->qos, ea->part, b->qos, eb->part))
			return -1;
		if (sched_preempts(m, b->qos, eb->part, a->qos, ea->part))
			return 1;
	}
	if (tier_a != tier_b)
		return tier_a > tier_b ? -1 : 1;
	if (prio_a != prio_b)
		return prio_a > prio_b ? -1 : 1;
	if (a->submit_s != b->submit_s)
		return a->submit_s < b->submit_s ? -1 : 1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return ea->job == eb->job ? 0 : ea->job < eb->job ? -1 : 1;
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

static bool reserve(struct sched_model *m, uint32_t n)
{
	struct sched_buffers *b = m->buffers;
	size_t cap = b->queue_cap;
	struct sched_entry *bigger =
		sim_grown(b->queue, &cap, n, sizeof(*b->queue));

	if (!bigger)
		return false;
	b->queue = bigger;
	bigger = realloc(b->merge, cap * sizeof(*b->merge));
	if (!bigger)
		return false;
	b->merge = bigger;
	b->queue_cap = (uint32_t)cap;
	return true;
}

void sched_build_queue(struct sched_model *m)
{
	struct sched_buffers *b = m->buffers;

	b->nqueue = 0;
	for (uint32_t i = 0; i < m->nwaiting; i++) {
		struct sched_job *job = &m->jobs[m->waiting[i]];
		enum sched_reason reason = m->may_run(m, job);

		job->preempting = false;
		if (reason != SCHED_REASON_NONE) {
			job->reason = reason;
			continue;
		}
		if (b->nqueue + job->nparts > b->queue_cap &&
		    !reserve(m, b->nqueue + job->nparts)) {
			m->failed = true;
			return;
		}
		for (uint32_t p = 0; p < job->nparts; p++) {
			struct sched_entry *e = &b->queue[b->nqueue++];

			e->job = m->waiting[i];
			e->part = job->parts[p];
		}
	}
	sort(m, b->queue, b->nqueue, b->merge);
}
