/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.c - allocation for the simulator: growing arrays and large pages.
 *
 * Nothing is owned here.  Large pages (MADV_HUGEPAGE) and the settings of
 * malloc are hints: where the system lacks them, the functions still work.
 */
#include "sim/base/memory.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { FIRST = 16 };

#define LARGE_PAGE ((size_t)2 << 20)

int sim_no_memory(struct libra_error *err)
{
	return libra_no_memory(err, NULL);
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

void *sim_large(size_t n, size_t size)
{
#ifdef MADV_HUGEPAGE
	size_t bytes = n * size;
	void *array;

	if (size == 0 || n > SIZE_MAX / 2 / size || bytes < LARGE_PAGE / 2)
		return reallocarray(NULL, n, size);
	/* Whole pages: what malloc() notes behind the array would be a small
	 * page in the midst of the last one, which then cannot be a large one.
	 */
	bytes = (bytes + LARGE_PAGE - 1) & -LARGE_PAGE;
	errno = posix_memalign(&array, LARGE_PAGE, bytes);
	if (errno != 0)
		return NULL;
	madvise(array, bytes, MADV_HUGEPAGE); /* a hint */
	return array;
#else
	return reallocarray(NULL, n, size);
#endif
}

void sim_keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	mallopt(M_TOP_PAD, 16 * (int)LARGE_PAGE);
#endif
}
