/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * width.c - see width.h.
 */
#include "core/width.h"
#include "plugin/base/units.h"
#include "plugin/request/messages.h"
#include "plugin/request/nodes.h"
#include "plugin/request/width.h"

/* Return true if each node has as many tasks on any number of nodes. */
static bool grows(const struct libra_host_request *r)
{
	return r->size.ntasks == 0 ||
	       (r->size.tasks_per_node &&
		r->size.ntasks == libra_host_times(r->size.min_nodes,
						   r->size.tasks_per_node));
}

bool host_has_widths(const struct host_cluster *c,
		     const struct libra_host_request *r)
{
	return c->plans && r->speedup > 0 && r->size.min_nodes > 0 &&
	       r->size.max_nodes > r->size.min_nodes && !r->array &&
	       !r->blocked && !r->distrusted && !r->nodes.list &&
	       !r->gres.job && !r->gpu.per_task && (grows(r) || c->whole_nodes);
}

bool host_bound_widths(const struct host_cluster *c,
		       struct libra_host_request *r)
{
	struct request_size all = {0};
	bool several;
	uint32_t n;

	if (!host_has_widths(c, r))
		return false;
	all.partition = host_cluster_managed(c, r->partition, &several);
	n = host_count_allowed(c, &all);
	if (n < r->size.max_nodes)
		r->size.max_nodes = libra_host_larger(n, r->size.min_nodes);
	return r->size.max_nodes > r->size.min_nodes;
}

struct libra_host_request host_at_width(const struct libra_host_request *asked,
					uint32_t nodes)
{
	struct libra_host_request r = *asked;

	r.size.min_nodes = r.size.max_nodes = nodes;
	r.times.estimate_s =
		60.0 * libra_host_minutes(libra_width_time_s(
			       asked->times.estimate_s, asked->size.min_nodes,
			       nodes, asked->speedup));
	if (!grows(asked))
		return r;
	r.size.ncpus =
		libra_host_times(nodes, libra_host_ceil(asked->size.ncpus,
							asked->size.min_nodes));
	if (r.size.ntasks)
		r.size.ntasks = libra_host_times(nodes, r.size.tasks_per_node);
	return r;
}

bool host_is_permitted(const struct libra_host_request *r)
{
	return !r->bounds.denial.rule && !r->uncounted &&
	       (!r->limits.limit_name || r->limits.room >= 1) &&
	       !(r->limits.limit_s > 0 &&
		 r->times.estimate_s > r->limits.limit_s);
}

void host_report_width(const struct libra_host_request *asked,
		       const struct libra_host_request *r,
		       struct libra_host_reply *reply)
{
	char limit[32];

	if (reply->answer != LIBRA_HOST_ACCEPTED)
		return;
	reply->nodes = r->size.min_nodes;
	if (r->size.ncpus != asked->size.ncpus)
		reply->ncpus = libra_host_larger(reply->ncpus, r->size.ncpus);
	if (r->size.ntasks != asked->size.ntasks)
		reply->ntasks = r->size.ntasks;
	libra_host_duration_text(r->times.estimate_s, limit);
	host_reply_text(reply,
			"libra: on %u of %u to %u nodes its time limit is %s "
			"(libra_speedup=%g)",
			r->size.min_nodes, asked->size.min_nodes,
			asked->size.max_nodes, limit, asked->speedup);
}
