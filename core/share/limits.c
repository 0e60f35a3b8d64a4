/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.c - the limits of rows, and the highest in each block. */
#include "core/share/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/share/ledger.h"

/* Processors of a block: a word of the map's sets. */
#define BLOCK 64
/* On a smaller machine testing all rows costs less. */
#define LEAST_PROCS 1024
/* When a block is renewed, the limits of its rows are renewed if this fraction
 * of their time is over.
 */
#define NEARLY 0.75

static const struct libra_limit unknown = {INFINITY, -INFINITY};

int libra_limits_init(struct libra_limits *limits, uint32_t nprocs,
		      libra_limit_f *of)
{
	uint32_t cap = limits->cap;

	if (!of || nprocs < LEAST_PROCS)
		return 0;
	limits->nblocks = LIBRA_BITS_WORDS(nprocs);
	limits->blocks = malloc(limits->nblocks * sizeof(*limits->blocks));
	if (!limits->blocks)
		return -1;
	limits->of = of;
	limits->cap = 0;
	if (libra_limits_reserve(limits, cap) < 0)
		return -1;
	libra_limits_reset(limits);
	return 0;
}

void libra_limits_fini(struct libra_limits *limits)
{
	free(limits->blocks);
	free(limits->rows);
	free(limits->soon_s);
	memset(limits, 0, sizeof(*limits));
}

/* If the policy has no function, only store the number, for init. */
int libra_limits_reserve(struct libra_limits *limits, uint32_t nrows)
{
	bool ok = true;

	if (nrows <= limits->cap)
		return 0;
	if (limits->of) {
		limits->rows = libra_grown(limits->rows, nrows,
					   sizeof(*limits->rows), &ok);
		limits->soon_s = libra_grown(limits->soon_s, nrows,
					     sizeof(*limits->soon_s), &ok);
	}
	if (!ok)
		return -1;
	for (uint32_t i = limits->cap; i < nrows && limits->of; i++)
		libra_limits_forget(limits, i);
	limits->cap = nrows;
	return 0;
}

void libra_limits_forget(struct libra_limits *limits, uint32_t row)
{
	if (!limits->of)
		return;
	limits->rows[row] = unknown;
	limits->soon_s[row] = -INFINITY;
}

void libra_limits_reset(struct libra_limits *limits)
{
	for (uint32_t i = 0; i < limits->cap; i++)
		libra_limits_forget(limits, i);
	for (uint32_t b = 0; b < limits->nblocks; b++)
		limits->blocks[b] = unknown;
}

static void renew_row(struct libra_ledger *ledger, uint32_t row, double now_s)
{
	struct libra_limits *limits = &ledger->limits;
	struct libra_limit limit =
		limits->of(&ledger->division, &ledger->rows[row], now_s);

	limits->rows[row] = limit;
	limits->soon_s[row] = now_s + NEARLY * (limit.until_s - now_s);
}

/* Include the limit of a row in a block. */
static inline void count(struct libra_limit *block,
			 const struct libra_limit *row)
{
	block->most = row->most > block->most ? row->most : block->most;
	block->until_s =
		row->until_s < block->until_s ? row->until_s : block->until_s;
}

void libra_limits_added(struct libra_ledger *ledger, uint32_t row)
{
	struct libra_limits *limits = &ledger->limits;
	const struct libra_procmap *map = &ledger->map;

	if (!limits->of)
		return;
	for (uint32_t run = map->head[row]; run < map->nprocs;
	     run = map->next[run])
		for (uint32_t b = run / BLOCK; b * BLOCK < map->end[run]; b++)
			limits->blocks[b] = unknown;
}

void libra_limits_changed(struct libra_ledger *ledger, uint32_t row,
			  double now_s)
{
	struct libra_limits *limits = &ledger->limits;
	const struct libra_procmap *map = &ledger->map;

	if (!limits->of || ledger->rows[row].pub.ntasks == 0)
		return;
	renew_row(ledger, row, now_s);
	for (uint32_t run = map->head[row]; run < map->nprocs;
	     run = map->next[run])
		for (uint32_t b = run / BLOCK; b * BLOCK < map->end[run]; b++)
			count(&limits->blocks[b], &limits->rows[row]);
}

