/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_ops.c - the engine's operations of policies that reserve processors:
 * offer, commit, start, change, end, restore, and queries.
 *
 * Verdicts are decided here.  admit.c finds starts, and ordinary.c starts jobs
 * without a promise.
 */
#include "core/space/planned_ops.h"

#include <errno.h>
#include <math.h>

#include "core/space/holds.h"
#include "core/space/ordinary.h"
#include "core/space/outages.h"
#include "core/space/admit.h"
#include "core/space/compress.h"
#include "core/space/nodes.h"
#include "core/space/reservations.h"
#include "core/space/pool.h"
#include "core/space/planned_memory.h"

static int planned_init(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	s->space.free = e->nprocs;
	s->must_repair = true;
	libra_planned_traits(e)->rules(e, &s->rules);
	if (libra_procs_init(&s->space.procs, e->nprocs) < 0 ||
	    libra_outages_init(e) < 0 || libra_nodes_init(e) < 0)
		return -1;
	return libra_reservations_make_room(s, 1);
}

static void planned_fini(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_procs_fini(&s->space.procs);
	libra_queue_fini(&s->space.queue);
	libra_runlist_fini(&s->space.running);
	libra_timeline_fini(&s->space.timeline);
	libra_hold_drop_all(s);
	libra_reservations_fini(s);
	libra_outages_fini(s);
}

/* Reserve memory for all that the live jobs may need; the job in slot is new.
 */
static int make_room(struct libra_engine *e, uint32_t slot)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_nodes_expect(e, slot);
	if (libra_queue_reserve(&s->space.queue, e->live) < 0 ||
	    libra_runlist_reserve(&s->space.running, e->live) < 0 ||
	    libra_procs_reserve(&s->space.procs, e->nslots) < 0 ||
	    libra_nodes_reserve(e, 1, UINT32_MAX) < 0 ||
	    libra_reservations_make_room(s, e->live + 1) < 0)
		return -1;
	return libra_reservations_make_index(s, e->nslots);
}

/* ---- offers ---- */

static enum libra_reason promise(struct libra_engine *e, uint32_t slot,
				 const struct libra_job *job)
{
	struct libra_reservation plan =
		libra_reservation_of(e, job, slot, e->slots[slot].order);
	enum libra_reason reason = libra_planned_admit(e, job, &plan, true);

	if (reason == LIBRA_REASON_NONE)
		e->slots[slot].start_s = plan.start_s;
	return reason;
}

/* The verdict on a job that was promised a start. */
static void accept_job(const struct libra_job *job, double start_s,
		       struct libra_verdict *verdict)
{
	verdict->answer = LIBRA_ACCEPT;
	verdict->share = 1;
	verdict->late_s =
		libra_late_s(start_s + job->estimate_s, job->deadline_s);
}

static int planned_offer(struct libra_engine *e, uint32_t slot,
			 struct libra_verdict *verdict)
{
	const struct libra_job *job = &e->slots[slot].job;

	if (make_room(e, slot) < 0)
		return -1;
	if (job->deadline_s == INFINITY) {
		libra_nodes_shape(e, slot, job->where);
		verdict->answer = LIBRA_QUEUE;
		return 0;
	}
	libra_reservations_catch_up(e);
	libra_nodes_shape(e, slot, job->where);
	verdict->reason = promise(e, slot, job);
	libra_planned_traits(e)->decided(e, job);
	if (verdict->reason == LIBRA_REASON_NONE)
		accept_job(job, e->slots[slot].start_s, verdict);
	return 0;
}

static int planned_plan_ordinary(struct libra_engine *e, uint32_t slot,
				 struct libra_verdict *verdict)
{
	const struct libra_slot *entry = &e->slots[slot];
	struct libra_reservation plan;

	if (make_room(e, slot) < 0)
		return -1;
	libra_reservations_catch_up(e);
	libra_nodes_shape(e, slot, entry->job.where);
	plan = libra_reservation_of(e, &entry->job, slot, entry->order);
	plan.firm = true;
	if (libra_reservations_admit(e, &plan, true))
		accept_job(&entry->job, plan.start_s, verdict);
	else
		verdict->reason = LIBRA_REASON_WOULD_MISS;
	return 0;
}

static bool waits_with_plan(const struct libra_engine *e, uint32_t slot,
			    uint32_t *place)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	*place = libra_reservations_find(s, slot);
	return *place < s->nwaiting;
}

