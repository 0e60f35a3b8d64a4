/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * risk_series.c - results into scenarios, and whether they can be compared.
 *
 * Rows of all files are added to the series of their scenario and policy.  When
 * all are read, series are sorted and counted, and a missing or extra result is
 * an error that names the scenario.
 */
#include "sim/study/risk_series.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/param.h"
#include "sim/base/memory.h"
#include "sim/base/suggest.h"
#include "sim/output/memory_file.h"
#include "sim/output/table_file.h"

/* ---- results, sorted into scenarios ---- */

void risk_analysis_fini(struct risk_analysis *a)
{
	for (size_t i = 0; i < a->n; i++) {
		free(a->series[i].scenario);
		free(a->series[i].outer);
		free(a->series[i].policy);
		for (size_t k = 0; k < RISK_MAX_NAMES; k++)
			free(a->series[i].value[k]);
	}
	free(a->series);
}

/* Return the column of an objective's short name. */
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

/* The value of an objective; the files of a report may have means. */
static const char *objective_text(const struct table_row *row,
				  const char *objective)
{
	const char *column = column_of(objective);
	const char *text = table_row_text(row, column);
	char mean[128];

	if (text)
		return text;
	snprintf(mean, sizeof(mean), "%s_mean", column);
	return table_row_text(row, mean);
}

/* Report an objective that a file lacks, with the nearest name. */
static int unknown_objective(const struct table_file *f,
			     const struct table_row *row, const char *objective,
			     struct libra_error *err)
{
	static const char *const usual[] = {"sla", "reliability", "profit"};
	const char *near = libra_nearest_name(objective, usual, 3);
	char suggestion[SIM_SUGGESTION_SIZE];

	if (!near || strcmp(near, objective) == 0)
		near = libra_nearest_name(column_of(objective),
					  (const char *const *)row->name,
					  row->n);
	return libra_errf(err, EINVAL, "%s: it has no objective '%s'%s",
			  f->path, objective,
			  sim_suggestion(suggestion, near, ""));
}

/* Read the value of an objective in a row. */
static int read_value(const struct table_file *f, const struct table_row *row,
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
				  "%s: row %zu (%s): %s must be a number, not "
				  "'%s'",
				  f->path, row->number,
				  table_row_text(row, "policy"), objective,
				  text);
	return 0;
}

/* The values of columns, joined by commas. */
static char *join(const struct table_file *f, const struct table_row *row,
		  const struct risk_names *by, size_t n,
		  struct libra_error *err)
{
	char *text = NULL;
	size_t size;
	FILE *mem = out_memory(&text, &size);
	bool missing = false;

	if (!mem) {
		sim_no_memory(err);
		return NULL;
	}
	for (size_t i = 0; i < n && !missing; i++) {
		const char *value = table_row_text(row, by->name[i]);

		missing = !value;
		if (missing)
			libra_errf(err, EINVAL, "%s: it has no column '%s'",
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

/* Result: the series of a result, perhaps a new one, or NULL. */
static struct risk_series *find_series(struct risk_analysis *a,
				       const struct table_file *f,
				       const struct table_row *row,
				       const struct risk_names *by,
				       struct libra_error *err)
{
	const char *policy = table_row_text(row, "policy");
	char *scenario = join(f, row, by, by->n, err);
	struct risk_series *s;

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
		sim_no_memory(err);
		free(scenario);
		return NULL;
	}
	a->series = s;
	s += a->n++;
	*s = (struct risk_series){.scenario = scenario};
	s->outer = join(f, row, by, by->n ? by->n - 1 : 0, err);
	s->policy = strdup(policy);
	return s->outer && s->policy ? s : NULL;
}

/* Add a row to the series of its scenario and policy. */
static int add_result(struct risk_analysis *a, const struct risk_request *q,
		      const struct table_file *f, const struct table_row *row,
		      struct libra_error *err)
{
	struct risk_series *s = find_series(a, f, row, &q->by, err);

	if (!s)
		return -1;
	for (size_t k = 0; k < q->objectives.n; k++) {
		double *value =
			realloc(s->value[k], (s->n + 1) * sizeof(*value));

		if (!value)
			return sim_no_memory(err);
		s->value[k] = value;
		if (read_value(f, row, q->objectives.name[k], &value[s->n],
			       err) < 0)
			return -1;
	}
	s->n++;
	return 0;
}

/* Every policy must have as many results in each scenario as the first policy
 * there.
 */
static int check_series(const struct risk_analysis *a, struct libra_error *err)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct risk_series *s = &a->series[i], *first = s;
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
				"cannot compare%s%s: %s has %zu results, %s "
				"has %zu: run all policies at the same points",
				s->scenario[0] ? " in " : "", s->scenario,
				s->policy, s->n,
				known ? first->policy : "another scenario",
				known ? first->n : (size_t)0);
		if (s->n < 2)
			return libra_errf(err, EINVAL,
					  "%s%s%s has one result, but a "
					  "scenario needs two or more: give "
					  "the files of several runs",
					  s->policy,
					  s->scenario[0] ? " in " : "",
					  s->scenario);
	}
	return 0;
}

/* Return how many policies the first scenario has. */
static size_t count_policies(const struct risk_analysis *a)
{
	size_t n = 0;

	while (n < a->n &&
	       strcmp(a->series[n].scenario, a->series[0].scenario) == 0)
		n++;
	return n;
}

