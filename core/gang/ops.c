/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops.c - the policy functions of gang policies, in the life of a job: offer,
 * commit, change, end, restore; and the resulting actions START, HOLD and
 * RESUME.
 *
 * Verdicts are made here.  The policy decides on which processors a job may be
 * promised its deadline; gang.h decides which jobs run.
 */
#include "core/gang/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula/bisect.h"
#include "core/gang/trial.h"

static int gang_init(struct libra_engine *e)
{
	const struct libra_gang_traits *traits = e->policy->traits;
	struct libra_gang_state *s = libra_gang_state(e);
	struct libra_gang *g = &s->gang;

	if (libra_gang_init(g, e->nprocs) < 0)
		return -1;
	g->overrun.part = e->params[traits->overrun_param];
	g->overrun.floor_s = e->params[traits->floor_param];
	s->closed = calloc(g->words, sizeof(*s->closed));
	s->set = calloc(g->words, sizeof(*s->set));
	if (!s->closed || !s->set)
		return -1;
	return traits->init ? traits->init(e) : 0;
}

static void gang_fini(struct libra_engine *e)
{
	const struct libra_gang_traits *traits = e->policy->traits;
	struct libra_gang_state *s = libra_gang_state(e);

	if (traits->fini)
		traits->fini(e);
	libra_gang_fini(&s->gang);
	free(s->closed);
	free(s->set);
}

/* Count the gang's steps as upkeep of the engine. */
static void count_upkeep(struct libra_engine *e)
{
	struct libra_gang *g = &libra_gang_state(e)->gang;

	e->upkeep += g->steps;
	g->steps = 0;
}

/* Choose processors for a job, into the set of the state. */
static enum libra_reason find_place(struct libra_engine *e,
				    const struct libra_job *job)
{
	const struct libra_gang_traits *traits = e->policy->traits;

	return libra_may_promise(e, job->estimate_s, job->deadline_s)
		       ? traits->place(e, job, libra_gang_state(e)->set)
		       : LIBRA_REASON_WOULD_MISS;
}

/* Return true if too few open processors have less than max_jobs jobs, for any
 * deadline.
 */
static bool is_crowded(const struct libra_engine *e,
		       const struct libra_job *job)
{
	const struct libra_gang_state *s = libra_gang_state(e);
	const struct libra_gang *g = &s->gang;
	uint32_t open = 0, crowded = 0;

	if (e->max_jobs == UINT32_MAX)
		return false;
	for (uint32_t run = 0, next; run < g->nprocs; run = next) {
		uint32_t n = 0;

		next = libra_gang_run_end(g, run, g->nprocs);
		for (uint32_t p = libra_bits_next_not(s->closed, run, next);
		     p < next; p = libra_bits_next_not(s->closed, p + 1, next))
			n++;
		if (g->runs.nbound[run] < e->max_jobs)
			open += n;
		else
			crowded += n;
	}
	return open < job->nprocs && crowded > 0;
}

static int gang_offer(struct libra_engine *e, uint32_t slot,
		      struct libra_verdict *verdict)
{
	const struct libra_gang_traits *traits = e->policy->traits;
	struct libra_gang_state *s = libra_gang_state(e);
	struct libra_slot *entry = &e->slots[slot];
	bool accepted;

	if (libra_gang_make_room(e, e->nslots) < 0)
		return -1;
	libra_gang_catch_up(e);
	verdict->reason = find_place(e, &entry->job);
	accepted = verdict->reason == LIBRA_REASON_NONE;
	if (!accepted && is_crowded(e, &entry->job))
		verdict->reason = LIBRA_REASON_CROWDED;
	if (accepted &&
	    libra_gang_add(&s->gang, slot, entry->order, entry->job.estimate_s,
			   0, entry->job.deadline_s, s->set, e->now_s) < 0)
		return -1;
	count_upkeep(e);
	if (traits->decided)
		traits->decided(e, &entry->job, accepted);
	verdict->answer = accepted ? LIBRA_ACCEPT : LIBRA_REJECT;
	if (!accepted)
		return 0;
	entry->nprocs_held = entry->job.nprocs;
	verdict->share = 1;
	verdict->late_s = libra_late_s(e->now_s + entry->job.estimate_s,
				       entry->job.deadline_s);
	return 0;
}

