/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reservations.h - the jobs that wait with a promise, kept in order.
 *
 * The order is that of their latest starts; whoever changes those sorts again.
 * The list knows nothing of the profile (admit.h).
 */
#ifndef LIBRA_SPACE_RESERVATIONS_H
#define LIBRA_SPACE_RESERVATIONS_H

#include "core/space/planned.h"

/* There must be room; libra_reservations_make_room().  Result: its place. */
uint32_t libra_reservations_insert(struct libra_planned_state *s,
				   const struct libra_reservation *plan);
void libra_reservations_extract(struct libra_planned_state *s, uint32_t place);

/* The place of a slot that waits, or nwaiting.  It costs what the place has
 * moved since it was last found.
 */
uint32_t libra_reservations_find(const struct libra_planned_state *s,
				 uint32_t slot);

/* How many are firm, late, untold and pending follows the plan at a place: take
 * it out of the count (-1) before those change, and count it (1) after.
 */
void libra_reservations_count(struct libra_planned_state *s,
			      const struct libra_reservation *plan, int by);

void libra_reservations_sort(struct libra_planned_state *s);

/* Until they are sorted again: in order of their starts. */
void libra_reservations_sort_by_start(struct libra_planned_state *s);

#endif
