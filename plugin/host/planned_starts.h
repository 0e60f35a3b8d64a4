/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_starts.h - the planned starts of promised jobs: what records say of
 * them, what a restart restores, what is kept for those that are due.
 */
#ifndef LIBRA_HOST_PLANNED_STARTS_H
#define LIBRA_HOST_PLANNED_STARTS_H

#include "plugin/engine/admin_comment.h"
#include "plugin/host/state.h"

/* Plans may have moved: the records of those that did are stale.  What became
 * of promises is said: those that Slurm does not start in time are broken, and
 * others hold again.
 */
void host_planned_starts_sync(struct host_state *h, double now_s);

/* A task of an array has started: the record of the others names their starts
 * alone.
 */
void host_planned_starts_go_on(struct host_state *h,
			       const struct tracked_job *started);

/* A job's promise cannot be kept any more: say so, and why. */
void host_planned_starts_late(struct host_state *h, struct tracked_job *t,
			      double now_s);

/* A record says that the promise is broken. */
void host_planned_starts_broken(struct tracked_job *t,
				const struct libra_promise *promise);

/* Processors that jobs were told to start on and do not run on yet, added to a
 * placement, in Slurm's nodes.
 */
void host_planned_starts_kept(struct host_state *h,
			      struct libra_host_placement *placement);

/* A waiting job of a record, or its task of this number, as it was planned.
 * Result: the tracked job, or NULL: it is reported.
 */
struct tracked_job *host_planned_starts_restore(
	struct host_state *h, const struct libra_host_job *job,
	const struct libra_promise *p, uint32_t task, uint64_t first,
	double now_s);

#endif
