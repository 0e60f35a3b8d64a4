/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - jobs, time, nodes, offers and actions. */
#include "core/engine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine_impl.h"
#include "core/where.h"

#define FIRST_SLOTS 64
/* Instants and durations beyond this are no times (3 million years). */
#define TIME_LIMIT_S 1e14
/* Credits beyond this are no money: sums of them lose whole credits. */
#define MONEY_LIMIT 1e15

static int check_conf(const struct libra_engine_conf *conf,
		      struct libra_error *err)
{
	const struct libra_policy_type *policy = conf->policy;
	uint64_t nprocs = 0;

	for (uint32_t i = 0; i < conf->nnodes; i++) {
		if (conf->node_procs[i] == 0)
			return libra_errf(err, EINVAL,
					  "node %u has no processors", i);
		nprocs += conf->node_procs[i];
	}
	if (nprocs == 0 || nprocs > UINT32_MAX / 2)
		return libra_errf(err, EINVAL, "no or too many processors");
	if (isnan(conf->offer_ttl_s) || conf->offer_ttl_s < 0)
		return libra_errf(err, EINVAL,
				  "offer_ttl_s must not be negative");
	for (size_t i = 0; conf->params && i < policy->nparams; i++) {
		const struct libra_param *param = &policy->params[i];

		if (!(conf->params[i] >= param->min &&
		      conf->params[i] <= param->max))
			return libra_errf(err, EINVAL,
					  "%s.%s must be from %g to %g",
					  policy->name, param->name, param->min,
					  param->max);
	}
	return 0;
}

static int copy_conf(struct libra_engine *e,
		     const struct libra_engine_conf *conf)
{
	const struct libra_policy_type *policy = conf->policy;

	e->policy = policy;
	e->offer_ttl_s = conf->offer_ttl_s;
	e->max_jobs = conf->max_jobs ? conf->max_jobs : UINT32_MAX;
	e->now_s = -INFINITY;
	e->free_slot = e->first_offer = e->last_offer = LIBRA_NO_SLOT;
	e->nodes = calloc(conf->nnodes, sizeof(*e->nodes));
	e->params = calloc(policy->nparams + 1, sizeof(*e->params));
	e->state = calloc(1, policy->state_size + 1);
	if (!e->nodes || !e->params || !e->state)
		return -1;
	for (uint32_t i = 0; i < conf->nnodes; i++) {
		e->nodes[i].first = e->nprocs;
		e->nodes[i].count = conf->node_procs[i];
		e->nodes[i].state = LIBRA_NODE_UP;
		e->nprocs += conf->node_procs[i];
	}
	e->nnodes = conf->nnodes;
	for (size_t i = 0; i < policy->nparams; i++)
		e->params[i] = conf->params ? conf->params[i]
					    : policy->params[i].value;
	return 0;
}

struct libra_engine *libra_engine_create(const struct libra_engine_conf *conf,
					 struct libra_error *err)
{
	struct libra_engine *e;

	if (check_conf(conf, err) < 0)
		return NULL;
	e = calloc(1, sizeof(*e));
	if (!e || copy_conf(e, conf) < 0 || e->policy->ops->init(e) < 0) {
		libra_errf(err, ENOMEM, "out of memory for %u nodes",
			   conf->nnodes);
		libra_engine_destroy(e);
		return NULL;
	}
	return e;
}

void libra_engine_destroy(struct libra_engine *e)
{
	int saved = errno;

	if (!e)
		return;
	if (e->state)
		e->policy->ops->fini(e);
	free(e->state);
	free(e->params);
	free(e->nodes);
	free(e->slots);
	free(e->actions);
	free(e);
	errno = saved;
}

/* Time never goes back; NaN is no time. */
static void tell_time(struct libra_engine *e, double now_s)
{
	if (now_s > e->now_s)
		e->now_s = now_s;
}

static int grow_slots(struct libra_engine *e)
{
	uint32_t cap = e->slot_cap ? 2 * e->slot_cap : FIRST_SLOTS;
	struct libra_slot *slots;

	if (e->free_slot != LIBRA_NO_SLOT || e->nslots < e->slot_cap)
		return 0;
	slots = realloc(e->slots, cap * sizeof(*slots));
	if (!slots)
		return -1;
	e->slots = slots;
	e->slot_cap = cap;
	return 0;
}

