/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * band_shape.c - placements for which nodes matter.
 *
 * For a job in chunks, or with limits on nodes or on processors of a node (the
 * names are those of policy/band.c):
 *
 *     S of a block = whole chunks of its nodes' first processors that are not
 *         barred, as the limits allow; the lowest nodes, or, if these would be
 *         too many, those with most such processors
 *     B is doubled until a block has an S, then as in policy/band.c
 *     if none has H <= budget + 1e-6: nodes one by one, each time the one
 *         whose processors add least to the cost, each (ties: the node that
 *         gives most, then the lowest); of a node those processors that would
 *         add least by themselves
 *     if that needs too many nodes or exceeds the budget: the nodes by what
 *         they would add by themselves, or if these would be too many, those
 *         with most such processors
 */
#include "core/gang/band.h"

bool libra_band_has_shape(const struct libra_band *b)
{
	const struct libra_where *w = b->job->where;

	return w && (w->chunk > 1 || w->node_max > 0 || w->min_nodes > 1 ||
		     (w->max_nodes > 0 && w->max_nodes < b->nnodes));
}

/* Return the part of a node in first..end-1. */
static struct libra_range part_of(const struct libra_node *node, uint32_t first,
				  uint32_t end)
{
	uint32_t node_end = node->first + node->count;

	first = first > node->first ? first : node->first;
	end = end < node_end ? end : node_end;
	return (struct libra_range){first, end - first};
}

/* Choose processors of a block that meet the constraint. */
static bool choose_shape(const struct libra_band *b, struct libra_block *block)
{
	const struct libra_node *nodes = b->nodes;
	struct libra_node_fit *fits = b->m->fits;
	uint32_t n = 0, used;

	while (nodes[block->node].first + nodes[block->node].count <=
	       block->first)
		block->node++;
	for (uint32_t i = block->node;
	     i < b->nnodes && nodes[i].first < block->end; i++) {
		uint32_t open;

		b->m->visits++;
		b->m->nchosen = 0;
		open = libra_band_choose_first(
			b, part_of(&nodes[i], block->first, block->end), b->n);
		open = libra_where_whole(b->job->where, open);
		if (open > 0)
			fits[n++] = (struct libra_node_fit){.node = i,
							    .nprocs = open};
	}
	used = libra_where_nodes(b->job, fits, n);
	b->m->nchosen = 0;
	for (uint32_t i = 0; i < used; i++)
		libra_band_choose_first(
			b,
			part_of(&nodes[fits[i].node], block->first, block->end),
			fits[i].nprocs);
	return used > 0;
}

/* Try the blocks of the plain rule, of doubled size until the constraint fits.
 */
static bool place_shape_in_block(const struct libra_band *b)
{
	uint64_t nprocs = b->g->nprocs, size = 1;
	double best = INFINITY;
	bool room = false;

	while (size < b->n)
		size *= 2;
	for (bool whole = false; !room && !whole && !libra_band_is_spent(b);
	     size *= 2) {
		struct libra_block block = {0};

		whole = size >= nprocs;
		for (uint64_t s = 0;
		     s + b->n <= nprocs && !libra_band_is_spent(b); s += size) {
			double price;

			block.first = (uint32_t)s;
			block.end = (uint32_t)(s + size < nprocs ? s + size
								 : nprocs);
			price = libra_band_price_block(b, choose_shape, &block,
						       best - LIBRA_BAND_TIE);
			if (price < best)
				libra_band_take_chosen(b);
			best = fmin(best, price);
		}
		room = block.room;
	}
	return best < INFINITY;
}

/* Choose the n processors of a node that would add least, one by one. */
static void choose_in_node(const struct libra_band *b, uint32_t index,
			   uint32_t n)
{
	const struct libra_node *node = &b->nodes[index];
	const double *added = b->m->added + node->first;
	double level = -1;

	b->m->nchosen = 0;
	for (uint32_t chosen = 0; chosen < n;) {
		double next = INFINITY;

		b->m->visits += node->count;
		for (uint32_t i = 0; i < node->count; i++)
			if (added[i] > level)
				next = fmin(next, added[i]);
		for (uint32_t i = 0; i < node->count && chosen < n; i++)
			if (added[i] == next) {
				libra_band_choose(b, node->first + i, 1);
				chosen++;
			}
		level = next;
	}
}

/* Return what n processors of a node would add to the cost, each. */
static double price_node(const struct libra_band *b,
			 const struct libra_tally *t, uint32_t node, uint32_t n)
{
	struct libra_tally with = *t;

	choose_in_node(b, node, n);
	b->m->stamp++;
	libra_band_count_chosen(b, &with);
	return (libra_band_cost(b, &with) - libra_band_cost(b, t)) / n;
}

