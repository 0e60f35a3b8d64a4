/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifecycle.c - see lifecycle.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/units.h"
#include "plugin/request/ask.h"
#include "plugin/engine/away.h"
#include "plugin/host/unclaimed.h"
#include "plugin/jobs/estimates.h"
#include "plugin/jobs/job_record.h"
#include "plugin/host/lifecycle.h"
#include "plugin/host/match.h"
#include "plugin/base/ops.h"
#include "plugin/engine/placement.h"
#include "plugin/host/restore.h"
#include "plugin/host/submit.h"
#include "plugin/request/sizing.h"
#include "plugin/host/sync.h"
#include "plugin/request/asleep.h"
#include "plugin/request/resources.h"
#include "plugin/host/planned_starts.h"
#include "plugin/host/clock.h"
#include "plugin/host/actions.h"
#include "plugin/host/sweep.h"

/* A refused job asks again when something has become free, and now and then, as
 * shares grow with time.
 */
#define ASK_SOON_S 1.0
#define ASK_LATE_S 15.0

/* Return true if a job was refused a moment ago and nothing has become free
 * since: then the engine and its log need not be asked.
 */
static bool refused_just_now(struct host_state *h, uint32_t job_id,
			     double now_s)
{
	const struct host_refusal *r = &h->refused[job_id % HOST_REFUSALS];

	return r->job_id == job_id && r->changes == h->log.changes &&
	       fabs(now_s - r->at_s) < ASK_SOON_S;
}

/* Return true if a barred job has released its promise lately: it asks again
 * after a while.
 */
static bool released_just_now(const struct host_state *h, uint32_t job_id,
			      double now_s)
{
	const struct host_refusal *r = &h->refused[job_id % HOST_REFUSALS];

	return r->barred && r->job_id == job_id &&
	       fabs(now_s - r->at_s) < ASK_LATE_S;
}

static void note_refusal(struct host_state *h, uint32_t job_id, double now_s)
{
	h->refused[job_id % HOST_REFUSALS] = (struct host_refusal){
		.job_id = job_id,
		.changes = h->log.changes,
		.at_s = now_s,
	};
}

/* The answer to a job that asked for its promise when it could start. */
struct refusal {
	enum libra_reason reason; /* NONE: not asked, or not refused */
	double earliest_s;	  /* NAN = not known */
	bool no_memory;		  /* to answer: the job asks again */
};

/* Note the first refusal of a job that has no promise yet.  Only one job a
 * second learns its earliest deadline: that takes milliseconds of a large
 * cluster.
 */
static void note_reason(struct host_state *h, const struct libra_promise *p,
			const struct libra_job *job,
			const struct request_size *size,
			enum libra_reason reason, double now_s,
			struct refusal *refusal)
{
	if (p->offer != 0 || p->refused.len > 0)
		return;
	refusal->reason = reason;
	refusal->earliest_s = NAN;
	if (fabs(now_s - h->last.advised_s) < 1)
		return;
	h->last.advised_s = now_s;
	refusal->earliest_s =
		host_ask_advice(&h->jobs, job, 1, size, now_s).earliest_s;
}

/* Report the answer to a job that asked for its first promise. */
static void report_answer(struct host_state *h,
			  const struct libra_host_job *job,
			  const struct libra_promise *p, const char *verdict,
			  const struct refusal *refusal, double now_s)
{
	const struct host_partition *partition =
		host_cluster_partition(&h->cluster, p->part.text, p->part.len);
	struct libra_declog *out =
		host_decision(h, job->user, partition, verdict,
			      libra_reason_name(refusal->reason), now_s);

	libra_declog_whole(out, "id", job->job_id);
	libra_declog_number(out, "deadline_s", p->deadline_s);
	libra_declog_number(out, "earliest_s", refusal->earliest_s);
	libra_declog_end(out);
}

/* Ask for a promise for a job that has a record but no offer.  For an array,
 * ask for each task without a promise, as long as there is room.  wait_s: the
 * time until Slurm may start the job, which is added to the estimate.
 * Result: the job's first waiting ticket, or NULL.  If the job is refused for
 *         the first time, *refusal has the reason; without an answer no_memory.
 */
