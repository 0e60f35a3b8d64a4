/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit.h - a heap of suitable rows, best first. */
#ifndef LIBRA_FIT_H
#define LIBRA_FIT_H

#include <stdint.h>

struct libra_fit {
	double key; /* greater = better */
	uint32_t row;
};

/* Order n fits as a heap. */
void libra_fit_heap(struct libra_fit *fits, uint32_t n);

/* Remove the best of a heap of n and store it at fits[n - 1]. */
void libra_fit_pop(struct libra_fit *fits, uint32_t n);

#endif
