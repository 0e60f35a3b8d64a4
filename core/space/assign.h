/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assign.h - nodes for all plans at once, at starts that are given.
 *
 * A start is found in the profile, which knows no nodes, and plans are bound to
 * theirs: so one may find room at a start and no node, as the others lie.  Then
 * all that wait get nodes anew in the order of their starts.  Who comes behind
 * all that begin before it finds free what the profile says, so that it works
 * out where nodes are alike and
 *     each job has whole ones of them, or
 *     nobody asks for more than processors.
 * With jobs that want certain nodes or other resources it may fail.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_ASSIGN_H
#define LIBRA_SPACE_ASSIGN_H

#include "core/space/nodes.h"

/* Nodes for all plans at the starts in tried (INFINITY: none), into the trial
 * line and rooms->tried, which has none yet.
 * Result: false if one found none; the trial line is of no use then.
 */
bool libra_assign_nodes(struct libra_engine *e);

/* Does it always work out for the plans there are, and one more (or NULL)? */
bool libra_assign_is_certain(const struct libra_engine *e,
			     const struct libra_reservation *more);

#endif
