/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * design.c - factors to cells, and points to values.
 *
 * A cell's index in its design counts its levels, with the last factor varying
 * fastest.  struct design_results owns the map from these indices to cells of
 * the studies, and the parameters that differ from the defaults.
 */
#include "sim/study/design.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

void design_no_memory(const struct design_results *r)
{
	if (r->wrong && !r->wrong->text[0])
		libra_no_memory(r->wrong, NULL);
}

void design_wrong(const struct design_results *r, const char *what,
		  const char *name)
{
	if (r->wrong && !r->wrong->text[0])
		libra_errf(r->wrong, EINVAL, "there is no %s '%s'", what, name);
}

/* ---- cells ---- */

bool design_param(struct design_cell *cell, const char *name, double value)
{
	int at = libra_param_find(cell->policy->params, cell->policy->nparams,
				  name, NULL);

	if (at >= 0)
		cell->params[at] = value;
	return at >= 0;
}

bool design_field(struct design_cell *cell, const char *name, double value)
{
	for (size_t i = 0; i < sim_scenario_nfields; i++)
		if (strcmp(sim_scenario_fields[i].name, name) == 0) {
			sim_scenario_set(&cell->scenario, i, value);
			return true;
		}
	return false;
}

/* Set the policy that a point's level names, with default parameters. */
static int set_policy(struct design_cell *cell, const struct design_place *p,
		      struct libra_error *err)
{
	cell->policy = NULL;
	for (size_t f = 0; f < p->design->nfactors; f++)
		if (p->design->factors[f].policies)
			cell->policy = libra_policy_find(
				design_level(p, f)->name, err);
	if (!cell->policy)
		return libra_errf(err, EINVAL, "%s: not a policy's design",
				  p->design->name);
	for (size_t i = 0; i < cell->policy->nparams; i++)
		cell->params[i] = cell->policy->params[i].value;
	return 0;
}

/* Set the cell of a point by its levels. */
static int set_cell(struct design_cell *cell, const struct design_place *p,
		    struct libra_error *err)
{
	if (set_policy(cell, p, err) < 0)
		return -1;
	for (size_t f = 0; f < p->design->nfactors; f++) {
		const struct design_factor *factor = &p->design->factors[f];
		const struct design_level *level = design_level(p, f);

		if (factor->field &&
		    !design_field(cell, factor->field, level->value))
			return libra_errf(err, EINVAL, "a scenario has no %s",
					  factor->field);
		if (level->param)
			design_param(cell, level->param, level->value);
		if (factor->set)
			factor->set(cell, level);
	}
	if (p->design->set)
		p->design->set(cell, p);
	return 0;
}

/* Result: the parameters of a cell, NULL for all defaults; or -1. */
static int keep_params(struct design_results *r, const struct design_cell *cell,
		       double **params)
{
	size_t n = cell->policy->nparams, i = 0;
	double **more;

	*params = NULL;
	while (i < n && cell->params[i] == cell->policy->params[i].value)
		i++;
	if (i == n)
		return 0;
	more = realloc(r->params, (r->nparams + 1) * sizeof(*more));
	if (!more)
		return -1;
	r->params = more;
	*params = malloc(n * sizeof(**params));
	if (!*params)
		return -1;
	memcpy(*params, cell->params, n * sizeof(**params));
	more[r->nparams++] = *params;
	return 0;
}

/* Return the index of a point in its design; DESIGN_NONE if a factor is open.
 */
static size_t cell_at(const struct design_place *p)
{
	size_t at = 0;

	for (size_t f = 0; f < p->design->nfactors; f++) {
		if (p->level[f] == DESIGN_NONE)
			return DESIGN_NONE;
		at = at * p->design->factors[f].n + p->level[f];
	}
	return at;
}

/* Add all cells of a design to the studies. */
static int add_design(struct design_results *r, size_t d,
		      const struct sim_scenario *base, struct libra_error *err)
{
	struct design_place p = design_nowhere(r);
	size_t n = 1;

	p.design = &r->designs[d];
	for (size_t f = 0; f < p.design->nfactors; f++)
		n *= p.design->factors[f].n;
	r->cell[d] = calloc(n, sizeof(*r->cell[d]));
	if (!r->cell[d])
		return sim_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct design_cell cell = {.scenario = *base};
		double *params;
		size_t rest = i;

		for (size_t f = p.design->nfactors; f-- > 0;) {
			p.level[f] = rest % p.design->factors[f].n;
			rest /= p.design->factors[f].n;
		}
		if (set_cell(&cell, &p, err) < 0)
			return -1;
		if (keep_params(r, &cell, &params) < 0)
			return sim_no_memory(err);
		r->cell[d][i] =
			study_add(&r->studies[design_trace(&p)], &cell.scenario,
				  cell.policy, params, err);
		if (r->cell[d][i] < 0)
			return -1;
	}
	return 0;
}

