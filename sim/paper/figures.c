/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures.c - points to plots.
 *
 * struct drawing has room for one panel: its series, points and names of
 * categories.  Each panel is drawn by plot_svg() before the next one begins.
 */
#include "sim/paper/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

#define MAX_SERIES 32
#define MAX_POINTS 32

/* One panel while it is drawn; pictures collects those that are ready. */
struct drawing {
	struct paper_pictures *pictures;
	const struct paper_plot *plot;
	const struct paper_text *t;
	struct libra_error *err;
	bool failed; /* for another reason than a missing gnuplot */
	/* The present panel. */
	struct plot_series series[MAX_SERIES];
	char name[MAX_SERIES][64];
	double x[MAX_SERIES][MAX_POINTS], y[MAX_SERIES][MAX_POINTS];
	double spread[MAX_SERIES][MAX_POINTS];
	size_t nseries;
	struct plot_tick ticks[MAX_POINTS];
	char tick[MAX_POINTS][32];
	size_t nticks;
};

/* Return the value of an expression at a place; NAN without one. */
static double number(const struct drawing *d, const struct design_place *p,
		     const char *expression)
{
	return expression ? paper_value(p, d->t, expression) : NAN;
}

/* Name the category of a point, unless another series has. */
static void add_tick(struct drawing *d, const struct design_place *p, double x)
{
	size_t n = d->nticks;
	double at = d->plot->tick_at ? number(d, p, d->plot->tick_at) : x;

	for (size_t i = 0; i < n; i++)
		if (d->ticks[i].at == at)
			return;
	if (n == MAX_POINTS)
		return;
	paper_format(d->tick[n], sizeof(d->tick[n]), p, d->t, d->plot->tick);
	d->ticks[d->nticks++] = (struct plot_tick){at, d->tick[n]};
}

/* Add a point to the last series. */
static bool add_point(const struct design_place *p, void *arg)
{
	struct drawing *d = arg;
	size_t k = d->nseries, i = d->series[k].n;

	if (i == MAX_POINTS)
		return false;
	d->x[k][i] = number(d, p, d->plot->x);
	d->y[k][i] = number(d, p, d->plot->y);
	if (d->plot->spread)
		d->spread[k][i] = paper_spread(p, d->t, d->plot->y);
	if (d->plot->tick)
		add_tick(d, p, d->x[k][i]);
	d->series[k].n++;
	return true;
}

/* Add a series with its points to the panel. */
static bool add_series(const struct design_place *p, void *arg)
{
	struct drawing *d = arg;
	size_t k = d->nseries;
	double mark = d->plot->mark ? number(d, p, d->plot->mark) : 0;

	if (k == MAX_SERIES)
		return false;
	d->series[k] = (struct plot_series){
		.name = d->name[k],
		.x = d->x[k],
		.y = d->y[k],
		.spread = d->plot->spread ? d->spread[k] : NULL,
		.style = (int)number(d, p, d->plot->style),
		.mark = (int)mark,
	};
	paper_format(d->name[k], sizeof(d->name[k]), p, d->t, d->plot->name);
	if (!design_each(p, d->plot->points, add_point, d))
		return false;
	d->nseries++;
	return true;
}

/* Keep a picture with its caption.  Owner: svg, even after an error. */
static int keep(struct drawing *d, char *svg, const char *caption)
{
	struct paper_pictures *all = d->pictures;
	struct paper_picture *more =
		realloc(all->of, (all->n + 1) * sizeof(*more));

	if (more)
		all->of = more;
	caption = more ? strdup(caption) : NULL;
	if (!caption) {
		free(svg);
		d->failed = true;
		return sim_no_memory(d->err);
	}
	more[all->n++] =
		(struct paper_picture){d->plot->figure, (char *)caption, svg};
	return 0;
}

/* The letter of the next panel of the same figure. */
static char next_letter(const struct drawing *d)
{
	char letter = 'a';

	for (size_t i = 0; i < d->pictures->n; i++)
		letter +=
			strcmp(d->pictures->of[i].figure, d->plot->figure) == 0;
	return letter;
}

/* Draw the panel of a point, and keep it. */
static bool draw_panel(const struct design_place *p, void *arg)
{
	struct drawing *d = arg;
	struct design_place at = *p;
	char id[16], title[160], caption[160], xlabel[64], ylabel[64],
		*svg = NULL;
	struct libra_error why = {.text = ""};
	struct plot plot = {
		.id = id,
		.title = title,
		.xlabel = xlabel,
		.ylabel = ylabel,
		.kind = d->plot->kind,
		.ylog = d->plot->ylog,
		.series = d->series,
		.ticks = d->ticks,
		.width = d->plot->width,
		.height = d->plot->height,
	};

	at.letter = next_letter(d);
	paper_format(id, sizeof(id), &at, d->t, d->plot->id);
	paper_format(title, sizeof(title), &at, d->t, d->plot->title);
	paper_format(caption, sizeof(caption), &at, d->t, d->plot->caption);
	paper_format(xlabel, sizeof(xlabel), &at, d->t, d->plot->xlabel);
	paper_format(ylabel, sizeof(ylabel), &at, d->t, d->plot->ylabel);
	plot.xmin = number(d, &at, d->plot->xmin);
	plot.xmax = number(d, &at, d->plot->xmax);
	plot.ymin = number(d, &at, d->plot->ymin);
	plot.ymax = number(d, &at, d->plot->ymax);
	d->nseries = d->nticks = 0;
	if (!design_each(&at, d->plot->series, add_series, d))
		return false;
	plot.nseries = d->nseries;
	plot.nticks = d->nticks;
	if (plot_svg(&plot, &svg, &why) < 0)
		snprintf(d->pictures->why, sizeof(d->pictures->why), "%.250s",
			 why.text);
	return svg && keep(d, svg, caption) == 0;
}

int paper_pictures_draw(struct paper_pictures *pictures,
			const struct design_place *nowhere,
			const struct paper_text *t,
			const struct paper_plot *plots, size_t n,
			struct libra_error *err)
{
	struct drawing *d = calloc(1, sizeof(*d));
	int rc;

	if (!d)
		return sim_no_memory(err);
	d->pictures = pictures;
	d->t = t;
	d->err = err;
	snprintf(pictures->why, sizeof(pictures->why), "Gnuplot was not found");
	pictures->any = n > 0;
	for (size_t i = 0; pictures->any && i < n; i++) {
		d->plot = &plots[i];
		pictures->any =
			design_each(nowhere, plots[i].panels, draw_panel, d);
	}
	rc = d->failed ? -1 : 0;
	free(d);
	return rc;
}

void paper_pictures_fini(struct paper_pictures *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->of[i].caption);
		free(p->of[i].svg);
	}
	free(p->of);
}
