/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemption.h - ordinary jobs for which Slurm preempts others, and the hold of
 * processors for each.
 *
 * From its first preemption on a job may preempt others for five minutes and
 * the grace time of its victims, and again after an hour.  So a job that never
 * starts does not stop others for ever.  While the engine holds the victims'
 * processors for a job, the job may preempt no others.  Each hold is also in a
 * file (kept_file.h), from which a new engine restores it.  The file is written
 * when a hold begins, moves or ends, at most four times a second.
 *
 * Called under the host's lock and Slurm's job write lock.
 */
#ifndef LIBRA_HOST_PREEMPTION_H
#define LIBRA_HOST_PREEMPTION_H

#include "plugin/host/state.h"

/* save:  write the file, if it is outdated; before the engine is replaced.
 * begin: drop all holds, as the engine is new; the file is read later.
 * end:   save and forget all jobs.
 */
void host_preemption_save(struct host_state *h);
void host_preemption_begin(struct host_state *h);
void host_preemption_end(struct host_state *h);

/* Restore the holds of jobs that still wait, once for each engine: when running
 * jobs and nodes were reported, and before the first decision.  A hold that
 * cannot be restored is logged.
 */
void host_preemption_restore(struct host_state *h, double now_s);

/* Return true if others may be preempted for a job now; false also if
 * HOST_PREEMPTORS jobs have preempted lately.
 */
bool host_preemption_may_stop(struct host_state *h,
			      const struct libra_host_job *job, double now_s);

/* Note that others are preempted for a job, with the processors and victims of
 * the start query, which the engine has accepted.
 */
void host_preemption_note(struct host_state *h, const struct libra_job *job,
			  const struct libra_start_query *opening,
			  double now_s);

/* Note that a job runs: its hold ends. */
void host_preemption_started(struct host_state *h,
			     const struct libra_host_job *job, double now_s);

/* Once a second: cancel the hold of each job that was cancelled, is held, has
 * to wait for a time or another job, or whose nodes will not be back in time.
 * Forget holds that the engine has ended.
 */
void host_preemption_sync(struct host_state *h, double now_s);

#endif
