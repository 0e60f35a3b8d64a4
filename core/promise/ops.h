/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops.h - the functions of policies that plan.
 *
 * Such a policy says what is refused though it has a place, and its parameters
 * (state.h); the rest is common.
 */
#ifndef LIBRA_PROMISE_OPS_H
#define LIBRA_PROMISE_OPS_H

#include "core/promise/state.h"

/* As libra_engine_would_accept(). */
bool libra_promise_would_accept(struct libra_engine *e,
				const struct libra_job *job, uint32_t njobs);

/* As surely_accepts of libra_policy_ops; never where plans are by node. */
bool libra_promise_surely_accepts(struct libra_engine *e,
				  const struct libra_job *job, uint32_t njobs);

/* Would this job be accepted now?  Caught up; changes nothing. */
enum libra_reason libra_promise_refusal(struct libra_engine *e,
					const struct libra_job *job);

extern const struct libra_policy_ops libra_promise_ops;

#endif
