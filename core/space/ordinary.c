/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ordinary.c - first come, first served, backfilled around reservations. */
#include "core/space/ordinary.h"

#include <math.h>

#include "core/space/schedule.h"
#include "core/space/admit.h"
#include "core/space/nodes.h"
#include "core/space/pool.h"

void libra_ordinary_add(struct libra_engine *e, uint32_t slot)
{
	const struct libra_slot *entry = &e->slots[slot];

	libra_queue_insert(&libra_space_state(e)->queue, slot,
			   entry->job.submit_s, entry->order, entry->job.nprocs,
			   entry->job.estimate_s);
}

void libra_ordinary_drop(struct libra_engine *e, uint32_t slot)
{
	const struct libra_slot *entry = &e->slots[slot];
	struct libra_queue *q = &libra_space_state(e)->queue;

	libra_queue_remove(
		q, libra_queue_place(q, entry->job.submit_s, entry->order));
}

double libra_ordinary_firm_s(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_queue *q = &s->space.queue;

	return q->live > 0 && s->nfirm == 0
		       ? q->key[q->head] + s->rules.firm_age_s
		       : INFINITY;
}

bool libra_ordinary_firm(struct libra_engine *e)
{
	const struct libra_queue *q = &libra_space_state(e)->queue;
	struct libra_reservation plan;
	uint32_t slot;

	if (libra_ordinary_firm_s(e) > e->now_s)
		return false;
	slot = q->slot[q->head];
	plan = libra_reservation_of(e, &e->slots[slot].job, slot,
				    e->slots[slot].order);
	plan.firm = true;
	if (!libra_reservations_admit(e, &plan, true))
		return false;
	libra_ordinary_drop(e, slot);
	return true;
}

static double duration_s(const struct libra_engine *e, double estimate_s)
{
	return estimate_s + libra_planned_state(e)->rules.margin_s;
}

static bool fits_now(const struct libra_engine *e, uint32_t nprocs,
		     double estimate_s)
{
	const struct libra_space_state *s = libra_space_state(e);

	return nprocs <= s->free &&
	       libra_timeline_find_by(&s->timeline, nprocs,
				      duration_s(e, estimate_s),
				      e->now_s) < INFINITY;
}

/* By node: return the spans on which a job could start now; the caller frees
 * them.
 */
static uint32_t spans_now(struct libra_engine *e, uint32_t shape,
			  uint32_t nprocs, double estimate_s)
{
	struct libra_reservation plan = {
		.nprocs = nprocs,
		.duration_s = duration_s(e, estimate_s),
		.shape = shape,
	};

	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t spans;

	if (!fits_now(e, nprocs, estimate_s))
		return LIBRA_NO_SPAN;
	if (r->by_count)
		return libra_nodes_first(e, &plan);
	spans = libra_nodes_fit(e, &r->now, &plan, e->now_s);
	if (!libra_spans_are_free(e, spans, NULL))
		libra_spans_free(r, &spans);
	return spans;
}

bool libra_ordinary_fits(struct libra_engine *e, const struct libra_job *job)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t spans;
	bool fits;

	if (!r)
		return fits_now(e, job->nprocs, job->estimate_s);
	spans = spans_now(e, e->nslots, job->nprocs, job->estimate_s);
	fits = spans != LIBRA_NO_SPAN;
	libra_spans_free(r, &spans);
	return fits;
}

static bool line_has(struct libra_engine *e, struct libra_lanes *lanes,
		     const struct libra_job *job,
		     const struct libra_start_query *query)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t spans =
		libra_nodes_spans(e, e->nslots, query->parts, query->nparts);
	bool has = spans != LIBRA_NO_SPAN &&
		   libra_spans_are_free(e, spans, query) &&
		   (r->by_count ||
		    libra_lanes_has(e, lanes, spans, e->now_s,
				    e->now_s + query->delay_s +
					    duration_s(e, job->estimate_s)));

	libra_spans_free(r, &spans);
	return has;
}

bool libra_ordinary_fits_on(struct libra_engine *e, const struct libra_job *job,
			    const struct libra_start_query *query)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;

	return fits_now(e, job->nprocs, job->estimate_s) &&
	       (!r || line_has(e, &r->now, job, query));
}

static void draw_without(struct libra_engine *e, uint64_t job_id,
			 const struct libra_start_query *gone)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_reservations_refresh(e); /* each job with a start has nodes now */
	s->asking = &job_id;
	libra_schedule_rebuild(e, LIBRA_TRIAL, gone);
	s->asking = NULL;
	for (uint32_t i = 0; i < s->nwaiting; i++)
		libra_schedule_change(e, LIBRA_TRIAL, &s->waiting[i],
				      s->waiting[i].start_s,
				      s->waiting[i].spans, 1);
}

static uint64_t free_without(const struct libra_engine *e,
			     const struct libra_start_query *gone)
{
	const struct libra_space_state *s = libra_space_state(e);
	uint64_t n = s->free;

	for (uint32_t i = 0; i < s->running.n; i++)
		if (libra_is_victim(e, s->running.jobs[i].slot, gone))
			n += libra_pool_open_procs(e, s->running.jobs[i].slot);
	return n;
}

bool libra_ordinary_fits_instead(struct libra_engine *e,
				 const struct libra_job *job,
				 const struct libra_start_query *query)
{
	struct libra_planned_state *s = libra_planned_state(e);
	double need_s = query->delay_s + duration_s(e, job->estimate_s);

	if (!query->again)
		draw_without(e, job->id, query);
	if (job->nprocs > free_without(e, query))
		return false;
	if (libra_timeline_find_by(&s->trial, job->nprocs, need_s, e->now_s) ==
	    INFINITY)
		return false;
	return !s->nodes || query->nparts == 0 ||
	       ((s->nodes->by_count || !s->nodes->trial.is_full) &&
		line_has(e, &s->nodes->trial, job, query));
}

static bool start_at(struct libra_engine *e, uint32_t place)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_queue *q = &s->space.queue;
	uint32_t slot = q->slot[place];

	if (!s->nodes && !fits_now(e, q->nprocs[place], q->estimate_s[place]))
		return false;
	if (s->nodes) {
		libra_reservations_refresh(e);
		s->nodes->held[slot] = spans_now(e, slot, q->nprocs[place],
						 q->estimate_s[place]);
		if (s->nodes->held[slot] == LIBRA_NO_SPAN)
			return false;
	}
	libra_queue_remove(q, place);
	libra_reservations_start_now(e, slot);
	return true;
}

/* Start jobs behind the head that do not delay it. */
static void backfill(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);
	const struct libra_queue *q = &s->queue;
	double need_s = duration_s(e, q->estimate_s[q->head]);
	uint32_t nprocs = q->nprocs[q->head];
	double at_s = libra_timeline_find(&s->timeline, nprocs, need_s);

	if (at_s < INFINITY)
		libra_timeline_add(&s->timeline, at_s, at_s + need_s,
				   -(int64_t)nprocs);
	for (uint32_t i = libra_queue_next(q, q->head + 1, s->free); i < q->end;
	     i = libra_queue_next(q, i + 1, s->free))
		start_at(e, i);
	if (at_s < INFINITY)
		libra_timeline_add(&s->timeline, at_s, at_s + need_s, nprocs);
}

void libra_ordinary_start(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);
	const struct libra_queue *q = &s->queue;

	while (q->live > 0 && start_at(e, q->head))
		;
	/* By node the head has no reservation: see the header. */
	if (q->live >= 2 && s->free > 0 && !libra_planned_state(e)->nodes)
		backfill(e);
}
