/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pictures.h - well-known pictures of jobs that ran; gantt.h has one more.
 *
 * A picture has a fixed number of points, whatever the number of jobs: jobs are
 * gathered by time, by size, or by quantile.
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
	PICTURE_WAITS,	   /* waits against size */
	PICTURE_SLOWDOWN,  /* its distribution, by size */
	PICTURE_USERS,	   /* who had the processors, over time */
};

enum { PICTURE_SERIES = 8, PICTURE_POINTS = 240, PICTURE_SIZES = 33 };

struct picture {
	const char *name; /* of its kind */
	struct plot plot;
	struct plot_series series[PICTURE_SERIES];
	char names[PICTURE_SERIES][32];
	char title[160]; /* whose jobs they are, how many, and which are not */
	double x[PICTURE_POINTS], y[PICTURE_SERIES][PICTURE_POINTS];
	struct axis axis; /* of time */
	bool by_size;	  /* x is a size: its name is the tick's */
	struct plot_tick ticks[PICTURE_SIZES];
	char tick_names[PICTURE_SIZES][24];
};

/* Return the name of a kind on the command line, or NULL; the kind of a name,
 * or 0.
 */
const char *picture_name(enum picture_kind kind);
enum picture_kind picture_find(const char *name);

/* Make the picture of the jobs that ran from one instant to another (NAN = from
 * the first submission, to the last end).
 * Result: 0, or -1 with ENOMEM, or EINVAL: no job ran then, or the users are
 *         not known.
 * Owner:  the caller; nothing has to be freed.  The picture points into itself:
 *         it must not move.
 */
int picture_make(struct picture *p, enum picture_kind kind,
		 const struct site_jobs *jobs, double from_s, double to_s,
		 struct libra_error *err);

/* Write the numbers of a picture as CSV: figure,series,x,y.  The caller writes
 * the heading.
 */
void picture_csv(FILE *fp, const struct picture *p);

#endif
