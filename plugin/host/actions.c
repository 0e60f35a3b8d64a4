/* SPDX-License-Identifier: GPL-2.0-or-later */
/* actions.c - see actions.h. */
#include "plugin/base/ops.h"
#include "plugin/host/actions.h"
#include "plugin/host/planned_starts.h"

/* Only an unclaimed offer can be rejected here: sharing policies decide at the
 * offer.
 */
static void expire(struct host_state *h, struct tracked_job *t)
{
	host_log(h->ops, LIBRA_HOST_INFO,
		 "offer %llu expired: no job came for it",
		 (unsigned long long)t->offer);
	host_jobs_remove(&h->jobs, t);
}

static void wake(struct host_state *h, uint32_t job_id)
{
	if (h->wakes.n < HOST_WOKEN)
		h->wakes.jobs[h->wakes.n] = job_id;
	h->wakes.n += h->wakes.n <= HOST_WOKEN;
	if (h->ops && h->ops->wake)
		h->ops->wake();
}

static void act(struct host_state *h, const struct libra_action *action,
		double now_s)
{
	struct tracked_job *t = host_jobs_find_ticket(&h->jobs, action->ticket);

	if (!t)
		return;
	switch (action->kind) {
	case LIBRA_ACTION_REJECT:
		expire(h, t);
		break;
	case LIBRA_ACTION_START:
	case LIBRA_ACTION_RESUME:
		t->may_start = true;
		t->tried.n = 0;
		break;
	case LIBRA_ACTION_HOLD: /* until its next turn */
	case LIBRA_ACTION_RESHARE:
		t->may_start = false;
		break;
	case LIBRA_ACTION_LATE: /* its reservation has the start */
		host_planned_starts_late(h, t, now_s);
		return;
	}
	/* A node holds and resumes running jobs by itself, in the same order.
	 */
	if (t->state == TRACKED_RUNNING)
		host_jobs_set_stale(&h->jobs, t);
	else if (t->may_start)
		wake(h, t->job_id);
}

/* Mark the records of a row's jobs as outdated: they contain the progress. */
static void reshared(struct host_state *h, uint32_t row)
{
	const struct libra_row *g = libra_engine_row(h->log.engine, row);
	struct tracked_job *t;

	for (uint32_t i = 0; g && i < g->ntasks; i++) {
		t = host_jobs_find_ticket(
			&h->jobs,
			libra_engine_ticket(h->log.engine, g->tasks[i].slot));
		if (t && t->state == TRACKED_RUNNING)
			host_jobs_set_stale(&h->jobs, t);
	}
}

void host_sync_actions(struct host_state *h, double now_s)
{
	struct libra_action action;

	libra_engine_log_turn(&h->log, now_s);
	while (libra_engine_log_next_action(&h->log, &action)) {
		if (action.kind == LIBRA_ACTION_RESHARE)
			reshared(h, action.row);
		else
			act(h, &action, now_s);
	}
	if (libra_engine_can_compress(h->log.engine) && h->ops && h->ops->wake)
		h->ops->wake();
}
