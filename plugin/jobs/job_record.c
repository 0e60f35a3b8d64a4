/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_record.c - see job_record.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/jobs/job_record.h"
#include "plugin/base/ops.h"
#include "plugin/engine/placement.h"
#include "plugin/base/clock.h"

/* Longest list of an array's processors.  Slurm has no limit, but writes and
 * sends the record often.
 */
#define LIST_LENGTH 32768

void host_job_promise(const struct host_jobs *jobs, const struct tracked_job *t,
		      uint32_t tasks, struct libra_promise *p)
{
	*p = (struct libra_promise){
		.epoch = jobs->log->epoch,
		.offer = t->state == TRACKED_RUNNING ? t->offer : t->first,
		.tasks = tasks,
		.nprocs = t->job.nprocs,
		.estimate_s = t->job.estimate_s - t->wait_s,
		.user_estimate_s = t->user_estimate_s,
		.deadline_s = t->job.deadline_s,
		.submit_s = t->job.submit_s,
		.share = t->share,
		.late_s = t->late_s,
		.broken.text = t->broken,
		.broken.len = strlen(t->broken),
		.changed_s = t->changed_s,
		.budget = t->job.budget,
		.penalty_rate = t->job.penalty_rate,
		.chunk = t->size.chunk,
		.node_max = t->size.node_max,
		.min_nodes = t->size.min_nodes,
		.max_nodes = t->size.max_nodes,
	};
	host_record_need(jobs->cluster, &t->size, p->need);
	if (t->size.partition) {
		p->part.text = t->size.partition->name;
		p->part.len = strlen(p->part.text);
	}
}

/* The lists of a record. */
struct lists {
	struct host_text on, left, start;
	struct libra_host_placement scratch;
};

/* Append a job's processors.  Result: false if memory ran out; also below. */
static bool write_job(struct lists *lists, const struct host_jobs *jobs,
		      const struct tracked_job *t)
{
	const struct record_job job = {
		.ticket = t->ticket,
		.running = t->state == TRACKED_RUNNING,
		.suspended = t->suspended,
		.suspended_left_s = t->job.estimate_s - t->executed_s,
		.now_s = host_clock_s(jobs->ops),
	};

	return host_record_write(&lists->on, &lists->left, jobs->log,
				 jobs->cluster, &job, &lists->scratch);
}

/* Append the processors of an array's tasks, in order of their starts. */
static bool write_tasks(struct lists *lists, const struct host_jobs *jobs,
			const struct tracked_job *t)
{
	bool good = true;

	for (t = host_jobs_find_offer(jobs, t->first);
	     t && good && lists->on.len < LIST_LENGTH;
	     t = host_jobs_next_offer(jobs, t))
		good = (lists->on.len == 0 ||
			host_text_add_bytes(&lists->on, ";", 1)) &&
		       write_job(lists, jobs, t);
	return good;
}

static double planned_start(const struct host_jobs *jobs,
			    const struct tracked_job *t)
{
	double start_s =
		libra_engine_planned_start(jobs->log->engine, t->ticket);

	return isfinite(start_s) ? start_s : t->start_s;
}

/* Append the planned start of a job, or of each waiting task of an array. */
static bool write_starts(struct host_text *to, const struct host_jobs *jobs,
			 const struct tracked_job *t, uint32_t tasks)
{
	bool good = true;

	if (tasks == 1)
		return host_text_add(to, "%.17g", planned_start(jobs, t));
	for (t = host_jobs_find_offer(jobs, t->first);
	     t && good && to->len < LIST_LENGTH;
	     t = host_jobs_next_offer(jobs, t))
		good = host_text_add(to, "%s%.17g", to->len > 0 ? ";" : "",
				     planned_start(jobs, t));
	return good;
}

/* Compose the lists for a job's state; a job without an offer has none. */
static bool write_lists(struct lists *lists, const struct host_jobs *jobs,
			const struct tracked_job *t, uint32_t tasks)
{
	bool planned = jobs->cluster->plans && t->state < TRACKED_RUNNING;
	bool good = true;

	if (planned && t->state >= TRACKED_OFFERED)
		good = write_starts(&lists->start, jobs, t, tasks);
	else if (t->state >= TRACKED_COMMITTED && tasks == 1)
		good = write_job(lists, jobs, t);
	else if (t->state >= TRACKED_COMMITTED)
		good = write_tasks(lists, jobs, t);
	return good;
}