static void planned_commit(struct libra_engine *e, uint32_t slot)
{
	uint32_t place;

	e->slots[slot].state = LIBRA_SLOT_QUEUED;
	if (!waits_with_plan(e, slot, &place))
		libra_ordinary_add(e, slot);
}

static void planned_withdraw(struct libra_engine *e, uint32_t slot)
{
	uint32_t place;

	if (e->slots[slot].state == LIBRA_SLOT_STARTING)
		libra_reservations_release(e, slot);
	else if (waits_with_plan(e, slot, &place))
		libra_reservations_cancel(e, place);
	else if (e->slots[slot].state == LIBRA_SLOT_QUEUED)
		libra_ordinary_drop(e, slot);
}

/* ---- jobs that run ---- */

static bool is_on_processors(const struct libra_slot *entry)
{
	return entry->state == LIBRA_SLOT_STARTING ||
	       entry->state == LIBRA_SLOT_RUNNING;
}

/* A start later than decided uses up the margin.  If the job would end later
 * still, the reservations must be tested again.
 */
static void planned_started(struct libra_engine *e, uint32_t slot)
{
	double end_s = e->now_s + e->slots[slot].job.estimate_s;

	if (end_s > e->slots[slot].end_s)
		libra_reservations_expect(e, slot, end_s);
}

static double end_with(const struct libra_engine *e, uint32_t slot,
		       double estimate_s)
{
	return e->slots[slot].start_s + estimate_s +
	       libra_planned_state(e)->rules.margin_s;
}

static void planned_suspend(struct libra_engine *e, uint32_t slot,
			    bool suspended)
{
	double end_s = end_with(e, slot, e->slots[slot].job.estimate_s);

	if (!suspended && end_s > e->now_s)
		libra_reservations_expect(e, slot, end_s);
}

/* The host reports a suspended job in each call, and a later end makes all
 * reservations be tested again.  So the end moves by a hundredth of the
 * estimate at the least, and exactly when the job is resumed.
 */
static void planned_progress(struct libra_engine *e, uint32_t slot,
			     double executed_s)
{
	struct libra_slot *entry = &e->slots[slot];
	double estimate_s = entry->job.estimate_s, end_s;

	entry->start_s = e->now_s - executed_s;
	end_s = end_with(e, slot, estimate_s);
	if (end_s - entry->end_s > estimate_s / 100)
		libra_reservations_expect(e, slot, end_s);
}

static int planned_reestimate(struct libra_engine *e, uint32_t slot,
			      double estimate_s)
{
	libra_reservations_set_end(e, slot, end_with(e, slot, estimate_s));
	/* The reservations may overlap it now: test them again. */
	libra_planned_state(e)->must_repair = true;
	return 0;
}

static void planned_departed(struct libra_engine *e, uint32_t slot)
{
	const struct libra_slot *entry = &e->slots[slot];

	libra_planned_traits(e)->ended(e, &entry->job,
				       e->now_s - entry->start_s);
	libra_reservations_release(e, slot);
}

static double planned_left_s(const struct libra_engine *e, uint32_t slot,
			     double now_s, double *rate)
{
	const struct libra_slot *entry = &e->slots[slot];

	*rate = entry->state == LIBRA_SLOT_RUNNING;
	return entry->job.estimate_s - (*rate > 0 ? now_s - entry->start_s : 0);
}

static void planned_all_left(struct libra_engine *e, double *left_s)
{
	double rate;

	for (uint32_t i = 0; i < e->nslots; i++)
		if (e->slots[i].state == LIBRA_SLOT_RUNNING)
			left_s[i] = planned_left_s(e, i, e->now_s, &rate);
}

/* ---- restore ---- */

/* The slowest part decides how long the job still runs. */
static int planned_restore(struct libra_engine *e, uint32_t slot,
			   const struct libra_part *parts, uint32_t nparts,
			   bool running)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_slot *entry = &e->slots[slot];
	double left_s = -INFINITY;

	if (make_room(e, slot) < 0)
		return -1;
	if (libra_pool_is_taken(e, parts, nparts)) {
		errno = EBUSY;
		return -1;
	}
	for (uint32_t i = 0; i < nparts; i++)
		left_s = fmax(left_s, parts[i].est_left_s);
	entry->start_s = e->now_s + left_s - entry->job.estimate_s;
	libra_nodes_shape(e, slot, entry->job.where);
	if (s->nodes)
		s->nodes->held[slot] =
			libra_nodes_spans(e, slot, parts, nparts);
	libra_pool_enter(e, slot, parts, nparts,
			 end_with(e, slot, entry->job.estimate_s));
	s->must_repair = true;
	libra_hold_drop(s, entry->job.id);
	return 0;
}

