/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * least.h - the minimum of many numbers that change one at a time.
 *
 * A binary tree over the numbers: a node holds the minimum of those below it.
 * Reading the minimum costs O(1); a change, and a search for the next number up
 * to a bound, cost O(log n).  Only reserve and copy allocate.
 */
#ifndef LIBRA_LEAST_H
#define LIBRA_LEAST_H

#include <math.h>
#include <stdint.h>

struct libra_least {
	double *tree; /* [1] is the minimum; the numbers begin at [cap] */
	uint32_t cap; /* a power of two */
};

/* Reserve memory for n numbers; new ones are INFINITY.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_least_reserve(struct libra_least *least, uint32_t n);
void libra_least_fini(struct libra_least *least);

/* Create an equal tree.  Call libra_least_fini() on it.
 * Result: 0, or -1 with ENOMEM and nothing to free.
 */
int libra_least_copy(struct libra_least *copy, const struct libra_least *least);

void libra_least_set(struct libra_least *least, uint32_t i, double value);

/* Find the first number at index `from` or later that is at most `most`.
 * Result: its index, or cap.
 */
uint32_t libra_least_next(const struct libra_least *least, uint32_t from,
			  double most);

static inline double libra_least_get(const struct libra_least *least,
				     uint32_t i)
{
	return least->tree[least->cap + i];
}

/* Return the minimum; INFINITY if there are no numbers. */
static inline double libra_least(const struct libra_least *least)
{
	return least->cap ? least->tree[1] : INFINITY;
}

#endif
