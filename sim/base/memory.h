/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - running out of memory, and arrays that grow.
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

/* An array of n elements that is about to be filled from its beginning: where
 * the system has large pages they stand behind it, for each small one costs a
 * fault.
 * Result: the array, not set to anything, or NULL with ENOMEM.
 * Owner:  the caller's, for free() and realloc().
 */
void *sim_large(size_t n, size_t size);

/* Memory that was freed is kept for what comes next, instead of being given
 * back: pages that the system has to clear again cost more than to use them.
 */
void sim_keep_memory(void);

#endif
