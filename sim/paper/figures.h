/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures.h - the figures of a report, from a table.
 *
 * A row is a figure's panels: a panel for each of some points, in it a series
 * for each of others, and in that a mark for each of yet others.  Texts and
 * numbers are read at these points, see text.h.
 */
#ifndef SIM_PAPER_FIGURES_H
#define SIM_PAPER_FIGURES_H

#include "sim/paper/text.h"
#include "sim/report/plot.h"

struct paper_plot {
	const char *figure; /* name in pages; panels get letters within it */
	const char *id;	    /* "f1{{letter}}" */
	const char *panels, *series, *points; /* choices */
	const char *title, *caption;
	const char *xlabel, *ylabel;
	const char *name;  /* of a series */
	const char *style; /* an expression: its colour, from 0 */
	const char *mark;  /* gnuplot's; NULL = the style's */
	const char *x, *y;
	/* Where x is a category: its name, and an expression for where the
	 * name stands (NULL = at x).  No name: x is a number.
	 */
	const char *tick, *tick_at;
	bool spread; /* bars of one standard deviation */
	bool ylog;
	enum plot_kind kind;
	const char *xmin, *xmax, *ymin, *ymax; /* NULL = from the data */
	unsigned width, height;
};

struct paper_picture {
	const char *figure;
	char *caption, *svg;
};

/* All of them, or none. */
struct paper_pictures {
	struct paper_picture *of;
	size_t n;
	bool any;
	char why[300]; /* there are none */
};

/* Draw; without gnuplot there are none, and why says so.
 * Result: 0, or -1 with ENOMEM.
 */
int paper_pictures_draw(struct paper_pictures *p,
			const struct design_place *nowhere,
			const struct paper_text *t,
			const struct paper_plot *plots, size_t n,
			struct libra_error *err);
void paper_pictures_fini(struct paper_pictures *p);

#endif
