/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gantt.c - jobs to rows, rows to cells, cells to one path for each colour. */
#include "sim/site/gantt.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/memory.h"
#include "sim/output/text.h"
#include "sim/report/plot.h"
#include "sim/site/measure.h"

enum {
	COLUMNS = 1200,
	WIDTH = 900, /* of all of them */
	ROWS = 200,
	LEFT = 60,
	TOP = 24,
	HEIGHT = 200, /* at least; small machines have high rows */
	COLOURS = 8,  /* the last one: all others */
	OTHERS = COLOURS - 1,
};

struct cells {
	const struct gantt *g;
	struct site_sizes sizes;
	double from_s, width_s; /* of a column */
	uint32_t rows, row_procs, row_h;
	double *free_s;	 /* by row: when it is free */
	uint8_t *colour; /* by cell; 0 = empty, else 1 + colour */
	float *filled;	 /* by cell: how much of it */
	int32_t keys[COLOURS];
	size_t nkeys;
	bool others; /* there are more keys */
};

/* ---- keys: who has the same has one colour ---- */

static int32_t key_of(const struct cells *c, const struct site_job *job)
{
	switch (c->g->colour) {
	case GANTT_SIZE:
		return (int32_t)site_size(&c->sizes, job->procs);
	case GANTT_PROMISE:
		return (int32_t)job->promise;
	default:
		return job->user;
	}
}

static bool runs_then(const struct cells *c, const struct site_job *job)
{
	return job->start_s < c->from_s + COLUMNS * c->width_s &&
	       job->end_s > c->from_s;
}

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
static int choose_keys(struct cells *c, struct libra_error *err)
{
	const struct site_jobs *jobs = c->g->jobs;
	struct share *s = calloc(jobs->n + 1, sizeof(*s));
	size_t n = 0, k = 0;

	if (!s)
		return sim_no_memory(err);
	for (size_t i = 0; i < jobs->n; i++) {
		const struct site_job *j = &jobs->list[i];

		if (runs_then(c, j))
			s[n++] = (struct share){key_of(c, j),
						(j->end_s - j->start_s) *
							j->procs};
	}
	qsort(s, n, sizeof(*s), by_key);
	for (size_t i = 1; i < n; i++) {
		if (s[i].key == s[k].key)
			s[k].work += s[i].work;
		else
			s[++k] = s[i];
	}
	k += n > 0;
	qsort(s, k, sizeof(*s), c->g->colour == GANTT_USER ? by_work : by_key);
	for (; c->nkeys < k && c->nkeys < OTHERS; c->nkeys++)
		c->keys[c->nkeys] = s[c->nkeys].key;
	c->others = k > OTHERS;
	free(s);
	return n > 0 ? 0 : libra_errf(err, EINVAL, "no job runs in that time");
}

static uint8_t colour_of(const struct cells *c, int32_t key)
{
	for (size_t i = 0; i < c->nkeys; i++)
		if (c->keys[i] == key)
			return (uint8_t)(1 + i);
	return 1 + OTHERS;
}

/* ---- cells ---- */

