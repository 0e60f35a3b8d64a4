/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy_band.c - block-aligned neighbour demand.
 *
 * For a new job J of n processors with the deadline d:
 *
 *     c      = need(J); cA = min(phi c, max(c, d - now))
 *     phi    = 1 + min(4, 5 rho) x min(4, work / mean work), the reserve;
 *              work = n x estimate, rho = moving average (weight 0.01) of
 *              "refused" over the offers of no more than mean work
 *     barred = processors of each later job i, not late, with
 *              -1e-6 <= slack(i) < cA
 *     budget = d - now - cA
 *     for blocks of B = the least power of two >= n, at s = 0, B, 2 B, ...,
 *     s + n <= processors:
 *         S    = the first n processors of the block that are not barred
 *         H    = needs of J's earlier neighbours on S that are not late
 *         cost = H + cA x (later neighbours on S, not late)
 *                + 1e-4 x (jobs bound to each processor of S, summed)
 *     the S of least cost with H <= budget + 1e-6 (ties: the lowest s); if no
 *     block has one: processors one by one, each time the one that adds least
 *     to H + cA x later (ties: the lowest)
 *
 * A job that may use some processors only finds the others barred.  One in
 * chunks, or with limits on nodes or on processors of a node:
 *
 *     S of a block = whole chunks of its nodes' first processors that are not
 *         barred, as the limits allow; the lowest nodes, or, if these would be
 *         too many, those with most such processors
 *     B is doubled until a block has an S, then as above
 *     if none has H <= budget + 1e-6: nodes one by one, each time the one
 *         whose processors add least to the cost, each (ties: the node that
 *         gives most, then the lowest); of a node those processors that would
 *         add least by themselves
 *     if that needs too many nodes or exceeds the budget: the nodes by what
 *         they would add by themselves, or if these would be too many, those
 *         with most such processors
 *
 * A change of a job's estimate or deadline, where it is, is accepted if H + c
 * <= d - now + 1e-6 with its new numbers and need, and no later neighbour's
 * slack becomes negative.  The reserve asks for no more room then.
 *
 * The header gang.h says why the promise holds.  Blocks keep neighbourhoods
 * small, and the count of later neighbours spreads the load.
 */
#include <math.h>
#include <string.h>

#include "core/gang_ops.h"
#include "core/policies.h"

#define BOUND_COST 1e-4
/* The reserve: weight of one decision in the average of refusals, what a
 * refusal is worth, and up to how many mean jobs one counts.
 */
#define RESERVE_WEIGHT 0.01
#define RESERVE_GAIN   5
#define RESERVE_SIZE   4
#define RESERVE_MOST   4

enum {
	PARAM_RESERVE,
	PARAM_RESIDENTS,
	PARAM_OVERRUN,
	PARAM_FLOOR,
	PARAM_CAP,
	PARAM_NEIGHBOURS,
	PARAM_ALIGN,
	PARAM_SPREAD,
};

static const struct libra_param params[] = {
	[PARAM_RESERVE] =
		{
			.name = "reserve",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "ask more room for large jobs while small ones are "
				"refused",
		},
	[PARAM_RESIDENTS] =
		{
			.name = "residents",
			.type = LIBRA_PARAM_INTEGER,
			.unit = "",
			.value = 0,
			.max = 1000,
			.help = "unfinished jobs on a processor at the most (0 = no "
				"limit): they need memory",
		},
	[PARAM_OVERRUN] = LIBRA_PARAM_OVERRUN,
	[PARAM_FLOOR] = LIBRA_PARAM_OVERRUN_FLOOR,
	[PARAM_CAP] =
		{
			.name = "cap",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "accept a job whose estimate exceeds its deadline, "
				"where it has the processors for itself until then",
		},
	[PARAM_NEIGHBOURS] =
		{
			.name = "neighbours",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "sum the needs of all neighbours; else test each "
				"processor alone, which breaks promises",
		},
	[PARAM_ALIGN] =
		{
			.name = "align",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "look for aligned blocks of processors first",
		},
	[PARAM_SPREAD] =
		{
			.name = "spread",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "count the later neighbours in the cost of a place",
		},
};

/* ---- one decision ---- */

