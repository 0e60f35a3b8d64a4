/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_risk.c - librasim risk: separate and integrated risk analysis of results.
 *
 * Results with the same values of the --by columns are one scenario.  Each
 * policy must have the same number of results in every scenario: an analysis
 * of unlike things says nothing.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/param.h"
#include "sim/command.h"
#include "sim/out.h"
#include "sim/result_file.h"
#include "sim/risk_analysis.h"

#define MAX_NAMES 16

enum format {
	FORMAT_TABLE = 1,
	FORMAT_CSV,
	FORMAT_JSON,
};

struct names {
	char *copy; /* what the names point into */
	const char *name[MAX_NAMES];
	size_t n;
};

struct args {
	struct names objectives, by;
	bool by_given;
	double weights[MAX_NAMES];
	size_t nweights;
	enum format format;
	char **paths;
	size_t npaths;
};

enum {
	OPT_OBJECTIVES = 0x700,
	OPT_WEIGHTS,
	OPT_BY,
	OPT_FORMAT,
};

static const struct argp_option options[] = {
	{"objectives", OPT_OBJECTIVES, "NAME[,NAME...]", 0,
	 "Columns to analyze, of which more is better (default: "
	 "sla,reliability,profit)",
	 0},
	{"weights", OPT_WEIGHTS, "W[,W...]", 0,
	 "Their weights, like 0.5,0.25,0.25 or 1/3,1/3,1/3 (default: equal)",
	 0},
	{"by", OPT_BY, "COLUMN[,COLUMN...]", 0,
	 "Columns that tell scenarios apart (default: set,scenario where they "
	 "are there)",
	 0},
	{"format", OPT_FORMAT, "FORMAT", 0, "table (default), csv or json", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* ---- the command line ---- */

static void read_names(const struct argp_state *state, struct names *names,
		       const char *option, const char *text)
{
	char *rest;

	free(names->copy);
	names->n = 0;
	names->copy = rest = strdup(text);
	for (char *name; rest && (name = strsep(&rest, ","));) {
		if (name[0] == '\0')
			cmd_usage(state, "--%s: an empty name in '%s'", option,
				  text);
		for (size_t i = 0; i < names->n; i++)
			if (strcmp(names->name[i], name) == 0)
				cmd_usage(state, "--%s: '%s' is named twice",
					  option, name);
		if (names->n == MAX_NAMES)
			cmd_usage(state, "--%s: more than %d names", option,
				  MAX_NAMES);
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

static void read_weights(const struct argp_state *state, struct args *args,
			 const char *text)
{
	char *copy = strdup(text), *rest = copy, *item;

	args->nweights = 0;
	while (rest && (item = strsep(&rest, ","))) {
		if (args->nweights == MAX_NAMES)
			cmd_usage(state, "--weights: more than %d weights",
				  MAX_NAMES);
		args->weights[args->nweights++] = read_weight(state, item);
	}
	free(copy);
}

static void check_args(const struct argp_state *state, struct args *args)
{
	struct libra_error err = {""};

	if (args->npaths == 0)
		cmd_usage(state, "which results? (CSV or JSON files of run or "
				 "reproduce)");
	for (size_t i = 0; i < args->npaths; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(args->paths[i], args->paths[k]) == 0)
				cmd_usage(state, "'%s' is named twice",
					  args->paths[i]);
	if (args->objectives.n == 0)
		read_names(state, &args->objectives, "objectives",
			   "sla,reliability,profit");
	if (args->nweights == 0)
		for (size_t i = 0; i < args->objectives.n; i++)
			args->weights[args->nweights++] =
				1.0 / (double)args->objectives.n;
	if (args->nweights != args->objectives.n)
		cmd_usage(state, "--weights: %zu for %zu objectives",
			  args->nweights, args->objectives.n);
	if (risk_check_weights(args->weights, args->nweights, &err) < 0)
		cmd_usage(state, "--weights: %s", err.text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *args = state->input;

	switch (key) {
	case OPT_OBJECTIVES:
		read_names(state, &args->objectives, "objectives", arg);
		return 0;
	case OPT_WEIGHTS:
		read_weights(state, args, arg);
		return 0;
	case OPT_BY:
		read_names(state, &args->by, "by", arg);
		args->by_given = true;
		return 0;
	case OPT_FORMAT:
		args->format = strcmp(arg, "table") == 0  ? FORMAT_TABLE
			       : strcmp(arg, "csv") == 0  ? FORMAT_CSV
			       : strcmp(arg, "json") == 0 ? FORMAT_JSON
							  : 0;
		if (!args->format)
			cmd_usage(state,
				  "--format is table, csv or json, not '%s'",
				  arg);
		return 0;
	case ARGP_KEY_ARGS:
		args->paths = state->argv + state->next;
		args->npaths = (size_t)(state->argc - state->next);
		return 0;
	case ARGP_KEY_END:
		check_args(state, args);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- results, sorted into scenarios ---- */

/* The results of one policy in one scenario; in order of appearance. */
struct series {
	char *scenario; /* values of the --by columns, "A,workload" */
	char *outer;	/* the same without the last */
	char *policy;
	double *value[MAX_NAMES]; /* of each objective */
	size_t n;
	struct risk_point separate[MAX_NAMES], integrated;
};

struct analysis {
	struct series *series;
	size_t n;
};

static void analysis_fini(struct analysis *a)
{
	for (size_t i = 0; i < a->n; i++) {
		free(a->series[i].scenario);
		free(a->series[i].outer);
		free(a->series[i].policy);
		for (size_t k = 0; k < MAX_NAMES; k++)
			free(a->series[i].value[k]);
	}
	free(a->series);
}

static const char *column_of(const char *objective)
{
	static const char *const alias[][2] = {
		{"sla", "fulfilled_pct"},
		{"reliability", "reliability_pct"},
		{"profit", "profit_pct"},
	};

	for (size_t i = 0; i < sizeof(alias) / sizeof(alias[0]); i++)
		if (strcmp(alias[i][0], objective) == 0)
			return alias[i][1];
	return objective;
}

/* What a row has under an objective; the files of a report may have means. */
static const char *objective_text(const struct result_row *row,
				  const char *objective)
{
	const char *column = column_of(objective);
	const char *text = result_row_text(row, column);
	char mean[128];

	if (text)
		return text;
	snprintf(mean, sizeof(mean), "%s_mean", column);
	return result_row_text(row, mean);
}

static int unknown_objective(const struct result_file *f,
			     const struct result_row *row,
			     const char *objective, struct libra_error *err)
{
	static const char *const usual[] = {"sla", "reliability", "profit"};
	const char *near = libra_nearest_name(objective, usual, 3);

	if (!near || strcmp(near, objective) == 0)
		near = libra_nearest_name(column_of(objective),
					  (const char *const *)row->name,
					  row->n);
	if (near)
		return libra_errf(err, EINVAL,
				  "%s: no objective '%s' in it (did you mean "
				  "'%s'?)",
				  f->path, objective, near);
	return libra_errf(err, EINVAL, "%s: no objective '%s' in it", f->path,
			  objective);
}

static int read_value(const struct result_file *f, const struct result_row *row,
		      const char *objective, double *value,
		      struct libra_error *err)
{
	const char *text = objective_text(row, objective);
	char *end;

	if (!text)
		return unknown_objective(f, row, objective, err);
	*value = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*value))
		return libra_errf(err, EINVAL,
				  "%s: result %zu (%s): %s is '%s', not a "
				  "number",
				  f->path, row->number,
				  result_row_text(row, "policy"), objective,
				  text);
	return 0;
}

/* The values of columns, joined by commas. */
static char *join(const struct result_file *f, const struct result_row *row,
		  const struct names *by, size_t n, struct libra_error *err)
{
	char *text = NULL;
	size_t size;
	FILE *mem = open_memstream(&text, &size);
	bool missing = false;

	if (!mem) {
		libra_errf(err, ENOMEM, "out of memory");
		return NULL;
	}
	for (size_t i = 0; i < n && !missing; i++) {
		const char *value = result_row_text(row, by->name[i]);

		missing = !value;
		if (missing)
			libra_errf(err, EINVAL, "%s: no column '%s' in it",
				   f->path, by->name[i]);
		else
			fprintf(mem, "%s%s", i ? "," : "", value);
	}
	if (fclose(mem) != 0 || missing) {
		free(text);
		return NULL;
	}
	return text;
}

/* Result: the series of a result, which may be new, or NULL. */
static struct series *find_series(struct analysis *a,
				  const struct result_file *f,
				  const struct result_row *row,
				  const struct names *by,
				  struct libra_error *err)
{
	const char *policy = result_row_text(row, "policy");
	char *scenario = join(f, row, by, by->n, err);
	struct series *s;

	if (!scenario)
		return NULL;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->series[i].scenario, scenario) == 0 &&
		    strcmp(a->series[i].policy, policy) == 0) {
			free(scenario);
			return &a->series[i];
		}
	s = realloc(a->series, (a->n + 1) * sizeof(*s));
	if (!s) {
		libra_errf(err, ENOMEM, "out of memory");
		free(scenario);
		return NULL;
	}
	a->series = s;
	s += a->n++;
	*s = (struct series){.scenario = scenario};
	s->outer = join(f, row, by, by->n ? by->n - 1 : 0, err);
	s->policy = strdup(policy);
	return s->outer && s->policy ? s : NULL;
}

static int add_result(struct analysis *a, const struct args *args,
		      const struct result_file *f, const struct result_row *row,
		      struct libra_error *err)
{
	struct series *s = find_series(a, f, row, &args->by, err);

	if (!s)
		return -1;
	for (size_t k = 0; k < args->objectives.n; k++) {
		double *value =
			realloc(s->value[k], (s->n + 1) * sizeof(*value));

		if (!value)
			return libra_errf(err, ENOMEM, "out of memory");
		s->value[k] = value;
		if (read_value(f, row, args->objectives.name[k], &value[s->n],
			       err) < 0)
			return -1;
	}
	s->n++;
	return 0;
}

/* Every policy in every scenario, as often as the first one there. */
static int check_series(const struct analysis *a, struct libra_error *err)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct series *s = &a->series[i], *first = s;
		bool known = false;

		for (size_t k = 0; k < a->n && first == s; k++)
			if (strcmp(a->series[k].scenario, s->scenario) == 0)
				first = &a->series[k];
		for (size_t k = 0; k < a->n; k++)
			known |= strcmp(a->series[k].scenario,
					a->series[0].scenario) == 0 &&
				 strcmp(a->series[k].policy, s->policy) == 0;
		if (first->n != s->n || !known)
			return libra_errf(
				err, EINVAL,
				"mixed results%s%s: %zu of %s, %zu of %s; all "
				"policies must have run at the same points",
				s->scenario[0] ? " in " : "", s->scenario, s->n,
				s->policy, known ? first->n : (size_t)0,
				known ? first->policy : "it elsewhere");
		if (s->n < 2)
			return libra_errf(err, EINVAL,
					  "%s%s%s has one result: a scenario "
					  "needs two or more, give the files "
					  "of several runs",
					  s->policy,
					  s->scenario[0] ? " in " : "",
					  s->scenario);
	}
	return 0;
}

static size_t count_policies(const struct analysis *a)
{
	size_t n = 0;

	while (n < a->n &&
	       strcmp(a->series[n].scenario, a->series[0].scenario) == 0)
		n++;
	return n;
}

/* Results of one scenario may stand apart: bring its series together, and in
 * the order of the first scenario's policies.
 */
static int sort_series(struct analysis *a, struct libra_error *err)
{
	struct series *sorted = calloc(a->n, sizeof(*sorted));
	bool *taken = calloc(a->n, sizeof(*taken));
	size_t n = 0;

	if (!sorted || !taken) {
		free(sorted);
		free(taken);
		return libra_errf(err, ENOMEM, "out of memory");
	}
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = i; k < a->n; k++)
			if (!taken[k] && strcmp(a->series[k].scenario,
						a->series[i].scenario) == 0) {
				taken[k] = true;
				sorted[n++] = a->series[k];
			}
	free(taken);
	free(a->series);
	a->series = sorted;
	return 0;
}

