/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leader.c - the experts, their runs, and the choice among them.
 *
 * For each expert the leader owns a predictor, the finish of each job in the
 * expert's run, and the sum of slowdowns over the jobs of the window.  enter()
 * adds jobs to the sum as the oldest running job advances, leave() removes jobs
 * that are older than the window.
 */
#include "sim/run/leader.h"

#include <math.h>
#include <stdlib.h>

#include "sim/base/memory.h"

#define DAY_S 86400.0

/* The first one holds until another has done better.  More of them, and the
 * last two among them, did worse: each change of the leader costs something.
 */
static const struct {
	double quantile, depth;
} experts[SIM_LEADER_EXPERTS] = {{0.5, 20}, {0.3, 20}};

#define NEXPERTS SIM_LEADER_EXPERTS

/* One predictor, its own run, and its slowdown over the window. */
struct expert {
	struct sim_predict predict; /* learns from the run that counts */
	double *finish_s;	    /* in its own run, by job */
	double closed;	/* bounded slowdown of jobs in the window that ended */
	uint32_t *open; /* jobs of the window that did not */
	size_t nopen, open_cap;
};

/* The experts, and how far the main run has come. */
struct sim_leader {
	const struct sim_workload *w;
	struct expert expert[NEXPERTS];
	bool *ended;	  /* in the run that counts, by job */
	size_t past;	  /* jobs before the oldest that has not ended */
	size_t forgotten; /* jobs before the window */
	double next_s;	  /* when to choose again */
	size_t leader;
};

static double slowdown_at(const struct sim_job *job, double finish_s,
			  double now_s)
{
	return sim_bounded_slowdown(fmin(finish_s, now_s) - job->job.submit_s,
				    job->runtime_s);
}

/* ---- the experts' own runs ---- */

struct sim_workload sim_leader_workload(const struct sim_leader *l,
					size_t expert)
{
	struct sim_workload w = *l->w;

	w.prediction.predictor = SIM_PREDICT_QUANTILE;
	w.prediction.quantile = experts[expert].quantile;
	w.prediction.depth = experts[expert].depth;
	w.keeps_nodes = false;
	w.tells_earliest = false;
	return w;
}

int sim_leader_show(struct sim_leader *l, size_t expert,
		    const struct sim_outcome *outcomes, struct libra_error *err)
{
	struct sim_workload w = sim_leader_workload(l, expert);
	struct expert *x = &l->expert[expert];

	x->finish_s = calloc(w.njobs, sizeof(*x->finish_s));
	if (!x->finish_s)
		return sim_no_memory(err);
	for (size_t i = 0; i < w.njobs; i++)
		x->finish_s[i] = outcomes[i].finish_s;
	return sim_predict_init(&x->predict, &w, err);
}

struct sim_leader *sim_leader_create(const struct sim_workload *w,
				     struct libra_error *err)
{
	struct sim_leader *l = calloc(1, sizeof(*l));

	if (!l || !(l->ended = calloc(w->njobs, sizeof(*l->ended)))) {
		sim_no_memory(err);
		free(l);
		return NULL;
	}
	l->w = w;
	return l;
}

void sim_leader_destroy(struct sim_leader *l)
{
	if (!l)
		return;
	for (size_t e = 0; e < NEXPERTS; e++) {
		sim_predict_fini(&l->expert[e].predict);
		free(l->expert[e].finish_s);
		free(l->expert[e].open);
	}
	free(l->ended);
	free(l);
}

/* ---- the choice ---- */

/* Move jobs that ended by now to the sum, and jobs that are forgotten out.
 * Result: the sum over the window, with the open ones as they are now.
 */
static double renew(struct sim_leader *l, struct expert *x, double now_s)
{
	const struct sim_job *jobs = l->w->jobs;
	double sum = 0;
	size_t n = 0;

	for (size_t k = 0; k < x->nopen; k++) {
		uint32_t i = x->open[k];
		double slowdown = slowdown_at(&jobs[i], x->finish_s[i], now_s);

		if (i < l->forgotten)
			continue;
		if (x->finish_s[i] <= now_s) {
			x->closed += slowdown;
			continue;
		}
		sum += slowdown;
		x->open[n++] = i;
	}
	x->nopen = n;
	return sum + x->closed;
}

/* Jobs [from, to) enter the window. */
static int enter(struct expert *x, size_t from, size_t to)
{
	uint32_t *open = sim_grown(x->open, &x->open_cap,
				   x->nopen + (to - from) + 1, sizeof(*open));

	if (!open)
		return -1;
	x->open = open;
	while (from < to)
		open[x->nopen++] = (uint32_t)from++;
	return 0;
}

/* Remove the jobs [from, to) from the window, and their slowdowns from the sum
 * if they had ended.
 */
static void leave(const struct sim_leader *l, struct expert *x, size_t from,
		  size_t to, double before_s)
{
	for (; from < to; from++)
		if (x->finish_s[from] <= before_s)
			x->closed -= slowdown_at(&l->w->jobs[from],
						 x->finish_s[from], INFINITY);
}

/* Advance the window to the present, and choose the best expert. */
static int choose(struct sim_leader *l)
{
	const struct sim_job *jobs = l->w->jobs;
	size_t past = l->past, forgotten = l->forgotten, leader = l->leader;
	double before_s = past < l->w->njobs ? jobs[past].job.submit_s : 0;
	double best = INFINITY, now_s;

	while (past < l->w->njobs && l->ended[past])
		past++;
	/* The job that is offered has not ended: there is one. */
	now_s = jobs[past].job.submit_s;
	while (forgotten < past &&
	       jobs[forgotten].job.submit_s <
		       now_s - l->w->prediction.window * DAY_S)
		forgotten++;
	for (size_t e = 0; e < NEXPERTS; e++)
		if (enter(&l->expert[e], l->past, past) < 0)
			return -1;
	for (size_t e = 0; e < NEXPERTS; e++)
		leave(l, &l->expert[e], l->forgotten, forgotten, before_s);
	l->past = past;
	l->forgotten = forgotten;
	for (size_t e = 0; e < NEXPERTS; e++) {
		double sum = renew(l, &l->expert[e], now_s);

		if (sum < best || (sum == best && e == leader)) {
			best = sum;
			l->leader = e;
		}
	}
	return 0;
}

double sim_leader_offer(struct sim_leader *l, const struct sim_job *job)
{
	if (job->job.submit_s >= l->next_s) {
		l->next_s = job->job.submit_s + DAY_S;
		if (choose(l) < 0)
			return NAN;
	}
	return sim_predict_offer(&l->expert[l->leader].predict, job);
}

int sim_leader_learn(struct sim_leader *l, const struct sim_job *job)
{
	l->ended[job - l->w->jobs] = true;
	for (size_t e = 0; e < NEXPERTS; e++)
		if (sim_predict_learn(&l->expert[e].predict, job) < 0)
			return -1;
	return 0;
}
