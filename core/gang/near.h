/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * near.h - the lists of a job's neighbours (struct libra_gang_side).
 *
 * Two jobs that share a processor are on each other's sides: the one with the
 * earlier deadline before, the other behind, late or not.  A list has room for
 * LIBRA_GANG_LISTED neighbours.  If the list of a side is full, the side counts
 * a new neighbour without listing it.  From then on the side lists no new
 * neighbour until all unlisted neighbours have left.
 *
 * The jobs own the lists, and libra_gang_fini() frees them.  Callers: the other
 * files of core/gang, under the lock of the engine's host.
 */
#ifndef LIBRA_GANG_NEAR_H
#define LIBRA_GANG_NEAR_H

#include "core/gang/state.h"

/* Reserve memory for this many neighbours on each side of a job, and at most
 * LIBRA_GANG_LISTED.
 * Result: 0, or -1 with ENOMEM; the lists are valid in any case.
 */
int libra_gang_reserve_sides(struct libra_gang_job *job, uint32_t before,
			     uint32_t behind);

/* Put two jobs on each other's sides.  Never fails after
 * libra_gang_reserve_sides().
 */
void libra_gang_pair(struct libra_gang *g, uint32_t slot, uint32_t near);

/* Remove a job from the sides of all its neighbours.
 * Cost:   O(neighbours), in a crowd O(jobs x ranges).
 */
void libra_gang_leave(struct libra_gang *g, uint32_t slot);

/* Set a new deadline of a job that the caller has taken out of the gang's
 * order.  The neighbours between the old and the new deadline change sides; no
 * other list changes.  If memory is out, a neighbour that changes sides becomes
 * unlisted.
 */
void libra_gang_change_sides(struct libra_gang *g, uint32_t slot,
			     double deadline_s);

/* Return true if two jobs share a processor. */
bool libra_gang_meet(const struct libra_gang_job *a,
		     const struct libra_gang_job *b);

/* As libra_gang_next_near(), for a crowded side: visits all jobs. */
uint32_t libra_gang_next_unlisted(const struct libra_gang *g, uint32_t slot,
				  const struct libra_gang_side *side,
				  uint32_t *cursor);

/* Return the next neighbour of a job on one of its sides; *cursor is 0 at
 * first.
 * Result: LIBRA_GANG_NOBODY after the last one.
 * Cost:   all of them O(neighbours), of a crowded side O(jobs x ranges).
 */
static inline uint32_t libra_gang_next_near(const struct libra_gang *g,
					    uint32_t slot,
					    const struct libra_gang_side *side,
					    uint32_t *cursor)
{
	if (libra_gang_is_crowded(side))
		return libra_gang_next_unlisted(g, slot, side, cursor);
	return *cursor < side->n ? side->slots[(*cursor)++] : LIBRA_GANG_NOBODY;
}

#endif
