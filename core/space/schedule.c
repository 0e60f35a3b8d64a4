/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule.c - reserve, release and find processors in a schedule. */
#include "core/space/schedule.h"

#include <math.h>

#include "core/space/holds.h"
#include "core/space/outages.h"
#include "core/space/nodes.h"
#include "core/space/pool.h"

/* Return true if only running jobs are on the lanes without reservations: then
 * each start and end of a running job can change the lanes in place.
 */
static bool is_plain(const struct libra_planned_state *s,
		     const struct libra_start_query *gone)
{
	return !gone && s->noutages == 0 && s->nholds == 0 && !s->must_repair &&
	       !s->nodes->must_rebuild;
}

void libra_lanes_begin(struct libra_engine *e, struct libra_lanes *lanes,
		       const struct libra_start_query *gone)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_runlist *running = &s->space.running;
	bool plain = is_plain(s, gone);

	if (lanes == &s->nodes->trial) {
		if (s->nodes->trial_is_base && plain && !lanes->is_full) {
			libra_lanes_advance(e, lanes);
			return;
		}
		s->nodes->trial_is_base = plain;
	}
	libra_lanes_reset(e, lanes);
	libra_outages_add_back(e, lanes);
	/* Last end first, so that no insertion passes the ends of other jobs.
	 */
	for (uint32_t i = running->n; i-- > 0;)
		if (!libra_is_victim(e, running->jobs[i].slot, gone))
			libra_lanes_add_open(
				e, lanes, s->nodes->held[running->jobs[i].slot],
				e->now_s, running->jobs[i].end_s, 1);
	libra_hold_reserve_lanes(e, lanes, gone);
	libra_outages_take_lanes(e, lanes);
}

void libra_lanes_undo_trial(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_nodes *r = s->nodes;

	for (uint32_t i = 0; i < s->nwaiting; i++)
		libra_lanes_add(e, &r->trial, r->tried[i], s->tried[i],
				s->tried[i] + s->waiting[i].duration_s, -1);
}

static struct libra_timeline *timeline_of(struct libra_planned_state *s,
					  enum libra_schedule which)
{
	return which == LIBRA_TRIAL ? &s->trial : &s->space.timeline;
}

static struct libra_lanes *lanes_of(struct libra_planned_state *s,
				    enum libra_schedule which)
{
	return which == LIBRA_TRIAL ? &s->nodes->trial : &s->nodes->now;
}

void libra_schedule_change_procs(struct libra_timeline *p,
				 const struct libra_reservation *plan,
				 double start_s, int sign)
{
	if (start_s < INFINITY)
		libra_timeline_add(p, start_s, start_s + plan->duration_s,
				   -sign * (int64_t)plan->nprocs);
}

void libra_schedule_change(struct libra_engine *e, enum libra_schedule which,
			   const struct libra_reservation *plan, double start_s,
			   uint32_t spans, int sign)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_schedule_change_procs(timeline_of(s, which), plan, start_s, sign);
	if (libra_nodes_are_named(s) && which == LIBRA_TRIAL)
		s->nodes->trial_is_base = false;
	if (libra_nodes_are_named(s) && start_s < INFINITY)
		libra_lanes_add(e, lanes_of(s, which), spans, start_s,
				start_s + plan->duration_s, sign);
}

void libra_schedule_reserve(struct libra_engine *e,
			    const struct libra_reservation *plan)
{
	libra_schedule_change(e, LIBRA_CURRENT, plan, plan->start_s,
			      plan->spans, 1);
}

void libra_schedule_release(struct libra_engine *e,
			    const struct libra_reservation *plan)
{
	libra_schedule_change(e, LIBRA_CURRENT, plan, plan->start_s,
			      plan->spans, -1);
}

void libra_schedule_rebuild_procs(struct libra_engine *e,
				  enum libra_schedule which,
				  const struct libra_start_query *gone)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_runlist *running = &s->space.running;
	struct libra_timeline *p = timeline_of(s, which);

	libra_timeline_reset(p, e->now_s, s->space.free);
	for (uint32_t i = 0; i < running->n; i++) {
		uint32_t slot = running->jobs[i].slot;
		double end_s = running->jobs[i].end_s;

		if (libra_is_victim(e, slot, gone))
			end_s = e->now_s;
		libra_timeline_add(p, end_s, INFINITY,
				   libra_pool_open_procs(e, slot));
		libra_outages_change_job(e, p, slot, end_s, 1);
	}
	libra_hold_reserve_procs(e, p, gone);
	libra_outages_take(e, p, gone);
}

