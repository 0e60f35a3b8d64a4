/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * market_run.c - carry a work plan through an engine.
 *
 * A loop over instants: the next end or deadline, or the next submission.
 * Between two instants rates are constant, so work and spending are rates times
 * the time that has passed.  struct run owns the engine, the tickets and the
 * work left; all are freed at the end of market_run().
 */
#include "sim/market/market_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula/need.h"
#include "core/share/bid.h"
#include "sim/base/memory.h"

/* One simulation.  All arrays but jobs, outcomes and prices are owned. */
struct run {
	const struct market_job *jobs;
	size_t njobs, next; /* arrival */
	struct libra_engine *engine;
	struct market_outcome *outcomes;
	struct market_prices *prices;
	size_t *job_of;	   /* slot -> index in the work plan */
	uint64_t *tickets; /* of each job; 0 unless it runs */
	struct load {
		double left, rate; /* of the whole job: CPU seconds, CPUs */
		double last, last_rate; /* of what will be done last */
	} * loads;			/* scratch, by job */
	double now_s, work, end_s;
	uint32_t hosts;
	bool pooled;
	enum market_end ends;
};

void market_prices_fini(struct market_prices *prices)
{
	free(prices->price);
	*prices = (struct market_prices){.price = NULL};
}

static double task_left(const struct run *r, const struct libra_row *row,
			const struct libra_task *task)
{
	return task->est_left_s - task->rate * (r->now_s - row->since_s);
}

/* ---- the price ---- */

/* Return what all tasks spend in a second, in credits. */
static double spent_rate(const struct run *r)
{
	double sum = 0;

	for (uint32_t i = 0; i < libra_engine_nrows(r->engine); i++) {
		const struct libra_row *row = libra_engine_row(r->engine, i);

		for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks; k++)
			sum += row->nprocs * row->tasks[k].bid;
	}
	return sum;
}

static int grow_prices(struct market_prices *p, size_t n)
{
	double *price = sim_grown(p->price, &p->cap, n, sizeof(*price));

	if (!price)
		return -1;
	p->price = price;
	while (p->n < n)
		p->price[p->n++] = 0;
	return 0;
}

/* Record the price, which is constant until an instant. */
static int note_price(struct run *r, double until_s, struct libra_error *err)
{
	struct market_prices *p = r->prices;
	double from_s = r->now_s, price;

	if (!p || until_s <= from_s)
		return 0;
	price = spent_rate(r) / r->hosts;
	if (grow_prices(p, (size_t)(until_s / p->bin_s) + 1) < 0)
		return sim_no_memory(err);
	while (from_s < until_s) {
		size_t bin = (size_t)(from_s / p->bin_s);
		double to_s = fmin(until_s, (double)(bin + 1) * p->bin_s);

		p->price[bin] += price * (to_s - from_s) / p->bin_s;
		from_s = to_s;
	}
	return 0;
}

/* Advance all tasks at their rates to an instant. */
static void work_until(struct run *r, double until_s)
{
	double cpus = 0;

	for (uint32_t i = 0; i < libra_engine_nrows(r->engine); i++) {
		const struct libra_row *row = libra_engine_row(r->engine, i);

		for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks; k++)
			cpus += row->nprocs * row->tasks[k].rate;
	}
	if (until_s > r->now_s)
		r->work += cpus * (until_s - r->now_s);
	r->now_s = fmax(until_s, r->now_s);
}

/* ---- ends ---- */

/* Add the work left and the rate of one task to its job. */
static void add_load(struct load *load, double left, double rate,
		     uint32_t nprocs)
{
	left = left > 0 ? left : 0;
	load->left += nprocs * left;
	load->rate += nprocs * rate;
	if (load->last_rate == 0 ||
	    left / rate > load->last / load->last_rate) {
		load->last = left;
		load->last_rate = rate;
	}
}

/* Sum up the work left and the rates of each job. */
static void sum_jobs(struct run *r)
{
	memset(r->loads, 0, r->njobs * sizeof(*r->loads));
	for (uint32_t i = 0; i < libra_engine_nrows(r->engine); i++) {
		const struct libra_row *row = libra_engine_row(r->engine, i);

		for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks; k++) {
			const struct libra_task *task = &row->tasks[k];
			struct load *load = &r->loads[r->job_of[task->slot]];
			double left = task_left(r, row, task);

			if (!r->pooled) {
				add_load(load, left, task->rate, row->nprocs);
				continue;
			}
			load->left += row->nprocs * left;
			load->rate += row->nprocs * task->rate;
			load->last = load->left;
			load->last_rate = load->rate;
		}
	}
}

