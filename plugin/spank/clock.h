/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - the instant now, in seconds of CLOCK_REALTIME, as deadlines are.
 */
#ifndef LIBRA_SPANK_CLOCK_H
#define LIBRA_SPANK_CLOCK_H

#include <time.h>

static inline double spank_now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

#endif
