/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * price.h - statistics of the price in a moving window, and a bound on it.
 *
 * The price is constant between events, so mean and standard deviation are over
 * time, not over events.  The window moves in steps of 1/64 of its length, so
 * memory is fixed for any number of events.  It covers between 63/64 and all of
 * its length, and less in the beginning.
 */
#ifndef LIBRA_PRICE_H
#define LIBRA_PRICE_H

#include <stdbool.h>

enum { LIBRA_PRICE_STEPS = 64 };

/* Time integrals of one step. */
struct libra_price_step {
	double time_s, price, square;
};

struct libra_price {
	double step_s;
	double since_s; /* the end of the history; NAN = none yet */
	double end_s;	/* end of the newest step */
	unsigned newest;
	struct libra_price_step steps[LIBRA_PRICE_STEPS];
};

void libra_price_init(struct libra_price *p, double window_s);

/* Record that the price was `price` from the last call until until_s; the first
 * call begins the history.  An until_s that is not later changes nothing.
 */
void libra_price_hold(struct libra_price *p, double price, double until_s);

/* Compute mean and standard deviation in the window; 0 and 0 without history.
 */
void libra_price_stats(const struct libra_price *p, double *mean, double *sd);

/* Return the bound that the price does not exceed with a probability of at
 * least guarantee (g, in [0, 1)), for any distribution: mean + k sd.  One-sided
 * by Cantelli's inequality, k = sqrt(g / (1 - g)); two-sided by Chebyshev's, k
 * = 1 / sqrt(1 - g).
 */
double libra_price_bound(double mean, double sd, double guarantee,
			 bool one_sided);

#endif
