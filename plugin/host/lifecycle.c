/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifecycle.c - what happens to jobs: first sight, start, restart of slurmctld.
 * See state.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "plugin/host/state.h"

static bool commit_entry(struct host_entry *e, uint32_t job_id, double now_s)
{
	if (libra_engine_log_commit(&host.log, e->ticket, job_id, now_s) < 0)
		return false;
	e->state = ENTRY_COMMITTED;
	e->job.id = job_id;
	host_link_entry(e, job_id);
	return true;
}

/* Nothing has become free since this job was refused, a moment ago: the engine
 * and its log are spared the question.
 */
static bool refused_just_now(uint32_t job_id, double now_s)
{
	const struct host_refusal *r = &host.refused[job_id % HOST_REFUSALS];

	return r->job_id == job_id && r->changes == host.log.changes &&
	       fabs(now_s - r->at_s) < 1.0;
}

static void note_refusal(uint32_t job_id, double now_s)
{
	host.refused[job_id % HOST_REFUSALS] = (struct host_refusal){
		.job_id = job_id,
		.changes = host.log.changes,
		.at_s = now_s,
	};
}

/* Ask anew for a job that has a comment of ours but no offer.  Of an array for
 * as many tasks as have none, and there is room for: its tasks are jobs.
 */
static struct host_entry *renew(const struct libra_host_job *job,
				const struct libra_promise *p, double now_s)
{
	struct request_size shape = host_recorded_shape(p);
	struct libra_verdict v;
	struct libra_job ask_for = {
		.submit_s = now_s,
		.estimate_s = host_learn_estimate(job->user, p->own_s),
		.deadline_s = p->deadline_s,
		.budget = p->budget,
		.penalty_rate = p->penalty_rate,
		.nprocs = p->nprocs,
		.user = job->user,
	};
	struct host_entry *e = NULL, *head = host_find_job(job->job_id, false);
	uint32_t have = host_count_waiting(job->job_id, &e), asked = 0;
	uint32_t tasks = job->waiting ? job->waiting : 1;
	uint64_t first;

	if (have >= tasks || refused_just_now(job->job_id, now_s))
		return head;
	first = head ? head->first : host_first_offer(tasks);
	for (; have + asked < tasks; asked++) {
		if (host_offer_one(&ask_for, &shape, first, now_s, &v, NULL) !=
		    LIBRA_ACCEPT)
			break;
		e = host_find_ticket(v.ticket);
		e->own_s = p->own_s;
		if (!commit_entry(e, job->job_id, now_s))
			break;
	}
	host_take_actions(now_s);
	head = host_find_job(job->job_id, false);
	if (asked) {
		head->news = true;
		host_say(host.ops, LIBRA_HOST_INFO, "job %u: promised anew",
			 job->job_id);
	}
	if (have + asked < tasks)
		note_refusal(job->job_id, now_s);
	return head;
}

struct host_entry *host_claim(const struct libra_host_job *job,
			      const struct libra_promise *p, double now_s)
{
	struct host_entry *e = host_find_job(job->job_id, false);

	if (e)
		return e;
	if (p->epoch != host.log.epoch || p->offer == 0)
		return NULL;
	e = host_find_offer(p->offer);
	if (!e)
		return NULL;
	if (e->state == ENTRY_COMMITTED) { /* of the array it was split from */
		host_link_entry(e, job->job_id);
		e->news = true;
		return e;
	}
	/* At its first sight an array is not known as such. */
	for (; e; e = host_next_offer(e))
		if (e->state == ENTRY_OFFERED)
			commit_entry(e, job->job_id, now_s);
	e = host_find_job(job->job_id, false);
	if (e)
		e->news = true;
	return e;
}

/* Its partition is not managed any more: it is Slurm's, wherever it was
 * promised to be.
 */
static bool unmanaged(const struct libra_promise *p)
{
	return p->part_len > 0 &&
	       !host_cluster_partition(&host.cluster, p->part, p->part_len);
}

static bool too_late(const struct libra_promise *p, double now_s)
{
	return !libra_in_time(now_s + p->estimate_s, p->deadline_s);
}

/* What a job's record shall say of its promise from now on. */
static void tell_news(struct host_entry *e,
		      struct libra_host_placement *placement)
{
	if (!e->news)
		return;
	host_job_record(e, &placement->record);
	e->news = placement->record.comment == NULL;
}

bool host_recorded(const struct libra_host_job *job, struct libra_promise *p)
{
	struct host_entry *e;
	int saved;

	if (libra_promise_parse(job->comment, p) == 0)
		return true;
	saved = errno;
	e = host_find_job(job->job_id, false);
	if (!e || e->state != ENTRY_COMMITTED) {
		errno = saved;
		return false;
	}
	host_fill_promise(e, 1, p);
	e->news = true;
	return true;
}

/* A job that has no promise now, nor gets one. */
static enum libra_host_place without(const struct libra_host_job *job,
				     const struct libra_promise *p,
				     double now_s,
				     struct libra_host_placement *placement)
{
	struct libra_promise record = *p;

