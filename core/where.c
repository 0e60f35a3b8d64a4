/* SPDX-License-Identifier: GPL-2.0-or-later */
/* where.c - chunks, limits on nodes, and the processors taken from each. */
#include "core/where.h"

#include <errno.h>

#include "core/check.h"
#include "core/engine_impl.h"

static uint32_t chunk_of(const struct libra_where *where)
{
	return where->chunk > 1 ? where->chunk : 1;
}

int libra_where_check(const struct libra_engine *e, const struct libra_job *job,
		      struct libra_error *err)
{
	const struct libra_where *w = job->where;
	uint32_t end = 0;

	if (!w)
		return 0;
	if (e->policy->mode == LIBRA_SPACE && !e->by_node)
		return libra_errf(err, EINVAL,
				  "%s cannot limit where a job runs",
				  e->policy->name);
	if (job->nprocs % chunk_of(w) != 0)
		return libra_errf(err, EINVAL,
				  "%u processors cannot be divided into tasks "
				  "of %u",
				  job->nprocs, chunk_of(w));
	if (w->max_nodes > 0 && w->max_nodes < w->min_nodes)
		return libra_errf(err, EINVAL,
				  "a job cannot use at least %u and at most %u "
				  "nodes",
				  w->min_nodes, w->max_nodes);
	for (uint32_t i = 0; w->allowed && i < w->nallowed; i++) {
		const struct libra_range *r = &w->allowed[i];

		if (!libra_is_range(*r, end, e->nprocs))
			return libra_errf(
				err, EINVAL,
				"the %u allowed processors from %u on "
				"are out of order or out of range",
				r->count, r->first);
		end = r->first + r->count;
	}
	return 0;
}

/* Return true if a is to be taken after b. */
static bool worse(const struct libra_node_fit *a,
		  const struct libra_node_fit *b, bool largest_first)
{
	if (largest_first && a->nprocs != b->nprocs)
		return a->nprocs < b->nprocs;
	if (a->key != b->key)
		return a->key < b->key;
	if (a->since_s != b->since_s)
		return a->since_s < b->since_s;
	return a->node > b->node;
}

/* Insert an item into a heap of n whose place i is empty; the best is at 0. */
static void sift(struct libra_node_fit *heap, uint32_t n, uint32_t i,
		 struct libra_node_fit item, bool largest_first)
{
	uint32_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n &&
		    worse(&heap[child], &heap[child + 1], largest_first))
			child++;
		if (!worse(&item, &heap[child], largest_first))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = item;
}

static void make_heap(struct libra_node_fit *fits, uint32_t n,
		      bool largest_first)
{
	for (uint32_t i = n / 2; i-- > 0;)
		sift(fits, n, i, fits[i], largest_first);
}

/* Move the best of a heap of n to its end. */
static const struct libra_node_fit *take_best(struct libra_node_fit *heap,
					      uint32_t n, bool largest_first)
{
	struct libra_node_fit best = heap[0];

	sift(heap, n - 1, 0, heap[n - 1], largest_first);
	heap[n - 1] = best;
	return &heap[n - 1];
}

static void reverse(struct libra_node_fit *fits, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		struct libra_node_fit was = fits[i];

		fits[i] = fits[n - 1 - i];
		fits[n - 1 - i] = was;
	}
}

uint32_t libra_where_whole(const struct libra_where *where, uint32_t nprocs)
{
	if (where->node_max > 0 && nprocs > where->node_max)
		nprocs = where->node_max;
	return nprocs - nprocs % chunk_of(where);
}

uint32_t libra_where_give(const struct libra_where *where, uint32_t nprocs,
			  uint32_t want, uint32_t used)
{
	uint64_t keep = 0;

	if (where->max_nodes > 0 && used == where->max_nodes)
		return 0;
	/* Leave a chunk for each further node that must be used. */
	if (used + 1 < where->min_nodes)
		keep = (uint64_t)(where->min_nodes - used - 1) *
		       chunk_of(where);
	if (want <= keep)
		return 0;
	return nprocs < want - keep ? nprocs : (uint32_t)(want - keep);
}

/* Set how many processors to take from each node, the best nodes first: the
 * nodes used come first, and their nprocs becomes that number.  Only the nodes
 * used are sorted.
 * Result: nodes used, or 0 (and no number changed) if this order does not work.
 */
static uint32_t divide(const struct libra_job *job, struct libra_node_fit *fits,
		       uint32_t n, bool largest_first)
{
	const struct libra_where *w = job->where;
	uint32_t want = job->nprocs, used = 0, give;

	make_heap(fits, n, largest_first);
	for (; used < n && want > 0; used++) {
		give = libra_where_give(
			w, take_best(fits, n - used, largest_first)->nprocs,
			want, used);
		if (give == 0)
			return 0;
		want -= give;
	}
	if (want > 0)
		return 0;
	reverse(fits, n);
	want = job->nprocs;
	for (uint32_t i = 0; i < used; i++) {
		fits[i].nprocs = libra_where_give(w, fits[i].nprocs, want, i);
		want -= fits[i].nprocs;
	}
	return used;
}

uint32_t libra_where_nodes(const struct libra_job *job,
			   struct libra_node_fit *fits, uint32_t n)
{
	uint32_t used = 0;

	for (int largest = 0; largest <= 1 && used == 0; largest++)
		used = divide(job, fits, n, largest);
	return used;
}
