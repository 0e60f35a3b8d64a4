/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - librasim trace: check and describe a log.
 *
 * Reading the log checks it.  One list of lines, with name, text, unit and
 * value, feeds both formats.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/command/command.h"
#include "sim/log/trace_find.h"
#include "sim/log/trace_stats.h"
#include "sim/output/json.h"
#include "sim/output/table.h"

struct trace_args {
	const char *path;
	size_t last;
	enum cmd_format format;
	bool which;
};

static const struct argp_option options[] = {
	{"last", 'n', "N", 0, "Describe only the last N records", 0},
	{"which", 'w', NULL, 0,
	 "Print where a log of this name is found, and stop", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct trace_args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->format;
		return 0;
	case 'n':
		args->last = cmd_count(state, "last", arg, 1, SIZE_MAX);
		return 0;
	case 'w':
		args->which = true;
		return 0;
	default:
		return cmd_one_trace(state, key, arg, &args->path);
	}
}

/* One line of the description. */
struct line {
	const char *name; /* in JSON */
	const char *text;
	const char *unit;
	double value;
	int decimals;
};

#define NLINES 26

/* Fill in the lines.  Result: how many. */
static size_t describe(const struct swf_trace *t, const struct trace_stats *s,
		       struct line line[NLINES])
{
	const struct line all[] = {
		{"records", "records", "", (double)s->records, 0},
		{"procs", "processors of the machine", "", swf_procs(t), 0},
		{"ran", "records with run time > 0", "", (double)s->ran, 0},
		{"users", "users", "", (double)s->users, 0},
		{"span_s", "first to last submission", "s", s->span_s, 0},
		{"mean_gap_s", "mean time between submissions", "s",
		 s->mean_gap_s, 2},
		{"gap_cv", "coefficient of variation of that time", "",
		 s->gap_cv, 3},
		{"mean_run_s", "mean run time, as recorded", "s", s->mean_run_s,
		 2},
		{"mean_procs", "mean processors, requested", "", s->mean_procs,
		 2},
		{"max_procs", "largest request", "", s->max_procs, 0},
		{"utilization_pct", "work / (processors x span)", "%",
		 100 * s->utilization, 2},
		{"estimated", "records with run time and estimate", "",
		 (double)s->estimated, 0},
		{"over_pct", "estimates above the run time", "%",
		 100 * s->over_share, 1},
		{"ratio_median", "estimate / run time, median", "", s->ratio[0],
		 2},
		{"ratio_p75", "75 %", "", s->ratio[1], 1},
		{"ratio_p90", "90 %", "", s->ratio[2], 1},
		{"ratio_max", "largest", "", s->ratio[3], 0},
		{"overruns", "run times above the estimate", "",
		 (double)s->overruns, 0},
		{"overrun_max_s", "by at most", "s", s->overrun_max_s, 0},
		{"unsorted", "whole log: submitted before the record above", "",
		 (double)t->unsorted, 0},
		{"no_estimate", "whole log: without an estimate", "",
		 (double)t->no_estimate, 0},
		{"no_procs", "whole log: without processors", "",
		 (double)t->no_procs, 0},
		{"no_run", "whole log: without a run time > 0", "",
		 (double)t->no_run, 0},
		{"extra_fields", "whole log: fields after the 18, ignored", "",
		 (double)t->extra_fields, 0},
		{"no_submit", "whole log: without a submit time, left out", "",
		 (double)t->no_submit, 0},
		{"negative", "whole log: negative values, read as unknown", "",
		 (double)t->negative, 0},
	};

	memcpy(line, all, sizeof(all));
	return sizeof(all) / sizeof(all[0]);
}

static void print_json(const struct swf_trace *t, const struct line *line,
		       size_t n)
{
	struct out_json j;

	out_json_init(&j, stdout);
	out_json_object(&j, NULL);
	out_json_text(&j, "trace", t->name);
	if (t->computer)
		out_json_text(&j, "computer", t->computer);
	if (t->installation)
		out_json_text(&j, "installation", t->installation);
	if (t->acknowledge)
		out_json_text(&j, "acknowledge", t->acknowledge);
	if (t->copyright)
		out_json_text(&j, "copyright", t->copyright);
	for (size_t i = 0; i < n; i++)
		out_json_number(&j, line[i].name, line[i].value);
	out_json_end(&j);
}

static int print_text(const struct swf_trace *t, const struct line *line,
		      size_t n)
{
	static const struct out_column columns[] = {{"property", OUT_LEFT},
						    {"value", OUT_RIGHT},
						    {"unit", OUT_LEFT}};
	struct out_table table;
	int rc;

	printf("%s\n", t->name);
	if (t->computer)
		printf("%s%s%s\n", t->computer, t->installation ? ", " : "",
		       t->installation ? t->installation : "");
	out_table_init(&table, columns, 3);
	for (size_t i = 0; i < n; i++) {
		out_table_cell(&table, "%s", line[i].text);
		out_table_number(&table, line[i].decimals, line[i].value);
		out_table_cell(&table, "%s", line[i].unit);
	}
	rc = out_table_print(&table, stdout);
	out_table_fini(&table);
	return rc;
}

/* Where a command that looks for a log by its name would find it. */
static int print_which(const char *name, struct libra_error *err)
{
	char *path;

	if (sim_trace_find(NULL, name, &path, err) < 0)
		return -1;
	if (!path)
		return libra_errf(err, ENOENT,
				  "%s: not found: contrib/fetch-traces "
				  "downloads logs",
				  name);
	puts(path);
	free(path);
	return 0;
}

/* Read and measure the log, and print it. */
static int print_description(const struct trace_args *args,
			     struct libra_error *err)
{
	struct line line[NLINES];
	struct trace_stats stats;
	struct swf_trace trace;
	size_t n;
	int rc;

	if (swf_read(&trace, args->path, err) < 0)
		return -1;
	rc = trace_stats(&trace, args->last, &stats, err);
	if (rc == 0) {
		n = describe(&trace, &stats, line);
		if (args->format == CMD_JSON)
			print_json(&trace, line, n);
		else
			rc = print_text(&trace, line, n);
	}
	swf_fini(&trace);
	return rc;
}

int cmd_trace(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&cmd_format_no_csv_argp, 0, NULL, 0},
		{NULL, 0, NULL, 0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.children = children,
		.args_doc = "TRACE",
		.doc = "Check and describe a log in the Standard Workload "
		       "Format.",
	};
	struct trace_args args = {.format = CMD_TABLE};
	struct libra_error err = {""};
	int rc;

	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	rc = args.which ? print_which(args.path, &err)
			: print_description(&args, &err);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
