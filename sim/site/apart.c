/* SPDX-License-Identifier: GPL-2.0-or-later */
/* apart.c - how far a simulation and what happened are apart. */
#include "sim/site/apart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/site/measure.h"
#include "sim/site/what_impl.h"

#define TWO_WEEKS_S (14 * 24 * 3600.0)

enum { POINTS = 200 }; /* at which the moving mean is looked at */

static int by_ready(const void *a, const void *b)
{
	const struct apart_job *x = a, *y = b;

	return (x->ready_s > y->ready_s) - (x->ready_s < y->ready_s);
}

/* ---- one group ---- */

struct choice {
	const char *by, *name;
	const struct site_sizes *sizes;
	size_t size;
};

static bool is_in(const struct choice *c, const struct apart_job *job)
{
	if (strcmp(c->by, "partition") == 0)
		return strcmp(job->partition, c->name) == 0;
	if (strcmp(c->by, "qos") == 0)
		return strcmp(job->qos, c->name) == 0;
	return strcmp(c->by, "size") != 0 ||
	       site_size(c->sizes, job->procs) == c->size;
}

/* Return the mean error of the moving mean wait, in percent of the logged one.
 * A mean below WHAT_LEAST_WAIT_S counts as that long.
 */
static double moving_error(const struct apart_job **jobs, size_t n,
			   double window_s)
{
	double first_s = jobs[0]->ready_s, last_s = jobs[n - 1]->ready_s;
	double wait_s = 0, logged_s = 0, sum = 0;
	size_t from = 0, to = 0, points = 0;

	for (size_t k = 0; k < POINTS; k++) {
		double at_s =
			first_s + (last_s - first_s) * (double)(k + 1) / POINTS;
		double mean, logged;

		for (; to < n && jobs[to]->ready_s <= at_s; to++) {
			wait_s += jobs[to]->wait_s;
			logged_s += jobs[to]->logged_s;
		}
		for (; from < to && jobs[from]->ready_s <= at_s - window_s;
		     from++) {
			wait_s -= jobs[from]->wait_s;
			logged_s -= jobs[from]->logged_s;
		}
		if (to == from || (at_s < first_s + window_s && k + 1 < POINTS))
			continue;
		mean = fmax(wait_s / (double)(to - from), WHAT_LEAST_WAIT_S);
		logged =
			fmax(logged_s / (double)(to - from), WHAT_LEAST_WAIT_S);
		sum += fabs(mean - logged) / logged;
		points++;
	}
	return points ? 100 * sum / (double)points : NAN;
}

static void measure_group(struct apart_group *g, const struct apart_job **jobs,
			  double window_s)
{
	static const double within_s[APART_WITHIN] = {60, 600, 3600};
	double n = (double)g->n;

	for (size_t i = 0; i < g->n; i++) {
		g->wait_s += jobs[i]->wait_s / n;
		g->logged_s += jobs[i]->logged_s / n;
		for (size_t k = 0; k < APART_WITHIN; k++)
			if (fabs(jobs[i]->apart_s) <= within_s[k])
				g->within_pct[k] += 100 / n;
	}
	g->error_pct = moving_error(jobs, g->n, window_s);
}

/* Add the group of the jobs that are in it, if there are any. */
static int add_group(struct apart *a, const struct choice *c,
		     const struct apart_job *jobs, size_t n,
		     const struct apart_job **some, struct libra_error *err)
{
	struct apart_group g = {.by = c->by, .name = c->name};
	struct apart_group *bigger;

	for (size_t i = 0; i < n; i++)
		if (is_in(c, &jobs[i]))
			some[g.n++] = &jobs[i];
	if (g.n == 0)
		return 0;
	bigger = sim_grown(a->groups, &a->cap, a->n + 1, sizeof(*bigger));
	if (!bigger)
		return sim_no_memory(err);
	a->groups = bigger;
	measure_group(&g, some, a->window_s);
	a->groups[a->n++] = g;
	return 0;
}

/* ---- all groups ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Add a group for each name that a field of the jobs has. */
static int add_names(struct apart *a, const char *by,
		     const struct apart_job *jobs, size_t n,
		     const struct apart_job **some, struct libra_error *err)
{
	const char **names = calloc(n + 1, sizeof(*names));
	bool qos = strcmp(by, "qos") == 0;
	int rc = names ? 0 : sim_no_memory(err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		names[i] = qos ? jobs[i].qos : jobs[i].partition;
	if (rc == 0)
		qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (*names[i] &&
		    (i == 0 || strcmp(names[i], names[i - 1]) != 0))
			rc = add_group(
				a, &(struct choice){.by = by, .name = names[i]},
				jobs, n, some, err);
	free(names);
	return rc;
}

/* Measure what a study measures of its replay. */
static int measure_both(struct apart *a, const struct apart_job *jobs, size_t n,
			const struct what *what, struct libra_error *err)
{
	struct lived *lived = calloc(n + 1, sizeof(*lived));
	struct what_replay *replay = calloc(1, sizeof(*replay));
	int rc = lived && replay ? 0 : sim_no_memory(err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		lived[i] = (struct lived){jobs[i].ready_s - what->first_s,
					  jobs[i].wait_s, jobs[i].run_s,
					  jobs[i].procs, jobs[i].logged_s};
	if (rc == 0)
		rc = what_measure_replay(replay, lived, n, what, err);
	if (rc == 0) {
		a->ranks = replay->ranks;
		a->utilization_pct = replay->simulated.utilization_pct;
		a->logged_pct = replay->measured.utilization_pct;
	}
	free(lived);
	free(replay);
	return rc;
}

int apart_measure(struct apart *a, struct apart_job *jobs, size_t n,
		  uint32_t procs, struct libra_error *err)
{
	const struct apart_job **some = calloc(n + 1, sizeof(*some));
	struct what what = {.measured.procs = procs};
	int rc = some ? 0 : sim_no_memory(err);

	memset(a, 0, sizeof(*a));
	qsort(jobs, n, sizeof(*jobs), by_ready);
	what.first_s = n ? jobs[0].ready_s : 0;
	what.span_s = fmax(n ? jobs[n - 1].ready_s - what.first_s : 0, 1);
	site_sizes_init(&what.sizes, procs);
	a->window_s = fmin(TWO_WEEKS_S, what.span_s / 10);
	if (rc == 0)
		rc = measure_both(a, jobs, n, &what, err);
	if (rc == 0)
		rc = add_group(a, &(struct choice){.by = "all", .name = ""},
			       jobs, n, some, err);
	if (rc == 0)
		rc = add_names(a, "partition", jobs, n, some, err);
	if (rc == 0)
		rc = add_names(a, "qos", jobs, n, some, err);
	for (size_t s = 0; rc == 0 && s < SITE_SIZES; s++) {
		memcpy(a->sizes[s], what.sizes.names[s], sizeof(a->sizes[s]));
		rc = add_group(a,
			       &(struct choice){.by = "size",
						.name = a->sizes[s],
						.sizes = &what.sizes,
						.size = s},
			       jobs, n, some, err);
	}
	free(some);
	return rc;
}

void apart_fini(struct apart *a)
{
	free(a->groups);
	memset(a, 0, sizeof(*a));
}
