/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.c - the words of a page's template. */
#include "sim/paper/page.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 24

struct page {
	FILE *fp;
	const struct sim_paper_study *s;
	struct paper_text t;
};

static void write_synthetic(FILE *fp, const struct sim_paper_study *s)
{
	if (s->source.synthetic)
		report_notice(fp, "Synthetic workload.",
			      "The paper's log was not found on this machine. "
			      "All numbers on this page come from a generated "
			      "workload that resembles it; they are no "
			      "reproduction. Fetch the log and run again, or "
			      "name it with --trace.");
}

/* Write the claims of some ids; without ids all. */
static void write_claims(FILE *fp, const struct sim_paper_study *s,
			 const char *ids)
{
	const char *id[MAX_WORDS + 1];
	char *copy = strdup(ids), *rest = copy, *word;
	size_t n = 0;

	if (!copy)
		design_no_memory(&s->designs);
	while (copy && n < MAX_WORDS && (word = strsep(&rest, " ")))
		if (*word)
			id[n++] = word;
	id[n] = NULL;
	if (n > 0)
		report_excerpt(fp, s->claims.claims, s->results, s->claims.n,
			       id);
	else
		report_claims(fp, s->claims.claims, s->results, s->claims.n);
	free(copy);
}

/* "2" or, in rows of two panels, "2 2". */
static void write_figure(FILE *fp, const struct sim_paper_study *s,
			 const char *words)
{
	const struct paper_pictures *all = &s->pictures;
	size_t n = strcspn(words, " "), per_row = 0, done = 0;

	if (!all->any)
		return;
	if (words[n])
		per_row = strtoul(words + n, NULL, 10);
	report_figures_begin(fp);
	for (size_t i = 0; i < all->n; i++) {
		if (strncmp(all->of[i].figure, words, n) != 0 ||
		    all->of[i].figure[n])
			continue;
		if (per_row && done && done % per_row == 0) {
			report_figures_end(fp);
			report_figures_begin(fp);
		}
		report_figure(fp, all->of[i].caption, all->of[i].svg);
		done++;
	}
	report_figures_end(fp);
}

/* Find how the figures draw the levels of a factor. */
static enum plot_kind legend_kind(const struct sim_paper *paper,
				  const char *factor)
{
	enum plot_kind kind = PLOT_POINTS;

	for (size_t i = 0; i < paper->nplots; i++) {
		const struct paper_plot *plot = &paper->plots[i];

		if (strcmp(plot->style, factor) != 0)
			continue;
		if (plot->mark)
			return 0; /* of something else */
		if (plot->kind == PLOT_LINES)
			kind = PLOT_LINES;
	}
	return kind;
}

/* "policy load": all levels of the factor in that design. */
static void write_legend(FILE *fp, const struct design_place *p,
			 const struct sim_paper_study *s, const char *words)
{
	struct design_place at = *p;
	const char *names[MAX_WORDS];
	int styles[MAX_WORDS];
	const char *design = words + strcspn(words, " ");
	char name[64];
	size_t f, n = 0;

	if (!s->pictures.any) {
		report_notice(fp, "No figures.", s->pictures.why);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(design - words), words);
	if (!design_go(&at, design) ||
	    (f = design_factor(&at, name)) == DESIGN_NONE)
		return;
	for (; n < at.design->factors[f].n && n < MAX_WORDS; n++) {
		names[n] = at.design->factors[f].levels[n].title;
		styles[n] = (int)at.design->factors[f].levels[n].value;
	}
	report_legend(fp, names, styles, n, legend_kind(s->paper, name));
}

/* ---- tiles ---- */

struct tiles {
	const struct page *page;
	char *part[5]; /* choice, value, text, other, text */
};

/* Write the tile of one point, a policy. */
static bool write_tile(const struct design_place *p, void *arg)
{
	const struct tiles *tiles = arg;
	const struct paper_text *t = &tiles->page->t;
	size_t f = design_factor(p, "policy");
	char name[64];

	design_name(p, f, true, name, sizeof(name));
	report_tile(tiles->page->fp, plot_colour((int)design_number(p, f)),
		    name, paper_value(p, t, tiles->part[1]), tiles->part[2],
		    paper_value(p, t, tiles->part[3]), tiles->part[4]);
	return true;
}

