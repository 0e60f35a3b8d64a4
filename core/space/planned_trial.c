/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planned_trial.c - find the earliest deadline of a job, and test whether
 * several equal jobs would all be accepted.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula/bisect.h"
#include "core/space/planned_ops.h"
#include "core/space/replan.h"
#include "core/space/admit.h"
#include "core/space/assign.h"
#include "core/space/nodes.h"
#include "core/space/planned_memory.h"

/* ---- earliest deadline ---- */

struct trial {
	struct libra_engine *e;
	struct libra_job job;
};

static bool would_promise(void *context, double deadline_s)
{
	struct trial *trial = context;

	trial->job.deadline_s = deadline_s;
	return !libra_search_is_spent(trial->e) &&
	       libra_planned_refusal(trial->e, &trial->job) ==
		       LIBRA_REASON_NONE;
}

static bool would_reserve(void *context, double deadline_s)
{
	struct trial *trial = context;

	trial->job.deadline_s = deadline_s;
	return libra_planned_traits(trial->e)->refusal(trial->e, &trial->job) ==
	       LIBRA_REASON_NONE;
}

/* Return a deadline behind all promises, so far away that the reserve sees an
 * empty machine.
 */
static double surely_accepted(const struct libra_engine *e, double start_s,
			      double duration_s)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_runlist *running = &s->space.running;
	double after_s = fmax(start_s - e->now_s, 0), last_s = e->now_s;

	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->waiting[i].latest_s < INFINITY)
			last_s = fmax(last_s, s->waiting[i].latest_s +
						      s->waiting[i].duration_s);
	if (running->n > 0)
		last_s = fmax(last_s, running->jobs[running->n - 1].end_s);
	return e->now_s + 5 * (after_s + duration_s) +
	       200 * (last_s - e->now_s);
}

/* Return the deadline of the earliest fit in the current schedule, or an
 * earlier one that a replan allows, as far as the reserve permits.  It is
 * never an unguaranteed acceptance.
 */
static double earliest_deadline(struct libra_engine *e,
				const struct libra_job *job)
{
	struct trial trial = {e, *job};
	double low_s, high_s, start_s;
	struct libra_reservation plan;

	libra_reservations_catch_up(e);
	if (libra_planned_state(e)->nunplaced > 0)
		return NAN; /* unknown until the repair ends */
	libra_nodes_shape(e, e->nslots, job->where);
	plan = libra_reservation_of(e, job, e->nslots, 0);
	start_s = libra_reservations_earliest(e, &plan, INFINITY);
	if (start_s == INFINITY)
		return INFINITY;
	high_s = start_s + plan.duration_s;
	/* The job has that fit with any later deadline, so only the reserve is
	 * tested, which costs little.
	 */
	if (!would_reserve(&trial, high_s)) {
		low_s = high_s;
		high_s = surely_accepted(e, start_s, plan.duration_s);
		return would_reserve(&trial, high_s)
			       ? libra_narrow_deadline(e->now_s, low_s, high_s,
						       would_reserve, &trial)
			       : INFINITY;
	}
	if (!libra_planned_state(e)->rules.replan)
		return high_s;
	/* At best a replan puts the job before all waiting jobs. */
	low_s = libra_reservations_earliest_alone(e, &plan) + plan.duration_s;
	if (low_s >= high_s || would_promise(&trial, low_s))
		return fmin(low_s, high_s);
	return libra_narrow_deadline(e->now_s, low_s, high_s, would_promise,
				     &trial);
}

/* End the search: libra_engine_advise() may come next, which no decision log
 * has, and draws the schedule anew.
 */
double libra_planned_earliest_deadline(struct libra_engine *e,
				       const struct libra_job *job)
{
	double deadline_s = earliest_deadline(e, job);

	if (libra_nodes_are_named(libra_planned_state(e)))
		libra_nodes_end_search(e);
	return deadline_s;
}

/* ---- equal jobs ---- */

/* Copies of the state that a trial changes. */
struct saved {
	struct libra_reservation *waiting;
	struct libra_step *steps;
	void *learned;
	struct libra_planned_state state;
	/* By node; the lanes are rebuilt from them. */
	struct libra_span *spans;
	int64_t *amounts;
	uint32_t nspans, free_span;
};

static void *learned(struct libra_engine *e)
{
	return (char *)e->state + libra_planned_traits(e)->learned;
}

static void *copy(const void *from, size_t size)
{
	void *to = malloc(size + 1);

	return to ? memcpy(to, from, size) : NULL;
}

static size_t amounts_size(const struct libra_nodes *r)
{
	return (size_t)r->nspans * r->width * sizeof(*r->amounts);
}

static bool save_rooms(struct libra_planned_state *s, struct saved *saved)
{
	const struct libra_nodes *r = s->nodes;

	if (!libra_nodes_are_named(s))
		return true;
	libra_replan_clear(s);
	saved->spans = copy(r->spans, r->nspans * sizeof(*r->spans));
	saved->amounts = copy(r->amounts, amounts_size(r));
	saved->nspans = r->nspans;
	saved->free_span = r->free_span;
	return saved->spans && saved->amounts;
}

static void put_rooms_back(struct libra_planned_state *s,
			   const struct saved *saved)
{
	struct libra_nodes *r = s->nodes;

	if (!libra_nodes_are_named(s))
		return;
	r->nspans = saved->nspans;
	memcpy(r->spans, saved->spans, r->nspans * sizeof(*r->spans));
	memcpy(r->amounts, saved->amounts, amounts_size(r));
	r->free_span = saved->free_span;
	r->ntried = 0;
	r->must_rebuild = true;
}

