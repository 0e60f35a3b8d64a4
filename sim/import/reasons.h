/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reasons.h - the reasons for which an import drops, changes, guesses or notes
 * rows.
 *
 * The same table makes the summary on the screen, the CSV and the manual.
 */
#ifndef SIM_IMPORT_REASONS_H
#define SIM_IMPORT_REASONS_H

enum import_kind {
	IMPORT_DROPPED = 1, /* the row is left out */
	IMPORT_CHANGED,	    /* an impossible value was replaced */
	IMPORT_GUESSED,	    /* a missing value was filled in */
	IMPORT_NOTED,	    /* kept unchanged, and counted for the reader */
};

enum import_reason {
	/* dropped */
	IMPORT_R_STEP,
	IMPORT_R_FIELDS,
	IMPORT_R_UNREADABLE,
	IMPORT_R_CLUSTER,
	IMPORT_R_PARTITION,
	IMPORT_R_OUTSIDE,
	IMPORT_R_DUPLICATE,
	IMPORT_R_PENDING,
	IMPORT_R_CANCELLED,
	IMPORT_R_NEVER_ELIGIBLE,
	IMPORT_R_NEVER_STARTED,
	IMPORT_R_NEGATIVE_RUN,
	IMPORT_R_RUNAWAY,
	IMPORT_R_NO_PROCS,
	/* changed */
	IMPORT_R_WAIT,
	IMPORT_R_SPLIT,
	IMPORT_R_DEADLINE,
	/* guessed */
	IMPORT_R_ARRIVAL,
	IMPORT_R_START,
	IMPORT_R_RUN,
	IMPORT_R_STILL_RUNNING,
	IMPORT_R_PROCS,
	IMPORT_R_LIMIT_PROMISE,
	IMPORT_R_LIMIT_PARTITION,
	IMPORT_R_LIMIT_RUN,
	IMPORT_R_TWICE,
	/* noted */
	IMPORT_R_WARMUP,
	IMPORT_R_RESTART,
	IMPORT_R_RESTART_MISSING,
	IMPORT_R_REUSED,
	IMPORT_R_TIMEOUT,
	IMPORT_R_NODE_FAIL,
	IMPORT_R_PREEMPTED,
	IMPORT_R_OUT_OF_MEMORY,
	IMPORT_R_SUSPENDED,
	IMPORT_R_TASK,
	IMPORT_R_HET,
	IMPORT_R_MORE_PROCS,
	IMPORT_R_LONGER,
	IMPORT_NREASONS,
};

struct import_reason_type {
	const char *name; /* in the table of counts */
	enum import_kind kind;
	const char *text; /* for people, after the count */
};

extern const struct import_reason_type import_reasons[IMPORT_NREASONS];

/* Return "dropped", "changed", "guessed" or "noted". */
const char *import_kind_name(enum import_kind kind);

#endif
