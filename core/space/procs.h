/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procs.h - free processors in index order, and those of each job.
 *
 * The free ones are a set of bits; a job's are a list of runs, which is kept
 * in arrays with a place for each processor.  So a start or an end costs the
 * job's runs and a look at the words of the set, whatever else is on the
 * machine, and only init and reserve allocate.
 */
#ifndef LIBRA_SPACE_PROCS_H
#define LIBRA_SPACE_PROCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/job.h"

struct libra_procs {
	uint32_t nprocs;
	uint32_t lowest;  /* none below is free */
	uint64_t *free;	  /* for jobs */
	uint64_t *closed; /* free, on nodes that take no jobs */
	uint32_t *end;	  /* by a run's first processor: one past its last */
	uint32_t *next;	  /* by the same: the job's next run, or nprocs */
	uint32_t *first;  /* by slot: the job's first run, or nprocs */
	uint32_t cap;	  /* slots */
};

/* All processors are free.
 * Result: 0, or -1 with ENOMEM; fini in any case.
 */
int libra_procs_init(struct libra_procs *p, uint32_t nprocs);
void libra_procs_fini(struct libra_procs *p);

/* Make room for slots 0..n-1.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_procs_reserve(struct libra_procs *p, uint32_t n);

/* Give a job the first n free processors, or all of them if fewer are free: ask
 * first.
 */
void libra_procs_take(struct libra_procs *p, uint32_t slot, uint32_t n);

/* The same of a range. */
void libra_procs_take_in(struct libra_procs *p, uint32_t slot,
			 struct libra_range range, uint32_t n);

/* How many processors of a range are free for jobs. */
uint32_t libra_procs_free(const struct libra_procs *p,
			  struct libra_range range);

/* Is a processor of a range a job's? */
bool libra_procs_taken(const struct libra_procs *p, struct libra_range range);

/* Give a job a range of processors that are no other job's.
 * Result: how many of them were free for jobs.
 */
uint32_t libra_procs_enter(struct libra_procs *p, uint32_t slot,
			   struct libra_range range);

/* The processors of a job within a range. */
uint32_t libra_procs_count(const struct libra_procs *p, uint32_t slot,
			   struct libra_range range);

/* The processors of a job are free. */
void libra_procs_release(struct libra_procs *p, uint32_t slot);

/* Free processors of a range take no jobs any more, or do again.
 * Result: how many.
 */
uint32_t libra_procs_close(struct libra_procs *p, uint32_t first,
			   uint32_t count, bool closed);

/* The ranges of a job, as many as there is room for.
 * Result: how many there are.
 */
size_t libra_procs_ranges(const struct libra_procs *p, uint32_t slot,
			  struct libra_range *ranges, size_t cap);

#endif
