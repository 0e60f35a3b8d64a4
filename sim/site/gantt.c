/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gantt.c - jobs to rows; what is too small for a bar of its own, to cells. */
#include "sim/site/gantt.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/site/gantt_impl.h"
#include "sim/site/measure.h"

enum {
	ROWS = 200,   /* at most */
	DRAWN = 2000, /* jobs that have elements of their own, the largest */
};

/* ---- keys: who has the same has one colour ---- */

/* Return the number that decides the colour of a job: class of size, promise or
 * user.
 */
static int32_t key_of(const struct gantt_layout *l, const struct site_job *job)
{
	switch (l->g->colour) {
	case GANTT_SIZE:
		return (int32_t)site_size(&l->sizes, job->procs);
	case GANTT_PROMISE:
		return (int32_t)job->promise;
	default:
		return job->user;
	}
}

/* Return true if a job runs at some time of the chart. */
static bool runs_then(const struct gantt_layout *l, const struct site_job *job)
{
	return job->start_s < l->to_s && job->end_s > l->from_s;
}

/* The jobs of one key, and their processor seconds in the time of the chart. */
struct share {
	int32_t key;
	double work;
};

static int by_key(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static int by_work(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->work != y->work)
		return x->work > y->work ? -1 : 1;
	return by_key(a, b);
}

/* The keys of most work, first; those of other colours have an order. */
static int choose_keys(struct gantt_layout *l, struct libra_error *err)
{
	const struct site_jobs *jobs = l->g->jobs;
	struct share *s = calloc(jobs->n + 1, sizeof(*s));
	size_t n = 0, k = 0;

	if (!s)
		return sim_no_memory(err);
	for (size_t i = 0; i < jobs->n; i++) {
		const struct site_job *j = &jobs->list[i];

		if (runs_then(l, j))
			s[n++] = (struct share){
				key_of(l, j), site_work(j, l->from_s, l->to_s)};
	}
	qsort(s, n, sizeof(*s), by_key);
	for (size_t i = 1; i < n; i++) {
		if (s[i].key == s[k].key)
			s[k].work += s[i].work;
		else
			s[++k] = s[i];
	}
	k += n > 0;
	qsort(s, k, sizeof(*s), l->g->colour == GANTT_USER ? by_work : by_key);
	for (; l->nkeys < k && l->nkeys < GANTT_OTHERS; l->nkeys++)
		l->keys[l->nkeys] = s[l->nkeys].key;
	l->others = k > GANTT_OTHERS;
	free(s);
	return n > 0 ? 0 : site_jobs_outside(l->g->jobs, err);
}

/* Return the colour of a key, from 0; keys without a colour of their own share
 * GANTT_OTHERS.
 */
static uint8_t colour_of(const struct gantt_layout *l, int32_t key)
{
	for (size_t i = 0; i < l->nkeys; i++)
		if (l->keys[i] == key)
			return (uint8_t)i;
	return GANTT_OTHERS;
}

/* ---- bars ---- */

