/* SPDX-License-Identifier: GPL-2.0-or-later */
/* apart.c - how far a simulation and what happened are apart. */
#include "sim/site/apart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/site/what_impl.h"

#define TWO_WEEKS_S (14 * 24 * 3600.0)

static int by_ready(const void *a, const void *b)
{
	const struct apart_job *x = a, *y = b;

	return (x->ready_s > y->ready_s) - (x->ready_s < y->ready_s);
}

/* ---- one group ---- */

/* The jobs that a group has: by a partition or QOS named `name`, by a class of
 * sizes, or all.
 */
struct choice {
	const char *by, *name;
	const struct site_sizes *sizes;
	size_t size;
};

/* Return true if a job belongs to the chosen group. */
static bool is_in(const struct choice *c, const struct apart_job *job)
{
	if (strcmp(c->by, "partition") == 0)
		return strcmp(job->partition, c->name) == 0;
	if (strcmp(c->by, "qos") == 0)
		return strcmp(job->qos, c->name) == 0;
	return strcmp(c->by, "size") != 0 ||
	       site_size(c->sizes, job->procs) == c->size;
}

/* Move a window over jobs in the order of ready_s. */
static void move(struct apart_moving *m, const struct apart_job **jobs,
		 size_t n)
{
	double first_s = jobs[0]->ready_s, last_s = jobs[n - 1]->ready_s;
	double begin_s = fmin(first_s + m->window_s, last_s);
	double sum_s[APART_SIDES] = {0}, error = 0;
	size_t from = 0, to = 0, points = 0;

	for (size_t k = 0; k < APART_POINTS; k++) {
		double end_s = begin_s + (last_s - begin_s) * (double)k /
						 (APART_POINTS - 1);
		double measured_s, simulated_s;

		for (; to < n && jobs[to]->ready_s <= end_s; to++) {
			sum_s[APART_MEASURED] += jobs[to]->logged_s;
			sum_s[APART_SIMULATED] += jobs[to]->wait_s;
		}
		for (; from < to && jobs[from]->ready_s < end_s - m->window_s;
		     from++) {
			sum_s[APART_MEASURED] -= jobs[from]->logged_s;
			sum_s[APART_SIMULATED] -= jobs[from]->wait_s;
		}
		m->at_s[k] = fmax(end_s - m->window_s / 2 - first_s, 0);
		for (size_t side = 0; side < APART_SIDES; side++)
			m->mean_s[side][k] =
				to > from ? sum_s[side] / (double)(to - from)
					  : NAN;
		if (to == from)
			continue;
		measured_s =
			fmax(m->mean_s[APART_MEASURED][k], WHAT_LEAST_WAIT_S);
		simulated_s =
			fmax(m->mean_s[APART_SIMULATED][k], WHAT_LEAST_WAIT_S);
		error += fabs(simulated_s - measured_s) / measured_s;
		points++;
	}
	m->error_pct = points ? 100 * error / (double)points : NAN;
}

/* Return the window of the moving mean, in seconds, for n jobs in order of
 * ready_s.
 */
static double window_of(const struct apart_job *jobs, size_t n)
{
	double span_s = n ? jobs[n - 1].ready_s - jobs[0].ready_s : 0;

	return fmin(TWO_WEEKS_S, fmax(span_s, 1) / 10);
}

int apart_move(struct apart_moving *moving, struct apart_job *jobs, size_t n,
	       struct libra_error *err)
{
	const struct apart_job **all = calloc(n + 1, sizeof(*all));

	if (!all)
		return sim_no_memory(err);
	qsort(jobs, n, sizeof(*jobs), by_ready);
	for (size_t i = 0; i < n; i++)
		all[i] = &jobs[i];
	moving->window_s = window_of(jobs, n);
	move(moving, all, n);
	free(all);
	return 0;
}

/* Compute the measures of a group of g->n > 0 jobs in order of ready_s.  g is
 * zero but for by, name and n.
 */
static void measure_group(struct apart_group *g, const struct apart_job **jobs,
			  double window_s)
{
	struct apart_moving moving = {.window_s = window_s};
	double n = (double)g->n;

	for (size_t i = 0; i < g->n; i++) {
		g->wait_s += jobs[i]->wait_s / n;
		g->logged_s += jobs[i]->logged_s / n;
		for (size_t k = 0; k < SITE_WITHIN; k++)
			if (fabs(jobs[i]->apart_s) <= (double)site_within_s[k])
				g->within_pct[k] += 100 / n;
	}
	move(&moving, jobs, g->n);
	g->error_pct = moving.error_pct;
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
	a->window_s = window_of(jobs, n);
	if (rc == 0)
		rc = measure_both(a, jobs, n, &what, err);
	if (rc == 0)
		rc = add_group(a, &(struct choice){.by = "all", .name = ""},
			       jobs, n, some, err);
	if (rc == 0)
		rc = add_names(a, "partition", jobs, n, some, err);
	if (rc == 0)
		rc = add_names(a, "qos", jobs, n, some, err);
	a->sizes = what.sizes;
	for (size_t s = 0; rc == 0 && s < SITE_SIZES; s++)
		rc = add_group(a,
			       &(struct choice){.by = "size",
						.name = a->sizes.names[s],
						.sizes = &a->sizes,
						.size = s},
			       jobs, n, some, err);
	free(some);
	return rc;
}

void apart_fini(struct apart *a)
{
	free(a->groups);
	memset(a, 0, sizeof(*a));
}
