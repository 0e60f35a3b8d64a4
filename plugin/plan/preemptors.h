/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemptors.h - ordinary jobs that others are preempted for.
 *
 * Each is noted from the first time on: it may stop others for some minutes
 * alone, so that nobody is stopped for ever for who does not start.
 */
#ifndef LIBRA_PLAN_PREEMPTORS_H
#define LIBRA_PLAN_PREEMPTORS_H

#include "plugin/host/state.h"

/* May others be stopped for a job now?  If they are it is to be noted. */
bool host_preemptors_may_stop(struct host_state *h,
			      const struct libra_host_job *job, double now_s);
void host_preemptors_note(struct host_state *h, uint32_t job_id, double now_s);

/* A job runs. */
void host_preemptors_started(struct host_state *h,
			     const struct libra_host_job *job, double now_s);

/* Once a second: who is cancelled, or is held, does not come. */
void host_preemptors_sync(struct host_state *h, double now_s);

#endif
