/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row.h - one row of the ledger: its tasks, their rates, sums of shares.
 *
 * Rates are computed at the events of a row (a task begins or ends there) and
 * are constant between them.  A task that is promised but has not started has
 * its share counted and uses no processor time.
 *
 * The ledger owns rows and their tasks.  Callers: core/share and the share
 * policies, under the lock of the engine's host.  No function here allocates or
 * fails.  Instants and estimates are in seconds, rates in processors.
 */
#ifndef LIBRA_ROW_H
#define LIBRA_ROW_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/formula/need.h"
#include "core/task.h"

struct libra_ledger_row {
	struct libra_row pub; /* read by hosts; pub.tasks == tasks */
	struct libra_task *tasks;
	uint32_t cap;
	bool closed;	/* takes no new tasks */
	uint64_t slots; /* a bit for each task's slot; other bits may be set too
			 */
	double renewed_s; /* when the rates were computed */
	bool dirty;	  /* rates have changed since the host last read them */
	/* steady: at since_s all tasks run, in time and within their estimates.
	 * The fields below are valid only then, and give bounds on the sum of
	 * shares without a visit to the tasks.
	 */
	bool steady;
	double share;	/* sum of shares at since_s */
	double known_s; /* an instant at or after since_s */
	double known;	/* the sum of shares at known_s */
	double work_s;	/* sum of est_left_s */
	double first_s; /* the earliest deadline */
	double last_s;	/* the latest */
};

/* How a processor's time is divided; all zeros: by the shares of eq. 1. */
struct libra_division {
	bool ranked; /* all of it to the task with the earliest deadline */
	/* By shares: tasks past their deadlines have no share, and divide
	 * equally what the other shares leave.
	 */
	bool late_yields;
	/* Set the rates of the running tasks; NULL = by shares or ranked. */
	void (*divide)(const struct libra_division *division,
		       struct libra_task *tasks, uint32_t n);
	double cpus; /* CPUs of one processor */
	double most; /* CPUs that one task can use */
	bool strict; /* what a task cannot use is lost, not given to others */
};

/* Return the bit of a slot; several slots have the same bit. */
static inline uint64_t libra_row_slot_bit(uint32_t slot)
{
	return (uint64_t)1 << (slot % 64);
}

/* Return the index of a job's task in a row; ntasks if it has none there. */
static inline uint32_t libra_row_find(const struct libra_ledger_row *row,
				      uint32_t slot)
{
	uint32_t k = 0;

	/* This test mostly decides. */
	if (!(row->slots & libra_row_slot_bit(slot)))
		return row->pub.ntasks;
	while (k < row->pub.ntasks && row->tasks[k].slot != slot)
		k++;
	return k;
}

/* Return a job's task in a row, or NULL. */
struct libra_task *libra_row_task(const struct libra_ledger_row *row,
				  uint32_t slot);

/* Add the tasks' progress since the row's last event. */
void libra_row_advance(struct libra_ledger_row *row, double now_s);

/* Process an event of the row: libra_row_advance(), then compute the rates. */
void libra_row_renew(struct libra_ledger_row *row,
		     const struct libra_division *division, double now_s);

/* Return the next instant at which a task becomes late; INFINITY if none. */
double libra_row_next_late_s(const struct libra_ledger_row *row);

/* Return the remaining estimate of a task at an instant, not before since_s. */
static inline double libra_row_est_left(const struct libra_ledger_row *row,
					const struct libra_task *task,
					double now_s)
{
	return task->est_left_s - task->rate * (now_s - row->pub.since_s);
}

/* The sum of shares of a row's tasks at an instant. */
struct libra_row_sum {
	double share;	/* eq. 2; with late_yields, without late tasks */
	uint32_t nlate; /* tasks past their deadlines */
};

/* Return the sum of shares at now_s.  Cost: O(tasks). */
struct libra_row_sum libra_row_share(const struct libra_ledger_row *row,
				     const struct libra_division *division,
				     double now_s);

/* A bound on a sum of shares decides only if it is beyond the limit by this
 * much, which is more than rounding and tolerances.
 */
#define LIBRA_BOUNDS_MARGIN 1e-6

/* Set bounds on the sum of shares at now_s, in O(1).
 *
 * Take a steady row whose shares sum to S at its last event.  Task k has the
 * share s_k and the time R_k to its deadline; R is the least R_k.  When t has
 * passed since the event, the share of task k is s_k (R_k - t / S) / (R_k - t).
 * If S <= 1, each share falls, and none falls faster than that of the task with
 * R.  If S > 1, each share rises.  A task may exceed its estimate from t = S R
 * on, and by rounding a little before; bounds end there.  The same formulas
 * hold from any later instant at which the sum is known, because the rates sum
 * to 1 and are all above the shares, or all below.
 * Result: false if there are no bounds: call libra_row_share().
 */
static inline bool libra_row_bounds(const struct libra_ledger_row *row,
				    double now_s, double *low, double *high)
{
	double t = now_s - row->pub.since_s;
	double least_s = row->first_s - row->pub.since_s;

	if (!row->steady || t >= least_s ||
	    t >= row->share * least_s - LIBRA_OVERRUN_AFTER_S)
		return false;
	if (row->share > 1) {
		*low = row->known;
		*high = INFINITY;
	} else {
		t = now_s - row->known_s;
		least_s = row->first_s - row->known_s;
		*low = (row->known * least_s - t) / (least_s - t);
		*high = row->known;
	}
	return true;
}

/* Store the sum of shares that libra_row_share() has computed at now_s, so that
 * the next bounds start from it.
 */
static inline void libra_row_know(struct libra_ledger_row *row, double now_s,
				  double share)
{
	row->known_s = now_s;
	row->known = share;
}

#endif