double host_job_planned_starts(const struct host_jobs *jobs,
			       const struct tracked_job *t, uint32_t tasks,
			       double *latest_s)
{
	const struct libra_engine *e = jobs->log->engine;
	double start_s = planned_start(jobs, t);

	*latest_s = libra_engine_latest_start(e, t->ticket);
	if (tasks == 1)
		return start_s;
	for (t = host_jobs_find_offer(jobs, t->first); t;
	     t = host_jobs_next_offer(jobs, t)) {
		start_s = fmin(start_s, planned_start(jobs, t));
		*latest_s = fmax(*latest_s,
				 libra_engine_latest_start(e, t->ticket));
	}
	return start_s;
}

char *host_job_comment(const struct host_jobs *jobs,
		       const struct tracked_job *t, uint32_t tasks)
{
	struct lists lists = {0};
	struct libra_promise p;
	char *text = NULL;

	host_job_promise(jobs, t, tasks, &p);
	if (write_lists(&lists, jobs, t, tasks)) {
		p.start.text = lists.start.text;
		p.start.len = lists.start.len;
		p.on.text = lists.on.text;
		p.on.len = lists.on.len;
		p.left.text = lists.left.text;
		p.left.len = lists.left.len;
		text = libra_admin_comment_format(&p);
	}
	host_text_fini(&lists.on);
	host_text_fini(&lists.left);
	host_text_fini(&lists.start);
	free(lists.scratch.parts);
	return text;
}

void host_job_record(const struct host_jobs *jobs, const struct tracked_job *t,
		     struct libra_host_record *record)
{
	bool in_turn = libra_host_conf_in_turn(jobs->log->conf);
	struct tracked_job *last;
	double latest_s;
	uint32_t tasks = 1;

	if (t->state == TRACKED_COMMITTED)
		tasks = host_jobs_count_waiting(jobs, t->job_id, &last);
	*record = (struct libra_host_record){
		.comment = host_job_comment(jobs, t, tasks),
		.rule = libra_host_conf_rule(jobs->log->conf),
		.share = in_turn ? 1 : t->share,
		.estimate_s = t->job.estimate_s - t->wait_s,
		.deadline_s = t->job.deadline_s,
	};
	if (jobs->cluster->plans && t->state == TRACKED_COMMITTED)
		record->start_s =
			host_job_planned_starts(jobs, t, tasks, &latest_s);
}

/* An ordinary job gets no record: with a record, Slurm would hold it until its
 * planned start, even after that has moved.
 */
static bool has_news(const struct tracked_job *t)
{
	return t->stale && !t->ordinary;
}

void host_job_hand_over(struct tracked_job *t, const struct host_jobs *jobs,
			struct libra_host_record *record)
{
	if (!has_news(t))
		return;
	host_job_record(jobs, t, record);
	t->stale = record->comment == NULL;
}

/* Each start and end changes the records of all jobs that share processors.
 * Records are written under Slurm's locks: for at most this long per call, then
 * not for REST times as long.
 */
#define LONGEST_S 5e-5
#define REST	  20

static void write_stale(struct host_jobs *jobs, struct tracked_job *t)
{
	struct libra_host_record record;

	host_job_record(jobs, t, &record);
	host_write_record(jobs->ops, t->job_id, &record);
	t->stale = record.comment == NULL; /* out of memory: try again */
	free(record.comment);
}

bool host_jobs_flush(struct host_jobs *jobs)
{
	double at_s, took_s = 0;
	struct tracked_job *t;
	bool missed = false;

	if (jobs->stale_left == 0)
		return false;
	at_s = libra_host_read_clock(CLOCK_MONOTONIC);
	if (at_s - jobs->flushed_at_s < REST * jobs->flush_took_s)
		return true;
	for (; jobs->stale_left > 0 && took_s < LONGEST_S; jobs->stale_left--) {
		t = &jobs->jobs[jobs->stale_at++ % jobs->njobs];
		if (t->state != TRACKED_FREE && t->job_id && has_news(t)) {
			write_stale(jobs, t);
			missed = missed || t->stale;
			took_s = libra_host_read_clock(CLOCK_MONOTONIC) - at_s;
		} else if (jobs->stale_left % 64 == 0) {
			took_s = libra_host_read_clock(CLOCK_MONOTONIC) - at_s;
		}
	}
	if (missed)
		jobs->stale_left = jobs->njobs;
	jobs->stale_at %= jobs->njobs;
	jobs->flushed_at_s = at_s + took_s;
	jobs->flush_took_s = jobs->stale_left > 0 ? took_s : 0;
	return jobs->stale_left > 0;
}