/* Every live job may still cause a START and a REJECT. */
static int grow_actions(struct libra_engine *e)
{
	uint32_t need = e->nactions + 2 * (e->live + 1), cap = e->action_cap;
	struct libra_action *actions;

	if (need <= cap)
		return 0;
	cap = cap ? cap : 2 * FIRST_SLOTS;
	while (cap < need)
		cap *= 2;
	actions = malloc(cap * sizeof(*actions));
	if (!actions)
		return -1;
	for (uint32_t i = 0; i < e->nactions; i++)
		actions[i] = e->actions[(e->action_head + i) % e->action_cap];
	free(e->actions);
	e->actions = actions;
	e->action_head = 0;
	e->action_cap = cap;
	return 0;
}

static uint64_t new_ticket(struct libra_engine *e, uint32_t slot)
{
	return (uint64_t)++e->generation << 32 | slot;
}

static uint32_t take_slot(struct libra_engine *e, const struct libra_job *what)
{
	uint32_t slot = e->free_slot;

	if (slot != LIBRA_NO_SLOT)
		e->free_slot = e->slots[slot].next;
	else
		slot = e->nslots++;
	e->slots[slot] = (struct libra_slot){
		.job = *what,
		.order = ++e->order,
		.offered_s = e->now_s,
	};
	e->live++;
	return slot;
}

void libra_engine_free_slot(struct libra_engine *e, uint32_t slot)
{
	struct libra_slot *entry = &e->slots[slot];

	entry->state = LIBRA_SLOT_FREE;
	entry->ticket = 0;
	entry->next = e->free_slot;
	e->free_slot = slot;
	e->live--;
}

static void link_offer(struct libra_engine *e, uint32_t slot)
{
	struct libra_slot *entry = &e->slots[slot];

	entry->next = LIBRA_NO_SLOT;
	entry->prev = e->last_offer;
	if (e->last_offer != LIBRA_NO_SLOT)
		e->slots[e->last_offer].next = slot;
	else
		e->first_offer = slot;
	e->last_offer = slot;
}

static void unlink_offer(struct libra_engine *e, uint32_t slot)
{
	struct libra_slot *entry = &e->slots[slot];

	if (entry->prev != LIBRA_NO_SLOT)
		e->slots[entry->prev].next = entry->next;
	else
		e->first_offer = entry->next;
	if (entry->next != LIBRA_NO_SLOT)
		e->slots[entry->next].prev = entry->prev;
	else
		e->last_offer = entry->prev;
}

void libra_engine_act(struct libra_engine *e, enum libra_action_kind kind,
		      uint32_t slot, enum libra_reason reason)
{
	uint32_t end = (e->action_head + e->nactions++) % e->action_cap;

	e->actions[end] = (struct libra_action){
		.kind = kind,
		.ticket = e->slots[slot].ticket,
		.job_id = e->slots[slot].job.id,
		.reason = reason,
	};
}

static bool is_time(double t)
{
	return fabs(t) <= TIME_LIMIT_S; /* false for NaN */
}

static bool is_money(double credits)
{
	return credits >= 0 && credits <= MONEY_LIMIT; /* false for NaN */
}

static int check_job(const struct libra_job *job, double now_s,
		     struct libra_error *err)
{
	if (!(job->estimate_s > 0) || !is_time(job->estimate_s))
		return libra_errf(err, EINVAL,
				  "the estimate must be a positive time");
	if (job->nprocs == 0)
		return libra_errf(err, EINVAL,
				  "a job needs at least one processor");
	if (!is_time(job->submit_s) || !is_time(now_s))
		return libra_errf(err, EINVAL, "no sensible submit time");
	if (!is_time(job->deadline_s) && job->deadline_s != INFINITY)
		return libra_errf(err, EINVAL, "no sensible deadline");
	if (!is_money(job->budget))
		return libra_errf(err, EINVAL,
				  "the budget must be from 0 to %g, not %g",
				  MONEY_LIMIT, job->budget);
	if (!is_money(job->penalty_rate))
		return libra_errf(err, EINVAL,
				  "the penalty rate must be from 0 to %g, "
				  "not %g",
				  MONEY_LIMIT, job->penalty_rate);
	return 0;
}

