/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - the events that hosts report: jobs, time, nodes. */
#include "core/engine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/engine_impl.h"
#include "core/slots.h"
#include "core/where.h"

static int copy_resources(struct libra_engine *e,
			  const struct libra_engine_conf *conf)
{
	size_t n = (size_t)conf->nnodes * conf->nresources;

	e->by_node = conf->by_node && conf->policy->plans;
	if (!e->by_node || n == 0)
		return 0;
	e->nresources = conf->nresources;
	e->resources = malloc(n * sizeof(*e->resources));
	if (!e->resources)
		return -1;
	memcpy(e->resources, conf->node_resources, n * sizeof(*e->resources));
	return 0;
}

static int copy_conf(struct libra_engine *e,
		     const struct libra_engine_conf *conf)
{
	const struct libra_policy_type *policy = conf->policy;
	int guaranteed_only;

	e->policy = policy;
	e->offer_ttl_s = conf->offer_ttl_s;
	e->compress_later = conf->compress_later;
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
	if (copy_resources(e, conf) < 0)
		return -1;
	for (size_t i = 0; i < policy->nparams; i++)
		e->params[i] = conf->params ? conf->params[i]
					    : policy->params[i].value;
	guaranteed_only = libra_param_find(policy->params, policy->nparams,
					   "guaranteed_only", NULL);
	e->guaranteed_only = guaranteed_only >= 0 && e->params[guaranteed_only];
	return 0;
}

struct libra_engine *libra_engine_create(const struct libra_engine_conf *conf,
					 struct libra_error *err)
{
	struct libra_engine *e;

	if (libra_check_conf(conf, err) < 0)
		return NULL;
	e = calloc(1, sizeof(*e));
	if (e)
		e->search_work = LIBRA_SEARCH_WORK;
	if (!e || copy_conf(e, conf) < 0 || e->policy->ops->init(e) < 0) {
		libra_errf(err, ENOMEM, "out of memory for %u nodes",
			   conf->nnodes);
		libra_engine_destroy(e);
		return NULL;
	}
	libra_search_end(e);
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
	free(e->resources);
	free(e->slots);
	free(e->pending.list);
	free(e);
	errno = saved;
}

/* Refusals that need no policy. */
static enum libra_reason plain_refusal(const struct libra_engine *e,
				       const struct libra_job *job)
{
	if (job->nprocs > e->nprocs)
		return LIBRA_REASON_TOO_LARGE;
	if (e->policy->needs_deadline && job->deadline_s == INFINITY)
		return LIBRA_REASON_NO_DEADLINE;
	return LIBRA_REASON_NONE;
}

int libra_engine_ask(struct libra_engine *e, const struct libra_job *job,
		     double now_s, libra_answer_f *answer,
		     struct libra_verdict *verdict, struct libra_error *err)
{
	struct libra_slot *entry;
	struct libra_job at;
	uint32_t slot;

	if (libra_check_job(job, now_s, err) < 0 ||
	    libra_where_check(e, job, err) < 0)
		return -1;
	if (libra_slots_reserve(e) < 0)
		return libra_no_memory(err, "a job");
	libra_engine_tell_time(e, now_s);
	at = libra_engine_job_now(e, job, now_s);
	*verdict = (struct libra_verdict){.answer = LIBRA_REJECT};
	verdict->reason = plain_refusal(e, &at);
	if (verdict->reason != LIBRA_REASON_NONE)
		return 0;
	slot = libra_slot_take(e, &at);
	entry = &e->slots[slot];
	entry->state = LIBRA_SLOT_OFFERED;
	if (answer(e, slot, verdict) < 0) {
		libra_slot_free(e, slot);
		return libra_no_memory(err, "a job");
	}
	if (verdict->answer == LIBRA_REJECT) {
		libra_slot_free(e, slot);
		return 0;
	}
	entry->job.where = NULL;
	entry->ticket = libra_slot_ticket(e, slot);
	verdict->ticket = entry->ticket;
	libra_slot_link(e, slot);
	return 0;
}

int libra_engine_offer(struct libra_engine *e, const struct libra_job *job,
		       double now_s, struct libra_verdict *verdict,
		       struct libra_error *err)
{
	return libra_engine_ask(e, job, now_s, e->policy->ops->offer, verdict,
				err);
}

int libra_engine_restore(struct libra_engine *e, const struct libra_job *job,
			 const struct libra_part *parts, uint32_t nparts,
			 bool running, double now_s, uint64_t *ticket,
			 struct libra_error *err)
{
	struct libra_slot *entry;
	uint32_t slot;

