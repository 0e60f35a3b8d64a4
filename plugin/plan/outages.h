/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outages.h - Slurm's reservations, as what plans go round.
 *
 * Plans name no nodes.  Where a reservation has all nodes of a group, nothing
 * is planned over it.  Of a reservation of some nodes the plans must also know
 * that no job is left on these when it begins: they are closed for promises
 * before it, for as long as the longest job of the group's partitions may take
 * (MaxTime), and from now on where that is unlimited.  Both end with the
 * reservation, and plans may count on that.
 */
#ifndef LIBRA_PLAN_OUTAGES_H
#define LIBRA_PLAN_OUTAGES_H

#include "plugin/host/state.h"

/* Read Slurm's reservations.  Result: whether any is or will be. */
bool host_outages_read(struct host_state *h, double now_s);

/* Is a node to be closed, for a reservation of some nodes? */
bool host_outages_closes(const struct host_state *h, uint32_t node);

/* Is a node out now? */
bool host_outages_is_out(const struct host_state *h, uint32_t node);

/* What was read is told to the engine, after the states of nodes. */
void host_outages_tell(struct host_state *h, double now_s);

/* A new engine knows none; and the end. */
void host_outages_forget(struct host_state *h);

#endif