/* An accepted job starts when its turn comes: see schedule. */
static void gang_commit(struct libra_engine *e, uint32_t slot)
{
	e->slots[slot].state = LIBRA_SLOT_QUEUED;
	libra_gang_ready(&libra_gang_state(e)->gang, slot, true);
}

static void gang_remove(struct libra_engine *e, uint32_t slot)
{
	struct libra_gang_state *s = libra_gang_state(e);

	libra_gang_pass_time(e);
	libra_gang_remove(&s->gang, slot);
	count_upkeep(e);
	libra_gang_rewind_actions(s);
}

/* No test.  The parts run together, so the slowest one decides what remains.
 * The host may not know whether the job runs or is held: the result of the next
 * dispatch is reported in either case.
 */
static int gang_restore(struct libra_engine *e, uint32_t slot,
			const struct libra_part *parts, uint32_t nparts,
			bool running)
{
	struct libra_gang_state *s = libra_gang_state(e);
	struct libra_slot *entry = &e->slots[slot];
	double left_s = -INFINITY;

	if (libra_gang_make_room(e, e->nslots) < 0)
		return -1;
	libra_gang_pass_time(e);
	memset(s->set, 0, s->gang.words * sizeof(*s->set));
	for (uint32_t i = 0; i < nparts; i++) {
		const struct libra_range *procs = &parts[i].procs;

		left_s = fmax(left_s, parts[i].est_left_s);
		libra_bits_fill(s->set, procs->first,
				procs->first + procs->count);
	}
	if (libra_gang_add(&s->gang, slot, entry->order, entry->job.estimate_s,
			   entry->job.estimate_s - left_s,
			   entry->job.deadline_s, s->set, e->now_s) < 0)
		return -1;
	entry->nprocs_held = entry->job.nprocs;
	if (!running)
		entry->state = LIBRA_SLOT_QUEUED;
	s->gang.jobs[slot].started = running;
	libra_gang_ready(&s->gang, slot, true);
	if (running)
		libra_gang_report(&s->gang, slot);
	s->changed = false; /* until the next dispatch */
	return 0;
}

static int gang_modify(struct libra_engine *e, uint32_t slot,
		       const struct libra_job *changed,
		       struct libra_verdict *verdict)
{
	const struct libra_gang_traits *traits = e->policy->traits;
	struct libra_gang_state *s = libra_gang_state(e);
	struct libra_gang *g = &s->gang;
	double left_s;

	libra_gang_catch_up(e);
	left_s = changed->estimate_s -
		 libra_gang_executed_s(&g->jobs[slot], e->now_s);
	if (!libra_may_promise(e, left_s, changed->deadline_s) ||
	    !traits->may_change(e, slot, changed->estimate_s,
				changed->deadline_s)) {
		verdict->reason = LIBRA_REASON_WOULD_MISS;
		return 0;
	}
	libra_gang_change(g, slot, changed->estimate_s, changed->deadline_s,
			  e->now_s);
	count_upkeep(e);
	libra_gang_rewind_actions(s);
	verdict->answer = LIBRA_ACCEPT;
	verdict->share = 1;
	verdict->late_s =
		libra_late_s(e->now_s + fmax(left_s, 0), changed->deadline_s);
	return 0;
}

static void gang_started(struct libra_engine *e, uint32_t slot)
{
	struct libra_gang *g = &libra_gang_state(e)->gang;

	libra_gang_pass_time(e);
	libra_gang_begin(g, slot);
}

static void gang_progress(struct libra_engine *e, uint32_t slot,
			  double executed_s)
{
	libra_gang_pass_time(e);
	libra_gang_progress(&libra_gang_state(e)->gang, slot, executed_s);
}

/* The next dispatch gives the job's turn to others, or back. */
static void gang_suspend(struct libra_engine *e, uint32_t slot, bool suspended)
{
	libra_gang_pass_time(e);
	libra_gang_ready(&libra_gang_state(e)->gang, slot, !suspended);
}

static void gang_all_left(struct libra_engine *e, double *left_s)
{
	struct libra_gang *g = &libra_gang_state(e)->gang;

	libra_gang_pass_time(e);
	for (uint32_t i = 0; i < g->njobs; i++) {
		const struct libra_gang_job *job = &g->jobs[g->order[i]];

		if (e->slots[g->order[i]].state == LIBRA_SLOT_RUNNING)
			left_s[g->order[i]] =
				job->estimate_s -
				libra_gang_executed_s(job, e->now_s);
	}
}

