/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - where a job need not be looked for.
 *
 * A policy that takes rows in index order has a number for each job (its share,
 * its deadline), and knows of each row with tasks a limit: no job with a higher
 * number will suit it, until some instant.  The processors are cut into blocks,
 * and of each the highest limit of its rows is kept, with the instant until
 * which it holds.  So a search passes over the blocks of a full machine at one
 * look each, and over rows that are full without their tasks.
 *
 * Limits are too high rather than too low: what is not passed over is asked.
 * Those of rows are found at their events, and anew when their time is over;
 * those of blocks when that of a row is over, or if a search was in vain.
 */
#ifndef LIBRA_LIMITS_H
#define LIBRA_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/procmap.h"
#include "core/share/row.h"

struct libra_limit {
	double most;	/* INFINITY: nothing is known */
	double until_s; /* at any instant from the one asked about to that */
};

/* The limit of a row that has tasks and takes new ones. */
typedef struct libra_limit libra_limit_f(const struct libra_division *division,
					 const struct libra_ledger_row *row,
					 double now_s);

struct libra_limits {
	libra_limit_f *of; /* NULL: no limits are kept */
	struct libra_limit *blocks;
	uint32_t nblocks;
	struct libra_limit *rows;
	double *soon_s; /* per row: nearly until_s */
	uint32_t cap;	/* rows there is room for */
};

/* A search in index order; begins as all zeros, with number and now_s. */
struct libra_search {
	double number; /* of the job */
	double now_s;
	uint32_t empty; /* the next processor without tasks */
	uint32_t block; /* that is looked at, and one more; 0 = none */
	bool found;	/* something there was suitable */
};

struct libra_ledger;

/* On a small machine, or without a function, no limits are kept.
 * Result: 0, or -1 with ENOMEM; fini in any case.
 */
int libra_limits_init(struct libra_limits *limits, uint32_t nprocs,
		      libra_limit_f *of);
void libra_limits_fini(struct libra_limits *limits);

/* Make room for so many rows; nothing is known of new ones.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_limits_reserve(struct libra_limits *limits, uint32_t nrows);

/* Nothing is known of a row any more, which has no processors yet. */
void libra_limits_forget(struct libra_limits *limits, uint32_t row);

/* A row was made of processors without tasks, which no block has counted. */
void libra_limits_added(struct libra_ledger *ledger, uint32_t row);

/* Nothing is known any more. */
void libra_limits_reset(struct libra_limits *limits);

/* A row has had an event. */
void libra_limits_changed(struct libra_ledger *ledger, uint32_t row,
			  double now_s);

/* The next run that may suit from a processor on, where a run begins; or the
 * number of processors.  If its row suits, the caller says so.  Limits are
 * kept.
 */
uint32_t libra_limits_next(struct libra_ledger *ledger,
			   struct libra_search *search, uint32_t proc);

#endif
