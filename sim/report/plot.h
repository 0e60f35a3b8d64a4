/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.h - small figures as SVG, drawn by the program gnuplot.
 *
 * The SVG is made for a page: text and axes take the colour of the page's text,
 * and ids begin with the plot's id.  The same data gives the same bytes.
 * Without gnuplot there are no figures; that is no error.
 */
#ifndef SIM_PLOT_H
#define SIM_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/error.h"

enum plot_kind {
	PLOT_LINES = 1, /* points joined in the given order, error bars */
	PLOT_POINTS,	/* marks alone, error bars */
	PLOT_STEPS,	/* a distribution function */
	PLOT_AREAS,	/* one upon the other: y is the upper edge */
};

struct plot_series {
	const char *name;
	const double *x, *y;
	const double *spread; /* half of the error bar, or NULL */
	size_t n;	      /* points that are no numbers are left out */
	int style;	      /* colour and mark, from 0 */
	int mark; /* another mark: gnuplot's number; 0 = the style's */
};

/* A name on an axis. */
struct plot_tick {
	double at;
	const char *name;
};

struct plot {
	const char *id;	   /* letters and digits; unique in the page */
	const char *title; /* may have two lines */
	const char *xlabel, *ylabel;
	enum plot_kind kind;
	bool xlog, ylog;
	double xmin, xmax, ymin, ymax; /* NAN = from the data */
	const struct plot_series *series;
	size_t nseries;
	const struct plot_tick *ticks;	/* in place of numbers on the x axis */
	size_t nticks;			/* 0 = numbers */
	const struct plot_tick *yticks; /* likewise */
	size_t nyticks;
	bool key;		/* name the series inside the figure */
	bool alone;		/* a file of its own, not part of a page:
				   light or dark as the reader's browser */
	unsigned width, height; /* 0 = 360 x 250 */
};

/* Draw.
 * Result: 0 with *svg, or 0 with *svg NULL if there is no gnuplot, or -1 with
 *         ENOMEM, EIO (gnuplot failed; its first line is the text).
 * Owner:  the caller frees *svg.
 */
int plot_svg(const struct plot *plot, char **svg, struct libra_error *err);

/* The colour of a style, "#rrggbb". */
const char *plot_colour(int style);

/* Write the sample of a style for a key outside of figures, as SVG: mark and
 * line as a figure of the kind has them; 0: the colour alone, where marks mean
 * something else.
 */
void plot_key(FILE *fp, int style, enum plot_kind kind);

#endif
