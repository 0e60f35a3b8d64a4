/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit.c - see submit.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/width.h"
#include "plugin/request/ask.h"
#include "plugin/engine/away.h"
#include "plugin/jobs/estimates.h"
#include "plugin/state/averages.h"
#include "plugin/jobs/job_record.h"
#include "plugin/request/messages.h"
#include "plugin/base/ops.h"
#include "plugin/request/sizing.h"
#include "plugin/request/width.h"
#include "plugin/host/submit.h"
#include "plugin/host/sync.h"
#include "plugin/base/units.h"
#include "plugin/request/asleep.h"
#include "plugin/request/resources.h"
#include "plugin/host/clock.h"
#include "plugin/host/actions.h"
#include "plugin/host/sweep.h"
#include "plugin/host/unclaimed.h"

/* Return an option that names certain nodes or cores, which promises of this
 * policy do not count, or NULL.
 */
static const char *names_nodes(const struct host_cluster *c,
			       const struct libra_host_request *r)
{
	if (r->layout.pinned || c->plans)
		return r->layout.pinned;
	if (r->nodes.exclusive)
		return "--exclusive";
	if (r->nodes.list)
		return "--nodelist";
	return r->nodes.exclude ? "--exclude" : NULL;
}

/* Check that a promise can be asked for.
 * Result: false, and the reply has the reason.
 */
static bool is_sensible(const struct host_cluster *c,
			const struct host_partition *partition,
			const struct libra_host_request *r, double now_s,
			bool several, struct libra_host_reply *reply)
{
	if (several)
		host_unacceptable(
			reply, "name a single partition: a promise is for the "
			       "processors of one");
	else if (r->bounds.denial.rule)
		host_denied(reply, &r->bounds.denial);
	else if (partition->unpromised)
		host_no_promises(reply, partition->name, partition->unpromised);
	else if (r->unread.option)
		host_too_long(reply, r->unread.option, r->unread.longest);
	else if (r->uncounted)
		host_uncounted(reply, r->uncounted);
	else if (r->component)
		host_unacceptable(
			reply,
			"a heterogeneous job cannot have a deadline: submit "
			"its components as separate jobs");
	else if (r->layout.spread && c->plans)
		host_unacceptable(reply, HOST_SPREAD);
	else if (names_nodes(c, r))
		host_pinned(reply, names_nodes(c, r), c->plans);
	else if (r->bounds.constrained && !c->plans)
		host_unacceptable(reply, HOST_ALL_NODES);
	else if (r->gpu.any && !c->plans)
		host_unacceptable(reply, HOST_NO_GRES);
	else if (r->bounds.no_account)
		host_no_account(reply, r->account, r->qos);
	else if (r->bounds.no_license)
		host_no_license(reply, r->licenses);
	else if (r->limits.limit_s > 0 && isfinite(r->times.deadline_s) &&
		 (c->plans ? r->times.estimate_s
			   : r->times.deadline_s - now_s) > r->limits.limit_s)
		host_over_limit(reply, r->limits.limit_s, c->plans);
	else if (isnan(r->times.estimate_s))
		host_unacceptable(
			reply,
			"a job with a deadline needs an estimate of its run "
			"time: give --time=TIME");
	else if (!isfinite(r->times.estimate_s) || r->times.estimate_s <= 0)
		host_unacceptable(
			reply,
			"--time is the estimate of the run time: it must be "
			"positive and not unlimited");
	else if (isnan(r->speedup))
		host_unacceptable(reply, "--comment=libra_speedup=S: S must be "
					 "a number from 0 to 1");
	else if (isnan(r->credits.budget) || isnan(r->credits.penalty_rate))
		host_unacceptable(reply, "--budget and --penalty-rate must be "
					 "numbers of credits >= 0");
	else if (r->times.deadline_s <= now_s)
		host_in_past(reply, r->times.deadline_s, now_s);
	else
		return host_fits_max_time(c, partition, r->times.estimate_s,
					  r->times.deadline_s, now_s, reply);
	return false;
}

