/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slots.h - the jobs of an engine (slots), their tickets, and its actions.
 *
 * An offer takes a slot; the slot is free again when the job has left the
 * engine.  The ticket distinguishes a job in a slot from the next one there.
 * For engine.c; the part for policies is in engine_impl.h.
 */
#ifndef LIBRA_SLOTS_H
#define LIBRA_SLOTS_H

#include "core/engine_impl.h"

/* Reserve memory for one more job, and for all actions that the jobs can cause.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_slots_reserve(struct libra_engine *e);

/* Put a job into an unused slot and return the slot.  Never fails after
 * libra_slots_reserve().
 */
uint32_t libra_slot_take(struct libra_engine *e, const struct libra_job *job);

/* Return a new ticket for the job in a slot, never used before. */
uint64_t libra_slot_ticket(struct libra_engine *e, uint32_t slot);

/* Return the slot of a ticket, or LIBRA_NO_SLOT with ENOENT. */
uint32_t libra_slot_find(const struct libra_engine *e, uint64_t ticket);

/* Return the slot of a ticket as libra_slot_find() does, or LIBRA_NO_SLOT with
 * EINVAL if the job does not run.
 */
uint32_t libra_slot_running(const struct libra_engine *e, uint64_t ticket);

/* Advance the engine's time to now_s.  Ignore an earlier instant and NAN. */
static inline void libra_engine_tell_time(struct libra_engine *e, double now_s)
{
	if (now_s > e->now_s)
		e->now_s = now_s;
}

/* As libra_engine_offer(), with the given function of the policy as the
 * decision.
 */
typedef int libra_answer_f(struct libra_engine *e, uint32_t slot,
			   struct libra_verdict *verdict);
int libra_engine_ask(struct libra_engine *e, const struct libra_job *job,
		     double now_s, libra_answer_f *answer,
		     struct libra_verdict *verdict, struct libra_error *err);

/* Add to and remove from the list of uncommitted offers, oldest first. */
void libra_slot_link(struct libra_engine *e, uint32_t slot);
void libra_slot_unlink(struct libra_engine *e, uint32_t slot);

#endif
