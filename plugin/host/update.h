/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * update.h - changes of a promised job.
 *
 * A job that runs stays where it is; one that waits may be promised other
 * processors, and a refusal has changed nothing.  One whose record alone tells
 * of a promise, for it is held or was requeued, will be asked for with the new
 * numbers.
 */
#ifndef LIBRA_HOST_UPDATE_H
#define LIBRA_HOST_UPDATE_H

#include "plugin/host/state.h"

/* As libra_host_modify(), for a user who may change the job; the reply is STOCK
 * at first.  Only an operator may give a running job more time.
 */
int host_update(struct host_state *h, const void *record, bool by_operator,
		const struct libra_host_request *request,
		struct libra_host_reply *reply);

/* What a new size leaves out stays as Slurm has it, and so do the CPUs if only
 * tasks or nodes are given; but they are enough for those.
 */
void host_complete_size(struct libra_host_request *r,
			const struct libra_host_job *job,
			uint32_t tasks_per_node, uint32_t min_nodes);

#endif
