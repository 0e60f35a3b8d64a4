/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * least.h - the least of many numbers, each of which changes now and then.
 *
 * A tree over the numbers: what is below a place is not above its value.  The
 * least of all is at hand; a change, and a search for the next number up to a
 * bound, cost O(log n).  Only reserve and copy allocate.
 */
#ifndef LIBRA_LEAST_H
#define LIBRA_LEAST_H

#include <math.h>
#include <stdint.h>

struct libra_least {
	double *tree; /* [1] is the least; from cap on, the numbers */
	uint32_t cap; /* a power of two */
};

/* Make room for n numbers; new ones are INFINITY.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_least_reserve(struct libra_least *least, uint32_t n);
void libra_least_fini(struct libra_least *least);

/* An equal one.
 * Result: 0, or -1 with ENOMEM and nothing to free.
 */
int libra_least_copy(struct libra_least *copy, const struct libra_least *least);

void libra_least_set(struct libra_least *least, uint32_t i, double value);

/* The first number from a place on that is at the most so much.
 * Result: its place, or cap.
 */
uint32_t libra_least_next(const struct libra_least *least, uint32_t from,
			  double most);

static inline double libra_least_get(const struct libra_least *least,
				     uint32_t i)
{
	return least->tree[least->cap + i];
}

/* The least of all; INFINITY if there is none. */
static inline double libra_least(const struct libra_least *least)
{
	return least->cap ? least->tree[1] : INFINITY;
}

#endif
