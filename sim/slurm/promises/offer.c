/* SPDX-License-Identifier: GPL-2.0-or-later */
/* offer.c - ask the engine for the promise of a task. */
#include "sim/slurm/promises/offer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

void promise_see_moves(struct sched_promises *p)
{
	uint64_t moves = libra_engine_plan_moves(p->engine);

	p->m->changes += moves != p->moves;
	p->moves = moves;
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

bool promise_offer_task(struct sched_promises *p, uint32_t task)
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
	promise_see_moves(p);
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
