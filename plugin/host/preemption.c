/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemption.c - see preemption.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/units.h"
#include "plugin/request/messages.h"
#include "plugin/base/ops.h"
#include "plugin/engine/away.h"
#include "plugin/engine/plan_log.h"
#include "plugin/host/preemption.h"

/* A job may preempt others for PREEMPTOR_S, and again after PREEMPTOR_REST_S: a
 * job that cannot start for another reason would stop others in vain.
 */
enum { PREEMPTOR_S = 300, PREEMPTOR_REST_S = 3600 };

/* Each repeated query prolongs a hold.  The file is written only if the hold is
 * prolonged by this time.
 */
#define LONGER_S 5.0

/* Bound on writes of the file: each writes all holds, under Slurm's locks. */
enum { WRITES_A_SECOND = 4 };

static struct host_preemptor *find(struct host_state *h, uint32_t job_id)
{
	for (int i = 0; i < HOST_PREEMPTORS; i++)
		if (h->preemption.jobs[i].job_id == job_id)
			return &h->preemption.jobs[i];
	return NULL;
}

static struct host_preemptor *find_or_new(struct host_state *h, uint32_t job_id,
					  double since_s)
{
	struct host_preemptor *p = find(h, job_id);

	if (p)
		return p;
	p = find(h, 0);
	if (p)
		*p = (struct host_preemptor){.job_id = job_id,
					     .since_s = since_s};
	return p;
}

/* Free a hold.
 * Result: true if there was one.
 */
static bool drop_place(struct host_preemptor *p)
{
	bool had = p->place != NULL;

	free(p->place);
	free(p->gone);
	free(p->nodes);
	p->place = NULL;
	p->gone = p->nodes = NULL;
	p->ngone = p->nnodes = 0;
	return had;
}

/* Free an entry and its hold; p may be NULL.
 * Result: true if there was a hold.
 */
static bool forget(struct host_preemptor *p)
{
	if (!p)
		return false;
	p->job_id = 0;
	return drop_place(p);
}

/* ---- the file ---- */

static void write_all(struct host_state *h)
{
	const char *names[LIBRA_RESOURCES];
	struct host_text out = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->cluster.nresources; i++)
		names[i] = h->cluster.resources[i];
	host_kept_add_first(&out, names, h->cluster.nresources);
	for (int i = 0; i < HOST_PREEMPTORS; i++) {
		const struct host_preemptor *p = &h->preemption.jobs[i];

		if (!p->place)
			continue;
		host_kept_add_head(&out, p->job_id, p->since_s, p->until_s);
		host_text_add_bytes(&out, p->place, strlen(p->place));
		n++;
	}
	host_kept_add_end(&out, n);
	host_kept_file_write(&h->preemption.file, h->ops, n > 0 ? &out : NULL);
	host_text_fini(&out);
}

static bool any_place(const struct host_state *h)
{
	for (int i = 0; i < HOST_PREEMPTORS; i++)
		if (h->preemption.jobs[i].place)
			return true;
	return false;
}

/* Write the file now; or in a later second, if it was written WRITES_A_SECOND
 * times in this one.  Never write before the former holds were read.
 */
static void write_places(struct host_state *h, double now_s)
{
	if (fabs(now_s - h->preemption.second_s) >= 1) {
		h->preemption.second_s = now_s;
		h->preemption.writes = 0;
	}
	h->preemption.dirty =
		h->preemption.due ||
		(any_place(h) && h->preemption.writes >= WRITES_A_SECOND);
	if (h->preemption.dirty)
		return;
	h->preemption.writes++;
	write_all(h);
}

static struct host_kept_part part_of(const struct host_cluster *c,
				     const struct libra_part *from)
{
	uint32_t node = host_cluster_node_of(c, from->procs.first);
	struct host_kept_part part = {
		.node = c->names[node],
		.first = from->procs.first - c->first[node],
		.count = from->procs.count,
	};

	memcpy(part.amounts, from->resources,
	       c->nresources * sizeof(*part.amounts));
	return part;
}

/* Format a hold for the file, without its instants, and list the victims' jobs.
 * Result: NULL if memory is out.
 * Owner:  the caller frees the text and *gone.
 */
