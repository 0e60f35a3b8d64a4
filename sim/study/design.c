/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * design.c - factors to cells, words to points, points to values.
 */
#include "sim/study/design.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD	   128
#define MAX_LEVELS 32

void design_wrong(const struct design_results *r, const char *what,
		  const char *name)
{
	if (r->wrong && !r->wrong->text[0])
		libra_errf(r->wrong, EINVAL, "there is no %s '%s'", what, name);
}

/* ---- cells ---- */

void design_param(struct design_cell *cell, const char *name, double value)
{
	int at = libra_param_find(cell->policy->params, cell->policy->nparams,
				  name, NULL);

	if (at >= 0)
		cell->params[at] = value;
}

static int set_field(struct sim_scenario *sc, const char *name, double value,
		     struct libra_error *err)
{
	for (size_t i = 0; i < sim_scenario_nfields; i++)
		if (strcmp(sim_scenario_fields[i].name, name) == 0) {
			*(double *)((char *)sc +
				    sim_scenario_fields[i].offset) = value;
			return 0;
		}
	return libra_errf(err, EINVAL, "a scenario has no %s", name);
}

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

static int set_cell(struct design_cell *cell, const struct design_place *p,
		    struct libra_error *err)
{
	if (set_policy(cell, p, err) < 0)
		return -1;
	for (size_t f = 0; f < p->design->nfactors; f++) {
		const struct design_factor *factor = &p->design->factors[f];
		const struct design_level *level = design_level(p, f);

		if (factor->field && set_field(&cell->scenario, factor->field,
					       level->value, err) < 0)
			return -1;
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
		return libra_errf(err, ENOMEM, "out of memory");
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
			return libra_errf(err, ENOMEM, "out of memory");
		r->cell[d][i] =
			study_add(&r->studies[p.design->trace], &cell.scenario,
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
		return libra_errf(err, ENOMEM, "out of memory");
	for (size_t d = 0; d < r->ndesigns; d++)
		if (!r->designs[d].values && add_design(r, d, base, err) < 0)
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

/* ---- words ---- */

/* The next word, to a separator or the end of all.  Result: behind it. */
static const char *next_word(const char *at, const char *separators, char *word)
{
	size_t n;

	at += strspn(at, " ");
	n = strcspn(at, separators);
	snprintf(word, WORD, "%.*s", (int)n, at);
	at += n;
	return at + (*at && strchr(separators, *at) ? 1 : 0);
}

/* Factors, and how they are chosen: factor, factor=a,b, factor>=v, factor<v,
 * step: before it.
 */
struct choice {
	size_t factor;
	bool step;
	char levels[WORD]; /* "=a,b", ">=v", "" */
};

static bool read_choice(const struct design_place *p, const char *word,
			struct choice *c)
{
	char name[WORD];
	size_t n;

	c->step = strncmp(word, "step:", 5) == 0;
	word += c->step ? 5 : 0;
	n = strcspn(word, "=<>");
	snprintf(name, sizeof(name), "%.*s", (int)n, word);
	snprintf(c->levels, sizeof(c->levels), "%s", word + n);
	c->factor = design_factor(p, name);
	if (c->factor == DESIGN_NONE)
		design_wrong(p->results, "factor", name);
	return c->factor != DESIGN_NONE;
}

static bool names_level(const struct design_level *level, const char *name)
{
	size_t n = strlen(name);
	char *end;
	double value;

	if (level->name && n > 0 && name[n - 1] == '*')
		return strncmp(level->name, name, n - 1) == 0;
	if (level->name)
		return strcmp(level->name, name) == 0;
	value = strtod(name, &end);
	return end != name && *end == '\0' && value == level->value;
}

static bool is_chosen(const struct choice *c, const struct design_level *level)
{
	if (strncmp(c->levels, ">=", 2) == 0)
		return level->value >= strtod(c->levels + 2, NULL);
	if (c->levels[0] == '<')
		return level->value < strtod(c->levels + 1, NULL);
	return true;
}

/* The levels of a choice, in the order of its words.
 * Result: how many; SIZE_MAX if one is unknown.
 */
static size_t chosen_levels(const struct design_place *p,
			    const struct choice *c, size_t level[MAX_LEVELS])
{
	const struct design_factor *factor = &p->design->factors[c->factor];
	const char *at = c->levels[0] == '=' ? c->levels + 1 : NULL;
	size_t n = 0, l, found;
	char name[WORD];

	for (l = 0; !at && l < factor->n && n < MAX_LEVELS; l++)
		if (is_chosen(c, &factor->levels[l]))
			level[n++] = l;
	while (at && *at && n < MAX_LEVELS) {
		at = next_word(at, ",", name);
		found = n;
		for (l = 0; l < factor->n && n < MAX_LEVELS; l++)
			if (names_level(&factor->levels[l], name))
				level[n++] = l;
		if (n == found) {
			design_wrong(p->results, "level", name);
			return SIZE_MAX;
		}
	}
	return n;
}

static const struct design *find_design(const struct design_results *r,
					const char *name)
{
	for (size_t d = 0; d < r->ndesigns; d++)
		if (strcmp(r->designs[d].name, name) == 0)
			return &r->designs[d];
	return NULL;
}

/* Levels of factors that both designs have stay, and a factor that has one
 * level is at it.
 */
static void enter(struct design_place *p, const struct design *design)
{
	struct design_place from = *p;

	p->design = design;
	for (size_t f = 0; f < DESIGN_MAX_FACTORS; f++) {
		size_t g =
			f < design->nfactors
				? design_factor(&from, design->factors[f].name)
				: DESIGN_NONE;
		bool same =
			g != DESIGN_NONE && from.design->factors[g].levels ==
						    design->factors[f].levels;

		p->level[f] = same ? from.level[g] : DESIGN_NONE;
		p->before[f] = same ? from.before[g] : DESIGN_NONE;
		if (!same && f < design->nfactors && design->factors[f].n == 1)
			p->level[f] = 0;
	}
}

static bool go_to_level(struct design_place *p, const char *word)
{
	struct choice c;
	size_t n = strlen(word), level[MAX_LEVELS];
	char name[WORD];

	if (n > 1 && word[n - 1] == '-' && !strchr(word, '=')) {
		snprintf(name, sizeof(name), "%.*s", (int)n - 1, word);
		c.factor = design_factor(p, name);
		if (c.factor == DESIGN_NONE) {
			design_wrong(p->results, "factor", name);
			return false;
		}
		p->level[c.factor] = p->before[c.factor];
		return true;
	}
	if (!read_choice(p, word, &c))
		return false;
	n = chosen_levels(p, &c, level);
	if (n != 1) {
		design_wrong(p->results, "one level", word);
		return false;
	}
	p->level[c.factor] = level[0];
	return true;
}

/* What no word has chosen is as given. */
static bool fill_given(struct design_place *p)
{
	const char *at = p->results->given;
	char word[WORD], name[WORD];

	while (at && *at) {
		size_t f;

		at = next_word(at, " ", word);
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="),
			 word);
		f = design_factor(p, name);
		if (f != DESIGN_NONE && p->level[f] == DESIGN_NONE &&
		    !go_to_level(p, word))
			return false;
	}
	return true;
}

bool design_go(struct design_place *p, const char *words)
{
	char word[WORD];

	while (*words) {
		const struct design *design;

		words = next_word(words, " ", word);
		design = find_design(p->results, word);
		if (design)
			enter(p, design);
		else if (word[0] && !go_to_level(p, word))
			return false;
	}
	return fill_given(p);
}

/* ---- choices ---- */

struct walk {
	design_each_f *each;
	void *arg;
};

/* Vary the factors that the rest of the words name. */
static bool vary(const struct design_place *p, const char *words,
		 const struct walk *walk)
{
	struct design_place at = *p;
	size_t level[MAX_LEVELS], n;
	struct choice c;
	char word[WORD];

	words = next_word(words, " ", word);
	if (!word[0])
		return fill_given(&at) && walk->each(&at, walk->arg);
	if (!read_choice(p, word, &c))
		return false;
	n = chosen_levels(p, &c, level);
	for (size_t i = c.step ? 1 : 0; n != SIZE_MAX && i < n; i++) {
		at.level[c.factor] = level[i];
		at.before[c.factor] = i ? level[i - 1] : DESIGN_NONE;
		if (!vary(&at, words, walk))
			return false;
	}
	return n != SIZE_MAX;
}

/* What other traces are for may not have been run: no points then. */
static bool is_there(const struct design_results *r, const struct design *d)
{
	return d->trace == 0 || r->studies[d->trace].results;
}

/* One choice, without ";". */
static bool each_of(const struct design_place *from, const char *over,
		    const struct walk *walk)
{
	char word[WORD], name[WORD];
	const char *rest = next_word(over, " ", word), *at = word;
	const struct design *design;

	next_word(word, ",", name);
	if (!find_design(from->results, name))
		return vary(from, over, walk);
	while (*at) {
		struct design_place p = *from;

		at = next_word(at, ",", name);
		design = find_design(from->results, name);
		if (!design) {
			design_wrong(from->results, "design", name);
			return false;
		}
		if (!is_there(from->results, design))
			continue;
		enter(&p, design);
		if (!vary(&p, rest, walk))
			return false;
	}
	return true;
}

bool design_each(const struct design_place *from, const char *over,
		 design_each_f *each, void *arg)
{
	struct walk walk = {each, arg};
	char one[2 * WORD];

	do {
		size_t n = strcspn(over, ";");

		snprintf(one, sizeof(one), "%.*s", (int)n, over);
		if (!each_of(from, one, &walk))
			return false;
		over += n + (over[n] == ';' ? 1 : 0);
	} while (*over);
	return true;
}

/* ---- values ---- */

const struct sim_scenario *design_scenario(const struct design_place *p)
{
	const struct design_results *r = p->results;
	size_t d = (size_t)(p->design - r->designs), at = cell_at(p);
	const struct study *study = &r->studies[p->design->trace];

	return &study->points[(size_t)r->cell[d][at] * study->nseeds].scenario;
}

static size_t values_at(const struct design_place *p, const char *column,
			double *values)
{
	const struct design_results *r = p->results;
	const struct sim_result_column *c;
	size_t at = p->design ? cell_at(p) : DESIGN_NONE;
	const struct study *study;
	long cell;

	if (at == DESIGN_NONE)
		return 0;
	if (p->design->values)
		return p->design->values(r->owner, p, column, values);
	c = study_column(column);
	study = &r->studies[p->design->trace];
	if (!c || !study->results)
		return c ? (*values = NAN, 1) : 0;
	cell = r->cell[p->design - r->designs][at];
	for (size_t i = 0; i < study->nseeds; i++)
		values[i] =
			study_value(study_result(study, (size_t)cell, i), c);
	return study->nseeds;
}

bool design_stat(const struct design_place *p, const char *column,
		 struct study_stat *stat)
{
	double *values = calloc(p->results->nseeds + 1, sizeof(*values));
	size_t n = values ? values_at(p, column, values) : 0;

	if (p->seed != DESIGN_NONE && n > 1)
		*stat = (struct study_stat){values[p->seed], NAN, 1};
	else
		*stat = study_stat_of(values,
				      p->first && p->first < n ? p->first : n);
	free(values);
	return n > 0;
}
