/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admit.c - admit jobs with a promise, and keep the schedule valid. */
#include "core/space/admit.h"

#include <math.h>

#include "core/space/replan.h"
#include "core/space/schedule.h"
#include "core/space/compress.h"
#include "core/space/holds.h"
#include "core/space/outages.h"
#include "core/space/nodes.h"
#include "core/space/assign.h"
#include "core/space/reservations.h"
#include "core/space/pool.h"

/* ---- add and remove ---- */

/* Advance first: later changes then remove past steps, so that the reserved
 * number of steps is enough.
 */
static void advance(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_timeline_advance(&s->space.timeline, e->now_s);
	if (libra_nodes_are_named(s))
		libra_lanes_advance(e, &s->nodes->now);
}

/* Bring the current schedule to now.
 * Result: false if it must be rebuilt.  During an outage a running job occupies
 * nothing, so that no release could return its amounts; nor could one return
 * those of a hold.
 */
static bool is_drawn(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (libra_nodes_are_named(s) && (s->noutages > 0 || s->nholds > 0))
		s->nodes->must_rebuild = true;
	if (s->must_repair || (s->nodes && s->nodes->must_rebuild)) {
		if (s->nodes)
			s->nodes->trial_is_base = false;
		return false;
	}
	advance(e);
	return true;
}

/* Reserve (sign 1) or release (-1) a running job's processors on open nodes
 * until end_s; on closed ones, from the instant at which they are expected.
 */
static void lay_held(struct libra_engine *e, uint32_t slot, double end_s,
		     int sign)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_timeline_add(&s->space.timeline, e->now_s, end_s,
			   -sign * (int64_t)libra_pool_open_procs(e, slot));
	libra_outages_change_job(e, &s->space.timeline, slot, end_s, sign);
	if (libra_nodes_are_named(s))
		libra_lanes_add_open(e, &s->nodes->now, s->nodes->held[slot],
				     e->now_s, end_s, sign);
	if (libra_nodes_are_named(s) && s->nodes->trial_is_base)
		libra_lanes_add_open(e, &s->nodes->trial, s->nodes->held[slot],
				     e->now_s, end_s, sign);
}

void libra_reservations_add(struct libra_engine *e,
			    const struct libra_reservation *plan)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool drawn = is_drawn(e);
	uint32_t place = libra_reservations_insert(s, plan);

	/* A reservation that is put back may be from before the count. */
	if (s->nodes && s->nodes->by_count)
		libra_spans_free(s->nodes, &s->waiting[place].spans);
	if (drawn)
		libra_schedule_reserve(e, &s->waiting[place]);
}

struct libra_reservation libra_reservations_remove(struct libra_engine *e,
						   uint32_t place)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_reservation plan = s->waiting[place];

	if (is_drawn(e))
		libra_schedule_release(e, &plan);
	s->capacity_grew = true;
	libra_reservations_extract(s, place);
	return plan;
}

void libra_reservations_discard(struct libra_engine *e,
				struct libra_reservation *plan)
{
	libra_spans_free(libra_planned_state(e)->nodes, &plan->spans);
}

void libra_reservations_cancel(struct libra_engine *e, uint32_t place)
{
	struct libra_reservation plan = libra_reservations_remove(e, place);

	libra_reservations_discard(e, &plan);
}

/* ---- rebuild ---- */

static bool have_nodes(const struct libra_planned_state *s)
{
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (libra_replan_lacks_nodes(s, &s->waiting[i]))
			return false;
	return true;
}

/* Find nodes for a reservation that has a start only, beside the others'
 * nodes.  There may be none.
 */
static void find_told(struct libra_engine *e, struct libra_reservation *plan)
{
	struct libra_planned_state *s = libra_planned_state(e);

	plan->start_s = libra_replan_start_s(e, plan);
	s->moves++;
	plan->spans = libra_nodes_fit(e, &s->nodes->now, plan, plan->start_s);
	libra_schedule_reserve(e, plan);
}

static void lay_all(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (s->nodes)
		s->nodes->trial_is_base = false;
	libra_assign_choose(e);
	if (!have_nodes(s) && libra_replan_keep_starts(e)) {
		s->nodes->gives_nodes = false;
		return;
	}
	libra_schedule_rebuild(e, LIBRA_CURRENT, NULL);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (!libra_replan_lacks_nodes(s, &s->waiting[i]))
			libra_schedule_reserve(e, &s->waiting[i]);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (libra_replan_lacks_nodes(s, &s->waiting[i]))
			find_told(e, &s->waiting[i]);
	if (s->nodes)
		s->nodes->must_rebuild = s->nodes->gives_nodes = false;
}