/* Return true if a row has tasks and takes new ones. */
static inline bool takes_part(const struct libra_ledger *ledger, uint32_t row)
{
	return row >= LIBRA_ROW_FIRST && !ledger->rows[row].closed;
}

static void renew_block(struct libra_ledger *ledger, uint32_t block,
			double now_s)
{
	const struct libra_limits *limits = &ledger->limits;
	const struct libra_procmap *map = &ledger->map;
	struct libra_limit limit = {-INFINITY, INFINITY};
	uint32_t end = (block + 1) * BLOCK;

	end = end < map->nprocs ? end : map->nprocs;
	for (uint32_t run = libra_procmap_find(map, block * BLOCK); run < end;
	     run = map->end[run]) {
		uint32_t row = map->label[run];

		if (!takes_part(ledger, row))
			continue;
		if (!(limits->soon_s[row] > now_s))
			renew_row(ledger, row, now_s);
		count(&limit, &limits->rows[row]);
	}
	limits->blocks[block] = limit;
}

/* Return true if a row of a block may suit. */
static inline bool block_may_suit(struct libra_ledger *ledger,
				  const struct libra_search *search,
				  uint32_t block)
{
	const struct libra_limit *limit = &ledger->limits.blocks[block];

	if (!(limit->until_s >= search->now_s))
		renew_block(ledger, block, search->now_s);
	return !(search->number > limit->most);
}

static inline bool row_may_suit(struct libra_ledger *ledger,
				const struct libra_search *search, uint32_t row)
{
	const struct libra_limit *limit = &ledger->limits.rows[row];

	if (row < LIBRA_ROW_FIRST)
		return row == LIBRA_ROW_EMPTY;
	if (!(limit->until_s >= search->now_s) && takes_part(ledger, row))
		renew_row(ledger, row, search->now_s);
	return !(search->number > limit->most);
}

/* End the search of a block.  If no row there was suitable, the reason is that
 * rows have had events, or that its limit becomes true only later.
 */
static void leave_block(struct libra_limits *limits,
			struct libra_search *search)
{
	if (search->block > 0 && !search->found)
		limits->blocks[search->block - 1] = unknown;
	search->block = 0;
	search->found = false;
}

/* Return the first processor of the next block that may suit, or one without
 * tasks; or the number of processors.
 */
static uint32_t next_block(struct libra_ledger *ledger,
			   struct libra_search *search, uint32_t proc)
{
	const struct libra_procmap *map = &ledger->map;
	uint32_t from = proc > map->lowest ? proc : map->lowest;

	leave_block(&ledger->limits, search);
	if (search->empty < from || search->empty == 0)
		search->empty = libra_bits_next(map->plain, from, map->nprocs);
	for (uint32_t b = proc / BLOCK; b * BLOCK < map->nprocs; b++) {
		if (block_may_suit(ledger, search, b)) {
			search->block = b + 1;
			return b * BLOCK > proc ? b * BLOCK : proc;
		}
		if (search->empty / BLOCK == b)
			break;
	}
	return search->empty;
}

uint32_t libra_limits_next(struct libra_ledger *ledger,
			   struct libra_search *search, uint32_t proc)
{
	const struct libra_procmap *map = &ledger->map;

	while (proc < map->nprocs) {
		uint32_t run;

		if (search->block != proc / BLOCK + 1)
			proc = next_block(ledger, search, proc);
		if (proc == map->nprocs)
			break;
		run = libra_procmap_find(map, proc);
		if (row_may_suit(ledger, search, map->label[run]))
			return run;
		proc = map->end[run];
	}
	leave_block(&ledger->limits, search);
	return map->nprocs;
}
