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
extern const struct libra_policy_type libra_policy_demand;
extern const struct libra_policy_type libra_policy_band;
extern const struct libra_policy_type libra_policy_market_be;
extern const struct libra_policy_type libra_policy_market_sac;
extern const struct libra_policy_type libra_policy_market_cac;
extern const struct libra_policy_type libra_policy_random_reject;

/* The over-estimate rule of need.h, as parameters. */
#define LIBRA_PARAM_OVERRUN                                                    \
	{                                                                      \
		.name = "overrun", .type = LIBRA_PARAM_NUMBER, .unit = "",     \
		.value = 0.1, .max = 10,                                       \
		.help = "need of a job over its estimate, as a part of what "  \
			"it has executed",                                     \
	}
#define LIBRA_PARAM_OVERRUN_FLOOR                                              \
	{                                                                      \
		.name = "overrun_floor", .type = LIBRA_PARAM_NUMBER,           \
		.unit = "s", .value = 1, .max = 1e6,                           \
		.help = "least need of a job over its estimate",               \
	}

#endif
