/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admit.h - admit, start and remove reservations; keep the schedule valid.
 *
 * A new job J gets
 *     1  the earliest start by its latest start that fits the current timeline,
 *        with some processors held back if possible.  No other start changes;
 *        by node, other jobs may move to other nodes.
 *     2  else, if rules.replan is set, a replan: beside running jobs, holds
 *        and outages alone, all waiting jobs and J get their earliest fit, in
 *        order of latest start.  If each fits by its latest start, the trial
 *        schedule becomes the current one.  Else J is refused.
 * If J could not end by its deadline even if it started now, J is accepted
 * only if it can start now: its start is promised, its deadline is not.
 *
 * For core/space alone.  libra_reservations_catch_up() brings the state to
 * e->now_s.  No function here allocates memory.
 */
#ifndef LIBRA_SPACE_ADMIT_H
#define LIBRA_SPACE_ADMIT_H

#include "core/space/planned.h"

/* Bring the schedule to e->now_s: drop expired holds, extend overruns, repair
 * after a loss, and compress if capacity has grown.  Call it before a
 * decision.
 */
void libra_reservations_catch_up(struct libra_engine *e);

/* Return a reservation for a job, without a start or spans. */
struct libra_reservation libra_reservation_of(const struct libra_engine *e,
					      const struct libra_job *job,
					      uint32_t slot, uint64_t order);

/* Find a start for a reservation, and write it to plan->start_s.  If adopt is
 * set, insert the reservation, whose spans the list owns; latest_s may become
 * its start (rules.hard, or an aged reservation).  Otherwise keep the schedule
 * as it is.
 * Result: false if there is no start, the search budget is spent or another
 * job is unplaced; no reservation has changed then.
 * Cost:   O(timeline) for a hole; by count (assign.h), O(reservations x
 * timeline) for a replan; with nodes, O(nodes) for each instant tried and for
 * each reservation that gets other nodes.
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

/* Remove the reservation at an index and return it.  The caller owns its
 * spans: libra_reservations_add() takes them back, _discard() frees them.
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

/* As above; if the end is later, all reservations are tested again. */
void libra_reservations_expect(struct libra_engine *e, uint32_t slot,
			       double end_s);

/* Free the processors of a job that has ended or does not start after all. */
void libra_reservations_release(struct libra_engine *e, uint32_t slot);

/* Start a job that is in no queue and has no reservation.  By node the caller
 * has put its spans into nodes->held[slot].
 */
void libra_reservations_start_now(struct libra_engine *e, uint32_t slot);

#endif