bool host_wants_promise(const struct host_state *h,
			const struct libra_host_request *r)
{
	return !r->reserved &&
	       (isfinite(r->times.deadline_s) ||
		!(h->conf.policy->needs_deadline || h->cluster.plans));
}

/* Return true if a job without a promise would keep others from promised nodes.
 * Policies with planned starts count that, but only for the job's own nodes.
 */
static bool keeps_others_off(const struct host_state *h,
			     const struct libra_host_request *r)
{
	return r->layout.more_nodes || (r->nodes.one_user && !h->cluster.plans);
}

/* Answer requests that need no decision of the policy.
 * Result: true if the reply is final.
 */
static bool plain_answer(const struct host_state *h,
			 const struct host_partition *partition,
			 const struct libra_host_request *r, double now_s,
			 bool several, struct libra_host_reply *reply)
{
	/* The engine has no nodes of an advance reservation. */
	if (r->reserved && isfinite(r->times.deadline_s))
		host_reply_text(reply,
				"libra: no promise in a reservation: Slurm "
				"alone handles the job's deadline and time "
				"limit");
	if (r->reserved)
		return true;
	if (r->change.expands && h->cluster.plans) {
		host_unacceptable(reply, HOST_EXPAND);
		return true;
	}
	if (host_wants_promise(h, r))
		return !is_sensible(&h->cluster, partition, r, now_s, several,
				    reply);
	if (keeps_others_off(h, r))
		host_unacceptable(reply, HOST_ONE_USER);
	else if (h->conf.no_deadline == LIBRA_NO_DEADLINE_BEST_EFFORT &&
		 !h->cluster.plans)
		reply->answer = LIBRA_HOST_BEST_EFFORT;
	else if (h->conf.no_deadline == LIBRA_NO_DEADLINE_REJECT)
		host_unacceptable(
			reply,
			"this partition needs a deadline: give --deadline=TIME "
			"(for example now+2hours), and your estimate of the "
			"run time as --time");
	return true;
}

/* Return true if a refused job may join the ordinary queue, by the user's or
 * the site's choice.
 */
static bool may_queue(const struct host_state *h,
		      const struct libra_host_request *r)
{
	if (r->queue_refused && libra_host_conf_plans(&h->conf))
		return true;
	return h->conf.queue_refused && !r->only_promised;
}

/* Refuse a job if a limit has no headroom for it: held back in the queue, the
 * job could be late.  A blocked job gets no promise yet, so it is not tested.
 */
static bool has_no_room(struct host_state *h,
			const struct libra_host_request *r, uint32_t tasks,
			struct libra_host_reply *reply)
{
	if (!r->limits.limit_name || r->blocked ||
	    r->limits.room - host_unclaimed_count(h, r) >= tasks)
		return false;
	if (may_queue(h, r) && !r->limits.never) {
		host_reply_text(reply,
				"libra: the limit %s%s%s has no room for one "
				"more promise",
				r->limits.limit_name,
				*r->limits.value ? "=" : "", r->limits.value);
		host_accept_ordinary(reply);
	} else {
		host_no_room(reply, &r->limits);
	}
	return true;
}

void host_keep_limit(const struct libra_host_request *r,
		     struct libra_host_reply *reply)
{
	if (r->limits.limit_s > 0 && r->limits.limit_s < 60.0 * reply->minutes)
		reply->minutes = (uint32_t)(r->limits.limit_s / 60.0);
}

/* Return the number of tasks of a submission, or 0, and the reply has the
 * reason.  Slurm tests an array after us: an array that it would refuse must
 * hold no offers.
 */
static uint32_t count_tasks(struct host_state *h,
			    const struct libra_host_request *r,
			    struct libra_host_reply *reply)
{
	char text[96];
	bool limited;
	uint32_t n;

