/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policies.h - the tables that policy.c lists, and parameters that several of
 * them have.
 *
 * Each table is const and is defined in one file of core/policy.  Only the core
 * reads them here: a host finds a policy by name through policy.h.
 */
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

/* Parameters of the over-estimate rule of need.h. */
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

/* Every policy that promises deadlines, and may accept a job that cannot meet
 * its own, has this parameter.  The test is libra_may_promise().
 */
#define LIBRA_PARAM_GUARANTEED_ONLY                                            \
	{                                                                      \
		.name = "guaranteed_only", .type = LIBRA_PARAM_SWITCH,         \
		.unit = "", .max = 1,                                          \
		.help = "refuse a job whose estimate exceeds the time until "  \
			"its deadline; no: accept it without a promise if "    \
			"it breaks none",                                      \
	}

/* The reserve of core/formula/reserve.h.  It depends on the load of recent
 * offers, which a loop that submits 20 jobs in a second can raise to any value.
 * With share policies, users of a cluster would then be refused beside idle
 * processors, so cluster_params disable it.
 */
#define LIBRA_PARAM_MACHINE_RESERVE                                            \
	{                                                                      \
		.name = "machine_reserve", .type = LIBRA_PARAM_SWITCH,         \
		.unit = "", .value = 1, .max = 1,                              \
		.help = "under load refuse large jobs that would take what "   \
			"many small ones need",                                \
	}

/* In the papers a task past its deadline gets a whole processor, for ever if it
 * never ends.  On a cluster that processor would be lost for other jobs.
 */
#define LIBRA_PARAM_LATE_YIELDS                                                \
	{                                                                      \
		.name = "late_yields", .type = LIBRA_PARAM_SWITCH, .unit = "", \
		.max = 1,                                                      \
		.help = "a job past its deadline gets only what the others "   \
			"leave; no: it counts as a whole processor",           \
	}

/* Parameters of the bound on a price (core/formula/price.h): of the policies
 * that sell shares.  The simulated market (sim/market) has them among its
 * options too, with another name or value where a macro takes one.
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