static int by_start(const void *a, const void *b)
{
	const struct site_job *const *x = a, *const *y = b;

	if ((*x)->start_s != (*y)->start_s)
		return (*x)->start_s < (*y)->start_s ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

static void fill_row(struct cells *c, uint32_t row, const struct site_job *job,
		     uint8_t colour)
{
	double from = (job->start_s - c->from_s) / c->width_s;
	double to = (job->end_s - c->from_s) / c->width_s;

	from = fmax(from, 0);
	to = fmin(to, COLUMNS);
	for (size_t i = (size_t)from; (double)i < to && i < COLUMNS; i++) {
		float part = (float)(fmin(to, (double)i + 1) -
				     fmax(from, (double)i));
		size_t cell = (size_t)row * COLUMNS + i;

		if (part > c->filled[cell]) {
			c->filled[cell] = part;
			c->colour[cell] = colour;
		}
	}
}

/* The row that is free first; of those that are free now, the lowest. */
static uint32_t find_row(const struct cells *c, double now_s)
{
	uint32_t best = 0;

	for (uint32_t i = 0; i < c->rows; i++) {
		if (c->free_s[i] <= now_s)
			return i;
		if (c->free_s[i] < c->free_s[best])
			best = i;
	}
	return best;
}

/* Where it could have been.  Rows of several processors: what is rounded off
 * comes back with later jobs, so that the picture is as full as the machine.
 */
static void place_anywhere(struct cells *c, const struct site_job *job,
			   uint8_t colour, double *owed)
{
	*owed += (double)job->procs / c->row_procs;
	for (; *owed >= 0.5; --*owed) {
		uint32_t row = find_row(c, job->start_s);

		fill_row(c, row, job, colour);
		c->free_s[row] = fmax(c->free_s[row], job->end_s);
	}
}

static void place_there(struct cells *c, const struct site_job *job,
			uint8_t colour)
{
	const struct libra_range *r = c->g->jobs->ranges + job->first_range;

	for (size_t i = 0; i < job->nranges; i++) {
		uint64_t end = (uint64_t)r[i].first + r[i].count;

		for (uint64_t row = r[i].first / c->row_procs;
		     row < c->rows && row * c->row_procs < end; row++)
			fill_row(c, (uint32_t)row, job, colour);
	}
}

static int place_jobs(struct cells *c, struct libra_error *err)
{
	const struct site_jobs *jobs = c->g->jobs;
	const struct site_job **order = calloc(jobs->n + 1, sizeof(*order));
	double owed = 0; /* rows that small jobs have together */
	size_t n = 0;

	if (!order)
		return sim_no_memory(err);
	for (size_t i = 0; i < jobs->n; i++)
		if (runs_then(c, &jobs->list[i]))
			order[n++] = &jobs->list[i];
	qsort(order, n, sizeof(*order), by_start);
	for (size_t i = 0; i < n; i++) {
		uint8_t colour = colour_of(c, key_of(c, order[i]));

		if (jobs->placed)
			place_there(c, order[i], colour);
		else
			place_anywhere(c, order[i], colour, &owed);
	}
	free(order);
	return 0;
}

/* ---- the picture ---- */

/* The colour of the i-th key: the grey one is for all others. */
static const char *colour_name(const struct cells *c, size_t i)
{
	static const int ends[] = {5, 3, 2, 1}; /* of enum site_promise */

	if (c->g->colour == GANTT_PROMISE && i < c->nkeys)
		return plot_colour(ends[c->keys[i]]);
	return plot_colour((int)(i == OTHERS ? 5 : i < 5 ? i : i + 1));
}

static void put_path(const struct cells *c, uint8_t colour, FILE *fp)
{
	fprintf(fp,
		"<path fill=\"%s\" transform=\"translate(%d %d) "
		"scale(%g %" PRIu32 ")\" d=\"",
		colour_name(c, colour - 1u), LEFT, TOP, (double)WIDTH / COLUMNS,
		c->row_h);
	for (uint32_t row = 0; row < c->rows; row++) {
		const uint8_t *cell = c->colour + (size_t)row * COLUMNS;

		for (int from = 0, to; from < COLUMNS; from = to) {
			for (to = from + 1;
			     to < COLUMNS && cell[to] == cell[from];)
				to++;
			if (cell[from] == colour)
				fprintf(fp, "M%d %" PRIu32 "h%dv1h-%dz", from,
					c->rows - 1 - row, to - from,
					to - from);
		}
	}
	fputs("\"/>\n", fp);
}

static void put_text(FILE *fp, int x, uint32_t y, const char *anchor,
		     const char *text)
{
	fprintf(fp,
		"<text x=\"%d\" y=\"%" PRIu32 "\" text-anchor=\"%s\" "
		"fill=\"currentColor\">",
		x, y, anchor);
	out_html(fp, text);
	fputs("</text>\n", fp);
}

/* Where on the axis: a date, or what the source counts. */
static void instant_text(const struct cells *c, double at_s, char text[64])
{
	const struct site_jobs *jobs = c->g->jobs;
	double span_s = c->width_s * COLUMNS;
	time_t t = (time_t)(at_s + jobs->unix_start);
	struct tm tm;

	if (jobs->dated && gmtime_r(&t, &tm))
		strftime(text, 64,
			 span_s < 4 * 86400 ? "%Y-%m-%d %H:%M" : "%Y-%m-%d",
			 &tm);
	else if (span_s < 2 * 86400)
		snprintf(text, 64, "%.1f h", at_s / 3600);
	else
		snprintf(text, 64, "day %.1f", at_s / 86400);
}

static void put_axes(const struct cells *c, FILE *fp)
{
	uint32_t bottom = TOP + c->rows * c->row_h;
	char text[64];

	for (int i = 0; i <= 4; i++) {
		instant_text(c, c->from_s + i * c->width_s * COLUMNS / 4, text);
		put_text(fp, LEFT + i * WIDTH / 4, bottom + 16,
			 i == 0	  ? "start"
			 : i == 4 ? "end"
				  : "middle",
			 text);
	}
	snprintf(text, sizeof(text), "%" PRIu32, c->g->jobs->procs);
	put_text(fp, LEFT - 4, TOP + 10, "end", text);
	put_text(fp, LEFT - 4, bottom, "end", "1");
	put_text(fp, LEFT, TOP - 8, "start", c->g->jobs->name);
	fprintf(fp,
		"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%" PRIu32 "\" "
		"fill=\"none\" stroke=\"currentColor\" stroke-width=\"0.7\"/>\n",
		LEFT, TOP, WIDTH, c->rows * c->row_h);
}

static void key_text(const struct cells *c, size_t i, char text[64])
{
	static const char *const ends[] = {"no promise", "promise kept",
					   "promise late", "still running"};
	int32_t key = i < c->nkeys ? c->keys[i] : 0;

	if (i == c->nkeys)
		snprintf(text, 64, "others");
	else if (c->g->colour == GANTT_SIZE)
		snprintf(text, 64, "%s processors", c->sizes.names[key]);
	else if (c->g->colour == GANTT_PROMISE)
		snprintf(text, 64, "%s", ends[key]);
	else
		snprintf(text, 64, "user %" PRId32, key);
}

static void put_legend(const struct cells *c, FILE *fp)
{
	uint32_t y = TOP + c->rows * c->row_h + 34;
	int x = LEFT;
	char text[64];

	for (size_t i = 0; i < c->nkeys + c->others; i++) {
		fprintf(fp,
			"<rect x=\"%d\" y=\"%" PRIu32 "\" width=\"14\" "
			"height=\"10\" fill=\"%s\"/>\n",
			x, y - 9, colour_name(c, i == c->nkeys ? OTHERS : i));
		key_text(c, i, text);
		put_text(fp, x + 18, y, "start", text);
		x += c->g->colour == GANTT_SIZE ? 140 : 112;
	}
}

static void put_picture(const struct cells *c, FILE *fp)
{
	fprintf(fp,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" "
		"role=\"img\" viewBox=\"0 0 %d %" PRIu32 "\" "
		"font-family=\"sans-serif\" font-size=\"12\">\n<title>",
		LEFT + WIDTH + 10, TOP + c->rows * c->row_h + 44);
	out_html(fp, c->g->jobs->name);
	fputs("</title>\n", fp);
	for (uint8_t colour = 1; colour <= COLOURS; colour++)
		put_path(c, colour, fp);
	put_axes(c, fp);
	put_legend(c, fp);
	fputs("</svg>\n", fp);
}

static int find_range(struct cells *c, struct libra_error *err)
{
	const struct gantt *g = c->g;
	double from_s = INFINITY, to_s = -INFINITY;

	for (size_t i = 0; i < g->jobs->n; i++) {
		from_s = fmin(from_s, g->jobs->list[i].start_s);
		to_s = fmax(to_s, g->jobs->list[i].end_s);
	}
	if (!isnan(g->from_s))
		from_s = g->from_s;
	if (!isnan(g->to_s))
		to_s = g->to_s;
	if (!(to_s > from_s))
		return libra_errf(err, EINVAL, "no job runs in that time");
	c->from_s = from_s;
	c->width_s = (to_s - from_s) / COLUMNS;
	return 0;
}

int gantt_svg(const struct gantt *g, FILE *fp, struct libra_error *err)
{
	struct cells c = {.g = g};
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
	site_sizes_init(&c.sizes, g->jobs->procs);
	c.row_procs = (g->jobs->procs + ROWS - 1) / ROWS;
	c.rows = (g->jobs->procs + c.row_procs - 1) / c.row_procs;
	c.row_h = c.rows < HEIGHT / 2 ? HEIGHT / c.rows : 2;
	c.free_s = calloc(c.rows, sizeof(*c.free_s));
	c.colour = calloc((size_t)c.rows * COLUMNS, sizeof(*c.colour));
	c.filled = calloc((size_t)c.rows * COLUMNS, sizeof(*c.filled));
	rc = c.free_s && c.colour && c.filled ? find_range(&c, err)
					      : sim_no_memory(err);
	for (uint32_t i = 0; rc == 0 && i < c.rows; i++)
		c.free_s[i] = -INFINITY;
	if (rc == 0)
		rc = choose_keys(&c, err);
	if (rc == 0)
		rc = place_jobs(&c, err);
	if (rc == 0)
		put_picture(&c, fp);
	free(c.free_s);
	free(c.colour);
	free(c.filled);
	return rc;
}
