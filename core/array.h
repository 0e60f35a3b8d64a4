/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.h - arrays that grow by doubling. */
#ifndef LIBRA_ARRAY_H
#define LIBRA_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* What cap is doubled to until it is enough; it begins with first. */
static inline uint64_t libra_doubled(uint64_t cap, uint64_t first,
				     uint64_t need)
{
	cap = cap ? cap : first;
	while (cap < need)
		cap *= 2;
	return cap;
}

/* An array with room for cap elements of a size, or the old one with ENOMEM and
 * *ok = false.
 */
static inline void *libra_grown(void *array, size_t cap, size_t size, bool *ok)
{
	void *bigger = realloc(array, cap * size);

	if (!bigger)
		*ok = false;
	return bigger ? bigger : array;
}

#endif
