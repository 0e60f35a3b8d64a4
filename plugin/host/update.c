/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * update.c - see update.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/jobs/job_record.h"
#include "plugin/host/match.h"
#include "plugin/request/messages.h"
#include "plugin/base/ops.h"
#include "plugin/engine/placement.h"
#include "plugin/request/sizing.h"
#include "plugin/host/submit.h"
#include "plugin/host/sync.h"
#include "plugin/base/units.h"
#include "plugin/host/update.h"
#include "plugin/host/ordinary.h"
#include "plugin/request/resources.h"
#include "plugin/host/clock.h"
#include "plugin/host/actions.h"

/* A change of a promised job. */
struct change {
	struct libra_host_request r;
	struct libra_host_job job; /* as Slurm has it */
	bool by_operator;	   /* asks for it */
};

/* Return true if a change concerns promised resources other than processors. */
static bool changes_needs(const struct host_state *h,
			  const struct change *change)
{
	const struct libra_host_job *job = &change->job;

	return change->r.change.resources ||
	       (change->r.change.memory &&
		(h->cluster.plans || job->mem.hold_per_cpu ||
		 job->mem.hold_per_node));
}

static void refuse_property(const char *property,
			    struct libra_host_reply *reply)
{
	char text[128];

	snprintf(text, sizeof(text),
		 "a promised job cannot change %s: cancel it and submit it "
		 "again",
		 property);
	host_unacceptable(reply, text);
}

/* Check that a promise can follow a change.
 * Result: false, and the reply has the reason.
 */
static bool may_be(const struct host_state *h, const struct change *change,
		   const struct request_size *size,
		   struct libra_host_reply *reply)
{
	const struct libra_host_request *r = &change->r;

	if (r->change.comment)
		host_unacceptable(
			reply,
			"AdminComment holds the job's promise and cannot be "
			"changed: use Comment");
	else if (r->unread.option)
		host_too_long(reply, r->unread.option, r->unread.longest);
	else if (r->layout.pinned)
		refuse_property(r->layout.pinned, reply);
	else if (r->reserved)
		host_unacceptable(reply,
				  "a promised job cannot enter a reservation: "
				  "cancel it and submit it there");
	else if (r->uncounted)
		host_uncounted(reply, r->uncounted);
	else if (r->change.end)
		host_unacceptable(reply, "give TimeLimit= or Deadline= of a "
					 "promised job, not EndTime= or "
					 "TimeMin=");
	else if (changes_needs(h, change))
		host_unacceptable(
			reply,
			"a promised job cannot change its memory, GPUs, "
			"licenses or other resources: cancel it and submit it "
			"again");
	else if (r->partition &&
		 (!size->partition ||
		  strcmp(r->partition, size->partition->name) != 0))
		host_unacceptable(
			reply,
			"a promised job cannot change its partition: cancel it "
			"and submit it there");
	else if (r->size.tasks_per_node && !change->by_operator)
		host_unacceptable(
			reply,
			"only an operator may change a promised job's tasks "
			"per node: ask one, or cancel the job and submit it "
			"again");
	else
		return true;
	return false;
}

/* Return true if a change leaves the promise as it is (for instance the same
 * partition).  The answer stays STOCK.
 */
static bool asks_nothing(const struct libra_host_request *r)
{
	return !r->change.size && isnan(r->times.estimate_s) &&
	       isnan(r->times.deadline_s);
}

/* Check that a change has no other parts.  If Slurm refused those after us, the
 * promise would have numbers that the job has not.
 * Result: false, and the reply has the reason.
 */
static bool comes_alone(const struct libra_host_request *r,
			struct libra_host_reply *reply)
{
	if (!r->change.mixed)
		return true;
	host_unacceptable(
		reply,
		"change the time limit, deadline or size of a promised job in "
		"one update, and all else in another");
	return false;
}

