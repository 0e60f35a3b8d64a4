/* SPDX-License-Identifier: GPL-2.0-or-later */
/* select.h - choose processors for a job: sets the choice of the ledger. */
#ifndef LIBRA_SHARE_SELECT_H
#define LIBRA_SHARE_SELECT_H

#include "core/share/state.h"

/* Choose processors from suitable rows; new_share is the job's share.
 * Result: 0, 1 if too few suit, or -1 with ENOMEM; for 1 and -1 nothing is
 *         chosen.
 */
int libra_share_choose(struct libra_engine *e, const struct libra_job *job,
		       double new_share);

/* Choose processors as libra_share_choose() does, then test the choice as a
 * whole (admits).  trial: the test changes nothing.  If the result is 1,
 * *reason says why.
 */
int libra_share_choose_whole(struct libra_engine *e,
			     const struct libra_job *job, bool trial,
			     enum libra_reason *reason);

#endif
