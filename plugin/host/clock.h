/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - the host's time: the wall clock, which may be set.
 *
 * Called in any thread, under the host's lock.  No lock of Slurm is needed.
 */
#ifndef LIBRA_HOST_CLOCK_H
#define LIBRA_HOST_CLOCK_H

#include "plugin/host/state.h"

/* Return the wall clock's time, in seconds of the epoch.  If the wall clock has
 * moved by more than 5 s against the steady clock, the clock was set: first
 * shift the engine and the stored instants by as much, log that, and carry out
 * the engine's actions (actions.h).  Deadlines stay.
 */
double host_now(struct host_state *h);

#endif
