/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * countdown.h - which allocation fails: what stands before those of the C
 * library asks refuse(), once for each.
 */
#ifndef TESTS_COUNTDOWN_H
#define TESTS_COUNTDOWN_H

#include <errno.h>
#include <stdbool.h>

static long countdown = -1; /* allocations until one fails; < 0 = none does */
static bool failed;	    /* one has, since this was last set to false */

/* Result: true, and errno ENOMEM, for the one that fails. */
static inline bool refuse(void)
{
	if (countdown < 0 || countdown-- > 0)
		return false;
	errno = ENOMEM;
	failed = true;
	return true;
}

#endif
