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
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/output/memory_file.h"
#include "sim/output/text.h"
#include "sim/report/axis.h"
#include "sim/report/plot.h"
#include "sim/site/gantt_impl.h"
#include "sim/site/measure.h"

enum {
	LEFT = 100,
	WIDTH = 900, /* of the time */
	RIGHT = 20,
	TOP = 72,
	HEIGHT = 300, /* at least */
	LINE = 28,    /* of text */
	LEGEND_COLUMNS = 3,
	LANE = 24, /* of refused jobs */
	LANE_BINS = 180,
	LANE_NAMED = 4, /* jobs of a bin, at most */
	MARKED = 100,	/* jobs with marks, at most */
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

/* A chart that is being drawn.  Lengths are pixels of the viewBox. */
struct drawing {
	const struct gantt_layout *l;
	struct axis_time time;
	uint32_t row_h, bottom;
	size_t nmarked;	 /* jobs that have a mark in the chart */
	size_t nrefused; /* likewise */
	size_t noffered; /* of these: their earliest deadlines are in it */
	uint32_t axis;	 /* below the lane of refused jobs, if there is one */
	uint32_t legend; /* where it begins */
	FILE *fp;
};

/* Return the x of an instant, within the edges of the chart. */
static double x_of(const struct drawing *d, double at_s)
{
	const struct gantt_layout *l = d->l;
	double part = (at_s - l->from_s) / (l->to_s - l->from_s);

	return LEFT + WIDTH * fmin(fmax(part, 0), 1);
}

/* Return the height of a rectangle. */
static double height_of(const struct drawing *d, const struct gantt_run *run)
{
	return (double)run->n * d->row_h / run->lanes;
}

/* Lane 0 is the lowest. */
static double y_of(const struct drawing *d, const struct gantt_run *run)
{
	return TOP + (double)(d->l->rows - run->row) * d->row_h -
	       (run->lane + 1) * height_of(d, run);
}

/* Return the y of a number of processors on the left axis. */
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

/* Write a text element; attributes go into its tag. */
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

/* Write an instant as in the time axis, after a text. */
static void put_instant(const struct drawing *d, const char *before,
			double at_s)
{
	char text[64];

	axis_instant(text, sizeof(text), &d->time, at_s);
	fprintf(d->fp, "%s%s", before, text);
}

/* Write a duration for people, after a text. */
static void put_duration(const struct drawing *d, const char *before,
			 double seconds)
{
	char text[64];

	axis_duration(text, sizeof(text), seconds);
	fprintf(d->fp, "%s%s", before, text);
}

/* Write the text that a browser shows of the job under the mouse. */
static void put_title(const struct drawing *d, const struct site_job *job)
{
	static const char *const ends[] = {"", ", kept", ", missed",
					   ", still running"};

	fprintf(d->fp, "<title>job %" PRId64, job->number);
	if (d->l->g->jobs->users)
		fprintf(d->fp, " of user %" PRId32, job->user);
	fprintf(d->fp, "\n%" PRIu32 " processor%s", job->procs,
		job->procs == 1 ? "" : "s");
	put_duration(d, " for ", job->end_s - job->start_s);
	put_instant(d, "\nstarted ", job->start_s);
	put_duration(d, ", waited ", job->start_s - job->submit_s);
	if (job->promised_s > 0)
		put_instant(d, "\npromised to finish ", job->promised_s);
	if (job->deadline_s > 0)
		put_instant(d, "\ndeadline ", job->deadline_s);
	fprintf(d->fp, "%s</title>", ends[job->promise]);
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

		fprintf(d->fp, "M%.2f %gh%.2fv%gh-%.2fz", x, y_of(d, run), w,
			height_of(d, run), w);
	}
	fputs("\">", d->fp);
	put_title(d, bar->job);
	fputs("</path>\n", d->fp);
}

/* Draw the largest jobs as elements, a group for each colour.  Every other job
 * of a colour is lighter, so that neighbours can be told apart.
 */
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

/* ---- promises ---- */

