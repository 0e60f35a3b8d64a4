/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deadline.h - find the earliest deadline with which a job would be accepted.
 */
#ifndef LIBRA_SHARE_DEADLINE_H
#define LIBRA_SHARE_DEADLINE_H

#include "core/share/state.h"

/* Return the earliest deadline, as libra_engine_earliest_deadline(); the engine
 * is for a share policy.  No promise changes.
 */
double libra_share_earliest_deadline(struct libra_engine *e,
				     const struct libra_job *job);

#endif
