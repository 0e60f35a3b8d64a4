/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reservations.h - the sorted list of reservations (s->waiting).
 *
 * The list is sorted by latest start, ties by order of offers.  After a change
 * of latest_s the caller sorts again.  A place is an index in the list.  The
 * functions change the list and its counters only: timeline and lanes (admit.h)
 * and the spans of a reservation are the caller's.
 *
 * Only core/space calls these functions, without a lock (engine.h).  None
 * allocates memory.
 */
#ifndef LIBRA_SPACE_RESERVATIONS_H
#define LIBRA_SPACE_RESERVATIONS_H

#include "core/space/planned.h"

/* Insert a copy of a reservation.  The caller has reserved memory for it with
 * libra_reservations_make_room().
 * Result: its index.
 */
uint32_t libra_reservations_insert(struct libra_planned_state *s,
				   const struct libra_reservation *plan);
/* Remove the reservation at an index.  Its spans stay the caller's. */
void libra_reservations_extract(struct libra_planned_state *s, uint32_t place);

/* Return the index of a slot's reservation, or nwaiting if it has none.
 * Cost: O(1), and a step for each place by which the index has changed since
 *       the last call for the slot.
 */
uint32_t libra_reservations_find(const struct libra_planned_state *s,
				 uint32_t slot);

/* Return the index of the first reservation behind (latest_s, order) in the
 * list, or nwaiting.
 * Cost: O(log reservations).
 */
uint32_t libra_reservations_behind(const struct libra_planned_state *s,
				   double latest_s, uint64_t order);

/* Add `by` to each counter (nfirm, nlate, nunreported, nunplaced) whose flag
 * the reservation has.  Call this with by -1 before a flag of a listed
 * reservation changes, and with by 1 afterwards.
 */
void libra_reservations_count(struct libra_planned_state *s,
			      const struct libra_reservation *plan, int by);

/* Sort by latest start.
 * Cost: O(reservations) if few are out of order.
 */
void libra_reservations_sort(struct libra_planned_state *s);

/* Sort by start, for a repair.  Before the next insert the caller sorts by
 * latest start again.
 */
void libra_reservations_sort_by_start(struct libra_planned_state *s);

#endif
