/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_starts.c - see planned_starts.h.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/units.h"
#include "plugin/request/ask.h"
#include "plugin/engine/away.h"
#include "plugin/request/messages.h"
#include "plugin/base/ops.h"
#include "plugin/engine/placement.h"
#include "plugin/request/resources.h"
#include "plugin/engine/plan_log.h"
#include "plugin/host/planned_starts.h"

void host_planned_starts_go_on(struct host_state *h,
			       const struct tracked_job *started)
{
	struct tracked_job *rest;

	if (!h->cluster.plans)
		return;
	rest = host_jobs_find_offer(&h->jobs, started->first);
	if (rest)
		host_jobs_set_stale(&h->jobs, rest);
}

/* Set the cause of a broken promise, without spaces, as in a record. */
__attribute__((format(printf, 2, 3))) static void set_cause(
	struct tracked_job *t, const char *form, ...)
{
	va_list args;

	va_start(args, form);
	vsnprintf(t->broken, sizeof(t->broken), form, args);
	va_end(args);
	for (char *at = t->broken; (at = strchr(at, ' '));)
		*at = '_';
}

static bool is_just_now(double at_s, double now_s)
{
	return at_s > 0 && fabs(now_s - at_s) < 5.0;
}

static void set_away(const struct host_state *h, struct tracked_job *t,
		     uint32_t node)
{
	char text[HOST_CAUSE];

	host_away_cause(&h->cluster, node, text, sizeof(text));
	set_cause(t, "%s", text);
}

/* Return the first node of a job's reservation that is away, or HOST_NO_NODE.
 */
static uint32_t waits_for(struct host_state *h, const struct tracked_job *t)
{
	struct libra_host_placement p = {0};
	uint32_t node = HOST_NO_NODE;

	if (host_placement_read(&h->log, &h->cluster, t->ticket, &p) == 0)
		node = host_away_of(&h->cluster, &p);
	free(p.parts);
	return node;
}

/* Find the cause of a broken promise: the loss that has just happened, if any.
 */
static void find_cause(const struct host_state *h, struct tracked_job *t,
		       double now_s)
{
	if (t->missed)
		set_cause(t, "slurmctld restarted after its planned start");
	else if (h->lost.node < h->cluster.nnodes && !h->lost.how &&
		 is_just_now(h->lost.at_s, now_s))
		set_away(h, t, h->lost.node);
	else if (h->lost.node < h->cluster.nnodes &&
		 is_just_now(h->lost.at_s, now_s))
		set_cause(t, "%s:%s", h->lost.how,
			  h->cluster.names[h->lost.node]);
	else if (h->missed)
		set_cause(t, "slurmctld restarted after the planned start of a "
			     "job before it");
	else if (is_just_now(h->clock_set_s, now_s))
		set_cause(t, "the clock was set forward");
	else
		set_cause(t, "a job before it runs for longer than it was to");
}

/* Return when a waiting job starts: now if it may, else by its reservation;
 * INFINITY: never, as things are.
 */
static double expected_start(const struct tracked_job *t, double planned_s,
			     double now_s)
{
	return t->may_start ? now_s : planned_s;
}

static void set_late(struct tracked_job *t, double start_s, double now_s)
{
	if (!isfinite(start_s))
		start_s = now_s; /* it is later than that */
	t->late_s = fmax(1, start_s + t->job.estimate_s - t->job.deadline_s);
}

static void say_broken(struct host_state *h, struct tracked_job *t,
		       double now_s)
{
	const struct libra_promise p = {.broken.text = t->broken,
					.broken.len = strlen(t->broken)};
	char cause[LIBRA_CAUSE_SIZE];

	libra_promise_cause(&p, cause);
	host_jobs_report(&h->jobs, t, "broken", NULL, now_s);
	host_jobs_set_stale_soon(&h->jobs, t);
	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u: promise broken: %s; it cannot end by its deadline, "
		 "and starts as soon as it can",
		 t->job_id, cause);
}

void host_planned_starts_late(struct host_state *h, struct tracked_job *t,
			      double now_s)
{
	double planned_s;

	if (t->ordinary)
		return;
	planned_s = libra_engine_planned_start(h->log.engine, t->ticket);
	set_late(t, expected_start(t, planned_s, now_s), now_s);
	if (*t->broken) { /* the record has that already */
		host_jobs_set_stale(&h->jobs, t);
		return;
	}
	find_cause(h, t, now_s);
	say_broken(h, t, now_s);
}

void host_planned_starts_broken(struct tracked_job *t,
				const struct libra_promise *p)
{
	snprintf(t->broken, sizeof(t->broken), "%.*s", (int)p->broken.len,
		 p->broken.len ? p->broken.text : "");
}

/* Log that a promise holds; without lateness the estimate ends by the deadline.
 */
static void say_holds(struct host_state *h, const struct tracked_job *t,
		      const char *why, double start_s, double now_s)
{
	char text[32];

	libra_host_clock_text(start_s, now_s, NAN, text);
	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u: %s: it is planned to start at %s%s", t->job_id, why,
		 text, t->late_s > 0 ? "" : ", in time for its deadline");
}

/* Set the cause of a planned start that has passed. */
static void set_missed(struct host_state *h, struct tracked_job *t)
{
	uint32_t node = t->missed ? HOST_NO_NODE : waits_for(h, t);

	if (node != HOST_NO_NODE)
		set_away(h, t, node);
	else
		set_cause(t, t->missed ? "slurmctld restarted after its "
					 "planned start"
				       : "Slurm did not start it in time");
}