/* What needs no policy to decide. */
static enum libra_reason plain_refusal(const struct libra_engine *e,
				       const struct libra_job *job)
{
	if (job->nprocs > e->nprocs)
		return LIBRA_REASON_TOO_LARGE;
	if (e->policy->needs_deadline && job->deadline_s == INFINITY)
		return LIBRA_REASON_NO_DEADLINE;
	return LIBRA_REASON_NONE;
}

int libra_engine_offer(struct libra_engine *e, const struct libra_job *job,
		       double now_s, struct libra_verdict *verdict,
		       struct libra_error *err)
{
	struct libra_slot *entry;
	uint32_t slot;

	if (check_job(job, now_s, err) < 0 ||
	    libra_where_check(e, job, err) < 0)
		return -1;
	if (grow_slots(e) < 0 || grow_actions(e) < 0)
		return libra_errf(err, ENOMEM, "out of memory for a job");
	tell_time(e, now_s);
	*verdict = (struct libra_verdict){.answer = LIBRA_REJECT};
	verdict->reason = plain_refusal(e, job);
	if (verdict->reason != LIBRA_REASON_NONE)
		return 0;
	slot = take_slot(e, job);
	entry = &e->slots[slot];
	entry->state = LIBRA_SLOT_OFFERED;
	if (e->policy->ops->offer(e, slot, verdict) < 0) {
		libra_engine_free_slot(e, slot);
		return libra_errf(err, ENOMEM, "out of memory for a job");
	}
	if (verdict->answer == LIBRA_REJECT) {
		libra_engine_free_slot(e, slot);
		return 0;
	}
	entry->job.where = NULL;
	entry->ticket = new_ticket(e, slot);
	verdict->ticket = entry->ticket;
	link_offer(e, slot);
	return 0;
}

/* The slot of a ticket, or LIBRA_NO_SLOT with ENOENT. */
static uint32_t find_slot(const struct libra_engine *e, uint64_t ticket)
{
	uint32_t slot = (uint32_t)ticket;

	if (ticket != 0 && slot < e->nslots && e->slots[slot].ticket == ticket)
		return slot;
	errno = ENOENT;
	return LIBRA_NO_SLOT;
}

static int check_parts(const struct libra_engine *e,
		       const struct libra_job *job,
		       const struct libra_part *parts, uint32_t nparts,
		       struct libra_error *err)
{
	uint64_t nprocs = 0;
	uint32_t end = 0;

	for (uint32_t i = 0; i < nparts; i++) {
		const struct libra_range *r = &parts[i].procs;

		if (r->count == 0 || r->first < end || r->first >= e->nprocs ||
		    r->count > e->nprocs - r->first ||
		    !is_time(parts[i].est_left_s))
			return libra_errf(err, EINVAL,
					  "part %u is no part of a job", i);
		end = r->first + r->count;
		nprocs += r->count;
	}
	if (nprocs != job->nprocs)
		return libra_errf(err, EINVAL,
				  "parts on %llu processors of a job of %u",
				  (unsigned long long)nprocs, job->nprocs);
	return 0;
}

int libra_engine_restore(struct libra_engine *e, const struct libra_job *job,
			 const struct libra_part *parts, uint32_t nparts,
			 bool running, double now_s, uint64_t *ticket,
			 struct libra_error *err)
{
	struct libra_slot *entry;
	uint32_t slot;

	if (!e->policy->ops->restore)
		return libra_errf(err, ENOTSUP, "%s keeps no promises",
				  e->policy->name);
	if (check_job(job, now_s, err) < 0 ||
	    check_parts(e, job, parts, nparts, err) < 0)
		return -1;
	if (grow_slots(e) < 0 || grow_actions(e) < 0)
		return libra_errf(err, ENOMEM, "out of memory for a job");
	tell_time(e, now_s);
	slot = take_slot(e, job);
	entry = &e->slots[slot];
	entry->state = running ? LIBRA_SLOT_RUNNING : LIBRA_SLOT_STARTING;
	entry->start_s = e->now_s;
	if (e->policy->ops->restore(e, slot, parts, nparts, running) < 0) {
		libra_engine_free_slot(e, slot);
		return libra_errf(err, ENOMEM, "out of memory for a job");
	}
	entry->job.where = NULL;
	entry->ticket = *ticket = new_ticket(e, slot);
	if (entry->state == LIBRA_SLOT_STARTING)
		libra_engine_act(e, LIBRA_ACTION_START, slot,
				 LIBRA_REASON_NONE);
	return 0;
}

