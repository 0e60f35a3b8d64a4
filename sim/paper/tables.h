/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h - the tables of all reports: one writer each of CSV, JSON, and
 * pages.
 *
 * A table of designs is a choice of points and a list of columns; any other
 * table has a function that fills its cells.  If memory is out,
 * design_no_memory() notes that, and the study fails before a file appears.
 */
#ifndef SIM_PAPER_TABLES_H
#define SIM_PAPER_TABLES_H

#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/text.h"
#include "sim/paper/text.h"

/* ---- tables of designs ---- */

/* Write a table of designs as CSV.  Columns are words: a factor (its name, or
 * factor.title, factor.param, factor.value); seed, with a row for each seed; n,
 * the number of seeds; a column of a result; HEADING=EXPRESSION or HEADING=TEXT
 * without blanks.  All columns of a run are * (means), *+sd (means and standard
 * deviations) and, in JSON, *+values (both and the values of all seeds).
 */
void paper_csv(FILE *fp, const struct design_place *p,
	       const struct paper_text *t, const char *over,
	       const char *columns);

/* Write the same table as an array of objects. */
void paper_json(struct out_json *j, const char *key,
		const struct design_place *p, const struct paper_text *t,
		const char *over, const char *columns);

/* A table for people, from text: a line "rows: CHOICE", and for each column
 * "HEADING < CELL" or, to the right, "HEADING > CELL"; "each CHOICE: ..." is a
 * column for each of its points.  A line "title: ..." or "fold: ..." comes
 * first; fold hides the table under it.
 */
struct paper_block {
	struct out_table table;
	char title[160];
	bool fold;
	struct out_column columns[24];
	char *names[24];
};

/* Owner: the caller calls paper_block_fini(). */
void paper_block_read(struct paper_block *b, const struct design_place *p,
		      const struct paper_text *t, const char *text);
void paper_block_fini(struct paper_block *b);

/* ---- tables filled by hand ---- */

struct paper_table {
	const char *name; /* in pages */
	const char *title;
	const struct out_column *columns;
	size_t ncolumns;
	/* Add all cells; exact: numbers with all digits, for a file. */
	void (*fill)(struct out_table *rows, bool exact, const void *study);
	bool fold;
};

/* Add a cell with a number of so many decimals; exact, or decimals below 0:
 * with all digits.
 */
void paper_table_number(struct out_table *rows, bool exact, int decimals,
			double value);

/* Write a table as CSV, or into a page.
 * Result: false if memory was out and cells are missing.
 */
bool paper_table_csv(FILE *fp, const struct paper_table *t, const void *study);
bool paper_table_page(FILE *fp, const struct paper_table *t, const void *study);

#endif
