/* SPDX-License-Identifier: GPL-2.0-or-later */
/* price.c - the history of a price. */
#include "core/formula/price.h"

#include <math.h>
#include <string.h>

void libra_price_init(struct libra_price *p, double window_s)
{
	memset(p, 0, sizeof(*p));
	p->step_s = window_s / LIBRA_PRICE_STEPS;
	p->since_s = NAN;
}

/* Begin the next step and drop the oldest one. */
static void next_step(struct libra_price *p)
{
	p->newest = (p->newest + 1) % LIBRA_PRICE_STEPS;
	p->steps[p->newest] = (struct libra_price_step){0};
	p->end_s += p->step_s;
}

/* Clear the history: all of it is before the window. */
static void forget(struct libra_price *p, double now_s)
{
	memset(p->steps, 0, sizeof(p->steps));
	p->since_s = now_s;
	p->end_s = now_s + p->step_s;
}

static void add(struct libra_price *p, double price, double until_s)
{
	struct libra_price_step *step = &p->steps[p->newest];
	double time_s = until_s - p->since_s;

	step->time_s += time_s;
	step->price += price * time_s;
	step->square += price * price * time_s;
	p->since_s = until_s;
}

void libra_price_hold(struct libra_price *p, double price, double until_s)
{
	double window_s = p->step_s * LIBRA_PRICE_STEPS;

	if (isnan(p->since_s))
		forget(p, until_s);
	if (!(until_s > p->since_s))
		return;
	/* A step that rounding would reduce to nothing cannot be walked. */
	if (until_s - p->since_s > window_s)
		forget(p, until_s - window_s);
	while (p->end_s < until_s && p->end_s + p->step_s > p->end_s) {
		if (p->end_s > p->since_s)
			add(p, price, p->end_s);
		next_step(p);
	}
	add(p, price, until_s);
}

/* The mean of squares minus the square of the mean is exact enough here: what
 * cancellation leaves of a constant price counts as no deviation.
 */
void libra_price_stats(const struct libra_price *p, double *mean, double *sd)
{
	double time_s = 0, price = 0, square = 0, variance;

	for (int i = 0; i < LIBRA_PRICE_STEPS; i++) {
		time_s += p->steps[i].time_s;
		price += p->steps[i].price;
		square += p->steps[i].square;
	}
	*mean = *sd = 0;
	if (!(time_s > 0))
		return;
	*mean = price / time_s;
	variance = square / time_s - *mean * *mean;
	if (variance > 1e-12 * *mean * *mean) /* otherwise only rounding */
		*sd = sqrt(variance);
}

double libra_price_bound(double mean, double sd, double guarantee,
			 bool one_sided)
{
	double k = sqrt((one_sided ? guarantee : 1) / (1 - guarantee));

	return mean + k * sd;
}