/* Return true if an instant is known and in the time of the chart. */
static bool in_chart(const struct drawing *d, double at_s)
{
	return at_s > 0 && at_s >= d->l->from_s && at_s <= d->l->to_s;
}

/* Return true if a job with an element has a deadline or a promised finish in
 * the chart.
 */
static bool has_mark(const struct drawing *d, const struct gantt_bar *bar)
{
	return bar->n > 0 && (in_chart(d, bar->job->deadline_s) ||
			      in_chart(d, bar->job->promised_s));
}

/* A line, or a cross if it was missed, with a thread to the job's end. */
static void put_deadline(FILE *fp, double x, double y, double height,
			 double from_x, bool missed)
{
	fprintf(fp,
		"<path stroke-dasharray=\"2 2\" d=\"M%.2f %.2fH%.2f\"/>"
		"<path stroke-width=\"2.5\" d=\"",
		from_x, y, x);
	if (missed)
		fprintf(fp, "M%.2f %.2fl8 8m0 -8l-8 8\"/>", x - 4, y - 4);
	else
		fprintf(fp, "M%.2f %.2fv%.2f\"/>", x, y - height / 2, height);
}

/* Mark a promised finish by a circle. */
static void put_finish(FILE *fp, double x, double y)
{
	fprintf(fp, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\"/>", x, y);
}

/* Mark the deadline and the promised finish of a job. */
static void put_mark(const struct drawing *d, const struct gantt_bar *bar)
{
	const struct gantt_run *run = &d->l->runs[bar->first];
	const struct site_job *job = bar->job;
	double height = height_of(d, run), y = y_of(d, run) + height / 2;

	fputs("<g>", d->fp);
	put_title(d, job);
	if (in_chart(d, job->deadline_s))
		put_deadline(d->fp, x_of(d, job->deadline_s), y,
			     fmin(fmax(height, 8), 30), x_of(d, job->end_s),
			     job->promise == SITE_LATE);
	if (in_chart(d, job->promised_s))
		put_finish(d->fp, x_of(d, job->promised_s), y);
	fputs("</g>\n", d->fp);
}

/* Mark all jobs, unless they are more than MARKED: the chart would be
 * unreadable.
 */
static void put_marks(const struct drawing *d)
{
	if (d->nmarked == 0 || d->nmarked > MARKED)
		return;
	fputs("<g stroke=\"currentColor\" fill=\"none\" "
	      "pointer-events=\"all\">\n",
	      d->fp);
	for (size_t i = 0; i < d->l->nbars; i++)
		if (has_mark(d, &d->l->bars[i]))
			put_mark(d, &d->l->bars[i]);
	fputs("</g>\n", d->fp);
}

/* ---- refused jobs ---- */

/* Return the bin of the lane in which a job was refused; -1: outside of the
 * chart.
 */
static int bin_of(const struct drawing *d, const struct site_refusal *r)
{
	double part = (r->at_s - d->l->from_s) / (d->l->to_s - d->l->from_s);

	if (!(part >= 0 && part <= 1))
		return -1;
	return part < 1 ? (int)(part * LANE_BINS) : LANE_BINS - 1;
}

/* Write the text that a browser shows of a bin: the first of its jobs. */
static void put_refusals(const struct drawing *d, int bin, uint32_t n)
{
	const struct site_jobs *jobs = d->l->g->jobs;
	uint32_t named = 0;

	fprintf(d->fp, "<title>%" PRIu32 " refused", n);
	for (size_t i = 0; i < jobs->nrefused && named < LANE_NAMED; i++) {
		const struct site_refusal *r = &jobs->refused[i];

		if (bin_of(d, r) != bin)
			continue;
		named++;
		put_instant(d, "\n", r->at_s);
		if (r->number > 0)
			fprintf(d->fp, ": job %" PRId64, r->number);
		if (jobs->users)
			fprintf(d->fp, ", user %" PRId32, r->user);
		fprintf(d->fp, ", %" PRIu32 " processor%s", r->procs,
			r->procs == 1 ? "" : "s");
		if (r->reason[0])
			fputs(", ", d->fp);
		out_html(d->fp, r->reason);
		if (r->earliest_s > 0)
			put_instant(d, ", earliest deadline ", r->earliest_s);
	}
	fprintf(d->fp, "%s</title>", named < n ? "\n..." : "");
}

