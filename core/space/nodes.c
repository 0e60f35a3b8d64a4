/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - find nodes for jobs, and name the nodes of running jobs. */
#include "core/space/nodes.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "core/where.h"
#include "core/space/pool.h"

/* ---- placement constraints ---- */

/* Return how much of other resource i a job takes from a node for chunks
 * tasks.
 */
static int64_t taken(const struct libra_engine *e,
		     const struct libra_shape *shape, uint32_t node, uint32_t i,
		     uint32_t chunks)
{
	if (shape->per_node[i] == LIBRA_ALL)
		return libra_node_all(e, node, i + 1);
	return (int64_t)(shape->per_node[i] + chunks * shape->per_chunk[i]);
}

static void allow(struct libra_engine *e, uint64_t *bits,
		  const struct libra_where *w)
{
	for (uint32_t i = 0, k = 0; i < e->nnodes && k < w->nallowed;) {
		const struct libra_range *range = &w->allowed[k];

		if (range->first + range->count <= e->nodes[i].first) {
			k++;
			continue;
		}
		if (range->first <= e->nodes[i].first)
			libra_bits_put(bits, i);
		i++;
	}
}

/* Return true if a task of the job fits on an empty node; the nodes are alike.
 */
static bool fits_empty(const struct libra_engine *e,
		       const struct libra_shape *shape)
{
	for (uint32_t k = 0; k < e->nresources; k++)
		if (taken(e, shape, 0, k, 1) > libra_node_all(e, 0, k + 1))
			return false;
	return shape->where.chunk <= 1;
}

/* Return true if the nodes are alike and a task of the job fits on every one.
 */
static bool fits_each(const struct libra_engine *e,
		      const struct libra_shape *shape, const uint64_t *bits)
{
	if (!libra_planned_state(e)->nodes->alike || !fits_empty(e, shape))
		return false;
	for (uint32_t i = 0; i < e->nnodes && !shape->anywhere; i++)
		if (!libra_bits_has(bits, i))
			return false;
	return true;
}

void libra_nodes_shape(struct libra_engine *e, uint32_t slot,
		       const struct libra_where *where)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	size_t size = e->nresources * sizeof(uint64_t);
	struct libra_shape *shape;
	uint64_t *bits;

	if (!r || slot >= r->nshapes)
		return;
	shape = &r->shapes[slot];
	bits = &r->allowed[(size_t)slot * r->words];
	*shape = (struct libra_shape){
		.anywhere = true, .plain = true, .each = true};
	if (!where)
		return;
	shape->where = *where;
	shape->anywhere = !where->allowed;
	if (where->per_chunk)
		memcpy(shape->per_chunk, where->per_chunk, size);
	if (where->per_node)
		memcpy(shape->per_node, where->per_node, size);
	memset(bits, 0, r->words * sizeof(*bits));
	if (where->allowed)
		allow(e, bits, where);
	shape->each = fits_each(e, shape, bits);
	shape->plain =
		shape->each && where->max_nodes == 0 && where->min_nodes <= 1;
}

/* The nodes of a range, in a word of bits. */
#define RANGE_BITS (((uint64_t)1 << LIBRA_NODE_RANGE) - 1)

/* ---- fit ---- */

static uint32_t chunk_of(const struct libra_shape *shape)
{
	return shape->where.chunk > 1 ? shape->where.chunk : 1;
}

/* Return the processors of a node that whole tasks can use, given what is
 * free.
 */
static uint32_t usable(const struct libra_engine *e,
		       const struct libra_shape *shape, uint32_t node,
		       const int64_t *free)
{
	uint32_t n = free[0] > 0 ? (uint32_t)free[0] : 0;
	uint32_t chunk = chunk_of(shape), most;

	n = libra_where_whole(&shape->where, n);
	for (uint32_t i = 0; i < e->nresources && n > 0; i++) {
		int64_t left = free[i + 1] - taken(e, shape, node, i, 0);

		if (left < 0)
			return 0;
		if (shape->per_chunk[i] == 0)
			continue;
		if ((uint64_t)left / shape->per_chunk[i] < n / chunk) {
			most = (uint32_t)((uint64_t)left / shape->per_chunk[i]);
			n = most * chunk;
		}
	}
	return n;
}

