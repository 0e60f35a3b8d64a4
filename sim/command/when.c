/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * when.c - librasim when: how long would a job wait?
 *
 * Prints bounds on waits from the log alone (site/wait_bounds.h), and with
 * --time also a simulated wait.  --check measures how often such bounds would
 * have held.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/command/command.h"
#include "sim/command/log_options.h"
#include "sim/import/values.h"
#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/text.h"
#include "sim/run/run.h"
#include "sim/site/wait_bounds.h"
#include "sim/site/wait_check.h"

enum {
	OPT_TIME = 0x600,
	OPT_AT,
	OPT_CONFIDENCE,
	OPT_QUANTILE,
	OPT_CLASSES,
	OPT_WARM_UP,
	OPT_CHECK,
};

/* The options: the log, the job in question, and its machine. */
struct when_args {
	const char *trace;
	struct cmd_log log;
	struct when_conf conf;
	enum cmd_format format;
	uint32_t procs, machine;
	double limit_s, at_s;
	size_t warm_up;
	bool classes, check;
};

static const struct argp_option options[] = {
	{"cpus", 'n', "N", 0, "Processors of the job (default 1)", 0},
	{"time", OPT_TIME, "LIMIT", 0,
	 "Its time limit, as in Slurm: minutes or [D-]HH:MM:SS; with it the "
	 "wait is also simulated from the queue",
	 0},
	{"at", OPT_AT, "SECONDS", 0,
	 "It comes then, on the clock of the log (default: with the last job)",
	 0},
	{"procs", 'p', "N", 0,
	 "Processors of the machine (default: the log's MaxProcs)", 0},
	{"quantile", OPT_QUANTILE, "Q", 0,
	 "Part of the waits that is to be below the bound (default 0.95)", 0},
	{"confidence", OPT_CONFIDENCE, "C", 0, "In that (default 0.95)", 0},
	{"classes", OPT_CLASSES, NULL, 0,
	 "Print the bounds of all classes of jobs, and how often they held", 0},
	{"check", OPT_CHECK, NULL, 0,
	 "Ask instead of each waiting job of the log when it will start, as "
	 "libra when does, and compare",
	 0},
	{"warm-up", OPT_WARM_UP, "N", 0,
	 "Simulate from so many jobs before it (default 5000)", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* Read a part between 0 and 1, exclusive. */
static double read_part(const struct argp_state *state, const char *option,
			const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || *end || !(v > 0 && v < 1))
		cmd_usage(state, "--%s must be between 0 and 1, not '%s'",
			  option, text);
	return v;
}

/* The parser of the options (argp). */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct when_args *args = state->input;
	struct import_text text = {arg, arg ? strlen(arg) : 0};

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->format;
		state->child_inputs[1] = &args->log;
		return 0;
	case 'n':
		args->procs =
			(uint32_t)cmd_count(state, "cpus", arg, 1, INT32_MAX);
		return 0;
	case 'p':
		args->machine =
			(uint32_t)cmd_count(state, "procs", arg, 1, INT32_MAX);
		return 0;
	case OPT_TIME:
		if (import_limit(text, 60, &args->limit_s) != IMPORT_OK)
			cmd_usage(state,
				  "--time takes minutes or [D-]HH:MM:SS, not "
				  "'%s'",
				  arg);
		return 0;
	case OPT_AT:
		args->at_s = (double)cmd_count(state, "at", arg, 0, INT64_MAX);
		return 0;
	case OPT_QUANTILE:
		args->conf.quantile = read_part(state, "quantile", arg);
		return 0;
	case OPT_CONFIDENCE:
		args->conf.confidence = read_part(state, "confidence", arg);
		return 0;
	case OPT_CLASSES:
		args->classes = true;
		return 0;
	case OPT_CHECK:
		args->check = true;
		return 0;
	case OPT_WARM_UP:
		args->warm_up = cmd_count(state, "warm-up", arg, 0, SIZE_MAX);
		return 0;
	default:
		return cmd_one_trace(state, key, arg, &args->trace);
	}
}

/* ---- the simulation's answer ---- */

/* Return the last arrival of the log: the default of --at. */
static double last_arrival(const struct swf_trace *trace)
{
	double last_s = 0;

	for (size_t i = 0; i < trace->nrecords; i++)
		last_s = fmax(last_s, trace->records[i].submit_s);
	return last_s;
}

