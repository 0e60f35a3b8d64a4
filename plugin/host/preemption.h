/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemption.h - ordinary jobs for which Slurm preempts others, and the hold of
 * processors for each.
 *
 * A job may preempt others until five minutes and the grace time of its victims
 * have passed since its first preemption.  An hour after the first preemption
 * another such period begins.  So a job that never starts does not stop others
 * for ever.  While the engine holds the victims' processors for a job, the job
 * may preempt no others.  Each hold is also in a file (kept_file.h), from which
 * a new engine restores it.  The file is written when a hold begins, moves or
 * ends, at most four times a second.  If memory is out for the file's text, the
 * hold exists in the engine only, which is logged.
 *
 * Callers: ordinary.c, sync.c, reconfigure.c and groups.c, in any thread, under
 * the host's lock and Slurm's lock of jobs, to read at least.  The functions
 * save, begin and end need no lock of Slurm.  A write of the file may wait for
 * the disk.
 */
#ifndef LIBRA_HOST_PREEMPTION_H
#define LIBRA_HOST_PREEMPTION_H

#include "plugin/host/state.h"

/* save:  if the file is outdated, write it.  Call this before the engine is
 *        replaced.
 * begin: drop all holds, as the engine is new; host_preemption_restore() reads
 *        the file later.
 * end:   save, then forget all jobs.
 */
void host_preemption_save(struct host_state *h);
void host_preemption_begin(struct host_state *h);
void host_preemption_end(struct host_state *h);

/* Restore the holds of jobs that still wait, once for each engine.  Call this
 * when running jobs and nodes were reported, and before the first decision.  A
 * hold that cannot be restored is logged.  If the file cannot be read now (no
 * memory, a disk error), the next call tries again.
 */
void host_preemption_restore(struct host_state *h, double now_s);

/* Return true if Slurm may preempt job->victims for a job now.  Return false if
 * the job has a hold for other victims, if its five minutes are over, or if all
 * HOST_PREEMPTORS entries are in use.
 */
bool host_preemption_may_stop(struct host_state *h,
			      const struct libra_host_job *job, double now_s);

/* Note that Slurm preempts others for a job.  query: the start query that the
 * engine has accepted, with the processors and the victims.  If the engine
 * holds processors for the job now, the hold is written to the file.
 */
void host_preemption_note(struct host_state *h, const struct libra_job *job,
			  const struct libra_start_query *query, double now_s);

/* Note that a job, or a task of an array, runs: end its hold, if there is one.
 */
void host_preemption_started(struct host_state *h,
			     const struct libra_host_job *job, double now_s);

/* Once a second: cancel the hold of each job that is gone, held, or waits for a
 * time or another job.  Cancel a hold, too, if one of its nodes is closed and
 * not expected back before the hold ends.  Forget holds that the engine has
 * ended.
 */
void host_preemption_sync(struct host_state *h, double now_s);

#endif
