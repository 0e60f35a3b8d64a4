/* SPDX-License-Identifier: GPL-2.0-or-later */
/* watch.c - what keeps one task of a simulation waiting. */
#include "sim/slurm/sched/watch.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

/* The job at hand. */
struct view {
	struct sched_model *m;
	struct sched_job *job;
	uint32_t at;
	enum sched_reason reason; /* that the pass left */
	struct sched_ask ask;
	bool asked;    /* the node counts of the question are possible */
	bool fits_now; /* on what is free */
	struct sched_look *look;
};

void sched_watch_begin(struct sched_watch *w, const struct sched_model *m,
		       uint32_t task)
{
	memset(w, 0, sizeof(*w));
	w->task = task;
	w->submit_s = m->jobs[m->tasks[task].job].times.submit_s;
}

uint32_t sched_watch_job(const struct sched_watch *w,
			 const struct sched_model *m)
{
	uint32_t of = m->tasks[w->task].job;

	if (m->jobs[of].waits && !m->jobs[of].copy &&
	    w->task >= m->jobs[of].tasks.next)
		return m->tasks[w->task].done ? SCHED_NONE : of;
	/* a task that was requeued is a job of its own */
	for (uint32_t i = 0; i < m->nwaiting; i++)
		if (m->jobs[m->waiting[i]].tasks.next == w->task)
			return m->waiting[i];
	return SCHED_NONE;
}

/* ---- nodes ---- */

/* Ask for the nodes of the partition that are up and not completing. */
static void ask_nodes(struct view *v)
{
	struct sched_model *m = v->m;
	uint64_t *allowed = m->buffers->before;
	uint32_t part = v->look->part;

	for (uint32_t i = 0; i < m->words; i++)
		allowed[i] = m->parts[part].nodes[i] & m->machine.up[i] &
			     ~m->machine.completing[i];
	v->asked = sched_node_counts(m, v->job, part, &v->ask) == SCHED_STARTED;
	if (!v->asked)
		return;
	sched_ask_init(m, v->job, part, allowed, &v->ask);
	v->fits_now = sched_choose(m, &m->free, &v->ask, &m->buffers->place);
}

/* Return true if the job fits with all of these resources, beside the free ones
 * of the others.
 */
static bool fits_with(struct view *v, uint32_t bits)
{
	struct sched_model *m = v->m;
	struct sched_free *f = &m->buffers->scratch;
	const struct sched_free *all = &m->buffers->empty;

	sched_free_copy(m, f, &m->free);
	if (bits & SCHED_LACKS_CPUS) {
		memcpy(f->cpus, all->cpus, m->nnodes * sizeof(*f->cpus));
		memcpy(f->some, all->some, m->words * sizeof(*f->some));
	}
	if (bits & SCHED_LACKS_MEMORY)
		memcpy(f->mem_mb, all->mem_mb, m->nnodes * sizeof(*f->mem_mb));
	if (bits & SCHED_LACKS_GPUS)
		memcpy(f->gpus, all->gpus, m->nnodes * sizeof(*f->gpus));
	return sched_choose(m, f, &v->ask, &m->buffers->place);
}

/* Return the fewest resources without whose use the job would fit. */
static uint32_t lacks(struct view *v)
{
	static const uint32_t tries[] = {
		SCHED_LACKS_CPUS,
		SCHED_LACKS_MEMORY,
		SCHED_LACKS_GPUS,
		SCHED_LACKS_CPUS | SCHED_LACKS_MEMORY,
		SCHED_LACKS_CPUS | SCHED_LACKS_GPUS,
		SCHED_LACKS_MEMORY | SCHED_LACKS_GPUS,
		SCHED_LACKS_CPUS | SCHED_LACKS_MEMORY | SCHED_LACKS_GPUS,
	};

	if (v->ask.whole)
		return SCHED_LACKS_IDLE;
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++)
		if (fits_with(v, tries[i]))
			return tries[i];
	return 0;
}

