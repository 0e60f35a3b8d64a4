/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * later.h - jobs that ask for a promise when they may start, as in slurmctld:
 * held ones, those that depend on another, and those that begin later.
 *
 * Until then, and while the answer is no, such a job waits outside Slurm's
 * order.  It asks again whenever something has become free.  If its deadline
 * cannot be met any more, it is cancelled.  Tasks of an array are promised one
 * by one; if promised tasks have started and the others are refused, these are
 * ordinary.
 */
#ifndef SIM_PROMISES_LATER_H
#define SIM_PROMISES_LATER_H

#include "sim/slurm/promises/follow.h"

/* Add a job.  Result: false with p->m->failed: no memory. */
bool promise_later_add(struct sched_promises *p, uint32_t job);

/* Ask for the jobs that may start at p->m->now_s.  Sets p->later.next_s. */
void promise_later_ask(struct sched_promises *p);

#endif