static int planned_restore_waiting(struct libra_engine *e, uint32_t slot,
				   double start_s)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_slot *entry = &e->slots[slot];
	struct libra_reservation plan;

	if (make_room(e, slot) < 0)
		return -1;
	libra_nodes_shape(e, slot, entry->job.where);
	plan = libra_reservation_of(e, &entry->job, slot, entry->order);
	plan.firm = entry->job.deadline_s == INFINITY;
	if (libra_in_time(entry->job.submit_s + entry->job.estimate_s,
			  entry->job.deadline_s)) /* guaranteed */
		plan.promised_s = entry->job.deadline_s - entry->job.estimate_s;
	if (start_s < INFINITY) { /* false for NAN */
		plan.start_s = fmax(start_s, e->now_s);
		if (plan.firm || s->rules.hard || plan.latest_s < plan.start_s)
			plan.latest_s = plan.start_s;
	}
	libra_reservations_add(e, &plan);
	entry->state = LIBRA_SLOT_QUEUED;
	s->must_repair = true;
	return 0;
}

/* ---- changes ---- */

/* Change a job on its processors: the waiting jobs must fit around it. */
static bool change_running(struct libra_engine *e, uint32_t slot,
			   const struct libra_job *changed)
{
	double was_s = e->slots[slot].end_s;

	libra_reservations_set_end(e, slot,
				   end_with(e, slot, changed->estimate_s));
	if (libra_reservations_make_way(e))
		return true;
	libra_reservations_set_end(e, slot, was_s);
	return false;
}

static bool change_waiting(struct libra_engine *e, uint32_t place,
			   const struct libra_job *changed)
{
	struct libra_reservation was = libra_reservations_remove(e, place),
				 plan;

	plan = libra_reservation_of(e, changed, was.slot, was.order);
	plan.firm = changed->deadline_s == INFINITY;
	if (libra_reservations_admit(e, &plan, true)) {
		e->slots[was.slot].start_s = plan.start_s;
		libra_planned_state(e)->moves++;
		libra_reservations_discard(e, &was);
		return true;
	}
	libra_reservations_add(e, &was);
	return false;
}

/* Change the estimate of an ordinary job, or give it a promise. */
static void change_ordinary(struct libra_engine *e, uint32_t slot,
			    const struct libra_job *changed,
			    struct libra_verdict *verdict)
{
	struct libra_slot *entry = &e->slots[slot];
	bool queued = entry->state == LIBRA_SLOT_QUEUED;

	verdict->answer = LIBRA_QUEUE;
	if (changed->deadline_s < INFINITY) {
		verdict->answer = LIBRA_REJECT;
		verdict->reason = promise(e, slot, changed);
		if (verdict->reason != LIBRA_REASON_NONE)
			return;
		accept_job(changed, entry->start_s, verdict);
	}
	if (queued)
		libra_ordinary_drop(e, slot);
	entry->job.estimate_s = changed->estimate_s;
	if (queued && verdict->answer == LIBRA_QUEUE)
		libra_ordinary_add(e, slot);
}

static int planned_modify(struct libra_engine *e, uint32_t slot,
			  const struct libra_job *changed,
			  struct libra_verdict *verdict)
{
	const struct libra_slot *entry = &e->slots[slot];
	uint32_t place;
	double start_s;
	bool good, grew;

	libra_reservations_catch_up(e);
	grew = libra_planned_state(e)->capacity_grew;
	verdict->reason = LIBRA_REASON_WOULD_MISS;
	start_s = is_on_processors(entry) ? entry->start_s : e->now_s;
	if (!libra_may_promise(e, start_s + changed->estimate_s - e->now_s,
			       changed->deadline_s))
		return 0;
	if (is_on_processors(entry)) {
		good = change_running(e, slot, changed);
	} else if (waits_with_plan(e, slot, &place)) {
		good = change_waiting(e, place, changed);
	} else {
		verdict->reason = LIBRA_REASON_NONE;
		change_ordinary(e, slot, changed, verdict);
		return 0;
	}
	if (good) {
		verdict->reason = LIBRA_REASON_NONE;
		accept_job(changed, entry->start_s, verdict);
	} else {
		libra_planned_state(e)->capacity_grew = grew; /* undone */
	}
	return 0;
}

/* ---- time ---- */

