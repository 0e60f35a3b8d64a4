/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replan.h - all plans tried anew, and adopted if that is better.
 *
 * A try leaves a start for each plan in s->tried (INFINITY: none) and the trial
 * draft beside it; nothing else changes before it is adopted.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_REPLAN_H
#define LIBRA_SPACE_REPLAN_H

#include "core/space/planned.h"

/* How far a plan may move: to its latest start, or, after a loss, by the margin
 * more and as far as its promise holds.  A start that is due holds until its
 * submission has gone through.
 */
double libra_replan_bound_s(const struct libra_engine *e,
			    const struct libra_reservation *plan,
			    bool after_loss);

/* Forget where plans were tried last. */
void libra_replan_clear(struct libra_planned_state *s);

/* Each at its earliest hole among the running jobs, in order; after a loss all
 * are tried, else up to the first that finds none.  A plan that has no place at
 * any time, as nodes are closed, is in nobody's way: it stays without a start.
 * Result: whether all others have one.
 */
bool libra_replan_try(struct libra_engine *e, bool after_loss);

/* By node: all at the starts that they have, if need be on other nodes.  Who
 * was told a start and has no nodes yet begins now at the earliest.
 * Result: whether that is found.
 */
bool libra_replan_try_starts(struct libra_engine *e);

/* What was tried becomes the plan, and the trial draft the adopted one.
 * _starts: without a look at what promises are worth.
 */
void libra_replan_adopt(struct libra_planned_state *s);
void libra_replan_adopt_starts(struct libra_planned_state *s);

/* libra_replan_try_starts(), adopted.  Result: whether it was found; always
 * false where nodes do not matter.
 */
bool libra_replan_keep_starts(struct libra_engine *e);

/* After a loss.  A little one, as of some seconds after a restart, leaves all
 * plans as they were, in order of their starts, but somewhat later.  Else as
 * many as can keep their promises.  Each of these searches looks at
 * e->search_work nodes; whom the last one does not come to is pending.
 */
void libra_replan_repair(struct libra_engine *e);

/* Places for those that are pending beside those that have one, as far as one
 * call may look.  All that have one must fit.
 */
void libra_replan_repair_rest(struct libra_engine *e);

/* What a plan's promise is worth with its start.  One that holds again may move
 * up to its end.
 */
void libra_replan_judge(struct libra_planned_state *s,
			struct libra_reservation *plan);

/* After a restart: who was told a start has no nodes yet. */
bool libra_replan_lacks_nodes(const struct libra_planned_state *s,
			      const struct libra_reservation *plan);

#endif
