/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slots.h - the jobs that an engine holds, their tickets, and its actions.
 *
 * A slot is taken by an offer and free again when the job is gone; its ticket
 * tells one job in it from the next.  For engine.c; what policies need of it is
 * in engine_impl.h.
 */
#ifndef LIBRA_SLOTS_H
#define LIBRA_SLOTS_H

#include "core/engine_impl.h"

/* Make room for one job more, and for all actions that the jobs may cause.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_slots_reserve(struct libra_engine *e);

/* Put a job into an unused slot; there must be room. */
uint32_t libra_slot_take(struct libra_engine *e, const struct libra_job *job);

/* A ticket for the job in a slot, never used before. */
uint64_t libra_slot_ticket(struct libra_engine *e, uint32_t slot);

/* The slot of a ticket, or LIBRA_NO_SLOT with ENOENT. */
uint32_t libra_slot_find(const struct libra_engine *e, uint64_t ticket);

/* The same, or LIBRA_NO_SLOT with EINVAL if the job does not run. */
uint32_t libra_slot_running(const struct libra_engine *e, uint64_t ticket);

/* Time never goes back; NaN is no time. */
static inline void libra_engine_tell_time(struct libra_engine *e, double now_s)
{
	if (now_s > e->now_s)
		e->now_s = now_s;
}

/* As libra_engine_offer(), answered by one of the policy's functions. */
typedef int libra_answer_f(struct libra_engine *e, uint32_t slot,
			   struct libra_verdict *verdict);
int libra_engine_ask(struct libra_engine *e, const struct libra_job *job,
		     double now_s, libra_answer_f *answer,
		     struct libra_verdict *verdict, struct libra_error *err);

/* The list of offers that wait for their commit, oldest first. */
void libra_slot_link(struct libra_engine *e, uint32_t slot);
void libra_slot_unlink(struct libra_engine *e, uint32_t slot);

#endif
