/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission.c - admission POLICY PROCS: what an admission costs in the core.
 *
 * A machine under 1.3 times the load that it can carry; jobs of 1 to PROCS / 8
 * processors.  Times an offer with all that a host does for it under its lock:
 * commit, schedule, and taking the actions.  Prints the number of offers, then
 * nanoseconds: median, mean, the 99th percentile, the worst.  Each includes two
 * readings of the clock.  Who is refused is told an earliest deadline: how
 * often, and the mean of that, come last.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/engine.h"

enum { WARM_UP = 2000, OFFERS = 20000 };

struct running {
	uint64_t ticket;
	double end_s;  /* INFINITY while it is held, */
	double left_s; /* with so much to do */
};

struct host {
	struct libra_engine *engine;
	struct running *jobs; /* at most one for each offer */
	size_t njobs;
	uint64_t random;
	double now_s;
	size_t refused;
	double earliest_ns; /* of all of them */
};

/* A linear congruential generator will do: nothing is estimated here. */
static double draw(struct host *h)
{
	h->random = h->random * 6364136223846793005u + 1442695040888963407u;
	return (double)(h->random >> 11) / 9007199254740992.0;
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A job ends before its deadline, as most do. */
static void start(struct host *h, uint64_t ticket)
{
	const struct libra_job *job = libra_engine_job(h->engine, ticket);
	double end_s = h->now_s + job->estimate_s;

	if (libra_engine_policy(h->engine)->mode == LIBRA_SHARE)
		end_s = h->now_s + 0.7 * (job->deadline_s - h->now_s);
	libra_engine_started(h->engine, ticket, h->now_s);
	h->jobs[h->njobs++] = (struct running){ticket, end_s, 0};
}

static void hold(struct host *h, uint64_t ticket, bool on)
{
	struct running *job = h->jobs;

	while (job < h->jobs + h->njobs && job->ticket != ticket)
		job++;
	if (job == h->jobs + h->njobs || on == isinf(job->end_s))
		return;
	if (on)
		job->left_s = job->end_s - h->now_s;
	job->end_s = on ? INFINITY : h->now_s + job->left_s;
}

static void take_actions(struct host *h)
{
	struct libra_action action;

	while (libra_engine_next_action(h->engine, &action))
		if (action.kind == LIBRA_ACTION_START)
			start(h, action.ticket);
		else if (action.kind == LIBRA_ACTION_HOLD ||
			 action.kind == LIBRA_ACTION_RESUME)
			hold(h, action.ticket,
			     action.kind == LIBRA_ACTION_HOLD);
}

/* All ends up to an instant, each at its own. */
static void run_until(struct host *h, double until_s)
{
	for (;;) {
		size_t first = 0;
		uint64_t ticket;

		for (size_t i = 1; i < h->njobs; i++)
			if (h->jobs[i].end_s < h->jobs[first].end_s)
				first = i;
		if (h->njobs == 0 || h->jobs[first].end_s > until_s)
			break;
		h->now_s = h->jobs[first].end_s;
		ticket = h->jobs[first].ticket;
		h->jobs[first] = h->jobs[--h->njobs];
		libra_engine_departed(h->engine, ticket, h->now_s);
		libra_engine_schedule(h->engine, h->now_s);
		take_actions(h);
	}
	h->now_s = until_s;
}

static struct libra_job make_job(struct host *h, uint64_t id)
{
	uint32_t procs = libra_engine_nprocs(h->engine);
	double widest = procs < 8 ? 1 : procs / 8;
	struct libra_job job = {
		.id = id,
		.submit_s = h->now_s,
		.estimate_s = exp(4 + 5 * draw(h)),
		.nprocs = (uint32_t)exp(log(widest + 0.9) * draw(h)),
	};

	job.deadline_s = h->now_s + job.estimate_s * (1.5 + 15 * draw(h));
	return job;
}

static void ask_earliest(struct host *h, const struct libra_job *job)
{
	double begin_ns = now_ns();

	libra_engine_earliest_deadline(h->engine, job, h->now_s);
	h->earliest_ns += now_ns() - begin_ns;
	h->refused++;
}

/* Result: how long it took, or -1 if the engine failed. */
static double admit(struct host *h, const struct libra_job *job)
{
	struct libra_verdict verdict;
	double begin_ns = now_ns(), took_ns;

	if (libra_engine_offer(h->engine, job, h->now_s, &verdict, NULL) < 0)
		return -1;
	if (verdict.answer != LIBRA_REJECT)
		libra_engine_commit(h->engine, verdict.ticket, job->id,
				    h->now_s);
	libra_engine_schedule(h->engine, h->now_s);
	take_actions(h);
	took_ns = now_ns() - begin_ns;
	if (verdict.answer == LIBRA_REJECT)
		ask_earliest(h, job);
	return took_ns;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print(const struct host *h, double *ns)
{
	double sum = 0;

	for (size_t i = 0; i < OFFERS; i++)
		sum += ns[i];
	qsort(ns, OFFERS, sizeof(*ns), by_value);
	printf("%d %.0f %.0f %.0f %.0f %zu %.0f\n", OFFERS, ns[OFFERS / 2],
	       sum / OFFERS, ns[OFFERS * 99 / 100], ns[OFFERS - 1], h->refused,
	       h->refused ? h->earliest_ns / (double)h->refused : 0);
}

static int measure(struct host *h)
{
	static double ns[OFFERS];

	for (uint64_t i = 0; i < WARM_UP + OFFERS; i++) {
		struct libra_job job = make_job(h, i + 1);
		double took = admit(h, &job);

		if (took < 0)
			return -1;
		if (i >= WARM_UP)
			ns[i - WARM_UP] = took;
		run_until(h, h->now_s + job.estimate_s * job.nprocs /
						(1.3 * libra_engine_nprocs(
							       h->engine)));
	}
	print(h, ns);
	return 0;
}

int main(int argc, char **argv)
{
	struct libra_error err = {""};
	uint32_t procs = argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	struct libra_engine_conf conf = {
		.node_procs = &procs,
		.nnodes = 1,
		.offer_ttl_s = INFINITY,
	};
	struct host h = {.random = 1};
	int rc = -1;

	if (procs == 0) {
		fprintf(stderr, "usage: admission POLICY PROCS\n");
		return 2;
	}
	conf.policy = libra_policy_find(argv[1], &err);
	if (conf.policy)
		h.engine = libra_engine_create(&conf, &err);
	h.jobs = calloc(WARM_UP + OFFERS, sizeof(*h.jobs));
	if (h.engine && h.jobs)
		rc = measure(&h);
	if (rc < 0)
		fprintf(stderr, "admission: %s\n",
			err.text[0] ? err.text : "the engine failed");
	libra_engine_destroy(h.engine);
	free(h.jobs);
	return rc < 0 ? 1 : 0;
}
