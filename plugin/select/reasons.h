/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reasons.h - Slurm's reasons for a job to wait, and what each does to a
 * promise.
 *
 * The table has a row for each value of Slurm's enum job_state_reason, of all
 * releases from 22.05 on, in the order of its numbers.  A number that Slurm has
 * used again has several names.  A test compares the table with Slurm's
 * sources.
 */
#ifndef LIBRA_SELECT_REASONS_H
#define LIBRA_SELECT_REASONS_H

#include <stddef.h>
#include <stdint.h>

enum libra_fate {
	/* The reason ends by itself.  The promise stays. */
	LIBRA_FATE_PASSES = 1,
	/* The reason ends when the job or a rule is changed.  The job
	 * releases its promise within seconds.
	 */
	LIBRA_FATE_BARS,
	/* The job is held, or waits for a time or another job:
	 * LIBRA_JOB_BLOCKED.  The job releases its promise after
	 * libra_offer_ttl.
	 */
	LIBRA_FATE_BLOCKS,
	/* A limit is used up by other jobs: libra_host_limited().  The job
	 * releases its promise after libra_offer_ttl.
	 */
	LIBRA_FATE_LIMITS,
	/* The select plugin tests the cause itself (access.h), and a promised
	 * job keeps to a limit of time at its start.  The reason may be out of
	 * date, and is ignored.
	 */
	LIBRA_FATE_OURS,
	/* The reason is that of a run that is over.  For a waiting job this
	 * reason has no meaning.
	 */
	LIBRA_FATE_ENDED,
};

struct libra_wait_reason {
	uint32_t number; /* in Slurm's enum job_state_reason */
	enum libra_fate fate;
	const char *names; /* in some release each, separated by spaces */
};

extern const struct libra_wait_reason libra_wait_reasons[];
extern const size_t libra_nwait_reasons;

/* Find a reason by its number.
 * Result: NULL if the table has none.
 */
const struct libra_wait_reason *libra_wait_reason(uint32_t number);

#endif
