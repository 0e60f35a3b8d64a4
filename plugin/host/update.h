/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * update.h - decide on a user's change of a promised job.
 *
 * A running job keeps its processors.  A waiting job may get others.  A refusal
 * changes nothing.  If a job has no promise now, but a record (it is held or
 * was requeued), the record gets the new numbers, and the job asks for a
 * promise later.  Called under the host's lock and Slurm's job write lock.
 */
#ifndef LIBRA_HOST_UPDATE_H
#define LIBRA_HOST_UPDATE_H

#include "plugin/host/groups.h"

/* Find a reason to refuse a change of any job, with or without a promise.  A
 * job of a group whose starts are planned may not give its nodes to another
 * job.  A job that keeps others off its nodes may not move to a partition with
 * a sharing policy.  A job without a promise may not get a deadline in a
 * managed partition.
 * Result: the reason for the user, static, or NULL.
 */
const char *host_change_denied(const struct host_groups *groups,
			       const struct libra_host_job *job,
			       const struct libra_host_request *change);

/* Decide on a change, as libra_host_modify() does, by a user who may change the
 * job; record is Slurm's job record.  The caller sets the answer to STOCK
 * first.  Only an operator may give a running job more time.
 * Result: 0 and the answer in *reply, or -1 with ENOMEM.
 */
int host_update(struct host_state *h, const void *record, bool by_operator,
		const struct libra_host_request *request,
		struct libra_host_reply *reply);

/* Complete a new size: take from Slurm's job what *r does not give.  If the
 * CPUs are then too few for the tasks and nodes, raise them.
 */
void host_complete_size(struct libra_host_request *r,
			const struct libra_host_job *job,
			uint32_t tasks_per_node, uint32_t min_nodes);

#endif
