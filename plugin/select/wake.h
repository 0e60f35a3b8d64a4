/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wake.h - wake the thread that starts promised jobs (starter.h), or end it.
 *
 * Any thread may call libra_wake(), with any lock of Slurm or the host's lock
 * held.  The other functions are for starter.c.
 */
#ifndef LIBRA_SELECT_WAKE_H
#define LIBRA_SELECT_WAKE_H

#include <stdbool.h>

struct timespec;

/* Let the thread begin a pass at once; without a call it does once a second. */
void libra_wake(void);

/* Wait until libra_wake(), libra_wake_end() or an instant of CLOCK_MONOTONIC.
 * Result: false if the thread must end, as the plugin ends.
 */
bool libra_wake_wait(const struct timespec *until);

/* Ask the thread to end, and return whether it was asked. */
void libra_wake_end(void);
bool libra_wake_is_ended(void);

/* Forget that the thread was asked to end. */
void libra_wake_reset(void);

#endif
