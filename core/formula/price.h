/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * price.h - the price in a moving window, and how high it may go.
 *
 * The price is constant between events, so its mean and standard deviation are
 * over time, not over events.  The window moves in steps of a 64th of its
 * length, so that a fixed memory holds any number of events: it covers between
 * 63/64 and all of its length, and less in the beginning.
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
	double since_s; /* known until here; NAN = nothing yet */
	double end_s;	/* of the newest step */
	unsigned newest;
	struct libra_price_step steps[LIBRA_PRICE_STEPS];
};

void libra_price_init(struct libra_price *p, double window_s);

/* The price was so since the last call and until now; the first call begins
 * the history.  Time that does not go on changes nothing.
 */
void libra_price_hold(struct libra_price *p, double price, double until_s);

/* Mean and standard deviation in the window; 0 and 0 without history. */
void libra_price_stats(const struct libra_price *p, double *mean, double *sd);

/* What the price does not exceed with probability guarantee at least, whatever
 * its distribution: mean + k sd, by Cantelli's one-sided inequality with k =
 * sqrt(g / (1 - g)), by Chebyshev's two-sided one with k = 1 / sqrt(1 - g).
 * The guarantee is in [0, 1).
 */
double libra_price_bound(double mean, double sd, double guarantee,
			 bool one_sided);

#endif