	if (!r->array)
		return 1;
	if (h->cluster.max_array &&
	    libra_host_array_last(r->array) >= h->cluster.max_array) {
		snprintf(text, sizeof(text),
			 "--array: indices must be below %u (MaxArraySize)",
			 h->cluster.max_array);
		host_unacceptable(reply, text);
		return 0;
	}
	n = libra_host_array_tasks(r->array, LIBRA_ARRAY_TASKS, &limited);
	if (limited) {
		host_unacceptable(
			reply,
			"--array with a %limit cannot have a promise for the "
			"tasks that must wait: leave the limit out");
		return 0;
	}
	if (n == 0 || n > LIBRA_ARRAY_TASKS) {
		snprintf(
			text, sizeof(text),
			"--array must be a list of indices of at most %u tasks",
			LIBRA_ARRAY_TASKS);
		host_unacceptable(reply, text);
		return 0;
	}
	return n;
}

void host_report_accepted(struct host_state *h, struct libra_host_reply *reply,
			  const struct libra_job *job,
			  const struct libra_verdict *v,
			  const struct tracked_job *t, uint32_t tasks,
			  double now_s)
{
	double start_s, latest_s;

	if (!libra_host_conf_plans(&h->conf)) {
		host_accept(reply, job, v, libra_host_conf_in_turn(&h->conf),
			    tasks, now_s);
		reply->record.rule = libra_host_conf_rule(&h->conf);
		return;
	}
	start_s = host_job_planned_starts(&h->jobs, t, tasks, &latest_s);
	host_accept_plan(reply, job, v->late_s, start_s, latest_s,
			 h->cluster.whole_nodes, tasks, now_s);
}

static void tell_refused(struct host_state *h, struct libra_host_reply *reply,
			 const struct libra_job *job, enum libra_reason reason,
			 double now_s)
{
	host_refuse(reply, job, reason,
		    libra_host_conf_in_turn(&h->conf) ||
			    libra_host_conf_plans(&h->conf),
		    h->cluster.whole_nodes ? "node" : "processor",
		    libra_host_conf_plans(&h->conf)
			    ? libra_engine_free_procs(h->log.engine)
			    : UINT32_MAX,
		    now_s);
	host_report_late(&h->jobs, reply, now_s);
	if (reason != LIBRA_REASON_TOO_LARGE)
		host_report_away(&h->cluster, reply);
}

bool host_report_boots(const struct host_state *h,
		       const struct request_size *size,
		       const struct libra_job *job, double now_s,
		       struct libra_host_reply *reply)
{
	uint32_t wait_s =
		host_boots_too_late(&h->cluster, h->ops, size, job, now_s);

	if (wait_s > 0)
		host_refuse_boots(reply, wait_s, job->estimate_s);
	return wait_s > 0;
}

/* Offers for all tasks of a request, or for none.
 * Result: 0, or -1 with ENOMEM.
 */
int host_offer_all(struct host_state *h, const struct libra_job *job,
		   uint32_t tasks, const struct request_size *size,
		   double now_s, struct libra_host_reply *reply)
{
	uint64_t first = host_jobs_first_offer(&h->jobs, tasks);
	struct libra_error err = {0};
	struct libra_verdict v = {0};
	struct tracked_job *t;
	struct host_advice advice;
	int saved, answer;

	if (h->unreported) {
		errno = ENOMEM;
		return -1;
	}
	if (host_report_boots(h, size, job, now_s, reply))
		return 0;
	answer = host_ask_all(&h->jobs, job, tasks, size, first, now_s, &v,
			      &err);
	if (answer == LIBRA_ACCEPT) {
		t = host_jobs_find_offer(&h->jobs, first);
		host_report_accepted(h, reply, job, &v, t, tasks, now_s);
		return 0;
	}
	saved = errno;
	while ((t = host_jobs_find_offer(&h->jobs, first)))
		host_jobs_withdraw(&h->jobs, t, "cancelled", now_s);
	if (answer < 0 && saved == EINVAL)
		return host_unacceptable(reply, err.text);
	errno = saved;
	if (answer < 0)
		return -1;
	tell_refused(h, reply, job, v.reason, now_s);
	if (v.reason == LIBRA_REASON_TOO_LARGE) {
		host_reply_size(reply, host_cluster_nprocs(&h->cluster));
		return 0;
	}
	if (h->jobs.no_memory > 0) {
		host_reply_text(reply, HOST_NO_MEMORY, h->jobs.no_memory);
		return 0;
	}
	advice = host_ask_advice(&h->jobs, job, tasks, size, now_s);
	host_reply_advice(reply, &advice, tasks, now_s);
	return 0;
}