void libra_reservations_refresh(struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	if (s->nodes && s->nodes->must_rebuild)
		lay_all(e);
}

static bool is_short(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	return libra_timeline_least(&s->space.timeline) < 0 ||
	       (libra_nodes_are_named(s) &&
		libra_lanes_is_short(e, &s->nodes->now));
}

/* Return true if all reservations fit, if need be on other nodes. */
static bool all_fit(struct libra_engine *e)
{
	libra_reservations_refresh(e);
	return !is_short(e) || libra_replan_keep_starts(e);
}

bool libra_reservations_make_way(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (all_fit(e))
		return true;
	libra_schedule_set_budget(e, LIBRA_SEARCH_BUDGET);
	if (!s->rules.replan || !libra_replan_try(e, false))
		return false;
	libra_replan_adopt(s);
	return true;
}

/* ---- time ---- */

void libra_reservations_set_end(struct libra_engine *e, uint32_t slot,
				double end_s)
{
	struct libra_planned_state *s = libra_planned_state(e);
	double was_s = e->slots[slot].end_s;

	libra_pool_expect(e, slot, end_s);
	s->capacity_grew |= end_s < was_s;
	if (!is_drawn(e))
		return;
	lay_held(e, slot, was_s, -1);
	lay_held(e, slot, end_s, 1);
}

void libra_reservations_expect(struct libra_engine *e, uint32_t slot,
			       double end_s)
{
	if (end_s > e->slots[slot].end_s)
		libra_planned_state(e)->must_repair = true;
	if (end_s != e->slots[slot].end_s)
		libra_reservations_set_end(e, slot, end_s);
}

/* Result: true if a job overran. */
static bool extend_overruns(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_runlist *running = &s->space.running;
	uint32_t most = running->n;
	bool any = false;

	while (most-- > 0 && running->jobs[0].end_s <= e->now_s) {
		uint32_t slot = running->jobs[0].slot;
		double executed_s = e->now_s - e->slots[slot].start_s;
		double more_s = fmax(s->rules.overrun.floor_s,
				     s->rules.overrun.part * executed_s);

		libra_reservations_set_end(e, slot, e->now_s + more_s);
		any = true;
	}
	return any;
}

/* If a reservation is overdue by more than the margin, its job starts now at
 * the earliest, and needs its whole duration from now on.  This happens to
 * offers that the host does not commit, and after a time without calls.
 */
static void delay_overdue(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->nwaiting; i++) {
		struct libra_reservation *plan = &s->waiting[i];

		if (!(plan->start_s + s->rules.margin_s < e->now_s))
			continue;
		plan->start_s = e->now_s;
		plan->latest_s = fmax(plan->latest_s, e->now_s);
		s->moves++;
		s->must_repair = true;
	}
}

/* Rebuild the current schedule.
 * Result: true if all waiting jobs have a start, except those that cannot have
 * one because nodes are closed.
 */
static bool renew(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool all = true;

	lay_all(e);
	s->must_repair = false;
	s->capacity_grew = true;
	libra_schedule_set_budget(e, e->search_work);
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		struct libra_reservation *plan = &s->waiting[i];

		all &= !libra_replan_lacks_nodes(s, plan);
		if (libra_schedule_is_hopeless(e, LIBRA_CURRENT, plan))
			plan->latest_s = INFINITY;
		else
			all &= plan->start_s < INFINITY;
		libra_replan_judge(s, plan);
	}
	libra_reservations_sort(s);
	return all;
}

/* Return true if the current schedule is valid.  By node, rebuild it first if
 * need be.
 */
static bool is_fresh(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (s->must_repair)
		return false;
	libra_reservations_refresh(e);
	advance(e);
	return true;
}

/* Return true if a job has no start, and no repair will reach it: it was
 * restored without one.
 */
static bool lacks_start(const struct libra_planned_state *s)
{
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->waiting[i].start_s == INFINITY &&
		    s->waiting[i].latest_s < INFINITY &&
		    !s->waiting[i].unplaced)
			return true;
	return false;
}