/* Mark by when the refused jobs would have been promised. */
static void put_offers(const struct drawing *d)
{
	const struct site_jobs *jobs = d->l->g->jobs;

	if (d->noffered == 0 || d->nrefused > MARKED)
		return;
	fputs("<g stroke=\"currentColor\" fill=\"none\">\n", d->fp);
	for (size_t i = 0; i < jobs->nrefused; i++) {
		const struct site_refusal *r = &jobs->refused[i];

		if (bin_of(d, r) >= 0 && in_chart(d, r->earliest_s))
			put_deadline(d->fp, x_of(d, r->earliest_s),
				     d->axis - LANE / 2.0, LANE / 2.0,
				     x_of(d, r->at_s), false);
	}
	fputs("</g>\n", d->fp);
}

/* Bars for the numbers of jobs that were refused. */
static void put_lane(const struct drawing *d)
{
	const struct site_jobs *jobs = d->l->g->jobs;
	uint32_t n[LANE_BINS] = {0}, most = 1;

	if (d->nrefused == 0)
		return;
	for (size_t i = 0; i < jobs->nrefused; i++) {
		int bin = bin_of(d, &jobs->refused[i]);

		if (bin >= 0 && ++n[bin] > most)
			most = n[bin];
	}
	put_text(d, 4, d->axis - 4, "", "refused");
	for (int bin = 0; bin < LANE_BINS; bin++) {
		double height = 5 + (LANE - 9.0) * n[bin] / most;

		if (n[bin] == 0)
			continue;
		fprintf(d->fp,
			"<path class=\"refused\" d=\"M%g %" PRIu32
			"v-%.2fh%gv%.2fz\">",
			LEFT + (double)bin * WIDTH / LANE_BINS, d->axis, height,
			(double)WIDTH / LANE_BINS - 1, height);
		put_refusals(d, bin, n[bin]);
		fputs("</path>\n", d->fp);
	}
	put_offers(d);
}

/* ---- axes ---- */

/* By the end of the axis, where half of a name would be cut, and by parity. */
static const char *const tick_place[2][2] = {
	{"text-anchor=\"middle\"", "class=\"odd\" text-anchor=\"middle\""},
	{"text-anchor=\"end\"", "class=\"odd\" text-anchor=\"end\""},
};

/* Draw the grid of instants, their names, and the title of the axis. */
static void put_time_axis(const struct drawing *d)
{
	uint32_t height = d->axis - TOP;
	struct axis axis;

	axis_of_time(&axis, &d->time, TIME_TICKS);
	fputs("<path stroke=\"currentColor\" stroke-width=\".7\" "
	      "stroke-opacity=\".4\" d=\"",
	      d->fp);
	for (size_t i = 0; i < axis.n; i++)
		fprintf(d->fp, "M%.2f %dv%" PRIu32, x_of(d, axis.ticks[i].at),
			TOP, height + 5);
	fputs("\"/>\n", d->fp);
	for (size_t i = 0; i < axis.n; i++) {
		int x = (int)x_of(d, axis.ticks[i].at);

		put_text(d, x, d->axis + LINE,
			 tick_place[x > LEFT + WIDTH - RIGHT][i % 2],
			 axis.ticks[i].name);
	}
	put_text(d, LEFT + WIDTH / 2, d->axis + 2 * LINE,
		 "text-anchor=\"middle\"", axis.title);
}

/* Draw the ticks of processors and their names. */
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

/* Draw both axes and the frame. */
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

/* Write the name of the i-th key for the legend. */
static void key_text(const struct gantt_layout *l, size_t i, char text[64])
{
	static const char *const ends[] = {"no promise", "promise kept",
					   "promise late", "still running"};
	int32_t key = i < l->nkeys ? l->keys[i] : 0;

	if (i == l->nkeys)
		snprintf(text, 64, "others");
	else if (l->g->colour == GANTT_SIZE)
		snprintf(text, 64, "%s processors", l->sizes.names[key]);
	else if (l->g->colour == GANTT_PROMISE)
		snprintf(text, 64, "%s", ends[key]);
	else
		snprintf(text, 64, "user %" PRId32, key);
}

