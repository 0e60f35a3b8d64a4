/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plans.c - plans KIND NODES PLANS [ROUNDS [at-once]]: the cost of calls of
 * planned and of band where so many promised jobs wait.
 *
 * KIND of planned: count: processors as many as nodes, plans name none; whole:
 * whole nodes of one kind, plans name them; shared: nodes of 16 processors, 64
 * GB and, each second one, 4 GPUs, jobs of tasks with memory, some with GPUs.
 * The machine is full, and plans come forward.  KIND of band, on NODES
 * processors: falling: jobs of the whole machine, each due before all others;
 * random: such jobs due at any time; mixed: each second one of one processor.
 * In each round a job asks that is accepted, one whose deadline is too near,
 * one is cancelled, one ends early, reservations move earlier slice by slice,
 * and jobs are added until as many wait as before.  After all rounds arrays of
 * 1,000 equal tasks are offered and withdrawn.  One node of fifty is drained.
 * With at-once, reservations move earlier within the calls.  Prints
 * for each kind of call how many, and microseconds: median, mean, 99th
 * percentile, worst.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/engine.h"
#include "tests/random.h"

enum { MEMORY, GPUS, KINDS };
enum call { ACCEPTED, REFUSED, EARLIEST, CANCEL, END, SLICE, ARRAY, NCALLS };

#define ARRAY_TASKS 1000 /* as LIBRA_ARRAY_TASKS */
#define ARRAYS	    10

#define MOST_CALLS 1000000

/* As plugin/host/sync.c. */
#define COMPRESS_STEPS 5000

static const char *const names[NCALLS] = {"accepted", "refused",   "earliest",
					  "cancel",   "early end", "slice",
					  "array"};

/* The jobs of band: 10 s each.  They have so much time as all of them need,
 * twice, and up to as much again.
 */
#define CROWD_S 10.0

struct crowd {
	const char *name;
	bool falling;
	uint32_t whole; /* each job of so many is of the whole machine */
};

static const struct crowd crowds[] = {
	{"falling", true, 1}, {"random", false, 1}, {"mixed", false, 2}};

struct host {
	struct libra_engine *engine;
	uint32_t nnodes;
	bool shared, at_once;
	const struct crowd *crowd; /* NULL: planned */
	size_t nasked;
	uint64_t random;
	double now_s, far_s;
	uint64_t *waits, *runs;
	size_t nwaits, nruns;
	double *us[NCALLS];
	size_t n[NCALLS];
};

