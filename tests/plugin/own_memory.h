/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own_memory.h - malloc, calloc and realloc of a test program, before those of
 * the C library, which asks them, too (strdup, open_memstream).
 *
 * One fails when countdown.h says so.  Included once in a program.  With a
 * sanitizer, which has its own, none fails.
 */
#ifndef LIBRA_TEST_OWN_MEMORY_H
#define LIBRA_TEST_OWN_MEMORY_H

#include <stdio.h>
#include <stdlib.h>

#include "tests/countdown.h"

/* The library has to find them. */
#define VISIBLE __attribute__((visibility("default")))

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define OWN_MEMORY false
#else
#define OWN_MEMORY true

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

VISIBLE void *malloc(size_t size)
{
	return refuse() ? NULL : __libc_malloc(size);
}

VISIBLE void *calloc(size_t n, size_t size)
{
	return refuse() ? NULL : __libc_calloc(n, size);
}

VISIBLE void *realloc(void *old, size_t size)
{
	return refuse() ? NULL : __libc_realloc(old, size);
}
#endif

/* The plan of a program that is nothing without failures.  Result: false, and
 * it is told, if there are none.
 */
static inline bool memory_may_fail(void)
{
	if (!OWN_MEMORY)
		printf("1..0 # SKIP a sanitizer has its own malloc\n");
	return OWN_MEMORY;
}

#endif
