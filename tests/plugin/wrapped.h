/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wrapped.h - allocations of the select plugin that are counted, and fail when
 * they are told to.
 *
 * A program with the linker's --wrap for calloc, realloc and free has these in
 * their place.  Slurm's library has its own: lists and bitmaps are not among
 * them.  Included once in a program.
 */
#ifndef LIBRA_TEST_WRAPPED_H
#define LIBRA_TEST_WRAPPED_H

#include <stdbool.h>
#include <stddef.h>

enum { FAIL_NONE = -1, FAIL_ALL = -2 };

static struct {
	int fail_at; /* the allocation that fails, from 0, or one of these */
	int calls;   /* allocations, but for those that all fail */
	int blocks;  /* not freed yet */
} memory = {.fail_at = FAIL_NONE};

extern void *__real_calloc(size_t n, size_t size);
extern void *__wrap_calloc(size_t n, size_t size);
extern void *__real_realloc(void *p, size_t size);
extern void *__wrap_realloc(void *p, size_t size);
extern void __real_free(void *p);
extern void __wrap_free(void *p);

/* They are counted from here on, and one of them fails. */
static inline void fail_at(int k)
{
	memory.calls = 0;
	memory.fail_at = k;
}

/* How many were counted stays known. */
static inline void fail_no_more(void)
{
	memory.fail_at = FAIL_NONE;
}

static inline bool fails(void)
{
	return memory.fail_at == FAIL_ALL || memory.calls++ == memory.fail_at;
}

void *__wrap_calloc(size_t n, size_t size)
{
	if (fails())
		return NULL;
	memory.blocks++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	if (fails())
		return NULL;
	memory.blocks += !p;
	return __real_realloc(p, size);
}

void __wrap_free(void *p)
{
	memory.blocks -= p != NULL;
	__real_free(p);
}

#endif