static struct tracked_job *renew(struct host_state *h,
				 const struct libra_host_job *job,
				 const struct libra_promise *p, double wait_s,
				 double now_s, struct refusal *refusal)
{
	struct request_size size = host_record_size(&h->cluster, p);
	struct libra_verdict v;
	struct libra_job ask_for = {
		.submit_s = now_s,
		.estimate_s = host_estimate(h->history, job->user,
					    p->user_estimate_s),
		.deadline_s = p->deadline_s,
		.budget = p->budget,
		.penalty_rate = p->penalty_rate,
		.nprocs = p->nprocs,
		.user = job->user,
	};
	struct tracked_job *head = host_jobs_find(&h->jobs, job->job_id, false);
	struct tracked_job *t;
	uint32_t have = host_jobs_count_waiting(&h->jobs, job->job_id, &t);
	uint32_t asked = 0;
	uint32_t tasks = job->waiting ? job->waiting : 1;
	struct libra_range *ranges;
	uint64_t first;
	int answer;

	ask_for.estimate_s += wait_s;
	size.hold_per_cpu = job->mem.hold_per_cpu;
	size.hold_per_node = job->mem.hold_per_node;
	refusal->no_memory = h->unreported;
	/* If one task of an array has an aged reservation, the others wait. */
	if (have >= tasks || (head && head->ordinary) || h->unreported ||
	    refused_just_now(h, job->job_id, now_s))
		return head;
	first = head ? head->first : host_jobs_first_offer(&h->jobs, tasks);
	refusal->no_memory = host_resources_again(&h->cluster, h->ops, job,
						  &size, &ranges) < 0;
	if (refusal->no_memory) {
		free(ranges);
		return head;
	}
	if (host_boots_too_late(&h->cluster, h->ops, &size, &ask_for, now_s) >
	    0) {
		if (!head)
			note_reason(h, p, &ask_for, &size,
				    LIBRA_REASON_WOULD_MISS, now_s, refusal);
		free(ranges);
		note_refusal(h, job->job_id, now_s);
		return head;
	}
	for (; have + asked < tasks; asked++) {
		answer = host_ask(&h->jobs, &ask_for, &size, first, now_s, &v,
				  NULL);
		if (answer == LIBRA_REJECT && !head && asked == 0)
			note_reason(h, p, &ask_for, &size, v.reason, now_s,
				    refusal);
		refusal->no_memory = answer < 0 && errno == ENOMEM;
		if (answer != LIBRA_ACCEPT)
			break;
		t = host_jobs_find_ticket(&h->jobs, v.ticket);
		t->user_estimate_s = p->user_estimate_s;
		t->wait_s += wait_s;
		if (!host_commit(h, t, job->job_id, now_s))
			break;
	}
	free(ranges);
	if (asked && p->offer == 0)
		report_answer(h, job, p, "accept",
			      &(struct refusal){.earliest_s = NAN}, now_s);
	host_sync_actions(h, now_s);
	head = host_jobs_find(&h->jobs, job->job_id, false);
	if (asked) {
		head->stale = true;
		host_log(h->ops, LIBRA_HOST_INFO, "job %u: promised again",
			 job->job_id);
	}
	if (have + asked < tasks && !refusal->no_memory)
		note_refusal(h, job->job_id, now_s);
	return head;
}

static bool too_late(const struct libra_promise *p, double now_s)
{
	return !libra_in_time(now_s + p->estimate_s, p->deadline_s);
}

/* Write a refusal into the job's record and the log. */
static void tell_refusal(struct host_state *h, const struct libra_host_job *job,
			 const struct libra_promise *p,
			 const struct refusal *refusal, double now_s,
			 struct libra_host_placement *placement)
{
	const char *reason = libra_reason_name(refusal->reason);
	struct libra_promise record = *p;
	char text[96], best[32], earliest[64] = "";

