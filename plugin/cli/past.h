/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.h - runs of jobs that are over, from the lines of Slurm's job completion
 * log (JobCompType=jobcomp/filetxt) or of sacct -P with a heading.
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
	char part[128]; /* one partition */
	uint32_t user, cpus;
	double eligible_s, start_s, end_s;
	double limit_s; /* INFINITY = none */
};

/* Where the columns stand; zero before the first line. */
struct cli_past {
	int column[CLI_PAST_NCOLUMNS]; /* from 1 on; 0 = not there */
	bool heading;		       /* was read */
};

/* Read a line, which may be changed and has no newline.
 * Result: 1 with *run; 0 if it is a heading, or of a job that never ran or has
 *         not ended; -1 if it is neither format, or damaged.
 */
int cli_past_line(struct cli_past *past, char *line, struct cli_run *run);

#endif
