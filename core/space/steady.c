/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady.c - the nodes that never have less free than now. */
#include "core/space/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine_impl.h"

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

void libra_steady_forget_ended(const struct libra_engine *e,
			       struct libra_steady *steady)
{
	for (uint32_t w = 0; w < steady->words; w++)
		if (steady->least_to_s[w] <= e->now_s)
			steady->least_to_s[w] = forget_ended(e, steady, w);
}

void libra_steady_note(struct libra_steady *steady, uint32_t node,
		       uint32_t procs, double to_s)
{
	double *least_s = &steady->least_to_s[node / 64];

	libra_bits_drop(steady->stale, node);
	steady->to_s[node] = to_s;
	*least_s = fmin(*least_s, to_s);
	put(steady, node, procs);
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
