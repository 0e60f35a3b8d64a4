/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_table.c - see job_table.h.
 */
#include <stdlib.h>

#include "plugin/jobs/job_table.h"

#define NONE UINT32_MAX

void host_jobs_clear(struct host_jobs *jobs)
{
	free(jobs->jobs);
	free(jobs->by_slot);
	free(jobs->open);
	jobs->jobs = NULL;
	jobs->by_slot = NULL;
	jobs->open = NULL;
	jobs->njobs = jobs->cap = jobs->nslots = jobs->nsuspended = 0;
	jobs->nopen = jobs->open_cap = 0;
	jobs->stale_left = jobs->stale_at = 0;
	jobs->free_list = NONE;
	for (int k = 0; k < HOST_KEYS; k++)
		for (int i = 0; i < HOST_BUCKETS; i++)
			jobs->chains[k][i] = (struct host_chain){NONE, NONE};
}

/* ---- chains ---- */

static struct host_chain *chain_of(struct host_jobs *jobs, enum host_key k,
				   uint64_t key)
{
	return &jobs->chains[k][key % HOST_BUCKETS];
}

static void append(struct host_jobs *jobs, struct host_chain *chain,
		   enum host_key k, uint32_t index)
{
	struct tracked_job *t = &jobs->jobs[index];

	t->at[k].prev = chain->tail;
	t->at[k].next = NONE;
	if (chain->tail == NONE)
		chain->head = index;
	else
		jobs->jobs[chain->tail].at[k].next = index;
	chain->tail = index;
}

static void take_out(struct host_jobs *jobs, struct host_chain *chain,
		     enum host_key k, struct tracked_job *t)
{
	uint32_t prev = t->at[k].prev, next = t->at[k].next;

	if (prev == NONE)
		chain->head = next;
	else
		jobs->jobs[prev].at[k].next = next;
	if (next == NONE)
		chain->tail = prev;
	else
		jobs->jobs[next].at[k].prev = prev;
}

static uint32_t index_of(const struct host_jobs *jobs,
			 const struct tracked_job *t)
{
	return (uint32_t)(t - jobs->jobs);
}

static void leave_job(struct host_jobs *jobs, struct tracked_job *t)
{
	if (t->job_id)
		take_out(jobs, chain_of(jobs, HOST_BY_JOB, t->job_id),
			 HOST_BY_JOB, t);
	t->job_id = 0;
}

static void leave_offer(struct host_jobs *jobs, struct tracked_job *t)
{
	if (t->state != TRACKED_RUNNING)
		take_out(jobs, chain_of(jobs, HOST_BY_OFFER, t->first),
			 HOST_BY_OFFER, t);
}

/* ---- jobs ---- */

static bool grow_jobs(struct host_jobs *jobs)
{
	uint32_t cap = jobs->cap ? 2 * jobs->cap : 64;
	struct tracked_job *more;

	if (jobs->free_list != NONE || jobs->njobs < jobs->cap)
		return true;
	more = realloc(jobs->jobs, cap * sizeof(*more));
	if (!more)
		return false;
	jobs->jobs = more;
	jobs->cap = cap;
	return true;
}

static bool grow_slots(struct host_jobs *jobs, uint32_t slot)
{
	uint32_t n = jobs->nslots ? jobs->nslots : 64;
	uint32_t *more;

	if (slot < jobs->nslots)
		return true;
	while (n <= slot)
		n *= 2;
	more = realloc(jobs->by_slot, n * sizeof(*more));
	if (!more)
		return false;
	for (uint32_t i = jobs->nslots; i < n; i++)
		more[i] = NONE;
	jobs->by_slot = more;
	jobs->nslots = n;
	return true;
}

/* ---- open offers ---- */

static bool is_open(const struct host_jobs *jobs, uint64_t ticket)
{
	const struct tracked_job *t = host_jobs_find_ticket(jobs, ticket);

	return t && t->state == TRACKED_OFFERED;
}

/* A closed offer stays in the list until this check. */
static void drop_closed(struct host_jobs *jobs)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < jobs->nopen; i++)
		if (is_open(jobs, jobs->open[i]))
			jobs->open[kept++] = jobs->open[i];
	jobs->nopen = kept;
}