/* Return how many resources a node has that the job does not need. */
static uint32_t unneeded(const struct libra_engine *e,
			 const struct libra_shape *shape, uint32_t node)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < e->nresources; i++)
		n += libra_node_all(e, node, i + 1) > 0 &&
		     shape->per_chunk[i] == 0 && shape->per_node[i] == 0;
	return n;
}

/* Return the rank of a node.  Best are nodes without resources that the job
 * does not need; of these the node that the job fills most, or else those with
 * room for the largest part of the job.
 */
static double key_of(const struct libra_engine *e,
		     const struct libra_shape *shape, uint32_t node, uint32_t n,
		     uint32_t want, const int64_t *free)
{
	double key = n >= want ? 2e9 - (double)free[0] : n;

	return key - 1e10 * unneeded(e, shape, node);
}

static uint32_t write_spans(struct libra_engine *e,
			    const struct libra_shape *shape, uint32_t n)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t spans = LIBRA_NO_SPAN, span;

	for (uint32_t i = 0; i < n; i++) {
		const struct libra_node_fit *fit = &r->fits[i];
		uint32_t chunks = fit->nprocs / chunk_of(shape);
		int64_t *amount;

		span = libra_spans_new(r, fit->node, spans);
		if (span == LIBRA_NO_SPAN) {
			libra_spans_free(r, &spans);
			return LIBRA_NO_SPAN;
		}
		spans = span;
		amount = libra_span_amounts(r, span);
		amount[0] = fit->nprocs;
		for (uint32_t k = 0; k < e->nresources; k++)
			amount[k + 1] = taken(e, shape, fit->node, k, chunks);
	}
	return spans;
}

/* Write what a node must have for one task of the job.
 * Result: false if the node never has it.
 */
static bool need_of(const struct libra_engine *e,
		    const struct libra_shape *shape, uint32_t node,
		    int64_t *need)
{
	need[0] = chunk_of(shape);
	for (uint32_t i = 0; i < e->nresources; i++) {
		uint64_t more = shape->per_chunk[i];
		int64_t all = libra_node_all(e, node, i + 1);

		need[i + 1] = taken(e, shape, node, i, 0);
		if (all < need[i + 1] ||
		    (uint64_t)all - (uint64_t)need[i + 1] < more)
			return false;
		need[i + 1] += (int64_t)more;
	}
	return e->nodes[node].count >= (uint64_t)need[0];
}

/* Write the room that fit->node has for a part of the job (nprocs is 0 if
 * none).
 * Result: an instant: the node has the same room for the same job at each start
 *         from start_s until then.
 */
static double fit_node(struct libra_engine *e, struct libra_lanes *lanes,
		       const struct libra_reservation *plan, double start_s,
		       struct libra_node_fit *fit)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;
	const struct libra_shape *shape = &r->shapes[plan->shape];
	const uint64_t *bits = &r->allowed[(size_t)plan->shape * r->words];
	int64_t free[1 + LIBRA_RESOURCES], need[1 + LIBRA_RESOURCES];
	double end_s = start_s + plan->duration_s, at_s;
	uint32_t node = fit->node;

	fit->nprocs = 0;
	if ((!shape->anywhere && !libra_bits_has(bits, node)) ||
	    !need_of(e, shape, node, need))
		return INFINITY;
	if (!libra_lanes_fits(lanes, node, start_s, end_s, need, r->width, free,
			      &at_s))
		return at_s;
	fit->nprocs = usable(e, shape, node, free);
	fit->key = key_of(e, shape, node, fit->nprocs, plan->nprocs, free);
	fit->since_s = at_s;
	return fmin(lanes->first_to_s, lanes->last_to_s - plan->duration_s);
}

static bool is_known(const struct libra_nodes *r, uint32_t first, uint32_t end,
		     double start_s)
{
	while (first < end && r->until_s[first] > start_s)
		first++;
	return first == end;
}

/* Add the nodes of a range that have room from start_s on to r->fits, which has
 * n.  `later`: visit only nodes whose room is not known.  Leave out nodes that
 * are not in the word `among`.
 * Result: the number in r->fits.
 */