const char *host_change_denied(const struct host_groups *groups,
			       const struct libra_host_job *job,
			       const struct libra_host_request *change)
{
	const char *in = change->partition ? change->partition : job->partition;
	const struct host_state *to =
		in ? host_groups_of_partition(groups, in) : NULL;
	struct libra_promise p;

	if (to && change->change.expands && to->cluster.plans)
		return HOST_EXPAND;
	if (to && change->partition && job->nodes.one_user &&
	    !to->cluster.plans)
		return HOST_ONE_USER;
	if (to &&
	    (isfinite(change->times.deadline_s) ||
	     (change->partition && job->deadline_s > 0)) &&
	    !host_read_promise(
		    host_groups_of_job(groups, job->job_id, job->comment), job,
		    &p))
		return HOST_LATE_DEADLINE;
	return NULL;
}

void host_complete_size(struct libra_host_request *r,
			const struct libra_host_job *job,
			uint32_t tasks_per_node, uint32_t min_nodes)
{
	uint32_t tasks = r->size.ntasks;

	if (!tasks &&
	    (!r->size.ncpus || r->size.cpus_per_task || r->size.min_nodes))
		tasks = job->size.ntasks;
	if (!r->size.ncpus)
		r->size.ncpus = job->size.ncpus;
	if (!r->size.cpus_per_task)
		r->size.cpus_per_task = job->size.cpus_per_task;
	if (!r->size.cpus_per_task)
		r->size.cpus_per_task = 1;
	if (!r->size.tasks_per_node)
		r->size.tasks_per_node = tasks_per_node;
	if (!r->size.min_nodes)
		r->size.min_nodes = min_nodes;
	tasks = libra_host_larger(
		tasks,
		libra_host_times(r->size.min_nodes, r->size.tasks_per_node));
	r->size.ncpus = libra_host_larger(
		r->size.ncpus, libra_host_times(tasks, r->size.cpus_per_task));
	r->size.ntasks = tasks;
}

static void complete(struct change *change, const struct request_size *old)
{
	struct libra_host_request *r = &change->r;
	const struct libra_host_job *job = &change->job;

	host_complete_size(r, job, old->chunk ? job->size.tasks_per_node : 0,
			   old->min_nodes);
	if (!r->size.max_nodes)
		r->size.max_nodes = old->max_nodes;
	r->size.threads_per_core = job->size.threads_per_core;
	r->size.task_per_core = job->size.task_per_core;
}

/* Keep the resources of a job; the memory of a task follows its processors. */
static void keep_needs(const struct request_size *was,
		       struct request_size *size)
{
	memcpy(size->per_node, was->per_node, sizeof(was->per_node));
	memcpy(size->per_chunk, was->per_chunk, sizeof(was->per_chunk));
	if (was->chunk)
		size->per_chunk[0] =
			was->per_chunk[0] / was->chunk * size->chunk;
	size->hold_per_cpu = was->hold_per_cpu;
	size->hold_per_node = was->hold_per_node;
}

/* Apply the new numbers to a job that has not begun.
 * Result: false if they are invalid, and the reply has the reason.
 */
static bool take_numbers(struct host_state *h, struct change *change,
			 double now_s, struct libra_job *job,
			 struct request_size *size,
			 struct libra_host_reply *reply)
{
	struct libra_host_request *r = &change->r;
	struct request_size was;

	if (!isnan(r->times.estimate_s))
		job->estimate_s = r->times.estimate_s;
	if (!isnan(r->times.deadline_s))
		job->deadline_s = r->times.deadline_s;
	if (r->change.size) {
		complete(change, size);
		if (r->size.max_nodes &&
		    r->size.min_nodes > r->size.max_nodes) {
			host_unacceptable(
				reply,
				"more nodes than the job's maximum: give both, "
				"as NumNodes=MIN-MAX");
			return false;
		}
		was = *size;
		if (!host_measure(&h->cluster, r, size->partition, size, reply))
			return false;
		keep_needs(&was, size);
		job->nprocs = size->nprocs;
		reply->ncpus = r->size.ncpus;
	}
	if (isfinite(job->estimate_s) && job->estimate_s > 0 &&
	    job->deadline_s > now_s)
		return true;
	host_unacceptable(
		reply,
		"a promised job needs a positive estimate and a deadline in "
		"the future: give TimeLimit= above 0 and a later Deadline=");
	return false;
}

