/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.c - see memory.h. */
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

void *sim_large(size_t n, size_t size)
{
#ifdef MADV_HUGEPAGE
	size_t bytes = n * size;
	void *array;

	if (size == 0 || n > SIZE_MAX / 2 / size || bytes < LARGE_PAGE / 2)
		return reallocarray(NULL, n, size);
	errno = posix_memalign(&array, LARGE_PAGE, bytes);
	if (errno != 0)
		return NULL;
	/* A hint, and for what lies behind the array on its last page. */
	madvise(array, (bytes + LARGE_PAGE - 1) & -LARGE_PAGE, MADV_HUGEPAGE);
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
