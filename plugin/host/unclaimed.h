/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unclaimed.h - drop offers that no job claims, and bound the number that users
 * can abandon.
 *
 * If Slurm refuses a submission after our verdict, no job is made, and no call
 * reports that.  The offer is dropped when the thread of the submission has
 * ended, or after a second.  A user who has abandoned three offers gets no
 * offer at the next submission: the job asks for its promise in the queue.  One
 * abandoned offer is forgotten every two minutes.  If all users together have
 * abandoned three, the same applies to each user without a job in the queue so
 * far.  So unknown users cannot exhaust the machine with abandoned offers.
 *
 * Callers: answer.c, host.c, lifecycle.c, restore.c, sweep.c, submit.c, in any
 * thread, under the host's lock and Slurm's lock of jobs, to read at least.
 * All tables have a fixed size: no function needs memory.  An entry of a user
 * may be replaced by another user's.
 */
#ifndef LIBRA_HOST_UNCLAIMED_H
#define LIBRA_HOST_UNCLAIMED_H

#include <stdbool.h>

#include "plugin/host/state.h"

/* The number of threads that the kernel is asked about: in a submission, and in
 * libra_host_look().
 */
enum { HOST_CLAIMS_SOME = 16, HOST_CLAIMS_MANY = 64 };

/* Settle the open offers whose submission is over: commit those of a job that
 * is in the queue, and drop the others.  To ask whether a thread has ended
 * costs a system call: at most nthreads are asked about, and the others at the
 * next call.
 * Result: the number of dropped offers.
 * Cost:   the number of Slurm's jobs, for each submission that is over.
 */
uint32_t host_unclaimed_settle(struct host_state *h, uint32_t nthreads,
			       double now_s);

/* Note that a job is in the queue or runs: trust its user from now on. */
void host_unclaimed_know(struct host_state *h, struct tracked_job *t);

/* Count an offer as abandoned, because Slurm has refused its job after a test
 * of the select plugin.  If the job was in the queue, nothing changes.
 */
void host_unclaimed_refused(struct host_state *h, const struct tracked_job *t,
			    double now_s);

/* Whether a user may have an offer before the job is in the queue. */
enum host_trust {
	HOST_TRUSTED = 1,
	HOST_LEAVES,  /* no: the user has 16 open or 3 abandoned offers */
	HOST_UNKNOWN, /* no: all users abandoned 3, and this one is unknown */
};

/* Return the trust in a user.  If the user has 16 open submissions, settle
 * these first.
 */
enum host_trust host_unclaimed_trust(struct host_state *h, uint32_t user,
				     double now_s);

/* Return the number of a user's open offers whose jobs are not in the queue
 * yet.  Slurm's counts of jobs do not include them.  An offer counts as its
 * CPUs divided by those of the request, rounded up.
 */
double host_unclaimed_count(struct host_state *h,
			    const struct libra_host_request *request);

/* Store the calling thread as that of the submission for all offers with a
 * number above `above`.
 */
void host_unclaimed_note(struct host_state *h, uint64_t above);

#endif
