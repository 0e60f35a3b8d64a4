/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gantt_impl.h - the layout of a Gantt chart: rows and bars of its jobs.  For
 * gantt*.c alone.
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

/* Rows one upon the other, or one of the lanes of a row whose jobs share it. */
struct gantt_run {
	uint32_t row, n;
	uint32_t lane, lanes; /* from 0; of how many */
};

/* A job in the time of the chart. */
struct gantt_bar {
	const struct site_job *job;
	uint8_t colour;	 /* from 0 */
	bool own;	 /* an element of its own, of n runs */
	size_t first, n; /* of gantt_layout.runs */
};

struct gantt_layout {
	const struct gantt *g;
	struct site_sizes sizes;
	double from_s, to_s;
	uint32_t rows, row_procs; /* processors of a row */
	struct gantt_bar *bars;	  /* by start */
	size_t nbars, nsmall;	  /* bars that have no element of their own */
	size_t nunseen;		  /* jobs for which no row was free */
	bool shared;		  /* jobs overlap on a row */
	struct gantt_run *runs;
	size_t nruns, cap;
	double *free_s;	 /* by row: when it is free */
	uint8_t *colour; /* by cell, of small jobs; 0 = empty, else 1 + colour
			  */
	float *filled;	 /* by cell: how much of it */
	int32_t keys[GANTT_COLOURS];
	size_t nkeys;
	bool others; /* there are more keys */
};

/* Write the chart; the caller of fp looks for errors of writing.
 * Result: 0, or -1 with ENOMEM.
 */
int gantt_draw(const struct gantt_layout *l, FILE *fp, struct libra_error *err);

#endif
