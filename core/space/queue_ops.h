/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_ops.h - the operations of queue policies on space-shared processors.
 *
 * All queue policies share them.  A policy has one queue, and each schedule
 * call makes one pass over it: see easy.h and, for conservative backfilling,
 * conservative.h.
 */
#ifndef LIBRA_SPACE_QUEUE_OPS_H
#define LIBRA_SPACE_QUEUE_OPS_H

#include "core/space/state.h"

extern const struct libra_policy_ops libra_space_ops;

#endif
