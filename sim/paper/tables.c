/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - the writers of tables. */
#include "sim/paper/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/report.h"

#define WORD 160

/* ---- rows of designs ---- */

/* One row goes to fp or j. */
struct writer {
	FILE *fp;
	struct out_json *j;
	const struct paper_text *t;
	const char *columns;
	bool first;
};

static void separate(struct writer *w)
{
	if (!w->first)
		putc(',', w->fp);
	w->first = false;
}

static void put_number(struct writer *w, const char *name, double value)
{
	if (w->j) {
		out_json_number(w->j, name, value);
		return;
	}
	separate(w);
	out_csv_number(w->fp, value);
}

static void put_text(struct writer *w, const char *name, const char *text)
{
	if (w->j) {
		out_json_text(w->j, name, text);
		return;
	}
	separate(w);
	out_csv_text(w->fp, text);
}

/* Write mean, deviation and all values of a column. */
static void put_values(struct writer *w, const struct design_place *p,
		       const char *column, const struct study_stat *stat)
{
	struct design_place at = *p;

	out_json_object(w->j, column);
	out_json_number(w->j, "mean", stat->mean);
	out_json_number(w->j, "sd", stat->sd);
	out_json_array(w->j, "values");
	for (at.seed = 0; at.seed < p->results->nseeds; at.seed++) {
		struct study_stat one = {0};

		design_stat(&at, column, &one);
		out_json_number(w->j, NULL, one.mean);
	}
	out_json_end(w->j);
	out_json_end(w->j);
}

/* "*", "*+sd", "*+values" */
static void put_all(struct writer *w, const struct design_place *p,
		    const char *word)
{
	for (size_t c = 0; c < sim_result_ncolumns; c++) {
		const char *name = sim_result_columns[c].name;
		struct study_stat stat = {0};

		design_stat(p, name, &stat);
		if (strcmp(word, "*+values") == 0) {
			put_values(w, p, name, &stat);
			continue;
		}
		put_number(w, name, stat.mean);
		if (strcmp(word, "*+sd") == 0)
			put_number(w, name, stat.sd);
	}
}

/* "factor", "factor.title", "factor.param", "factor.value", called key. */
static bool put_factor(struct writer *w, const struct design_place *p,
		       const char *key, const char *word)
{
	char name[WORD], text[WORD];
	const char *part;
	size_t f;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "."), word);
	part = word + strlen(name);
	f = design_factor(p, name);
	if (f == DESIGN_NONE)
		return false;
	if (!design_level(p, f)) {
		design_wrong(p->results, "level of", name);
	} else if (strcmp(part, ".param") == 0) {
		put_text(w, key, design_level(p, f)->param);
	} else if (strcmp(part, ".value") == 0 ||
		   (w->j && !design_level(p, f)->name)) {
		put_number(w, key, design_number(p, f));
	} else {
		design_name(p, f, strcmp(part, ".title") == 0, text,
			    sizeof(text));
		put_text(w, key, text);
	}
	return true;
}

static void put_seed(struct writer *w, const struct design_place *p)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, p->results->seeds[p->seed]);
	put_text(w, "seed", text);
}

static void put_said(struct writer *w, const struct design_place *p,
		     const char *name, const char *text)
{
	char said[WORD];

	paper_format(said, sizeof(said), p, w->t, text);
	put_text(w, name, said);
}

/* Split the word of a column into its heading and its expression or text. */
static const char *split_word(const char *word, char *name)
{
	const char *is = strchr(word, '=');

	snprintf(name, WORD, "%.*s", (int)strcspn(word, "="), word);
	return is ? is + 1 : word;
}

/* Write the values of one column at a place. */
static void put_word(struct writer *w, const struct design_place *p,
		     const char *word)
{
	char name[WORD];
	const char *what = split_word(word, name);

	if (word[0] == '*')
		put_all(w, p, word);
	else if (strcmp(what, "n") == 0)
		put_number(w, name, (double)p->results->nseeds);
	else if (strcmp(what, "seed") == 0)
		put_seed(w, p);
	else if (strstr(what, "{{"))
		put_said(w, p, name, what);
	else if (!put_factor(w, p, name, what))
		put_number(w, name, paper_value(p, w->t, what));
}