static void make_good(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool lowered, all;

	delay_overdue(e);
	lowered = extend_overruns(e) || s->must_repair;
	all = is_fresh(e) || renew(e);

	if (s->nunplaced > 0 && have_nodes(s) && !lacks_start(s) && all_fit(e))
		libra_replan_repair_rest(e);
	else if (!all || (lowered && !all_fit(e)))
		libra_replan_repair(e);
}

/* Return true if a broken promise could still be kept if there were room.  If
 * its latest start is over, nothing needs to give way.
 */
static bool lacks_room(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; s->nlate > 0 && i < s->nwaiting; i++)
		if (s->waiting[i].late &&
		    s->waiting[i].promised_s + LIBRA_DEADLINE_TOLERANCE_S >=
			    e->now_s)
			return true;
	return false;
}

void libra_reservations_catch_up(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_hold_expire(e);
	libra_outages_pass(e);
	make_good(e);
	/* A restored hold is dropped before a promise is broken. */
	if (s->nunplaced == 0 && s->nholds > 0 &&
	    libra_hold_settle(s, lacks_room(e))) {
		make_good(e);
		if (s->nunplaced == 0 && e->compress_later)
			libra_compress_late(e);
	}
	if (s->nunplaced > 0 || e->compress_later)
		return;
	libra_compress_all(e);
}

/* ---- admit, start and release ---- */

struct libra_reservation libra_reservation_of(const struct libra_engine *e,
					      const struct libra_job *job,
					      uint32_t slot, uint64_t order)
{
	double margin_s = libra_planned_state(e)->rules.margin_s;
	struct libra_reservation plan = {
		.start_s = INFINITY,
		.duration_s = job->estimate_s + margin_s,
		.deadline_s = job->deadline_s,
		.estimate_s = job->estimate_s,
		.order = order,
		.nprocs = job->nprocs,
		.slot = slot,
		.shape = slot < e->nslots ? slot : e->nslots,
		.spans = LIBRA_NO_SPAN,
	};

	plan.latest_s = job->deadline_s - plan.duration_s;
	plan.promised_s = job->deadline_s - job->estimate_s;
	/* The job would miss its deadline even if it started now: promise a
	 * start, which must be now.
	 */
	if (plan.latest_s < e->now_s)
		plan.latest_s = e->now_s;
	if (!libra_in_time(e->now_s + job->estimate_s, job->deadline_s))
		plan.promised_s = INFINITY;
	return plan;
}

/* Steps of the timeline that take as long as one node. */
#define STEPS_PER_NODE 16

/* Return true if the other reservations may move for the sake of a new one.  A
 * host waits for that only if it takes no longer than a search.
 */
static bool may_move_all(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	uint64_t each = libra_nodes_are_named(s)
				? e->nnodes
				: 1 + s->space.timeline.n / STEPS_PER_NODE;

	return !e->compress_later ||
	       (s->nwaiting + 1) * each <= LIBRA_SEARCH_BUDGET;
}

/* By node: try a new reservation at its start and all others at theirs, if
 * need be on other nodes.
 */
static bool admit_beside(struct libra_engine *e,
			 const struct libra_reservation *plan, bool adopt)
{
	struct libra_planned_state *s = libra_planned_state(e);
	uint32_t place = libra_reservations_insert(s, plan);
	bool good = libra_replan_try_starts(e);

	if (good && adopt)
		libra_replan_adopt_starts(s);
	else
		libra_reservations_extract(s, place);
	return good;
}

/* Find the earliest fit by latest_s, with processors held back if possible; by
 * node one with nodes beside the others' nodes.
 */
static void find_hole(struct libra_engine *e, struct libra_reservation *plan,
		      uint32_t held_back, double latest_s)
{
	plan->start_s = libra_schedule_find(e, LIBRA_CURRENT, plan, held_back,
					    latest_s, &plan->spans);
	if (plan->start_s == INFINITY && held_back > 0)
		plan->start_s = libra_schedule_find(e, LIBRA_CURRENT, plan, 0,
						    latest_s, &plan->spans);
}

/* Find nodes at the reservation's start beside the others' nodes.  The start is
 * the earliest one of the timeline, with *held_back processors left free if the
 * timeline has such a start; if it has none, *held_back becomes 0.  The search
 * goes on where the search for an equal reservation ended, and find_hole() goes
 * on here.
 */
