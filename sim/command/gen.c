/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gen.c - `librasim gen`: a trace of jobs drawn from workload models.
 *
 * Models come from the command line, or from a file of `librasim model fit`;
 * later ones replace earlier ones of the same series.  The plan is checked
 * before a job is drawn.
 */
#include "sim/base/memory.h"
#include "sim/command/model_common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_errno.h>

#include "sim/model/gen.h"
#include "sim/model/model_file.h"

#define MAX_JOBS 100000000

enum key {
	KEY_MODEL = 'm',
	KEY_JOBS = 'n',
	KEY_OUTPUT = 'o',
	KEY_SEED = 's',
	KEY_GEN = 0x200, /* gen_options */
};

struct gen_command {
	const char *output;
	char *models; /* all of --model, joined by "," */
	struct gen_plan plan;
};

static const struct argp_option rows[] = {
	{"model", KEY_MODEL, "MODEL,...", 0,
	 "Models to draw from (default: those of CCGrid 2008); may be repeated",
	 0},
	{"jobs", KEY_JOBS, "N", 0, "Number of jobs (default 1000)", 0},
	{"seed", KEY_SEED, "N", 0, "Seed of all draws (default 1)", 0},
	{"output", KEY_OUTPUT, "FILE", 0,
	 "Write to this file, which appears whole or not at all", 0},
	{0},
};

/* Only collected here: a parameter out of range is no usage error, so models
 * are read later.
 */
static void add_models(struct gen_command *c, const char *arg)
{
	char *joined;

	if (asprintf(&joined, "%s%s%s", c->models ? c->models : "",
		     c->models ? "," : "", arg) < 0)
		joined = NULL;
	free(c->models);
	c->models = joined;
	if (!joined)
		cmd_no_memory("librasim gen");
}

static error_t parse_gen(int key, char *arg, struct argp_state *state)
{
	struct gen_command *c = state->input;

	switch (key) {
	case KEY_MODEL:
		add_models(c, arg);
		return 0;
	case KEY_JOBS:
		c->plan.njobs = cmd_count(state, "jobs", arg, 1, MAX_JOBS);
		return 0;
	case KEY_SEED:
		c->plan.seed = cmd_count(state, "seed", arg, 0, UINT64_MAX);
		return 0;
	case KEY_OUTPUT:
		c->output = arg;
		return 0;
	case ARGP_KEY_ARG:
		cmd_no_argument(state, arg);
	}
	if (cmd_read_param(state, gen_options, GEN_NOPTIONS, KEY_GEN, key, arg,
			   c->plan.options))
		return 0;
	return ARGP_ERR_UNKNOWN;
}

/* Make the table of options, and parse the line. */
static void parse_line(struct gen_command *c, int argc, char **argv)
{
	struct cmd_options options = {.n = 0};
	struct argp argp = {
		.options = options.row,
		.parser = parse_gen,
		.doc = "Draw jobs from workload models and write them in the "
		       "Standard Workload Format.\v"
		       "A MODEL is [SERIES=]NAME[:PARAM=VALUE...], where "
		       "SERIES is iat, run or size; `librasim model list` "
		       "shows names and parameters. Or it is a file FILE.json "
		       "that `librasim model fit --format=json` wrote: then "
		       "the best model of each series is taken.",
	};

	cmd_options_add(&options, rows);
	cmd_options_params(&options, gen_options, c->plan.options, GEN_NOPTIONS,
			   KEY_GEN);
	cmd_parse(&argp, argc, argv, 0, NULL, c);
}

static bool is_file(const char *word)
{
	size_t n = strlen(word);

	return n > 5 && strcmp(word + n - 5, ".json") == 0;
}

/* Read a model, or the models of a file, into the plan. */
static int read_model(struct gen_plan *plan, const char *word,
		      struct libra_error *err)
{
	enum model_series series;
	struct model model;
	const char *spec;

	if (is_file(word))
		return model_file_read(word, plan->model, err);
	if (cmd_split_series(word, &series, &spec, err) ||
	    model_parse(&model, spec, err))
		return -1;
	plan->model[series ? series : model.type->series] = model;
	return 0;
}

static int read_models(struct gen_command *c, struct libra_error *err)
{
	char *save = NULL, *word;

	if (!c->models)
		return 0;
	for (word = strtok_r(c->models, ",", &save); word;
	     word = strtok_r(NULL, ",", &save))
		if (read_model(&c->plan, word, err))
			return -1;
	return 0;
}

/* Draw the jobs and write them to the output. */
static int write_jobs(const struct gen_command *c, struct libra_error *err)
{
	struct gen_job *jobs = calloc(c->plan.njobs, sizeof(*jobs));
	struct out_file out;

	if (!jobs)
		return sim_no_memory(err);
	if (out_open(&out, c->output ? c->output : "-", err)) {
		free(jobs);
		return -1;
	}
	gen_jobs(&c->plan, jobs);
	gen_write(&c->plan, jobs, out.fp);
	free(jobs);
	return out_commit(&out, err);
}

int cmd_gen(int argc, char **argv)
{
	struct libra_error err = {""};
	struct gen_command c = {NULL};
	int status = CMD_DONE;

	gsl_set_error_handler_off(); /* the default one aborts */
	gen_plan_init(&c.plan);
	parse_line(&c, argc, argv);
	if (read_models(&c, &err) || gen_plan_check(&c.plan, &err) ||
	    write_jobs(&c, &err))
		status = cmd_fail("librasim gen", &err);
	free(c.models);
	return status;
}