/* Call a function for each word of the columns. */
static void each_word(struct writer *w, const struct design_place *p,
		      void (*put)(struct writer *w,
				  const struct design_place *p,
				  const char *word))
{
	const char *at = w->columns;
	char word[WORD];

	while (*at) {
		size_t n = strcspn(at, " ");

		snprintf(word, sizeof(word), "%.*s", (int)n, at);
		put(w, p, word);
		at += n + strspn(at + n, " ");
	}
}

static void put_row(struct writer *w, const struct design_place *p)
{
	w->first = true;
	if (w->j)
		out_json_object(w->j, NULL);
	each_word(w, p, put_word);
	if (w->j)
		out_json_end(w->j);
	else
		putc('\n', w->fp);
}

/* Write the row of a point, or a row for each seed. */
static bool write_point(const struct design_place *p, void *arg)
{
	struct writer *w = arg;
	struct design_place at = *p;

	if (!strstr(w->columns, " seed ")) {
		put_row(w, p);
		return true;
	}
	for (at.seed = 0; at.seed < p->results->nseeds; at.seed++)
		put_row(w, &at);
	return true;
}

/* Write the heading of one column. */
static void put_heading(struct writer *w, const struct design_place *p,
			const char *word)
{
	char name[WORD];

	if (word[0] != '*') {
		const char *what = split_word(word, name);

		if (what == word && !strchr(word, '('))
			name[strcspn(name, ".")] = '\0';
		put_text(w, NULL, name);
		return;
	}
	for (size_t c = 0; c < sim_result_ncolumns; c++) {
		const char *column = sim_result_columns[c].name;

		separate(w);
		if (strcmp(word, "*+sd") == 0)
			fprintf(w->fp, "%s_mean,%s_sd", column, column);
		else
			fputs(column, w->fp);
	}
}

void paper_csv(FILE *fp, const struct design_place *p,
	       const struct paper_text *t, const char *over,
	       const char *columns)
{
	struct writer w = {.fp = fp, .t = t, .columns = columns, .first = true};

	each_word(&w, p, put_heading);
	putc('\n', fp);
	design_each(p, over, write_point, &w);
}

void paper_json(struct out_json *j, const char *key,
		const struct design_place *p, const struct paper_text *t,
		const char *over, const char *columns)
{
	struct writer w = {.j = j, .t = t, .columns = columns};

	out_json_array(j, key);
	design_each(p, over, write_point, &w);
	out_json_end(j);
}

/* ---- tables for people ---- */

struct block_writer {
	struct paper_block *b;
	const struct paper_text *t;
	const char *lines;
	size_t n; /* columns so far */
	bool heading, begun;
	const char *cell;
	enum out_align align;
};

/* Add a cell, or a column while the heading is read. */
static void put_cell(struct block_writer *w, const struct design_place *p,
		     const char *text)
{
	struct paper_block *b = w->b;
	char cell[512];

	paper_format(cell, sizeof(cell), p, w->t, text);
	if (!w->heading) {
		out_table_cell(&b->table, "%s", cell);
		if (b->table.failed)
			design_no_memory(p->results);
	} else if (w->n < sizeof(b->names) / sizeof(b->names[0])) {
		b->names[w->n] = strdup(cell);
		if (!b->names[w->n]) {
			design_no_memory(p->results);
			return;
		}
		b->columns[w->n] =
			(struct out_column){b->names[w->n], w->align};
		w->n++;
	}
}

static bool put_each(const struct design_place *p, void *arg)
{
	struct block_writer *w = arg;

	put_cell(w, p, w->cell);
	return true;
}

