/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gantt.h - Gantt chart of jobs as SVG: rows of processors over time.
 *
 * If the source knows a job's processors (decision logs do), the job is drawn
 * on these, else on any processors that are free then.  The 2,000 jobs of most
 * processor time are elements with a text.  All smaller jobs share a fixed grid
 * of cells.  Each cell has the colour of the job that fills most of the cell,
 * and each colour is one path.  So the SVG of any number of jobs has a megabyte
 * or less.  Text takes the colour of the page.
 */
#ifndef SIM_GANTT_H
#define SIM_GANTT_H

#include <stdio.h>

#include "core/error.h"
#include "sim/site/jobs.h"

enum gantt_colour {
	GANTT_USER = 1, /* the seven users of most work; others are grey */
	GANTT_SIZE,	/* class of the job's processors (measure.h) */
	GANTT_PROMISE,	/* enum site_promise */
};

struct gantt {
	const struct site_jobs *jobs; /* in any order */
	/* Instants of the chart's edges; NAN: the first start or refusal, the
	 * last end or refusal.
	 */
	double from_s, to_s;
	enum gantt_colour colour;
};

/* Write the chart to fp; the caller tests fp for errors of writing.
 * Result: 0, or -1 with ENOMEM, or EINVAL (no job runs in that time, or the
 *         source does not know the users or promises that give the colours).
 */
int gantt_svg(const struct gantt *g, FILE *fp, struct libra_error *err);

#endif
