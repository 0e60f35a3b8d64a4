/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.c - librasim run: one workload, one or more policies. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/command/command.h"
#include "sim/command/log_options.h"
#include "sim/output/file.h"
#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/text.h"
#include "sim/run/policies.h"
#include "sim/run/run.h"
#include "sim/workload/jobs_in.h"

enum {
	OPT_POLICY = 0x400,
	OPT_SET,
	OPT_JOBS_OUT,
	OPT_JOBS_IN,
};

struct run_args {
	struct sim_scenario scenario;
	struct cmd_log log;
	struct sim_policies policies;
	const char *trace;
	const char *jobs_in;
	const char *jobs_out;
	const char *names;
	char **sets; /* the --set options, in order */
	size_t nsets;
	enum cmd_format format;
};

static const struct argp_option options[] = {
	{"policy", OPT_POLICY, "NAME[,NAME...]", 0,
	 "Policies to simulate (default librarisk); see librasim policies", 0},
	{"set", OPT_SET, "PARAM=VALUE", 0,
	 "Set a parameter of all chosen policies that have it, or of one by "
	 "POLICY.PARAM=VALUE; may be repeated",
	 0},
	{"jobs-out", OPT_JOBS_OUT, "FILE", 0,
	 "Write a table of all jobs (CSV; '-' is standard output)", 0},
	{"jobs-in", OPT_JOBS_IN, "FILE", 0,
	 "Read deadlines, estimates, urgency, budgets and penalty rates from a "
	 "table like that of --jobs-out; columns that it lacks are drawn",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static void add_set(const struct argp_state *state, struct run_args *args,
		    char *text)
{
	char **sets = realloc(args->sets, (args->nsets + 1) * sizeof(*sets));

	if (!sets)
		cmd_usage(state, "out of memory");
	args->sets = sets;
	sets[args->nsets++] = text;
}

/* --policy is read before --set, in whatever order they were typed. */
static void choose_policies(const struct argp_state *state,
			    struct run_args *args)
{
	struct libra_error err = {""};

	if (sim_policies_add(&args->policies,
			     args->names ? args->names : "librarisk", &err) < 0)
		cmd_usage(state, "%s", err.text);
	for (size_t i = 0; i < args->nsets; i++)
		if (sim_policies_set(&args->policies, args->sets[i], &err) < 0)
			cmd_usage(state, "%s", err.text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->format;
		state->child_inputs[1] = &args->scenario;
		state->child_inputs[2] = &args->log;
		return 0;
	case OPT_POLICY:
		args->names = arg;
		return 0;
	case OPT_SET:
		add_set(state, args, arg);
		return 0;
	case OPT_JOBS_OUT:
		if (!*arg)
			cmd_usage(state, "--jobs-out needs the name of a file");
		args->jobs_out = arg;
		return 0;
	case OPT_JOBS_IN:
		if (!*arg)
			cmd_usage(state, "--jobs-in needs the name of a file");
		args->jobs_in = arg;
		return 0;
	case ARGP_KEY_ARG:
		cmd_argument(state, &args->trace, arg);
		return 0;
	case ARGP_KEY_END:
		if (!args->trace)
			cmd_usage(state, "no trace is given ('-' is standard "
					 "input)");
		if (args->jobs_in && strcmp(args->jobs_in, "-") == 0 &&
		    strcmp(args->trace, "-") == 0)
			cmd_usage(state, "TRACE and --jobs-in cannot both be "
					 "standard input");
		choose_policies(state, args);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- the table of jobs ---- */

static void job_row(FILE *fp, const char *policy, const struct sim_job *job,
		    const struct sim_outcome *outcome)
{
	const double numbers[] = {job->job.submit_s, job->job.nprocs,
				  job->runtime_s, job->job.estimate_s,
				  job->deadline_rel_s};

	fprintf(fp, "%llu", (unsigned long long)job->job.id);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		fputc(',', fp);
		out_csv_number(fp, numbers[i]);
	}
	fprintf(fp, ",%d,%s,%s,", job->high_urgency,
		outcome->accepted ? "accept" : "reject",
		outcome->accepted ? "" : libra_reason_name(outcome->reason));
	out_csv_number(fp, outcome->start_s);
	fputc(',', fp);
	out_csv_number(fp, outcome->finish_s);
	fprintf(fp, ",%d,%s,", outcome->fulfilled, policy);
	out_csv_number(fp, job->job.budget);
	fputc(',', fp);
	out_csv_number(fp, job->job.penalty_rate);
	fputc(',', fp);
	out_csv_number(fp, outcome->utility);
}

static void job_table(FILE *fp, const struct run_args *args,
		      const struct sim_workload *w,
		      const struct sim_outcome *outcomes)
{
	fputs("job,submit_s,procs,runtime_s,estimate_s,deadline_s,"
	      "high_urgency,verdict,reason,start_s,finish_s,fulfilled,"
	      "policy,budget,penalty_rate,utility",
	      fp);
	fputs(w->correct > 0 ? ",corrected_s\n" : "\n", fp);
	for (size_t p = 0; p < args->policies.n; p++)
		for (size_t i = 0; i < w->njobs; i++) {
			const struct sim_outcome *outcome =
				&outcomes[p * w->njobs + i];

			job_row(fp, args->policies.list[p].type->name,
				&w->jobs[i], outcome);
			if (w->correct > 0) {
				fputc(',', fp);
				out_csv_number(fp, outcome->estimate_s);
			}
			fputc('\n', fp);
		}
}

/* ---- the results ---- */

/* How many records were dropped or repaired, and why. */
struct tally {
	const char *name, *text;
	size_t count;
};

#define NTALLIES 7

static void tally(const struct sim_workload *w, struct tally t[NTALLIES])
{
	const struct tally all[NTALLIES] = {
		{"dropped_unrun", "dropped: run time <= 0", w->dropped_unrun},
		{"dropped_procs", "dropped: no processors", w->dropped_procs},
		{"dropped_large", "dropped: larger than the machine",
		 w->dropped_large},
		{"given_one_second", "run time <= 0: given 1 s",
		 w->given_one_second},
		{"estimate_from_run", "no estimate: run time used",
		 w->estimate_from_run},
		{"run_clipped", "run time cut to the estimate", w->run_clipped},
		{"reordered", "submitted out of order: sorted", w->reordered},
	};

	memcpy(t, all, sizeof(all));
}

static void print_tallies(FILE *fp, const struct sim_workload *w)
{
	struct tally t[NTALLIES];

	tally(w, t);
	fprintf(fp, "%zu records, %zu jobs, %u processors\n", w->records,
		w->njobs, w->procs);
	for (size_t i = 0; i < NTALLIES; i++)
		if (t[i].count > 0)
			fprintf(fp, "  %zu %s\n", t[i].count, t[i].text);
}

static int print_table(FILE *fp, const struct run_args *args,
		       const struct sim_workload *w,
		       const struct sim_result *results)
{
	static const struct out_column columns[] = {
		{"policy", OUT_LEFT},	      {"submitted", OUT_RIGHT},
		{"accepted", OUT_RIGHT},      {"fulfilled %", OUT_RIGHT},
		{"reliability %", OUT_RIGHT}, {"slowdown", OUT_RIGHT},
		{"bounded", OUT_RIGHT},	      {"wait s", OUT_RIGHT},
		{"utilization %", OUT_RIGHT}, {"profit %", OUT_RIGHT},
	};
	struct out_table t;
	int rc;

	print_tallies(fp, w);
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t p = 0; p < args->policies.n; p++) {
		const struct sim_result *r = &results[p];

		out_table_cell(&t, "%s", args->policies.list[p].type->name);
		out_table_cell(&t, "%llu", (unsigned long long)r->submitted);
		out_table_cell(&t, "%llu", (unsigned long long)r->accepted);
		out_table_number(&t, 2, r->fulfilled_pct);
		out_table_number(&t, 2, r->reliability_pct);
		out_table_number(&t, 3, r->mean_slowdown);
		out_table_number(&t, 3, r->mean_bounded_slowdown);
		out_table_number(&t, 1, r->mean_wait_s);
		out_table_number(&t, 2, r->utilization_pct);
		out_table_number(&t, 2, r->profit_pct);
	}
	rc = out_table_print(&t, fp);
	out_table_fini(&t);
	return rc;
}

static int print_csv(FILE *fp, const struct run_args *args,
		     const struct sim_workload *w,
		     const struct sim_result *results)
{
	print_tallies(stderr, w);
	fputs("policy", fp);
	for (size_t c = 0; c < sim_result_ncolumns; c++)
		fprintf(fp, ",%s", sim_result_columns[c].name);
	fputs(",seed\n", fp);
	for (size_t p = 0; p < args->policies.n; p++) {
		fputs(args->policies.list[p].type->name, fp);
		for (size_t c = 0; c < sim_result_ncolumns; c++) {
			fputc(',', fp);
			out_csv_number(
				fp, sim_result_value(&results[p],
						     &sim_result_columns[c]));
		}
		fprintf(fp, ",%llu\n", (unsigned long long)args->scenario.seed);
	}
	return 0;
}

static void json_result(struct out_json *j, const struct run_args *args,
			size_t p, const struct sim_result *result)
{
	const struct sim_policy *policy = &args->policies.list[p];

	out_json_text(j, "policy", policy->type->name);
	for (size_t c = 0; c < sim_result_ncolumns; c++) {
		const struct sim_result_column *column = &sim_result_columns[c];
		double value = sim_result_value(result, column);

		if (column->is_count)
			out_json_count(j, column->name, (uint64_t)value);
		else
			out_json_number(j, column->name, value);
	}
	out_json_count(j, "seed", args->scenario.seed);
	out_json_object(j, "params");
	for (size_t k = 0; k < policy->type->nparams; k++)
		out_json_number(j, policy->type->params[k].name,
				policy->params[k]);
	out_json_end(j);
}

static void json_workload(struct out_json *j, const struct run_args *args,
			  const struct sim_workload *w)
{
	struct tally t[NTALLIES];

	out_json_object(j, "workload");
	out_json_text(j, "trace", args->trace);
	if (args->jobs_in)
		out_json_text(j, "jobs_in", args->jobs_in);
	out_json_count(j, "procs", w->procs);
	out_json_count(j, "records", w->records);
	out_json_count(j, "jobs", w->njobs);
	out_json_text(j, "budget_base",
		      sim_budget_base_name(args->scenario.budget_base));
	out_json_text(j, "penalty_base",
		      sim_penalty_base_name(args->scenario.penalty_base));
	if (w->correct > 0)
		out_json_number(j, "correct", w->correct);
	tally(w, t);
	for (size_t i = 0; i < NTALLIES; i++)
		out_json_count(j, t[i].name, t[i].count);
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		char key[SIM_SCENARIO_KEY_SIZE];

		out_json_number(j, sim_scenario_key(key, i),
				sim_scenario_value(&args->scenario, i));
	}
	out_json_end(j);
}

static int print_json(FILE *fp, const struct run_args *args,
		      const struct sim_workload *w,
		      const struct sim_result *results)
{
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	if (args->policies.n == 1) {
		json_result(&j, args, 0, &results[0]);
	} else {
		out_json_array(&j, "results");
		for (size_t p = 0; p < args->policies.n; p++) {
			out_json_object(&j, NULL);
			json_result(&j, args, p, &results[p]);
			out_json_end(&j);
		}
		out_json_end(&j);
	}
	json_workload(&j, args, w);
	out_json_end(&j);
	fputc('\n', fp);
	return 0;
}

/* Results go to standard output, unless --jobs-out - takes it. */
static int print_results(const struct run_args *args,
			 const struct sim_workload *w,
			 const struct sim_result *results)
{
	bool taken = args->jobs_out && strcmp(args->jobs_out, "-") == 0;
	FILE *fp = taken ? stderr : stdout;

	switch (args->format) {
	case CMD_JSON:
		return print_json(fp, args, w, results);
	case CMD_CSV:
		return print_csv(fp, args, w, results);
	case CMD_TABLE:
		break;
	}
	return print_table(fp, args, w, results);
}

/* ---- all of it ---- */

static int simulate(const struct run_args *args, const struct sim_workload *w,
		    struct libra_error *err)
{
	size_t n = args->policies.n;
	struct sim_result *results = calloc(n, sizeof(*results));
	struct sim_outcome *outcomes = NULL;
	struct out_file file = {NULL};
	int rc = results ? 0 : sim_no_memory(err);

	if (rc == 0 && args->jobs_out) {
		outcomes = calloc(n * w->njobs, sizeof(*outcomes));
		rc = outcomes ? out_open(&file, args->jobs_out, err)
			      : sim_no_memory(err);
	}
	for (size_t p = 0; rc == 0 && p < n; p++)
		rc = sim_run(w, args->policies.list[p].type,
			     args->policies.list[p].params, &results[p],
			     outcomes ? outcomes + p * w->njobs : NULL, err);
	if (rc == 0 && file.fp) {
		job_table(file.fp, args, w, outcomes);
		rc = out_commit(&file, err);
	}
	if (rc == 0)
		rc = print_results(args, w, results);
	if (file.fp)
		out_abort(&file);
	free(outcomes);
	free(results);
	return rc;
}

int cmd_run(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&cmd_format_argp, 0, NULL, 0},
		{&cmd_scenario_argp, 0, "Workload:", 1},
		{&cmd_log_argp, 0, "Part of the log:", 2},
		{NULL, 0, NULL, 0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "TRACE",
		.doc = "Simulate one workload under one or more policies.\v"
		       "TRACE is a log in the Standard Workload Format, plain "
		       "or gzipped; '-' is standard input.",
		.children = children,
	};
	struct run_args args = {.format = CMD_TABLE};
	struct libra_error err = {""};
	struct sim_capacity capacity = {NULL};
	struct swf_trace trace;
	struct sim_workload w;
	int rc;

	sim_scenario_init(&args.scenario);
	argp_parse(&argp, argc, argv, 0, NULL, &args);
	rc = cmd_log_read(&trace, args.trace, &args.log, argv[0], &err);
	if (rc == 0) {
		rc = sim_workload_make(&w, &trace, &args.scenario, &err);
		if (rc < 0)
			swf_fini(&trace);
	}
	if (rc == 0) {
		rc = cmd_log_capacity(&capacity, &w, &trace, &args.log,
				      &args.scenario, &err);
		swf_fini(&trace);
		if (rc == 0 && args.jobs_in)
			rc = sim_jobs_in_read(&w, args.jobs_in, &err);
		if (rc == 0)
			rc = simulate(&args, &w, &err);
		sim_workload_fini(&w);
		sim_capacity_fini(&capacity);
	}
	sim_policies_fini(&args.policies);
	free(args.sets);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
