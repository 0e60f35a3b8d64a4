/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policies.h - the policies that a user chose, with their parameters.
 *
 * Users give names, and assignments to parameters.  A parameter that is not set
 * has the default of its table.  A list of zeros is empty; it owns the
 * parameters.
 */
#ifndef SIM_POLICIES_H
#define SIM_POLICIES_H

#include <stddef.h>

#include "core/error.h"
#include "core/policy.h"

struct sim_policy {
	const struct libra_policy_type *type;
	double *params; /* a value for each parameter of the type */
};

struct sim_policies {
	struct sim_policy *list;
	size_t n;
};

/* Add the policies of a comma-separated list.
 * Result: 0, or -1 with ENOENT (no such policy), EINVAL (named twice) or
 *         ENOMEM.
 * Owner:  the caller calls sim_policies_fini(), after an error too.
 */
int sim_policies_add(struct sim_policies *policies, const char *names,
		     struct libra_error *err);

/* Set a parameter: "PARAM=VALUE" for all chosen policies that have it,
 * "POLICY.PARAM=VALUE" for one.
 * Result: 0, or -1 with EINVAL (not an assignment, not a number), ENOENT (no
 *         chosen policy has the parameter) or ERANGE.
 */
int sim_policies_set(struct sim_policies *policies, const char *assignment,
		     struct libra_error *err);
void sim_policies_fini(struct sim_policies *policies);

#endif
