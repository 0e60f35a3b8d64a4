/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemption.h - ordinary jobs that others are preempted for.
 *
 * Each is noted from the first time on: it may stop others for some minutes
 * alone, so that nobody is stopped for ever for who does not start, and no more
 * of them while its place is kept.  That place lies in a file, too
 * (kept_file.h), which is written when a place comes, moves or goes, but a few
 * times a second at most, and from which a new engine has it again.
 */
#ifndef LIBRA_HOST_PREEMPTION_H
#define LIBRA_HOST_PREEMPTION_H

#include "plugin/host/state.h"

/* There is a new engine; and there is none any more.  Before a new one: the
 * file has the places of now.
 */
void host_preemption_save(struct host_state *h);
void host_preemption_begin(struct host_state *h);
void host_preemption_end(struct host_state *h);

/* Once, when a new engine has all jobs and knows the nodes, and before anything
 * is decided: places of those that still wait are kept as before.
 */
void host_preemption_restore(struct host_state *h, double now_s);

/* May others be stopped for a job now?  If they are, it is to be noted where it
 * was asked for.
 */
bool host_preemption_may_stop(struct host_state *h,
			      const struct libra_host_job *job, double now_s);
void host_preemption_note(struct host_state *h, const struct libra_job *job,
			  const struct libra_start_query *opening,
			  double now_s);

/* A job runs. */
void host_preemption_started(struct host_state *h,
			     const struct libra_host_job *job, double now_s);

/* Once a second: who is cancelled, or is held, does not come; and places may be
 * over.
 */
void host_preemption_sync(struct host_state *h, double now_s);

#endif
