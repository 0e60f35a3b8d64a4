/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait_bounds.c - order statistics of the waits that are known, class by class.
 *
 * All waits of a class are ranked beforehand.  A Fenwick tree over the ranks
 * counts those that are known, so that finding the k-th of n takes log n steps.
 */
#include "sim/site/wait_bounds.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

size_t when_order(size_t n, double quantile, double confidence)
{
	size_t low = 1, high = n;

	/* P(at most k - 1 of n waits are below the quantile) rises with k. */
	if (n == 0 || n > UINT32_MAX ||
	    gsl_cdf_binomial_P((unsigned)n - 1, quantile, (unsigned)n) <
		    confidence)
		return 0;
	while (low < high) {
		size_t k = low + (high - low) / 2;

		if (gsl_cdf_binomial_P((unsigned)k - 1, quantile,
				       (unsigned)n) >= confidence)
			high = k;
		else
			low = k + 1;
	}
	return low;
}

struct job {
	double arrival_s, wait_s;
	double bound_s; /* NAN = none was given */
	uint32_t class;
	uint32_t rank[2]; /* in its class, and in all: from 1 */
	int32_t queue, partition;
	uint32_t size;
};

/* The waits that are known, of one class. */
struct known {
	uint32_t *tree;	       /* counts by rank */
	double *sorted;	       /* waits by rank - 1 */
	uint32_t *started;     /* jobs in the order of their starts */
	size_t jobs, first, n; /* known: started[first] to started[n - 1] */
	size_t misses;	       /* in a row */
	size_t order_n, order; /* the last answer of when_order() */
	int which;	       /* rank */
};

struct test {
	const struct when_conf *conf;
	struct when *when;
	struct job *jobs;
	size_t njobs;
	struct known *known; /* of each class */
	uint32_t *starts;    /* jobs by start */
	size_t least;	     /* waits that a bound takes */
};

/* ---- counts by rank ---- */

static void count(struct known *k, uint32_t rank, int by)
{
	for (size_t i = rank; i <= k->jobs; i += i & -i)
		k->tree[i] += (uint32_t)by;
}

/* The k-th smallest of the known waits. */
static double wait_at(const struct known *k, size_t place)
{
	size_t at = 0, step = 1;

	while (step * 2 <= k->jobs)
		step *= 2;
	for (; step > 0; step /= 2)
		if (at + step <= k->jobs && k->tree[at + step] < place) {
			at += step;
			place -= k->tree[at];
		}
	return k->sorted[at];
}

static size_t nknown(const struct known *k)
{
	return k->n - k->first;
}

/* The present bound; NAN if too few waits are known. */
static double bound_of(struct known *k, double quantile, double confidence)
{
	size_t n = nknown(k), order = when_order(n, quantile, confidence);

	return order ? wait_at(k, order) : NAN;
}

/* The same by the settings; the rank is kept while as many waits are known. */
static double usual_bound(struct test *t, struct known *k)
{
	size_t n = nknown(k);

	if (n != k->order_n) {
		k->order =
			when_order(n, t->conf->quantile, t->conf->confidence);
		k->order_n = n;
	}
	return k->order ? wait_at(k, k->order) : NAN;
}

static void forget(struct test *t, struct known *k)
{
	while (nknown(k) > t->least) {
		const struct job *job = &t->jobs[k->started[k->first++]];

		count(k, job->rank[k->which], -1);
	}
	k->misses = 0;
}

/* A job has started, so its wait is known.  Result: whether the class has
 * forgotten its past.
 */
static bool learn(struct test *t, struct known *k, uint32_t index)
{
	const struct job *job = &t->jobs[index];

	k->started[k->n++] = index;
	count(k, job->rank[k->which], 1);
	if (isnan(job->bound_s))
		return false;
	k->misses = job->wait_s > job->bound_s ? k->misses + 1 : 0;
	if (k->misses < WHEN_MISSES)
		return false;
	forget(t, k);
	return true;
}

/* ---- classes ---- */

static uint32_t size_of(int32_t procs)
{
	return procs <= 4 ? 0 : procs <= 16 ? 1 : procs <= 64 ? 2 : 3;
}

static int32_t procs_of(const struct swf_record *r)
{
	return r->req_procs > 0 ? r->req_procs : r->alloc_procs;
}

