/* SPDX-License-Identifier: GPL-2.0-or-later */
/* offer.h - ask the engine for the promise of a task. */
#ifndef SIM_PROMISES_OFFER_H
#define SIM_PROMISES_OFFER_H

#include "sim/slurm/promises/follow.h"

/* Ask the engine to promise a task its deadline; p->request describes the
 * task's job.  A promised task has a ticket in p->seats.
 * Result: true if promised; false if a limit or the engine refuses.
 * Errors: sets p->m->failed.
 */
bool promise_offer_task(struct sched_promises *p, uint32_t task);

/* If a reservation has moved since the last call, count a change of the model,
 * so that the loops of Slurm test the waiting jobs again.
 */
void promise_see_moves(struct sched_promises *p);

#endif
