/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procmap.h - a label for each processor.
 *
 * Processors 0..n-1 are kept as runs of neighbours with the same label, and the
 * runs of each label in a list: so a change costs the runs that it changes,
 * however many others there are.  A run goes by its first processor.  Those
 * with the label 0, mostly the free ones, are a set of bits besides instead of
 * a list, so that the first of them are found at once.  What another label
 * means is its owner's business: a row of the ledger, or a job.  Only init,
 * copy and reserve allocate.
 *
 * To pass over all runs:
 *
 *     for (run = 0; run < map->nprocs; run = map->end[run])
 */
#ifndef LIBRA_PROCMAP_H
#define LIBRA_PROCMAP_H

#include <stddef.h>
#include <stdint.h>

#include "core/bits.h"
#include "core/job.h"

struct libra_procmap {
	uint32_t nprocs;
	uint32_t nruns;
	uint32_t cap;	 /* labels there is room for */
	uint32_t lowest; /* none below has the label 0 */
	uint64_t *edges; /* the first processors of runs */
	uint64_t *plain; /* processors with the label 0 */
	/* By a run's first processor. */
	uint32_t *label;
	uint32_t *end;	       /* one past its last */
	uint32_t *next, *prev; /* of the same label, in no order, or nprocs;
				  unless it is 0 */
	uint32_t *head;	       /* by label: one of its runs, or nprocs */
};

/* All processors have one label.
 * Result: 0, or -1 with EINVAL (nprocs 0) or ENOMEM; fini in any case.
 */
int libra_procmap_init(struct libra_procmap *map, uint32_t nprocs,
		       uint32_t label);
void libra_procmap_fini(struct libra_procmap *map);

/* An equal map.
 * Result: 0, or -1 with ENOMEM and nothing to free.
 */
int libra_procmap_copy(struct libra_procmap *copy,
		       const struct libra_procmap *map);

/* Make room for the labels 0..n-1.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_procmap_reserve(struct libra_procmap *map, uint32_t n);

/* Label a range of processors.  Cost: O(runs in it). */
void libra_procmap_set(struct libra_procmap *map, uint32_t first,
		       uint32_t count, uint32_t label);

/* Change one label to another on all its processors.  Cost: O(its runs). */
void libra_procmap_merge(struct libra_procmap *map, uint32_t from,
			 uint32_t into);

/* Change a label to another one on its first count processors, in index order.
 * Cost:   O(runs taken x its runs); 0: O(runs taken + processors / 64).
 * Result: how many were changed.
 */
uint32_t libra_procmap_take(struct libra_procmap *map, uint32_t from,
			    uint32_t count, uint32_t into);

/* The run that holds a processor of the map. */
static inline uint32_t libra_procmap_find(const struct libra_procmap *map,
					  uint32_t proc)
{
	return libra_bits_last(map->edges, proc);
}

/* The label of one processor. */
static inline uint32_t libra_procmap_label(const struct libra_procmap *map,
					   uint32_t proc)
{
	return map->label[libra_procmap_find(map, proc)];
}

static inline uint32_t libra_procmap_count(const struct libra_procmap *map,
					   uint32_t run)
{
	return map->end[run] - run;
}

#endif
