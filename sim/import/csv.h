/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv.h - fill rows from the fields of a CSV trace by a map of its columns.
 *
 * import.c reads one trace at a time with it.  Texts of a row are valid until
 * the next row is read.
 */
#ifndef SIM_IMPORT_CSV_H
#define SIM_IMPORT_CSV_H

#include "sim/import/column_map.h"
#include "sim/import/text.h"

struct import_csv {
	struct import_text_reader text;
	const struct import_map *map;
	struct import_clock *clock; /* for dates */
	/* The place of each factor's column. */
	size_t place[IMPORT_NFIELDS][IMPORT_MAP_TERMS];
	/* any: a row was read.  numbered: ids of the trace are no numbers, so
	 * jobs are numbered by their rows.
	 */
	bool any, numbered;
	char why[256]; /* reason of the first unreadable row; "" = none */
	char made[IMPORT_NFIELDS][32]; /* texts computed for the row */
};

/* Read the heading and find the columns of the map; delimiter NULL: find it.
 * Result: 0, or -1 with ENOMEM or EINVAL (no CSV, or a column is missing); the
 *         text names file, line, and the line of the map.
 * Owner:  the caller calls import_csv_fini(), after an error too.  The map and
 *         the clock must outlive the reader.
 */
int import_csv_begin(struct import_csv *c, struct input *in,
		     const struct import_map *map, struct import_clock *clock,
		     const char *delimiter);

/* Read the next row.  number is the job's number if the trace has no numbers.
 * Result: see enum import_row_result; IMPORT_ROW_FAILED with EINVAL: values
 *         that show that the map is wrong (an instant after the year 9999, a
 *         state that is not mapped), or a local time without a zone.
 */
int import_csv_row(struct import_csv *c, struct input *in, uint64_t number,
		   struct import_row *row);
void import_csv_fini(struct import_csv *c);

#endif
