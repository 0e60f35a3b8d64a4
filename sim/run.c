/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.c - carry one workload through an engine.
 *
 * Execution is the papers' (independent parts): every processor hands out its
 * time at the rates of the engine's ledger, and a task is finished when it has
 * got its hidden run time.  So the ledger's progress is the true progress, and
 * all that is hidden here is when it is enough.
 */
#include "sim/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/reward.h"
#include "core/risk.h"
#include "sim/evq.h"

/* What an end may exceed a deadline by, and still be in time. */
#define DEADLINE_TOLERANCE_S 1e-6
/* Jobs shorter than this count as so long in the bounded slowdown. */
#define SLOWDOWN_BOUND_S 10

struct run {
	const struct sim_workload *w;
	struct libra_engine *engine;
	struct sim_outcome *outcomes;
	/* Space: the end of each job, by slot.  Share: the next end of a task
	 * of each group. */
	struct evq ends;
	uint32_t *job_of; /* slot -> index in the workload */
	uint32_t job_of_cap;
	double now_s;
	size_t next; /* arrival */
	bool share;
};

static int out_of_memory(struct libra_error *err)
{
	return libra_errf(err, ENOMEM, "out of memory in the simulation");
}

static int remember(struct run *r, uint64_t ticket, size_t index,
		    struct libra_error *err)
{
	uint32_t slot = libra_ticket_job(ticket);
	uint32_t cap = r->job_of_cap ? r->job_of_cap : 64, *bigger;

	if (slot >= r->job_of_cap) {
		while (cap <= slot)
			cap *= 2;
		bigger = realloc(r->job_of, cap * sizeof(*bigger));
		if (!bigger)
			return out_of_memory(err);
		r->job_of = bigger;
		r->job_of_cap = cap;
	}
	r->job_of[slot] = (uint32_t)index;
	return 0;
}

static const struct sim_job *job_of_slot(const struct run *r, uint32_t slot)
{
	return &r->w->jobs[r->job_of[slot]];
}

static void finish(struct run *r, uint32_t slot)
{
	struct sim_outcome *outcome = &r->outcomes[r->job_of[slot]];
	const struct sim_job *job = job_of_slot(r, slot);

	outcome->finish_s = r->now_s;
	outcome->fulfilled =
		r->now_s <= job->job.deadline_s + DEADLINE_TOLERANCE_S;
	outcome->utility =
		outcome->fulfilled
			? job->job.budget
			: libra_utility(job->job.budget, job->job.penalty_rate,
					r->now_s, job->job.deadline_s);
}

/* Work that a task still has to do at an instant. */
static double work_left(const struct run *r, const struct libra_group *group,
			const struct libra_task *task, double now_s)
{
	double est_left_s =
		task->est_left_s - task->rate * (now_s - group->since_s);

	return job_of_slot(r, task->job)->runtime_s -
	       (task->estimate_s - est_left_s);
}

/* A group has new rates: when is the next of its tasks done? */
static int watch(struct run *r, uint32_t index, struct libra_error *err)
{
	const struct libra_group *group = libra_engine_group(r->engine, index);
	double soonest_s = INFINITY;

	for (uint32_t k = 0; group->nprocs > 0 && k < group->ntasks; k++) {
		const struct libra_task *task = &group->tasks[k];
		double work_s;

		if (!task->running)
			continue;
		work_s = work_left(r, group, task, group->since_s);
		if (work_s <= LIBRA_WORK_TOLERANCE_S)
			soonest_s = 0; /* done at this event */
		else if (work_s < soonest_s * task->rate)
			soonest_s = work_s / task->rate;
	}
	if (soonest_s == INFINITY) {
		evq_drop(&r->ends, index);
		return 0;
	}
	if (evq_set(&r->ends, index, group->since_s + soonest_s) < 0)
		return out_of_memory(err);
	return 0;
}

