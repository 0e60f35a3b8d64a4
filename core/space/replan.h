/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replan.h - find new starts for all reservations, and apply them if that is
 * better.
 *
 * A try (libra_replan_try()) writes a start for each reservation to s->tried
 * (INFINITY: none), and by node its spans to s->nodes->tried, and builds the
 * trial schedule.  Nothing else changes until the caller adopts the try
 * (libra_replan_adopt()).  The state has one try: the next try, and
 * libra_reservations_earliest_alone(), discard the last one.
 *
 * Only core/space calls these functions.  None allocates memory.
 */
#ifndef LIBRA_SPACE_REPLAN_H
#define LIBRA_SPACE_REPLAN_H

#include "core/space/planned.h"

/* Return the latest start (an instant) to which a replan may move a
 * reservation: its latest_s, or now if that is over.  After a loss it is
 * rules.margin_s later, or promised_s if that is later still.  So a start that
 * is due stays valid while the host submits it.  The result includes
 * LIBRA_DEADLINE_TOLERANCE_S.
 */
double libra_replan_bound_s(const struct libra_engine *e,
			    const struct libra_reservation *plan,
			    bool after_loss);

/* By node: discard the last try, and free its spans.  The trial schedule stays
 * as it is.
 */
void libra_replan_clear(struct libra_planned_state *s);

/* Try the earliest fit of each reservation, by libra_replan_bound_s(), beside
 * running jobs, holds and outages, in list order.  After a loss all are tried;
 * otherwise the try stops at the first that fits nowhere, and the starts behind
 * it are undefined.  A reservation that cannot start at any time, because nodes
 * are closed, stays without a start and does not count.  By node the try uses
 * the search budget, which the caller has set (libra_schedule_set_budget()).  A
 * reservation without a start is also one that the budget did not reach.
 * Result: true if all others have a start: the caller may adopt the try.
 * Cost:   O(reservations x timeline); by node also O(nodes) for each start that
 *         is tried.
 */
bool libra_replan_try(struct libra_engine *e, bool after_loss);

/* By node: try to keep all starts, if need be on other nodes.  A reservation
 * that has a start but no nodes yet starts now at the earliest.  The search
 * budget does not apply.
 * Result: true if nodes were found for all: the caller may adopt the try.
 * Cost:   O(reservations x (timeline + nodes)).
 */
bool libra_replan_try_starts(struct libra_engine *e);

/* Return the start that libra_replan_try_starts() tries for a reservation: its
 * own start; but now, if that start has passed and the reservation has no nodes
 * yet.  A reservation that was by count keeps its own start in any case.
 */
double libra_replan_start_s(const struct libra_engine *e,
			    const struct libra_reservation *plan);

/* Make the trial schedule, its starts and its spans the current ones, and free
 * the previous spans.  Then judge each promise (libra_replan_judge()), and
 * sort the list by latest start: indices change.  _starts: do not judge or
 * sort.
 */
void libra_replan_adopt(struct libra_planned_state *s);
void libra_replan_adopt_starts(struct libra_planned_state *s);

/* As libra_replan_try_starts(), and adopt the starts if nodes were found for
 * all (libra_replan_adopt_starts()).
 * Result: true if the try was adopted; always false if reservations have no
 *         nodes.
 */
bool libra_replan_keep_starts(struct libra_engine *e);

/* Repair the schedule after capacity was lost.  If not all fit by their latest
 * starts, keep the order of starts and delay each start within
 * libra_replan_bound_s(); that repairs a small loss (a restart takes seconds).
 * If that fails, keep as many promises as possible, and give all other jobs
 * the earliest start behind them.  Each of these searches has a budget of
 * e->search_work nodes; the first two share one.  A job that the last search
 * does not reach is unplaced.  The list is sorted again: indices
 * change.
 */
void libra_replan_repair(struct libra_engine *e);

/* Find starts for unplaced jobs beside the jobs that have one, within a budget
 * of e->search_work nodes, or of one pass over all nodes if that is more.  A
 * later call goes on where this one ended.  The caller has tested that all
 * reservations fit the current schedule.  The list is sorted again: indices
 * change.
 */
void libra_replan_repair_rest(struct libra_engine *e);

/* Test whether a listed reservation's promise holds with its start, and update
 * late, unreported and their counters.  Reset unplaced and sought_s.  If a
 * broken promise holds again, later replans may move the start as far as the
 * promise allows (not with rules.hard): latest_s changes, and the caller sorts
 * the list.  Without effect for an unplaced reservation without a start.
 */
void libra_replan_judge(struct libra_planned_state *s,
			struct libra_reservation *plan);

/* Return true if a reservation has a start but no nodes yet, as after a
 * restart.
 */
bool libra_replan_lacks_nodes(const struct libra_planned_state *s,
			      const struct libra_reservation *plan);

#endif
