/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evq.h - a queue of events: at most one for each id.
 *
 * A binary heap of (instant, id).  The order is total: by instant, then first
 * in, first out.  Moving an event counts as adding it again.  Memory grows with
 * the greatest id and is never shrunk.  sim/run calls it, for ends of jobs and
 * of predictions.
 */
#ifndef SIM_EVQ_H
#define SIM_EVQ_H

#include <stddef.h>
#include <stdint.h>

struct evq_event {
	double at_s;
	uint64_t serial;
	uint32_t id;
};

struct evq {
	struct evq_event *heap;
	uint32_t *place; /* of each id in the heap; UINT32_MAX = none */
	uint32_t n, cap; /* events; ids are below cap */
	uint64_t serial;
};

/* Make an empty queue; evq_fini() frees its memory and leaves it empty. */
void evq_init(struct evq *q);
void evq_fini(struct evq *q);

/* Set or move the event of an id to an instant.
 * Result: 0, or -1 with ENOMEM and the events as they were.
 * Cost:   O(log events).
 */
int evq_set(struct evq *q, uint32_t id, double at_s);

/* Drop the event of an id, if it has one.  Cost: O(log events). */
void evq_drop(struct evq *q, uint32_t id);

/* Return the next event, or NULL.  The queue owns it, until the queue changes.
 */
static inline const struct evq_event *evq_top(const struct evq *q)
{
	return q->n > 0 ? &q->heap[0] : NULL;
}

#endif