static int start_job(struct run *r, uint64_t ticket, struct libra_error *err)
{
	uint32_t slot = libra_ticket_job(ticket);
	struct sim_outcome *outcome = &r->outcomes[r->job_of[slot]];

	outcome->start_s = r->now_s;
	outcome->accepted = true;
	libra_engine_started(r->engine, ticket, r->now_s);
	if (!r->share &&
	    evq_set(&r->ends, slot, r->now_s + job_of_slot(r, slot)->runtime_s))
		return out_of_memory(err);
	return 0;
}

static int carry_out(struct run *r, struct libra_error *err)
{
	struct libra_action action;
	int result = 0;

	while (result == 0 && libra_engine_next_action(r->engine, &action)) {
		uint32_t slot = libra_ticket_job(action.ticket);

		switch (action.kind) {
		case LIBRA_ACTION_START:
			result = start_job(r, action.ticket, err);
			break;
		case LIBRA_ACTION_REJECT:
			r->outcomes[r->job_of[slot]].reason = action.reason;
			break;
		case LIBRA_ACTION_RESHARE:
			result = watch(r, action.group, err);
			break;
		}
	}
	return result;
}

/* All tasks of a group that are done now leave.  The event was for one of
 * them: if rounding left it a breath of work that takes no time, it is done.
 */
static int end_tasks(struct run *r, uint32_t index)
{
	const struct libra_group *group = libra_engine_group(r->engine, index);

	for (uint32_t k = 0; group->nprocs > 0 && k < group->ntasks;) {
		const struct libra_task *task = &group->tasks[k];
		double work_s = work_left(r, group, task, r->now_s);
		uint32_t slot = task->job;
		int64_t left;

		if (!task->running ||
		    (work_s > LIBRA_WORK_TOLERANCE_S &&
		     r->now_s + work_s / task->rate > r->now_s)) {
			k++;
			continue;
		}
		left = libra_engine_part_departed(
			r->engine, libra_engine_ticket(r->engine, slot), index,
			r->now_s);
		if (left == 0)
			finish(r, slot);
	}
	return 0;
}

static int end_job(struct run *r, uint32_t slot)
{
	evq_drop(&r->ends, slot);
	finish(r, slot);
	return libra_engine_departed(
		r->engine, libra_engine_ticket(r->engine, slot), r->now_s);
}

/* Everything that ends now, or has so little left that only rounding puts it
 * later: it must not depend on that whether an arrival still meets it.
 */
static int departures(struct run *r, struct libra_error *err)
{
	double until_s = r->now_s + (r->share ? LIBRA_WORK_TOLERANCE_S : 0);
	const struct evq_event *event;

	while ((event = evq_top(&r->ends)) && event->at_s <= until_s) {
		uint32_t id = event->id;

		if ((r->share ? end_tasks(r, id) : end_job(r, id)) < 0 ||
		    carry_out(r, err) < 0)
			return -1;
	}
	return 0;
}

static int arrivals(struct run *r, struct libra_error *err)
{
	const struct sim_workload *w = r->w;

	for (; r->next < w->njobs; r->next++) {
		const struct libra_job *job = &w->jobs[r->next].job;
		struct libra_verdict verdict;

		if (job->submit_s > r->now_s)
			return 0;
		if (libra_engine_offer(r->engine, job, r->now_s, &verdict,
				       err) < 0)
			return -1;
		if (verdict.answer == LIBRA_REJECT) {
			r->outcomes[r->next].reason = verdict.reason;
			continue;
		}
		if (remember(r, verdict.ticket, r->next, err) < 0)
			return -1;
		libra_engine_commit(r->engine, verdict.ticket, job->id,
				    r->now_s);
		/* Its processors had an event: what was as good as done is. */
		if (r->share &&
		    (carry_out(r, err) < 0 || departures(r, err) < 0))
			return -1;
	}
	return 0;
}

