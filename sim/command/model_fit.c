/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_fit.c - `librasim model fit TRACE`.
 *
 * A request is a model with its series and method.  Each request is fitted and
 * measured; a fit that fails is reported, and the others go on.
 */
#include "sim/base/memory.h"
#include "sim/command/model_common.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/fit.h"
#include "sim/model/model_file.h"
#include "sim/model/model_gof.h"
#include "sim/output/table.h"
#include "sim/output/text.h"

#define MAX_FITS CMD_MAX_DRAWN

enum key {
	KEY_METHOD = 'M',
	KEY_MODEL = 'm',
	KEY_FIT = 0x200,   /* fit_options */
	KEY_CHECK = 0x300, /* model_check_options */
};

/* A series, and the model that the user wants for it. */
struct request {
	enum model_series series;
	const struct model_type *type;
};

/* Options, the fits that they request, and the results. */
struct fit_command {
	struct cmd_model_args args;
	const char *models;
	enum fit_method method; /* 0: each type's first */
	double fit[FIT_NOPTIONS], check[MODEL_CHECK_NOPTIONS];
	struct request requests[MAX_FITS];
	size_t nrequests;
	struct model_fit fits[MAX_FITS];
	size_t nfits;
};

static const struct argp_option rows[] = {
	{"model", KEY_MODEL, "[SERIES=]NAME,...", 0,
	 "Models to fit; SERIES is iat, run or size (default: all models)", 0},
	{"method", KEY_METHOD, "METHOD", 0,
	 "ml, lsq or histogram (default: the one that `librasim model list` "
	 "marks for the model)",
	 0},
	{0},
};

/* Set --method, or exit. */
static void read_method(struct argp_state *state, struct fit_command *c,
			const char *arg)
{
	c->method = fit_method_find(arg);
	if (!c->method)
		cmd_usage(state,
			  "--method takes ml, lsq or histogram, not '%s'", arg);
}

/* The parser of the options (argp). */
static error_t parse_fit(int key, char *arg, struct argp_state *state)
{
	struct fit_command *c = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &c->args;
		return 0;
	case KEY_METHOD:
		read_method(state, c, arg);
		return 0;
	case KEY_MODEL:
		c->models = arg;
		return 0;
	case ARGP_KEY_END:
		cmd_one_trace(state, key, arg, &c->args.trace);
	}
	if (cmd_read_param(state, fit_options, FIT_NOPTIONS, KEY_FIT, key, arg,
			   c->fit) ||
	    cmd_read_param(state, model_check_options, MODEL_CHECK_LEVEL + 1,
			   KEY_CHECK, key, arg, c->check))
		return 0;
	return ARGP_ERR_UNKNOWN;
}

/* Make the table of options, and parse the line. */
static void parse_line(struct fit_command *c, int argc, char **argv)
{
	struct cmd_options options = {.n = 0};
	struct argp argp = {
		.parser = parse_fit,
		.args_doc = "TRACE",
		.doc = "Find the parameters of workload models on a trace.",
	};

	cmd_options_add(&options, rows);
	cmd_options_params(&options, fit_options, c->fit, FIT_NOPTIONS,
			   KEY_FIT);
	cmd_options_params(&options, model_check_options, c->check,
			   MODEL_CHECK_LEVEL + 1, KEY_CHECK);
	cmd_model_parse(&argp, &options, argc, argv, c);
}

/* Request all models that can be fitted by the method. */
static void choose_all(struct fit_command *c)
{
	for (size_t i = 0; i < model_ntypes; i++)
		if (!c->method || fit_has_method(&model_types[i], c->method))
			c->requests[c->nrequests++] = (struct request){
				model_types[i].series, &model_types[i]};
}

/* "[SERIES=]NAME": a model may be fitted to a series that is not its own. */
static int choose_one(struct fit_command *c, const char *word,
		      struct libra_error *err)
{
	struct request *r = &c->requests[c->nrequests];
	const char *name;

	if (c->nrequests == MAX_FITS)
		return libra_errf(err, EINVAL,
				  "at most %d models can be "
				  "fitted at once",
				  MAX_FITS);
	if (cmd_split_series(word, &r->series, &name, err))
		return -1;
	r->type = model_find(name, err);
	if (!r->type)
		return -1;
	if (!r->series)
		r->series = r->type->series;
	c->nrequests++;
	return 0;
}

