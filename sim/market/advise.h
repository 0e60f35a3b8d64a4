/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advise.h - spot market or reservations? (CCGrid 2008, section 5)
 *
 * The spot market (best effort) admits every job but may not finish its work; a
 * reservation (capacity admission) guarantees the work, but may be refused.
 * Both cost the same, and only admitted jobs pay.  Pure arithmetic on
 * probabilities; q is price / value, both in credits.  Callers: `librasim
 * advise` and the market paper.
 */
#ifndef SIM_ADVISE_H
#define SIM_ADVISE_H

#include "core/error.h"

enum advise_choice {
	ADVISE_SPOT = 1,
	ADVISE_RESERVE,
	ADVISE_NEITHER, /* both cost more than they bring */
};

struct advise_case {
	double price;	 /* of the run, >= 0 */
	double value;	 /* of the work, > 0 */
	double admitted; /* pa: probability that a reservation is granted */
	double works; /* pw: that a contract is fulfilled on the spot market */
	double done;  /* pd: part of the work that is done there */
	double alpha; /* weight of inelastic utility, 0 to 1 */
};

struct advise_answer {
	enum advise_choice choice;
	double q;	  /* price / value */
	double spot;	  /* expected utility there: Ub */
	double reserve;	  /* and with a reservation: Ug */
	double threshold; /* Ug > Ub exactly if admitted is greater; NAN if q
			     is 1 or more */
};

/* Return (p - q) / (1 - q): eq. 13 with p = pw, eq. 18 with p = pd.
 * Result: NAN if q is 1 or more.
 */
double advise_threshold(double p, double q);

/* Return (pw + pd - 2 q) / (2 (1 - q)), the threshold of a provider that
 * favours neither inelastic nor elastic users; NAN if q is 1 or more.
 */
double advise_provider_threshold(double works, double done, double q);

/* Choose the market with the greater expected utility.  alpha 1 is eq. 13,
 * alpha 0 eq. 18, and alpha 0.5 the provider's rule.  If both utilities are
 * equal, choose the spot market, as the paper's rule does.
 * Result: 0 with *answer, or -1.
 * Errno:  EDOM (a probability or alpha outside [0, 1], a negative price, a
 *         value that is not positive; the text names it).
 */
int advise(const struct advise_case *c, struct advise_answer *answer,
	   struct libra_error *err);

/* Return "spot market", "reservation" or "neither". */
const char *advise_choice_name(enum advise_choice choice);

#endif
