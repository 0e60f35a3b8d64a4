/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * when.h - answers of libra when: the start of each waiting job.
 *
 * The answer for a promised job is its planned start.  Other starts are
 * forecast (core/formula/forecast.h) from the queue and the runs of the last
 * days.  Partitions that share nodes count as one machine.
 *
 * Called by run_when.c in the libra command, which has one thread and no locks.
 * If memory is out, the command ends with an error.
 */
#ifndef LIBRA_CLI_WHEN_H
#define LIBRA_CLI_WHEN_H

#include <stdio.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/past.h"

/* The past runs, in the order of the file. */
struct cli_runs {
	struct cli_run *list;
	size_t n;
};

/* Read all past runs of a file.  Skip lines that contain no run.
 * Owner:  the caller frees runs->list.
 */
void cli_runs_read(struct cli_runs *runs, FILE *in);

enum cli_when_how {
	CLI_WHEN_PROMISED, /* start_s and latest_s are those of the promise */
	CLI_WHEN_FORECAST, /* 95 % of such jobs start by latest_s */
	CLI_WHEN_PLANNED,  /* no latest_s: too few past jobs are alike */
	CLI_WHEN_UNKNOWN,  /* no start_s: held, not eligible, or too large */
	CLI_WHEN_STARTED,
};

/* A job and its instants; NAN = none. */
struct cli_when {
	const struct cli_job *job;
	enum cli_when_how how;
	double start_s, latest_s;
	double limits_s; /* start if all jobs run until their limits */
};

/* A check of the forecast: each past job is forecast from the runs before it.
 */
struct cli_when_past {
	size_t asked; /* jobs whose forecast has a latest start */
	size_t kept;  /* of these, jobs that started by then */
};

/* Forecast all jobs.  when: an array with one entry for each job of the
 * cluster, in the same order.
 * Result: 0 with *when and *past filled in, or -1 with errno and *err.
 */
int cli_when(struct cli_cluster *cluster, const struct cli_runs *runs,
	     struct cli_when *when, struct cli_when_past *past,
	     struct libra_error *err);

/* Print n answers as text, or collect them in o->rows and o->data for programs.
 * Result: the exit status.
 */
int cli_print_when(const struct cli_cluster *cluster,
		   const struct cli_when *when, size_t n,
		   const struct cli_when_past *past, struct cli_output *o);

#endif
