/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit.h - rows that suit, as a heap: those that suit best come first. */
#ifndef LIBRA_FIT_H
#define LIBRA_FIT_H

#include <stdint.h>

struct libra_fit {
	double key; /* greater = better */
	uint32_t row;
};

/* Make a heap of n fits. */
void libra_fit_heap(struct libra_fit *fits, uint32_t n);

/* Take the best off a heap of n; it goes to fits[n - 1]. */
void libra_fit_pop(struct libra_fit *fits, uint32_t n);

#endif
