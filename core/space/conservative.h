/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conservative.h - conservative backfilling: a reservation for every job.
 *
 * A job that comes is promised the earliest start at which it delays none that
 * came before it, by the estimates.  When a job ends early, the waiting ones
 * are planned again in order of submission, each at its earliest start, until
 * none moves any more; none gets a later start by that.  Only a running job
 * that exceeds its estimate can break a promise; it counts as ending now, and
 * as soon as a start has been missed all reservations are made anew, in order
 * of submission.
 */
#ifndef LIBRA_SPACE_CONSERVATIVE_H
#define LIBRA_SPACE_CONSERVATIVE_H

#include "core/space/state.h"

/* Room for the steps of all live jobs.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_conservative_reserve(struct libra_engine *e);

/* A job that was to hold processors until end_s releases them now. */
void libra_conservative_release(struct libra_engine *e, double end_s,
				uint32_t nprocs);

/* The job at a place of the queue is to be taken out of it. */
void libra_conservative_withdraw(struct libra_engine *e, uint32_t place);

/* Renew the plan, and start the jobs whose time has come.
 * Cost: O(steps) for each job that is new; O(jobs x steps) after an early end.
 */
void libra_conservative_schedule(struct libra_engine *e);

#endif
