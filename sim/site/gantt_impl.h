/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gantt_impl.h - the layout of a Gantt chart: rows and bars of its jobs.  Only
 * gantt.c and gantt_draw.c include this.
 *
 * A row is row_procs processors with consecutive numbers.  Where jobs overlap
 * on a row of one processor, the row is divided into lanes, one upon the other.
 */
#ifndef SIM_GANTT_IMPL_H
#define SIM_GANTT_IMPL_H

#include "sim/site/gantt.h"
#include "sim/site/measure.h"

enum {
	GANTT_COLUMNS = 1200,
	GANTT_COLOURS = 8, /* the last one: all other keys */
	GANTT_OTHERS = GANTT_COLOURS - 1,
};

/* A rectangle of a job: n neighbouring rows (lanes 1), or a lane of one row. */
struct gantt_run {
	uint32_t row, n;
	uint32_t lane, lanes; /* lane from 0; number of the row's lanes */
};

/* A job that runs in the time of the chart. */
struct gantt_bar {
	const struct site_job *job;
	uint8_t colour;	 /* from 0 to GANTT_OTHERS */
	bool own;	 /* drawn as an element, else as cells */
	size_t first, n; /* rectangles of the element: gantt_layout.runs */
};

struct gantt_layout {
	const struct gantt *g;
	struct site_sizes sizes;
	double from_s, to_s;
	uint32_t rows, row_procs; /* processors of a row */
	struct gantt_bar *bars;	  /* by start */
	size_t nbars;
	size_t nsmall;	/* bars that are drawn as cells */
	size_t nunseen; /* bars without a row, each being less than a row */
	bool shared;	/* jobs shared processors */
	struct gantt_run *runs;
	size_t nruns, cap;
	double *free_s; /* by row: last end of the jobs placed so far */
	/* The cells: by row, then by GANTT_COLUMNS columns of equal time. */
	uint8_t *colour; /* 0 = empty, else 1 + colour */
	float *filled;	 /* share (0 to 1) that the job with the colour fills */
	int32_t keys[GANTT_COLOURS]; /* by colour: user, class or promise */
	size_t nkeys;
	bool others; /* there are jobs of other keys */
};

/* Write the chart; the caller tests fp for errors of writing.
 * Result: 0, or -1 with ENOMEM.
 */
int gantt_draw(const struct gantt_layout *l, FILE *fp, struct libra_error *err);

#endif