void libra_schedule_rebuild(struct libra_engine *e, enum libra_schedule which,
			    const struct libra_start_query *gone)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_schedule_rebuild_procs(e, which, gone);
	if (libra_nodes_are_named(s))
		libra_lanes_begin(e, lanes_of(s, which), gone);
}

/* ---- earliest fit ---- */

/* Some ends of jobs and outages behind an instant, in order. */
enum { ENDS = 48 };

struct ends {
	double of[ENDS];
	uint32_t n, at; /* at: first that is not over */
	bool all;	/* none is behind them */
};

/* Insert an end behind after_s if it is one of the first. */
static void note_end(struct ends *ends, double end_s, double after_s)
{
	uint32_t i = ends->n;

	if (!(end_s > after_s && end_s < INFINITY))
		return;
	ends->all &= i < ENDS;
	if (i == ENDS && end_s >= ends->of[--i])
		return;
	for (; i > 0 && ends->of[i - 1] > end_s; i--)
		ends->of[i] = ends->of[i - 1];
	ends->of[i] = end_s;
	ends->n += ends->n < ENDS;
}

static void find_ends(const struct libra_engine *e, enum libra_schedule which,
		      struct ends *ends, double after_s)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_runlist *running = &s->space.running;

	*ends = (struct ends){.all = true};
	for (uint32_t i = 0; i < running->n; i++)
		note_end(ends, running->jobs[i].end_s, after_s);
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		double start_s = which == LIBRA_TRIAL ? s->tried[i]
						      : s->waiting[i].start_s;

		note_end(ends, start_s + s->waiting[i].duration_s, after_s);
	}
	for (uint32_t i = 0; i < s->noutages; i++)
		note_end(ends, s->outages[i].to_s, after_s);
}

/* Return the first end of a job, an outage or a hold after an instant: only
 * then more is free.  Searches go forward.
 */
static double next_end(const struct libra_engine *e, enum libra_schedule which,
		       struct ends *ends, double after_s)
{
	while (ends->at < ends->n && ends->of[ends->at] <= after_s)
		ends->at++;
	if (ends->at == ends->n && !ends->all)
		find_ends(e, which, ends, after_s);
	return fmin(ends->at < ends->n ? ends->of[ends->at] : INFINITY,
		    libra_hold_end_s(libra_planned_state(e), after_s));
}

void libra_schedule_set_budget(struct libra_engine *e, uint64_t n)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (s->nodes)
		s->nodes->budget = n;
}

bool libra_schedule_has_budget(const struct libra_engine *e)
{
	return libra_planned_state(e)->nodes->budget >= e->nnodes;
}

/* libra_schedule_find() by node, within the search budget. */
static double find_nodes(struct libra_engine *e, enum libra_schedule which,
			 const struct libra_reservation *plan, uint32_t more,
			 double latest_s, uint32_t *spans)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_lanes *lanes = lanes_of(s, which);
	struct ends ends = {.all = false};
	double start_s = e->now_s, none_before_s = -INFINITY, reached_s;
	bool skips = which == LIBRA_CURRENT && plan->sought_s > start_s;

	/* A search that begins at sought_s shows nothing of earlier starts. */
	if (skips)
		start_s = plan->sought_s;
	else if (which == LIBRA_CURRENT)
		none_before_s = libra_nodes_none_before_s(e, plan, more);
	start_s = reached_s = fmax(start_s, none_before_s);
	lanes->forward = true;
	if (none_before_s == -INFINITY)
		libra_nodes_search(e);
	while (start_s <= latest_s && libra_schedule_has_budget(e)) {
		reached_s = start_s;
		start_s = libra_timeline_find_from(
			timeline_of(s, which), plan->nprocs + more,
			plan->duration_s, start_s, latest_s);
		if (start_s == INFINITY)
			break;
		s->nodes->budget -= e->nnodes;
		e->work += e->nnodes;
		*spans = libra_nodes_fit_later(e, lanes, plan, start_s);
		if (*spans != LIBRA_NO_SPAN)
			break;
		start_s = next_end(e, which, &ends, start_s);
	}
	libra_lanes_back(e, lanes);
	s->nodes->sought_s = start_s;
	/* A search that its budget ended is discarded: asking again must not
	 * get further.
	 */
	if (*spans == LIBRA_NO_SPAN && start_s < INFINITY &&
	    start_s <= latest_s)
		libra_nodes_end_search(e);
	else if (which == LIBRA_CURRENT && !skips)
		libra_nodes_note_reached(e, plan, more,
					 start_s < INFINITY ? start_s
							    : reached_s);
	return *spans != LIBRA_NO_SPAN ? start_s : INFINITY;
}

