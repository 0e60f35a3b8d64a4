/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * easy.h - one pass over the queue, with a reservation for its head alone.
 *
 * While the head of the queue fits the free processors it is started, or
 * refused if it would end too late.  Then, with backfilling (EASY or STRICT),
 * other jobs start that fit and cannot delay the head.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_EASY_H
#define LIBRA_SPACE_EASY_H

#include "core/space/state.h"

void libra_backfill_schedule(struct libra_engine *e);

#endif
