/* SPDX-License-Identifier: GPL-2.0-or-later */
/* easy.c - start the head of the queue, and jobs that may skip ahead of it. */
#include "core/space/easy.h"

#include <math.h>

#include "core/space/pool.h"

static void refuse(struct libra_engine *e, uint32_t place)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t slot = s->queue.slot[place];

	libra_pool_unqueue(e, place);
	libra_engine_act(e, LIBRA_ACTION_REJECT, slot, LIBRA_REASON_WOULD_MISS);
	libra_slot_free(e, slot);
}

/* Start the job at a place, or refuse it if it would end too late.
 * Result: true if it was started.
 */
static bool start_or_refuse(struct libra_engine *e, uint32_t place)
{
	const struct libra_space_traits *traits = e->policy->traits;
	struct libra_space_state *s = libra_space_state(e);
	const struct libra_job *job = &e->slots[s->queue.slot[place]].job;
	double end_s = e->now_s + job->estimate_s;

	if (traits->admission_param >= 0 &&
	    libra_engine_param(e, (size_t)traits->admission_param) != 0 &&
	    !libra_in_time(end_s, job->deadline_s)) {
		refuse(e, place);
		return false;
	}
	libra_pool_start(e, place);
	return true;
}

/* Forecast when the head's processors will be free, and how many more then.
 * Running jobs end by their estimates; a job that has exceeded its estimate
 * ends now.
 */
static void forecast(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t need = s->queue.nprocs[s->queue.head], free = s->free, i;

	s->shadow_s = INFINITY;
	for (i = 0; i < s->running.n && free < need; i++) {
		const struct libra_running *run = &s->running.jobs[i];

		free += run->nprocs;
		s->shadow_s = run->end_s > e->now_s ? run->end_s : e->now_s;
	}
	for (; i < s->running.n && s->running.jobs[i].end_s <= s->shadow_s; i++)
		free += s->running.jobs[i].nprocs;
	/* Processors of closed nodes do not become free: then every job may
	 * skip ahead.
	 */
	if (free < need)
		s->shadow_s = INFINITY;
	s->extra = free < need ? 0 : free - need;
	s->forecast_serial = s->queue.serial[s->queue.head];
	s->forecast_holds = true;
}

/* Return the place at which to begin the scan.  If nothing has ended since the
 * last pass, the jobs tested then cannot start now: free processors and extra
 * have not grown, and the shadow time is nearer.
 */
static uint32_t scan_begin(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t place = s->queue.end;

	if (!s->forecast_holds || e->now_s > s->shadow_s ||
	    s->forecast_serial != s->queue.serial[s->queue.head]) {
		forecast(e);
		return s->queue.head + 1;
	}
	while (place > s->queue.head + 1 &&
	       s->queue.serial[place - 1] > s->scanned_serial)
		place--;
	return place;
}

/* Start the jobs of a queue that can start, from a place on.  q is the queue
 * by submission or the one by estimates.
 */
static void scan(struct libra_engine *e, const struct libra_queue *q,
		 uint32_t place, enum libra_backfill kind)
{
	struct libra_space_state *s = libra_space_state(e);

	for (place = libra_queue_next(q, place, s->free); place < q->end;
	     place = libra_queue_next(q, place + 1, s->free)) {
		bool in_time = e->now_s + q->estimate_s[place] <= s->shadow_s;
		uint32_t nprocs = q->nprocs[place], at = place;

		if (!in_time &&
		    (kind == LIBRA_BACKFILL_STRICT || nprocs > s->extra))
			continue;
		if (q != &s->queue)
			at = libra_queue_place(&s->queue, 0, q->serial[place]);
		if (start_or_refuse(e, at) && !in_time)
			s->extra -= nprocs;
	}
}

/* In order of estimates test all jobs, unless only one can be new. */
static void backfill(struct libra_engine *e, enum libra_backfill kind)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t place = scan_begin(e);

	if (libra_space_is_shortest(e) && place + 1 < s->queue.end)
		scan(e, &s->shortest, s->shortest.head, kind);
	else
		scan(e, &s->queue, place, kind);
	s->scanned_serial = e->order;
}

void libra_backfill_schedule(struct libra_engine *e)
{
	const struct libra_space_traits *traits = e->policy->traits;
	struct libra_space_state *s = libra_space_state(e);
	struct libra_queue *q = &s->queue;

	while (q->live > 0 && q->nprocs[q->head] <= s->free)
		start_or_refuse(e, q->head);
	if (q->live >= 2 && s->free > 0 &&
	    traits->backfill != LIBRA_BACKFILL_NONE)
		backfill(e, traits->backfill);
}
