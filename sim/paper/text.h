/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - texts and numbers of a study, looked up by name.
 *
 * A text contains words in double braces.  Each word is replaced by a result at
 * a place of a design:
 *
 *     {{%.1f fulfilled_pct[policy=edf] - fulfilled_pct}}  a number, as printf
 *     {{%.1f+- fulfilled_pct}}        mean and standard deviation
 *     {{policy}} {{policy.name}} {{@x}}  a level's title and name, a factor's
 *     {{if seeds > 1}}s{{else}}...{{end}}
 *     {{each CHOICE}}...{{end}}       the block at each point of a choice
 *     {{each CHOICE|, }}...{{end}}    the same, with ", " between the blocks
 *                                     that are not empty
 *     {{name}}                        the text of a struct paper_let
 *     {{word ...}}                    any other word: struct paper_text
 *
 * Expressions have the four operators, comparisons (1 or 0), abs(), ceil(),
 * max(,) and min(,).  Over the seeds there are sd(), se() (of the mean) and
 * greatest(); over points least(), most(), mean() and count(), which counts
 * values other than 0: least(load policy: mean_slowdown).  A name in an
 * expression is a column, a number of the study, a number of the place's
 * scenario, a parameter (with _ for -) or the expression of a struct paper_let.
 * With [words] after it, the name is read at another place (design_go()).
 *
 * An unknown name does not stop a text: design_wrong() notes the first one, and
 * the study fails when it writes its report.
 */
#ifndef SIM_PAPER_TEXT_H
#define SIM_PAPER_TEXT_H

#include <stdio.h>

#include "sim/study/design.h"

/* Numbers of a study that are no columns of its runs. */
#define PAPER_NUMBERS 64

struct paper_numbers {
	struct design_value of[PAPER_NUMBERS];
	size_t n;
};

/* A name for an expression, or for a text. */
struct paper_let {
	const char *name, *text;
};

struct paper_text {
	const struct paper_numbers *numbers; /* or NULL */
	const struct paper_let *lets;	     /* ends with NULL, or NULL */
	/* Numbers by their parameter's name, with _ for -. */
	const struct libra_param *params;
	size_t nparams;
	const double *values;
	/* Write the result of a word that is not in the list above; NULL: there
	 * are no other words.  rest is the text after the word; a word that
	 * begins a block also reads the block up to its {{end}}.
	 * Result: the first character after the word and its block, or NULL if
	 *         the word is unknown.
	 */
	const char *(*word)(FILE *fp, const struct design_place *p,
			    const char *word, const char *rest, void *arg);
	void *arg;
	bool html; /* escape names of levels */
};

/* Return the value of an expression at a place; NAN if there is no result or
 * the expression has an unknown name.  With an open seed it is a mean over the
 * seeds.
 */
double paper_value(const struct design_place *p, const struct paper_text *t,
		   const char *expression);

/* Return the standard deviation of an expression over the seeds; NAN if there
 * are fewer than two.
 */
double paper_spread(const struct design_place *p, const struct paper_text *t,
		    const char *expression);

/* Write a text at a place.  The caller checks fp for errors. */
void paper_print(FILE *fp, const struct design_place *p,
		 const struct paper_text *t, const char *text);

/* Write a text at a place into a buffer of size bytes; the rest is cut. */
void paper_format(char *buf, size_t size, const struct design_place *p,
		  const struct paper_text *t, const char *text);

/* Return the text of a struct paper_let, or NULL for an unknown name. */
const char *paper_find_let(const struct paper_text *t, const char *name);

/* Return the first character after the {{end}} of the block that begins at
 * text, or NULL without one; *end is the beginning of that {{end}}.
 */
const char *paper_block_end(const char *text, const char **end);

#endif
