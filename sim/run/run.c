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
#include "sim/run/events.h"
#include "sim/run/run.h"
#include "sim/workload/nodes.h"

/* The last part of a job has ended. */
static void finish(void *arg, uint32_t slot)
{
	struct sim_run *r = arg;

	sim_predict_ended(&r->predict, slot);
	sim_run_finish(r, r->job_of[slot]);
}

/* End all parts that end now, or later only by rounding: rounding must not
 * decide whether an arrival finds a job.  Each call of end() must end a part,
 * or this loop would be endless.
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

/* Offer all jobs that are submitted by now. */
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

/* Open and close parts of the machine.  Jobs on a closed part end as the log
 * has it: the part is drained.
 */
static int changes(struct sim_run *r, struct libra_error *err)
{
	for (; r->next_change < sim_run_nchanges(r); r->next_change++) {
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

/* Process all events in the project's own order. */
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

/* Return the parameters of a policy.  A parameter seed of 0 becomes the
 * workload's seed, as far as a double holds it.
 * Result: NULL if memory ran out.
 * Owner:  the caller frees the result.
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

/* Create the engine for a workload: its nodes, or its parts of capacity. */
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

/* A run with the predictor of the workload, or with a leader (or NULL). */
static int run(const struct sim_workload *w,
	       const struct libra_policy_type *policy, const double *params,
	       struct sim_leader *leader, struct sim_result *result,
	       struct sim_outcome *outcomes, struct libra_error *err)
{
	struct sim_run r = {.w = w,
			    .mode = policy->mode,
			    .leader = leader,
			    .outcomes = outcomes};
	int rc = -1;

	r.engine = make_engine(w, policy, params, err);
	if (r.engine && sim_predict_init(&r.predict, w, err) == 0) {
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
	return rc;
}

/* One of the runs that a leader needs: each expert's, and the one that counts.
 */
struct round {
	const struct sim_workload *w;
	size_t n;
};

/* Show the progress of one of several runs as a part of all. */
static void show_round(void *arg, double done, double total)
{
	const struct round *round = arg;
	const struct sim_workload *w = round->w;

	if (w->progress)
		w->progress(w->progress_arg, (double)round->n * total + done,
			    (SIM_LEADER_EXPERTS + 1) * total);
}

/* Simulate an expert's own run, and show the leader how its jobs ended. */
static int run_expert(const struct sim_workload *whole, struct sim_leader *l,
		      size_t expert, const struct libra_policy_type *policy,
		      const double *params, struct libra_error *err)
{
	struct sim_workload w = sim_leader_workload(l, expert);
	struct sim_outcome *outcomes = calloc(w.njobs, sizeof(*outcomes));
	struct round round = {whole, expert};
	struct sim_result result;
	int rc;

	if (!outcomes)
		return sim_no_memory(err);
	w.progress = show_round;
	w.progress_arg = &round;
	rc = run(&w, policy, params, NULL, &result, outcomes, err);
	if (rc == 0 && result.accepted != w.njobs)
		rc = libra_errf(err, EINVAL,
				"the predictor leader compares waiting times: "
				"%s refuses jobs",
				policy->name);
	if (rc == 0)
		rc = sim_leader_show(l, expert, outcomes, err);
	free(outcomes);
	return rc;
}

/* Result: 0 with the leader, or NULL if the workload needs none. */
static int make_leader(const struct sim_workload *w,
		       const struct libra_policy_type *policy,
		       const double *params, struct sim_leader **leader,
		       struct libra_error *err)
{
	int rc = 0;

	*leader = NULL;
	if (w->prediction.predictor != SIM_PREDICT_LEADER || w->correct > 0)
		return 0;
	if (policy->mode != LIBRA_SPACE)
		return libra_errf(err, EINVAL,
				  "the predictor leader compares waiting "
				  "times: %s does not queue jobs for "
				  "processors of their own",
				  policy->name);
	*leader = sim_leader_create(w, err);
	if (!*leader)
		return -1;
	for (size_t e = 0; rc == 0 && e < SIM_LEADER_EXPERTS; e++)
		rc = run_expert(w, *leader, e, policy, params, err);
	return rc;
}

int sim_run(const struct sim_workload *w,
	    const struct libra_policy_type *policy, const double *params,
	    struct sim_result *result, struct sim_outcome *outcomes,
	    struct libra_error *err)
{
	struct sim_outcome *own =
		outcomes ? outcomes : sim_large(w->njobs, sizeof(*outcomes));
	struct round last = {w, SIM_LEADER_EXPERTS};
	struct sim_workload led = *w;
	struct sim_leader *leader = NULL;
	int rc;

	led.progress = show_round;
	led.progress_arg = &last;
	rc = own ? make_leader(w, policy, params, &leader, err)
		 : sim_no_memory(err);
	if (rc == 0)
		rc = run(leader ? &led : w, policy, params, leader, result, own,
			 err);
	sim_leader_destroy(leader);
	if (!outcomes)
		free(own);
	return rc;
}
