/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row.h - one job of an accounting log, as texts by column.
 *
 * The readers (text.h, json.h, csv.h) fill rows, and convert.h makes records of
 * them.  A row's texts are valid until the next row is read.  Columns that a
 * log lacks are empty; given[] distinguishes them from columns without a value.
 */
#ifndef SIM_IMPORT_ROW_H
#define SIM_IMPORT_ROW_H

#include <stdbool.h>

#include "core/error.h"
#include "sim/import/values.h"

enum import_column {
	IMPORT_C_JOBIDRAW,
	IMPORT_C_JOBID,
	IMPORT_C_CLUSTER,
	IMPORT_C_PARTITION,
	IMPORT_C_QOS,
	IMPORT_C_ACCOUNT,
	IMPORT_C_USER,
	IMPORT_C_UID,
	IMPORT_C_JOBNAME,
	IMPORT_C_SUBMIT,
	IMPORT_C_ELIGIBLE,
	IMPORT_C_START,
	IMPORT_C_END,
	IMPORT_C_ELAPSEDRAW,
	IMPORT_C_ELAPSED,
	IMPORT_C_SUSPENDED,
	IMPORT_C_TIMELIMITRAW, /* minutes */
	IMPORT_C_TIMELIMIT,
	IMPORT_C_LIMIT_S, /* seconds, of jobcomp */
	IMPORT_C_STATE,
	IMPORT_C_REQCPUS,
	IMPORT_C_ALLOCCPUS,
	IMPORT_C_NNODES,
	IMPORT_C_REQTRES,
	IMPORT_C_ALLOCTRES,
	IMPORT_C_REQMEM,
	IMPORT_C_TOTALCPU,
	IMPORT_C_RESTARTS,
	IMPORT_C_ADMINCOMMENT,
	IMPORT_C_WAIT,		 /* seconds; this and the next two: of CSV */
	IMPORT_C_DEADLINE,	 /* an instant */
	IMPORT_C_DEADLINE_AFTER, /* seconds after the submission */
	/* Columns that no conversion reads: of sim/slurm. */
	IMPORT_C_PRIORITY,
	IMPORT_C_CONSTRAINTS,
	IMPORT_C_FLAGS,
	IMPORT_C_NODELIST,
	IMPORT_C_REASON,
	IMPORT_C_RESERVATION,
	IMPORT_C_SUBMITLINE,
	IMPORT_C_OTHER, /* any column that is not read */
	IMPORT_NCOLUMNS,
};

struct import_row {
	struct import_text col[IMPORT_NCOLUMNS];
	bool given[IMPORT_NCOLUMNS];
	bool split; /* a value contained the delimiter and was joined again */
	/* The row is of CSV, by a map: instants that the map lacks are computed
	 * from durations.
	 */
	bool mapped;
	bool twice; /* a local time of the row occurs twice in autumn */
};

/* The result of reading one row. */
enum import_row_result {
	IMPORT_ROW_END = 0,
	IMPORT_ROW = 1,
	IMPORT_ROW_FIELDS, /* too few fields, or too many, and not exactly one
			      way to join them makes a sound row */
	IMPORT_ROW_UNREADABLE, /* CSV: a value does not have the form of the map
				*/
	IMPORT_ROW_FAILED = -1,
};

#endif
