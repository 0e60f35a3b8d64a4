/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * aged.h - a reservation for the ordinary task that has waited longest.
 *
 * Promises must not keep an ordinary job waiting for ever.  Of the jobs that
 * have waited for the policy's firm_age, the oldest gets a planned start, which
 * does not move.  One task at a time has such a plan, as in slurmctld
 * (core/guard.h).
 */
#ifndef SIM_PROMISES_AGED_H
#define SIM_PROMISES_AGED_H

#include "sim/slurm/promises/follow.h"

/* Plan the oldest task, if no task has a plan and the guard permits a search
 * now (libra_guard_looks()).
 */
void promise_aged_plan(struct sched_promises *p);

/* Start the planned task on its processors.  If a limit or a hold bars the
 * task, drop the plan and tell the guard (libra_guard_gave_up()).
 */
void promise_aged_start(struct sched_promises *p);

/* Drop the plan.  Result: its planned start, an instant. */
double promise_aged_leave(struct sched_promises *p);

/* Restore a dropped plan at start_s.  Errors: sets p->m->failed. */
void promise_aged_keep(struct sched_promises *p, uint32_t task, double start_s);

#endif
