/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - the profile, and a start in it for each job that waits. */
#include "core/promise/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/space/pool.h"

#define FIRST_PLANS 64

int libra_plans_reserve(struct libra_promise_state *s, uint32_t n)
{
	/* Two steps for each job, two while one is tried, now and the end. */
	uint32_t nsteps = 2 * n + 6, cap;
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

void libra_plans_fini(struct libra_promise_state *s)
{
	libra_profile_fini(&s->trial);
	free(s->waiting);
	free(s->tried);
}

/* ---- the profile ---- */

static void take(struct libra_profile *p, const struct libra_plan *plan,
		 double start_s)
{
	if (start_s < INFINITY)
		libra_profile_add(p, start_s, start_s + plan->duration_s,
				  -(int64_t)plan->nprocs);
}

static void give(struct libra_profile *p, const struct libra_plan *plan)
{
	if (plan->start_s < INFINITY)
		libra_profile_add(p, plan->start_s,
				  plan->start_s + plan->duration_s,
				  plan->nprocs);
}

/* The jobs that run, alone. */
static void lay_running(const struct libra_engine *e, struct libra_profile *p)
{
	const struct libra_promise_state *s = libra_promise_state(e);
	const struct libra_runlist *running = &s->space.running;

	libra_profile_reset(p, e->now_s, s->space.free);
	for (uint32_t i = 0; i < running->n; i++)
		libra_profile_add(
			p, running->jobs[i].end_s, INFINITY,
			libra_pool_open_procs(e, running->jobs[i].slot));
}

static void lay_all(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);

	lay_running(e, &s->space.profile);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		take(&s->space.profile, &s->waiting[i], s->waiting[i].start_s);
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

uint32_t libra_plans_find(const struct libra_promise_state *s, uint32_t slot)
{
	uint32_t i = 0;

	while (i < s->nwaiting && s->waiting[i].slot != slot)
		i++;
	return i;
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

	if (s->stale)
		return NULL;
	libra_profile_advance(&s->space.profile, e->now_s);
	return &s->space.profile;
}

void libra_plans_keep(struct libra_engine *e, const struct libra_plan *plan)
{
	struct libra_profile *p = profile_now(e);

	insert(libra_promise_state(e), plan);
	if (p)
		take(p, plan, plan->start_s);
}

void libra_plans_drop(struct libra_engine *e, uint32_t place)
{
	struct libra_promise_state *s = libra_promise_state(e);
	struct libra_profile *p = profile_now(e);

	if (p)
		give(p, &s->waiting[place]);
	s->raised = true;
	extract(s, place);
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

/* Each at its earliest hole among the running jobs, in order: tried; those
 * without one have INFINITY.
 * Result: whether all have one.
 */
static bool try_all(struct libra_engine *e, bool after_loss)
{
	struct libra_promise_state *s = libra_promise_state(e);
	bool all = true;

	lay_running(e, &s->trial);
	for (uint32_t i = 0; i < s->nwaiting && (all || after_loss); i++) {
		const struct libra_plan *plan = &s->waiting[i];

		s->tried[i] = libra_profile_find_by(
			&s->trial, plan->nprocs, plan->duration_s,
			bound_s(e, plan, after_loss));
		take(&s->trial, plan, s->tried[i]);
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

/* The tried starts become the plan, the trial the profile. */
static void adopt_tried(struct libra_promise_state *s)
{
	struct libra_profile was = s->space.profile;

	s->space.profile = s->trial;
	s->trial = was;
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		s->waiting[i].start_s = s->tried[i];
		judge(s, &s->waiting[i]);
	}
	sort(s, before);
}

/* Those that found no place get the earliest one behind the others. */
static void try_rest(struct libra_promise_state *s)
{
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		const struct libra_plan *plan = &s->waiting[i];

		if (s->tried[i] < INFINITY)
			continue;
		s->tried[i] = libra_profile_find(&s->trial, plan->nprocs,
						 plan->duration_s);
		take(&s->trial, plan, s->tried[i]);
	}
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
			try_rest(s);
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

	if (libra_profile_least(&s->space.profile) >= 0)
		return true;
	if (!s->rules.replan || !try_all(e, false))
		return false;
	adopt_tried(s);
	return true;
}

/* ---- forward ---- */

/* Give a plan its earliest start, if that is earlier. */
static void pull(struct libra_promise_state *s, struct libra_plan *plan)
{
	double start_s;

	give(&s->space.profile, plan);
	start_s = libra_profile_find_by(&s->space.profile, plan->nprocs,
					plan->duration_s, plan->start_s);
	plan->start_s = fmin(plan->start_s, start_s);
	take(&s->space.profile, plan, plan->start_s);
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
		pull(s, plan);
		plan->latest_s = plan->start_s;
		judge(s, plan);
	}
	sort(s, before);
}

/* In order of their latest starts, each as early as can be. */
static void pull_all(struct libra_promise_state *s)
{
	for (uint32_t i = 0; i < s->nwaiting; i++)
		pull(s, &s->waiting[i]);
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

void libra_plans_catch_up(struct libra_engine *e)
{
	struct libra_promise_state *s = libra_promise_state(e);
	bool lowered = extend_overruns(e) || s->stale;
	bool all = profile_now(e) || renew(e);

	if (!all || (lowered && libra_profile_least(&s->space.profile) < 0))
		repair(e);
	if (s->raised && s->nlate > 0)
		pull_late(e);
	if (s->raised && s->rules.pull)
		pull_all(s);
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
static double find_hole(const struct libra_promise_state *s,
			const struct libra_plan *plan, double latest_s)
{
	double start_s = libra_profile_find_by(
		&s->space.profile, plan->nprocs + s->rules.held_back,
		plan->duration_s, latest_s);

	if (start_s == INFINITY && s->rules.held_back > 0)
		start_s = libra_profile_find_by(&s->space.profile, plan->nprocs,
						plan->duration_s, latest_s);
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

	plan->start_s = find_hole(s, plan, bound_s(e, plan, false));
	if (plan->start_s == INFINITY)
		return s->rules.replan && admit_anew(e, plan, adopt);
	if (!adopt)
		return true;
	insert(s, plan);
	take(&s->space.profile, plan, plan->start_s);
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
}

void libra_plans_begin(struct libra_engine *e, uint32_t slot)
{
	struct libra_promise_state *s = libra_promise_state(e);
	const struct libra_job *job = &e->slots[slot].job;
	double end_s = e->now_s + job->estimate_s + s->rules.margin_s;
	struct libra_profile *p = profile_now(e);

	libra_pool_begin(e, slot, end_s);
	if (p)
		libra_profile_add(p, e->now_s, end_s, -(int64_t)job->nprocs);
}
