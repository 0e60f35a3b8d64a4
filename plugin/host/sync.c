/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.c - the engine follows the cluster, the entries follow the engine.
 * See state.h.
 */
#include <math.h>
#include <stdlib.h>

#include "plugin/host/state.h"

/* An offer that nobody has taken up; more is refused in no sharing policy. */
static void expire(struct tracked_job *t)
{
	host_say(host.ops, LIBRA_HOST_INFO,
		 "offer %llu was not taken up: expired",
		 (unsigned long long)t->offer);
	host_jobs_remove(&host.jobs, t);
}

static void act(const struct libra_action *action)
{
	struct tracked_job *t =
		host_jobs_find_ticket(&host.jobs, action->ticket);

	if (!t)
		return;
	switch (action->kind) {
	case LIBRA_ACTION_REJECT:
		expire(t);
		break;
	case LIBRA_ACTION_START:
	case LIBRA_ACTION_RESUME:
		t->may_start = true;
		break;
	case LIBRA_ACTION_HOLD: /* not before its turn comes again */
	case LIBRA_ACTION_RESHARE:
		t->may_start = false;
		break;
	}
	/* Its nodes hold and resume it by themselves, in the same order. */
	if (t->state == TRACKED_RUNNING)
		host_jobs_set_stale(&host.jobs, t);
	else if (t->may_start && host.ops && host.ops->wake)
		host.ops->wake();
}

/* The records of a row's jobs shall tell their progress. */
static void reshared(uint32_t row)
{
	const struct libra_row *g = libra_engine_row(host.log.engine, row);
	struct tracked_job *t;

	for (uint32_t i = 0; g && i < g->ntasks; i++) {
		t = host_jobs_find_ticket(
			&host.jobs,
			libra_engine_ticket(host.log.engine, g->tasks[i].slot));
		if (t && t->state == TRACKED_RUNNING)
			host_jobs_set_stale(&host.jobs, t);
	}
}

void host_take_actions(double now_s)
{
	struct libra_action action;

	libra_engine_log_turn(&host.log, now_s);
	while (libra_engine_log_next_action(&host.log, &action)) {
		if (action.kind == LIBRA_ACTION_RESHARE)
			reshared(action.row);
		else
			act(&action);
	}
}

void host_follow_nodes(double now_s)
{
	enum libra_node_state state;

	if (!host.ops || !host.ops->node_state)
		return;
	if (host.ops->nodes_stamp)
		host.nodes_stamp = host.ops->nodes_stamp();
	host.nodes_s = now_s;
	for (uint32_t i = 0; i < host.cluster.nnodes; i++) {
		state = host.ops->node_state(host.cluster.slurm_node[i]);
		if (state == host.cluster.state[i])
			continue;
		if (libra_engine_log_node(&host.log, i, state, now_s) == 0)
			host.cluster.state[i] = state;
	}
}

/* Asking for the state of all nodes costs their number, and most calls change
 * nothing.  A submission is answered by what is true now: it asks by itself.
 */
static bool nodes_changed(double now_s)
{
	return fabs(now_s - host.nodes_s) >= 1.0 || !host.ops ||
	       !host.ops->nodes_stamp ||
	       host.ops->nodes_stamp() != host.nodes_stamp;
}

/* Since when has an entry been so?  Result: for longer than an offer lives. */
static bool outlived(double *since_s, double now_s)
{
	if (*since_s == 0)
		*since_s = now_s;
	return now_s - *since_s > host.conf.offer_ttl_s;
}

/* A job that is gone, or has been held for longer than an offer lives, gives
 * back what it was promised.  The last task of an array runs under the array's
 * id: what else is promised to that was cancelled, or is for a task that was
 * made a job of its own and has as long to come for it.
 */
static bool stale(struct tracked_job *t, double now_s)
{
	switch (host_job_state(host.ops, t->job_id)) {
	case LIBRA_JOB_GONE:
		return true;
	case LIBRA_JOB_BLOCKED:
		return outlived(&t->blocked_since_s, now_s);
	case LIBRA_JOB_ALIVE:
		t->blocked_since_s = 0;
		return outlived(&t->surplus_since_s, now_s) &&
		       host_jobs_find(&host.jobs, t->job_id, true);
	default:
		t->blocked_since_s = 0;
		return false;
	}
}

/* Result: how many promises came back. */
uint32_t host_sweep(double now_s)
{
	struct tracked_job *t;
	uint32_t n = 0;

	for (t = host_jobs_next(&host.jobs, NULL); t;
	     t = host_jobs_next(&host.jobs, t)) {
		if (t->state != TRACKED_COMMITTED || !stale(t, now_s))
			continue;
		host_say(host.ops, LIBRA_HOST_DEBUG,
			 "job %u gave back its promise", t->job_id);
		if (host_job_state(host.ops, t->job_id) == LIBRA_JOB_BLOCKED)
			host_release(&host.released, &host.jobs, t, now_s);
		else
			host_jobs_withdraw(&host.jobs, t, now_s);
		n++;
	}
	return n;
}

void host_stand_still(double now_s)
{
	const struct tracked_job *t;

	if (host.jobs.nsuspended == 0)
		return;
	for (t = host_jobs_next(&host.jobs, NULL); t;
	     t = host_jobs_next(&host.jobs, t)) {
		if (t->suspended)
			libra_engine_log_progress(&host.log, t->ticket,
						  t->executed_s, now_s);
	}
}

void host_suspend(struct tracked_job *t, bool suspended, double now_s)
{
	double left_s;

	if (t->suspended == suspended)
		return;
	left_s = libra_engine_left_s(host.log.engine, t->ticket, now_s, NULL);
	if (suspended)
		t->executed_s = fmax(0, t->job.estimate_s - left_s);
	else
		libra_engine_log_progress(&host.log, t->ticket, t->executed_s,
					  now_s);
	host.jobs.nsuspended += suspended ? 1 : -1;
	t->suspended = suspended;
	host_jobs_set_stale(&host.jobs, t);
}

/* Bring the engine up to date.  Sweeping the jobs costs their number: once a
 * second is soon enough, but a refusal is said after a sweep.
 */
void host_catch_up(double now_s)
{
	if (libra_declog_check(&host.log.out, now_s))
		libra_engine_log_opening(&host.log, now_s);
	if (nodes_changed(now_s))
		host_follow_nodes(now_s);
	if (fabs(now_s - host.scheduled_s) >= 1.0) {
		host_sweep(now_s);
		host_stand_still(now_s);
		host_estimates_extend(&host.history, &host.jobs, now_s);
		host_history_save(&host.history, now_s);
		libra_engine_log_schedule(&host.log, now_s);
		host.scheduled_s = now_s;
	}
	host_take_actions(now_s);
}
