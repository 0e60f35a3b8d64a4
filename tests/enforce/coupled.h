/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coupled.h - processes that work a while and then wait for each other.
 */
#ifndef LIBRA_TESTS_COUPLED_H
#define LIBRA_TESTS_COUPLED_H

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* In memory that they share; all zero is one that nobody has come to. */
struct meeting {
	atomic_uint here;
	atomic_uint round;
};

static inline double clock_s(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* Use so much CPU time. */
static inline void burn(double seconds)
{
	double end_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) + seconds;

	while (clock_s(CLOCK_PROCESS_CPUTIME_ID) < end_s)
		for (volatile int i = 0; i < 2000; i++)
			;
}

/* Wait until n processes are here; asleep, or spinning as some libraries do. */
static inline void meet(struct meeting *m, unsigned n, bool spin)
{
	unsigned round = atomic_load(&m->round);

	if (atomic_fetch_add(&m->here, 1) + 1 == n) {
		atomic_store(&m->here, 0);
		atomic_fetch_add(&m->round, 1);
		syscall(SYS_futex, &m->round, FUTEX_WAKE, INT_MAX, NULL, NULL,
			0);
		return;
	}
	while (atomic_load(&m->round) == round)
		if (!spin)
			syscall(SYS_futex, &m->round, FUTEX_WAIT, round, NULL,
				NULL, 0);
}

#endif
