/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.h - bring the engine up to date with Slurm, and tracked jobs with the
 * engine.
 *
 * Callers: host.c, lifecycle.c, submit.c, update.c and earliest_fit.c, in any
 * thread, under the host's lock and Slurm's locks of jobs and nodes, to read at
 * least.  Only host_charge() changes data of Slurm's jobs: its caller has the
 * write lock.  If memory is out for a report to the engine, the report is
 * repeated at the next call.
 */
#ifndef LIBRA_HOST_SYNC_H
#define LIBRA_HOST_SYNC_H

#include "plugin/host/state.h"

/* Bring everything up to date.  Each call does a part of the sweep (sweep.h)
 * and carries out all queued actions (actions.h).  A call reads the nodes if
 * Slurm has changed them or a second has passed.  Once a second, and when a
 * planned start has come, a call updates suspended jobs, corrected estimates,
 * ordinary jobs and the schedule, and saves learned data.  A pointer to a
 * tracked job may be invalid afterwards.
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
 * job has used over the last minute, for accounting.  A call charges at most 16
 * jobs.  Each job is due once a second.  For policies with planned starts
 * nothing is charged.
 * Result: true if jobs are left for this second.
 */
bool host_charge(struct host_state *h, double now_s);

/* Let the engine move reservations earlier where capacity has grown: one slice
 * of at most 5,000 steps.  The last slice also carries out the engine's actions
 * and compares planned starts with the records.  While running jobs are still
 * being restored, nothing happens.  The thread of starter.h calls this until no
 * work is left (libra_host_look()).  libra_host_may_run() calls this once
 * before the test of an ordinary job, so that capacity that has become free
 * goes to promised jobs first.
 * Result: true if work is left.
 * Cost:   docs/performance.md has the microseconds of a slice.
 */
bool host_compress(struct host_state *h, double now_s);

#endif