static char *place_text(const struct host_state *h, const struct libra_job *job,
			const struct libra_start_query *query, uint32_t **gone,
			uint32_t *ngone)
{
	struct host_kept_place place = {
		.limit_s = job->estimate_s,
		.gone = calloc(query->ngone + 1u, sizeof(*place.gone)),
		.parts = calloc(query->nparts + 1u, sizeof(*place.parts)),
	};
	struct host_text text = {0};

	text.cut = !place.gone || !place.parts;
	for (uint32_t i = 0; !text.cut && i < query->ngone; i++) {
		const struct tracked_job *t =
			host_jobs_find_ticket(&h->jobs, query->gone[i]);

		if (t)
			place.gone[place.ngone++] = t->job_id;
	}
	for (uint32_t i = 0; !text.cut && i < query->nparts; i++)
		place.parts[place.nparts++] =
			part_of(&h->cluster, &query->parts[i]);
	if (!text.cut)
		host_kept_add_rest(&text, &place, h->cluster.nresources);
	free(place.parts);
	if (text.cut) {
		free(place.gone);
		host_text_fini(&text);
		return NULL;
	}
	*gone = place.gone;
	*ngone = place.ngone;
	return text.text;
}

static uint32_t *nodes_of(const struct host_cluster *c,
			  const struct libra_start_query *query)
{
	uint32_t *nodes = calloc(query->nparts + 1u, sizeof(*nodes));

	for (uint32_t i = 0; nodes && i < query->nparts; i++)
		nodes[i] = host_cluster_node_of(c, query->parts[i].procs.first);
	return nodes;
}

/* Set the hold of a job, which the engine keeps until an instant.
 * Result: true if the file has to be written.
 */
static bool set_place(struct host_state *h, struct host_preemptor *p,
		      const struct libra_job *job,
		      const struct libra_start_query *query, double until_s)
{
	uint32_t *gone = NULL, ngone = 0;
	uint32_t *nodes = nodes_of(&h->cluster, query);
	char *text = nodes ? place_text(h, job, query, &gone, &ngone) : NULL;

	if (!text)
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "job %u: a restart would lose its hold on processors: "
			 "out of memory",
			 p->job_id);
	if (text && p->place && strcmp(text, p->place) == 0 &&
	    until_s >= p->until_s && until_s - p->until_s < LONGER_S) {
		free(text);
		free(gone);
		free(nodes);
		return false;
	}
	drop_place(p);
	p->place = text;
	p->gone = gone;
	p->ngone = ngone;
	p->nodes = nodes;
	p->nnodes = nodes ? query->nparts : 0;
	p->until_s = until_s;
	return true;
}

/* ---- after a restart ---- */

void host_preemption_begin(struct host_state *h)
{
	for (int i = 0; i < HOST_PREEMPTORS; i++)
		drop_place(&h->preemption.jobs[i]);
	h->preemption.due = h->cluster.plans;
	h->preemption.dirty = false;
	h->preemption.second_s = -INFINITY;
}

void host_preemption_save(struct host_state *h)
{
	if (h->preemption.dirty && !h->preemption.due)
		write_all(h);
	h->preemption.dirty = false;
}

void host_preemption_end(struct host_state *h)
{
	host_preemption_save(h);
	for (int i = 0; i < HOST_PREEMPTORS; i++)
		forget(&h->preemption.jobs[i]);
}

static void say_dropped(const struct host_state *h, uint32_t job_id,
			const char *why)
{
	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u: its hold on processors has ended: %s", job_id, why);
}

/* Return why a job cannot use its hold any more, or NULL. */
static const char *why_gone(const struct host_state *h,
			    const struct host_kept_place *place, double now_s)
{
	switch (host_job_state(h->ops, place->job_id)) {
	case LIBRA_JOB_GONE:
		return "it is gone";
	case LIBRA_JOB_BLOCKED:
		return "it is held, or has to wait for its time or "
		       "a job";
	case LIBRA_JOB_ALIVE:
		return "it has started";
	default:
		return place->until_s > now_s ? NULL : "its time is over";
	}
}

/* Convert a node's amounts by the names in the file.
 * Result: false if the node has less.
 */
static bool read_amounts(const struct host_cluster *c,
			 const struct host_kept *kept, uint32_t node,
			 const uint64_t *from, uint64_t *amounts)
{
	for (uint32_t k = 0; k < kept->nresources; k++) {
		uint32_t i = 0;

		while (i < c->nresources &&
		       strcmp(c->resources[i], kept->resources[k]) != 0)
			i++;
		if (i < c->nresources)
			amounts[i] = from[k];
		if (from[k] > 0 &&
		    (i == c->nresources ||
		     from[k] > c->amounts[(size_t)node * c->nresources + i]))
			return false;
	}
	return true;
}

