/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procmap.h - a label for each processor.
 *
 * A run is a range of processors with the same label, named by its first
 * processor.  Processors 0..n-1 are stored as runs, and the runs of each label
 * are a list: a change costs the runs that it changes, however many others
 * there are.  The processors with the label 0, mostly the free ones, are a bit
 * set instead of a list, so that the first of them are found at once.  The
 * owner of the map decides what a label means: the ledger of core/share, the
 * only owner today, stores the row of each processor.  Only init, copy and
 * reserve allocate or fail.  All calls are made under the lock of the engine's
 * host.
 *
 * To visit all runs:
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
	uint32_t cap;	 /* labels that memory is reserved for */
	uint32_t lowest; /* no processor below has the label 0 */
	uint64_t *edges; /* the first processors of runs */
	uint64_t *plain; /* processors with the label 0 */
	/* Indexed by a run's first processor. */
	uint32_t *label;
	uint32_t *end;	       /* one past its last */
	uint32_t *next, *prev; /* runs of the same label, unordered, or nprocs
				  at the end; unused for label 0 */
	uint32_t *head; /* indexed by label: one of its runs, or nprocs */
};

/* Create a map in which all processors have one label.
 * Result: 0, or -1 with EINVAL (nprocs 0) or ENOMEM; call fini in any case.
 */
int libra_procmap_init(struct libra_procmap *map, uint32_t nprocs,
		       uint32_t label);
void libra_procmap_fini(struct libra_procmap *map);

/* Create an equal map.  Call libra_procmap_fini() on it.
 * Result: 0, or -1 with ENOMEM and nothing to free.
 */
int libra_procmap_copy(struct libra_procmap *copy,
		       const struct libra_procmap *map);

/* Reserve memory for the labels 0..n-1.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_procmap_reserve(struct libra_procmap *map, uint32_t n);

/* Set the label of a range of processors.  Memory for the label is reserved.
 * Cost:   O(runs in the range).
 */
void libra_procmap_set(struct libra_procmap *map, uint32_t first,
		       uint32_t count, uint32_t label);

/* Change one label to another on all its processors, for which memory is
 * reserved.
 * Cost:   O(runs of the old label).
 */
void libra_procmap_merge(struct libra_procmap *map, uint32_t from,
			 uint32_t into);

/* Change a label to another on its first count processors, in index order.
 * Result: number of processors changed.
 * Cost:   O(runs taken x runs of the old label); for label 0 O(runs taken +
 *         processors / 64).
 */
uint32_t libra_procmap_take(struct libra_procmap *map, uint32_t from,
			    uint32_t count, uint32_t into);

/* Return the run that a processor is in. */
static inline uint32_t libra_procmap_find(const struct libra_procmap *map,
					  uint32_t proc)
{
	return libra_bits_last(map->edges, proc);
}

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
