/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures.h - the figures of a report, from a table.
 *
 * A row of struct paper_plot describes the panels of a figure by three choices
 * of points (design.h).  `panels` gives a panel for each point; `series` a
 * series for each point in a panel; `points` a mark for each point in a series.
 * Texts and expressions are read at these points, see text.h.  A series has at
 * most 32 points, a panel at most 32 series.
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
	const char *name;  /* of a series, in the key */
	const char *style; /* expression: colour of a series, from 0 */
	const char *mark;  /* expression: gnuplot's mark; NULL = the style's */
	const char *x, *y; /* expressions */
	/* If x is a category: its name, and an expression for the position of
	 * the name (NULL = x).  tick NULL: x is a number.
	 */
	const char *tick, *tick_at;
	bool spread; /* bars of one standard deviation */
	bool ylog;
	enum plot_kind kind;
	const char *xmin, *xmax, *ymin, *ymax; /* NULL = from the data */
	unsigned width, height;		       /* in pixels; 0 = plot.h's */
};

struct paper_picture {
	const char *figure;
	char *caption, *svg;
};

/* The pictures of all figures.  any is false if there are none. */
struct paper_pictures {
	struct paper_picture *of;
	size_t n;
	bool any;
	char why[300]; /* the reason if there are none */
};

/* Draw the figures of n rows, with gnuplot.  Without gnuplot, or if it fails,
 * there are no pictures, and p->why has the reason.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  p owns captions and SVG; the caller calls paper_pictures_fini().
 */
int paper_pictures_draw(struct paper_pictures *p,
			const struct design_place *nowhere,
			const struct paper_text *t,
			const struct paper_plot *plots, size_t n,
			struct libra_error *err);
void paper_pictures_fini(struct paper_pictures *p);

#endif
