/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_what_if.c - libra what-if: its command line.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <slurm/slurm.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/base/units.h"

/* sbatch reads --time and --deadline with these.  Slurm's library exports them,
 * and no public header declares them.
 */
extern time_t slurm_parse_time(char *text, int past);
extern int slurm_time_str2mins(const char *text);

struct what_if_options {
	struct cli_request request;
	struct cli_output output;
};

static const struct argp_option what_if_options[] = {
	{"time", 't', "T", 0,
	 "Estimate of the run time on whole processors, as sbatch's --time", 0},
	{"deadline", 'd', "D", 0, "Deadline, as sbatch's --deadline", 0},
	{"ntasks", 'n', "N", 0, "Tasks (default 1)", 0},
	{"cpus-per-task", 'c', "C", 0, "CPUs of each task (default 1)", 0},
	{"nodes", 'N', "MIN[-MAX]", 0, "Nodes (default: any)", 0},
	{"partition", 'p', "NAME", 0,
	 "Partition (default: the cluster's default)", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static double parse_time(const struct argp_state *state, const char *option,
			 const char *text)
{
	int minutes = slurm_time_str2mins(text);

	if (minutes == (int)INFINITE)
		cli_usage(state, "%s cannot be unlimited: it is the estimate",
			  option);
	if (minutes <= 0)
		cli_usage(state,
			  "%s takes a time such as 30 (minutes), "
			  "02:00:00 or 1-12, not '%s'",
			  option, text);
	return libra_host_minutes_s((uint32_t)minutes);
}

static double parse_deadline(const struct argp_state *state, char *text)
{
	time_t at = slurm_parse_time(text, 0);

	if (at == 0)
		cli_usage(state,
			  "--deadline takes an instant such as now+2hours "
			  "or 2030-01-31T18:00, not '%s'",
			  text);
	return (double)at;
}

/* Take the time and the partition from sbatch's variables if no option gives
 * them.  The other variables sbatch reads itself.
 */
static void take_environment(const struct argp_state *state,
			     struct cli_request *r)
{
	const char *time = getenv("SBATCH_TIMELIMIT");

	if (!r->partition)
		r->partition = getenv("SBATCH_PARTITION");
	if (isnan(r->estimate_s) && time)
		r->estimate_s = parse_time(state, "SBATCH_TIMELIMIT", time);
}

static error_t parse_what_if(int key, char *arg, struct argp_state *state)
{
	struct what_if_options *o = state->input;
	struct cli_request *r = &o->request;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->output;
		break;
	case 't':
		r->estimate_s = parse_time(state, "--time", arg);
		break;
	case 'd':
		r->deadline_s = parse_deadline(state, arg);
		break;
	case 'n':
		r->tasks = cli_count(state, "--ntasks", arg);
		r->tasks_given = true;
		break;
	case 'c':
		r->cpus_per_task = cli_count(state, "--cpus-per-task", arg);
		break;
	case 'p':
		r->partition = arg;
		break;
	case 'N':
		if (cli_parse_nodes(arg, &r->min_nodes, &r->max_nodes) < 0)
			cli_usage(state,
				  "--nodes takes MIN or MIN-MAX, not '%s'",
				  arg);
		break;
	case ARGP_KEY_ARG:
		cli_usage(state, "unexpected argument '%s'", arg);
	case ARGP_KEY_END:
		take_environment(state, r);
		if (isnan(r->estimate_s) || isnan(r->deadline_s))
			cli_usage(state, "give --time and --deadline");
		if (r->tasks > 4000000 / r->cpus_per_task)
			cli_usage(state,
				  "--ntasks times --cpus-per-task is above "
				  "4000000");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int what_if(const struct cli_request *r, struct cli_cluster *cluster,
		   struct cli_output *o)
{
	struct libra_error err = {""};
	struct cli_answer answer;

	if (cli_cluster_load_site(cluster, &err) < 0)
		return cli_fail(o, &err);
	cli_cluster_choose_partition(cluster, r->partition);
	if (cli_what_if_rules(cluster, r, &answer, &err) < 0)
		return cli_fail(o, &err);
	if (answer.by != CLI_BY_POLICY)
		return cli_print_answer(cluster, r, &answer, o);
	return cli_what_if_sbatch(cluster, r, o);
}

int cli_run_what_if(int argc, char **argv)
{
	static const struct argp argp = {
		.options = what_if_options,
		.parser = parse_what_if,
		.children = cli_output_options,
		.doc = "Ask for a verdict without submitting.\vThe answer is "
		       "as of now; nothing is reserved.  Exit status: 0 would "
		       "be accepted, 3 would be refused, 4 not managed, 5 "
		       "slurmctld does not answer, 1 failed otherwise, 2 usage.",
	};
	struct what_if_options o = {
		.request = {.estimate_s = NAN,
			    .deadline_s = NAN,
			    .tasks = 1,
			    .cpus_per_task = 1},
		.output = {.out = stdout, .name = argv[0]},
	};
	struct cli_cluster cluster;
	int rc;

	cli_parse(&argp, argc, argv, 0, &o);
	rc = cli_finish(&o.output, &cluster,
			what_if(&o.request, &cluster, &o.output));
	cli_cluster_fini(&cluster);
	return rc;
}
