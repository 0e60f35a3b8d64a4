/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wrap_memory.h - memory that runs out when it is told to.
 *
 * A program with the linker's --wrap for malloc, calloc, realloc and free has
 * these in their place: one allocation fails after so many calls, and what is
 * allocated and not freed is counted.  Included once in a program.
 */
#ifndef TESTS_UNIT_WRAP_MEMORY_H
#define TESTS_UNIT_WRAP_MEMORY_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/unit/test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

static long countdown = -1; /* calls until one fails; < 0 = never */
static bool failed;
static long nblocks; /* allocated and not freed */

static bool refuse(void)
{
	if (countdown < 0 || countdown-- > 0)
		return false;
	errno = ENOMEM;
	failed = true;
	return true;
}

static void *counted(void *block)
{
	nblocks += block != NULL;
	return block;
}

void *__wrap_malloc(size_t size)
{
	return refuse() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return refuse() ? NULL : counted(__real_calloc(n, size));
}

/* Never of no bytes. */
void *__wrap_realloc(void *old, size_t size)
{
	void *block = refuse() ? NULL : __real_realloc(old, size);

	return old ? block : counted(block);
}

void __wrap_free(void *old)
{
	nblocks -= old != NULL;
	__real_free(old);
}

/* From here on one allocation fails, after so many. */
static inline void fail_after(long calls)
{
	failed = false;
	countdown = calls;
	errno = 0;
}

static inline void fail_no_more(void)
{
	countdown = -1;
}

/* A test that has freed all that it allocated, or fails. */
#define freed_test(function)                                                   \
	cmocka_unit_test_setup_teardown(function, begin_blocks, end_blocks)

static long nblocks_before;

static inline int begin_blocks(void **state)
{
	(void)state;
	nblocks_before = nblocks;
	return 0;
}

static inline int end_blocks(void **state)
{
	(void)state;
	if (nblocks != nblocks_before)
		print_error("%ld blocks are not freed\n",
			    nblocks - nblocks_before);
	return nblocks != nblocks_before;
}

#endif
