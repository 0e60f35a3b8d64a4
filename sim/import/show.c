/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show.c - print the sacct command with the columns of a release.
 *
 * sacct prints nothing if it does not know a column, so each column has the
 * release that introduced it.
 */
#include "sim/import/show.h"

#include <stdlib.h>
#include <time.h>

/* The columns to ask for, and the release that has each first: 2411 = 24.11.
 * sacct prints nothing if it does not know one of them.
 */
static const struct {
	const char *name;
	int since; /* 0 = 20.11 or before */
} columns[] = {
	{"JobIDRaw", 0},     {"JobID", 0},     {"Cluster", 0},
	{"Partition", 0},    {"QOS", 0},       {"Account", 0},
	{"User", 0},	     {"UID", 0},       {"Submit", 0},
	{"Eligible", 0},     {"Start", 0},     {"End", 0},
	{"ElapsedRaw", 0},   {"Suspended", 0}, {"TimelimitRaw", 0},
	{"State", 0},	     {"ReqCPUS", 0},   {"AllocCPUS", 0},
	{"NNodes", 0},	     {"ReqTRES", 0},   {"AllocTRES", 0},
	{"ReqMem", 0},	     {"TotalCPU", 0},  {"Restarts", 2411},
	{"AdminComment", 0},
};

/* Return a release such as "22.05" as 2205; 0 for NULL. */
static int release_number(const char *release)
{
	char *end;
	long year, month = 0;

	if (!release)
		return 0;
	year = strtol(release, &end, 10);
	if (*end == '.')
		month = strtol(end + 1, NULL, 10);
	return (int)(year % 100 * 100 + month);
}

static void put_instant(FILE *fp, const char *option, int64_t at_s,
			const char *word)
{
	time_t t = at_s;
	char text[32];
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(fp, " %s %s", option, at_s ? text : word);
}

void import_show_command(FILE *fp, const char *release, int64_t from_s,
			 int64_t to_s)
{
	int number = release_number(release);
	const char *between = "";

	fputs("SLURM_TIME_FORMAT=%s TZ=UTC LC_ALL=C SLURM_BITSTR_LEN=0 \\\n"
	      "sacct -a -X -D -P --delimiter=$'\\x1f'",
	      fp);
	put_instant(fp, "-S", from_s, "FROM");
	put_instant(fp, "-E", to_s, "TO");
	fputs(" \\\n    -o ", fp);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (columns[i].since > number)
			continue;
		fprintf(fp, "%s%s", between, columns[i].name);
		between = ",";
	}
	fputs(" \\\n    | gzip >jobs.txt.gz\n", fp);
}
