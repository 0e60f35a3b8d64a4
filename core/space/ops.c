/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ops.c - queues for space-shared processors, and backfilling. */
#include "core/space/ops.h"

#include <math.h>
#include <string.h>

#include "core/space/plan.h"

/* What an end may exceed a deadline by, and still be in time. */
#define DEADLINE_TOLERANCE_S 1e-6

static int space_init(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);

	s->free = e->nprocs;
	return libra_procmap_init(&s->map, e->nprocs, LIBRA_PROCS_FREE);
}

static void space_fini(struct libra_engine *e)
{
	struct libra_space_state *s = libra_space_state(e);

	libra_procmap_fini(&s->map);
	libra_queue_fini(&s->queue);
	libra_runlist_fini(&s->running);
	libra_profile_fini(&s->profile);
}

static bool is_planned(const struct libra_engine *e)
{
	const struct libra_space_traits *traits = e->policy->traits;

	return traits->backfill == LIBRA_BACKFILL_CONSERVATIVE;
}

/* Room for all that the live jobs may come to need: a start splits one run of
 * processors at the most, and each closed node may come to split one more when
 * a job that spans it ends.
 */
static int space_offer(struct libra_engine *e, uint32_t slot,
		       struct libra_verdict *verdict)
{
	const struct libra_space_traits *traits = e->policy->traits;
	struct libra_space_state *s = libra_space_state(e);

	if (libra_queue_reserve(&s->queue, e->live) < 0 ||
	    libra_runlist_reserve(&s->running, e->live) < 0 ||
	    libra_procmap_reserve(&s->map, e->live + s->nclosed) < 0 ||
	    (is_planned(e) && libra_plan_reserve(e) < 0))
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
	/* Scanning only the youngest needs them at the end of the queue. */
	if (entry->order <= s->scanned_serial ||
	    traits->order != LIBRA_ORDER_SUBMIT)
		s->forecast_holds = false;
}

void libra_space_start(struct libra_engine *e, uint32_t place)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t slot = s->queue.slot[place];
	struct libra_slot *entry = &e->slots[slot];

	libra_queue_remove(&s->queue, place);
	libra_procmap_take(&s->map, LIBRA_PROCS_FREE, entry->job.nprocs,
			   LIBRA_PROCS_JOB + slot);
	s->free -= entry->job.nprocs;
	entry->start_s = e->now_s;
	entry->state = LIBRA_SLOT_STARTING;
	entry->nprocs_held = entry->job.nprocs;
	libra_runlist_add(&s->running, e->now_s + entry->job.estimate_s,
			  entry->job.nprocs, slot);
	libra_engine_act(e, LIBRA_ACTION_START, slot, LIBRA_REASON_NONE);
}

static void refuse(struct libra_engine *e, uint32_t place)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t slot = s->queue.slot[place];

	libra_queue_remove(&s->queue, place);
	libra_engine_act(e, LIBRA_ACTION_REJECT, slot, LIBRA_REASON_WOULD_MISS);
	libra_engine_free_slot(e, slot);
}

/* Start the job at a place, or refuse it if it would end too late.
 * Result: whether it was started.
 */
static bool start_or_refuse(struct libra_engine *e, uint32_t place)
{
	const struct libra_space_traits *traits = e->policy->traits;
	struct libra_space_state *s = libra_space_state(e);
	const struct libra_job *job = &e->slots[s->queue.slot[place]].job;
	double end_s = e->now_s + job->estimate_s;

	if (traits->admission_param >= 0 &&
	    libra_engine_param(e, (size_t)traits->admission_param) != 0 &&
	    end_s > job->deadline_s + DEADLINE_TOLERANCE_S) {
		refuse(e, place);
		return false;
	}
	libra_space_start(e, place);
	return true;
}

/* When will the head's processors be free, and how many more then?  Running
 * jobs end by their estimates; one that has overrun it ends now.
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
	/* Processors of closed nodes do not come back: then nothing waits. */
	if (free < need)
		s->shadow_s = INFINITY;
	s->extra = free < need ? 0 : free - need;
	s->forecast_serial = s->queue.serial[s->queue.head];
	s->forecast_holds = true;
}

