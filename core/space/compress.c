/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compress.c - move reservations earlier when capacity has grown. */
#include "core/space/compress.h"

#include <math.h>

#include "core/space/replan.h"
#include "core/space/schedule.h"
#include "core/space/nodes.h"
#include "core/space/assign.h"
#include "core/space/reservations.h"

/* Return the number of processors that a compressed reservation leaves free,
 * at most all others.
 */
static uint32_t pull_held_back(const struct libra_engine *e,
			       const struct libra_reservation *plan)
{
	uint32_t others =
		e->nprocs > plan->nprocs ? e->nprocs - plan->nprocs : 0;
	uint32_t held_back = libra_planned_state(e)->rules.pull_held_back;

	if (libra_reservation_breaks(plan))
		return 0;
	return held_back < others ? held_back : others;
}

static void pull_one(struct libra_engine *e, struct libra_reservation *plan,
		     double latest_s)
{
	struct libra_planned_state *s = libra_planned_state(e);
	uint32_t spans;
	double start_s;

	libra_schedule_release(e, plan);
	start_s =
		libra_schedule_find(e, LIBRA_CURRENT, plan,
				    pull_held_back(e, plan), latest_s, &spans);
	if (start_s < plan->start_s) {
		libra_spans_free(s->nodes, &plan->spans);
		plan->spans = spans;
		plan->start_s = start_s;
		s->moves++;
	} else {
		libra_spans_free(s->nodes, &spans);
	}
	libra_schedule_reserve(e, plan);
}

/* By node: find starts on the timeline alone, then assign nodes.
 * Result: false, and nothing changed, if nodes cannot be assigned.
 */
static bool pull_procs(struct libra_engine *e, bool late)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool moved = false;

	libra_replan_clear(s);
	libra_timeline_copy(&s->trial, &s->space.timeline);
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		const struct libra_reservation *plan = &s->waiting[i];
		double start_s = INFINITY;

		if (plan->late || !late) {
			libra_schedule_change_procs(&s->trial, plan,
						    plan->start_s, -1);
			start_s = libra_schedule_earliest_fit(
				e, &s->trial, plan, pull_held_back(e, plan),
				plan->start_s);
			libra_schedule_change_procs(
				&s->trial, plan, fmin(start_s, plan->start_s),
				1);
		}
		s->tried[i] = fmin(start_s, plan->start_s);
		moved |= start_s < plan->start_s;
	}
	if (moved && !libra_assign_nodes(e))
		return false;
	if (moved)
		libra_replan_adopt_starts(s);
	return true;
}

static void pull(struct libra_engine *e, bool late)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (s->nodes && pull_procs(e, late))
		return;
	libra_schedule_set_budget(e, LIBRA_SEARCH_BUDGET);
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		struct libra_reservation *plan = &s->waiting[i];
		bool spent = s->nodes && !libra_schedule_has_budget(e);

		if (late && !plan->late)
			continue;
		if (spent)
			libra_schedule_set_budget(e, e->nnodes);
		pull_one(e, plan, spent ? e->now_s : plan->start_s);
		if (spent)
			libra_schedule_set_budget(e, 0);
	}
}

/* Judge the broken promises again after a compress.  From now on, a
 * reservation must not start later than planned, even if its promise stays
 * broken.
 */
static void judge_late(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->nwaiting; i++) {
		struct libra_reservation *plan = &s->waiting[i];

		if (!plan->late)
			continue;
		plan->latest_s = plan->start_s;
		libra_replan_judge(s, plan);
	}
	libra_reservations_sort(s);
}

void libra_compress(struct libra_engine *e)
{
	pull(e, false);
	if (libra_planned_state(e)->nlate > 0)
		judge_late(e);
}

static bool any_late_has_place(const struct libra_planned_state *s)
{
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->waiting[i].late && s->tried[i] < INFINITY)
			return true;
	return false;
}

/* Replan all jobs, and adopt that if every promise would be kept. */
static bool redeem(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool all;

	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->waiting[i].late)
			s->waiting[i].latest_s = s->waiting[i].promised_s;
	libra_reservations_sort(s);
	libra_schedule_set_budget(e, LIBRA_SEARCH_BUDGET);
	all = libra_replan_try(e, false) && any_late_has_place(s);
	if (all)
		libra_replan_adopt(s);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->waiting[i].late)
			s->waiting[i].latest_s = s->waiting[i].start_s;
	libra_reservations_sort(s);
	return all;
}

void libra_compress_late(struct libra_engine *e)
{
	if (redeem(e))
		return;
	pull(e, true);
	judge_late(e);
}
