/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.c - see sync.h.
 */
#include <math.h>

#include "plugin/engine/away.h"
#include "plugin/host/unclaimed.h"
#include "plugin/jobs/estimates.h"
#include "plugin/base/ops.h"
#include "plugin/host/sync.h"
#include "plugin/host/ordinary.h"
#include "plugin/host/outages.h"
#include "plugin/host/preemption.h"
#include "plugin/host/planned_starts.h"

/* Only an offer that no job came for is ever rejected here: sharing policies
 * decide at the offer.
 */
static void expire(struct host_state *h, struct tracked_job *t)
{
	host_log(h->ops, LIBRA_HOST_INFO,
		 "offer %llu expired: no job came for it",
		 (unsigned long long)t->offer);
	host_jobs_remove(&h->jobs, t);
}

static void wake(struct host_state *h, uint32_t job_id)
{
	if (h->nwoken < HOST_WOKEN)
		h->woken[h->nwoken] = job_id;
	h->nwoken += h->nwoken <= HOST_WOKEN;
	if (h->ops && h->ops->wake)
		h->ops->wake();
}

static void act(struct host_state *h, const struct libra_action *action,
		double now_s)
{
	struct tracked_job *t = host_jobs_find_ticket(&h->jobs, action->ticket);

	if (!t)
		return;
	switch (action->kind) {
	case LIBRA_ACTION_REJECT:
		expire(h, t);
		break;
	case LIBRA_ACTION_START:
	case LIBRA_ACTION_RESUME:
		t->may_start = true;
		t->tries = 0;
		break;
	case LIBRA_ACTION_HOLD: /* not before its turn comes again */
	case LIBRA_ACTION_RESHARE:
		t->may_start = false;
		break;
	case LIBRA_ACTION_LATE: /* its plan says when it may start */
		host_planned_starts_late(h, t, now_s);
		return;
	}
	/* Its nodes hold and resume it by themselves, in the same order. */
	if (t->state == TRACKED_RUNNING)
		host_jobs_set_stale(&h->jobs, t);
	else if (t->may_start)
		wake(h, t->job_id);
}

/* The records of a row's jobs say how far they are: they are stale. */
static void reshared(struct host_state *h, uint32_t row)
{
	const struct libra_row *g = libra_engine_row(h->log.engine, row);
	struct tracked_job *t;

	for (uint32_t i = 0; g && i < g->ntasks; i++) {
		t = host_jobs_find_ticket(
			&h->jobs,
			libra_engine_ticket(h->log.engine, g->tasks[i].slot));
		if (t && t->state == TRACKED_RUNNING)
			host_jobs_set_stale(&h->jobs, t);
	}
}

void host_sync_actions(struct host_state *h, double now_s)
{
	struct libra_action action;

	libra_engine_log_turn(&h->log, now_s);
	while (libra_engine_log_next_action(&h->log, &action)) {
		if (action.kind == LIBRA_ACTION_RESHARE)
			reshared(h, action.row);
		else
			act(h, &action, now_s);
	}
}

/* As the engine shall see it, a node that is away apart. */
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

/* A site whose epilogs take longer than its plans count on is told. */
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

/* The state of a node that may be away. */
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
		h->log.changes++; /* what waits for it is tried again */
	if (news == HOST_AWAY_LATER || news == HOST_AWAY_GONE) {
		h->lost_node = node;
		h->lost_how = NULL;
		h->lost_s = now_s;
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

/* A promised job that shares may run until long after its deadline, so that
 * Slurm would not start it on a node that is reserved at any time; plans go
 * round that.
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
		h->nodes_stamp = h->ops->nodes_stamp();
	h->nodes_s = now_s;
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
		h->lost_node = i;
		h->lost_how = lost_how(h, i);
		h->lost_s = now_s;
	}
	if (h->cluster.plans)
		host_outages_report(h, now_s);
}

/* Asking for the state of all nodes costs their number, and most calls change
 * nothing.  A submission is answered by what is true now: it asks by itself.
 */
static bool nodes_changed(struct host_state *h, double now_s)
{
	return fabs(now_s - h->nodes_s) >= 1.0 || !h->ops ||
	       !h->ops->nodes_stamp || h->ops->nodes_stamp() != h->nodes_stamp;
}

/* Since when has a job been so?  Result: for longer than an offer lives. */
static bool outlived(struct host_state *h, double *since_s, double now_s)
{
	if (*since_s == 0)
		*since_s = now_s;
	return now_s - *since_s > h->conf.offer_ttl_s;
}

bool host_is_overdue(struct host_state *h, struct tracked_job *t, double now_s)
{
	return t->may_start && now_s > t->job.deadline_s &&
	       outlived(h, &t->overdue_since_s, now_s);
}

void host_give_up(struct host_state *h, struct tracked_job *t, double now_s)
{
	uint32_t job_id = t->job_id;

	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u: its deadline has passed, and Slurm cannot start it "
		 "on its promised processors",
		 job_id);
	for (; t; t = host_jobs_find(&h->jobs, job_id, false))
		host_release(&h->released, &h->jobs, t, true, now_s);
}