	if (refusal->reason == LIBRA_REASON_NONE)
		return;
	snprintf(text, sizeof(text), "%s/%.0f/%.0f", reason, now_s,
		 ceil(refusal->earliest_s));
	record.refused.text = text;
	record.refused.len = strlen(text);
	placement->record.comment = libra_admin_comment_format(&record);
	placement->record.estimate_s = p->estimate_s;
	placement->record.deadline_s = p->deadline_s;
	if (isfinite(refusal->earliest_s)) {
		libra_host_clock_text(refusal->earliest_s, now_s, NAN, best);
		snprintf(earliest, sizeof(earliest), ", earliest deadline %s",
			 best);
	}
	report_answer(h, job, p, "reject", refusal, now_s);
	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u could start and asked for its promise: refused "
		 "(%s)%s; it asks again until its deadline cannot be met",
		 job->job_id, reason, earliest);
}

/* Write into a job's record, and the log, that its promise is lost. */
static void lose(struct host_state *h, const struct libra_host_job *job,
		 const struct libra_promise *p, const char *why,
		 struct libra_host_placement *placement)
{
	struct libra_promise record = *p;

	host_released_forget(&h->released, job->job_id);
	if (p->lost)
		return;
	record.lost = true;
	record.on.len = record.left.len = record.start.len = 0;
	placement->record.comment = libra_admin_comment_format(&record);
	placement->record.estimate_s = p->estimate_s;
	placement->record.deadline_s = p->deadline_s;
	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u: promise lost: %s; it may run as best effort",
		 job->job_id, why);
}

/* Answer for a job that has no promise and gets none. */
static enum libra_host_place without(struct host_state *h,
				     const struct libra_host_job *job,
				     const struct libra_promise *p,
				     const struct refusal *refusal,
				     double now_s,
				     struct libra_host_placement *placement)
{
	if (job->look_only)
		return LIBRA_PLACE_WAIT;
	if (p->offer == 0) {
		tell_refusal(h, job, p, refusal, now_s, placement);
		return too_late(p, now_s) ? LIBRA_PLACE_END : LIBRA_PLACE_WAIT;
	}
	if (refusal->no_memory && !p->lost)
		return LIBRA_PLACE_WAIT;
	lose(h, job, p,
	     "its processors are gone, and no others can be promised",
	     placement);
	return LIBRA_PLACE_LOST;
}

static void forget_surplus(struct host_state *h, uint32_t job_id)
{
	for (struct tracked_job *t = host_jobs_find(&h->jobs, job_id, false); t;
	     t = host_jobs_next_waiting(&h->jobs, t))
		t->since.surplus_s = 0;
}

/* Drop promises of an array for which there is no task, as tasks were
 * cancelled.  Wait for libra_offer_ttl first: a task that became a job of its
 * own claims its promise.
 */
static void trim(struct host_state *h, const struct libra_host_job *job,
		 double now_s)
{
	struct tracked_job *last;
	uint32_t n;

	if (job->waiting == 0)
		return;
	n = host_jobs_count_waiting(&h->jobs, job->job_id, &last);
	if (n <= job->waiting) {
		forget_surplus(h, job->job_id);
		return;
	}
	if (last->since.surplus_s == 0)
		last->since.surplus_s = now_s;
	if (now_s - last->since.surplus_s <= h->conf.offer_ttl_s)
		return;
	for (; n > job->waiting; n--) {
		struct tracked_job *before =
			host_jobs_waiting_before(&h->jobs, last);

		host_jobs_withdraw(&h->jobs, last, "cancelled", now_s);
		last = before;
	}
	host_jobs_find(&h->jobs, job->job_id, false)->stale = true;
}

static bool overdue(struct host_state *h, const struct libra_host_job *job,
		    struct tracked_job *t, const struct libra_promise *p,
		    double now_s)
{
	if (t)
		return host_is_overdue(h, t, now_s);
	return now_s > p->deadline_s &&
	       (p->lost || host_released_is_lost(&h->released, job->job_id));
}

static enum libra_host_place give_up(struct host_state *h,
				     const struct libra_host_job *job,
				     struct tracked_job *t,
				     const struct libra_promise *p,
				     double now_s,
				     struct libra_host_placement *placement)
{
	if (t)
		host_give_up(h, t, now_s);
	host_sync_actions(h, now_s);
	return without(h, job, p, &(struct refusal){0}, now_s, placement);
}

/* Return true if a new offer is better than to wait for a node that is away:
 * the offer needs no such wait, or its planned start is well before that node
 * is back.
 */
