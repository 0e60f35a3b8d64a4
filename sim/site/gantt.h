/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gantt.h - processors by time, as SVG.
 *
 * If the source names a job's processors (a decision log does), the job is
 * drawn there, else on processors that were free.  The picture has a fixed
 * number of cells, whatever the number of jobs: a cell has the colour of the
 * job that fills most of it, and each colour is one path.  So the picture of
 * any number of jobs has a megabyte or less, and may be enlarged.  Text takes
 * the colour of the page.
 */
#ifndef SIM_GANTT_H
#define SIM_GANTT_H

#include <stdio.h>

#include "core/error.h"
#include "sim/site/jobs.h"

enum gantt_colour {
	GANTT_USER = 1, /* the seven of most work; the others are grey */
	GANTT_SIZE,
	GANTT_PROMISE,
};

struct gantt {
	const struct site_jobs *jobs; /* in any order */
	double from_s, to_s;	      /* NAN = all */
	enum gantt_colour colour;
};

/* Write the chart to fp; the caller tests fp for errors of writing.
 * Result: 0, or -1 with ENOMEM, or EINVAL (no job runs in that time, or the
 *         source has no users or promises to colour by).
 */
int gantt_svg(const struct gantt *g, FILE *fp, struct libra_error *err);

#endif
