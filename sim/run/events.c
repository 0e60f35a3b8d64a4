/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - offers, actions and ends, for all orders of events.
 *
 * Each function advances the engine and the model of execution at the instant
 * r->exec.now_s.  job_of[] finds the job of an engine's slot; outcomes[] gets
 * what the engine decided and what happened.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/formula/need.h"
#include "core/formula/reward.h"
#include "core/width.h"
#include "sim/base/memory.h"
#include "sim/run/events.h"
#include "sim/workload/nodes.h"

#define SHOW_EVENTS 64 /* between two reports of the progress */

/* A job has come or gone. */
static void note_event(struct sim_run *r)
{
	const struct sim_workload *w = r->w;

	if (++r->nevents % SHOW_EVENTS == 0 && w->progress)
		w->progress(w->progress_arg, (double)r->nevents,
			    2 * (double)w->njobs);
}

/* Store which job has a slot. */
static int remember(struct sim_run *r, uint64_t ticket, size_t index,
		    struct libra_error *err)
{
	uint32_t slot = libra_ticket_slot(ticket);
	uint32_t *job_of = sim_grown(r->job_of, &r->job_of_cap,
				     (size_t)slot + 1, sizeof(*job_of));

	if (!job_of)
		return sim_no_memory(err);
	r->job_of = job_of;
	r->job_of[slot] = (uint32_t)index;
	return 0;
}

void sim_run_finish(struct sim_run *r, uint32_t index)
{
	struct sim_outcome *outcome = &r->outcomes[index];
	const struct sim_job *job = &r->w->jobs[index];

	bool in_time = libra_in_time(r->exec.now_s, job->job.deadline_s) &&
		       !job->killed;

	outcome->finish_s = r->exec.now_s;
	outcome->fulfilled = in_time && !outcome->ordinary;
	outcome->lucky = in_time && outcome->ordinary && !job->ordinary;
	if (outcome->fulfilled)
		outcome->utility = job->job.budget;
	else if (!outcome->ordinary && !job->killed)
		outcome->utility =
			libra_utility(job->job.budget, job->job.penalty_rate,
				      r->exec.now_s, job->job.deadline_s);
	r->full |= (r->leader ? sim_leader_learn(r->leader, job)
			      : sim_predict_learn(&r->predict, job)) < 0;
	note_event(r);
}

/* Keep on which nodes a job starts, for a caller who reads the outcomes. */
static int keep_nodes(const struct sim_run *r, uint64_t ticket,
		      struct sim_outcome *outcome)
{
	int64_t n = libra_engine_placement(r->engine, ticket, NULL, 0);
	struct libra_range *ranges = calloc((size_t)n + 1, sizeof(*ranges));

	if (!ranges)
		return -1;
	libra_engine_placement(r->engine, ticket, ranges, (size_t)n);
	outcome->nodes = sim_nodes_text(r->w->nodes, ranges, (size_t)n);
	free(ranges);
	return outcome->nodes ? 0 : -1;
}

/* Start a job: note its start, tell the engine and the model of execution. */
static int start_job(struct sim_run *r, uint64_t ticket)
{
	uint32_t slot = libra_ticket_slot(ticket);
	const struct sim_job *job = &r->w->jobs[r->job_of[slot]];
	struct sim_outcome *outcome = &r->outcomes[r->job_of[slot]];

	outcome->start_s = r->exec.now_s;
	outcome->accepted = !outcome->ordinary;
	if (r->mode == LIBRA_SPACE) /* where jobs are accepted as they start */
		outcome->guaranteed |=
			libra_in_time(r->exec.now_s + outcome->estimate_s,
				      job->job.deadline_s);
	libra_engine_started(r->engine, ticket, r->exec.now_s);
	if (r->w->keeps_nodes && keep_nodes(r, ticket, outcome) < 0)
		return -1;
	if (r->mode == LIBRA_SPACE &&
	    sim_predict_started(&r->predict, slot, job, outcome->estimate_s,
				r->exec.now_s) < 0)
		return -1;
	if (!r->exec.type->start)
		return 0;
	return r->exec.type->start(&r->exec, slot);
}

/* Carry out one action of the engine. */
static int act(struct sim_run *r, const struct libra_action *action)
{
	uint32_t slot = libra_ticket_slot(action->ticket);

	switch (action->kind) {
	case LIBRA_ACTION_START:
		return start_job(r, action->ticket);
	case LIBRA_ACTION_REJECT:
		note_event(r);
		r->outcomes[r->job_of[slot]].reason = action->reason;
		return 0;
	case LIBRA_ACTION_RESHARE:
		return r->exec.type->reshare(&r->exec, action->row);
	case LIBRA_ACTION_HOLD:
		r->exec.type->hold(&r->exec, slot);
		return 0;
	case LIBRA_ACTION_RESUME:
		return r->exec.type->resume(&r->exec, slot);
	case LIBRA_ACTION_LATE: /* its end will show it */
		return 0;
	}
	return 0;
}

int sim_run_carry_out(struct sim_run *r, struct libra_error *err)
{
	struct libra_action action;

	while (libra_engine_next_action(r->engine, &action))
		if (act(r, &action) < 0)
			return sim_no_memory(err);
	return 0;
}

