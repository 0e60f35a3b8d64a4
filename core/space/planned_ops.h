/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_ops.h - the functions of policies that plan.
 *
 * Such a policy says what is refused though it has a place, and its parameters
 * (planned.h); the rest is common.
 */
#ifndef LIBRA_SPACE_PLANNED_OPS_H
#define LIBRA_SPACE_PLANNED_OPS_H

#include "core/space/planned.h"

/* As libra_engine_would_accept(). */
bool libra_planned_would_accept(struct libra_engine *e,
				const struct libra_job *job, uint32_t njobs);

/* As surely_accepts of libra_policy_ops; never where plans are by node. */
bool libra_planned_surely_accepts(struct libra_engine *e,
				  const struct libra_job *job, uint32_t njobs);

/* Would this job be accepted now?  Caught up; changes nothing. */
enum libra_reason libra_planned_refusal(struct libra_engine *e,
					const struct libra_job *job);

extern const struct libra_policy_ops libra_planned_ops;

#endif