struct band {
	struct libra_gang_state *s;
	struct libra_gang *g;
	double now_s, deadline_s, least_s; /* least: cA */
	double budget_s;
	double later_cost;
	const struct libra_job *job;
	const struct libra_node *nodes;
	uint32_t nnodes;
	uint32_t n, limit;
	bool alone; /* each processor by itself */
};

static double phi(const struct libra_engine *e, const struct libra_job *job)
{
	const struct libra_gang_state *s = libra_gang_state(e);
	double work_s = job->nprocs * job->estimate_s;

	if (!libra_engine_param(e, PARAM_RESERVE) || s->noffers == 0)
		return 1;
	return 1 + fmin(RESERVE_MOST, RESERVE_GAIN * s->refused) *
			   fmin(RESERVE_SIZE, work_s / s->mean_work_s);
}

/* The largest sum of earlier needs on one of a job's processors. */
static double worst_processor(const struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	const uint64_t *set = libra_gang_set(g, slot);
	double worst_s = 0;

	for (uint32_t p = 0; p < g->nprocs; p++) {
		double sum_s = 0;

		for (uint32_t i = 0; libra_set_has(set, p) && i < g->nbound[p];
		     i++) {
			const struct libra_gang_job *other =
				&g->jobs[g->bound[(size_t)p * g->depth + i]];

			if (!other->late && libra_gang_before(other, job))
				sum_s += other->need_s;
		}
		worst_s = fmax(worst_s, sum_s);
	}
	return worst_s;
}

static double slack(const struct band *b, uint32_t slot)
{
	const struct libra_gang_job *job = &b->g->jobs[slot];

	if (!b->alone)
		return libra_gang_slack(job, b->now_s);
	return job->deadline_s - b->now_s - job->need_s -
	       worst_processor(b->g, slot);
}

/* A later job cannot wait that long: its processors are not for J. */
static void bar(const struct band *b, uint32_t slot)
{
	const uint64_t *set = libra_gang_set(b->g, slot);

	for (uint32_t i = 0; i < b->g->words; i++)
		b->s->barred[i] |= set[i];
}

/* The other processors are not for J. */
static void bar_all_but(const struct band *b, const struct libra_where *where)
{
	uint32_t p = 0;

	for (uint32_t i = 0; i < where->nallowed; i++) {
		while (p < where->allowed[i].first)
			libra_set_put(b->s->barred, p++);
		p += where->allowed[i].count;
	}
	while (p < b->g->nprocs)
		libra_set_put(b->s->barred, p++);
}

/* Look at all bound jobs once: which come before, which after J? */
static void survey(struct band *b)
{
	struct libra_gang *g = b->g;

	memcpy(b->s->barred, b->s->closed, g->words * sizeof(uint64_t));
	if (b->job->where && b->job->where->allowed)
		bar_all_but(b, b->job->where);
	for (uint32_t p = 0; b->limit > 0 && p < g->nprocs; p++)
		if (g->nbound[p] >= b->limit)
			libra_set_put(b->s->barred, p);
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t slot = g->order[i];
		const struct libra_gang_job *job = &g->jobs[slot];
		struct libra_look *look = &b->s->looks[slot];
		bool later = !job->late && job->deadline_s > b->deadline_s;
		double slack_s;

		*look = (struct libra_look){.later = later};
		if (!later) {
			look->need_s = job->need_s; /* 0 if late */
			continue;
		}
		slack_s = slack(b, slot);
		if (slack_s >= -LIBRA_SLACK_TOLERANCE_S && slack_s < b->least_s)
			bar(b, slot);
	}
	b->s->stamp = 0;
}

/* What a candidate set of processors costs. */
struct tally {
	double needs_s; /* H */
	uint32_t later;
	uint32_t bound;
};

/* Count the jobs of one more processor.  (inline: several callers now, and this
 * is where decisions spend their time.)
 */
static inline void count(const struct band *b, struct tally *t, uint32_t proc)
{
	const uint32_t *bound = b->g->bound + (size_t)proc * b->g->depth;
	double alone_s = 0;

	t->bound += b->g->nbound[proc];
	for (uint32_t i = 0; i < b->g->nbound[proc]; i++) {
		struct libra_look *look = &b->s->looks[bound[i]];

		alone_s += look->need_s;
		if (look->seen >= b->s->stamp)
			continue;
		look->seen = b->s->stamp;
		t->later += look->later;
		if (!b->alone)
			t->needs_s += look->need_s;
	}
	if (b->alone)
		t->needs_s = fmax(t->needs_s, alone_s);
}

