/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.c - librasim import: a site's accounting log becomes a log.
 *
 * Reads options into struct import_options, then calls the steps of sim/import
 * in order: map, logs, sorting, files, summary.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/command/command.h"
#include "sim/command/log_options.h"
#include "sim/import/import.h"
#include "sim/import/show.h"
#include "sim/import/write.h"

/* The options of the line.  limits is allocated; other texts are those of the
 * line.
 */
struct import_args {
	struct cmd_texts files;
	struct import_options options;
	struct import_output output;
	struct import_limit_of *limits;
	const char *from, *to;
	const char *key_path;
	const char *map_path;
	const char *release; /* for --show-command */
	bool show, no_table;
	struct import_key key;
	struct import_map map;
};

enum {
	OPT_FORMAT = 0x100,
	OPT_ARRIVAL,
	OPT_PARTITION,
	OPT_CLUSTER,
	OPT_FROM,
	OPT_TO,
	OPT_TZ,
	OPT_HASH,
	OPT_MAP,
	OPT_LIMIT,
	OPT_CANCELLED,
	OPT_PROCS,
	OPT_NODES,
	OPT_TABLE,
	OPT_NO_TABLE,
	OPT_COUNTS,
	OPT_SHOW,
	OPT_DELIMITER,
};

static const struct argp_option options[] = {
	{"output", 'o', "FILE", 0,
	 "Write the log there, gzipped if FILE ends in .gz; '-' is standard "
	 "output (default: only count)",
	 0},
	{"table", OPT_TABLE, "FILE", 0,
	 "Write the side table there (default: beside the log, .jobs.csv "
	 "instead of .swf)",
	 0},
	{"no-table", OPT_NO_TABLE, NULL, 0, "Write no side table", 0},
	{"counts", OPT_COUNTS, "FILE", 0,
	 "Write there as CSV what was dropped, changed and guessed", 0},
	{"format", OPT_FORMAT, "FORMAT", 0,
	 "sacct (text), sacct-json, jobcomp (JSON lines) or csv (any trace, "
	 "with --map) (default: by the first characters)",
	 0},
	{"delimiter", OPT_DELIMITER, "TEXT", 0,
	 "The delimiter between the columns of sacct's text or of CSV (default: "
	 "the one in the heading)",
	 0},
	{"show-command", OPT_SHOW, "RELEASE", OPTION_ARG_OPTIONAL,
	 "Print the sacct command that writes such a log, for a release of "
	 "Slurm (default: for all)",
	 0},
	{"arrival", OPT_ARRIVAL, "TIME", 0,
	 "A job arrives when it is eligible (default) or at its submit time",
	 0},
	{"partition", OPT_PARTITION, "LIST", 0, "Only these partitions", 0},
	{"cluster", OPT_CLUSTER, "NAME", 0, "Only this cluster", 0},
	{"from", OPT_FROM, "TIME", 0,
	 "Jobs that ran or came since; those that were there before are kept to "
	 "warm up with ('csv' is the same as --format csv)",
	 0},
	{"to", OPT_TO, "TIME", 0, "Jobs that came before", 0},
	{"tz", OPT_TZ, "ZONE", 0,
	 "The zone of times that do not name theirs: Europe/Paris", 0},
	{"partition-limit", OPT_LIMIT, "PARTITION=TIME", 0,
	 "The limit of jobs that have none ('*' = of any other partition); may "
	 "be given several times",
	 0},
	{"keep-cancelled", OPT_CANCELLED, NULL, 0,
	 "Keep jobs that were cancelled while they waited", 0},
	{"procs", OPT_PROCS, "N", 0,
	 "Processors of the machine (default: the most that jobs had at one "
	 "time)",
	 0},
	{"nodes", OPT_NODES, "N", 0, "Nodes of the machine", 0},
	{"hash", OPT_HASH, "KEYFILE", 0,
	 "Write keyed hashes instead of users and accounts", 0},
	{"map", OPT_MAP, "FILE", 0,
	 "With --format csv: read there which column is what, in which unit. "
	 "Else with --hash: write there which hash is whose, for your eyes "
	 "alone",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static void set_format(struct argp_state *state, struct import_options *o,
		       const char *name)
{
	static const char *const names[] = {
		[IMPORT_SACCT] = "sacct",
		[IMPORT_JOBCOMP] = "jobcomp",
		[IMPORT_SACCT_JSON] = "sacct-json",
		[IMPORT_CSV] = "csv",
	};

	for (int i = IMPORT_SACCT; i <= IMPORT_CSV; i++)
		if (strcmp(names[i], name) == 0) {
			o->format = (enum import_format)i;
			return;
		}
	cmd_usage(state,
		  "--format is sacct, sacct-json, jobcomp or csv, not '%s'",
		  name);
}

/* Add the time limit of a partition; cuts text in place. */
static void add_limit(struct argp_state *state, struct import_args *args,
		      char *text)
{
	size_t n = args->options.nlimits;
	struct import_limit_of *limits =
		realloc(args->limits, (n + 1) * sizeof(*limits));
	char *equals = strchr(text, '=');
	double s = 0;

	if (!limits)
		cmd_no_memory(state->name);
	args->limits = limits;
	if (!equals || equals == text ||
	    import_limit((struct import_text){equals + 1, strlen(equals + 1)},
			 60, &s) != IMPORT_OK ||
	    s <= 0)
		cmd_usage(state,
			  "--partition-limit takes PARTITION=[D-]HH:MM:SS, not "
			  "'%s'",
			  text);
	*equals = '\0';
	limits[n] = (struct import_limit_of){text, s};
	args->options.limits = limits;
	args->options.nlimits = n + 1;
}

static error_t parse_output(int key, char *arg, struct argp_state *state)
{
	struct import_args *args = state->input;

	switch (key) {
	case 'o':
		args->output.log = arg;
		return 0;
	case OPT_TABLE:
		args->output.table = arg;
		return 0;
	case OPT_NO_TABLE:
		args->no_table = true;
		return 0;
	case OPT_COUNTS:
		args->output.counts = arg;
		return 0;
	case OPT_PROCS:
		args->output.procs =
			(uint32_t)cmd_count(state, "procs", arg, 1, INT32_MAX);
		return 0;
	case OPT_NODES:
		args->output.nodes =
			(uint32_t)cmd_count(state, "nodes", arg, 1, INT32_MAX);
		return 0;
	case OPT_HASH:
		args->key_path = arg;
		return 0;
	case OPT_MAP:
		args->map_path = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Refuse options that do not go together. */
static void check_args(struct argp_state *state, const struct import_args *args)
{
	if (args->show)
		return;
	if (args->files.n == 0)
		cmd_usage(state, "which log? ('-' is standard input; "
				 "--show-command prints how to get one)");
	if (!args->output.log && args->output.table)
		cmd_usage(state, "--table goes with --output");
	if (args->options.format == IMPORT_CSV && !args->map_path)
		cmd_usage(state, "--format csv needs a map of its columns: "
				 "--map FILE (see librasim-import(1))");
	if (args->options.format == IMPORT_CSV || !args->map_path)
		return;
	if (!args->key_path)
		cmd_usage(state, "--map goes with --format csv (the columns of "
				 "a trace) or with --hash");
	if (!args->output.log)
		cmd_usage(state, "--map goes with --output");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct import_args *args = state->input;

	switch (key) {
	case OPT_FORMAT:
		set_format(state, &args->options, arg);
		return 0;
	case OPT_DELIMITER:
		args->options.delimiter = arg;
		return 0;
	case OPT_SHOW:
		args->show = true;
		args->release = arg;
		return 0;
	case OPT_ARRIVAL:
		args->options.arrival_is_submit = strcmp(arg, "submit") == 0;
		if (!args->options.arrival_is_submit &&
		    strcmp(arg, "eligible") != 0)
			cmd_usage(state,
				  "--arrival is eligible or submit, not '%s'",
				  arg);
		return 0;
	case OPT_PARTITION:
		args->options.partitions = arg;
		return 0;
	case OPT_CLUSTER:
		args->options.cluster = arg;
		return 0;
	case OPT_FROM:
		if (strcmp(arg, "csv") == 0)
			set_format(state, &args->options, arg);
		else
			args->from = arg;
		return 0;
	case OPT_TO:
		args->to = arg;
		return 0;
	case OPT_TZ:
		args->options.zone = arg;
		return 0;
	case OPT_LIMIT:
		add_limit(state, args, arg);
		return 0;
	case OPT_CANCELLED:
		args->options.keep_cancelled = true;
		return 0;
	case ARGP_KEY_ARG:
		cmd_add_text(state, &args->files, arg);
		return 0;
	case ARGP_KEY_END:
		check_args(state, args);
		return 0;
	default:
		return parse_output(key, arg, state);
	}
}

/* LOG.swf.gz has its side table in LOG.jobs.csv.  Owner: the caller. */
static char *table_name(const char *log)
{
	size_t n = strlen(log);
	char *name = malloc(n + sizeof(".jobs.csv"));

	if (!name)
		return NULL;
	if (n > 3 && strcmp(log + n - 3, ".gz") == 0)
		n -= 3;
	if (n > 4 && strncmp(log + n - 4, ".swf", 4) == 0)
		n -= 4;
	memcpy(name, log, n);
	strcpy(name + n, ".jobs.csv");
	return name;
}

/* Write the files that the options name, and print the summary. */
static int write_all(struct import_args *args, const struct import *im,
		     struct libra_error *err)
{
	bool to_stdout = args->output.log && strcmp(args->output.log, "-") == 0;
	char *table = NULL;
	int rc = 0;

	if (args->output.log && !args->output.table && !args->no_table &&
	    !to_stdout) {
		table = table_name(args->output.log);
		if (!table)
			return sim_no_memory(err);
		args->output.table = table;
	}
	if (args->output.log || args->output.counts)
		rc = import_write(im, &args->output, err);
	if (rc == 0)
		import_summary(im, to_stdout ? stderr : stdout);
	if (rc == 0 && !args->output.procs && args->output.log)
		fprintf(to_stdout ? stderr : stdout,
			"the machine has the processors that jobs %s at one "
			"time: name its own with --procs\n",
			im->count[IMPORT_R_START] > 0
				? "without a wait would have"
				: "had");
	free(table);
	return rc;
}

/* Read the map of a CSV trace, or remember where that of the hashes goes. */
static int take_map(struct import_args *args, struct libra_error *err)
{
	if (args->options.format != IMPORT_CSV) {
		args->output.map = args->map_path;
		return 0;
	}
	if (import_map_read(&args->map, args->map_path, err) < 0)
		return -1;
	args->options.map = &args->map;
	if (!import_map_has(&args->map, IMPORT_C_ELIGIBLE))
		args->options.arrival_is_submit = true;
	return 0;
}

/* Read the key, the map and all logs, and write the results. */
static int import_all(struct import_args *args, struct libra_error *err)
{
	struct import im;
	int rc;

	args->output.key = &args->key;
	if (args->key_path &&
	    import_key_read(&args->key, args->key_path, err) < 0)
		return -1;
	if (cmd_instant("from", args->from, args->options.zone,
			&args->options.from_s, err) < 0 ||
	    cmd_instant("to", args->to, args->options.zone, &args->options.to_s,
			err) < 0)
		return -1;
	if (args->show) {
		import_show_command(stdout, args->release, args->options.from_s,
				    args->options.to_s);
		return 0;
	}
	if (take_map(args, err) < 0)
		return -1;
	rc = import_init(&im, &args->options, err);
	for (size_t i = 0; rc == 0 && i < args->files.n; i++)
		rc = import_read(&im, args->files.of[i], err);
	if (rc == 0)
		rc = import_finish(&im, err);
	if (rc == 0)
		rc = write_all(args, &im, err);
	import_fini(&im);
	return rc;
}

int cmd_import(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE...",
		.doc = "Make a log in the Standard Workload Format of Slurm's "
		       "accounting, or of a trace in CSV.\v"
		       "FILE is what sacct -P or sacct --json printed, or the "
		       "lines of a job completion plugin, or with --format "
		       "csv a public trace, plain or compressed; '-' is standard "
		       "input. `librasim import --show-command` prints the "
		       "sacct command to use.",
	};
	struct import_args *args = calloc(1, sizeof(*args));
	struct libra_error err = {""};
	int rc;

	if (!args) {
		sim_no_memory(&err);
		return cmd_fail(argv[0], &err);
	}
	cmd_parse(&argp, argc, argv, 0, NULL, args);
	rc = import_all(args, &err);
	free(args->files.of);
	import_map_fini(&args->map);
	free(args->limits);
	free(args);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
