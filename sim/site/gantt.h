/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gantt.h - processors by time, as SVG.
 *
 * Where a job ran is drawn if the source says so (a decision log does); of the
 * others each is drawn where it could have been.  The picture has a fixed
 * number of cells, whatever the number of jobs: a cell has the colour of the
 * job that fills most of it, and each colour is one path, so that any number
 * of jobs makes a picture of a megabyte or less, fine enough to be enlarged.
 * Text takes the colour of the page.
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

/* Draw.
 * Result: 0, or -1 with ENOMEM, or EINVAL: no job runs in that time, or what
 *         the colours are for is not known.
 */
int gantt_svg(const struct gantt *g, FILE *fp, struct libra_error *err);

#endif
