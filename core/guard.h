/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard.h - when the starvation guard looks for the oldest ordinary job, and
 * which jobs it skips.
 *
 * The guard asks its host for the oldest job that has waited for firm_age, and
 * gives that job an aged reservation.  It skips a job, and older ones, for ten
 * minutes if it finds no reservation for the job twice in a row, as once may be
 * due to a repair of the schedule, or if the job cannot use its reservation.
 *
 * Pure arithmetic.  Instants are seconds on the host's clock.
 */
#ifndef LIBRA_GUARD_H
#define LIBRA_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* Initialise with zeros. */
struct libra_guard {
	double asked_s;	   /* last look for the oldest job; 0 = look at once */
	uint64_t tried_id; /* job without a fit at the last try; 0 = none */
	/* Jobs up to this submission, and up to this id at equal submissions,
	 * are skipped until until_s.
	 */
	double passed_s, until_s;
	uint64_t passed_id;
	uint32_t given_up; /* reservations given up since one has started */
};

/* Return true if it is time to look for the oldest job, which the caller then
 * does: each second to each minute, and after a reservation was given up once
 * a minute to once an hour.
 */
bool libra_guard_looks(struct libra_guard *g, double age_s, double now_s);

/* Return true if a job is skipped at the last look. */
bool libra_guard_skips(const struct libra_guard *g, double submit_s,
		       uint64_t id);

/* Note that no reservation was found for a job.
 * Result: true if the job is skipped from now on.
 */
bool libra_guard_failed(struct libra_guard *g, double submit_s, uint64_t id,
			double now_s);

/* Note that a job got its reservation; that the reservation was given up. */
void libra_guard_reserved(struct libra_guard *g);
void libra_guard_gave_up(struct libra_guard *g, double submit_s, uint64_t id,
			 double now_s);

#endif
