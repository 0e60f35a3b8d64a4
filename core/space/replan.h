/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replan.h - find new starts for all reservations, and apply them if that is
 * better.
 *
 * A try writes a start for each reservation to s->tried (INFINITY: none), and
 * builds the trial schedule.  Nothing else changes until the caller adopts the
 * try.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_REPLAN_H
#define LIBRA_SPACE_REPLAN_H

#include "core/space/planned.h"

/* Return the latest start (an instant) to which a replan may move a
 * reservation: its latest_s, or now if that is over.  After a loss add the
 * margin, and allow any start that keeps the promise.  So a start that is due
 * stays valid while the host submits it.
 */
double libra_replan_bound_s(const struct libra_engine *e,
			    const struct libra_reservation *plan,
			    bool after_loss);

/* Discard the last try. */
void libra_replan_clear(struct libra_planned_state *s);

/* Try the earliest fit of each reservation beside the running jobs, in list
 * order.  After a loss all are tried; otherwise the try stops at the first
 * that fits nowhere, and the starts behind it are undefined.  A reservation
 * that cannot start at any time, because nodes are closed, stays without a
 * start and does not count.
 * Result: true if all others have a start.
 */
bool libra_replan_try(struct libra_engine *e, bool after_loss);

/* By node: try to keep all starts, if need be on other nodes.  A reservation
 * that has a start but no nodes yet starts now at the earliest.
 * Result: true if nodes were found for all.
 */
bool libra_replan_try_starts(struct libra_engine *e);

/* Return the start that libra_replan_try_starts() tries for a reservation: its
 * own start; but now, if that start has passed and the reservation has no nodes
 * yet.  A reservation that was by count keeps its own start in any case.
 */
double libra_replan_start_s(const struct libra_engine *e,
			    const struct libra_reservation *plan);

/* Make the trial schedule and its starts the current ones, and judge each
 * promise (libra_replan_judge()).  _starts: do not judge.
 */
void libra_replan_adopt(struct libra_planned_state *s);
void libra_replan_adopt_starts(struct libra_planned_state *s);

/* As libra_replan_try_starts(), and adopt the try if nodes were found for all.
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
 * does not reach is unplaced.
 */
void libra_replan_repair(struct libra_engine *e);

/* Find starts for unplaced jobs beside the jobs that have one, within the
 * search budget of one call.  The caller has tested that all reservations fit.
 */
void libra_replan_repair_rest(struct libra_engine *e);

/* Test whether a reservation's promise holds with its start, and update late
 * and untold.  If a broken promise holds again, later replans may move the
 * start as far as the promise allows.
 */
void libra_replan_judge(struct libra_planned_state *s,
			struct libra_reservation *plan);

/* Return true if a reservation has a start but no nodes yet, as after a
 * restart.
 */
bool libra_replan_lacks_nodes(const struct libra_planned_state *s,
			      const struct libra_reservation *plan);

#endif
