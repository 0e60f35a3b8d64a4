/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.h - small figures as SVG, drawn by the program gnuplot.
 *
 * The SVG is made for a page: text and axes take the colour of the page's text,
 * and ids begin with the plot's id.  The same data gives the same bytes.
 * Without gnuplot there are no figures; that is no error.  gnuplot is started
 * once for each figure.  Texts and arrays of a plot are the caller's, for the
 * call.
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
	size_t n;  /* points; those that are not finite are omitted */
	int style; /* colour and mark, from 0 */
	int mark;  /* another mark: gnuplot's number; 0 = the style's */
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
	bool alone;		/* a file of its own, not part of a page; the
				   browser's setting makes it light or dark */
	unsigned width, height; /* pixels; 0 = 360 x 250 */
};

/* Draw a plot as SVG.
 * Result: 0 with *svg, or 0 with *svg NULL if there is no gnuplot, or -1 with
 *         ENOMEM, EIO (gnuplot failed; its first line is the text).
 * Owner:  the caller frees *svg.
 */
int plot_svg(const struct plot *plot, char **svg, struct libra_error *err);

/* Return the colour of a style, "#rrggbb".  Styles repeat after the last one.
 */
const char *plot_colour(int style);

/* Write the sample of a style as SVG, for a key outside of figures.  The sample
 * has the mark and line of a figure of this kind.  kind 0: only the colour, for
 * figures whose marks have another meaning.
 */
void plot_key(FILE *fp, int style, enum plot_kind kind);

#endif
