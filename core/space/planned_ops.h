/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_ops.h - the operations of all policies that reserve processors.
 *
 * A policy adds only its parameters and its rule for refusing a job that fits
 * (struct libra_planned_traits).
 */
#ifndef LIBRA_SPACE_PLANNED_OPS_H
#define LIBRA_SPACE_PLANNED_OPS_H

#include "core/space/planned.h"

/* The function of libra_engine_earliest_deadline() (engine.h) for these
 * policies.
 */
double libra_planned_earliest_deadline(struct libra_engine *e,
				       const struct libra_job *job);

/* The function of libra_engine_would_accept().  Allocates; false if memory is
 * out.
 */
bool libra_planned_would_accept(struct libra_engine *e,
				const struct libra_job *job, uint32_t njobs);

/* The function surely_accepts of libra_policy_ops; false by node, and for jobs
 * with placement constraints.
 */
bool libra_planned_surely_accepts(struct libra_engine *e,
				  const struct libra_job *job, uint32_t njobs);

extern const struct libra_policy_ops libra_planned_ops;

#endif
