/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.h - forecast when promised jobs start and end.
 *
 * The forecasts use the estimates of the promises.  Slurm knows only time
 * limits, and those of promised jobs are raised.  A forecast has no guarantee.
 * All times are instants.  Called by the functions of the same names in host.h,
 * under the host's lock and Slurm's job write lock.
 */
#ifndef LIBRA_HOST_FORECAST_H
#define LIBRA_HOST_FORECAST_H

#include "plugin/host/state.h"

/* Return when the first waiting task of a job starts at the latest, by the
 * present schedule: now if it may start, INFINITY if it has no start.
 * Result: NAN if no task with a promise waits.
 */
double host_starts_s(struct host_state *h, uint32_t job_id);

/* Return when a running job ends: now if it has run for longer than its
 * estimate.
 * Result: NAN if the job does not run, or has no promise.
 */
double host_ends_s(struct host_state *h, uint32_t job_id);

/* Return when the last of the waiting promised jobs has ended: now if none
 * waits, INFINITY if one of them has no start.
 * Cost:   the number of tracked jobs.
 */
double host_last_end_s(struct host_state *h);

/* Withdraw the promises of all waiting tasks of a job.  Call this for a job
 * that got a promise only because Slurm tested it (sbatch --test-only).
 */
void host_forget(struct host_state *h, uint32_t job_id);

#endif