/* The number of learned values that a policy may have. */
enum { MOST_LEARNED = 96 };

/* Choose the number of processors on which a job is planned to end first, among
 * the numbers that it may have, and set number and estimate of the offer.  Each
 * number is offered and withdrawn; the job counts as one offer.
 */
static int choose_width(struct sim_run *r, const struct sim_job *job,
			struct libra_job *offered, struct libra_error *err)
{
	double learned[MOST_LEARNED], end_s, first_s = INFINITY;
	size_t n = libra_engine_learned(r->engine, learned, MOST_LEARNED);
	const uint32_t least = offered->nprocs;
	struct libra_job at = *offered, best = *offered;
	struct libra_verdict v;

	if (job->most_procs <= least || offered->where ||
	    !libra_engine_policy(r->engine)->plans ||
	    offered->deadline_s == INFINITY)
		return 0;
	for (uint32_t i = 0;
	     (at.nprocs = libra_width_at(least, job->most_procs, i)) > 0; i++) {
		at.estimate_s = libra_width_time_s(offered->estimate_s, least,
						   at.nprocs, job->speedup);
		if (libra_engine_offer(r->engine, &at, r->exec.now_s, &v, err) <
		    0)
			return -1;
		if (v.answer != LIBRA_ACCEPT)
			continue;
		end_s = libra_engine_planned_start(r->engine, v.ticket) +
			at.estimate_s;
		libra_engine_withdraw(r->engine, v.ticket, r->exec.now_s);
		if (end_s < first_s) {
			first_s = end_s;
			best = at;
		}
	}
	*offered = best;
	return n <= MOST_LEARNED
		       ? libra_engine_relearn(r->engine, learned, n, err)
		       : 0;
}

int sim_run_offer(struct sim_run *r, struct libra_error *err)
{
	size_t index = r->next++;
	const struct sim_job *job = &r->w->jobs[index];
	struct sim_outcome *outcome = &r->outcomes[index];
	struct libra_job offered = job->job;
	struct libra_verdict verdict;
	double runtime_s = job->runtime_s;

	note_event(r);
	offered.estimate_s = r->leader ? sim_leader_offer(r->leader, job)
				       : sim_predict_offer(&r->predict, job);
	if (isnan(offered.estimate_s) && !isnan(job->job.estimate_s))
		return sim_no_memory(err);
	*outcome = (struct sim_outcome){.start_s = NAN,
					.finish_s = NAN,
					.estimate_s = offered.estimate_s,
					.told_s = NAN,
					.earliest_s = NAN};
	if (choose_width(r, job, &offered, err) < 0 ||
	    libra_engine_offer(r->engine, &offered, r->exec.now_s, &verdict,
			       err) < 0)
		return -1;
	if (job->most_procs > job->job.nprocs)
		outcome->width = offered.nprocs;
	outcome->estimate_s = offered.estimate_s;
	if (verdict.answer == LIBRA_REJECT) {
		outcome->reason = verdict.reason;
		if (r->w->tells_earliest)
			outcome->earliest_s = libra_engine_earliest_deadline(
				r->engine, &offered, r->exec.now_s);
	}
	/* It waits like everybody, without a promise. */
	if (verdict.answer == LIBRA_REJECT && r->w->has_ordinary) {
		offered.deadline_s = INFINITY;
		if (libra_engine_offer(r->engine, &offered, r->exec.now_s,
				       &verdict, err) < 0)
			return -1;
	}
	if (verdict.answer == LIBRA_REJECT) {
		note_event(r);
		return 0;
	}
	outcome->ordinary =
		r->w->has_ordinary && offered.deadline_s == INFINITY;
	outcome->guaranteed =
		verdict.answer == LIBRA_ACCEPT && verdict.late_s == 0;
	outcome->told_s = libra_engine_planned_start(r->engine, verdict.ticket);
	if (outcome->width)
		runtime_s = libra_width_time_s(runtime_s, job->job.nprocs,
					       outcome->width, job->speedup);
	if (remember(r, verdict.ticket, index, err) < 0 ||
	    sim_exec_admit(&r->exec, libra_ticket_slot(verdict.ticket),
			   runtime_s) < 0)
		return -1;
	libra_engine_commit(r->engine, verdict.ticket, offered.id,
			    r->exec.now_s);
	return 1;
}

size_t sim_run_nchanges(const struct sim_run *r)
{
	return r->w->capacity ? r->w->capacity->nchanges : 0;
}

/* fmin() is a call; there is no NaN here. */
static double sooner(double a_s, double b_s)
{
	return a_s < b_s ? a_s : b_s;
}

/* The instant of the next event; INFINITY = the run is over. */
double sim_run_next_s(struct sim_run *r)
{
	double next_s = sooner(r->exec.type->next_s(&r->exec),
			       libra_engine_next_event_s(r->engine));

	if (r->next < r->w->njobs)
		next_s = sooner(next_s, r->w->jobs[r->next].job.submit_s);
	if (r->next_change < sim_run_nchanges(r))
		next_s = sooner(
			next_s,
			fmax(r->w->capacity->changes[r->next_change].at_s, 0));
	return next_s;
}
