/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.c - librasim plot: pictures of jobs that ran.
 *
 * The jobs come from a log or from a table of `librasim run --jobs-out`
 * (site/jobs.h).  site/gantt.h draws a Gantt chart; other pictures go through
 * gnuplot, or are written as CSV.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/command/command.h"
#include "sim/command/log_options.h"
#include "sim/output/file.h"
#include "sim/site/gantt.h"
#include "sim/site/pictures.h"

enum { OPT_COLOUR = 0x800, OPT_FROM, OPT_TO, OPT_CSV };

/* A date, or seconds of the log's clock. */
struct plot_time {
	const char *date; /* NULL = none */
	double at_s;	  /* NAN = not given */
};

struct plot_args {
	const char *kind, *trace, *output;
	struct cmd_log log;
	uint32_t procs;
	struct plot_time from, to;
	enum gantt_colour colour; /* 0 = user, or what is known */
	bool csv;
};

static const struct argp_option options[] = {
	{"output", 'o', "FILE", 0, "Write the SVG there (default '-')", 0},
	{"colour", OPT_COLOUR, "BY", 0,
	 "Of gantt: user (default), size or promise", 0},
	{"csv", OPT_CSV, NULL, 0,
	 "Write the numbers of the picture instead (not of gantt)", 0},
	{"from", OPT_FROM, "TIME", 0,
	 "Begin there: a date (2026-01-31T12:00:00, UTC), or seconds of the "
	 "log's clock",
	 0},
	{"to", OPT_TO, "TIME", 0, "End there", 0},
	{"procs", 'p', "N", 0,
	 "Processors of the machine (default: the log's MaxProcs; of a jobs "
	 "table, the most in use at once)",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static enum gantt_colour colour_of(struct argp_state *state, const char *arg)
{
	if (strcmp(arg, "user") == 0)
		return GANTT_USER;
	if (strcmp(arg, "size") == 0)
		return GANTT_SIZE;
	if (strcmp(arg, "promise") != 0)
		cmd_usage(state, "--colour is user, size or promise, not '%s'",
			  arg);
	return GANTT_PROMISE;
}

/* Read an instant of the log, or a date. */
static struct plot_time time_of(const struct argp_state *state,
				const char *option, const char *arg)
{
	struct plot_time time = {.date = strchr(arg, '-') ? arg : NULL};
	struct libra_error err = {""};
	int64_t at_s = 0;

	if (!time.date)
		time.at_s = (double)cmd_count(state, option, arg, 0, INT64_MAX);
	else if (cmd_instant(option, arg, NULL, &at_s, &err) < 0)
		cmd_usage(state, "%s", err.text);
	else
		time.at_s = (double)at_s;
	return time;
}

static void check(const struct plot_args *args, struct argp_state *state)
{
	bool gantt = args->kind && strcmp(args->kind, "gantt") == 0;

	if (!gantt && (!args->kind || !picture_find(args->kind)))
		cmd_usage(state,
			  "the picture is gantt, usage, queue, waits, slowdown "
			  "or users, not '%s'",
			  args->kind ? args->kind : "");
	if (!args->trace)
		cmd_usage(state, "no trace is given ('-' is standard input)");
	if (gantt && args->csv)
		cmd_usage(state, "gantt has no numbers: leave out --csv");
	if (!gantt && args->colour)
		cmd_usage(state, "--colour is for gantt, not for %s",
			  args->kind);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct plot_args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->log;
		return 0;
	case 'o':
		args->output = arg;
		return 0;
	case OPT_COLOUR:
		args->colour = colour_of(state, arg);
		return 0;
	case OPT_CSV:
		args->csv = true;
		return 0;
	case OPT_FROM:
		args->from = time_of(state, "from", arg);
		return 0;
	case OPT_TO:
		args->to = time_of(state, "to", arg);
		return 0;
	case 'p':
		args->procs =
			(uint32_t)cmd_count(state, "procs", arg, 1, INT32_MAX);
		return 0;
	case ARGP_KEY_ARG:
		if (!args->kind)
			args->kind = arg;
		else
			cmd_argument(state, &args->trace, arg);
		return 0;
	case ARGP_KEY_END:
		check(args, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The jobs, whatever kind of file has them. */
static int read_jobs(struct site_jobs *jobs, const struct plot_args *args,
		     const char *argv0, struct libra_error *err)
{
	enum site_source source = site_source(args->trace);
	const struct cmd_log *log = &args->log;
	char *path = (char *)args->trace;
	struct swf_trace trace;
	int rc;

	if (source == SITE_NO_MEMORY)
		return sim_no_memory(err);
	if (source != SITE_LOG &&
	    (log->side || log->partition || log->qos || log->unit))
		return libra_errf(err, EINVAL,
				  "%s is not a log: --side, --partition, --qos "
				  "and --unit choose from logs",
				  args->trace);
	if (source == SITE_TABLE)
		return site_jobs_of_table(jobs, args->trace, args->procs, err);
	if (source == SITE_DECISIONS)
		return site_jobs_of_decisions(jobs, &path, 1, err);
	if (cmd_log_read(&trace, args->trace, log, argv0, err) < 0)
		return -1;
	rc = site_jobs_of_log(jobs, &trace, args->procs, err);
	swf_fini(&trace);
	return rc;
}

/* Dates, as the log's clock has them. */
static int set_clock(struct plot_time *time, const struct site_jobs *jobs,
		     struct libra_error *err)
{
	if (!time->date)
		return 0;
	if (!jobs->dated)
		return libra_errf(err, EINVAL,
				  "%s: the log does not say when it began "
				  "(UnixStartTime): give seconds of its clock",
				  time->date);
	time->at_s -= jobs->unix_start;
	return 0;
}

/* Draw a Gantt chart, coloured by users, promises or sizes. */
static int draw_gantt(const struct plot_args *args,
		      const struct site_jobs *jobs, FILE *fp,
		      struct libra_error *err)
{
	const struct gantt g = {
		.jobs = jobs,
		.from_s = args->from.at_s,
		.to_s = args->to.at_s,
		.colour = args->colour	   ? args->colour
			  : jobs->users	   ? GANTT_USER
			  : jobs->promises ? GANTT_PROMISE
					   : GANTT_SIZE,
	};

	return gantt_svg(&g, fp, err);
}

/* Draw a picture by gnuplot, or write its numbers as CSV. */
static int draw_picture(const struct plot_args *args,
			const struct site_jobs *jobs, FILE *fp,
			struct libra_error *err)
{
	struct picture *p = malloc(sizeof(*p));
	char *svg = NULL;
	int rc = p ? picture_make(p, picture_find(args->kind), jobs,
				  args->from.at_s, args->to.at_s, err)
		   : sim_no_memory(err);

	if (rc == 0 && args->csv) {
		fputs("figure,series,x,y\n", fp);
		picture_csv(fp, p);
	} else if (rc == 0) {
		p->plot.alone = true;
		p->plot.title = p->title;
		p->plot.height = 316;
		rc = plot_svg(&p->plot, &svg, err);
		if (rc == 0 && !svg)
			rc = libra_errf(err, ENOENT,
					"gnuplot was not found, which draws "
					"%s: install it, or take --csv",
					args->kind);
		else if (rc == 0)
			fputs(svg, fp);
	}
	free(svg);
	free(p);
	return rc;
}

/* Draw into the output file, which appears whole or not at all. */
static int draw(const struct plot_args *args, const struct site_jobs *jobs,
		struct libra_error *err)
{
	struct out_file file = {NULL};
	int rc = out_open(&file, args->output, err);

	if (rc == 0)
		rc = picture_find(args->kind)
			     ? draw_picture(args, jobs, file.fp, err)
			     : draw_gantt(args, jobs, file.fp, err);
	if (rc == 0)
		rc = out_commit(&file, err);
	if (file.fp)
		out_abort(&file);
	return rc;
}

int cmd_plot(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&cmd_log_argp, 0, "Part of the log:", 2},
		{NULL, 0, NULL, 0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "PICTURE FILE",
		.doc = "Draw jobs as they ran: from a log, from the jobs table "
		       "of librasim run --jobs-out, or from slurmctld's "
		       "decision log. The PICTURE is gantt (processors by "
		       "time), usage, queue, waits (by size), slowdown or "
		       "users.",
		.children = children,
	};
	struct plot_args args = {
		.output = "-", .from = {NULL, NAN}, .to = {NULL, NAN}};
	struct libra_error err = {""};
	struct site_jobs jobs;
	int rc;

	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	rc = read_jobs(&jobs, &args, argv[0], &err);
	if (rc == 0) {
		rc = set_clock(&args.from, &jobs, &err);
		if (rc == 0)
			rc = set_clock(&args.to, &jobs, &err);
		if (rc == 0)
			rc = draw(&args, &jobs, &err);
		site_jobs_fini(&jobs);
	}
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
