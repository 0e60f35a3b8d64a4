/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.h - when waiting jobs start and running ones end, by the estimates
 * that promises were made by; Slurm knows time limits alone, and those of
 * promised jobs are lifted.
 *
 * Nothing here is a promise.  All times are instants.
 */
#ifndef LIBRA_HOST_FORECAST_H
#define LIBRA_HOST_FORECAST_H

#include "plugin/host/state.h"

/* When the first task of a waiting job that has a promise starts at the latest,
 * as things are.  Result: NAN if it has none.
 */
double host_starts_s(struct host_state *h, uint32_t job_id);

/* When a running job that has a promise ends; one that is over its estimate
 * may do so at any time, so now.  Result: NAN if it has none.
 */
double host_ends_s(struct host_state *h, uint32_t job_id);

/* When the last of those that wait with a promise has ended; now if none does.
 */
double host_last_end_s(struct host_state *h);

/* Slurm only asked about a job, and makes none: what it was promised is free.
 */
void host_forget(struct host_state *h, uint32_t job_id);

#endif