/* A scenario may lack a policy that another one has. */
static int check_scenarios(const struct analysis *a, struct libra_error *err)
{
	size_t n = count_policies(a);

	for (size_t i = 0; i < a->n; i++) {
		const struct series *s = &a->series[i];
		size_t same = 0;

		for (size_t k = 0; k < a->n; k++)
			same += strcmp(a->series[k].scenario, s->scenario) == 0;
		if (same != n)
			return libra_errf(err, EINVAL,
					  "mixed results: %zu policies in %s, "
					  "%zu in %s",
					  n, a->series[0].scenario, same,
					  s->scenario);
	}
	return 0;
}

static int analyze(struct analysis *a, const struct args *args,
		   struct libra_error *err)
{
	if (sort_series(a, err) < 0 || check_series(a, err) < 0 ||
	    check_scenarios(a, err) < 0)
		return -1;
	for (size_t i = 0; i < a->n; i++) {
		struct series *s = &a->series[i];

		for (size_t k = 0; k < args->objectives.n; k++)
			if (risk_separate(s->value[k], s->n, &s->separate[k]) <
			    0)
				return libra_errf(err, errno,
						  "%s: results too large",
						  s->policy);
		s->integrated = risk_integrated(s->separate, args->weights,
						args->objectives.n);
	}
	return 0;
}

