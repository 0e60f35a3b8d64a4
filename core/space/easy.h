/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * easy.h - one pass over the queue, with a reservation for its head alone.
 *
 * While the head of the queue fits the free processors, the head starts, or is
 * refused if it would end too late.  Then, with backfilling (EASY or STRICT,
 * state.h), other jobs start that fit and cannot delay the head.
 *
 * Only core/space calls this, without a lock (engine.h).  Nothing is allocated.
 */
#ifndef LIBRA_SPACE_EASY_H
#define LIBRA_SPACE_EASY_H

#include "core/space/state.h"

/* Make one pass at e->now_s.  The host gets an action for each job that starts
 * or is refused.
 */
void libra_backfill_schedule(struct libra_engine *e);

#endif