	if (!e->policy->ops->restore)
		return libra_errf(err, ENOTSUP,
				  "%s makes no promises to restore",
				  e->policy->name);
	if (libra_check_job(job, now_s, err) < 0 ||
	    libra_check_parts(e, job, parts, nparts, err) < 0)
		return -1;
	if (libra_slots_reserve(e) < 0)
		return libra_no_memory(err, "a job");
	libra_engine_tell_time(e, now_s);
	slot = libra_slot_take(e, job);
	entry = &e->slots[slot];
	entry->state = running ? LIBRA_SLOT_RUNNING : LIBRA_SLOT_STARTING;
	entry->start_s = e->now_s;
	if (e->policy->ops->restore(e, slot, parts, nparts, running) < 0) {
		bool busy = errno == EBUSY;

		libra_slot_free(e, slot);
		return busy ? libra_errf(err, EBUSY,
					 "its processors hold another job")
			    : libra_no_memory(err, "a job");
	}
	entry->job.where = NULL;
	entry->ticket = *ticket = libra_slot_ticket(e, slot);
	if (entry->state == LIBRA_SLOT_STARTING)
		libra_engine_act(e, LIBRA_ACTION_START, slot,
				 LIBRA_REASON_NONE);
	return 0;
}

int libra_engine_modify(struct libra_engine *e, uint64_t ticket,
			const struct libra_job *changed, double now_s,
			struct libra_verdict *verdict, struct libra_error *err)
{
	uint32_t slot = libra_slot_find(e, ticket);
	struct libra_job job;

	if (slot == LIBRA_NO_SLOT)
		return libra_errf(err, ENOENT, "no job has this ticket");
	if (!e->policy->ops->modify)
		return libra_errf(err, ENOTSUP,
				  "%s makes no promises to change",
				  e->policy->name);
	job = e->slots[slot].job;
	job.estimate_s = changed->estimate_s;
	job.deadline_s = changed->deadline_s;
	if (libra_check_job(&job, now_s, err) < 0)
		return -1;
	libra_engine_tell_time(e, now_s);
	*verdict = (struct libra_verdict){.answer = LIBRA_REJECT};
	verdict->reason = plain_refusal(e, &job);
	if (verdict->reason != LIBRA_REASON_NONE)
		return 0;
	if (e->policy->ops->modify(e, slot, &job, verdict) < 0)
		return libra_no_memory(err, "a change");
	if (verdict->answer == LIBRA_ACCEPT)
		e->slots[slot].job = job;
	return 0;
}

double libra_engine_left_s(const struct libra_engine *e, uint64_t ticket,
			   double now_s, double *rate)
{
	uint32_t slot = libra_slot_find(e, ticket);
	double unasked;

	if (slot == LIBRA_NO_SLOT)
		return NAN;
	if (!(now_s > e->now_s))
		now_s = e->now_s;
	return e->policy->ops->left_s(e, slot, now_s, rate ? rate : &unasked);
}

double libra_engine_beside(const struct libra_engine *e, uint64_t ticket)
{
	uint32_t slot = libra_slot_find(e, ticket);

	return slot != LIBRA_NO_SLOT && e->policy->ops->beside
		       ? e->policy->ops->beside(e, slot)
		       : NAN;
}

bool libra_engine_late_yields(const struct libra_engine *e)
{
	return e->policy->ops->late_yields && e->policy->ops->late_yields(e);
}

double libra_engine_earliest_deadline(struct libra_engine *e,
				      const struct libra_job *job, double now_s)
{
	struct libra_job at;
	double deadline_s;

	if (libra_check_job(job, now_s, NULL) < 0 || job->nprocs > e->nprocs ||
	    libra_where_check(e, job, NULL) < 0)
		return INFINITY;
	libra_engine_tell_time(e, now_s);
	at = libra_engine_job_now(e, job, now_s);
	libra_search_begin(e);
	deadline_s = e->policy->ops->search.earliest_deadline(e, &at);
	libra_search_end(e);
	/* An offer with a deadline beyond the limit would be invalid. */
	return isnan(deadline_s) || libra_is_time(deadline_s) ? deadline_s
							      : INFINITY;
}

void libra_engine_allow_search(struct libra_engine *e, uint64_t work)
{
	e->search_work = work;
}

