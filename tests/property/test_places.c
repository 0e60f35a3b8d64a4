/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_places.c - where band puts a job, against its rule taken by the letter.
 *
 * The rule is that of core/policy/band.c and core/gang/band_shape.c.  Here each
 * block is looked at, processor by processor, and all finishes are summed anew
 * for each: no runs, no words of bits, no shortcuts, nothing kept.  Both must
 * choose the same processors, on random machines with random promises on them.
 *
 * All numbers are multiples of 1/64 s, so that sums are exact and equal costs
 * are equal.
 */
#include "core/engine_impl.h"
#include "core/where.h"
#include "tests/random.h"
#include "tests/unit/host.h"
#include "tests/unit/wrap_memory.h"

#define WORLDS	   2000
#define STEPS	   40
#define MOST_JOBS  16
#define MOST_NODES 10
#define MOST_PROCS (MOST_NODES * 24)

#define TOLERANCE_S 1e-6
#define TIE	    1e-6
#define BOUND_COST  1e-4
#define AGAIN	    4
#define NOBODY	    (-1)

/* A promise; in the order in which they came. */
struct member {
	uint64_t ticket;
	double deadline_s, left_s;
	bool on[MOST_PROCS];
	/* Of an instant. */
	double need_s, finish_s, gone_s;
	bool late, in_time;
};

/* A job that asks, and what is known of it. */
struct ask {
	struct libra_job job;
	struct libra_where where;
	struct libra_range allowed[2];
	double need_s, budget_s, later_cost; /* need: cA */
	bool barred[MOST_PROCS];
	bool out[MOST_PROCS];	 /* in the block looked at */
	bool set[MOST_PROCS];	 /* the answer */
	bool chosen[MOST_PROCS]; /* a candidate */
};

struct tally {
	double needs_s;
	uint32_t later, bound;
	bool met[MOST_JOBS];
};

struct world {
	struct libra_engine *e;
	uint32_t node_procs[MOST_NODES], first[MOST_NODES + 1];
	uint32_t nnodes, nprocs, max_jobs, residents;
	bool closed[MOST_NODES];
	bool finishes, neighbours, align, spread, cap, coarse, reserve;
	double noffers, mean_work_s, rho; /* the reserve: what it learns */
	double small;			  /* how many jobs are */
	double now_s;
	struct member jobs[MOST_JOBS];
	int njobs;
	bool near[MOST_JOBS][MOST_JOBS];
	int order[MOST_JOBS], nlive; /* those that are not late */
	uint64_t random;
	struct ask ask;
};

/* How often each kind of place was found. */
static int in_block, singly, shaped, by_nodes, on_few, refused, again, several,
	sure;

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

/* In some worlds few numbers, so that many are equal. */
static double draw_s(struct world *w, uint32_t most_s)
{
	if (w->coarse)
		return 1 + draw(w, 1 + most_s / 10);
	return (1 + draw(w, most_s * 64)) / 64.;
}

static void open_world(struct world *w, uint64_t seed)
{
	const struct libra_policy_type *p = libra_policy_find("band", NULL);
	struct libra_engine_conf conf = {
		.policy = p,
		.node_procs = w->node_procs,
		.offer_ttl_s = INFINITY,
	};
	uint32_t largest;
	char set[256];

	memset(w, 0, sizeof(*w));
	w->random = seed * 0x9e3779b97f4a7c15 + 1;
	w->nnodes = 1 + draw(w, MOST_NODES);
	largest = 1 + draw(w, draw(w, 2) ? 4 : 24);
	for (uint32_t i = 0; i < w->nnodes; i++) {
		w->node_procs[i] = 1 + draw(w, largest);
		w->first[i + 1] = w->first[i] + w->node_procs[i];
	}
	w->nprocs = w->first[w->nnodes];
	w->max_jobs = draw(w, 5) ? 0 : 1 + draw(w, 4);
	w->residents = draw(w, 5) ? 0 : 1 + draw(w, 4);
	w->finishes = draw(w, 4) > 0;
	w->neighbours = draw(w, 8) > 0;
	w->align = draw(w, 4) > 0;
	w->spread = draw(w, 4) > 0;
	w->cap = draw(w, 4) > 0;
	w->reserve = draw(w, 3) == 0;
	w->small = 1 + draw(w, 6);
	w->coarse = draw(w, 4) == 0;
	snprintf(set, sizeof(set),
		 "reserve=%d machine_reserve=0 overrun=0 residents=%u "
		 "finishes=%d neighbours=%d align=%d spread=%d cap=%d",
		 w->reserve, w->residents, w->finishes, w->neighbours, w->align,
		 w->spread, w->cap);
	conf.nnodes = w->nnodes;
	conf.max_jobs = w->max_jobs;
	w->e = host_engine_with(conf, set);
	if (!w->neighbours)
		w->finishes = false;
}