/* Make the requests of --model, or of all models. */
static int choose_models(struct fit_command *c, struct libra_error *err)
{
	char *copy, *save = NULL, *word;
	int rc = 0;

	if (!c->models) {
		choose_all(c);
		return 0;
	}
	copy = strdup(c->models);
	if (!copy)
		return sim_no_memory(err);
	for (word = strtok_r(copy, ",", &save); word && rc == 0;
	     word = strtok_r(NULL, ",", &save))
		rc = choose_one(c, word, err);
	free(copy);
	if (rc == 0 && c->nrequests == 0)
		rc = libra_errf(err, EINVAL, "--model names no model");
	return rc;
}

/* Fit and measure one model; if it fails, the others are kept. */
static int fit_one(struct fit_command *c, const struct request *r,
		   const struct sim_trace_series *series,
		   struct libra_error *err)
{
	const struct sim_series *data = &series->of[r->series];
	struct model_fit *f = &c->fits[c->nfits];
	enum fit_method method =
		c->method ? c->method : fit_first_method(r->type);

	f->series = r->series;
	f->best = false;
	if (fit_model(r->type, method, data->sorted, data->n, c->fit, &f->fit,
		      err) ||
	    model_gof(data, &f->fit.model, c->check, c->args.seed,
		      r->type->name, &f->gof, err))
		return -1;
	c->nfits++;
	return 0;
}

/* Mark the model of each series with the least KS difference. */
static void mark_best(struct fit_command *c)
{
	for (int s = MODEL_IAT; s <= MODEL_SIZE; s++) {
		struct model_fit *best = NULL;

		for (size_t i = 0; i < c->nfits; i++)
			if ((int)c->fits[i].series == s &&
			    (!best || c->fits[i].gof.ks < best->gof.ks))
				best = &c->fits[i];
		if (best)
			best->best = true;
	}
}

/* Write the fits as a table for people.  Result: 0, or -1 with ENOMEM. */
static int write_table(const void *command, FILE *fp)
{
	const struct fit_command *c = command;
	static const struct out_column columns[] = {
		{"series", OUT_LEFT},	  {"model", OUT_LEFT},
		{"method", OUT_LEFT},	  {"KS", OUT_RIGHT},
		{"success", OUT_RIGHT},	  {"mean KS", OUT_RIGHT},
		{"used", OUT_RIGHT},	  {"left out", OUT_RIGHT},
		{"parameters", OUT_LEFT},
	};
	struct out_table t;
	int rc;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < c->nfits; i++) {
		const struct model_fit *f = &c->fits[i];
		const struct model *m = &f->fit.model;
		char text[512] = "";
		int n = 0;

		for (size_t k = 0; k < m->type->nparams; k++)
			if (m->p[k] != 0 || m->type->params[k].value != 0)
				n += snprintf(text + n, sizeof(text) - n,
					      "%s%s=%.6g", k ? " " : "",
					      m->type->params[k].name, m->p[k]);
		out_table_cell(&t, "%s", model_series_name(f->series));
		out_table_cell(&t, "%s%s", m->type->name, f->best ? " *" : "");
		out_table_cell(&t, "%s", fit_method_name(f->fit.method));
		out_table_number(&t, 4, f->gof.ks);
		out_table_number(&t, 3, f->gof.success);
		out_table_number(&t, 4, f->gof.mean_ks);
		out_table_cell(&t, "%zu", f->fit.used);
		out_table_cell(&t, "%zu", f->fit.left_out);
		out_table_cell(&t, "%s", text);
	}
	rc = out_table_print(&t, fp);
	out_table_fini(&t);
	fprintf(fp, "* best model of its series by KS\n");
	return rc;
}

