/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * aged.h - the ordinary task that has waited longest.
 *
 * So that promises keep no job waiting for ever, the oldest one that waits for
 * the policy's firm_age gets a planned start that does not move, one job at a
 * time, as in slurmctld (plugin/host/starvation.h).
 */
#ifndef SIM_PROMISES_AGED_H
#define SIM_PROMISES_AGED_H

#include "sim/slurm/promises/follow.h"

/* Give the oldest task a plan, once a minute while none has one. */
void promise_aged_plan(struct sched_promises *p);

/* Start it where it is planned, unless a limit or a hold keeps it. */
void promise_aged_start(struct sched_promises *p);

/* Take its plan away, and give it the same again; it may have no other.
 * Result of leave: the planned start.
 */
double promise_aged_leave(struct sched_promises *p);
void promise_aged_keep(struct sched_promises *p, uint32_t task, double start_s);

#endif
