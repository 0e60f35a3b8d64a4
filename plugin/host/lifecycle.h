/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifecycle.h - what happens to jobs: first sight, start, end, restart of
 * slurmctld.
 *
 * A job is known by its record.  At first sight it is matched with the offer
 * that its record names; where there is none any more, it asks again.
 */
#ifndef LIBRA_HOST_LIFECYCLE_H
#define LIBRA_HOST_LIFECYCLE_H

#include "plugin/host/promise.h"
#include "plugin/host/state.h"

/* As the entry points of the same names in host.h. */
enum libra_host_place host_place(struct host_state *h,
				 const struct libra_host_job *job,
				 struct libra_host_placement *placement);
void host_started(struct host_state *h, const struct libra_host_job *job,
		  struct libra_host_placement *placement);
void host_restore(struct host_state *h, const struct libra_host_job *job,
		  struct libra_host_placement *placement);
void host_ended(struct host_state *h, uint32_t job_id);

/* What a job's record promises; where somebody has overwritten the record,
 * what we know ourselves.
 * Result: false if nothing; then errno is EINVAL if the record is damaged.
 */
bool host_read_promise(struct host_state *h, const struct libra_host_job *job,
		       struct libra_promise *promise);

/* The tracked job of a job that has not started: known, matched with its offer
 * now, or NULL.
 */
struct tracked_job *host_match(struct host_state *h,
			       const struct libra_host_job *job,
			       const struct libra_promise *promise,
			       double now_s);

#endif
