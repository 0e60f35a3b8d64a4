/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.c - see sync.h.
 */
#include <math.h>

#include "plugin/engine/away.h"
#include "plugin/jobs/estimates.h"
#include "plugin/base/ops.h"
#include "plugin/host/sync.h"
#include "plugin/host/ordinary.h"
#include "plugin/host/outages.h"
#include "plugin/host/preemption.h"
#include "plugin/host/planned_starts.h"
#include "plugin/host/actions.h"
#include "plugin/host/resize.h"
#include "plugin/host/starvation.h"
#include "plugin/host/sweep.h"

/* Return the state of a node for the engine, as if no node were away. */
static enum libra_node_state node_state(const struct host_state *h,
					uint32_t node, bool any_reserved)
{
	uint32_t slurm_node = h->cluster.slurm_node[node];
	enum libra_node_state state = h->ops->node_state(slurm_node);

	return state == LIBRA_NODE_UP && any_reserved &&
			       h->cluster.reserved[slurm_node]
		       ? LIBRA_NODE_DRAIN
		       : state;
}

/* Log if epilogs take longer than the margin of reservations. */
static void say_epilog(struct host_state *h, double was_s)
{
	int i = libra_param_find(h->conf.policy->params,
				 h->conf.policy->nparams, "margin", NULL);
	double epilog_s = h->cluster.epilog_s;

	if (i < 0 || epilog_s <= was_s || epilog_s <= h->conf.params[i])
		return;
	host_log(h->ops, LIBRA_HOST_INFO,
		 "nodes take up to %.0f s to complete a job, longer than plans "
		 "count behind a promised job (libra_margin, and boots: %.0f "
		 "s): jobs that are planned behind it may start late; set "
		 "libra_margin=%.0f",
		 epilog_s, h->conf.params[i], epilog_s + 10);
}

static void say_away(const struct host_state *h, uint32_t node,
		     enum host_away_news news)
{
	char text[HOST_AWAY_TEXT];

	if (news == HOST_AWAY_SAME || news == HOST_AWAY_RETURNED)
		return;
	host_away_text(&h->cluster, node, text);
	if (isfinite(h->cluster.away[node].back_s))
		host_log(h->ops, LIBRA_HOST_DEBUG, "%s", text);
	else
		host_log(h->ops, LIBRA_HOST_INFO,
			 "%s: when it is back is not known: nothing is "
			 "promised on it until Slurm has it back",
			 text);
}

/* Return the state of a node for the engine, and log news of a node that is
 * away.
 */
static enum libra_node_state follow_node(struct host_state *h, uint32_t node,
					 enum libra_node_state state,
					 double now_s)
{
	struct host_cluster *c = &h->cluster;
	double epilog_s = c->epilog_s;
	struct libra_host_away seen;
	enum host_away_news news;
	bool away = h->ops->node_away &&
		    h->ops->node_away(c->slurm_node[node], &seen);

	state = host_away_follow(c, node, state, away ? &seen : NULL, now_s,
				 &news);
	say_away(h, node, news);
	say_epilog(h, epilog_s);
	if (news == HOST_AWAY_RETURNED)
		h->log.changes++; /* waiting jobs are tried again */
	if (news == HOST_AWAY_LATER || news == HOST_AWAY_GONE) {
		h->lost.node = node;
		h->lost.how = NULL;
		h->lost.at_s = now_s;
	}
	return state;
}

static const char *lost_how(const struct host_state *h, uint32_t node)
{
	if (h->cluster.away[node].kind != LIBRA_AWAY_NOT)
		return NULL;
	return h->cluster.state[node] == LIBRA_NODE_DOWN ? "node lost"
							 : "node drained";
}

/* Read which nodes have an advance reservation, for sharing policies: their
 * jobs may run until long after the deadline, so Slurm would not start one on
 * such a node.  Policies with planned starts have outages instead.
 */
static bool read_reserved(const struct host_state *h)
{
	const struct host_cluster *c = &h->cluster;

	return !c->plans && h->ops->reserved && c->nnodes > 0 &&
	       h->ops->reserved(c->reserved, c->slurm_node[c->nnodes - 1] + 1);
}

void host_sync_nodes(struct host_state *h, double now_s)
{
	enum libra_node_state state;
	bool any_reserved;

	if (!h->ops || !h->ops->node_state)
		return;
	if (h->ops->nodes_stamp)
		h->last.nodes_stamp = h->ops->nodes_stamp();
	h->last.nodes_s = now_s;
	if (h->cluster.plans)
		host_outages_read(h, now_s);
	any_reserved = read_reserved(h);
	for (uint32_t i = 0; i < h->cluster.nnodes; i++) {
		state = follow_node(h, i, node_state(h, i, any_reserved),
				    now_s);
		if (state == h->cluster.state[i])
			continue;
		if (libra_engine_log_node(&h->log, i, state, now_s) < 0)
			continue;
		h->cluster.state[i] = state;
		if (state == LIBRA_NODE_UP)
			continue;
		h->lost.node = i;
		h->lost.how = lost_how(h, i);
		h->lost.at_s = now_s;
	}
	if (h->cluster.plans)
		host_outages_report(h, now_s);
}

/* Return true if the states of nodes must be read.  That costs the number of
 * nodes, and most calls would change nothing.  A submission always reads them.
 */