/* It has its turn, but Slurm does not let it start. */
static bool is_limited(const struct host_state *h, const struct tracked_job *t,
		       double now_s)
{
	return t->limited_since_s > 0 &&
	       now_s - t->limited_since_s > h->conf.offer_ttl_s;
}

/* Slurm would never start a job: a rule of its partition or QOS, or the job's
 * reason to wait, forbids it.  A rule that is changed for a moment costs no
 * promise.
 */
#define BARRED_S 5.0

static bool is_barred(const struct tracked_job *t, double now_s)
{
	return t->barred_by && now_s - t->barred_since_s >= BARRED_S;
}

/* A plan without a promise is given up otherwise. */
static void note_barrier(struct host_state *h, struct tracked_job *t,
			 double now_s)
{
	t->barred_by = t->ordinary ? NULL : host_barrier(h->ops, t->job_id);
	if (!t->barred_by)
		t->barred_since_s = 0;
	else if (t->barred_since_s == 0)
		t->barred_since_s = now_s;
}

/* A job that is gone, or has been held for longer than an offer lives, releases
 * what it was promised.  The last task of an array runs under the array's id:
 * what else is promised to that was cancelled, or is for a task that was made a
 * job of its own and has as long to come for it.
 */
static bool has_no_use(struct host_state *h, struct tracked_job *t,
		       double now_s)
{
	switch (host_job_state(h->ops, t->job_id)) {
	case LIBRA_JOB_GONE:
		return true;
	case LIBRA_JOB_BLOCKED:
		return outlived(h, &t->blocked_since_s, now_s);
	case LIBRA_JOB_ALIVE:
		t->blocked_since_s = 0;
		return outlived(h, &t->surplus_since_s, now_s) &&
		       host_jobs_find(&h->jobs, t->job_id, true);
	default:
		t->blocked_since_s = 0;
		note_barrier(h, t, now_s);
		return is_barred(t, now_s) || is_limited(h, t, now_s) ||
		       (!t->ordinary && host_is_overdue(h, t, now_s));
	}
}

/* Slurm may find out only when it has found a place that the job could never
 * start: the job asks for another promise after a while.
 */
static void note_release(struct host_state *h, uint32_t job_id, double now_s)
{
	h->refused[job_id % HOST_REFUSALS] = (struct host_refusal){
		.job_id = job_id,
		.barred = true,
		.changes = h->log.changes,
		.at_s = now_s,
	};
}

static void say_released(const struct host_state *h,
			 const struct tracked_job *t)
{
	host_log(h->ops, LIBRA_HOST_DEBUG, "job %u released its promise",
		 t->job_id);
}

/* What waits asks again when it may start. */
static void release(struct host_state *h, struct tracked_job *t, double now_s)
{
	switch (host_job_state(h->ops, t->job_id)) {
	case LIBRA_JOB_PENDING:
		if (!is_barred(t, now_s) && !is_limited(h, t, now_s)) {
			host_give_up(h, t, now_s);
			return;
		}
		host_log(h->ops, LIBRA_HOST_INFO,
			 "job %u released its promise: %s does not let it "
			 "start; it asks again when it may",
			 t->job_id,
			 is_barred(t, now_s) ? t->barred_by : t->limited_by);
		if (is_barred(t, now_s))
			note_release(h, t->job_id, now_s);
		host_release(&h->released, &h->jobs, t, false, now_s);
		return;
	case LIBRA_JOB_BLOCKED:
		say_released(h, t);
		host_release(&h->released, &h->jobs, t, false, now_s);
		return;
	default:
		say_released(h, t);
		host_jobs_withdraw(&h->jobs, t, now_s);
	}
}