/* All files speak of one log, where they say so. */
static int check_trace(const struct result_file *first,
		       const struct result_file *f, struct libra_error *err)
{
	const char *a = result_row_text(&first->rows[0], "trace");
	const char *b = result_row_text(&f->rows[0], "trace");

	if (a && b && strcmp(a, b) != 0)
		return libra_errf(err, EINVAL,
				  "mixed results: %s is of the log %s, %s of "
				  "%s",
				  first->path, a, f->path, b);
	return 0;
}

/* Scenarios are told apart by what the first file has to offer. */
static void choose_by(struct args *args, const struct result_row *row)
{
	static const char *const usual[] = {"set", "scenario"};

	if (args->by_given)
		return;
	for (size_t i = 0; i < 2; i++)
		if (result_row_text(row, usual[i]))
			args->by.name[args->by.n++] = usual[i];
}

static int read_results(struct analysis *a, struct args *args,
			struct libra_error *err)
{
	struct result_file first = {.nrows = 0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < args->npaths; i++) {
		struct result_file f;

		rc = result_file_read(&f, args->paths[i], err);
		if (rc < 0)
			break;
		if (i == 0)
			choose_by(args, &f.rows[0]);
		else
			rc = check_trace(&first, &f, err);
		for (size_t k = 0; rc == 0 && k < f.nrows; k++)
			rc = add_result(a, args, &f, &f.rows[k], err);
		if (i == 0)
			first = f;
		else
			result_file_fini(&f);
	}
	result_file_fini(&first);
	return rc == 0 ? analyze(a, args, err) : -1;
}

