/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned.h - the state of policies that reserve processors for waiting jobs.
 *
 * A waiting job with a promise has a reservation, and so has an aged ordinary
 * job (ordinary.h): a start, a duration and a number of processors.  Processors
 * of one kind are interchangeable, so a reservation names none: the job gets
 * its processors at the start.  "By node" (libra_engine_conf.by_node is set) a
 * reservation also names nodes (nodes.h), and all that follows holds for each
 * resource of each node.  Exception: while every node suits every reservation,
 * reservations are numbers of nodes ("by count", assign.h).  The engine owns
 * the state (e->state), and the state owns all arrays and lists in it.
 * core/space has no threads and no locks.  Names that end in _s are in seconds:
 * duration, estimate, margin and firm_age are durations, all others are
 * instants.
 *
 *     duration(j) = estimate + margin
 *     latest(j)   = the latest start to which a replan may move j:
 *                   deadline - duration, or the promised start
 *     timeline    = open processors - running jobs until their expected ends
 *                   - nodes that are out for a time (outages.h)
 *                   - nodes held for preempting jobs (holds.h)
 *                   + closed nodes from the end of their outage on, while that
 *                     end lies in the future
 *                   - waiting jobs over [start, start + duration)
 *     expected end of a running job = start + duration; when that is past,
 *                   now + max(overrun_floor, overrun x executed)
 *
 * THE INVARIANT: the timeline is never below 0, and every start lies in [now,
 * latest].  The processors in use are then never more than those reserved, so
 * the processors of every job that is due are free.  An early end or a
 * cancellation raises the timeline; reservations move earlier at the next call,
 * or in slices of their own (libra_engine_conf.compress_later).  An admission
 * uses a gap of the timeline, or replaces the schedule by another feasible one.
 * Only an overrun or the loss of a node can therefore break a promise (a node
 * that is not open at the end of its outage is lost).  After such a loss all
 * jobs are replanned.  A job that fits nowhere by its latest start gets the
 * earliest start behind the others.
 *
 * One call examines a limited number of nodes: the search budget.  A job that
 * a repair does not reach within the budget is unplaced: it keeps its promise,
 * and later calls find its start beside the jobs that have one.  While a job is
 * unplaced, no promise is made, no reservation moves earlier and no ordinary
 * job starts, as each of these could take the processors that the job needs.
 *
 * Each decision begins with libra_reservations_catch_up() (admit.h).  A change
 * of nodes, outages, holds or running jobs that can break the schedule sets
 * `must_repair`.  The schedule is not valid from then until the catch-up.
 */
#ifndef LIBRA_SPACE_PLANNED_H
#define LIBRA_SPACE_PLANNED_H

#include <math.h>

#include "core/formula/need.h"
#include "core/space/state.h"

/* The reservation of a waiting job.  latest_s is latest(j) above, or INFINITY
 * for a job that cannot start while nodes are closed.
 */
struct libra_reservation {
	double start_s; /* INFINITY = none at present */
	double latest_s;
	double promised_s; /* deadline - estimate: a later start breaks the
			      promise; INFINITY = no promise */
	double duration_s;
	double deadline_s, estimate_s; /* of the job */
	uint64_t order;		       /* of offers; breaks ties of latest_s */
	uint32_t nprocs, slot;
	/* By node: index of the placement constraint (libra_nodes.shapes), and
	 * the list of the nodes (spans.h); LIBRA_NO_SPAN = none.  The listed
	 * reservation owns the spans.
	 */
	uint32_t shape, spans;
	/* Unplaced: the job lost its start, and no repair has reached it yet.
	 * Searches so far have found no start before sought_s; 0 = no search.
	 */
	bool unplaced;
	double sought_s;
	bool firm;	 /* aged reservation of an ordinary job (ordinary.h) */
	bool late;	 /* libra_reservation_breaks() when last judged */
	bool unreported; /* late, and not reported to the host yet */
};

/* The parameters of a running policy. */
struct libra_planned_rules {
	struct libra_overrun overrun;
	double margin_s;	 /* added to each estimate */
	double firm_age_s;	 /* wait before an aged reservation */
	uint32_t held_back;	 /* processors that the first search for a start
				    leaves free */
	uint32_t pull_held_back; /* processors that compress leaves free */
	bool hard;		 /* latest_s = the promised start */
	bool replan;		 /* an admission may move other jobs */
	bool pull;		 /* compress when capacity has grown */
};

