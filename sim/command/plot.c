/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot.c - librasim plot: pictures of a log. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/command/command.h"
#include "sim/command/log_options.h"
#include "sim/output/file.h"
#include "sim/site/gantt.h"

enum { OPT_COLOUR = 0x800, OPT_FROM, OPT_TO };

struct plot_args {
	const char *kind, *trace, *output;
	struct cmd_log log;
	uint32_t procs;
	double from_s, to_s;
	bool sizes;
};

static const struct argp_option options[] = {
	{"output", 'o', "FILE", 0, "Write the SVG there (default '-')", 0},
	{"colour", OPT_COLOUR, "BY", 0, "user (default) or size", 0},
	{"from", OPT_FROM, "SECONDS", 0, "Begin there, on the log's clock", 0},
	{"to", OPT_TO, "SECONDS", 0, "End there", 0},
	{"procs", 'p', "N", 0,
	 "Processors of the machine (default: the log's MaxProcs)", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

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
		args->sizes = strcmp(arg, "size") == 0;
		if (!args->sizes && strcmp(arg, "user") != 0)
			cmd_usage(state, "--colour is user or size, not '%s'",
				  arg);
		return 0;
	case OPT_FROM:
		args->from_s =
			(double)cmd_count(state, "from", arg, 0, INT64_MAX);
		return 0;
	case OPT_TO:
		args->to_s = (double)cmd_count(state, "to", arg, 0, INT64_MAX);
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
		if (!args->kind || strcmp(args->kind, "gantt") != 0)
			cmd_usage(state, "the picture is gantt, not '%s'",
				  args->kind ? args->kind : "");
		if (!args->trace)
			cmd_usage(state, "no trace is given ('-' is standard "
					 "input)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int32_t size_of(uint32_t procs)
{
	return procs <= 4 ? 0 : procs <= 16 ? 1 : procs <= 64 ? 2 : 3;
}

static size_t take_jobs(struct gantt_job *jobs, const struct swf_trace *trace,
			const struct plot_args *args)
{
	size_t n = 0;

	for (size_t i = 0; i < trace->nrecords; i++) {
		const struct swf_record *r = &trace->records[i];
		int32_t procs =
			r->alloc_procs > 0 ? r->alloc_procs : r->req_procs;
		double start_s = r->submit_s + r->wait_s;

		if (procs <= 0 || r->run_s <= 0 || r->wait_s < 0 ||
		    start_s + r->run_s <= args->from_s || start_s >= args->to_s)
			continue;
		jobs[n++] = (struct gantt_job){
			start_s, start_s + r->run_s, (uint32_t)procs,
			args->sizes ? size_of((uint32_t)procs) : r->user};
	}
	return n;
}

static int draw(const struct plot_args *args, const struct swf_trace *trace,
		struct libra_error *err)
{
	struct gantt_job *jobs = calloc(trace->nrecords + 1, sizeof(*jobs));
	struct out_file file = {NULL};
	struct gantt g = {
		.title = trace->computer ? trace->computer : "Jobs",
		.jobs = jobs,
		.procs = args->procs ? args->procs : swf_procs(trace),
		.from_s = args->from_s,
		.to_s = args->to_s,
		.key_name = args->sizes ? "processors" : "user",
		.sizes = args->sizes,
	};
	int rc = jobs ? out_open(&file, args->output, err) : sim_no_memory(err);

	if (rc == 0) {
		g.njobs = take_jobs(jobs, trace, args);
		rc = gantt_svg(&g, file.fp, err);
	}
	if (rc == 0)
		rc = out_commit(&file, err);
	if (file.fp)
		out_abort(&file);
	free(jobs);
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
		.args_doc = "gantt TRACE",
		.doc = "Draw a log as it ran: processors by time.",
		.children = children,
	};
	struct plot_args args = {.output = "-", .from_s = NAN, .to_s = NAN};
	struct libra_error err = {""};
	struct swf_trace trace;
	int rc;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	rc = cmd_log_read(&trace, args.trace, &args.log, argv[0], &err);
	if (rc == 0) {
		rc = draw(&args, &trace, &err);
		swf_fini(&trace);
	}
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
