/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grid.c - points to batches, batches to workers, results to the caller.
 *
 * The points are sorted so that equal ones, and those of one scenario, are
 * neighbours.  A batch, which one worker takes, is all different points of one
 * scenario: it makes the workload once and runs its policies.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/run/run.h"
#include "sim/study/grid.h"
#include "sim/workload/nodes.h"

/* The points, sorted, and their batches: three levels of indices. */
struct grid {
	const struct swf_trace *trace;
	const struct sim_point *points;
	size_t n;
	size_t *order;	/* points, sorted */
	size_t *unique; /* first of its equals, as index into order */
	size_t nunique;
	size_t *batch; /* first of each batch, as index into unique; + end */
	size_t nbatches;
	struct sim_result *results; /* of each different point */
};

/* Equal points keep the order of the caller. */
static int order_cmp(const void *a, const void *b, void *arg)
{
	const struct sim_point *points = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int c = sim_point_compare(&points[i], &points[j]);

	return c ? c : (i > j) - (i < j);
}

static const struct sim_point *unique_point(const struct grid *g, size_t u)
{
	return &g->points[g->order[g->unique[u]]];
}

/* Find the different points, and where each scenario begins. */
static void find_batches(struct grid *g)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct sim_point *p = &g->points[g->order[i]];
		const struct sim_point *last =
			g->nunique ? unique_point(g, g->nunique - 1) : NULL;

		if (last && sim_point_compare(last, p) == 0)
			continue;
		if (!last ||
		    sim_scenario_compare(&last->scenario, &p->scenario))
			g->batch[g->nbatches++] = g->nunique;
		g->unique[g->nunique++] = i;
	}
	g->batch[g->nbatches] = g->nunique;
}

/* Sort the points, find the batches, and allocate the results. */
static int grid_init(struct grid *g, struct libra_error *err)
{
	g->order = calloc(g->n, sizeof(*g->order));
	g->unique = calloc(g->n, sizeof(*g->unique));
	g->batch = calloc(g->n + 1, sizeof(*g->batch));
	if (!g->order || !g->unique || !g->batch)
		return sim_no_memory(err);
	for (size_t i = 0; i < g->n; i++)
		g->order[i] = i;
	qsort_r(g->order, g->n, sizeof(*g->order), order_cmp,
		(void *)g->points);
	find_batches(g);
	g->results = calloc(g->nunique, sizeof(*g->results));
	if (!g->results)
		return sim_no_memory(err);
	return 0;
}

static void grid_fini(struct grid *g)
{
	int saved = errno;

	free(g->results);
	free(g->order);
	free(g->unique);
	free(g->batch);
	errno = saved;
}

static int fail_point(const struct sim_point *p, const struct libra_error *why,
		      struct libra_error *err)
{
	int code = errno;

	return libra_errf(err, code, "%s, seed %llu: %s", p->policy->name,
			  (unsigned long long)p->scenario.seed,
			  why->text[0] ? why->text : strerror(code));
}

/* The workload of a scenario, on its nodes if it has some. */
static int make_workload(const struct grid *g, const struct sim_scenario *sc,
			 struct sim_workload *w, struct sim_nodes *nodes,
			 struct libra_error *err)
{
	int saved;

	if (sim_workload_make(w, g->trace, sc, err) < 0)
		return -1;
	w->studied = true;
	if (sc->node_procs == 0 ||
	    (sim_nodes_equal(nodes, w, sc, err) == 0 &&
	     sim_nodes_apply(nodes, w, g->trace, err) == 0))
		return 0;
	saved = errno;
	sim_nodes_fini(nodes);
	sim_workload_fini(w);
	errno = saved;
	return -1;
}

static int run_point(const struct sim_point *p, const struct sim_workload *w,
		     struct sim_result *result, struct libra_error *err)
{
	if (w->nodes && sim_nodes_check(w->nodes, p->policy, err) < 0)
		return -1;
	return sim_run(w, p->policy, p->params, result, NULL, err);
}

/* One piece of work: all points of one scenario. */
static int run_batch(struct sim_workers *workers, void *arg, size_t batch,
		     void *shared, struct libra_error *err)
{
	const struct grid *g = arg;
	struct sim_result *results = shared;
	struct libra_error why = {.text = ""};
	size_t u = g->batch[batch], end = g->batch[batch + 1];
	const struct sim_point *p = unique_point(g, u);
	struct sim_nodes nodes = {NULL};
	struct sim_workload w;
	bool go_on = true;
	int rc = 0, saved;

	if (make_workload(g, &p->scenario, &w, &nodes, &why) < 0)
		return fail_point(p, &why, err);
	w.progress = sim_workers_part;
	w.progress_arg = workers;
	for (; rc == 0 && go_on && u < end; u++) {
		p = unique_point(g, u);
		rc = run_point(p, &w, &results[u], &why);
		if (rc < 0)
			rc = fail_point(p, &why, err);
		else
			go_on = sim_workers_step(workers);
	}
	saved = errno;
	sim_nodes_fini(&nodes);
	sim_workload_fini(&w);
	errno = saved;
	return rc;
}

/* Each point gets the result of the first of its equals. */
static void hand_out(const struct grid *g, struct sim_result *results)
{
	for (size_t u = 0; u < g->nunique; u++) {
		size_t end = u + 1 < g->nunique ? g->unique[u + 1] : g->n;

		for (size_t i = g->unique[u]; i < end; i++)
			results[g->order[i]] = g->results[u];
	}
}

int sim_grid_run(const struct swf_trace *trace, const struct sim_point *points,
		 size_t n, struct sim_result *results, unsigned nworkers,
		 sim_progress_f *progress, void *arg, struct libra_error *err)
{
	struct grid g = {.trace = trace, .points = points, .n = n};
	struct sim_pieces pieces = {.run = run_batch, .arg = &g};
	int rc;

	if (n == 0)
		return 0;
	rc = grid_init(&g, err);
	if (rc == 0) {
		pieces.n = g.nbatches;
		pieces.nsteps = g.nunique;
		pieces.results = g.results;
		pieces.size = g.nunique * sizeof(*g.results);
		rc = sim_workers_run(&pieces, nworkers, progress, arg, err);
	}
	if (rc == 0)
		hand_out(&g, results);
	grid_fini(&g);
	return rc;
}