static inline bool exceeds(const struct band *b, const struct tally *t)
{
	return t->needs_s > b->budget_s + LIBRA_SLACK_TOLERANCE_S;
}

static inline double cost(const struct band *b, const struct tally *t)
{
	return t->needs_s + b->later_cost * t->later + BOUND_COST * t->bound;
}

/* The cost of the first n processors of a block that are not barred; given up
 * as INFINITY once it cannot be less than best.
 */
static double price_block(const struct band *b, uint32_t first, uint32_t end,
			  double best)
{
	struct tally t = {0};
	uint32_t taken = 0;

	b->s->stamp++;
	for (uint32_t p = first; p < end && taken < b->n; p++) {
		if (libra_set_has(b->s->barred, p))
			continue;
		taken++;
		count(b, &t, p);
		if (exceeds(b, &t) || cost(b, &t) >= best)
			return INFINITY;
	}
	return taken == b->n ? cost(b, &t) : INFINITY;
}

static void take_block(const struct band *b, uint32_t first)
{
	uint32_t taken = 0;

	for (uint32_t p = first; taken < b->n; p++) {
		if (libra_set_has(b->s->barred, p))
			continue;
		libra_set_put(b->s->set, p);
		taken++;
	}
}

static bool place_in_block(const struct band *b)
{
	uint32_t nprocs = b->g->nprocs;
	uint64_t size = 1, chosen = 0;
	double best = INFINITY;

	while (size < b->n)
		size *= 2;
	for (uint64_t s = 0; s + b->n <= nprocs; s += size) {
		uint64_t end = s + size < nprocs ? s + size : nprocs;
		double price = price_block(b, (uint32_t)s, (uint32_t)end, best);

		if (price < best) {
			best = price;
			chosen = s;
		}
	}
	if (best == INFINITY)
		return false;
	take_block(b, (uint32_t)chosen);
	return true;
}

/* What a processor would add to the cost of those taken already. */
static inline double addition(const struct band *b, const struct tally *t,
			      uint32_t proc)
{
	const uint32_t *bound = b->g->bound + (size_t)proc * b->g->depth;
	double needs_s = 0, alone_s = 0;
	uint32_t later = 0;

	for (uint32_t i = 0; i < b->g->nbound[proc]; i++) {
		const struct libra_look *look = &b->s->looks[bound[i]];

		alone_s += look->need_s;
		if (look->seen >= b->s->stamp)
			continue;
		needs_s += look->need_s;
		later += look->later;
	}
	if (b->alone)
		needs_s = fmax(alone_s - t->needs_s, 0);
	return needs_s + b->later_cost * later;
}

/* Processors that share a newly counted job add less now. */
static void renew_additions(const struct band *b, const struct tally *t,
			    uint32_t slot)
{
	const uint64_t *set = libra_gang_set(b->g, slot);

	for (uint32_t w = 0; w < b->g->words; w++) {
		b->s->renewed[w] |= set[w];
		for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
			uint32_t p = w * 64 + (uint32_t)__builtin_ctzll(bits);

			if (b->s->added[p] < INFINITY)
				b->s->added[p] = addition(b, t, p);
		}
	}
}

static void take(const struct band *b, struct tally *t, uint32_t proc)
{
	const uint32_t *bound = b->g->bound + (size_t)proc * b->g->depth;
	double alone_s = 0;

	libra_set_put(b->s->set, proc);
	b->s->added[proc] = INFINITY;
	t->bound += b->g->nbound[proc];
	for (uint32_t i = 0; i < b->g->nbound[proc]; i++) {
		struct libra_look *look = &b->s->looks[bound[i]];

		alone_s += look->need_s;
		if (look->seen == LIBRA_LOOK_TAKEN)
			continue;
		look->seen = LIBRA_LOOK_TAKEN;
		t->later += look->later;
		if (!b->alone)
			t->needs_s += look->need_s;
		if (look->need_s > 0 || look->later)
			renew_additions(b, t, bound[i]);
	}
	if (b->alone)
		t->needs_s = fmax(t->needs_s, alone_s);
}

/* The first processor that adds least.  One that adds nothing is not to be
 * undercut, and taking it changes no other: those before `from` add something.
 */
