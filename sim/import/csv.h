/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv.h - fill rows from the fields of a CSV trace, as a map says. */
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
	bool any, numbered; /* a row was read; its id is no number */
	char why[256];	    /* why the first unreadable row was; "" = none */
	char made[IMPORT_NFIELDS][32]; /* texts of the row */
};

/* Read the heading and find the columns of the map; delimiter NULL: find it.
 * The map and the clock must outlive the reader.
 * Result: 0, or -1 with EINVAL: no CSV, or a column is missing; the text names
 *         file, line, and the line of the map.
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
