/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - the profile, and a start in it for each job that waits. */
#include "core/promise/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/promise/outage.h"
#include "core/promise/rooms.h"
#include "core/space/pool.h"

#define FIRST_PLANS 64

int libra_plans_reserve(struct libra_promise_state *s, uint32_t n)
{
	/* Two steps for each job and outage, two while one is tried, now and
	 * the end.
	 */
	uint32_t nsteps = 2 * (n + s->noutages) + 6, cap;
	bool ok = true;

	if (libra_profile_reserve(&s->space.profile, nsteps) < 0 ||
	    libra_profile_reserve(&s->trial, nsteps) < 0)
		return -1;
	if (n + 1 <= s->cap)
		return 0;
	cap = libra_doubled(s->cap, FIRST_PLANS, n + 1);
	s->waiting = libra_grown(s->waiting, cap, sizeof(*s->waiting), &ok);
	s->tried = libra_grown(s->tried, cap, sizeof(*s->tried), &ok);
	if (!ok)
		return -1;
	s->cap = cap;
	return 0;
}

int libra_plans_reserve_places(struct libra_promise_state *s, uint32_t nslots)
{
	uint32_t cap = libra_doubled(s->nplaces, FIRST_PLANS, nslots);
	bool ok = true;

	if (nslots <= s->nplaces)
		return 0;
	s->places = libra_grown(s->places, cap, sizeof(*s->places), &ok);
	if (!ok)
		return -1;
	memset(s->places + s->nplaces, 0,
	       (cap - s->nplaces) * sizeof(*s->places));
	s->nplaces = cap;
	return 0;
}

void libra_plans_fini(struct libra_promise_state *s)
{
	free(s->places);
	libra_rooms_fini(s);
	libra_profile_fini(&s->trial);
	free(s->waiting);
	free(s->tried);
}

/* ---- the profile ---- */

/* The plans that there are, or those that are tried. */
enum draft { ADOPTED, TRIED };

static struct libra_profile *profile_of(struct libra_promise_state *s,
					enum draft draft)
{
	return draft == TRIED ? &s->trial : &s->space.profile;
}

static struct libra_line *line_of(struct libra_promise_state *s,
				  enum draft draft)
{
	return draft == TRIED ? &s->rooms->trial : &s->rooms->now;
}

/* Take (sign 1), or give, what a plan has from its start on. */
static void lay(struct libra_engine *e, enum draft draft,
		const struct libra_plan *plan, double start_s, uint32_t spans,
		int sign)
{
	struct libra_promise_state *s = libra_promise_state(e);
	double end_s = start_s + plan->duration_s;

	if (!(start_s < INFINITY))
		return;
	libra_profile_add(profile_of(s, draft), start_s, end_s,
			  -sign * (int64_t)plan->nprocs);
	if (s->rooms)
		libra_line_add(e, line_of(s, draft), spans, start_s, end_s,
			       sign);
}

static void take(struct libra_engine *e, const struct libra_plan *plan)
{
	lay(e, ADOPTED, plan, plan->start_s, plan->spans, 1);
}

static void give(struct libra_engine *e, const struct libra_plan *plan)
{
	lay(e, ADOPTED, plan, plan->start_s, plan->spans, -1);
}

/* The jobs that run, alone. */
static void lay_running(struct libra_engine *e, enum draft draft)
{
	struct libra_promise_state *s = libra_promise_state(e);
	const struct libra_runlist *running = &s->space.running;
	struct libra_profile *p = profile_of(s, draft);

	libra_profile_reset(p, e->now_s, s->space.free);
	if (s->rooms)
		libra_line_reset(e, line_of(s, draft));
	for (uint32_t i = 0; i < running->n; i++) {
		uint32_t slot = running->jobs[i].slot;
		double end_s = running->jobs[i].end_s;

		libra_profile_add(p, end_s, INFINITY,
				  libra_pool_open_procs(e, slot));
	}
	/* The last to end first: none goes over the ends of the others. */
	for (uint32_t i = running->n; s->rooms && i-- > 0;) {
		uint32_t slot = running->jobs[i].slot;

		libra_line_add_open(e, line_of(s, draft), s->rooms->held[slot],
				    running->jobs[i].end_s);
	}
	libra_outages_lay(e, p, s->rooms ? line_of(s, draft) : NULL);
}

