/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.h - jobs without a promise, beside those with one.
 *
 * They start in order of submission, and only in a hole: their processors must
 * be free now and for their whole duration, before the plans need them.  The
 * first that cannot has a reservation at its earliest hole, for this pass: the
 * others may start where they do not delay it (EASY).  New promises may, so the
 * oldest of them gets a plan of its own that does not move once it has waited
 * for firm_age, one at a time.
 */
#ifndef LIBRA_SPACE_ORDINARY_H
#define LIBRA_SPACE_ORDINARY_H

#include "core/space/planned.h"

/* A job waits from now on, and does not any more. */
void libra_ordinary_add(struct libra_engine *e, uint32_t slot);
void libra_ordinary_drop(struct libra_engine *e, uint32_t slot);

/* Give the oldest a plan if it has waited for too long.  Result: whether. */
bool libra_ordinary_firm(struct libra_engine *e);

/* When that will be due; INFINITY = nobody waits for it. */
double libra_ordinary_firm_s(const struct libra_engine *e);

/* Could a job start now? */
bool libra_ordinary_fits(struct libra_engine *e, const struct libra_job *job);

/* The same on certain processors, where nodes matter. */
bool libra_ordinary_fits_on(struct libra_engine *e, const struct libra_job *job,
			    const struct libra_start_query *opening);

/* The same without the jobs that would be gone: all that runs and waits is
 * drawn once more, in the draft for trials.
 */
bool libra_ordinary_fits_instead(struct libra_engine *e,
				 const struct libra_job *job,
				 const struct libra_start_query *opening);

/* Start those that can. */
void libra_ordinary_start(struct libra_engine *e);

#endif