static bool grow_open(struct host_jobs *jobs)
{
	uint32_t cap = jobs->open_cap ? 2 * jobs->open_cap : 64;
	uint64_t *more;

	if (jobs->nopen < jobs->open_cap)
		return true;
	drop_closed(jobs);
	/* Keep half of the list free, so that this check is rare. */
	if (2 * jobs->nopen < jobs->open_cap)
		return true;
	more = realloc(jobs->open, cap * sizeof(*more));
	if (!more)
		return jobs->nopen < jobs->open_cap;
	jobs->open = more;
	jobs->open_cap = cap;
	return true;
}

uint32_t host_jobs_open(struct host_jobs *jobs, const uint64_t **tickets)
{
	drop_closed(jobs);
	*tickets = jobs->open;
	return jobs->nopen;
}

/* ---- all ---- */

uint64_t host_jobs_first_offer(struct host_jobs *jobs, uint32_t tasks)
{
	return tasks > 1 ? ++jobs->last_offer : jobs->last_offer + 1;
}

struct tracked_job *host_jobs_add(struct host_jobs *jobs, uint64_t ticket,
				  uint64_t first)
{
	uint32_t slot = libra_ticket_slot(ticket), i;
	struct tracked_job *t;

	if (!grow_jobs(jobs) || !grow_slots(jobs, slot) || !grow_open(jobs))
		return NULL;
	if (jobs->free_list != NONE) {
		i = jobs->free_list;
		jobs->free_list = jobs->jobs[i].at[0].next;
	} else {
		i = jobs->njobs++;
	}
	t = &jobs->jobs[i];
	*t = (struct tracked_job){
		.offer = ++jobs->last_offer,
		.ticket = ticket,
		.state = TRACKED_OFFERED,
	};
	t->first = first;
	jobs->by_slot[slot] = i;
	jobs->open[jobs->nopen++] = ticket;
	append(jobs, chain_of(jobs, HOST_BY_OFFER, t->first), HOST_BY_OFFER, i);
	return t;
}

void host_jobs_link(struct host_jobs *jobs, struct tracked_job *t,
		    uint32_t job_id)
{
	leave_job(jobs, t);
	t->job_id = job_id;
	append(jobs, chain_of(jobs, HOST_BY_JOB, job_id), HOST_BY_JOB,
	       index_of(jobs, t));
}

void host_jobs_run(struct host_jobs *jobs, struct tracked_job *t,
		   uint32_t job_id)
{
	leave_offer(jobs, t);
	t->state = TRACKED_RUNNING;
	host_jobs_link(jobs, t, job_id);
}

void host_jobs_remove(struct host_jobs *jobs, struct tracked_job *t)
{
	uint32_t *slot = &jobs->by_slot[libra_ticket_slot(t->ticket)];

	jobs->nsuspended -= t->suspended;
	leave_job(jobs, t);
	leave_offer(jobs, t);
	if (*slot == index_of(jobs, t)) /* the slot may have a new ticket */
		*slot = NONE;
	*t = (struct tracked_job){.at[0].next = jobs->free_list};
	jobs->free_list = index_of(jobs, t);
}

static struct tracked_job *same_job(const struct host_jobs *jobs, uint32_t i,
				    uint32_t job_id, bool running)
{
	for (; i != NONE; i = jobs->jobs[i].at[HOST_BY_JOB].next)
		if (jobs->jobs[i].job_id == job_id &&
		    (jobs->jobs[i].state == TRACKED_RUNNING) == running)
			return &jobs->jobs[i];
	return NULL;
}

struct tracked_job *host_jobs_find(const struct host_jobs *jobs,
				   uint32_t job_id, bool running)
{
	return same_job(jobs,
			jobs->chains[HOST_BY_JOB][job_id % HOST_BUCKETS].head,
			job_id, running);
}

struct tracked_job *host_jobs_next_waiting(const struct host_jobs *jobs,
					   const struct tracked_job *t)
{
	return same_job(jobs, t->at[HOST_BY_JOB].next, t->job_id, false);
}

