/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemptors.c - see preemptors.h.
 */
#include <math.h>

#include "plugin/plan/plan_log.h"
#include "plugin/plan/preemptors.h"

/* A place is kept for a job that others are preempted for, but not for ever:
 * something else may keep it from its start, and then others would be stopped
 * for it in vain.
 */
enum { PREEMPTOR_S = 300, PREEMPTOR_REST_S = 3600 };

static struct host_preemptor *find(struct host_state *h, uint32_t job_id)
{
	for (int i = 0; i < HOST_PREEMPTORS; i++)
		if (h->preemptors[i].job_id == job_id)
			return &h->preemptors[i];
	return NULL;
}

bool host_preemptors_may_stop(struct host_state *h,
			      const struct libra_host_job *job, double now_s)
{
	struct host_preemptor *p = find(h, job->job_id);
	double since_s = p ? fabs(now_s - p->since_s) : 0;

	if (!p)
		return find(h, 0) != NULL;
	if (since_s > PREEMPTOR_REST_S)
		p->job_id = 0;
	return since_s <= PREEMPTOR_S + job->gone_s ||
	       since_s > PREEMPTOR_REST_S;
}

void host_preemptors_note(struct host_state *h, uint32_t job_id, double now_s)
{
	struct host_preemptor *p = find(h, job_id);

	if (!p)
		p = find(h, 0);
	if (p && p->job_id == 0)
		*p = (struct host_preemptor){job_id, now_s};
}

/* A task of an array has another id when it runs than it asked with. */
void host_preemptors_started(struct host_state *h,
			     const struct libra_host_job *job, double now_s)
{
	struct host_preemptor *p = find(h, job->job_id);
	struct host_preemptor *all = job->array && job->array != job->job_id
					     ? find(h, job->array)
					     : NULL;

	if (p)
		p->job_id = 0;
	if (!all)
		return;
	libra_plan_log_forgo(&h->log, all->job_id, now_s);
	all->job_id = 0;
}

void host_preemptors_sync(struct host_state *h, double now_s)
{
	for (int i = 0; i < HOST_PREEMPTORS; i++) {
		uint32_t id = h->preemptors[i].job_id;
		enum libra_host_job_state state;

		if (!id || !h->ops->job_state)
			continue;
		state = h->ops->job_state(id);
		if (state != LIBRA_JOB_GONE && state != LIBRA_JOB_BLOCKED)
			continue;
		h->preemptors[i].job_id = 0;
		libra_plan_log_forgo(&h->log, id, now_s);
	}
}
