/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - the paper on integrated risk analysis.  For the files of this
 * folder alone.
 *
 * Two sets of five scenarios vary one value each, six times, for five policies.
 * All runs are repeated for other readings of choices that the paper leaves
 * open, so that the report shows which claims depend on a reading.  Budgets and
 * penalties are functions f and g of the run time, which the paper does not
 * give.
 */
#ifndef SIM_IPDPS2007_H
#define SIM_IPDPS2007_H

#include "sim/paper/steps.h"

/* A reading: one choice for each number that the paper leaves open. */
struct ipdps_reading {
	bool keep_unrun;
	enum sim_budget_base f;
	enum sim_penalty_base g;
	double discount_unit_s; /* of FirstReward */
};

#define IPDPS_NREADINGS 7 /* the first one is the adopted one */

extern const struct ipdps_reading ipdps_readings[IPDPS_NREADINGS];
extern const struct design_level ipdps_reading_levels[IPDPS_NREADINGS];

extern const struct paper_ask ipdps_asks[];

/* Return the status of a claim under a reading; CLAIM_INFO if the claim does
 * not depend on readings.
 */
enum claim_status ipdps_judge(const struct sim_paper_study *s,
			      const struct claim *c, size_t reading);

/* Set the numbers that need no designs.  Result: 0, or -1 with err. */
int ipdps_derive(void *study, struct libra_error *err);

#endif