static int simulate(struct run *r, struct libra_error *err)
{
	for (;;) {
		const struct evq_event *event = evq_top(&r->ends);

		r->now_s = INFINITY;
		if (r->next < r->w->njobs)
			r->now_s = r->w->jobs[r->next].job.submit_s;
		if (event && event->at_s < r->now_s)
			r->now_s = event->at_s;
		if (r->now_s == INFINITY)
			return 0;
		if (departures(r, err) < 0 || arrivals(r, err) < 0)
			return -1;
		libra_engine_schedule(r->engine, r->now_s);
		if (carry_out(r, err) < 0)
			return -1;
	}
}

/* Response time over run time, both at least the bound. */
static double bounded_slowdown(double response_s, double runtime_s)
{
	double slowdown =
		response_s / fmax(runtime_s, (double)SLOWDOWN_BOUND_S);

	return slowdown > 1 ? slowdown : 1;
}

static void measure(const struct run *r, struct sim_result *result)
{
	const struct sim_workload *w = r->w;
	double wait_s = 0, slowdown = 0, bounded = 0, work = 0, end_s = 0;

	memset(result, 0, sizeof(*result));
	result->submitted = w->njobs;
	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *job = &w->jobs[i];
		const struct sim_outcome *outcome = &r->outcomes[i];
		double response_s = outcome->finish_s - job->job.submit_s;

		result->budget += job->job.budget;
		if (!outcome->accepted)
			continue;
		result->accepted++;
		result->utility += outcome->utility;
		wait_s += outcome->start_s - job->job.submit_s;
		bounded += bounded_slowdown(response_s, job->runtime_s);
		work += job->runtime_s * job->job.nprocs;
		end_s = fmax(end_s, outcome->finish_s);
		if (!outcome->fulfilled)
			continue;
		result->fulfilled++;
		slowdown += response_s / job->runtime_s;
	}
	result->fulfilled_pct =
		100 * (double)result->fulfilled / (double)result->submitted;
	result->reliability_pct =
		100 * (double)result->fulfilled / (double)result->accepted;
	result->profit_pct = 100 * result->utility / result->budget;
	result->mean_slowdown = slowdown / (double)result->fulfilled;
	result->mean_wait_s = wait_s / (double)result->accepted;
	result->mean_bounded_slowdown = bounded / (double)result->accepted;
	result->makespan_s = end_s - w->jobs[0].job.submit_s;
	result->utilization_pct = 100 * work / (result->makespan_s * w->procs);
}

static struct libra_engine *make_engine(const struct sim_workload *w,
					const struct libra_policy_type *policy,
					const double *params,
					struct libra_error *err)
{
	struct libra_engine_conf conf = {
		.policy = policy,
		.params = params,
		.node_procs = &w->procs,
		.nnodes = 1, /* the papers' nodes have one processor each: which
				processors share a name makes no difference */
		.offer_ttl_s = INFINITY,
	};

	return libra_engine_create(&conf, err);
}

int sim_run(const struct sim_workload *w,
	    const struct libra_policy_type *policy, const double *params,
	    struct sim_result *result, struct sim_outcome *outcomes,
	    struct libra_error *err)
{
	struct run r = {.w = w, .share = policy->mode == LIBRA_SHARE};
	int rc = -1;

	r.outcomes = outcomes ? outcomes : calloc(w->njobs, sizeof(*outcomes));
	r.engine = make_engine(w, policy, params, err);
	evq_init(&r.ends);
	if (!r.outcomes)
		out_of_memory(err);
	else if (r.engine) {
		for (size_t i = 0; i < w->njobs; i++)
			r.outcomes[i] = (struct sim_outcome){.start_s = NAN,
							     .finish_s = NAN};
		rc = simulate(&r, err);
	}
	if (rc == 0)
		measure(&r, result);
	libra_engine_destroy(r.engine);
	evq_fini(&r.ends);
	free(r.job_of);
	if (!outcomes)
		free(r.outcomes);
	return rc;
}
