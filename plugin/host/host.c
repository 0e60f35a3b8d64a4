/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.c - the host's lock, and the entry points that take it (host.h).  Those
 * for submissions and changes are in answer.c.
 *
 * The state and all other files of the host use no lock.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "plugin/request/ask.h"
#include "plugin/host/unclaimed.h"
#include "plugin/host/groups.h"
#include "plugin/host/host_impl.h"
#include "plugin/jobs/job_record.h"
#include "plugin/host/lifecycle.h"
#include "plugin/base/ops.h"
#include "plugin/host/restore.h"
#include "plugin/host/sync.h"
#include "plugin/base/timing.h"
#include "plugin/host/earliest_fit.h"
#include "plugin/host/starvation.h"
#include "plugin/host/ordinary.h"
#include "plugin/host/forecast.h"
#include "plugin/host/resize.h"
#include "plugin/host/planned_starts.h"
#include "plugin/host/clock.h"
#include "plugin/host/actions.h"

/* The host that slurmctld's plugins share.  The plugins are loaded and ended in
 * any order, so none of them owns the host.
 */
static struct libra_host shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct libra_host *libra_host_shared(void)
{
	return &shared;
}

struct libra_host *libra_host_create(void)
{
	struct libra_host *host = calloc(1, sizeof(*host));

	if (host)
		pthread_mutex_init(&host->lock, NULL);
	return host;
}

void libra_host_destroy(struct libra_host *host)
{
	if (!host)
		return;
	libra_host_fini(host);
	pthread_mutex_destroy(&host->lock);
	free(host);
}

void libra_host_init(struct libra_host *host, const struct libra_host_ops *ops)
{
	struct host_groups *groups = &host->groups;

	pthread_mutex_lock(&host->lock);
	groups->ops = groups->history.ops = ops;
	for (size_t i = 0; i < groups->n; i++)
		groups->states[i]->ops = groups->states[i]->jobs.ops = ops;
	pthread_mutex_unlock(&host->lock);
}

void libra_host_fini(struct libra_host *host)
{
	struct host_groups *groups = &host->groups;

	pthread_mutex_lock(&host->lock);
	host->ready = false;
	host_groups_end(groups);
	groups->ops = groups->history.ops = NULL;
	pthread_mutex_unlock(&host->lock);
}

/* slurmctld may unload plugins without their fini(). */
static void __attribute__((destructor)) unload(void)
{
	libra_host_fini(&shared);
}

int libra_host_set_cluster(struct libra_host *host,
			   const struct libra_host_cluster *cluster)
{
	int rc;

	pthread_mutex_lock(&host->lock);
	rc = host_groups_reconfigure(&host->groups, cluster, host->ready);
	host->ready = rc == 0;
	pthread_mutex_unlock(&host->lock);
	return rc;
}

static void clear_placement(struct libra_host_placement *placement)
{
	placement->nparts = 0;
	placement->record = (struct libra_host_record){0};
}

enum libra_host_place libra_host_place(struct libra_host *host,
				       const struct libra_host_job *job,
				       struct libra_host_placement *placement)
{
	enum libra_host_place answer = LIBRA_PLACE_STOCK;

	clear_placement(placement);
	pthread_mutex_lock(&host->lock);
	if (host->ready)
		answer = host_place(host_group_of(host, job), job, placement);
	pthread_mutex_unlock(&host->lock);
	return answer;
}

bool libra_host_may_run(struct libra_host *host,
			const struct libra_host_job *job, uint8_t *in_way,
			uint32_t n)
{
	struct host_state *h;
	bool may = true;
	double now_s;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; may && host->ready && i < host->groups.n; i++) {
		h = host->groups.states[i];
		if (!h->cluster.plans)
			continue;
		now_s = host_now(h);
		host_sync(h, now_s);
		/* What has become free belongs to promised jobs first. */
		host_compress(h, now_s);
		may = host_ordinary_may_run(h, job, in_way, n);
	}
	pthread_mutex_unlock(&host->lock);
	return may;
}

void libra_host_kept(struct libra_host *host,
		     struct libra_host_placement *placement)
{
	struct host_state *h;

	clear_placement(placement);
	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++) {
		h = host->groups.states[i];
		if (h->cluster.plans)
			host_planned_starts_kept(h, placement);
	}
	pthread_mutex_unlock(&host->lock);
}

enum libra_host_wanted libra_host_wants(struct libra_host *host,
					const struct libra_host_job *job)
{
	enum libra_host_wanted wants = LIBRA_NOT_WANTED;

	pthread_mutex_lock(&host->lock);
	if (host->ready)
		wants = host_wants(host_group_of(host, job), job,
				   host_clock_s(host->groups.ops));
	pthread_mutex_unlock(&host->lock);
	return wants;
}

uint32_t libra_host_due(struct libra_host *host, uint32_t *ids, uint32_t max)
{
	struct host_state *h;
	uint32_t n = 0;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n && n < max; i++) {
		h = host->groups.states[i];
		if (h->cluster.plans)
			ids[n] = host_starvation_due(h);
		if (h->cluster.plans && ids[n])
			n++;
	}
	pthread_mutex_unlock(&host->lock);
	return n;
}

