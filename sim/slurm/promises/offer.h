/* SPDX-License-Identifier: GPL-2.0-or-later */
/* offer.h - ask the engine for the promise of a task. */
#ifndef SIM_PROMISES_OFFER_H
#define SIM_PROMISES_OFFER_H

#include "sim/slurm/promises/follow.h"

/* Ask for a task of the job that p->request describes, by the task's deadline,
 * beside what runs or is promised.  After a promise the task has a seat.
 * Result: false if a limit or the engine refuses.  Errors: sets p->m->failed.
 */
bool promise_offer_task(struct sched_promises *p, uint32_t task);

/* If a plan has moved, a waiting job may start there: let the loops look. */
void promise_see_moves(struct sched_promises *p);

#endif
