/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conservative.c - the reservations of conservative backfilling.
 *
 * The timeline lasts from pass to pass.  It holds running jobs until their
 * estimated ends and waiting jobs at their reservations (slot->start_s).  It
 * is read from now on, so a running job that exceeds its estimate counts as
 * ending now.  Before a start the free processors are tested.
 */
#include "core/space/conservative.h"

#include <math.h>

#include "core/space/pool.h"

int libra_conservative_reserve(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);

	if (s->timeline.n == 0)
		s->replan = true;
	/* Two steps for each job, one more while it is moved, and the end. */
	return libra_timeline_reserve(&s->timeline, 2 * e->live + 4);
}

void libra_conservative_release(struct libra_engine *e, double end_s,
				uint32_t nprocs)
{
	struct libra_space_state *s = libra_space_state(e);

	if (s->nclosed > 0)
		s->replan = true;
	if (end_s <= e->now_s)
		return;
	s->compress = true;
	if (!s->replan)
		libra_timeline_add(&s->timeline, e->now_s, end_s, nprocs);
}

static void reserve(struct libra_engine *e, uint32_t place)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_queue *q = &s->queue;
	double start_s = libra_timeline_find(&s->timeline, q->nprocs[place],
					     q->estimate_s[place]);

	e->slots[q->slot[place]].start_s = start_s;
	if (start_s < INFINITY)
		libra_timeline_add(&s->timeline, start_s,
				   start_s + q->estimate_s[place],
				   -(int64_t)q->nprocs[place]);
}

static void unreserve(struct libra_engine *e, uint32_t place)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_queue *q = &s->queue;
	double start_s = e->slots[q->slot[place]].start_s;

	if (start_s < INFINITY) /* false for NAN */
		libra_timeline_add(&s->timeline, start_s,
				   start_s + q->estimate_s[place],
				   q->nprocs[place]);
}

void libra_conservative_withdraw(struct libra_engine *e, uint32_t place)
{
	struct libra_space_state *s = libra_space_state(e);

	if (!s->replan)
		unreserve(e, place);
	s->compress = true;
}

static void forget_plan(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t all = s->free;

	for (uint32_t i = 0; i < s->running.n; i++)
		all += s->running.jobs[i].nprocs;
	libra_timeline_reset(&s->timeline, e->now_s, all);
	for (uint32_t i = 0; i < s->running.n; i++)
		libra_timeline_add(&s->timeline, e->now_s,
				   s->running.jobs[i].end_s,
				   -(int64_t)s->running.jobs[i].nprocs);
}

/* Return the next job in order of submission; a hole never fits. */
static uint32_t first_place(const struct libra_queue *q, uint32_t from)
{
	return libra_queue_next(q, from, LIBRA_QUEUE_HOLE - 1);
}

/* Reserve for the jobs that have no reservation, or for all jobs.
 * Result: true if a job that had a reservation got an earlier one.
 */
static bool plan_in_order(struct libra_engine *e, bool all)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_queue *q = &s->queue;
	bool moved = false;

	for (uint32_t i = first_place(q, q->head); i < q->end;
	     i = first_place(q, i + 1)) {
		const double *start_s = &e->slots[q->slot[i]].start_s;
		double promised_s = *start_s;

		if (!all && !isnan(promised_s))
			continue;
		if (!s->replan)
			unreserve(e, i);
		reserve(e, i);
		moved |= *start_s < promised_s; /* false for NAN */
	}
	return moved;
}

/* A job that moves earlier may leave a gap for a job before it: repeat, in
 * order, until no job moves.  Every reserved start is then the estimated end
 * of a job, so that no timer is needed.
 */
static void renew_plan(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);

	if (s->replan) {
		forget_plan(e);
		plan_in_order(e, true);
	} else {
		libra_timeline_advance(&s->timeline, e->now_s);
		while (plan_in_order(e, s->compress) && s->compress)
			;
	}
	s->replan = s->compress = s->arrived = false;
}

/* Start the jobs that are due, and store the next reserved start. */
static void start_due(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_queue *q = &s->queue;

	s->next_planned_s = INFINITY;
	for (uint32_t i = first_place(q, q->head); i < q->end;
	     i = first_place(q, i + 1)) {
		double start_s = e->slots[q->slot[i]].start_s;

		if (start_s <= e->now_s && q->nprocs[i] <= s->free)
			libra_pool_start(e, i);
		else if (start_s < s->next_planned_s)
			s->next_planned_s = start_s;
	}
}

void libra_conservative_schedule(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);

	if (s->queue.live == 0)
		return;
	if (s->next_planned_s < e->now_s)
		s->replan = true;
	if (s->replan || s->compress || s->arrived)
		renew_plan(e);
	start_due(e);
}
