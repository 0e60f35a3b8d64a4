/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_list.h - a list of at most LIBRA_GANG_FEW jobs that are due for
 * something.
 *
 * A full list that gets another job becomes incomplete (many): its reader then
 * visits all jobs.  Cost of a call: O(LIBRA_GANG_FEW).
 */
#ifndef LIBRA_GANG_SHORT_LIST_H
#define LIBRA_GANG_SHORT_LIST_H

#include "core/gang/state.h"

/* Add a job; nothing changes if it is there.  If the list is full, set `many`
 * instead.
 */
void libra_gang_short_list_add(struct libra_gang_short_list *few,
			       uint32_t slot);

/* Remove a job; nothing changes if it is not there. */
void libra_gang_short_list_drop(struct libra_gang_short_list *few,
				uint32_t slot);

#endif
