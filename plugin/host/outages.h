/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outages.h - Slurm's reservations, and nodes that are away, as what plans go
 * round.
 *
 * A node is out from the beginning of a reservation to its end: plans, which
 * name their nodes, lie before or behind it.  A node that is down or drained
 * while it is reserved counts as back at the end.
 */
#ifndef LIBRA_HOST_OUTAGES_H
#define LIBRA_HOST_OUTAGES_H

#include "plugin/host/state.h"

/* Read Slurm's reservations, if they may have changed.  One that recurs is read
 * for its next fourteen times, as Slurm moves it, and its nodes count as out
 * for good from then on: nothing is promised there that a later time would
 * break.
 */
void host_outages_read(struct host_state *h, double now_s);

/* Is a node out now? */
bool host_outages_is_out(const struct host_state *h, uint32_t node);

/* Until when?  NAN: it is not. */
double host_outages_end_s(const struct host_state *h, uint32_t node);

/* Tell the engine what was read, and when nodes that are away are expected back
 * (away.h), after the states of nodes.
 */
void host_outages_report(struct host_state *h, double now_s);

/* A new engine knows none; and the end. */
void host_outages_forget(struct host_state *h);

#endif
