/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row.h - one row of the ledger: its tasks, their rates, sums of shares.
 *
 * Rates are found anew at the events of a row (a task begins or ends there) and
 * are constant between them.  A task that was promised but has not started has
 * its share counted and draws nothing.
 */
#ifndef LIBRA_ROW_H
#define LIBRA_ROW_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/formula/need.h"
#include "core/task.h"

struct libra_ledger_row {
	struct libra_row pub; /* what hosts read; pub.tasks == tasks */
	struct libra_task *tasks;
	uint32_t cap;
	bool closed;	  /* takes no new tasks */
	uint64_t slots;	  /* bits of its tasks' slots, and perhaps others */
	double renewed_s; /* when the rates were found */
	bool dirty;	  /* rates are new since the host last read them */
	/* As of since_s, if all tasks run, in time and within their estimates
	 * (steady): then bounds can be had without looking at them.
	 */
	bool steady;
	double share;	/* sum of shares */
	double known_s; /* an instant since then, or since_s, */
	double known;	/* and the sum of shares at it */
	double work_s;	/* sum of est_left_s */
	double first_s; /* the earliest deadline */
	double last_s;	/* the latest */
};

/* How a processor's time is divided; all zeros: by the shares of eq. 1. */
struct libra_division {
	bool ranked; /* all of it to the first by deadline */
	/* By shares: tasks past their deadlines have no share, and divide
	 * equally what the shares of the others leave.
	 */
	bool late_yields;
	/* Set the rates of the running tasks; NULL = by shares or ranked. */
	void (*divide)(const struct libra_division *division,
		       struct libra_task *tasks, uint32_t n);
	double cpus; /* CPUs of what counts as one processor */
	double most; /* CPUs that one task can use */
	bool strict; /* what a task cannot use is lost, not the others' */
};

/* The bit of a slot, which others have too. */
static inline uint64_t libra_row_slot_bit(uint32_t slot)
{
	return (uint64_t)1 << (slot % 64);
}

/* The index of a job's task in a row; ntasks if it has none there. */
static inline uint32_t libra_row_find(const struct libra_ledger_row *row,
				      uint32_t slot)
{
	uint32_t k = 0;

	/* Mostly that is enough to know. */
	if (!(row->slots & libra_row_slot_bit(slot)))
		return row->pub.ntasks;
	while (k < row->pub.ntasks && row->tasks[k].slot != slot)
		k++;
	return k;
}

/* A job's task in a row, or NULL. */
struct libra_task *libra_row_task(const struct libra_ledger_row *row,
				  uint32_t slot);

/* Let the tasks make the progress of the time since the row's last event. */
void libra_row_advance(struct libra_ledger_row *row, double now_s);

/* An event of the row: as libra_row_advance(), and rates are found anew. */
void libra_row_renew(struct libra_ledger_row *row,
		     const struct libra_division *division, double now_s);

/* The next instant at which a task will be late; INFINITY if none. */
double libra_row_next_late_s(const struct libra_ledger_row *row);

/* Work of a task left by its estimate, at an instant not before since_s. */
static inline double libra_row_est_left(const struct libra_ledger_row *row,
					const struct libra_task *task,
					double now_s)
{
	return task->est_left_s - task->rate * (now_s - row->pub.since_s);
}

/* The shares of a row's tasks now. */
struct libra_row_sum {
	double share;	/* eq. 2; where the late yield, without them */
	uint32_t nlate; /* tasks past their deadlines */
};

struct libra_row_sum libra_row_share(const struct libra_ledger_row *row,
				     const struct libra_division *division,
				     double now_s);

/* Bounds decide only where they are clear of rounding and tolerances. */
#define LIBRA_BOUNDS_MARGIN 1e-6

/* What the sum of shares is at least and at the most, in O(1).
 *
 * From one event to the next a steady row with sum S and least remaining time
 * R gives task k the share s_k (R_k - t / S) / (R_k - t) after t.  That falls
 * while S <= 1, fastest for R; it rises while S > 1.  The first task runs over
 * its estimate at t = S R, and by rounding a little before.  The same holds
 * from any instant on at which the sum is known, for the rates sum to 1 and are
 * above the shares, or below. Result: false if nothing is known: ask
 * libra_row_share().
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

/* The sum of shares at an instant, where a row has bounds that leave it open.
 */
static inline void libra_row_know(struct libra_ledger_row *row, double now_s,
				  double share)
{
	row->known_s = now_s;
	row->known = share;
}

#endif
