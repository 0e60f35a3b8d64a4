/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.c - `librasim model`: subcommands, the list of models, and what
 * the commands about models share.
 */
#include "sim/command/model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_errno.h>

#include "sim/model/fit.h"
#include "sim/model/model_plot.h"

void cmd_options_add(struct cmd_options *o, const struct argp_option *rows)
{
	for (; (rows->name || rows->doc) && o->n < CMD_MAX_OPTIONS; rows++)
		o->row[o->n++] = *rows;
	o->row[o->n] = (struct argp_option){0};
}

void cmd_options_params(struct cmd_options *o, const struct libra_param *table,
			size_t n, int key)
{
	for (size_t i = 0; i < n && o->n < CMD_MAX_OPTIONS; i++) {
		const struct libra_param *p = &table[i];
		bool second = strcmp(p->unit, "s") == 0;
		bool yes_no = p->type == LIBRA_PARAM_SWITCH;
		char value[32];

		snprintf(value, sizeof(value), "%.10g%s", p->value,
			 second ? " s" : "");
		snprintf(o->doc[o->n], sizeof(o->doc[0]), "%s Default: %s.",
			 p->help,
			 !yes_no    ? value
			 : p->value ? "yes"
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

enum cmd_format cmd_read_format(struct argp_state *state, const char *arg)
{
	static const char *const names[] = {"table", "csv", "json"};

	for (int i = 0; i < 3; i++)
		if (strcmp(arg, names[i]) == 0)
			return CMD_TABLE + i;
	cmd_usage(state, "--format takes table, csv or json, not '%s'", arg);
}

enum sim_size cmd_read_size(struct argp_state *state, const char *arg)
{
	if (strcmp(arg, "requested") == 0)
		return SIM_SIZE_REQUESTED;
	if (strcmp(arg, "allocated") != 0)
		cmd_usage(state,
			  "--size takes allocated or requested, not '%s'", arg);
	return SIM_SIZE_ALLOCATED;
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
				  "there is no series '%s'; there are iat, run "
				  "and size",
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
	if (sim_series_init(series, trace, size, err) == 0)
		return 0;
	swf_fini(trace);
	return -1;
}

/* One picture into the set; *missing if there is no gnuplot. */
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

int cmd_draw(struct out_set *set, enum model_series series,
	     const struct sim_series *data, const struct model *models,
	     size_t nmodels, struct libra_error *err)
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
			"librasim model: no pictures of %s: there is "
			"no gnuplot\n",
			model_series_name(series));
	return 0;
}

static int cmd_model_list(int argc, char **argv)
{
	static const struct argp argp = {
		.doc = "List the models, their parameters and defaults."};

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	for (size_t i = 0; i < model_ntypes; i++) {
		const struct model_type *t = &model_types[i];

		printf("%s%s (%s): %s\n", i ? "\n" : "", t->name,
		       model_series_name(t->series), t->summary);
		printf("  fitted by");
		for (int m = FIT_ML; m <= FIT_HISTOGRAM; m++)
			if (fit_has_method(t, m))
				printf(" %s%s", fit_method_name(m),
				       m == (int)fit_first_method(t)
					       ? " (default)"
					       : "");
		printf("\n");
		for (size_t k = 0; k < t->nparams; k++) {
			const struct libra_param *p = &t->params[k];

			printf("  %-10s %-10g %-5s %s\n", p->name, p->value,
			       p->unit, p->help);
		}
	}
	return CMD_DONE;
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	char *usage; /* argv[0] for argp */
} subcommands[] = {
	{"fit", cmd_model_fit, "librasim model fit"},
	{"check", cmd_model_check, "librasim model check"},
	{"list", cmd_model_list, "librasim model list"},
};

#define NSUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

static error_t parse_model(int key, char *arg, struct argp_state *state)
{
	int *at = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		/* The rest belongs to the subcommand. */
		*at = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		cmd_usage(state, "which: fit, check or list?");
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp model_argp = {
	.parser = parse_model,
	.args_doc = "fit TRACE\ncheck [TRACE]\nlist",
	.doc = "Workload models: inter-arrival times, run times and sizes.\v"
	       "fit    find the parameters of models on a trace\n"
	       "check  compare the models of CCGrid 2008 with a trace\n"
	       "list   show models and parameters\n\n"
	       "`librasim model fit --help` and so on show the options of "
	       "each.",
};

int cmd_model(int argc, char **argv)
{
	const char *names[NSUBCOMMANDS], *near;
	int at = 0;

	argp_err_exit_status = CMD_USAGE;
	gsl_set_error_handler_off(); /* the default one aborts */
	argp_parse(&model_argp, argc, argv, ARGP_IN_ORDER, NULL, &at);
	for (size_t i = 0; i < NSUBCOMMANDS; i++) {
		names[i] = subcommands[i].name;
		if (strcmp(argv[at], names[i]) != 0)
			continue;
		argv[at] = subcommands[i].usage;
		return subcommands[i].run(argc - at, argv + at);
	}
	near = libra_nearest_name(argv[at], names, NSUBCOMMANDS);
	fprintf(stderr, "librasim model: no subcommand '%s'%s%s%s\n", argv[at],
		near ? "; did you mean '" : "; there are fit, check and list",
		near ? near : "", near ? "'?" : "");
	return CMD_USAGE;
}
