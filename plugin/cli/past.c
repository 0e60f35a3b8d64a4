/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.c - see past.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/cli/past.h"

enum { PART, USER, ELIGIBLE, START, END, LIMIT, CPUS, STATE };

static const char *const sacct_names[CLI_PAST_NCOLUMNS] = {
	"Partition", "UID",	     "Eligible",  "Start",
	"End",	     "TimelimitRaw", "AllocCPUS", "State"};
static const char *const completion_names[CLI_PAST_NCOLUMNS] = {
	" Partition=", " UserId=",    " EligibleTime=", " StartTime=",
	" EndTime=",   " TimeLimit=", " ProcCnt=",	" JobState="};

/* Seconds since 1970, or local time; NAN of Unknown and None. */
static double instant(const char *text)
{
	struct tm tm = {.tm_isdst = -1};
	char *end;
	double s = strtod(text, &end);

	if (end != text && *end == '\0')
		return s > 0 ? s : NAN;
	if (sscanf(text, "%d-%d-%dT%d:%d:%d", &tm.tm_year, &tm.tm_mon,
		   &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 6)
		return NAN;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	return (double)mktime(&tm);
}

/* "1000", or "ada(1000)". */
static uint32_t user_of(const char *text)
{
	const char *open = strrchr(text, '(');

	return (uint32_t)strtoul(open ? open + 1 : text, NULL, 10);
}

static int read_run(char *const values[CLI_PAST_NCOLUMNS], struct cli_run *run)
{
	double minutes = atof(values[LIMIT]);

	*run = (struct cli_run){
		.user = user_of(values[USER]),
		.cpus = (uint32_t)strtoul(values[CPUS], NULL, 10),
		.eligible_s = instant(values[ELIGIBLE]),
		.start_s = instant(values[START]),
		.end_s = instant(values[END]),
		.limit_s = minutes > 0 ? 60 * minutes : INFINITY,
	};
	snprintf(run->part, sizeof(run->part), "%.*s",
		 (int)strcspn(values[PART], ","), values[PART]);
	/* A job that is cancelled while it waits gets its end as its start. */
	if (isnan(run->start_s) || isnan(run->end_s) || run->cpus == 0 ||
	    run->end_s < run->start_s ||
	    (run->end_s <= run->start_s &&
	     strncmp(values[STATE], "CANCELLED", 9) == 0))
		return 0;
	if (!(run->eligible_s <= run->start_s))
		run->eligible_s = run->start_s;
	return 1;
}

/* The value behind a name; names in the value of Name= come before. */
static char *value_of(char *line, const char *name)
{
	char *at = strstr(line, name);

	return at ? at + strlen(name) : NULL;
}

/* The name of the job may have any text: what is read stands behind the last
 * JobState=, or before Name=.
 */
static int read_completion(char *line, struct cli_run *run)
{
	char *values[CLI_PAST_NCOLUMNS] = {NULL}, *tail = NULL, *next = line;

	while ((next = strstr(next, completion_names[STATE])))
		tail = next++;
	if (!tail)
		return -1;
	for (int i = 0; i < CLI_PAST_NCOLUMNS; i++) {
		values[i] =
			value_of(i == USER ? line : tail, completion_names[i]);
		if (!values[i])
			return -1;
	}
	for (int i = 0; i < CLI_PAST_NCOLUMNS; i++)
		values[i][strcspn(values[i], " ")] = '\0';
	return read_run(values, run);
}

static int read_heading(struct cli_past *past, char *line)
{
	char *save = NULL, *word = strtok_r(line, "|", &save);

	*past = (struct cli_past){.heading = true};
	for (int n = 1; word; word = strtok_r(NULL, "|", &save), n++)
		for (int i = 0; i < CLI_PAST_NCOLUMNS; i++)
			if (strcmp(word, sacct_names[i]) == 0)
				past->column[i] = n;
	for (int i = 0; i < CLI_PAST_NCOLUMNS; i++)
		if (past->column[i] == 0) {
			past->heading = false;
			return -1;
		}
	return 0;
}

static int read_columns(const struct cli_past *past, char *line,
			struct cli_run *run)
{
	char *values[CLI_PAST_NCOLUMNS] = {NULL};
	int n = 1;

	for (char *at = line; at; n++) {
		char *end = strchr(at, '|');

		if (end)
			*end++ = '\0';
		for (int i = 0; i < CLI_PAST_NCOLUMNS; i++)
			if (past->column[i] == n)
				values[i] = at;
		at = end;
	}
	for (int i = 0; i < CLI_PAST_NCOLUMNS; i++)
		if (!values[i])
			return -1;
	return read_run(values, run);
}

int cli_past_line(struct cli_past *past, char *line, struct cli_run *run)
{
	if (strncmp(line, "JobId=", 6) == 0)
		return read_completion(line, run);
	if (strstr(line, "AllocCPUS") && strstr(line, "TimelimitRaw"))
		return read_heading(past, line);
	return past->heading ? read_columns(past, line, run) : -1;
}
