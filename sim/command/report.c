/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - librasim report: a page on the promises of a cluster.
 *
 * Reads decision logs and sacct's output (site/promises.h), chooses the time,
 * and writes the page.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/command/command.h"
#include "sim/command/log_options.h"
#include "sim/output/file.h"
#include "sim/output/memory_file.h"
#include "sim/site/promises_page.h"

enum { OPT_SACCT = 0x900, OPT_MONTH, OPT_DAY, OPT_TZ };

struct report_args {
	const char *output, *sacct, *zone;
	char **files;
	size_t nfiles;
	struct promises_page page;
};

static const struct argp_option options[] = {
	{"output", 'o', "FOLDER", 0,
	 "Write the page and its tables there (default report)", 0},
	{"month", OPT_MONTH, "YYYY-MM", 0,
	 "Promises given and requests answered in this month, UTC (default: "
	 "all)",
	 0},
	{"day", OPT_DAY, "YYYY-MM-DD", 0,
	 "Draw this day, UTC (default: the one with most work)", 0},
	{"sacct", OPT_SACCT, "FILE", 0,
	 "Add accounts, QOS and ends from accounting, or take all from there "
	 "where the log is gone: text of sacct, as by librasim import "
	 "--show-command",
	 0},
	{"tz", OPT_TZ, "ZONE", 0,
	 "The zone of times in FILE that do not name theirs: Europe/Paris", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* Read a date as seconds since 1970. */
static double day_of(const struct argp_state *state, const char *option,
		     const char *text)
{
	struct libra_error err = {""};
	int64_t at_s = 0;

	if (strlen(text) != 10 ||
	    cmd_instant(option, text, NULL, &at_s, &err) < 0)
		cmd_usage(state, "--%s takes a day like 2026-01-31, not '%s'",
			  option, text);
	return (double)at_s;
}

/* Read a month: from its first day to that of the next month. */
static void set_month(struct promises_page *page,
		      const struct argp_state *state, const char *text)
{
	int year, month, n = 0;
	char day[32];

	if (sscanf(text, "%4d-%2d%n", &year, &month, &n) != 2 || n != 7 ||
	    text[n] || year < 1970 || month < 1 || month > 12)
		cmd_usage(state, "--month takes a month like 2026-01, not '%s'",
			  text);
	page->month = text;
	snprintf(day, sizeof(day), "%04d-%02d-01", year, month);
	page->from_s = day_of(state, "month", day);
	snprintf(day, sizeof(day), "%04d-%02d-01",
		 month == 12 ? year + 1 : year, month % 12 + 1);
	page->to_s = day_of(state, "month", day);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_args *args = state->input;

	switch (key) {
	case 'o':
		args->output = arg;
		return 0;
	case OPT_MONTH:
		set_month(&args->page, state, arg);
		return 0;
	case OPT_DAY:
		args->page.day_s = day_of(state, "day", arg);
		return 0;
	case OPT_SACCT:
		args->sacct = arg;
		args->page.accounting = true;
		return 0;
	case OPT_TZ:
		args->zone = arg;
		return 0;
	case ARGP_KEY_ARGS:
		args->files = state->argv + state->next;
		args->nfiles = (size_t)(state->argc - state->next);
		return 0;
	case ARGP_KEY_END:
		if (args->nfiles == 0 && !args->sacct)
			cmd_usage(state,
				  "no decision log is given (the file that "
				  "libra_log names), and no --sacct");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The command, for the end of the page.  Result: NULL = no memory. */
static char *command_text(int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *mem = out_memory(&text, &size);

	if (!mem)
		return NULL;
	for (int i = 0; i < argc; i++)
		fprintf(mem, "%s%s", i ? " " : "", argv[i]);
	if (fclose(mem) == 0)
		return text;
	free(text);
	return NULL;
}

/* Read the logs, and write the page into its folder. */
static int report(struct report_args *args, struct libra_error *err)
{
	struct promises p = {.first_s = NAN, .last_s = NAN};
	int rc = out_check_folder(args->output, err);

	if (rc == 0)
		rc = promises_read_logs(&p, args->files, args->nfiles, err);
	if (rc == 0 && args->sacct)
		rc = promises_read_sacct(&p, args->sacct, args->zone, err);
	if (rc == 0) {
		promises_choose(&p, args->page.from_s, args->page.to_s);
		args->page.promises = &p;
		rc = promises_page_write(&args->page, args->output, err);
		if (rc == 0)
			printf("the page is %s/index.html\n", args->output);
	}
	promises_fini(&p);
	return rc;
}

int cmd_report(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "[LOG...]",
		.doc = "Write a page on the promises of a cluster: given, "
		       "kept, late, lost and why, by partition, account and "
		       "QOS; refusals, estimates, and a chart of a day."
		       "\vLOG is what libra_log names, and its rotated files, "
		       "plain or packed, in any order; of several groups, all "
		       "of theirs.",
	};
	struct report_args args = {
		.output = "report",
		.page = {.from_s = -INFINITY, .to_s = INFINITY, .day_s = NAN},
	};
	struct libra_error err = {""};
	char *command = command_text(argc, argv);

	if (!command)
		cmd_no_memory(argv[0]);
	args.page.command = command;
	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	if (report(&args, &err) < 0) {
		free(command);
		return cmd_fail(argv[0], &err);
	}
	free(command);
	return CMD_DONE;
}
