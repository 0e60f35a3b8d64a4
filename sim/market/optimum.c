/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * optimum.c - whole jobs and flows.
 *
 * struct net holds the flow from jobs into intervals, and scratch for a search
 * of augmenting paths.  A job is added as a whole or the flow is restored from
 * a copy.
 */
#include "sim/market/optimum.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/model/series.h"

/* A smaller part of a job's work is rounding. */
#define TOLERANCE 1e-9

/* The flow of work from jobs into intervals.  All arrays but jobs are owned. */
struct net {
	const struct market_job *jobs;
	size_t n, slots; /* jobs, intervals */
	double *starts;	 /* slots + 1 instants */
	size_t *first;	 /* per job: its first interval, and the one after */
	size_t *end;	 /* its last */
	double *flow;	 /* n x slots, CPU seconds */
	double *used;	 /* per interval */
	double cpus, most;
	/* Scratch of a search: where an interval was reached from (job), and a
	 * job from (interval); SIZE_MAX = not reached. */
	size_t *from_job, *from_slot, *queue;
	double *saved; /* flow and used, to go back to */
};

static double length(const struct net *net, size_t slot)
{
	return net->starts[slot + 1] - net->starts[slot];
}

static double work(const struct net *net, size_t job)
{
	return net->jobs[job].job.nprocs * net->jobs[job].job.estimate_s;
}

/* Return the CPU seconds that a job may add in one of its intervals. */
static double room(const struct net *net, size_t job, size_t slot)
{
	return net->jobs[job].job.nprocs * net->most * length(net, slot) -
	       net->flow[job * net->slots + slot];
}

static double spare(const struct net *net, size_t slot)
{
	return net->cpus * length(net, slot) - net->used[slot];
}

/* Find intervals with spare CPUs, if need be by moving the work of other jobs.
 * Result: the interval, or SIZE_MAX.
 */
static size_t search(struct net *net, size_t source, double least)
{
	size_t head = 0, tail = 0;

	memset(net->from_job, 0xff, net->slots * sizeof(*net->from_job));
	memset(net->from_slot, 0xff, net->n * sizeof(*net->from_slot));
	net->queue[tail++] = source;
	while (head < tail) {
		size_t job = net->queue[head++];

		for (size_t s = net->first[job]; s < net->end[job]; s++) {
			if (net->from_job[s] != SIZE_MAX ||
			    room(net, job, s) <= least)
				continue;
			net->from_job[s] = job;
			if (spare(net, s) > least)
				return s;
			for (size_t k = 0; k < net->n; k++) {
				if (s < net->first[k] || s >= net->end[k] ||
				    k == source ||
				    net->from_slot[k] != SIZE_MAX ||
				    net->flow[k * net->slots + s] <= least)
					continue;
				net->from_slot[k] = s;
				net->queue[tail++] = k;
			}
		}
	}
	return SIZE_MAX;
}

/* The largest amount that can go along the path. */
static double path_room(const struct net *net, size_t source, size_t slot,
			double want)
{
	double least = fmin(want, spare(net, slot));

	for (;;) {
		size_t job = net->from_job[slot];

		least = fmin(least, room(net, job, slot));
		if (job == source)
			return least;
		slot = net->from_slot[job];
		least = fmin(least, net->flow[job * net->slots + slot]);
	}
}

/* Push an amount along the path that the search found, from its end. */
static void push(struct net *net, size_t source, size_t slot, double amount)
{
	net->used[slot] += amount;
	for (;;) {
		size_t job = net->from_job[slot];

		net->flow[job * net->slots + slot] += amount;
		if (job == source)
			return;
		slot = net->from_slot[job];
		net->flow[job * net->slots + slot] -= amount;
	}
}

/* Put as much of a job's work into the net as fits; other jobs keep theirs.
 * Result: the part of it that fits.
 */
static double fill(struct net *net, size_t job)
{
	double all = work(net, job), least = TOLERANCE * all, left = all;

	while (left > least) {
		size_t slot = search(net, job, least / (double)net->slots);
		double amount;

		if (slot == SIZE_MAX)
			break;
		amount = path_room(net, job, slot, left);
		push(net, job, slot, amount);
		left -= amount;
	}
	return left > least ? 1 - left / all : 1;
}

/* Remove the flow of a job. */
static void empty(struct net *net, size_t job)
{
	for (size_t s = net->first[job]; s < net->end[job]; s++) {
		net->used[s] -= net->flow[job * net->slots + s];
		net->flow[job * net->slots + s] = 0;
	}
}

static void clear(struct net *net)
{
	memset(net->flow, 0, net->n * net->slots * sizeof(*net->flow));
	memset(net->used, 0, net->slots * sizeof(*net->used));
}

/* Save the flow, to go back to it. */
static void save(struct net *net)
{
	size_t n = net->n * net->slots;

	memcpy(net->saved, net->flow, n * sizeof(*net->flow));
	memcpy(net->saved + n, net->used, net->slots * sizeof(*net->used));
}

/* Go back to the saved flow. */
static void restore(struct net *net)
{
	size_t n = net->n * net->slots;

	memcpy(net->flow, net->saved, n * sizeof(*net->flow));
	memcpy(net->used, net->saved + n, net->slots * sizeof(*net->used));
}

/* ---- sets of jobs ---- */

struct rank {
	double key;
	size_t job;
};

static int compare(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? 1 : -1;
	return x->job < y->job ? -1 : x->job > y->job;
}

/* Sort jobs by value, or by value per CPU second (density). */
static void rank_jobs(const struct net *net, bool density, struct rank *order)
{
	for (size_t i = 0; i < net->n; i++) {
		double value = net->jobs[i].job.budget;

		order[i] = (struct rank){density ? value / work(net, i) : value,
					 i};
	}
	qsort(order, net->n, sizeof(*order), compare);
}

