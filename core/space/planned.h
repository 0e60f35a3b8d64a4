/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned.h - jobs that wait with a promise, on processors of their own.
 *
 * Processors of one kind are interchangeable, so a plan names none: it is one
 * start for each job that waits, and the profile of free processors over time.
 * Processors are taken at the start.  Where nodes matter it names them, too
 * (nodes.h), and all that follows holds for each of their resources.
 *
 *     duration(j) = estimate + margin
 *     latest(j)   = the instant up to which the plan may move the start of j:
 *                   deadline - duration, or the start it was told
 *     profile     = open processors - running jobs until their expected ends
 *                   - nodes that are out for a time (outages.h)
 *                   + closed nodes from the end of their outage on, while that
 *                     lies in the future
 *                   - waiting jobs over [start, start + duration)
 *     expected end of a job that runs = start + duration; when that is past,
 *                   now + max(overrun_floor, overrun x executed)
 *
 * THE INVARIANT: the profile is nowhere below 0, and every start lies in
 * [now, latest].  Then in every instant the processors of the jobs that are due
 * are free, for those in use are no more than those planned.  An early end or a
 * cancellation raises the profile; an admission fills a hole of it, or adopts
 * another plan that is feasible.  So a promise is broken by an overrun or the
 * loss of a node alone (a node that is not open at the end of its outage is one
 * that is lost); then all is planned again, and what finds no place by
 * its latest start gets the earliest one there is, behind the others.
 *
 * One call looks at so many nodes for that and no more.  Whom it does not come
 * to is pending: it keeps its promise, and its place is found by the calls that
 * follow, behind those that have one.  Until all have, nothing new is promised,
 * no plan comes forward and no ordinary job starts, for any of that could take
 * the place.
 */
#ifndef LIBRA_SPACE_PLANNED_H
#define LIBRA_SPACE_PLANNED_H

#include <math.h>

#include "core/formula/need.h"
#include "core/space/state.h"

/* A job that waits, as planned. */
struct libra_reservation {
	double start_s; /* INFINITY = never, as things are */
	double latest_s;
	double promised_s; /* deadline - estimate: a later start breaks its
			      promise; INFINITY = it has none */
	double duration_s;
	double deadline_s, estimate_s; /* of the job */
	uint64_t order;		       /* of offers: ties of latest_s */
	uint32_t nprocs, slot;
	/* By node: how it may be spread, and where it is (nodes.h). */
	uint32_t shape, spans;
	/* It lost its place, and a repair has not come to it yet: it has none
	 * until then, and before that instant there is none.
	 */
	bool pending;
	double sought_s;
	bool firm;   /* an ordinary job that has waited for too long */
	bool late;   /* libra_reservation_breaks(), when last judged */
	bool untold; /* and nobody has said so yet */
};

/* The parameters of a policy, as it runs. */
struct libra_planned_rules {
	struct libra_overrun overrun;
	double margin_s;
	double firm_age_s;
	uint32_t held_back; /* processors, in the first search for a hole */
	uint32_t pull_held_back; /* where a plan comes forward */
	bool hard;		 /* latest = the start it was told */
	bool replan;
	bool pull; /* plans forward, when the profile has risen */
};

struct libra_hold;

struct libra_planned_state {
	struct libra_space_state space; /* its queue: ordinary jobs */
	struct libra_planned_rules rules;
	struct libra_reservation *waiting; /* by (latest_s, order) */
	double *tried; /* a start for each, not adopted yet */
	struct libra_timeline trial;
	struct libra_outage *outages; /* outages.h */
	uint32_t noutages;
	double *back_s; /* by node: when it is expected back; -INFINITY = it is
			   open, INFINITY = unknown (outages.h) */
	double turn_s;	/* an outage of a closed node begins or ends next */
	struct libra_nodes *nodes; /* NULL = nodes do not matter */
	uint32_t nwaiting, cap;
	uint32_t *places; /* in waiting, of each slot, as last found */
	uint32_t nplaces;
	uint32_t nfirm, nlate, nuntold, npending;
	uint64_t moves;		 /* libra_engine_plan_moves() */
	struct libra_hold *kept; /* places (holds.h) */
	uint32_t nkept;
	const uint64_t *asking; /* this job's is not laid; NULL = all are */
	bool stale;		/* the profile must be made anew */
	bool raised;		/* it has risen since plans were looked at */
};

struct libra_planned_traits {
	/* Fill in the rules. */
	void (*rules)(const struct libra_engine *e,
		      struct libra_planned_rules *rules);
	/* Is a job refused, though it may have a place? */
	enum libra_reason (*refusal)(const struct libra_engine *e,
				     const struct libra_job *job);
	/* Does that refuse none of so many, offered one after the other? */
	bool (*surely_admits)(const struct libra_engine *e,
			      const struct libra_job *job, uint32_t njobs);
	/* A job with a deadline was refused or accepted. */
	void (*decided)(struct libra_engine *e, const struct libra_job *job);
	/* A job has run for so long and is gone. */
	void (*ended)(struct libra_engine *e, const struct libra_job *job,
		      double executed_s);
	/* What it keeps of that: bytes of the policy's state, all doubles. */
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

/* Return when a closed node is expected back: INFINITY if that is not known,
 * and -INFINITY if the node is open.
 */
static inline double libra_node_back_s(const struct libra_engine *e,
				       uint32_t node)
{
	return e->nodes[node].state == LIBRA_NODE_UP
		       ? -INFINITY
		       : libra_planned_state(e)->back_s[node];
}

/* Does it start too late for its promise? */
static inline bool libra_reservation_breaks(
	const struct libra_reservation *plan)
{
	return plan->start_s > plan->promised_s + LIBRA_DEADLINE_TOLERANCE_S;
}

/* Would the job in a slot be gone?  gone may be NULL. */
static inline bool libra_is_victim(const struct libra_engine *e, uint32_t slot,
				   const struct libra_start_query *gone)
{
	for (uint32_t i = 0; gone && i < gone->ngone; i++)
		if (gone->gone[i] == e->slots[slot].ticket)
			return true;
	return false;
}

#endif
