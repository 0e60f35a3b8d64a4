/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timing.h - how long Slurm's calls stay in our code, with its locks held.
 *
 * Each call is timed on two clocks: that of the wall, and that of its thread's
 * processor time.  On a busy host a thread waits for a processor, whatever it
 * does: the second clock tells what is ours.
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

/* Are calls timed?  At first they are not: to read the clock of a thread's
 * processor time is a system call, of which a submission would need nine.
 */
void libra_host_time_calls(bool wanted);

/* A watch goes from a start to the next stop, where calls are timed.  What
 * Slurm does for a call of ours is left out.
 */
void libra_host_watch_start(struct libra_host_watch *watch);
void libra_host_watch_stop(struct libra_host_watch *watch);

void host_times_add(struct host_times *times, enum libra_host_call call,
		    const struct libra_host_watch *watch);

/* So many of them took no longer, in seconds: at the most a fifth too much.
 * Result: 0 of none.
 */
double host_time_quantile(const struct host_time *time, double quantile);

/* A line of slurmctld's log for each kind of call, and count anew. */
void host_times_log(struct host_times *times, const struct libra_host_ops *ops);

#endif