static uint32_t fit_range(struct libra_engine *e, struct libra_lanes *lanes,
			  const struct libra_reservation *plan, double start_s,
			  uint32_t first, bool later, uint64_t among,
			  uint32_t n)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t end = first + LIBRA_NODE_RANGE, i = first;
	double lacks_until_s[LIBRA_NODE_RANGE], least_s = INFINITY, until_s;
	bool lack;

	end = end < e->nnodes ? end : e->nnodes;
	lack = !(later && is_known(r, first, end, start_s)) &&
	       libra_peaks_lack(&lanes->peaks, first,
				chunk_of(&r->shapes[plan->shape]), start_s,
				start_s + plan->duration_s, lacks_until_s);
	for (; i < end; i++) {
		struct libra_node_fit *fit = later ? &r->known[i] : &r->fits[n];

		if (!(among >> i % 64 & 1)) {
			least_s = -INFINITY;
			continue;
		}
		fit->node = i;
		until_s = lack ? lacks_until_s[i - first] : -INFINITY;
		if (later && r->until_s[i] > start_s)
			until_s = r->until_s[i];
		else if (until_s > start_s)
			fit->nprocs = 0;
		else
			until_s = fit_node(e, lanes, plan, start_s, fit);
		if (later)
			r->until_s[i] = until_s;
		least_s = fit->nprocs > 0 ? -INFINITY : fmin(least_s, until_s);
		if (fit->nprocs == 0)
			continue;
		r->fits[n] = *fit;
		r->fits[n].since_s = fmax(fit->since_s, e->now_s);
		n++;
	}
	if (later)
		r->until_s[e->nnodes + first / LIBRA_NODE_RANGE] = least_s;
	return n;
}

/* ---- a start now ---- */

/* A walk through the steady nodes in the order of their ranks, as far as their
 * free processors and unneeded resources tell.  Some have less room and a lower
 * rank than that.
 */
struct walk {
	bool later;
	uint32_t unneeded;    /* of the nodes now visited */
	uint32_t least, most; /* their free processors */
	uint32_t n;	      /* nodes in libra_nodes.fits */
	uint32_t want;	      /* processors that the job lacks */
	uint32_t taken;	      /* nodes that have the others */
};

/* Note a node that ranks before all that the walk has not visited.
 * Result: true if the job will get no node that has not been visited.
 */
static bool take(const struct libra_shape *shape, struct walk *walk, uint32_t n)
{
	walk->want -= n < walk->want ? n : walk->want;
	walk->taken++;
	return walk->want == 0 && (shape->where.max_nodes == 0 ||
				   (walk->taken == 1 && walk->unneeded == 0));
}

/* Visit a steady node.  Result: true if the walk may end. */
static bool visit(struct libra_engine *e, struct libra_lanes *lanes,
		  const struct libra_reservation *plan, uint32_t node,
		  struct walk *walk)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	const struct libra_shape *shape = &r->shapes[plan->shape];
	struct libra_node_fit *fit =
		walk->later ? &r->known[node] : &r->fits[walk->n];

	if (e->nresources > 0 && unneeded(e, shape, node) != walk->unneeded)
		return false;
	fit->node = node;
	if (!walk->later)
		fit_node(e, lanes, plan, e->now_s, fit);
	else if (r->until_s[node] <= e->now_s)
		r->until_s[node] = fit_node(e, lanes, plan, e->now_s, fit);
	if (fit->nprocs == 0)
		return false;
	r->fits[walk->n] = *fit;
	r->fits[walk->n++].since_s = e->now_s;
	return (fit->nprocs >= plan->nprocs ||
		fit->nprocs == libra_where_whole(&shape->where,
						 lanes->steady.procs[node])) &&
	       take(shape, walk, fit->nprocs);
}

static bool visit_all(struct libra_engine *e, struct libra_lanes *lanes,
		      const struct libra_reservation *plan, struct walk *walk)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;
	const uint64_t *bits = &r->allowed[(size_t)plan->shape * r->words];
	bool anywhere = r->shapes[plan->shape].anywhere, any = false;

	for (uint32_t i = walk->least; i <= walk->most; i++)
		any |= lanes->steady.nwith[i] > 0;
	for (uint32_t w = 0; any && w < r->words; w++) {
		uint64_t word = libra_steady_word(&lanes->steady, walk->least,
						  walk->most, w);

		if (!anywhere)
			word &= bits[w];
		for (; word != 0; word &= word - 1)
			if (visit(e, lanes, plan,
				  w * 64 + (uint32_t)__builtin_ctzll(word),
				  walk))
				return true;
	}
	return false;
}

