/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - tables for people: columns under a heading, for a terminal.
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
	char **cells; /* row by row */
	size_t n, cap;
	bool failed; /* out of memory */
};

/* Owner: columns live as long as the table. */
void out_table_init(struct out_table *t, const struct out_column *columns,
		    size_t ncolumns);
void out_table_fini(struct out_table *t);

/* Add the next cell of the current row. */
void out_table_cell(struct out_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A number for people; "-" if it is no finite number. */
void out_table_number(struct out_table *t, int decimals, double value);

/* Print heading, rule and rows.
 * Result: 0, or -1 with ENOMEM if a cell could not be kept.
 */
int out_table_print(const struct out_table *t, FILE *fp);

#endif
