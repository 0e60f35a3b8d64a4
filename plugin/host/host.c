/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.c - the one state of the host, its lock, and the entry points that
 * take it.  See host.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plugin/host/host.h"
#include "plugin/host/state.h"
#include "plugin/host/units.h"

/* Of an array: each is an offer that the engine decides on under the lock. */
#define MAX_TASKS 1000u

struct host host = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The tasks of a submission, or 0: the user is told.  Slurm looks at an array
 * after us: what it would refuse then shall hold no offers.
 */
static uint32_t count_tasks(const struct libra_host_request *r,
			    struct libra_host_reply *reply)
{
	char text[96];
	bool limited;
	uint32_t n;

	if (!r->array)
		return 1;
	n = libra_host_array_tasks(r->array, &limited);
	if (limited) {
		host_unacceptable(reply,
				  "--array with %limit: tasks that must wait "
				  "cannot have a promise");
		return 0;
	}
	if (n == 0 || n > MAX_TASKS) {
		snprintf(text, sizeof(text),
			 "--array: no expression of at most %u tasks",
			 MAX_TASKS);
		host_unacceptable(reply, text);
		return 0;
	}
	if (host.cluster.max_array &&
	    libra_host_array_last(r->array) >= host.cluster.max_array) {
		snprintf(text, sizeof(text),
			 "--array: indices are below %u here (MaxArraySize)",
			 host.cluster.max_array);
		host_unacceptable(reply, text);
		return 0;
	}
	return n;
}

int libra_host_submit(const struct libra_host_request *r,
		      struct libra_host_reply *reply)
{
	const struct host_partition *part;
	bool several;
	uint32_t tasks;
	double now_s;
	int rc = 0;

	*reply = (struct libra_host_reply){.answer = LIBRA_HOST_STOCK};
	pthread_mutex_lock(&host.lock);
	if (!host.ready)
		goto out;
	now_s = host_clock_s(host.ops);
	part = host_cluster_managed(&host.cluster, r->partition, &several);
	if (!part || host_plain_answer(r, now_s, several, reply))
		goto out;
	tasks = count_tasks(r, reply);
	if (tasks == 0)
		goto out;
	host_catch_up(now_s);
	host_follow_nodes(now_s);
	host_stand_still(now_s);
	rc = host_submit(r, part, tasks, now_s, reply);
	/* A job may just have gone: look, and ask once more. */
	if (rc == 0 && reply->answer == LIBRA_HOST_REFUSED &&
	    host_sweep(now_s) > 0) {
		libra_host_reply_fini(reply);
		*reply = (struct libra_host_reply){0};
		rc = host_submit(r, part, tasks, now_s, reply);
	}
	host_take_actions(now_s);
out:
	if (rc < 0) {
		libra_host_reply_fini(reply);
		reply->answer = LIBRA_HOST_STOCK;
	}
	pthread_mutex_unlock(&host.lock);
	return rc;
}

void libra_host_reply_fini(struct libra_host_reply *reply)
{
	free(reply->text);
	free(reply->record.comment);
	reply->text = NULL;
	reply->record.comment = NULL;
}

static bool waits(uint32_t job_id)
{
	enum libra_host_job_state state = host_job_state(host.ops, job_id);

	return state == LIBRA_JOB_PENDING || state == LIBRA_JOB_BLOCKED;
}

/* Slurm has locks of its own for that: ours is not held. */
static enum libra_host_right right_of(const void *record, uint32_t user)
{
	const struct libra_host_ops *ops;

	pthread_mutex_lock(&host.lock);
	ops = host.ready ? host.ops : NULL;
	pthread_mutex_unlock(&host.lock);
	if (!ops)
		return LIBRA_RIGHT_NONE;
	return ops->right ? ops->right(record, user) : LIBRA_RIGHT_OPERATOR;
}

int libra_host_modify(const void *record, uint32_t user,
		      const struct libra_host_request *request,
		      struct libra_host_reply *reply)
{
	enum libra_host_right right = right_of(record, user);
	struct host_change change = {
		.r = *request,
		.by_operator = right == LIBRA_RIGHT_OPERATOR,
	};
	struct tracked_job *t = NULL;
	struct libra_host_job job;
	struct libra_promise p;
	bool recorded = false;
	double now_s;
	int rc = 0;

	*reply = (struct libra_host_reply){.answer = LIBRA_HOST_STOCK};
	if (right == LIBRA_RIGHT_NONE)
		return 0;
	pthread_mutex_lock(&host.lock);
	if (!host.ready || !host.ops->view)
		goto out;
	job = change.job = host.ops->view(record);
	now_s = host_clock_s(host.ops);
	host_catch_up(now_s);
	host_follow_nodes(now_s);
	host_stand_still(now_s);
	t = host_jobs_find(&host.jobs, job.job_id, true);
	if (!t) {
		recorded = host_recorded(&job, &p);
		if (recorded)
			t = host_claim(&job, &p, now_s);
	}
	if (t && t->state != TRACKED_RUNNING && job.waiting > 1)
		rc = host_unacceptable(reply,
				       "the waiting tasks of an array are "
				       "changed one by one, as jobs "
				       "ARRAY_TASK");
	else if (t)
		rc = host_modify(t, &change, now_s, reply);
	else if (recorded && waits(job.job_id))
		rc = host_modify_record(&p, &change, now_s, reply);
out:
	if (rc < 0)
		libra_host_reply_fini(reply);
	pthread_mutex_unlock(&host.lock);
	return rc;
}

