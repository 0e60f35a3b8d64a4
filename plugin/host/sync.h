/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.h - bring the engine up to date with Slurm, and tracked jobs with the
 * engine.
 *
 * Called under the host's lock and Slurm's locks of jobs and nodes, to read at
 * least.
 */
#ifndef LIBRA_HOST_SYNC_H
#define LIBRA_HOST_SYNC_H

#include "plugin/host/state.h"

/* Bring everything up to date: nodes, a part of the sweep, suspended jobs,
 * ordinary jobs, the schedule, the engine's actions.  Most of it is done at
 * most once a second; nodes also if Slurm has changed them, the schedule also
 * at a planned start.  A pointer to a tracked job may be invalid afterwards.
 */
void host_sync(struct host_state *h, double now_s);

/* Report changed states of nodes and their outages to the engine, at once.
 * Cost:   the number of nodes.
 */
void host_sync_nodes(struct host_state *h, double now_s);

/* Report to the engine that suspended jobs have made no progress. */
void host_sync_suspended(struct host_state *h, double now_s);

/* Note that a running job is suspended or resumed from now on. */
void host_suspend(struct host_state *h, struct tracked_job *t, bool suspended,
		  double now_s);

/* Report to Slurm (ops->charge) which fraction of its processors each running
 * job has used lately, for accounting.  A call charges at most 16 jobs; each
 * job is charged once a second.  Only for policies without planned starts.
 * Result: true if jobs are left for this second.
 */
bool host_charge(struct host_state *h, double now_s);

/* Let the engine move reservations earlier where capacity has grown: a slice of
 * counted work.  Jobs start, and records follow, when all slices are done.
 * The thread of starter.h calls it until no work is left (libra_host_look()). A
 * question whether an ordinary job may start waits for one slice, so that it
 * does not take what a promised job could use. Result: true if work is left.
 * Cost:   docs/performance.md has the microseconds of a slice.
 */
bool host_compress(struct host_state *h, double now_s);

#endif
