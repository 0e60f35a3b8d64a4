/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * actions.h - carry out the engine's actions: START, HOLD, RESUME, RESHARE,
 * LATE, REJECT.
 */
#ifndef LIBRA_HOST_ACTIONS_H
#define LIBRA_HOST_ACTIONS_H

#include "plugin/host/state.h"

/* Do what the engine wants done. */
void host_sync_actions(struct host_state *h, double now_s);

#endif