/* A broken promise is reported before the start. */
static void tell_late(struct libra_engine *e, struct libra_reservation *plan)
{
	if (!plan->unreported)
		return;
	plan->unreported = false;
	libra_planned_state(e)->nunreported--;
	libra_engine_act(e, LIBRA_ACTION_LATE, plan->slot,
			 LIBRA_REASON_WOULD_MISS);
}

static void start_due(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->nwaiting; i++) {
		struct libra_reservation *plan = &s->waiting[i];
		uint32_t slot = plan->slot;

		if (plan->start_s > e->now_s ||
		    e->slots[slot].state != LIBRA_SLOT_QUEUED ||
		    !libra_reservations_can_start(e, plan))
			continue;
		tell_late(e, plan);
		libra_reservations_start(e, i--);
	}
}

static void planned_schedule(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool grew;

	libra_reservations_catch_up(e);
	grew = s->capacity_grew;
	start_due(e);
	while (libra_ordinary_firm(e))
		start_due(e);
	if (s->nunplaced > 0)
		return;
	libra_ordinary_start(e);
	s->capacity_grew = grew; /* a start takes no more than was reserved */
}

static bool planned_compress(struct libra_engine *e, uint64_t budget)
{
	libra_reservations_catch_up(e);
	return libra_planned_state(e)->nunplaced == 0 &&
	       libra_compress_some(e, budget);
}

static bool planned_can_compress(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	return s->nunplaced == 0 && libra_compress_has_work(s);
}

static double planned_next_event_s(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	double next_s = libra_ordinary_firm_s(e);

	if (!(next_s > e->now_s))
		next_s = INFINITY;
	if (s->nunplaced > 0) /* the repair continues */
		next_s = fmin(next_s, e->now_s + 1);
	next_s = fmin(next_s, libra_hold_next_s(s));
	if (s->turn_s > e->now_s)
		next_s = fmin(next_s, s->turn_s);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->waiting[i].start_s > e->now_s)
			next_s = fmin(next_s, s->waiting[i].start_s);
	return next_s;
}

/* Reservations keep their instants, but those that are over, until a test. */
static int planned_clock(struct libra_engine *e, double now_s)
{
	struct libra_planned_state *s = libra_planned_state(e);

	libra_pool_shift(e, now_s - e->now_s);
	if (s->nodes)
		s->nodes->constrained_s += now_s - e->now_s;
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		struct libra_reservation *plan = &s->waiting[i];

		plan->start_s = fmax(plan->start_s, now_s);
		if (plan->start_s < INFINITY)
			plan->latest_s = fmax(plan->latest_s, plan->start_s);
		plan->sought_s = 0;
	}
	libra_reservations_sort(s);
	libra_hold_drop_all(s);
	s->moves++;
	s->must_repair = true;
	return 0;
}

/* Jobs on a closed node continue.  The next call rebuilds the schedule. */
static int planned_node(struct libra_engine *e, const struct libra_node *node,
			bool closed)
{
	if (libra_pool_node(e, node, closed) < 0)
		return -1;
	libra_planned_state(e)->must_repair = true;
	return 0;
}

static bool planned_next_action(struct libra_engine *e,
				struct libra_action *action)
{
	struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->nwaiting && s->nunreported > 0; i++) {
		struct libra_reservation *plan = &s->waiting[i];
		const struct libra_slot *entry = &e->slots[plan->slot];

		if (!plan->unreported || entry->state != LIBRA_SLOT_QUEUED)
			continue;
		plan->unreported = false;
		s->nunreported--;
		*action = (struct libra_action){
			.kind = LIBRA_ACTION_LATE,
			.ticket = entry->ticket,
			.job_id = entry->job.id,
			.reason = LIBRA_REASON_WOULD_MISS,
		};
		return true;
	}
	return false;
}

/* ---- queries ---- */

/* Add a hold for a job.  Result: false if memory is out; the job has no hold
 * then.
 */
static bool keep_place(struct libra_engine *e, const struct libra_job *job,
		       const struct libra_start_query *query, bool restored)
{
	struct libra_planned_state *s = libra_planned_state(e);

	if (libra_nodes_reserve(e, 2, job->nprocs) < 0 ||
	    libra_hold_add(e, job, query, restored) < 0)
		return false;
	if (libra_nodes_reserve(e, 1, job->nprocs) == 0 &&
	    libra_reservations_make_room(s, e->live + 1) == 0)
		return true;
	libra_hold_drop(s, job->id);
	return false;
}

