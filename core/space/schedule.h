/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedule.h - reserved processors over time: the current and the trial
 * schedule.
 *
 * A schedule is the timeline of the machine (timeline.h) and, by node, a lane
 * for each node (lanes.h).  The current schedule holds all reservations in
 * force.  The trial schedule is scratch for replanning.  Both can be rebuilt
 * at any time from the running jobs and the list of reservations.  While
 * reservations are by count (assign.h), a schedule is the timeline alone: "by
 * node" below means libra_nodes_are_named().
 *
 * Only core/space calls these functions.  None decides about a job or allocates
 * memory.
 */
#ifndef LIBRA_SPACE_SCHEDULE_H
#define LIBRA_SPACE_SCHEDULE_H

#include "core/space/spans.h"

enum libra_schedule { LIBRA_CURRENT, LIBRA_TRIAL };

/* Search budget of one decision by node, in visits of nodes: each start that a
 * search tries costs e->nnodes.  The whole budget takes some milliseconds.  If
 * the budget is spent, a new job is refused, and a reservation is only
 * compressed if it can start now.
 */
#define LIBRA_SEARCH_BUDGET LIBRA_SEARCH_WORK

/* Reserve (sign 1) or release (-1) a reservation's processors over [start_s,
 * start_s + duration_s), and by node the spans on their lanes.  The spans stay
 * the caller's, also after a release.  The functions do not test whether the
 * processors are free.  Without effect if start_s is INFINITY.  _procs: the
 * timeline alone.
 */
void libra_schedule_change_procs(struct libra_timeline *p,
				 const struct libra_reservation *plan,
				 double start_s, int sign);
void libra_schedule_change(struct libra_engine *e, enum libra_schedule which,
			   const struct libra_reservation *plan, double start_s,
			   uint32_t spans, int sign);

/* Reserve or release a reservation at its own start on its own spans, in the
 * current schedule.
 */
void libra_schedule_reserve(struct libra_engine *e,
			    const struct libra_reservation *plan);
void libra_schedule_release(struct libra_engine *e,
			    const struct libra_reservation *plan);

/* Rebuild a schedule from running jobs, holds and outages, without waiting
 * jobs and without the victims in gone (NULL: no victims).  The caller then
 * reserves the waiting jobs.  _procs: the timeline alone.
 */
void libra_schedule_rebuild_procs(struct libra_engine *e,
				  enum libra_schedule which,
				  const struct libra_start_query *gone);
void libra_schedule_rebuild(struct libra_engine *e, enum libra_schedule which,
			    const struct libra_start_query *gone);

/* Set the search budget: the number of nodes that all later calls of
 * libra_schedule_find() together may examine.  Without effect if
 * libra_engine_conf.by_node is not set.  _has_budget, with by_node only: return
 * true if the budget is enough for all nodes once more.
 */
void libra_schedule_set_budget(struct libra_engine *e, uint64_t n);
bool libra_schedule_has_budget(const struct libra_engine *e);

/* Return the earliest start at or before latest_s at which the schedule has
 * `more` processors beyond the reservation's own, or INFINITY.  Nothing is
 * reserved.  *spans gets the list of the nodes, which the caller frees; it is
 * LIBRA_NO_SPAN if there is no start, or if the search is not by node.
 *
 * By node, each start tried takes e->nnodes from the search budget, and the
 * search ends with INFINITY when the budget is spent.  s->nodes->sought_s
 * becomes the start; without a start it becomes an instant after latest_s, or,
 * if the budget is spent, the instant at which a search may go on.  In the
 * current schedule the search begins at plan->sought_s, if that is after now.
 * Otherwise the search goes on where the last search ended, if that search was
 * for an equal reservation (libra_nodes_none_before_s()).  So a second call may
 * find a start that the budget of the first call did not reach.  All other
 * calls discard the last search of nodes.h.
 * Cost: O(timeline); by node, for each start tried that of
 *       libra_nodes_fit_later().
 */
double libra_schedule_find(struct libra_engine *e, enum libra_schedule which,
			   const struct libra_reservation *plan, uint32_t more,
			   double latest_s, uint32_t *spans);

/* Return the earliest start that a reservation of the current schedule could
 * have on its own nodes, before its present start, with `more` processors left
 * free until the present start.  INFINITY if there is none, or if the
 * reservation has no nodes.  Nothing changes.  By node only.
 * Cost: O(timeline + its nodes x their steps).
 */
double libra_schedule_find_before(struct libra_engine *e,
				  const struct libra_reservation *plan,
				  uint32_t more);

/* Return true if a reservation has no start and cannot get one in this
 * schedule at any time, because nodes are closed or out for ever.  By node the
 * test uses the search budget.
 * Result: false also if the search budget is spent.
 * Cost:   by node O(nodes) if the reservation has room at the end of the
 *         timeline, else that of libra_schedule_find().
 */
bool libra_schedule_is_hopeless(struct libra_engine *e,
				enum libra_schedule which,
				const struct libra_reservation *plan);

/* Return the earliest fit on a timeline at or before latest_s that leaves
 * held_back processors free, or INFINITY.  Nodes and the search budget are
 * ignored.
 * Cost: O(timeline).
 */
double libra_schedule_earliest_fit(struct libra_engine *e,
				   const struct libra_timeline *p,
				   const struct libra_reservation *plan,
				   uint32_t held_back, double latest_s);

/* Return libra_schedule_earliest_fit(); if it is INFINITY, the earliest fit
 * with no processors held back.
 */
double libra_schedule_preferred_fit(struct libra_engine *e,
				    const struct libra_timeline *p,
				    const struct libra_reservation *plan,
				    uint32_t held_back, double latest_s);

/* Rebuild one set of lanes, as libra_schedule_rebuild() does with the timeline:
 * from running jobs, holds and outages, without the victims in gone (NULL: no
 * victims).
 * Cost: O(nodes, and the spans of running jobs); O(1) for the trial lanes if
 *       they have the running jobs alone already (trial_is_base).
 */
void libra_lanes_begin(struct libra_engine *e, struct libra_lanes *lanes,
		       const struct libra_start_query *gone);

/* Release the tried spans of all reservations on the trial lanes.  The spans
 * stay in s->nodes->tried: see libra_replan_clear().
 */
void libra_lanes_undo_trial(struct libra_engine *e);

#endif