/* A pass of compress (compress.h).  While it is on, the next call begins at the
 * first reservation behind (latest_s, order).
 */
struct libra_pass {
	bool on;
	double latest_s;
	uint64_t order;
	/* Nodes that the pass may still visit in searches for a start now. */
	uint64_t budget;
};

struct libra_hold;

/* space.timeline is the timeline of the current schedule, and `trial` that of
 * the trial schedule (schedule.h).
 */
struct libra_planned_state {
	struct libra_space_state space; /* its queue holds ordinary jobs */
	struct libra_planned_rules rules;
	struct libra_reservation *waiting; /* by (latest_s, order) */
	double *tried; /* by index in waiting: start in the trial schedule */
	struct libra_timeline trial;
	struct libra_outage *outages; /* outages.h */
	uint32_t noutages;
	double *back_s; /* of each node: instant at which it is expected back;
			   -INFINITY = open, INFINITY = unknown (outages.h) */
	double turn_s;	/* next begin or end of an outage of a closed node */
	struct libra_nodes *nodes; /* NULL = not by node */
	uint32_t nwaiting, cap;
	uint32_t *places; /* of each slot: index in waiting when last found */
	uint32_t nplaces;
	/* Numbers of reservations with firm, late, unreported, unplaced set. */
	uint32_t nfirm, nlate, nunreported, nunplaced;
	uint64_t moves;		  /* libra_engine_plan_moves() */
	struct libra_hold *holds; /* holds for preempting jobs (holds.h) */
	uint32_t nholds;
	const uint64_t *asking; /* id of the job whose hold a rebuild leaves
				   out; NULL = none */
	bool must_repair;	/* the schedule must be rebuilt and repaired */
	bool capacity_grew; /* capacity has grown since the last pass began */
	struct libra_pass pass;
};

struct libra_planned_traits {
	/* Write the policy's parameters into rules. */
	void (*rules)(const struct libra_engine *e,
		      struct libra_planned_rules *rules);
	/* Return why the policy refuses a job whether or not it fits, or
	 * LIBRA_REASON_NONE.
	 */
	enum libra_reason (*refusal)(const struct libra_engine *e,
				     const struct libra_job *job);
	/* Return true if refusal() certainly refuses none of njobs such jobs,
	 * offered one after the other.
	 */
	bool (*surely_admits)(const struct libra_engine *e,
			      const struct libra_job *job, uint32_t njobs);
	/* Called after a job with a deadline was accepted or refused. */
	void (*decided)(struct libra_engine *e, const struct libra_job *job);
	/* Called when a job has ended after executed_s on its processors. */
	void (*ended)(struct libra_engine *e, const struct libra_job *job,
		      double executed_s);
	/* State that the policy learns in these calls: offset and size in bytes
	 * within its state, doubles only.
	 */
	size_t learned, learned_size;
};

static inline struct libra_planned_state *libra_planned_state(
	const struct libra_engine *e)
{
	return e->state;
}

static inline const struct libra_planned_traits *libra_planned_traits(
	const struct libra_engine *e)
{
	return e->policy->traits;
}

/* Return the instant at which a closed node is expected back: INFINITY if
 * unknown, -INFINITY if the node is open.
 */
static inline double libra_node_back_s(const struct libra_engine *e,
				       uint32_t node)
{
	return e->nodes[node].state == LIBRA_NODE_UP
		       ? -INFINITY
		       : libra_planned_state(e)->back_s[node];
}

/* Return true if the reservation starts too late for its promise, or has no
 * start.  False without a promise.
 */
static inline bool libra_reservation_breaks(
	const struct libra_reservation *plan)
{
	return plan->start_s > plan->promised_s + LIBRA_DEADLINE_TOLERANCE_S;
}

/* Return true if the job in a slot is a victim of the query gone (NULL: no
 * victims).
 * Cost: O(victims).
 */
static inline bool libra_is_victim(const struct libra_engine *e, uint32_t slot,
				   const struct libra_start_query *gone)
{
	for (uint32_t i = 0; gone && i < gone->ngone; i++)
		if (gone->gone[i] == e->slots[slot].ticket)
			return true;
	return false;
}

#endif
