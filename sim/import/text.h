/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - read sacct's text: a heading, then one job on each line.
 *
 * The fields are separated by what stands behind the first name of the heading,
 * be it |, a tab, or several characters; commas are those of CSV, with quotes.
 * Columns come in any order, and unused ones are ignored.  A heading may come
 * again (concatenated logs).  Where a free text (a job's name, ...) has the
 * delimiter or a line feed in it, the row has too many fields or too few; it is
 * put together again where that can be done in one way.
 */
#ifndef SIM_IMPORT_TEXT_H
#define SIM_IMPORT_TEXT_H

#include "sim/base/input.h"
#include "sim/import/row.h"

enum { IMPORT_FIELDS_MAX = 160, IMPORT_DELIMITER_MAX = 15 };

struct import_text_reader {
	char delimiter[IMPORT_DELIMITER_MAX + 1];
	size_t ndelimiter;
	bool quoted;   /* as CSV */
	bool csv;      /* columns are for the caller to find in field[] */
	char *heading; /* of csv: the first line */
	size_t n;      /* fields of the heading */
	enum import_column column[IMPORT_FIELDS_MAX];
	bool free_text[IMPORT_FIELDS_MAX];
	char first[32]; /* name of the first column */
	struct import_text field[IMPORT_FIELDS_MAX];
	/* A line that was read ahead and is the next one; NULL = none. */
	char *held;
	size_t nheld;
	char *joined; /* lines of one row */
	size_t joined_cap;
	char *plain; /* a line without its quotes */
	size_t plain_cap;
	bool no_memory; /* for that */
};

/* Read the heading; delimiter NULL: find it there.
 * Result: 0, or -1 with EINVAL: no heading, or one without the columns that
 *         are needed.
 */
int import_text_begin(struct import_text_reader *r, struct input *in,
		      const char *delimiter);
/* The same for CSV with any columns: their names are in field[] until the next
 * row is read, and so are a row's values.
 */
int import_text_begin_csv(struct import_text_reader *r, struct input *in,
			  const char *delimiter);
void import_text_fini(struct import_text_reader *r);

/* Read the next row.  Result: see enum import_row_result. */
int import_text_row(struct import_text_reader *r, struct input *in,
		    struct import_row *row);

#endif
