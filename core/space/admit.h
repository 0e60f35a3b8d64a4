/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admit.h - where jobs with a promise find their places in time.
 *
 * A new job J takes
 *     1  the earliest start in the profile, by its latest one, with some
 *        processors held back; else in the full profile.  The others stay.
 *     2  else, in a profile of the running jobs alone, all that wait and J, by
 *        latest start, each at its earliest hole.  If each finds one by its
 *        latest start, all that is adopted; else J is refused.
 * A job that could not end by its deadline even now is accepted only if it can
 * start now: a start is promised, not its deadline.
 *
 * For the core alone; the state is at e->now_s after
 * libra_reservations_catch_up().
 */
#ifndef LIBRA_SPACE_ADMIT_H
#define LIBRA_SPACE_ADMIT_H

#include "core/space/planned.h"

/* Bring profile and plans up to now: who overruns, what has been lost, and
 * where plans may come forward.
 */
void libra_reservations_catch_up(struct libra_engine *e);

/* What a job is to the plans: times but no start yet. */
struct libra_reservation libra_reservation_of(const struct libra_engine *e,
					      const struct libra_job *job,
					      uint32_t slot, uint64_t order);

/* Find a place for a plan, and keep it if adopt is set.  latest_s of what is
 * kept may be the start that it got.
 * Result: false, and nothing changed, if there is none.
 */
bool libra_reservations_admit(struct libra_engine *e,
			      struct libra_reservation *plan, bool adopt);

/* Keep a plan at its start, whatever the profile says. */
void libra_reservations_add(struct libra_engine *e,
			    const struct libra_reservation *plan);

/* By node all is drawn anew after a change; before a question. */
void libra_reservations_refresh(struct libra_engine *e);

/* The earliest start in the profile, by an instant, or INFINITY.  Nothing is
 * changed.
 */
double libra_reservations_earliest(struct libra_engine *e,
				   const struct libra_reservation *plan,
				   double latest_s);

/* The same beside the running jobs alone. */
double libra_reservations_earliest_alone(struct libra_engine *e,
					 const struct libra_reservation *plan);

/* Take out the plan at a place, to be kept again or forgotten. */
struct libra_reservation libra_reservations_remove(struct libra_engine *e,
						   uint32_t place);
void libra_reservations_discard(struct libra_engine *e,
				struct libra_reservation *plan);

/* Are the processors that a plan names free?  Start the one at a place. */
bool libra_reservations_can_start(const struct libra_engine *e,
				  const struct libra_reservation *plan);
void libra_reservations_start(struct libra_engine *e, uint32_t place);

/* Take out the plan at a place. */
void libra_reservations_cancel(struct libra_engine *e, uint32_t place);

/* The profile below 0 somewhere: can the jobs that wait move so that each keeps
 * its latest start?  If so they do.
 */
bool libra_reservations_make_way(struct libra_engine *e);

/* A job that runs is expected to end at another instant; the profile follows,
 * and may be below 0 then.
 */
void libra_reservations_set_end(struct libra_engine *e, uint32_t slot,
				double end_s);

/* A job that runs has ended, or does not start after all. */
void libra_reservations_release(struct libra_engine *e, uint32_t slot);

/* Start a job that is in no queue and has no plan; by node its spans are those
 * that it holds.
 */
void libra_reservations_start_now(struct libra_engine *e, uint32_t slot);

#endif
