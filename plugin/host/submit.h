/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit.h - decide on a submission, and word the reply.
 *
 * Called under the host's lock: for a submission in the thread of its request,
 * with Slurm's read locks of jobs, nodes and partitions; from update.c with
 * Slurm's job write lock.
 */
#ifndef LIBRA_HOST_SUBMIT_H
#define LIBRA_HOST_SUBMIT_H

#include "plugin/host/state.h"

/* Return true if a request asks for a promise.  If not, the caller need not
 * read Slurm's rules for it.
 */
bool host_wants_promise(const struct host_state *h,
			const struct libra_host_request *request);

/* Give a request without a deadline the one that a setting has for jobs of its
 * QOS ("" = unknown) or its partition, from submission or --begin on.
 */
void host_default_deadline(struct host_state *h, const char *qos,
			   struct libra_host_request *request);

/* Begin a line of the decision log that reports what a user is answered:
 * {"event":"decision"} with "verdict" accept, later (the job asks when it may
 * start), queue (refused, and Slurm's without a promise) or reject, and
 * "reason", the name of a libra_reason, or "rule" (the request cannot have a
 * promise at all).  The caller may add fields, and ends the line.
 */
struct libra_declog *host_decision(struct host_state *h, uint32_t user,
				   const struct host_partition *partition,
				   const char *verdict, const char *reason,
				   double now_s);

/* Decide on a request, as libra_host_submit() does.  The caller sets the answer
 * to STOCK first.  If the request is refused, promises without use are released
 * (sweep.h), and it is decided once more.
 * Result: 0, or -1 with ENOMEM.
 */
int host_submit(struct host_state *h, const struct libra_host_request *request,
		struct libra_host_reply *reply);

/* Reduce the reply's time limit to what the limits of accounts permit. */
void host_keep_limit(const struct libra_host_request *request,
		     struct libra_host_reply *reply);

/* Write to the user what is promised; ticket: that of the job, or of an array's
 * first task.
 */
void host_report_accepted(struct host_state *h, struct libra_host_reply *reply,
			  const struct libra_job *job,
			  const struct libra_verdict *verdict, uint64_t ticket,
			  uint32_t tasks, double now_s);

/* If the deadline is too near for nodes that have to boot, refuse the job and
 * write that to the user.
 * Result: true if the job is refused.
 */
bool host_report_boots(const struct host_state *h,
		       const struct request_size *size,
		       const struct libra_job *job, double now_s,
		       struct libra_host_reply *reply);

/* Make offers for all tasks of a request, or for none, and write the verdict to
 * the user.
 * Result: 0, or -1 with ENOMEM; then there is no offer.
 */
int host_offer_all(struct host_state *h, const struct libra_job *job,
		   uint32_t tasks, const struct request_size *size,
		   double now_s, struct libra_host_reply *reply);

/* Fill in the reply's record of offers just made, and the job's time limit.
 * first: their common number; 0 = there are none yet.
 * Result: 0, or -1 with ENOMEM; the offers stay, for the caller to withdraw.
 */
int host_fill_reply(struct host_state *h, struct libra_host_reply *reply,
		    const struct libra_job *job, uint64_t first, uint32_t tasks,
		    const struct request_size *size, double now_s);

#endif