/* Write the record of the offers, the promised numbers and the time limit. */
int host_fill_reply(struct host_state *h, struct libra_host_reply *reply,
		    const struct libra_job *job, uint64_t first, uint32_t tasks,
		    const struct request_size *size, double now_s)
{
	struct tracked_job none = {
		.job = *job, .user_estimate_s = job->estimate_s, .size = *size};
	double latest_s;
	struct tracked_job *t =
		first ? host_jobs_find_offer(&h->jobs, first) : &none;

	if (t)
		reply->record.comment = host_job_comment(&h->jobs, t, tasks);
	if (!reply->record.comment) {
		errno = ENOMEM;
		return -1;
	}
	reply->record.estimate_s = job->estimate_s;
	reply->record.deadline_s = job->deadline_s;
	if (t && t != &none && h->cluster.plans)
		reply->record.start_s =
			host_job_planned_starts(&h->jobs, t, tasks, &latest_s);
	reply->minutes = host_limit_minutes(job, size->partition,
					    h->conf.grace_s, now_s);
	return 0;
}

/* Answer for a job that may not start now: a promise would be a guess, so hold
 * nothing, and refuse only what is impossible.
 */
static void promise_later(const struct libra_job *job,
			  const struct libra_host_request *r, double now_s,
			  struct libra_host_reply *reply)
{
	bool begins = r->times.begin_s > now_s;
	double late_s = (begins ? r->times.begin_s : now_s) + job->estimate_s -
			job->deadline_s;

	if (late_s > 0) {
		host_late_end(reply, begins ? "--begin" : NULL, late_s);
		return;
	}
	reply->answer = LIBRA_HOST_ACCEPTED;
	host_reply_text(reply,
			r->distrusted
				? "libra: no promise yet: the job asks for one "
				  "when it is in the queue"
				: "libra: no promise yet: the job is held, "
				  "depends on another or begins later; it asks "
				  "for one when it may start");
}

/* Write to the user and into the records that a corrected estimate counts. */
static void tell_corrected(struct host_state *h,
			   const struct libra_host_request *r,
			   const struct libra_job *job, uint64_t first,
			   struct libra_host_reply *reply)
{
	char instead[32], of[32];

	libra_host_duration_text(job->estimate_s, instead);
	libra_host_duration_text(r->times.estimate_s, of);
	host_reply_text(reply,
			"libra: your last jobs took less than estimated: "
			"estimate %s instead of %s",
			instead, of);
	if (reply->answer != LIBRA_HOST_ACCEPTED)
		return;
	for (struct tracked_job *t = host_jobs_find_offer(&h->jobs, first); t;
	     t = host_jobs_next_offer(&h->jobs, t))
		t->user_estimate_s = r->times.estimate_s;
}

/* Compute the size of a request, its resources, and its nodes in *ranges.
 * Result: 0; 1 if it can never fit, and the reply has the reason; or -1 with
 *         ENOMEM.
 * Owner:  the caller frees *ranges.
 */
static int measure(struct host_state *h, struct libra_host_request *r,
		   const struct host_partition *partition,
		   struct request_size *size, struct libra_range **ranges,
		   struct libra_host_reply *reply)
{
	const struct host_cluster *c = &h->cluster;
	struct request_size where = {.partition = partition};
	int rc = 0;

	*ranges = NULL;
	if (!c->plans)
		return host_measure(c, r, partition, size, reply) &&
				       host_can_fit(c, size, reply)
			       ? 0
			       : 1;
	rc = host_resources_nodes(c, h->ops, r, &where, ranges, reply);
	if (rc != 0)
		return rc;
	if (!host_resources_expand(c, r, &where, reply) ||
	    !host_measure(c, r, partition, size, reply))
		return 1;
	size->allowed = where.allowed;
	size->nallowed = where.nallowed;
	if (r->nodes.list)
		size->min_nodes = size->max_nodes = r->size.min_nodes;
	return host_resources_measure(c, r, size, reply) &&
			       host_resources_fit(c, size, reply)
		       ? 0
		       : 1;
}

