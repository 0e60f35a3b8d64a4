/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.h - the part of a processor that a task needs (ICPP 2006, eq. 1).
 *
 * Pure arithmetic.  Shares are fractions of one processor and may exceed 1.
 */
#ifndef LIBRA_SHARE_H
#define LIBRA_SHARE_H

/* What sums of shares may exceed 1 by, and still count as 1. */
#define LIBRA_SHARE_TOLERANCE 1e-9

/* The share of a task at an instant.
 *
 * Once the deadline has passed the task asks for all of the processor; over
 * its estimate it keeps the share it came with, for nothing is known of what
 * remains; otherwise eq. 1: remaining estimate / remaining time.
 */
static inline double libra_share(double est_left_s, double initial_share,
				 double deadline_s, double now_s)
{
	double remaining_s = deadline_s - now_s;

	if (remaining_s <= 0)
		return 1;
	if (est_left_s <= 0)
		return initial_share;
	return est_left_s / remaining_s;
}

#endif