static uint32_t fit_beside(struct libra_engine *e,
			   const struct libra_reservation *plan,
			   uint32_t *held_back)
{
	struct libra_planned_state *s = libra_planned_state(e);
	double none_before_s;

	if (libra_timeline_find_from(&s->space.timeline,
				     plan->nprocs + *held_back,
				     plan->duration_s, plan->start_s,
				     plan->start_s) != plan->start_s)
		*held_back = 0;
	none_before_s = libra_nodes_none_before_s(e, plan, *held_back);
	if (plan->start_s < none_before_s)
		return LIBRA_NO_SPAN;
	if (none_before_s == -INFINITY)
		libra_nodes_search(e);
	e->work += e->nnodes;
	libra_nodes_note_reached(e, plan, *held_back, plan->start_s);
	return libra_nodes_fit_later(e, &s->nodes->now, plan, plan->start_s);
}

/* Find a start beside the others at their starts.  By node plan->spans are its
 * nodes then; if admit_beside() has inserted the reservation already, *kept is
 * true.  While a host waits, others get other nodes only if there is no hole.
 */
static void find_place(struct libra_engine *e, struct libra_reservation *plan,
		       uint32_t held_back, double latest_s, bool adopt,
		       bool *kept)
{
	struct libra_planned_state *s = libra_planned_state(e);
	double start_s;

	*kept = false;
	libra_assign_ask(e, plan);
	libra_reservations_refresh(e);
	plan->spans = LIBRA_NO_SPAN;
	plan->start_s = libra_schedule_preferred_fit(e, &s->space.timeline,
						     plan, held_back, latest_s);
	if (!libra_nodes_are_named(s) || plan->start_s == INFINITY)
		return;
	start_s = plan->start_s;
	plan->spans = fit_beside(e, plan, &held_back);
	if (plan->spans != LIBRA_NO_SPAN)
		return;
	if (e->compress_later)
		find_hole(e, plan, held_back, latest_s);
	if (plan->spans != LIBRA_NO_SPAN)
		return;
	plan->start_s = start_s;
	if (may_move_all(e) && admit_beside(e, plan, adopt))
		*kept = adopt;
	else if (e->compress_later)
		plan->start_s = INFINITY;
	else
		find_hole(e, plan, held_back, latest_s);
}

/* An offer must find the start that is returned here.  If assigning other
 * nodes to the others may fail, take a fit beside their present nodes.
 */
double libra_reservations_earliest(struct libra_engine *e,
				   const struct libra_reservation *plan,
				   double latest_s)
{
	struct libra_planned_state *s = libra_planned_state(e);
	uint32_t spans;
	double start_s;

	libra_assign_ask(e, plan);
	libra_reservations_refresh(e);
	if (libra_nodes_are_named(s) && may_move_all(e) &&
	    libra_assign_is_certain(e, plan))
		return libra_schedule_preferred_fit(e, &s->space.timeline, plan,
						    0, latest_s);
	libra_schedule_set_budget(e, UINT64_MAX);
	start_s = libra_schedule_find(e, LIBRA_CURRENT, plan, 0, latest_s,
				      &spans);
	libra_spans_free(s->nodes, &spans);
	return start_s;
}

double libra_reservations_earliest_alone(struct libra_engine *e,
					 const struct libra_reservation *plan)
{
	struct libra_planned_state *s = libra_planned_state(e);
	uint32_t spans;
	double start_s;

	libra_schedule_set_budget(e, UINT64_MAX);
	libra_replan_clear(s);
	libra_schedule_rebuild(e, LIBRA_TRIAL, NULL);
	start_s =
		libra_schedule_find(e, LIBRA_TRIAL, plan, 0, INFINITY, &spans);
	libra_spans_free(s->nodes, &spans);
	return start_s;
}

static bool admit_anew(struct libra_engine *e, struct libra_reservation *plan,
		       bool adopt)
{
	struct libra_planned_state *s = libra_planned_state(e);
	uint32_t place = libra_reservations_insert(s, plan);
	bool good = libra_replan_try(e, false) && s->tried[place] < INFINITY;

	plan->start_s = s->tried[place];
	if (good && adopt)
		libra_replan_adopt(s);
	else
		libra_reservations_extract(s, place);
	return good;
}