static void lay_all(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);

	lay_running(e, ADOPTED);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (!s->rooms || s->waiting[i].spans != LIBRA_NO_SPAN)
			take(e, &s->waiting[i]);
	/* A start that was told, or nothing. */
	for (uint32_t i = 0; i < s->nwaiting && s->rooms; i++) {
		struct libra_plan *plan = &s->waiting[i];

		if (plan->spans != LIBRA_NO_SPAN || plan->start_s == INFINITY)
			continue;
		plan->start_s = fmax(plan->start_s, e->now_s);
		plan->spans = libra_rooms_place(e, &s->rooms->now, plan,
						plan->start_s);
		if (plan->spans == LIBRA_NO_SPAN)
			plan->start_s = INFINITY;
		take(e, plan);
	}
	if (s->rooms)
		s->rooms->redraw = false;
}

void libra_plans_refresh(struct libra_engine *e)
{
	const struct libra_promise_state *s = libra_promise_state(e);

	if (s->rooms && s->rooms->redraw)
		lay_all(e);
}

/* Is somewhere less than nothing? */
static bool is_short(const struct libra_promise_state *s)
{
	return libra_profile_least(&s->space.profile) < 0 ||
	       (s->rooms && s->rooms->now.is_short);
}

/* ---- holes ---- */

/* The first end of a job or an outage after an instant: only then there is more
 * room.
 */
static double next_end(const struct libra_engine *e, enum draft draft,
		       double after_s)
{
	const struct libra_promise_state *s = libra_promise_state(e);
	const struct libra_runlist *running = &s->space.running;
	double next_s = INFINITY;

	for (uint32_t i = 0; i < running->n; i++)
		if (running->jobs[i].end_s > after_s) {
			next_s = running->jobs[i].end_s;
			break;
		}
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		double start_s =
			draft == TRIED ? s->tried[i] : s->waiting[i].start_s;
		double end_s = start_s + s->waiting[i].duration_s;

		if (end_s > after_s && end_s < next_s)
			next_s = end_s;
	}
	for (uint32_t i = 0; i < s->noutages; i++) {
		double end_s = s->outages[i].to_s;

		if (end_s > after_s && end_s < next_s)
			next_s = end_s;
	}
	return next_s;
}

/* The first start by an instant with so many processors more, and on which
 * nodes.
 */
static double find(struct libra_engine *e, enum draft draft,
		   const struct libra_plan *plan, uint32_t more,
		   double latest_s, uint32_t *spans)
{
	struct libra_promise_state *s = libra_promise_state(e);
	const struct libra_profile *p = profile_of(s, draft);
	double start_s = e->now_s;

	*spans = LIBRA_NO_SPAN;
	e->work += 1 + p->n / 4;
	if (!s->rooms)
		return libra_profile_find_by(p, plan->nprocs + more,
					     plan->duration_s, latest_s);
	for (; start_s <= latest_s; start_s = next_end(e, draft, start_s)) {
		start_s = libra_profile_find_from(p, plan->nprocs + more,
						  plan->duration_s, start_s,
						  latest_s);
		if (start_s == INFINITY)
			break;
		*spans = libra_rooms_place(e, line_of(s, draft), plan, start_s);
		e->work += e->nnodes;
		if (*spans != LIBRA_NO_SPAN)
			return start_s;
	}
	return INFINITY;
}

/* ---- the plans, in order ---- */

static bool before(const struct libra_plan *a, const struct libra_plan *b)
{
	if (a->latest_s != b->latest_s)
		return a->latest_s < b->latest_s;
	return a->order < b->order;
}

static void count(struct libra_promise_state *s, const struct libra_plan *plan,
		  int by)
{
	s->nfirm += plan->firm ? by : 0;
	s->nlate += plan->late ? by : 0;
	s->nuntold += plan->untold ? by : 0;
}

static bool sooner(const struct libra_plan *a, const struct libra_plan *b)
{
	return a->start_s < b->start_s ||
	       (a->start_s == b->start_s && before(a, b));
}

/* Result: its place. */
static uint32_t insert(struct libra_promise_state *s,
		       const struct libra_plan *plan)
{
	uint32_t place = s->nwaiting++;

	for (; place > 0 && before(plan, &s->waiting[place - 1]); place--)
		s->waiting[place] = s->waiting[place - 1];
	s->waiting[place] = *plan;
	count(s, plan, 1);
	return place;
}

