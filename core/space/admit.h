/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admit.h - admit, start and remove reservations; keep the schedule valid.
 *
 * A new job J gets
 *     1  the earliest start that fits the current timeline, if that is not
 *        after its latest start.  The first search leaves rules.held_back
 *        processors free, the second none.  No other start changes.  By node,
 *        other jobs may move to other nodes.
 *     2  else, if rules.replan is set, a replan.  All waiting jobs and J get
 *        their earliest fit beside running jobs, holds and outages, in order of
 *        latest start.  If each fits by its latest start, this trial schedule
 *        becomes the current one.  Else J is refused.
 * In an engine that compresses later, other jobs only move for J if there are
 * at most LIBRA_SEARCH_BUDGET reservations x nodes (by count: reservations x
 * steps of the timeline / 16).
 *
 * If J could not end by its deadline even if it started now, J is accepted
 * only if it can start now: its start is promised, its deadline is not.
 *
 * For core/space alone, without a lock (engine.h).  Before other calls
 * libra_reservations_catch_up() brings the state to e->now_s.  No function here
 * allocates memory: the offer has reserved it.  All times are instants in
 * seconds.
 */
#ifndef LIBRA_SPACE_ADMIT_H
#define LIBRA_SPACE_ADMIT_H

#include "core/space/planned.h"

/* Bring the schedule to e->now_s: drop expired holds, extend overruns, repair
 * after a loss, and compress if capacity has grown.  Call it before a
 * decision.
 */
void libra_reservations_catch_up(struct libra_engine *e);

/* Return a reservation for a job, without a start or spans.  order: number of
 * the offer, which breaks ties.
 */
struct libra_reservation libra_reservation_of(const struct libra_engine *e,
					      const struct libra_job *job,
					      uint32_t slot, uint64_t order);

/* Find a start for a reservation, and write it to plan->start_s.  If adopt is
 * set, insert a copy of the reservation into the list, which owns its spans.
 * With rules.hard, and for an aged reservation, latest_s becomes the start.  If
 * adopt is not set, no reservation changes and no spans remain.
 * Result: false if there is no start, the search budget is spent or another
 *         job is unplaced; no reservation has changed then.
 * Cost:   O(timeline) for an earliest fit.  A replan costs O(reservations x
 *         timeline) by count (assign.h).  With nodes, each instant tried and
 *         each reservation that gets other nodes adds O(nodes).
 */
bool libra_reservations_admit(struct libra_engine *e,
			      struct libra_reservation *plan, bool adopt);

/* Insert a reservation at the start that it has, without a test that it fits.
 * The list takes over its spans.
 */
void libra_reservations_add(struct libra_engine *e,
			    const struct libra_reservation *plan);

/* By node: if timeline and lanes have become invalid, rebuild both.  Call it
 * before they are read.
 */
void libra_reservations_refresh(struct libra_engine *e);

/* Return the earliest start at or before latest_s beside all reservations, or
 * INFINITY.  No reservation changes, and no search budget applies.
 */
double libra_reservations_earliest(struct libra_engine *e,
				   const struct libra_reservation *plan,
				   double latest_s);

/* Return the earliest start beside running jobs, holds and outages alone, or
 * INFINITY.  Overwrites the trial schedule.
 */
double libra_reservations_earliest_alone(struct libra_engine *e,
					 const struct libra_reservation *plan);

/* Remove the reservation at an index (place) and return it.  The caller owns
 * its spans: libra_reservations_add() takes them back, _discard() frees them.
 */
struct libra_reservation libra_reservations_remove(struct libra_engine *e,
						   uint32_t place);
void libra_reservations_discard(struct libra_engine *e,
				struct libra_reservation *plan);

/* Return true if the processors of a reservation (by node: on its nodes) are
 * free now.  _start: remove the reservation at an index and start its job.
 */
bool libra_reservations_can_start(const struct libra_engine *e,
				  const struct libra_reservation *plan);
void libra_reservations_start(struct libra_engine *e, uint32_t place);

/* Remove the reservation at an index and free its spans. */
void libra_reservations_cancel(struct libra_engine *e, uint32_t place);

/* If the timeline is below 0 anywhere, move waiting jobs within their latest
 * starts, if need be to other nodes.
 * Result: true if all fits now; false if not, and no reservation has moved.
 */
bool libra_reservations_make_way(struct libra_engine *e);

/* Change the expected end (an instant) of a job on its processors.  The
 * timeline may be below 0 afterwards: see libra_reservations_make_way().
 */
void libra_reservations_set_end(struct libra_engine *e, uint32_t slot,
				double end_s);

/* Change the expected end (an instant) of a job on its processors.  If it is
 * later than before, the next libra_reservations_catch_up() rebuilds the
 * schedule and repairs what no longer fits.
 */
void libra_reservations_expect(struct libra_engine *e, uint32_t slot,
			       double end_s);

/* Free the processors of a job that has ended or does not start after all. */
void libra_reservations_release(struct libra_engine *e, uint32_t slot);

/* Start a job that is in no queue and has no reservation.  By node the caller
 * has put its spans into nodes->held[slot].
 */
void libra_reservations_start_now(struct libra_engine *e, uint32_t slot);

#endif