static double draw(struct host *h)
{
	return random_unit(&h->random);
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void note(struct host *h, enum call call, double begin_us)
{
	if (h->n[call] < MOST_CALLS)
		h->us[call][h->n[call]++] = now_us() - begin_us;
}

static void forget(uint64_t *list, size_t *n, uint64_t ticket)
{
	size_t i = 0;

	while (i < *n && list[i] != ticket)
		i++;
	if (i < *n)
		list[i] = list[--*n];
}

static void schedule(struct host *h)
{
	struct libra_action action;

	libra_engine_schedule(h->engine, h->now_s);
	while (libra_engine_next_action(h->engine, &action)) {
		if (action.kind != LIBRA_ACTION_START)
			continue;
		libra_engine_started(h->engine, action.ticket, h->now_s);
		forget(h->waits, &h->nwaits, action.ticket);
		h->runs[h->nruns++] = action.ticket;
	}
}

struct asked {
	struct libra_job job;
	struct libra_where where;
	uint64_t per_chunk[KINDS], per_node[KINDS];
};

static void ask(struct host *h, struct asked *a, double within)
{
	double tasks = exp(log(h->nnodes / 4.0 + 0.9) * draw(h));

	*a = (struct asked){.where.chunk = 1};
	a->job = (struct libra_job){
		.submit_s = h->now_s,
		.estimate_s = floor(exp(6 + 4 * draw(h))),
		.nprocs = tasks < 1 ? 1 : (uint32_t)tasks,
	};
	a->job.deadline_s = h->now_s + a->job.estimate_s + 60 + within;
	if (!h->shared)
		return;
	a->where.chunk = 1 + (uint32_t)(4 * draw(h));
	a->job.nprocs *= a->where.chunk * 4;
	a->per_chunk[MEMORY] = (uint64_t)(12 * draw(h));
	if (draw(h) < 0.3) {
		a->per_node[GPUS] = 1 + (uint64_t)(4 * draw(h));
		a->job.nprocs = a->where.chunk;
		a->where.max_nodes = 1;
	}
	a->where.per_chunk = a->per_chunk;
	a->where.per_node = a->per_node;
	a->job.where = &a->where;
}

/* One that is refused has too little time. */
static void ask_crowd(struct host *h, struct asked *a, double within_s)
{
	double part =
		h->crowd->falling ? 1 / (1 + (double)h->nasked / 1e4) : draw(h);

	*a = (struct asked){0};
	a->job = (struct libra_job){
		.submit_s = h->now_s,
		.estimate_s = CROWD_S,
		.nprocs = h->nasked++ % h->crowd->whole ? 1 : h->nnodes,
		.deadline_s = within_s + h->far_s * part,
	};
	if (within_s == 0)
		a->job.deadline_s = h->now_s + CROWD_S / 2 * (1 + draw(h));
}

/* Result: whether it waits, or runs, now. */
static bool offer(struct host *h, double within, enum call expected)
{
	struct libra_verdict v;
	double begin_us;
	struct asked a;

	if (h->crowd)
		ask_crowd(h, &a, expected == REFUSED ? 0 : h->far_s);
	else
		ask(h, &a, within);
	begin_us = now_us();
	if (libra_engine_offer(h->engine, &a.job, h->now_s, &v, NULL) < 0)
		exit(1);
	if (v.answer != LIBRA_ACCEPT) {
		note(h, REFUSED, begin_us);
		if (expected == REFUSED) {
			begin_us = now_us();
			libra_engine_earliest_deadline(h->engine, &a.job,
						       h->now_s);
			note(h, EARLIEST, begin_us);
		}
		return false;
	}
	libra_engine_commit(h->engine, v.ticket, 1, h->now_s);
	h->waits[h->nwaits++] = v.ticket;
	schedule(h);
	note(h, ACCEPTED, begin_us);
	return true;
}

/* Offer the tasks of an array of small jobs, as one submission; then drop all.
 */
static void offer_array(struct host *h)
{
	static uint64_t tickets[ARRAY_TASKS];
	struct libra_verdict v = {.answer = LIBRA_ACCEPT};
	double begin_us;
	struct asked a;
	size_t n = 0;

	ask(h, &a, 2 * h->far_s);
	a.job.nprocs = h->shared ? 4 : 1;
	a.where.chunk = h->shared ? 2 : 1;
	a.where.max_nodes = 0;
	begin_us = now_us();
	while (n < ARRAY_TASKS && v.answer == LIBRA_ACCEPT) {
		if (libra_engine_offer(h->engine, &a.job, h->now_s, &v, NULL) <
		    0)
			exit(1);
		if (v.answer == LIBRA_ACCEPT)
			tickets[n++] = v.ticket;
	}
	if (n == ARRAY_TASKS)
		note(h, ARRAY, begin_us);
	while (n > 0)
		libra_engine_withdraw(h->engine, tickets[--n], h->now_s);
	schedule(h);
}

/* Compress slice by slice, as the host's thread does between calls. */
static void compress(struct host *h)
{
	double begin_us;
	bool more = true;

	while (more && libra_engine_can_compress(h->engine)) {
		begin_us = now_us();
		more = libra_engine_compress(h->engine, h->now_s,
					     COMPRESS_STEPS);
		note(h, SLICE, begin_us);
	}
	schedule(h);
}

static void cancel(struct host *h)
{
	size_t i = (size_t)(draw(h) * (double)h->nwaits);
	double begin_us = now_us();

	libra_engine_withdraw(h->engine, h->waits[i], h->now_s);
	h->waits[i] = h->waits[--h->nwaits];
	schedule(h);
	note(h, CANCEL, begin_us);
}

static void end(struct host *h)
{
	size_t i = (size_t)(draw(h) * (double)h->nruns);
	double begin_us;
	uint64_t ticket = h->runs[i];

	h->now_s += 1;
	begin_us = now_us();
	h->runs[i] = h->runs[--h->nruns];
	libra_engine_departed(h->engine, ticket, h->now_s);
	schedule(h);
	note(h, END, begin_us);
}

/* The jobs that there are to be so many of: those of band take turns. */
static size_t crowd_of(const struct host *h)
{
	return h->nwaits + (h->crowd ? h->nruns : 0);
}

/* One node of fifty is drained; it would be open for a while at first. */
static void drain(struct host *h)
{
	for (uint32_t i = 0; !h->crowd && i < h->nnodes; i += 50)
		libra_engine_node(h->engine, i, LIBRA_NODE_DRAIN, h->now_s);
}

static void fill(struct host *h, size_t plans)
{
	if (h->crowd)
		h->far_s = 2 * CROWD_S * (double)plans;
	for (uint64_t i = 0; crowd_of(h) < plans && i < 100 * plans; i++) {
		offer(h, h->far_s * (0.3 + draw(h)), ACCEPTED);
		h->far_s *= h->crowd ? 1 : 1.001;
	}
	memset(h->n, 0, sizeof(h->n));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print(struct host *h)
{
	for (int i = 0; i < NCALLS; i++) {
		size_t n = h->n[i];
		double sum = 0;

		if (n == 0)
			continue;
		for (size_t k = 0; k < n; k++)
			sum += h->us[i][k];
		qsort(h->us[i], n, sizeof(double), by_value);
		printf("%-10s %5zu %9.0f %9.0f %9.0f %9.0f\n", names[i], n,
		       h->us[i][n / 2], sum / (double)n, h->us[i][n * 99 / 100],
		       h->us[i][n - 1]);
	}
	printf("%zu wait, %zu run\n", h->nwaits, h->nruns);
}

static struct libra_engine *open_engine(struct host *h, const char *kind)
{
	const struct libra_policy_type *p =
		libra_policy_find(h->crowd ? "band" : "planned", NULL);
	uint32_t *procs = calloc(h->nnodes, sizeof(*procs));
	uint64_t *amounts = calloc((size_t)h->nnodes * KINDS, sizeof(*amounts));
	double *params = calloc(p->nparams, sizeof(*params));
	struct libra_engine *e = NULL;
	struct libra_engine_conf conf = {
		.policy = p,
		.params = params,
		.node_procs = procs,
		.nnodes = h->nnodes,
		.offer_ttl_s = INFINITY,
		.compress_later = !h->at_once,
		.by_node = !h->crowd && strcmp(kind, "count") != 0,
		.nresources = KINDS,
		.node_resources = amounts,
	};

	if (!conf.by_node)
		conf.nresources = 0;
	if (!procs || !amounts || !params)
		goto out;
	for (uint32_t i = 0; i < h->nnodes; i++) {
		procs[i] = h->shared ? 16 : 1;
		amounts[i * KINDS + MEMORY] = 64;
		amounts[i * KINDS + GPUS] = i % 2 && h->shared ? 4 : 0;
	}
	for (size_t i = 0; i < p->nparams; i++)
		params[i] = p->cluster_params[i];
	params[libra_param_find(p->params, p->nparams, "machine_reserve",
				NULL)] = 0;
	e = libra_engine_create(&conf, NULL);
out:
	free(procs);
	free(amounts);
	free(params);
	return e;
}

static int run(struct host *h, const char *kind, size_t plans, long rounds)
{
	h->engine = open_engine(h, kind);
	h->waits = calloc(MOST_CALLS, sizeof(*h->waits));
	h->runs = calloc(MOST_CALLS, sizeof(*h->runs));
	if (!h->engine || !h->waits || !h->runs)
		return 1;
	for (int i = 0; i < NCALLS; i++) {
		h->us[i] = calloc(MOST_CALLS, sizeof(double));
		if (!h->us[i])
			return 1;
	}
	drain(h);
	fill(h, plans);
	for (long i = 0; i < rounds; i++) {
		offer(h, h->far_s * (1 + draw(h)), ACCEPTED);
		offer(h, h->far_s * 0.01 * draw(h), REFUSED);
		if (h->nwaits > 0)
			cancel(h);
		end(h);
		compress(h);
		for (int k = 0; crowd_of(h) < plans && k < 100; k++)
			offer(h, h->far_s * (1 + draw(h)), ACCEPTED);
	}
	for (int i = 0; i < ARRAYS && !h->crowd; i++) {
		offer_array(h);
		compress(h);
	}
	print(h);
	return 0;
}

int main(int argc, char **argv)
{
	struct host h = {.random = 1, .far_s = 3600};
	size_t plans = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	int rc;

	if (plans == 0 || plans > MOST_CALLS / 4 || argc > 6 ||
	    (argc > 5 && strcmp(argv[5], "at-once") != 0)) {
		fprintf(stderr,
			"usage: plans count|whole|shared|falling|"
			"random|mixed NODES PLANS [ROUNDS [at-once]]\n");
		return 2;
	}
	h.nnodes = (uint32_t)strtoul(argv[2], NULL, 10);
	h.shared = strcmp(argv[1], "shared") == 0;
	h.at_once = argc > 5;
	for (int i = 0; i < 3; i++)
		if (strcmp(argv[1], crowds[i].name) == 0)
			h.crowd = &crowds[i];
	rc = run(&h, argv[1], plans,
		 argc > 4 ? strtol(argv[4], NULL, 10) : 100);
	libra_engine_destroy(h.engine);
	for (int i = 0; i < NCALLS; i++)
		free(h.us[i]);
	free(h.waits);
	free(h.runs);
	return rc;
}