/* The log up to the instant, and the job behind it. */
static int cut_log(struct swf_trace *cut, const struct swf_trace *trace,
		   const struct when_args *args, struct libra_error *err)
{
	size_t n = 0;

	*cut = *trace;
	cut->records = calloc(trace->nrecords + 1, sizeof(*cut->records));
	if (!cut->records)
		return sim_no_memory(err);
	for (size_t i = 0; i < trace->nrecords; i++)
		if (trace->records[i].submit_s <= args->at_s)
			cut->records[n++] = trace->records[i];
	if (args->warm_up && n > args->warm_up) {
		memmove(cut->records, cut->records + n - args->warm_up,
			args->warm_up * sizeof(*cut->records));
		n = args->warm_up;
	}
	cut->records[n++] = (struct swf_record){
		.number = 0,
		.submit_s = args->at_s,
		.run_s = args->limit_s,
		.request_s = args->limit_s,
		.alloc_procs = (int32_t)args->procs,
		.req_procs = (int32_t)args->procs,
		.wait_s = -1,
		.user = -1,
	};
	cut->nrecords = n;
	return 0;
}

/* Return the processors of the machine, by option or log. */
static uint32_t machine_of(const struct when_args *args,
			   const struct swf_trace *trace)
{
	return args->machine ? args->machine : swf_procs(trace);
}

/* Return where the size of the machine comes from. */
static const char *machine_from(const struct when_args *args,
				const struct swf_trace *trace)
{
	if (args->machine)
		return "--procs";
	if (args->log.partition && trace->max_procs > 0)
		return "all of the log's: name the partition's with --procs";
	if (trace->max_procs > 0)
		return "the log's MaxProcs";
	if (trace->max_nodes > 0)
		return "the log's MaxNodes";
	return "the largest job's: name the machine's with --procs";
}

/* The wait of the job under EASY; NAN if it does not fit the machine. */
static int simulate(const struct swf_trace *trace, const struct when_args *args,
		    double *wait_s, struct libra_error *err)
{
	struct sim_capacity capacity = {NULL};
	struct sim_outcome *outcomes = NULL;
	struct progress bar = {false};
	struct sim_result result;
	struct sim_scenario sc;
	struct sim_workload w;
	struct swf_trace cut;
	int rc;

	*wait_s = NAN;
	if (cut_log(&cut, trace, args, err) < 0)
		return -1;
	sim_scenario_init(&sc);
	sc.procs = machine_of(args, trace);
	sc.size = SIM_SIZE_ALLOCATED;
	sc.keep_unrun = true;
	rc = sim_workload_make(&w, &cut, &sc, err);
	free(cut.records);
	if (rc < 0)
		return -1;
	rc = cmd_log_capacity(&capacity, &w, trace, &args->log, &sc, err);
	outcomes = calloc(w.njobs, sizeof(*outcomes));
	if (rc == 0 && !outcomes)
		rc = sim_no_memory(err);
	w.progress = progress_show;
	w.progress_arg = &bar;
	if (rc == 0)
		rc = sim_run(&w, libra_policy_find("easy", err), NULL, &result,
			     outcomes, err);
	progress_clear(&bar);
	for (size_t i = 0; rc == 0 && i < w.njobs; i++)
		if (w.jobs[i].job.id == 0)
			*wait_s = outcomes[i].start_s - w.jobs[i].job.submit_s;
	free(outcomes);
	sim_workload_fini(&w);
	sim_capacity_fini(&capacity);
	return rc;
}

/* ---- what is printed ---- */

/* Return the % of the bounds of a class that held; NAN without bounds. */
static double part_kept(const struct when_class *c)
{
	return 100 * (double)c->kept / (double)c->bounds;
}

/* Print a table of the classes of jobs. */
static int print_classes(const struct when *when, const struct swf_trace *trace)
{
	static const struct out_column columns[] = {
		{"partition", OUT_LEFT},  {"queue", OUT_LEFT},
		{"processors", OUT_LEFT}, {"jobs", OUT_RIGHT},
		{"half wait", OUT_RIGHT}, {"bound", OUT_RIGHT},
		{"held %", OUT_RIGHT},	  {"changes", OUT_RIGHT},
	};
	struct out_table t;
	char buf[SWF_NAME_SIZE];
	int rc;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < when->n; i++) {
		const struct when_class *c = &when->classes[i];
		bool all = i + 1 == when->n;

		out_table_cell(&t, "%s",
			       all ? "all"
				   : swf_name_text(&trace->partitions,
						   c->partition, buf));
		out_table_cell(
			&t, "%s",
			all ? "all"
			    : swf_name_text(&trace->queues, c->queue, buf));
		out_table_cell(&t, "%s", when_size_name(when, c));
		out_table_cell(&t, "%zu", c->jobs);
		out_table_cell(&t, "%s", out_wait(buf, c->median_s));
		out_table_cell(&t, "%s", out_wait(buf, c->bound_s));
		out_table_number(&t, 2, part_kept(c));
		out_table_cell(&t, "%zu", c->changes);
	}
	rc = out_table_print(&t, stdout);
	out_table_fini(&t);
	return rc;
}

