/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.c - see memory.h. */
#include "sim/base/memory.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST = 16 };

int sim_no_memory(struct libra_error *err)
{
	return libra_errf(err, ENOMEM, "out of memory");
}

void *sim_grown(void *array, size_t *cap, size_t n, size_t size)
{
	size_t bigger = *cap ? *cap : FIRST;
	void *moved;

	if (n <= *cap)
		return array;
	while (bigger < n)
		bigger *= 2;
	moved = reallocarray(array, bigger, size);
	if (moved)
		*cap = bigger;
	return moved;
}
