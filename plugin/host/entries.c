/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entries.c - entries and how they are found.  See state.h.
 */
#include <stdlib.h>

#include "plugin/host/state.h"

void host_clear_entries(void)
{
	free(host.entries);
	host.entries = NULL;
	host.nentries = host.cap = 0;
	host.free_list = HOST_NONE;
	for (int i = 0; i < HOST_BUCKETS; i++)
		host.bucket[i] = HOST_NONE;
}

struct host_entry *host_new_entry(void)
{
	struct host_entry *more;
	uint32_t cap, i;

	if (host.free_list != HOST_NONE) {
		i = host.free_list;
		host.free_list = host.entries[i].next;
	} else {
		if (host.nentries == host.cap) {
			cap = host.cap ? 2 * host.cap : 64;
			more = realloc(host.entries, cap * sizeof(*more));
			if (!more)
				return NULL;
			host.entries = more;
			host.cap = cap;
		}
		i = host.nentries++;
	}
	host.entries[i] = (struct host_entry){.next = HOST_NONE};
	return &host.entries[i];
}

static void unlink_entry(struct host_entry *e)
{
	uint32_t *at = &host.bucket[e->job_id % HOST_BUCKETS];
	uint32_t index = (uint32_t)(e - host.entries);

	if (e->job_id == 0)
		return;
	while (*at != index)
		at = &host.entries[*at].next;
	*at = e->next;
	e->next = HOST_NONE;
	e->job_id = 0;
}

void host_link_entry(struct host_entry *e, uint32_t job_id)
{
	unlink_entry(e);
	e->job_id = job_id;
	e->next = host.bucket[job_id % HOST_BUCKETS];
	host.bucket[job_id % HOST_BUCKETS] = (uint32_t)(e - host.entries);
}

void host_free_entry(struct host_entry *e)
{
	unlink_entry(e);
	*e = (struct host_entry){.next = host.free_list};
	host.free_list = (uint32_t)(e - host.entries);
}

/* The entry of a job with the lowest offer, running ones apart. */
struct host_entry *host_find_job(uint32_t job_id, bool running)
{
	struct host_entry *best = NULL, *e;
	uint32_t i;

	for (i = host.bucket[job_id % HOST_BUCKETS]; i != HOST_NONE;
	     i = e->next) {
		e = &host.entries[i];
		if (e->job_id != job_id ||
		    (e->state == ENTRY_RUNNING) != running)
			continue;
		if (!best || e->offer < best->offer)
			best = e;
	}
	return best;
}

/* The lowest unstarted entry of offers first..first+n-1. */
struct host_entry *host_find_offer(uint64_t first, uint32_t n)
{
	struct host_entry *best = NULL, *e;

	for (uint32_t i = 0; i < host.nentries; i++) {
		e = &host.entries[i];
		if (e->state != ENTRY_OFFERED && e->state != ENTRY_COMMITTED)
			continue;
		if (e->offer < first || e->offer - first >= n)
			continue;
		if (!best || e->offer < best->offer)
			best = e;
	}
	return best;
}

struct host_entry *host_find_ticket(uint64_t ticket)
{
	for (uint32_t i = 0; i < host.nentries; i++)
		if (host.entries[i].state != ENTRY_FREE &&
		    host.entries[i].ticket == ticket)
			return &host.entries[i];
	return NULL;
}

/* Take a job that is not running off the engine. */
void host_drop(struct host_entry *e, double now_s)
{
	libra_calls_withdraw(&host.calls, e->ticket, now_s);
	host_free_entry(e);
}
