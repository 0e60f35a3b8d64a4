/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bisect.h - the earliest deadline of a policy whose test has no inverse.
 */
#ifndef LIBRA_BISECT_H
#define LIBRA_BISECT_H

#include "core/engine_impl.h"

/* Would this job be accepted now? */
typedef bool libra_accepts_f(struct libra_engine *e,
			     const struct libra_job *job);

/* Search between now and high_s to within a second.  Acceptance need not grow
 * with the deadline, but the result was accepted.
 * Result: the deadline, or INFINITY if not even high_s would be accepted.
 */
double libra_bisect_deadline(struct libra_engine *e,
			     const struct libra_job *job, double high_s,
			     libra_accepts_f *accepts);

#endif