/* Convert a part of a hold.
 * Result: false if there is no such node, or it has less.
 */
static bool read_part(const struct host_cluster *c,
		      const struct host_kept *kept,
		      const struct host_kept_part *from,
		      struct libra_part *part, uint64_t *amounts)
{
	uint32_t node =
		host_cluster_find_node(c, from->node, strlen(from->node));

	if (node == HOST_NO_NODE || from->first >= c->procs[node] ||
	    from->count > c->procs[node] - from->first)
		return false;
	part->procs =
		(struct libra_range){c->first[node] + from->first, from->count};
	part->resources = amounts;
	return read_amounts(c, kept, node, from->amounts, amounts);
}

static int by_first(const void *a, const void *b)
{
	uint32_t x = ((const struct libra_part *)a)->procs.first;
	uint32_t y = ((const struct libra_part *)b)->procs.first;

	return x < y ? -1 : x > y;
}

/* Give the engine a hold of before the restart.
 * Result: 0, or -1 and the reason in err.
 */
static int keep_again(struct host_state *h, const struct libra_job *job,
		      const struct libra_start_query *query,
		      const struct host_kept_place *place, double now_s,
		      struct libra_error *err)
{
	struct host_preemptor *p;

	if (libra_plan_log_restore_place(&h->log, job, query, now_s, err) < 0)
		return -1;
	p = find_or_new(h, place->job_id, place->since_s);
	if (!p) {
		libra_plan_log_forgo(&h->log, place->job_id, now_s);
		return libra_errf(err, ENOSPC, "there are too many");
	}
	set_place(h, p, job, query, place->until_s);
	return 0;
}

static int restore_on(struct host_state *h, const struct host_kept *kept,
		      const struct host_kept_place *place,
		      struct libra_part *parts, uint64_t *gone, double now_s,
		      struct libra_error *err)
{
	uint64_t *amounts = (uint64_t *)&parts[place->nparts + 1];
	struct libra_start_query query = {
		.parts = parts,
		.nparts = place->nparts,
		.gone = gone,
		.delay_s = fmin(place->until_s - now_s, PREEMPTOR_REST_S),
		.stops = true,
	};
	struct libra_job job = {
		.id = place->job_id,
		.submit_s = now_s,
		.estimate_s = place->limit_s,
		.deadline_s = INFINITY,
	};

	for (uint32_t i = 0; i < place->nparts; i++) {
		if (!read_part(&h->cluster, kept, &place->parts[i], &parts[i],
			       amounts + (size_t)i * h->cluster.nresources))
			return libra_errf(err, ENOENT,
					  "node %s is gone, or has become "
					  "smaller",
					  place->parts[i].node);
		job.nprocs += place->parts[i].count;
	}
	qsort(parts, place->nparts, sizeof(*parts), by_first);
	for (uint32_t i = 0; i < place->ngone; i++) {
		const struct tracked_job *t =
			host_jobs_find(&h->jobs, place->gone[i], true);

		if (t)
			gone[query.ngone++] = t->ticket;
	}
	return keep_again(h, &job, &query, place, now_s, err);
}

static void restore_place(struct host_state *h, const struct host_kept *kept,
			  const struct host_kept_place *place, double now_s)
{
	const char *why = why_gone(h, place, now_s);
	struct libra_error err = {0};
	struct libra_part *parts;
	uint64_t *gone;
	char until[32];
	int rc = -1;

	if (why) {
		say_dropped(h, place->job_id, why);
		return;
	}
	parts = calloc(place->nparts + 1u,
		       sizeof(*parts) +
			       h->cluster.nresources * sizeof(uint64_t));
	gone = calloc(place->ngone + 1u, sizeof(*gone));
	if (parts && gone)
		rc = restore_on(h, kept, place, parts, gone, now_s, &err);
	free(parts);
	free(gone);
	if (rc < 0) {
		say_dropped(h, place->job_id,
			    *err.text ? err.text : "out of memory");
		return;
	}
	libra_host_clock_text(place->until_s, now_s, NAN, until);
	host_log(h->ops, LIBRA_HOST_INFO,
		 "job %u: the processors for which jobs were preempted are "
		 "held for it until %s, as before the restart",
		 place->job_id, until);
}

