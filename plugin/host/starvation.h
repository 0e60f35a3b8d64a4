/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starvation.h - the ordinary job that has waited longest has a plan, too.
 *
 * Slurm starts ordinary jobs where they end before a plan needs the place, so
 * that promises could keep one waiting for ever.  The oldest that has waited
 * for longer than the policy's firm_age gets a plan that does not move: one job
 * at a time.  One for which there is none now, or that Slurm does not start
 * where it has one, is passed over for some minutes.
 */
#ifndef LIBRA_HOST_STARVATION_H
#define LIBRA_HOST_STARVATION_H

#include "plugin/host/state.h"

/* The job that has a plan and may start now; 0 = none. */
uint32_t host_starvation_due(const struct host_state *h);

/* Once a second: is there one, and does it start? */
void host_starvation_sync(struct host_state *h, double now_s);

#endif