/* ---- who is promised what, at an instant ---- */

static bool comes_before(const struct world *w, int a, int b)
{
	return w->jobs[a].deadline_s < w->jobs[b].deadline_s ||
	       (w->jobs[a].deadline_s == w->jobs[b].deadline_s && a < b);
}

static bool share_one(const bool *a, const bool *b, uint32_t n)
{
	for (uint32_t p = 0; p < n; p++)
		if (a[p] && b[p])
			return true;
	return false;
}

static void look_around(struct world *w)
{
	w->nlive = 0;
	for (int i = 0; i < w->njobs; i++) {
		struct member *m = &w->jobs[i];
		double left_s = fmax(m->deadline_s - w->now_s, 0);
		int at = w->nlive;

		m->late = m->deadline_s + TOLERANCE_S <= w->now_s;
		m->need_s = m->late ? 0 : fmin(m->left_s, left_s);
		for (int k = 0; k < w->njobs; k++)
			w->near[i][k] =
				share_one(m->on, w->jobs[k].on, w->nprocs);
		if (m->late)
			continue;
		for (; at > 0 && comes_before(w, i, w->order[at - 1]); at--)
			w->order[at] = w->order[at - 1];
		w->order[at] = i;
		w->nlive++;
	}
}

struct hold {
	double gone_s, need_s;
};

static double wait_s(struct hold *holds, int n, double now_s)
{
	double least_s = 0, sum_s;

	for (int i = 1; i < n; i++)
		for (int k = i; k > 0 && holds[k].gone_s < holds[k - 1].gone_s;
		     k--) {
			struct hold was = holds[k];

			holds[k] = holds[k - 1];
			holds[k - 1] = was;
		}
	for (int i = 0; i < n; i++)
		least_s += holds[i].need_s;
	for (int k = 0; k < n; k++) {
		sum_s = fmax(0, holds[k].gone_s - now_s);
		for (int j = k + 1; j < n; j++)
			sum_s += holds[j].need_s;
		least_s = fmin(least_s, sum_s);
	}
	return least_s;
}

/* The finish of one, when those before it are gone as gone_s says; more: of a
 * new one that comes before it.
 */
static double finish_s(const struct world *w, int at, const double *gone_s,
		       struct hold more)
{
	struct hold holds[MOST_JOBS + 1];
	int i = w->order[at], n = 0;

	for (int k = 0; k < at; k++) {
		int other = w->order[k];

		if (w->near[i][other] && w->jobs[other].need_s > 0)
			holds[n++] = (struct hold){gone_s[other],
						   w->jobs[other].need_s};
	}
	if (more.need_s > 0)
		holds[n++] = more;
	return w->now_s + w->jobs[i].need_s + wait_s(holds, n, w->now_s);
}

static bool keeps(const struct member *m, double end_s)
{
	return end_s <= m->deadline_s + TOLERANCE_S;
}

static void project(struct world *w)
{
	double gone_s[MOST_JOBS];

	for (int k = 0; k < w->nlive; k++) {
		struct member *m = &w->jobs[w->order[k]];

		m->finish_s = finish_s(w, k, gone_s, (struct hold){0, 0});
		m->in_time = keeps(m, m->finish_s);
		m->gone_s = fmin(m->finish_s, m->deadline_s);
		gone_s[w->order[k]] = m->gone_s;
	}
}

/* ---- what a candidate costs ---- */

static bool is_later(const struct world *w, int i)
{
	return !w->jobs[i].late &&
	       w->jobs[i].deadline_s > w->ask.job.deadline_s;
}

static bool is_earlier(const struct world *w, int i)
{
	return !w->jobs[i].late && !is_later(w, i);
}

