/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer.c - entry points that answer a submission or a change.
 *
 * Slurm's rules are read without the host's lock, as Slurm takes locks for
 * that; then the decision is made under it.
 */
#include <math.h>

#include "plugin/base/ops.h"
#include "plugin/host/clock.h"
#include "plugin/host/host_impl.h"
#include "plugin/host/submit.h"
#include "plugin/host/unclaimed.h"
#include "plugin/host/update.h"
#include "plugin/request/ask.h"
#include "plugin/request/messages.h"
#include "plugin/request/sizing.h"
#include "plugin/request/width.h"

static const struct libra_host_ops *ops_of(struct libra_host *host)
{
	const struct libra_host_ops *ops;

	pthread_mutex_lock(&host->lock);
	ops = host->ready ? host->groups.ops : NULL;
	pthread_mutex_unlock(&host->lock);
	return ops;
}

/* ---- a submission ---- */

static bool wants_promise(struct libra_host *host,
			  const struct libra_host_request *r)
{
	const struct host_state *h;
	bool wants;

	pthread_mutex_lock(&host->lock);
	h = host_group_for(host, r->partition);
	wants = h && host_wants_promise(h, r);
	pthread_mutex_unlock(&host->lock);
	return wants;
}

/* Give a job without a deadline the one that a setting has for it.  Slurm takes
 * locks to find the QOS of a job that names none, so ask without ours.
 */
static void default_deadline(struct libra_host *host,
			     struct libra_host_request *r)
{
	const struct libra_host_ops *ops = ops_of(host);
	struct host_state *h;
	char qos[64] = "";
	bool by_qos;

	if (r->times.deadline_s < INFINITY || r->reserved)
		return;
	pthread_mutex_lock(&host->lock);
	h = host_group_for(host, r->partition);
	by_qos = h && h->conf.targets;
	pthread_mutex_unlock(&host->lock);
	if (by_qos && !r->qos && ops && ops->default_qos)
		ops->default_qos(r, qos);
	pthread_mutex_lock(&host->lock);
	h = host_group_for(host, r->partition);
	if (h)
		host_default_deadline(h, r->qos ? r->qos : qos, r);
	pthread_mutex_unlock(&host->lock);
}

/* Read Slurm's rules for a request, without our lock, as ops->rules takes locks
 * of Slurm.  The cost may be the number of all jobs or the length of a text, so
 * skip requests that cannot get a promise.
 */
static void apply_rules(struct libra_host *host, struct libra_host_request *r)
{
	struct libra_host_rules rules = {.limits.limit_s = INFINITY};
	const struct libra_host_ops *ops = ops_of(host);

	if (r->unread.option || !wants_promise(host, r))
		return;
	if (ops && ops->rules) {
		host_sum_gpus(r);
		ops->rules(r, &rules);
		host_count_rules(r, &rules);
	} else {
		rules.constrained = r->nodes.constraint;
	}
	host_take_rules(r, &rules);
}

/* If a request has several widths, drop those that Slurm's rules forbid.  If
 * they forbid the least, the job is refused: read them for no other.
 */
static void limit_width(struct libra_host *host, struct libra_host_request *r)
{
	struct libra_host_request wide;
	const struct host_state *h;
	bool several;

	pthread_mutex_lock(&host->lock);
	h = host_group_for(host, r->partition);
	several = h && host_bound_widths(&h->cluster, r);
	pthread_mutex_unlock(&host->lock);
	if (!several || !host_is_permitted(r))
		return;
	for (; r->size.max_nodes > r->size.min_nodes;
	     r->size.max_nodes -=
	     (r->size.max_nodes - r->size.min_nodes + 1) / 2) {
		wide = host_at_width(r, r->size.max_nodes);
		apply_rules(host, &wide);
		r->bounds.wide_room =
			wide.limits.limit_name ? wide.limits.room : INFINITY;
		if (host_is_permitted(&wide))
			return;
	}
}

/* Decide under the lock.  A user who has abandoned offers gets no promise
 * before the job is in the queue.
 */
static int submit(struct host_state *h, const struct libra_host_request *asked,
		  const struct libra_host_request *counted,
		  struct libra_host_reply *reply)
{
	struct libra_host_request r = *counted;
	uint64_t above = h->jobs.last_offer;
	double now_s = host_now(h);
	enum host_trust trust;
	int rc;