/* The time limit of a job with a share is after its deadline.  Slurm sends the
 * signal of --signal before the limit: let it come as long before the deadline.
 */
static void move_signal(const struct host_state *h,
			const struct libra_host_request *r, double now_s,
			struct libra_host_reply *reply)
{
	double after_s = 60.0 * reply->minutes - (r->times.deadline_s - now_s);
	bool moves = after_s + r->times.signal_s < UINT16_MAX;
	char before[32];

	/* With an estimate of its own, a job keeps its time limit. */
	if (r->times.signal_s == 0 || h->cluster.plans ||
	    isnan(h->conf.grace_s) || !(after_s > 0) ||
	    r->times.limit_s != r->times.estimate_s)
		return;
	if (moves)
		reply->signal_s = (uint32_t)after_s;
	libra_host_duration_text(r->times.signal_s, before);
	host_reply_text(reply,
			moves ? "libra: --signal comes %s before the "
				"deadline, not before --time ends"
			      : "libra: --signal does not come %s before the "
				"deadline: the time limit is long after it",
			before);
}

static struct libra_job job_of(const struct libra_host_request *r,
			       const struct request_size *size, double now_s)
{
	return (struct libra_job){
		.submit_s = now_s,
		.estimate_s = r->times.estimate_s,
		.deadline_s = r->times.deadline_s,
		.budget = r->credits.budget,
		.penalty_rate = r->credits.penalty_rate,
		.nprocs = size->nprocs,
		.user = r->user,
	};
}

static int decide_on(struct host_state *h, const struct libra_host_request *r,
		     const struct request_size *size, uint32_t tasks,
		     double now_s, struct libra_host_reply *reply)
{
	struct libra_job job = job_of(r, size, now_s);
	uint64_t first = h->jobs.last_offer + 1;

	if (r->blocked || r->distrusted) {
		first = 0;
		promise_later(&job, r, now_s, reply);
	} else {
		if (!h->cluster.plans)
			job.estimate_s = host_estimate(h->history, r->user,
						       r->times.estimate_s);
		if (host_offer_all(h, &job, tasks, size, now_s, reply) < 0)
			return -1;
	}
	if (job.estimate_s < r->times.estimate_s)
		tell_corrected(h, r, &job, first, reply);
	if (reply->answer == LIBRA_HOST_REFUSED && tasks > 1)
		host_reply_text(
			reply,
			"libra: an array gets a promise for all %u tasks or "
			"for none",
			tasks);
	if (reply->answer != LIBRA_HOST_ACCEPTED)
		return 0;
	if (host_fill_reply(h, reply, &job, first, tasks, size, now_s) < 0)
		return -1;
	move_signal(h, r, now_s, reply);
	return 0;
}

/* Decide at one width. */
static int decide_at(struct host_state *h, const struct libra_host_request *r,
		     const struct host_partition *partition, uint32_t tasks,
		     double now_s, struct libra_host_reply *reply)
{
	struct libra_host_request whole = *r;
	struct libra_range *ranges;
	struct request_size size;
	int rc = measure(h, &whole, partition, &size, &ranges, reply);

	if (rc == 0)
		rc = decide_on(h, r, &size, tasks, now_s, reply);
	free(ranges);
	return rc < 0 ? -1 : 0;
}

/* Set when a job would end at a width: make an offer and withdraw it.
 * INFINITY = it is refused; NAN = so many nodes can never hold it.
 * Result: 0, or -1 with ENOMEM.
 */
