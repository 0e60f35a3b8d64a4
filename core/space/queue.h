/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.h - waiting jobs in order, and running jobs by expected end.
 *
 * The waiting jobs are parallel arrays, with holes where jobs were removed
 * from the middle.  A place is an index in them.  For every 64 places the
 * least size is stored, so that a scan for jobs that fit skips most of a long
 * queue.  Only the reserve functions allocate.
 */
#ifndef LIBRA_QUEUE_H
#define LIBRA_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#define LIBRA_QUEUE_BLOCK 64
#define LIBRA_QUEUE_HOLE  UINT32_MAX /* the size of a removed job */

struct libra_queue {
	uint32_t *nprocs;   /* LIBRA_QUEUE_HOLE = removed */
	double *estimate_s; /* of each job */
	double *key;	    /* ascending; equal keys by serial */
	uint64_t *serial;
	uint32_t *slot;
	uint32_t *least; /* the smallest nprocs of each block */
	uint32_t head;	 /* first job, or end */
	uint32_t end;	 /* one past the last */
	uint32_t live;	 /* jobs */
	uint32_t cap;
};

/* Reserve memory for n jobs in all.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_queue_reserve(struct libra_queue *q, uint32_t n);
void libra_queue_fini(struct libra_queue *q);

/* Insert a job by (key, serial).
 * Result: its place.
 * Cost: O(1) at the end, else O(jobs).
 */
uint32_t libra_queue_insert(struct libra_queue *q, uint32_t slot, double key,
			    uint64_t serial, uint32_t nprocs,
			    double estimate_s);

/* Remove the job at a place; other places stay valid until the next insert. */
void libra_queue_remove(struct libra_queue *q, uint32_t place);

/* Return the first place at or after place whose job needs at most nprocs
 * processors, or end.
 */
uint32_t libra_queue_next(const struct libra_queue *q, uint32_t place,
			  uint32_t nprocs);

/* Return the place of the job in a slot, or end.
 * Cost: O(jobs).
 */
uint32_t libra_queue_find(const struct libra_queue *q, uint32_t slot);

/* Return the place of a waiting job, given its key and serial.
 * Cost: O(log jobs).
 */
uint32_t libra_queue_place(const struct libra_queue *q, double key,
			   uint64_t serial);

/* A running job and its expected end. */
struct libra_running {
	double end_s; /* by its estimate */
	uint32_t nprocs;
	uint32_t slot;
};

struct libra_runlist {
	struct libra_running *jobs; /* by (end_s, nprocs) */
	uint32_t n, cap;
};

/* Reserve memory for n running jobs in all.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_runlist_reserve(struct libra_runlist *list, uint32_t n);
void libra_runlist_fini(struct libra_runlist *list);
void libra_runlist_add(struct libra_runlist *list, double end_s,
		       uint32_t nprocs, uint32_t slot);
/* Remove a running job, given the end_s and nprocs that it was added with. */
void libra_runlist_remove(struct libra_runlist *list, double end_s,
			  uint32_t nprocs, uint32_t slot);

#endif
