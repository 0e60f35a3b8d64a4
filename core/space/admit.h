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
 * In an engine that compresses later (libra_engine_conf.compress_later), other
 * jobs only move for J if that is cheap: if reservations x nodes (not by node:
 * reservations x steps of the timeline / 16) is at most LIBRA_SEARCH_BUDGET.
 * By node, such an engine first looks for the earliest start at which the other
 * jobs keep their nodes.  If there is none, J gets the earliest start that fits
 * the timeline, and other jobs move to other nodes.
 *
 * If J could not end by its deadline even if it started now, J is accepted
 * only if it can start now: its start is promised, its deadline is not.
 *
 * Only core/space calls these functions, without a lock (engine.h).  The caller
 * calls libra_reservations_catch_up() first, which brings the state to
 * e->now_s.  No function here allocates memory: the offer or the restore has
 * reserved it.  All times are instants in seconds.  An index is one in
 * libra_planned_state.waiting: each function that adds, removes or moves
 * reservations makes indices and pointers into the list invalid.
 */
#ifndef LIBRA_SPACE_ADMIT_H
#define LIBRA_SPACE_ADMIT_H

#include "core/space/planned.h"

/* Bring the schedule to e->now_s: drop expired holds, delay overdue starts,
 * extend overruns, rebuild an invalid timeline and repair after a loss.  If
 * capacity has grown, compress, unless the engine compresses later.  Call it
 * before a decision.
 * Cost: O(reservations) if nothing has changed; after a loss, that of
 *       libra_replan_repair().
 */
void libra_reservations_catch_up(struct libra_engine *e);

/* Return a reservation for a job, without a start or spans.  Nothing is
 * reserved.  slot: the job's, or e->nslots or more for a job that is only
 * tried.  The caller stores the placement constraint (libra_nodes_shape()).
 * order: number of the offer, which breaks ties.
 */
struct libra_reservation libra_reservation_of(const struct libra_engine *e,
					      const struct libra_job *job,
					      uint32_t slot, uint64_t order);

/* Find a start for a reservation, and write it to plan->start_s.  If adopt is
 * set, insert a copy of the reservation into the list and reserve it.  The list
 * owns the spans then: the caller must not free plan->spans.  With rules.hard,
 * and for an aged reservation, latest_s becomes the start.  If adopt is not
 * set, no start changes and no spans remain.
 * Result: false if there is no start, the search budget is spent or another
 *         job is unplaced.  No start has changed then, plan->start_s is
 *         undefined, and plan has no spans.  By node, a second call may find a
 *         start that the budget of the first call did not reach.
 * Cost:   O(timeline) for an earliest fit.  A replan costs O(reservations x
 *         timeline) by count (assign.h).  With nodes, each instant tried and
 *         each reservation that gets other nodes adds O(nodes).
 */
bool libra_reservations_admit(struct libra_engine *e,
			      struct libra_reservation *plan, bool adopt);

/* Insert a copy of a reservation at the start that it has, and reserve it,
 * without a test that it fits.  The list takes over its spans.
 */
void libra_reservations_add(struct libra_engine *e,
			    const struct libra_reservation *plan);

/* By node: if timeline and lanes are invalid (libra_nodes.must_rebuild),
 * rebuild both.  Reservations keep their starts, but may get other nodes.  Call
 * it before timeline or lanes are read.
 * Cost: O(1) if they are valid.
 */
void libra_reservations_refresh(struct libra_engine *e);

/* Return the earliest start at or before latest_s beside all reservations, or
 * INFINITY.  By node this includes starts for which an offer would move other
 * jobs to other nodes.  No start changes.  No search budget applies: the caller
 * sets the budget again before other searches.
 */
double libra_reservations_earliest(struct libra_engine *e,
				   const struct libra_reservation *plan,
				   double latest_s);

/* Return the earliest start beside running jobs, holds and outages alone, or
 * INFINITY.  Discards the last try, and overwrites the trial schedule and the
 * search budget.
 */
double libra_reservations_earliest_alone(struct libra_engine *e,
					 const struct libra_reservation *plan);

/* Remove the reservation at an index (place), release its processors in the
 * current schedule, and return it.  The caller owns its spans:
 * libra_reservations_add() takes the spans back, _discard() frees them.
 */
struct libra_reservation libra_reservations_remove(struct libra_engine *e,
						   uint32_t place);
void libra_reservations_discard(struct libra_engine *e,
				struct libra_reservation *plan);

/* _can_start: return true if the processors of a reservation (by node: on its
 * nodes) are free now.  _start: remove the reservation at an index and start
 * its job now.  The caller has tested _can_start.  The job owns the spans then
 * (nodes->held), and its expected end is the planned one: planned start +
 * duration.
 */
bool libra_reservations_can_start(const struct libra_engine *e,
				  const struct libra_reservation *plan);
void libra_reservations_start(struct libra_engine *e, uint32_t place);

/* Remove the reservation at an index and free its spans. */
void libra_reservations_cancel(struct libra_engine *e, uint32_t place);

/* If the timeline, or by node a lane, is below 0 at any time: first try other
 * nodes at the same starts.  If that fails and rules.replan is set, move
 * waiting jobs within their latest starts.
 * Result: true if all fits now; false if not, and no reservation has moved.
 */
bool libra_reservations_make_way(struct libra_engine *e);

/* Change the expected end (an instant) of a running job, in the schedule as
 * well.  The timeline may be below 0 afterwards: the caller calls
 * libra_reservations_make_way().
 */
void libra_reservations_set_end(struct libra_engine *e, uint32_t slot,
				double end_s);

/* Change the expected end of a running job.  If the end is later than before,
 * the next libra_reservations_catch_up() rebuilds the schedule and repairs what
 * no longer fits; the caller need not call libra_reservations_make_way().
 */
void libra_reservations_expect(struct libra_engine *e, uint32_t slot,
			       double end_s);

/* Free the processors and the spans of a job that has ended, or whose start has
 * failed.
 */
void libra_reservations_release(struct libra_engine *e, uint32_t slot);

/* Start a job that is in no queue and has no reservation.  The caller has
 * tested that the job fits, and by node has put its spans into
 * nodes->held[slot], which owns the spans then.
 */
void libra_reservations_start_now(struct libra_engine *e, uint32_t slot);

/* Call libra_reservations_admit() for the plan of a job, unless the job's
 * deadline cannot be promised or the policy refuses the job (struct
 * libra_planned_traits).
 * Result: why the job is refused; LIBRA_REASON_NONE: plan->start_s is set.
 */
enum libra_reason libra_planned_admit(struct libra_engine *e,
				      const struct libra_job *job,
				      struct libra_reservation *plan,
				      bool adopt);

/* Return why a job would be refused now, or LIBRA_REASON_NONE.  No reservation
 * changes.  The caller has called libra_reservations_catch_up().
 */
enum libra_reason libra_planned_refusal(struct libra_engine *e,
					const struct libra_job *job);

#endif
