/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log.c - series of logarithm and power. */
#include "core/formula/log.h"

#include <math.h>

#define LN2 0x1.62e42fefa39efp-1
/* ln 2 in two parts: a multiple below 2^11 of the first is exact. */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW	 0x1.a39ef35793c76p-33

/* Enough terms that the next one is below 2^-60. */
enum { LOG_TERMS = 12, EXP_TERMS = 18 };

/* ln m = 2 (s + s^3 / 3 + s^5 / 5 ...), s = (m - 1) / (m + 1) */
double libra_log(double x)
{
	int exponent;
	double m = frexp(x, &exponent), s, sum = 0;

	if (m < 0x1.6a09e667f3bcdp-1) { /* sqrt(1/2): |s| stays below 0.172 */
		m *= 2;
		exponent--;
	}
	s = (m - 1) / (m + 1);
	for (int i = LOG_TERMS; i > 0; i--)
		sum = (sum + 1.0 / (2 * i + 1)) * (s * s);
	return exponent * LN2_HIGH +
	       (2 * s + (2 * s * sum + exponent * LN2_LOW));
}

/* 2^f = 1 + f ln 2 + (f ln 2)^2 / 2 ... */
double libra_exp2(double x)
{
	double whole = floor(x), t = (x - whole) * LN2, sum = 1;

	for (int i = EXP_TERMS; i > 0; i--)
		sum = 1 + sum * t / i;
	return ldexp(sum, (int)whole);
}
