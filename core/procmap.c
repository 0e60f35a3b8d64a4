/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procmap.c - runs of processors with the same label. */
#include "core/procmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_LABELS 64
#define PLAIN	     0 /* the label with bits instead of a list */

/* Allocate the arrays by processor.  Result: 0, or -1 with ENOMEM. */
static int make(struct libra_procmap *map, uint32_t nprocs)
{
	uint32_t words = LIBRA_BITS_WORDS(nprocs);

	memset(map, 0, sizeof(*map));
	map->nprocs = nprocs;
	map->edges = calloc(words, sizeof(*map->edges));
	map->plain = calloc(words, sizeof(*map->plain));
	map->label = calloc(nprocs, sizeof(*map->label));
	map->end = calloc(nprocs, sizeof(*map->end));
	map->next = calloc(nprocs, sizeof(*map->next));
	map->prev = calloc(nprocs, sizeof(*map->prev));
	return map->edges && map->plain && map->label && map->end &&
			       map->next && map->prev
		       ? 0
		       : -1;
}

int libra_procmap_reserve(struct libra_procmap *map, uint32_t n)
{
	uint32_t cap = libra_doubled(map->cap, FIRST_LABELS, n);
	bool ok = true;

	if (n <= map->cap)
		return 0;
	map->head = libra_grown(map->head, cap, sizeof(*map->head), &ok);
	if (!ok)
		return -1;
	for (uint32_t i = map->cap; i < cap; i++)
		map->head[i] = map->nprocs;
	map->cap = cap;
	return 0;
}

/* Add a run to the list of its label. */
static void enlist(struct libra_procmap *map, uint32_t run)
{
	uint32_t *head = &map->head[map->label[run]];

	if (map->label[run] == PLAIN)
		return;
	if (*head < map->nprocs)
		map->prev[*head] = run;
	map->next[run] = *head;
	map->prev[run] = map->nprocs;
	*head = run;
}

static void unlist(struct libra_procmap *map, uint32_t run)
{
	uint32_t next = map->next[run], prev = map->prev[run];

	if (map->label[run] == PLAIN)
		return;
	if (prev < map->nprocs)
		map->next[prev] = next;
	else
		map->head[map->label[run]] = next;
	if (next < map->nprocs)
		map->prev[next] = prev;
}

static void add_run(struct libra_procmap *map, uint32_t run, uint32_t end,
		    uint32_t label)
{
	libra_bits_put(map->edges, run);
	map->label[run] = label;
	map->end[run] = end;
	map->nruns++;
	enlist(map, run);
}

static void drop_run(struct libra_procmap *map, uint32_t run)
{
	unlist(map, run);
	libra_bits_drop(map->edges, run);
	map->nruns--;
}

int libra_procmap_init(struct libra_procmap *map, uint32_t nprocs,
		       uint32_t label)
{
	memset(map, 0, sizeof(*map));
	if (nprocs == 0) {
		errno = EINVAL;
		return -1;
	}
	if (make(map, nprocs) < 0 || libra_procmap_reserve(map, label + 1) < 0)
		return -1;
	add_run(map, 0, nprocs, label);
	if (label == PLAIN)
		libra_bits_fill(map->plain, 0, nprocs);
	return 0;
}

int libra_procmap_copy(struct libra_procmap *copy,
		       const struct libra_procmap *map)
{
	size_t words = LIBRA_BITS_WORDS(map->nprocs) * sizeof(*map->edges);
	size_t size = map->nprocs * sizeof(*map->label);

	if (make(copy, map->nprocs) < 0 ||
	    libra_procmap_reserve(copy, map->cap) < 0) {
		libra_procmap_fini(copy);
		return -1;
	}
	copy->nruns = map->nruns;
	copy->lowest = map->lowest;
	memcpy(copy->edges, map->edges, words);
	memcpy(copy->plain, map->plain, words);
	memcpy(copy->label, map->label, size);
	memcpy(copy->end, map->end, size);
	memcpy(copy->next, map->next, size);
	memcpy(copy->prev, map->prev, size);
	memcpy(copy->head, map->head, map->cap * sizeof(*map->head));
	return 0;
}

void libra_procmap_fini(struct libra_procmap *map)
{
	free(map->edges);
	free(map->plain);
	free(map->label);
	free(map->end);
	free(map->next);
	free(map->prev);
	free(map->head);
	memset(map, 0, sizeof(*map));
}

/* Split the run at a processor; at the end of the machine do nothing. */
static void cut(struct libra_procmap *map, uint32_t proc)
{
	uint32_t run;

	if (proc == map->nprocs || libra_bits_has(map->edges, proc))
		return;
	run = libra_procmap_find(map, proc);
	add_run(map, proc, map->end[run], map->label[run]);
	map->end[run] = proc;
}

/* Join two runs side by side if their labels are equal. */
static void join(struct libra_procmap *map, uint32_t before, uint32_t run)
{
	if (map->label[before] != map->label[run])
		return;
	map->end[before] = map->end[run];
	drop_run(map, run);
}

void libra_procmap_set(struct libra_procmap *map, uint32_t first,
		       uint32_t count, uint32_t label)
{
	uint32_t end = first + count;

	if (count == 0)
		return;
	cut(map, first);
	cut(map, end);
	for (uint32_t run = first; run < end; run = map->end[run]) {
		if (map->label[run] == PLAIN && label != PLAIN)
			libra_bits_clear(map->plain, run, map->end[run]);
		drop_run(map, run);
	}
	add_run(map, first, end, label);
	if (label == PLAIN) {
		libra_bits_fill(map->plain, first, end);
		map->lowest = first < map->lowest ? first : map->lowest;
	}
	if (end < map->nprocs)
		join(map, first, end);
	if (first > 0)
		join(map, libra_procmap_find(map, first - 1), first);
}

/* Return the first run of a label in index order, or nprocs. */
static uint32_t first_run(struct libra_procmap *map, uint32_t label)
{
	uint32_t first = map->nprocs;

	if (label == PLAIN) {
		map->lowest =
			libra_bits_next(map->plain, map->lowest, map->nprocs);
		return map->lowest;
	}
	for (uint32_t run = map->head[label]; run < map->nprocs;
	     run = map->next[run])
		first = run < first ? run : first;
	return first;
}

void libra_procmap_merge(struct libra_procmap *map, uint32_t from,
			 uint32_t into)
{
	uint32_t run;

	while (from != into &&
	       (run = from == PLAIN ? first_run(map, from) : map->head[from]) <
		       map->nprocs)
		libra_procmap_set(map, run, libra_procmap_count(map, run),
				  into);
}

uint32_t libra_procmap_take(struct libra_procmap *map, uint32_t from,
			    uint32_t count, uint32_t into)
{
	uint32_t taken = 0, run;

	while (taken < count && (run = first_run(map, from)) < map->nprocs) {
		uint32_t n = libra_procmap_count(map, run);

		n = n < count - taken ? n : count - taken;
		libra_procmap_set(map, run, n, into);
		taken += n;
	}
	return taken;
}
