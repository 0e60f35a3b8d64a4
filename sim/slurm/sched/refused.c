/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused.c - jobs that slurmctld refuses at their submission. */
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

/* Return true if partition number p of a job refuses the job. */
static bool refuses(const struct sched_model *m, const struct sched_job *job,
		    uint32_t p)
{
	const struct sched_part *part = &m->parts[job->parts[p]];
	const struct sched_request *req = &job->req;
	const struct sched_qos *qos =
		job->owner.qos == SCHED_NONE ? NULL : &m->qos[job->owner.qos];

	if ((job->refused_by.account | job->refused_by.qos |
	     job->refused_by.time) >>
		    p &
	    1)
		return true;
	if (req->min_nodes > part->max_nodes && !(qos && qos->part_max_nodes))
		return true;
	return req->max_nodes && req->max_nodes < part->min_nodes &&
	       !(qos && qos->part_min_nodes);
}

static enum sched_reason ask(const struct sched_model *m,
			     const struct sched_job *job)
{
	uint64_t tres[SCHED_NTRES];
	uint32_t n = 0;

	for (uint32_t p = 0; p < job->nparts; p++)
		n += refuses(m, job, p);
	if ((m->params.enforce_parts == SCHED_ENFORCE_ALL && n > 0) ||
	    (m->params.enforce_parts == SCHED_ENFORCE_ANY && n == job->nparts))
		return SCHED_PARTITION_LIMIT;
	sched_tres_of(m, job, job->parts[0], NULL, tres);
	return sched_limits_denied(m, job, tres);
}

uint32_t sched_refuse(struct sched_model *m, struct sched_job *job)
{
	enum sched_reason reason = ask(m, job);
	uint32_t n = job->tasks.n;

	if (reason == SCHED_REASON_NONE)
		return 0;
	for (uint32_t t = job->tasks.first;
	     t < job->tasks.first + job->tasks.total; t++) {
		if (m->tasks[t].done)
			continue;
		m->tasks[t].done = true;
		m->tasks[t].outcome = SCHED_CANCELLED;
		m->tasks[t].reason = reason;
	}
	job->tasks.n = 0;
	return n;
}
