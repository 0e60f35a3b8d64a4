/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assign.h - assign nodes to all reservations at once, at given starts.
 *
 * A start is found on the timeline, which does not know nodes.  A reservation
 * may therefore fit at a start and yet find no nodes, because the other jobs
 * are on the wrong ones.  Then all waiting jobs get nodes again, in order of
 * their starts.  This cannot fail if the nodes are alike and
 *     each job has whole nodes, or
 *     no job asks for more than processors.
 * It may fail for jobs that want certain nodes or other resources.
 *
 * Only core/space calls these functions.  None allocates memory.
 */
#ifndef LIBRA_SPACE_ASSIGN_H
#define LIBRA_SPACE_ASSIGN_H

#include "core/space/nodes.h"

/* Choose whether reservations are by count, or have nodes.  By count a
 * reservation is a number of nodes, and its job gets the first nodes that are
 * free when it starts.  A count is enough if each node is as good as any other,
 * because then the job can take whichever nodes are free.  So reservations of
 * an engine with conf.compress_later are by count while
 *     all nodes are alike, and each reservation may have any of them
 *     no outage of an open node lies ahead
 *     there is no hold for a preempting job
 *     for an hour no request has come that not all nodes suit
 *
 * Call this when the schedule is rebuilt.  Reservations that were by count have
 * no nodes afterwards: see libra_replan_keep_starts().
 * Cost: O(reservations, their spans, and outages).
 */
void libra_assign_choose(struct libra_engine *e);

/* If not all nodes suit a reservation, let no reservation be by count for an
 * hour from now on.  Call this before a search, when the schedule is valid, and
 * call libra_reservations_refresh() afterwards, which gives nodes to the other
 * reservations.
 */
void libra_assign_ask(struct libra_engine *e,
		      const struct libra_reservation *plan);

/* Assign nodes to all reservations at the starts in s->tried (INFINITY: none),
 * on the trial lanes.  s->nodes->tried, which must be empty, gets the spans.
 * Result: false if a reservation found no nodes; the trial lanes are invalid
 * then.
 */
bool libra_assign_nodes(struct libra_engine *e);

/* Return true if libra_assign_nodes() cannot fail for the present reservations
 * and one more (or NULL).
 */
bool libra_assign_is_certain(const struct libra_engine *e,
			     const struct libra_reservation *more);

#endif
