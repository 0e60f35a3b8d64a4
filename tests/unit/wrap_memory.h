/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wrap_memory.h - memory that runs out when it is told to.
 *
 * A program with the linker's --wrap for malloc, calloc, realloc and free has
 * these in their place: one allocation fails after so many calls, what is
 * allocated and not freed is counted, who writes beyond a block fails when it
 * is freed, and what nobody has written yet is not 0.  Included once in a
 * program.
 */
#ifndef TESTS_UNIT_WRAP_MEMORY_H
#define TESTS_UNIT_WRAP_MEMORY_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/countdown.h"
#include "tests/unit/test.h"

void *__real_malloc(size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

static long nblocks;  /* allocated and not freed */
static size_t nbytes; /* in them */

/* Before a block and behind it. */
struct fence {
	size_t size;
	uint64_t is;
};

static const uint64_t is_fence = 0x5eed0fa11b10c5ed;

/* Whatever is in it, it is not 0. */
void *__wrap_malloc(size_t size)
{
	struct fence before = {size, is_fence};
	char *block;

	block = refuse() ? NULL : __real_malloc(size + 2 * sizeof(before));
	if (!block)
		return NULL;
	nblocks++;
	nbytes += size;
	memset(block + sizeof(before), 0xa5, size);
	memcpy(block, &before, sizeof(before));
	memcpy(block + sizeof(before) + size, &before, sizeof(before));
	return block + sizeof(before);
}

void *__wrap_calloc(size_t n, size_t size)
{
	void *block = __wrap_malloc(n * size);

	return block ? memset(block, 0, n * size) : NULL;
}

/* How large a block is, which nobody has written beyond. */
static size_t size_of(const void *block)
{
	struct fence before, behind;

	memcpy(&before, (const char *)block - sizeof(before), sizeof(before));
	assert_true(before.is == is_fence);
	memcpy(&behind, (const char *)block + before.size, sizeof(behind));
	assert_memory_equal(&before, &behind, sizeof(before));
	return before.size;
}

void __wrap_free(void *old)
{
	if (!old)
		return;
	nblocks--;
	nbytes -= size_of(old);
	memset(old, 0xa5, size_of(old));
	__real_free((char *)old - sizeof(struct fence));
}

/* Always elsewhere. */
void *__wrap_realloc(void *old, size_t size)
{
	void *block = __wrap_malloc(size);
	size_t was;

	if (!old || !block)
		return block;
	was = size_of(old);
	memcpy(block, old, was < size ? was : size);
	__wrap_free(old);
	return block;
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