static int try_width(struct host_state *h, const struct libra_host_request *r,
		     const struct host_partition *partition, double now_s,
		     double *end_s)
{
	struct libra_host_reply none = {0};
	struct libra_host_request whole = *r;
	struct libra_verdict v;
	struct libra_error err;
	struct libra_job job;
	struct tracked_job *t;
	struct libra_range *ranges;
	struct request_size size;
	uint64_t first = host_jobs_first_offer(&h->jobs, 1);
	int answer = LIBRA_REJECT;
	int rc = measure(h, &whole, partition, &size, &ranges, &none);

	*end_s = rc == 0 ? INFINITY : NAN;
	if (rc == 0) {
		job = job_of(r, &size, now_s);
		if (!host_report_boots(h, &size, &job, now_s, &none))
			answer = host_ask(&h->jobs, &job, &size, first, now_s,
					  &v, &err);
		rc = answer < 0 && errno != EINVAL ? -1 : 0;
	}
	if (answer == LIBRA_ACCEPT) {
		t = host_jobs_find_offer(&h->jobs, first);
		*end_s = libra_engine_planned_start(h->log.engine, v.ticket) +
			 r->times.estimate_s;
		host_jobs_withdraw(&h->jobs, t, NULL, now_s);
	}
	host_reply_fini(&none);
	free(ranges);
	return rc < 0 ? -1 : 0;
}

/* Decide on a job of several widths: at that with the earliest end, of equal
 * ones at the least.  If none is accepted, at the least that can hold the job,
 * or at the widest.
 */
static int decide_width(struct host_state *h,
			const struct libra_host_request *r,
			const struct host_partition *partition, double now_s,
			struct libra_host_reply *reply)
{
	double learned[HOST_MOST_LEARNED], end_s, first_s = INFINITY;
	size_t n =
		libra_engine_learned(h->log.engine, learned, HOST_MOST_LEARNED);
	struct libra_host_request at, best = *r;
	bool fits = false;
	uint32_t nodes;
	int rc = 0;

	for (uint32_t i = 0;
	     rc == 0 && (nodes = libra_width_at(r->size.min_nodes,
						r->size.max_nodes, i)) > 0;
	     i++) {
		at = host_at_width(r, nodes);
		rc = try_width(h, &at, partition, now_s, &end_s);
		if (fits && !(end_s < first_s))
			continue;
		fits = !isnan(end_s);
		first_s = end_s;
		best = at;
	}
	/* A job counts as one offer. */
	if (n > 0 && n <= HOST_MOST_LEARNED)
		libra_engine_log_relearn(&h->log, learned, n, now_s, NULL);
	if (rc == 0)
		rc = decide_at(h, &best, partition, 1, now_s, reply);
	if (rc == 0)
		host_report_width(r, &best, reply);
	return rc;
}

/* Leave a job its least width if a limit has headroom for the widest, but not
 * beside the offers that Slurm does not count yet.
 */
static void keep_room(struct host_state *h, struct libra_host_request *r)
{
	struct libra_host_request wide;

	if (!host_has_widths(&h->cluster, r))
		return;
	wide = host_at_width(r, r->size.max_nodes);
	if (r->bounds.wide_room - host_unclaimed_count(h, &wide) < 1)
		r->size.max_nodes = r->size.min_nodes;
}

static int decide(struct host_state *h, const struct libra_host_request *r,
		  const struct host_partition *partition, uint32_t tasks,
		  double now_s, struct libra_host_reply *reply)
{
	if (host_has_widths(&h->cluster, r))
		return decide_width(h, r, partition, now_s, reply);
	return decide_at(h, r, partition, tasks, now_s, reply);
}

/* Where starts are planned, set the estimate to the time limit, in whole
 * minutes: a job ends at its limit.
 */
static struct libra_host_request by_limit(
	const struct host_state *h, const struct libra_host_request *asked)
{
	struct libra_host_request r = *asked;

	if (!h->cluster.plans)
		return r;
	if (r.times.limit_s > 0)
		r.times.estimate_s = r.times.limit_s;
	if (isfinite(r.times.estimate_s) && r.times.estimate_s > 0)
		r.times.estimate_s =
			60.0 * libra_host_minutes(r.times.estimate_s);
	return r;
}

struct libra_declog *host_decision(struct host_state *h, uint32_t user,
				   const struct host_partition *partition,
				   const char *verdict, const char *reason,
				   double now_s)
{
	struct libra_declog *out = &h->log.out;

	libra_declog_event(out, "decision", now_s);
	libra_declog_whole(out, "user", user);
	if (partition)
		libra_declog_text(out, "partition", partition->name);
	libra_declog_text(out, "verdict", verdict);
	libra_declog_text(out, "reason", reason);
	return out;
}

