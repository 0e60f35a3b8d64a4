/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asleep.c - see asleep.h.
 */
#include "plugin/base/units.h"
#include "plugin/engine/away.h"
#include "plugin/request/nodes.h"
#include "plugin/request/asleep.h"

static uint32_t longest(const struct host_cluster *c,
			const struct libra_host_ops *ops,
			const struct request_size *size)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < c->nnodes; i++)
		if ((c->state[i] == LIBRA_NODE_UP || host_away_is(c, i)) &&
		    host_may_have(c, size, i) && host_chunks_of(c, size, i) > 0)
			most = libra_host_larger(
				most, ops->wakes_s(c->slurm_node[i]));
	return most;
}

uint32_t host_boots_too_late(const struct host_cluster *c,
			     const struct libra_host_ops *ops,
			     const struct request_size *size,
			     const struct libra_job *job, double now_s)
{
	double end_s = now_s + job->estimate_s;
	uint32_t wait_s;

	if (c->boot_s == 0 || !ops || !ops->wakes_s ||
	    libra_in_time(end_s + c->boot_s, job->deadline_s))
		return 0;
	wait_s = longest(c, ops, size);
	return libra_in_time(end_s + wait_s, job->deadline_s) ? 0 : wait_s;
}
