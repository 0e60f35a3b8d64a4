/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asleep.c - see asleep.h.
 */
#include "plugin/plan/allowed.h"
#include "plugin/plan/asleep.h"

static bool any_asleep(const struct host_cluster *c,
		       const struct libra_host_ops *ops,
		       const struct request_size *size)
{
	for (uint32_t i = 0; i < c->nnodes && ops->asleep; i++)
		if (c->state[i] == LIBRA_NODE_UP && host_may_have(c, size, i) &&
		    host_chunks_of(c, size, i) > 0 &&
		    ops->asleep(c->slurm_node[i]))
			return true;
	return false;
}

bool host_boots_too_late(const struct host_cluster *c,
			 const struct libra_host_ops *ops,
			 const struct request_size *size,
			 const struct libra_job *job, double now_s)
{
	return c->boot_s > 0 && ops &&
	       !libra_in_time(now_s + job->estimate_s + c->boot_s,
			      job->deadline_s) &&
	       any_asleep(c, ops, size);
}
