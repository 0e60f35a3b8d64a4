/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.h - jobs without a promise, beside jobs with one.
 *
 * Ordinary jobs start in order of submission, and only in gaps: their
 * processors must be free now and for their whole duration, before
 * reservations need them.  The first job that cannot start gets a reservation
 * at its earliest fit, for one pass; other jobs may start if they do not delay
 * it (EASY).  By node there is no such reservation, because the host starts
 * ordinary jobs.
 *
 * A new promise may delay the oldest ordinary job.  Once it has waited for
 * firm_age, it therefore gets an aged reservation, which does not move.  Only
 * one such reservation exists at a time.
 *
 * Only core/space calls these functions.  None allocates memory.
 */
#ifndef LIBRA_SPACE_ORDINARY_H
#define LIBRA_SPACE_ORDINARY_H

#include "core/space/planned.h"

/* Add the job in a slot to the queue of ordinary jobs (_add), or remove the job
 * (_drop).
 */
void libra_ordinary_add(struct libra_engine *e, uint32_t slot);
void libra_ordinary_drop(struct libra_engine *e, uint32_t slot);

/* If the oldest job has waited for firm_age, give the job an aged reservation
 * and remove it from the queue.
 * Result: true if it got one.
 */
bool libra_ordinary_firm(struct libra_engine *e);

/* Return the instant at which the oldest job will have waited for firm_age;
 * INFINITY: no job waits, or an aged reservation exists.
 */
double libra_ordinary_firm_s(const struct libra_engine *e);

/* Return true if a job can start now beside all reservations, and run for its
 * estimate.
 * fits:         on any processors.
 * fits_on:      by node, on the processors that a start query names.
 * fits_instead: the same, if the victims of the query did not run.  The trial
 *               schedule is rebuilt, unless query->again is set: the last call
 *               did so for the same victims.
 */
bool libra_ordinary_fits(struct libra_engine *e, const struct libra_job *job);
bool libra_ordinary_fits_on(struct libra_engine *e, const struct libra_job *job,
			    const struct libra_start_query *query);
bool libra_ordinary_fits_instead(struct libra_engine *e,
				 const struct libra_job *job,
				 const struct libra_start_query *query);

/* Start the ordinary jobs that can start now. */
void libra_ordinary_start(struct libra_engine *e);

#endif
