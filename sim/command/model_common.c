/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_common.c - options, results and pictures of the commands about models.
 *
 * Options of tables get consecutive keys, so that a parser finds the row of a
 * key by subtraction.
 */
#include "sim/command/model_common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/model/model_plot.h"

void cmd_options_add(struct cmd_options *o, const struct argp_option *rows)
{
	for (; (rows->name || rows->doc) && o->n < CMD_MAX_OPTIONS; rows++)
		o->row[o->n++] = *rows;
	o->row[o->n] = (struct argp_option){0};
}

void cmd_options_params(struct cmd_options *o, const struct libra_param *table,
			const double *value, size_t n, int key)
{
	for (size_t i = 0; i < n && o->n < CMD_MAX_OPTIONS; i++) {
		const struct libra_param *p = &table[i];
		bool second = strcmp(p->unit, "s") == 0;
		bool yes_no = p->type == LIBRA_PARAM_SWITCH;
		char text[32];

		snprintf(text, sizeof(text), "%.10g%s", value[i],
			 second ? " s" : "");
		snprintf(o->doc[o->n], sizeof(o->doc[0]), "%s (default %s)",
			 p->help,
			 !yes_no    ? text
			 : value[i] ? "yes"
				    : "no");
		o->row[o->n] = (struct argp_option){
			.name = p->name,
			.key = key + (int)i,
			.arg = yes_no	? "yes|no"
			       : second ? "SECONDS"
					: "N",
			.doc = o->doc[o->n],
		};
		o->n++;
	}
	o->row[o->n] = (struct argp_option){0};
}

void cmd_model_parse(struct argp *argp, const struct cmd_options *options,
		     int argc, char **argv, void *command)
{
	const struct argp_child children[] = {
		{&cmd_model_argp, 0, NULL, 0},
		{NULL, 0, NULL, 0},
	};

	argp->options = options->row;
	argp->children = children;
	cmd_parse(argp, argc, argv, 0, NULL, command);
}

bool cmd_read_param(struct argp_state *state, const struct libra_param *table,
		    size_t n, int first, int key, const char *arg,
		    double *value)
{
	struct libra_error err = {""};
	int i = key - first;

	if (i < 0 || (size_t)i >= n)
		return false;
	if (libra_param_parse(&table[i], arg, &value[i], &err))
		cmd_usage(state, "--%s", err.text);
	return true;
}

void cmd_default_params(const struct libra_param *table, size_t n,
			double *value)
{
	for (size_t i = 0; i < n; i++)
		value[i] = table[i].value;
}

enum {
	OPT_SIZE = 0xa00,
	OPT_PLOTS,
};

static const struct argp_option shared_options[] = {
	{"size", OPT_SIZE, "FIELD", 0,
	 "Processors of a job: allocated (default) or requested; records "
	 "without them are left out",
	 0},
	{"seed", 's', "N", 0, "Seed of the KS test (default 1)", 0},
	{"output", 'o', "FILE", 0,
	 "Write to this file, which appears whole or not at all", 0},
	{"plots", OPT_PLOTS, "DIR", 0,
	 "Draw CDF and quantiles of trace and models as SVG into this folder",
	 0},
	{0},
};

static error_t parse_shared(int key, char *arg, struct argp_state *state)
{
	struct cmd_model_args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->format;
		return 0;
	case OPT_SIZE:
		args->size = cmd_size(state, arg);
		return 0;
	case 's':
		args->seed = cmd_count(state, "seed", arg, 0, UINT64_MAX);
		return 0;
	case 'o':
		args->output = arg;
		return 0;
	case OPT_PLOTS:
		args->plots = arg;
		return 0;
	case ARGP_KEY_ARG:
		cmd_argument(state, &args->trace, arg);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_child format_child[] = {
	{&cmd_format_argp, 0, NULL, 0},
	{NULL, 0, NULL, 0},
};

const struct argp cmd_model_argp = {
	.options = shared_options,
	.parser = parse_shared,
	.children = format_child,
};

void cmd_model_args_init(struct cmd_model_args *args)
{
	*args = (struct cmd_model_args){
		.size = SIM_SIZE_ALLOCATED,
		.format = CMD_TABLE,
		.seed = 1,
	};
}

int cmd_split_series(const char *text, enum model_series *series,
		     const char **rest, struct libra_error *err)
{
	size_t n = strcspn(text, "=:");
	char name[16];

	*series = 0;
	*rest = text;
	if (text[n] != '=')
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)n, text);
	*series = model_series_find(name);
	if (!*series)
		return libra_errf(err, ENOENT,
				  "unknown series '%s' (iat, run or size)",
				  name);
	*rest = text + n + 1;
	return 0;
}

