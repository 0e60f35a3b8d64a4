/* SPDX-License-Identifier: GPL-2.0-or-later */
/* later.c - jobs that ask for a promise when they may start. */
#include "sim/slurm/promises/later.h"

#include "sim/base/memory.h"
#include "sim/slurm/promises/offer.h"

bool promise_later_add(struct sched_promises *p, uint32_t job)
{
	struct asker *bigger = sim_grown(p->later.jobs, &p->later.cap,
					 p->later.n + 1, sizeof(*bigger));

	if (!bigger) {
		p->m->failed = true;
		return false;
	}
	p->later.jobs = bigger;
	bigger[p->later.n++] = (struct asker){.job = job};
	p->news++;
	return true;
}

/* Return true if only its turn keeps a job; else note when it may be so. */
static bool may_start(struct sched_promises *p, struct sched_job *job)
{
	const struct sched_job_times *times = &job->times;
	int64_t from_s = times->begin_s > times->held_until_s
				 ? times->begin_s
				 : times->held_until_s;
	bool may;

	if (p->m->now_s < from_s) {
		if (from_s < p->later.next_s)
			p->later.next_s = from_s;
		return false;
	}
	job->promised = false;
	may = p->m->hooks.may_run(p->m, job) == SCHED_REASON_NONE;
	job->promised = true;
	return may;
}

/* Ask for the waiting tasks without a promise, until one is refused.
 * Result: true if all have one; *waits: one of them does.
 */
static bool ask_all(struct sched_promises *p, struct asker *asker, bool *waits)
{
	struct sched_model *m = p->m;
	struct sched_job *job = &m->jobs[asker->job];
	bool asked = asker->refused == p->frees + 1;
	uint32_t was = job->tested_cpus;

	*waits = false;
	if (!asked && promise_request(m, job, p->first, &p->request))
		asked = true;
	asker->refused = p->frees + 1;
	for (uint32_t i = 0; i < job->tasks.total; i++) {
		uint32_t task = job->tasks.first + i;

		if (m->tasks[task].done || m->tasks[task].start_s > 0)
			continue;
		if (p->seats[task].ticket == 0) {
			if (asked || !promise_offer_task(p, task)) {
				job->tested_cpus = was;
				return false;
			}
			m->tasks[task].promise = SCHED_PROMISE_GIVEN;
			asker->given = true;
		}
		*waits = true;
	}
	return true;
}

static void set_all(struct sched_promises *p, const struct sched_job *job,
		    enum sched_promise promise)
{
	for (uint32_t i = 0; i < job->tasks.total; i++) {
		uint32_t at = job->tasks.first + i;
		struct sched_task *task = &p->m->tasks[at];

		if (task->done || task->start_s > 0)
			continue;
		task->promise = promise;
		if (promise == SCHED_PROMISE_EXPIRED)
			p->m->hooks.cancel(p->m, at);
	}
}

/* Result: true if the job asks no more. */
static bool settle(struct sched_promises *p, struct asker *asker)
{
	struct sched_model *m = p->m;
	struct sched_job *job = &m->jobs[asker->job];
	int64_t late_s;
	bool waits;

	if (!job->waits)
		return true;
	if (!may_start(p, job))
		return false;
	if (ask_all(p, asker, &waits))
		return true;
	if (waits)
		return false;
	if (asker->given) {
		set_all(p, job, SCHED_PROMISE_REFUSED);
		job->promised = false;
		m->changes++;
		return true;
	}
	late_s = m->tasks[job->tasks.next].deadline_s - job->limit_s + 1;
	if (m->now_s >= late_s) {
		set_all(p, job, SCHED_PROMISE_EXPIRED);
		return true;
	}
	if (late_s < p->later.next_s)
		p->later.next_s = late_s;
	return false;
}

void promise_later_ask(struct sched_promises *p)
{
	struct later *later = &p->later;
	size_t kept = 0;

	if (later->seen == p->news && p->m->now_s < later->next_s)
		return;
	later->next_s = INT64_MAX;
	later->seen = p->news;
	for (size_t i = 0; i < later->n; i++) {
		struct asker asker = later->jobs[i];

		if (p->m->failed || !settle(p, &asker))
			later->jobs[kept++] = asker;
	}
	later->n = kept;
	if (p->news != later->seen) /* another may depend on a cancelled one */
		later->next_s = p->m->now_s + 1;
}
