/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedule.h - where processors are taken over time: as adopted, and as tried.
 *
 * A draft is a profile of how many processors are free and, where nodes matter,
 * a line of what each node has (nodes.h).  There are two: the one that holds,
 * and one to try plans in.  What lies in them comes from the list of plans and
 * the jobs that run; a draft decides nothing.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_SCHEDULE_H
#define LIBRA_SPACE_SCHEDULE_H

#include "core/space/spans.h"

enum libra_schedule { LIBRA_CURRENT, LIBRA_TRIAL };

/* Nodes that a decision may look at where it searches hole by hole: some
 * milliseconds, as a search for a deadline.  Where more would be needed a job
 * is refused, or not pulled forward but to now.
 */
#define LIBRA_SEARCH_BUDGET LIBRA_SEARCH_WORK

/* Take (sign 1), or give (-1), what a plan has from a start on; nothing where
 * that is INFINITY.  _procs: in a profile alone.
 */
void libra_schedule_change_procs(struct libra_timeline *p,
				 const struct libra_reservation *plan,
				 double start_s, int sign);
void libra_schedule_change(struct libra_engine *e, enum libra_schedule draft,
			   const struct libra_reservation *plan, double start_s,
			   uint32_t spans, int sign);

/* A plan at its start, in what is adopted. */
void libra_schedule_reserve(struct libra_engine *e,
			    const struct libra_reservation *plan);
void libra_schedule_release(struct libra_engine *e,
			    const struct libra_reservation *plan);

/* The jobs that run, but for those that would be gone (NULL: none), and
 * outages, and nothing else.  _procs: without nodes.
 */
void libra_schedule_rebuild_procs(struct libra_engine *e,
				  enum libra_schedule draft,
				  const struct libra_start_query *gone);
void libra_schedule_rebuild(struct libra_engine *e, enum libra_schedule draft,
			    const struct libra_start_query *gone);

/* How many nodes may be looked at from here on, and whether all may be once
 * more.  Without nodes there is nothing to bound.
 */
void libra_schedule_set_budget(struct libra_engine *e, uint64_t n);
bool libra_schedule_has_budget(const struct libra_engine *e);

/* The first start by an instant with so many processors more than the plan has,
 * or INFINITY; by node *spans are its nodes, the caller's, else LIBRA_NO_SPAN,
 * and s->nodes->sought_s is how far was looked.  In what is adopted a plan is
 * looked for from its own sought_s on.
 */
double libra_schedule_find(struct libra_engine *e, enum libra_schedule draft,
			   const struct libra_reservation *plan, uint32_t more,
			   double latest_s, uint32_t *spans);

/* Has a plan without a start no place in a draft at any time, nor any behind
 * all that is laid, as nodes are closed or out for ever?  false also where no
 * more may be looked at.
 */
bool libra_draft_is_hopeless(struct libra_engine *e, enum libra_schedule draft,
			     const struct libra_reservation *plan);

/* The first hole in a profile by an instant that leaves so many processors free
 * beside it, or INFINITY.  It knows no nodes.
 */
double libra_schedule_earliest_fit(struct libra_engine *e,
				   const struct libra_timeline *p,
				   const struct libra_reservation *plan,
				   uint32_t held_back, double latest_s);

/* The same, with processors held back if it can. */
double libra_schedule_preferred_fit(struct libra_engine *e,
				    const struct libra_timeline *p,
				    const struct libra_reservation *plan,
				    uint32_t held_back, double latest_s);

/* What jobs that run, but for those that would be gone (NULL: none), and
 * outages leave of the nodes.
 */
void libra_lanes_begin(struct libra_engine *e, struct libra_lanes *lanes,
		       const struct libra_start_query *gone);

#endif