static int by_class(const void *a, const void *b, void *arg)
{
	const struct job *jobs = arg;
	const struct job *x = &jobs[*(const uint32_t *)a];
	const struct job *y = &jobs[*(const uint32_t *)b];

	if (x->partition != y->partition)
		return x->partition < y->partition ? -1 : 1;
	if (x->queue != y->queue)
		return x->queue < y->queue ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return (x->wait_s > y->wait_s) - (x->wait_s < y->wait_s);
}

static int by_wait(const void *a, const void *b, void *arg)
{
	const struct job *jobs = arg;
	double x = jobs[*(const uint32_t *)a].wait_s;
	double y = jobs[*(const uint32_t *)b].wait_s;

	return (x > y) - (x < y);
}

static int by_start(const void *a, const void *b, void *arg)
{
	const struct job *jobs = arg;
	const struct job *x = &jobs[*(const uint32_t *)a];
	const struct job *y = &jobs[*(const uint32_t *)b];
	double s = x->arrival_s + x->wait_s, t = y->arrival_s + y->wait_s;

	if (s != t)
		return s < t ? -1 : 1;
	return (x > y) - (x < y);
}

static bool same_class(const struct job *a, const struct job *b)
{
	return a->queue == b->queue && a->partition == b->partition &&
	       a->size == b->size;
}

/* Make room for the waits of a class: jobs order[first] to
 * order[first + n - 1].
 */
static int add_known(struct test *t, const uint32_t *order, size_t n, int which)
{
	struct known *k = &t->known[t->when->n];

	k->jobs = n;
	k->which = which;
	k->tree = calloc(n + 1, sizeof(*k->tree));
	k->sorted = calloc(n, sizeof(*k->sorted));
	k->started = calloc(n, sizeof(*k->started));
	t->when->n++; /* so that it is freed even after an error */
	if (!k->tree || !k->sorted || !k->started)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct job *job = &t->jobs[order[i]];

		job->rank[which] = (uint32_t)i + 1;
		k->sorted[i] = job->wait_s;
		if (which == 0)
			job->class = (uint32_t)t->when->n - 1;
	}
	return 0;
}

static int make_classes(struct test *t)
{
	uint32_t *order = t->starts; /* sorted by start later */
	size_t nclasses = 2;

	for (size_t i = 0; i < t->njobs; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, t->njobs, sizeof(*order), by_class, t->jobs);
	for (size_t i = 1; i < t->njobs; i++)
		nclasses +=
			!same_class(&t->jobs[order[i - 1]], &t->jobs[order[i]]);
	t->known = calloc(nclasses, sizeof(*t->known));
	t->when->classes = calloc(nclasses, sizeof(*t->when->classes));
	if (!t->known || !t->when->classes)
		return -1;
	for (size_t i = 0, n; i < t->njobs; i += n) {
		const struct job *job = &t->jobs[order[i]];

		for (n = 1; i + n < t->njobs &&
			    same_class(job, &t->jobs[order[i + n]]);)
			n++;
		t->when->classes[t->when->n] = (struct when_class){
			.queue = job->queue,
			.partition = job->partition,
			.size = job->size,
			.jobs = n,
		};
		if (add_known(t, order + i, n, 0) < 0)
			return -1;
	}
	qsort_r(order, t->njobs, sizeof(*order), by_wait, t->jobs);
	t->when->classes[t->when->n] = (struct when_class){
		.queue = -1, .partition = -1, .jobs = t->njobs};
	if (add_known(t, order, t->njobs, 1) < 0)
		return -1;
	qsort_r(order, t->njobs, sizeof(*order), by_start, t->jobs);
	return 0;
}

/* ---- the test ---- */

static int by_arrival(const void *a, const void *b)
{
	double x = ((const struct job *)a)->arrival_s;
	double y = ((const struct job *)b)->arrival_s;

	return (x > y) - (x < y);
}

static int take_jobs(struct test *t, const struct swf_trace *trace,
		     struct libra_error *err)
{
	t->jobs = calloc(trace->nrecords + 1, sizeof(*t->jobs));
	t->starts = calloc(trace->nrecords + 1, sizeof(*t->starts));
	if (!t->jobs || !t->starts)
		return sim_no_memory(err);
	for (size_t i = 0; i < trace->nrecords; i++) {
		const struct swf_record *r = &trace->records[i];

		if (r->wait_s < 0 || r->run_s < 0)
			continue;
		t->jobs[t->njobs++] = (struct job){
			.arrival_s = r->submit_s,
			.wait_s = r->wait_s,
			.bound_s = NAN,
			.queue = r->queue,
			.partition = r->partition,
			.size = size_of(procs_of(r)),
		};
	}
	if (t->njobs == 0)
		return libra_errf(err, EINVAL,
				  "no record of the log has a wait (field 3): "
				  "there is nothing to learn from");
	qsort(t->jobs, t->njobs, sizeof(*t->jobs), by_arrival);
	return 0;
}

