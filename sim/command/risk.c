/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * risk.c - librasim risk: separate and integrated risk analysis of results.
 *
 * Reads files of results, and prints one row for each policy in each scenario,
 * and the means over scenarios (study/risk_series.h).
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/command/command.h"
#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/text.h"
#include "sim/study/risk_series.h"

struct args {
	struct risk_request request;
	size_t nweights;
	enum cmd_format format;
};

enum {
	OPT_OBJECTIVES = 0x700,
	OPT_WEIGHTS,
	OPT_BY,
};

static const struct argp_option options[] = {
	{"objectives", OPT_OBJECTIVES, "NAME[,NAME...]", 0,
	 "Columns to analyze; larger values must be better (default: "
	 "sla,reliability,profit)",
	 0},
	{"weights", OPT_WEIGHTS, "W[,W...]", 0,
	 "Their weights, like 0.5,0.25,0.25 or 1/3,1/3,1/3 (default: equal)",
	 0},
	{"by", OPT_BY, "COLUMN[,COLUMN...]", 0,
	 "Columns that distinguish scenarios (default: set and scenario, if "
	 "the results have them)",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* ---- the command line ---- */

/* Copy an argument, or end without memory. */
static char *copy_of(const struct argp_state *state, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		cmd_no_memory(state->name);
	return copy;
}

/* Split a list of names, each of which may occur once. */
static void read_names(const struct argp_state *state, struct risk_names *names,
		       const char *option, const char *text)
{
	char *rest;

	free(names->copy);
	names->n = 0;
	names->copy = rest = copy_of(state, text);
	for (char *name; rest && (name = strsep(&rest, ","));) {
		if (name[0] == '\0')
			cmd_usage(state, "--%s has an empty name in '%s'",
				  option, text);
		for (size_t i = 0; i < names->n; i++)
			if (strcmp(names->name[i], name) == 0)
				cmd_usage(state, "--%s names '%s' twice",
					  option, name);
		if (names->n == RISK_MAX_NAMES)
			cmd_usage(state, "--%s takes at most %d names", option,
				  RISK_MAX_NAMES);
		names->name[names->n++] = name;
	}
}

/* "0.25", "1/3" */
static double read_weight(const struct argp_state *state, const char *text)
{
	char *end;
	double w = strtod(text, &end), below;

	if (end != text && *end == '/' && end[1] != '\0') {
		const char *begin = end + 1;

		below = strtod(begin, &end);
		w = end == begin ? NAN : w / below;
	}
	if (end == text || *end != '\0' || !isfinite(w))
		cmd_usage(state, "--weights takes numbers, not '%s'", text);
	return w;
}

/* Read the numbers of --weights, or exit. */
static void read_weights(const struct argp_state *state, struct args *args,
			 const char *text)
{
	char *copy = copy_of(state, text), *rest = copy, *item;

	args->nweights = 0;
	while (rest && (item = strsep(&rest, ","))) {
		if (args->nweights == RISK_MAX_NAMES)
			cmd_usage(state, "--weights takes at most %d numbers",
				  RISK_MAX_NAMES);
		args->request.weights[args->nweights++] =
			read_weight(state, item);
	}
	free(copy);
}

/* Check the whole line, and set the default objectives and weights. */
static void check_args(const struct argp_state *state, struct args *args)
{
	struct libra_error err = {""};

	if (args->request.npaths == 0)
		cmd_usage(state, "no results are given (CSV or JSON files that "
				 "run or reproduce wrote)");
	for (size_t i = 0; i < args->request.npaths; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(args->request.paths[i],
				   args->request.paths[k]) == 0)
				cmd_usage(state, "'%s' is named twice",
					  args->request.paths[i]);
	if (args->request.objectives.n == 0)
		read_names(state, &args->request.objectives, "objectives",
			   "sla,reliability,profit");
	if (args->nweights == 0)
		for (size_t i = 0; i < args->request.objectives.n; i++)
			args->request.weights[args->nweights++] =
				1.0 / (double)args->request.objectives.n;
	if (args->nweights != args->request.objectives.n)
		cmd_usage(state, "--weights has %zu numbers for %zu objectives",
			  args->nweights, args->request.objectives.n);
	if (risk_check_weights(args->request.weights, args->nweights, &err) < 0)
		cmd_usage(state, "--weights: %s", err.text);
}

/* The parser of the options (argp). */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->format;
		return 0;
	case OPT_OBJECTIVES:
		read_names(state, &args->request.objectives, "objectives", arg);
		return 0;
	case OPT_WEIGHTS:
		read_weights(state, args, arg);
		return 0;
	case OPT_BY:
		read_names(state, &args->request.by, "by", arg);
		args->request.by_given = true;
		return 0;
	case ARGP_KEY_ARGS:
		args->request.paths = state->argv + state->next;
		args->request.npaths = (size_t)(state->argc - state->next);
		return 0;
	case ARGP_KEY_END:
		check_args(state, args);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- output ---- */

typedef void row_f(void *out, const struct args *args, const char *scenario,
		   const struct risk_series *s);

/* Call a function for each series, and for each mean. */
static void each_row(const struct risk_analysis *a, const struct args *args,
		     row_f *row, void *out)
{
	char name[512];

	for (size_t i = 0; i < a->n; i++)
		row(out, args, a->series[i].scenario, &a->series[i]);
	for (size_t i = 0; i < a->n; i++) {
		struct risk_series mean;

		if (!risk_series_has_mean(a, i))
			continue;
		mean = risk_series_mean(a, &args->request, &a->series[i]);
		snprintf(name, sizeof(name), "%s%smean", mean.outer,
			 mean.outer[0] ? "," : "");
		row(out, args, name, &mean);
	}
}

/* Add the row of a series to a table. */
static void table_row(void *out, const struct args *args, const char *scenario,
		      const struct risk_series *s)
{
	struct out_table *t = out;

	if (args->request.by.n > 0)
		out_table_cell(t, "%s", scenario);
	out_table_cell(t, "%s", s->policy);
	for (size_t k = 0; k < args->request.objectives.n; k++) {
		out_table_number(t, 2, s->separate[k].performance);
		out_table_number(t, 2, s->separate[k].volatility);
	}
	out_table_number(t, 2, s->integrated.performance);
	out_table_number(t, 2, s->integrated.volatility);
}

/* Print the series as a table.  Result: 0, or -1 with ENOMEM. */
static int print_table(const struct risk_analysis *a, const struct args *args)
{
	struct out_column columns[4 + 2 * RISK_MAX_NAMES];
	struct out_table t;
	size_t n = 0;
	int rc;

	if (args->request.by.n > 0)
		columns[n++] = (struct out_column){"scenario", OUT_LEFT};
	columns[n++] = (struct out_column){"policy", OUT_LEFT};
	for (size_t k = 0; k < args->request.objectives.n; k++) {
		columns[n++] = (struct out_column){
			args->request.objectives.name[k], OUT_RIGHT};
		columns[n++] = (struct out_column){"+-", OUT_RIGHT};
	}
	columns[n++] = (struct out_column){"integrated", OUT_RIGHT};
	columns[n++] = (struct out_column){"+-", OUT_RIGHT};
	printf("Performance and volatility (+-) over %zu results each; "
	       "weights",
	       a->series[0].n);
	for (size_t k = 0; k < args->request.objectives.n; k++)
		printf("%s %s %.4g", k ? "," : "",
		       args->request.objectives.name[k],
		       args->request.weights[k]);
	putchar('\n');
	out_table_init(&t, columns, n);
	each_row(a, args, table_row, &t);
	rc = out_table_print(&t, stdout);
	out_table_fini(&t);
	return rc;
}

/* Write the row of a series. */
static void csv_row(void *out, const struct args *args, const char *scenario,
		    const struct risk_series *s)
{
	FILE *fp = out;

	out_csv_text(fp, scenario);
	putc(',', fp);
	out_csv_text(fp, s->policy);
	fprintf(fp, ",%zu", s->n);
	for (size_t k = 0; k <= args->request.objectives.n; k++) {
		const struct risk_point *p = k < args->request.objectives.n
						     ? &s->separate[k]
						     : &s->integrated;

		putc(',', fp);
		out_csv_number(fp, p->performance);
		putc(',', fp);
		out_csv_number(fp, p->volatility);
	}
	putc('\n', fp);
}

/* Print the series as CSV.  Result: 0. */
static int print_csv(const struct risk_analysis *a, const struct args *args)
{
	printf("scenario,policy,results");
	for (size_t k = 0; k < args->request.objectives.n; k++)
		printf(",%s_performance,%s_volatility",
		       args->request.objectives.name[k],
		       args->request.objectives.name[k]);
	printf(",integrated_performance,integrated_volatility\n");
	each_row(a, args, csv_row, stdout);
	return 0;
}

/* Write performance and volatility as an object. */
static void json_point(struct out_json *j, const char *key,
		       const struct risk_point *p)
{
	out_json_object(j, key);
	out_json_number(j, "performance", p->performance);
	out_json_number(j, "volatility", p->volatility);
	out_json_end(j);
}

/* Write the object of a series. */
static void json_row(void *out, const struct args *args, const char *scenario,
		     const struct risk_series *s)
{
	struct out_json *j = out;

	out_json_object(j, NULL);
	out_json_text(j, "scenario", scenario);
	out_json_text(j, "policy", s->policy);
	out_json_count(j, "results", s->n);
	out_json_object(j, "separate");
	for (size_t k = 0; k < args->request.objectives.n; k++)
		json_point(j, args->request.objectives.name[k],
			   &s->separate[k]);
	out_json_end(j);
	json_point(j, "integrated", &s->integrated);
	out_json_end(j);
}

/* Print weights and series as one JSON object.  Result: 0. */
static int print_json(const struct risk_analysis *a, const struct args *args)
{
	struct out_json j;

	out_json_init(&j, stdout);
	out_json_object(&j, NULL);
	out_json_object(&j, "weights");
	for (size_t k = 0; k < args->request.objectives.n; k++)
		out_json_number(&j, args->request.objectives.name[k],
				args->request.weights[k]);
	out_json_end(&j);
	out_json_array(&j, "analysis");
	each_row(a, args, json_row, &j);
	out_json_end(&j);
	out_json_end(&j);
	return 0;
}

/* Print in the format of --format.  Result: 0, or -1 with ENOMEM. */
static int print(const struct risk_analysis *a, const struct args *args,
		 struct libra_error *err)
{
	int rc = args->format == CMD_JSON  ? print_json(a, args)
		 : args->format == CMD_CSV ? print_csv(a, args)
					   : print_table(a, args);

	if (rc < 0 || fflush(stdout) != 0 || ferror(stdout))
		return libra_errf(err, errno, "standard output: %s",
				  strerror(errno));
	return 0;
}

int cmd_risk(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&cmd_format_argp, 0, NULL, 0},
		{NULL, 0, NULL, 0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.children = children,
		.args_doc = "RESULTS...",
		.doc = "Analyze how well policies meet objectives, and how "
		       "reliably: the mean of a scenario's results "
		       "(performance) and their standard deviation "
		       "(volatility), for each objective and as a weighted "
		       "sum over all.\v"
		       "RESULTS are CSV or JSON files that run or reproduce "
		       "wrote; results of run count as one scenario.",
	};
	struct args args = {.format = CMD_TABLE};
	struct risk_analysis a = {.n = 0};
	struct libra_error err = {""};
	int rc;

	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	rc = risk_analysis_read(&a, &args.request, &err);
	if (rc == 0)
		rc = print(&a, &args, &err);
	risk_analysis_fini(&a);
	free(args.request.objectives.copy);
	free(args.request.by.copy);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
