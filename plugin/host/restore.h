/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * restore.h - promises that are restored from the records when slurmctld starts
 * or is configured anew.
 *
 * They are restored without a test: a record is only believed where nobody else
 * can have been promised the same since.
 */
#ifndef LIBRA_HOST_RESTORE_H
#define LIBRA_HOST_RESTORE_H

#include <stdbool.h>

#include "plugin/engine/admin_comment.h"
#include "plugin/host/state.h"

/* As libra_host_restore(). */
void host_restore(struct host_state *h, const struct libra_host_job *job,
		  struct libra_host_placement *placement);

/* One job, or task, on the processors that its record names; running, it may
 * have been there all the time.  first is as for host_jobs_add().
 * Result: NULL if it cannot be restored: the reason is logged.
 */
struct tracked_job *host_restore_ticket(struct host_state *h,
					const struct libra_host_job *job,
					const struct libra_promise *promise,
					bool running, uint64_t first,
					double now_s);

#endif
