/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - tables in columns, for a terminal.
 *
 * Widths are counted in characters of UTF-8.  The last column is not padded, so
 * that no line ends in blanks.
 */
#include "sim/output/table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

void out_table_init(struct out_table *t, const struct out_column *columns,
		    size_t ncolumns)
{
	memset(t, 0, sizeof(*t));
	t->columns = columns;
	t->ncolumns = ncolumns;
}

void out_table_fini(struct out_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->cells[i]);
	free(t->cells);
	memset(t, 0, sizeof(*t));
}

void out_table_cell(struct out_table *t, const char *fmt, ...)
{
	va_list ap;
	char **cells = sim_grown(t->cells, &t->cap, t->n + 1, sizeof(*cells));
	char *cell = NULL;

	if (!cells) {
		t->failed = true;
		return;
	}
	t->cells = cells;
	va_start(ap, fmt);
	if (vasprintf(&cell, fmt, ap) < 0)
		t->failed = true;
	else
		t->cells[t->n++] = cell;
	va_end(ap);
}

void out_table_number(struct out_table *t, int decimals, double value)
{
	if (isfinite(value))
		out_table_cell(t, "%.*f", decimals, value);
	else
		out_table_cell(t, "-");
}

/* Columns on a terminal: characters, not bytes. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

/* Return the width of the widest cell of a column, heading included. */
static int column_width(const struct out_table *t, size_t column)
{
	int width = width_of(t->columns[column].name);

	for (size_t i = column; i < t->n; i += t->ncolumns) {
		int w = width_of(t->cells[i]);

		width = w > width ? w : width;
	}
	return width;
}

/* Print a cell in its width, and what separates it from the next. */
static void print_cell(const struct out_table *t, size_t column, int width,
		       const char *text, FILE *fp)
{
	bool last = column + 1 == t->ncolumns;
	int pad = width - width_of(text);

	if (t->columns[column].align == OUT_RIGHT)
		fprintf(fp, "%*s%s", pad, "", text);
	else
		fprintf(fp, "%s%*s", text, last ? 0 : pad, "");
	fputs(last ? "\n" : "  ", fp);
}

int out_table_print(const struct out_table *t, FILE *fp)
{
	int *width;

	if (t->failed || !(width = calloc(t->ncolumns, sizeof(*width)))) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t c = 0; c < t->ncolumns; c++)
		width[c] = column_width(t, c);
	for (size_t c = 0; c < t->ncolumns; c++)
		print_cell(t, c, width[c], t->columns[c].name, fp);
	for (size_t c = 0; c < t->ncolumns; c++) {
		for (int i = 0; i < width[c]; i++)
			putc('-', fp);
		fputs(c + 1 == t->ncolumns ? "\n" : "  ", fp);
	}
	for (size_t i = 0; i < t->n; i++)
		print_cell(t, i % t->ncolumns, width[i % t->ncolumns],
			   t->cells[i], fp);
	if (t->n % t->ncolumns)
		putc('\n', fp);
	free(width);
	return 0;
}