static uint32_t least_addition(const struct band *b, uint32_t from)
{
	const double *added = b->s->added;
	uint32_t least = 0;

	for (uint32_t p = from; p < b->g->nprocs; p++)
		if (added[p] == 0)
			return p;
	for (uint32_t p = 1; p < b->g->nprocs; p++)
		if (added[p] < added[least])
			least = p;
	return least;
}

/* Nothing is taken yet.  Result: how many processors may be. */
static uint32_t begin_taking(const struct band *b)
{
	struct tally none = {0};
	uint32_t open = 0;

	b->s->stamp++;
	for (uint32_t p = 0; p < b->g->nprocs; p++) {
		bool barred = libra_set_has(b->s->barred, p);

		b->s->added[p] = barred ? INFINITY : addition(b, &none, p);
		open += !barred;
	}
	return open;
}

static bool place_singly(const struct band *b)
{
	struct tally t = {0};
	uint32_t open = begin_taking(b), from = 0;

	for (uint32_t taken = 0; open >= b->n && taken < b->n; taken++) {
		uint32_t p = least_addition(b, from);

		from = b->s->added[p] == 0 ? p + 1 : 0;
		take(b, &t, p);
		if (exceeds(b, &t))
			return false;
	}
	return open >= b->n;
}

/* Jobs on a processor at the most; 0 = any number. */
static uint32_t limit(const struct libra_engine *e)
{
	uint32_t residents = (uint32_t)libra_engine_param(e, PARAM_RESIDENTS);

	if (e->max_jobs == UINT32_MAX)
		return residents;
	return residents && residents < e->max_jobs ? residents : e->max_jobs;
}

/* ---- a shape ---- */

/* Does it matter on which nodes the processors of a job are? */
static bool has_shape(const struct band *b)
{
	const struct libra_where *w = b->job->where;

	return w && (w->chunk > 1 || w->node_max > 0 || w->min_nodes > 1 ||
		     (w->max_nodes > 0 && w->max_nodes < b->nnodes));
}

/* The part of a node that lies in first..end-1. */
static struct libra_range part_of(const struct libra_node *node, uint32_t first,
				  uint32_t end)
{
	uint32_t node_end = node->first + node->count;

	first = first > node->first ? first : node->first;
	end = end < node_end ? end : node_end;
	return (struct libra_range){first, end - first};
}

/* The first n processors of a range that are not barred, at most. */
static uint32_t choose_first(const struct band *b, struct libra_range range,
			     uint32_t n, uint32_t *chosen)
{
	uint32_t found = 0;

	for (uint32_t p = range.first;
	     found < n && p < range.first + range.count; p++)
		if (!libra_set_has(b->s->barred, p))
			chosen[found++] = p;
	return found;
}

/* Choose the processors of a block in the job's shape.  *at: its first node.
 * Result: false if there are too few.
 */
static bool choose_in_block(const struct band *b, uint32_t first, uint32_t end,
			    uint32_t *at)
{
	const struct libra_node *nodes = b->nodes;
	struct libra_node_fit *fits = b->s->fits;
	uint32_t n = 0, used, chosen = 0;

	while (nodes[*at].first + nodes[*at].count <= first)
		++*at;
	for (uint32_t i = *at; i < b->nnodes && nodes[i].first < end; i++) {
		uint32_t open = choose_first(b, part_of(&nodes[i], first, end),
					     b->n, b->s->chosen);

		open = libra_where_whole(b->job->where, open);
		if (open > 0)
			fits[n++] = (struct libra_node_fit){0, i, open};
	}
	used = libra_fit_nodes(b->job, fits, n);
	for (uint32_t i = 0; i < used; i++)
		chosen += choose_first(
			b, part_of(&nodes[fits[i].node], first, end),
			fits[i].nprocs, b->s->chosen + chosen);
	return used > 0;
}

/* As price_block(), of what was chosen. */
static double price_chosen(const struct band *b, double best)
{
	struct tally t = {0};

	b->s->stamp++;
	for (uint32_t i = 0; i < b->n; i++) {
		count(b, &t, b->s->chosen[i]);
		if (exceeds(b, &t) || cost(b, &t) >= best)
			return INFINITY;
	}
	return cost(b, &t);
}

static void clear_set(const struct band *b)
{
	memset(b->s->set, 0, b->g->words * sizeof(*b->s->set));
}