/* ---- means over the scenarios ---- */

/* Means of the series that agree with one in policy and outer columns. */
static struct series mean_of(const struct analysis *a, const struct args *args,
			     const struct series *like)
{
	struct series mean = *like;
	size_t n = 0;

	memset(mean.separate, 0, sizeof(mean.separate));
	for (size_t i = 0; i < a->n; i++) {
		const struct series *s = &a->series[i];

		if (strcmp(s->outer, like->outer) != 0 ||
		    strcmp(s->policy, like->policy) != 0)
			continue;
		n++;
		for (size_t k = 0; k < args->objectives.n; k++) {
			mean.separate[k].performance +=
				s->separate[k].performance;
			mean.separate[k].volatility +=
				s->separate[k].volatility;
		}
	}
	for (size_t k = 0; k < args->objectives.n; k++) {
		mean.separate[k].performance /= (double)n;
		mean.separate[k].volatility /= (double)n;
	}
	mean.integrated = risk_integrated(mean.separate, args->weights,
					  args->objectives.n);
	return mean;
}

/* The first series of each policy and outer columns has the mean's row; only
 * if there is more than one scenario.
 */
static bool has_mean(const struct analysis *a, size_t index)
{
	const struct series *s = &a->series[index];

	if (count_policies(a) == a->n)
		return false;
	for (size_t i = 0; i < index; i++)
		if (strcmp(a->series[i].outer, s->outer) == 0 &&
		    strcmp(a->series[i].policy, s->policy) == 0)
			return false;
	return true;
}

/* ---- output ---- */

typedef void row_f(void *out, const struct args *args, const char *scenario,
		   const struct series *s);

static void each_row(const struct analysis *a, const struct args *args,
		     row_f *row, void *out)
{
	char name[512];

	for (size_t i = 0; i < a->n; i++)
		row(out, args, a->series[i].scenario, &a->series[i]);
	for (size_t i = 0; i < a->n; i++) {
		struct series mean;

		if (!has_mean(a, i))
			continue;
		mean = mean_of(a, args, &a->series[i]);
		snprintf(name, sizeof(name), "%s%smean", mean.outer,
			 mean.outer[0] ? "," : "");
		row(out, args, name, &mean);
	}
}

static void table_row(void *out, const struct args *args, const char *scenario,
		      const struct series *s)
{
	struct out_table *t = out;

	if (args->by.n > 0)
		out_table_cell(t, "%s", scenario);
	out_table_cell(t, "%s", s->policy);
	for (size_t k = 0; k < args->objectives.n; k++) {
		out_table_number(t, 2, s->separate[k].performance);
		out_table_number(t, 2, s->separate[k].volatility);
	}
	out_table_number(t, 2, s->integrated.performance);
	out_table_number(t, 2, s->integrated.volatility);
}