static int by_start(const void *a, const void *b)
{
	const struct gantt_bar *x = a, *y = b;

	if (x->job->start_s != y->job->start_s)
		return x->job->start_s < y->job->start_s ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* The largest jobs get elements of their own. */
static int choose_own(struct gantt_layout *l, struct libra_error *err)
{
	double *area = calloc(l->nbars, sizeof(*area)), least;
	size_t left = DRAWN;

	if (!area)
		return sim_no_memory(err);
	for (size_t i = 0; i < l->nbars; i++)
		area[i] = site_work(l->bars[i].job, l->from_s, l->to_s);
	qsort(area, l->nbars, sizeof(*area), site_by_value);
	least = l->nbars > DRAWN ? area[l->nbars - DRAWN] : 0;
	free(area);
	for (size_t i = 0; i < l->nbars; i++)
		left -= site_work(l->bars[i].job, l->from_s, l->to_s) > least;
	/* Of those of the least size, the first. */
	for (size_t i = 0; i < l->nbars; i++) {
		double size = site_work(l->bars[i].job, l->from_s, l->to_s);

		l->bars[i].own = size > least || (size == least && left > 0);
		left -= size == least && left > 0;
		l->nsmall += !l->bars[i].own;
	}
	return 0;
}

/* Make a bar for each job of the chart, by start.
 * Result: 0, or -1 with ENOMEM.
 */
static int choose_bars(struct gantt_layout *l, struct libra_error *err)
{
	const struct site_jobs *jobs = l->g->jobs;

	l->bars = calloc(jobs->n + 1, sizeof(*l->bars));
	if (!l->bars)
		return sim_no_memory(err);
	for (size_t i = 0; i < jobs->n; i++) {
		const struct site_job *job = &jobs->list[i];

		if (runs_then(l, job))
			l->bars[l->nbars++] = (struct gantt_bar){
				.job = job,
				.colour = colour_of(l, key_of(l, job))};
	}
	qsort(l->bars, l->nbars, sizeof(*l->bars), by_start);
	return choose_own(l, err);
}

/* ---- rows ---- */

/* A cell has the colour of the job that fills most of it. */
static void fill_cells(struct gantt_layout *l, const struct gantt_bar *bar,
		       uint32_t row)
{
	double width_s = (l->to_s - l->from_s) / GANTT_COLUMNS;
	double from = fmax((bar->job->start_s - l->from_s) / width_s, 0);
	double to =
		fmin((bar->job->end_s - l->from_s) / width_s, GANTT_COLUMNS);

	for (size_t i = (size_t)from; (double)i < to && i < GANTT_COLUMNS;
	     i++) {
		float part = (float)(fmin(to, (double)i + 1) -
				     fmax(from, (double)i));
		size_t cell = (size_t)row * GANTT_COLUMNS + i;

		if (part > l->filled[cell]) {
			l->filled[cell] = part;
			l->colour[cell] = (uint8_t)(1 + bar->colour);
		}
	}
}

/* Jobs that share a processor lie in lanes of its row. */
static bool has_lanes(const struct gantt_layout *l)
{
	return l->g->jobs->placed && l->row_procs == 1;
}

/* Rows come in rising order; the same one may come twice. */
static int fill_row(struct gantt_layout *l, struct gantt_bar *bar, uint32_t row,
		    struct libra_error *err)
{
	struct gantt_run *last = bar->n > 0 ? &l->runs[l->nruns - 1] : NULL;
	struct gantt_run *runs;

	/* slurmctld hears of ends by the second. */
	l->shared |= l->free_s[row] > bar->job->start_s + 1;
	l->free_s[row] = fmax(l->free_s[row], bar->job->end_s);
	if (!bar->own) {
		fill_cells(l, bar, row);
		return 0;
	}
	if (last && row < last->row + last->n)
		return 0;
	if (last && row == last->row + last->n && !has_lanes(l)) {
		last->n++;
		return 0;
	}
	runs = sim_grown(l->runs, &l->cap, l->nruns + 1, sizeof(*runs));
	if (!runs)
		return sim_no_memory(err);
	l->runs = runs;
	if (bar->n++ == 0)
		bar->first = l->nruns;
	l->runs[l->nruns++] = (struct gantt_run){row, 1, 0, 1};
	return 0;
}

/* The first row from there that is free; if none is, the one that is free
 * first.
 */
static uint32_t find_row(const struct gantt_layout *l, double now_s)
{
	uint32_t best = 0;

	for (uint32_t i = 0; i < l->rows; i++) {
		if (l->free_s[i] <= now_s)
			return i;
		if (l->free_s[i] < l->free_s[best])
			best = i;
	}
	return best;
}

/* Where it could have been.  Rows of several processors: what is rounded off
 * comes back with later jobs, so that the picture is as full as the machine.
 */
static int place_anywhere(struct gantt_layout *l, struct gantt_bar *bar,
			  double *owed, struct libra_error *err)
{
	int rc = 0;

	*owed += (double)bar->job->procs / l->row_procs;
	l->nunseen += *owed < 0.5;
	for (; rc == 0 && *owed >= 0.5; --*owed)
		rc = fill_row(l, bar, find_row(l, bar->job->start_s), err);
	return rc;
}

/* Place a job on the processors that the source names. */
static int place_there(struct gantt_layout *l, struct gantt_bar *bar,
		       struct libra_error *err)
{
	const struct libra_range *r =
		l->g->jobs->ranges + bar->job->first_range;
	int rc = 0;

	for (size_t i = 0; i < bar->job->nranges; i++) {
		uint64_t end = (uint64_t)r[i].first + r[i].count;

		for (uint64_t row = r[i].first / l->row_procs;
		     rc == 0 && row < l->rows && row * l->row_procs < end;
		     row++)
			rc = fill_row(l, bar, (uint32_t)row, err);
	}
	return rc;
}

/* Give each bar its rows, in order of starts. */
static int place_bars(struct gantt_layout *l, struct libra_error *err)
{
	double owed = 0; /* rows that small jobs have together */
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < l->nbars; i++)
		rc = l->g->jobs->placed
			     ? place_there(l, &l->bars[i], err)
			     : place_anywhere(l, &l->bars[i], &owed, err);
	return rc;
}

