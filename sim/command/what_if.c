/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what_if.c - librasim what-if: a page on a site's own log.
 *
 * Two studies: of a log with the policies of librasim (site/what.h), and, with
 * --site, of a site's own scheduler (site/slurm).  Each writes a page into a
 * folder and prints a summary.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/memory.h"
#include "sim/base/progress.h"
#include "sim/command/command.h"
#include "sim/command/log_options.h"
#include "sim/output/file.h"
#include "sim/output/memory_file.h"
#include "sim/site/scenarios.h"
#include "sim/site/slurm/study.h"
#include "sim/site/what.h"
#include "sim/site/what_page.h"
#include "sim/site/wait_bounds.h"

enum {
	OPT_SCENARIO = 0x700,
	OPT_PROMISES,
	OPT_MAX_JOBS,
	OPT_PARTITIONS,
	OPT_SITE,
};

struct what_args {
	const char *trace, *output, *scenarios, *promises, *partitions, *site;
	struct cmd_log log;
	uint32_t procs;
	unsigned workers;
	size_t promise_jobs;
	bool quiet;
};

static const struct argp_option options[] = {
	{"output", 'o', "FOLDER", 0,
	 "Write the page and its tables there (default what-if)", 0},
	{"scenario", OPT_SCENARIO, "FILE", 0,
	 "Scenarios of your own, one in a line: NAME: CHANGE...", 0},
	{"promises", OPT_PROMISES, "LIST", 0,
	 "Policies to promise with (default libra,librarisk,band,planned; none "
	 "= do not try)",
	 0},
	{"partitions", OPT_PARTITIONS, "FILE", 0,
	 "Simulate the site's partitions: what scontrol show partition "
	 "printed, or a table of partition,procs,max_s,default_s,machine",
	 0},
	{"site", OPT_SITE, "DIR", 0,
	 "Simulate Slurm's own scheduler with the folder that "
	 "contrib/site-snapshot wrote; TRACE is then a log of sacct, and "
	 "DIR/jobs.txt without it",
	 0},
	{"promise-jobs", OPT_MAX_JOBS, "N", 0,
	 "Try to promise the last N jobs of the last month at the most (default "
	 "3000)",
	 0},
	{"procs", 'p', "N", 0,
	 "Processors of the machine (default: the log's MaxProcs)", 0},
	{"jobs", 'j', "N", 0, "Processes (default: one for each processor)", 0},
	{"quiet", 'q', NULL, 0, "Print neither progress nor summary", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* Refuse options of another machine, or of a part of a log. */
static error_t check_site(struct argp_state *state,
			  const struct what_args *args)
{
	const struct cmd_log *log = &args->log;

	if (args->promises || args->promise_jobs || args->partitions ||
	    args->procs)
		cmd_usage(state, "--site has the nodes and partitions, and a "
				 "scenario makes promises (promises=30%%): "
				 "leave out --promises, --promise-jobs, "
				 "--partitions and --procs");
	if (log->side || log->partition || log->qos || log->capacity ||
	    log->unit || log->strict)
		cmd_usage(state, "--site simulates the whole log as it is: "
				 "leave out the options of a part of the log");
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct what_args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->log;
		return 0;
	case 'o':
		args->output = arg;
		return 0;
	case OPT_SCENARIO:
		args->scenarios = arg;
		return 0;
	case OPT_PROMISES:
		args->promises = arg;
		return 0;
	case OPT_PARTITIONS:
		args->partitions = arg;
		return 0;
	case OPT_SITE:
		args->site = arg;
		return 0;
	case OPT_MAX_JOBS:
		args->promise_jobs =
			cmd_count(state, "promise-jobs", arg, 1, SIZE_MAX);
		return 0;
	case 'p':
		args->procs =
			(uint32_t)cmd_count(state, "procs", arg, 1, INT32_MAX);
		return 0;
	case 'j':
		args->workers =
			(unsigned)cmd_count(state, "jobs", arg, 1, 1024);
		return 0;
	case 'q':
		args->quiet = true;
		return 0;
	case ARGP_KEY_END:
		if (args->site)
			return check_site(state, args);
		if (args->partitions && args->procs)
			cmd_usage(state, "--partitions say how many processors "
					 "there are: leave out --procs");
		if (args->partitions && args->log.capacity)
			cmd_usage(state, "--capacity is of one machine: choose "
					 "a partition with --partition, or "
					 "leave out --partitions");
		return cmd_one_trace(state, key, arg, &args->trace);
	default:
		return cmd_one_trace(state, key, arg, &args->trace);
	}
}

enum { MAX_POLICIES = 16 };

/* The policies to promise with.  Owner: *copy is the caller's. */
static int read_policies(const char *list, const char *names[MAX_POLICIES + 1],
			 char **copy, struct libra_error *err)
{
	char *rest, *name;
	size_t n = 0;

	names[0] = NULL;
	*copy = strdup(list);
	if (!*copy)
		return sim_no_memory(err);
	if (strcmp(list, "none") == 0)
		return 0;
	for (name = strtok_r(*copy, ",", &rest); name && n < MAX_POLICIES;
	     name = strtok_r(NULL, ",", &rest)) {
		if (!libra_policy_find(name, err))
			return -1;
		names[n++] = name;
	}
	names[n] = NULL;
	return 0;
}

/* The capacity is read for the workload of the whole log. */
static int read_capacity(struct sim_capacity *capacity,
			 const struct swf_trace *trace,
			 const struct what_args *args, struct libra_error *err)
{
	struct sim_scenario sc;
	struct sim_workload w;
	int rc;

	sim_scenario_init(&sc);
	sc.procs = args->procs;
	if (!args->log.capacity)
		return 0;
	if (sim_workload_make(&w, trace, &sc, err) < 0)
		return -1;
	rc = cmd_log_capacity(capacity, &w, trace, &args->log, &sc, err);
	sim_workload_fini(&w);
	return rc;
}

/* A column of the summary: a number, and its change if there is any to show. */
static void summary_number(int decimals, double value, double was)
{
	char buf[WHAT_CHANGE_SIZE];

	if (isfinite(value))
		printf(" %8.*f", decimals, value);
	else
		printf(" %8s", "-");
	printf(" %8s", was > 0 ? what_change(buf, value, was) : "");
}

static double shown_wait(double was_s)
{
	return was_s >= WHAT_LEAST_WAIT_S ? was_s : 0;
}

/* was = NULL: no change to show. */
static void summary_row(const char *name, const struct what_run *r,
			const struct what_run *was)
{
	char buf[WHAT_CHANGE_SIZE];

	printf("%-29.29s", name);
	summary_number(0, r->waits.mean_s,
		       was ? shown_wait(was->waits.mean_s) : 0);
	summary_number(0, r->waits.p90_s,
		       was ? shown_wait(was->waits.p90_s) : 0);
	if (isnan(r->slowdown))
		printf(" %8s\n", "-");
	else if (was)
		printf(" %8.2f %8s\n", r->slowdown,
		       what_change(buf, r->slowdown, was->slowdown));
	else
		printf(" %8.2f\n", r->slowdown);
}

/* No figure of a replay that is far off is to be trusted. */
static void summary_directions(const char *name, const struct what_run *r,
			       const struct what_run *was)
{
	printf("%-29.29s %8s %8s %8s %8s %8s\n", name,
	       what_wait_direction(r->waits.mean_s, was->waits.mean_s), "",
	       what_wait_direction(r->waits.p90_s, was->waits.p90_s), "",
	       what_direction(r->slowdown, was->slowdown));
}

/* Print the waits of each scenario, or only directions if the replay is far. */
static void summary(const struct what *what, const struct plan *plan,
		    const char *folder)
{
	struct what_trust trust = what_trust(what);
	bool far = trust.verdict == WHAT_FAR;

	printf("%-29s %8s %8s %8s %8s %8s\n", "", "mean", "", "90 %", "",
	       "slow-");
	printf("%-29s %8s %8s %8s %8s %8s\n", "", "wait, s", "", "below, s", "",
	       "down");
	if (what->measured_jobs > 0)
		summary_row("measured", &what->measured, NULL);
	else
		puts("measured: the log has no waits");
	summary_row(plan->list[0].name, &what->runs[0], NULL);
	if (trust.verdict != WHAT_UNKNOWN)
		printf("The replay is %s (worst: %s, nearness %.2f)%s\n",
		       what_verdict_name(trust.verdict),
		       what_measure_name(trust.worst), trust.worst_nearness,
		       far ? ": do not trust the scenarios." : ".");
	for (size_t i = 1; i < what->nruns; i++) {
		const struct what_run *r = &what->runs[i];
		const struct what_run *was = &what->was[i];

		if (far)
			summary_directions(plan->list[i].name, r, was);
		else
			summary_row(plan->list[i].name, r, was);
		if (r->left_out == 0)
			continue;
		printf("  leaves out %zu larger jobs%s\n", r->left_out,
		       far ? "" : "; compared with the others:");
		if (!far)
			summary_row("  as it was", was, NULL);
	}
	printf("the page is %s/index.html\n", folder);
}

/* Run the scenarios, test bounds on waits, and write the page. */
static int study(const struct what_args *args, const struct swf_trace *trace,
		 const struct what_conf *conf, const char *command,
		 struct libra_error *err)
{
	const struct when_conf usual = {0.95, 0.95};
	struct what_page page = {.trace = trace,
				 .plan = conf->plan,
				 .parts = conf->parts,
				 .command = command};
	struct libra_error ignored = {""};
	struct what what;
	struct when when;
	bool waits;
	int rc = what_study(&what, trace, conf, err);

	progress_clear(conf->progress_arg);
	if (rc < 0)
		return -1;
	waits = when_test(&when, trace, &usual, &ignored) == 0;
	if (!waits && errno == ENOMEM) {
		what_fini(&what);
		return sim_no_memory(err);
	}
	page.what = &what;
	page.when = waits ? &when : NULL;
	rc = what_page_write(&page, args->output, err);
	if (rc == 0 && !args->quiet)
		summary(&what, conf->plan, args->output);
	if (waits)
		when_fini(&when);
	what_fini(&what);
	return rc;
}

/* The command, as the page shows it. */
static char *command_line(int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *fp = out_memory(&text, &size);

	for (int i = 0; fp && i < argc; i++)
		fprintf(fp, "%s%s", i ? " " : "", argv[i]);
	if (!fp || fclose(fp) != 0)
		return NULL;
	return text;
}

/* Read scenarios, policies, capacity and partitions, then run the study. */
static int run_study(const struct what_args *args,
		     const struct swf_trace *trace, const char *command,
		     struct libra_error *err)
{
	static const double factors[] = {1.5, 2, 4};
	const char *policies[MAX_POLICIES + 1];
	struct sim_capacity capacity = {NULL};
	struct progress bar = {false};
	struct what_conf conf = {
		.procs = args->procs,
		.policies = policies,
		.factors = factors,
		.nfactors = sizeof(factors) / sizeof(factors[0]),
		.promise_jobs = args->promise_jobs ? args->promise_jobs : 3000,
		.workers = args->workers,
		.progress = args->quiet ? NULL : progress_show,
		.progress_arg = &bar,
	};
	struct site_parts parts = {NULL};
	struct plan plan = {NULL};
	char *copy = NULL;
	int rc;

	if (out_check_folder(args->output, err) < 0)
		return -1;
	rc = args->scenarios ? plan_read(&plan, args->scenarios, false, err)
			     : plan_default(&plan, err);
	if (rc == 0)
		rc = read_policies(args->promises
					   ? args->promises
					   : "libra,librarisk,band,planned",
				   policies, &copy, err);
	if (rc == 0)
		rc = read_capacity(&capacity, trace, args, err);
	if (rc == 0 && args->partitions)
		rc = site_parts_read(&parts, args->partitions, err);
	conf.plan = &plan;
	conf.parts = args->partitions ? &parts : NULL;
	conf.capacity = capacity.nparts ? &capacity : NULL;
	if (rc == 0)
		rc = study(args, trace, &conf, command, err);
	free(copy);
	plan_fini(&plan);
	site_parts_fini(&parts);
	sim_capacity_fini(&capacity);
	return rc;
}

/* ---- a site ---- */

enum { SITE_SCENARIOS = 9, SITE_CHANGE = 40 };

/* The usual scenarios of a site, as far as they would change something. */
static int plan_for(struct plan *plan, const char *folder,
		    struct libra_error *err)
{
	struct slurm_site site;
	const struct slurm_priority_params *p = &site.config.priority;
	const char *changes[SITE_SCENARIOS][2] = {{NULL}};
	char nodes[SITE_CHANGE], half_life[SITE_CHANGE], test[SITE_CHANGE];
	size_t n = 0;
	int rc = slurm_site_read(&site, folder, false, err);
	uint32_t twice_s = 2 * p->half_life_s;

	snprintf(nodes, sizeof(nodes), "nodes=+%zu", (site.nnodes + 9) / 10);
	snprintf(half_life, sizeof(half_life), "half_life=%u-%02u:%02u:%02u",
		 twice_s / 86400, twice_s / 3600 % 24, twice_s / 60 % 60,
		 twice_s % 60);
	snprintf(test, sizeof(test), "bf_max_job_test=%lld",
		 2 * (long long)site.config.sched.bf.max_job_test);
	changes[n][0] = "10 % more nodes";
	changes[n++][1] = nodes;
	changes[n][0] = "exact limits";
	changes[n++][1] = "limits=exact";
	changes[n][0] = "limits of a day at most";
	changes[n++][1] = "limits=1-00:00:00";
	if (p->multifactor && p->fairshare) {
		changes[n][0] = "no fair-share";
		changes[n++][1] = "weight.fairshare=0";
	}
	if (p->multifactor && p->fairshare && p->half_life_s) {
		changes[n][0] = "twice the half-life";
		changes[n++][1] = half_life;
	}
	if (site.config.backfill) {
		changes[n][0] = "backfill looks at twice as many jobs";
		changes[n++][1] = test;
	}
	if (site.config.preempt_qos || site.config.preempt_part) {
		changes[n][0] = "no preemption";
		changes[n++][1] = "preempt=none";
	}
	changes[n][0] = "10 % more load";
	changes[n++][1] = "load=1.1";
	changes[n][0] = "promises for 30 % of the jobs";
	changes[n++][1] = "promises=30%";
	if (rc == 0)
		rc = plan_site(plan, changes, n, err);
	slurm_site_fini(&site);
	return rc;
}

/* Print the waits of a site's scenarios. */
static void site_summary(const struct slurm_study *s, const char *folder)
{
	const struct slurm_study_group *all = &s->groups[0];

	printf("%-38s %10s %10s %10s\n", "", "mean", "half", "90 %");
	printf("%-38s %10s %10s %10s\n", "", "wait, s", "below, s", "below, s");
	printf("%-38s %10.0f %10.0f %10.0f\n", "measured", all->measured.mean_s,
	       all->measured.p50_s, all->measured.p90_s);
	printf("%-38s %10.0f %10.0f %10.0f\n", "simulated, the same jobs",
	       all->simulated.mean_s, all->simulated.p50_s,
	       all->simulated.p90_s);
	for (size_t i = 0; i < s->plan->n; i++)
		printf("%-38.38s %10.0f %10.0f %10.0f\n", s->plan->list[i].name,
		       all->runs[i].mean_s, all->runs[i].p50_s,
		       all->runs[i].p90_s);
	printf("%zu of %zu jobs start within 10 minutes of their logged "
	       "start\n",
	       all->within[1], all->measured.n);
	if (slurm_study_unmodelled_pct(s) >= STUDY_WARN_PCT)
		printf("%.0f %% of the jobs ask for what is not modelled\n",
		       slurm_study_unmodelled_pct(s));
	printf("the page is %s/index.html\n", folder);
}

/* Run the study of a site's own scheduler. */
static int run_site(const struct what_args *args, const char *command,
		    struct libra_error *err)
{
	struct progress bar = {false};
	struct plan plan = {NULL};
	struct slurm_study_conf conf = {
		.folder = args->site,
		.log = args->trace,
		.plan = &plan,
		.workers = args->workers,
		.progress = args->quiet ? NULL : progress_show,
		.progress_arg = &bar,
	};
	struct slurm_study study = {.ngroups = 0};
	int rc = out_check_folder(args->output, err);

	if (rc == 0)
		rc = args->scenarios
			     ? plan_read(&plan, args->scenarios, true, err)
			     : plan_for(&plan, args->site, err);
	if (rc == 0)
		rc = slurm_study_make(&study, &conf, err);
	progress_clear(&bar);
	if (rc == 0)
		rc = slurm_study_write(&study, args->output, command, err);
	if (rc == 0 && !args->quiet)
		site_summary(&study, args->output);
	slurm_study_fini(&study);
	plan_fini(&plan);
	return rc;
}

int cmd_what_if(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&cmd_log_argp, 0, "Part of the log:", 2},
		{NULL, 0, NULL, 0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "TRACE",
		.doc = "Write a page on a log: what happened, what the "
		       "simulator says of the same, and what if.",
		.children = children,
	};
	struct what_args args = {
		.output = "what-if",
	};
	char *command = command_line(argc, argv);
	struct libra_error err = {""};
	struct swf_trace trace;
	int rc;

	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	if (args.workers == 0) {
		long n = sysconf(_SC_NPROCESSORS_ONLN);

		args.workers = n > 0 ? (unsigned)n : 1;
	}
	rc = command ? 0 : sim_no_memory(&err);
	if (rc == 0 && !args.site)
		rc = cmd_log_read(&trace, args.trace, &args.log, argv[0], &err);
	if (rc == 0 && args.site) {
		rc = run_site(&args, command, &err);
	} else if (rc == 0) {
		rc = run_study(&args, &trace, command, &err);
		swf_fini(&trace);
	}
	free(command);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