static int print_table(const struct analysis *a, const struct args *args)
{
	struct out_column columns[4 + 2 * MAX_NAMES];
	struct out_table t;
	size_t n = 0;
	int rc;

	if (args->by.n > 0)
		columns[n++] = (struct out_column){"scenario", OUT_LEFT};
	columns[n++] = (struct out_column){"policy", OUT_LEFT};
	for (size_t k = 0; k < args->objectives.n; k++) {
		columns[n++] = (struct out_column){args->objectives.name[k],
						   OUT_RIGHT};
		columns[n++] = (struct out_column){"+-", OUT_RIGHT};
	}
	columns[n++] = (struct out_column){"integrated", OUT_RIGHT};
	columns[n++] = (struct out_column){"+-", OUT_RIGHT};
	printf("Performance and volatility (+-) over %zu results each; "
	       "weights",
	       a->series[0].n);
	for (size_t k = 0; k < args->objectives.n; k++)
		printf("%s %s %.4g", k ? "," : "", args->objectives.name[k],
		       args->weights[k]);
	putchar('\n');
	out_table_init(&t, columns, n);
	each_row(a, args, table_row, &t);
	rc = out_table_print(&t, stdout);
	out_table_fini(&t);
	return rc;
}

static void csv_row(void *out, const struct args *args, const char *scenario,
		    const struct series *s)
{
	FILE *fp = out;

	out_csv_text(fp, scenario);
	putc(',', fp);
	out_csv_text(fp, s->policy);
	fprintf(fp, ",%zu", s->n);
	for (size_t k = 0; k <= args->objectives.n; k++) {
		const struct risk_point *p = k < args->objectives.n
						     ? &s->separate[k]
						     : &s->integrated;

		putc(',', fp);
		out_csv_number(fp, p->performance);
		putc(',', fp);
		out_csv_number(fp, p->volatility);
	}
	putc('\n', fp);
}

static int print_csv(const struct analysis *a, const struct args *args)
{
	printf("scenario,policy,results");
	for (size_t k = 0; k < args->objectives.n; k++)
		printf(",%s_performance,%s_volatility",
		       args->objectives.name[k], args->objectives.name[k]);
	printf(",integrated_performance,integrated_volatility\n");
	each_row(a, args, csv_row, stdout);
	return 0;
}

static void json_point(struct out_json *j, const char *key,
		       const struct risk_point *p)
{
	out_json_object(j, key);
	out_json_number(j, "performance", p->performance);
	out_json_number(j, "volatility", p->volatility);
	out_json_end(j);
}

static void json_row(void *out, const struct args *args, const char *scenario,
		     const struct series *s)
{
	struct out_json *j = out;

	out_json_object(j, NULL);
	out_json_text(j, "scenario", scenario);
	out_json_text(j, "policy", s->policy);
	out_json_count(j, "results", s->n);
	out_json_object(j, "separate");
	for (size_t k = 0; k < args->objectives.n; k++)
		json_point(j, args->objectives.name[k], &s->separate[k]);
	out_json_end(j);
	json_point(j, "integrated", &s->integrated);
	out_json_end(j);
}

static int print_json(const struct analysis *a, const struct args *args)
{
	struct out_json j;

	out_json_init(&j, stdout);
	out_json_object(&j, NULL);
	out_json_object(&j, "weights");
	for (size_t k = 0; k < args->objectives.n; k++)
		out_json_number(&j, args->objectives.name[k], args->weights[k]);
	out_json_end(&j);
	out_json_array(&j, "analysis");
	each_row(a, args, json_row, &j);
	out_json_end(&j);
	out_json_end(&j);
	putchar('\n');
	return 0;
}

static int print(const struct analysis *a, const struct args *args,
		 struct libra_error *err)
{
	int rc = args->format == FORMAT_JSON  ? print_json(a, args)
		 : args->format == FORMAT_CSV ? print_csv(a, args)
					      : print_table(a, args);

	if (rc < 0 || fflush(stdout) != 0 || ferror(stdout))
		return libra_errf(err, errno, "standard output: %s",
				  strerror(errno));
	return 0;
}

int cmd_risk(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "RESULTS...",
		.doc = "Analyze how well policies meet objectives, and how "
		       "surely: the mean of a scenario's results "
		       "(performance) and their standard deviation "
		       "(volatility), for each objective and weighted over "
		       "all.\v"
		       "RESULTS are CSV or JSON files that run or reproduce "
		       "wrote; those of run make one scenario.",
	};
	struct args args = {.format = FORMAT_TABLE};
	struct analysis a = {.n = 0};
	struct libra_error err = {""};
	int rc;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	rc = read_results(&a, &args, &err);
	if (rc == 0)
		rc = print(&a, &args, &err);
	analysis_fini(&a);
	free(args.objectives.copy);
	free(args.by.copy);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
