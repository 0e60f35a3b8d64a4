/* SPDX-License-Identifier: GPL-2.0-or-later */
/* select.h - choose processors for a job: the choice of the ledger. */
#ifndef LIBRA_SHARE_SELECT_H
#define LIBRA_SHARE_SELECT_H

#include "core/share/state.h"

/* Choose among the rows that suit, one by one; new_share is the job's.
 * Result: 0, 1 if too few suit, or -1 with ENOMEM; then nothing is chosen.
 */
int libra_share_choose(struct libra_engine *e, const struct libra_job *job,
		       double new_share);

/* The same, and is the choice good as a whole?  trial: the question changes
 * nothing.  Where the result is 1, *reason says why.
 */
int libra_share_choose_whole(struct libra_engine *e,
			     const struct libra_job *job, bool trial,
			     enum libra_reason *reason);

#endif
