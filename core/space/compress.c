/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compress.c - move reservations earlier when capacity has grown. */
#include "core/space/compress.h"

#include <math.h>

#include "core/space/replan.h"
#include "core/space/schedule.h"
#include "core/space/assign.h"
#include "core/space/nodes.h"
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

/* The instants from now on at which more processors are free than at any
 * earlier instant.  A reservation can start earlier only if enough processors
 * are free at one of these instants before its start.  If there are more than
 * PEAKS, the last one has the most processors of all that follow.
 */
enum { PEAKS = 64 };

struct peaks {
	struct libra_step of[PEAKS];
	uint32_t n;
};

static void find_peaks(struct libra_engine *e, struct peaks *peaks)
{
	const struct libra_timeline *p =
		&libra_planned_state(e)->space.timeline;

	peaks->n = 0;
	e->work += 1 + p->n / 4;
	for (uint32_t i = 0; i < p->n; i++) {
		if (peaks->n > 0 &&
		    p->steps[i].free <= peaks->of[peaks->n - 1].free)
			continue;
		if (peaks->n < PEAKS)
			peaks->of[peaks->n++] = p->steps[i];
		else
			peaks->of[PEAKS - 1].free = p->steps[i].free;
	}
}

/* Return false if the reservation certainly cannot start earlier. */
static bool may_gain(struct libra_engine *e, const struct peaks *peaks,
		     const struct libra_reservation *plan)
{
	int64_t wanted = (int64_t)plan->nprocs + pull_held_back(e, plan);
	uint32_t i = 0;

	e->work++;
	while (i < peaks->n && peaks->of[i].free < wanted)
		i++;
	return i < peaks->n && peaks->of[i].from_s < plan->start_s;
}

/* Result: true if the reservation has moved. */
static bool pull_one(struct libra_engine *e, struct libra_reservation *plan,
		     double latest_s)
{
	struct libra_planned_state *s = libra_planned_state(e);
	uint32_t spans;
	double start_s, was_s = plan->start_s;

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
	return plan->start_s < was_s;
}

/* If the search budget is spent, test the present instant only. */
static void pull(struct libra_engine *e, struct peaks *peaks,
		 struct libra_reservation *plan)
{
	bool spent = libra_nodes_are_named(libra_planned_state(e)) &&
		     !libra_schedule_has_budget(e);

	if (!may_gain(e, peaks, plan))
		return;
	if (spent)
		libra_schedule_set_budget(e, e->nnodes);
	if (pull_one(e, plan, spent ? e->now_s : plan->start_s))
		find_peaks(e, peaks);
	if (spent)
		libra_schedule_set_budget(e, 0);
}

/* By node: find starts on the timeline alone, then assign nodes to all
 * reservations anew.
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

static void pull_late(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	bool pulled = libra_nodes_are_named(s) && pull_procs(e, true);
	struct peaks peaks;

	find_peaks(e, &peaks);
	libra_schedule_set_budget(e, LIBRA_SEARCH_BUDGET);
	for (uint32_t i = 0; !pulled && i < s->nwaiting; i++)
		if (s->waiting[i].late)
			pull(e, &peaks, &s->waiting[i]);
	judge_late(e);
}

void libra_compress_late(struct libra_engine *e)
{
	if (libra_planned_state(e)->nlate > 0 && !redeem(e))
		pull_late(e);
}

/* Begin a pass over all reservations.
 * Result: false if there is none to make.
 */
static bool begin_pass(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (!s->capacity_grew)
		return false;
	s->capacity_grew = false;
	libra_compress_late(e);
	s->pass.on = s->rules.pull;
	s->pass.latest_s = -INFINITY;
	s->pass.budget = LIBRA_SEARCH_BUDGET;
	return s->pass.on;
}

/* Make the whole pass.  By node, other reservations may get other nodes. */
static void pass_at_once(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct peaks peaks;

	if (!libra_nodes_are_named(s) || !pull_procs(e, false)) {
		find_peaks(e, &peaks);
		libra_schedule_set_budget(e, LIBRA_SEARCH_BUDGET);
		for (uint32_t i = 0; i < s->nwaiting; i++)
			pull(e, &peaks, &s->waiting[i]);
	}
	if (s->nlate > 0)
		judge_late(e);
}

void libra_compress_all(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (begin_pass(e))
		pass_at_once(e);
	s->pass.on = s->capacity_grew = false;
}

/* Return true if a reservation could start now by the number of free
 * processors, and the budget of the pass allows a search for nodes.
 */
static bool may_start_now(struct libra_engine *e,
			  const struct libra_reservation *plan)
{
	struct libra_planned_state *s = libra_planned_state(e);
	uint32_t wanted = plan->nprocs + pull_held_back(e, plan);

	if (s->pass.budget < e->nnodes ||
	    libra_timeline_find_before(&s->space.timeline, wanted,
				       plan->duration_s, e->now_s,
				       plan->start_s) > e->now_s)
		return false;
	s->pass.budget -= e->nnodes;
	e->work += e->nnodes;
	return true;
}

/* By node, in a slice: move a reservation earlier on the nodes that it has, or
 * to now on any nodes.  A search of all nodes at later instants has no bound
 * that a slice could keep.
 * Result: true if the reservation has moved.
 */
static bool pull_on_nodes(struct libra_engine *e,
			  struct libra_reservation *plan)
{
	struct libra_planned_state *s = libra_planned_state(e);
	double start_s, was_s = plan->start_s;
	bool search;

	start_s = libra_schedule_find_before(e, plan, pull_held_back(e, plan));
	search = start_s > e->now_s && may_start_now(e, plan);
	if (!search && start_s == INFINITY)
		return false;
	libra_schedule_release(e, plan);
	if (search) {
		uint32_t spans =
			libra_nodes_fit(e, &s->nodes->now, plan, e->now_s);

		if (spans != LIBRA_NO_SPAN) {
			libra_spans_free(s->nodes, &plan->spans);
			plan->spans = spans;
			start_s = e->now_s;
		}
	}
	plan->start_s = fmin(start_s, was_s);
	s->moves += plan->start_s < was_s;
	libra_schedule_reserve(e, plan);
	return plan->start_s < was_s;
}

bool libra_compress_some(struct libra_engine *e, uint64_t budget)
{
	struct libra_planned_state *s = libra_planned_state(e);
	uint64_t begun = e->work;
	struct peaks peaks;
	uint32_t first, i;

	if (!s->pass.on && !begin_pass(e))
		return false;
	find_peaks(e, &peaks);
	first = libra_reservations_behind(s, s->pass.latest_s, s->pass.order);
	/* The peaks of a long timeline alone may take the budget. */
	for (i = first;
	     i < s->nwaiting && (i == first || e->work - begun < budget); i++) {
		struct libra_reservation *plan = &s->waiting[i];

		s->pass.latest_s = plan->latest_s;
		s->pass.order = plan->order;
		if (may_gain(e, &peaks, plan) &&
		    (libra_nodes_are_named(s)
			     ? pull_on_nodes(e, plan)
			     : pull_one(e, plan, plan->start_s)))
			find_peaks(e, &peaks);
	}
	s->pass.on = i < s->nwaiting;
	if (s->nlate > 0)
		judge_late(e);
	return libra_compress_has_work(s);
}

bool libra_compress_has_work(const struct libra_planned_state *s)
{
	return s->pass.on ||
	       (s->capacity_grew && (s->rules.pull || s->nlate > 0) &&
		s->nwaiting > 0);
}
