/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advise.c - the choice rules.
 *
 * Nothing is owned; each function is the formula that advise.h names.
 */
#include "sim/market/advise.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>

double advise_threshold(double p, double q)
{
	return q < 1 ? (p - q) / (1 - q) : NAN;
}

double advise_provider_threshold(double works, double done, double q)
{
	return q < 1 ? (works + done - 2 * q) / (2 * (1 - q)) : NAN;
}

/* Check the ranges of a case; the text names the number. */
static int check(const struct advise_case *c, struct libra_error *err)
{
	const struct {
		const char *name;
		double value, max;
	} numbers[] = {
		{"the price", c->price, HUGE_VAL},
		{"pa, the probability of admission,", c->admitted, 1},
		{"pw, the probability of fulfilment,", c->works, 1},
		{"pd, the part of the work that is done,", c->done, 1},
		{"alpha, the weight of inelastic utility,", c->alpha, 1},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!(numbers[i].value >= 0 &&
		      numbers[i].value <= numbers[i].max) ||
		    isinf(numbers[i].value))
			return libra_errf(err, EDOM,
					  numbers[i].max == 1
						  ? "%s must be from 0 to 1, "
						    "not %g"
						  : "%s must not be negative, "
						    "not %g",
					  numbers[i].name, numbers[i].value);
	if (!(c->value > 0) || isinf(c->value))
		return libra_errf(err, EDOM,
				  "the value must be positive, not %g",
				  c->value);
	return 0;
}

int advise(const struct advise_case *c, struct advise_answer *answer,
	   struct libra_error *err)
{
	double p;

	if (check(c, err) < 0)
		return -1;
	/* Utility is linear: what counts on the spot market is the mixture of
	 * the two probabilities. */
	p = c->alpha * c->works + (1 - c->alpha) * c->done;
	answer->q = c->price / c->value;
	answer->spot = p * c->value - c->price;
	answer->reserve = c->admitted * (c->value - c->price);
	answer->threshold = advise_threshold(p, answer->q);
	if (answer->spot < 0 && answer->reserve <= 0)
		answer->choice = ADVISE_NEITHER;
	else if (c->admitted > answer->threshold)
		answer->choice = ADVISE_RESERVE;
	else
		answer->choice = ADVISE_SPOT;
	return 0;
}

const char *advise_choice_name(enum advise_choice choice)
{
	switch (choice) {
	case ADVISE_SPOT:
		return "spot market";
	case ADVISE_RESERVE:
		return "reservation";
	case ADVISE_NEITHER:
		return "neither";
	}
	return "unknown";
}
