/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procs.h - the set of free processors, and the processors of each job.
 *
 * The free processors are a set of bits.  The processors of a job are a list
 * of runs (ranges without a gap), in arrays with an element for each
 * processor.  A start or an end costs the job's runs and a pass over the words
 * of the set.  Only init and reserve allocate.
 */
#ifndef LIBRA_SPACE_PROCS_H
#define LIBRA_SPACE_PROCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/job.h"

struct libra_procs {
	uint32_t nprocs;
	uint32_t lowest;  /* no processor below is free */
	uint64_t *free;	  /* set of the processors that jobs can take */
	uint64_t *closed; /* set of those without a job on closed nodes */
	uint32_t *end; /* by a run's first processor: one past the run's last */
	uint32_t *next;	 /* by a run's first processor: the job's next run, or
			    nprocs */
	uint32_t *first; /* by slot: the job's first run, or nprocs */
	uint32_t cap;	 /* slots */
};

/* Set all processors free.
 * Result: 0, or -1 with ENOMEM.  Call libra_procs_fini() in either case.
 */
int libra_procs_init(struct libra_procs *p, uint32_t nprocs);
void libra_procs_fini(struct libra_procs *p);

/* Reserve memory for slots 0..n-1.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_procs_reserve(struct libra_procs *p, uint32_t n);

/* Assign the first n free processors to a job, or all that are free if these
 * are fewer: the caller tests first.
 */
void libra_procs_take(struct libra_procs *p, uint32_t slot, uint32_t n);

/* Assign the first n free processors of a range to a job, in addition to those
 * that the job has; or all that are free there, if these are fewer.
 */
void libra_procs_take_in(struct libra_procs *p, uint32_t slot,
			 struct libra_range range, uint32_t n);

/* Return the number of processors of a range that are free for jobs. */
uint32_t libra_procs_free(const struct libra_procs *p,
			  struct libra_range range);

/* Return true if a job has a processor of a range. */
bool libra_procs_taken(const struct libra_procs *p, struct libra_range range);

/* Assign a range of processors to a job; no other job has one of them.
 * Result: how many of them were free for jobs.
 */
uint32_t libra_procs_enter(struct libra_procs *p, uint32_t slot,
			   struct libra_range range);

/* Return the number of a job's processors within a range. */
uint32_t libra_procs_count(const struct libra_procs *p, uint32_t slot,
			   struct libra_range range);

/* Set all processors of a job free. */
void libra_procs_release(struct libra_procs *p, uint32_t slot);

/* Move the free processors of a range to the set `closed`, or with closed false
 * those of `closed` back.
 * Result: the number of processors moved.
 */
uint32_t libra_procs_close(struct libra_procs *p, uint32_t first,
			   uint32_t count, bool closed);

/* Write the ranges of a job to ranges, cap of them at most.
 * Result: the number of ranges that the job has.
 */
size_t libra_procs_ranges(const struct libra_procs *p, uint32_t slot,
			  struct libra_range *ranges, size_t cap);

#endif
