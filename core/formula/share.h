/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.h - the share of a processor that a task needs (ICPP 2006, eq. 1).
 *
 * Pure arithmetic.  Shares are fractions of one processor and may exceed 1.
 */
#ifndef LIBRA_SHARE_H
#define LIBRA_SHARE_H

/* A sum of shares may exceed 1 by this and still count as 1. */
#define LIBRA_SHARE_TOLERANCE 1e-9

/* Return the share of a task at an instant.
 *
 * Past its deadline a task needs a whole processor.  Over its estimate it keeps
 * its initial share, because its remaining work is unknown.  Otherwise eq. 1:
 * remaining estimate / remaining time.
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