/* Readmit a waiting job: make a new offer beside the old one, then withdraw the
 * old one.  So a refusal changes nothing.
 */
static int readmit(struct host_state *h, struct tracked_job *t,
		   struct change *change, double now_s,
		   struct libra_host_reply *reply)
{
	struct request_size size = t->size;
	struct libra_job job = t->job;
	uint32_t job_id = t->job_id;
	uint64_t old = t->ticket, first = h->jobs.last_offer + 1;
	double user_estimate_s = t->user_estimate_s;
	struct libra_range *ranges;
	struct tracked_job *fresh;
	int rc;

	job.id = 0;
	job.submit_s = now_s;
	job.estimate_s -= t->wait_s;
	if (!take_numbers(h, change, now_s, &job, &size, reply))
		return 0;
	host_resources_again(&h->cluster, h->ops, &change->job, &size, &ranges);
	rc = host_offer_all(h, &job, 1, &size, now_s, reply);
	free(ranges);
	size.allowed = NULL;
	if (rc < 0)
		return -1;
	if (reply->answer != LIBRA_HOST_ACCEPTED)
		return 0;
	fresh = host_jobs_find_offer(&h->jobs, first);
	if (!host_commit(h, fresh, job_id, now_s) ||
	    host_fill_reply(h, reply, &job, first, 1, &size, now_s) < 0) {
		host_jobs_withdraw(&h->jobs, fresh, "replaced", now_s);
		host_sync_actions(h, now_s);
		errno = ENOMEM;
		return -1;
	}
	if (isnan(change->r.times.estimate_s))
		fresh->user_estimate_s = user_estimate_s;
	host_jobs_set_stale_soon(&h->jobs, fresh);
	t = host_jobs_find_ticket(&h->jobs, old);
	if (t)
		host_jobs_withdraw(&h->jobs, t, "replaced", now_s);
	host_sync_actions(h, now_s);
	return 0;
}

/* Return the time limit of a running job, in minutes from its start.  The limit
 * moves with the deadline, unless the job had a shorter limit of its own.
 */
static uint32_t running_limit(struct host_state *h, const struct tracked_job *t,
			      const struct libra_job *job,
			      const struct libra_host_job *seen, double now_s)
{
	double from_s = seen->start_s > 0 ? seen->start_s : now_s;
	uint32_t limit = seen->minutes, was, is;

	if (job->deadline_s == t->job.deadline_s && !h->cluster.plans)
		return limit;
	was = host_limit_minutes(&t->job, t->size.partition, h->conf.grace_s,
				 from_s);
	is = host_limit_minutes(job, t->size.partition, h->conf.grace_s,
				from_s);
	if (h->cluster.plans)
		return is;
	/* The former limit was rounded at another instant. */
	if (limit >= was || was - limit > 1)
		return limit < was && limit < is ? limit : is;
	return is == UINT32_MAX ? is : is - 1;
}

/* Refuse more time for a running job, unless an operator asks: Slurm would
 * refuse that after us.
 */
static bool may_run_longer(const struct host_state *h,
			   const struct change *change, uint32_t minutes,
			   struct libra_host_reply *reply)
{
	if (change->by_operator || minutes <= change->job.minutes)
		return true;
	host_unacceptable(
		reply,
		h->cluster.plans
			? "only an operator may give a running job a longer "
			  "TimeLimit: ask one, or give a shorter one"
			: "only an operator may move the deadline of a running "
			  "job, as the site ends jobs libra_grace after it: ask "
			  "one");
	return false;
}

/* If the change makes a waiting job too urgent to wait for a boot, refuse it,
 * and write that to the user.
 */
static bool boots_too_late(struct host_state *h, const struct tracked_job *t,
			   const struct change *change,
			   const struct libra_job *job, double now_s,
			   struct libra_host_reply *reply)
{
	struct request_size size = t->size;
	struct libra_range *ranges;
	bool late;

	if (t->state == TRACKED_RUNNING ||
	    (job->estimate_s <= t->job.estimate_s &&
	     job->deadline_s >= t->job.deadline_s))
		return false;
	host_resources_again(&h->cluster, h->ops, &change->job, &size, &ranges);
	late = host_report_boots(h, &size, job, now_s, reply);
	free(ranges);
	return late;
}

