/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.h - arrays that grow by doubling. */
#ifndef LIBRA_ARRAY_H
#define LIBRA_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Return cap (first if 0) doubled until it is at least need. */
static inline uint64_t libra_doubled(uint64_t cap, uint64_t first,
				     uint64_t need)
{
	cap = cap ? cap : first;
	while (cap < need)
		cap *= 2;
	return cap;
}

/* Grow an array to cap elements of a size.  Result: the new array, which
 * replaces the old one; or the old one with ENOMEM and *ok = false.
 */
static inline void *libra_grown(void *array, size_t cap, size_t size, bool *ok)
{
	void *bigger = realloc(array, cap * size);

	if (!bigger)
		*ok = false;
	return bigger ? bigger : array;
}

#endif