/* Write the fits as CSV. */
static void write_csv(const void *command, FILE *fp)
{
	const struct fit_command *c = command;

	fprintf(fp, "series,model,method,best,ks,success,mean_ks,used,left_out,"
		    "iterations,loss,parameters\n");
	for (size_t i = 0; i < c->nfits; i++) {
		const struct model_fit *f = &c->fits[i];
		char spec[1024];

		fprintf(fp, "%s,%s,%s,%d,", model_series_name(f->series),
			f->fit.model.type->name, fit_method_name(f->fit.method),
			f->best);
		out_csv_number(fp, f->gof.ks);
		fputc(',', fp);
		out_csv_number(fp, f->gof.success);
		fputc(',', fp);
		out_csv_number(fp, f->gof.mean_ks);
		fprintf(fp, ",%zu,%zu,%u,", f->fit.used, f->fit.left_out,
			f->fit.iterations);
		out_csv_number(fp, f->fit.loss);
		fputc(',', fp);
		model_print(&f->fit.model, spec, sizeof(spec));
		out_csv_text(fp, spec);
		fputc('\n', fp);
	}
}

/* Write the fits as a model file, which librasim gen reads. */
static void write_json(const void *command, const char *sha256, FILE *fp)
{
	const struct fit_command *c = command;

	model_file_write(fp, c->args.trace, sha256, c->args.seed, c->fits,
			 c->nfits);
}

static const struct cmd_model_writers writers = {write_table, write_csv,
						 write_json};

/* Draw each series with its fits.  Result: 0, or -1 with err. */
static int draw_fits(const struct fit_command *c,
		     const struct sim_trace_series *series,
		     struct libra_error *err)
{
	struct cmd_drawn drawn[CMD_MAX_DRAWN];

	for (size_t i = 0; i < c->nfits; i++)
		drawn[i] = (struct cmd_drawn){c->fits[i].series,
					      c->fits[i].fit.model};
	return cmd_draw(c->args.plots, series, drawn, c->nfits, err);
}

/* Notes for the reader of the numbers. */
static void print_notes(const struct fit_command *c)
{
	for (size_t i = 0; i < c->nfits; i++) {
		const struct fit_result *f = &c->fits[i].fit;

		if (f->left_out * 10 > f->used + f->left_out)
			fprintf(stderr,
				"librasim model fit: note: %s leaves out %zu "
				"of %zu numbers (see --%s)\n",
				f->model.type->name, f->left_out,
				f->used + f->left_out,
				f->model.type->weights ? "min-density"
						       : "floor");
	}
}

/* Fit and measure all requests, and write them.  Result: the exit status. */
static int run_fits(struct fit_command *c,
		    const struct sim_trace_series *series)
{
	struct libra_error err = {""};
	int status = 0;

	for (size_t i = 0; i < c->nrequests; i++) {
		libra_error_clear(&err);
		if (fit_one(c, &c->requests[i], series, &err))
			status = cmd_fail("librasim model fit", &err);
	}
	if (c->nfits == 0)
		return 1;
	mark_best(c);
	print_notes(c);
	libra_error_clear(&err);
	if (cmd_model_write(&c->args, &writers, c, &err) ||
	    (c->args.plots && draw_fits(c, series, &err)))
		return cmd_fail("librasim model fit", &err);
	return status;
}

int cmd_model_fit(int argc, char **argv)
{
	struct fit_command c = {.args = {NULL}};
	struct sim_trace_series series;
	struct libra_error err = {""};
	struct swf_trace trace;
	int status;

	cmd_model_args_init(&c.args);
	cmd_default_params(fit_options, FIT_NOPTIONS, c.fit);
	cmd_default_params(model_check_options, MODEL_CHECK_NOPTIONS, c.check);
	/* A fit is judged by the KS difference of the whole sample, so the
	 * paper's number of draws is enough.
	 */
	c.check[MODEL_CHECK_DRAWS] = 1000;
	parse_line(&c, argc, argv);
	if (choose_models(&c, &err) ||
	    cmd_read_series(c.args.trace, c.args.size, &trace, &series, &err))
		return cmd_fail("librasim model fit", &err);
	if (series.njobs < FIT_MIN_VALUES) {
		libra_errf(&err, EDOM,
			   "%s: %zu jobs with processors and run time are too "
			   "few to fit: at least %d are needed",
			   c.args.trace, series.njobs, FIT_MIN_VALUES);
		status = cmd_fail("librasim model fit", &err);
	} else {
		status = run_fits(&c, &series);
	}
	sim_series_fini(&series);
	swf_fini(&trace);
	return status;
}
