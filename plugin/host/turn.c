/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turn.c - see turn.h.
 */
#include <math.h>

#include "plugin/host/match.h"
#include "plugin/host/turn.h"

/* A job that was refused asks again when something has become free, and now and
 * then: shares grow with time.
 */
#define ASK_SOON_S 1.0
#define ASK_LATE_S 15.0

static bool may_ask(const struct host_state *h, uint32_t job_id, double now_s)
{
	const struct host_refusal *r = &h->refused[job_id % HOST_REFUSALS];
	double wait_s = r->changes == h->log.changes ? ASK_LATE_S : ASK_SOON_S;

	return r->job_id != job_id || fabs(now_s - r->at_s) >= wait_s;
}

bool host_wants(struct host_state *h, const struct libra_host_job *job,
		double now_s)
{
	struct tracked_job *t, *last;
	struct libra_promise p;

	if (libra_promise_parse(job->comment, &p) < 0 ||
	    host_is_unmanaged(h, &p))
		return false;
	t = host_jobs_find(&h->jobs, job->job_id, false);
	for (last = t; last; last = host_jobs_next_waiting(&h->jobs, last))
		if (last->may_start)
			return true;
	if (t && host_jobs_count_waiting(&h->jobs, job->job_id, &last) >=
			 (job->waiting ? job->waiting : 1))
		return false;
	return !p.lost && may_ask(h, job->job_id, now_s);
}
