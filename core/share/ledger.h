/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger.h - who was promised what share of which processors.
 *
 * For time-shared processors.  One row stands for all processors with
 * the same history: the same tasks, added and progressed at the same instants,
 * have the same numbers.  A job that takes part of a row splits it; so there
 * are about as many rows as jobs, however large the machine.
 *
 * Shares are renewed only at events of a row (a task begins or ends there);
 * between events rates are constant.  A task that was promised but has not
 * started has its share counted and draws nothing.
 *
 * For the core alone: hosts read rows through engine.h.
 */
#ifndef LIBRA_LEDGER_H
#define LIBRA_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/least.h"
#include "core/procmap.h"
#include "core/share/limits.h"
#include "core/share/row.h"

enum {
	LIBRA_ROW_EMPTY = 0,  /* processors without tasks */
	LIBRA_ROW_CLOSED = 1, /* the same, on nodes that take no jobs */
	LIBRA_ROW_FIRST = 2,
};

/* Processors of one row. */
struct libra_pick {
	struct libra_range procs;
	uint32_t row;
};

struct libra_ledger {
	struct libra_procmap map;	/* processor -> row */
	struct libra_division division; /* of each row */
	struct libra_ledger_row *rows;
	/* Per row: when a task will be late next; INFINITY if none, and where
	 * nobody asks (see libra_ledger_watches).
	 */
	struct libra_least late_s;
	struct libra_limits limits; /* where jobs need not be looked for */
	uint32_t nrows;		    /* rows ever used */
	uint32_t cap;
	uint32_t *unused; /* rows below nrows without processors, a stack */
	uint32_t nunused;
	uint32_t task_cap; /* room for tasks in the longest row */
	uint32_t *taken;   /* per row: processors chosen by an offer */
	uint32_t *chosen;  /* rows with taken > 0, in order of choice */
	uint32_t nchosen;
	/* Which processors these are; npicks 0 = the first ones of the row. */
	struct libra_pick *picks;
	uint32_t npicks, picks_cap;
	uint32_t *added; /* rows of the last add, while they are all */
	uint32_t nadded;
	uint32_t added_slot; /* whose they are; UINT32_MAX = forgotten */
	uint32_t *dirty;     /* rows marked dirty, oldest first */
	uint32_t dirty_head, ndirty;
};

/* Does it matter when a task is late? */
static inline bool libra_ledger_watches(const struct libra_ledger *ledger)
{
	return ledger->division.ranked || ledger->division.late_yields;
}

/* Result: 0, or -1 with EINVAL or ENOMEM. */
int libra_ledger_init(struct libra_ledger *ledger, uint32_t nprocs);
void libra_ledger_fini(struct libra_ledger *ledger);

/* An equal ledger, for trials; without limits.  Nothing may be chosen.
 * Result: 0, or -1 with ENOMEM and an empty copy.
 * Owner:  the caller ends it with libra_ledger_fini().
 */
int libra_ledger_copy(struct libra_ledger *copy,
		      const struct libra_ledger *ledger);

/* Promise a task on taken[row] processors of each row (the picks, or the first
 * ones), and reset the choice.  task->running is false; its rate 0.
 * Result: 0, or -1 with ENOMEM and nothing changed (but the choice).
 */
int libra_ledger_add(struct libra_ledger *ledger,
		     const struct libra_task *task);

/* Make room for all that libra_ledger_add() will do with the present choice, so
 * that it cannot fail.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_ledger_reserve(struct libra_ledger *ledger);

/* The same for several additions, one after the other, of what was picked
 * together, in whatever order; the choice is reset.
 */
int libra_ledger_reserve_each(struct libra_ledger *ledger);

/* Choose n more processors of a row. */
static inline void libra_ledger_choose(struct libra_ledger *ledger,
				       uint32_t row, uint32_t n)
{
	if (ledger->taken[row] == 0)
		ledger->chosen[ledger->nchosen++] = row;
	ledger->taken[row] += n;
}

/* Choose a range of processors of a row: a pick, counted in taken[].
 * Result: 0, or -1 with ENOMEM.
 */
int libra_ledger_pick(struct libra_ledger *ledger, uint32_t row, uint32_t first,
		      uint32_t count);

/* Forget what was chosen. */
void libra_ledger_unpick(struct libra_ledger *ledger);

/* The tasks of a job begin to run; or the one in a row, if it has one there. */
void libra_ledger_start(struct libra_ledger *ledger, uint32_t slot,
			double now_s);
void libra_ledger_start_in(struct libra_ledger *ledger, uint32_t row,
			   uint32_t slot, double now_s);

/* A job has executed so much of itself on each of its processors.  Rates stay
 * as they are until the next event of a row.
 */
void libra_ledger_progress(struct libra_ledger *ledger, uint32_t slot,
			   double executed_s, double now_s);

/* Ranked, or late_yields: a late task yields to the others.  Renew the rows
 * where a deadline has passed since their last event.
 */
void libra_ledger_renew_late(struct libra_ledger *ledger, double now_s);

/* What was was_s on the clock is now_s: progress is made until was_s, and rates
 * are found anew.
 */
void libra_ledger_clock(struct libra_ledger *ledger, double was_s,
			double now_s);

/* The next instant at which a task will be late; INFINITY if none. */
static inline double libra_ledger_next_late_s(const struct libra_ledger *ledger)
{
	return libra_least(&ledger->late_s);
}

/* Take a job off one row, or all rows (row = UINT32_MAX).
 * Result: processors it was taken off.
 */
uint32_t libra_ledger_remove(struct libra_ledger *ledger, uint32_t slot,
			     uint32_t row, double now_s);

/* The tasks of a row were changed from outside: renew the rates at now_s. */
void libra_ledger_renew(struct libra_ledger *ledger, uint32_t row,
			double now_s);

/* Open or close a range of processors for new tasks.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_ledger_close(struct libra_ledger *ledger, uint32_t first,
		       uint32_t count, bool closed);

/* The oldest row with new rates, or UINT32_MAX. */
uint32_t libra_ledger_next_dirty(struct libra_ledger *ledger);

#endif
