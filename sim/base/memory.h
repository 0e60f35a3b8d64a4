/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - running out of memory, and arrays that grow.
 *
 * All functions return to the caller when memory is out: no module of sim ends
 * the program for that.
 */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include <stddef.h>

#include "core/error.h"

/* Result: -1 with ENOMEM, always: for "return sim_no_memory(err)". */
int sim_no_memory(struct libra_error *err);

/* Make room for n elements of a size in an array of *cap, by doubling.
 * Result: the array, perhaps moved, or NULL with ENOMEM; then array and *cap
 *         are as they were.
 * Owner:  the caller's, for free().
 */
void *sim_grown(void *array, size_t *cap, size_t n, size_t size);

/* Allocate an array of n elements that is filled from its beginning.  On a
 * system with large pages the array uses them, because each small page costs a
 * fault.
 * Result: the array, uninitialised, or NULL with ENOMEM.
 * Owner:  the caller's, for free() and realloc().
 */
void *sim_large(size_t n, size_t size);

/* Keep freed memory in this process for the next allocation.  Without this call
 * the C library returns large blocks to the system, which clears them again.
 * librasim calls it once, before its command.
 */
void sim_keep_memory(void);

#endif