static void give_bound(struct test *t, struct job *job)
{
	struct when_class *c = &t->when->classes[job->class];
	size_t all = t->when->n - 1;

	job->bound_s = usual_bound(t, &t->known[job->class]);
	if (isnan(job->bound_s)) {
		job->bound_s = usual_bound(t, &t->known[all]);
		c->borrowed += !isnan(job->bound_s);
	}
	if (isnan(job->bound_s))
		return;
	c->bounds++;
	c->kept += job->wait_s <= job->bound_s;
}

static void go_through(struct test *t)
{
	size_t all = t->when->n - 1, started = 0;

	for (size_t i = 0; i <= t->njobs; i++) {
		double now_s = i < t->njobs ? t->jobs[i].arrival_s : INFINITY;

		for (; started < t->njobs; started++) {
			uint32_t index = t->starts[started];
			const struct job *job = &t->jobs[index];

			if (job->arrival_s + job->wait_s >= now_s)
				break;
			t->when->classes[job->class].changes +=
				learn(t, &t->known[job->class], index);
			t->when->classes[all].changes +=
				learn(t, &t->known[all], index);
		}
		if (i < t->njobs)
			give_bound(t, &t->jobs[i]);
	}
}

static void sum_up(struct test *t)
{
	struct when *w = t->when;

	for (size_t i = 0; i < w->n; i++) {
		struct when_class *c = &w->classes[i];
		struct known *k = &t->known[i];

		c->history = nknown(k);
		c->bound_s = usual_bound(t, k);
		c->median_s = bound_of(k, 0.5, t->conf->confidence);
		if (i + 1 == w->n)
			break;
		w->bounds += c->bounds;
		w->kept += c->kept;
		w->changes += c->changes;
	}
	w->jobs = t->njobs;
	w->classes[w->n - 1].bounds = w->bounds;
	w->classes[w->n - 1].kept = w->kept;
}

int when_test(struct when *when, const struct swf_trace *trace,
	      const struct when_conf *conf, struct libra_error *err)
{
	struct test t = {.conf = conf, .when = when};
	int rc;

	memset(when, 0, sizeof(*when));
	if (!(conf->quantile > 0 && conf->quantile < 1 &&
	      conf->confidence > 0 && conf->confidence < 1))
		return libra_errf(err, EINVAL,
				  "quantile and confidence must be between 0 "
				  "and 1");
	for (t.least = 1;
	     when_order(t.least, conf->quantile, conf->confidence) == 0;)
		t.least++;
	rc = take_jobs(&t, trace, err);
	if (rc == 0 && make_classes(&t) < 0)
		rc = sim_no_memory(err);
	if (rc == 0) {
		go_through(&t);
		sum_up(&t);
	}
	for (size_t i = 0; t.known && i < when->n; i++) {
		free(t.known[i].tree);
		free(t.known[i].sorted);
		free(t.known[i].started);
	}
	free(t.known);
	free(t.jobs);
	free(t.starts);
	if (rc < 0)
		when_fini(when);
	return rc;
}

void when_fini(struct when *when)
{
	free(when->classes);
	memset(when, 0, sizeof(*when));
}

const struct when_class *when_class_of(const struct when *when, int32_t queue,
				       int32_t partition, uint32_t procs)
{
	uint32_t size = size_of((int32_t)procs);

	for (size_t i = 0; i + 1 < when->n; i++) {
		const struct when_class *c = &when->classes[i];

		if ((queue < 0 || c->queue == queue) &&
		    (partition < 0 || c->partition == partition) &&
		    c->size == size && !isnan(c->bound_s))
			return c;
	}
	return &when->classes[when->n - 1];
}

const char *when_size_name(const struct when *when, const struct when_class *c)
{
	static const char *const names[WHEN_SIZES] = {"1-4", "5-16", "17-64",
						      "65+"};

	return c == &when->classes[when->n - 1] ? "all" : names[c->size];
}
