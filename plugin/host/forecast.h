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

/* Return when the first waiting task of a job starts at the latest, as things
 * are: now if it may start.
 * Result: NAN if the job has no promise.
 */
double host_starts_s(struct host_state *h, uint32_t job_id);

/* Return when a running job ends: now if it has run for longer than its
 * estimate.
 * Result: NAN if the job has no promise.
 */
double host_ends_s(struct host_state *h, uint32_t job_id);

/* Return when the last of the waiting promised jobs has ended; now if none
 * waits.
 */
double host_last_end_s(struct host_state *h);

/* Release all that waiting tasks of a job were promised: Slurm only asked about
 * the job.
 */
void host_forget(struct host_state *h, uint32_t job_id);

#endif
