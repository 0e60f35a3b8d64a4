/* SPDX-License-Identifier: GPL-2.0-or-later */
/* least.c - a tree of minima. */
#include "core/least.h"

#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_NUMBERS 64

static double lower(const double *tree, uint32_t place)
{
	double a = tree[2 * place], b = tree[2 * place + 1];

	return a < b ? a : b;
}

int libra_least_reserve(struct libra_least *least, uint32_t n)
{
	uint32_t cap = libra_doubled(least->cap, FIRST_NUMBERS, n);
	bool ok = true;
	double *tree;

	if (n <= least->cap)
		return 0;
	/* Places of the tree have 32 bits: twice the numbers. */
	if (cap > UINT32_MAX / 2)
		cap = 0;
	tree = libra_grown(NULL, 2 * (size_t)cap, sizeof(*tree), &ok);
	if (!ok)
		return -1;
	if (least->cap > 0)
		memcpy(tree + cap, least->tree + least->cap,
		       least->cap * sizeof(*tree));
	for (uint32_t i = cap + least->cap; i < 2 * cap; i++)
		tree[i] = INFINITY;
	for (uint32_t place = cap; place-- > 1;)
		tree[place] = lower(tree, place);
	free(least->tree);
	least->tree = tree;
	least->cap = cap;
	return 0;
}

void libra_least_fini(struct libra_least *least)
{
	free(least->tree);
	memset(least, 0, sizeof(*least));
}

int libra_least_copy(struct libra_least *copy, const struct libra_least *least)
{
	memset(copy, 0, sizeof(*copy));
	if (libra_least_reserve(copy, least->cap) < 0)
		return -1;
	if (least->cap > 0)
		memcpy(copy->tree, least->tree,
		       2 * (size_t)least->cap * sizeof(*copy->tree));
	return 0;
}

void libra_least_set(struct libra_least *least, uint32_t i, double value)
{
	uint32_t place = least->cap + i;

	least->tree[place] = value;
	while (place > 1) {
		place /= 2;
		value = lower(least->tree, place);
		if (least->tree[place] == value)
			return;
		least->tree[place] = value;
	}
}

uint32_t libra_least_next(const struct libra_least *least, uint32_t from,
			  double most)
{
	uint32_t place = least->cap + from;

	if (from >= least->cap)
		return least->cap;
	/* Go up, and to the right, until something below is low enough... */
	while (!(least->tree[place] <= most)) {
		while (place % 2 == 1)
			place /= 2;
		if (place == 0)
			return least->cap;
		place++;
	}
	/* ...then down to the first such number. */
	while (place < least->cap) {
		place *= 2;
		place += !(least->tree[place] <= most);
	}
	return place - least->cap;
}
