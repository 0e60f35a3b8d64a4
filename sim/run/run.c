/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.c - carry one workload through an engine.
 *
 * Owns the clock and the order of events; the execution models (exec.h) decide
 * what jobs really execute, the predictors (predict.h) what is expected.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula/need.h"
#include "core/formula/reward.h"
#include "sim/base/memory.h"
#include "sim/run/leader.h"
#include "sim/run/run_impl.h"
#include "sim/workload/nodes.h"

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
	r->full |= sim_predict_learn(&r->predict, job) < 0;
}

/* The last part of a job has ended. */
static void finish(void *arg, uint32_t slot)
{
	struct sim_run *r = arg;

	sim_predict_ended(&r->predict, slot);
	sim_run_finish(r, r->job_of[slot]);
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

static int start_job(struct sim_run *r, uint64_t ticket)
{
	uint32_t slot = libra_ticket_slot(ticket);
	struct sim_outcome *outcome = &r->outcomes[r->job_of[slot]];

	outcome->start_s = r->exec.now_s;
	outcome->accepted = !outcome->ordinary;
	libra_engine_started(r->engine, ticket, r->exec.now_s);
	if (r->w->keeps_nodes && keep_nodes(r, ticket, outcome) < 0)
		return -1;
	if (r->mode == LIBRA_SPACE &&
	    sim_predict_started(&r->predict, slot, &r->w->jobs[r->job_of[slot]],
				outcome->estimate_s, r->exec.now_s) < 0)
		return -1;
	if (!r->exec.type->start)
		return 0;
	return r->exec.type->start(&r->exec, slot);
}

static int act(struct sim_run *r, const struct libra_action *action)
{
	uint32_t slot = libra_ticket_slot(action->ticket);

	switch (action->kind) {
	case LIBRA_ACTION_START:
		return start_job(r, action->ticket);
	case LIBRA_ACTION_REJECT:
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

/* End what ends now, or so soon that only rounding puts it later: rounding must
 * not decide whether an arrival meets it.  Each call of end() must end
 * something, or this loop would be endless.
 */
static int departures(struct sim_run *r, struct libra_error *err)
{
	double until_s = r->exec.now_s +
			 (r->mode == LIBRA_SHARE ? LIBRA_WORK_TOLERANCE_S : 0);

	while (r->exec.type->next_s(&r->exec) <= until_s) {
		if (!r->exec.type->end(&r->exec, until_s))
			return libra_errf(err, EIO,
					  "internal error: nothing ends at "
					  "%.17g s, where a job should",
					  r->exec.now_s);
		if (r->full)
			return sim_no_memory(err);
		if (sim_run_carry_out(r, err) < 0)
			return -1;
	}
	return 0;
}

/* A job that runs beyond its corrected estimate gets another one.  That may
 * change the rates on its processors, and end other jobs now.
 */
static int corrections(struct sim_run *r, struct libra_error *err)
{
	int n = sim_run_correct(r, LIBRA_OVERRUN_AFTER_S);

	if (n < 0)
		return sim_no_memory(err);
	if (n == 0)
		return 0;
	return sim_run_carry_out(r, err) < 0 ? -1 : departures(r, err);
}

int sim_run_offer(struct sim_run *r, struct libra_error *err)
{
	size_t index = r->next++;
	const struct sim_job *job = &r->w->jobs[index];
	struct sim_outcome *outcome = &r->outcomes[index];
	struct libra_job offered = job->job;
	struct libra_verdict verdict;

	offered.estimate_s = sim_predict_offer(&r->predict, job);
	if (isnan(offered.estimate_s) && !isnan(job->job.estimate_s))
		return sim_no_memory(err);
	*outcome = (struct sim_outcome){.start_s = NAN,
					.finish_s = NAN,
					.estimate_s = offered.estimate_s,
					.told_s = NAN};
	if (libra_engine_offer(r->engine, &offered, r->exec.now_s, &verdict,
			       err) < 0)
		return -1;
	if (verdict.answer == LIBRA_REJECT)
		outcome->reason = verdict.reason;
	/* It waits like everybody, without a promise. */
	if (verdict.answer == LIBRA_REJECT && r->w->has_ordinary) {
		offered.deadline_s = INFINITY;
		if (libra_engine_offer(r->engine, &offered, r->exec.now_s,
				       &verdict, err) < 0)
			return -1;
	}
	if (verdict.answer == LIBRA_REJECT)
		return 0;
	outcome->ordinary =
		r->w->has_ordinary && offered.deadline_s == INFINITY;
	outcome->told_s = libra_engine_planned_start(r->engine, verdict.ticket);
	if (remember(r, verdict.ticket, index, err) < 0 ||
	    sim_exec_admit(&r->exec, libra_ticket_slot(verdict.ticket),
			   job->runtime_s) < 0)
		return -1;
	libra_engine_commit(r->engine, verdict.ticket, offered.id,
			    r->exec.now_s);
	return 1;
}

static int arrivals(struct sim_run *r, struct libra_error *err)
{
	const struct sim_workload *w = r->w;

	while (r->next < w->njobs &&
	       w->jobs[r->next].job.submit_s <= r->exec.now_s) {
		int committed = sim_run_offer(r, err);

		if (committed < 0)
			return -1;
		/* The rates on its processors changed: other jobs may end now.
		 */
		if (committed && r->mode == LIBRA_SHARE &&
		    (sim_run_carry_out(r, err) < 0 || departures(r, err) < 0))
			return -1;
	}
	return 0;
}

static size_t nchanges(const struct sim_run *r)
{
	return r->w->capacity ? r->w->capacity->nchanges : 0;
}

/* Processors come and go.  Jobs on those that go end as the log has it: the
 * part is drained, not taken away.
 */
static int changes(struct sim_run *r, struct libra_error *err)
{
	for (; r->next_change < nchanges(r); r->next_change++) {
		const struct sim_change *c =
			&r->w->capacity->changes[r->next_change];

		if (c->at_s > r->exec.now_s)
			return 0;
		if (libra_engine_node(r->engine, c->part,
				      c->opens ? LIBRA_NODE_UP
					       : LIBRA_NODE_DRAIN,
				      r->exec.now_s) < 0)
			return sim_no_memory(err);
	}
	return 0;
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
	if (r->next_change < nchanges(r))
		next_s = sooner(
			next_s,
			fmax(r->w->capacity->changes[r->next_change].at_s, 0));
	return next_s;
}

static int simulate(struct sim_run *r, struct libra_error *err)
{
	for (;;) {
		r->exec.now_s = sim_run_next_s(r);
		if (r->exec.now_s == INFINITY)
			return 0;
		if (r->exec.type->tell)
			r->exec.type->tell(&r->exec);
		if (departures(r, err) < 0 || corrections(r, err) < 0 ||
		    changes(r, err) < 0 || arrivals(r, err) < 0)
			return -1;
		libra_engine_schedule(r->engine, r->exec.now_s);
		if (sim_run_carry_out(r, err) < 0)
			return -1;
	}
}

/* The parameters of a policy.  A seed of 0 stands for the workload's, as far as
 * a double holds it.
 * Owner: the caller frees the result, NULL if memory ran out.
 */
static double *fill_params(const struct sim_workload *w,
			   const struct libra_policy_type *policy,
			   const double *params)
{
	double *filled = calloc(policy->nparams + 1, sizeof(*filled));

	for (size_t i = 0; filled && i < policy->nparams; i++) {
		const struct libra_param *p = &policy->params[i];

		filled[i] = params ? params[i] : p->value;
		if (strcmp(p->name, "seed") == 0 && filled[i] == 0)
			filled[i] =
				(double)(w->seed & (((uint64_t)1 << 53) - 1));
	}
	return filled;
}

static struct libra_engine *make_engine(const struct sim_workload *w,
					const struct libra_policy_type *policy,
					const double *params,
					struct libra_error *err)
{
	const struct sim_capacity *c = w->capacity;
	double *filled = fill_params(w, policy, params);
	struct libra_engine_conf conf = {
		.policy = policy,
		.params = filled,
		.node_procs = &w->procs,
		.nnodes = 1, /* the papers' nodes have one processor each: which
				processors share a name makes no difference */
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine *engine;

	if (!filled) {
		sim_no_memory(err);
		return NULL;
	}
	if (c && c->nparts > 0) {
		conf.node_procs = c->part_procs;
		conf.nnodes = c->nparts;
	}
	if (w->nodes) {
		conf.node_procs = w->nodes->node_procs;
		conf.nnodes = w->nodes->nnodes;
		conf.by_node = true;
		conf.nresources = w->nodes->nresources;
		conf.node_resources = w->nodes->resources;
	}
	engine = libra_engine_create(&conf, err);
	free(filled);
	return engine;
}

static int init_predictor(struct sim_predict *p, const struct sim_workload *w,
			  const struct libra_policy_type *policy,
			  const double *params, struct libra_error *err)
{
	if (sim_predict_init(p, w, err) < 0)
		return -1;
	if (p->predictor != SIM_PREDICT_LEADER)
		return 0;
	p->leader = sim_leader_create(w, policy, params, err);
	return p->leader ? 0 : -1;
}

int sim_run(const struct sim_workload *w,
	    const struct libra_policy_type *policy, const double *params,
	    struct sim_result *result, struct sim_outcome *outcomes,
	    struct libra_error *err)
{
	struct sim_run r = {.w = w, .mode = policy->mode};
	int rc = -1;

	r.outcomes =
		outcomes ? outcomes : sim_large(w->njobs, sizeof(*outcomes));
	r.engine = make_engine(w, policy, params, err);
	if (!r.outcomes)
		sim_no_memory(err);
	else if (r.engine &&
		 init_predictor(&r.predict, w, policy, params, err) == 0) {
		sim_exec_init(&r.exec, r.engine, w->execution);
		r.exec.ended = finish;
		r.exec.arg = &r;
		rc = w->prediction.event_order == SIM_ORDER_SC15
			     ? sim_run_sc15(&r, err)
			     : simulate(&r, err);
	}
	if (rc == 0 && sim_measure(w, r.outcomes, result) < 0)
		rc = sim_no_memory(err);
	libra_engine_destroy(r.engine);
	sim_exec_fini(&r.exec);
	sim_predict_fini(&r.predict);
	free(r.job_of);
	if (!outcomes)
		free(r.outcomes);
	return rc;
}