/* "HEADING < CELL", "each CHOICE: HEADING > CELL" */
static void put_line(struct block_writer *w, const struct design_place *p,
		     char *line)
{
	char *is = strstr(line, " < "), *right = strstr(line, " > "), *over;

	if (!is || (right && right < is))
		is = right;
	if (!is)
		return;
	w->align = is == right ? OUT_RIGHT : OUT_LEFT;
	*is = '\0';
	over = strncmp(line, "each ", 5) == 0 ? strstr(line, ": ") : NULL;
	w->cell = w->heading ? over ? over + 2 : line : is + 3;
	if (!over) {
		put_cell(w, p, w->cell);
		return;
	}
	*over = '\0';
	design_each(p, line + 5, put_each, w);
}

static void put_lines(struct block_writer *w, const struct design_place *p)
{
	char *copy = strdup(w->lines), *rest = copy, *line;

	if (!copy)
		design_no_memory(p->results);
	while (copy && (line = strsep(&rest, "\n")))
		put_line(w, p, line);
	free(copy);
}

/* Add the row of a point; the first point also makes the heading. */
static bool put_block_row(const struct design_place *p, void *arg)
{
	struct block_writer *w = arg;

	if (!w->begun) {
		w->begun = w->heading = true;
		put_lines(w, p);
		out_table_init(&w->b->table, w->b->columns, w->n);
		w->heading = false;
	}
	put_lines(w, p);
	return true;
}

void paper_block_read(struct paper_block *b, const struct design_place *p,
		      const struct paper_text *t, const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;
	struct block_writer w = {.b = b, .t = t};

	memset(b, 0, sizeof(*b));
	if (!copy)
		design_no_memory(p->results);
	while (copy && (line = strsep(&rest, "\n"))) {
		bool fold = strncmp(line, "fold: ", 6) == 0;

		if (fold || strncmp(line, "title: ", 7) == 0) {
			b->fold = fold;
			paper_format(b->title, sizeof(b->title), p, t,
				     line + (fold ? 6 : 7));
		} else if (strncmp(line, "rows: ", 6) == 0) {
			w.lines = rest;
			design_each(p, line + 6, put_block_row, &w);
			break;
		}
	}
	if (!w.begun)
		out_table_init(&b->table, b->columns, 0);
	free(copy);
}

void paper_block_fini(struct paper_block *b)
{
	out_table_fini(&b->table);
	for (size_t i = 0; i < sizeof(b->names) / sizeof(b->names[0]); i++)
		free(b->names[i]);
}

/* ---- tables filled by hand ---- */

void paper_table_number(struct out_table *rows, bool exact, int decimals,
			double value)
{
	char text[OUT_NUMBER_SIZE];

	if (!exact && decimals >= 0)
		out_table_number(rows, decimals, value);
	else
		out_table_cell(rows, "%s",
			       isfinite(value) ? out_number(text, value) : "");
}

/* Result: is it whole? */
static bool end_rows(struct out_table *rows)
{
	bool whole = !rows->failed;

	out_table_fini(rows);
	return whole;
}

bool paper_table_csv(FILE *fp, const struct paper_table *t, const void *study)
{
	struct out_table rows;

	out_table_init(&rows, t->columns, t->ncolumns);
	t->fill(&rows, true, study);
	for (size_t c = 0; c < t->ncolumns; c++)
		fprintf(fp, "%s%s", c ? "," : "", t->columns[c].name);
	for (size_t i = 0; i < rows.n; i++) {
		putc(i % t->ncolumns ? ',' : '\n', fp);
		out_csv_text(fp, rows.cells[i]);
	}
	putc('\n', fp);
	return end_rows(&rows);
}

bool paper_table_page(FILE *fp, const struct paper_table *t, const void *study)
{
	struct out_table rows;

	out_table_init(&rows, t->columns, t->ncolumns);
	t->fill(&rows, false, study);
	report_table(fp, t->title ? t->title : "", &rows, !t->fold);
	return end_rows(&rows);
}