/* An operator can overwrite a job's record (scancel --admin-comment): then it
 * is written again.  Of an array's waiting tasks, which have one record, one is
 * asked.
 */
static void keep_record(struct host_state *h, struct tracked_job *t)
{
	bool runs = t->state == TRACKED_RUNNING;

	if (t->stale || t->ordinary || t->state < TRACKED_COMMITTED ||
	    !h->ops->has_claim ||
	    t != host_jobs_find(&h->jobs, t->job_id, runs) ||
	    h->ops->has_claim(t->job_id, h->log.epoch,
			      runs ? t->offer : t->first) ||
	    host_job_state(h->ops, t->job_id) == LIBRA_JOB_GONE)
		return;
	host_jobs_set_stale_soon(&h->jobs, t);
}

/* Result: was it released? */
static bool sweep(struct host_state *h, struct tracked_job *t, double now_s)
{
	if (h->ops)
		keep_record(h, t);
	if (t->state != TRACKED_COMMITTED || !has_no_use(h, t, now_s))
		return false;
	host_unclaimed_refused(h, t, now_s);
	release(h, t, now_s);
	return true;
}

/* Asking Slurm of each job costs their number: of very many a refusal does not
 * have all asked again at once.
 */
#define SWEEP_REST 20

uint32_t host_sweep(struct host_state *h, double now_s)
{
	double at_s = host_steady_s(h->ops);
	struct tracked_job *t;
	uint32_t n = 0;

	if (fabs(at_s - h->swept_s) < SWEEP_REST * h->sweep_took_s)
		return 0;
	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t))
		n += sweep(h, t, now_s);
	h->swept_s = host_steady_s(h->ops);
	h->sweep_took_s = h->swept_s - at_s;
	return n;
}

/* Once a second all are looked at: so many in a call, or so many released,
 * which takes longer.
 */
#define SWEEP_SOME   64u
#define RELEASE_SOME 4u

