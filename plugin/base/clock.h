/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - read a system clock, in any thread. */
#ifndef LIBRA_BASE_CLOCK_H
#define LIBRA_BASE_CLOCK_H

#include <time.h>

/* Return the seconds on a clock, such as CLOCK_MONOTONIC. */
static inline double libra_host_read_clock(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

#endif