static bool is_sooner(const struct host_state *h, const struct tracked_job *t,
		      uint32_t away)
{
	if (!h->cluster.plans)
		return t->wait_s == 0;
	return libra_engine_planned_start(h->log.engine, t->ticket) <
	       h->cluster.away[away].back_s - HOST_AWAY_BRIEF_S;
}

/* Promise a job other nodes instead of those of its ticket.
 * Result: true if the job has moved; else nothing has changed.
 */
static bool move(struct host_state *h, const struct libra_host_job *job,
		 const struct libra_promise *p, uint64_t ticket, uint32_t away,
		 double now_s)
{
	struct tracked_job *t = host_jobs_find_ticket(&h->jobs, ticket), *other;
	struct request_size size = t->size;
	struct libra_job again = t->job;
	double estimate_s = t->user_estimate_s;
	struct libra_range *ranges;
	struct libra_verdict v;
	int answer;

	again.id = 0;
	again.submit_s = now_s;
	again.estimate_s -= t->wait_s;
	host_resources_again(&h->cluster, h->ops, job, &size, &ranges);
	answer = host_ask(&h->jobs, &again, &size, t->first, now_s, &v, NULL);
	free(ranges);
	if (answer != LIBRA_ACCEPT)
		return false;
	other = host_jobs_find_ticket(&h->jobs, v.ticket);
	other->user_estimate_s = estimate_s;
	other->changed_s = p->changed_s;
	if (!is_sooner(h, other, away) ||
	    !host_commit(h, other, job->job_id, now_s)) {
		host_jobs_withdraw(&h->jobs, other, "replaced", now_s);
		return false;
	}
	t = host_jobs_find_ticket(&h->jobs, ticket);
	host_jobs_withdraw(&h->jobs, t, "replaced", now_s);
	host_sync_actions(h, now_s);
	return true;
}

/* If a job may start, but one of its nodes is away, move it to other nodes, or
 * let it wait if there are none.
 * Result: the tracked job.
 */
static struct tracked_job *go_elsewhere(struct host_state *h,
					const struct libra_host_job *job,
					const struct libra_promise *p,
					struct tracked_job *t, double now_s,
					struct libra_host_placement *placement)
{
	char text[HOST_AWAY_TEXT];
	uint32_t away;
	bool moved;

	if (!t || !t->may_start || t->ordinary || job->look_only ||
	    refused_just_now(h, job->job_id, now_s) ||
	    host_placement_read(&h->log, &h->cluster, t->ticket, placement) < 0)
		return t;
	away = host_away_of(&h->cluster, placement);
	if (away == HOST_NO_NODE)
		return t;
	host_away_text(&h->cluster, away, text);
	moved = move(h, job, p, t->ticket, away, now_s);
	if (!moved)
		note_refusal(h, job->job_id, now_s);
	t = host_jobs_find(&h->jobs, job->job_id, false);
	if (moved)
		host_log(h->ops, LIBRA_HOST_INFO,
			 "job %u: promised other nodes: %s", job->job_id, text);
	else if (t && !t->waits_told)
		host_log(h->ops, LIBRA_HOST_INFO, "job %u waits: %s",
			 job->job_id, text);
	if (t && moved)
		host_jobs_set_stale_soon(&h->jobs, t);
	else if (t)
		t->waits_told = true;
	return t;
}

/* Drop the promise of a new job that is not the one which was promised.
 * Result: false if the job is the same, or its promise is in the table.
 */
static bool drop_changed(struct host_state *h, const struct libra_host_job *job,
			 const struct libra_promise *p, double now_s,
			 struct libra_host_placement *placement)
{
	const char *what = host_differs(h, job, p);
	struct tracked_job *t;
	char why[128];

	if (!what || host_is_unmanaged(h, p) || !host_is_new(h, job, p))
		return false;
	while ((t = host_match(h, job, p, now_s))) {
		snprintf(t->broken, sizeof(t->broken),
			 "another_job_submit_plugin_changed_its_%s", what);
		host_jobs_withdraw(&h->jobs, t, "lost", now_s);
	}
	host_sync_actions(h, now_s);
	snprintf(why, sizeof(why),
		 "another job_submit plugin changed its %s: name libra last in "
		 "JobSubmitPlugins",
		 what);
	lose(h, job, p, why, placement);
	return true;
}

