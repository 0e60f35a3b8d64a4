/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * aged.h - the plan of the ordinary task that has waited longest.
 *
 * Promises must not keep an ordinary job waiting for ever.  The oldest job that
 * has waited for the policy's firm_age gets a planned start, which does not
 * move.  One job at a time has such a plan, as in slurmctld (core/guard.h).
 */
#ifndef SIM_PROMISES_AGED_H
#define SIM_PROMISES_AGED_H

#include "sim/slurm/promises/follow.h"

/* Give the oldest task a plan, if none has one and it is time to look. */
void promise_aged_plan(struct sched_promises *p);

/* Start the planned task on its processors.  If a limit or a hold bars it, drop
 * the plan, as one that was given up.
 */
void promise_aged_start(struct sched_promises *p);

/* Drop the plan.  Result: its planned start. */
double promise_aged_leave(struct sched_promises *p);

/* Restore a dropped plan at the same start.  Errors: sets p->m->failed. */
void promise_aged_keep(struct sched_promises *p, uint32_t task, double start_s);

#endif