/* Change the numbers of a job that keeps its processors.
 * Result: 1 if accepted; 0 if refused by the policy; -1 if the reply is final.
 */
static int modify_there(struct host_state *h, struct tracked_job *t,
			const struct change *change, double now_s,
			struct libra_host_reply *reply)
{
	const struct libra_host_request *r = &change->r;
	struct libra_job job = t->job;
	struct libra_verdict v = {0};
	struct libra_error err = {0};
	uint32_t minutes;

	if (!isnan(r->times.estimate_s))
		job.estimate_s = r->times.estimate_s + t->wait_s;
	if (!isnan(r->times.deadline_s))
		job.deadline_s = r->times.deadline_s;
	minutes = t->state == TRACKED_RUNNING
			  ? running_limit(h, t, &job, &change->job, now_s)
			  : host_limit_minutes(&job, t->size.partition,
					       h->conf.grace_s, now_s);
	if (t->state == TRACKED_RUNNING &&
	    !may_run_longer(h, change, minutes, reply))
		return -1;
	if (boots_too_late(h, t, change, &job, now_s, reply))
		return -1;
	if (libra_engine_log_modify(&h->log, t->ticket, &job, now_s, &v, &err) <
	    0) {
		host_unacceptable(
			reply,
			*err.text
				? err.text
				: "the policy cannot change a promise: cancel "
				  "the job and submit it again");
		return -1;
	}
	reply->reason = v.reason;
	if (v.answer != LIBRA_ACCEPT)
		return 0;
	t->job = job;
	if (!isnan(r->times.estimate_s))
		t->user_estimate_s = r->times.estimate_s;
	t->share = v.share;
	t->late_s = v.late_s;
	t->changed_s = now_s;
	host_jobs_set_stale_soon(&h->jobs, t);
	host_report_accepted(h, reply, &job, &v, t, 1, now_s);
	reply->minutes = minutes;
	host_sync_actions(h, now_s);
	return 1;
}

/* Check that limits of accounts let a waiting job start and run until its
 * deadline.
 * Result: false, and the reply has the reason.
 */
static bool keeps_limits(const struct host_state *h,
			 const struct libra_host_request *r,
			 const struct libra_job *job,
			 const struct host_partition *partition, double now_s,
			 struct libra_host_reply *reply)
{
	double deadline_s = isnan(r->times.deadline_s) ? job->deadline_s
						       : r->times.deadline_s;
	double run_s = isnan(r->times.estimate_s) ? job->estimate_s
						  : r->times.estimate_s;

	if ((!isnan(r->times.deadline_s) || !isnan(r->times.estimate_s)) &&
	    !host_fits_max_time(&h->cluster, partition, run_s, deadline_s,
				now_s, reply))
		return false;
	if (!h->cluster.plans)
		run_s = deadline_s - now_s;
	if (r->limits.limit_s > 0 && run_s > r->limits.limit_s)
		host_over_limit(reply, r->limits.limit_s, h->cluster.plans);
	else if (r->limits.limit_name && r->limits.room < 1 &&
		 (r->change.size || r->account || r->qos))
		host_no_room(reply, &r->limits);
	else
		return true;
	return false;
}

static int update(struct host_state *h, struct tracked_job *t,
		  struct change *change, double now_s,
		  struct libra_host_reply *reply)
{
	bool running = t->state == TRACKED_RUNNING;
	int rc;

	if (!running && change->r.blocked)
		return host_unacceptable(reply, HOST_LATE_BLOCK);
	if (!may_be(h, change, &t->size, reply) ||
	    (!running && !keeps_limits(h, &change->r, &t->job,
				       t->size.partition, now_s, reply)) ||
	    asks_nothing(&change->r) || !comes_alone(&change->r, reply) ||
	    !host_know_estimate(&change->r, change->job.minutes,
				t->user_estimate_s, reply))
		return 0;
	if (h->unreported) {
		errno = ENOMEM;
		return -1;
	}
	if (!change->r.change.size) {
		rc = modify_there(h, t, change, now_s, reply);
		if (!running)
			host_keep_limit(&change->r, reply);
		if (rc != 0)
			return 0;
	}
	if (!running) {
		rc = readmit(h, t, change, now_s, reply);
		host_keep_limit(&change->r, reply);
		return rc;
	}
	host_refuse_change(reply, change->r.change.size);
	return 0;
}