static bool planned_may_start(struct libra_engine *e,
			      const struct libra_job *job,
			      const struct libra_start_query *query)
{
	struct libra_planned_state *s = libra_planned_state(e);
	bool may;

	if (!query->again)
		libra_reservations_catch_up(e);
	if (s->nunplaced > 0)
		return false;
	libra_nodes_shape(e, e->nslots, job->where);
	if (query->ngone == 0 && !libra_hold_has(s, job->id))
		return query->nparts > 0 ? libra_ordinary_fits_on(e, job, query)
					 : libra_ordinary_fits(e, job);
	may = libra_ordinary_fits_instead(e, job, query);
	may = may && !libra_hold_shares(s, job->id, query);
	if (may && query->ngone > 0 && query->stops && s->nodes)
		may = query->nparts > 0 && keep_place(e, job, query, false);
	return may;
}

/* The first catch-up tests whether the hold fits. */
static int planned_restore_place(struct libra_engine *e,
				 const struct libra_job *job,
				 const struct libra_start_query *query)
{
	if (!libra_planned_state(e)->nodes) {
		errno = ENOTSUP;
		return -1;
	}
	libra_nodes_shape(e, e->nslots, job->where);
	if (keep_place(e, job, query, true))
		return 0;
	errno = ENOMEM;
	return -1;
}

static double planned_place_until(const struct libra_engine *e, uint64_t job_id)
{
	return libra_hold_until_s(libra_planned_state(e), job_id);
}

static void planned_forgo(struct libra_engine *e, uint64_t job_id)
{
	libra_hold_drop(libra_planned_state(e), job_id);
}

/* An unplaced job keeps its latest start until a search has found a start or
 * has failed.
 */
static double planned_planned_start(const struct libra_engine *e, uint32_t slot)
{
	const struct libra_reservation *plan;
	uint32_t place;

	if (is_on_processors(&e->slots[slot]))
		return e->slots[slot].start_s;
	if (!waits_with_plan(e, slot, &place))
		return NAN;
	plan = &libra_planned_state(e)->waiting[place];
	return plan->unplaced ? fmax(plan->latest_s, e->now_s) : plan->start_s;
}

static double planned_latest_start(const struct libra_engine *e, uint32_t slot)
{
	uint32_t place;

	if (!waits_with_plan(e, slot, &place))
		return planned_planned_start(e, slot);
	return libra_planned_state(e)->waiting[place].latest_s;
}

static uint64_t planned_plan_moves(const struct libra_engine *e)
{
	return libra_planned_state(e)->moves;
}

static uint32_t planned_free_procs(const struct libra_engine *e)
{
	return libra_space_state(e)->free;
}

static size_t planned_placement(const struct libra_engine *e, uint32_t slot,
				struct libra_range *ranges, size_t cap)
{
	return libra_procs_ranges(&libra_space_state(e)->procs, slot, ranges,
				  cap);
}

static double *planned_learned(const struct libra_engine *e, size_t *n)
{
	const struct libra_planned_traits *traits = libra_planned_traits(e);

	*n = traits->learned_size / sizeof(double);
	return (double *)((char *)e->state + traits->learned);
}

const struct libra_policy_ops libra_planned_ops = {
	.init = planned_init,
	.fini = planned_fini,
	.offer = planned_offer,
	.commit = planned_commit,
	.withdraw = planned_withdraw,
	.started = planned_started,
	.all_left = planned_all_left,
	.progress = planned_progress,
	.suspend = planned_suspend,
	.reestimate = planned_reestimate,
	.departed = planned_departed,
	.restore = planned_restore,
	.modify = planned_modify,
	.plan.restore_waiting = planned_restore_waiting,
	.plan.plan_ordinary = planned_plan_ordinary,
	.plan.may_start = planned_may_start,
	.plan.forgo = planned_forgo,
	.plan.restore_place = planned_restore_place,
	.plan.place_until = planned_place_until,
	.plan.planned_start = planned_planned_start,
	.plan.latest_start = planned_latest_start,
	.plan.plan_moves = planned_plan_moves,
	.plan.outages = libra_outages_set,
	.left_s = planned_left_s,
	.learned = planned_learned,
	.schedule = planned_schedule,
	.plan.compress = planned_compress,
	.plan.can_compress = planned_can_compress,
	.clock = planned_clock,
	.next_event_s = planned_next_event_s,
	.node = planned_node,
	.search.earliest_deadline = libra_planned_earliest_deadline,
	.search.would_accept = libra_planned_would_accept,
	.search.surely_accepts = libra_planned_surely_accepts,
	.next_action = planned_next_action,
	.rows.free_procs = planned_free_procs,
	.rows.placement = planned_placement,
};
