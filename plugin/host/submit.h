/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit.h - decide on a submission, and word the reply.
 *
 * Callers: answer.c for a submission, in the thread of its request, under the
 * host's lock and Slurm's read locks of jobs, nodes and partitions; update.c
 * for a change, and lifecycle.c for host_decision(), under the host's lock and
 * Slurm's job write lock.  If memory is out for a line to the user, that line
 * is missing (messages.h).
 */
#ifndef LIBRA_HOST_SUBMIT_H
#define LIBRA_HOST_SUBMIT_H

#include "plugin/host/state.h"

/* Return true if a request asks for a promise.  If false, the caller need not
 * read Slurm's rules for the request.
 */
bool host_wants_promise(const struct host_state *h,
			const struct libra_host_request *request);

/* Set the deadline of a request without one, if a setting has a deadline for
 * jobs of its QOS ("" = unknown) or its partition.  The time of the setting
 * counts from the submission, or from --begin if that is later.
 */
void host_default_deadline(struct host_state *h, const char *qos,
			   struct libra_host_request *request);

/* Begin a line of the decision log that reports the answer to a user:
 * {"event":"decision"}.  The caller may add fields, and ends the line.
 * verdict: "accept"; "later" (the job asks when it may start); "queue"
 *          (refused, but queued without a promise); or "reject"
 * reason:  the name of a libra_reason; or "rule" (the request cannot have a
 *          promise at all)
 */
struct libra_declog *host_decision(struct host_state *h, uint32_t user,
				   const struct host_partition *partition,
				   const char *verdict, const char *reason,
				   double now_s);

/* Decide on a request, as libra_host_submit() does, and make the offers.  The
 * caller sets the answer to STOCK first.  If the decision is a refusal, release
 * the promises that jobs cannot use any more (sweep.h); if there were any,
 * decide once more.
 * Result: 0, or -1 with ENOMEM; then the reply has no record, and offers just
 *         made are dropped as unclaimed (unclaimed.h).
 */
int host_submit(struct host_state *h, const struct libra_host_request *request,
		struct libra_host_reply *reply);

/* Reduce the reply's time limit to the longest run that the limits of accounts
 * permit.
 */
void host_keep_limit(const struct libra_host_request *request,
		     struct libra_host_reply *reply);

/* Write the promise to the user.  t: the job, or an array's first task. */
void host_report_accepted(struct host_state *h, struct libra_host_reply *reply,
			  const struct libra_job *job,
			  const struct libra_verdict *verdict,
			  const struct tracked_job *t, uint32_t tasks,
			  double now_s);

/* If the deadline is too near for nodes that have to boot first, refuse the job
 * and write the reason to the user.
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
 * first: the number that the offers share (host_jobs_first_offer()); 0 = there
 * are no offers yet.
 * Result: 0, or -1 with ENOMEM; the offers stay, for the caller to withdraw.
 */
int host_fill_reply(struct host_state *h, struct libra_host_reply *reply,
		    const struct libra_job *job, uint64_t first, uint32_t tasks,
		    const struct request_size *size, double now_s);

#endif
