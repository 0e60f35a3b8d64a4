/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unclaimed.h - drop offers that no job claims, and bound what users can
 * abandon.
 *
 * If Slurm refuses a submission after our verdict, no job is made, and no call
 * reports that.  The offer is dropped when the thread of the submission has
 * ended, or after a second.  A user who abandons several offers gets no offer
 * for a while, until the job is in the queue.  If all users together abandon
 * many, the same applies to each user who had no job in the queue yet, so that
 * unknown users cannot exhaust the machine with abandoned offers.
 *
 * Called under the host's lock and Slurm's lock of jobs, to read at least.
 */
#ifndef LIBRA_HOST_UNCLAIMED_H
#define LIBRA_HOST_UNCLAIMED_H

#include <stdbool.h>

#include "plugin/host/state.h"

/* Threads that the kernel is asked about in a submission, and in
 * libra_host_look().
 */
enum { HOST_CLAIMS_SOME = 16, HOST_CLAIMS_MANY = 64 };

/* Commit the offers whose job is in the queue, and drop those whose submission
 * is over.  Whether a thread has ended costs a system call: at most nthreads
 * are checked, and others at the next call.
 * Result: the number of dropped offers.
 */
uint32_t host_unclaimed_settle(struct host_state *h, uint32_t nthreads,
			       double now_s);

/* Note that a job is in the queue or runs: its user is trusted. */
void host_unclaimed_know(struct host_state *h, struct tracked_job *t);

/* Count an offer as abandoned: Slurm tested its job, but did not accept it.  If
 * the job was in the queue, nothing changes.
 */
void host_unclaimed_refused(struct host_state *h, const struct tracked_job *t,
			    double now_s);

/* Whether a user may have an offer before the job is in the queue. */
enum host_trust {
	HOST_TRUSTED = 1,
	HOST_LEAVES,  /* no: too many unclaimed or abandoned offers */
	HOST_UNKNOWN, /* no: many were abandoned, the user is unknown */
};

enum host_trust host_unclaimed_trust(struct host_state *h, uint32_t user,
				     double now_s);

/* Return the number of a user's offers without a job in the queue, in jobs of
 * the size of the request: Slurm's counts cannot include them.
 */
double host_unclaimed_count(struct host_state *h,
			    const struct libra_host_request *request);

/* Note that the calling thread's submission made all offers above a number. */
void host_unclaimed_note(struct host_state *h, uint64_t above);

#endif