/* Add steady nodes for a start now to r->fits, which has n: all, or those with
 * the highest ranks.  Result: the number in r->fits.
 */
static uint32_t fit_steady(struct libra_engine *e, struct libra_lanes *lanes,
			   const struct libra_reservation *plan, bool later,
			   uint32_t n)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;
	const struct libra_where *where = &r->shapes[plan->shape].where;
	uint32_t most = lanes->steady.most, whole, end = most + 1;
	struct walk walk = {.later = later, .n = n, .want = plan->nprocs};

	if (libra_where_whole(where, most) >= plan->nprocs)
		end = plan->nprocs;
	for (; walk.unneeded <= e->nresources; walk.unneeded++) {
		/* With room for all of the job: the least free first. */
		for (uint32_t i = end; i <= most; i++) {
			walk.least = walk.most = i;
			if (visit_all(e, lanes, plan, &walk))
				return walk.n;
		}
		/* Then the most room first. */
		for (uint32_t i = end; i-- > 0; i = whole) {
			whole = libra_where_whole(where, i);
			if (whole == 0)
				break;
			walk.least = whole;
			walk.most = i;
			if (visit_all(e, lanes, plan, &walk))
				return walk.n;
		}
	}
	return walk.n;
}

/* ---- any start ---- */

/* Find nodes from start_s on.  `later`: in a search, which remembers the room
 * of each node.
 */
static uint32_t fit(struct libra_engine *e, struct libra_lanes *lanes,
		    const struct libra_reservation *plan, double start_s,
		    bool later)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	const struct libra_shape *shape = &r->shapes[plan->shape];
	struct libra_job job = {.nprocs = plan->nprocs, .where = &shape->where};
	const double *least_s = &r->until_s[e->nnodes];
	const uint64_t *falling = lanes->steady.falling;
	bool now = start_s == e->now_s && shape->where.min_nodes <= 1;
	uint64_t procs = 0;
	uint32_t n = 0;

	if (now)
		libra_lanes_find_steady(e, lanes);
	for (uint32_t i = 0; i < e->nnodes; i += LIBRA_NODE_RANGE, least_s++) {
		uint64_t among = now ? falling[i / 64] : UINT64_MAX;

		if ((!later || *least_s <= start_s) &&
		    among >> i % 64 & RANGE_BITS)
			n = fit_range(e, lanes, plan, start_s, i, later, among,
				      n);
	}
	if (now)
		n = fit_steady(e, lanes, plan, later, n);
	for (uint32_t i = 0; i < n; i++)
		procs += r->fits[i].nprocs;
	n = procs >= plan->nprocs ? libra_where_nodes(&job, r->fits, n) : 0;
	return n ? write_spans(e, shape, n) : LIBRA_NO_SPAN;
}

uint32_t libra_nodes_fit(struct libra_engine *e, struct libra_lanes *lanes,
			 const struct libra_reservation *plan, double start_s)
{
	return fit(e, lanes, plan, start_s, false);
}

void libra_nodes_end_search(struct libra_engine *e)
{
	libra_planned_state(e)->nodes->found.holds = false;
}

void libra_nodes_search(struct libra_engine *e)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;

	libra_nodes_end_search(e);
	for (uint32_t i = 0; i < LIBRA_KNOWN(e->nnodes); i++)
		r->until_s[i] = -INFINITY;
}

uint32_t libra_nodes_fit_later(struct libra_engine *e,
			       struct libra_lanes *lanes,
			       const struct libra_reservation *plan,
			       double start_s)
{
	return fit(e, lanes, plan, start_s, true);
}

static bool are_equal(const struct libra_nodes *r, const struct libra_shape *a,
		      const struct libra_shape *b)
{
	const struct libra_where *x = &a->where, *y = &b->where;

	return a->anywhere == b->anywhere && x->chunk == y->chunk &&
	       x->node_max == y->node_max && x->min_nodes == y->min_nodes &&
	       x->max_nodes == y->max_nodes &&
	       memcmp(a->per_chunk, b->per_chunk,
		      (r->width - 1) * sizeof(*a->per_chunk)) == 0 &&
	       memcmp(a->per_node, b->per_node,
		      (r->width - 1) * sizeof(*a->per_node)) == 0;
}