static enum libra_host_place place(struct host_state *h,
				   const struct libra_host_job *job,
				   const struct libra_promise *p, double now_s,
				   struct libra_host_placement *placement)
{
	struct refusal refusal = {.earliest_s = NAN};
	struct tracked_job *t;

	if (drop_changed(h, job, p, now_s, placement))
		return LIBRA_PLACE_LOST;
	t = host_match(h, job, p, now_s);
	while (t && host_is_unmanaged(h, p)) {
		host_jobs_withdraw(&h->jobs, t, "released", now_s);
		t = host_jobs_find(&h->jobs, job->job_id, false);
	}
	if (host_is_unmanaged(h, p))
		return LIBRA_PLACE_STOCK;
	host_sync_actions(h, now_s);
	while (t &&
	       host_placement_read(&h->log, &h->cluster, t->ticket,
				   placement) == 0 &&
	       placement->nparts > 0 &&
	       !host_cluster_nodes_up(&h->cluster, placement)) {
		host_release(&h->released, &h->jobs, t, false, "node down",
			     now_s);
		t = host_jobs_find(&h->jobs, job->job_id, false);
	}
	placement->nparts = 0;
	if (!t && released_just_now(h, job->job_id, now_s))
		return LIBRA_PLACE_WAIT;
	if (!job->look_only && overdue(h, job, t, p, now_s))
		return give_up(h, job, t, p, now_s, placement);
	if (!job->look_only) {
		trim(h, job, now_s);
		t = renew(h, job, p, 0, now_s, &refusal);
	}
	t = go_elsewhere(h, job, p, t, now_s, placement);
	if (!t)
		return without(h, job, p, &refusal, now_s, placement);
	/* With look_only Slurm may not have accepted the job yet. */
	if (!job->look_only)
		host_unclaimed_know(h, t);
	host_job_hand_over(t, &h->jobs, &placement->record);
	if (host_placement_read(&h->log, &h->cluster, t->ticket, placement) <
		    0 ||
	    placement->nparts == 0)
		return LIBRA_PLACE_WAIT;
	host_cluster_slurm_nodes(&h->cluster, placement);
	if (!t->may_start)
		return LIBRA_PLACE_WAIT;
	/* Where starts are planned a job keeps its time limit. */
	placement->minutes =
		h->cluster.plans
			? UINT32_MAX
			: host_limit_minutes(&t->job, t->size.partition,
					     h->conf.grace_s, now_s);
	return LIBRA_PLACE_HERE;
}

/* Take the wait of a requeued job off its estimate. */
static void take_off_wait(struct host_state *h, struct tracked_job *t,
			  double now_s)
{
	struct libra_job job = t->job;
	struct libra_verdict v = {0};

	if (t->wait_s == 0)
		return;
	job.estimate_s -= t->wait_s;
	t->wait_s = 0;
	if (libra_engine_log_modify(&h->log, t->ticket, &job, now_s, &v, NULL) <
		    0 ||
	    v.answer != LIBRA_ACCEPT)
		return;
	t->job = job;
	t->share = v.share;
	t->late_s = v.late_s;
}

/* Start the ticket of a job.
 * Result: the tracked job, now running, or NULL.
 */
static struct tracked_job *start(struct host_state *h,
				 const struct libra_host_job *job,
				 const struct libra_promise *p, double now_s)
{
	struct tracked_job *t = host_match(h, job, p, now_s);

	if (!t) {
		if (p->on.len)
			t = host_restore_ticket(
				h, job, p, true,
				host_jobs_first_offer(&h->jobs, 1), now_s);
		if (!t && !p->lost)
			host_log(h->ops, LIBRA_HOST_ERROR,
				 "job %u runs without a promise", job->job_id);
		return t;
	}
	if (libra_engine_log_started(&h->log, t->ticket, job->job_id, now_s) <
	    0) {
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "job %u: the engine did not expect its start",
			 job->job_id);
		return NULL;
	}
	t->stale = true;
	take_off_wait(h, t, now_s);
	host_unclaimed_know(h, t);
	host_jobs_run(&h->jobs, t, job->job_id);
	host_planned_starts_go_on(h, t);
	host_jobs_report(&h->jobs, t, "started", NULL, now_s);
	host_sync_actions(h, now_s);
	return t;
}