/* Do the parts of a job end together? */
static bool ends_whole(const struct run *r)
{
	return r->pooled || r->ends == MARKET_END_JOB;
}

/* Stop so many processors of a job now. */
static void pay(struct run *r, size_t index, uint32_t nprocs)
{
	const struct libra_job *job = &r->jobs[index].job;

	r->outcomes[index].spent +=
		libra_bid(job) * nprocs * (r->now_s - job->submit_s);
}

/* End a job of which so much work is left. */
static void finish(struct run *r, size_t index, double left)
{
	const struct libra_job *job = &r->jobs[index].job;
	struct market_outcome *outcome = &r->outcomes[index];
	double all = job->nprocs * job->estimate_s;

	if (left <= job->nprocs * LIBRA_WORK_TOLERANCE_S)
		left = 0;
	outcome->finish_s = r->now_s;
	outcome->done = 1 - left / all;
	r->end_s = r->now_s;
	r->tickets[index] = 0;
}

/* Is it done, up to rounding? */
static bool is_done(const struct run *r, double left, double rate)
{
	return libra_is_done(left) || r->now_s + left / rate <= r->now_s;
}

/* Remove the finished tasks of a row. */
static void end_tasks(struct run *r, uint32_t index)
{
	const struct libra_row *row = libra_engine_row(r->engine, index);

	for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks;) {
		const struct libra_task *task = &row->tasks[k];
		size_t job = r->job_of[task->slot];

		if (!is_done(r, task_left(r, row, task), task->rate)) {
			k++;
			continue;
		}
		pay(r, job, row->nprocs);
		if (libra_engine_part_departed(r->engine, r->tickets[job],
					       index, r->now_s) == 0)
			finish(r, job, 0);
	}
}

/* End a job with so much of its work left. */
static void stop(struct run *r, size_t index, double left)
{
	uint32_t nprocs = 0;

	for (uint32_t i = 0; i < libra_engine_nrows(r->engine); i++) {
		const struct libra_row *row = libra_engine_row(r->engine, i);

		for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks; k++)
			if (r->job_of[row->tasks[k].slot] == index)
				nprocs += row->nprocs;
	}
	pay(r, index, nprocs);
	libra_engine_departed(r->engine, r->tickets[index], r->now_s);
	finish(r, index, left);
}

/* End each job whose last task is done. */
static void end_jobs(struct run *r)
{
	sum_jobs(r);
	for (size_t i = 0; i < r->njobs; i++)
		if (r->tickets[i] &&
		    is_done(r, r->loads[i].last, r->loads[i].last_rate))
			stop(r, i, 0);
}

/* End parts or jobs that have done their work, unless they stay to the
 * deadline.
 */
static void end_done(struct run *r)
{
	if (r->ends == MARKET_END_DEADLINE)
		return;
	if (ends_whole(r)) {
		end_jobs(r);
		return;
	}
	for (uint32_t i = 0; i < libra_engine_nrows(r->engine); i++)
		end_tasks(r, i);
}

static void departures(struct run *r)
{
	end_done(r);
	sum_jobs(r);
	for (size_t i = 0; i < r->njobs; i++)
		if (r->tickets[i] && r->jobs[i].job.deadline_s <= r->now_s)
			stop(r, i, r->loads[i].left);
}

/* ---- events ---- */

/* Offer the next job, and start it if it is accepted. */
static int arrive(struct run *r, struct libra_error *err)
{
	const struct libra_job *job = &r->jobs[r->next].job;
	struct market_outcome *outcome = &r->outcomes[r->next];
	struct libra_verdict verdict;

	if (libra_engine_offer(r->engine, job, r->now_s, &verdict, err) < 0)
		return -1;
	outcome->reason = verdict.reason;
	outcome->accepted = verdict.answer == LIBRA_ACCEPT;
	if (outcome->accepted) {
		r->job_of[libra_ticket_slot(verdict.ticket)] = r->next;
		r->tickets[r->next] = verdict.ticket;
		libra_engine_commit(r->engine, verdict.ticket, job->id,
				    r->now_s);
		libra_engine_started(r->engine, verdict.ticket, r->now_s);
	}
	r->next++;
	return 0;
}

