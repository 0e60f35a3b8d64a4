/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.c - see ask.h.
 */
#include <errno.h>

#include "plugin/host/ask.h"

/* The terms of the core.  For one call: the job points to where. */
static void set_where(const struct request_size *size, struct libra_job *job,
		      struct libra_where *where)
{
	*where = (struct libra_where){
		.chunk = size->chunk,
		.node_max = size->node_max,
		.min_nodes = size->min_nodes > 1 ? size->min_nodes : 0,
		.max_nodes = size->max_nodes,
	};
	if (size->partition) {
		where->allowed = size->partition->allowed;
		where->nallowed = size->partition->nallowed;
	}
	/* Most jobs may be anywhere: the log and the engine are spared. */
	if (where->allowed || where->chunk > 1 || where->node_max ||
	    where->min_nodes || where->max_nodes)
		job->where = where;
}

int host_ask(struct host_jobs *jobs, const struct libra_job *job,
	     const struct request_size *size, uint64_t first, double now_s,
	     struct libra_verdict *verdict, struct libra_error *err)
{
	struct libra_where where;
	struct libra_job placed = *job;
	struct tracked_job *t;

	set_where(size, &placed, &where);
	if (libra_engine_log_offer(jobs->log, &placed, now_s, verdict, err) < 0)
		return -1;
	if (verdict->answer != LIBRA_ACCEPT)
		return (int)verdict->answer;
	t = host_jobs_add(jobs, verdict->ticket, first);
	if (!t) {
		libra_engine_log_withdraw(jobs->log, verdict->ticket, now_s);
		errno = ENOMEM;
		return -1;
	}
	t->job = *job;
	t->user_estimate_s = job->estimate_s;
	t->size = *size;
	t->share = verdict->share;
	t->late_s = verdict->late_s;
	return LIBRA_ACCEPT;
}

struct host_advice host_ask_advice(struct host_jobs *jobs,
				   const struct libra_job *job, uint32_t tasks,
				   const struct request_size *size,
				   double now_s)
{
	struct libra_where where;
	struct libra_job placed = *job;
	struct host_advice advice;

	set_where(size, &placed, &where);
	advice.earliest_s =
		libra_engine_log_earliest(jobs->log, &placed, tasks, now_s);
	advice.try_s = libra_engine_advise(jobs->log->engine, &placed, tasks,
					   advice.earliest_s, 60, now_s);
	advice.bound = tasks > 1 || libra_host_conf_in_turn(jobs->log->conf);
	return advice;
}