/* Print the answer for people.  Result: 0, or -1 with ENOMEM. */
static int print_text(const struct when_args *args, const struct when *when,
		      const struct when_class *c, const struct swf_trace *trace,
		      double simulated_s)
{
	char buf[SWF_NAME_SIZE];

	if (isfinite(c->bound_s))
		printf("%g %% of the waits are below %s (with a confidence of "
		       "%g %%)\n",
		       100 * args->conf.quantile, out_wait(buf, c->bound_s),
		       100 * args->conf.confidence);
	else
		printf("no bound: %zu jobs of this class have waited, and %.0f "
		       "are needed\n",
		       c->jobs,
		       ceil(log(1 - args->conf.confidence) /
			    log(args->conf.quantile)));
	if (isfinite(c->median_s))
		printf("half of %s are below %s\n",
		       isfinite(c->bound_s) ? "them" : "their waits",
		       out_wait(buf, c->median_s));
	if (args->limit_s > 0 && isfinite(simulated_s))
		printf("simulated from the queue: %s, on %u processors (%s)\n",
		       out_wait(buf, simulated_s), machine_of(args, trace),
		       machine_from(args, trace));
	else if (args->limit_s > 0)
		printf("not simulated: the machine has %u processors (%s), the "
		       "job %u\n",
		       machine_of(args, trace), machine_from(args, trace),
		       args->procs);
	if (when->bounds > 0)
		printf("on this log such bounds held for %.2f %% of %zu jobs\n",
		       100 * (double)when->kept / (double)when->bounds,
		       when->bounds);
	else
		printf("on this log no bound could be tested\n");
	return args->classes ? print_classes(when, trace) : 0;
}

/* Write the members of a class. */
static void class_members(struct out_json *j, const struct when *when,
			  const struct when_class *c)
{
	out_json_text(j, "processors", when_size_name(when, c));
	out_json_number(j, "partition", c->partition);
	out_json_number(j, "queue", c->queue);
	out_json_count(j, "jobs", c->jobs);
	out_json_count(j, "bounds", c->bounds);
	out_json_count(j, "kept", c->kept);
	out_json_count(j, "borrowed", c->borrowed);
	out_json_count(j, "changes", c->changes);
	out_json_number(j, "median_s", c->median_s);
	out_json_number(j, "bound_s", c->bound_s);
}

/* Print the answer as one JSON object. */
static void print_json(const struct when_args *args, const struct when *when,
		       const struct when_class *c,
		       const struct swf_trace *trace, double simulated_s)
{
	struct out_json j;

	out_json_init(&j, stdout);
	out_json_object(&j, NULL);
	out_json_number(&j, "quantile", args->conf.quantile);
	out_json_number(&j, "confidence", args->conf.confidence);
	out_json_count(&j, "tested", when->bounds);
	out_json_count(&j, "kept", when->kept);
	out_json_number(&j, "simulated_s", simulated_s);
	out_json_count(&j, "machine_procs", machine_of(args, trace));
	out_json_object(&j, "class");
	class_members(&j, when, c);
	out_json_end(&j);
	out_json_array(&j, "classes");
	for (size_t i = 0; args->classes && i < when->n; i++) {
		out_json_object(&j, NULL);
		class_members(&j, when, &when->classes[i]);
		out_json_end(&j);
	}
	out_json_end(&j);
	out_json_end(&j);
	putchar('\n');
}

/* Print all classes as CSV.  Result: 0. */
static int print_csv(const struct when *when, const struct swf_trace *trace)
{
	char buf[SWF_NAME_SIZE];

	puts("partition,queue,processors,jobs,bounds,kept,borrowed,changes,"
	     "median_s,bound_s");
	for (size_t i = 0; i < when->n; i++) {
		const struct when_class *c = &when->classes[i];

		printf("%s,",
		       swf_name_text(&trace->partitions, c->partition, buf));
		printf("%s,%s,%zu,%zu,%zu,%zu,%zu,%.15g,%.15g\n",
		       swf_name_text(&trace->queues, c->queue, buf),
		       when_size_name(when, c), c->jobs, c->bounds, c->kept,
		       c->borrowed, c->changes, c->median_s, c->bound_s);
	}
	return 0;
}