double libra_schedule_find(struct libra_engine *e, enum libra_schedule which,
			   const struct libra_reservation *plan, uint32_t more,
			   double latest_s, uint32_t *spans)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_timeline *p = timeline_of(s, which);

	*spans = LIBRA_NO_SPAN;
	e->work += 1 + p->n / 4;
	return libra_nodes_are_named(s)
		       ? find_nodes(e, which, plan, more, latest_s, spans)
		       : libra_timeline_find_by(p, plan->nprocs + more,
						plan->duration_s, latest_s);
}

/* Return the first instant at or after start_s, before the reservation's start,
 * from which each of its nodes has its amounts, tested node by node.
 */
static double find_on_each(struct libra_engine *e,
			   const struct libra_reservation *plan, double start_s)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;

	for (uint32_t i = plan->spans; i != LIBRA_NO_SPAN && start_s < INFINITY;
	     i = r->spans[i].next) {
		start_s = libra_lanes_find_before(
			&r->now, r->spans[i].node, libra_span_amounts(r, i),
			r->width, start_s, plan->duration_s, plan->start_s);
		e->work++;
	}
	return start_s;
}

double libra_schedule_find_before(struct libra_engine *e,
				  const struct libra_reservation *plan,
				  uint32_t more)
{
	const struct libra_timeline *p =
		&libra_planned_state(e)->space.timeline;
	double start_s, next_s = e->now_s;

	if (plan->spans == LIBRA_NO_SPAN)
		return INFINITY;
	e->work += 1 + p->n / 4;
	do {
		start_s = next_s;
		next_s = libra_timeline_find_before(p, plan->nprocs + more,
						    plan->duration_s, start_s,
						    plan->start_s);
		if (next_s < INFINITY)
			next_s = find_on_each(e, plan, next_s);
	} while (next_s > start_s && next_s < INFINITY);
	return next_s;
}

static bool has_room_at_last(struct libra_engine *e, enum libra_schedule which,
			     const struct libra_reservation *plan)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_timeline *p = timeline_of(s, which);
	const struct libra_step *last = &p->steps[p->n - 1];
	uint32_t spans;
	bool has;

	if (last->free < (int64_t)plan->nprocs || !libra_nodes_are_named(s))
		return last->free >= (int64_t)plan->nprocs;
	e->work += e->nnodes;
	spans = libra_nodes_fit(e, lanes_of(s, which), plan, last->from_s);
	has = spans != LIBRA_NO_SPAN;
	libra_spans_free(s->nodes, &spans);
	return has;
}

bool libra_schedule_is_hopeless(struct libra_engine *e,
				enum libra_schedule which,
				const struct libra_reservation *plan)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	uint32_t spans;
	double start_s;

	if (plan->start_s < INFINITY || has_room_at_last(e, which, plan))
		return false;
	start_s = libra_schedule_find(e, which, plan, 0, INFINITY, &spans);
	libra_spans_free(s->nodes, &spans);
	return start_s == INFINITY &&
	       (!libra_nodes_are_named(s) || libra_schedule_has_budget(e));
}

double libra_schedule_earliest_fit(struct libra_engine *e,
				   const struct libra_timeline *p,
				   const struct libra_reservation *plan,
				   uint32_t held_back, double latest_s)
{
	e->work += 1 + p->n / 4;
	return libra_timeline_find_by(p, plan->nprocs + held_back,
				      plan->duration_s, latest_s);
}

double libra_schedule_preferred_fit(struct libra_engine *e,
				    const struct libra_timeline *p,
				    const struct libra_reservation *plan,
				    uint32_t held_back, double latest_s)
{
	double start_s =
		libra_schedule_earliest_fit(e, p, plan, held_back, latest_s);

	return start_s == INFINITY && held_back > 0
		       ? libra_schedule_earliest_fit(e, p, plan, 0, latest_s)
		       : start_s;
}
