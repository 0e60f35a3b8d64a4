/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises.c - promises beside Slurm's own order. */
#include "sim/slurm/promises/promises.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/base/rng.h"
#include "sim/slurm/promises/aged.h"
#include "sim/slurm/promises/later.h"
#include "sim/slurm/promises/offer.h"
#include "sim/slurm/sched/passes.h"

/* As the plugin (tests/layout/same-numbers.sh). */
enum { COMPRESS_STEPS = 5000 };

/* ---- who asks, and the answer ---- */

static bool asks(const struct sched_promises *p, const struct sched_job *job)
{
	struct rng_stream stream;

	rng_stream_begin(&stream, p->family, job->id);
	return rng_uniform(&stream) < p->share;
}

/* Note the answer to each task that waits. */
static void answer(struct sched_promises *p, const struct sched_job *job,
		   enum sched_promise promise)
{
	int64_t from_s = job->times.begin_s > job->times.submit_s
				 ? job->times.begin_s
				 : job->times.submit_s;

	for (uint32_t i = 0; i < job->tasks.total; i++) {
		struct sched_task *task = &p->m->tasks[job->tasks.first + i];

		if (task->done)
			continue;
		task->promise = promise;
		task->deadline_s =
			promise == SCHED_PROMISE_UNABLE
				? 0
				: from_s + (int64_t)(p->within *
						     (double)job->limit_s);
	}
}

/* Note that a job cannot ask, and why. */
static void bar(struct sched_promises *p, const struct sched_job *job,
		const char *why)
{
	answer(p, job, SCHED_PROMISE_UNABLE);
	for (uint32_t i = 0; i < job->tasks.n; i++)
		sched_ignore(p->unable, why);
}

/* Ask for all tasks of a job, or for none. */
static bool offer(struct sched_promises *p, struct sched_job *job)
{
	uint32_t first = job->tasks.first, was = job->tested_cpus;
	bool given = true;

	answer(p, job, SCHED_PROMISE_GIVEN);
	for (uint32_t i = 0; given && i < job->tasks.total; i++)
		given = p->m->tasks[first + i].done ||
			promise_offer_task(p, first + i);
	if (given)
		return true;
	for (uint32_t i = 0; i < job->tasks.total; i++)
		sched_promises_cancel(p, first + i);
	job->tested_cpus = was;
	answer(p, job, SCHED_PROMISE_REFUSED);
	return false;
}

bool sched_promises_offer(struct sched_promises *p, uint32_t at)
{
	struct sched_job *job = p ? &p->m->jobs[at] : NULL;
	const char *why;

	if (!p || !asks(p, job))
		return false;
	why = promise_bar(job);
	if (!why)
		why = promise_request(p->m, job, p->first, &p->request);
	if (why) {
		bar(p, job, why);
		return false;
	}
	if (promise_asks_later(job)) {
		answer(p, job, SCHED_PROMISE_LATER);
		job->promised = promise_later_add(p, at);
	} else {
		job->promised = offer(p, job);
	}
	return job->promised;
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
		promise_set_part(p, 0, &m->jobs[at], part, i, cpus,
				 (struct libra_range){p->first[i],
						      promise_procs(p, cpus)});
		there.nprocs = promise_procs(p, cpus);
		if (!libra_engine_may_start(p->engine, &there, &query,
					    (double)m->now_s)) {
			libra_bits_drop(open, i);
			any = true;
		}
	}
	if (!any) /* another look would find the same */
		memset(open, 0, m->words * sizeof(*open));
}

/* ---- planned starts ---- */

/* Start the next task of a job on the processors of one of its promises: which
 * of them is all the same.
 */
static void start_task(struct sched_promises *p,
		       const struct libra_action *action)
{
	uint32_t holder = (uint32_t)(action->job_id - 1);
	uint32_t at = p->m->tasks[holder].job, next;
	struct seat seat;

	if (holder == p->aged.task) {
		promise_aged_start(p);
		return;
	}
	next = p->m->jobs[at].tasks.next;
	holder = p->m->jobs[at].tasks.first;
	while (p->seats[holder].ticket != action->ticket)
		holder++;
	seat = p->seats[holder];
	p->seats[holder] = p->seats[next];
	p->seats[next] = seat;
	promise_set_place(p, next);
	sched_begin(p->m, at, seat.run->part, SCHED_PROMISE);
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
	promise_later_ask(p);
	/* what has moved to this instant starts, too */
	libra_engine_schedule(p->engine, now_s);
	while (!p->m->failed && libra_engine_next_action(p->engine, &action))
		if (action.kind == LIBRA_ACTION_START)
			start_task(p, &action);
	promise_aged_plan(p);
	promise_see_moves(p);
}

int64_t sched_promises_next_s(const struct sched_promises *p)
{
	double next_s = INFINITY;

	if (p)
		next_s = fmin(ceil(libra_engine_next_event_s(p->engine)),
			      (double)p->later.next_s);
	if (!(next_s < 1e15))
		return INT64_MAX;
	return next_s > (double)p->called_s ? (int64_t)next_s : p->called_s + 1;
}

bool sched_promises_may_take(struct sched_promises *p, uint32_t at,
			     uint32_t part, uint32_t ngone, uint64_t *open)
{
	struct sched_model *m = p->m;
	const struct sched_place *place = &m->buffers->place;
	struct libra_start_query query = {.parts = p->parts,
					  .nparts = place->n};
	struct libra_job job = promise_job(p, at, m->jobs[at].tasks.next, 0);
	double start_s = 0;
	bool aged, may = false;

	query.ngone = list_gone(p, ngone, &query.delay_s);
	query.gone = p->gone;
	for (uint32_t i = 0; i < place->n; i++) {
		promise_set_part(
			p, i, &m->jobs[at], part, place->node[i],
			place->cpus[i],
			(struct libra_range){p->first[place->node[i]],
					     promise_procs(p, place->cpus[i])});
		job.nprocs += promise_procs(p, place->cpus[i]);
	}
	if (libra_engine_may_start(p->engine, &job, &query, (double)m->now_s))
		return true;
	aged = p->aged.task == m->jobs[at].tasks.next;
	if (aged) { /* its own plan may be what is in the way */
		start_s = promise_aged_leave(p);
		may = libra_engine_may_start(p->engine, &job, &query,
					     (double)m->now_s);
	}
	if (!may && open)
		narrow(p, &job, at, part, open);
	/* a limit may still bar the start: the plan ends with the start only */
	if (aged)
		promise_aged_keep(p, m->jobs[at].tasks.next, start_s);
	return may;
}

/* ---- outcomes ---- */

void sched_promises_count(const struct sched_model *m,
			  struct sched_promise_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	for (uint32_t t = 0; t < m->ntasks; t++) {
		const struct sched_task *task = &m->tasks[t];
		int64_t ran_s = task->end_s - task->start_s;

		counts->unable += task->promise == SCHED_PROMISE_UNABLE;
		counts->asked += task->promise >= SCHED_PROMISE_LATER;
		counts->expired += task->promise == SCHED_PROMISE_EXPIRED;
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
