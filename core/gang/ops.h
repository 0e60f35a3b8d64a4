/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops.h - the policy functions that all gang policies have in common.
 *
 * A gang policy decides on which processors a job may be promised its deadline.
 * The rest (promise, dispatch, hold and resume, nodes) is common.
 */
#ifndef LIBRA_GANG_OPS_H
#define LIBRA_GANG_OPS_H

#include "core/gang/policy.h"

extern const struct libra_policy_ops libra_gang_ops;

#endif
