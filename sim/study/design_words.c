/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * design_words.c - words to points: the way to one point, and choices of many.
 *
 * A word is read as a design, or as a factor with a bound on its levels.  A
 * choice is walked by recursion: each word sets a level and calls the rest of
 * the words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/design.h"

#define WORD	   128
#define MAX_LEVELS 32

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

/* Factors, and how they are chosen: factor, factor=a,b, factor>=v, factor<=v,
 * factor<v, step: before it.
 */
enum bound { ALL, NAMED, AT_LEAST, AT_MOST, BELOW };

/* A factor of a choice, with the names or the bound of its levels. */
struct choice {
	size_t factor;
	bool step;
	enum bound bound;
	double value;
	char names[WORD]; /* "a,b" */
};

static const struct {
	const char *sign;
	enum bound bound;
} bounds[] = {{"=", NAMED}, {">=", AT_LEAST}, {"<=", AT_MOST}, {"<", BELOW}};

/* Result: false if it is none. */
static bool read_bound(struct choice *c, const char *text)
{
	const char *rest = NULL;
	char *end;

	c->bound = ALL;
	for (size_t i = 0; i < DESIGN_COUNT(bounds) && *text && !rest; i++) {
		size_t n = strlen(bounds[i].sign);

		if (strncmp(text, bounds[i].sign, n) == 0) {
			rest = text + n;
			c->bound = bounds[i].bound;
		}
	}
	if (c->bound <= NAMED) {
		snprintf(c->names, sizeof(c->names), "%s", rest ? rest : "");
		return rest || !*text;
	}
	c->value = strtod(rest, &end);
	return end != rest && *end == '\0';
}

/* Read a word of a choice: a factor and which of its levels. */
static bool read_choice(const struct design_place *p, const char *word,
			struct choice *c)
{
	char name[WORD];
	size_t n;

	c->step = strncmp(word, "step:", 5) == 0;
	word += c->step ? 5 : 0;
	n = strcspn(word, "=<>");
	snprintf(name, sizeof(name), "%.*s", (int)n, word);
	c->factor = design_factor(p, name);
	if (c->factor == DESIGN_NONE) {
		design_wrong(p->results, "factor", name);
		return false;
	}
	if (!read_bound(c, word + n)) {
		design_wrong(p->results, "choice", word);
		return false;
	}
	return true;
}

/* Return true if a name stands for a level; "a*" for all that begin so. */
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

/* Return true if a level is within the bound of a choice. */
static bool is_chosen(const struct choice *c, const struct design_level *level)
{
	switch (c->bound) {
	case AT_LEAST:
		return level->value >= c->value;
	case AT_MOST:
		return level->value <= c->value;
	case BELOW:
		return level->value < c->value;
	default:
		return true;
	}
}

/* The levels of a choice, in the order of its words.
 * Result: how many; SIZE_MAX if one is unknown.
 */
static size_t chosen_levels(const struct design_place *p,
			    const struct choice *c, size_t level[MAX_LEVELS])
{
	const struct design_factor *factor = &p->design->factors[c->factor];
	const char *at = c->bound == NAMED ? c->names : NULL;
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

/* Set the level that a word names.  Result: false if there is not one. */
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

/* Set open factors to the levels that results->given names. */
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

/* Return true if a point exists.  Points of a trace that was not run do not. */
static bool is_there(const struct design_place *p)
{
	const struct design *d = p->design;
	const struct design_results *r = p->results;
	size_t trace = design_trace(p);

	return (trace == 0 || r->studies[trace].results) &&
	       (!d || !d->there || d->there(r->owner, p));
}

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
		return fill_given(&at) &&
		       (!is_there(&at) || walk->each(&at, walk->arg));
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
