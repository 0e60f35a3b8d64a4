/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timing.c - see timing.h.
 */
#include <math.h>
#include <stdatomic.h>

#include "plugin/base/ops.h"
#include "plugin/base/clock.h"
#include "plugin/base/timing.h"

#define SHORTEST_S 1e-6
#define PER_OCTAVE 4.0

static atomic_bool timed;

void libra_host_time_calls(bool wanted)
{
	atomic_store(&timed, wanted);
}

void libra_host_watch_start(struct libra_host_watch *watch)
{
	watch->on = atomic_load(&timed);
	if (!watch->on)
		return;
	watch->wall_s -= libra_host_read_clock(CLOCK_MONOTONIC);
	watch->cpu_s -= libra_host_read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void libra_host_watch_stop(struct libra_host_watch *watch)
{
	if (!watch->on)
		return;
	watch->cpu_s += libra_host_read_clock(CLOCK_THREAD_CPUTIME_ID);
	watch->wall_s += libra_host_read_clock(CLOCK_MONOTONIC);
}

static void add(struct host_time *time, double took_s)
{
	double least_s = fmax(took_s, SHORTEST_S);
	double bin = ceil(PER_OCTAVE * log2(least_s / SHORTEST_S));

	time->bins[(int)fmin(HOST_TIME_BINS - 1, bin)]++;
	time->n++;
	time->most_s = fmax(time->most_s, took_s);
}

void host_times_add(struct host_times *times, enum libra_host_call call,
		    const struct libra_host_watch *watch)
{
	add(&times->wall[call], watch->wall_s);
	add(&times->cpu[call], watch->cpu_s);
}

double host_time_quantile(const struct host_time *time, double quantile)
{
	uint64_t upto = 0;

	for (int i = 0; i < HOST_TIME_BINS; i++) {
		upto += time->bins[i];
		if (upto > 0 && (double)upto >= quantile * (double)time->n)
			return fmin(time->most_s,
				    SHORTEST_S * exp2(i / PER_OCTAVE));
	}
	return 0;
}

void host_times_log(struct host_times *times, const struct libra_host_ops *ops)
{
	static const char *const names[LIBRA_CALLS] = {
		[LIBRA_CALL_SUBMIT] = "submit", [LIBRA_CALL_MODIFY] = "modify",
		[LIBRA_CALL_TEST] = "test",	[LIBRA_CALL_SET] = "set",
		[LIBRA_CALL_END] = "end",	[LIBRA_CALL_LOOK] = "look",
		[LIBRA_CALL_HOLD] = "hold",
	};

	for (int i = 0; i < LIBRA_CALLS; i++) {
		const struct host_time *cpu = &times->cpu[i];
		const struct host_time *wall = &times->wall[i];

		if (cpu->n == 0)
			continue;
		host_log(ops, LIBRA_HOST_DEBUG,
			 "times of %s: %llu calls; of the processor in us: "
			 "median %.0f, p99 %.0f, most %.0f; on the wall: "
			 "median %.0f, p99 %.0f, most %.0f",
			 names[i], (unsigned long long)cpu->n,
			 1e6 * host_time_quantile(cpu, 0.5),
			 1e6 * host_time_quantile(cpu, 0.99), 1e6 * cpu->most_s,
			 1e6 * host_time_quantile(wall, 0.5),
			 1e6 * host_time_quantile(wall, 0.99),
			 1e6 * wall->most_s);
	}
	*times = (struct host_times){0};
}