	if (job->look_only)
		return LIBRA_PLACE_WAIT;
	if (p->offer == 0)
		return too_late(p, now_s) ? LIBRA_PLACE_END : LIBRA_PLACE_WAIT;
	host_forget_back(job->job_id);
	if (!p->lost) {
		record.lost = true;
		record.on_len = record.left_len = 0;
		placement->record.comment = libra_promise_format(&record);
		placement->record.estimate_s = p->estimate_s;
		placement->record.deadline_s = p->deadline_s;
		host_say(host.ops, LIBRA_HOST_INFO,
			 "job %u: promise lost: what it was promised is gone, "
			 "and there is no share to promise anew; it may run "
			 "as best effort",
			 job->job_id);
	}
	return LIBRA_PLACE_LOST;
}

static void forget_surplus(uint32_t job_id)
{
	for (struct host_entry *e = host_find_job(job_id, false); e;
	     e = host_next_waiting(e))
		e->surplus_s = 0;
}

/* Tasks of an array were cancelled, and their promises are left over.  One that
 * was made a job of its own comes for its promise: give it time.
 */
static void trim(const struct libra_host_job *job, double now_s)
{
	struct host_entry *last;
	uint32_t n;

	if (job->waiting == 0)
		return;
	n = host_count_waiting(job->job_id, &last);
	if (n <= job->waiting) {
		forget_surplus(job->job_id);
		return;
	}
	if (last->surplus_s == 0)
		last->surplus_s = now_s;
	if (now_s - last->surplus_s <= host.conf.offer_ttl_s)
		return;
	for (; n > job->waiting; n--) {
		host_drop(last, now_s);
		host_count_waiting(job->job_id, &last);
	}
	host_find_job(job->job_id, false)->news = true;
}

/* Slurm finds no way to start a job where it was promised, and now its deadline
 * is over: what it keeps from others is of no use to it.
 */
static bool overdue(struct host_entry *e, const struct libra_promise *p,
		    double now_s)
{
	if (now_s <= p->deadline_s)
		return false;
	if (!e)
		return p->lost;
	if (e->may_start && e->overdue_s == 0)
		e->overdue_s = now_s;
	return e->may_start && now_s - e->overdue_s > host.conf.offer_ttl_s;
}

static enum libra_host_place give_up(const struct libra_host_job *job,
				     struct host_entry *e,
				     const struct libra_promise *p,
				     double now_s,
				     struct libra_host_placement *placement)
{
	if (e)
		host_say(host.ops, LIBRA_HOST_INFO,
			 "job %u: its deadline has passed, and Slurm cannot "
			 "start it where it was promised",
			 job->job_id);
	for (; e; e = host_find_job(job->job_id, false))
		host_drop(e, now_s);
	host_take_actions(now_s);
	return without(job, p, now_s, placement);
}

enum libra_host_place host_place(const struct libra_host_job *job,
				 const struct libra_promise *p, double now_s,
				 struct libra_host_placement *placement)
{
	struct host_entry *e = host_claim(job, p, now_s);

	while (e && unmanaged(p)) {
		host_drop(e, now_s);
		e = host_find_job(job->job_id, false);
	}
	if (unmanaged(p))
		return LIBRA_PLACE_STOCK;
	host_take_actions(now_s);
	while (e && host_read_parts(e->ticket, placement) == 0 &&
	       placement->nparts > 0 &&
	       !host_cluster_nodes_up(&host.cluster, placement)) {
		host_give_back(e, now_s);
		e = host_find_job(job->job_id, false);
	}
	if (!job->look_only && overdue(e, p, now_s))
		return give_up(job, e, p, now_s, placement);
	if (!job->look_only) {
		trim(job, now_s);
		e = renew(job, p, now_s);
	}
	if (!e)
		return without(job, p, now_s, placement);
	tell_news(e, placement);
	if (!e->may_start || host_read_parts(e->ticket, placement) < 0 ||
	    placement->nparts == 0)
		return LIBRA_PLACE_WAIT;
	host_cluster_slurm_nodes(&host.cluster, placement);
	placement->minutes =
		host_limit_minutes(&e->job, e->shape.partition, now_s);
	return LIBRA_PLACE_HERE;
}

/* A job of the state file gets back its processors, on which it may have been
 * running all the time.
 */
static struct host_entry *restore(const struct libra_host_job *job,
				  const struct libra_promise *p, bool running,
				  uint64_t first, double now_s)
{
	struct libra_part *parts = calloc(p->on_len / 3 + 1, sizeof(*parts));
	struct libra_error err = {0};
	struct libra_job again = {
		.id = job->job_id,
		.submit_s = p->submit_s,
		.estimate_s = p->estimate_s,
		.deadline_s = p->deadline_s,
		.budget = p->budget,
		.penalty_rate = p->penalty_rate,
		.nprocs = p->nprocs,
		.user = job->user,
	};
	struct host_entry *e = NULL;
	uint64_t ticket;
	uint32_t n = 0;

	if (parts)
		n = host_record_parts(p, now_s, parts,
				      (uint32_t)p->on_len / 3 + 1);
	if (n && libra_engine_log_restore(&host.log, &again, parts, n, running,
					  now_s, &ticket, &err) == 0)
		e = host_new_entry(ticket, first);
	else
		host_say(host.ops, LIBRA_HOST_ERROR,
			 "job %u: its record is of no use: %s", job->job_id,
			 *err.text ? err.text : "no such processors here");
	free(parts);
	if (!e)
		return NULL;
	e->job = again;
	e->own_s = p->own_s;
	e->shape = host_recorded_shape(p);
	e->share = p->share;
	e->news = host_find_job(job->job_id, false) == NULL;
	if (running) {
		host_run_entry(e, job->job_id);
	} else {
		e->state = ENTRY_COMMITTED;
		e->may_start = host.conf.policy->mode == LIBRA_SHARE;
		host_link_entry(e, job->job_id);
	}
	host_take_actions(now_s);
	return e;
}