static void extract(struct libra_promise_state *s, uint32_t place)
{
	count(s, &s->waiting[place], -1);
	s->nwaiting--;
	memmove(&s->waiting[place], &s->waiting[place + 1],
		(s->nwaiting - place) * sizeof(*s->waiting));
}

/* As last found, but it may be none any more. */
static uint32_t last_place(const struct libra_promise_state *s, uint32_t slot)
{
	uint32_t place = slot < s->nplaces ? s->places[slot] : 0;

	return place < s->nwaiting ? place : 0;
}

static bool is_at(const struct libra_promise_state *s, uint32_t slot,
		  uint32_t place)
{
	if (place >= s->nwaiting || s->waiting[place].slot != slot)
		return false;
	if (slot < s->nplaces)
		s->places[slot] = place;
	return true;
}

uint32_t libra_plans_find(const struct libra_promise_state *s, uint32_t slot)
{
	uint32_t last = last_place(s, slot);

	for (uint32_t d = 0; d <= last || d < s->nwaiting - last; d++) {
		if (is_at(s, slot, last + d))
			return last + d;
		if (d <= last && is_at(s, slot, last - d))
			return last - d;
	}
	return s->nwaiting;
}

typedef bool order_f(const struct libra_plan *a, const struct libra_plan *b);

static void sort(struct libra_promise_state *s, order_f *in_order)
{
	for (uint32_t i = 1; i < s->nwaiting; i++) {
		struct libra_plan plan = s->waiting[i];
		uint32_t place = i;

		for (; place > 0 && in_order(&plan, &s->waiting[place - 1]);
		     place--)
			s->waiting[place] = s->waiting[place - 1];
		s->waiting[place] = plan;
	}
}

/* The profile from now on, or NULL if it is to be made anew.  It never holds
 * more steps than there is room for, as what is past is forgotten first.
 */
static struct libra_profile *profile_now(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);

	if (s->rooms)
		s->rooms->redraw = true;
	if (s->stale || s->rooms)
		return NULL;
	libra_profile_advance(&s->space.profile, e->now_s);
	return &s->space.profile;
}

void libra_plans_keep(struct libra_engine *e, const struct libra_plan *plan)
{
	struct libra_profile *p = profile_now(e);

	insert(libra_promise_state(e), plan);
	if (p)
		take(e, plan);
}

struct libra_plan libra_plans_remove(struct libra_engine *e, uint32_t place)
{
	struct libra_promise_state *s = libra_promise_state(e);
	struct libra_profile *p = profile_now(e);
	struct libra_plan plan = s->waiting[place];

	if (p)
		give(e, &plan);
	s->raised = true;
	extract(s, place);
	return plan;
}

void libra_plans_forget(struct libra_engine *e, struct libra_plan *plan)
{
	libra_spans_free(libra_promise_state(e)->rooms, &plan->spans);
}

void libra_plans_drop(struct libra_engine *e, uint32_t place)
{
	struct libra_plan plan = libra_plans_remove(e, place);

	libra_plans_forget(e, &plan);
}

/* ---- all plans anew ---- */

/* How far a plan may move: to its latest start, or, after a loss, by the margin
 * more and as far as its promise holds.  A start that is due holds until its
 * submission has gone through.
 */
static double bound_s(const struct libra_engine *e,
		      const struct libra_plan *plan, bool after_loss)
{
	double latest_s = fmax(plan->latest_s, e->now_s);

	if (after_loss) {
		latest_s += libra_promise_state(e)->rules.margin_s;
		if (plan->promised_s < INFINITY)
			latest_s = fmax(latest_s, plan->promised_s);
	}
	return latest_s + LIBRA_DEADLINE_TOLERANCE_S;
}

void libra_plans_clear_tried(struct libra_promise_state *s)
{
	for (uint32_t i = 0; s->rooms && i < s->rooms->ntried; i++)
		libra_spans_free(s->rooms, &s->rooms->tried[i]);
	for (uint32_t i = 0; s->rooms && i < s->nwaiting; i++) {
		s->rooms->tried[i] = LIBRA_NO_SPAN;
		s->tried[i] = INFINITY;
	}
	if (s->rooms)
		s->rooms->ntried = s->nwaiting;
}

