/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady.c - the nodes that never have less free than now. */
#include "core/space/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/space/lanes.h"

bool libra_steady_init(const struct libra_engine *e,
		       struct libra_steady *steady)
{
	steady->words = LIBRA_BITS_WORDS(e->nnodes);
	for (uint32_t i = 0; i < e->nnodes; i++)
		if (e->nodes[i].count > steady->most)
			steady->most = e->nodes[i].count;
	steady->with = calloc((size_t)(steady->most + 1) * steady->words,
			      sizeof(*steady->with));
	steady->nwith = calloc(steady->most + 1, sizeof(*steady->nwith));
	steady->falling = calloc(steady->words, sizeof(*steady->falling));
	steady->stale = calloc(steady->words, sizeof(*steady->stale));
	steady->procs = calloc(e->nnodes, sizeof(*steady->procs));
	steady->to_s = calloc(e->nnodes, sizeof(*steady->to_s));
	steady->least_to_s = calloc(steady->words, sizeof(*steady->least_to_s));
	return steady->with && steady->nwith && steady->falling &&
	       steady->stale && steady->procs && steady->to_s &&
	       steady->least_to_s;
}

void libra_steady_fini(struct libra_steady *steady)
{
	free(steady->with);
	free(steady->nwith);
	free(steady->falling);
	free(steady->stale);
	free(steady->procs);
	free(steady->to_s);
	free(steady->least_to_s);
}

void libra_steady_reset(const struct libra_engine *e,
			struct libra_steady *steady)
{
	size_t size = steady->words * sizeof(uint64_t);

	memset(steady->with, 0, (steady->most + 1) * size);
	memset(steady->nwith, 0, (steady->most + 1) * sizeof(*steady->nwith));
	memset(steady->stale, 0, size);
	memset(steady->falling, 0, size);
	for (uint32_t w = 0; w < steady->words; w++)
		steady->least_to_s[w] = INFINITY;
	for (uint32_t i = 0; i < e->nnodes; i++) {
		libra_bits_put(steady->stale, i);
		libra_bits_put(steady->falling, i);
		steady->procs[i] = steady->most + 1;
	}
}

static void put(struct libra_steady *steady, uint32_t node, uint32_t procs)
{
	uint32_t was = steady->procs[node];

	if (was == procs)
		return;
	steady->procs[node] = procs;
	if (was <= steady->most) {
		libra_bits_drop(&steady->with[(size_t)was * steady->words],
				node);
		steady->nwith[was]--;
	} else {
		libra_bits_drop(steady->falling, node);
	}
	if (procs <= steady->most) {
		libra_bits_put(&steady->with[(size_t)procs * steady->words],
			       node);
		steady->nwith[procs]++;
	} else {
		libra_bits_put(steady->falling, node);
	}
}

void libra_steady_forget(struct libra_steady *steady, uint32_t node)
{
	libra_bits_put(steady->stale, node);
	put(steady, node, steady->most + 1);
}

static bool has_less(const struct libra_lanes *lanes, uint32_t step,
		     uint32_t than, uint32_t width)
{
	for (uint32_t k = 0; k < width; k++)
		if (lanes->free[(size_t)step * width + k] <
		    lanes->free[(size_t)than * width + k])
			return true;
	return false;
}

static void read_lane(const struct libra_engine *e, struct libra_lanes *lanes,
		      uint32_t node)
{
	struct libra_steady *steady = &lanes->steady;
	uint32_t width = 1 + e->nresources;
	uint32_t step = libra_lanes_step_at(lanes, node, e->now_s), next;
	int64_t procs = lanes->free[(size_t)step * width];

	next = libra_lanes_next(lanes, step);
	steady->to_s[node] =
		next == LIBRA_NO_SPAN ? INFINITY : lanes->from_s[next];
	while (next != LIBRA_NO_SPAN && !has_less(lanes, next, step, width))
		next = libra_lanes_next(lanes, next);
	if (next != LIBRA_NO_SPAN || procs < 0 || procs > steady->most)
		put(steady, node, steady->most + 1);
	else
		put(steady, node, (uint32_t)procs);
}

/* Forget the nodes of a word whose step has ended.
 * Result: the first end of a step of the others.
 */
static double forget_ended(const struct libra_engine *e,
			   struct libra_steady *steady, uint32_t w)
{
	uint32_t i = w * 64, end = i + 64;
	double least_s = INFINITY;

	end = end < e->nnodes ? end : e->nnodes;
	for (; i < end; i++)
		if (libra_bits_has(steady->stale, i))
			continue;
		else if (steady->to_s[i] <= e->now_s)
			libra_steady_forget(steady, i);
		else
			least_s = fmin(least_s, steady->to_s[i]);
	return least_s;
}

void libra_steady_refresh(const struct libra_engine *e,
			  struct libra_lanes *lanes)
{
	struct libra_steady *steady = &lanes->steady;
	uint32_t reads = LIBRA_STEADY_READS;

	for (uint32_t w = 0; w < steady->words; w++) {
		double *least_s = &steady->least_to_s[w];

		if (*least_s <= e->now_s)
			*least_s = forget_ended(e, steady, w);
		for (; reads > 0 && steady->stale[w] != 0; reads--) {
			uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(
						      steady->stale[w]);

			libra_bits_drop(steady->stale, i);
			read_lane(e, lanes, i);
			*least_s = fmin(*least_s, steady->to_s[i]);
		}
	}
}

uint64_t libra_steady_word(const struct libra_steady *steady, uint32_t least,
			   uint32_t most, uint32_t w)
{
	uint64_t word = 0;

	for (; least <= most; least++)
		if (steady->nwith[least] > 0)
			word |= steady->with[(size_t)least * steady->words + w];
	return word;
}