static void enter_running(struct host_state *h,
			  const struct libra_host_job *job,
			  const struct libra_promise *p, double now_s,
			  struct libra_host_placement *placement)
{
	struct tracked_job *t = NULL;

	if (!host_is_unmanaged(h, p))
		t = start(h, job, p, now_s);
	if (!t)
		return;
	host_suspend(h, t, job->suspended, now_s);
	host_job_hand_over(t, &h->jobs, &placement->record);
	if (host_placement_read(&h->log, &h->cluster, t->ticket, placement) ==
	    0)
		host_cluster_slurm_nodes(&h->cluster, placement);
}

enum libra_host_place host_place(struct host_state *h,
				 const struct libra_host_job *job,
				 struct libra_host_placement *placement)
{
	double now_s = host_now(h);
	struct libra_promise p;

	if (!host_read_promise(h, job, &p))
		return LIBRA_PLACE_STOCK;
	host_sync(h, now_s);
	return place(h, job, &p, now_s, placement);
}

void host_started(struct host_state *h, const struct libra_host_job *job,
		  struct libra_host_placement *placement)
{
	struct libra_promise p;

	if (host_jobs_find(&h->jobs, job->job_id, true))
		return;
	if (host_read_promise(h, job, &p))
		enter_running(h, job, &p, host_now(h), placement);
	else
		host_report_damage(h, job);
}

void host_record_again(struct host_state *h, uint32_t job_id,
		       struct libra_host_record *record)
{
	struct tracked_job *t = host_jobs_find(&h->jobs, job_id, true);

	if (!t)
		t = host_jobs_find(&h->jobs, job_id, false);
	if (!t || t->ordinary || t->state < TRACKED_COMMITTED)
		return;
	t->stale = true;
	host_job_hand_over(t, &h->jobs, record);
}

/* Report the end of a promise with the run of its job.  A job that is cancelled
 * after its deadline was late all the same.
 */
static void report_end(struct host_state *h, const struct tracked_job *t,
		       double now_s)
{
	enum libra_host_end end = h->ops && h->ops->ended
					  ? h->ops->ended(t->job_id)
					  : LIBRA_END_OVER;
	double ran_s = host_executed_s(&h->jobs, t, now_s);
	const char *event = "late", *cause = t->broken;
	struct libra_declog *out;

	if (end == LIBRA_END_NODE || end == LIBRA_END_REQUEUED)
		event = "lost";
	else if (libra_in_time(now_s, t->job.deadline_s))
		event = end == LIBRA_END_CANCELLED ? "cancelled" : "kept";
	else if (!*cause && ran_s >= t->job.estimate_s - t->wait_s)
		cause = "it_ran_for_longer_than_its_estimate";
	if (end == LIBRA_END_NODE)
		cause = "node_failed";
	else if (end == LIBRA_END_REQUEUED)
		cause = "requeued";
	out = host_jobs_event(&h->jobs, t, event, now_s);
	if (!out)
		return;
	libra_declog_number(out, "ran_s", ran_s);
	if (*cause)
		libra_declog_text(out, "cause", cause);
	libra_declog_end(out);
}

void host_ended(struct host_state *h, uint32_t job_id)
{
	struct tracked_job *t = host_jobs_find(&h->jobs, job_id, true);
	double now_s;

	h->ends++;
	if (!t)
		return;
	now_s = host_now(h);
	host_estimates_learn(h->history, &h->jobs, t, now_s);
	report_end(h, t, now_s);
	libra_engine_log_departed(&h->log, t->ticket, now_s);
	host_jobs_remove(&h->jobs, t);
	host_sync_actions(h, now_s);
}

static bool may_ask(const struct host_state *h, uint32_t job_id, double now_s)
{
	const struct host_refusal *r = &h->refused[job_id % HOST_REFUSALS];
	double wait_s = r->changes == h->log.changes ? ASK_LATE_S : ASK_SOON_S;

	return !released_just_now(h, job_id, now_s) &&
	       (r->job_id != job_id || fabs(now_s - r->at_s) >= wait_s);
}

