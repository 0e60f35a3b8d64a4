/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - which promise is a job's.
 *
 * A job is known by its record.  At first sight it is matched with the offer
 * that its record names, and the offer is committed.
 */
#ifndef LIBRA_HOST_MATCH_H
#define LIBRA_HOST_MATCH_H

#include <stdbool.h>

#include "plugin/engine/admin_comment.h"
#include "plugin/host/state.h"

/* What a job's record promises; where somebody has overwritten the record,
 * what we know ourselves.
 * Result: false if nothing; then errno is EINVAL if the record is damaged.
 */
bool host_read_promise(struct host_state *h, const struct libra_host_job *job,
		       struct libra_promise *promise);

/* After that, where a job is met for the first time: say that its record is
 * damaged, if it is.
 */
void host_report_damage(const struct host_state *h,
			const struct libra_host_job *job);

/* Is the job's partition not managed any more?  Then the job is Slurm's,
 * wherever it was promised to be.
 */
bool host_is_unmanaged(const struct host_state *h,
		       const struct libra_promise *promise);

/* An offer is this job's. */
bool host_commit(struct host_state *h, struct tracked_job *t, uint32_t job_id,
		 double now_s);

/* The tracked job of a job that has not started: known, matched with its offer
 * now, or NULL.
 */
struct tracked_job *host_match(struct host_state *h,
			       const struct libra_host_job *job,
			       const struct libra_promise *promise,
			       double now_s);

#endif