static void follow_promise(struct host_state *h, struct tracked_job *t,
			   double planned_s, double now_s)
{
	double start_s = expected_start(t, planned_s, now_s);
	bool late =
		!libra_in_time(start_s + t->job.estimate_s, t->job.deadline_s);

	if (*t->broken && !late) {
		*t->broken = '\0';
		t->late_s = 0;
		host_jobs_report(&h->jobs, t, "holds", NULL, now_s);
		host_jobs_set_stale_soon(&h->jobs, t);
		say_holds(h, t, "its promise holds again", start_s, now_s);
	} else if (late && t->late_s == 0 && t->may_start) {
		set_late(t, start_s, now_s);
		set_missed(h, t);
		say_broken(h, t, now_s);
	}
	if (t->missed && !*t->broken)
		say_holds(h, t, "slurmctld restarted after its planned start",
			  start_s, now_s);
	t->missed = false;
}

/* A start that is so much later need not be reported. */
#define MOVED_S 60.0

static void report_moved(struct host_state *h, struct tracked_job *t,
			 double start_s, double now_s)
{
	struct libra_declog *out;

	if (t->told_start_s == 0)
		t->told_start_s = start_s;
	if (start_s - t->told_start_s < MOVED_S)
		return;
	out = host_jobs_event(&h->jobs, t, "moved", now_s);
	libra_declog_number(out, "start_s", start_s);
	libra_declog_number(out, "was_s", t->told_start_s);
	libra_declog_end(out);
	t->told_start_s = start_s;
}

static void follow_plan(struct host_state *h, struct tracked_job *t,
			double start_s, double now_s)
{
	if (!isfinite(start_s) || fabs(start_s - t->start_s) < 1.0)
		return;
	t->start_s = start_s;
	report_moved(h, t, start_s, now_s);
	if (*t->broken)
		set_late(t, start_s, start_s);
	host_jobs_set_stale(&h->jobs, t);
}

/* If no reservation has moved, only the clock changes anything: follow that
 * once a second.
 */
void host_planned_starts_sync(struct host_state *h, double now_s)
{
	uint64_t moves = libra_engine_plan_moves(h->log.engine);
	struct tracked_job *t;
	double planned_s;

	if ((moves == h->last.moves ||
	     libra_engine_can_compress(h->log.engine)) &&
	    fabs(now_s - h->last.followed_s) < 1.0)
		return;
	h->last.moves = moves;
	h->last.followed_s = now_s;
	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t)) {
		if (t->ordinary || t->state != TRACKED_COMMITTED)
			continue;
		planned_s =
			libra_engine_planned_start(h->log.engine, t->ticket);
		follow_plan(h, t, planned_s, now_s);
		follow_promise(h, t, planned_s, now_s);
	}
	h->missed = false;
}

static void append(struct libra_host_placement *to,
		   const struct libra_host_placement *from)
{
	struct libra_host_part *more;
	size_t n = to->nparts + from->nparts;

	if (n > to->cap) {
		more = realloc(to->parts, n * sizeof(*more));
		if (!more)
			return;
		to->parts = more;
		to->cap = n;
	}
	for (size_t i = 0; i < from->nparts; i++)
		to->parts[to->nparts++] = from->parts[i];
}

void host_planned_starts_kept(struct host_state *h,
			      struct libra_host_placement *to)
{
	struct libra_host_placement one = {0};
	struct tracked_job *t;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t)) {
		if (t->state != TRACKED_COMMITTED || !t->may_start ||
		    host_placement_read(&h->log, &h->cluster, t->ticket, &one) <
			    0)
			continue;
		host_cluster_slurm_nodes(&h->cluster, &one);
		append(to, &one);
	}
	free(one.parts);
}

struct tracked_job *host_planned_starts_restore(
	struct host_state *h, const struct libra_host_job *job,
	const struct libra_promise *p, uint32_t task, uint64_t first,
	double now_s)
{
	struct libra_error err = {0};
	struct tracked_job *t = NULL;
	struct libra_job again = host_record_job(job, p);
	struct request_size size = host_record_size(&h->cluster, p);
	struct libra_range *ranges;
	struct libra_where where;
	uint64_t ticket;
	int rc;

	rc = host_resources_again(&h->cluster, h->ops, job, &size, &ranges);
	host_set_where(&size, &again, &where);
	if (rc == 0 && libra_plan_log_restore_waiting(
			       &h->log, &again, libra_promise_start(p, task),
			       now_s, &ticket, &err) == 0) {
		t = host_jobs_add(&h->jobs, ticket, first);
		if (!t)
			libra_engine_log_withdraw(&h->log, ticket, now_s);
	}
	free(ranges);
	again.where = NULL;
	if (!t) {
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "job %u: its record cannot be restored: %s",
			 job->job_id, *err.text ? err.text : "out of memory");
		return NULL;
	}
	t->job = again;
	t->user_estimate_s = p->user_estimate_s;
	t->size = host_record_size(&h->cluster, p);
	t->share = p->share;
	t->late_s = p->late_s;
	t->changed_s = p->changed_s;
	host_planned_starts_broken(t, p);
	t->start_s = libra_promise_start(p, task);
	t->missed = t->start_s < now_s - 1; /* false for NAN */
	h->missed = h->missed || t->missed;
	h->last.followed_s = 0;
	if (isnan(t->start_s))
		t->start_s = 0;
	t->state = TRACKED_COMMITTED;
	t->stale = true;
	t->told_start_s = t->start_s;
	host_jobs_link(&h->jobs, t, job->job_id);
	host_jobs_report(&h->jobs, t, "restored", NULL, now_s);
	return t;
}
