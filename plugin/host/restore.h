/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * restore.h - restore promises from the records of jobs when slurmctld starts
 * or is reconfigured.
 *
 * A promise is restored without an admission test.  So a promise that may have
 * been released is not restored, as other jobs may have its processors: the
 * promise of a job that is held, or was requeued, or left its array.  Called
 * under the host's lock and Slurm's job write lock.
 */
#ifndef LIBRA_HOST_RESTORE_H
#define LIBRA_HOST_RESTORE_H

#include <stdbool.h>

#include "plugin/engine/admin_comment.h"
#include "plugin/host/state.h"

/* Restore the promises of a waiting job, or of all waiting tasks of an array;
 * see libra_host_restore().  A job whose promise cannot be restored asks for
 * another.
 */
void host_restore(struct host_state *h, const struct libra_host_job *job,
		  struct libra_host_placement *placement);

/* Restore one job, or one task of an array, on the processors that its record
 * names.  running: the job runs there.  first: as for host_jobs_add().
 * Result: NULL if it cannot be restored; the reason is logged.
 */
struct tracked_job *host_restore_ticket(struct host_state *h,
					const struct libra_host_job *job,
					const struct libra_promise *promise,
					bool running, uint64_t first,
					double now_s);

#endif
