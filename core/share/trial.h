/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.h - trials: would several equal jobs be accepted one after the other?
 */
#ifndef LIBRA_SHARE_TRIAL_H
#define LIBRA_SHARE_TRIAL_H

#include "core/share/state.h"

/* As libra_engine_would_accept(), on a copy of the ledger.
 * Result: false also if memory is out, and if njobs > 1 for a policy with
 *         `admits`, which decides by more state than the ledger.
 */
bool libra_share_would_accept(struct libra_engine *e,
			      const struct libra_job *job, uint32_t njobs);

/* As surely_accepts of libra_policy_ops, by what the rows have left. */
bool libra_share_surely_accepts(struct libra_engine *e,
				const struct libra_job *job, uint32_t njobs);

#endif