/* Return true if the job fits once the first n runs have ended. */
static bool fits_after(struct view *v, uint32_t n)
{
	struct sched_model *m = v->m;

	sched_free_copy(m, &m->buffers->scratch, &m->free);
	for (uint32_t i = 0; i < n; i++)
		sched_release(m, &m->buffers->scratch, m->running.runs[i]);
	return sched_choose(m, &m->buffers->scratch, &v->ask,
			    &m->buffers->place);
}

static void name_run(struct view *v, const struct sched_run *run)
{
	v->look->blocker = (struct sched_blocker){
		.task = run->task,
		.priority = run->priority,
		.nodes = run->nnodes,
		.cpus = (uint32_t)run->tres[SCHED_CPU],
		.at_s = run->end_s,
	};
}

/* Name a run that is preempted for the job, or else the run after whose end the
 * job fits, if all runs end at their limits.
 */
static void find_run(struct view *v)
{
	struct sched_model *m = v->m;
	uint32_t low = 1, high = m->running.n;

	for (uint32_t i = 0; i < high && v->job->preempting; i++)
		if (m->running.runs[i]->ending) {
			v->look->preempts = true;
			name_run(v, m->running.runs[i]);
			return;
		}
	if (high == 0 || !fits_after(v, high))
		return;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (fits_after(v, middle))
			high = middle;
		else
			low = middle + 1;
	}
	name_run(v, m->running.runs[low - 1]);
}

/* ---- jobs that go first ---- */

static bool share_nodes(const struct sched_model *m, uint32_t a, uint32_t b)
{
	if (a == b)
		return true;
	for (uint32_t i = 0; i < m->words; i++)
		if (m->parts[a].nodes[i] & m->parts[b].nodes[i])
			return true;
	return false;
}

/* Return true if a job keeps jobs behind it from starting: it closed its
 * partition, or waits with a reservation.
 */
static bool blocks(const struct sched_model *m, const struct sched_entry *e,
		   enum sched_loop loop)
{
	const struct sched_part *part = &m->parts[e->part];

	if (loop == SCHED_MAIN)
		return part->failed && part->closed_by == e->job;
	return m->jobs[e->job].waits && m->jobs[e->job].planned_s > 0;
}

static void name_job(struct view *v, uint32_t at)
{
	const struct sched_job *job = &v->m->jobs[at];

	v->look->blocker = (struct sched_blocker){
		/* it may have started in another partition since then */
		.task = job->waits ? job->tasks.next : job->tasks.next - 1,
		.priority = job->priority,
		.nodes = job->req.min_nodes,
		.cpus = job->req.min_cpus,
		.at_s = job->planned_s,
	};
}

/* Count the jobs ahead in the partition, and name the first one in the way; one
 * of another partition that has the same nodes, if there is none.
 */
static void look_ahead(struct view *v)
{
	struct sched_model *m = v->m;
	const struct sched_buffers *b = m->buffers;
	struct sched_look *look = v->look;
	uint32_t other = SCHED_NONE, own = SCHED_NONE;
	uint32_t at;

	for (uint32_t i = 0; i < b->nqueue; i++) {
		const struct sched_entry *e = &b->queue[i];
		const struct sched_job *job = &m->jobs[e->job];

		if (e->job == v->at && e->part == look->part)
			break;
		if (e->job == v->at)
			continue;
		look->ahead += e->part == look->part && job->waits;
		if (!blocks(m, e, look->loop))
			continue;
		if (own == SCHED_NONE && e->part == look->part)
			own = e->job;
		if (other == SCHED_NONE && share_nodes(m, e->part, look->part))
			other = e->job;
	}
	at = own == SCHED_NONE ? other : own;
	if (at != SCHED_NONE)
		name_job(v, at);
}

/* ---- one pass ---- */