static void try_one(struct libra_engine *e, uint32_t place, double latest_s)
{
	struct libra_promise_state *s = libra_promise_state(e);
	const struct libra_plan *plan = &s->waiting[place];
	uint32_t spans;

	s->tried[place] = find(e, TRIED, plan, 0, latest_s, &spans);
	if (s->rooms)
		s->rooms->tried[place] = spans;
	lay(e, TRIED, plan, s->tried[place], spans, 1);
}

/* Each at its earliest hole among the running jobs, in order: tried; those
 * without one have INFINITY.
 * Result: whether all have one.
 */
static bool try_all(struct libra_engine *e, bool after_loss)
{
	struct libra_promise_state *s = libra_promise_state(e);
	bool all = true;

	libra_plans_clear_tried(s);
	lay_running(e, TRIED);
	for (uint32_t i = 0; i < s->nwaiting && (all || after_loss); i++) {
		try_one(e, i, bound_s(e, &s->waiting[i], after_loss));
		all &= s->tried[i] < INFINITY;
	}
	return all;
}

/* What a plan's promise is worth with its start.  One that holds again may move
 * up to its end.
 */
static void judge(struct libra_promise_state *s, struct libra_plan *plan)
{
	bool late =
		plan->start_s > plan->promised_s + LIBRA_DEADLINE_TOLERANCE_S;

	if (plan->late && !late && !s->rules.hard)
		plan->latest_s = fmax(plan->start_s,
				      plan->promised_s - s->rules.margin_s);
	count(s, plan, -1);
	plan->untold = late && (plan->untold || !plan->late);
	plan->late = late;
	count(s, plan, 1);
}

static void adopt_spans(struct libra_promise_state *s)
{
	struct libra_rooms *r = s->rooms;
	struct libra_line was;

	if (!r)
		return;
	was = r->now;
	r->now = r->trial;
	r->trial = was;
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		libra_spans_free(r, &s->waiting[i].spans);
		s->waiting[i].spans = r->tried[i];
		r->tried[i] = LIBRA_NO_SPAN;
	}
	r->redraw = false;
}

/* The tried starts become the plan, the trial the profile. */
static void adopt_tried(struct libra_promise_state *s)
{
	struct libra_profile was = s->space.profile;

	s->space.profile = s->trial;
	s->trial = was;
	adopt_spans(s);
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		s->waiting[i].start_s = s->tried[i];
		judge(s, &s->waiting[i]);
	}
	sort(s, before);
}

/* Those that found no place get the earliest one behind the others. */
static void try_rest(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);

	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->tried[i] == INFINITY)
			try_one(e, i, INFINITY);
}

/* After a loss.  A little one, as of some seconds after a restart, leaves all
 * plans as they were, in order of their starts, but somewhat later.  Else as
 * many as can keep their promises.
 */
static void repair(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);

	if (!try_all(e, false)) {
		sort(s, sooner);
		if (!try_all(e, true)) {
			sort(s, before);
			try_all(e, true);
			try_rest(e);
		}
	}
	for (uint32_t i = 0; i < s->nwaiting; i++)
		s->waiting[i].latest_s =
			fmax(s->waiting[i].latest_s, s->tried[i]);
	adopt_tried(s);
}

bool libra_plans_make_way(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);

	libra_plans_refresh(e);
	if (!is_short(s))
		return true;
	if (!s->rules.replan || !try_all(e, false))
		return false;
	adopt_tried(s);
	return true;
}

/* ---- forward ---- */

/* Give a plan its earliest start, if that is earlier. */
static void pull(struct libra_engine *e, struct libra_plan *plan)
{
	struct libra_promise_state *s = libra_promise_state(e);
	uint32_t spans;
	double start_s;

	give(e, plan);
	start_s = find(e, ADOPTED, plan, 0, plan->start_s, &spans);
	if (start_s < plan->start_s) {
		libra_spans_free(s->rooms, &plan->spans);
		plan->spans = spans;
		plan->start_s = start_s;
	} else {
		libra_spans_free(s->rooms, &spans);
	}
	take(e, plan);
}

