/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_explain.c - libra explain: its command line.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/log_lines.h"

enum { DEFAULT_REFUSALS = 10 };
enum { OPT_ME = 0x900 };

struct explain_options {
	const char *job;
	const char *log;
	uint32_t refused; /* 0 = a job */
	bool me;
	struct cli_output output;
};

static const struct argp_option explain_options[] = {
	{"log", 'l', "FILE", 0,
	 "Read this decision log (default: libra_log of slurm.conf)", 0},
	{"refused", 'r', "N", OPTION_ARG_OPTIONAL,
	 "Instead of a job: the last N submissions that were refused "
	 "(default 10)",
	 0},
	{"me", OPT_ME, NULL, 0,
	 "With --refused: only your own, also for root; behind sudo, those of "
	 "its caller",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_explain(int key, char *arg, struct argp_state *state)
{
	struct explain_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->output;
		break;
	case 'l':
		o->log = arg;
		break;
	case 'r':
		o->refused = arg ? cli_count(state, "--refused", arg)
				 : DEFAULT_REFUSALS;
		break;
	case OPT_ME:
		o->me = true;
		break;
	case ARGP_KEY_ARG:
		if (o->job)
			cli_usage(state,
				  "unexpected argument '%s': give one job id",
				  arg);
		o->job = arg;
		break;
	case ARGP_KEY_END:
		if (!o->job == !o->refused)
			cli_usage(state, "give either a job id or --refused");
		if (o->me && !o->refused)
			cli_usage(state, "--me is for --refused");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int explain_job(struct explain_options *o,
		       const struct cli_cluster *cluster, FILE *log,
		       const char *no_log)
{
	struct cli_history history = {.beside = NAN, .ends_s = NAN};
	struct libra_error err = {""};
	const struct cli_job *job;
	struct cli_job task;
	uint32_t id;
	int rc;

	job = cli_find_job(cluster, o->job, &task, &id);
	if (job == &task)
		task.label = (char *)o->job;
	if (log &&
	    cli_history_read(log, cluster, job, id, &history, &err) < 0) {
		cli_history_fini(&history);
		return cli_fail(&o->output, &err);
	}
	if (!job && !history.offer) {
		libra_errf(&err, ENOENT, "slurmctld knows no job %s%s%s",
			   o->job,
			   log ? ", nor does the decision log: ask sacct -j "
			       : "; ",
			   log ? o->job : no_log);
		rc = cli_fail(&o->output, &err);
	} else {
		rc = cli_print_job(cluster, job, id, log ? &history : NULL,
				   no_log, &o->output);
	}
	cli_history_fini(&history);
	return rc;
}

/* The user whose refusals are shown; UINT32_MAX = of all.  With --me it is he
 * who called sudo, by which a site lets users ask as one who can read the log.
 */
static uint32_t asker(const struct explain_options *o)
{
	const char *behind = o->me ? getenv("SUDO_UID") : NULL;

	if (behind)
		return (uint32_t)strtoul(behind, NULL, 10);
	return o->me || getuid() ? getuid() : UINT32_MAX;
}

/* The present group's log. */
static int explain(struct explain_options *o, const struct cli_cluster *cluster)
{
	const char *path = o->log ? o->log : cluster->conf.log_path;
	FILE *log = path ? cli_log_open(path) : NULL;
	struct libra_error err = {""};
	char no_log[512] =
		"no decision log is written (libra_log in slurm.conf)";
	int rc;

	if (path && !log)
		snprintf(no_log, sizeof(no_log),
			 "cannot read the decision log %s: %s%s", path,
			 strerror(errno),
			 errno == EACCES && o->refused
				 ? "; try sudo -u slurm libra explain "
				   "--refused --me, if your site allows it"
				 : "");
	if (!log && (o->refused || o->log)) {
		libra_errf(&err, ENOENT, "%s", no_log);
		return cli_fail(&o->output, &err);
	}
	if (o->refused) {
		rc = cli_print_refusals(log, asker(o), o->refused,
					cluster->now_s, &o->output, &err);
		if (rc == CLI_FAILED)
			cli_fail(&o->output, &err);
	} else {
		rc = explain_job(o, cluster, log, no_log);
	}
	if (log)
		fclose(log);
	return rc;
}

/* A job is looked for in the log of its group, refusals in all of them. */
static int explain_groups(struct explain_options *o,
			  struct cli_cluster *cluster)
{
	const struct cli_job *job = NULL;
	struct cli_job task;
	int rc = CLI_DONE, one;
	uint32_t id;

	if (o->job)
		job = cli_find_job(cluster, o->job, &task, &id);
	for (size_t i = 0; i < cluster->groups.n; i++) {
		cli_cluster_choose(cluster, i);
		if (o->log ||
		    (job && job->promised && cli_cluster_has(cluster, job)))
			return explain(o, cluster);
		if (!o->refused)
			continue;
		if (cluster->conf.label && !cli_for_programs(&o->output))
			printf("Policy %s of partition %s\n",
			       cluster->conf.policy->name, cluster->conf.label);
		one = explain(o, cluster);
		rc = rc == CLI_DONE ? one : rc;
	}
	if (o->refused)
		return rc;
	cli_cluster_choose(cluster, 0);
	return explain(o, cluster);
}

int cli_run_explain(int argc, char **argv)
{
	static const struct argp argp = {
		.options = explain_options,
		.parser = parse_explain,
		.children = cli_output_options,
		.args_doc = "JOBID\n--refused",
		.doc = "Tell why a job was accepted or refused, and how it "
		       "stands.",
	};
	struct explain_options o = {
		.output = {.out = stdout, .name = argv[0]},
	};
	struct libra_error err = {""};
	struct cli_cluster cluster;
	int rc;

	cli_parse(&argp, argc, argv, 0, &o);
	if (o.job && !cli_is_job_id(o.job)) {
		fprintf(stderr, "%s: '%s' is not a job id such as 12 or 12_3\n",
			argv[0], o.job);
		return CLI_USAGE;
	}
	if (cli_cluster_load(&cluster, &err) < 0)
		rc = cli_fail(&o.output, &err);
	else
		rc = explain_groups(&o, &cluster);
	if (o.refused && o.output.data)
		cli_json_time(o.output.data, "now", cluster.now_s);
	rc = cli_finish(&o.output, &cluster, rc);
	cli_cluster_fini(&cluster);
	return rc;
}