static int gang_reestimate(struct libra_engine *e, uint32_t slot,
			   double estimate_s)
{
	libra_gang_pass_time(e);
	libra_gang_reestimate(&libra_gang_state(e)->gang, slot, estimate_s);
	return 0;
}

static void gang_schedule(struct libra_engine *e)
{
	struct libra_gang_state *s = libra_gang_state(e);

	s->changed = libra_gang_dispatch(&s->gang, e->now_s);
	count_upkeep(e);
	libra_gang_rewind_actions(s);
}

static int gang_clock(struct libra_engine *e, double now_s)
{
	struct libra_gang_state *s = libra_gang_state(e);

	libra_gang_pass_time(e);
	libra_gang_clock(&s->gang, now_s);
	s->changed = false; /* until the next dispatch */
	return 0;
}

static double gang_left_s(const struct libra_engine *e, uint32_t slot,
			  double now_s, double *rate)
{
	const struct libra_gang_job *g = &libra_gang_state(e)->gang.jobs[slot];

	*rate = libra_gang_executes(g);
	return g->estimate_s - libra_gang_executed_s(g, now_s);
}

static double gang_next_event_s(const struct libra_engine *e)
{
	return libra_gang_next_late_s(&libra_gang_state(e)->gang);
}

static int gang_node(struct libra_engine *e, const struct libra_node *node,
		     bool closed)
{
	struct libra_gang_state *s = libra_gang_state(e);

	if (closed)
		libra_bits_fill(s->closed, node->first,
				node->first + node->count);
	else
		libra_bits_clear(s->closed, node->first,
				 node->first + node->count);
	return 0;
}

/* ---- actions ---- */

/* Report a change to the host. */
static bool tell(struct libra_engine *e, uint32_t slot,
		 struct libra_action *action)
{
	struct libra_gang_job *job = &libra_gang_state(e)->gang.jobs[slot];

	job->reported = job->runs;
	job->unreported = false;
	*action = (struct libra_action){
		.kind = job->runs ? LIBRA_ACTION_RESUME : LIBRA_ACTION_HOLD,
		.ticket = e->slots[slot].ticket,
		.job_id = e->slots[slot].job.id,
	};
	if (e->slots[slot].state == LIBRA_SLOT_QUEUED) {
		action->kind = LIBRA_ACTION_START;
		e->slots[slot].state = LIBRA_SLOT_STARTING;
	}
	return true;
}

/* First all HOLDs, so that the processors are free, then the others. */
static bool look_for_action(struct libra_engine *e, struct libra_action *action)
{
	struct libra_gang_state *s = libra_gang_state(e);
	struct libra_gang *g = &s->gang;

	while (s->changed) {
		for (; s->cursor < g->njobs; s->cursor++) {
			uint32_t slot = g->order[s->cursor];
			const struct libra_gang_job *job = &g->jobs[slot];

			if (libra_gang_is_unreported(job) &&
			    job->runs == s->starting)
				return tell(e, slot, action);
		}
		s->changed = !s->starting;
		s->starting = true;
		s->cursor = 0;
	}
	return false;
}

/* Mostly the short list of unreported jobs is complete. */
static bool gang_next_action(struct libra_engine *e,
			     struct libra_action *action)
{
	struct libra_gang_state *s = libra_gang_state(e);
	uint32_t slot;

	if (!s->changed)
		return false;
	if (s->gang.unreported.many)
		return look_for_action(e, action);
	slot = libra_gang_next_unreported(&s->gang);
	s->changed = slot != LIBRA_GANG_NOBODY;
	return s->changed && tell(e, slot, action);
}

/* ---- what hosts ask ---- */

/* A job and the deadline to try. */
struct trial {
	struct libra_engine *e;
	struct libra_job job;
};

static bool would_accept(void *context, double deadline_s)
{
	struct trial *trial = context;

	trial->job.deadline_s = deadline_s;
	return !libra_search_is_spent(trial->e) &&
	       find_place(trial->e, &trial->job) == LIBRA_REASON_NONE;
}