static int update_record(struct host_state *h, struct libra_promise *p,
			 struct change *change, double now_s,
			 struct libra_host_reply *reply)
{
	struct request_size size = host_record_size(&h->cluster, p);
	struct libra_job job = {
		.estimate_s = p->user_estimate_s,
		.deadline_s = p->deadline_s,
		.nprocs = p->nprocs,
	};
	struct libra_host_record record = {
		.rule = libra_host_conf_rule(&h->conf),
		.share = p->lost ? 0 : p->share,
	};
	double late_s =
		change->r.times.begin_s + job.estimate_s - job.deadline_s;

	if (late_s > 0)
		return host_late_end(reply, "StartTime", late_s);
	if (!may_be(h, change, &size, reply) ||
	    !keeps_limits(h, &change->r, &job, size.partition, now_s, reply) ||
	    asks_nothing(&change->r) || !comes_alone(&change->r, reply) ||
	    !host_know_estimate(&change->r, change->job.minutes,
				p->user_estimate_s, reply) ||
	    !take_numbers(h, change, now_s, &job, &size, reply))
		return 0;
	p->estimate_s = p->user_estimate_s = record.estimate_s = job.estimate_s;
	p->deadline_s = record.deadline_s = job.deadline_s;
	p->nprocs = job.nprocs;
	p->chunk = size.chunk;
	p->node_max = size.node_max;
	p->min_nodes = size.min_nodes;
	p->max_nodes = size.max_nodes;
	host_record_need(&h->cluster, &size, p->need);
	p->on.len = p->left.len = p->refused.len = 0;
	record.comment = libra_admin_comment_format(p);
	if (!record.comment)
		return -1;
	host_released_forget(&h->released, change->job.job_id);
	host_write_record(h->ops, change->job.job_id, &record);
	free(record.comment);
	reply->answer = LIBRA_HOST_ACCEPTED;
	reply->minutes = host_limit_minutes(&job, size.partition,
					    h->conf.grace_s, now_s);
	host_keep_limit(&change->r, reply);
	return 0;
}

static bool waits(struct host_state *h, uint32_t job_id)
{
	enum libra_host_job_state state = host_job_state(h->ops, job_id);

	return state == LIBRA_JOB_PENDING || state == LIBRA_JOB_BLOCKED;
}

int host_update(struct host_state *h, const void *record, bool by_operator,
		const struct libra_host_request *request,
		struct libra_host_reply *reply)
{
	const struct libra_host_job job = h->ops->view(record);
	struct change change = {
		.r = *request,
		.job = job,
		.by_operator = by_operator,
	};
	double now_s = host_now(h);
	struct tracked_job *t;
	struct libra_promise p;
	bool recorded = false;

	host_sync(h, now_s);
	host_sync_nodes(h, now_s);
	host_sync_suspended(h, now_s);
	t = host_jobs_find(&h->jobs, job.job_id, true);
	if (!t)
		t = host_jobs_find(&h->jobs, job.job_id, false);
	/* An ordinary job has no promise to change. */
	if (t && t->ordinary)
		return host_ordinary_changed(h, t, now_s);
	t = host_jobs_find(&h->jobs, job.job_id, true);
	if (!t) {
		recorded = host_read_promise(h, &job, &p);
		if (recorded)
			t = host_match(h, &job, &p, now_s);
	}
	if (t && t->state != TRACKED_RUNNING && job.waiting > 1 &&
	    !asks_nothing(request))
		return host_unacceptable(
			reply,
			"change the waiting tasks of an array one by one, as "
			"jobs ARRAY_TASK");
	if (t)
		return update(h, t, &change, now_s, reply);
	if (recorded && waits(h, job.job_id))
		return update_record(h, &p, &change, now_s, reply);
	return 0;
}
