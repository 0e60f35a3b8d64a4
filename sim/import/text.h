/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - read sacct's text: a heading, then one job on each line.
 *
 * The fields are separated by the first of the unit separator (0x1f), | and ;
 * that stands in the heading.  Columns come in any order, and unused
 * ones are ignored.  A heading may come again (concatenated logs).
 * Where a free text (a job's name, ...) has the delimiter in it, the row has
 * too many fields; it is put together again where that can be done in one way.
 */
#ifndef SIM_IMPORT_TEXT_H
#define SIM_IMPORT_TEXT_H

#include "sim/base/input.h"
#include "sim/import/row.h"

enum { IMPORT_FIELDS_MAX = 160 };

struct import_text_reader {
	char delimiter;
	size_t n; /* fields of the heading */
	enum import_column column[IMPORT_FIELDS_MAX];
	bool free_text[IMPORT_FIELDS_MAX];
	char first[32]; /* name of the first column */
	struct import_text field[IMPORT_FIELDS_MAX];
};

/* Read the heading.
 * Result: 0, or -1 with EINVAL: no heading, or one without the columns that
 *         are needed.
 */
int import_text_begin(struct import_text_reader *r, struct input *in);

/* Read the next row.  Result: see enum import_row_result. */
int import_text_row(struct import_text_reader *r, struct input *in,
		    struct import_row *row);

#endif
