/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evq.c - an indexed binary heap.
 *
 * heap[] holds the events in heap order, and place[] the index of each id's
 * event in heap[].  put() writes both, so an event is found by its id without a
 * search.
 */
#include "sim/base/evq.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

void evq_init(struct evq *q)
{
	memset(q, 0, sizeof(*q));
}

void evq_fini(struct evq *q)
{
	free(q->heap);
	free(q->place);
	evq_init(q);
}

/* Make room for an id and for as many events.  Result: 0, or -1 with ENOMEM. */
static int reserve(struct evq *q, uint32_t id)
{
	uint64_t cap = q->cap ? q->cap : 64;
	struct evq_event *heap;
	uint32_t *place;

	if (id < q->cap)
		return 0;
	while (cap <= id)
		cap *= 2;
	if (cap > UINT32_MAX) {
		errno = ENOMEM;
		return -1;
	}
	heap = realloc(q->heap, cap * sizeof(*heap));
	if (!heap)
		return -1;
	q->heap = heap;
	place = realloc(q->place, cap * sizeof(*place));
	if (!place)
		return -1;
	q->place = place;
	for (uint64_t i = q->cap; i < cap; i++)
		place[i] = NOWHERE;
	q->cap = (uint32_t)cap;
	return 0;
}

/* Return true if a comes before b.  Without branches, which would be
 * mispredicted.
 */
static inline bool before(const struct evq_event *a, const struct evq_event *b)
{
	return (a->at_s < b->at_s) |
	       ((a->at_s == b->at_s) & (a->serial < b->serial));
}

/* Write an event to a place of the heap, and the place to its id. */
static void put(struct evq *q, uint32_t place, struct evq_event event)
{
	q->heap[place] = event;
	q->place[event.id] = place;
}

/* Move the place up until its parent is not later, then put the event there. */
static void sift_up(struct evq *q, uint32_t place, struct evq_event event)
{
	while (place > 0) {
		uint32_t parent = (place - 1) / 2;

		if (!before(&event, &q->heap[parent]))
			break;
		put(q, place, q->heap[parent]);
		place = parent;
	}
	put(q, place, event);
}

/* Move the place down until no child is earlier, then put the event there. */
static void sift_down(struct evq *q, uint32_t place, struct evq_event event)
{
	for (;;) {
		uint32_t child = 2 * place + 1;

		if (child >= q->n)
			break;
		if (child + 1 < q->n)
			child += before(&q->heap[child + 1], &q->heap[child]);
		if (!before(&q->heap[child], &event))
			break;
		put(q, place, q->heap[child]);
		place = child;
	}
	put(q, place, event);
}

/* Put an event where the heap is in order again, above or below a place. */
static void settle(struct evq *q, uint32_t place, struct evq_event event)
{
	if (place > 0 && before(&event, &q->heap[(place - 1) / 2]))
		sift_up(q, place, event);
	else
		sift_down(q, place, event);
}

int evq_set(struct evq *q, uint32_t id, double at_s)
{
	struct evq_event event = {at_s, ++q->serial, id};

	if (reserve(q, id) < 0)
		return -1;
	if (q->place[id] == NOWHERE)
		sift_up(q, q->n++, event);
	else
		settle(q, q->place[id], event);
	return 0;
}

void evq_drop(struct evq *q, uint32_t id)
{
	uint32_t place;

	if (id >= q->cap || q->place[id] == NOWHERE)
		return;
	place = q->place[id];
	q->place[id] = NOWHERE;
	if (place != --q->n)
		settle(q, place, q->heap[q->n]);
}
