/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect.h - search for the earliest deadline that a test accepts. */
#ifndef LIBRA_BISECT_H
#define LIBRA_BISECT_H

#include <stdbool.h>

/* Return true if the job would be accepted with this deadline (an instant). */
typedef bool libra_accepts_f(void *context, double deadline_s);

/* Search between two instants to within a second.  A later deadline may be
 * refused although an earlier one is accepted; so the result, which was
 * accepted, need not be the very earliest.
 * Result: the deadline, or INFINITY if high_s is not accepted.
 */
double libra_bisect_deadline(double low_s, double high_s,
			     libra_accepts_f *accepts, void *context);

/* Search between an instant that may be refused and a later one that is assumed
 * to be accepted, to within a second or 1/64 of the time from now until it.
 * For tests that cost a decision each: makes few calls.  A result before high_s
 * was accepted.
 */
double libra_narrow_deadline(double now_s, double low_s, double high_s,
			     libra_accepts_f *accepts, void *context);

#endif
