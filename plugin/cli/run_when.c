/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_when.c - libra when: its command line, and the past.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/status_text.h"
#include "plugin/cli/when.h"

#define DAYS "14" /* of the past */
#define ASK_SACCT                                                              \
	"SLURM_TIME_FORMAT=%s LC_ALL=C exec sacct -a -X -D -P -S now-" DAYS    \
	"days -o " CLI_PAST_COLUMNS " 2>/dev/null </dev/null"

static const char no_past[] =
	"sacct has no past jobs: starts go by the limits; --history=FILE "
	"reads a job completion log";
static const char no_runs[] =
	"no line of the history is a run: starts go by the limits; FILE is a "
	"job completion log, or output of sacct -P with " CLI_PAST_COLUMNS;

struct when_options {
	char **jobs; /* NULL = all that wait */
	const char *history;
	struct cli_output output;
};

static const struct argp_option when_options[] = {
	{"history", 'H', "FILE", 0,
	 "Read the past jobs from Slurm's job completion log (jobcomp/filetxt) "
	 "or from output of sacct -P (default: ask sacct for " DAYS " days)",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_when(int key, char *arg, struct argp_state *state)
{
	struct when_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->output;
		break;
	case 'H':
		o->history = arg;
		break;
	case ARGP_KEY_ARGS:
		o->jobs = state->argv + state->next;
		for (char **job = o->jobs; *job; job++)
			if (!cli_is_job_id(*job))
				cli_usage(state,
					  "'%s' is not a job id such as 12 or "
					  "12_3",
					  *job);
		state->next = state->argc;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void warn(struct when_options *o, const char *text)
{
	cli_warning(&o->output, text);
	if (!cli_for_programs(&o->output))
		fprintf(stderr, "%s: warning: %s\n", o->output.name, text);
}

/* Result: 0, or -1 with errno and a text. */
static int read_past(struct when_options *o, struct cli_runs *runs,
		     struct libra_error *err)
{
	FILE *in = o->history ? fopen(o->history, "re") : popen(ASK_SACCT, "r");
	int rc = 0;

	*runs = (struct cli_runs){0};
	if (!in && errno == ENOMEM)
		cli_no_memory();
	if (!in && o->history)
		return libra_errf(err, errno, "%s: %s", o->history,
				  strerror(errno));
	if (in)
		cli_runs_read(runs, in);
	if (in)
		rc = o->history ? fclose(in) : pclose(in);
	if (!in || rc != 0 || runs->n == 0)
		warn(o, o->history ? no_runs : no_past);
	return 0;
}

/* In order of their starts; those without one are the last. */
static int by_start(const void *a, const void *b)
{
	const struct cli_when *x = a, *y = b;
	double s = isnan(x->start_s) ? INFINITY : x->start_s;
	double t = isnan(y->start_s) ? INFINITY : y->start_s;

	if (s != t)
		return s < t ? -1 : 1;
	return (x->job->id > y->job->id) - (x->job->id < y->job->id);
}

/* Choose the answers for the jobs that were asked for, in their order; else for
 * all that wait.
 * Result: their number, or -1 with errno and a text.
 */
static int64_t select_jobs(const struct when_options *o,
			   const struct cli_cluster *cluster,
			   const struct cli_when *all, struct cli_when *chosen,
			   struct libra_error *err)
{
	int64_t n = 0;
	struct cli_job task;
	uint32_t id;

	for (uint32_t i = 0; !o->jobs && i < cluster->njobs; i++)
		if (all[i].job->state == CLI_JOB_WAITING)
			chosen[n++] = all[i];
	if (n)
		qsort(chosen, (size_t)n, sizeof(*chosen), by_start);
	for (char **job = o->jobs; job && *job; job++) {
		const struct cli_job *found =
			cli_find_job(cluster, *job, &task, &id);
		uint32_t i = 0;

		while (found && i < cluster->njobs &&
		       cluster->jobs[i].id != found->id)
			i++;
		if (!found || found->state == CLI_JOB_OVER ||
		    i == cluster->njobs)
			return libra_errf(err, ENOENT,
					  "no job %s waits or runs: squeue "
					  "lists them",
					  *job);
		chosen[n++] = all[i];
	}
	return n;
}

static int when(struct when_options *o, struct cli_cluster *cluster)
{
	struct libra_error err = {""};
	struct cli_when_past past;
	struct cli_when *all, *chosen;
	struct cli_runs runs;
	size_t asked = 0;
	int64_t n = -1;

	while (o->jobs && o->jobs[asked])
		asked++;
	all = calloc(cluster->njobs + 1u, sizeof(*all));
	chosen = calloc(cluster->njobs + asked + 1, sizeof(*chosen));
	if (!all || !chosen)
		cli_no_memory();
	if (read_past(o, &runs, &err) == 0 &&
	    cli_when(cluster, &runs, all, &past, &err) == 0)
		n = select_jobs(o, cluster, all, chosen, &err);
	if (n >= 0)
		n = cli_print_when(cluster, chosen, (size_t)n, &past,
				   &o->output);
	else
		n = cli_fail(&o->output, &err);
	free(runs.list);
	free(all);
	free(chosen);
	return (int)n;
}

int cli_run_when(int argc, char **argv)
{
	static const struct argp argp = {
		.options = when_options,
		.parser = parse_when,
		.children = cli_output_options,
		.args_doc = "[JOBID...]",
		.doc = "Tell when waiting jobs will start, promised or not.",
	};
	struct when_options o = {
		.output = {.out = stdout, .name = argv[0]},
	};
	struct libra_error err = {""};
	struct cli_cluster cluster;
	int rc;

	cli_parse(&argp, argc, argv, 0, &o);
	if (cli_cluster_load(&cluster, &err) < 0)
		rc = cli_fail(&o.output, &err);
	else
		rc = when(&o, &cluster);
	if (cluster.hidden)
		warn(&o, CLI_OTHERS_HIDDEN);
	rc = cli_finish(&o.output, &cluster, rc);
	cli_cluster_fini(&cluster);
	return rc;
}
