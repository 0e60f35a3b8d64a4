/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression.c - a recursive descent over the text of an expression, which is
 * read anew at each place: they are short, and few.
 */
#include "sim/paper/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORD 256

/* An expression while it is read, and its place. */
struct reader {
	const struct design_place *p;
	const struct paper_text *t;
	const char *at;
};

static double read_comparison(struct reader *r);

static bool take(struct reader *r, const char *what)
{
	size_t n = strlen(what);

	r->at += strspn(r->at, " ");
	if (strncmp(r->at, what, n) != 0)
		return false;
	r->at += n;
	return true;
}

static void expect(struct reader *r, const char *what)
{
	if (!take(r, what))
		design_wrong(r->p->results, "end of an expression at", r->at);
}

/* Text up to a closing one, which is passed over. */
static void read_up_to(struct reader *r, const char *close, char *text)
{
	const char *end = strstr(r->at, close);
	size_t n = end ? (size_t)(end - r->at) : strlen(r->at);

	snprintf(text, WORD, "%.*s", (int)n, r->at);
	r->at += n + (end ? strlen(close) : 0);
}

/* ---- names ---- */

/* Is it this parameter?  A "-" would be read as a difference. */
static bool is_same(const char *param, const char *name)
{
	while (*param && (*param == *name || (*param == '-' && *name == '_'))) {
		param++;
		name++;
	}
	return *param == *name;
}

/* Find a number of the study or a parameter by its name. */
static bool find_number(const struct reader *r, const char *name, double *value)
{
	const struct paper_numbers *numbers = r->t->numbers;

	if (numbers && design_pick(numbers->of, numbers->n, name, value))
		return true;
	for (size_t i = 0; i < r->t->nparams; i++)
		if (is_same(r->t->params[i].name, name)) {
			*value = r->t->values[i];
			return true;
		}
	return false;
}

const char *paper_find_let(const struct paper_text *t, const char *name)
{
	const struct paper_let *let = t->lets;

	while (let && let->name && strcmp(let->name, name) != 0)
		let++;
	return let ? let->text : NULL;
}

/* A number of the scenario at a place. */
static bool find_field(const struct design_place *p, const char *name,
		       double *value)
{
	const struct sim_scenario *sc = design_scenario(p);

	for (size_t i = 0; sc && i < sim_scenario_nfields; i++)
		if (is_same(sim_scenario_fields[i].name, name)) {
			*value = sim_scenario_value(sc, i);
			return true;
		}
	return false;
}

/* Read what a name stands for, at its place. */
static double read_name(struct reader *r, const char *name)
{
	struct design_place p = *r->p;
	struct study_stat stat;
	const char *let;
	double number;
	char words[WORD];
	size_t f;

	if (take(r, "[")) {
		read_up_to(r, "]", words);
		if (!design_go(&p, words))
			return NAN;
	}
	f = design_factor(&p, name);
	if (f != DESIGN_NONE)
		return design_number(&p, f);
	if (strcmp(name, "seeds") == 0)
		return (double)p.results->nseeds;
	let = paper_find_let(r->t, name);
	if (let)
		return paper_value(&p, r->t, let);
	if (find_number(r, name, &number))
		return number;
	if (!design_stat(&p, name, &stat) && !find_field(&p, name, &stat.mean))
		design_wrong(p.results, "value", name);
	return stat.mean;
}

/* ---- over seeds ---- */

/* Values of an expression, seed by seed; NULL if there is no memory. */
static double *read_seeds(struct reader *r)
{
	struct design_place p = *r->p;
	const char *from = r->at;
	size_t n = p.results->nseeds;
	double *values = calloc(n, sizeof(*values));

	for (p.seed = 0; values && p.seed < n; p.seed++) {
		struct reader one = {&p, r->t, from};

		values[p.seed] = read_comparison(&one);
		r->at = one.at;
	}
	return values;
}

/* sd: the standard deviation; se: that of the mean; greatest. */
static double of_seeds(struct reader *r, const char *what)
{
	size_t n = r->p->results->nseeds;
	double *values = read_seeds(r), sum = 0, squares = 0, spread;
	double most = -INFINITY;

	if (!values) {
		design_no_memory(r->p->results);
		return NAN;
	}
	for (size_t i = 0; i < n; i++) {
		sum += values[i];
		squares += values[i] * values[i];
		most = fmax(most, values[i]);
	}
	if (strcmp(what, "greatest") == 0)
		spread = most;
	else if (strcmp(what, "sd") == 0)
		spread = study_stat_of(values, n).sd;
	else if (n < 2)
		spread = 0;
	else
		spread = sqrt(fmax(0, squares - sum * sum / (double)n) /
			      ((double)(n - 1) * (double)n));
	free(values);
	return spread;
}

