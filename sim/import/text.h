/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - read sacct's text: a heading, then one job on each line.
 *
 * The delimiter is the text behind the first name of the heading: |, a tab, or
 * several characters.  With a comma the format is CSV, with quotes.  Columns
 * come in any order, and unknown ones are ignored.  A heading may occur again,
 * as in concatenated logs.  If a free text, such as a job's name, contains the
 * delimiter or a line feed, the row has too many fields or too few.  The reader
 * joins such fields or lines again if there is only one way to do so.
 *
 * The reader owns its buffers.  Texts of a row are valid until the next row.
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
	bool csv;      /* the caller finds columns by their names in field[] */
	char *heading; /* csv: a copy of the first line */
	size_t n;      /* fields of the heading */
	enum import_column column[IMPORT_FIELDS_MAX];
	bool free_text[IMPORT_FIELDS_MAX];
	char first[32]; /* name of the first column */
	struct import_text field[IMPORT_FIELDS_MAX];
	/* A line that was read ahead and is the next one; NULL = none. */
	char *held;
	size_t nheld;
	char *joined; /* the lines of one row, joined */
	size_t joined_cap;
	char *plain; /* a line without its quotes */
	size_t plain_cap;
	bool no_memory; /* `plain` could not grow: the next row fails */
};

/* Read the heading; delimiter NULL: find it there.
 * Result: 0, or -1 with ENOMEM, or EINVAL: no heading, or a heading without a
 *         required column.
 * Owner:  the caller calls import_text_fini(), after an error too.
 */
int import_text_begin(struct import_text_reader *r, struct input *in,
		      const char *delimiter);
/* Read the heading of CSV with any columns.  field[] has the names of the
 * columns until the first row is read, and then the values of each row.
 * Result, owner: as import_text_begin().
 */
int import_text_begin_csv(struct import_text_reader *r, struct input *in,
			  const char *delimiter);
void import_text_fini(struct import_text_reader *r);

/* Read the next row.  The caller clears *row before the first one: columns that
 * the heading lacks are not written.
 * Result: see enum import_row_result.
 */
int import_text_row(struct import_text_reader *r, struct input *in,
		    struct import_row *row);

#endif