/* Write a tile for each point of a choice. */
static void write_tiles(const struct page *page, const struct design_place *p,
			const char *words)
{
	struct tiles tiles = {page, {NULL}};
	char *copy = strdup(words), *rest = copy;
	size_t n = 0;

	if (!copy)
		design_no_memory(p->results);
	while (n < 5 && rest)
		tiles.part[n++] = strsep(&rest, "|");
	report_tiles_begin(page->fp);
	if (n == 5)
		design_each(p, tiles.part[0], write_tile, &tiles);
	report_tiles_end(page->fp);
	free(copy);
}

/* ---- blocks ---- */

static void write_block(const struct page *page, const struct design_place *p,
			const char *text)
{
	struct paper_block b;
	struct paper_text plain = page->t;

	plain.html = false; /* the table's writer escapes */
	paper_block_read(&b, p, &plain, text);
	if (b.table.ncolumns > 0)
		report_table(page->fp, b.title, &b.table, !b.fold);
	paper_block_fini(&b);
}

/* Result: behind the block's end. */
static const char *read_block(const struct page *page,
			      const struct design_place *p, const char *rest)
{
	const char *end, *behind = paper_block_end(rest, &end);
	char *body = behind ? strndup(rest, (size_t)(end - rest)) : NULL;

	if (behind && !body)
		design_no_memory(p->results);
	if (!body)
		return NULL;
	write_block(page, p, body);
	free(body);
	return behind;
}

/* Write a table by its name.  Result: false if there is none. */
static bool write_table(const struct page *page, const char *name)
{
	const struct paper_table *const *t = page->s->paper->page.tables;

	for (; t && *t; t++)
		if (strcmp((*t)->name, name) == 0) {
			if (!paper_table_page(page->fp, *t, page->s))
				design_no_memory(&page->s->designs);
			return true;
		}
	return false;
}

static bool starts(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

/* Write a word of a template: see page.h. */
static const char *write_word(FILE *fp, const struct design_place *p,
			      const char *word, const char *rest, void *arg)
{
	struct page *page = arg;
	const struct sim_paper_study *s = page->s;

	if (strcmp(word, "table") == 0)
		return read_block(page, p, rest);
	if (strcmp(word, "synthetic") == 0) {
		write_synthetic(fp, s);
	} else if (strcmp(word, "table options") == 0) {
		if (!paper_table_page(fp, &sim_paper_options, s))
			design_no_memory(&s->designs);
	} else if (strcmp(word, "score") == 0) {
		report_score(fp, s->results, s->claims.n);
	} else if (starts(word, "claims")) {
		write_claims(fp, s, word + strlen("claims"));
	} else if (starts(word, "figure ")) {
		write_figure(fp, s, word + strlen("figure "));
	} else if (starts(word, "legend ")) {
		write_legend(fp, p, s, word + strlen("legend "));
	} else if (starts(word, "tiles ")) {
		write_tiles(page, p, word + strlen("tiles "));
	} else if (strcmp(word, "provenance") == 0) {
		struct report_source source = sim_paper_source(s);

		report_provenance(fp, &source);
	} else if (!starts(word, "table ") ||
		   !write_table(page, word + strlen("table "))) {
		return s->paper->page.word &&
				       s->paper->page.word(fp, p, word, s)
			       ? rest
			       : NULL;
	}
	return rest;
}

void sim_paper_write_page(FILE *fp, const struct sim_paper_study *s)
{
	struct report_source source = sim_paper_source(s);
	struct design_place nowhere = design_nowhere(&s->designs);
	struct page page = {.fp = fp, .s = s, .t = s->text};

	page.t.word = write_word;
	page.t.arg = &page;
	page.t.html = true;
	report_begin(fp, &source, s->paper->page.headline);
	paper_print(fp, &nowhere, &page.t, s->paper->page.text);
	report_end(fp, &source);
}