double paper_spread(const struct design_place *p, const struct paper_text *t,
		    const char *expression)
{
	struct reader r = {p, t, expression};

	return of_seeds(&r, "sd");
}

/* ---- over points ---- */

/* The values of an expression at many points. */
struct points {
	struct reader *r;
	const char *from;
	double least, most, sum;
	size_t n, nonzero;
};

/* Read the expression at one point into the sums. */
static bool add_point(const struct design_place *p, void *arg)
{
	struct points *all = arg;
	struct reader one = {p, all->r->t, all->from};
	double value = read_comparison(&one);

	all->r->at = one.at;
	all->least = fmin(all->least, value);
	all->most = fmax(all->most, value);
	all->sum += value;
	all->nonzero += value != 0;
	all->n++;
	return true;
}

/* Read a function over points. */
static double read_points(struct reader *r, const char *function)
{
	struct points all = {.r = r, .least = INFINITY, .most = -INFINITY};
	char over[WORD];

	read_up_to(r, ": ", over);
	all.from = r->at;
	if (!design_each(r->p, over, add_point, &all))
		return NAN;
	if (strcmp(function, "least") == 0)
		return all.least;
	if (strcmp(function, "most") == 0)
		return all.most;
	if (strcmp(function, "count") == 0)
		return (double)all.nonzero;
	return all.sum / (double)all.n;
}

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

/* Read the arguments of a function and its closing parenthesis. */
static double read_function(struct reader *r, const char *name)
{
	static const char *const over_points[] = {"least", "most", "mean",
						  "count", NULL};
	static const char *const over_seeds[] = {"sd", "se", "greatest", NULL};
	double a, b;

	if (is_one_of(name, over_points)) {
		a = read_points(r, name);
	} else if (is_one_of(name, over_seeds)) {
		a = of_seeds(r, name);
	} else {
		a = read_comparison(r);
		if (strcmp(name, "abs") == 0) {
			a = fabs(a);
		} else if (strcmp(name, "ceil") == 0) {
			a = ceil(a);
		} else {
			expect(r, ",");
			b = read_comparison(r);
			a = strcmp(name, "max") == 0 ? fmax(a, b) : fmin(a, b);
		}
	}
	expect(r, ")");
	return a;
}

/* ---- the grammar ---- */

/* Read a number, a name, a function or an expression in parentheses. */
static double read_term(struct reader *r)
{
	char name[WORD];
	size_t n = 0;
	double value;
	char *end;

	if (take(r, "-"))
		return -read_term(r);
	if (take(r, "(")) {
		value = read_comparison(r);
		expect(r, ")");
		return value;
	}
	if (isdigit((unsigned char)*r->at) || *r->at == '.') {
		value = strtod(r->at, &end);
		r->at = end;
		return value;
	}
	while (isalnum((unsigned char)r->at[n]) ||
	       (r->at[n] && strchr("_.", r->at[n])))
		n++;
	snprintf(name, sizeof(name), "%.*s", (int)n, r->at);
	if (n == 0)
		design_wrong(r->p->results, "number at", r->at);
	r->at += n;
	return take(r, "(") ? read_function(r, name) : read_name(r, name);
}

/* Read terms with * and /. */
static double read_product(struct reader *r)
{
	double value = read_term(r);

	for (;;)
		if (take(r, "*"))
			value *= read_term(r);
		else if (take(r, "/"))
			value /= read_term(r);
		else
			return value;
}

/* Read products with + and -. */
static double read_sum(struct reader *r)
{
	double value = read_product(r);

	for (;;)
		if (take(r, "+"))
			value += read_product(r);
		else if (take(r, "-"))
			value -= read_product(r);
		else
			return value;
}

/* Read one or two sums, with a comparison between. */
static double read_comparison(struct reader *r)
{
	double value = read_sum(r);

	if (take(r, ">="))
		return value >= read_sum(r);
	if (take(r, "<="))
		return value <= read_sum(r);
	if (take(r, ">"))
		return value > read_sum(r);
	if (take(r, "<"))
		return value < read_sum(r);
	if (take(r, "="))
		return value == read_sum(r);
	return value;
}

double paper_value(const struct design_place *p, const struct paper_text *t,
		   const char *expression)
{
	struct reader r = {p, t, expression};
	double value = read_comparison(&r);

	r.at += strspn(r.at, " ");
	if (*r.at)
		design_wrong(p->results, "end of an expression at", r.at);
	return value;
}
