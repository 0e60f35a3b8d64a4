/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timing.h - measure how long Slurm's calls stay in our code, with Slurm's
 * locks held.
 *
 * Each call is timed on the wall clock and on its thread's CPU clock.  On a
 * busy host a thread may wait for a processor; the second clock shows our own
 * share.
 *
 * libra_host_time_calls() and the watches may be used in any thread without a
 * lock; a watch belongs to one thread.  The other functions are called under
 * the host's lock.
 */
#ifndef LIBRA_BASE_TIMING_H
#define LIBRA_BASE_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/base/types.h"

/* Bins of a quarter of an octave, from a microsecond to a minute. */
enum { HOST_TIME_BINS = 104 };

struct host_time {
	uint64_t bins[HOST_TIME_BINS];
	uint64_t n;
	double most_s;
};

struct host_times {
	struct host_time wall[LIBRA_CALLS], cpu[LIBRA_CALLS];
};

/* Turn timing on or off; off at first.  Reading a thread's CPU clock is a
 * system call, and a submission would need nine.
 */
void libra_host_time_calls(bool wanted);

/* Start or stop a watch, if timing is on.  The time between a stop and the next
 * start is not counted: Slurm then works for us.
 */
void libra_host_watch_start(struct libra_host_watch *watch);
void libra_host_watch_stop(struct libra_host_watch *watch);

void host_times_add(struct host_times *times, enum libra_host_call call,
		    const struct libra_host_watch *watch);

/* Return the duration, in seconds, that a part of the calls did not exceed; at
 * most a fifth too long; 0 if there were no calls.
 */
double host_time_quantile(const struct host_time *time, double quantile);

/* Write one line per kind of call to slurmctld's log, and reset the counts. */
void host_times_log(struct host_times *times, const struct libra_host_ops *ops);

#endif
