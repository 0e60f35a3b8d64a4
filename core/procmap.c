/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procmap.c - runs of processors with the same label. */
#include "core/procmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_CAP 64

int libra_procmap_init(struct libra_procmap *map, uint32_t nprocs,
		       uint32_t label)
{
	memset(map, 0, sizeof(*map));
	if (nprocs == 0) {
		errno = EINVAL;
		return -1;
	}
	if (libra_procmap_reserve(map, FIRST_CAP / 2 - 1) < 0)
		return -1;
	map->nprocs = nprocs;
	map->nruns = 1;
	map->first[0] = 0;
	map->first[1] = nprocs;
	map->label[0] = label;
	return 0;
}

int libra_procmap_copy(struct libra_procmap *copy,
		       const struct libra_procmap *map)
{
	memset(copy, 0, sizeof(*copy));
	if (libra_procmap_reserve(copy, map->cap / 2) < 0) {
		libra_procmap_fini(copy);
		return -1;
	}
	copy->nprocs = map->nprocs;
	copy->nruns = map->nruns;
	memcpy(copy->first, map->first,
	       (map->nruns + 1) * sizeof(*copy->first));
	memcpy(copy->label, map->label, map->nruns * sizeof(*copy->label));
	return 0;
}

void libra_procmap_fini(struct libra_procmap *map)
{
	free(map->first);
	free(map->label);
	memset(map, 0, sizeof(*map));
}

int libra_procmap_reserve(struct libra_procmap *map, uint32_t n)
{
	uint64_t need = (uint64_t)map->nruns + 2 * (uint64_t)n + 2;
	uint64_t cap = libra_doubled(map->cap, FIRST_CAP, need);
	bool ok = true;

	if (need <= map->cap)
		return 0;
	if (cap > UINT32_MAX) {
		errno = ENOMEM;
		return -1;
	}
	map->first = libra_grown(map->first, cap + 1, sizeof(*map->first), &ok);
	map->label = libra_grown(map->label, cap, sizeof(*map->label), &ok);
	if (!ok)
		return -1;
	map->cap = (uint32_t)cap;
	return 0;
}

/* Replace nold runs from at on by nnew, whose contents the caller writes;
 * first[nruns] moves along as the end mark.
 */
static void splice(struct libra_procmap *map, uint32_t at, uint32_t nold,
		   uint32_t nnew)
{
	uint32_t tail = map->nruns - (at + nold);

	if (nold == nnew)
		return;
	memmove(&map->first[at + nnew], &map->first[at + nold],
		(tail + 1) * sizeof(*map->first));
	memmove(&map->label[at + nnew], &map->label[at + nold],
		tail * sizeof(*map->label));
	map->nruns = at + nnew + tail;
}

void libra_procmap_set(struct libra_procmap *map, uint32_t first,
		       uint32_t count, uint32_t label)
{
	uint32_t end = first + count, a, b, n = 0;
	uint32_t new_first[3], new_label[3];

	if (count == 0)
		return;
	a = libra_procmap_find(map, first);
	b = libra_procmap_find(map, end - 1);
	/* Neighbours with the same label become one run with the range. */
	if (map->first[a] < first && map->label[a] != label) {
		new_first[n] = map->first[a];
		new_label[n++] = map->label[a];
		new_first[n] = first;
	} else if (map->first[a] < first) {
		new_first[n] = map->first[a];
	} else if (a > 0 && map->label[a - 1] == label) {
		a--;
		new_first[n] = map->first[a];
	} else {
		new_first[n] = first;
	}
	new_label[n++] = label;
	if (map->first[b + 1] > end && map->label[b] != label) {
		new_first[n] = end;
		new_label[n++] = map->label[b];
	} else if (map->first[b + 1] == end && b + 1 < map->nruns &&
		   map->label[b + 1] == label) {
		b++;
	}
	splice(map, a, b - a + 1, n);
	memcpy(&map->first[a], new_first, n * sizeof(*new_first));
	memcpy(&map->label[a], new_label, n * sizeof(*new_label));
}

void libra_procmap_merge(struct libra_procmap *map, uint32_t from,
			 uint32_t into)
{
	uint32_t n = 0, i = 0;

	/* Nothing to close up before the first run of the label. */
	while (i < map->nruns && map->label[i] != from)
		i++;
	if (i == map->nruns)
		return;
	n = i;
	for (; i < map->nruns; i++) {
		uint32_t label = map->label[i] == from ? into : map->label[i];

		if (n > 0 && map->label[n - 1] == label)
			continue;
		map->first[n] = map->first[i];
		map->label[n++] = label;
	}
	map->first[n] = map->nprocs;
	map->nruns = n;
}

uint32_t libra_procmap_take(struct libra_procmap *map, uint32_t from,
			    uint32_t count, uint32_t into)
{
	uint32_t taken = 0;

	for (uint32_t i = 0; i < map->nruns && taken < count; i++) {
		uint32_t n = libra_procmap_count(map, i);

		if (map->label[i] != from)
			continue;
		if (n > count - taken)
			n = count - taken;
		taken += n;
		libra_procmap_set(map, map->first[i], n, into);
		/* The run may have joined the one before it: look again at
		 * the place where the rest begins. */
		if (i > 0)
			i--;
	}
	return taken;
}

uint32_t libra_procmap_label(const struct libra_procmap *map, uint32_t proc)
{
	return map->label[libra_procmap_find(map, proc)];
}
