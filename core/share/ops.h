/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ops.h - what the engine asks share policies, the same for all of them. */
#ifndef LIBRA_SHARE_OPS_H
#define LIBRA_SHARE_OPS_H

#include "core/share/state.h"

extern const struct libra_policy_ops libra_share_ops;

#endif