int cmd_read_series(const char *path, enum sim_size size,
		    struct swf_trace *trace, struct sim_trace_series *series,
		    struct libra_error *err)
{
	if (swf_read(trace, path, err))
		return -1;
	cmd_note_odd("librasim model", trace);
	if (sim_series_init(series, trace, size, err) == 0)
		return 0;
	swf_fini(trace);
	return -1;
}

int cmd_model_write(const struct cmd_model_args *args,
		    const struct cmd_model_writers *writers,
		    const void *command, struct libra_error *err)
{
	struct out_file out;
	char sha256[65] = "";
	int rc = 0;

	if (args->format == CMD_JSON && args->trace &&
	    swf_sha256(args->trace, sha256, err))
		return -1;
	if (out_open(&out, args->output ? args->output : "-", err))
		return -1;
	switch (args->format) {
	case CMD_TABLE:
		rc = writers->table(command, out.fp);
		break;
	case CMD_CSV:
		writers->csv(command, out.fp);
		break;
	case CMD_JSON:
		writers->json(command, sha256, out.fp);
		break;
	}
	if (rc == 0)
		return out_commit(&out, err);
	out_abort(&out);
	return sim_no_memory(err);
}

/* Write one figure into the set; *missing if there is no gnuplot. */
static int keep_picture(struct out_set *set, const char *kind,
			enum model_series series, char *svg, bool *missing,
			struct libra_error *err)
{
	char name[64];
	FILE *fp;

	if (!svg) {
		*missing = true;
		return 0;
	}
	snprintf(name, sizeof(name), "%s-%s.svg", kind,
		 model_series_name(series));
	fp = out_set_open(set, name, err);
	if (fp)
		fputs(svg, fp);
	free(svg);
	return fp ? 0 : -1;
}

/* Draw both pictures of a series into the set. */
static int draw_series(struct out_set *set, enum model_series series,
		       const struct sim_series *data,
		       const struct model *models, size_t nmodels,
		       struct libra_error *err)
{
	bool missing = false;
	char *svg = NULL;

	if (model_plot_cdf(series, data, models, nmodels, &svg, err) ||
	    keep_picture(set, "cdf", series, svg, &missing, err))
		return -1;
	svg = NULL;
	if (model_plot_quantiles(series, data, models, nmodels, &svg, err) ||
	    keep_picture(set, "quantiles", series, svg, &missing, err))
		return -1;
	if (missing)
		fprintf(stderr,
			"librasim model: %s is not drawn: gnuplot is not "
			"installed\n",
			model_series_name(series));
	return 0;
}

int cmd_draw(const char *dir, const struct sim_trace_series *series,
	     const struct cmd_drawn *drawn, size_t n, struct libra_error *err)
{
	struct out_set set;

	if (out_set_init(&set, dir, err))
		return -1;
	for (int s = MODEL_IAT; s <= MODEL_SIZE; s++) {
		struct model models[CMD_MAX_DRAWN];
		size_t nmodels = 0;

		for (size_t i = 0; i < n && i < CMD_MAX_DRAWN; i++)
			if ((int)drawn[i].series == s)
				models[nmodels++] = drawn[i].model;
		if (nmodels &&
		    draw_series(&set, (enum model_series)s, &series->of[s],
				models, nmodels, err)) {
			out_set_abort(&set);
			return -1;
		}
	}
	return out_set_commit(&set, err);
}