static void sweep_some(struct host_state *h, double now_s)
{
	struct tracked_job *t;
	uint32_t n = 0;

	for (uint32_t i = 0;
	     i < SWEEP_SOME && n < RELEASE_SOME && h->sweep_left > 0; i++) {
		if (h->sweep_at >= h->jobs.njobs)
			h->sweep_at = 0;
		t = &h->jobs.jobs[h->sweep_at++];
		h->sweep_left--;
		if (t->state != TRACKED_FREE)
			n += sweep(h, t, now_s);
	}
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

/* A planned start has come. */
static bool is_due(const struct host_state *h, double now_s)
{
	return h->cluster.plans &&
	       libra_engine_next_event_s(h->log.engine) <= now_s;
}

/* Slurm takes the part of now for all the time since it last looked, minutes
 * ago or when the job started: so it is the mean of a while.
 */
#define CHARGE_S 60.0

static void charge(struct host_state *h, struct tracked_job *t, double now_s)
{
	double left_s =
		libra_engine_left_s(h->log.engine, t->ticket, now_s, NULL);
	double over_s = now_s - t->charged_since_s, rate;

	if (isnan(left_s) || t->suspended)
		return;
	if (t->charged_since_s > 0 && over_s > 0.5) {
		rate = fmin(1, fmax(0, (t->charged_left_s - left_s) / over_s));
		if (fabs(rate - t->charged) > 1e-3)
			h->ops->charge(t->job_id, rate);
		t->charged = rate;
	}
	if (t->charged_since_s > 0 && over_s >= 0 && over_s < CHARGE_S)
		return;
	if (t->charged_since_s == 0)
		t->charged = 1;
	t->charged_since_s = now_s;
	t->charged_left_s = left_s;
}

/* Once a second each that runs: so many in a call, as each is searched for in
 * all rows.
 */
#define CHARGE_SOME 16u

bool host_charge(struct host_state *h, double now_s)
{
	struct tracked_job *t;

	if (h->cluster.plans || !h->ops || !h->ops->charge)
		return false;
	if (fabs(now_s - h->charged_s) >= 1) {
		h->charged_s = now_s;
		h->charge_left = h->jobs.njobs;
	}
	for (uint32_t n = 0; n < CHARGE_SOME && h->charge_left > 0;) {
		if (h->charge_at >= h->jobs.njobs)
			h->charge_at = 0;
		t = &h->jobs.jobs[h->charge_at++];
		h->charge_left--;
		if (t->state != TRACKED_RUNNING)
			continue;
		charge(h, t, now_s);
		n++;
	}
	return h->charge_left > 0;
}

/* Once a second is soon enough for what costs the number of jobs. */
void host_sync(struct host_state *h, double now_s)
{
	h->log.filling = false; /* Slurm has told us of all its jobs */
	if (libra_declog_check(&h->log.out, now_s))
		libra_engine_log_opening(&h->log, now_s);
	if (nodes_changed(h, now_s))
		host_sync_nodes(h, now_s);
	host_preemption_restore(h, now_s);
	if (h->longest)
		host_ordinary_limits(h, now_s);
	if (fabs(now_s - h->scheduled_s) >= 1.0)
		h->sweep_left = h->jobs.njobs;
	sweep_some(h, now_s);
	if (fabs(now_s - h->scheduled_s) >= 1.0 || is_due(h, now_s)) {
		host_sync_suspended(h, now_s);
		host_estimates_extend(h->history, &h->jobs, now_s);
		host_history_save(h->history, now_s);
		host_learned_save(&h->learned, h->ops, &h->log,
				  h->cluster.whole_nodes, false, now_s);
		if (h->cluster.plans)
			host_ordinary_sync(h, now_s);
		libra_engine_log_schedule(&h->log, now_s);
		h->scheduled_s = now_s;
	}
	host_sync_actions(h, now_s);
	if (h->cluster.plans)
		host_planned_starts_sync(h, now_s);
}

/* --- a clock that may be set -----------------------------------------------
 */

/* Smaller steps are left alone until they come to that together: to the engine
 * time stands still for so long, or is ahead by it.
 */
#define STEP_S 5.0

/* What the clock is ahead of the steady one. */
static double read_ahead(const struct host_state *h, double *now_s)
{
	double steady_s = host_steady_s(h->ops);

	*now_s = host_clock_s(h->ops);
	return *now_s - steady_s;
}

static void shift_instant(double *instant_s, double by_s)
{
	if (*instant_s != 0)
		*instant_s += by_s;
}

/* Their records say since when, on the clock of before. */
static void shift_jobs(struct host_state *h, double by_s)
{
	struct tracked_job *t;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t)) {
		shift_instant(&t->blocked_since_s, by_s);
		shift_instant(&t->surplus_since_s, by_s);
		shift_instant(&t->overdue_since_s, by_s);
		shift_instant(&t->limited_since_s, by_s);
		shift_instant(&t->barred_since_s, by_s);
		if (t->state == TRACKED_RUNNING)
			host_jobs_set_stale(&h->jobs, t);
	}
}

static void follow_clock(struct host_state *h, double by_s, double now_s)
{
	const char *way = by_s < 0 ? "back" : "forward";
	const char *anew =
		h->cluster.plans ? "plans are made" : "shares are counted";

	if (libra_engine_log_clock(&h->log, now_s - by_s, now_s) == 0)
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "the clock was set %s by %.0f s: jobs keep the "
			 "progress that they had made, deadlines stay, and %s "
			 "anew",
			 way, fabs(by_s), anew);
	else
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "the clock was set %s by %.0f s, which policy %s "
			 "cannot follow: restart slurmctld",
			 way, fabs(by_s), h->conf.policy->name);
	if (by_s > 0)
		h->clock_set_s = now_s;
	shift_jobs(h, by_s);
	host_away_shift(&h->cluster, by_s);
	for (uint32_t i = 0; i < HOST_LEFT; i++)
		shift_instant(&h->left[i].since_s, by_s);
	shift_instant(&h->all_left.since_s, by_s);
	host_sync_actions(h, now_s);
}

double host_now(struct host_state *h)
{
	double now_s, ahead_s = read_ahead(h, &now_s), by_s;

	by_s = ahead_s - h->clock_ahead_s;
	/* A pause between the two readings is no step: read again. */
	if (h->log.engine && fabs(by_s) > STEP_S) {
		ahead_s = read_ahead(h, &now_s);
		by_s = ahead_s - h->clock_ahead_s;
	}
	if (!h->log.engine) {
		h->clock_ahead_s = ahead_s;
	} else if (fabs(by_s) > STEP_S) {
		h->clock_ahead_s = ahead_s;
		follow_clock(h, by_s, now_s);
	}
	return now_s;
}
