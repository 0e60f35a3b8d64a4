/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aged.c - the ordinary task that has waited longest. */
#include "sim/slurm/promises/aged.h"

#include <math.h>

#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

/* Return the oldest job that has waited for firm_age, or SCHED_NONE. */
static uint32_t find_oldest(const struct sched_promises *p)
{
	const struct sched_model *m = p->m;
	int64_t since_s = INT64_MAX;
	uint32_t found = SCHED_NONE;

	for (uint32_t i = 0; i < m->nwaiting; i++) {
		const struct sched_job *job = &m->jobs[m->waiting[i]];
		int64_t submit_s = job->times.submit_s;

		if (job->times.eligible_s == 0 || job->promised || job->held ||
		    m->jobs[job->tasks.base].tasks.throttle > 0 ||
		    (double)(m->now_s - submit_s) < p->aged.age_s ||
		    submit_s >= since_s ||
		    libra_guard_skips(&p->aged.guard, (double)submit_s,
				      job->id))
			continue;
		since_s = submit_s;
		found = m->waiting[i];
	}
	return found;
}

/* Result: false if there is no plan for the next task of a job now. */
static bool plan_task(struct sched_promises *p, uint32_t at)
{
	struct sched_model *m = p->m;
	const struct sched_job *job = &m->jobs[at];
	struct libra_job asked = promise_job(p, at, job->tasks.next, 0);
	struct libra_verdict verdict;

	if (promise_request(m, job, p->first, &p->request) ||
	    sched_limits_before(m, job, p->request.part) != SCHED_REASON_NONE)
		return false;
	asked.nprocs = p->request.nprocs;
	asked.where = &p->request.where;
	if (libra_engine_plan_ordinary(p->engine, &asked, (double)m->now_s,
				       &verdict, NULL) < 0 ||
	    verdict.answer != LIBRA_ACCEPT)
		return false;
	libra_engine_commit(p->engine, verdict.ticket, asked.id,
			    (double)m->now_s);
	p->aged.task = job->tasks.next;
	p->seats[p->aged.task].ticket = verdict.ticket;
	return true;
}

void promise_aged_plan(struct sched_promises *p)
{
	struct libra_guard *guard = &p->aged.guard;
	double now_s = (double)p->m->now_s;
	const struct sched_job *job;
	uint32_t at;

	if (p->aged.task != SCHED_NONE ||
	    !libra_guard_looks(guard, p->aged.age_s, now_s))
		return;
	at = find_oldest(p);
	if (at == SCHED_NONE)
		return;
	job = &p->m->jobs[at];
	if (plan_task(p, at))
		libra_guard_reserved(guard);
	else
		libra_guard_failed(guard, (double)job->times.submit_s, job->id,
				   now_s);
}

double promise_aged_leave(struct sched_promises *p)
{
	double start_s = libra_engine_planned_start(
		p->engine, p->seats[p->aged.task].ticket);

	sched_promises_cancel(p, p->aged.task);
	return start_s;
}

void promise_aged_keep(struct sched_promises *p, uint32_t task, double start_s)
{
	struct sched_model *m = p->m;
	uint32_t at = m->tasks[task].job;
	struct libra_job asked = promise_job(p, at, task, 0);

	if (promise_request(m, &m->jobs[at], p->first, &p->request))
		return;
	asked.nprocs = p->request.nprocs;
	asked.where = &p->request.where;
	if (libra_engine_restore_waiting(p->engine, &asked, start_s,
					 (double)m->now_s,
					 &p->seats[task].ticket, NULL) < 0)
		m->failed = true;
	else
		p->aged.task = task;
}

void promise_aged_start(struct sched_promises *p)
{
	struct sched_model *m = p->m;
	uint32_t task = p->aged.task, at = m->tasks[task].job;
	struct sched_job *job = &m->jobs[at];
	uint32_t part = promise_part(m, job);
	uint64_t tres[SCHED_NTRES];

	promise_set_place(p, task);
	sched_tres_of(m, job, part, &m->buffers->place, tres);
	if (job->tasks.next != task ||
	    m->hooks.may_run(m, job) != SCHED_REASON_NONE ||
	    sched_limits_before(m, job, part) != SCHED_REASON_NONE ||
	    sched_limits_after(m, job, part, tres) != SCHED_REASON_NONE) {
		promise_give_back(p, task);
		libra_guard_gave_up(&p->aged.guard, (double)job->times.submit_s,
				    job->id, (double)m->now_s);
		sched_promises_cancel(p, task);
		return;
	}
	p->aged.begins = true;
	sched_begin(m, at, part, SCHED_PROMISE);
	p->aged.begins = false;
	p->aged.task = SCHED_NONE;
	p->aged.guard.given_up = 0;
}
