/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_ops.h - what the engine asks space-shared policies, the same for all of
 * them.
 *
 * One queue, one pass at each schedule: see easy.h and, for conservative
 * backfilling, conservative.h.
 */
#ifndef LIBRA_SPACE_QUEUE_OPS_H
#define LIBRA_SPACE_QUEUE_OPS_H

#include "core/space/state.h"

extern const struct libra_policy_ops libra_space_ops;

#endif
