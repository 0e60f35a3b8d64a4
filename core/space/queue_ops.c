/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_ops.c - the operations of queue policies. */
#include "core/space/queue_ops.h"

#include <math.h>

#include "core/space/easy.h"
#include "core/space/conservative.h"
#include "core/space/pool.h"

static int space_init(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);

	s->free = e->nprocs;
	return libra_procs_init(&s->procs, e->nprocs);
}

static void space_fini(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);

	libra_procs_fini(&s->procs);
	libra_queue_fini(&s->queue);
	libra_queue_fini(&s->shortest);
	libra_runlist_fini(&s->running);
	libra_timeline_fini(&s->timeline);
}

/* Reserve memory for all that the live jobs may need. */
static int space_offer(struct libra_engine *e, uint32_t slot,
		       struct libra_verdict *verdict)
{
	const struct libra_space_traits *traits = e->policy->traits;
	struct libra_space_state *s = libra_space_state(e);

	if (libra_queue_reserve(&s->queue, e->live) < 0 ||
	    (libra_space_is_shortest(e) &&
	     libra_queue_reserve(&s->shortest, e->live) < 0) ||
	    libra_runlist_reserve(&s->running, e->live) < 0 ||
	    libra_procs_reserve(&s->procs, e->nslots) < 0 ||
	    (libra_space_is_planned(e) && libra_conservative_reserve(e) < 0))
		return -1;
	verdict->answer = LIBRA_QUEUE;
	if (traits->refusal)
		verdict->reason = traits->refusal(e, &e->slots[slot].job);
	if (verdict->reason != LIBRA_REASON_NONE)
		verdict->answer = LIBRA_REJECT;
	return 0;
}

static void space_commit(struct libra_engine *e, uint32_t slot)
{
	const struct libra_space_traits *traits = e->policy->traits;
	struct libra_space_state *s = libra_space_state(e);
	struct libra_slot *entry = &e->slots[slot];
	double key = 0;

	if (traits->order == LIBRA_ORDER_DEADLINE)
		key = entry->job.deadline_s;
	else if (traits->order == LIBRA_ORDER_KEY)
		key = traits->key(e, &entry->job);
	entry->state = LIBRA_SLOT_QUEUED;
	entry->start_s = NAN;
	s->arrived = true;
	libra_queue_insert(&s->queue, slot, key, entry->order,
			   entry->job.nprocs, entry->job.estimate_s);
	if (libra_space_is_shortest(e))
		libra_queue_insert(&s->shortest, slot, entry->job.estimate_s,
				   entry->order, entry->job.nprocs,
				   entry->job.estimate_s);
	/* If only new jobs are scanned, they must be at the end of the queue.
	 */
	if (entry->order <= s->scanned_serial ||
	    traits->order != LIBRA_ORDER_SUBMIT)
		s->forecast_holds = false;
}

/* A job ends, or does not start after all. */
static void space_release(struct libra_engine *e, uint32_t slot)
{
	const struct libra_slot *entry = &e->slots[slot];

	if (libra_space_is_planned(e))
		libra_conservative_release(e, entry->end_s, entry->job.nprocs);
	libra_pool_release(e, slot);
}

static void space_withdraw(struct libra_engine *e, uint32_t slot)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t place;

	if (e->slots[slot].state == LIBRA_SLOT_STARTING)
		space_release(e, slot);
	if (e->slots[slot].state != LIBRA_SLOT_QUEUED)
		return;
	place = libra_queue_find(&s->queue, slot);
	if (libra_space_is_planned(e))
		libra_conservative_withdraw(e, place);
	libra_pool_unqueue(e, place);
	s->forecast_holds = false;
}

/* A start later than decided ends later, too. */
static void space_started(struct libra_engine *e, uint32_t slot)
{
	struct libra_space_state *s = libra_space_state(e);
	const struct libra_slot *entry = &e->slots[slot];

	if (entry->start_s == e->now_s)
		return;
	libra_pool_expect(e, slot, e->now_s + entry->job.estimate_s);
	s->forecast_holds = false;
	s->replan = true;
}

/* A running job is expected to end by its estimate. */
static void space_all_left(struct libra_engine *e, double *left_s)
{
	for (uint32_t i = 0; i < e->nslots; i++) {
		const struct libra_slot *entry = &e->slots[i];

		if (entry->state == LIBRA_SLOT_RUNNING)
			left_s[i] = entry->end_s - e->now_s;
	}
}

static int space_reestimate(struct libra_engine *e, uint32_t slot,
			    double estimate_s)
{
	struct libra_space_state *s = libra_space_state(e);

	libra_pool_expect(e, slot, e->slots[slot].start_s + estimate_s);
	s->forecast_holds = false;
	s->replan = true;
	return 0;
}

static double space_left_s(const struct libra_engine *e, uint32_t slot,
			   double now_s, double *rate)
{
	const struct libra_slot *entry = &e->slots[slot];

	*rate = entry->state == LIBRA_SLOT_RUNNING;
	return entry->job.estimate_s - (*rate > 0 ? now_s - entry->start_s : 0);
}

static void space_schedule(struct libra_engine *e)
{
	if (libra_space_is_planned(e))
		libra_conservative_schedule(e);
	else
		libra_backfill_schedule(e);
}

static double space_earliest_deadline(struct libra_engine *e,
				      const struct libra_job *job)
{
	const struct libra_space_traits *traits = e->policy->traits;

	if (traits->refusal && traits->refusal(e, job) != LIBRA_REASON_NONE)
		return INFINITY;
	return e->now_s + job->estimate_s;
}

static uint32_t space_free_procs(const struct libra_engine *e)
{
	return libra_space_state(e)->free;
}

static size_t space_placement(const struct libra_engine *e, uint32_t slot,
			      struct libra_range *ranges, size_t cap)
{
	return libra_procs_ranges(&libra_space_state(e)->procs, slot, ranges,
				  cap);
}

const struct libra_policy_ops libra_space_ops = {
	.init = space_init,
	.fini = space_fini,
	.offer = space_offer,
	.commit = space_commit,
	.withdraw = space_withdraw,
	.started = space_started,
	.all_left = space_all_left,
	.reestimate = space_reestimate,
	.departed = space_release,
	.left_s = space_left_s,
	.schedule = space_schedule,
	.node = libra_pool_node,
	.search.earliest_deadline = space_earliest_deadline,
	.rows.free_procs = space_free_procs,
	.rows.placement = space_placement,
};
