/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outages.h - stretches of time in which nodes take no job.
 *
 * An open node takes no job from the beginning of an outage to its end: no
 * plan overlaps an outage.  A closed node with an outage that has begun is
 * expected back at the end of that outage: plans may use it from then on, less
 * the processors of jobs that still run there.  The expectation ends with the
 * outage.  If the host has not opened the node by then, the node gives nothing
 * until the host opens it, and plans that counted on it are repaired.  A closed
 * node without an outage that has begun gives nothing.
 *
 * Where plans are not by node they count how many processors are out: then the
 * host must see to it that no job is left on a node when its outage begins.
 */
#ifndef LIBRA_SPACE_OUTAGES_H
#define LIBRA_SPACE_OUTAGES_H

#include "core/space/nodes.h"

/* Result: 0, or -1 with ENOMEM; fini in any case. */
int libra_outages_init(struct libra_engine *e);

/* Find when closed nodes are expected back.  If an outage of a closed node has
 * begun or ended, mark the state stale.  Call it before plans are looked at.
 */
void libra_outages_pass(struct libra_engine *e);

/* Take the outages from a profile of the running jobs, and give it the closed
 * nodes that are expected back.  gone (NULL: none): jobs that are not laid.
 */
void libra_outages_lay(const struct libra_engine *e, struct libra_timeline *p,
		       const struct libra_start_query *gone);

/* Where plans are by node: give the lines of closed nodes all that these nodes
 * have, from when they are expected back.  Call it before jobs are laid.
 */
void libra_outages_lay_back(const struct libra_engine *e,
			    struct libra_lanes *lanes);

/* Take the outages from the lines.  Call it after jobs are laid: nothing is
 * free on a node that is out, whatever runs there.
 */
void libra_outages_lay_line(const struct libra_engine *e,
			    struct libra_lanes *lanes);

/* Take (sign 1) from a profile what a running job will have on closed nodes,
 * from when they are expected back until the job's end; or give it (-1).
 */
void libra_outages_lay_job(const struct libra_engine *e,
			   struct libra_timeline *p, uint32_t slot,
			   double end_s, int sign);

#endif
