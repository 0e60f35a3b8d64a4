/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outages.h - stretches of time in which nodes take no job.
 *
 * An open node takes no job from the start of an outage to its end: no
 * reservation overlaps an outage.  A closed node with an outage that has begun
 * is expected back at the end of that outage.  Reservations may use the node
 * from then on, less the processors of jobs that still run there.  If the host
 * has not opened the node by then, the node offers nothing until the host
 * opens it, and reservations on it are repaired.  A closed node without an
 * outage that has begun offers nothing.
 *
 * If reservations are not by node, an outage counts as a number of processors.
 * The host must then ensure that no job is left on a node when its outage
 * begins.
 *
 * Only core/space calls these functions.  Only libra_outages_init() allocates.
 */
#ifndef LIBRA_SPACE_OUTAGES_H
#define LIBRA_SPACE_OUTAGES_H

#include "core/space/nodes.h"

/* Mark all nodes as open.
 * Result: 0, or -1 with ENOMEM.  Call libra_outages_fini() in either case.
 */
int libra_outages_init(struct libra_engine *e);

/* Set back_s of all nodes: when closed nodes are expected back.  If an outage
 * of a closed node has begun or ended, set must_repair.  Call this before
 * reservations are read.
 */
void libra_outages_pass(struct libra_engine *e);

/* Reserve the outages on a timeline that has the running jobs, and add the
 * closed nodes from the instants at which they are expected back.  gone: the
 * victims that the timeline does not have (NULL: no victims).
 */
void libra_outages_take(const struct libra_engine *e, struct libra_timeline *p,
			const struct libra_start_query *gone);

/* By node: add all resources of closed nodes to their lanes, from the instant
 * at which each is expected back.  Call it before jobs are reserved on the
 * lanes.
 */
void libra_outages_add_back(const struct libra_engine *e,
			    struct libra_lanes *lanes);

/* Set the lanes to nothing free during outages.  Call this after jobs are
 * reserved on the lanes: during an outage nothing is free, whatever runs there.
 */
void libra_outages_take_lanes(const struct libra_engine *e,
			      struct libra_lanes *lanes);

/* Reserve (sign 1) or release (-1) on a timeline the processors of a running
 * job on closed nodes, from the instant at which each node is expected back to
 * end_s, the job's end.
 */
void libra_outages_change_job(const struct libra_engine *e,
			      struct libra_timeline *p, uint32_t slot,
			      double end_s, int sign);

#endif