/* Find the class of the job, and print its bounds. */
static int answer(struct when_args *args, struct swf_trace *trace,
		  struct libra_error *err)
{
	const struct when_class *c;
	double simulated_s = NAN;
	struct when when;
	int rc = 0;

	if (when_test(&when, trace, &args->conf, err) < 0)
		return -1;
	if (args->at_s < 0)
		args->at_s = last_arrival(trace);
	if (args->limit_s > 0)
		rc = simulate(trace, args, &simulated_s, err);
	c = when_class_of(&when, args->log.qos ? trace->records[0].queue : -1,
			  args->log.partition ? trace->records[0].partition
					      : -1,
			  args->procs);
	if (rc == 0 && args->format == CMD_JSON)
		print_json(args, &when, c, trace, simulated_s);
	else if (rc == 0 && args->format == CMD_CSV)
		rc = print_csv(&when, trace);
	else if (rc == 0)
		rc = print_text(args, &when, c, trace, simulated_s);
	when_fini(&when);
	return rc;
}

/* ---- the check ---- */

static void print_check_text(const struct wait_check *c)
{
	char buf[SWF_NAME_SIZE];

	printf("%d %% bounds held for %.2f %% of %zu questions\n", c->percent,
	       100 * (double)c->kept / (double)c->asked, c->asked);
	printf("half of the jobs waited less than %s from then on, ",
	       out_wait(buf, c->wait_s));
	printf("half of the bounds were below %s\n", out_wait(buf, c->bound_s));
	printf("median error: %s; ", out_wait(buf, c->error_s));
	printf("of the start by limits (squeue --start): %s\n",
	       out_wait(buf, c->limits_error_s));
}

static void print_check_json(const struct wait_check *c)
{
	struct out_json j;

	out_json_init(&j, stdout);
	out_json_object(&j, NULL);
	out_json_count(&j, "jobs", c->jobs);
	out_json_count(&j, "unlimited", c->unlimited);
	out_json_count(&j, "asked", c->asked);
	out_json_count(&j, "kept", c->kept);
	out_json_number(&j, "median_wait_s", c->wait_s);
	out_json_number(&j, "median_bound_s", c->bound_s);
	out_json_number(&j, "median_error_s", c->error_s);
	out_json_number(&j, "planned_error_s", c->planned_error_s);
	out_json_number(&j, "limits_error_s", c->limits_error_s);
	out_json_end(&j);
	putchar('\n');
}

static void print_check_csv(const struct wait_check *c)
{
	puts("jobs,unlimited,asked,kept,median_wait_s,median_bound_s,"
	     "median_error_s,planned_error_s,limits_error_s");
	printf("%zu,%zu,%zu,%zu,%.15g,%.15g,%.15g,%.15g,%.15g\n", c->jobs,
	       c->unlimited, c->asked, c->kept, c->wait_s, c->bound_s,
	       c->error_s, c->planned_error_s, c->limits_error_s);
}

/* Measure the bounds on the log, and print how often they held. */
static int check(const struct when_args *args, const struct swf_trace *trace,
		 struct libra_error *err)
{
	struct wait_check c;

	if (wait_check(&c, trace, machine_of(args, trace), err) < 0)
		return -1;
	if (c.asked == 0)
		return libra_errf(err, EINVAL,
				  "too few jobs of the log have waited for a "
				  "minute: no bound could be given");
	if (args->format == CMD_JSON)
		print_check_json(&c);
	else if (args->format == CMD_CSV)
		print_check_csv(&c);
	else
		print_check_text(&c);
	return 0;
}

int cmd_when(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&cmd_format_argp, 0, NULL, 0},
		{&cmd_log_argp, 0, "Part of the log:", 2},
		{NULL, 0, NULL, 0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "TRACE",
		.doc = "Bound the wait of a job by the waits of a log.\v"
		       "The bound is tested on the log itself: each job is "
		       "given one from the waits that were known when it came.",
		.children = children,
	};
	struct when_args args = {
		.format = CMD_TABLE,
		.conf = {.quantile = 0.95, .confidence = 0.95},
		.procs = 1,
		.at_s = -1,
		.warm_up = 5000,
	};
	struct libra_error err = {""};
	struct swf_trace trace;
	int rc;

	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	rc = cmd_log_read(&trace, args.trace, &args.log, argv[0], &err);
	if (rc == 0) {
		rc = args.check ? check(&args, &trace, &err)
				: answer(&args, &trace, &err);
		swf_fini(&trace);
	}
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
