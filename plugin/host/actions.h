/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * actions.h - carry out the actions that an engine has queued: START, HOLD,
 * RESUME, RESHARE, LATE, REJECT.
 *
 * Called under the host's lock, after each call that changes the engine.
 */
#ifndef LIBRA_HOST_ACTIONS_H
#define LIBRA_HOST_ACTIONS_H

#include "plugin/host/state.h"

/* Let the engine decide whose turn it is, then carry out all queued actions.
 * Jobs are marked as able to start, records as outdated, expired offers leave
 * the job table.  Nothing is written to Slurm; ops->wake may be called.  A
 * pointer to a tracked offer may be invalid afterwards.
 */
void host_sync_actions(struct host_state *h, double now_s);

#endif
