/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formulas.c - what M20 and M35 to M37 ask of the formulas: the program's,
 * against the paper's numbers or the formulas written out.
 */
#include <math.h>
#include <string.h>

#include "core/formula/price.h"
#include "core/share/bid.h"
#include "sim/market/advise.h"
#include "sim/paper/ccgrid2008/experiment.h"

/* Eqs 4 and 5 on hosts of 2 CPUs, and eq. 6 with three contracts. */
double cc_rates_error(void)
{
	const struct libra_division host = {.cpus = 2, .most = 2};
	double error = 0;

	for (int i = 1; i <= 20; i++) {
		double b = 0.1 * i, price = 0.37 * i * i, sd = 0.05 * i;
		double bound = libra_price_bound(price, sd, 0.6, true);

		error = fmax(error, fabs(libra_bid_rate(&host, b, price) / 2 -
					 b / (b + price)));
		error = fmax(error,
			     fabs(libra_bid_rate(&host, b, bound) / 2 -
				  b / (b + price + sd * sqrt(0.6 / 0.4))));
	}
	return error;
}

/* Eq. 18 against the mean of the two thresholds, at 1000 points. */
double cc_eq18_error(void)
{
	double error = 0;

	for (int i = 0; i < 1000; i++) {
		double pw = i % 10 / 10.0, pd = i / 10 % 10 / 9.0;
		double q = i / 100 / 11.0;
		double mean =
			(advise_threshold(pw, q) + advise_threshold(pd, q)) / 2;

		error = fmax(error,
			     fabs(advise_provider_threshold(pw, pd, q) - mean));
	}
	return error;
}

/* The cases of section 5, and what the paper has for them. */
const struct design_level cc_cases[CC_NCASES] = {
	DESIGN_LEVEL("a", NULL, 0), DESIGN_LEVEL("b", NULL, 1),
	DESIGN_LEVEL("c", NULL, 2), DESIGN_LEVEL("d", NULL, 3)};

static const struct {
	double pa, pw, q, threshold, spot, reserve;
	bool reserves;
} cases[CC_NCASES] = {
	{0.80, 0.90, 0.10, 0.8889, 0.80, 0.72, false},
	{0.63, 0.39, 0.14, 0.2907, 0.25, 0.542, true},
	{0.71, 0.56, 0.12, 0.5000, 0.44, 0.625, true},
	{0.60, 0.33, 0.10, 0.2556, 0.23, 0.54, true},
};

/* pa, threshold, spot (Ub), reserve (Ug), chosen (1 = reserve); _paper. */
size_t cc_case_values(const void *owner, const struct design_place *p,
		      const char *column, double *value)
{
	size_t i = p->level[0];
	const struct advise_case k = {
		.price = cases[i].q,
		.value = 1,
		.admitted = cases[i].pa,
		.works = cases[i].pw,
		.alpha = 1,
	};
	struct advise_answer a;
	bool said = advise(&k, &a, NULL) == 0;
	const struct design_value columns[] = {
		{"pa", cases[i].pa},
		{"threshold", said ? a.threshold : NAN},
		{"threshold_paper", cases[i].threshold},
		{"spot", said ? a.spot : NAN},
		{"spot_paper", cases[i].spot},
		{"reserve", said ? a.reserve : NAN},
		{"reserve_paper", cases[i].reserve},
		{"chosen", said ? a.choice == ADVISE_RESERVE : NAN},
		{"chosen_paper", cases[i].reserves},
	};

	return design_pick(columns, DESIGN_COUNT(columns), column, value);
}