/* A job that Slurm could not start is tried again when a job has ended or nodes
 * have changed, and now and then, as Slurm may wait for something else.
 */
#define TRY_SOON_S 0.2
#define TRY_LATE_S 15.0

static uint64_t ends(const struct host_state *h)
{
	return h->ends + h->log.changes;
}

static bool may_try(const struct host_state *h, const struct tracked_job *t,
		    double now_s)
{
	double since_s = fabs(now_s - t->tried.last_s), wait_s;

	if (t->tried.n == 0)
		return true;
	wait_s = fmin(TRY_LATE_S, ldexp(TRY_SOON_S, (int)t->tried.n - 1));
	return since_s >= (t->tried.ends == ends(h) ? wait_s : TRY_SOON_S);
}

bool host_may_try(const struct host_state *h, uint32_t job_id, double now_s)
{
	const struct tracked_job *t = host_jobs_find(&h->jobs, job_id, false);

	return !t || may_try(h, t, now_s);
}

void host_tried(struct host_state *h, uint32_t job_id, double now_s)
{
	struct tracked_job *t = host_jobs_find(&h->jobs, job_id, false);

	if (!t)
		return;
	t->tried.n += t->tried.n < 16;
	t->tried.last_s = now_s;
	t->tried.ends = ends(h);
}

enum libra_host_wanted host_wants(struct host_state *h,
				  const struct libra_host_job *job,
				  double now_s)
{
	struct tracked_job *t = host_jobs_find(&h->jobs, job->job_id, false);
	struct tracked_job *last;
	struct libra_promise p;

	if (t && !may_try(h, t, now_s))
		return LIBRA_NOT_WANTED;
	for (last = t; last; last = host_jobs_next_waiting(&h->jobs, last))
		if (last->may_start)
			return t->tried.n ? LIBRA_WANTED_AGAIN : LIBRA_WANTED;
	if (t && host_jobs_count_waiting(&h->jobs, job->job_id, &last) >=
			 (job->waiting ? job->waiting : 1))
		return LIBRA_NOT_WANTED;
	if (libra_admin_comment_parse(job->comment, &p) < 0 ||
	    host_is_unmanaged(h, &p) || p.lost ||
	    !may_ask(h, job->job_id, now_s))
		return LIBRA_NOT_WANTED;
	return LIBRA_WANTED_AGAIN;
}

void host_limited(struct host_state *h, uint32_t job_id, const char *what,
		  double now_s)
{
	struct tracked_job *t = host_jobs_find(&h->jobs, job_id, false);

	for (; t; t = host_jobs_next_waiting(&h->jobs, t)) {
		/* The starvation guard gives up ordinary jobs. */
		if (!what || t->ordinary)
			t->since.limited_s = 0;
		else if (t->since.limited_s == 0)
			t->since.limited_s = now_s;
		t->since.limited_by = what;
	}
}

void host_keep(struct host_state *h, const struct libra_host_job *job)
{
	double now_s = host_now(h);
	struct tracked_job *t;
	struct libra_promise p;

	if (host_jobs_find(&h->jobs, job->job_id, false) ||
	    libra_admin_comment_parse(job->comment, &p) < 0 || p.offer == 0 ||
	    p.lost || host_is_unmanaged(h, &p))
		return;
	/* A job with a planned start asks by itself (host.h). */
	if (h->cluster.plans) {
		host_log(h->ops, LIBRA_HOST_INFO,
			 "job %u: promise released: its node was lost; it asks "
			 "for one again when Slurm lets it start",
			 job->job_id);
		return;
	}
	host_sync_nodes(h, now_s);
	t = renew(h, job, &p, LIBRA_AGAIN_S, now_s, &(struct refusal){0});
	if (t)
		host_jobs_set_stale_soon(&h->jobs, t);
	host_log(h->ops, LIBRA_HOST_INFO,
		 t ? "job %u waits for Slurm to start it again, and keeps a "
		     "promise until then"
		   : "job %u waits for Slurm to start it again, and there is "
		     "no room to promise it anything until then: it asks "
		     "again",
		 job->job_id);
}