static bool save(struct libra_engine *e, struct saved *saved)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_timeline *p = &s->space.timeline;

	if (!save_rooms(s, saved))
		return false;
	saved->state = *s;
	saved->waiting = copy(s->waiting, s->nwaiting * sizeof(*s->waiting));
	saved->steps = copy(p->steps, p->n * sizeof(*p->steps));
	saved->learned =
		copy(learned(e), libra_planned_traits(e)->learned_size);
	return saved->waiting && saved->steps && saved->learned;
}

/* The arrays may have moved in memory, but they are at least as large. */
static void put_back(struct libra_engine *e, const struct saved *saved)
{
	struct libra_planned_state *s = libra_planned_state(e);

	*s = saved->state;
	memcpy(s->waiting, saved->waiting, s->nwaiting * sizeof(*s->waiting));
	memcpy(s->space.timeline.steps, saved->steps,
	       s->space.timeline.n * sizeof(*saved->steps));
	memcpy(learned(e), saved->learned,
	       libra_planned_traits(e)->learned_size);
	put_rooms_back(s, saved);
}

static bool try_jobs(struct libra_engine *e, const struct libra_job *job,
		     uint32_t njobs)
{
	uint32_t n = 0;

	for (; n < njobs &&
	       libra_may_promise(e, job->estimate_s, job->deadline_s) &&
	       !libra_search_is_spent(e);
	     n++) {
		struct libra_reservation plan = libra_reservation_of(
			e, job, e->nslots + n, e->order + 1 + n);

		e->work += libra_planned_state(e)->nwaiting;
		if (libra_planned_traits(e)->refusal(e, job) !=
			    LIBRA_REASON_NONE ||
		    !libra_reservations_admit(e, &plan, true))
			break;
		libra_planned_traits(e)->decided(e, job);
	}
	return n == njobs;
}

/* Return at least as many jobs as try_jobs() tries before the search budget is
 * spent: each counts those that wait and those tried before it.
 */
static uint32_t most_tried(const struct libra_engine *e, uint32_t njobs)
{
	double left =
		e->work_end > e->work ? (double)(e->work_end - e->work) : 0;
	double waiting = libra_planned_state(e)->nwaiting;
	double most = 2 + sqrt(waiting * waiting + 2 * left) - waiting;

	return most < njobs ? (uint32_t)ceil(most) : njobs;
}

bool libra_planned_would_accept(struct libra_engine *e,
				const struct libra_job *job, uint32_t njobs)
{
	uint32_t most = most_tried(e, njobs);
	struct libra_reservation plan;
	struct saved saved = {0};
	bool accepted = false;

	if (libra_reservations_make_room(libra_planned_state(e),
					 (uint64_t)e->live + most) < 0 ||
	    libra_nodes_reserve(e, most, job->nprocs) < 0)
		return false;
	libra_reservations_catch_up(e);
	libra_nodes_shape(e, e->nslots, job->where);
	plan = libra_reservation_of(e, job, e->nslots, 0);
	libra_assign_ask(e, &plan);
	libra_reservations_refresh(e);
	if (save(e, &saved)) {
		accepted = try_jobs(e, job, njobs);
		put_back(e, &saved);
	}
	free(saved.waiting);
	free(saved.steps);
	free(saved.learned);
	free(saved.spans);
	free(saved.amounts);
	return accepted;
}

/* A window of time in which jobs fit side by side; the search goes from the
 * latest window to earlier ones.
 */
struct window {
	const struct libra_timeline *timeline;
	uint32_t below; /* number of steps that begin before its end */
	double end_s;
	int64_t free; /* least in the window, if is_open() */
};

/* Return true if the window has `wanted` processors free.  If not, the next
 * window ends where the last step with too few begins.  Each step is examined
 * once, however far the deadline is.
 */
static bool is_open(struct libra_engine *e, struct window *w, double start_s,
		    int64_t wanted)
{
	const struct libra_timeline *p = w->timeline;

	while (w->below > 0 && p->steps[w->below - 1].from_s >= w->end_s)
		w->below--;
	w->free = INT64_MAX;
	e->work++;
	for (uint32_t i = w->below; i-- > 0; e->work++) {
		if (p->steps[i].free < wanted) {
			w->end_s = p->steps[i].from_s;
			return false;
		}
		if (p->steps[i].free < w->free)
			w->free = p->steps[i].free;
		if (p->steps[i].from_s <= start_s)
			break;
	}
	return true;
}

/* Return the latest start of a job whose end, start + duration as a search
 * computes it, is not after end_s.
 */
static double latest_start(double end_s, double duration_s)
{
	double start_s = end_s - duration_s;

	return start_s + duration_s > end_s ? nextafter(start_s, -INFINITY)
					    : start_s;
}

/* The windows are so far apart that no job overlaps two.  A job fits no window
 * only if the jobs before it fill them all.
 */
bool libra_planned_surely_accepts(struct libra_engine *e,
				  const struct libra_job *job, uint32_t njobs)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	struct window w = {.timeline = &s->space.timeline};
	struct libra_reservation plan;
	double taken = 0, start_s;

	libra_reservations_catch_up(e);
	w.below = w.timeline->n;
	if (s->nodes || job->where ||
	    !libra_planned_traits(e)->surely_admits(e, job, njobs))
		return false;
	plan = libra_reservation_of(e, job, e->nslots, 0);
	w.end_s = plan.latest_s + plan.duration_s;
	while (taken < njobs &&
	       (start_s = latest_start(w.end_s, plan.duration_s)) >= e->now_s) {
		if (!is_open(e, &w, start_s, job->nprocs))
			continue;
		taken += floor((double)w.free / job->nprocs);
		w.end_s = latest_start(start_s, plan.duration_s);
	}
	return taken >= njobs;
}
