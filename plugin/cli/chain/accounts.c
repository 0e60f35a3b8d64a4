/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * accounts.c - links that slurmctld has forgotten, as accounting has them.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/chain/chain.h"

enum { STATE, END, LIMIT, COMMENT, COLUMNS };

/* Cut a line into its columns; the last one has the rest.
 * Result: whether it has all of them.
 */
static bool cut(char *line, char *columns[COLUMNS])
{
	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < COLUMNS; i++) {
		columns[i] = line;
		line = i < COMMENT ? strchr(line, '|') : NULL;
		if (i < COMMENT && !line)
			return false;
		if (line)
			*line++ = '\0';
	}
	return true;
}

static bool read_job(char *line, struct cli_job *job)
{
	char *columns[COLUMNS], *end;
	double minutes;

	if (!cut(line, columns))
		return false;
	*job = (struct cli_job){
		.state = CLI_JOB_OVER,
		.state_name = columns[STATE],
		.end_s = strtod(columns[END], &end),
		.comment = columns[COMMENT],
	};
	/* "CANCELLED by 1000"; a job that has not ended has no number. */
	job->state_name[strcspn(job->state_name, " ")] = '\0';
	if (end == columns[END] || *end || !(job->end_s > 0))
		return false;
	minutes = strtod(columns[LIMIT], &end);
	job->limit_s = end == columns[LIMIT] ? 0 : 60 * minutes;
	job->promised =
		libra_admin_comment_parse(job->comment, &job->promise) == 0;
	return true;
}

char *chain_ask_accounts(const char *id, struct cli_job *job)
{
	char command[256], *line = NULL, *more = NULL;
	size_t size = 0, more_size = 0;
	bool known = false;
	FILE *in;

	snprintf(command, sizeof(command),
		 "SLURM_TIME_FORMAT=%%s LC_ALL=C exec sacct -X -n -P -j %.64s "
		 "-o State,End,TimelimitRaw,AdminComment 2>/dev/null "
		 "</dev/null",
		 id);
	in = popen(command, "r");
	/* Several lines are of an array. */
	if (in)
		known = getline(&line, &size, in) > 0 &&
			getline(&more, &more_size, in) < 0 && !ferror(in);
	if (in && pclose(in) != 0)
		known = false;
	free(more);
	if (known && read_job(line, job))
		return line;
	free(line);
	return NULL;
}
