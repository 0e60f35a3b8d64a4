/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pictures.h - figures of jobs that ran: use, queue, waits, slowdown, users.
 * gantt.h has one more.
 *
 * A picture has a fixed number of points, whatever the number of jobs: jobs are
 * grouped by time, by size, or by quantile.
 */
#ifndef SIM_SITE_PICTURES_H
#define SIM_SITE_PICTURES_H

#include <stdio.h>

#include "core/error.h"
#include "sim/report/axis.h"
#include "sim/report/plot.h"
#include "sim/site/jobs.h"

enum picture_kind {
	PICTURE_USAGE = 1, /* processors in use, over time */
	PICTURE_QUEUE,	   /* jobs that wait, over time */
	PICTURE_WAITS,	   /* quantiles of the waits, by size */
	PICTURE_SLOWDOWN,  /* distribution of the slowdown, by size */
	PICTURE_USERS,	   /* processors by user, over time */
};

enum { PICTURE_SERIES = 8, PICTURE_POINTS = 240, PICTURE_SIZES = 33 };

struct picture {
	const char *name; /* of its kind */
	struct plot plot;
	struct plot_series series[PICTURE_SERIES];
	char names[PICTURE_SERIES][32];
	char title[160]; /* the log's name, the kind, the numbers of jobs that
			    are shown and not shown */
	double x[PICTURE_POINTS], y[PICTURE_SERIES][PICTURE_POINTS];
	struct axis axis; /* of time */
	bool by_size;	  /* x is the index of a tick, which names the size */
	struct plot_tick ticks[PICTURE_SIZES];
	char tick_names[PICTURE_SIZES][24];
};

/* Return the name of a kind, as on the command line, or NULL for another
 * number; and the kind of a name, or 0.
 */
const char *picture_name(enum picture_kind kind);
enum picture_kind picture_find(const char *name);

/* Make the picture of the jobs that waited or ran between two instants (NAN:
 * the first submission, the last end).
 * Result: 0, or -1 with ENOMEM, or EINVAL: there are no such jobs, or the users
 *         are not known.
 * Owner:  the caller; nothing has to be freed.  The picture has pointers to
 *         itself and must not move.
 */
int picture_make(struct picture *p, enum picture_kind kind,
		 const struct site_jobs *jobs, double from_s, double to_s,
		 struct libra_error *err);

/* Write the numbers of a picture as CSV: figure,series,x,y.  The caller writes
 * the heading.
 */
void picture_csv(FILE *fp, const struct picture *p);

/* Waits of a simulation and of a log, in seconds: n sorted values each, at
 * most PICTURE_POINTS, at the quantiles (i + 0.5) / n.
 */
struct picture_waits {
	const double *simulated_s;
	const double *measured_s; /* NULL = none */
	size_t n;
	unsigned width; /* pixels */
	bool alone;	/* a file of its own: struct plot */
};

/* Draw the distribution of the waits.  Result and owner: as of plot_svg(). */
int picture_draw_waits(const struct picture_waits *w, char **svg,
		       struct libra_error *err);

#endif