/* Would everybody keep a promise with all planned anew?  Then so it is. */
static bool redeem(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);
	bool all;

	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->waiting[i].late)
			s->waiting[i].latest_s = s->waiting[i].promised_s;
	sort(s, before);
	all = try_all(e, false);
	for (uint32_t i = 0; i < s->nwaiting && !all; i++)
		if (s->waiting[i].late)
			s->waiting[i].latest_s = s->waiting[i].start_s;
	if (all)
		adopt_tried(s);
	sort(s, before);
	return all;
}

/* Those whose promise does not hold come forward; perhaps it does again. */
static void pull_late(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);

	if (redeem(e))
		return;
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		struct libra_plan *plan = &s->waiting[i];

		if (!plan->late)
			continue;
		pull(e, plan);
		plan->latest_s = plan->start_s;
		judge(s, plan);
	}
	sort(s, before);
}

/* In order of their latest starts, each as early as can be. */
static void pull_all(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);

	for (uint32_t i = 0; i < s->nwaiting; i++)
		pull(e, &s->waiting[i]);
}

/* ---- time ---- */

void libra_plans_expect(struct libra_engine *e, uint32_t slot, double end_s)
{
	struct libra_promise_state *s = libra_promise_state(e);
	struct libra_profile *p = profile_now(e);
	double was_s = e->slots[slot].end_s;
	uint32_t n = libra_pool_open_procs(e, slot);

	libra_pool_expect(e, slot, end_s);
	s->raised |= end_s < was_s;
	if (!p)
		return;
	libra_profile_add(p, e->now_s, was_s, n);
	libra_profile_add(p, e->now_s, end_s, -(int64_t)n);
}

/* Who should have ended needs longer.  Result: whether anybody did. */
static bool extend_overruns(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);
	const struct libra_runlist *running = &s->space.running;
	uint32_t most = running->n;
	bool any = false;

	while (most-- > 0 && running->jobs[0].end_s <= e->now_s) {
		uint32_t slot = running->jobs[0].slot;
		double executed_s = e->now_s - e->slots[slot].start_s;
		double more_s = fmax(s->rules.overrun.floor_s,
				     s->rules.overrun.part * executed_s);

		libra_plans_expect(e, slot, e->now_s + more_s);
		any = true;
	}
	return any;
}

/* The profile anew.  Result: whether all that wait have a start. */
static bool renew(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);
	bool all = true;

	lay_all(e);
	s->stale = false;
	s->raised = true;
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		all &= s->waiting[i].start_s < INFINITY;
		judge(s, &s->waiting[i]);
	}
	sort(s, before);
	return all;
}

/* Is what was drawn still right? */
static bool is_fresh(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);

	if (!s->rooms)
		return profile_now(e) != NULL;
	if (s->stale)
		return false;
	libra_plans_refresh(e);
	libra_profile_advance(&s->space.profile, e->now_s);
	return true;
}

void libra_plans_catch_up(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);
	bool lowered = extend_overruns(e) || s->stale;
	bool all = is_fresh(e) || renew(e);

	if (!all || (lowered && is_short(s)))
		repair(e);
	if (s->raised && s->nlate > 0)
		pull_late(e);
	if (s->raised && s->rules.pull)
		pull_all(e);
	s->raised = false;
}

/* ---- jobs come and go ---- */

struct libra_plan libra_plan_of(const struct libra_engine *e,
				const struct libra_job *job, uint32_t slot,
				uint64_t order)
{
	double margin_s = libra_promise_state(e)->rules.margin_s;
	struct libra_plan plan = {
		.start_s = INFINITY,
		.duration_s = job->estimate_s + margin_s,
		.order = order,
		.nprocs = job->nprocs,
		.slot = slot,
		.shape = slot < e->nslots ? slot : e->nslots,
		.spans = LIBRA_NO_SPAN,
	};

	plan.latest_s = job->deadline_s - plan.duration_s;
	plan.promised_s = job->deadline_s - job->estimate_s;
	/* It could not keep its deadline: a start is promised, at once. */
	if (plan.latest_s < e->now_s)
		plan.latest_s = e->now_s;
	if (!libra_in_time(e->now_s + job->estimate_s, job->deadline_s))
		plan.promised_s = INFINITY;
	return plan;
}

