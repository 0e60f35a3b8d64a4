/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.h - ended runs of jobs, from the lines of Slurm's job completion log
 * (JobCompType=jobcomp/filetxt) or of sacct -P with a heading.
 */
#ifndef LIBRA_CLI_PAST_H
#define LIBRA_CLI_PAST_H

#include <stdbool.h>
#include <stdint.h>

/* The columns of sacct that are read, in any order; others are skipped. */
#define CLI_PAST_COLUMNS                                                       \
	"Partition,UID,Eligible,Start,End,TimelimitRaw,AllocCPUS,State"

enum { CLI_PAST_NCOLUMNS = 8 };

struct cli_run {
	char part[128];	     /* the partition in which the job ran */
	uint32_t user, cpus; /* user: uid */
	double eligible_s, start_s, end_s;
	double limit_s; /* INFINITY = none */
};

/* The state of the reader; zeros before the first line. */
struct cli_past {
	int column[CLI_PAST_NCOLUMNS]; /* number of each column, from 1; 0 =
					  the heading lacks it */
	bool heading;		       /* a heading was read: sacct -P */
};

/* Read a line without its newline; the line is changed.
 * Result: 1 with *run; 0 for a heading, and for a job that never ran or has not
 *         ended; -1 for a damaged line, or one of neither format.
 */
int cli_past_line(struct cli_past *past, char *line, struct cli_run *run);

#endif
