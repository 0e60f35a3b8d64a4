/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_list.h - jobs that wait for one thing, at most LIBRA_GANG_FEW of them.
 *
 * A list that was full is incomplete from then on: its reader looks at all
 * jobs. Cost: O(LIBRA_GANG_FEW).
 */
#ifndef LIBRA_GANG_SHORT_LIST_H
#define LIBRA_GANG_SHORT_LIST_H

#include "core/gang/state.h"

/* Put a job on a list; nothing changes if it is there.  If the list is full, it
 * is marked as incomplete (many) instead.
 */
void libra_gang_short_list_add(struct libra_gang_short_list *few,
			       uint32_t slot);

/* Take a job off a list; nothing changes if it is not there. */
void libra_gang_short_list_drop(struct libra_gang_short_list *few,
				uint32_t slot);

#endif
