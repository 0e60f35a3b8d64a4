/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gantt_draw.c - a Gantt chart as SVG.
 *
 * Colours of text and paper are those of the page; a file by itself has those
 * of the reader's browser, light or dark.  Where the window is narrow, letters
 * are twice as large and every other tick has no name.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "sim/output/text.h"
#include "sim/report/axis.h"
#include "sim/report/plot.h"
#include "sim/site/gantt_impl.h"
#include "sim/site/measure.h"

enum {
	LEFT = 80,
	WIDTH = 900, /* of the time */
	RIGHT = 20,
	TOP = 72,
	HEIGHT = 300, /* at least */
	LINE = 28,    /* of text */
	LEGEND_COLUMNS = 4,
	TIME_TICKS = 8,
	PROC_TICKS = 5,
};

static const char style[] =
	"<style>\n"
	"svg.gantt:root{color-scheme:light dark;background:Canvas;"
	"color:CanvasText}\n"
	".gantt .own path{stroke:var(--bg,Canvas)}\n"
	"@media(max-width:560px){.gantt text{font-size:24px}"
	".gantt .odd{display:none}}\n"
	"</style>\n";

struct drawing {
	const struct gantt_layout *l;
	struct axis_time time;
	uint32_t row_h, bottom;
	FILE *fp;
};

static double x_of(const struct drawing *d, double at_s)
{
	const struct gantt_layout *l = d->l;
	double part = (at_s - l->from_s) / (l->to_s - l->from_s);

	return LEFT + WIDTH * fmin(fmax(part, 0), 1);
}

static uint32_t y_of(const struct drawing *d, const struct gantt_run *run)
{
	return TOP + (d->l->rows - run->row - run->n) * d->row_h;
}

static double y_of_proc(const struct drawing *d, double procs)
{
	return d->bottom - procs * d->row_h / d->l->row_procs;
}

/* The colour of the i-th key: the grey one is for all others. */
static const char *colour_name(const struct gantt_layout *l, size_t i)
{
	static const int ends[] = {5, 3, 2, 1}; /* of enum site_promise */

	if (l->g->colour == GANTT_PROMISE && i < l->nkeys)
		return plot_colour(ends[l->keys[i]]);
	return plot_colour((int)(i == GANTT_OTHERS ? 5 : i < 5 ? i : i + 1));
}

static void put_text(const struct drawing *d, int x, uint32_t y,
		     const char *attributes, const char *text)
{
	fprintf(d->fp, "<text x=\"%d\" y=\"%" PRIu32 "\" %s>", x, y,
		attributes);
	out_html(d->fp, text);
	fputs("</text>\n", d->fp);
}

/* ---- jobs ---- */

/* Small jobs: one path of lines for each colour, under the others. */
static void put_cells(const struct drawing *d, size_t colour)
{
	const struct gantt_layout *l = d->l;
	bool any = false;

	for (uint32_t row = 0; row < l->rows; row++) {
		const uint8_t *cell = l->colour + (size_t)row * GANTT_COLUMNS;

		for (int from = 0, to; from < GANTT_COLUMNS; from = to) {
			for (to = from + 1;
			     to < GANTT_COLUMNS && cell[to] == cell[from];)
				to++;
			if (cell[from] != colour + 1)
				continue;
			if (!any)
				fprintf(d->fp,
					"<path stroke=\"%s\" transform=\""
					"translate(%d %g) scale(%g %" PRIu32
					")\" d=\"",
					colour_name(l, colour), LEFT,
					TOP + d->row_h / 2.0,
					(double)WIDTH / GANTT_COLUMNS,
					d->row_h);
			any = true;
			fprintf(d->fp, "M%d %" PRIu32 "h%d", from,
				l->rows - 1 - row, to - from);
		}
	}
	if (any)
		fputs("\"/>\n", d->fp);
}

/* A job shorter than half a point is drawn half a point wide. */
static void put_bar(const struct drawing *d, const struct gantt_bar *bar,
		    bool shade)
{
	double x = x_of(d, bar->job->start_s);
	double w = fmax(x_of(d, bar->job->end_s) - x, 0.5);

	fprintf(d->fp, "<path%s%s d=\"", shade ? " fill-opacity=\".75\"" : "",
		w < 3 ? " stroke-width=\"0\"" : "");
	for (size_t i = 0; i < bar->n; i++) {
		const struct gantt_run *run = &d->l->runs[bar->first + i];

		fprintf(d->fp, "M%.2f %" PRIu32 "h%.2fv%" PRIu32 "h-%.2fz", x,
			y_of(d, run), w, run->n * d->row_h, w);
	}
	fputs("\"/>\n", d->fp);
}

static void put_bars(const struct drawing *d)
{
	const struct gantt_layout *l = d->l;

	for (size_t k = 0; k < GANTT_COLOURS; k++) {
		bool any = false, shade = false;

		for (size_t i = 0; i < l->nbars; i++) {
			const struct gantt_bar *bar = &l->bars[i];

			if (bar->colour != k || bar->n == 0)
				continue;
			if (!any)
				fprintf(d->fp,
					"<g class=\"own\" fill=\"%s\" "
					"stroke=\"#fff\" "
					"stroke-width=\".6\">\n",
					colour_name(l, k));
			any = true;
			put_bar(d, bar, shade);
			shade = !shade;
		}
		if (any)
			fputs("</g>\n", d->fp);
	}
}

