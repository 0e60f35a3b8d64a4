/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gantt.c - jobs to rows, rows to cells, cells to one path for each colour. */
#include "sim/site/gantt.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/output/text.h"
#include "sim/report/plot.h"

enum {
	COLUMNS = 900,
	ROWS = 200,
	LEFT = 60,
	TOP = 24,
	CELL_H = 2,
	COLOURS = 8, /* the last one: all others */
	OTHERS = COLOURS - 1,
};

struct cells {
	const struct gantt *g;
	double from_s, width_s; /* of a column */
	uint32_t rows, row_procs;
	double *free_s;	 /* by row: when it is free */
	uint8_t *colour; /* by cell; 0 = empty, else 1 + colour */
	float *filled;	 /* by cell: how much of it */
	int32_t keys[COLOURS];
	size_t nkeys;
};

/* ---- keys ---- */

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

/* The keys of most work, first. */
static int choose_keys(struct cells *c, struct libra_error *err)
{
	const struct gantt *g = c->g;
	struct share *s = calloc(g->njobs + 1, sizeof(*s));
	size_t n = 0;

	if (!s)
		return sim_no_memory(err);
	for (size_t i = 0; i < g->njobs; i++)
		s[i] = (struct share){g->jobs[i].key,
				      (g->jobs[i].end_s - g->jobs[i].start_s) *
					      g->jobs[i].procs};
	qsort(s, g->njobs, sizeof(*s), by_key);
	for (size_t i = 1; i < g->njobs; i++) {
		if (s[i].key == s[n].key)
			s[n].work += s[i].work;
		else
			s[++n] = s[i];
	}
	qsort(s, n + 1, sizeof(*s), g->sizes ? by_key : by_work);
	for (; c->nkeys <= n && c->nkeys < OTHERS; c->nkeys++)
		c->keys[c->nkeys] = s[c->nkeys].key;
	free(s);
	return 0;
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
	const struct gantt_job *const *x = a, *const *y = b;

	if ((*x)->start_s != (*y)->start_s)
		return (*x)->start_s < (*y)->start_s ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

static void fill_row(struct cells *c, uint32_t row, const struct gantt_job *job,
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

static int place_jobs(struct cells *c, struct libra_error *err)
{
	const struct gantt *g = c->g;
	const struct gantt_job **order = calloc(g->njobs + 1, sizeof(*order));
	double owed = 0; /* rows that small jobs have together */

	if (!order)
		return sim_no_memory(err);
	for (size_t i = 0; i < g->njobs; i++)
		order[i] = &g->jobs[i];
	qsort(order, g->njobs, sizeof(*order), by_start);
	for (size_t i = 0; i < g->njobs; i++) {
		const struct gantt_job *job = order[i];
		uint8_t colour = colour_of(c, job->key);

		/* Rows of several processors: what is rounded off comes back
		 * with later jobs, so that the picture is as full as the
		 * machine.
		 */
		owed += (double)job->procs / c->row_procs;
		for (; owed >= 0.5; owed--) {
			uint32_t row = find_row(c, job->start_s);

			fill_row(c, row, job, colour);
			c->free_s[row] = fmax(c->free_s[row], job->end_s);
		}
	}
	free(order);
	return 0;
}

/* ---- the picture ---- */

/* The colour of the i-th key: without the grey one of the figures. */
static const char *colour_name(size_t i)
{
	return i == OTHERS ? "#7f8a93" : plot_colour((int)(i < 5 ? i : i + 1));
}

static void put_path(const struct cells *c, uint8_t colour, FILE *fp)
{
	fprintf(fp, "<path fill=\"%s\" d=\"", colour_name(colour - 1u));
	for (uint32_t row = 0; row < c->rows; row++) {
		const uint8_t *cell = c->colour + (size_t)row * COLUMNS;

		for (int from = 0, to; from < COLUMNS; from = to) {
			for (to = from + 1;
			     to < COLUMNS && cell[to] == cell[from];)
				to++;
			if (cell[from] == colour)
				fprintf(fp, "M%d %" PRIu32 "h%dv%dh-%dz",
					LEFT + from,
					TOP + (c->rows - 1 - row) * CELL_H,
					to - from, CELL_H, to - from);
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

static void put_axes(const struct cells *c, FILE *fp)
{
	uint32_t bottom = TOP + c->rows * CELL_H;
	char text[64];

	for (int i = 0; i <= 4; i++) {
		double day = (c->from_s + i * c->width_s * COLUMNS / 4) / 86400;

		snprintf(text, sizeof(text), "day %.1f", day);
		put_text(fp, LEFT + i * COLUMNS / 4, bottom + 16,
			 i == 0	  ? "start"
			 : i == 4 ? "end"
				  : "middle",
			 text);
	}
	snprintf(text, sizeof(text), "%" PRIu32, c->g->procs);
	put_text(fp, LEFT - 4, TOP + 10, "end", text);
	put_text(fp, LEFT - 4, bottom, "end", "1");
	put_text(fp, LEFT, TOP - 8, "start", c->g->title);
	fprintf(fp,
		"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%" PRIu32 "\" "
		"fill=\"none\" stroke=\"currentColor\" stroke-width=\"0.7\"/>\n",
		LEFT, TOP, COLUMNS, c->rows * CELL_H);
}

static void put_legend(const struct cells *c, FILE *fp)
{
	static const char *const sizes[] = {"1-4", "5-16", "17-64", "65+"};
	uint32_t y = TOP + c->rows * CELL_H + 34;
	int x = LEFT;
	char text[64];

	for (size_t i = 0; i <= c->nkeys; i++) {
		if (i == c->nkeys && c->g->sizes)
			break;
		fprintf(fp,
			"<rect x=\"%d\" y=\"%" PRIu32 "\" width=\"14\" "
			"height=\"10\" fill=\"%s\"/>\n",
			x, y - 9, colour_name(i == c->nkeys ? OTHERS : i));
		if (i == c->nkeys)
			snprintf(text, sizeof(text), "others");
		else if (c->g->sizes && c->keys[i] >= 0 && c->keys[i] < 4)
			snprintf(text, sizeof(text), "%s %s", sizes[c->keys[i]],
				 c->g->key_name);
		else
			snprintf(text, sizeof(text), "%s %" PRId32,
				 c->g->key_name, c->keys[i]);
		put_text(fp, x + 18, y, "start", text);
		x += 112;
	}
}

static void put_picture(const struct cells *c, FILE *fp)
{
	fprintf(fp,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" "
		"role=\"img\" viewBox=\"0 0 %d %" PRIu32 "\" "
		"font-family=\"sans-serif\" font-size=\"12\">\n<title>",
		LEFT + COLUMNS + 10, TOP + c->rows * CELL_H + 44);
	out_html(fp, c->g->title);
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

	for (size_t i = 0; i < g->njobs; i++) {
		from_s = fmin(from_s, g->jobs[i].start_s);
		to_s = fmax(to_s, g->jobs[i].end_s);
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

	if (g->njobs == 0 || g->procs == 0)
		return libra_errf(err, EINVAL, "no job runs in that time");
	c.row_procs = (g->procs + ROWS - 1) / ROWS;
	c.rows = (g->procs + c.row_procs - 1) / c.row_procs;
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