/* One more processor. */
static void count(const struct world *w, struct tally *t, uint32_t p)
{
	double alone_s = 0;

	for (int i = 0; i < w->njobs; i++) {
		if (!w->jobs[i].on[p])
			continue;
		t->bound++;
		if (is_earlier(w, i))
			alone_s += w->jobs[i].need_s;
		if (t->met[i])
			continue;
		t->met[i] = true;
		t->later += is_later(w, i);
		if (is_earlier(w, i) && w->neighbours)
			t->needs_s += w->jobs[i].need_s;
	}
	if (!w->neighbours)
		t->needs_s = fmax(t->needs_s, alone_s);
}

static struct tally count_all(const struct world *w, const bool *set)
{
	struct tally t = {0};

	for (uint32_t p = 0; p < w->nprocs; p++)
		if (set[p])
			count(w, &t, p);
	return t;
}

static double cost(const struct world *w, const struct tally *t)
{
	return t->needs_s + w->ask.later_cost * t->later +
	       BOUND_COST * t->bound;
}

static bool exceeds(const struct world *w, const struct tally *t)
{
	return !w->finishes && t->needs_s > w->ask.budget_s + TOLERANCE_S;
}

/* By finishes: J on the chosen ones, and all finishes anew. */
static double price_finishes(const struct world *w, const struct tally *t,
			     double best, int *misses)
{
	double floor = t->needs_s + BOUND_COST * t->bound, rise_s = 0, end_s;
	double gone_s[MOST_JOBS];
	struct hold holds[MOST_JOBS], j;
	int n = 0;

	if (floor >= best)
		return INFINITY;
	for (int i = 0; i < w->njobs; i++)
		if (t->met[i] && is_earlier(w, i) && w->jobs[i].need_s > 0)
			holds[n++] = (struct hold){w->jobs[i].gone_s,
						   w->jobs[i].need_s};
	end_s = w->now_s + w->ask.need_s + wait_s(holds, n, w->now_s);
	if (end_s > w->ask.job.deadline_s + TOLERANCE_S)
		return INFINITY;
	j = (struct hold){fmin(end_s, w->ask.job.deadline_s), w->ask.need_s};
	for (int k = 0; k < w->nlive; k++) {
		int i = w->order[k];
		bool here = is_later(w, i) && t->met[i];

		end_s = finish_s(w, k, gone_s, here ? j : (struct hold){0, 0});
		gone_s[i] = fmin(end_s, w->jobs[i].deadline_s);
		rise_s += end_s - w->jobs[i].finish_s;
		if (w->jobs[i].in_time && !keeps(&w->jobs[i], end_s)) {
			*misses = here ? i : NOBODY;
			return INFINITY;
		}
		if (rise_s >= best - floor)
			return INFINITY;
	}
	return floor + rise_s;
}

static double price(const struct world *w, const bool *set, double best,
		    int *misses)
{
	struct tally t = count_all(w, set);

	*misses = NOBODY;
	if (w->finishes)
		return price_finishes(w, &t, best, misses);
	return exceeds(w, &t) || cost(w, &t) >= best ? INFINITY : cost(w, &t);
}

/* ---- what is barred ---- */

static double slack_s(const struct world *w, int i)
{
	const struct member *m = &w->jobs[i];
	double sum_s = 0, worst_s = 0, here_s;

	for (int k = 0; k < w->nlive; k++)
		if (w->near[i][w->order[k]] && comes_before(w, w->order[k], i))
			sum_s += w->jobs[w->order[k]].need_s;
	for (uint32_t p = 0; p < w->nprocs; p++) {
		here_s = 0;
		for (int k = 0; k < w->nlive; k++)
			if (m->on[p] && w->jobs[w->order[k]].on[p] &&
			    comes_before(w, w->order[k], i))
				here_s += w->jobs[w->order[k]].need_s;
		worst_s = fmax(worst_s, here_s);
	}
	return m->deadline_s - w->now_s - m->need_s -
	       (w->neighbours ? sum_s : worst_s);
}

/* at: of the order */
static bool cannot_wait(const struct world *w, int at)
{
	double need_s = w->ask.need_s, gone_s[MOST_JOBS], slack;
	const struct member *m = &w->jobs[w->order[at]];

	if (!w->finishes) {
		slack = slack_s(w, w->order[at]);
		return slack >= -TOLERANCE_S && slack < need_s;
	}
	for (int i = 0; i < w->njobs; i++)
		gone_s[i] = w->jobs[i].gone_s;
	return m->in_time &&
	       !keeps(m, finish_s(w, at, gone_s,
				  (struct hold){w->now_s + need_s, need_s}));
}

