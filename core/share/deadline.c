/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deadline.c - invert the admission test: by remaining shares, by bisection, or
 * by trial.
 */
#include "core/share/deadline.h"

#include <math.h>
#include <string.h>

#include "core/formula/bisect.h"
#include "core/formula/share.h"
#include "core/share/placement.h"
#include "core/share/select.h"

/* Number of deadlines to try if only a trial can answer: up to some 70,000
 * times the estimate.
 */
#define TRIALS	     64
#define TRIAL_FACTOR 1.2
/* How often the last deadline is doubled if a reserve refuses it.  That
 * deadline is later than all others, and in the end the promised work is below
 * the least use that the reserve refuses.
 */
#define DOUBLINGS 8

/* Collect the remaining share of each row that has any, as a heap.
 * Result: how many rows.
 */
static uint32_t collect_rooms(struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->ledger.nrows; i++) {
		const struct libra_ledger_row *row = &s->ledger.rows[i];

		s->keys[i] =
			libra_share_usable(e, row) ? traits->room(e, row) : -1;
		if (s->keys[i] > LIBRA_LEAST_ROOM)
			s->fits[n++] = (struct libra_fit){s->keys[i], i};
	}
	libra_fit_heap(s->fits, n);
	return n;
}

/* Return the least remaining share among the processors that a job would get if
 * it were given those with most.
 * Result: < 0 if too few have any.
 */
static double room_for(struct libra_engine *e, const struct libra_job *job)
{
	struct libra_share_state *s = libra_share_state(e);
	struct libra_choice choice = {s->suits, s->keys};
	uint32_t n = collect_rooms(e), nprocs = job->nprocs;

	memset(s->suits, 0, s->ledger.nrows * sizeof(*s->suits));
	while (n > 0) {
		struct libra_fit top = s->fits[0];
		uint32_t have = s->ledger.rows[top.row].pub.nprocs;
		bool enough = have >= nprocs;

		s->suits[top.row] = true;
		if (job->where)
			enough = libra_place(e, &s->ledger, job, &choice,
					     s->node_fits) == 0;
		libra_ledger_unpick(&s->ledger);
		if (enough)
			return top.key;
		nprocs -= have < nprocs ? have : nprocs - 1;
		libra_fit_pop(s->fits, n--);
	}
	return -1;
}

/* A job and the deadline to try. */
struct trial {
	struct libra_engine *e;
	struct libra_job job;
	enum libra_reason reason; /* why the last one was refused */
};

static bool would_accept(void *context, double deadline_s)
{
	struct trial *trial = context;
	struct libra_engine *e = trial->e;
	int chosen;

	trial->reason = LIBRA_REASON_NONE;
	/* The end of the interval was tried first. */
	if (libra_search_is_spent(e))
		return false;
	trial->job.deadline_s = deadline_s;
	chosen = libra_share_choose_whole(e, &trial->job, true, &trial->reason);
	libra_ledger_unpick(&libra_share_state(e)->ledger);
	return chosen == 0;
}

/* Return a deadline later than all others, and far enough for all that is
 * promised.
 */
static double surely_accepted(const struct libra_engine *e,
			      const struct libra_job *job)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	double sum_s = job->estimate_s, last_s = e->now_s;

	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		const struct libra_ledger_row *row = &ledger->rows[i];

		for (uint32_t k = 0; k < row->pub.ntasks; k++) {
			sum_s += row->tasks[k].estimate_s;
			last_s = fmax(last_s, row->tasks[k].deadline_s);
		}
	}
	return last_s + 2 * sum_s;
}

static double bisect(struct libra_engine *e, const struct libra_job *job)
{
	struct trial trial = {e, *job, LIBRA_REASON_NONE};
	double low_s = e->now_s + job->estimate_s;
	double high_s = surely_accepted(e, job);
	double found_s =
		libra_bisect_deadline(low_s, high_s, would_accept, &trial);

	for (int i = 0; i < DOUBLINGS && found_s == INFINITY &&
			trial.reason == LIBRA_REASON_RESERVE;
	     i++) {
		low_s = high_s;
		high_s = e->now_s + 2 * (high_s - e->now_s);
		found_s = libra_bisect_deadline(low_s, high_s, would_accept,
						&trial);
	}
	return found_s;
}

/* Return the first of a series of deadlines with which the job would be
 * admitted.
 */
static double try_deadlines(struct libra_engine *e, const struct libra_job *job)
{
	struct libra_job trial = *job;
	double duration_s = job->estimate_s;

	libra_share_observe(e);
	for (int i = 0; i < TRIALS; i++, duration_s *= TRIAL_FACTOR) {
		enum libra_reason reason;

		trial.deadline_s = job->submit_s + duration_s;
		if (trial.deadline_s <= e->now_s)
			continue;
		if (libra_share_choose_whole(e, &trial, true, &reason) == 0) {
			libra_ledger_unpick(&libra_share_state(e)->ledger);
			return trial.deadline_s;
		}
	}
	return INFINITY;
}

/* Return the distance to the next double of the same sign.  A smaller step
 * would be lost in the difference of two instants, and a loop of such steps
 * endless.
 */
static double spacing(double instant_s)
{
	return nextafter(fabs(instant_s), INFINITY) - fabs(instant_s);
}

double libra_share_earliest_deadline(struct libra_engine *e,
				     const struct libra_job *job)
{
	const struct libra_share_traits *traits = e->policy->traits;
	double room, deadline_s, step_s;

	if (traits->admits)
		return try_deadlines(e, job);
	if (libra_share_reserve(libra_share_state(e)) < 0)
		return INFINITY;
	if (!traits->room)
		return bisect(e, job);
	room = room_for(e, job);
	if (room < 0)
		return INFINITY;
	/* Without a guarantee any deadline may be accepted; a promise needs the
	 * estimate.
	 */
	room = fmin(room, 1);
	deadline_s = job->submit_s + job->estimate_s / room;
	/* Rounding may have lost some of the quotient: never promise too much.
	 */
	step_s = fmax(spacing(job->submit_s), spacing(deadline_s));
	while (job->estimate_s / (deadline_s - job->submit_s) > room)
		deadline_s += step_s;
	return deadline_s > e->now_s ? deadline_s : e->now_s;
}
