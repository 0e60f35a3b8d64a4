/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spans.h - the nodes of a reservation or a running job: a list of spans.
 *
 * A span is one node with an amount of each resource.  A list is named by its
 * first span; LIBRA_NO_SPAN is the empty list.  A list has one owner, who
 * returns it to the pool with libra_spans_free(): a reservation
 * (libra_reservation.spans), a running job (libra_nodes.held), a hold, a try
 * (libra_nodes.tried), or the caller of the function that returned the list.
 * Spans come from a pool in struct libra_nodes.  libra_nodes_reserve()
 * (planned_memory.h) makes the pool larger; no function here allocates memory.
 * nodes.h finds spans for a job.
 *
 * Only core/space calls these functions.
 */
#ifndef LIBRA_SPACE_SPANS_H
#define LIBRA_SPACE_SPANS_H

#include "core/where.h"
#include "core/space/lanes.h"
#include "core/space/planned.h"

struct libra_span {
	uint32_t node, next; /* next in its list, or LIBRA_NO_SPAN */
};

/* The placement constraint of a job. */
struct libra_shape {
	struct libra_where where; /* its pointers may be invalid: not read */
	bool anywhere; /* all nodes are allowed; else libra_nodes.allowed has
			  the allowed ones */
	/* each: no constraint, or the nodes are alike and all suit the job.
	 * plain: no constraint, or each is set and the job may have any number
	 * of nodes.
	 */
	bool plain, each;
	uint64_t per_chunk[LIBRA_RESOURCES], per_node[LIBRA_RESOURCES];
};

/* Return true if a job may have n nodes. */
static inline bool libra_shape_has(const struct libra_shape *shape, uint32_t n)
{
	return shape->where.min_nodes <= n &&
	       (shape->where.max_nodes == 0 || shape->where.max_nodes >= n);
}

/* How far the last search on the current schedule has come, and for which
 * request (libra_nodes_note_reached()).  An equal request has no start before
 * start_s, with `more` processors left free, until resources are released.  So
 * the search for a task of an array goes on where the search for the task
 * before ended.
 */
struct libra_found {
	bool holds;	   /* no other search and no adopted schedule since */
	uint64_t releases; /* libra_lanes.releases of the current lanes at the
			    search; a greater count ends the validity */
	struct libra_shape shape;
	uint64_t *allowed; /* bits of nodes, unless shape.anywhere */
	uint32_t nprocs, more;
	double duration_s, start_s;
};

/* Nodes that a search skips at a time; elements of libra_nodes.until_s. */
#define LIBRA_NODE_RANGE    LIBRA_PEAK_NODES
#define LIBRA_KNOWN(nnodes) ((nnodes) + (nnodes) / LIBRA_NODE_RANGE + 1)

/* The memory of reservations by node: lanes, spans, placement constraints. */
struct libra_nodes {
	uint32_t width; /* resources, including processors */
	bool alike;	/* each node has one processor, and the same amounts of
			   other resources */
	struct libra_lanes now, trial;
	bool trial_is_base; /* the trial lanes have the running jobs alone */
	struct libra_node_fit *fits; /* scratch: nnodes elements */
	/* The last search, on the current or on the trial lanes.  known, by
	 * node, is the room that the search found at a start; nprocs is 0 if
	 * there is none.  The room is the same at each later start before
	 * until_s, by node; -INFINITY: the room is not known.  Behind the
	 * nodes, until_s has the least of each LIBRA_NODE_RANGE nodes;
	 * -INFINITY if one has room.
	 */
	struct libra_node_fit *known;
	double *until_s;
	struct libra_found found;
	struct libra_span *spans;
	int64_t *amounts;   /* width amounts for each span */
	uint32_t nspans;    /* spans that were ever in use */
	uint32_t free_span; /* list of the spans that are not in use now */
	uint32_t spans_cap; /* spans in memory */
	uint64_t counted;   /* upper bound for the spans of all jobs: the last
			       count, and the jobs that have come since */
	/* By slot, and one more for a job that is only tried. */
	struct libra_shape *shapes;
	uint64_t *allowed; /* bits of nodes: `words` words for each shape */
	uint32_t *held;	   /* spans of a running job */
	uint32_t nshapes, words;
	uint32_t *tried; /* by index in waiting: spans in the trial schedule */
	uint32_t ntried;
	uint32_t *order;   /* scratch: indices in waiting, by start */
	uint64_t budget;   /* rest of the search budget (schedule.h) */
	double sought_s;   /* where the last libra_schedule_find() ended */
	bool must_rebuild; /* timeline and lanes must be rebuilt */
	/* Reservations are by count (assign.h): no reservation has nodes, and
	 * the lanes are out of date.
	 */
	bool by_count;
	bool gives_nodes;     /* a rebuild gives nodes to reservations that were
				  by count: overdue starts do not move to now */
	double constrained_s; /* instant of the last request that not all nodes
				suit; -INFINITY = none */
};

/* Return true if the engine plans by node and each reservation has nodes of its
 * own.
 */
static inline bool libra_nodes_are_named(const struct libra_planned_state *s)
{
	return s->nodes && !s->nodes->by_count;
}

/* Forget the room of a node in the last search, as the node has less free now.
 * A node without room still has none.  After a release this is not enough: call
 * libra_nodes_search().
 */
static inline void libra_nodes_forget(const struct libra_nodes *r,
				      uint32_t node)
{
	if (r->known[node].nprocs > 0)
		r->until_s[node] = -INFINITY;
}

/* Take a span from the pool, with all amounts 0, and put it before the list
 * next.
 * Result: the span, which names the longer list.  LIBRA_NO_SPAN if the pool is
 *         empty; the list next is unchanged.
 */
uint32_t libra_spans_new(struct libra_nodes *rooms, uint32_t node,
			 uint32_t next);

/* Return the amounts of a span, an array of width elements.  The array is valid
 * until libra_nodes_reserve() is called.
 */
static inline int64_t *libra_span_amounts(const struct libra_nodes *rooms,
					  uint32_t span)
{
	return &rooms->amounts[(size_t)span * rooms->width];
}

/* Return a list to the pool and set *spans to the empty list.  The amounts on
 * the lanes stay reserved: see libra_schedule_release().  Without effect if
 * rooms is NULL.
 */
void libra_spans_free(struct libra_nodes *rooms, uint32_t *spans);

/* Return a copy of the list spans, less the amounts that n other lists have on
 * the same nodes, but not below 0.  The caller frees the copy, which is
 * incomplete if the pool is empty.
 * Cost: O(spans of the list x spans of the others).
 */
uint32_t libra_spans_beyond(struct libra_engine *e, uint32_t spans,
			    const uint32_t *others, uint32_t n);

/* _count: return the number of spans in a list.  _procs: return the number of
 * their processors.
 */
uint64_t libra_spans_count(const struct libra_nodes *rooms, uint32_t spans);
int64_t libra_spans_procs(const struct libra_nodes *rooms, uint32_t spans);

/* Return true if the nodes of a list are open and have its processors free
 * now, or would have them without the victims in gone (NULL: no victims).  The
 * test ignores other resources and reservations.  True for the empty list.
 */
bool libra_spans_are_free(const struct libra_engine *e, uint32_t spans,
			  const struct libra_start_query *gone);

/* Assign the processors of spans to the job in a slot, in the processor map
 * (procs.h) alone.  The caller has tested that the processors are free.  The
 * spans stay the caller's.
 */
void libra_spans_take(struct libra_engine *e, uint32_t slot, uint32_t spans);

#endif