/* Take parts of jobs in an order.  Return their value: the bound. */
static double fractional(struct net *net, const struct rank *order)
{
	double sum = 0;

	clear(net);
	for (size_t i = 0; i < net->n; i++)
		sum += net->jobs[order[i].job].job.budget *
		       fill(net, order[i].job);
	return sum;
}

/* Add a job if all of it fits beside the others. */
static bool add_whole(struct net *net, size_t job)
{
	save(net);
	if (fill(net, job) >= 1)
		return true;
	restore(net);
	return false;
}

/* Take jobs in an order, each if it fits as a whole.  Return their value. */
static double greedy(struct net *net, const struct rank *order, bool *in)
{
	double sum = 0;

	clear(net);
	for (size_t i = 0; i < net->n; i++) {
		size_t job = order[i].job;

		in[job] = add_whole(net, job);
		sum += in[job] ? net->jobs[job].job.budget : 0;
	}
	return sum;
}

/* Replace one job of less value by this one, if that makes room for it.
 * Result: the gain, 0 if there is none.
 */
static double exchange(struct net *net, size_t job, bool *in)
{
	double value = net->jobs[job].job.budget;

	for (size_t k = net->n; k-- > 0;) {
		double less = net->jobs[k].job.budget;

		if (!in[k] || less >= value)
			continue;
		save(net);
		empty(net, k);
		if (fill(net, job) >= 1) {
			in[k] = false;
			in[job] = true;
			return value - less;
		}
		restore(net);
	}
	return 0;
}

/* Add jobs that fit after all, or exchange one.  Return the value gained. */
static double improve(struct net *net, const struct rank *order, bool *in)
{
	double gained = 0;

	for (size_t i = 0; i < net->n; i++) {
		size_t job = order[i].job;

		if (in[job])
			continue;
		if (add_whole(net, job)) {
			in[job] = true;
			gained += net->jobs[job].job.budget;
		} else {
			gained += exchange(net, job, in);
		}
	}
	return gained;
}

/* ---- the net ---- */

static void net_fini(struct net *net)
{
	free(net->starts);
	free(net->first);
	free(net->end);
	free(net->flow);
	free(net->used);
	free(net->from_job);
	free(net->from_slot);
	free(net->queue);
	free(net->saved);
}

/* Find the intervals from submission to deadline of each job. */
static void find_windows(struct net *net)
{
	for (size_t i = 0; i < net->n; i++) {
		size_t s = 0;

		while (net->starts[s] < net->jobs[i].job.submit_s)
			s++;
		net->first[i] = s;
		while (s < net->slots &&
		       net->starts[s] < net->jobs[i].job.deadline_s)
			s++;
		net->end[i] = s;
	}
}

/* Allocate the net, and make the intervals.  Result: 0, or -1. */
static int net_init(struct net *net, const struct market_job *jobs, size_t n,
		    const double *options)
{
	size_t slots = 2 * n, m = 0;

	*net = (struct net){
		.jobs = jobs,
		.n = n,
		.starts = calloc(slots + 1, sizeof(double)),
		.first = calloc(n, sizeof(size_t)),
		.end = calloc(n, sizeof(size_t)),
		.flow = calloc(n * slots, sizeof(double)),
		.used = calloc(slots, sizeof(double)),
		.from_job = calloc(slots, sizeof(size_t)),
		.from_slot = calloc(n, sizeof(size_t)),
		.queue = calloc(n + 1, sizeof(size_t)),
		.saved = calloc((n + 1) * slots, sizeof(double)),
		.cpus = options[MARKET_HOSTS] * options[MARKET_CPUS],
		.most = options[MARKET_MOST],
	};
	if (net->most <= 0 || net->most > options[MARKET_CPUS])
		net->most = options[MARKET_CPUS];
	if (!net->starts || !net->first || !net->end || !net->flow ||
	    !net->used || !net->from_job || !net->from_slot || !net->queue ||
	    !net->saved)
		return -1;
	for (size_t i = 0; i < n; i++) {
		net->starts[2 * i] = jobs[i].job.submit_s;
		net->starts[2 * i + 1] = jobs[i].job.deadline_s;
	}
	sim_sort(net->starts, slots);
	for (size_t i = 0; i < slots; i++)
		if (m == 0 || net->starts[i] > net->starts[m - 1])
			net->starts[m++] = net->starts[i];
	net->slots = m > 0 ? m - 1 : 0;
	find_windows(net);
	return 0;
}

int market_optimum(const struct market_job *jobs, size_t n,
		   const double *options, struct market_optimum *optimum,
		   bool *chosen, struct libra_error *err)
{
	struct rank *order = calloc(n, sizeof(*order));
	bool *in = calloc(n, sizeof(*in));
	struct net net;
	int rc = net_init(&net, jobs, n, options);

	if (rc < 0 || !order || !in) {
		rc = sim_no_memory(err);
		goto done;
	}
	rank_jobs(&net, true, order);
	*optimum = (struct market_optimum){.bound = fractional(&net, order)};
	for (int density = 1; density >= 0; density--) {
		double value;

		rank_jobs(&net, density, order);
		value = greedy(&net, order, in);
		value += improve(&net, order, in);
		if (value <= optimum->value)
			continue;
		optimum->value = value;
		if (chosen)
			memcpy(chosen, in, n * sizeof(*in));
	}
	/* Sums of the same values may differ in their last digits. */
	optimum->bound = fmax(optimum->bound, optimum->value);
done:
	net_fini(&net);
	free(order);
	free(in);
	return rc;
}
