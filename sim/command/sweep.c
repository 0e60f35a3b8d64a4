/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep.c - librasim sweep: a grid of runs into one table.
 *
 * The table is rewritten after each batch, whole and in the order of the grid:
 * a stopped sweep loses one batch at most, and a finished one has the same
 * bytes however often it was stopped.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/memory.h"
#include "sim/base/progress.h"
#include "sim/command/command.h"
#include "sim/log/trace_find.h"
#include "sim/command/sweep_job.h"
#include "sim/output/file.h"

#define BATCH_PER_WORKER 64
#define MAX_WORKERS	 1024

enum { OPT_PART = 0x400, OPT_SLURM };

static const struct argp_option options[] = {
	{"output", 'o', "FILE", 0,
	 "Write the table to this file; if it exists, only missing rows are run "
	 "(default: standard output)",
	 0},
	{"jobs", 'j', "N", 0,
	 "Use N processes (default: the number of processors); the table is "
	 "the same for any N",
	 0},
	{"part", OPT_PART, "K/N", 0,
	 "Run part K (from 0) of N only, for an array of your own: each point "
	 "is in one part",
	 0},
	{"quiet", 'q', NULL, 0, "Print neither progress nor summary", 0},
	{"slurm", OPT_SLURM, NULL, 0,
	 "Let a Slurm job array run the points; what follows are options of "
	 "sbatch (needs --output, in a folder that the nodes share)",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* Read --part K/N, or exit. */
static void read_part(const struct argp_state *state, struct sweep_args *args,
		      const char *text)
{
	int end = 0;

	if (sscanf(text, "%u/%u%n", &args->part, &args->nparts, &end) != 2 ||
	    text[end] || text[0] == '-' || args->part >= args->nparts)
		cmd_usage(state,
			  "--part: '%s' is not K/N, with K from 0 to N-1",
			  text);
}

/* The parser of the options (argp). */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct sweep_args *args = state->input;

	switch (key) {
	case 'o':
		args->output = arg;
		return 0;
	case 'j':
		args->workers =
			(unsigned)cmd_count(state, "jobs", arg, 1, MAX_WORKERS);
		return 0;
	case 'q':
		args->quiet = true;
		return 0;
	case OPT_PART:
		read_part(state, args, arg);
		return 0;
	case ARGP_KEY_ARG:
		cmd_argument(state, &args->file, arg);
		return 0;
	case ARGP_KEY_END:
		if (!args->file)
			cmd_usage(state,
				  "no file is given (see librasim-sweep(1))");
		if (args->sbatch && !args->output)
			cmd_usage(state, "--slurm needs --output: the tasks "
					 "write beside that table");
		if (args->sbatch && args->nparts > 0)
			cmd_usage(state, "--part and --slurm exclude each "
					 "other");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Find and read the log, and compute its sha256. */
static int load_trace(struct sweep_job *job, char sha256[65],
		      struct libra_error *err)
{
	const char *given = job->sweep.trace;
	char *path = NULL;
	int rc;

	/* A path is used as it is; a name without a folder is searched for. */
	if (!strchr(given, '/') && access(given, F_OK) < 0) {
		if (sim_trace_find(NULL, given, &path, err) < 0)
			return -1;
		if (!path)
			return libra_errf(err, ENOENT,
					  "%s: the log %s was not found: "
					  "contrib/fetch-traces downloads logs",
					  job->args->file, given);
	}
	rc = swf_sha256(path ? path : given, sha256, err);
	if (rc == 0)
		rc = swf_read(&job->trace, path ? path : given, err);
	if (rc == 0 && !job->args->quiet)
		cmd_note_odd("librasim sweep", &job->trace);
	free(path);
	return rc;
}

/* Compute the keys, read the old table, and list the points to run. */
static int prepare(struct sweep_job *job, const char *sha256,
		   struct libra_error *err)
{
	size_t n = job->sweep.npoints;

	job->key = calloc(n, sizeof(*job->key));
	job->result = calloc(n, sizeof(*job->result));
	job->done = calloc(n, sizeof(*job->done));
	job->todo = calloc(n, sizeof(*job->todo));
	if (!job->key || !job->result || !job->done || !job->todo)
		return sim_no_memory(err);
	for (size_t i = 0; i < n; i++)
		sim_point_key(&job->sweep.points[i], sha256, job->key[i]);
	if (job->args->output &&
	    sweep_rows_read(&job->old, &job->sweep, job->args->output, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!sweep_rows_find(&job->old, job->key[i]) &&
		    (job->args->nparts == 0 ||
		     i % job->args->nparts == job->args->part))
			job->todo[job->ntodo++] = i;
	return 0;
}

/* Write the table of --output, or to standard output. */
static int write_table(const struct sweep_job *job, struct libra_error *err)
{
	const struct sweep_args *args = job->args;

	return sweep_job_write(job, args->output ? args->output : "-",
			       args->part, args->nparts ? args->nparts : 1,
			       err);
}

/* A sim_progress_f: show the progress over all batches. */
static void show(void *arg, double done, double total)
{
	struct sweep_job *job = arg;

	progress_show(&job->bar, (double)job->ndone + done, (double)job->ntodo);
}

/* Run the next n missing points. */
static int run_batch(struct sweep_job *job, size_t n, struct libra_error *err)
{
	struct sim_point *points = calloc(n, sizeof(*points));
	struct sim_result *results = calloc(n, sizeof(*results));
	const size_t *todo = job->todo + job->ndone;
	int rc = points && results ? 0 : sim_no_memory(err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		points[i] = job->sweep.points[todo[i]];
	if (rc == 0)
		rc = sim_grid_run(&job->trace, points, n, results,
				  job->args->workers,
				  job->args->quiet ? NULL : show, job, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		job->result[todo[i]] = results[i];
		job->done[todo[i]] = true;
	}
	job->ndone += rc == 0 ? n : 0;
	free(points);
	free(results);
	return rc;
}

/* Run all points in batches, and write the table after each. */
static int run_all(struct sweep_job *job, struct libra_error *err)
{
	size_t batch = (size_t)job->args->workers * BATCH_PER_WORKER;

	/* A task of an array may be killed at any time, and is watched. */
	if (job->args->nparts > 0)
		batch = job->args->workers;
	/* Standard output gets the whole table at once. */
	if (!job->args->output)
		batch = job->ntodo;
	while (job->ndone < job->ntodo) {
		size_t n = job->ntodo - job->ndone;

		if (run_batch(job, n < batch ? n : batch, err) < 0 ||
		    (job->args->output && write_table(job, err) < 0))
			return -1;
	}
	/* The old table may have another order, or rows of other points. */
	return write_table(job, err);
}

/* Read the file, run what is missing, and print the counts. */
static int sweep_file(struct sweep_job *job, struct libra_error *err)
{
	char sha256[65];

	if (sweep_read(&job->sweep, job->args->file, err) < 0 ||
	    load_trace(job, sha256, err) < 0 || prepare(job, sha256, err) < 0)
		return -1;
	if ((job->args->sbatch ? sweep_slurm(job, err) : run_all(job, err)) < 0)
		return -1;
	if (job->args->output && !job->args->quiet)
		printf("%zu points: %zu run, %zu found in the table; %s\n",
		       job->sweep.npoints, job->ntodo,
		       job->sweep.npoints - job->ntodo, job->args->output);
	return 0;
}

int cmd_sweep(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE",
		.doc = "Run a grid of scenarios, policies and seeds, described "
		       "in a file.\vWith --output, a sweep that was stopped "
		       "resumes where it stopped.",
	};
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	struct sweep_args args = {.workers = online > 0 ? (unsigned)online : 1};
	struct libra_error err = {""};
	struct sweep_job job = {.args = &args};
	int rc;

	for (int i = 1; i < argc && !args.sbatch; i++) {
		if (strcmp(argv[i], "--slurm") != 0)
			continue;
		args.sbatch = argv + i + 1;
		argc = i;
	}
	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	rc = sweep_file(&job, &err);
	progress_clear(&job.bar);
	sweep_rows_fini(&job.old);
	sweep_fini(&job.sweep);
	swf_fini(&job.trace);
	free(job.key);
	free(job.result);
	free(job.done);
	free(job.todo);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
