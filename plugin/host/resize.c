/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize.c - see resize.h.
 */
#include <stdlib.h>

#include "plugin/host/ordinary.h"
#include "plugin/host/resize.h"

static struct tracked_job *find(const struct host_state *h, uint32_t job_id)
{
	struct tracked_job *t = host_jobs_find(&h->jobs, job_id, true);

	return t && t->ordinary ? t : NULL;
}

static void forget(struct host_state *h, struct tracked_job *t, double now_s)
{
	libra_engine_log_departed(&h->log, t->ticket, now_s);
	host_jobs_remove(&h->jobs, t);
}

void host_resize_note(struct host_state *h, uint32_t job_id)
{
	struct tracked_job *t = find(h, job_id);

	if (!t)
		return;
	t->resized = true;
	h->resized = true;
}

static struct tracked_job *find_resized(const struct host_state *h)
{
	struct tracked_job *t;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t))
		if (t->resized)
			return t;
	return NULL;
}

void host_resize_sync(struct host_state *h, double now_s)
{
	struct libra_host_job job;
	struct tracked_job *t;

	if (!h->resized)
		return;
	h->resized = false;
	while ((t = find_resized(h))) {
		t->resized = false;
		if (!h->ops->running || !h->ops->running(t->job_id, &job))
			continue;
		/* If memory is out, keep the former processors until the next
		 * call.
		 */
		if (job.unreported) {
			t->resized = h->resized = true;
			return;
		}
		if (job.nparts > 0) {
			forget(h, t, now_s);
			host_ordinary_place(h, &job, now_s);
		}
		free((void *)job.parts);
	}
}
