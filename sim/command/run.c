/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.c - librasim run: one workload, one or more policies.
 *
 * Makes the workload once, simulates each policy on it, and prints the results
 * (run_results.c).  The workload, the nodes and the capacity live until the
 * results are written.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/command/log_options.h"
#include "sim/command/run.h"
#include "sim/output/file.h"
#include "sim/output/text.h"
#include "sim/workload/jobs_in.h"

enum {
	OPT_POLICY = 0x400,
	OPT_SET,
	OPT_JOBS_OUT,
	OPT_JOBS_IN,
	OPT_PLANNED,
	OPT_NODES,
	OPT_SITE,
	OPT_RECORDING,
};

static const struct argp_option options[] = {
	{"policy", OPT_POLICY, "NAME[,NAME...]", 0,
	 "Policies to simulate (default librarisk); see librasim policies", 0},
	{"set", OPT_SET, "PARAM=VALUE", 0,
	 "Set a parameter of all chosen policies that have it, or of one by "
	 "POLICY.PARAM=VALUE; with --policy slurm change a setting of the site, "
	 "see librasim-slurm(7); may be repeated",
	 0},
	{"jobs-out", OPT_JOBS_OUT, "FILE", 0,
	 "Write a table of all jobs (CSV; '-' is standard output)", 0},
	{"nodes", OPT_NODES, "N|SPEC", 0,
	 "Divide the processors into N equal nodes, or name groups of nodes by "
	 "COUNTxCORES[:mem=MB][:gpu=N],... (policies whose jobs have processors "
	 "of their own)",
	 0},
	{"site", OPT_SITE, "DIR", 0,
	 "With --policy slurm: the folder that contrib/site-snapshot wrote; "
	 "TRACE is then a log of sacct, and DIR/jobs.txt without it",
	 0},
	{"recording", OPT_RECORDING, "DIR", 0,
	 "With --policy slurm: compare with a recording of slurmctld, run by "
	 "run of its loops; --jobs-out writes what differs",
	 0},
	{"planned-starts", OPT_PLANNED, NULL, 0,
	 "Add to --jobs-out when each job was planned to start, as told when "
	 "it was accepted (policies that plan)",
	 0},
	{"jobs-in", OPT_JOBS_IN, "FILE", 0,
	 "Read deadlines, estimates, urgency, budgets and penalty rates from a "
	 "table like that of --jobs-out; columns that it lacks are drawn",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* --policy is read before --set, in whatever order they were typed. */
static void choose_policies(const struct argp_state *state,
			    struct run_args *args)
{
	struct libra_error err = {""};

	if (sim_policies_add(&args->policies,
			     args->names ? args->names : "librarisk", &err) < 0)
		cmd_bad_value(state, &err);
	for (size_t i = 0; i < args->sets.n; i++)
		if (sim_policies_set(&args->policies, args->sets.of[i], &err) <
		    0)
			cmd_bad_value(state, &err);
}

static void choose_nodes(const struct argp_state *state, struct run_args *args,
			 const char *text)
{
	struct libra_error err = {""};

	if (args->by_node)
		sim_nodes_fini(&args->nodes);
	if (sim_nodes_parse(&args->nodes, text, &err) < 0)
		cmd_bad_value(state, &err);
	args->by_node = true;
}

/* Refuse options that contradict --nodes. */
static void check_nodes(const struct argp_state *state, struct run_args *args)
{
	uint32_t procs = sim_nodes_procs(&args->nodes);

	if (args->log.capacity)
		cmd_usage(state, "--nodes and --capacity cannot be combined: "
				 "--capacity counts processors and names no "
				 "nodes");
	if (args->log.unit)
		cmd_usage(state, "--nodes and --unit cannot be combined: the "
				 "processors of nodes are CPUs");
	if (procs > 0 && args->scenario.procs > 0 &&
	    procs != args->scenario.procs)
		cmd_usage(state,
			  "--nodes names %u processors, --procs %u: leave one "
			  "of them out",
			  procs, args->scenario.procs);
	if (procs > 0)
		args->scenario.procs = procs;
}

/* Return true if there is an option of the workload or of a part of a log, but
 * for --seed.
 */
static bool draws_workload(struct run_args *args)
{
	const struct cmd_log *log = &args->log;

	args->standard.seed = args->scenario.seed;
	return memcmp(&args->standard, &args->scenario,
		      sizeof(args->standard)) != 0 ||
	       log->side || log->partition || log->qos || log->capacity ||
	       log->unit || log->strict;
}

/* Return true if --policy slurm was typed, whose log and nodes are a site's. */
static bool takes_site(const struct argp_state *state, struct run_args *args)
{
	bool slurm = args->names && strcmp(args->names, "slurm") == 0;

	if (!slurm && (args->site || args->recording))
		cmd_usage(state, "%s needs --policy slurm, and no other policy",
			  args->site ? "--site" : "--recording");
	if (!slurm)
		return false;
	if (!args->site)
		cmd_usage(state, "--policy slurm needs --site DIR, the folder "
				 "that contrib/site-snapshot wrote");
	if (args->by_node || args->jobs_in || args->planned_starts)
		cmd_usage(state, "--policy slurm takes nodes and jobs from the "
				 "site: leave out --nodes, --jobs-in and "
				 "--planned-starts");
	if (draws_workload(args))
		cmd_usage(state, "--policy slurm simulates the whole log as it "
				 "is: of the options of the workload and of a "
				 "part of the log only --seed is possible");
	if (args->format == CMD_CSV)
		cmd_usage(state, "--policy slurm has no results as CSV: take "
				 "--json, or --jobs-out for the jobs");
	return true;
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
		cmd_add_text(state, &args->sets, arg);
		return 0;
	case OPT_JOBS_OUT:
		if (!*arg)
			cmd_usage(state, "--jobs-out needs the name of a file");
		args->jobs_out = arg;
		return 0;
	case OPT_NODES:
		choose_nodes(state, args, arg);
		return 0;
	case OPT_SITE:
		args->site = arg;
		return 0;
	case OPT_RECORDING:
		args->recording = arg;
		return 0;
	case OPT_PLANNED:
		args->planned_starts = true;
		return 0;
	case OPT_JOBS_IN:
		if (!*arg)
			cmd_usage(state, "--jobs-in needs the name of a file");
		args->jobs_in = arg;
		return 0;
	case ARGP_KEY_END:
		if (takes_site(state, args))
			return 0;
		cmd_one_trace(state, key, arg, &args->trace);
		if (args->jobs_in && strcmp(args->jobs_in, "-") == 0 &&
		    strcmp(args->trace, "-") == 0)
			cmd_usage(state, "TRACE and --jobs-in cannot both be "
					 "standard input");
		if (args->by_node)
			check_nodes(state, args);
		choose_policies(state, args);
		return 0;
	default:
		return cmd_one_trace(state, key, arg, &args->trace);
	}
}

/* ---- the table of jobs ---- */

/* Write the columns that every row of --jobs-out has. */
static void job_row(FILE *fp, const char *policy, const struct sim_job *job,
		    const struct sim_outcome *outcome)
{
	const double numbers[] = {job->job.submit_s, job->job.nprocs,
				  job->runtime_s, job->job.estimate_s,
				  job->deadline_rel_s};
	bool queued = outcome->ordinary && outcome->reason == LIBRA_REASON_NONE;

	fprintf(fp, "%llu", (unsigned long long)job->job.id);
	out_csv_numbers(fp, numbers, sizeof(numbers) / sizeof(numbers[0]));
	fprintf(fp, ",%d,%s,%s,", job->high_urgency,
		outcome->accepted ? "accept"
		: queued	  ? "queue"
				  : "reject",
		outcome->accepted || queued
			? ""
			: libra_reason_name(outcome->reason));

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

/* Write the table of --jobs-out: a row for each job and policy. */
static void job_table(FILE *fp, const struct run_args *args,
		      const struct sim_workload *w,
		      const struct sim_outcome *outcomes)
{
	bool predicted = w->prediction.predictor != SIM_PREDICT_REQUESTED;
	fputs("job,submit_s,procs,runtime_s,estimate_s,deadline_s,"
	      "high_urgency,verdict,reason,start_s,finish_s,fulfilled,"
	      "policy,budget,penalty_rate,utility",
	      fp);
	fputs(w->correct > 0 ? ",corrected_s"
	      : predicted    ? ",predicted_s"
			     : "",
	      fp);
	fputs(args->planned_starts ? ",told_s,earliest_s" : "", fp);
	fputs(args->by_node ? ",nodes" : "", fp);
	fputs(w->has_widths ? ",width" : "", fp);
	fputs(",guaranteed\n", fp);
	for (size_t p = 0; p < args->policies.n; p++)
		for (size_t i = 0; i < w->njobs; i++) {
			const struct sim_outcome *outcome =
				&outcomes[p * w->njobs + i];
			const double planned[] = {
				outcome->told_s,
				outcome->earliest_s - w->jobs[i].job.submit_s};

			job_row(fp, args->policies.list[p].type->name,
				&w->jobs[i], outcome);
			if (w->correct > 0 || predicted)
				out_csv_numbers(fp, &outcome->estimate_s, 1);
			if (args->planned_starts)
				out_csv_numbers(fp, planned, 2);
			if (args->by_node)
				fprintf(fp, ",%s",
					outcome->nodes ? outcome->nodes : "");
			if (w->has_widths)
				fprintf(fp, ",%u",
					outcome->width ? outcome->width
						       : w->jobs[i].job.nprocs);
			fprintf(fp, ",%d\n",
				outcome->accepted && outcome->guaranteed);
		}
}

/* ---- all of it ---- */

/* One bar for all policies. */
struct runs {
	struct progress bar;
	size_t done, n;
};

static void show(void *arg, double done, double total)
{
	struct runs *runs = arg;

	progress_show(&runs->bar, (double)runs->done + done / total,
		      (double)runs->n);
}

/* Simulate all policies, with one progress bar. */
static int run_policies(const struct run_args *args, struct sim_workload *w,
			struct sim_result *results,
			struct sim_outcome *outcomes, struct libra_error *err)
{
	struct runs runs = {.n = args->policies.n};
	int rc = 0;

	w->progress = show;
	w->progress_arg = &runs;
	for (size_t p = 0; rc == 0 && p < runs.n; p++, runs.done++)
		rc = sim_run(w, args->policies.list[p].type,
			     args->policies.list[p].params, &results[p],
			     outcomes ? outcomes + p * w->njobs : NULL, err);
	w->progress = NULL;
	progress_clear(&runs.bar);
	return rc;
}

/* Simulate, write --jobs-out, and print the results. */
static int simulate(const struct run_args *args, struct sim_workload *w,
		    struct libra_error *err)
{
	size_t n = args->policies.n;
	struct sim_result *results = calloc(n, sizeof(*results));
	struct sim_outcome *outcomes = NULL;
	struct out_file file = {NULL};
	int rc = results ? 0 : sim_no_memory(err);

	if (rc == 0 && args->jobs_out) {
		outcomes = calloc(n * w->njobs, sizeof(*outcomes));
		rc = outcomes ? out_check(args->jobs_out, err)
			      : sim_no_memory(err);
	}
	if (rc == 0)
		rc = run_policies(args, w, results, outcomes, err);
	if (rc == 0 && outcomes) {
		rc = out_open(&file, args->jobs_out, err);
		if (rc == 0) {
			job_table(file.fp, args, w, outcomes);
			rc = out_commit(&file, err);
		}
	}
	if (rc == 0)
		rc = run_print(args, w, results, err);
	for (size_t i = 0; outcomes && i < n * w->njobs; i++)
		free(outcomes[i].nodes);
	free(outcomes);
	free(results);
	return rc;
}

/* Give the workload the nodes of --nodes, and check the policies. */
static int give_nodes(struct run_args *args, struct sim_workload *w,
		      const struct swf_trace *trace, struct libra_error *err)
{
	int rc = sim_nodes_apply(&args->nodes, w, trace, err);

	w->keeps_nodes = args->jobs_out != NULL;
	w->tells_earliest = args->jobs_out && args->planned_starts;
	for (size_t p = 0; rc == 0 && p < args->policies.n; p++)
		rc = sim_nodes_check(&args->nodes, args->policies.list[p].type,
				     err);
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
		       "or compressed; '-' is standard input.",
		.children = children,
	};
	struct run_args args = {.format = CMD_TABLE};
	struct libra_error err = {""};
	struct sim_capacity capacity = {NULL};
	struct swf_trace trace;
	struct sim_workload w;
	int rc;

	sim_scenario_init(&args.scenario);
	memcpy(&args.standard, &args.scenario, sizeof(args.standard));
	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	if (args.site) {
		rc = run_slurm(&args, &err);
		free(args.sets.of);
		return rc < 0 ? cmd_fail(argv[0], &err) : CMD_DONE;
	}
	args.log.last = args.scenario.last;
	rc = cmd_log_read(&trace, args.trace, &args.log, argv[0], &err);
	if (rc == 0) {
		rc = sim_workload_make(&w, &trace, &args.scenario, &err);
		if (rc < 0)
			swf_fini(&trace);
	}
	if (rc == 0) {
		rc = cmd_log_capacity(&capacity, &w, &trace, &args.log,
				      &args.scenario, &err);
		if (rc == 0 && args.by_node)
			rc = give_nodes(&args, &w, &trace, &err);
		swf_fini(&trace);
		if (rc == 0 && args.jobs_in)
			rc = sim_jobs_in_read(&w, args.jobs_in, &err);
		if (rc == 0)
			rc = simulate(&args, &w, &err);
		sim_workload_fini(&w);
		sim_capacity_fini(&capacity);
	}
	sim_policies_fini(&args.policies);
	if (args.by_node)
		sim_nodes_fini(&args.nodes);
	free(args.sets.of);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