/* Place the next entry.  Result: its y. */
static uint32_t next_entry(const struct drawing *d, size_t *n, int *x)
{
	size_t i = (*n)++;

	*x = LEFT + (int)(i % LEGEND_COLUMNS) * WIDTH / LEGEND_COLUMNS;
	return d->legend + (uint32_t)(i / LEGEND_COLUMNS) * LINE;
}

/* Write the legend of the colours.  n: entries of the legend so far. */
static void put_keys(const struct drawing *d, size_t *n)
{
	const struct gantt_layout *l = d->l;
	char text[64];
	int x;

	for (size_t i = 0; i < l->nkeys + l->others; i++) {
		uint32_t y = next_entry(d, n, &x);

		fprintf(d->fp,
			"<rect x=\"%d\" y=\"%" PRIu32 "\" width=\"18\" "
			"height=\"12\" fill=\"%s\"/>\n",
			x, y - 11,
			colour_name(l, i == l->nkeys ? GANTT_OTHERS : i));
		key_text(l, i, text);
		put_text(d, x + 24, y, "", text);
	}
}

enum mark { MARK_DEADLINE, MARK_MISSED, MARK_FINISH, MARKS };

/* Write the legend of the marks that the chart has. */
static void put_mark_keys(const struct drawing *d, size_t *n)
{
	static const char *const names[MARKS] = {"deadline", "deadline missed",
						 "promised finish"};
	bool any[MARKS] = {false};

	for (size_t i = 0; i < d->l->nbars; i++) {
		const struct site_job *job = d->l->bars[i].job;

		if (in_chart(d, job->deadline_s))
			any[job->promise == SITE_LATE ? MARK_MISSED
						      : MARK_DEADLINE] = true;
		any[MARK_FINISH] |= in_chart(d, job->promised_s);
	}
	for (int k = 0; k < MARKS; k++) {
		uint32_t y;
		int x;

		if (!any[k])
			continue;
		y = next_entry(d, n, &x);
		fputs("<g fill=\"none\" stroke=\"currentColor\">", d->fp);
		if (k == MARK_FINISH)
			put_finish(d->fp, x + 12, y - 4);
		else
			put_deadline(d->fp, x + 14, y - 4, 12, x,
				     k == MARK_MISSED);
		fputs("</g>\n", d->fp);
		put_text(d, x + 24, y, "", names[k]);
	}
}

/* Write the legend of the lane of refused jobs. */
static void put_refused_key(const struct drawing *d, size_t *n)
{
	char text[64];
	uint32_t y;
	int x;

	if (d->nrefused == 0)
		return;
	y = next_entry(d, n, &x);
	fprintf(d->fp, "<path d=\"M%d %" PRIu32 "v-14h4v14z\"/>\n", x + 8, y);
	snprintf(text, sizeof(text), "refused: %zu%s", d->nrefused,
		 d->noffered && d->nrefused <= MARKED ? ", earliest deadline"
						      : "");
	put_text(d, x + 24, y, "", text);
}

