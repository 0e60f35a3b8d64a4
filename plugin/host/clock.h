/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - the time of the host, on a clock that may be set.
 */
#ifndef LIBRA_HOST_CLOCK_H
#define LIBRA_HOST_CLOCK_H

#include "plugin/host/state.h"

/* Now, in seconds of the epoch.  A steady clock beside it tells time that
 * passed, in which jobs worked, from a clock that was set: where that was by
 * more than some seconds, the engine and what is counted from an instant follow
 * first.
 */
double host_now(struct host_state *h);

#endif
