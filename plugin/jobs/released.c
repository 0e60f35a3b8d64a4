/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * released.c - see released.h.
 */
#include <stdlib.h>

#include "plugin/jobs/job_record.h"
#include "plugin/base/ops.h"
#include "plugin/jobs/released.h"

static struct released_job *find(const struct host_released *released,
				 uint32_t job_id)
{
	for (uint32_t i = 0; i < released->n; i++)
		if (released->jobs[i].job_id == job_id)
			return &released->jobs[i];
	return NULL;
}

/* Reserve an entry.  Result: NULL if memory ran out. */
static struct released_job *room(struct host_released *released)
{
	uint32_t cap = released->cap ? 2 * released->cap : 16;
	struct released_job *more;

	if (released->n == released->cap) {
		more = realloc(released->jobs, cap * sizeof(*more));
		if (!more)
			return NULL;
		released->jobs = more;
		released->cap = cap;
	}
	return &released->jobs[released->n];
}

/* If memory runs out, the old record stays, and a restart would restore it. */
void host_release(struct host_released *released, struct host_jobs *jobs,
		  struct tracked_job *t, bool lost, const char *cause,
		  double now_s)
{
	struct released_job *job = find(released, t->job_id);
	struct tracked_job *last;
	struct libra_promise p;

	if (!t->ordinary && !job && (job = room(released))) {
		host_job_promise(
			jobs, t,
			host_jobs_count_waiting(jobs, t->job_id, &last), &p);
		p.lost = lost;
		*job = (struct released_job){
			.job_id = t->job_id,
			.lost = lost,
			.record = {.comment = libra_admin_comment_format(&p),
				   .rule = libra_host_conf_rule(
					   jobs->log->conf),
				   .share = t->share,
				   .estimate_s = t->job.estimate_s - t->wait_s,
				   .deadline_s = t->job.deadline_s},
		};
		released->n += job->record.comment != NULL;
	}
	if (t->state == TRACKED_COMMITTED)
		host_jobs_report(jobs, t, lost ? "lost" : "released", cause,
				 now_s);
	host_jobs_withdraw(jobs, t, NULL, now_s);
}

bool host_released_is_lost(const struct host_released *released,
			   uint32_t job_id)
{
	const struct released_job *job = find(released, job_id);

	return job && job->lost;
}

void host_released_flush(struct host_released *released,
			 const struct host_jobs *jobs)
{
	const struct released_job *job = released->jobs;

	for (; job < released->jobs + released->n; job++)
		if (!host_jobs_find(jobs, job->job_id, false) &&
		    !host_jobs_find(jobs, job->job_id, true))
			host_write_record(jobs->ops, job->job_id, &job->record);
	host_released_forget(released, 0);
}

void host_released_forget(struct host_released *released, uint32_t job_id)
{
	struct released_job *job;

	while (released->n &&
	       (job = job_id ? find(released, job_id) : released->jobs)) {
		free(job->record.comment);
		*job = released->jobs[--released->n];
	}
	if (released->n == 0) {
		free(released->jobs);
		*released = (struct host_released){0};
	}
}