static bool is_limit(enum sched_reason reason)
{
	return reason == SCHED_QOS_LIMIT || reason == SCHED_ASSOC_LIMIT ||
	       reason == SCHED_PARTITION_LIMIT;
}

/* Find the limits that hold, as sched_try_start() asks for them. */
static void find_limits(struct view *v)
{
	uint64_t tres[SCHED_NTRES];

	sched_tres_of(v->m, v->job, v->look->part,
		      v->fits_now ? &v->m->buffers->place : NULL, tres);
	v->look->nheld = sched_limits_held(v->m, v->job, v->look->part, tres,
					   v->look->held, SCHED_WATCH_HELD);
}

/* Find out if the job lacks nodes, or free nodes are another job's. */
static void find_blocker(struct view *v)
{
	struct sched_look *look = v->look;
	bool turn = look->loop == SCHED_BACKFILL
			    ? v->fits_now
			    : look->reason != SCHED_RESOURCES;

	look_ahead(v);
	if (turn) {
		if (look->reason != SCHED_NODES_RESERVED &&
		    (look->blocker.task != SCHED_NONE ||
		     look->loop == SCHED_BACKFILL))
			look->reason = look->blocker.task == SCHED_NONE
					       ? SCHED_REASON_NONE
					       : SCHED_PRIORITY;
		return;
	}
	look->reason = SCHED_RESOURCES;
	look->blocker.task = SCHED_NONE;
	if (!v->asked)
		return;
	look->lacks = lacks(v);
	find_run(v);
}

/* Return true if the reason is that of an earlier pass: jobs behind a closed
 * partition keep theirs.
 */
static bool is_old(const struct view *v)
{
	const struct sched_model *m = v->m;
	const struct sched_job *base = &m->jobs[v->job->tasks.base];

	switch (v->reason) {
	case SCHED_BEGIN_TIME:
	case SCHED_HELD:
	case SCHED_DEPENDENCY:
	case SCHED_NEVER:
		for (uint32_t i = 0; i < m->buffers->nqueue; i++)
			if (m->buffers->queue[i].job == v->at)
				return true;
		return false;
	case SCHED_ARRAY_LIMIT:
		return base->tasks.running < base->tasks.throttle;
	default:
		return false;
	}
}

static void find_reason(struct view *v)
{
	struct sched_look *look = v->look;

	look->reason = is_old(v) ? SCHED_PRIORITY : v->reason;
	if (look->reason != SCHED_DEPENDENCY && look->reason != SCHED_NEVER)
		look->dependency = SCHED_NONE;
	switch (look->reason) {
	case SCHED_BEGIN_TIME:
		look->until_s = v->job->times.begin_s;
		return;
	case SCHED_HELD:
		look->until_s = v->job->times.held_until_s;
		return;
	case SCHED_DEPENDENCY:
	case SCHED_NEVER:
	case SCHED_PARTITION_DOWN:
	case SCHED_PARTITION_INACTIVE:
	case SCHED_ACCOUNT_NOT_ALLOWED:
	case SCHED_QOS_NOT_ALLOWED:
	case SCHED_ARRAY_LIMIT:
	case SCHED_NO_SUCH_NODES:
		return;
	default:
		break;
	}
	ask_nodes(v);
	if (is_limit(look->reason)) {
		find_limits(v);
		if (look->nheld > 0 || look->reason == SCHED_PARTITION_LIMIT)
			return;
		look->reason = SCHED_PRIORITY; /* the limit is an old one */
	}
	find_blocker(v);
}

/* Return true if two passes found the same. */
static bool same(const struct sched_look *a, const struct sched_look *b)
{
	bool limits = a->nheld == b->nheld;

	for (size_t i = 0; limits && i < a->nheld; i++)
		limits = a->held[i].limit == b->held[i].limit &&
			 a->held[i].qos == b->held[i].qos &&
			 a->held[i].assoc == b->held[i].assoc &&
			 a->held[i].tres == b->held[i].tres;
	return limits && a->what == b->what && a->reason == b->reason &&
	       a->part == b->part && a->until_s == b->until_s &&
	       a->dependency == b->dependency && a->lacks == b->lacks &&
	       a->blocker.task == b->blocker.task;
}

