/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gantt.h - processors by time, as SVG.
 *
 * Each job is drawn where it could have been: logs do not say which processors
 * it had.  The picture has a fixed number of cells, whatever the number of
 * jobs: a cell has the colour of the job that fills most of it, and each colour
 * is one path, so that 100,000 jobs make a picture of some hundred kilobytes.
 * Text takes the colour of the page.
 */
#ifndef SIM_GANTT_H
#define SIM_GANTT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

struct gantt_job {
	double start_s, end_s;
	uint32_t procs;
	int32_t key; /* who has the same, has one colour */
};

struct gantt {
	const char *title;
	const struct gantt_job *jobs; /* in any order */
	size_t njobs;
	uint32_t procs;
	double from_s, to_s;  /* NAN = all */
	const char *key_name; /* "user", "processors" */
	int sizes;	      /* keys are classes of size: 0 to 3 */
};

/* Draw.  The seven keys with most work have colours, the others are grey.
 * Result: 0, or -1 with ENOMEM, or EINVAL: no job runs in that time.
 */
int gantt_svg(const struct gantt *g, FILE *fp, struct libra_error *err);

#endif