void libra_nodes_note_reached(struct libra_engine *e,
			      const struct libra_reservation *plan,
			      uint32_t more, double start_s)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	struct libra_found *found = &r->found;

	found->holds = true;
	found->releases = r->now.releases;
	found->shape = r->shapes[plan->shape];
	memcpy(found->allowed, &r->allowed[(size_t)plan->shape * r->words],
	       r->words * sizeof(*found->allowed));
	found->nprocs = plan->nprocs;
	found->more = more;
	found->duration_s = plan->duration_s;
	found->start_s = start_s;
}

double libra_nodes_none_before_s(const struct libra_engine *e,
				 const struct libra_reservation *plan,
				 uint32_t more)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;
	const struct libra_found *found = &r->found;
	const struct libra_shape *shape = &r->shapes[plan->shape];

	return found->holds && found->releases == r->now.releases &&
			       found->nprocs == plan->nprocs &&
			       found->more == more &&
			       found->duration_s == plan->duration_s &&
			       are_equal(r, &found->shape, shape) &&
			       (shape->anywhere ||
				memcmp(found->allowed,
				       &r->allowed[(size_t)plan->shape *
						   r->words],
				       r->words * sizeof(*found->allowed)) == 0)
		       ? found->start_s
		       : -INFINITY;
}

/* The nodes are alike, so each has one processor. */
uint32_t libra_nodes_first(struct libra_engine *e,
			   const struct libra_reservation *plan)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	const struct libra_shape *shape = &r->shapes[plan->shape];
	const uint64_t *bits = &r->allowed[(size_t)plan->shape * r->words];
	const uint64_t *free = libra_space_state(e)->procs.free;
	uint32_t n = 0;

	if (!fits_empty(e, shape) || !libra_shape_has(shape, plan->nprocs))
		return LIBRA_NO_SPAN;
	for (uint32_t w = 0; w < r->words && n < plan->nprocs; w++) {
		uint64_t word = shape->anywhere ? free[w] : free[w] & bits[w];

		for (; word != 0 && n < plan->nprocs; word &= word - 1)
			r->fits[n++] = (struct libra_node_fit){
				.node = w * 64 +
					(uint32_t)__builtin_ctzll(word),
				.nprocs = 1,
			};
	}
	return n == plan->nprocs ? write_spans(e, shape, n) : LIBRA_NO_SPAN;
}

/* ---- jobs on their processors ---- */

/* Set the amounts of other resources: those of the part, or else those of the
 * placement constraint.
 */
static void fill_in(const struct libra_engine *e,
		    const struct libra_shape *shape,
		    const struct libra_part *part, uint32_t node,
		    int64_t *amount)
{
	uint32_t chunks = (uint32_t)amount[0] / chunk_of(shape);

	for (uint32_t k = 0; k < e->nresources; k++)
		amount[k + 1] = part->resources
					? (int64_t)part->resources[k]
					: taken(e, shape, node, k, chunks);
}

uint32_t libra_nodes_spans(struct libra_engine *e, uint32_t slot,
			   const struct libra_part *parts, uint32_t nparts)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t spans = LIBRA_NO_SPAN, span = LIBRA_NO_SPAN, node;

	for (uint32_t i = 0; i < nparts; i++) {
		uint32_t first = parts[i].procs.first;
		uint32_t end = first + parts[i].procs.count, n;

		for (; first < end; first += n) {
			node = libra_pool_node_of(e, first);
			n = e->nodes[node].first + e->nodes[node].count - first;
			n = n < end - first ? n : end - first;
			if (span == LIBRA_NO_SPAN ||
			    r->spans[span].node != node) {
				span = libra_spans_new(r, node, spans);
				if (span == LIBRA_NO_SPAN)
					return spans;
				spans = span;
			}
			libra_span_amounts(r, span)[0] += n;
			fill_in(e, &r->shapes[slot], &parts[i], node,
				libra_span_amounts(r, span));
		}
	}
	return spans;
}