int design_add_cells(struct design_results *r, const struct sim_scenario *base,
		     struct libra_error *err)
{
	r->cell = calloc(r->ndesigns, sizeof(*r->cell));
	if (!r->cell)
		return sim_no_memory(err);
	for (size_t d = 0; d < r->ndesigns; d++)
		if (!r->designs[d].derived && add_design(r, d, base, err) < 0)
			return -1;
	return 0;
}

void design_fini(struct design_results *r)
{
	for (size_t d = 0; r->cell && d < r->ndesigns; d++)
		free(r->cell[d]);
	for (size_t i = 0; i < r->nparams; i++)
		free(r->params[i]);
	free(r->cell);
	free(r->params);
	r->cell = NULL;
	r->params = NULL;
	r->nparams = 0;
}

/* ---- levels and their names ---- */

struct design_place design_nowhere(const struct design_results *r)
{
	struct design_place p = {.results = r, .seed = DESIGN_NONE};

	for (size_t f = 0; f < DESIGN_MAX_FACTORS; f++)
		p.level[f] = p.before[f] = DESIGN_NONE;
	return p;
}

size_t design_factor(const struct design_place *p, const char *name)
{
	for (size_t f = 0; p->design && f < p->design->nfactors; f++)
		if (strcmp(p->design->factors[f].name, name) == 0)
			return f;
	return DESIGN_NONE;
}

size_t design_trace(const struct design_place *p)
{
	for (size_t f = 0; p->design && f < p->design->nfactors; f++)
		if (p->design->factors[f].traces && p->level[f] != DESIGN_NONE)
			return (size_t)design_level(p, f)->value;
	return 0;
}

const struct design_level *design_level(const struct design_place *p,
					size_t factor)
{
	if (p->level[factor] == DESIGN_NONE)
		return NULL;
	return &p->design->factors[factor].levels[p->level[factor]];
}

double design_number(const struct design_place *p, size_t factor)
{
	const struct design_level *level = design_level(p, factor);

	if (!level)
		return NAN;
	return p->design->factors[factor].number
		       ? p->design->factors[factor].number(p)
		       : level->value;
}

void design_name(const struct design_place *p, size_t factor, bool title,
		 char *text, size_t size)
{
	const struct design_level *level = design_level(p, factor);
	const char *name = level ? level->name : "";

	if (title && level && level->title)
		name = level->title;
	if (name)
		snprintf(text, size, "%s", name);
	else
		snprintf(text, size, "%g", design_number(p, factor));
}

/* ---- values ---- */

const struct sim_scenario *design_scenario(const struct design_place *p)
{
	const struct design_results *r = p->results;
	const struct study *study = &r->studies[design_trace(p)];
	size_t at = p->design ? cell_at(p) : DESIGN_NONE, cell;

	if (at == DESIGN_NONE || p->design->derived)
		return NULL;
	cell = (size_t)r->cell[p->design - r->designs][at];
	return &study->points[cell * study->nseeds].scenario;
}

/* Write the values of a column, one for each seed.  Result: how many. */
static size_t values_at(const struct design_place *p, const char *column,
			double *values)
{
	const struct design_results *r = p->results;
	const struct sim_result_column *c;
	size_t at = p->design ? cell_at(p) : DESIGN_NONE;
	const struct study *study;
	size_t n = 0;
	long cell;

	if (at == DESIGN_NONE)
		return 0;
	if (p->design->values)
		n = p->design->values(r->owner, p, column, values);
	if (n || p->design->derived)
		return n;
	c = study_column(column);
	study = &r->studies[design_trace(p)];
	if (!c || !study->results)
		return c ? (*values = NAN, 1) : 0;
	cell = r->cell[p->design - r->designs][at];
	for (size_t i = 0; i < study->nseeds; i++)
		values[i] = sim_result_value(
			study_result(study, (size_t)cell, i), c);
	return study->nseeds;
}

bool design_stat(const struct design_place *p, const char *column,
		 struct study_stat *stat)
{
	double *values = calloc(p->results->nseeds + 1, sizeof(*values));
	size_t n = values ? values_at(p, column, values) : 0;

	if (!values)
		design_no_memory(p->results);
	if (p->seed != DESIGN_NONE && n > 1)
		*stat = (struct study_stat){values[p->seed], NAN, 1};
	else
		*stat = study_stat_of(values, n);
	free(values);
	return n > 0;
}

size_t design_pick(const struct design_value *of, size_t n, const char *name,
		   double *value)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(of[i].name, name) == 0) {
			*value = of[i].value;
			return 1;
		}
	return 0;
}