double libra_host_next_s(struct libra_host *host)
{
	double next_s = INFINITY;
	struct host_state *h;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++) {
		h = host->groups.states[i];
		if (h->cluster.plans)
			next_s = fmin(next_s,
				      libra_engine_next_event_s(h->log.engine) -
					      host_now(h));
	}
	pthread_mutex_unlock(&host->lock);
	return fmax(0, next_s);
}

uint32_t libra_host_woken(struct libra_host *host, uint32_t *ids, uint32_t n)
{
	struct host_state *h;
	uint32_t all = 0;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++) {
		h = host->groups.states[i];
		for (uint32_t k = 0; h->wakes.n <= HOST_WOKEN && k < h->wakes.n;
		     k++, all++)
			if (all < n)
				ids[all] = h->wakes.jobs[k];
		if (h->wakes.n > HOST_WOKEN)
			all = n + 1;
		h->wakes.n = 0;
	}
	pthread_mutex_unlock(&host->lock);
	return all;
}

void libra_host_tried(struct libra_host *host, uint32_t job_id)
{
	double now_s;

	pthread_mutex_lock(&host->lock);
	now_s = host->ready ? host_clock_s(host->groups.ops) : 0;
	for (size_t i = 0; host->ready && i < host->groups.n; i++)
		host_tried(host->groups.states[i], job_id, now_s);
	pthread_mutex_unlock(&host->lock);
}

bool libra_host_may_try(struct libra_host *host, uint32_t job_id)
{
	struct host_state *h;
	bool may = true;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; may && host->ready && i < host->groups.n; i++) {
		h = host->groups.states[i];
		may = host_may_try(h, job_id, host_clock_s(h->ops));
	}
	pthread_mutex_unlock(&host->lock);
	return may;
}

double libra_host_starts_s(struct libra_host *host,
			   const struct libra_host_job *job)
{
	double start_s = NAN;

	pthread_mutex_lock(&host->lock);
	if (host->ready)
		start_s = host_starts_s(host_group_of(host, job), job->job_id);
	pthread_mutex_unlock(&host->lock);
	return start_s;
}

double libra_host_ends_s(struct libra_host *host, uint32_t job_id)
{
	double ends_s = NAN;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n && isnan(ends_s);
	     i++)
		ends_s = host_ends_s(host->groups.states[i], job_id);
	pthread_mutex_unlock(&host->lock);
	return ends_s;
}

double libra_host_last_end_s(struct libra_host *host)
{
	double last_s = 0;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++)
		last_s = fmax(last_s, host_last_end_s(host->groups.states[i]));
	pthread_mutex_unlock(&host->lock);
	return last_s;
}

bool libra_host_tracks(struct libra_host *host,
		       const struct libra_host_job *job)
{
	bool tracks;

	pthread_mutex_lock(&host->lock);
	tracks = host->ready && host_jobs_find(&host_group_of(host, job)->jobs,
					       job->job_id, false);
	pthread_mutex_unlock(&host->lock);
	return tracks;
}

void libra_host_forget(struct libra_host *host,
		       const struct libra_host_job *job)
{
	pthread_mutex_lock(&host->lock);
	if (host->ready)
		host_forget(host_group_of(host, job), job->job_id);
	pthread_mutex_unlock(&host->lock);
}

double libra_host_earliest_fit_s(struct libra_host *host,
				 const struct libra_host_job *job,
				 const uint8_t *nodes, uint32_t nnodes,
				 const struct libra_host_job *ahead,
				 uint32_t nahead)
{
	struct host_state *h;
	double start_s = NAN;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n && isnan(start_s);
	     i++) {
		h = host->groups.states[i];
		if (h->cluster.plans)
			start_s = host_earliest_fit_s(h, job, nodes, nnodes,
						      ahead, nahead);
	}
	pthread_mutex_unlock(&host->lock);
	return start_s;
}

bool libra_host_manages(struct libra_host *host, const char *partition)
{
	bool managed;

	pthread_mutex_lock(&host->lock);
	managed = host_group_for(host, partition);
	pthread_mutex_unlock(&host->lock);
	return managed;
}

bool libra_host_spare_memory(struct libra_host *host, uint64_t *mb, uint32_t n)
{
	bool any = false;

	pthread_mutex_lock(&host->lock);
	for (uint32_t i = 0; i < n; i++)
		mb[i] = UINT64_MAX;
	for (size_t i = 0; host->ready && i < host->groups.n; i++)
		any = host_spare_memory(&host->groups.states[i]->jobs, mb, n) ||
		      any;
	pthread_mutex_unlock(&host->lock);
	return any;
}

bool libra_host_look(struct libra_host *host)
{
	struct host_state *h;
	bool more = false;
	double now_s;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++) {
		h = host->groups.states[i];
		now_s = host_now(h);
		host_unclaimed_settle(h, HOST_CLAIMS_MANY, now_s);
		host_sync(h, now_s);
		more = host_compress(h, now_s) || more;
		more = host_charge(h, now_s) || h->sweep.left > 0 || more;
	}
	pthread_mutex_unlock(&host->lock);
	return more;
}