int libra_engine_modify(struct libra_engine *e, uint64_t ticket,
			const struct libra_job *changed, double now_s,
			struct libra_verdict *verdict, struct libra_error *err)
{
	uint32_t slot = find_slot(e, ticket);
	struct libra_job job;

	if (slot == LIBRA_NO_SLOT)
		return libra_errf(err, ENOENT, "no such ticket");
	if (!e->policy->ops->modify)
		return libra_errf(err, ENOTSUP, "%s keeps no promises",
				  e->policy->name);
	job = e->slots[slot].job;
	job.estimate_s = changed->estimate_s;
	job.deadline_s = changed->deadline_s;
	if (check_job(&job, now_s, err) < 0)
		return -1;
	tell_time(e, now_s);
	*verdict = (struct libra_verdict){.answer = LIBRA_REJECT};
	verdict->reason = plain_refusal(e, &job);
	if (verdict->reason != LIBRA_REASON_NONE)
		return 0;
	if (e->policy->ops->modify(e, slot, &job, verdict) < 0)
		return libra_errf(err, ENOMEM, "out of memory for a change");
	if (verdict->answer == LIBRA_ACCEPT)
		e->slots[slot].job = job;
	return 0;
}

double libra_engine_left_s(const struct libra_engine *e, uint64_t ticket,
			   double now_s, double *rate)
{
	uint32_t slot = find_slot(e, ticket);
	double unasked;

	if (slot == LIBRA_NO_SLOT)
		return NAN;
	if (!(now_s > e->now_s))
		now_s = e->now_s;
	return e->policy->ops->left_s(e, slot, now_s, rate ? rate : &unasked);
}

double libra_engine_earliest_deadline(struct libra_engine *e,
				      const struct libra_job *job, double now_s)
{
	double deadline_s;

	if (check_job(job, now_s, NULL) < 0 || job->nprocs > e->nprocs ||
	    libra_where_check(e, job, NULL) < 0)
		return INFINITY;
	tell_time(e, now_s);
	deadline_s = e->policy->ops->earliest_deadline(e, job);
	/* Beyond that an offer with it would be senseless. */
	return is_time(deadline_s) ? deadline_s : INFINITY;
}

