/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - tables for people: columns under a heading, for a terminal.
 *
 * Cells are added one after the other and are kept as text until the table is
 * printed.  Reports read the cells for HTML and CSV.
 */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum out_align {
	OUT_LEFT = 1,
	OUT_RIGHT,
};

struct out_column {
	const char *name;
	enum out_align align;
};

struct out_table {
	const struct out_column *columns;
	size_t ncolumns;
	char **cells;  /* row by row; the table owns the texts */
	size_t n, cap; /* cells */
	bool failed;   /* out of memory */
};

/* Make an empty table.
 * Owner:  columns must live as long as the table; the caller calls
 *         out_table_fini().
 */
void out_table_init(struct out_table *t, const struct out_column *columns,
		    size_t ncolumns);
void out_table_fini(struct out_table *t);

/* Add the next cell of the current row; the first cell after a full row begins
 * a new one.  If memory is out, the cell is missing and t->failed is set.
 */
void out_table_cell(struct out_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Add a cell with a number of so many decimals; "-" if it is not finite. */
void out_table_number(struct out_table *t, int decimals, double value);

/* Print heading, rule and rows.
 * Result: 0, or -1 with ENOMEM if the table lacks a cell; then nothing is
 *         printed.  The caller tests fp for errors of writing.
 */
int out_table_print(const struct out_table *t, FILE *fp);

#endif
