/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replan.c - try starts for all reservations, and adopt or discard the try. */
#include "core/space/replan.h"

#include <math.h>

#include "core/space/schedule.h"
#include "core/space/nodes.h"
#include "core/space/assign.h"
#include "core/space/reservations.h"

double libra_replan_bound_s(const struct libra_engine *e,
			    const struct libra_reservation *plan,
			    bool after_loss)
{
	double latest_s = fmax(plan->latest_s, e->now_s);

	if (after_loss) {
		latest_s += libra_planned_state(e)->rules.margin_s;
		if (plan->promised_s < INFINITY)
			latest_s = fmax(latest_s, plan->promised_s);
	}
	return latest_s + LIBRA_DEADLINE_TOLERANCE_S;
}

static void clear_tried_nodes(struct libra_planned_state *s)
{
	for (uint32_t i = 0; s->nodes && i < s->nodes->ntried; i++)
		libra_spans_free(s->nodes, &s->nodes->tried[i]);
	for (uint32_t i = 0; s->nodes && i < s->nwaiting; i++)
		s->nodes->tried[i] = LIBRA_NO_SPAN;
	if (s->nodes)
		s->nodes->ntried = s->nwaiting;
}

void libra_replan_clear(struct libra_planned_state *s)
{
	clear_tried_nodes(s);
	for (uint32_t i = 0; s->nodes && i < s->nwaiting; i++)
		s->tried[i] = INFINITY;
}

/* Return true if a reservation has no start because there are too few
 * processors at all times.
 */
static bool lacks_procs(struct libra_engine *e,
			const struct libra_reservation *plan)
{
	const struct libra_timeline *p = &libra_planned_state(e)->trial;

	return plan->start_s == INFINITY &&
	       p->steps[p->n - 1].free < (int64_t)plan->nprocs &&
	       libra_schedule_earliest_fit(e, p, plan, 0, INFINITY) == INFINITY;
}

/* By node: find starts on the timeline alone, then assign nodes.
 * Result: true if the outcome is final; *all: every job that can start has a
 * start.
 */
static bool try_procs(struct libra_engine *e, bool after_loss, bool *all)
{
	struct libra_planned_state *s = libra_planned_state(e);

	*all = true;
	libra_replan_clear(s);
	libra_schedule_rebuild_procs(e, LIBRA_TRIAL, NULL);
	for (uint32_t i = 0; i < s->nwaiting && (*all || after_loss); i++) {
		s->tried[i] = libra_schedule_preferred_fit(
			e, &s->trial, &s->waiting[i], 0,
			libra_replan_bound_s(e, &s->waiting[i], after_loss));
		libra_schedule_change_procs(&s->trial, &s->waiting[i],
					    s->tried[i], 1);
		*all &= s->tried[i] < INFINITY ||
			lacks_procs(e, &s->waiting[i]);
	}
	return *all || after_loss ? libra_assign_nodes(e)
				  : libra_assign_is_certain(e, NULL);
}

static void try_one(struct libra_engine *e, uint32_t place, double latest_s)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_reservation *plan = &s->waiting[place];
	uint32_t spans;

	s->tried[place] =
		libra_schedule_find(e, LIBRA_TRIAL, plan, 0, latest_s, &spans);
	if (s->nodes)
		s->nodes->tried[place] = spans;
	libra_schedule_change(e, LIBRA_TRIAL, plan, s->tried[place], spans, 1);
}

bool libra_replan_try(struct libra_engine *e, bool after_loss)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool all = true, base;

	if (libra_nodes_are_named(s) && try_procs(e, after_loss, &all))
		return all;
	all = true;
	libra_replan_clear(s);
	libra_schedule_rebuild(e, LIBRA_TRIAL, NULL);
	base = libra_nodes_are_named(s) && s->nodes->trial_is_base;
	for (uint32_t i = 0; i < s->nwaiting && (all || after_loss); i++) {
		try_one(e, i,
			libra_replan_bound_s(e, &s->waiting[i], after_loss));
		all &= s->tried[i] < INFINITY ||
		       libra_schedule_is_hopeless(e, LIBRA_TRIAL,
						  &s->waiting[i]);
	}
	if (!all && !after_loss && base) {
		libra_lanes_undo_trial(e);
		s->nodes->trial_is_base = true;
	}
	return all;
}

void libra_replan_judge(struct libra_planned_state *s,
			struct libra_reservation *plan)
{
	bool late = libra_reservation_breaks(plan);

	if (plan->unplaced && plan->start_s == INFINITY)
		return;
	if (plan->late && !late && !s->rules.hard)
		plan->latest_s = fmax(plan->start_s,
				      plan->promised_s - s->rules.margin_s);
	libra_reservations_count(s, plan, -1);
	plan->unreported = late && (plan->unreported || !plan->late);
	plan->late = late;
	plan->unplaced = false;
	plan->sought_s = 0;
	libra_reservations_count(s, plan, 1);
}

static void adopt_spans(struct libra_planned_state *s)
{
	struct libra_nodes *r = s->nodes;
	struct libra_lanes was;

	if (!r)
		return;
	if (r->by_count) {
		r->must_rebuild = false;
		return;
	}
	r->trial_is_base = false;
	was = r->now;
	r->now = r->trial;
	r->trial = was;
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		libra_spans_free(r, &s->waiting[i].spans);
		s->waiting[i].spans = r->tried[i];
		r->tried[i] = LIBRA_NO_SPAN;
	}
	r->must_rebuild = false;
}

