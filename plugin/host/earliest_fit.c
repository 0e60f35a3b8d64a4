/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * earliest_fit.c - see earliest_fit.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/request/ask.h"
#include "plugin/host/sync.h"
#include "plugin/host/earliest_fit.h"
#include "plugin/request/resources.h"
#include "plugin/host/ordinary.h"
#include "plugin/engine/plan_log.h"
#include "plugin/host/clock.h"
#include "plugin/host/actions.h"

/* Convert nodes into ranges of processors.
 * Result: the number of ranges; *nnodes is the number of nodes of this group.
 */
static uint32_t ranges_of(const struct host_cluster *c, const uint8_t *nodes,
			  uint32_t nslurm, struct libra_range *ranges,
			  uint32_t *nnodes)
{
	uint32_t n = 0;

	*nnodes = 0;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		if (c->slurm_node[i] >= nslurm || !nodes[c->slurm_node[i]])
			continue;
		++*nnodes;
		if (n > 0 &&
		    ranges[n - 1].first + ranges[n - 1].count == c->first[i])
			ranges[n - 1].count += c->procs[i];
		else
			ranges[n++] =
				(struct libra_range){c->first[i], c->procs[i]};
	}
	return n;
}

/* Reserve processors for a job.
 * Result: the ticket, or 0 if the job can never start.
 */
static uint64_t plan(struct host_state *h, const struct libra_host_job *job,
		     struct request_size *size, double now_s)
{
	struct libra_verdict v = {0};
	struct libra_where where;
	struct libra_job again;

	if (size->nprocs == 0)
		return 0;
	again = host_ordinary_job(h, job, size->nprocs, now_s);
	host_set_where(size, &again, &where);
	if (libra_plan_log_plan_ordinary(&h->log, &again, now_s, &v, NULL) <
		    0 ||
	    v.answer != LIBRA_ACCEPT)
		return 0;
	return v.ticket;
}

static uint64_t plan_ahead(struct host_state *h,
			   const struct libra_host_job *job, double now_s)
{
	struct request_size size, anywhere = {0};
	struct libra_range *ranges;
	uint64_t ticket;

	if (!job->partition ||
	    !host_cluster_partition(&h->cluster, job->partition,
				    strlen(job->partition)) ||
	    host_jobs_find(&h->jobs, job->job_id, false))
		return 0;
	size = host_ordinary_size(h, job, &anywhere);
	host_resources_again(&h->cluster, h->ops, job, &size, &ranges);
	ticket = plan(h, job, &size, now_s);
	free(ranges);
	return ticket;
}

double host_earliest_fit_s(struct host_state *h,
			   const struct libra_host_job *job,
			   const uint8_t *nodes, uint32_t nnodes,
			   const struct libra_host_job *ahead, uint32_t nahead)
{
	const struct host_cluster *c = &h->cluster;
	double now_s = host_now(h), start_s = INFINITY;
	uint64_t tickets[LIBRA_FIT_AHEAD + 1], own;
	struct request_size size, where = {0};
	struct libra_range *ranges;
	uint32_t n = 0, mine;

	host_sync(h, now_s);
	ranges = calloc(c->nnodes + 1, sizeof(*ranges));
	if (!ranges)
		return INFINITY;
	where.nallowed = ranges_of(c, nodes, nnodes, ranges, &mine);
	where.allowed = mine < c->nnodes ? ranges : NULL;
	if (mine == 0) {
		free(ranges);
		return NAN;
	}
	size = host_ordinary_size(h, job, &where);
	for (uint32_t i = 0; i < nahead && n < LIBRA_FIT_AHEAD; i++) {
		tickets[n] = plan_ahead(h, &ahead[i], now_s);
		n += tickets[n] != 0;
	}
	own = plan(h, job, &size, now_s);
	if (own) {
		start_s = libra_engine_planned_start(h->log.engine, own);
		tickets[n++] = own;
	}
	while (n-- > 0)
		libra_engine_log_withdraw(&h->log, tickets[n], now_s);
	host_sync_actions(h, now_s);
	free(ranges);
	return start_s;
}