static bool admit(struct libra_engine *e, struct libra_reservation *plan,
		  bool adopt)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool kept;

	if (s->nunplaced > 0)
		return false;
	libra_schedule_set_budget(e, LIBRA_SEARCH_BUDGET);
	find_place(e, plan, s->rules.held_back,
		   libra_replan_bound_s(e, plan, false), adopt, &kept);
	if (plan->start_s == INFINITY)
		return s->rules.replan && may_move_all(e) &&
		       admit_anew(e, plan, adopt);
	if (kept)
		return true;
	if (adopt) {
		libra_reservations_insert(s, plan);
		libra_schedule_reserve(e, plan);
	} else {
		libra_reservations_discard(e, plan);
	}
	return true;
}

bool libra_reservations_admit(struct libra_engine *e,
			      struct libra_reservation *plan, bool adopt)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (!admit(e, plan, adopt))
		return false;
	if ((s->rules.hard || plan->firm) && adopt) {
		uint32_t place = libra_reservations_find(s, plan->slot);

		plan->latest_s = s->waiting[place].latest_s = plan->start_s;
		libra_reservations_sort(s);
	}
	return true;
}

void libra_reservations_release(struct libra_engine *e, uint32_t slot)
{
	struct libra_planned_state *s = libra_planned_state(e);
	double end_s = e->slots[slot].end_s;

	/* Engines that compress at once have always rebuilt here. */
	if (s->space.nclosed > 0 && (s->noutages > 0 || !e->compress_later))
		s->must_repair = true;
	if (is_drawn(e))
		lay_held(e, slot, end_s, -1);
	s->capacity_grew |= end_s > e->now_s;
	libra_pool_release(e, slot);
	if (s->nodes)
		libra_spans_free(s->nodes, &s->nodes->held[slot]);
}

static void begin(struct libra_engine *e, uint32_t slot, double end_s)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool drawn = is_drawn(e);

	if (s->nodes) {
		libra_spans_take(e, slot, s->nodes->held[slot]);
		libra_pool_run(e, slot, end_s);
	} else {
		libra_pool_begin(e, slot, end_s);
	}
	if (drawn)
		lay_held(e, slot, end_s, 1);
}

void libra_reservations_start_now(struct libra_engine *e, uint32_t slot)
{
	begin(e, slot,
	      e->now_s + e->slots[slot].job.estimate_s +
		      libra_planned_state(e)->rules.margin_s);
}

/* A late start uses up the margin.  Keep the planned end, or the next
 * reservation would overlap the last moments of this job, and no job could be
 * reserved across them.  A start later than the margin has moved the
 * reservation before.
 */
void libra_reservations_start(struct libra_engine *e, uint32_t place)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_reservation plan = libra_reservations_remove(e, place);

	if (s->nodes)
		s->nodes->held[plan.slot] =
			s->nodes->by_count ? libra_nodes_first(e, &plan)
					   : plan.spans;
	begin(e, plan.slot, plan.start_s + plan.duration_s);
}

bool libra_reservations_can_start(const struct libra_engine *e,
				  const struct libra_reservation *plan)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	return plan->nprocs <= s->space.free &&
	       !libra_replan_lacks_nodes(s, plan) &&
	       (!libra_nodes_are_named(s) ||
		libra_spans_are_free(e, plan->spans, NULL));
}

enum libra_reason libra_planned_admit(struct libra_engine *e,
				      const struct libra_job *job,
				      struct libra_reservation *plan,
				      bool adopt)
{
	enum libra_reason reason = LIBRA_REASON_WOULD_MISS;

	if (libra_may_promise(e, job->estimate_s, job->deadline_s))
		reason = libra_planned_traits(e)->refusal(e, job);
	if (reason == LIBRA_REASON_NONE &&
	    !libra_reservations_admit(e, plan, adopt))
		reason = LIBRA_REASON_WOULD_MISS;
	return reason;
}

enum libra_reason libra_planned_refusal(struct libra_engine *e,
					const struct libra_job *job)
{
	struct libra_reservation plan =
		libra_reservation_of(e, job, e->nslots, e->order + 1);

	libra_nodes_shape(e, e->nslots, job->where);
	e->work += libra_planned_state(e)->nwaiting;
	return libra_planned_admit(e, job, &plan, false);
}