static bool is_allowed(const struct world *w, uint32_t p)
{
	const struct libra_where *where = w->ask.job.where;

	if (!where || !where->allowed)
		return true;
	for (uint32_t i = 0; i < where->nallowed; i++)
		if (p >= where->allowed[i].first &&
		    p < where->allowed[i].first + where->allowed[i].count)
			return true;
	return false;
}

static uint32_t nbound(const struct world *w, uint32_t p)
{
	uint32_t n = 0;

	for (int i = 0; i < w->njobs; i++)
		n += w->jobs[i].on[p];
	return n;
}

static void bar(struct world *w)
{
	for (uint32_t i = 0; i < w->nnodes; i++)
		for (uint32_t p = w->first[i]; p < w->first[i + 1]; p++) {
			uint32_t n = nbound(w, p);

			w->ask.barred[p] = w->closed[i] || !is_allowed(w, p) ||
					   (w->max_jobs && n >= w->max_jobs) ||
					   (w->residents && n >= w->residents);
		}
	for (int k = 0; k < w->nlive; k++) {
		if (!is_later(w, w->order[k]) || !cannot_wait(w, k))
			continue;
		for (uint32_t p = 0; p < w->nprocs; p++)
			if (w->jobs[w->order[k]].on[p])
				w->ask.barred[p] = true;
	}
}

/* ---- blocks ---- */

static bool has_shape(const struct world *w)
{
	const struct libra_where *where = w->ask.job.where;

	return where &&
	       (where->chunk > 1 || where->node_max > 0 ||
		where->min_nodes > 1 ||
		(where->max_nodes > 0 && where->max_nodes < w->nnodes));
}

