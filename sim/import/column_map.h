/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_map.h - read the file that maps the columns of a CSV trace to the
 * fields of a job.
 *
 * One line for each field: its name, a colon, the column, and the unit.
 *
 *     submit: submit_time ms
 *     run:    duration min
 *     procs:  num_inst * num_gpu percent   # a product of columns or numbers
 *     state:  "exit state" ok=COMPLETED *=FAILED
 *     origin: 2020-07-01                   # instant 0 of plain numbers
 *
 * The command reads one map before the logs; csv.c reads its fields for each
 * row.  The map owns all its texts.
 */
#ifndef SIM_IMPORT_COLUMN_MAP_H
#define SIM_IMPORT_COLUMN_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/import/row.h"

enum import_field_kind {
	IMPORT_F_TEXT = 1,
	IMPORT_F_INSTANT,
	IMPORT_F_DURATION,
	IMPORT_F_COUNT,
	IMPORT_F_MEMORY,
	IMPORT_F_STATE,
};

struct import_field_type {
	const char *name;
	enum import_field_kind kind;
	enum import_column column; /* the column of the row that it fills */
};

enum { IMPORT_NFIELDS = 23, IMPORT_MAP_TERMS = 3 };

/* All fields that a map may have, in the order of import_map.field. */
extern const struct import_field_type import_fields[IMPORT_NFIELDS];

struct import_map_field {
	size_t line; /* line of the map; 0 = the map lacks the field */
	size_t n;    /* factors of the product */
	struct {
		char *column; /* NULL = a number */
		double number;
	} factor[IMPORT_MAP_TERMS];
	const char *unit; /* as written; NULL = the map names none */
	double scale;	  /* one unit in seconds, processors or megabytes */
};

struct import_map_state {
	char *word; /* "*" = any other word */
	enum import_state state;
};

struct import_map {
	char *path;
	struct import_map_field field[IMPORT_NFIELDS]; /* as import_fields */
	struct import_map_state *states;
	size_t nstates;
	bool has_origin;
	int64_t origin_s; /* instant from which plain numbers count */
};

/* Read a map.
 * Result: 0, or -1 with ENOMEM, errno of the system, or EINVAL: a line is no
 *         field, a field does not have the unit, or a required field is
 *         missing.  The text names file and line.
 * Owner:  the caller calls import_map_fini(), after an error as well.
 */
int import_map_read(struct import_map *map, const char *path,
		    struct libra_error *err);
void import_map_fini(struct import_map *map);

/* Return true if the map has the field that fills a column of the row. */
bool import_map_has(const struct import_map *map, enum import_column column);

#endif