/* Results of one scenario may be scattered: bring its series together, in the
 * order of the first scenario's policies.
 */
static int sort_series(struct risk_analysis *a, struct libra_error *err)
{
	struct risk_series *sorted = calloc(a->n, sizeof(*sorted));
	bool *taken = calloc(a->n, sizeof(*taken));
	size_t n = 0;

	if (!sorted || !taken) {
		free(sorted);
		free(taken);
		return sim_no_memory(err);
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
static int check_scenarios(const struct risk_analysis *a,
			   struct libra_error *err)
{
	size_t n = count_policies(a);

	for (size_t i = 0; i < a->n; i++) {
		const struct risk_series *s = &a->series[i];
		size_t same = 0;

		for (size_t k = 0; k < a->n; k++)
			same += strcmp(a->series[k].scenario, s->scenario) == 0;
		if (same != n)
			return libra_errf(
				err, EINVAL,
				"cannot compare: %s has %zu policies, "
				"%s has %zu",
				a->series[0].scenario, n, s->scenario, same);
	}
	return 0;
}

/* Check all series, and compute both analyses. */
static int analyze(struct risk_analysis *a, const struct risk_request *q,
		   struct libra_error *err)
{
	if (sort_series(a, err) < 0 || check_series(a, err) < 0 ||
	    check_scenarios(a, err) < 0)
		return -1;
	for (size_t i = 0; i < a->n; i++) {
		struct risk_series *s = &a->series[i];

		for (size_t k = 0; k < q->objectives.n; k++)
			if (risk_separate(s->value[k], s->n, &s->separate[k]) <
			    0)
				return libra_errf(
					err, errno,
					"%s: the results are too large",
					s->policy);
		s->integrated = risk_integrated(s->separate, q->weights,
						q->objectives.n);
	}
	return 0;
}

static const char *log_name(const struct table_row *row)
{
	const char *name = table_row_text(row, "trace");

	return name ? name : "no name";
}

/* Check that files have the same log: by its sha256, else by its name, if they
 * have either.
 */
static int check_trace(const struct table_file *first,
		       const struct table_file *f, struct libra_error *err)
{
	static const char *const ids[] = {"sha256", "trace"};

	for (size_t i = 0; i < 2; i++) {
		const char *a = table_row_text(&first->rows[0], ids[i]);
		const char *b = table_row_text(&f->rows[0], ids[i]);

		if (!a || !b || !*a || !*b)
			continue;
		if (strcmp(a, b) == 0)
			return 0;
		return libra_errf(err, EINVAL,
				  "cannot compare: %s has results of the log "
				  "%s, %s of %s",
				  first->path, log_name(&first->rows[0]),
				  f->path, log_name(&f->rows[0]));
	}
	return 0;
}

/* Scenarios are distinguished by the columns of the first file. */
static void choose_by(struct risk_request *q, const struct table_row *row)
{
	static const char *const usual[] = {"set", "scenario"};

	if (q->by_given)
		return;
	for (size_t i = 0; i < 2; i++)
		if (table_row_text(row, usual[i]))
			q->by.name[q->by.n++] = usual[i];
}

int risk_analysis_read(struct risk_analysis *a, struct risk_request *q,
		       struct libra_error *err)
{
	struct table_file first = {.nrows = 0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < q->npaths; i++) {
		struct table_file f;

		rc = table_file_read(&f, q->paths[i], "policy", err);
		if (rc < 0)
			break;
		if (i == 0)
			choose_by(q, &f.rows[0]);
		else
			rc = check_trace(&first, &f, err);
		for (size_t k = 0; rc == 0 && k < f.nrows; k++)
			rc = add_result(a, q, &f, &f.rows[k], err);
		if (i == 0)
			first = f;
		else
			table_file_fini(&f);
	}
	table_file_fini(&first);
	return rc == 0 ? analyze(a, q, err) : -1;
}

/* ---- means over the scenarios ---- */

struct risk_series risk_series_mean(const struct risk_analysis *a,
				    const struct risk_request *q,
				    const struct risk_series *like)
{
	struct risk_series mean = *like;
	size_t n = 0;

	memset(mean.separate, 0, sizeof(mean.separate));
	for (size_t i = 0; i < a->n; i++) {
		const struct risk_series *s = &a->series[i];

		if (strcmp(s->outer, like->outer) != 0 ||
		    strcmp(s->policy, like->policy) != 0)
			continue;
		n++;
		for (size_t k = 0; k < q->objectives.n; k++) {
			mean.separate[k].performance +=
				s->separate[k].performance;
			mean.separate[k].volatility +=
				s->separate[k].volatility;
		}
	}
	for (size_t k = 0; k < q->objectives.n; k++) {
		mean.separate[k].performance /= (double)n;
		mean.separate[k].volatility /= (double)n;
	}
	mean.integrated =
		risk_integrated(mean.separate, q->weights, q->objectives.n);
	return mean;
}

bool risk_series_has_mean(const struct risk_analysis *a, size_t index)
{
	const struct risk_series *s = &a->series[index];

	if (count_policies(a) == a->n)
		return false;
	for (size_t i = 0; i < index; i++)
		if (strcmp(a->series[i].outer, s->outer) == 0 &&
		    strcmp(a->series[i].policy, s->policy) == 0)
			return false;
	return true;
}