/* Where to begin the scan: if nothing ended since the last pass, jobs that were
 * looked at then cannot start now, for free processors and extra have not
 * grown and the shadow time is nearer.
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

static void backfill(struct libra_engine *e, enum libra_backfill kind)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_queue *q = &s->queue;
	uint32_t place = scan_begin(e);

	for (place = libra_queue_next(q, place, s->free); place < q->end;
	     place = libra_queue_next(q, place + 1, s->free)) {
		bool in_time = e->now_s + q->estimate_s[place] <= s->shadow_s;
		uint32_t nprocs = q->nprocs[place];

		if (!in_time &&
		    (kind == LIBRA_BACKFILL_STRICT || nprocs > s->extra))
			continue;
		if (start_or_refuse(e, place) && !in_time)
			s->extra -= nprocs;
	}
	s->scanned_serial = e->order;
}

static void space_schedule(struct libra_engine *e)
{
	const struct libra_space_traits *traits = e->policy->traits;
	struct libra_space_state *s = libra_space_state(e);
	struct libra_queue *q = &s->queue;

	if (is_planned(e)) {
		libra_plan_schedule(e);
		return;
	}
	while (q->live > 0 && q->nprocs[q->head] <= s->free)
		start_or_refuse(e, q->head);
	if (q->live >= 2 && s->free > 0 &&
	    traits->backfill != LIBRA_BACKFILL_NONE)
		backfill(e, traits->backfill);
}

/* Free processors of closed nodes take no jobs. */
static void close_free(struct libra_space_state *s,
		       const struct libra_node *node, uint32_t from,
		       uint32_t to)
{
	struct libra_procmap *map = &s->map;
	uint32_t end = node->first + node->count;

	for (uint32_t i = 0; i < map->nruns && map->first[i] < end; i++) {
		uint32_t a = map->first[i], b = map->first[i + 1];

		a = a < node->first ? node->first : a;
		b = b > end ? end : b;
		if (map->label[i] != from || a >= b)
			continue;
		libra_procmap_set(map, a, b - a, to);
		if (to == LIBRA_PROCS_CLOSED)
			s->free -= b - a;
		else
			s->free += b - a;
		i = i > 2 ? i - 2 : UINT32_MAX; /* the runs have moved */
	}
}

static int space_node(struct libra_engine *e, const struct libra_node *node,
		      bool closed)
{
	struct libra_space_state *s = libra_space_state(e);

	if (libra_procmap_reserve(&s->map, node->count + e->live + s->nclosed) <
	    0)
		return -1;
	s->forecast_holds = false;
	s->replan = true;
	s->nclosed += closed ? 1 : UINT32_MAX;
	close_free(s, node, closed ? LIBRA_PROCS_FREE : LIBRA_PROCS_CLOSED,
		   closed ? LIBRA_PROCS_CLOSED : LIBRA_PROCS_FREE);
	return 0;
}

/* A job's processors are free again. */
static void give_back(struct libra_engine *e, uint32_t slot)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_slot *entry = &e->slots[slot];
	double end_s = entry->start_s + entry->job.estimate_s;

	libra_runlist_remove(&s->running, end_s, entry->job.nprocs, slot);
	if (is_planned(e))
		libra_plan_give_back(e, e->now_s, end_s, entry->job.nprocs);
	libra_procmap_merge(&s->map, LIBRA_PROCS_JOB + slot, LIBRA_PROCS_FREE);
	s->free += entry->job.nprocs;
	s->forecast_holds = false;
	for (uint32_t i = 0; i < e->nnodes && s->nclosed > 0; i++)
		if (e->nodes[i].state != LIBRA_NODE_UP)
			close_free(s, &e->nodes[i], LIBRA_PROCS_FREE,
				   LIBRA_PROCS_CLOSED);
}

static void space_withdraw(struct libra_engine *e, uint32_t slot)
{
	struct libra_space_state *s = libra_space_state(e);
	uint32_t place;

	if (e->slots[slot].state == LIBRA_SLOT_STARTING)
		give_back(e, slot);
	if (e->slots[slot].state != LIBRA_SLOT_QUEUED)
		return;
	place = libra_queue_find(&s->queue, slot);
	if (is_planned(e))
		libra_plan_withdraw(e, place);
	libra_queue_remove(&s->queue, place);
	s->forecast_holds = false;
}

/* A start later than decided ends later, too. */
static void space_started(struct libra_engine *e, uint32_t slot)
{
	struct libra_space_state *s = libra_space_state(e);
	struct libra_slot *entry = &e->slots[slot];

	if (entry->start_s == e->now_s)
		return;
	libra_runlist_remove(&s->running,
			     entry->start_s + entry->job.estimate_s,
			     entry->job.nprocs, slot);
	libra_runlist_add(&s->running, e->now_s + entry->job.estimate_s,
			  entry->job.nprocs, slot);
	s->forecast_holds = false;
	s->replan = true;
}

/* A job that runs leaves when its estimate says. */
static void space_all_left(struct libra_engine *e, double *left_s)
{
	for (uint32_t i = 0; i < e->nslots; i++) {
		const struct libra_slot *entry = &e->slots[i];

		if (entry->state == LIBRA_SLOT_RUNNING)
			left_s[i] = entry->start_s + entry->job.estimate_s -
				    e->now_s;
	}
}

static int space_reestimate(struct libra_engine *e, uint32_t slot,
			    double estimate_s)
{
	struct libra_space_state *s = libra_space_state(e);
	const struct libra_slot *entry = &e->slots[slot];

	libra_runlist_remove(&s->running,
			     entry->start_s + entry->job.estimate_s,
			     entry->job.nprocs, slot);
	libra_runlist_add(&s->running, entry->start_s + estimate_s,
			  entry->job.nprocs, slot);
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

static const struct libra_procmap *space_map(const struct libra_engine *e)
{
	return &libra_space_state(e)->map;
}

static bool space_holds(const struct libra_engine *e, uint32_t label,
			uint32_t slot)
{
	return label == LIBRA_PROCS_JOB + slot;
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
	.departed = give_back,
	.left_s = space_left_s,
	.schedule = space_schedule,
	.node = space_node,
	.earliest_deadline = space_earliest_deadline,
	.free_procs = space_free_procs,
	.map = space_map,
	.holds = space_holds,
};