void libra_replan_adopt_starts(struct libra_planned_state *s)
{
	struct libra_timeline was = s->space.timeline;
	bool moved = false;

	s->space.timeline = s->trial;
	s->trial = was;
	if (s->nodes)
		s->nodes->found.holds = false;
	adopt_spans(s);
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		moved |= s->waiting[i].start_s != s->tried[i];
		s->waiting[i].start_s = s->tried[i];
	}
	s->moves += moved;
}

void libra_replan_adopt(struct libra_planned_state *s)
{
	libra_replan_adopt_starts(s);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		libra_replan_judge(s, &s->waiting[i]);
	libra_reservations_sort(s);
}

bool libra_replan_lacks_nodes(const struct libra_planned_state *s,
			      const struct libra_reservation *plan)
{
	return libra_nodes_are_named(s) && plan->spans == LIBRA_NO_SPAN &&
	       plan->start_s < INFINITY;
}

double libra_replan_start_s(const struct libra_engine *e,
			    const struct libra_reservation *plan)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	if (!libra_replan_lacks_nodes(s, plan) || s->nodes->gives_nodes)
		return plan->start_s;
	return fmax(plan->start_s, e->now_s);
}

bool libra_replan_try_starts(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_replan_clear(s);
	libra_schedule_rebuild_procs(e, LIBRA_TRIAL, NULL);
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		const struct libra_reservation *plan = &s->waiting[i];

		s->tried[i] = libra_replan_start_s(e, plan);
		libra_schedule_change_procs(&s->trial, plan, s->tried[i], 1);
	}
	e->work += s->nwaiting;
	return libra_timeline_least(&s->trial) >= 0 && libra_assign_nodes(e);
}

bool libra_replan_keep_starts(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (!libra_nodes_are_named(s) || !libra_replan_try_starts(e))
		return false;
	libra_replan_adopt_starts(s);
	return true;
}

/* As try_procs(), for the reservations without a start. */
static bool try_rest_procs(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->nwaiting; i++) {
		if (s->tried[i] < INFINITY)
			continue;
		s->tried[i] = libra_schedule_preferred_fit(
			e, &s->trial, &s->waiting[i], 0, INFINITY);
		libra_schedule_change_procs(&s->trial, &s->waiting[i],
					    s->tried[i], 1);
	}
	clear_tried_nodes(s);
	return libra_assign_nodes(e);
}

/* Give the reservations without a start the earliest one behind the others. */
static void try_rest(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (libra_nodes_are_named(s) && try_rest_procs(e))
		return;
	libra_schedule_set_budget(e, e->search_work);
	if (libra_nodes_are_named(s))
		libra_replan_try(e, true);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->tried[i] == INFINITY)
			try_one(e, i, INFINITY);
}

/* Return the new latest start of a reservation that was moved.  An aged
 * reservation that had no start, because nodes were out, is fixed at its new
 * start.
 */
static double moved_latest(const struct libra_reservation *plan, double start_s)
{
	return plan->firm && plan->latest_s == INFINITY
		       ? start_s
		       : fmax(plan->latest_s, start_s);
}

/* If the search budget is spent, a job without a start may still get one: mark
 * it unplaced.
 */
static void settle(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool spent = libra_nodes_are_named(s) && !libra_schedule_has_budget(e);

	s->moves++;
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		struct libra_reservation *plan = &s->waiting[i];

		libra_reservations_count(s, plan, -1);
		plan->unplaced = spent && s->tried[i] == INFINITY;
		plan->sought_s = 0;
		libra_reservations_count(s, plan, 1);
		if (!plan->unplaced)
			plan->latest_s = moved_latest(plan, s->tried[i]);
	}
}

void libra_replan_repair(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_schedule_set_budget(e, e->search_work);
	if (!libra_replan_try(e, false)) {
		libra_reservations_sort_by_start(s);
		if (!libra_replan_try(e, true)) {
			libra_reservations_sort(s);
			libra_schedule_set_budget(e, e->search_work);
			libra_replan_try(e, true);
			try_rest(e);
		}
	}
	settle(e);
	libra_replan_adopt(s);
}

/* Find a start for an unplaced job, from where the last call ended. */
static void place_pending(struct libra_engine *e,
			  struct libra_reservation *plan)
{
	struct libra_planned_state *s = libra_planned_state(e);

	plan->start_s = libra_schedule_find(e, LIBRA_CURRENT, plan, 0, INFINITY,
					    &plan->spans);
	if (plan->start_s == INFINITY && libra_nodes_are_named(s) &&
	    !libra_schedule_has_budget(e)) {
		plan->sought_s = s->nodes->sought_s;
		return;
	}
	libra_reservations_count(s, plan, -1);
	plan->unplaced = false;
	libra_reservations_count(s, plan, 1);
	plan->latest_s = moved_latest(plan, plan->start_s);
	s->moves++;
	libra_schedule_reserve(e, plan);
	libra_replan_judge(s, plan);
}

void libra_replan_repair_rest(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	/* Allow one pass over all nodes at least, so that the repair ends. */
	libra_schedule_set_budget(e, e->search_work > e->nnodes ? e->search_work
								: e->nnodes);
	for (uint32_t i = 0; i < s->nwaiting && libra_schedule_has_budget(e);
	     i++)
		if (s->waiting[i].unplaced)
			place_pending(e, &s->waiting[i]);
	libra_reservations_sort(s);
}
