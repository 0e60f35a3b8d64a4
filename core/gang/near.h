/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * near.h - the lists of a job's neighbours (struct libra_gang_side).
 *
 * Two jobs that share a processor are on each other's sides: the one with the
 * earlier deadline before, the other behind, be they late or not.  A list has
 * room for LIBRA_GANG_LISTED neighbours.  A side counts the neighbours that
 * come after its list is full, and lists no other neighbour until all that are
 * not listed have left.  For gang.c alone; gang.h has how to read a side.
 */
#ifndef LIBRA_NEAR_H
#define LIBRA_NEAR_H

#include "core/gang/gang.h"

/* Make room for so many neighbours on each side, as far as they are listed.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_gang_reserve_sides(struct libra_gang_job *job, uint32_t before,
			     uint32_t behind);

/* Put two jobs on each other's sides; there is room. */
void libra_gang_pair(struct libra_gang *g, uint32_t slot, uint32_t near);

/* Take a job off the sides of all its neighbours.
 * Cost: O(neighbours), in a crowd O(jobs x ranges).
 */
void libra_gang_leave(struct libra_gang *g, uint32_t slot);

/* Give a job that is not in the order its new deadline.  The neighbours between
 * the old and the new one change sides; no other list changes.
 */
void libra_gang_change_sides(struct libra_gang *g, uint32_t slot,
			     double deadline_s);

/* For libra_gang_check(): does a side list neighbours that exist, each once,
 * and count all of them?
 */
bool libra_gang_check_side(const struct libra_gang *g, uint32_t slot,
			   const struct libra_gang_side *side);

#endif