	host_unclaimed_settle(h, HOST_CLAIMS_SOME, now_s);
	trust = host_unclaimed_trust(h, r.user, now_s);
	r.distrusted = !r.blocked && trust != HOST_TRUSTED;
	rc = host_submit(h, &r, reply);
	host_unclaimed_note(h, above);
	if (rc < 0 || reply->answer != LIBRA_HOST_ACCEPTED)
		return rc;
	host_report_memory(asked, &r, reply);
	host_keep_limit(&r, reply);
	if (r.distrusted)
		host_reply_text(reply, "libra: %s",
				trust == HOST_LEAVES ? HOST_YOU_LEAVE
						     : HOST_OTHERS_LEAVE);
	return 0;
}

int libra_host_submit(struct libra_host *host,
		      const struct libra_host_request *request,
		      struct libra_host_reply *reply)
{
	struct libra_host_request r = *request;
	const struct libra_host_ops *ops;
	struct host_state *h;
	int rc = 0;

	*reply = (struct libra_host_reply){.answer = LIBRA_HOST_STOCK};
	default_deadline(host, &r);
	apply_rules(host, &r);
	limit_width(host, &r);
	pthread_mutex_lock(&host->lock);
	h = host_group_for(host, r.partition);
	if (h)
		rc = submit(h, request, &r, reply);
	ops = h ? h->ops : NULL;
	if (rc < 0) {
		host_reply_fini(reply);
		reply->answer = LIBRA_HOST_STOCK;
	}
	pthread_mutex_unlock(&host->lock);
	/* Log without the lock, as that writes a file. */
	if (rc == 0)
		host_reply_log(ops, r.user, reply);
	return rc;
}

/* ---- a change of a job ---- */

/* Ask for a user's rights without our lock, as Slurm takes locks for that. */
static enum libra_host_right right_of(struct libra_host *host,
				      const void *record, uint32_t user)
{
	const struct libra_host_ops *ops = ops_of(host);

	if (!ops)
		return LIBRA_RIGHT_NONE;
	return ops->right ? ops->right(record, user) : LIBRA_RIGHT_OPERATOR;
}

/* Read the limits for the changed job, as for a submission; what the change
 * does not give is taken from the job.  Slurm applies no limits to operators.
 */
static void apply_limits(struct libra_host *host, const void *record,
			 struct libra_host_request *change)
{
	const struct libra_host_ops *ops = ops_of(host);
	struct libra_host_rules rules = {.limits.limit_s = INFINITY};
	struct libra_host_request whole, asked = *change;
	struct libra_host_job job;

	if (!ops || !ops->rules || !ops->view)
		return;
	job = ops->view(record);
	if (change->change.size)
		host_complete_size(&asked, &job, job.size.tasks_per_node,
				   job.size.min_nodes);
	whole = (struct libra_host_request){
		.partition = job.partition,
		.account = change->account ? change->account : job.account,
		.qos = change->qos ? change->qos : job.qos,
		.user = job.user,
		.size.ncpus =
			asked.size.ncpus ? asked.size.ncpus : job.size.ncpus,
		.size.min_nodes = change->size.min_nodes
					  ? change->size.min_nodes
					  : job.size.min_nodes,
		.mem.per_cpu = job.mem.per_cpu,
		.mem.per_node = job.mem.per_node,
		.size.ntasks =
			asked.size.ntasks ? asked.size.ntasks : job.size.ntasks,
		.gres = job.gres,
		.job_id = job.job_id,
	};
	host_sum_gpus(&whole);
	ops->rules(&whole, &rules);
	host_take_limits(change, &rules);
}

int libra_host_modify(struct libra_host *host, const void *record,
		      uint32_t user, const struct libra_host_request *change,
		      struct libra_host_reply *reply)
{
	enum libra_host_right right = right_of(host, record, user);
	struct libra_host_request limited = *change;
	struct libra_host_job job;
	const char *why;
	int rc = 0;

	*reply = (struct libra_host_reply){.answer = LIBRA_HOST_STOCK};
	if (right == LIBRA_RIGHT_NONE)
		return 0;
	if (right != LIBRA_RIGHT_OPERATOR)
		apply_limits(host, record, &limited);
	pthread_mutex_lock(&host->lock);
	if (host->ready && host->groups.ops->view) {
		job = host->groups.ops->view(record);
		why = host_change_denied(&host->groups, &job, &limited);
		rc = why ? host_unacceptable(reply, why)
			 : host_update(host_group_of(host, &job), record,
				       right == LIBRA_RIGHT_OPERATOR, &limited,
				       reply);
	}
	if (rc < 0)
		host_reply_fini(reply);
	pthread_mutex_unlock(&host->lock);
	return rc;
}

void libra_host_reply_fini(struct libra_host_reply *reply)
{
	host_reply_fini(reply);
}
