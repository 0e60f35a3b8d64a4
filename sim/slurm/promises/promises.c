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
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

/* As the plugin (tests/layout/same-numbers.sh). */
enum { COMPRESS_STEPS = 5000 };

/* If a plan has moved, a waiting job may start there: let the loops look. */
static void see_moves(struct sched_promises *p)
{
	uint64_t moves = libra_engine_plan_moves(p->engine);

	p->m->changes += moves != p->moves;
	p->moves = moves;
}

/* ---- who asks, and the answer ---- */

static bool asks(const struct sched_promises *p, const struct sched_job *job)
{
	struct rng_stream stream;

	rng_stream_begin(&stream, p->family, job->id);
	return rng_uniform(&stream) < p->share;
}

/* Return true if limits leave room for a task beside what runs or is promised;
 * tres is what it would hold.
 */
static bool has_room(struct sched_promises *p, struct sched_job *job,
		     uint64_t tres[SCHED_NTRES])
{
	const struct promise_request *r = &p->request;

	if (sched_limits_before(p->m, job, r->part) != SCHED_REASON_NONE)
		return false;
	job->tested_cpus = r->cpus;
	sched_tres_of(p->m, job, r->part, NULL, tres);
	tres[SCHED_NODE] = r->nodes;
	return sched_limits_after(p->m, job, r->part, tres) ==
	       SCHED_REASON_NONE;
}

static bool take_seat(struct sched_promises *p, uint32_t task, uint64_t ticket,
		      const uint64_t tres[SCHED_NTRES])
{
	struct seat *seat = &p->seats[task];
	struct sched_run *run = calloc(1, sizeof(*run));

	if (!run) {
		p->m->failed = true;
		return false;
	}
	run->job = p->m->tasks[task].job;
	run->task = task;
	run->part = p->request.part;
	run->qos = p->m->jobs[run->job].owner.qos;
	/* so long it may need the minutes of its limit */
	run->end_s = p->m->tasks[task].deadline_s;
	memcpy(run->tres, tres, sizeof(run->tres));
	sched_count(p->m, run, 1);
	seat->ticket = ticket;
	seat->run = run;
	return true;
}

static bool offer_task(struct sched_promises *p, uint32_t task)
{
	struct sched_model *m = p->m;
	uint32_t at = m->tasks[task].job;
	uint64_t tres[SCHED_NTRES];
	struct libra_verdict verdict;
	struct libra_job asked;

	if (!has_room(p, &m->jobs[at], tres))
		return false;
	asked = promise_job(p, at, task, p->request.nprocs);
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
	if (verdict.late_s > 0 || !take_seat(p, task, verdict.ticket, tres)) {
		libra_engine_withdraw(p->engine, verdict.ticket,
				      (double)m->now_s);
		return false;
	}
	libra_engine_commit(p->engine, verdict.ticket, asked.id,
			    (double)m->now_s);
	return true;
}

/* Note the answer to each task that waits. */
static void answer(struct sched_promises *p, const struct sched_job *job,
		   enum sched_promise promise)
{
	for (uint32_t i = 0; i < job->tasks.total; i++) {
		struct sched_task *task = &p->m->tasks[job->tasks.first + i];

		if (task->done)
			continue;
		task->promise = promise;
		task->deadline_s =
			promise == SCHED_PROMISE_UNABLE
				? 0
				: job->times.submit_s +
					  (int64_t)(p->within *
						    (double)job->limit_s);
	}
}

bool sched_promises_offer(struct sched_promises *p, uint32_t at)
{
	struct sched_job *job = p ? &p->m->jobs[at] : NULL;
	uint32_t first, was;
	bool given = true;

	if (!p || !asks(p, job))
		return false;
	if (!promise_may_ask(job) ||
	    !promise_request(p->m, job, p->first, &p->request)) {
		answer(p, job, SCHED_PROMISE_UNABLE);
		return false;
	}
	answer(p, job, SCHED_PROMISE_GIVEN);
	first = job->tasks.first;
	was = job->tested_cpus;
	for (uint32_t i = 0; given && i < job->tasks.total; i++)
		given = p->m->tasks[first + i].done || offer_task(p, first + i);
	job->promised = given;
	if (given)
		return true;
	for (uint32_t i = 0; i < job->tasks.total; i++)
		sched_promises_cancel(p, first + i);
	job->tested_cpus = was;
	answer(p, job, SCHED_PROMISE_REFUSED);
	return false;
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
		if (!libra_engine_may_start_on(p->engine, &there, &query,
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
	/* what has moved to this instant starts, too */
	libra_engine_schedule(p->engine, now_s);
	while (!p->m->failed && libra_engine_next_action(p->engine, &action))
		if (action.kind == LIBRA_ACTION_START)
			start_task(p, &action);
	promise_aged_plan(p);
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
	if (libra_engine_may_start_on(p->engine, &job, &query,
				      (double)m->now_s))
		return true;
	aged = p->aged.task == m->jobs[at].tasks.next;
	if (aged) { /* its own plan may be what is in the way */
		start_s = promise_aged_leave(p);
		may = libra_engine_may_start_on(p->engine, &job, &query,
						(double)m->now_s);
	}
	if (!may && open)
		narrow(p, &job, at, part, open);
	/* a limit may still bar the start: the plan ends with the start only */
	if (aged)
		promise_aged_keep(p, m->jobs[at].tasks.next, start_s);
	return may;
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
