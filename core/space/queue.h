/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.h - jobs that wait, in order, and jobs that run, by expected end.
 *
 * The waiting jobs are kept as arrays side by side, with holes where jobs
 * were taken from the middle, and with the least size of every 64 of them, so
 * that a scan for jobs that fit passes over most of a long queue without
 * looking.  Nothing is allocated after reserve.
 */
#ifndef LIBRA_QUEUE_H
#define LIBRA_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#define LIBRA_QUEUE_BLOCK 64
#define LIBRA_QUEUE_HOLE  UINT32_MAX /* the size of a job that is gone */

struct libra_queue {
	uint32_t *nprocs;   /* LIBRA_QUEUE_HOLE = a hole */
	double *estimate_s; /* of each job */
	double *key;	    /* order; equal keys by serial */
	uint64_t *serial;
	uint32_t *slot;
	uint32_t *least; /* the smallest nprocs of each block */
	uint32_t head;	 /* first job, or end */
	uint32_t end;	 /* one past the last */
	uint32_t live;	 /* jobs */
	uint32_t cap;
};

/* Make room for n jobs in all.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_queue_reserve(struct libra_queue *q, uint32_t n);
void libra_queue_fini(struct libra_queue *q);

/* Insert by (key, serial); at the end in O(1), else O(jobs).
 * Result: the place.
 */
uint32_t libra_queue_insert(struct libra_queue *q, uint32_t slot, double key,
			    uint64_t serial, uint32_t nprocs,
			    double estimate_s);

/* Take out the job at a place; other places stay as they are. */
void libra_queue_remove(struct libra_queue *q, uint32_t place);

/* The first place from a place on whose job needs at most nprocs, or end. */
uint32_t libra_queue_next(const struct libra_queue *q, uint32_t place,
			  uint32_t nprocs);

/* The place of a job, or end. */
uint32_t libra_queue_find(const struct libra_queue *q, uint32_t slot);

/* The same for a job that waits, by what it was inserted with; cost:
 * O(log jobs).
 */
uint32_t libra_queue_place(const struct libra_queue *q, double key,
			   uint64_t serial);

/* A running job, for the forecast of free processors. */
struct libra_running {
	double end_s; /* by its estimate */
	uint32_t nprocs;
	uint32_t slot;
};

struct libra_runlist {
	struct libra_running *jobs; /* by (end_s, nprocs) */
	uint32_t n, cap;
};

int libra_runlist_reserve(struct libra_runlist *list, uint32_t n);
void libra_runlist_fini(struct libra_runlist *list);
void libra_runlist_add(struct libra_runlist *list, double end_s,
		       uint32_t nprocs, uint32_t slot);
/* end_s and nprocs are those it was added with. */
void libra_runlist_remove(struct libra_runlist *list, double end_s,
			  uint32_t nprocs, uint32_t slot);

#endif
