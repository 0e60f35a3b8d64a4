/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard.h - when the starvation guard looks for the oldest ordinary job, and
 * which jobs it skips.
 *
 * The host looks for the oldest job that has waited for firm_age, and gives
 * that job an aged reservation (core/space/ordinary.h).  The guard skips a job,
 * and all older ones, for ten minutes in two cases: the host has found no
 * reservation for the job twice in a row (once may be due to a repair of the
 * schedule), or the job did not start when its reservation began.
 *
 * Pure arithmetic.  Instants are seconds on the host's clock.
 */
#ifndef LIBRA_GUARD_H
#define LIBRA_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* Initialise with zeros. */
struct libra_guard {
	double asked_s;	   /* instant of the last look; 0 = look at once */
	uint64_t tried_id; /* the job for which the last look found no
			      reservation; 0 = none */
	/* Jobs up to this submission, and up to this id at equal submissions,
	 * are skipped until until_s.
	 */
	double passed_s, until_s;
	uint64_t passed_id;
	uint32_t given_up; /* reservations given up since one has started */
};

/* Return true if the caller must look for the oldest job now.  That is so once
 * in 1 to 60 s; after reservations were given up, once in a minute to an hour.
 */
bool libra_guard_looks(struct libra_guard *g, double age_s, double now_s);

/* Return true if the caller must skip a job at this look. */
bool libra_guard_skips(const struct libra_guard *g, double submit_s,
		       uint64_t id);

/* Report that no reservation was found for a job.
 * Result: true if the job is skipped from now on.
 */
bool libra_guard_failed(struct libra_guard *g, double submit_s, uint64_t id,
			double now_s);

/* Report that a job got its reservation (_reserved), or that its reservation
 * was given up (_gave_up).
 */
void libra_guard_reserved(struct libra_guard *g);
void libra_guard_gave_up(struct libra_guard *g, double submit_s, uint64_t id,
			 double now_s);

#endif