static bool gang_surely_accepts(struct libra_engine *e,
				const struct libra_job *job, uint32_t njobs)
{
	const struct libra_gang_traits *traits = e->policy->traits;

	if (!traits->surely_accepts || libra_gang_make_room(e, e->nslots) < 0)
		return false;
	libra_gang_catch_up(e);
	return traits->surely_accepts(e, job, njobs);
}

/* Return a deadline later than all others.  Bounds by finishes then add no
 * delay for the job; bounds by sums of needs may.
 */
static double behind_all(struct libra_engine *e, const struct libra_job *job,
			 bool by_sum)
{
	const struct libra_gang *g = &libra_gang_state(e)->gang;
	double end_s = e->now_s + 2 * job->estimate_s;

	for (uint32_t i = 0; by_sum && i < g->njobs - g->nlate; i++)
		end_s += libra_gang_need_s(g, g->order[i]);
	/* A restored job may have no deadline: it comes after all others. */
	for (uint32_t i = g->njobs - g->nlate; i-- > 0;) {
		double deadline_s = g->jobs[g->order[i]].deadline_s;

		if (deadline_s < INFINITY) {
			end_s = fmax(end_s, deadline_s);
			break;
		}
	}
	return end_s + 5 * job->estimate_s;
}

static double gang_earliest_deadline(struct libra_engine *e,
				     const struct libra_job *job)
{
	struct trial trial = {e, *job};
	double low_s, high_s, found_s = INFINITY;

	if (libra_gang_make_room(e, e->nslots) < 0)
		return INFINITY;
	libra_gang_catch_up(e);
	/* A deadline before the estimate would be accepted without a guarantee.
	 * The upper end is tried only if nothing before it is accepted.
	 */
	low_s = e->now_s + job->estimate_s;
	for (int by_sum = 0; by_sum <= 1 && found_s == INFINITY; by_sum++) {
		high_s = behind_all(e, job, by_sum);
		found_s = libra_narrow_deadline(e->now_s, low_s, high_s,
						would_accept, &trial);
		trial.job.deadline_s = high_s;
		if (found_s == high_s &&
		    find_place(e, &trial.job) != LIBRA_REASON_NONE)
			found_s = INFINITY;
	}
	return found_s == INFINITY && libra_search_is_spent(e) ? NAN : found_s;
}

static uint32_t gang_free_procs(const struct libra_engine *e)
{
	const struct libra_gang_state *s = libra_gang_state(e);
	uint32_t n = s->gang.nprocs;

	for (uint32_t w = 0; w < s->gang.words; w++)
		n -= libra_bits_count(s->gang.runs.used[w] | s->closed[w]);
	return n;
}

static size_t gang_placement(const struct libra_engine *e, uint32_t slot,
			     struct libra_range *ranges, size_t cap)
{
	const struct libra_gang_job *job =
		&libra_gang_state(e)->gang.jobs[slot];

	for (size_t i = 0; i < job->nparts && i < cap; i++)
		ranges[i] = job->parts[i];
	return job->nparts;
}

static double *gang_learned(const struct libra_engine *e, size_t *n)
{
	const struct libra_gang_traits *traits = e->policy->traits;

	*n = traits->learned_size / sizeof(double);
	return (double *)((char *)e->state + traits->learned);
}

const struct libra_policy_ops libra_gang_ops = {
	.init = gang_init,
	.fini = gang_fini,
	.offer = gang_offer,
	.commit = gang_commit,
	.withdraw = gang_remove,
	.started = gang_started,
	.departed = gang_remove,
	.progress = gang_progress,
	.suspend = gang_suspend,
	.all_left = gang_all_left,
	.reestimate = gang_reestimate,
	.restore = gang_restore,
	.modify = gang_modify,
	.left_s = gang_left_s,
	.learned = gang_learned,
	.ends_by = libra_gang_ends_by,
	.plan.starts_by = libra_gang_starts_by,
	.schedule = gang_schedule,
	.clock = gang_clock,
	.next_event_s = gang_next_event_s,
	.node = gang_node,
	.search.earliest_deadline = gang_earliest_deadline,
	.search.would_accept = libra_gang_would_accept,
	.search.surely_accepts = gang_surely_accepts,
	.next_action = gang_next_action,
	.rows.free_procs = gang_free_procs,
	.rows.placement = gang_placement,
};
