/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reproduce.c - librasim reproduce: repeat a paper's experiments.
 *
 * The exit status is 0 if the report was written, even if claims do not hold.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/param.h"
#include "sim/base/memory.h"
#include "sim/base/progress.h"
#include "sim/base/suggest.h"
#include "sim/command/command.h"
#include "sim/output/file.h"
#include "sim/output/memory_file.h"
#include "sim/paper/paper.h"

#define MAX_SEEDS   1000
#define MAX_WORKERS 1024

struct options {
	const struct sim_paper *paper;
	const char *dir;
	const char *trace;
	unsigned workers;
	uint64_t seed;	      /* the first, if only their number is given */
	size_t nseeds;	      /* 0 = as many as the paper has by default */
	uint64_t *seeds;      /* a list, if one was given */
	struct cmd_texts set; /* of --set; read when the paper is known */
	double *params;	      /* of the paper */
	bool quiet, no_figures, list;
};

enum {
	OPT_TRACE = 256,
	OPT_SEEDS,
	OPT_SEED,
	OPT_NO_FIGURES,
	OPT_LIST,
	OPT_SET,
};

static const struct argp_option option_table[] = {
	{"output", 'o', "DIR", 0,
	 "Write the report to this folder (default: PAPER-report)", 0},
	{"trace", OPT_TRACE, "FILE", 0,
	 "Use this log (default: look for the paper's)", 0},
	{"jobs", 'j', "N", 0,
	 "Use N processes (default: the number of processors); the report is "
	 "the same for any N",
	 0},
	{"seeds", OPT_SEEDS, "N", 0,
	 "Repeat with N seeds, or with those of a list like 1,2,7", 0},
	{"seed", OPT_SEED, "N", 0, "The first of the N seeds (default: 1)", 0},
	{"set", OPT_SET, "NAME=VALUE", 0,
	 "Set a parameter that the paper leaves open (see --list); may be "
	 "repeated",
	 0},
	{"no-figures", OPT_NO_FIGURES, NULL, 0,
	 "Write no figures, even if gnuplot is installed", 0},
	{"quiet", 'q', NULL, 0, "Print neither progress nor summary", 0},
	{"list", OPT_LIST, NULL, 0,
	 "List the papers and their parameters, and stop", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* ---- the command line ---- */

/* "1,2,7" */
static void read_seeds(struct options *o, const char *text,
		       struct argp_state *state)
{
	char *copy = strdup(text), *rest = copy;

	free(o->seeds);
	o->seeds = calloc(MAX_SEEDS, sizeof(*o->seeds));
	if (!copy || !o->seeds)
		cmd_no_memory(state->name);
	o->nseeds = 0;
	for (char *item; (item = strsep(&rest, ","));) {
		if (item[0] == '\0' && !rest && o->nseeds > 0)
			break; /* "7," is a list of one */
		if (o->nseeds == MAX_SEEDS)
			cmd_usage(state, "--seeds takes at most %d seeds",
				  MAX_SEEDS);
		o->seeds[o->nseeds++] =
			cmd_count(state, "seeds", item, 0, UINT64_MAX);
	}
	free(copy);
	for (size_t i = 1; i < o->nseeds; i++)
		for (size_t k = 0; k < i; k++)
			if (o->seeds[i] == o->seeds[k])
				cmd_usage(state,
					  "--seeds names seed %" PRIu64
					  " twice",
					  o->seeds[i]);
}

static void read_paper(struct options *o, const char *name,
		       struct argp_state *state)
{
	char suggestion[SIM_SUGGESTION_SIZE];
	const char *near = NULL;

	for (size_t i = 0; sim_papers[i]; i++) {
		near = sim_nearer_name(name, near, sim_papers[i]->name);
		if (strcmp(sim_papers[i]->name, name) == 0) {
			o->paper = sim_papers[i];
			return;
		}
	}
	cmd_usage(state, "unknown paper '%s'%s", name,
		  sim_suggestion(suggestion, near, " (see --list)"));
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'o':
		if (arg[0] == '\0')
			cmd_usage(state, "--output needs the name of a folder");
		o->dir = arg;
		break;
	case OPT_TRACE:
		o->trace = arg;
		break;
	case 'j':
		o->workers =
			(unsigned)cmd_count(state, "jobs", arg, 1, MAX_WORKERS);
		break;
	case OPT_SEEDS:
		if (strchr(arg, ','))
			read_seeds(o, arg, state);
		else
			o->nseeds =
				cmd_count(state, "seeds", arg, 1, MAX_SEEDS);
		break;
	case OPT_SEED:
		o->seed = cmd_count(state, "seed", arg, 0,
				    UINT64_MAX - MAX_SEEDS);
		break;
	case OPT_SET:
		if (!strchr(arg, '='))
			cmd_usage(state, "--set takes NAME=VALUE, not '%s'",
				  arg);
		cmd_add_text(state, &o->set, arg);
		break;
	case OPT_NO_FIGURES:
		o->no_figures = true;
		break;
	case 'q':
		o->quiet = true;
		break;
	case OPT_LIST:
		o->list = true;
		break;
	case ARGP_KEY_ARG:
		if (o->paper)
			cmd_no_argument(state, arg);
		read_paper(o, arg, state);
		break;
	case ARGP_KEY_END:
		if (!o->paper && !o->list)
			cmd_usage(state, "no paper is given (see --list)");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = option_table,
	.parser = parse,
	.args_doc = "PAPER",
	.doc = "Repeat the experiments of a paper and write a report: figures, "
	       "tables, and each claim of the paper with what was measured."
	       "\vWhere the paper's log is not found, a synthetic workload "
	       "stands in, and the report says so. Claims that do not hold do "
	       "not change the exit status.",
};

/* ---- --list ---- */

/* Print the papers with their parameters. */
static void list_papers(void)
{
	for (size_t i = 0; sim_papers[i]; i++) {
		const struct sim_paper *paper = sim_papers[i];

		printf("%-12s %s\n", paper->name, paper->citation);
		for (size_t k = 0; k < paper->nparams; k++)
			printf("    %s (%.10g%s%s): %s\n",
			       paper->params[k].name, paper->params[k].value,
			       paper->params[k].unit[0] ? " " : "",
			       paper->params[k].unit, paper->params[k].help);
	}
}

/* ---- the run ---- */

/* Fill the seeds that no option named: the paper's number, from --seed on. */
static int fill_seeds(struct options *o, struct libra_error *err)
{
	if (o->seeds)
		return 0;
	if (o->nseeds == 0)
		o->nseeds = o->paper->seeds;
	o->seeds = calloc(o->nseeds, sizeof(*o->seeds));
	if (!o->seeds)
		return sim_no_memory(err);
	for (size_t i = 0; i < o->nseeds; i++)
		o->seeds[i] = o->seed + i;
	return 0;
}

/* "NAME=VALUE" */
static int set_param(struct options *o, const char *text,
		     struct libra_error *err)
{
	const struct sim_paper *paper = o->paper;
	const char *equals = strchr(text, '=');
	char *name = strndup(text, (size_t)(equals - text));
	int at;

	if (!name)
		return sim_no_memory(err);
	if (paper->nparams == 0)
		at = libra_errf(err, ENOENT,
				"--set %s: the study %s has no parameters",
				text, paper->name);
	else
		at = libra_param_find(paper->params, paper->nparams, name, err);
	free(name);
	if (at < 0)
		return -1;
	return libra_param_parse(&paper->params[at], equals + 1, &o->params[at],
				 err);
}

/* Set all parameters of the paper: defaults, then --set. */
static int fill_params(struct options *o, struct libra_error *err)
{
	o->params = calloc(o->paper->nparams + 1, sizeof(*o->params));
	if (!o->params)
		return sim_no_memory(err);
	for (size_t i = 0; i < o->paper->nparams; i++)
		o->params[i] = o->paper->params[i].value;
	for (size_t i = 0; i < o->set.n; i++)
		if (set_param(o, o->set.of[i], err) < 0)
			return -1;
	return 0;
}

/* The command that makes the same report again: without the folder, the number
 * of processes and the place of the log, which do not matter.
 */
static char *make_command(const struct options *o)
{
	const char *slash = o->trace ? strrchr(o->trace, '/') : NULL;
	char *text = NULL;
	size_t size;
	FILE *fp = out_memory(&text, &size);

	if (!fp)
		return NULL;
	fprintf(fp, "librasim reproduce %s --seeds ", o->paper->name);
	for (size_t i = 0; i < o->nseeds; i++)
		fprintf(fp, "%s%" PRIu64, i ? "," : "", o->seeds[i]);
	if (o->nseeds == 1)
		putc(',', fp);
	if (o->trace)
		fprintf(fp, " --trace %s", slash ? slash + 1 : o->trace);
	for (size_t i = 0; i < o->set.n; i++)
		fprintf(fp, " --set %s", o->set.of[i]);
	if (o->no_figures)
		fprintf(fp, " --no-figures");
	if (fclose(fp) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static unsigned count_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > MAX_WORKERS ? MAX_WORKERS : (unsigned)n;
}

/* Run the study of a paper with these options. */
static int reproduce(struct options *o, struct libra_error *err)
{
	struct sim_paper_run run = {
		.paper = o->paper,
		.dir = o->dir,
		.trace_option = o->trace,
		.workers = o->workers ? o->workers : count_processors(),
		.figures = !o->no_figures,
		.progress = o->quiet ? NULL : progress_show,
		.summary = o->quiet ? NULL : stdout,
	};
	struct progress bar = {false};
	char *command, *dir = NULL;
	int rc;

	if (fill_seeds(o, err) < 0 || fill_params(o, err) < 0)
		return -1;
	command = make_command(o);
	if (!command ||
	    (!o->dir && asprintf(&dir, "%s-report", o->paper->name) < 0)) {
		free(command);
		return sim_no_memory(err);
	}
	run.command = command;
	run.dir = dir ? dir : o->dir;
	run.seeds = o->seeds;
	run.params = o->params;
	run.nseeds = o->nseeds;
	run.progress_arg = &bar;
	/* Fail now, not after all the work. */
	rc = out_check_folder(run.dir, err);
	if (rc == 0)
		rc = sim_paper_run(&run, err);
	progress_clear(&bar);
	if (rc == 0 && run.summary)
		fprintf(run.summary, "\nReport: %s/index.html\n", run.dir);
	free(dir);
	free(command);
	return rc;
}

int cmd_reproduce(int argc, char **argv)
{
	struct options o = {.seed = 1};
	struct libra_error err = {.text = ""};
	int rc = 0;

	cmd_parse(&argp, argc, argv, 0, NULL, &o);
	if (o.list)
		list_papers();
	else
		rc = reproduce(&o, &err);
	free(o.seeds);
	free(o.set.of);
	free(o.params);
	return rc < 0 ? cmd_fail(argv[0], &err) : CMD_DONE;
}