/* Actions need nothing: rates are read where they are used, and jobs start at
 * once.
 */
static void take_actions(struct run *r)
{
	struct libra_action action;

	while (libra_engine_next_action(r->engine, &action))
		;
}

/* The instant at which the next job, or part of one, is done. */
static double next_done(const struct run *r)
{
	double end_s = INFINITY;

	for (size_t i = 0; ends_whole(r) && i < r->njobs; i++)
		if (r->tickets[i])
			end_s = fmin(end_s,
				     r->now_s + r->loads[i].last /
							r->loads[i].last_rate);
	for (uint32_t i = 0;
	     !ends_whole(r) && i < libra_engine_nrows(r->engine); i++) {
		const struct libra_row *row = libra_engine_row(r->engine, i);

		for (uint32_t k = 0; row->nprocs > 0 && k < row->ntasks; k++)
			end_s = fmin(end_s,
				     r->now_s +
					     task_left(r, row, &row->tasks[k]) /
						     row->tasks[k].rate);
	}
	return end_s;
}

/* Return the next instant at which a job is done or stopped; INFINITY if none.
 */
static double next_end(struct run *r)
{
	double end_s = INFINITY;

	sum_jobs(r);
	if (r->ends != MARKET_END_DEADLINE)
		end_s = next_done(r);
	for (size_t i = 0; i < r->njobs; i++)
		if (r->tickets[i])
			end_s = fmin(end_s, r->jobs[i].job.deadline_s);
	return end_s;
}

/* Process events until no job is left. */
static int simulate(struct run *r, struct libra_error *err)
{
	for (;;) {
		double until_s = next_end(r);

		if (r->next < r->njobs)
			until_s = fmin(until_s, r->jobs[r->next].job.submit_s);
		if (until_s == INFINITY)
			return 0;
		if (note_price(r, until_s, err) < 0)
			return -1;
		work_until(r, until_s);
		departures(r);
		while (r->next < r->njobs &&
		       r->jobs[r->next].job.submit_s <= r->now_s)
			if (arrive(r, err) < 0)
				return -1;
		take_actions(r);
	}
}

/* Create an engine whose nodes are hosts of one processor. */
static struct libra_engine *make_engine(uint32_t hosts,
					const struct libra_policy_type *policy,
					const double *params,
					struct libra_error *err)
{
	uint32_t *nodes = calloc(hosts, sizeof(*nodes));
	struct libra_engine_conf conf = {
		.policy = policy,
		.params = params,
		.node_procs = nodes,
		.nnodes = hosts,
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine *engine = NULL;

	for (uint32_t i = 0; nodes && i < hosts; i++)
		nodes[i] = 1;
	if (nodes)
		engine = libra_engine_create(&conf, err);
	else
		sim_no_memory(err);
	free(nodes);
	return engine;
}

int market_run(const struct market_job *jobs, size_t n, const double *options,
	       const struct libra_policy_type *policy, const double *params,
	       struct market_outcome *outcomes, struct market_truth *truth,
	       struct market_prices *prices, struct libra_error *err)
{
	struct run r = {
		.jobs = jobs,
		.njobs = n,
		.outcomes = outcomes,
		.prices = prices,
		.hosts = (uint32_t)options[MARKET_HOSTS],
		.pooled = options[MARKET_POOLED] != 0,
		.ends = (enum market_end)options[MARKET_ENDS],
	};
	int rc = -1;

	for (size_t i = 0; i < n; i++)
		outcomes[i] = (struct market_outcome){.finish_s = NAN};
	if (prices)
		prices->bin_s = options[MARKET_BIN_S];
	r.engine = make_engine(r.hosts, policy, params, err);
	r.job_of = calloc(n, sizeof(*r.job_of));
	r.tickets = calloc(n, sizeof(*r.tickets));
	r.loads = calloc(n, sizeof(*r.loads));
	if (!r.job_of || !r.tickets || !r.loads)
		sim_no_memory(err);
	else if (r.engine)
		rc = simulate(&r, err);
	*truth = (struct market_truth){
		.work = r.work,
		.end_s = r.end_s,
		.span_s = r.end_s - jobs[0].job.submit_s,
	};
	truth->capacity = truth->span_s * r.hosts * options[MARKET_CPUS];
	libra_engine_destroy(r.engine);
	free(r.job_of);
	free(r.tickets);
	free(r.loads);
	return rc;
}