static bool nodes_changed(struct host_state *h, double now_s)
{
	return fabs(now_s - h->last.nodes_s) >= 1.0 || !h->ops ||
	       !h->ops->nodes_stamp ||
	       h->ops->nodes_stamp() != h->last.nodes_stamp;
}

void host_sync_suspended(struct host_state *h, double now_s)
{
	const struct tracked_job *t;

	if (h->jobs.nsuspended == 0)
		return;
	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t))
		if (t->suspended)
			libra_engine_log_progress(&h->log, t->ticket,
						  t->executed_s, now_s);
}

void host_suspend(struct host_state *h, struct tracked_job *t, bool suspended,
		  double now_s)
{
	double left_s;

	if (t->suspended == suspended)
		return;
	left_s = libra_engine_left_s(h->log.engine, t->ticket, now_s, NULL);
	if (suspended)
		t->executed_s = fmax(0, t->job.estimate_s - left_s);
	else
		libra_engine_log_progress(&h->log, t->ticket, t->executed_s,
					  now_s);
	h->jobs.nsuspended += suspended ? 1 : -1;
	t->suspended = suspended;
	libra_engine_log_suspend(&h->log, t->ticket, suspended, now_s);
	host_jobs_set_stale(&h->jobs, t);
}

/* Return true if a planned start has come. */
static bool is_due(const struct host_state *h, double now_s)
{
	return h->cluster.plans &&
	       libra_engine_next_event_s(h->log.engine) <= now_s;
}

/* Slurm applies the reported rate to the whole time since its last reading,
 * minutes ago or at the start.  So report the mean over this time.
 */
#define CHARGE_S 60.0

static void charge(struct host_state *h, struct tracked_job *t, double now_s)
{
	double left_s =
		libra_engine_left_s(h->log.engine, t->ticket, now_s, NULL);
	double over_s = now_s - t->charge.since_s, rate;

	if (isnan(left_s) || t->suspended)
		return;
	if (t->charge.since_s > 0 && over_s > 0.5) {
		rate = fmin(1, fmax(0, (t->charge.left_s - left_s) / over_s));
		if (fabs(rate - t->charge.rate) > 1e-3)
			h->ops->charge(t->job_id, rate);
		t->charge.rate = rate;
	}
	if (t->charge.since_s > 0 && over_s >= 0 && over_s < CHARGE_S)
		return;
	if (t->charge.since_s == 0)
		t->charge.rate = 1;
	t->charge.since_s = now_s;
	t->charge.left_s = left_s;
}

/* Running jobs charged in a call: each is searched in all rows. */
#define CHARGE_SOME 16u

bool host_charge(struct host_state *h, double now_s)
{
	struct tracked_job *t;

	if (h->cluster.plans || !h->ops || !h->ops->charge)
		return false;
	if (fabs(now_s - h->last.charged_s) >= 1) {
		h->last.charged_s = now_s;
		h->charge.left = h->jobs.njobs;
	}
	for (uint32_t n = 0; n < CHARGE_SOME && h->charge.left > 0;) {
		if (h->charge.at >= h->jobs.njobs)
			h->charge.at = 0;
		t = &h->jobs.jobs[h->charge.at++];
		h->charge.left--;
		if (t->state != TRACKED_RUNNING)
			continue;
		charge(h, t, now_s);
		n++;
	}
	return h->charge.left > 0;
}

/* Bring ordinary jobs up to date, once a second. */
static void sync_ordinary(struct host_state *h, double now_s)
{
	if (!h->ops)
		return;
	host_preemption_sync(h, now_s);
	host_resize_sync(h, now_s);
	host_ordinary_limits(h, now_s);
	host_starvation_sync(h, now_s);
}

/* Work that costs the number of jobs is done once a second. */
void host_sync(struct host_state *h, double now_s)
{
	h->log.filling = false; /* all jobs were reported */
	if (libra_declog_check(&h->log.out, now_s))
		libra_engine_log_opening(&h->log, now_s);
	if (nodes_changed(h, now_s))
		host_sync_nodes(h, now_s);
	host_preemption_restore(h, now_s);
	if (h->longest)
		host_ordinary_limits(h, now_s);
	if (fabs(now_s - h->last.scheduled_s) >= 1.0)
		h->sweep.left = h->jobs.njobs;
	host_sweep_some(h, now_s);
	if (fabs(now_s - h->last.scheduled_s) >= 1.0 || is_due(h, now_s)) {
		host_sync_suspended(h, now_s);
		host_estimates_extend(h->history, &h->jobs, now_s);
		host_history_save(h->history, now_s);
		host_learned_save(&h->learned, h->ops, &h->log,
				  h->cluster.whole_nodes, false, now_s);
		if (h->cluster.plans)
			sync_ordinary(h, now_s);
		libra_engine_log_schedule(&h->log, now_s);
		h->last.scheduled_s = now_s;
	}
	host_sync_actions(h, now_s);
	if (h->cluster.plans)
		host_planned_starts_sync(h, now_s);
}

/* Steps of the engine in a call: tests/bench/plans measures what they take. */
#define COMPRESS_STEPS 5000u

bool host_compress(struct host_state *h, double now_s)
{
	bool more;

	if (h->log.filling || !libra_engine_can_compress(h->log.engine))
		return false;
	more = libra_engine_log_compress(&h->log, COMPRESS_STEPS, now_s);
	if (more)
		return true;
	host_sync_actions(h, now_s);
	host_planned_starts_sync(h, now_s);
	return false;
}
