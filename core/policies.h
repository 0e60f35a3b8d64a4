/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policies.h - the tables that policy.c lists; for the core alone. */
#ifndef LIBRA_POLICIES_H
#define LIBRA_POLICIES_H

#include "core/policy.h"

extern const struct libra_policy_type libra_policy_libra;
extern const struct libra_policy_type libra_policy_librarisk;
extern const struct libra_policy_type libra_policy_edf;
extern const struct libra_policy_type libra_policy_fcfs;
extern const struct libra_policy_type libra_policy_easy;
extern const struct libra_policy_type libra_policy_conservative;
extern const struct libra_policy_type libra_policy_fcfs_bf;
extern const struct libra_policy_type libra_policy_edf_bf;
extern const struct libra_policy_type libra_policy_firstreward;

#endif