int libra_engine_commit(struct libra_engine *e, uint64_t ticket, uint64_t id,
			double now_s)
{
	uint32_t slot = libra_slot_find(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (e->slots[slot].state != LIBRA_SLOT_OFFERED) {
		errno = EALREADY;
		return -1;
	}
	libra_engine_tell_time(e, now_s);
	libra_slot_unlink(e, slot);
	e->slots[slot].job.id = id;
	e->policy->ops->commit(e, slot);
	return 0;
}

int libra_engine_withdraw(struct libra_engine *e, uint64_t ticket, double now_s)
{
	uint32_t slot = libra_slot_find(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (e->slots[slot].state == LIBRA_SLOT_RUNNING) {
		errno = EBUSY;
		return -1;
	}
	libra_engine_tell_time(e, now_s);
	if (e->slots[slot].state == LIBRA_SLOT_OFFERED)
		libra_slot_unlink(e, slot);
	e->policy->ops->withdraw(e, slot);
	libra_slot_free(e, slot);
	return 0;
}

int libra_engine_started(struct libra_engine *e, uint64_t ticket, double now_s)
{
	uint32_t slot = libra_slot_find(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (e->slots[slot].state != LIBRA_SLOT_STARTING) {
		errno = EINVAL;
		return -1;
	}
	libra_engine_tell_time(e, now_s);
	e->policy->ops->started(e, slot);
	e->slots[slot].start_s = e->now_s;
	e->slots[slot].state = LIBRA_SLOT_RUNNING;
	return 0;
}

int libra_engine_progress(struct libra_engine *e, uint64_t ticket,
			  double executed_s, double now_s)
{
	uint32_t slot = libra_slot_running(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (!(executed_s >= 0) || !libra_is_time(executed_s)) {
		errno = EINVAL;
		return -1;
	}
	libra_engine_tell_time(e, now_s);
	if (e->policy->ops->progress)
		e->policy->ops->progress(e, slot, executed_s);
	return 0;
}

int libra_engine_suspend(struct libra_engine *e, uint64_t ticket,
			 bool suspended, double now_s)
{
	uint32_t slot = libra_slot_running(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (!e->policy->ops->suspend) {
		errno = ENOTSUP;
		return -1;
	}
	libra_engine_tell_time(e, now_s);
	e->policy->ops->suspend(e, slot, suspended);
	return 0;
}

void libra_engine_all_left(struct libra_engine *e, double now_s, double *left_s)
{
	libra_engine_tell_time(e, now_s);
	for (uint32_t i = 0; i < e->nslots; i++)
		left_s[i] = NAN;
	e->policy->ops->all_left(e, left_s);
}

int libra_engine_reestimate(struct libra_engine *e, uint64_t ticket,
			    double estimate_s, double now_s)
{
	uint32_t slot = libra_slot_running(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (!(estimate_s > 0) || !libra_is_time(estimate_s)) {
		errno = EINVAL;
		return -1;
	}
	libra_engine_tell_time(e, now_s);
	if (e->policy->ops->reestimate(e, slot, estimate_s) < 0)
		return -1;
	e->slots[slot].job.estimate_s = estimate_s;
	return 0;
}

int libra_engine_departed(struct libra_engine *e, uint64_t ticket, double now_s)
{
	uint32_t slot = libra_slot_running(e, ticket);

	if (slot == LIBRA_NO_SLOT)
		return -1;
	libra_engine_tell_time(e, now_s);
	e->policy->ops->departed(e, slot);
	libra_slot_free(e, slot);
	return 0;
}

int64_t libra_engine_part_departed(struct libra_engine *e, uint64_t ticket,
				   uint32_t row, double now_s)
{
	uint32_t slot = libra_slot_running(e, ticket), n;
	struct libra_slot *entry;

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (!e->policy->ops->part_departed ||
	    row >= e->policy->ops->rows.nrows(e) ||
	    !e->policy->ops->rows.holds(e, row, slot)) {
		errno = ENOENT;
		return -1;
	}
	libra_engine_tell_time(e, now_s);
	n = e->policy->ops->part_departed(e, slot, row);
	entry = &e->slots[slot];
	entry->nprocs_held -= n;
	if (entry->nprocs_held > 0)
		return entry->nprocs_held;
	libra_slot_free(e, slot);
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
	libra_engine_tell_time(e, now_s);
	if (closed != (e->nodes[node].state != LIBRA_NODE_UP) &&
	    e->policy->ops->node(e, &e->nodes[node], closed) < 0)
		return -1;
	e->nodes[node].state = state;
	return 0;
}

int libra_engine_clock(struct libra_engine *e, double was_s, double now_s)
{
	double by_s;

	if (!libra_is_time(was_s) || !libra_is_time(now_s)) {
		errno = EINVAL;
		return -1;
	}
	if (!e->policy->ops->clock) {
		errno = ENOTSUP;
		return -1;
	}
	libra_engine_tell_time(e, was_s);
	if (e->policy->ops->clock(e, now_s) < 0)
		return -1;
	by_s = now_s - e->now_s;
	e->now_s = now_s;
	for (uint32_t i = 0; i < e->nslots; i++) {
		e->slots[i].offered_s += by_s;
		e->slots[i].start_s += by_s;
	}
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
	libra_engine_tell_time(e, now_s);
	expire_offers(e);
	if (e->policy->ops->schedule)
		e->policy->ops->schedule(e);
}

double libra_engine_next_event_s(const struct libra_engine *e)
{
	return e->policy->ops->next_event_s ? e->policy->ops->next_event_s(e)
					    : INFINITY;
}