static void take_node(const struct libra_band *b, struct libra_tally *t,
		      uint32_t node, uint32_t n)
{
	choose_in_node(b, node, n);
	b->m->stamp++; /* a priced node is not counted */
	for (uint32_t i = 0; i < b->m->nchosen; i++)
		for (uint32_t k = 0; k < b->m->chosen[i].count; k++)
			libra_band_take(b, t, b->m->chosen[i].first + k);
}

/* Begin with all nodes that have usable processors, not priced. */
static uint32_t begin_nodes(const struct libra_band *b)
{
	uint32_t n = 0;

	libra_band_clear(b);
	memset(b->m->renewed, 0, b->g->words * sizeof(*b->m->renewed));
	libra_band_forget_taken(b);
	libra_band_begin(b);
	for (uint32_t i = 0; i < b->nnodes; i++) {
		const struct libra_node *node = &b->nodes[i];
		uint32_t open = 0;

		for (uint32_t k = 0; k < node->count; k++)
			open += b->m->added[node->first + k] < INFINITY;
		open = libra_where_whole(b->job->where, open);
		if (open > 0)
			b->m->fits[n++] = (struct libra_node_fit){
				.key = NAN, .node = i, .nprocs = open};
	}
	return n;
}

/* Return the node, of n, that adds least for each processor it gives.
 * Result: n if the constraint cannot be met.
 */
static uint32_t cheapest_node(const struct libra_band *b,
			      const struct libra_tally *t, uint32_t n,
			      uint32_t want, uint32_t used)
{
	struct libra_node_fit *fits = b->m->fits;
	uint32_t best = n;

	for (uint32_t i = 0; i < n; i++) {
		struct libra_node_fit *fit = &fits[i];
		uint32_t give = libra_where_give(b->job->where, fit->nprocs,
						 want, used);

		b->m->visits++;
		if (give == 0)
			continue;
		/* A node that can give less now will never give more again. */
		if (isnan(fit->key) || give < fit->nprocs)
			fit->key = -price_node(b, t, fit->node, give);
		fit->nprocs = give;
		if (best == n || fit->key > fits[best].key ||
		    (fit->key == fits[best].key && give > fits[best].nprocs))
			best = i;
	}
	return best;
}

/* Discard the prices of nodes that share a newly counted job. */
static void forget_prices(const struct libra_band *b, uint32_t n)
{
	b->m->visits += b->g->words;
	for (uint32_t i = 0; i < n; i++) {
		struct libra_node_fit *fit = &b->m->fits[i];
		const struct libra_node *node = &b->nodes[fit->node];

		b->m->visits += node->count;
		for (uint32_t k = 0; k < node->count && !isnan(fit->key); k++)
			if (libra_bits_has(b->m->renewed, node->first + k))
				fit->key = NAN;
	}
	memset(b->m->renewed, 0, b->g->words * sizeof(*b->m->renewed));
}

static bool place_node_by_node(const struct libra_band *b)
{
	struct libra_tally t = {0};
	uint32_t n = libra_band_is_spent(b) ? 0 : begin_nodes(b), want = b->n;

	for (uint32_t used = 0; want > 0; used++) {
		uint32_t i = cheapest_node(b, &t, n, want, used);

		if (i == n || libra_band_is_spent(b))
			return false;
		take_node(b, &t, b->m->fits[i].node, b->m->fits[i].nprocs);
		if (libra_band_exceeds(b, &t))
			return false;
		want -= b->m->fits[i].nprocs;
		b->m->fits[i].nprocs = 0;
		forget_prices(b, n);
	}
	return libra_band_judge(b);
}

/* Choose nodes by what they add by themselves, or the largest. */
static bool place_on_few_nodes(const struct libra_band *b)
{
	struct libra_tally t = {0};
	struct libra_node_fit *fits = b->m->fits;
	uint32_t n = libra_band_is_spent(b) ? 0 : begin_nodes(b), used;

	for (uint32_t i = 0; i < n && !libra_band_is_spent(b); i++)
		fits[i].key = -price_node(b, &t, fits[i].node, fits[i].nprocs);
	if (libra_band_is_spent(b))
		return false;
	used = libra_where_nodes(b->job, fits, n);
	for (uint32_t i = 0; i < used; i++)
		take_node(b, &t, fits[i].node, fits[i].nprocs);
	return used > 0 && !libra_band_is_spent(b) &&
	       !libra_band_exceeds(b, &t) && libra_band_judge(b);
}

bool libra_band_in_shape(const struct libra_band *b, bool aligned)
{
	return (aligned && place_shape_in_block(b)) || place_node_by_node(b) ||
	       place_on_few_nodes(b);
}
