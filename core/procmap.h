/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procmap.h - a label for each processor.
 *
 * Processors 0..n-1 are kept as runs of neighbours with the same label, in
 * index order, so that a machine of 100,000 processors and 50 jobs costs 50
 * steps, not 100,000.  What a label means is its owner's business: a row of the
 * ledger, a job, or free processors.  Only init and reserve allocate.
 */
#ifndef LIBRA_PROCMAP_H
#define LIBRA_PROCMAP_H

#include <stddef.h>
#include <stdint.h>

#include "core/job.h"

struct libra_procmap {
	uint32_t nprocs;
	uint32_t nruns;
	uint32_t cap;	 /* runs there is room for */
	uint32_t *first; /* of each run; first[nruns] == nprocs */
	uint32_t *label; /* of each run */
};

/* All processors have one label.
 * Result: 0, or -1 with EINVAL (nprocs 0) or ENOMEM.
 */
int libra_procmap_init(struct libra_procmap *map, uint32_t nprocs,
		       uint32_t label);
void libra_procmap_fini(struct libra_procmap *map);

/* An equal map.
 * Result: 0, or -1 with ENOMEM and nothing to free.
 */
int libra_procmap_copy(struct libra_procmap *copy,
		       const struct libra_procmap *map);

/* Make room for n more calls of set.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_procmap_reserve(struct libra_procmap *map, uint32_t n);

/* Label a range of processors.  Cost: O(runs).  Needs room for two more runs at
 * the most (see reserve).
 */
void libra_procmap_set(struct libra_procmap *map, uint32_t first,
		       uint32_t count, uint32_t label);

/* Change one label to another on all its processors.  Cost: O(runs). */
void libra_procmap_merge(struct libra_procmap *map, uint32_t from,
			 uint32_t into);

/* Change a label to another on its first count processors, in index order.
 * Result: how many were changed.  Needs room for one more run.
 */
uint32_t libra_procmap_take(struct libra_procmap *map, uint32_t from,
			    uint32_t count, uint32_t into);

/* The label of one processor.  Cost: O(log runs). */
uint32_t libra_procmap_label(const struct libra_procmap *map, uint32_t proc);

static inline uint32_t libra_procmap_count(const struct libra_procmap *map,
					   uint32_t run)
{
	return map->first[run + 1] - map->first[run];
}

/* The run that holds a processor of the map. */
static inline uint32_t libra_procmap_find(const struct libra_procmap *map,
					  uint32_t proc)
{
	uint32_t low = 0, high = map->nruns;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (map->first[middle] <= proc)
			low = middle;
		else
			high = middle;
	}
	return low;
}

#endif
