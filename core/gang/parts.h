/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts.h - the processors of a job in a gang, as parts in index order.
 */
#ifndef CORE_GANG_PARTS_H
#define CORE_GANG_PARTS_H

#include "core/gang/state.h"

/* Set the parts of a job from a set: ranges of processors with gaps between.
 * Result: 0, or -1 with ENOMEM and the number of parts unchanged.
 */
int libra_gang_set_parts(struct libra_gang *g, uint32_t slot,
			 const uint64_t *set);

/* Count a change, of the residents of a job's processors or of the job's need,
 * in g->changes of all words of the job's span: the words of all runs that the
 * job is on, and of those that begin right after one of its parts.
 */
static inline void libra_gang_note_change(struct libra_gang *g, uint32_t slot)
{
	for (uint32_t w = g->spans[slot].first; w <= g->spans[slot].last; w++)
		g->changes[w]++;
}

#endif
