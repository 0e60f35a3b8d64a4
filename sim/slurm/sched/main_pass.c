/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main_pass.c - one run of the main scheduler. */
#include <string.h>

#include "sim/slurm/sched/passes.h"

/* The array and partition that were turned away last: the rest of an array is
 * not looked at.
 */
struct rejected {
	uint32_t array, part;
};

struct walk {
	struct sched_model *m;
	struct rejected rejected;
	uint32_t depth, started;
	bool full, over;
};

static bool array_may_run(const struct sched_model *m,
			  const struct sched_job *job)
{
	const struct sched_job *base = &m->jobs[job->tasks.base];

	return base->tasks.throttle == 0 ||
	       base->tasks.running < base->tasks.throttle;
}

/* Keep what is left of the pass off the partition and its nodes. */
static void close_part(struct walk *w, struct sched_part *part,
		       const struct sched_job *job)
{
	uint64_t *avail = w->m->buffers->avail;

	part->failed = true;
	part->closed_by = (uint32_t)(job - w->m->jobs);
	part->cleared = true;
	for (uint32_t i = 0; i < w->m->words; i++)
		avail[i] &= ~part->nodes[i];
}

static bool reserves(const struct sched_model *m, const struct sched_job *job)
{
	const struct sched_params *p = &m->params;

	if (p->bf.min_age_reserve_s &&
	    (job->times.eligible_s == 0 ||
	     m->now_s - job->times.eligible_s <
		     (int64_t)p->bf.min_age_reserve_s))
		return false;
	return p->bf.min_prio_reserve == 0 ||
	       job->priority >= p->bf.min_prio_reserve;
}

/* Take nodes that the job names away from the jobs behind it.
 * Result: true: the partition stays open.
 */
static bool names_nodes(struct walk *w, const struct sched_job *job)
{
	uint64_t *avail = w->m->buffers->avail;

	if (!job->req.required ||
	    !sched_set_has(job->req.required, w->m->words, job->req.min_nodes))
		return false;
	for (uint32_t i = 0; i < w->m->words; i++)
		avail[i] &= ~job->req.required[i];
	return true;
}

static void turned_away(struct walk *w, struct sched_job *job,
			struct sched_part *part, enum sched_result result)
{
	bool closes = result == SCHED_BUSY ||
		      (result == SCHED_POLICY && w->m->params.assoc_limit_stop);

	if (result == SCHED_BAD)
		job->held = job->nparts == 1;
	if (names_nodes(w, job))
		closes = false;
	if (closes && reserves(w->m, job))
		close_part(w, part, job);
}

/* Look at one job, and at the tasks behind it if it is an array.
 * Result: false: the pass is over.
 */
static bool look_at(struct walk *w, uint32_t at, uint32_t number)
{
	struct sched_model *m = w->m;
	struct sched_buffers *b = m->buffers;
	struct sched_part *part = &m->parts[number];

	m->jobs[at].last_part = (uint16_t)number;
	while (m->jobs[at].waits && !m->jobs[at].held) {
		struct sched_job *job = &m->jobs[at];
		enum sched_result result;
		uint32_t nodes = 0;

		if (m->params.max_start && w->started >= m->params.max_start)
			return false;
		if (job->array) {
			if (w->rejected.array == job->array &&
			    w->rejected.part == number)
				return true;
			w->rejected.array = job->array;
			w->rejected.part = number;
			if (!array_may_run(m, job)) {
				job->reason = SCHED_ARRAY_LIMIT;
				return true;
			}
		}
		if (m->params.part_depth &&
		    m->params.part_depth < ++part->tested)
			return true;
		if (!w->full && w->depth++ > m->params.queue_depth)
			return false;
		if (part->failed) {
			if (!part->cleared)
				close_part(w, part, job);
			if (job->reason == SCHED_REASON_NONE ||
			    job->reason == SCHED_RESOURCES)
				job->reason = SCHED_PRIORITY;
			return true;
		}
		for (uint32_t i = 0; i < m->words; i++) {
			b->allowed[i] = b->avail[i] & part->nodes[i];
			nodes += libra_bits_count(b->allowed[i]);
			b->allowed[i] &= ~m->machine.completing[i];
		}
		if (job->req.min_nodes > nodes) {
			job->reason = SCHED_NODES_RESERVED;
			close_part(w, part, job);
			return true;
		}
		result = sched_try_start(m, at, number, b->allowed, SCHED_MAIN);
		if (result != SCHED_STARTED) {
			turned_away(w, &m->jobs[at], part, result);
			return true;
		}
		w->started++;
		w->rejected.array = 0;
	}
	return true;
}

uint32_t sched_main_pass(struct sched_model *m, bool full)
{
	struct sched_buffers *b = m->buffers;
	struct walk w = {.m = m, .full = full};

	for (uint32_t p = 0; p < m->nparts; p++) {
		m->parts[p].failed = false;
		m->parts[p].cleared = false;
		m->parts[p].tested = 0;
	}
	memcpy(b->avail, m->machine.up, m->words * sizeof(*b->avail));
	sched_build_queue(m);
	for (uint32_t i = 0; i < b->nqueue; i++) {
		struct sched_entry *e = &b->queue[i];
		const struct sched_job *job = &m->jobs[e->job];

		if (!job->waits || job->held || job->preempting ||
		    sched_closed(m, job, e->part) != SCHED_REASON_NONE)
			continue;
		if (!look_at(&w, e->job, e->part))
			break;
		e->reason = (uint16_t)job->reason;
	}
	return w.started;
}

bool sched_submit_pass(struct sched_model *m, uint32_t at)
{
	struct sched_job *job = &m->jobs[at];

	for (uint32_t p = 0; p < job->nparts; p++) {
		if (sched_closed(m, job, job->parts[p]) != SCHED_REASON_NONE)
			continue;
		for (uint32_t i = 0; i < m->nwaiting; i++) {
			const struct sched_job *other = &m->jobs[m->waiting[i]];

			if (m->waiting[i] == at || other->held ||
			    other->promised)
				continue;
			for (uint32_t q = 0; q < other->nparts; q++)
				if (other->parts[q] == job->parts[p] &&
				    other->priority >= job->priority)
					return false;
		}
		if (sched_try_start(m, at, job->parts[p],
				    m->parts[job->parts[p]].nodes,
				    SCHED_SUBMIT) == SCHED_STARTED)
			return true;
	}
	return false;
}
