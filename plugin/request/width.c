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
	return r->ntasks == 0 ||
	       (r->tasks_per_node &&
		r->ntasks == libra_host_times(r->min_nodes, r->tasks_per_node));
}

bool host_has_widths(const struct host_cluster *c,
		     const struct libra_host_request *r)
{
	return c->plans && r->speedup > 0 && r->min_nodes > 0 &&
	       r->max_nodes > r->min_nodes && !r->array && !r->blocked &&
	       !r->distrusted && !r->nodelist && !r->gres_job &&
	       !r->tasks_per_gpu && (grows(r) || c->whole_nodes);
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
	if (n < r->max_nodes)
		r->max_nodes = libra_host_larger(n, r->min_nodes);
	return r->max_nodes > r->min_nodes;
}

struct libra_host_request host_at_width(const struct libra_host_request *asked,
					uint32_t nodes)
{
	struct libra_host_request r = *asked;

	r.min_nodes = r.max_nodes = nodes;
	r.estimate_s = 60.0 * libra_host_minutes(libra_width_time_s(
				      asked->estimate_s, asked->min_nodes,
				      nodes, asked->speedup));
	if (!grows(asked))
		return r;
	r.ncpus = libra_host_times(
		nodes, libra_host_ceil(asked->ncpus, asked->min_nodes));
	if (r.ntasks)
		r.ntasks = libra_host_times(nodes, r.tasks_per_node);
	return r;
}

bool host_is_permitted(const struct libra_host_request *r)
{
	return !r->denial.rule && !r->uncounted &&
	       (!r->limit_name || r->room >= 1) &&
	       !(r->limit_s > 0 && r->estimate_s > r->limit_s);
}

void host_report_width(const struct libra_host_request *asked,
		       const struct libra_host_request *r,
		       struct libra_host_reply *reply)
{
	char limit[32];

	if (reply->answer != LIBRA_HOST_ACCEPTED)
		return;
	reply->nodes = r->min_nodes;
	if (r->ncpus != asked->ncpus)
		reply->ncpus = libra_host_larger(reply->ncpus, r->ncpus);
	if (r->ntasks != asked->ntasks)
		reply->ntasks = r->ntasks;
	libra_host_duration_text(r->estimate_s, limit);
	host_reply_text(reply,
			"libra: on %u of %u to %u nodes its time limit is %s "
			"(libra_speedup=%g)",
			r->min_nodes, asked->min_nodes, asked->max_nodes, limit,
			asked->speedup);
}
