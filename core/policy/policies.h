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
extern const struct libra_policy_type libra_policy_easy_sjbf;
extern const struct libra_policy_type libra_policy_conservative;
extern const struct libra_policy_type libra_policy_fcfs_bf;
extern const struct libra_policy_type libra_policy_edf_bf;
extern const struct libra_policy_type libra_policy_firstreward;
extern const struct libra_policy_type libra_policy_demand;
extern const struct libra_policy_type libra_policy_band;
extern const struct libra_policy_type libra_policy_planned;
extern const struct libra_policy_type libra_policy_market_be;
extern const struct libra_policy_type libra_policy_market_sac;
extern const struct libra_policy_type libra_policy_market_cac;
extern const struct libra_policy_type libra_policy_random_reject;

/* The over-estimate rule of need.h, as parameters. */
#define LIBRA_PARAM_OVERRUN                                                    \
	{                                                                      \
		.name = "overrun", .type = LIBRA_PARAM_NUMBER, .unit = "",     \
		.value = 0.1, .max = 10,                                       \
		.help = "what a job over its estimate counts as needing, as "  \
			"a part of what it has executed",                      \
	}
#define LIBRA_PARAM_OVERRUN_FLOOR                                              \
	{                                                                      \
		.name = "overrun_floor", .type = LIBRA_PARAM_NUMBER,           \
		.unit = "s", .value = 1, .max = 1e6,                           \
		.help = "least that a job over its estimate counts as "        \
			"needing",                                             \
	}

/* core/formula/reserve.h.  It goes by the load of the last offers, which a loop
 * that submits 20 jobs in a second drives to any height: where jobs share
 * processors, users of a cluster would be refused beside idle ones, and
 * cluster_params have it off.
 */
#define LIBRA_PARAM_MACHINE_RESERVE                                            \
	{                                                                      \
		.name = "machine_reserve", .type = LIBRA_PARAM_SWITCH,         \
		.unit = "", .value = 1, .max = 1,                              \
		.help = "under load refuse large jobs that would take what "   \
			"many small ones need",                                \
	}

/* The papers give a task past its deadline all of a processor, for ever if it
 * never ends: users of a cluster would find processors closed.
 */
#define LIBRA_PARAM_LATE_YIELDS                                                \
	{                                                                      \
		.name = "late_yields", .type = LIBRA_PARAM_SWITCH, .unit = "", \
		.max = 1,                                                      \
		.help = "a job past its deadline gets only what the others "   \
			"leave; no: it counts as a whole processor",           \
	}

/* The bound on a price: of the policies that sell shares, and of the paper that
 * compares them under names and values of its own.
 */
#define LIBRA_PARAM_GUARANTEE                                                  \
	{                                                                      \
		.name = "guarantee", .type = LIBRA_PARAM_NUMBER, .unit = "",   \
		.value = 0.6, .max = 0.999999,                                 \
		.help = "probability that the price stays below its bound",    \
	}
#define LIBRA_PARAM_ONE_SIDED(its_name)                                        \
	{                                                                      \
		.name = its_name, .type = LIBRA_PARAM_SWITCH, .unit = "",      \
		.value = 1, .max = 1,                                          \
		.help = "bound the price from above alone (Cantelli); no: on " \
			"both sides (Chebyshev)",                              \
	}
#define LIBRA_PARAM_PRICE_WINDOW(its_value)                                    \
	{                                                                      \
		.name = "window", .type = LIBRA_PARAM_NUMBER, .unit = "s",     \
		.value = its_value, .min = 1, .max = 1e9,                      \
		.help = "length of the price history",                         \
	}
#define LIBRA_PARAM_FLOOR                                                      \
	{                                                                      \
		.name = "floor", .type = LIBRA_PARAM_SWITCH, .unit = "",       \
		.max = 1,                                                      \
		.help = "require a bid that gets the promised share if the "   \
			"price is at its bound; no: one that pays the bound "  \
			"for that share",                                      \
	}

#endif
