/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy.h - the policies, as const tables.
 *
 * A policy is one row: its name, its mode, its parameters, and the functions
 * that the engine calls.  No other code tests which policy is in use: all
 * differences are in this row.  Variants of a policy share functions and differ
 * in their traits.
 */
#ifndef LIBRA_POLICY_H
#define LIBRA_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/param.h"

struct libra_engine;
struct libra_job;
struct libra_verdict;

/* How jobs use processors. */
enum libra_mode {
	LIBRA_SPACE = 1, /* one job on a processor at a time; jobs may queue */
	LIBRA_SHARE, /* several jobs; each gets a share of the processor's time
		      */
	LIBRA_GANG,  /* several jobs; one runs at a time, with all of its parts
		      */
};

struct libra_policy_type {
	const char *name;
	const char *summary; /* one line */
	const char *source;  /* paper and section */
	enum libra_mode mode;
	bool plans; /* space policies: makes promises and answers at the offer,
		       see engine.h */
	bool needs_deadline; /* refuses a job that has none */
	bool needs_budget;   /* refuses a job that has none */
	bool ranked; /* share policies: a processor serves one task at a time,
			by priority */
	const struct libra_param *params;
	size_t nparams;
	/* The defaults in slurmctld, where a cluster needs other values than
	 * the papers' (those in params). NULL = those in params.
	 */
	const double *cluster_params;
	const struct libra_policy_ops *ops;
	const void *traits; /* read by ops only */
	size_t state_size;  /* bytes of the ops' state in an engine */
};

/* All policies, in the order in which users see them; ends with NULL. */
extern const struct libra_policy_type *const libra_policies[];

/* Find a policy by name.
 * Result: the policy, or NULL with ENOENT and the nearest name in err.
 */
const struct libra_policy_type *libra_policy_find(const char *name,
						  struct libra_error *err);

/* Return the default of a policy's n-th parameter in slurmctld. */
static inline double libra_policy_cluster_value(
	const struct libra_policy_type *policy, size_t n)
{
	return policy->cluster_params ? policy->cluster_params[n]
				      : policy->params[n].value;
}

/* Return the printable name of a mode: "space-shared", "time-shared",
 * "gang-scheduled".
 */
const char *libra_mode_name(enum libra_mode mode);

#endif
