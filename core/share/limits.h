/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - skip processors that cannot take a job, in a search by index.
 *
 * A policy that takes rows in index order has a number for each job (its share,
 * its deadline).  For each row with tasks it gives a limit: until some instant
 * no job with a higher number suits that row.  Processors are divided into
 * blocks; each block has the highest limit of its rows, and the instant until
 * which that is valid.  So a search passes a block of a full machine in one
 * step, and a full row without visiting its tasks.
 *
 * A limit may be too high, never too low: a row that is not skipped is tested.
 * Limits of rows are computed when a task of the row is added, removed or
 * changed, and again when they are no longer valid.  Limits of blocks are
 * computed again when one of their rows' limits ends, or after a search that
 * found nothing there.
 *
 * Callers: ledger.c, state.c and select.c here, under the lock of the engine's
 * host.
 */
#ifndef LIBRA_LIMITS_H
#define LIBRA_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/procmap.h"
#include "core/share/row.h"

struct libra_limit {
	double most; /* the highest number that may suit; INFINITY: unknown */
	double until_s; /* valid from the instant of the computation to this one
			 */
};

/* Return the limit of a row that has tasks and takes new ones. */
typedef struct libra_limit libra_limit_f(const struct libra_division *division,
					 const struct libra_ledger_row *row,
					 double now_s);

struct libra_limits {
	libra_limit_f *of; /* NULL: no limits */
	struct libra_limit *blocks;
	uint32_t nblocks;
	struct libra_limit *rows;
	double *soon_s; /* per row: shortly before until_s, to renew early */
	uint32_t cap;	/* rows that memory is reserved for */
};

/* A search in index order.  Initialise with zeros, then set number and now_s.
 */
struct libra_search {
	double number; /* of the job */
	double now_s;
	uint32_t empty; /* the next processor without tasks */
	uint32_t block; /* the present block + 1; 0 = none */
	bool found;	/* a row of that block was suitable */
};

struct libra_ledger;

/* Initialise limits by a policy's function.  On a small machine, or if the
 * function is NULL, there are no limits.
 * Result: 0, or -1 with ENOMEM; call fini in any case.
 */
int libra_limits_init(struct libra_limits *limits, uint32_t nprocs,
		      libra_limit_f *of);
void libra_limits_fini(struct libra_limits *limits);

/* Reserve memory for nrows rows; the limits of new ones are unknown.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_limits_reserve(struct libra_limits *limits, uint32_t nrows);

/* Set the limit of a row without processors to unknown. */
void libra_limits_forget(struct libra_limits *limits, uint32_t row);

/* Count a new row, made of processors without tasks, in its blocks. */
void libra_limits_added(struct libra_ledger *ledger, uint32_t row);

/* Set all limits to unknown. */
void libra_limits_reset(struct libra_limits *limits);

/* Compute the limit of a row after a change of its tasks. */
void libra_limits_changed(struct libra_ledger *ledger, uint32_t row,
			  double now_s);

/* Return the first processor of the next run that may suit, at or after proc,
 * at which a run begins; or the number of processors if there is none.  If the
 * row of that run suits, the caller sets search->found.  Renews limits on the
 * way.
 */
uint32_t libra_limits_next(struct libra_ledger *ledger,
			   struct libra_search *search, uint32_t proc);

#endif