static void take_chosen(const struct band *b)
{
	clear_set(b);
	for (uint32_t i = 0; i < b->n; i++)
		libra_set_put(b->s->set, b->s->chosen[i]);
}

/* The blocks of the plain rule, doubled until there is room for the shape. */
static bool place_shape_in_block(const struct band *b)
{
	uint64_t nprocs = b->g->nprocs, size = 1;
	double best = INFINITY;
	bool room = false;

	while (size < b->n)
		size *= 2;
	for (bool whole = false; !room && !whole; size *= 2) {
		uint32_t at = 0;

		whole = size >= nprocs;
		for (uint64_t s = 0; s + b->n <= nprocs; s += size) {
			uint64_t end = s + size < nprocs ? s + size : nprocs;
			double price;

			if (!choose_in_block(b, (uint32_t)s, (uint32_t)end,
					     &at))
				continue;
			room = true;
			price = price_chosen(b, best);
			if (price < best)
				take_chosen(b);
			best = fmin(best, price);
		}
	}
	return best < INFINITY;
}

/* The n processors of a node that would add least, one by one. */
static void choose_in_node(const struct band *b, uint32_t index, uint32_t n)
{
	const struct libra_node *node = &b->nodes[index];
	const double *added = b->s->added + node->first;
	double level = -1;

	for (uint32_t chosen = 0; chosen < n;) {
		double next = INFINITY;

		for (uint32_t i = 0; i < node->count; i++)
			if (added[i] > level)
				next = fmin(next, added[i]);
		for (uint32_t i = 0; i < node->count && chosen < n; i++)
			if (added[i] == next)
				b->s->chosen[chosen++] = node->first + i;
		level = next;
	}
}

/* What n processors of a node would add to the cost, each. */
static double price_node(const struct band *b, const struct tally *t,
			 uint32_t node, uint32_t n)
{
	struct tally with = *t;

	choose_in_node(b, node, n);
	b->s->stamp++;
	for (uint32_t i = 0; i < n; i++)
		count(b, &with, b->s->chosen[i]);
	return (cost(b, &with) - cost(b, t)) / n;
}

static void take_node(const struct band *b, struct tally *t, uint32_t node,
		      uint32_t n)
{
	choose_in_node(b, node, n);
	b->s->stamp++; /* what was only priced is not counted */
	for (uint32_t i = 0; i < n; i++)
		take(b, t, b->s->chosen[i]);
}

/* Nothing is taken yet: all nodes with usable processors, not priced. */
static uint32_t begin_nodes(const struct band *b)
{
	uint32_t n = 0;

	clear_set(b);
	memset(b->s->renewed, 0, b->g->words * sizeof(*b->s->renewed));
	for (uint32_t i = 0; i < b->g->njobs; i++)
		b->s->looks[b->g->order[i]].seen = 0;
	begin_taking(b);
	for (uint32_t i = 0; i < b->nnodes; i++) {
		const struct libra_node *node = &b->nodes[i];
		uint32_t open = 0;

		for (uint32_t k = 0; k < node->count; k++)
			open += b->s->added[node->first + k] < INFINITY;
		open = libra_where_whole(b->job->where, open);
		if (open > 0)
			b->s->fits[n++] = (struct libra_node_fit){NAN, i, open};
	}
	return n;
}

/* The node that adds least for each processor it gives, of n.
 * Result: n if the shape does not work out.
 */
static uint32_t cheapest_node(const struct band *b, const struct tally *t,
			      uint32_t n, uint32_t want, uint32_t used)
{
	struct libra_node_fit *fits = b->s->fits;
	uint32_t best = n;

	for (uint32_t i = 0; i < n; i++) {
		struct libra_node_fit *fit = &fits[i];
		uint32_t give = libra_where_give(b->job->where, fit->nprocs,
						 want, used);

		if (give == 0)
			continue;
		/* Once less is to be given, more will never be again. */
		if (isnan(fit->key) || give < fit->nprocs)
			fit->key = -price_node(b, t, fit->node, give);
		fit->nprocs = give;
		if (best == n || fit->key > fits[best].key ||
		    (fit->key == fits[best].key && give > fits[best].nprocs))
			best = i;
	}
	return best;
}

