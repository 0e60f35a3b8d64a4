/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point.h - one scenario under one policy: the arguments of one simulation.
 *
 * A point is a plain value that points to parameters of its maker.
 */
#ifndef SIM_POINT_H
#define SIM_POINT_H

#include "core/policy.h"
#include "sim/workload/scenario.h"

struct sim_point {
	struct sim_scenario scenario;
	const struct libra_policy_type *policy;
	const double *params; /* NULL = defaults */
};

/* Compare two points in a total order: by scenario, then policy, then
 * parameters.  params NULL equals an array of the default values.
 * Result: negative, 0 or positive.
 */
int sim_point_compare(const struct sim_point *a, const struct sim_point *b);

#define SIM_POINT_KEY_SIZE 33 /* 32 hexadecimal digits */

/* Write a fingerprint of everything that influences a point's result: scenario,
 * policy, parameters, the version of this program, and the log by its sha256.
 */
void sim_point_key(const struct sim_point *point, const char *sha256,
		   char key[SIM_POINT_KEY_SIZE]);

#endif
