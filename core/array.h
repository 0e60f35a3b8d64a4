/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.h - arrays that grow by doubling. */
#ifndef LIBRA_ARRAY_H
#define LIBRA_ARRAY_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Return cap, or first if cap is 0, doubled until it is at least need.
 * Result: 0 if the number has more than 32 bits; libra_grown() then fails.
 */
static inline uint32_t libra_doubled(uint32_t cap, uint32_t first,
				     uint64_t need)
{
	uint64_t doubled = cap ? cap : first;

	while (doubled < need && doubled <= UINT32_MAX)
		doubled *= 2;
	return doubled <= UINT32_MAX ? (uint32_t)doubled : 0;
}

/* Grow an array (NULL: none yet) to cap elements of a size.
 * Result: the new array, which replaces the old one.  Without memory, and if
 *         cap is 0 or too large: the old array, with ENOMEM and *ok = false.
 */
static inline void *libra_grown(void *array, size_t cap, size_t size, bool *ok)
{
	void *bigger = NULL;

	if (cap > 0 && cap <= SIZE_MAX / size)
		bigger = realloc(array, cap * size);
	else
		errno = ENOMEM;
	if (!bigger)
		*ok = false;
	return bigger ? bigger : array;
}

#endif
