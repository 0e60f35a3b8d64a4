/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outages.h - report Slurm's advance reservations, and nodes that are away, to
 * the engine as outages of nodes.
 *
 * A node is out from the start of an advance reservation to its end, and no job
 * of the schedule overlaps this time.  A node that is down or drained during an
 * advance reservation counts as back at its end.  Only groups whose starts are
 * planned have outages.  Called in any thread, under the host's lock and
 * Slurm's read lock of nodes; host_outages_forget() needs no lock of Slurm.
 */
#ifndef LIBRA_HOST_OUTAGES_H
#define LIBRA_HOST_OUTAGES_H

#include "plugin/host/state.h"

/* Read Slurm's advance reservations, if they may have changed.  Of a recurring
 * one the next fourteen times are read.  Its nodes count as out for ever from
 * the last of these, so that no later time can break a promise.  If memory is
 * out, the next call reads them again.
 * Cost:   advance reservations times nodes.
 */
void host_outages_read(struct host_state *h, double now_s);

/* Return true if a node was out at the last read. */
bool host_outages_is_out(const struct host_state *h, uint32_t node);

/* Return the instant at which the present outage of a node ends; NAN: the node
 * was not out at the last read.
 */
double host_outages_end_s(const struct host_state *h, uint32_t node);

/* Report to the engine the outages that were read, and when nodes that are away
 * are expected back (away.h).  The states of nodes must be reported first.  If
 * memory is out, the engine keeps the former outages until the next call.
 */
void host_outages_report(struct host_state *h, double now_s);

/* Free all outages, as the engine is new or ends. */
void host_outages_forget(struct host_state *h);

#endif