/* A rectangle and its job, to sort rectangles by row and start. */
struct lane_run {
	struct gantt_run *run;
	const struct gantt_bar *bar; /* by start */
};

static int by_row(const void *a, const void *b)
{
	const struct lane_run *x = a, *y = b;

	if (x->run->row != y->run->row)
		return x->run->row < y->run->row ? -1 : 1;
	return (x->bar > y->bar) - (x->bar < y->bar);
}

/* The first lane whose last job has ended; end_s has room for one more. */
static uint32_t find_lane(double *end_s, uint32_t *lanes, double start_s)
{
	uint32_t lane = 0;

	/* slurmctld hears of ends by the second. */
	while (lane < *lanes && end_s[lane] > start_s + 1)
		lane++;
	*lanes += lane == *lanes;
	return lane;
}

/* Jobs of a row that overlap, one with the next, share its height. */
static void set_lanes(struct lane_run *runs, size_t n, double *end_s)
{
	for (size_t first = 0, i; first < n; first = i) {
		double last_s = -INFINITY;
		uint32_t lanes = 0;

		for (i = first;
		     i < n && runs[i].run->row == runs[first].run->row &&
		     (i == first || runs[i].bar->job->start_s + 1 < last_s);
		     i++) {
			const struct site_job *job = runs[i].bar->job;
			uint32_t lane = find_lane(end_s, &lanes, job->start_s);

			runs[i].run->lane = lane;
			end_s[lane] = job->end_s;
			last_s = fmax(last_s, job->end_s);
		}
		for (size_t k = first; k < i; k++)
			runs[k].run->lanes = lanes;
	}
}

/* Rows of a job that it has alone are drawn as one. */
static void join_rows(struct gantt_layout *l, struct gantt_bar *bar)
{
	struct gantt_run *runs = l->runs + bar->first;
	size_t n = 0;

	for (size_t i = 0; i < bar->n; i++) {
		if (n > 0 && runs[n - 1].lanes == 1 && runs[i].lanes == 1 &&
		    runs[n - 1].row + runs[n - 1].n == runs[i].row)
			runs[n - 1].n++;
		else
			runs[n++] = runs[i];
	}
	bar->n = n;
}