/* Result: the entry, now running, or NULL. */
static struct host_entry *start(const struct libra_host_job *job,
				const struct libra_promise *p, double now_s)
{
	struct host_entry *e = host_claim(job, p, now_s);

	if (!e) {
		if (p->on_len)
			e = restore(job, p, true, host_first_offer(1), now_s);
		if (!e && !p->lost)
			host_say(host.ops, LIBRA_HOST_ERROR,
				 "job %u runs without a promise", job->job_id);
		return e;
	}
	if (libra_engine_log_started(&host.log, e->ticket, now_s) < 0) {
		host_say(host.ops, LIBRA_HOST_ERROR,
			 "job %u: the engine did not expect its start",
			 job->job_id);
		return NULL;
	}
	e->news = true;
	host_run_entry(e, job->job_id);
	host_take_actions(now_s);
	return e;
}

void host_started(const struct libra_host_job *job,
		  const struct libra_promise *p, double now_s,
		  struct libra_host_placement *placement)
{
	struct host_entry *e = NULL;

	if (!unmanaged(p))
		e = start(job, p, now_s);
	if (!e)
		return;
	host_suspend(e, job->suspended, now_s);
	tell_news(e, placement);
	if (host_read_parts(e->ticket, placement) == 0)
		host_cluster_slurm_nodes(&host.cluster, placement);
}

/* What a waiting job, or an array's waiting tasks, were promised.  What the
 * record does not tell is asked for anew when all jobs have been entered.
 */
static struct host_entry *restore_waiting(const struct libra_host_job *job,
					  const struct libra_promise *p,
					  double now_s)
{
	uint32_t tasks = job->waiting ? job->waiting : 1, n = 0;
	uint32_t begun = p->tasks > tasks ? p->tasks - tasks : 0;
	struct libra_promise task;
	uint64_t first = host_first_offer(tasks);
	size_t at = 0;

	while (n < tasks && libra_promise_task(p, &at, &task)) {
		if (begun > 0) {
			begun--;
			continue;
		}
		if (!restore(job, &task, false, first, now_s))
			break;
		n++;
	}
	if (n < tasks)
		host_say(host.ops, LIBRA_HOST_ERROR,
			 "job %u: %u of %u promises could not be taken up "
			 "again",
			 job->job_id, tasks - n, tasks);
	return host_find_job(job->job_id, false);
}

static bool is_blocked(uint32_t job_id)
{
	return host_job_state(host.ops, job_id) == LIBRA_JOB_BLOCKED;
}

/* Does a record's promise hold still?  It is taken up again without a test, so
 * what others may have by now does not: its job asks again by itself.  A job
 * that is held gives its promise back.  A task that was taken out of its array
 * has a copy of the array's record until its own is written.  And what this
 * engine promised is in its ledger, or was given back.
 */
static bool holds_still(const struct libra_host_job *job,
			const struct libra_promise *p)
{
	bool copied = p->tasks > 1 && job->waiting == 0 && !job->whole_array;

	return p->on_len > 0 && !copied && p->epoch != host.log.epoch &&
	       !is_blocked(job->job_id);
}

/* A promise that does not hold still: its record shall not tell places at the
 * next restart, when the job may be held no more.
 */
static void take_places_away(const struct libra_promise *p,
			     struct libra_host_placement *placement)
{
	struct libra_promise record = *p;

	if (p->on_len == 0 || p->epoch == host.log.epoch)
		return;
	record.on_len = 0;
	placement->record = (struct libra_host_record){
		.comment = libra_promise_format(&record),
		.in_turn = host_in_turn(),
		.share = p->share,
		.estimate_s = p->estimate_s,
		.deadline_s = p->deadline_s,
	};
}

void host_known(const struct libra_host_job *job, const struct libra_promise *p,
		double now_s, struct libra_host_placement *placement)
{
	struct host_entry *e = host_find_job(job->job_id, false);

	/* One that has begun and waits was requeued: its promise ended with
	 * its run, and others may have it.
	 */
	if (e || p->offer == 0 || p->lost || p->left_len || unmanaged(p))
		return;
	e = host_claim(job, p, now_s);
	if (!e && holds_still(job, p))
		e = restore_waiting(job, p, now_s);
	if (e)
		tell_news(e, placement);
	else
		take_places_away(p, placement);
}