int libra_engine_commit(struct libra_engine *e, uint64_t ticket, uint64_t id,
			double now_s)
{
	uint32_t slot = find_slot(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (e->slots[slot].state != LIBRA_SLOT_OFFERED) {
		errno = EALREADY;
		return -1;
	}
	tell_time(e, now_s);
	unlink_offer(e, slot);
	e->slots[slot].job.id = id;
	e->policy->ops->commit(e, slot);
	return 0;
}

int libra_engine_withdraw(struct libra_engine *e, uint64_t ticket, double now_s)
{
	uint32_t slot = find_slot(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (e->slots[slot].state == LIBRA_SLOT_RUNNING) {
		errno = EBUSY;
		return -1;
	}
	tell_time(e, now_s);
	if (e->slots[slot].state == LIBRA_SLOT_OFFERED)
		unlink_offer(e, slot);
	e->policy->ops->withdraw(e, slot);
	libra_engine_free_slot(e, slot);
	return 0;
}

int libra_engine_started(struct libra_engine *e, uint64_t ticket, double now_s)
{
	uint32_t slot = find_slot(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (e->slots[slot].state != LIBRA_SLOT_STARTING) {
		errno = EINVAL;
		return -1;
	}
	tell_time(e, now_s);
	e->policy->ops->started(e, slot);
	e->slots[slot].start_s = e->now_s;
	e->slots[slot].state = LIBRA_SLOT_RUNNING;
	return 0;
}

static uint32_t find_running(const struct libra_engine *e, uint64_t ticket)
{
	uint32_t slot = find_slot(e, ticket);

	if (slot != LIBRA_NO_SLOT &&
	    e->slots[slot].state != LIBRA_SLOT_RUNNING) {
		errno = EINVAL;
		return LIBRA_NO_SLOT;
	}
	return slot;
}

int libra_engine_progress(struct libra_engine *e, uint64_t ticket,
			  double executed_s, double now_s)
{
	uint32_t slot = find_running(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (!(executed_s >= 0) || !is_time(executed_s)) {
		errno = EINVAL;
		return -1;
	}
	tell_time(e, now_s);
	if (e->policy->ops->progress)
		e->policy->ops->progress(e, slot, executed_s);
	return 0;
}

void libra_engine_all_left(struct libra_engine *e, double now_s, double *left_s)
{
	tell_time(e, now_s);
	for (uint32_t i = 0; i < e->nslots; i++)
		left_s[i] = NAN;
	e->policy->ops->all_left(e, left_s);
}

int libra_engine_reestimate(struct libra_engine *e, uint64_t ticket,
			    double estimate_s, double now_s)
{
	uint32_t slot = find_running(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (!(estimate_s > 0) || !is_time(estimate_s)) {
		errno = EINVAL;
		return -1;
	}
	tell_time(e, now_s);
	if (e->policy->ops->reestimate(e, slot, estimate_s) < 0)
		return -1;
	e->slots[slot].job.estimate_s = estimate_s;
	return 0;
}

int libra_engine_departed(struct libra_engine *e, uint64_t ticket, double now_s)
{
	uint32_t slot = find_running(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	tell_time(e, now_s);
	e->policy->ops->departed(e, slot);
	libra_engine_free_slot(e, slot);
	return 0;
}

int64_t libra_engine_part_departed(struct libra_engine *e, uint64_t ticket,
				   uint32_t row, double now_s)
{
	uint32_t slot = find_running(e, ticket), n;
	struct libra_slot *entry;

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (!e->policy->ops->part_departed || row >= e->policy->ops->nrows(e) ||
	    !e->policy->ops->holds(e, row, slot)) {
		errno = ENOENT;
		return -1;
	}
	tell_time(e, now_s);
	n = e->policy->ops->part_departed(e, slot, row);
	entry = &e->slots[slot];
	entry->nprocs_held -= n;
	if (entry->nprocs_held > 0)
		return entry->nprocs_held;
	libra_engine_free_slot(e, slot);
	return 0;
}

int libra_engine_node(struct libra_engine *e, uint32_t node,
		      enum libra_node_state state, double now_s)
{
	bool closed = state != LIBRA_NODE_UP;

	if (node >= e->nnodes) {
		errno = ENOENT;
		return -1;
	}
	tell_time(e, now_s);
	if (closed != (e->nodes[node].state != LIBRA_NODE_UP) &&
	    e->policy->ops->node(e, &e->nodes[node], closed) < 0)
		return -1;
	e->nodes[node].state = state;
	return 0;
}

static void expire_offers(struct libra_engine *e)
{
	while (e->first_offer != LIBRA_NO_SLOT) {
		uint32_t slot = e->first_offer;

		if (e->now_s - e->slots[slot].offered_s <= e->offer_ttl_s)
			return;
		libra_engine_act(e, LIBRA_ACTION_REJECT, slot,
				 LIBRA_REASON_EXPIRED);
		libra_engine_withdraw(e, e->slots[slot].ticket, e->now_s);
	}
}

void libra_engine_schedule(struct libra_engine *e, double now_s)
{
	tell_time(e, now_s);
	expire_offers(e);
	if (e->policy->ops->schedule)
		e->policy->ops->schedule(e);
}

double libra_engine_next_event_s(const struct libra_engine *e)
{
	return e->policy->ops->next_event_s ? e->policy->ops->next_event_s(e)
					    : INFINITY;
}

bool libra_engine_next_action(struct libra_engine *e,
			      struct libra_action *action)
{
	if (e->nactions > 0) {
		*action = e->actions[e->action_head];
		e->action_head = (e->action_head + 1) % e->action_cap;
		e->nactions--;
		return true;
	}
	if (e->policy->ops->next_action)
		return e->policy->ops->next_action(e, action);
	if (!e->policy->ops->next_reshared)
		return false;
	*action = (struct libra_action){.kind = LIBRA_ACTION_RESHARE};
	action->row = e->policy->ops->next_reshared(e);
	return action->row != UINT32_MAX;
}

int64_t libra_engine_placement(const struct libra_engine *e, uint64_t ticket,
			       struct libra_range *ranges, size_t cap)
{
	uint32_t slot = find_slot(e, ticket);
	const struct libra_procmap *map;
	size_t n = 0;
	bool open = false; /* does the last range end where this run begins? */

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (e->policy->ops->placement)
		return (int64_t)e->policy->ops->placement(e, slot, ranges, cap);
	map = e->policy->ops->map(e);
	for (uint32_t i = 0; i < map->nruns; i++) {
		uint32_t count = libra_procmap_count(map, i);

		if (!e->policy->ops->holds(e, map->label[i], slot)) {
			open = false;
			continue;
		}
		if (!open)
			n++;
		if (n <= cap && !open)
			ranges[n - 1] =
				(struct libra_range){map->first[i], count};
		else if (n <= cap)
			ranges[n - 1].count += count;
		open = true;
	}
	return (int64_t)n;
}

const struct libra_job *libra_engine_job(const struct libra_engine *e,
					 uint64_t ticket)
{
	uint32_t slot = find_slot(e, ticket);

	return slot == LIBRA_NO_SLOT ? NULL : &e->slots[slot].job;
}

uint64_t libra_engine_ticket(const struct libra_engine *e, uint32_t slot)
{
	return slot < e->nslots ? e->slots[slot].ticket : 0;
}

uint32_t libra_engine_nslots(const struct libra_engine *e)
{
	return e->nslots;
}

uint32_t libra_engine_nrows(const struct libra_engine *e)
{
	return e->policy->ops->nrows ? e->policy->ops->nrows(e) : 0;
}

const struct libra_row *libra_engine_row(const struct libra_engine *e,
					 uint32_t row)
{
	if (row >= libra_engine_nrows(e))
		return NULL;
	return e->policy->ops->row(e, row);
}

uint32_t libra_engine_row_of(const struct libra_engine *e, uint32_t proc)
{
	if (e->policy->mode != LIBRA_SHARE || proc >= e->nprocs)
		return UINT32_MAX;
	return libra_procmap_label(e->policy->ops->map(e), proc);
}

uint32_t libra_engine_nprocs(const struct libra_engine *e)
{
	return e->nprocs;
}

uint32_t libra_engine_free_procs(const struct libra_engine *e)
{
	return e->policy->ops->free_procs(e);
}

const struct libra_policy_type *libra_engine_policy(
	const struct libra_engine *e)
{
	return e->policy;
}

const char *libra_answer_name(enum libra_answer answer)
{
	static const char *const names[] = {"none", "accept", "queue",
					    "reject"};

	return (unsigned)answer < 4 ? names[answer] : "unknown";
}

const char *libra_reason_name(enum libra_reason reason)
{
	static const char *const names[] = {
		[LIBRA_REASON_NONE] = "none",
		[LIBRA_REASON_TOO_LARGE] = "too_large",
		[LIBRA_REASON_NO_DEADLINE] = "no_deadline",
		[LIBRA_REASON_NO_SHARE] = "no_share",
		[LIBRA_REASON_RISK] = "risk",
		[LIBRA_REASON_WOULD_MISS] = "would_miss",
		[LIBRA_REASON_EXPIRED] = "expired",
		[LIBRA_REASON_SLACK] = "slack",
		[LIBRA_REASON_NO_BUDGET] = "no_budget",
		[LIBRA_REASON_PRICE] = "price",
		[LIBRA_REASON_CONTRACT] = "contract",
		[LIBRA_REASON_RANDOM] = "random",
	};

	return (size_t)reason < sizeof(names) / sizeof(names[0]) ? names[reason]
								 : "unknown";
}

const char *libra_action_name(enum libra_action_kind kind)
{
	static const char *const names[] = {"none",    "start", "reject",
					    "reshare", "hold",	"resume"};

	return (unsigned)kind < 6 ? names[kind] : "unknown";
}