/* Divide each row of one processor into lanes where its jobs overlap. */
static int place_lanes(struct gantt_layout *l, struct libra_error *err)
{
	struct lane_run *runs = calloc(l->nruns + 1, sizeof(*runs));
	double *end_s = calloc(l->nbars + 1, sizeof(*end_s));
	size_t n = 0;

	if (!runs || !end_s) {
		free(runs);
		free(end_s);
		return sim_no_memory(err);
	}
	for (size_t i = 0; i < l->nbars; i++)
		for (size_t k = 0; k < l->bars[i].n; k++)
			runs[n++] = (struct lane_run){
				&l->runs[l->bars[i].first + k], &l->bars[i]};
	qsort(runs, n, sizeof(*runs), by_row);
	set_lanes(runs, n, end_s);
	for (size_t i = 0; i < l->nbars; i++)
		join_rows(l, &l->bars[i]);
	free(runs);
	free(end_s);
	return 0;
}

/* A row of several processors holds jobs side by side; so do rows that are
 * rounded.
 */
static int confirm_shared(struct gantt_layout *l, struct libra_error *err)
{
	int64_t most;

	if (l->g->jobs->placed)
		l->shared &= l->row_procs == 1;
	if (!l->shared || l->g->jobs->placed)
		return 0;
	most = site_most_procs(l->g->jobs);
	l->shared = most > l->g->jobs->procs;
	return most < 0 ? sim_no_memory(err) : 0;
}

/* Set the edges of the chart, by the caller or by the first and last event.
 * Result: 0, or -1 with EINVAL (no time is left between them).
 */
static int find_range(struct gantt_layout *l, struct libra_error *err)
{
	const struct gantt *g = l->g;
	double from_s = INFINITY, to_s = -INFINITY;

	for (size_t i = 0; i < g->jobs->n; i++) {
		from_s = fmin(from_s, g->jobs->list[i].start_s);
		to_s = fmax(to_s, g->jobs->list[i].end_s);
	}
	for (size_t i = 0; i < g->jobs->nrefused; i++) {
		from_s = fmin(from_s, g->jobs->refused[i].at_s);
		to_s = fmax(to_s, g->jobs->refused[i].at_s);
	}
	l->from_s = isnan(g->from_s) ? from_s : g->from_s;
	l->to_s = isnan(g->to_s) ? to_s : g->to_s;
	if (l->to_s > l->from_s)
		return 0;
	return site_jobs_outside(l->g->jobs, err);
}

int gantt_svg(const struct gantt *g, FILE *fp, struct libra_error *err)
{
	struct gantt_layout l = {.g = g};
	int rc;

	if (g->colour == GANTT_PROMISE && !g->jobs->promises)
		return libra_errf(err, EINVAL,
				  "a log knows of no promises: draw the jobs "
				  "table of a simulation, or slurmctld's "
				  "decision log");
	if (g->colour == GANTT_USER && !g->jobs->users)
		return libra_errf(err, EINVAL,
				  "the users are not known there: colour by "
				  "size or promise");
	site_sizes_init(&l.sizes, g->jobs->procs);
	l.row_procs = (g->jobs->procs + ROWS - 1) / ROWS;
	l.rows = (g->jobs->procs + l.row_procs - 1) / l.row_procs;
	l.free_s = calloc(l.rows, sizeof(*l.free_s));
	l.colour = calloc((size_t)l.rows * GANTT_COLUMNS, sizeof(*l.colour));
	l.filled = calloc((size_t)l.rows * GANTT_COLUMNS, sizeof(*l.filled));
	rc = l.free_s && l.colour && l.filled ? find_range(&l, err)
					      : sim_no_memory(err);
	for (uint32_t i = 0; rc == 0 && i < l.rows; i++)
		l.free_s[i] = -INFINITY;
	if (rc == 0)
		rc = choose_keys(&l, err);
	if (rc == 0)
		rc = choose_bars(&l, err);
	if (rc == 0)
		rc = place_bars(&l, err);
	if (rc == 0 && has_lanes(&l))
		rc = place_lanes(&l, err);
	if (rc == 0)
		rc = confirm_shared(&l, err);
	if (rc == 0)
		rc = gantt_draw(&l, fp, err);
	free(l.bars);
	free(l.runs);
	free(l.free_s);
	free(l.colour);
	free(l.filled);
	return rc;
}
