/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit.h - the verdict on a submission.
 */
#ifndef LIBRA_HOST_SUBMIT_H
#define LIBRA_HOST_SUBMIT_H

#include "plugin/host/state.h"

/* Could it be promised anything?  Else no rule of Slurm's matters. */
bool host_wants_promise(const struct host_state *h,
			const struct libra_host_request *request);

/* As libra_host_submit(); the reply is STOCK at first. */
int host_submit(struct host_state *h, const struct libra_host_request *request,
		struct libra_host_reply *reply);

/* A time limit that the limits of accounts permit. */
void host_keep_limit(const struct libra_host_request *request,
		     struct libra_host_reply *reply);

/* The user is told what he is promised; ticket is that of the (first) job. */
void host_report_accepted(struct host_state *h, struct libra_host_reply *reply,
			  const struct libra_job *job,
			  const struct libra_verdict *verdict, uint64_t ticket,
			  uint32_t tasks);

/* A deadline is too near for nodes that have to boot: the user is told.
 * Result: false if it is not.
 */
bool host_report_boots(const struct host_state *h,
		       const struct request_size *size,
		       const struct libra_job *job, double now_s,
		       struct libra_host_reply *reply);

/* Offers for all tasks of a request, or for none; the user is told.
 * Result: 0, or -1 with ENOMEM.
 */
int host_offer_all(struct host_state *h, const struct libra_job *job,
		   uint32_t tasks, const struct request_size *size,
		   double now_s, struct libra_host_reply *reply);

/* The record of offers just made, and the job's time limit; first is what they
 * are called, 0 if there are none yet.
 * Result: 0, or -1 with ENOMEM.
 */
int host_fill_reply(struct host_state *h, struct libra_host_reply *reply,
		    const struct libra_job *job, uint64_t first, uint32_t tasks,
		    const struct request_size *size, double now_s);

#endif
