/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission.c - admission POLICY PROCS [WIDEST [SECONDS]]: what an admission
 * costs in the core.
 *
 * A machine under 1.3 times the load that it can carry; jobs of 1 to WIDEST
 * (PROCS / 8) processors, so that many or few are there at a time.  Times an
 * offer with all that a host does for it under its lock: commit, schedule, and
 * taking the actions.  Prints the number of offers, then nanoseconds: median,
 * mean, the 99th percentile, the worst.  Each includes two readings of the
 * clock.  Who is refused is told an earliest deadline: how often, and the mean
 * of that, come next; last, the mean number of jobs on the machine.  With
 * SECONDS nobody is told, and after so many it ends, with fewer offers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/engine.h"
#include "tests/random.h"

enum { WARM_UP = 2000, OFFERS = 20000, WARM_UPS = 3 };

struct running {
	uint64_t ticket;
	double end_s;  /* INFINITY while it is held, */
	double left_s; /* with so much to do */
};

struct host {
	struct libra_engine *engine;
	struct running *running; /* at most one for each offer */
	size_t njobs;
	uint64_t random;
	double now_s;
	size_t refused;
	double earliest_ns; /* of all of them */
	double widest;
	double limit_s; /* 0: none */
	double jobs;	/* on the machine at all offers, summed */
};

static double draw(struct host *h)
{
	return random_unit(&h->random);
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
	h->running[h->njobs++] = (struct running){ticket, end_s, 0};
}

static void hold(struct host *h, uint64_t ticket, bool on)
{
	struct running *job = h->running;

	while (job < h->running + h->njobs && job->ticket != ticket)
		job++;
	if (job == h->running + h->njobs || on == isinf(job->end_s))
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
			if (h->running[i].end_s < h->running[first].end_s)
				first = i;
		if (h->njobs == 0 || h->running[first].end_s > until_s)
			break;
		h->now_s = h->running[first].end_s;
		ticket = h->running[first].ticket;
		h->running[first] = h->running[--h->njobs];
		libra_engine_departed(h->engine, ticket, h->now_s);
		libra_engine_schedule(h->engine, h->now_s);
		take_actions(h);
	}
	h->now_s = until_s;
}

static struct libra_job make_job(struct host *h, uint64_t id)
{
	struct libra_job job = {
		.id = id,
		.submit_s = h->now_s,
		.estimate_s = exp(4 + 5 * draw(h)),
		.nprocs = (uint32_t)exp(log(h->widest + 0.9) * draw(h)),
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
	if (verdict.answer == LIBRA_REJECT && h->limit_s == 0)
		ask_earliest(h, job);
	return took_ns;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print(const struct host *h, double *ns, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ns[i];
	qsort(ns, n, sizeof(*ns), by_value);
	printf("%zu %.0f %.0f %.0f %.0f %zu %.0f %.0f\n", n, ns[n / 2],
	       sum / (double)n, ns[n * 99 / 100], ns[n - 1], h->refused,
	       h->refused ? h->earliest_ns / (double)h->refused : 0,
	       h->jobs / (double)n);
}

/* Jobs of mean size fill the machine so often before anything is timed. */
static size_t warm_up(const struct host *h)
{
	double mean = h->widest / log(h->widest + 1.9);
	double n = WARM_UPS * libra_engine_nprocs(h->engine) / mean;

	return n > WARM_UP ? (size_t)n : WARM_UP;
}

static int measure(struct host *h)
{
	static double ns[OFFERS];
	double end_ns = now_ns() + h->limit_s * 1e9;
	size_t warm = warm_up(h), n = 0;

	for (uint64_t i = 0; n < OFFERS; i++) {
		struct libra_job job = make_job(h, i + 1);
		double took = admit(h, &job);

		if (took < 0)
			return -1;
		if (i >= warm) {
			ns[n++] = took;
			h->jobs += (double)h->njobs;
		}
		if (n > 0 && h->limit_s > 0 && now_ns() > end_ns)
			break;
		run_until(h, h->now_s + job.estimate_s * job.nprocs /
						(1.3 * libra_engine_nprocs(
							       h->engine)));
	}
	print(h, ns, n);
	return 0;
}

int main(int argc, char **argv)
{
	struct libra_error err = {""};
	uint32_t procs =
		argc > 2 && argc < 6 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	struct libra_engine_conf conf = {
		.node_procs = &procs,
		.nnodes = 1,
		.offer_ttl_s = INFINITY,
	};
	struct host h = {.random = 1};
	int rc = -1;

	if (procs == 0) {
		fprintf(stderr,
			"usage: admission POLICY PROCS [WIDEST [SECONDS]]\n");
		return 2;
	}
	h.widest = argc > 3 ? strtod(argv[3], NULL) : procs < 8 ? 1 : procs / 8;
	h.limit_s = argc > 4 ? strtod(argv[4], NULL) : 0;
	conf.policy = libra_policy_find(argv[1], &err);
	if (conf.policy)
		h.engine = libra_engine_create(&conf, &err);
	if (h.engine)
		h.running = calloc(warm_up(&h) + OFFERS, sizeof(*h.running));
	if (h.running)
		rc = measure(&h);
	if (rc < 0)
		fprintf(stderr, "admission: %s\n",
			err.text[0] ? err.text : "the engine failed");
	libra_engine_destroy(h.engine);
	free(h.running);
	return rc < 0 ? 1 : 0;
}
