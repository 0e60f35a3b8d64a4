/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unclaimed.h - offers that no job came for.
 *
 * What Slurm refuses after our verdict never becomes a job, and nobody tells
 * us.  Its offer is dropped as soon as its submission is over; and who leaves
 * several such offers gets none for a while before his job is in the queue.
 * Where many are left, by whomever, nor do users of whom no job came yet: so
 * that a crowd of them keeps nothing from those who are known.
 */
#ifndef LIBRA_HOST_UNCLAIMED_H
#define LIBRA_HOST_UNCLAIMED_H

#include <stdbool.h>

#include "plugin/host/state.h"

/* Of so many threads the kernel is asked in a submission, and in a look. */
enum { HOST_CLAIMS_SOME = 16, HOST_CLAIMS_MANY = 64 };

/* Commit the offers whose job has come, drop those whose submission is over.
 * Whether a thread has ended costs a call of the kernel each: so many are asked
 * about, and others the next time.  The caller holds the job lock, to read at
 * least.  Result: how many dropped.
 */
uint32_t host_unclaimed_settle(struct host_state *h, uint32_t nthreads,
			       double now_s);

/* A job is in the queue, or runs: Slurm took it. */
void host_unclaimed_know(struct host_state *h, struct tracked_job *t);

/* A job that Slurm looked at and never took is gone. */
void host_unclaimed_refused(struct host_state *h, const struct tracked_job *t,
			    double now_s);

/* May a user have an offer before his job is in the queue? */
enum host_trust {
	HOST_TRUSTED = 1,
	HOST_LEAVES,  /* he has too many open ones, or left too many */
	HOST_UNKNOWN, /* others leave many, and no job of his came yet */
};

enum host_trust host_unclaimed_trust(struct host_state *h, uint32_t user,
				     double now_s);

/* All offers above a number were made for a submission of this thread. */
void host_unclaimed_note(struct host_state *h, uint64_t above);

#endif
