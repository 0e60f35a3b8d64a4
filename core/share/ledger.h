/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger.h - the shares of processors that jobs are promised.
 *
 * For share policies.  One row describes all processors with the same tasks,
 * which were added and progressed at the same instants.  A job that takes only
 * some of a row's processors splits the row.  So there are about as many rows
 * as jobs, however large the machine.
 *
 * Rates are renewed only at the events of a row (a task begins or ends there);
 * between events they are constant.  A task that is promised but has not
 * started has its share counted and uses no processor time.
 *
 * To admit a job: choose processors (choose or pick), then add a task on them,
 * or unpick.  One choice exists at a time.
 *
 * Callers: core/share and the policy market, under the lock of the engine's
 * host.  Hosts read rows through engine.h.  Only a function that returns int
 * allocates or fails. Times in seconds; now_s and was_s are instants.
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
	LIBRA_ROW_EMPTY = 0, /* processors without tasks */
	LIBRA_ROW_CLOSED =
		1, /* processors without tasks, on nodes that take no jobs */
	LIBRA_ROW_FIRST = 2,
};

/* A chosen range of processors, all of one row. */
struct libra_pick {
	struct libra_range procs;
	uint32_t row;
};

struct libra_ledger {
	struct libra_procmap map;	/* processor -> row */
	struct libra_division division; /* how each row is divided */
	struct libra_ledger_row *rows;
	/* Per row: the next instant at which a task becomes late; INFINITY if
	 * none, or if lateness does not matter (see libra_ledger_watches).
	 */
	struct libra_least late_s;
	struct libra_limits limits; /* lets a search skip full processors */
	uint32_t nrows;		    /* rows ever used */
	uint32_t cap;
	uint32_t *unused; /* rows below nrows without processors, a stack */
	uint32_t nunused;
	uint32_t task_cap; /* capacity for tasks of the longest row */
	uint32_t *taken;   /* per row: processors chosen by an offer */
	uint32_t *chosen;  /* rows with taken > 0, in order of choice */
	uint32_t nchosen;
	/* The chosen ranges; if npicks is 0, the first processors of each row
	 * are chosen.
	 */
	struct libra_pick *picks;
	uint32_t npicks, picks_cap;
	/* The rows that the last libra_ledger_add() gave a task, and its job;
	 * UINT32_MAX = no job.  They are all rows of that job.
	 */
	uint32_t *added;
	uint32_t nadded;
	uint32_t added_slot;
	uint32_t *dirty; /* a ring of rows marked dirty, oldest first */
	uint32_t dirty_head, ndirty;
};

/* Return true if rates change when a task becomes late. */
static inline bool libra_ledger_watches(const struct libra_ledger *ledger)
{
	return ledger->division.ranked || ledger->division.late_yields;
}

/* Create a ledger of nprocs processors without tasks.
 * Result: 0, or -1 with EINVAL or ENOMEM.
 */
int libra_ledger_init(struct libra_ledger *ledger, uint32_t nprocs);
void libra_ledger_fini(struct libra_ledger *ledger);

/* Copy a ledger for trials, without its limits.  The choice must be empty.
 * Result: 0, or -1 with ENOMEM and an empty copy.
 * Owner:  the caller frees it with libra_ledger_fini().
 */
int libra_ledger_copy(struct libra_ledger *copy,
		      const struct libra_ledger *ledger);

/* Promise a task on taken[row] processors of each row (the picks, or the first
 * ones), and reset the choice.  task->running must be false and its rate 0.
 * Result: 0, or -1 with ENOMEM and nothing changed (except the choice).
 */
int libra_ledger_add(struct libra_ledger *ledger,
		     const struct libra_task *task);

/* Reserve memory so that libra_ledger_add() cannot fail with the present
 * choice.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_ledger_reserve(struct libra_ledger *ledger);

/* Reserve memory so that the ranges picked now can be added later, one
 * libra_ledger_add() for each, in any order.  Reset the choice.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_ledger_reserve_each(struct libra_ledger *ledger);

/* Choose n more processors of a row.  Never fails: chosen[] has room for each
 * row.
 */
static inline void libra_ledger_choose(struct libra_ledger *ledger,
				       uint32_t row, uint32_t n)
{
	if (ledger->taken[row] == 0)
		ledger->chosen[ledger->nchosen++] = row;
	ledger->taken[row] += n;
}

/* Choose a range of processors of a row as a pick, and count it in taken[].
 * Result: 0, or -1 with ENOMEM and nothing chosen by this call.
 */
int libra_ledger_pick(struct libra_ledger *ledger, uint32_t row, uint32_t first,
		      uint32_t count);

/* Reset the choice. */
void libra_ledger_unpick(struct libra_ledger *ledger);

/* Start the tasks of a job: in all rows, or (_in) in one row.  A row without a
 * task of the job does not change.
 * Cost:   O(rows of the job) right after its addition, else O(rows).
 */
void libra_ledger_start(struct libra_ledger *ledger, uint32_t slot,
			double now_s);
void libra_ledger_start_in(struct libra_ledger *ledger, uint32_t row,
			   uint32_t slot, double now_s);

/* Record that a job has executed executed_s on each of its processors.  Rates
 * do not change until the next event of a row.
 */
void libra_ledger_progress(struct libra_ledger *ledger, uint32_t slot,
			   double executed_s, double now_s);

/* Renew the rates of rows in which a deadline has passed since their last
 * event.  Nothing changes unless libra_ledger_watches() is true.
 */
void libra_ledger_renew_late(struct libra_ledger *ledger, double now_s);

/* Follow a clock that was set: the instant was_s is now called now_s.  Count
 * progress until was_s, and compute all rates again as of now_s.
 */
void libra_ledger_clock(struct libra_ledger *ledger, double was_s,
			double now_s);

/* Return the next instant at which a task becomes late; INFINITY if none. */
static inline double libra_ledger_next_late_s(const struct libra_ledger *ledger)
{
	return libra_least(&ledger->late_s);
}

/* Remove a job from one row, or from all rows (row = UINT32_MAX).
 * Result: number of processors it was removed from.
 */
uint32_t libra_ledger_remove(struct libra_ledger *ledger, uint32_t slot,
			     uint32_t row, double now_s);

/* Renew the rates of a row at now_s, after the caller has changed its tasks. */
void libra_ledger_renew(struct libra_ledger *ledger, uint32_t row,
			double now_s);

/* Open or close a range of processors for new tasks.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_ledger_close(struct libra_ledger *ledger, uint32_t first,
		       uint32_t count, bool closed);

/* Take the oldest row with new rates from the dirty rows.
 * Result: its index, or UINT32_MAX if there is none.
 */
uint32_t libra_ledger_next_dirty(struct libra_ledger *ledger);

#endif
