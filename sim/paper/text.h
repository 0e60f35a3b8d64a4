/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - texts and numbers of a study, looked up by name.
 *
 * A text has its results in double braces, read at a place of a design:
 *
 *     {{%.1f fulfilled_pct[policy=edf] - fulfilled_pct}}  a number, as printf
 *     {{%.1f+- fulfilled_pct}}        mean and standard deviation
 *     {{policy}} {{policy.name}} {{@x}}  a level's title and name, a factor's
 *     {{if seeds > 1}}s{{else}}...{{end}}
 *     {{each CHOICE}}...{{end}} {{each CHOICE|, }}...{{end}}  with commas
 *                                     between those that say something
 *     {{name}}                        a text that has a name
 *     {{word ...}}                    what the reader of the text makes of it
 *
 * Expressions have the four operators, comparisons, abs(), ceil(), max(,) and
 * min(,); over the seeds sd(), se() (of the mean) and greatest(); over points
 * least(), most(), mean() and count(): least(load policy: mean_slowdown).  A
 * name is a column, a number of the study, of the place's scenario or a
 * parameter (with _ for -), or it stands for an expression (struct paper_let);
 * [words] after it go to another place first.
 */
#ifndef SIM_PAPER_TEXT_H
#define SIM_PAPER_TEXT_H

#include <stdio.h>

#include "sim/study/design.h"

/* Numbers that a study has beside its columns. */
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
	/* Words of the reader; a block's text goes to its {{end}}.
	 * Result: behind what was read, or NULL: unknown.
	 */
	const char *(*word)(FILE *fp, const struct design_place *p,
			    const char *word, const char *rest, void *arg);
	void *arg;
	bool html; /* escape names of levels */
};

/* Result: NAN where the results have nothing. */
double paper_value(const struct design_place *p, const struct paper_text *t,
		   const char *expression);

/* The standard deviation over the seeds; NAN if there are less than two. */
double paper_spread(const struct design_place *p, const struct paper_text *t,
		    const char *expression);

void paper_print(FILE *fp, const struct design_place *p,
		 const struct paper_text *t, const char *text);

/* The same, into a buffer; what does not fit is cut. */
void paper_format(char *buf, size_t size, const struct design_place *p,
		  const struct paper_text *t, const char *text);

/* The text that has a name; NULL = none. */
const char *paper_find_let(const struct paper_text *t, const char *name);

/* Behind the {{end}} of a block that begins at text. */
const char *paper_block_end(const char *text, const char **end);

#endif