/* Write a line of the legend that begins a row. */
static void put_note(const struct drawing *d, size_t *n, const char *text)
{
	int x;
	uint32_t y;

	*n = (*n + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS * LEGEND_COLUMNS;
	y = next_entry(d, n, &x);
	put_text(d, x, y, "", text);
}

/* Say in lines that fit a narrow window which jobs the chart does not show. */
static void put_notes(const struct drawing *d, size_t *n)
{
	const struct gantt_layout *l = d->l;
	size_t others = l->g->jobs->n - l->nbars;
	char text[96];

	if (!l->g->jobs->placed)
		put_note(d, n,
			 "Which processors a job had is not known: a bar is "
			 "where it fits.");
	if (l->shared)
		put_note(d, n,
			 l->g->jobs->placed
				 ? "Jobs that shared a processor share the "
				   "height of its row."
				 : "Bars overlap where jobs shared "
				   "processors.");
	if (l->nsmall > 0) {
		snprintf(text, sizeof(text),
			 "Without an outline: the smallest jobs (%zu).",
			 l->nsmall);
		put_note(d, n, text);
	}
	if (l->nunseen > 0) {
		snprintf(text, sizeof(text),
			 "Not shown: jobs smaller than half a row of %" PRIu32
			 " processors (%zu).",
			 l->row_procs, l->nunseen);
		put_note(d, n, text);
	}
	if (l->g->jobs->unstarted > 0) {
		snprintf(text, sizeof(text),
			 "Not shown: jobs that never ran (%zu).",
			 l->g->jobs->unstarted);
		put_note(d, n, text);
	}
	if (d->nmarked > MARKED) {
		snprintf(text, sizeof(text),
			 "Not shown: %zu deadlines and finishes; choose less "
			 "time (--from, --to).",
			 d->nmarked);
		put_note(d, n, text);
	}
	if (others > 0) {
		snprintf(text, sizeof(text),
			 "Not shown: jobs that ran before or after (%zu).",
			 others);
		put_note(d, n, text);
	}
}

/* Draw all but the outermost element.  Result: the height. */
static uint32_t put_chart(struct drawing *d)
{
	const struct gantt_layout *l = d->l;
	size_t n = 0; /* entries of the legend */

	fputs("<title>", d->fp);
	out_html(d->fp, l->g->jobs->name);
	fputs(": processors by time</title>\n", d->fp);
	fputs(style, d->fp);
	put_text(d, 4, 20, "font-weight=\"bold\"", l->g->jobs->name);
	for (size_t k = 0; k < GANTT_COLOURS; k++)
		put_cells(d, k);
	put_bars(d);
	put_axes(d);
	put_lane(d);
	put_marks(d);
	put_keys(d, &n);
	if (d->nmarked > 0 && d->nmarked <= MARKED)
		put_mark_keys(d, &n);
	put_refused_key(d, &n);
	put_notes(d, &n);
	return d->legend +
	       (uint32_t)((n + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS) * LINE;
}

/* Write the tag of the outermost element. */
static void begin_svg(const struct drawing *d, uint32_t height)
{
	fprintf(d->fp,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"class=\"plot gantt\" role=\"img\" viewBox=\"0 0 %d %" PRIu32
		"\" font-family=\"sans-serif\" font-size=\"12\" "
		"fill=\"currentColor\">\n",
		LEFT + WIDTH + RIGHT, height);
}

int gantt_draw(const struct gantt_layout *l, FILE *fp, struct libra_error *err)
{
	const struct site_jobs *jobs = l->g->jobs;
	struct drawing d = {
		.l = l,
		.time = {l->from_s, l->to_s, jobs->dated, jobs->unix_start},
		.row_h = l->rows < HEIGHT / 2 ? HEIGHT / l->rows : 2,
	};
	char *chart = NULL;
	uint32_t height;
	size_t size;

	d.bottom = TOP + l->rows * d.row_h;
	for (size_t i = 0; i < jobs->nrefused; i++) {
		const struct site_refusal *r = &jobs->refused[i];
		bool shown = bin_of(&d, r) >= 0;

		d.nrefused += shown;
		d.noffered += shown && in_chart(&d, r->earliest_s);
	}
	d.axis = d.bottom + (d.nrefused > 0 ? LANE : 0);
	d.legend = d.axis + 3 * LINE + LINE / 2;
	for (size_t i = 0; i < l->nbars; i++)
		d.nmarked += has_mark(&d, &l->bars[i]);
	d.fp = out_memory(&chart, &size);
	if (!d.fp)
		return sim_no_memory(err);
	height = put_chart(&d);
	if (fclose(d.fp) != 0)
		return sim_no_memory(err);
	d.fp = fp;
	begin_svg(&d, height);
	fputs(chart, fp);
	fputs("</svg>\n", fp);
	free(chart);
	return 0;
}
