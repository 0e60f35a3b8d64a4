/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conservative.h - conservative backfilling: a reservation for every job.
 *
 * A new job gets the earliest start at which, by the estimates, it delays no
 * job that came before it.  When a job ends early, the waiting jobs are
 * compressed: each gets its earliest start, in order of submission, until none
 * moves any more.  No start becomes later by that.  Only a running job that
 * exceeds its estimate can break a reservation.  Such a job counts as ending
 * now.  When a reserved start has been missed, all reservations are replanned
 * in order of submission.
 *
 * Only core/space calls these functions.  Only libra_conservative_reserve()
 * allocates.
 */
#ifndef LIBRA_SPACE_CONSERVATIVE_H
#define LIBRA_SPACE_CONSERVATIVE_H

#include "core/space/state.h"

/* Reserve memory for the steps of all live jobs.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_conservative_reserve(struct libra_engine *e);

/* Release the nprocs processors of a job that has ended now and was expected to
 * end at end_s.
 */
void libra_conservative_release(struct libra_engine *e, double end_s,
				uint32_t nprocs);

/* Release the reservation of the job at a place of the queue, before the
 * caller removes the job.
 */
void libra_conservative_withdraw(struct libra_engine *e, uint32_t place);

/* Update the reservations, and start each job whose start is due.
 * Cost: O(steps) for each new job; O(jobs x steps) for each pass after an
 * early end.
 */
void libra_conservative_schedule(struct libra_engine *e);

#endif
