/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect.c - halve the interval while its upper end is accepted. */
#include "core/formula/bisect.h"

#include <math.h>

#define MOST_STEPS 64
#define EXACT_S	   1.0
#define EXACT_PART (1.0 / 64)

double libra_bisect_deadline(double low_s, double high_s,
			     libra_accepts_f *accepts, void *context)
{
	if (!accepts(context, high_s))
		return INFINITY;
	for (int i = 0; i < MOST_STEPS && high_s - low_s > EXACT_S; i++) {
		double middle_s = low_s + (high_s - low_s) / 2;

		if (accepts(context, middle_s))
			high_s = middle_s;
		else
			low_s = middle_s;
	}
	return high_s;
}

/* Return the middle, or the geometric one if the ends are far apart. */
static double between(double now_s, double low_s, double high_s)
{
	double a = low_s - now_s, b = high_s - now_s;

	return a > 0 && b > 2 * a ? now_s + sqrt(a) * sqrt(b)
				  : low_s + (b - a) / 2;
}

double libra_narrow_deadline(double now_s, double low_s, double high_s,
			     libra_accepts_f *accepts, void *context)
{
	for (int i = 0;
	     i < MOST_STEPS &&
	     high_s - low_s > fmax(EXACT_S, EXACT_PART * (high_s - now_s));
	     i++) {
		double middle_s = between(now_s, low_s, high_s);

		if (accepts(context, middle_s))
			high_s = middle_s;
		else
			low_s = middle_s;
	}
	return high_s;
}
