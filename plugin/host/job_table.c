/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_table.c - entries and how they are found.  See state.h.
 */
#include <stdlib.h>

#include "plugin/host/state.h"

void host_clear_entries(void)
{
	free(host.entries);
	free(host.by_slot);
	host_forget_back(0);
	host.entries = NULL;
	host.by_slot = NULL;
	host.nentries = host.cap = host.nslots = host.nsuspended = 0;
	host.free_list = HOST_NONE;
	for (int k = 0; k < HOST_KEYS; k++)
		for (int i = 0; i < HOST_BUCKETS; i++)
			host.chains[k][i] =
				(struct host_chain){HOST_NONE, HOST_NONE};
}

/* ---- chains ---- */

static struct host_chain *chain_of(enum host_key k, uint64_t key)
{
	return &host.chains[k][key % HOST_BUCKETS];
}

static void append(struct host_chain *chain, enum host_key k, uint32_t index)
{
	struct host_entry *e = &host.entries[index];

	e->at[k].prev = chain->tail;
	e->at[k].next = HOST_NONE;
	if (chain->tail == HOST_NONE)
		chain->head = index;
	else
		host.entries[chain->tail].at[k].next = index;
	chain->tail = index;
}

static void take_out(struct host_chain *chain, enum host_key k,
		     struct host_entry *e)
{
	uint32_t prev = e->at[k].prev, next = e->at[k].next;

	if (prev == HOST_NONE)
		chain->head = next;
	else
		host.entries[prev].at[k].next = next;
	if (next == HOST_NONE)
		chain->tail = prev;
	else
		host.entries[next].at[k].prev = prev;
}

static uint32_t index_of(const struct host_entry *e)
{
	return (uint32_t)(e - host.entries);
}

static void leave_job(struct host_entry *e)
{
	if (e->job_id)
		take_out(chain_of(HOST_BY_JOB, e->job_id), HOST_BY_JOB, e);
	e->job_id = 0;
}

static void leave_offer(struct host_entry *e)
{
	if (e->state != ENTRY_RUNNING)
		take_out(chain_of(HOST_BY_OFFER, e->first), HOST_BY_OFFER, e);
}

/* ---- entries ---- */

static bool grow_entries(void)
{
	uint32_t cap = host.cap ? 2 * host.cap : 64;
	struct host_entry *more;

	if (host.free_list != HOST_NONE || host.nentries < host.cap)
		return true;
	more = realloc(host.entries, cap * sizeof(*more));
	if (!more)
		return false;
	host.entries = more;
	host.cap = cap;
	return true;
}

static bool grow_slots(uint32_t slot)
{
	uint32_t n = host.nslots ? host.nslots : 64;
	uint32_t *more;

	if (slot < host.nslots)
		return true;
	while (n <= slot)
		n *= 2;
	more = realloc(host.by_slot, n * sizeof(*more));
	if (!more)
		return false;
	for (uint32_t i = host.nslots; i < n; i++)
		more[i] = HOST_NONE;
	host.by_slot = more;
	host.nslots = n;
	return true;
}

uint64_t host_first_offer(uint32_t tasks)
{
	return tasks > 1 ? ++host.last_offer : host.last_offer + 1;
}

struct host_entry *host_new_entry(uint64_t ticket, uint64_t first)
{
	uint32_t slot = libra_ticket_slot(ticket), i;
	struct host_entry *e;

	if (!grow_entries() || !grow_slots(slot))
		return NULL;
	if (host.free_list != HOST_NONE) {
		i = host.free_list;
		host.free_list = host.entries[i].at[0].next;
	} else {
		i = host.nentries++;
	}
	e = &host.entries[i];
	*e = (struct host_entry){
		.offer = ++host.last_offer,
		.ticket = ticket,
		.state = ENTRY_OFFERED,
	};
	e->first = first;
	host.by_slot[slot] = i;
	append(chain_of(HOST_BY_OFFER, e->first), HOST_BY_OFFER, i);
	return e;
}

void host_link_entry(struct host_entry *e, uint32_t job_id)
{
	leave_job(e);
	e->job_id = job_id;
	append(chain_of(HOST_BY_JOB, job_id), HOST_BY_JOB, index_of(e));
}

void host_run_entry(struct host_entry *e, uint32_t job_id)
{
	leave_offer(e);
	e->state = ENTRY_RUNNING;
	host_link_entry(e, job_id);
}

void host_free_entry(struct host_entry *e)
{
	uint32_t *slot = &host.by_slot[libra_ticket_slot(e->ticket)];

	host.nsuspended -= e->suspended;
	leave_job(e);
	leave_offer(e);
	if (*slot == index_of(e)) /* it may be another's by now */
		*slot = HOST_NONE;
	*e = (struct host_entry){.at[0].next = host.free_list};
	host.free_list = index_of(e);
}

static struct host_entry *same_job(uint32_t i, uint32_t job_id, bool running)
{
	for (; i != HOST_NONE; i = host.entries[i].at[HOST_BY_JOB].next)
		if (host.entries[i].job_id == job_id &&
		    (host.entries[i].state == ENTRY_RUNNING) == running)
			return &host.entries[i];
	return NULL;
}

struct host_entry *host_find_job(uint32_t job_id, bool running)
{
	return same_job(chain_of(HOST_BY_JOB, job_id)->head, job_id, running);
}

struct host_entry *host_next_waiting(const struct host_entry *e)
{
	return same_job(e->at[HOST_BY_JOB].next, e->job_id, false);
}

uint32_t host_count_waiting(uint32_t job_id, struct host_entry **last)
{
	uint32_t n = 0;

	*last = NULL;
	for (struct host_entry *e = host_find_job(job_id, false); e;
	     e = host_next_waiting(e)) {
		*last = e;
		n++;
	}
	return n;
}

static struct host_entry *same_offer(uint32_t i, uint64_t first)
{
	while (i != HOST_NONE && host.entries[i].first != first)
		i = host.entries[i].at[HOST_BY_OFFER].next;
	return i == HOST_NONE ? NULL : &host.entries[i];
}

struct host_entry *host_find_offer(uint64_t first)
{
	return same_offer(chain_of(HOST_BY_OFFER, first)->head, first);
}

struct host_entry *host_next_offer(const struct host_entry *e)
{
	return same_offer(e->at[HOST_BY_OFFER].next, e->first);
}

struct host_entry *host_find_ticket(uint64_t ticket)
{
	uint32_t slot = libra_ticket_slot(ticket), i;

	i = slot < host.nslots ? host.by_slot[slot] : HOST_NONE;
	return i != HOST_NONE && host.entries[i].ticket == ticket
		       ? &host.entries[i]
		       : NULL;
}

void host_drop(struct host_entry *e, double now_s)
{
	libra_engine_log_withdraw(&host.log, e->ticket, now_s);
	host_free_entry(e);
}