/* ---- axes ---- */

static void put_time_axis(const struct drawing *d)
{
	uint32_t height = d->bottom - TOP;
	struct axis axis;

	axis_of_time(&axis, &d->time, TIME_TICKS);
	fputs("<path stroke=\"currentColor\" stroke-width=\".7\" "
	      "stroke-opacity=\".4\" d=\"",
	      d->fp);
	for (size_t i = 0; i < axis.n; i++)
		fprintf(d->fp, "M%.2f %dv%" PRIu32, x_of(d, axis.ticks[i].at),
			TOP, height + 5);
	fputs("\"/>\n", d->fp);
	for (size_t i = 0; i < axis.n; i++)
		put_text(d, (int)x_of(d, axis.ticks[i].at), d->bottom + LINE,
			 i % 2 ? "class=\"odd\" text-anchor=\"middle\""
			       : "text-anchor=\"middle\"",
			 axis.ticks[i].name);
	put_text(d, LEFT + WIDTH / 2, d->bottom + 2 * LINE,
		 "text-anchor=\"middle\"", axis.title);
}

static void put_proc_axis(const struct drawing *d)
{
	uint32_t procs = d->l->g->jobs->procs;
	struct axis axis;

	axis_of_numbers(&axis, procs, PROC_TICKS);
	fputs("<path stroke=\"currentColor\" stroke-width=\".7\" d=\"", d->fp);
	for (size_t i = 0; i < axis.n; i++)
		fprintf(d->fp, "M%d %.2fh5", LEFT - 5,
			y_of_proc(d, axis.ticks[i].at));
	fputs("\"/>\n", d->fp);
	for (size_t i = 0; i < axis.n; i++)
		put_text(d, LEFT - 8,
			 (uint32_t)y_of_proc(d, axis.ticks[i].at) + 4,
			 "text-anchor=\"end\"", axis.ticks[i].name);
	put_text(d, 4, TOP - 24, "", "processors");
}

static void put_axes(const struct drawing *d)
{
	put_time_axis(d);
	put_proc_axis(d);
	fprintf(d->fp,
		"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%" PRIu32 "\" "
		"fill=\"none\" stroke=\"currentColor\" stroke-width=\".7\"/>\n",
		LEFT, TOP, WIDTH, d->bottom - TOP);
}

/* ---- legend ---- */

static void key_text(const struct gantt_layout *l, size_t i, char text[64])
{
	static const char *const ends[] = {"no promise", "promise kept",
					   "promise late", "still running"};
	int32_t key = i < l->nkeys ? l->keys[i] : 0;

	if (i == l->nkeys)
		snprintf(text, 64, "others");
	else if (l->g->colour == GANTT_SIZE)
		snprintf(text, 64, "%s processors", site_size_names[key]);
	else if (l->g->colour == GANTT_PROMISE)
		snprintf(text, 64, "%s", ends[key]);
	else
		snprintf(text, 64, "user %" PRId32, key);
}

/* Result: the lines that it has. */
static uint32_t put_keys(const struct drawing *d, uint32_t top)
{
	const struct gantt_layout *l = d->l;
	size_t n = l->nkeys + l->others;
	char text[64];

	for (size_t i = 0; i < n; i++) {
		int x = LEFT +
			(int)(i % LEGEND_COLUMNS) * WIDTH / LEGEND_COLUMNS;
		uint32_t y = top + (uint32_t)(i / LEGEND_COLUMNS) * LINE;

		fprintf(d->fp,
			"<rect x=\"%d\" y=\"%" PRIu32 "\" width=\"18\" "
			"height=\"12\" fill=\"%s\"/>\n",
			x, y - 11,
			colour_name(l, i == l->nkeys ? GANTT_OTHERS : i));
		key_text(l, i, text);
		put_text(d, x + 24, y, "", text);
	}
	return (uint32_t)(n + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
}

void gantt_draw(const struct gantt_layout *l, FILE *fp)
{
	const struct site_jobs *jobs = l->g->jobs;
	struct drawing d = {
		.l = l,
		.time = {l->from_s, l->to_s, jobs->dated, jobs->unix_start},
		.row_h = l->rows < HEIGHT / 2 ? HEIGHT / l->rows : 2,
		.fp = fp};
	uint32_t lines = (uint32_t)(l->nkeys + l->others + LEGEND_COLUMNS - 1) /
			 LEGEND_COLUMNS;

	d.bottom = TOP + l->rows * d.row_h;
	fprintf(fp,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"class=\"plot gantt\" role=\"img\" viewBox=\"0 0 %d %" PRIu32
		"\" font-family=\"sans-serif\" font-size=\"12\" "
		"fill=\"currentColor\">\n<title>",
		LEFT + WIDTH + RIGHT, d.bottom + (3 + lines) * LINE);
	out_html(fp, jobs->name);
	fputs(": processors by time</title>\n", fp);
	fputs(style, fp);
	put_text(&d, 4, 20, "font-weight=\"bold\"", jobs->name);
	for (size_t k = 0; k < GANTT_COLOURS; k++)
		put_cells(&d, k);
	put_bars(&d);
	put_axes(&d);
	put_keys(&d, d.bottom + 3 * LINE + LINE / 2);
	fputs("</svg>\n", fp);
}
