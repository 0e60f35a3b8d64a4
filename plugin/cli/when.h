/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * when.h - when will each waiting job start?
 *
 * A promised job has its planned start.  For all others the queue is forecast
 * (core/formula/forecast.h) from the runs of the last days; partitions that
 * share nodes are one machine.
 */
#ifndef LIBRA_CLI_WHEN_H
#define LIBRA_CLI_WHEN_H

#include <stdio.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/past.h"

/* The runs of the past, in the order of the file. */
struct cli_runs {
	struct cli_run *list;
	size_t n;
};

/* Read all runs of a file.  Lines that are none are skipped.  Without memory
 * the command ends.
 * Owner:  the caller frees runs->list.
 */
void cli_runs_read(struct cli_runs *runs, FILE *in);

enum cli_when_how {
	CLI_WHEN_PROMISED, /* start and latest are of its record */
	CLI_WHEN_FORECAST, /* 95 % of such jobs start before the latest */
	CLI_WHEN_PLANNED,  /* too few jobs of the past are like it */
	CLI_WHEN_UNKNOWN,  /* held, not eligible, or it never fits */
	CLI_WHEN_STARTED,
};

/* A job and its instants; NAN = none. */
struct cli_when {
	const struct cli_job *job;
	enum cli_when_how how;
	double start_s, latest_s;
	double limits_s; /* its start by the limits of all jobs */
};

/* What became of the same answers in the past. */
struct cli_when_past {
	size_t asked, kept;
};

/* Answer for all jobs.  when: one for each job of the cluster, in its order.
 * Result: 0, or -1 with errno and a text.
 */
int cli_when(struct cli_cluster *cluster, const struct cli_runs *runs,
	     struct cli_when *when, struct cli_when_past *past,
	     struct libra_error *err);

/* Print n answers, for people or programs.  Result: exit status. */
int cli_print_when(const struct cli_cluster *cluster,
		   const struct cli_when *when, size_t n,
		   const struct cli_when_past *past, struct cli_output *o);

#endif