struct tracked_job *host_jobs_waiting_before(const struct host_jobs *jobs,
					     const struct tracked_job *t)
{
	uint32_t i = t->at[HOST_BY_JOB].prev;

	while (i != NONE && (jobs->jobs[i].job_id != t->job_id ||
			     jobs->jobs[i].state == TRACKED_RUNNING))
		i = jobs->jobs[i].at[HOST_BY_JOB].prev;
	return i == NONE ? NULL : &jobs->jobs[i];
}

uint32_t host_jobs_count_waiting(const struct host_jobs *jobs, uint32_t job_id,
				 struct tracked_job **last)
{
	uint32_t n = 0;

	*last = NULL;
	for (struct tracked_job *t = host_jobs_find(jobs, job_id, false); t;
	     t = host_jobs_next_waiting(jobs, t)) {
		*last = t;
		n++;
	}
	return n;
}

static struct tracked_job *same_offer(const struct host_jobs *jobs, uint32_t i,
				      uint64_t first)
{
	while (i != NONE && jobs->jobs[i].first != first)
		i = jobs->jobs[i].at[HOST_BY_OFFER].next;
	return i == NONE ? NULL : &jobs->jobs[i];
}

struct tracked_job *host_jobs_find_offer(const struct host_jobs *jobs,
					 uint64_t first)
{
	return same_offer(
		jobs, jobs->chains[HOST_BY_OFFER][first % HOST_BUCKETS].head,
		first);
}

struct tracked_job *host_jobs_next_offer(const struct host_jobs *jobs,
					 const struct tracked_job *t)
{
	return same_offer(jobs, t->at[HOST_BY_OFFER].next, t->first);
}

struct tracked_job *host_jobs_find_ticket(const struct host_jobs *jobs,
					  uint64_t ticket)
{
	uint32_t slot = libra_ticket_slot(ticket), i;

	i = slot < jobs->nslots ? jobs->by_slot[slot] : NONE;
	return i != NONE && jobs->jobs[i].ticket == ticket ? &jobs->jobs[i]
							   : NULL;
}

struct libra_declog *host_jobs_event(const struct host_jobs *jobs,
				     const struct tracked_job *t,
				     const char *event, double now_s)
{
	struct libra_declog *out = &jobs->log->out;

	if (t->ordinary)
		return NULL;
	libra_declog_event(out, event, now_s);
	libra_declog_whole(out, "id", t->job_id);
	libra_declog_whole(out, "user", t->job.user);
	if (t->size.partition)
		libra_declog_text(out, "partition", t->size.partition->name);
	libra_declog_whole(out, "nprocs", t->job.nprocs);
	libra_declog_number(out, "estimate_s", t->job.estimate_s - t->wait_s);
	libra_declog_number(out, "deadline_s", t->job.deadline_s);
	libra_declog_text(out, "state",
			  t->state == TRACKED_RUNNING ? "running" : "waiting");
	return out;
}

void host_jobs_report(const struct host_jobs *jobs, const struct tracked_job *t,
		      const char *event, const char *cause, double now_s)
{
	struct libra_declog *out = host_jobs_event(jobs, t, event, now_s);

	if (!out)
		return;
	if (!cause)
		cause = t->broken;
	if (*cause)
		libra_declog_text(out, "cause", cause);
	libra_declog_end(out);
}

void host_jobs_withdraw(struct host_jobs *jobs, struct tracked_job *t,
			const char *end, double now_s)
{
	libra_engine_log_withdraw(jobs->log, t->ticket, now_s);
	if (end && t->state == TRACKED_COMMITTED)
		host_jobs_report(jobs, t, end, NULL, now_s);
	host_jobs_remove(jobs, t);
}

void host_jobs_set_stale(struct host_jobs *jobs, struct tracked_job *t)
{
	t->stale = true;
	jobs->stale_left = jobs->njobs;
}

void host_jobs_set_stale_soon(struct host_jobs *jobs, struct tracked_job *t)
{
	host_jobs_set_stale(jobs, t);
	jobs->flush_took_s = 0;
	jobs->stale_at = index_of(jobs, t);
}

struct tracked_job *host_jobs_next(const struct host_jobs *jobs,
				   const struct tracked_job *t)
{
	for (uint32_t i = t ? index_of(jobs, t) + 1 : 0; i < jobs->njobs; i++)
		if (jobs->jobs[i].state != TRACKED_FREE)
			return &jobs->jobs[i];
	return NULL;
}
