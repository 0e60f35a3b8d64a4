/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * band_rule.h - where band puts a job: its rule by the letter.
 *
 * That of core/policy/band.c and core/gang/band_shape.c.  Each block is looked
 * at, processor by processor, and all finishes are summed anew for each: no
 * runs, no words of bits, no shortcuts, nothing kept.
 */
#ifndef TESTS_PROPERTY_BAND_RULE_H
#define TESTS_PROPERTY_BAND_RULE_H

#include "core/engine.h"
#include "core/where.h"
#include "tests/unit/host.h"

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
	/* Earlier neighbours, and the tickets of those that it knows. */
	uint32_t nbefore, nknown;
	uint64_t known[MOST_JOBS];
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
	bool finishes, neighbours, align, spread, guaranteed, coarse, reserve;
	uint32_t listed;		  /* that a job knows at the most */
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

/* ---- who knows whom ---- */

static void know(const struct world *w, struct member *m,
		 const struct member *other)
{
	if (m->nknown == m->nbefore && m->nbefore < w->listed)
		m->known[m->nknown++] = other->ticket;
	m->nbefore++;
}

static void forget(struct member *m, uint64_t ticket)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->nknown; i++)
		if (m->known[i] != ticket)
			m->known[n++] = m->known[i];
	m->nknown = n;
	m->nbefore--;
}

static bool is_crowded(const struct world *w, const struct member *m,
		       uint32_t more)
{
	return m->nknown < m->nbefore || m->nbefore + more > w->listed;
}

static bool is_member_late(const struct world *w, int i)
{
	return w->jobs[i].deadline_s + TOLERANCE_S <= w->now_s;
}

/* The last one has come: it meets the others by priority. */
static void meet_all(struct world *w)
{
	int last = w->njobs - 1;
	struct member *m = &w->jobs[last];
	bool met[MOST_JOBS] = {false};

	for (int n = 0; n < last; n++) {
		int next = NOBODY;

		for (int i = 0; i < last; i++)
			if (!met[i] &&
			    (next == NOBODY ||
			     (is_member_late(w, i) == is_member_late(w, next)
				      ? comes_before(w, i, next)
				      : is_member_late(w, next))))
				next = i;
		met[next] = true;
		if (!share_one(m->on, w->jobs[next].on, w->nprocs))
			continue;
		if (comes_before(w, next, last))
			know(w, m, &w->jobs[next]);
		else
			know(w, &w->jobs[next], m);
	}
}

/* One goes. */
static void leave_all(struct world *w, int i)
{
	for (int k = 0; k < w->njobs; k++)
		if (k != i && comes_before(w, i, k) &&
		    share_one(w->jobs[i].on, w->jobs[k].on, w->nprocs))
			forget(&w->jobs[k], w->jobs[i].ticket);
}

struct hold {
	double gone_s, need_s;
};

static double wait_s(struct hold *holds, int n, bool crowded, double now_s)
{
	double least_s = 0, sum_s;

	if (crowded) {
		for (int i = 0; i < n; i++)
			least_s = fmax(least_s, holds[i].gone_s - now_s);
		return least_s;
	}
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
	return w->now_s + w->jobs[i].need_s +
	       wait_s(holds, n, is_crowded(w, &w->jobs[i], more.need_s > 0),
		      w->now_s);
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
	uint32_t nbefore = 0;
	int n = 0;

	if (floor >= best)
		return INFINITY;
	for (int i = 0; i < w->njobs; i++) {
		nbefore += t->met[i] && !is_later(w, i);
		if (t->met[i] && is_earlier(w, i) && w->jobs[i].need_s > 0)
			holds[n++] = (struct hold){w->jobs[i].gone_s,
						   w->jobs[i].need_s};
	}
	end_s = w->now_s + w->ask.need_s +
		wait_s(holds, n, nbefore > w->listed, w->now_s);
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

#endif