static void clear_placement(struct libra_host_placement *placement)
{
	placement->nparts = 0;
	placement->record = (struct libra_host_record){0};
}

enum libra_host_place libra_host_place(const struct libra_host_job *job,
				       struct libra_host_placement *placement)
{
	enum libra_host_place answer = LIBRA_PLACE_STOCK;
	struct libra_promise p;
	double now_s;

	clear_placement(placement);
	pthread_mutex_lock(&host.lock);
	if (host.ready && host_recorded(job, &p)) {
		now_s = host_clock_s(host.ops);
		host_catch_up(now_s);
		answer = host_place(job, &p, now_s, placement);
	}
	pthread_mutex_unlock(&host.lock);
	return answer;
}

/* Said where a job is met for the first time. */
static void report_damage(const struct libra_host_job *job)
{
	if (errno == EINVAL)
		host_say(host.ops, LIBRA_HOST_ERROR,
			 "job %u: the promise in its admin_comment is damaged "
			 "or of another version: it has none any more",
			 job->job_id);
}

void libra_host_started(const struct libra_host_job *job,
			struct libra_host_placement *placement)
{
	struct libra_promise p;

	clear_placement(placement);
	pthread_mutex_lock(&host.lock);
	if (host.ready && !host_jobs_find(&host.jobs, job->job_id, true)) {
		if (host_recorded(job, &p))
			host_started(job, &p, host_clock_s(host.ops),
				     placement);
		else
			report_damage(job);
	}
	pthread_mutex_unlock(&host.lock);
}

void libra_host_flush_records(void)
{
	pthread_mutex_lock(&host.lock);
	/* Few, and a restart would believe them. */
	host_released_flush(&host.released, &host.jobs);
	host_jobs_flush(&host.jobs);
	pthread_mutex_unlock(&host.lock);
}

void libra_host_suspended(uint32_t job_id, bool suspended)
{
	struct tracked_job *t;

	pthread_mutex_lock(&host.lock);
	t = host.ready ? host_jobs_find(&host.jobs, job_id, true) : NULL;
	if (t)
		host_suspend(t, suspended, host_clock_s(host.ops));
	pthread_mutex_unlock(&host.lock);
}

void libra_host_ended(uint32_t job_id)
{
	struct tracked_job *t;
	double now_s;

	pthread_mutex_lock(&host.lock);
	t = host.ready ? host_jobs_find(&host.jobs, job_id, true) : NULL;
	if (t) {
		now_s = host_clock_s(host.ops);
		host_estimates_learn(&host.history, &host.jobs, t, now_s);
		libra_engine_log_departed(&host.log, t->ticket, now_s);
		host_jobs_remove(&host.jobs, t);
		host_take_actions(now_s);
	}
	pthread_mutex_unlock(&host.lock);
}

void libra_host_restore(const struct libra_host_job *job,
			struct libra_host_placement *placement)
{
	struct libra_promise p;

	clear_placement(placement);
	pthread_mutex_lock(&host.lock);
	if (host.ready) {
		if (host_recorded(job, &p))
			host_known(job, &p, host_clock_s(host.ops), placement);
		else
			report_damage(job);
	}
	pthread_mutex_unlock(&host.lock);
}

void libra_host_counts(struct libra_host_counts *counts)
{
	const struct tracked_job *t;

	*counts = (struct libra_host_counts){0};
	pthread_mutex_lock(&host.lock);
	if (host.ready)
		counts->nprocs = host_cluster_nprocs(&host.cluster);
	for (t = host_jobs_next(&host.jobs, NULL); t;
	     t = host_jobs_next(&host.jobs, t)) {
		counts->offers += t->state == TRACKED_OFFERED;
		counts->committed += t->state == TRACKED_COMMITTED;
		counts->running += t->state == TRACKED_RUNNING;
	}
	pthread_mutex_unlock(&host.lock);
}

void libra_host_init(const struct libra_host_ops *ops)
{
	pthread_mutex_lock(&host.lock);
	host.ops = ops;
	host.log.out.fd = -1;
	host.jobs.ops = ops;
	host.history.ops = ops;
	host.log.conf = &host.conf;
	host.jobs.cluster = &host.cluster;
	host.jobs.log = &host.log;
	if (!host.jobs.jobs)
		host_jobs_clear(&host.jobs);
	pthread_mutex_unlock(&host.lock);
}

void libra_host_fini(void)
{
	pthread_mutex_lock(&host.lock);
	host.ready = false;
	host_history_end(&host.history);
	libra_engine_log_destroy(&host.log);
	libra_declog_close(&host.log.out);
	host_jobs_clear(&host.jobs);
	host_released_forget(&host.released, 0);
	host_cluster_fini(&host.cluster);
	libra_host_conf_fini(&host.conf);
	host.ops = NULL;
	pthread_mutex_unlock(&host.lock);
}

/* slurmctld may unload plugins without their fini(). */
static void __attribute__((destructor)) unload(void)
{
	libra_host_fini();
}
