/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_starts.h - the planned starts of promised jobs: keep records up to
 * date, log broken promises, restore reservations after a restart.
 *
 * Called under the host's lock and Slurm's job write lock.
 */
#ifndef LIBRA_HOST_PLANNED_STARTS_H
#define LIBRA_HOST_PLANNED_STARTS_H

#include "plugin/engine/admin_comment.h"
#include "plugin/host/state.h"

/* Compare all waiting promised jobs with the current schedule: once a second,
 * or if a reservation has moved and no slice of compress is left.  The record
 * of a job whose start has moved by a second or more is to be written.  A
 * promise is marked and logged as broken if Slurm did not start the job in
 * time, and as holding again if the job can meet its deadline after all.
 */
void host_planned_starts_sync(struct host_state *h, double now_s);

/* Note that a task of an array has started: the record is to be written, as it
 * names the starts of the other tasks only.
 */
void host_planned_starts_go_on(struct host_state *h,
			       const struct tracked_job *started);

/* Mark a job's promise as broken, and log the cause.  An ordinary job has none.
 */
void host_planned_starts_late(struct host_state *h, struct tracked_job *t,
			      double now_s);

/* Take the cause of a broken promise from a record; "" if it is not broken. */
void host_planned_starts_broken(struct tracked_job *t,
				const struct libra_promise *promise);

/* Append to a placement the processors of jobs that may start now and do not
 * run yet, by Slurm's node numbers.  If memory is out, some are missing.
 */
void host_planned_starts_kept(struct host_state *h,
			      struct libra_host_placement *placement);

/* Restore the reservation of a waiting job, or of one task of an array, from
 * its record.  first: as for host_jobs_add().
 * Result: the tracked job; NULL if there is no room or no memory, which is
 *         logged.
 */
struct tracked_job *host_planned_starts_restore(
	struct host_state *h, const struct libra_host_job *job,
	const struct libra_promise *p, uint32_t task, uint64_t first,
	double now_s);

#endif