static void add(struct sched_watch *w, struct sched_model *m,
		const struct sched_look *look)
{
	struct sched_look *bigger =
		sim_grown(w->looks, &w->cap, w->n + 1, sizeof(*w->looks));

	if (!bigger) {
		m->failed = true;
		return;
	}
	w->looks = bigger;
	w->looks[w->n++] = *look;
}

/* Look at the job in one partition; last: its last look there. */
static void look_in(struct sched_watch *w, struct sched_model *m, uint32_t at,
		    const struct sched_look *in, enum sched_reason reason,
		    size_t *last)
{
	struct sched_look look = *in;
	struct view v = {.m = m,
			 .job = &m->jobs[at],
			 .at = at,
			 .reason = reason,
			 .look = &look};

	find_reason(&v);
	if (*last > 0 && same(&w->looks[*last - 1], &look)) {
		w->looks[*last - 1].last_s = m->now_s;
		return;
	}
	add(w, m, &look);
	*last = w->n;
}

/* Look at the job in its other partitions, as far as it is in the queue. */
static void look_aside(struct sched_watch *w, struct sched_model *m,
		       uint32_t at, struct sched_look *of_last)
{
	const struct sched_job *job = &m->jobs[at];
	struct sched_look look = *of_last;

	look.aside = true;
	for (uint32_t i = 0; i < m->buffers->nqueue; i++) {
		const struct sched_entry *e = &m->buffers->queue[i];
		enum sched_reason closed;
		uint32_t p = 0;

		if (e->job != at)
			continue;
		look.priority = (uint32_t)e->priority;
		if (e->part == job->last_part) {
			of_last->priority = look.priority;
			continue;
		}
		while (p + 1 < job->nparts && job->parts[p] != e->part)
			p++;
		closed = sched_closed(m, job, e->part);
		look.part = e->part;
		look_in(w, m, at, &look,
			closed == SCHED_REASON_NONE
				? (enum sched_reason)e->reason
				: closed,
			&w->aside[look.loop][p]);
	}
}

void sched_watch_pass(struct sched_watch *w, struct sched_model *m,
		      enum sched_loop loop, uint32_t dependency)
{
	uint32_t at = sched_watch_job(w, m);
	struct sched_look look = {.what = SCHED_WATCH_PASS,
				  .loop = loop,
				  .from_s = m->now_s,
				  .last_s = m->now_s,
				  .dependency = dependency,
				  .blocker = {.task = SCHED_NONE}};
	const struct sched_job *job;

	if (at == SCHED_NONE)
		return;
	job = &m->jobs[at];
	look.part = job->last_part;
	look.priority = job->priority;
	look.planned_s = job->planned_s;
	for (uint32_t t = job->tasks.next; t < w->task; t++)
		look.siblings += !m->tasks[t].done;
	if (job->nparts > 1)
		look_aside(w, m, at, &look);
	look_in(w, m, at, &look, job->reason, &w->last[loop]);
}

void sched_watch_note(struct sched_watch *w, struct sched_model *m,
		      enum sched_watched what, enum sched_loop loop,
		      int64_t at_s)
{
	struct sched_look look = {.what = what,
				  .loop = loop,
				  .from_s = at_s,
				  .last_s = at_s,
				  .part = m->tasks[w->task].part,
				  .dependency = SCHED_NONE,
				  .blocker = {.task = SCHED_NONE}};

	add(w, m, &look);
	memset(w->last, 0, sizeof(w->last));
	memset(w->aside, 0, sizeof(w->aside));
}

void sched_watch_fini(struct sched_watch *w)
{
	free(w->looks);
}