void libra_host_started(struct libra_host *host,
			const struct libra_host_job *job,
			struct libra_host_placement *placement)
{
	clear_placement(placement);
	pthread_mutex_lock(&host->lock);
	if (host->ready)
		host_started(host_group_of(host, job), job, placement);
	for (size_t i = 0; host->ready && i < host->groups.n; i++)
		if (host->groups.states[i]->cluster.plans)
			host_ordinary_enter(host->groups.states[i], job);
	pthread_mutex_unlock(&host->lock);
}

bool libra_host_must_report(struct libra_host *host)
{
	bool any = false;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++) {
		any = host->groups.states[i]->unreported || any;
		host->groups.states[i]->unreported = false;
	}
	pthread_mutex_unlock(&host->lock);
	return any;
}

void libra_host_restore(struct libra_host *host,
			const struct libra_host_job *job,
			struct libra_host_placement *placement)
{
	clear_placement(placement);
	pthread_mutex_lock(&host->lock);
	if (host->ready)
		host_restore(host_group_of(host, job), job, placement);
	pthread_mutex_unlock(&host->lock);
}

bool libra_host_flush_records(struct libra_host *host)
{
	struct host_state *h;
	bool more = false;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; i < host->groups.n; i++) {
		h = host->groups.states[i];
		/* Write all of these: they are few, and a restart would trust
		 * the former records.
		 */
		host_released_flush(&h->released, &h->jobs);
		more = host_jobs_flush(&h->jobs) || more;
	}
	pthread_mutex_unlock(&host->lock);
	return more;
}

void libra_host_limited(struct libra_host *host, uint32_t job_id,
			const char *what)
{
	struct host_state *h;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++) {
		h = host->groups.states[i];
		host_limited(h, job_id, what, host_clock_s(h->ops));
	}
	pthread_mutex_unlock(&host->lock);
}

void libra_host_keep(struct libra_host *host, const struct libra_host_job *job)
{
	pthread_mutex_lock(&host->lock);
	if (host->ready)
		host_keep(host_group_of(host, job), job);
	pthread_mutex_unlock(&host->lock);
}

void libra_host_suspended(struct libra_host *host, uint32_t job_id,
			  bool suspended)
{
	struct host_state *h;
	struct tracked_job *t;

	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++) {
		h = host->groups.states[i];
		t = host_jobs_find(&h->jobs, job_id, true);
		if (!t)
			continue;
		host_suspend(h, t, suspended, host_now(h));
		host_sync_actions(h, host_now(h));
	}
	pthread_mutex_unlock(&host->lock);
}

void libra_host_record(struct libra_host *host, uint32_t job_id,
		       struct libra_host_placement *placement)
{
	struct libra_host_record *record = &placement->record;

	clear_placement(placement);
	pthread_mutex_lock(&host->lock);
	for (size_t i = 0;
	     !record->comment && host->ready && i < host->groups.n; i++)
		host_record_again(host->groups.states[i], job_id, record);
	pthread_mutex_unlock(&host->lock);
}

void libra_host_ended(struct libra_host *host, uint32_t job_id)
{
	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++)
		host_ended(host->groups.states[i], job_id);
	pthread_mutex_unlock(&host->lock);
}

void libra_host_resized(struct libra_host *host, uint32_t job_id)
{
	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++)
		if (host->groups.states[i]->cluster.plans)
			host_resize_note(host->groups.states[i], job_id);
	pthread_mutex_unlock(&host->lock);
}

static void add_counts(const struct host_state *h,
		       struct libra_host_counts *counts)
{
	const struct host_jobs *jobs = &h->jobs;
	const struct tracked_job *t;

	counts->nprocs += host_cluster_nprocs(&h->cluster);
	for (t = host_jobs_next(jobs, NULL); t; t = host_jobs_next(jobs, t)) {
		counts->offers += t->state == TRACKED_OFFERED;
		counts->committed += t->state == TRACKED_COMMITTED;
		counts->running += t->state == TRACKED_RUNNING;
	}
}

void libra_host_counts(struct libra_host *host,
		       struct libra_host_counts *counts)
{
	*counts = (struct libra_host_counts){0};
	pthread_mutex_lock(&host->lock);
	for (size_t i = 0; host->ready && i < host->groups.n; i++)
		add_counts(host->groups.states[i], counts);
	pthread_mutex_unlock(&host->lock);
}

void libra_host_took(struct libra_host *host, enum libra_host_call call,
		     const struct libra_host_watch *watch)
{
	if (!watch->on)
		return;
	pthread_mutex_lock(&host->lock);
	host_times_add(&host->times, call, watch);
	pthread_mutex_unlock(&host->lock);
}

void libra_host_log_times(struct libra_host *host)
{
	pthread_mutex_lock(&host->lock);
	host_times_log(&host->times, host->groups.ops);
	pthread_mutex_unlock(&host->lock);
}