/* Choose the first n of a range that are not out; result: how many. */
static uint32_t choose(struct ask *a, uint32_t first, uint32_t end, uint32_t n)
{
	uint32_t found = 0;

	for (uint32_t p = first; p < end && found < n; p++)
		if (!a->out[p]) {
			a->chosen[p] = true;
			found++;
		}
	return found;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static bool choose_in_block(struct world *w, uint32_t first, uint32_t end)
{
	struct libra_node_fit fits[MOST_NODES];
	struct ask *a = &w->ask;
	uint32_t n = 0, used;

	memset(a->chosen, 0, sizeof(a->chosen));
	if (!has_shape(w))
		return choose(a, first, end, a->job.nprocs) == a->job.nprocs;
	for (uint32_t i = 0; i < w->nnodes; i++) {
		uint32_t open = 0;

		for (uint32_t p = larger(first, w->first[i]);
		     p < smaller(end, w->first[i + 1]); p++)
			open += !a->out[p];
		open = libra_where_whole(a->job.where,
					 smaller(open, a->job.nprocs));
		if (open > 0)
			fits[n++] = (struct libra_node_fit){.node = i,
							    .nprocs = open};
	}
	used = libra_where_nodes(&a->job, fits, n);
	for (uint32_t i = 0; i < used; i++)
		choose(a, larger(first, w->first[fits[i].node]),
		       smaller(end, w->first[fits[i].node + 1]),
		       fits[i].nprocs);
	return used > 0;
}

/* Result: is there room in it?  *best: the least cost so far. */
static bool try_block(struct world *w, uint32_t first, uint32_t end,
		      double *best)
{
	struct ask *a = &w->ask;
	double its = INFINITY;
	bool room = false;
	int misses, n = 0;

	memcpy(a->out, a->barred, sizeof(a->out));
	while (choose_in_block(w, first, end)) {
		room = true;
		its = price(w, a->chosen, *best - TIE, &misses);
		if (misses == NOBODY || n++ == AGAIN)
			break;
		again++;
		for (uint32_t p = first; p < end; p++)
			a->out[p] |= w->jobs[misses].on[p];
	}
	if (its < *best) {
		memcpy(a->set, a->chosen, sizeof(a->set));
		*best = its;
	}
	return room;
}

static bool place_in_block(struct world *w)
{
	uint32_t n = w->ask.job.nprocs, size = 1;
	double best = INFINITY;
	bool room = false, whole;

	while (size < n)
		size *= 2;
	do {
		whole = !has_shape(w) || size >= w->nprocs;
		for (uint32_t s = 0; s + n <= w->nprocs; s += size)
			room |= try_block(w, s, smaller(s + size, w->nprocs),
					  &best);
		size *= 2;
	} while (!room && !whole);
	return best < INFINITY;
}

/* ---- one by one ---- */

/* What a processor would add to those that are taken. */
static double adds(const struct world *w, const struct tally *t, uint32_t p)
{
	struct tally with = *t;

	count(w, &with, p);
	return with.needs_s - t->needs_s +
	       w->ask.later_cost * (with.later - t->later);
}

static bool judge(struct world *w)
{
	int misses;

	return !w->finishes ||
	       price(w, w->ask.set, INFINITY, &misses) < INFINITY;
}

static bool place_singly(struct world *w)
{
	struct ask *a = &w->ask;
	struct tally t = {0};

	memset(a->set, 0, sizeof(a->set));
	for (uint32_t taken = 0; taken < a->job.nprocs; taken++) {
		uint32_t least = UINT32_MAX;
		double least_s = INFINITY;

		for (uint32_t p = 0; p < w->nprocs; p++)
			if (!a->barred[p] && !a->set[p] &&
			    adds(w, &t, p) < least_s - TIE) {
				least = p;
				least_s = adds(w, &t, p);
			}
		if (least == UINT32_MAX)
			return false;
		a->set[least] = true;
		count(w, &t, least);
		if (exceeds(w, &t))
			return false;
	}
	return judge(w);
}

/* ---- node by node ---- */

/* Put n processors of a node that would add least by themselves into a set. */
static void choose_in_node(const struct world *w, const struct tally *t,
			   uint32_t node, uint32_t n, bool *set)
{
	double all[MOST_PROCS];

	for (uint32_t p = w->first[node]; p < w->first[node + 1]; p++)
		all[p] = w->ask.barred[p] || w->ask.set[p] ? INFINITY
							   : adds(w, t, p);
	while (n-- > 0) {
		uint32_t least = w->first[node];

		for (uint32_t p = least; p < w->first[node + 1]; p++)
			if (all[p] < all[least])
				least = p;
		set[least] = true;
		all[least] = INFINITY;
	}
}

static double price_node(const struct world *w, const struct tally *t,
			 uint32_t node, uint32_t n)
{
	bool set[MOST_PROCS] = {false};
	struct tally with = *t;

	choose_in_node(w, t, node, n, set);
	for (uint32_t p = 0; p < w->nprocs; p++)
		if (set[p])
			count(w, &with, p);
	return (cost(w, &with) - cost(w, t)) / n;
}

static void take_node(struct world *w, struct tally *t, uint32_t node,
		      uint32_t n)
{
	bool set[MOST_PROCS] = {false};

	choose_in_node(w, t, node, n, set);
	for (uint32_t p = 0; p < w->nprocs; p++)
		if (set[p]) {
			w->ask.set[p] = true;
			count(w, t, p);
		}
}

static uint32_t usable(const struct world *w, uint32_t node)
{
	uint32_t n = 0;

	for (uint32_t p = w->first[node]; p < w->first[node + 1]; p++)
		n += !w->ask.barred[p];
	return libra_where_whole(w->ask.job.where, n);
}

/* A price is a difference of costs, which is rounded: of two nodes that cost
 * the same, and something, either may be the one once any is taken.
 */
static bool place_node_by_node(struct world *w, bool *unclear)
{
	const struct libra_where *where = w->ask.job.where;
	uint32_t left[MOST_NODES], want = w->ask.job.nprocs;
	struct tally t = {0};

	memset(w->ask.set, 0, sizeof(w->ask.set));
	for (uint32_t i = 0; i < w->nnodes; i++)
		left[i] = usable(w, i);
	for (uint32_t used = 0; want > 0; used++) {
		uint32_t best = w->nnodes, gives = 0;
		double least = INFINITY;

		for (uint32_t i = 0; i < w->nnodes; i++) {
			uint32_t n =
				libra_where_give(where, left[i], want, used);
			double its = n ? price_node(w, &t, i, n) : INFINITY;

			if (n == 0)
				continue;
			left[i] = n;
			*unclear |=
				used > 0 && its > 0 && fabs(its - least) < 1e-9;
			if (its < least || (its == least && n > gives)) {
				best = i;
				least = its;
				gives = n;
			}
		}
		if (best == w->nnodes)
			return false;
		take_node(w, &t, best, gives);
		if (exceeds(w, &t))
			return false;
		want -= gives;
		left[best] = 0;
	}
	return judge(w);
}

static bool place_on_few(struct world *w)
{
	struct libra_node_fit fits[MOST_NODES];
	struct tally t = {0};
	uint32_t n = 0, used;

	memset(w->ask.set, 0, sizeof(w->ask.set));
	for (uint32_t i = 0; i < w->nnodes; i++) {
		uint32_t open = usable(w, i);

		if (open > 0)
			fits[n++] = (struct libra_node_fit){
				.key = -price_node(w, &t, i, open),
				.node = i,
				.nprocs = open};
	}
	used = libra_where_nodes(&w->ask.job, fits, n);
	for (uint32_t i = 0; i < used; i++)
		take_node(w, &t, fits[i].node, fits[i].nprocs);
	return used > 0 && !exceeds(w, &t) && judge(w);
}

/* ---- the answer ---- */

/* Result: is there a place?  It is in the set then. */
static bool find_place(struct world *w, bool *unclear)
{
	if (w->align && place_in_block(w)) {
		*(has_shape(w) ? &shaped : &in_block) += 1;
		return true;
	}
	/* Where each processor is tested alone, which is for comparison, what
	 * it adds is not told anew when another one has become the worst.
	 */
	*unclear |= !w->neighbours && (w->ask.job.nprocs > 1 || has_shape(w));
	if (!has_shape(w)) {
		bool found = place_singly(w);

		singly += found;
		return found;
	}
	if (place_node_by_node(w, unclear)) {
		by_nodes++;
		return true;
	}
	if (!place_on_few(w))
		return false;
	on_few++;
	return true;
}

static void draw_where(struct world *w)
{
	struct ask *a = &w->ask;
	uint32_t n = w->nprocs;

	a->where = (struct libra_where){0};
	a->job.where = &a->where;
	if (draw(w, 3) == 0) {
		uint32_t first = draw(w, n), count = 1 + draw(w, n - first);
		uint32_t from = first + count;

		a->allowed[0] = (struct libra_range){first, count};
		a->where.allowed = a->allowed;
		a->where.nallowed = 1;
		if (from + 1 < n) {
			from += 1 + draw(w, n - from - 1);
			a->allowed[1] = (struct libra_range){
				from, 1 + draw(w, n - from)};
			a->where.nallowed = 2;
		}
	}
	if (draw(w, 3) == 0) {
		a->where.chunk = draw(w, smaller(4, n / a->job.nprocs + 1));
		a->job.nprocs *= larger(a->where.chunk, 1);
	}
	if (draw(w, 4) == 0)
		a->where.node_max = 1 + draw(w, 6);
	if (draw(w, 4) == 0)
		a->where.min_nodes = draw(w, 4);
	if (draw(w, 2) == 0)
		a->where.max_nodes = larger(a->where.min_nodes, 1) + draw(w, 2);
}

/* ---- the reserve ---- */

static double phi(const struct world *w, const struct libra_job *job)
{
	double work_s = job->nprocs * job->estimate_s;

	if (!w->reserve || w->noffers == 0)
		return 1;
	return 1 + fmin(4, 5 * w->rho) * fmin(4, work_s / w->mean_work_s);
}

static void learn(struct world *w, const struct libra_job *job, bool accepted)
{
	double work_s = job->nprocs * job->estimate_s;

	if (w->noffers > 0 && work_s <= w->mean_work_s)
		w->rho += 0.01 * (!accepted - w->rho);
	w->noffers++;
	w->mean_work_s += (work_s - w->mean_work_s) / w->noffers;
}

static void draw_ask(struct world *w)
{
	struct ask *a = &w->ask;
	double most = w->nprocs - 1, size = random_unit(&w->random), left_s;

	memset(a, 0, sizeof(*a));
	left_s = draw_s(w, draw(w, 4) ? 400 : 40);
	a->job = (struct libra_job){
		.submit_s = w->now_s,
		.estimate_s = draw_s(w, draw(w, 3) ? 40 : 400),
		.deadline_s = w->now_s + left_s,
		.nprocs = 1 + (uint32_t)(pow(size, w->small) * most),
	};
	if (draw(w, 10) == 0)
		a->job.nprocs = 1 + draw(w, w->nprocs);
	if (w->njobs > 0 && draw(w, 6) == 0)
		a->job.deadline_s =
			fmax(w->now_s + 1,
			     w->jobs[draw(w, (uint32_t)w->njobs)].deadline_s);
	if (draw(w, 3) == 0)
		draw_where(w);
	left_s = a->job.deadline_s - w->now_s;
	a->need_s = fmin(a->job.estimate_s, left_s);
	a->need_s = fmin(phi(w, &a->job) * a->need_s, fmax(a->need_s, left_s));
	a->budget_s = left_s - a->need_s;
	a->later_cost = w->spread ? a->need_s : 0;
}

/* ---- life ---- */

static void add(struct world *w, uint64_t ticket, const struct libra_job *job,
		double left_s, const bool *set)
{
	struct member *m = &w->jobs[w->njobs++];

	memset(m, 0, sizeof(*m));
	m->ticket = ticket;
	m->deadline_s = job->deadline_s;
	m->left_s = left_s;
	memcpy(m->on, set, sizeof(m->on));
}

static void drop(struct world *w, int i)
{
	assert_int_equal(
		libra_engine_withdraw(w->e, w->jobs[i].ticket, w->now_s), 0);
	memmove(&w->jobs[i], &w->jobs[i + 1],
		(size_t)(--w->njobs - i) * sizeof(w->jobs[0]));
}

static bool is_at(const struct world *w, uint64_t ticket, const bool *set)
{
	struct libra_range at[MOST_PROCS];
	int64_t n = libra_engine_placement(w->e, ticket, at, MOST_PROCS);
	bool found[MOST_PROCS] = {false};

	for (int64_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < at[i].count; k++)
			found[at[i].first + k] = true;
	return memcmp(found, set, sizeof(found)) == 0;
}

static void offer(struct world *w)
{
	struct ask *a = &w->ask;
	struct libra_verdict v;
	bool found, unclear = false;

	draw_ask(w);
	look_around(w);
	project(w);
	bar(w);
	found = (w->cap || a->job.estimate_s <= a->job.deadline_s - w->now_s) &&
		find_place(w, &unclear);
	v = host_offer(w->e, a->job, w->now_s);
	learn(w, &a->job, v.answer == LIBRA_ACCEPT);
	refused += !found;
	if (!unclear)
		assert_int_equal(v.answer == LIBRA_ACCEPT, found);
	if (v.answer != LIBRA_ACCEPT)
		return;
	if (unclear) {
		libra_engine_withdraw(w->e, v.ticket, w->now_s);
		return;
	}
	assert_true(is_at(w, v.ticket, a->set));
	add(w, v.ticket, &a->job, a->job.estimate_s, a->set);
	if (draw(w, 5) == 0 || w->njobs == MOST_JOBS)
		drop(w, w->njobs - 1);
}

/* A promise that no rule would have made, maybe late by now. */
static void restore(struct world *w)
{
	struct libra_part parts[3];
	struct libra_job job = {
		.submit_s = w->now_s,
		.estimate_s = draw_s(w, 100),
		.deadline_s = w->now_s + draw_s(w, 300) - 30,
	};
	double left_s = job.estimate_s - draw(w, 2) * job.estimate_s / 2;
	bool set[MOST_PROCS] = {false};
	uint32_t nparts = 0, most = 1 + draw(w, 3);
	uint64_t ticket;

	for (uint32_t p = draw(w, w->nprocs); p < w->nprocs && nparts < most;
	     p += 1 + draw(w, 6)) {
		uint32_t end = smaller(w->nprocs, p + 1 + draw(w, 10));

		parts[nparts++] =
			(struct libra_part){{p, end - p}, left_s, NULL};
		for (; p < end; p++, job.nprocs++)
			set[p] = true;
	}
	if (draw(w, 2))
		job.deadline_s = w->now_s + left_s + 1 + draw(w, 60);
	assert_int_equal(libra_engine_restore(w->e, &job, parts, nparts, false,
					      w->now_s, &ticket, NULL),
			 0);
	add(w, ticket, &job, left_s, set);
}

/* Would so many be accepted one after the other?  So they are, or not. */
static void try_several(struct world *w)
{
	const struct libra_policy_ops *ops = w->e->policy->ops;
	uint64_t tickets[4];
	uint32_t n = 1 + draw(w, 4), found = 0;
	struct libra_verdict v;
	bool would, is_sure;

	draw_ask(w);
	would = libra_engine_would_accept(w->e, &w->ask.job, n, w->now_s);
	is_sure = ops->surely_accepts(w->e, &w->ask.job, n);
	for (; found < n; found++) {
		v = host_offer(w->e, w->ask.job, w->now_s);
		learn(w, &w->ask.job, v.answer == LIBRA_ACCEPT);
		if (v.answer != LIBRA_ACCEPT)
			break;
		tickets[found] = v.ticket;
	}
	assert_int_equal(would, found == n);
	assert_true(would || !is_sure);
	several += would && n > 1;
	sure += is_sure && n > 1;
	while (found-- > 0)
		libra_engine_withdraw(w->e, tickets[found], w->now_s);
}

/* What those before it have left; late: and those that are not late. */
static double held_s(const struct world *w, int i, bool late)
{
	double sum_s = 0;

	for (int k = 0; k < w->njobs; k++) {
		const struct member *m = &w->jobs[k];
		bool before = comes_before(w, k, i);

		if (k != i && w->near[i][k] &&
		    (m->late ? late && before : late || before))
			sum_s += fmax(m->left_s, 0);
	}
	return sum_s;
}

/* When each has ended and starts at the latest, as a host may ask. */
static void ask_for_times(struct world *w)
{
	uint32_t nfree = 0;

	for (uint32_t i = 0; i < w->nnodes; i++)
		for (uint32_t p = w->first[i]; p < w->first[i + 1]; p++)
			nfree += !w->closed[i] && nbound(w, p) == 0;
	assert_int_equal(libra_engine_free_procs(w->e), nfree);
	look_around(w);
	project(w);
	for (int i = 0; i < w->njobs && w->finishes; i++) {
		const struct member *m = &w->jobs[i];
		double end_s = libra_engine_ends_by(w->e, m->ticket);
		double start_s = libra_engine_starts_by(w->e, m->ticket);
		double held = held_s(w, i, m->late);

		if (!m->late && keeps(m, w->now_s + m->left_s)) {
			assert_near(end_s, m->finish_s, 0);
			assert_near(start_s, end_s - m->left_s, 0);
			continue;
		}
		if (!m->late && w->now_s + held > m->deadline_s)
			held = held_s(w, i, true);
		assert_true(isnan(end_s));
		assert_near(start_s, w->now_s + held, 0);
	}
}

static void step(struct world *w)
{
	uint32_t node = draw(w, w->nnodes);

	if (draw(w, 3) == 0)
		w->now_s += draw_s(w, 40);
	if (w->njobs > 0 && (w->njobs == MOST_JOBS - 1 || draw(w, 6) == 0))
		drop(w, (int)draw(w, (uint32_t)w->njobs));
	if (draw(w, 6) == 0) {
		restore(w);
	} else if (draw(w, 12) == 0) {
		w->closed[node] = !w->closed[node];
		assert_int_equal(libra_engine_node(w->e, node,
						   w->closed[node]
							   ? LIBRA_NODE_DRAIN
							   : LIBRA_NODE_UP,
						   w->now_s),
				 0);
	} else if (draw(w, 8) == 0) {
		try_several(w);
	} else {
		offer(w);
		ask_for_times(w);
	}
}

static void the_place_is_that_of_the_rule(void **state)
{
	static struct world w;

	for (uint64_t seed = 0; seed < WORLDS; seed++) {
		open_world(&w, seed);
		for (int i = 0; i < STEPS; i++)
			step(&w);
		libra_engine_destroy(w.e);
	}
	assert_true(in_block > 10000 && singly > 5000 && shaped > 1000);
	assert_true(by_nodes > 500 && on_few > 20 && refused > 5000);
	assert_true(again > 100 && several > 500 && sure > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		freed_test(the_place_is_that_of_the_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
