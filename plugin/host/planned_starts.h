/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_starts.h - the planned starts of promised jobs: keep records up to
 * date, log broken promises, restore reservations after a restart.
 *
 * Callers: sync.c, actions.c, lifecycle.c, restore.c and host.c, in any thread,
 * under the host's lock.  Only host_planned_starts_restore() needs locks of
 * Slurm, those of jobs and nodes, to read at least.  The functions mark records
 * as stale; host_jobs_flush() (job_record.h) writes them.
 */
#ifndef LIBRA_HOST_PLANNED_STARTS_H
#define LIBRA_HOST_PLANNED_STARTS_H

#include "plugin/engine/admin_comment.h"
#include "plugin/host/state.h"

/* Compare all waiting promised jobs with the current schedule, at most once a
 * second, but at once if a reservation has moved and compress has no work left.
 * If a start has moved by a second or more, the record becomes stale.  If a
 * start is a minute later than the user was told, the decision log gets the
 * event "moved".  If a job may start, but Slurm did not start it in time for
 * its deadline, its promise is marked and logged as broken.  If a job with a
 * broken promise can meet its deadline after all, its promise is marked and
 * logged as holding.
 * Cost:   the number of tracked jobs.
 */
void host_planned_starts_sync(struct host_state *h, double now_s);

/* Note that a task of an array has started.  The record names the starts of
 * waiting tasks only, so the record of these becomes stale.
 */
void host_planned_starts_go_on(struct host_state *h,
			       const struct tracked_job *started);

/* Mark a job's promise as broken, set how late the job ends, and log the cause.
 * If the promise is broken already, only the lateness changes.  An ordinary job
 * has no promise: then nothing changes.
 */
void host_planned_starts_late(struct host_state *h, struct tracked_job *t,
			      double now_s);

/* Copy the cause of a broken promise from a record to a tracked job; "" if the
 * promise is not broken.
 */
void host_planned_starts_broken(struct tracked_job *t,
				const struct libra_promise *promise);

/* Append to a placement the processors of jobs that may start now and do not
 * run yet, by Slurm's node numbers.  If memory is out, the processors of some
 * jobs are missing.
 * Owner:  the caller frees placement->parts.
 */
void host_planned_starts_kept(struct host_state *h,
			      struct libra_host_placement *placement);

/* Restore the reservation of a waiting job, or of one task of an array, from
 * its record.  task: the index of its start in the record.  first: as for
 * host_jobs_add().
 * Result: the tracked job; NULL if the engine has no room or memory is out,
 *         which is logged.
 */
struct tracked_job *host_planned_starts_restore(
	struct host_state *h, const struct libra_host_job *job,
	const struct libra_promise *p, uint32_t task, uint64_t first,
	double now_s);

#endif