static const char *verdict_of(const struct libra_host_request *r,
			      const struct libra_host_reply *reply)
{
	switch (reply->answer) {
	case LIBRA_HOST_ACCEPTED:
		return r->blocked || r->distrusted ? "later" : "accept";
	case LIBRA_HOST_ORDINARY:
		return "queue";
	default:
		return "reject";
	}
}

/* Report what the user is answered, unless the request has no promise to ask
 * for.  began_s: on a steady clock.
 */
static void report_decision(struct host_state *h,
			    const struct host_partition *partition,
			    const struct libra_host_request *r,
			    const struct libra_host_reply *reply, double now_s,
			    double began_s)
{
	const char *reason = libra_reason_name(reply->reason);
	struct libra_declog *out;

	if (reply->answer == LIBRA_HOST_STOCK || !host_wants_promise(h, r))
		return;
	if (reply->answer == LIBRA_HOST_UNACCEPTABLE)
		reason = "rule";
	out = host_decision(h, r->user, partition, verdict_of(r, reply), reason,
			    now_s);
	libra_declog_number(out, "estimate_s", r->times.estimate_s);
	libra_declog_number(out, "deadline_s", r->times.deadline_s);
	libra_declog_number(out, "took_s", host_steady_s(h->ops) - began_s);
	libra_declog_end(out);
}

static int submit(struct host_state *h, const struct libra_host_request *r,
		  const struct host_partition *partition, double now_s,
		  bool several, struct libra_host_reply *reply)
{
	uint32_t tasks;
	int rc;

	if (plain_answer(h, partition, r, now_s, several, reply))
		return 0;
	tasks = count_tasks(h, r, reply);
	if (tasks == 0 || has_no_room(h, r, tasks, reply))
		return 0;
	host_sync(h, now_s);
	host_sync_nodes(h, now_s);
	host_sync_suspended(h, now_s);
	rc = decide(h, r, partition, tasks, now_s, reply);
	/* A job may have left the queue a moment ago: sweep, and ask again. */
	if (rc == 0 && reply->answer == LIBRA_HOST_REFUSED &&
	    host_sweep(h, now_s) > 0) {
		host_reply_fini(reply);
		*reply = (struct libra_host_reply){0};
		rc = decide(h, r, partition, tasks, now_s, reply);
	}
	if (rc == 0 && reply->answer == LIBRA_HOST_REFUSED && may_queue(h, r))
		host_accept_ordinary(reply);
	host_sync_actions(h, now_s);
	return rc;
}

void host_default_deadline(struct host_state *h, const char *qos,
			   struct libra_host_request *r)
{
	const struct host_partition *partition;
	bool several;
	double due_s;

	partition = host_cluster_managed(&h->cluster, r->partition, &several);
	/* A job that can get no promise stays Slurm's. */
	if (!partition || several || r->component || r->uncounted)
		return;
	due_s = libra_host_conf_due_s(&h->conf, qos, partition->name,
				      r->times.limit_s, &r->times.deadline_by);
	if (isfinite(due_s))
		r->times.deadline_s =
			fmax(host_now(h), r->times.begin_s) + due_s;
	else
		r->times.deadline_by = NULL;
}

int host_submit(struct host_state *h, const struct libra_host_request *asked,
		struct libra_host_reply *reply)
{
	struct libra_host_request r = by_limit(h, asked);
	const struct host_partition *partition;
	double now_s = host_now(h), began_s = host_steady_s(h->ops);
	bool several;
	int rc;

	partition = host_cluster_managed(&h->cluster, r.partition, &several);
	if (!partition)
		return 0;
	keep_room(h, &r);
	rc = submit(h, &r, partition, now_s, several, reply);
	if (rc != 0)
		return rc;
	if (r.times.deadline_by && reply->answer != LIBRA_HOST_STOCK)
		host_deadline_by(reply, r.times.deadline_s, r.times.deadline_by,
				 now_s);
	report_decision(h, partition, &r, reply, now_s, began_s);
	return 0;
}