/* Prices of nodes that share a newly counted job are out of date. */
static void forget_prices(const struct band *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct libra_node_fit *fit = &b->s->fits[i];
		const struct libra_node *node = &b->nodes[fit->node];

		for (uint32_t k = 0; k < node->count && !isnan(fit->key); k++)
			if (libra_set_has(b->s->renewed, node->first + k))
				fit->key = NAN;
	}
	memset(b->s->renewed, 0, b->g->words * sizeof(*b->s->renewed));
}

static bool place_node_by_node(const struct band *b)
{
	struct tally t = {0};
	uint32_t n = begin_nodes(b), want = b->n;

	for (uint32_t used = 0; want > 0; used++) {
		uint32_t i = cheapest_node(b, &t, n, want, used);

		if (i == n)
			return false;
		take_node(b, &t, b->s->fits[i].node, b->s->fits[i].nprocs);
		if (exceeds(b, &t))
			return false;
		want -= b->s->fits[i].nprocs;
		b->s->fits[i].nprocs = 0;
		forget_prices(b, n);
	}
	return true;
}

/* By what they add alone, or the largest. */
static bool place_on_few_nodes(const struct band *b)
{
	struct tally t = {0};
	struct libra_node_fit *fits = b->s->fits;
	uint32_t n = begin_nodes(b), used;

	for (uint32_t i = 0; i < n; i++)
		fits[i].key = -price_node(b, &t, fits[i].node, fits[i].nprocs);
	used = libra_fit_nodes(b->job, fits, n);
	for (uint32_t i = 0; i < used; i++)
		take_node(b, &t, fits[i].node, fits[i].nprocs);
	return used > 0 && !exceeds(b, &t);
}

static bool place_shape(const struct libra_engine *e, const struct band *b)
{
	return (libra_engine_param(e, PARAM_ALIGN) &&
		place_shape_in_block(b)) ||
	       place_node_by_node(b) || place_on_few_nodes(b);
}

static bool promisable(const struct libra_engine *e, double est_left_s,
		       double deadline_s)
{
	return libra_engine_param(e, PARAM_CAP) ||
	       est_left_s <= deadline_s - e->now_s;
}

static bool place(struct libra_engine *e, const struct libra_job *job)
{
	struct libra_gang_state *s = libra_gang_state(e);
	double left_s = job->deadline_s - e->now_s;
	double need_s = libra_need(&s->gang.overrun, job->estimate_s, 0,
				   job->deadline_s, e->now_s);
	struct band b = {
		.s = s,
		.g = &s->gang,
		.now_s = e->now_s,
		.deadline_s = job->deadline_s,
		.least_s = fmin(phi(e, job) * need_s, fmax(need_s, left_s)),
		.job = job,
		.nodes = e->nodes,
		.nnodes = e->nnodes,
		.n = job->nprocs,
		.limit = limit(e),
		.alone = !libra_engine_param(e, PARAM_NEIGHBOURS),
	};

	if (!promisable(e, job->estimate_s, job->deadline_s))
		return false;
	b.budget_s = left_s - b.least_s;
	b.later_cost = libra_engine_param(e, PARAM_SPREAD) ? b.least_s : 0;
	clear_set(&b);
	survey(&b);
	if (has_shape(&b))
		return place_shape(e, &b);
	if (libra_engine_param(e, PARAM_ALIGN) && place_in_block(&b))
		return true;
	return place_singly(&b);
}

/* The reserve learns from the refusals of jobs of no more than mean work. */
static void decided(struct libra_engine *e, const struct libra_job *job,
		    bool accepted)
{
	struct libra_gang_state *s = libra_gang_state(e);
	double work_s = job->nprocs * job->estimate_s;

	if (s->noffers > 0 && work_s <= s->mean_work_s)
		s->refused += RESERVE_WEIGHT * (!accepted - s->refused);
	s->noffers++;
	s->mean_work_s += (work_s - s->mean_work_s) / (double)s->noffers;
}

static const struct libra_gang_traits traits = {
	.overrun_param = PARAM_OVERRUN,
	.floor_param = PARAM_FLOOR,
	.place = place,
	.promisable = promisable,
	.decided = decided,
};

const struct libra_policy_type libra_policy_band = {
	.name = "band",
	.summary = "jobs whose parts run together, earliest deadline first; "
		   "accepts what breaks no promise",
	.source = "docs/beyond.md",
	.mode = LIBRA_GANG,
	.needs_deadline = true,
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.ops = &libra_gang_ops,
	.traits = &traits,
	.state_size = sizeof(struct libra_gang_state),
};
