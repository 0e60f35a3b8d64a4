/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect.h - the earliest deadline of a test that has no inverse. */
#ifndef LIBRA_BISECT_H
#define LIBRA_BISECT_H

#include <stdbool.h>

/* Would the job be accepted with this deadline? */
typedef bool libra_accepts_f(void *context, double deadline_s);

/* Search between two instants to within a second.  Acceptance need not grow
 * with the deadline, but the result was accepted.
 * Result: the deadline, or INFINITY if not even high_s would be accepted.
 */
double libra_bisect_deadline(double low_s, double high_s,
			     libra_accepts_f *accepts, void *context);

/* Search between an instant that may be refused and a later one that is
 * taken for accepted, to within a second or 1/64 of the time from now until it:
 * for tests that cost a decision each, of which it makes few.  What it finds
 * before high_s was accepted.
 */
double libra_narrow_deadline(double now_s, double low_s, double high_s,
			     libra_accepts_f *accepts, void *context);

#endif
