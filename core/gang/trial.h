/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial.h - queries about a gang that change nothing.
 */
#ifndef LIBRA_GANG_TRIAL_H
#define LIBRA_GANG_TRIAL_H

#include "core/gang/policy.h"

/* As libra_engine_would_accept(). */
bool libra_gang_would_accept(struct libra_engine *e,
			     const struct libra_job *job, uint32_t njobs);

/* As libra_engine_ends_by(). */
double libra_gang_ends_by(const struct libra_engine *e, uint32_t slot);

/* As libra_engine_starts_by(). */
double libra_gang_starts_by(const struct libra_engine *e, uint32_t slot);

#endif
