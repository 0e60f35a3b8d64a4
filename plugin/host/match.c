/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.c - see match.h.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "plugin/jobs/job_record.h"
#include "plugin/host/match.h"
#include "plugin/base/ops.h"
#include "plugin/base/units.h"

bool host_read_promise(struct host_state *h, const struct libra_host_job *job,
		       struct libra_promise *p)
{
	struct tracked_job *t;
	int saved;

	if (libra_admin_comment_parse(job->comment, p) == 0)
		return true;
	saved = errno;
	t = host_jobs_find(&h->jobs, job->job_id, false);
	if (!t || t->state != TRACKED_COMMITTED) {
		errno = saved;
		return false;
	}
	host_job_promise(&h->jobs, t, 1, p);
	t->stale = true;
	return true;
}

bool host_is_unmanaged(const struct host_state *h,
		       const struct libra_promise *p)
{
	return p->part.len > 0 &&
	       !host_cluster_partition(&h->cluster, p->part.text, p->part.len);
}

void host_report_damage(const struct host_state *h,
			const struct libra_host_job *job)
{
	if (errno == EINVAL)
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "job %u: the promise in its admin_comment is damaged "
			 "or of another version: the job has no promise any "
			 "more",
			 job->job_id);
}

bool host_commit(struct host_state *h, struct tracked_job *t, uint32_t job_id,
		 double now_s)
{
	if (libra_engine_log_commit(&h->log, t->ticket, job_id, now_s) < 0)
		return false;
	t->state = TRACKED_COMMITTED;
	t->job.id = job_id;
	host_jobs_link(&h->jobs, t, job_id);
	host_jobs_report(&h->jobs, t, "promised", NULL, now_s);
	return true;
}

struct tracked_job *host_match(struct host_state *h,
			       const struct libra_host_job *job,
			       const struct libra_promise *p, double now_s)
{
	struct tracked_job *t = host_jobs_find(&h->jobs, job->job_id, false);

	if (t)
		return t;
	if (p->epoch != h->log.epoch || p->offer == 0)
		return NULL;
	t = host_jobs_find_offer(&h->jobs, p->offer);
	if (!t)
		return NULL;
	/* A task of an array became a job of its own. */
	if (t->state == TRACKED_COMMITTED) {
		host_jobs_link(&h->jobs, t, job->job_id);
		t->stale = true;
		return t;
	}
	/* At its first sight an array is not known as one: commit all its
	 * offers. */
	for (; t; t = host_jobs_next_offer(&h->jobs, t))
		if (t->state == TRACKED_OFFERED)
			host_commit(h, t, job->job_id, now_s);
	t = host_jobs_find(&h->jobs, job->job_id, false);
	if (t)
		t->stale = true;
	return t;
}

bool host_is_new(struct host_state *h, const struct libra_host_job *job,
		 const struct libra_promise *p)
{
	const struct tracked_job *t = NULL;

	if (host_jobs_find(&h->jobs, job->job_id, false))
		return false;
	if (p->epoch == h->log.epoch && p->offer == 0)
		return true;
	if (p->epoch == h->log.epoch)
		t = host_jobs_find_offer(&h->jobs, p->offer);
	return t ? t->state == TRACKED_OFFERED : p->lost;
}

const char *host_differs(const struct host_state *h,
			 const struct libra_host_job *job,
			 const struct libra_promise *p)
{
	double longest_s = fmax(p->estimate_s, p->user_estimate_s);
	uint32_t longest = libra_host_from_slurm(libra_host_minutes(longest_s));
	const struct host_cluster *c = &h->cluster;
	/* A processor of whole nodes is a node. */
	uint64_t asked = c->whole_nodes ? job->size.min_nodes : job->size.ncpus;
	uint64_t each = c->whole_nodes ? 1 : c->cpus_per_proc;

	if (job->partition && p->part.len &&
	    (strlen(job->partition) != p->part.len ||
	     memcmp(job->partition, p->part.text, p->part.len) != 0))
		return "partition";
	if (asked > p->nprocs * each)
		return "processors";
	if (c->plans && !job->longest && job->minutes > longest)
		return "limit";
	return NULL;
}
