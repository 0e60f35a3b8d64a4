/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * restore.c - see restore.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "plugin/request/ask.h"
#include "plugin/host/unclaimed.h"
#include "plugin/jobs/job_record.h"
#include "plugin/host/match.h"
#include "plugin/base/ops.h"
#include "plugin/engine/placement.h"
#include "plugin/host/restore.h"
#include "plugin/host/planned_starts.h"
#include "plugin/host/clock.h"
#include "plugin/host/actions.h"

/* Track a restored ticket.  If memory is out, the engine must drop the ticket,
 * as nobody would ever release it.
 */
static struct tracked_job *add_restored(struct host_state *h, uint64_t ticket,
					bool running, uint64_t first,
					double now_s, struct libra_error *err)
{
	struct tracked_job *t = host_jobs_add(&h->jobs, ticket, first);

	if (t)
		return t;
	if (running)
		libra_engine_log_departed(&h->log, ticket, now_s);
	else
		libra_engine_log_withdraw(&h->log, ticket, now_s);
	libra_no_memory(err, NULL);
	return NULL;
}

struct tracked_job *host_restore_ticket(struct host_state *h,
					const struct libra_host_job *job,
					const struct libra_promise *p,
					bool running, uint64_t first,
					double now_s)
{
	struct libra_part *parts = calloc(p->on.len / 3 + 1, sizeof(*parts));
	struct libra_error err = {0};
	struct libra_job again = host_record_job(job, p);
	struct request_size size = host_record_size(&h->cluster, p);
	struct tracked_job *t = NULL;
	struct libra_where where;
	uint64_t ticket;
	uint32_t n = 0;

	if (h->cluster.plans)
		host_set_where(&size, &again, &where);
	if (parts)
		n = host_record_parts(&h->cluster, p, now_s, parts,
				      (uint32_t)p->on.len / 3 + 1);
	else
		libra_no_memory(&err, NULL);
	if (n && libra_engine_log_restore(&h->log, &again, parts, n, running,
					  now_s, &ticket, &err) == 0)
		t = add_restored(h, ticket, running, first, now_s, &err);
	if (!t)
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "job %u: its record cannot be restored: %s",
			 job->job_id,
			 *err.text
				 ? err.text
				 : "it names processors that are not managed");
	free(parts);
	again.where = NULL;
	if (!t)
		return NULL;
	t->job = again;
	host_unclaimed_know(h, t);
	t->user_estimate_s = p->user_estimate_s;
	t->size = size;
	t->size.hold_per_cpu = job->mem.hold_per_cpu;
	t->size.hold_per_node = job->mem.hold_per_node;
	t->share = p->share;
	t->late_s = p->late_s;
	host_planned_starts_broken(t, p);
	t->changed_s = p->changed_s;
	t->stale = host_jobs_find(&h->jobs, job->job_id, false) == NULL;
	if (running) {
		host_jobs_run(&h->jobs, t, job->job_id);
	} else {
		t->state = TRACKED_COMMITTED;
		t->may_start = h->conf.policy->mode == LIBRA_SHARE;
		host_jobs_link(&h->jobs, t, job->job_id);
	}
	host_jobs_report(&h->jobs, t, "restored", NULL, now_s);
	host_sync_actions(h, now_s);
	return t;
}

/* Restore the promises of a waiting job, or of an array's waiting tasks.
 * Promises that the record does not name are asked for once all jobs are
 * restored.
 */
static struct tracked_job *restore_waiting(struct host_state *h,
					   const struct libra_host_job *job,
					   const struct libra_promise *p,
					   double now_s)
{
	uint32_t tasks = job->waiting ? job->waiting : 1, n = 0;
	uint32_t begun = p->tasks > tasks ? p->tasks - tasks : 0;
	struct libra_promise task;
	uint64_t first = host_jobs_first_offer(&h->jobs, tasks);
	size_t at = 0;

	if (h->cluster.plans) {
		for (uint32_t i = 0; i < tasks; i++)
			n += host_planned_starts_restore(h, job, p, begun + i,
							 first, now_s) != NULL;
		return host_jobs_find(&h->jobs, job->job_id, false);
	}
	while (n < tasks && libra_promise_task(p, &at, &task)) {
		if (begun > 0) {
			begun--;
			continue;
		}
		if (!host_restore_ticket(h, job, &task, false, first, now_s))
			break;
		n++;
	}
	if (n < tasks)
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "job %u: %u of %u promises cannot be restored",
			 job->job_id, tasks - n, tasks);
	return host_jobs_find(&h->jobs, job->job_id, false);
}

static bool is_blocked(struct host_state *h, uint32_t job_id)
{
	return host_job_state(h->ops, job_id) == LIBRA_JOB_BLOCKED;
}

/* Return true if a record's promise may be restored, which is done without an
 * admission test.  If others may have been promised the same by now, return
 * false, and the job asks by itself.  A held job has released its promise.  A
 * task that was taken out of its array has a copy of the array's record until
 * its own is written.  A promise of this engine is in its ledger, or was
 * released.
 */
static bool is_still_held(struct host_state *h,
			  const struct libra_host_job *job,
			  const struct libra_promise *p)
{
	bool copied = p->tasks > 1 && job->waiting == 0 && !job->whole_array;

	return (p->on.len > 0 || p->start.len > 0) && !copied &&
	       p->epoch != h->log.epoch && !is_blocked(h, job->job_id);
}

/* Write a record without processors for a job that released its promise.
 * Otherwise the next restart would restore the promise, if the job is not held
 * then.
 */
static void erase_processors(struct host_state *h,
			     const struct libra_promise *p,
			     struct libra_host_placement *placement)
{
	struct libra_promise record = *p;

	if ((p->on.len == 0 && p->start.len == 0) || p->epoch == h->log.epoch)
		return;
	record.on.len = record.start.len = 0;
	placement->record = (struct libra_host_record){
		.comment = libra_admin_comment_format(&record),
		.rule = libra_host_conf_rule(&h->conf),
		.share = p->share,
		.estimate_s = p->estimate_s,
		.deadline_s = p->deadline_s,
	};
}

static void enter_waiting(struct host_state *h,
			  const struct libra_host_job *job,
			  const struct libra_promise *p, double now_s,
			  struct libra_host_placement *placement)
{
	struct tracked_job *t = host_jobs_find(&h->jobs, job->job_id, false);

	/* A waiting job that has begun was requeued: its promise ended with its
	 * run, and others may have its processors.
	 */
	if (t || p->offer == 0 || p->lost || p->left.len ||
	    host_is_unmanaged(h, p))
		return;
	t = host_match(h, job, p, now_s);
	if (!t && is_still_held(h, job, p))
		t = restore_waiting(h, job, p, now_s);
	if (t)
		host_job_hand_over(t, &h->jobs, &placement->record);
	else
		erase_processors(h, p, placement);
}

void host_restore(struct host_state *h, const struct libra_host_job *job,
		  struct libra_host_placement *placement)
{
	struct libra_promise p;

	if (host_read_promise(h, job, &p))
		enter_waiting(h, job, &p, host_now(h), placement);
	else
		host_report_damage(h, job);
}
