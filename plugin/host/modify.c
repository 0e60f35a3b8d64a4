/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modify.c - changes of a promised job.  See state.h.
 */
#include <math.h>
#include <stdlib.h>

#include "plugin/host/state.h"

/* The new numbers of a job that has not begun.
 * Result: false, and the user is told, if they make no sense.
 */
static bool take_numbers(const struct libra_host_request *change, double now_s,
			 struct libra_job *job, struct host_shape *shape,
			 struct libra_host_reply *reply)
{
	if (!isnan(change->estimate_s))
		job->estimate_s = change->estimate_s;
	if (!isnan(change->deadline_s))
		job->deadline_s = change->deadline_s;
	if (change->ncpus) {
		*shape = host_shape_of(change, shape->part);
		job->nprocs = host_procs_of(change, shape);
	}
	if (isfinite(job->estimate_s) && job->estimate_s > 0 &&
	    job->deadline_s > now_s)
		return true;
	host_unacceptable(reply, "a promised job needs a positive estimate and "
				 "a deadline to come");
	return false;
}

/* Re-admit a waiting job: the new offer beside the old one, then instead of
 * it.  So a refusal has changed nothing.
 */
static int readmit(struct host_entry *e,
		   const struct libra_host_request *change, double now_s,
		   struct libra_host_reply *reply)
{
	struct host_shape shape = e->shape;
	struct libra_job job = e->job;
	uint32_t job_id = e->job_id;
	uint64_t old = e->ticket, first = host.last_offer + 1;
	double own_s = e->own_s;
	struct host_entry *fresh;

	job.id = 0;
	job.submit_s = now_s;
	if (!take_numbers(change, now_s, &job, &shape, reply))
		return 0;
	if (host_offer_all(&job, 1, &shape, now_s, reply) < 0)
		return -1;
	if (reply->answer != LIBRA_HOST_ACCEPTED)
		return 0;
	fresh = host_find_offer(first);
	libra_calls_commit(&host.calls, fresh->ticket, job_id, now_s);
	fresh->state = ENTRY_COMMITTED;
	fresh->job.id = job_id;
	if (isnan(change->estimate_s))
		fresh->own_s = own_s;
	fresh->news = host.news = true;
	host.news_took_s = 0;
	host_link_entry(fresh, job_id);
	e = host_find_ticket(old);
	if (e)
		host_drop(e, now_s);
	host_take_actions(now_s);
	return host_fill_reply(reply, &job, first, 1, &shape, now_s);
}

/* New numbers for a job that stays where it is.
 * Result: 1 if accepted, 0 if refused, or -1.
 */
static int modify_there(struct host_entry *e,
			const struct libra_host_request *change, double now_s,
			struct libra_host_reply *reply)
{
	struct libra_job job = e->job;
	struct libra_verdict v = {0};
	struct libra_error err = {0};

	if (!isnan(change->estimate_s))
		job.estimate_s = change->estimate_s;
	if (!isnan(change->deadline_s))
		job.deadline_s = change->deadline_s;
	if (libra_calls_modify(&host.calls, e->ticket, &job, now_s, &v, &err) <
	    0) {
		host_unacceptable(reply,
				  *err.text ? err.text
					    : "the policy cannot change it");
		return -1;
	}
	if (v.answer != LIBRA_ACCEPT)
		return 0;
	e->job = job;
	if (!isnan(change->estimate_s))
		e->own_s = job.estimate_s;
	e->share = v.share;
	e->news = host.news = true;
	host.news_took_s = 0; /* whoever asked shall read it at once */
	host_accept(reply, &job, &v, 1);
	reply->minutes = host_limit_minutes(&job, e->shape.part, now_s);
	host_take_actions(now_s);
	return 1;
}

int host_modify(struct host_entry *e, const struct libra_host_request *change,
		double now_s, struct libra_host_reply *reply)
{
	bool running = e->state == ENTRY_RUNNING;
	int rc;

	if (change->ncpus == 0) {
		rc = modify_there(e, change, now_s, reply);
		if (rc != 0)
			return 0;
	}
	if (!running)
		return readmit(e, change, now_s, reply);
	reply->answer = LIBRA_HOST_REFUSED;
	reply->reason = LIBRA_REASON_NO_SHARE;
	host_reply_text(reply,
			change->ncpus
				? "libra: a promised job cannot change its "
				  "size while it runs"
				: "libra: refused (no_share): its processors "
				  "have promised too much to others");
	return 0;
}

int host_modify_record(uint32_t job_id, struct libra_promise *p,
		       const struct libra_host_request *change, double now_s,
		       struct libra_host_reply *reply)
{
	struct host_shape shape = host_recorded_shape(p);
	struct libra_job job = {
		.estimate_s = p->own_s,
		.deadline_s = p->deadline_s,
		.nprocs = p->nprocs,
	};
	struct libra_host_record record = {
		.in_turn = host_in_turn(),
		.share = p->lost ? 0 : p->share,
	};

	if (!take_numbers(change, now_s, &job, &shape, reply))
		return 0;
	p->estimate_s = p->own_s = record.estimate_s = job.estimate_s;
	p->deadline_s = record.deadline_s = job.deadline_s;
	p->nprocs = job.nprocs;
	p->chunk = shape.chunk;
	p->node_max = shape.node_max;
	p->min_nodes = shape.min_nodes;
	p->max_nodes = shape.max_nodes;
	p->on_len = p->left_len = 0;
	record.comment = libra_promise_format(p);
	if (!record.comment)
		return -1;
	if (host.ops->keep)
		host.ops->keep(job_id, &record);
	free(record.comment);
	reply->answer = LIBRA_HOST_ACCEPTED;
	reply->minutes = host_limit_minutes(&job, shape.part, now_s);
	return 0;
}