/* The first hole by its latest start, with processors held back if it can. */
static void find_hole(struct libra_engine *e, struct libra_plan *plan,
		      double latest_s)
{
	uint32_t held_back = libra_promise_state(e)->rules.held_back;

	libra_plans_refresh(e);
	plan->start_s =
		find(e, ADOPTED, plan, held_back, latest_s, &plan->spans);
	if (plan->start_s == INFINITY && held_back > 0)
		plan->start_s =
			find(e, ADOPTED, plan, 0, latest_s, &plan->spans);
}

double libra_plans_earliest(struct libra_engine *e,
			    const struct libra_plan *plan, double latest_s)
{
	uint32_t spans;
	double start_s;

	libra_plans_refresh(e);
	start_s = find(e, ADOPTED, plan, 0, latest_s, &spans);
	libra_spans_free(libra_promise_state(e)->rooms, &spans);
	return start_s;
}

double libra_plans_soonest(struct libra_engine *e,
			   const struct libra_plan *plan)
{
	struct libra_promise_state *s = libra_promise_state(e);
	uint32_t spans;
	double start_s;

	libra_plans_clear_tried(s);
	lay_running(e, TRIED);
	start_s = find(e, TRIED, plan, 0, INFINITY, &spans);
	libra_spans_free(s->rooms, &spans);
	return start_s;
}

static bool admit_anew(struct libra_engine *e, struct libra_plan *plan,
		       bool adopt)
{
	struct libra_promise_state *s = libra_promise_state(e);
	uint32_t place = insert(s, plan);
	bool good = try_all(e, false);

	plan->start_s = s->tried[place];
	if (good && adopt)
		adopt_tried(s);
	else
		extract(s, place);
	return good;
}

static bool admit(struct libra_engine *e, struct libra_plan *plan, bool adopt)
{
	struct libra_promise_state *s = libra_promise_state(e);

	find_hole(e, plan, bound_s(e, plan, false));
	if (plan->start_s == INFINITY)
		return s->rules.replan && admit_anew(e, plan, adopt);
	if (adopt) {
		insert(s, plan);
		take(e, plan);
	} else {
		libra_plans_forget(e, plan);
	}
	return true;
}

bool libra_plans_admit(struct libra_engine *e, struct libra_plan *plan,
		       bool adopt)
{
	struct libra_promise_state *s = libra_promise_state(e);

	if (!admit(e, plan, adopt))
		return false;
	if ((s->rules.hard || plan->firm) && adopt) {
		uint32_t place = libra_plans_find(s, plan->slot);

		plan->latest_s = s->waiting[place].latest_s = plan->start_s;
		sort(s, before);
	}
	return true;
}

void libra_plans_release(struct libra_engine *e, uint32_t slot)
{
	struct libra_promise_state *s = libra_promise_state(e);
	double end_s = e->slots[slot].end_s;
	struct libra_profile *p;

	if (s->space.nclosed > 0)
		s->stale = true;
	p = profile_now(e);
	if (p)
		libra_profile_add(p, e->now_s, end_s,
				  e->slots[slot].job.nprocs);
	s->raised |= end_s > e->now_s;
	libra_pool_release(e, slot);
	if (s->rooms)
		libra_spans_free(s->rooms, &s->rooms->held[slot]);
}

void libra_plans_begin(struct libra_engine *e, uint32_t slot)
{
	struct libra_promise_state *s = libra_promise_state(e);
	const struct libra_job *job = &e->slots[slot].job;
	double end_s = e->now_s + job->estimate_s + s->rules.margin_s;
	struct libra_profile *p = profile_now(e);

	if (s->rooms) {
		libra_spans_take(e, slot, s->rooms->held[slot]);
		libra_pool_run(e, slot, end_s);
	} else {
		libra_pool_begin(e, slot, end_s);
	}
	if (p)
		libra_profile_add(p, e->now_s, end_s, -(int64_t)job->nprocs);
}

void libra_plans_start(struct libra_engine *e, uint32_t place)
{
	struct libra_promise_state *s = libra_promise_state(e);
	struct libra_plan plan = libra_plans_remove(e, place);

	if (s->rooms)
		s->rooms->held[plan.slot] = plan.spans;
	libra_plans_begin(e, plan.slot);
}

bool libra_plans_are_free(const struct libra_engine *e,
			  const struct libra_plan *plan)
{
	const struct libra_promise_state *s = libra_promise_state(e);

	return plan->nprocs <= s->space.free &&
	       (!s->rooms || libra_spans_are_free(e, plan->spans));
}
