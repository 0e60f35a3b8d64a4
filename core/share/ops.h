/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ops.h - the policy functions that all share policies have in common. */
#ifndef LIBRA_SHARE_OPS_H
#define LIBRA_SHARE_OPS_H

#include "core/share/state.h"

extern const struct libra_policy_ops libra_share_ops;

#endif
