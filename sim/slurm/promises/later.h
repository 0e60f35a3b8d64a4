/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * later.h - jobs that ask for a promise when they may start, as in slurmctld:
 * held ones, those that depend on another, and those that begin later.
 *
 * Until then, and while the answer is no, such a job waits outside Slurm's
 * order.  The job asks again whenever processors may have become free.  If its
 * deadline cannot be met any more, the job is cancelled.  Tasks of an array are
 * promised one by one.  Once all promised tasks have started, a refusal makes
 * the other tasks ordinary.
 */
#ifndef SIM_PROMISES_LATER_H
#define SIM_PROMISES_LATER_H

#include "sim/slurm/promises/follow.h"

/* Add a job that asks later.  Result: false without memory; p->m->failed is
 * set.
 */
bool promise_later_add(struct sched_promises *p, uint32_t job);

/* Ask the engine for each added job that may start at p->m->now_s, and set
 * p->later.next_s.
 */
void promise_later_ask(struct sched_promises *p);

#endif