void host_preemption_restore(struct host_state *h, double now_s)
{
	struct host_kept kept;
	int rc;

	if (!h->preemption.due)
		return;
	rc = host_kept_file_read(&h->preemption.file, h->ops, &kept);
	if (rc < 0)
		return;
	h->preemption.due = false;
	if (rc > 0) {
		for (uint32_t i = 0; i < kept.nplaces; i++)
			restore_place(h, &kept, &kept.places[i], now_s);
		host_kept_fini(&kept);
	}
	/* Remove holds that were not restored, so that the next restart does
	 * not find them.
	 */
	write_all(h);
	h->preemption.dirty = false;
}

/* ---- in the life of a job ---- */

static bool goes_for(const struct host_preemptor *p, uint32_t job_id)
{
	for (uint32_t i = 0; i < p->ngone; i++)
		if (p->gone[i] == job_id)
			return true;
	return false;
}

/* Return true if a job has a hold, and would preempt jobs that are no victims
 * of that hold.  Slurm asks again while the victims' nodes are not free, and
 * would preempt one job after the other.
 */
static bool has_place(const struct host_state *h,
		      const struct host_preemptor *p,
		      const struct libra_host_job *job)
{
	if (!p->place ||
	    isnan(libra_engine_place_until(h->log.engine, p->job_id)))
		return false;
	for (uint32_t i = 0; i < job->victims.n; i++)
		if (host_jobs_find(&h->jobs, job->victims.ids[i], true) &&
		    !goes_for(p, job->victims.ids[i]))
			return true;
	return false;
}

bool host_preemption_may_stop(struct host_state *h,
			      const struct libra_host_job *job, double now_s)
{
	struct host_preemptor *p = find(h, job->job_id);
	double since_s = p ? fabs(now_s - p->since_s) : 0;

	if (!p)
		return find(h, 0) != NULL;
	if (has_place(h, p, job))
		return false;
	if (since_s > PREEMPTOR_REST_S && forget(p))
		write_places(h, now_s);
	return since_s <= PREEMPTOR_S + job->victims.take_s ||
	       since_s > PREEMPTOR_REST_S;
}

void host_preemption_note(struct host_state *h, const struct libra_job *job,
			  const struct libra_start_query *query, double now_s)
{
	struct host_preemptor *p = find_or_new(h, (uint32_t)job->id, now_s);
	double until_s = libra_engine_place_until(h->log.engine, job->id);

	if (p && !isnan(until_s) && set_place(h, p, job, query, until_s))
		write_places(h, now_s);
}

/* A running task of an array has another id than the one that asked. */
void host_preemption_started(struct host_state *h,
			     const struct libra_host_job *job, double now_s)
{
	struct host_preemptor *all = job->array && job->array != job->job_id
					     ? find(h, job->array)
					     : NULL;
	bool had = forget(find(h, job->job_id));

	if (all)
		libra_plan_log_forgo(&h->log, all->job_id, now_s);
	if (forget(all) || had)
		write_places(h, now_s);
}

/* Return true if a node of a hold is closed, and not expected back before the
 * hold ends.
 */
static bool lacks_node(const struct host_cluster *c,
		       const struct host_preemptor *p)
{
	for (uint32_t i = 0; i < p->nnodes; i++)
		if (c->state[p->nodes[i]] != LIBRA_NODE_UP &&
		    !host_away_may_return(c, p->nodes[i], p->until_s))
			return true;
	return false;
}

/* Follow the state of a preempting job.
 * Result: true if its hold has ended.
 */
static bool follow(struct host_state *h, struct host_preemptor *p, double now_s)
{
	enum libra_host_job_state state = host_job_state(h->ops, p->job_id);
	uint32_t id = p->job_id;

	if (state == LIBRA_JOB_GONE || state == LIBRA_JOB_BLOCKED) {
		libra_plan_log_forgo(&h->log, id, now_s);
		return forget(p);
	}
	if (lacks_node(&h->cluster, p))
		libra_plan_log_forgo(&h->log, id, now_s);
	if (!p->place || !isnan(libra_engine_place_until(h->log.engine, id)))
		return false;
	if (p->until_s > now_s)
		say_dropped(h, id,
			    "its nodes are closed, a promise needs them, or "
			    "the clock was set");
	return drop_place(p);
}

void host_preemption_sync(struct host_state *h, double now_s)
{
	bool any = h->preemption.dirty;

	for (int i = 0; i < HOST_PREEMPTORS; i++)
		if (h->preemption.jobs[i].job_id)
			any |= follow(h, &h->preemption.jobs[i], now_s);
	if (any)
		write_places(h, now_s);
}
