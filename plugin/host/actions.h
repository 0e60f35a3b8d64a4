/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * actions.h - carry out the actions that an engine has queued: START, HOLD,
 * RESUME, RESHARE, LATE, REJECT.
 *
 * Called in any thread, under the host's lock, after each call that changes the
 * engine.  No lock of Slurm is needed.
 */
#ifndef LIBRA_HOST_ACTIONS_H
#define LIBRA_HOST_ACTIONS_H

#include "plugin/host/state.h"

/* Let the engine decide which jobs have their turn, then carry out all queued
 * actions: mark jobs as able to start and records as stale, mark broken
 * promises and log them, and remove expired offers from the job table.  Slurm's
 * job records stay as they are; ops->wake may be called.  A pointer to a
 * tracked offer may be invalid afterwards.
 */
void host_sync_actions(struct host_state *h, double now_s);

#endif
