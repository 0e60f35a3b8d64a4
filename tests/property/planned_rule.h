/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_rule.h - what planned plans: its rule by the letter.
 *
 * A second planner (tests/oracle/planned.py has it in words).  It has no
 * profile, no lines and nothing that is drawn: what is free at an instant is
 * counted anew from the jobs that run and the plans.
 */
#ifndef TESTS_PROPERTY_PLANNED_RULE_H
#define TESTS_PROPERTY_PLANNED_RULE_H

#include "core/engine.h"
#include "tests/unit/host.h"

#define MOST_JOBS  24
#define MOST_NODES 8
#define MOST_OUT   4

#define TOLERANCE_S 1e-6
#define FLOOR_S	    1.
#define OVERRUN	    0.125

enum life { NONE, WAITS, RUNS };

struct item {
	enum life life;
	uint64_t ticket;
	uint32_t nprocs;
	double estimate_s, deadline_s, duration_s;
	double start_s, latest_s, promised_s, tried_s, end_s;
	uint64_t order;
	bool late, untold;
	bool firm; /* an ordinary job: its start is promised */
};

struct world {
	struct libra_engine *e;
	uint32_t node_procs[MOST_NODES], first[MOST_NODES + 1], nnodes, nprocs;
	bool closed[MOST_NODES];
	struct libra_outage out[MOST_OUT];
	uint32_t nout;
	bool by_node, hard, replan, pull;
	double margin_s, now_s;
	uint32_t held_back, pull_held_back;
	bool stale, raised;
	struct item items[MOST_JOBS];
	struct item *waiting[MOST_JOBS]; /* in order */
	int nwaiting;
	uint64_t order, random;
};

/* To see that the test is of something. */
static int admitted, anew, refused, little, large, rest, mended, pulled, told,
	several, sure, unasked;

/* ---- what is free ---- */

/* When a closed node is expected back: its outage has begun, and is not over.
 */
static double back_s(const struct world *w, uint32_t node)
{
	for (uint32_t i = 0; i < w->nout; i++)
		if (w->out[i].node == node && w->out[i].from_s <= w->now_s &&
		    w->out[i].to_s > w->now_s)
			return w->out[i].to_s;
	return INFINITY;
}

/* Processors of a job that runs, on nodes that are open, or back by then. */
static uint32_t open_procs(const struct world *w, const struct item *it,
			   double at_s)
{
	struct libra_range at[MOST_NODES * 4];
	int64_t n =
		libra_engine_placement(w->e, it->ticket, at, MOST_NODES * 4);
	uint32_t count = 0;

	for (int64_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < at[i].count; k++) {
			uint32_t node = 0;

			while (at[i].first + k >= w->first[node + 1])
				node++;
			count += !w->closed[node] || at_s >= back_s(w, node);
		}
	return count;
}

/* starts: as planned, or as tried, of those that wait. */
static double start_of(const struct item *it, bool tried)
{
	return tried ? it->tried_s : it->start_s;
}

static int64_t free_at(const struct world *w, double at_s, bool tried)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < w->nnodes; i++)
		n += w->closed[i] ? 0 : w->node_procs[i];
	for (int i = 0; i < MOST_JOBS; i++)
		if (w->items[i].life == RUNS && at_s < w->items[i].end_s)
			n -= open_procs(w, &w->items[i], at_s);
	for (int i = 0; i < w->nwaiting; i++) {
		double start_s = start_of(w->waiting[i], tried);

		if (start_s <= at_s &&
		    at_s < start_s + w->waiting[i]->duration_s)
			n -= w->waiting[i]->nprocs;
	}
	for (uint32_t i = 0; i < w->nnodes; i++)
		if (w->closed[i] && at_s >= back_s(w, i))
			n += w->node_procs[i];
	for (uint32_t i = 0; i < w->nout; i++)
		if (!w->closed[w->out[i].node] && w->out[i].from_s <= at_s &&
		    at_s < w->out[i].to_s)
			n -= w->node_procs[w->out[i].node];
	return n;
}

/* All instants at which more or less may be free, from now on. */
static int instants(const struct world *w, bool tried, double *at_s)
{
	int n = 0, all = 0;

	at_s[all++] = w->now_s;
	for (int i = 0; i < MOST_JOBS; i++)
		if (w->items[i].life == RUNS)
			at_s[all++] = w->items[i].end_s;
	for (int i = 0; i < w->nwaiting; i++) {
		double start_s = start_of(w->waiting[i], tried);

		at_s[all++] = start_s;
		at_s[all++] = start_s + w->waiting[i]->duration_s;
	}
	for (uint32_t i = 0; i < w->nout; i++) {
		at_s[all++] = w->out[i].from_s;
		at_s[all++] = w->out[i].to_s;
	}
	for (int i = 0; i < all; i++)
		if (at_s[i] >= w->now_s && at_s[i] < INFINITY)
			at_s[n++] = at_s[i];
	return n;
}

enum { MOST_INSTANTS = 1 + 2 * MOST_JOBS + 2 * MOST_OUT };

static bool fits(const struct world *w)
{
	double at_s[MOST_INSTANTS];
	int n = instants(w, false, at_s);

	for (int i = 0; i < n; i++)
		if (free_at(w, at_s[i], false) < 0)
			return false;
	return true;
}

/* The earliest start by an instant that leaves so many free, or INFINITY. */
static double hole(const struct world *w, const struct item *it, bool tried,
		   uint32_t held, double latest_s)
{
	double at_s[MOST_INSTANTS], best_s = INFINITY;
	int64_t free[MOST_INSTANTS];
	int n = instants(w, tried, at_s);

	for (int i = 0; i < n; i++)
		free[i] = free_at(w, at_s[i], tried);
	for (int i = 0; i < n; i++) {
		bool good = at_s[i] <= latest_s && at_s[i] < best_s;

		for (int k = 0; k < n && good; k++)
			good = at_s[k] < at_s[i] ||
			       at_s[k] >= at_s[i] + it->duration_s ||
			       free[k] >= (int64_t)it->nprocs + held;
		if (good)
			best_s = at_s[i];
	}
	return best_s;
}

/* Has one without a start no place at any time, nor behind all that ends? */
static bool is_hopeless(const struct world *w, const struct item *it,
			bool tried)
{
	double at_s[MOST_INSTANTS], last_s = w->now_s;
	int n = instants(w, tried, at_s);

	for (int i = 0; i < n; i++)
		last_s = fmax(last_s, at_s[i]);
	return it->start_s == INFINITY &&
	       free_at(w, last_s, tried) < it->nprocs &&
	       hole(w, it, tried, 0, INFINITY) == INFINITY;
}

static double hole_held(const struct world *w, const struct item *it,
			uint32_t held, double latest_s)
{
	double start_s = hole(w, it, false, held, latest_s);

	return start_s < INFINITY ? start_s : hole(w, it, false, 0, latest_s);
}

/* ---- the order ---- */

static bool by_latest(const struct item *a, const struct item *b)
{
	return a->latest_s != b->latest_s ? a->latest_s < b->latest_s
					  : a->order < b->order;
}

static bool by_start(const struct item *a, const struct item *b)
{
	return a->start_s != b->start_s ? a->start_s < b->start_s
					: by_latest(a, b);
}

static void sort(struct world *w,
		 bool (*before)(const struct item *, const struct item *))
{
	for (int i = 0; i < w->nwaiting; i++)
		for (int k = i;
		     k > 0 && before(w->waiting[k], w->waiting[k - 1]); k--) {
			struct item *was = w->waiting[k];

			w->waiting[k] = w->waiting[k - 1];
			w->waiting[k - 1] = was;
		}
}

static void insert(struct world *w, struct item *it)
{
	it->life = WAITS;
	w->waiting[w->nwaiting++] = it;
	sort(w, by_latest);
}

static void extract(struct world *w, struct item *it)
{
	int n = 0;

	for (int i = 0; i < w->nwaiting; i++)
		if (w->waiting[i] != it)
			w->waiting[n++] = w->waiting[i];
	w->nwaiting = n;
	it->life = NONE;
}

/* ---- plans ---- */

static bool breaks(const struct item *it)
{
	return it->start_s > it->promised_s + TOLERANCE_S;
}

static void judge(const struct world *w, struct item *it)
{
	bool late = breaks(it);

	if (it->late && !late && !w->hard)
		it->latest_s = fmax(it->start_s, it->promised_s - w->margin_s);
	it->untold = late && (it->untold || !it->late);
	it->late = late;
}

static double bound_s(const struct world *w, const struct item *it, bool loss)
{
	double latest_s = fmax(it->latest_s, w->now_s);

	if (loss)
		latest_s += w->margin_s;
	if (loss && it->promised_s < INFINITY)
		latest_s = fmax(latest_s, it->promised_s);
	return latest_s + TOLERANCE_S;
}

/* New starts for all in this order.  Result: has each one? */
static bool try_all(struct world *w, bool loss)
{
	bool all = true;

	for (int i = 0; i < w->nwaiting; i++)
		w->waiting[i]->tried_s = INFINITY;
	for (int i = 0; i < w->nwaiting && (all || loss); i++) {
		struct item *it = w->waiting[i];

		it->tried_s = hole(w, it, true, 0, bound_s(w, it, loss));
		all = all &&
		      (it->tried_s < INFINITY || is_hopeless(w, it, true));
	}
	return all;
}

static void adopt(struct world *w)
{
	for (int i = 0; i < w->nwaiting; i++) {
		w->waiting[i]->start_s = w->waiting[i]->tried_s;
		judge(w, w->waiting[i]);
	}
	sort(w, by_latest);
}

static void repair(struct world *w)
{
	if (try_all(w, false)) {
		little += w->nwaiting > 0;
	} else {
		sort(w, by_start);
		if (try_all(w, true)) {
			large++;
		} else {
			sort(w, by_latest);
			try_all(w, true);
			rest++;
		}
		for (int i = 0; i < w->nwaiting; i++)
			if (w->waiting[i]->tried_s == INFINITY)
				w->waiting[i]->tried_s = hole(
					w, w->waiting[i], true, 0, INFINITY);
	}
	for (int i = 0; i < w->nwaiting; i++) {
		struct item *it = w->waiting[i];

		/* One that had no place at all is firm where it has one. */
		it->latest_s = it->firm && it->latest_s == INFINITY
				       ? it->tried_s
				       : fmax(it->latest_s, it->tried_s);
	}
	adopt(w);
}

/* ---- forward ---- */

static void pull_one(struct world *w, struct item *it)
{
	uint32_t others = w->nprocs - it->nprocs, held = w->pull_held_back;
	double was_s = it->start_s, start_s;

	held = held < others ? held : others;
	it->start_s = INFINITY;
	it->tried_s =
		hole(w, it, false,
		     was_s > it->promised_s + TOLERANCE_S ? 0 : held, was_s);
	start_s = fmin(it->tried_s, was_s);
	pulled += start_s < was_s;
	it->start_s = start_s;
}

static void judge_late(struct world *w)
{
	for (int i = 0; i < w->nwaiting; i++) {
		if (!w->waiting[i]->late)
			continue;
		w->waiting[i]->latest_s = w->waiting[i]->start_s;
		judge(w, w->waiting[i]);
	}
	sort(w, by_latest);
}

static int nlate(const struct world *w)
{
	int n = 0;

	for (int i = 0; i < w->nwaiting; i++)
		n += w->waiting[i]->late;
	return n;
}

/* All in time again, or at least earlier. */
static void mend(struct world *w)
{
	bool all, any = false;

	for (int i = 0; i < w->nwaiting; i++)
		if (w->waiting[i]->late)
			w->waiting[i]->latest_s = w->waiting[i]->promised_s;
	sort(w, by_latest);
	all = try_all(w, false);
	for (int i = 0; i < w->nwaiting; i++)
		any = any || (w->waiting[i]->late &&
			      w->waiting[i]->tried_s < INFINITY);
	all = all && any;
	if (all) {
		mended++;
		adopt(w);
	}
	for (int i = 0; i < w->nwaiting; i++)
		if (w->waiting[i]->late)
			w->waiting[i]->latest_s = w->waiting[i]->start_s;
	sort(w, by_latest);
	if (all)
		return;
	for (int i = 0; i < w->nwaiting; i++)
		if (w->waiting[i]->late)
			pull_one(w, w->waiting[i]);
	judge_late(w);
}

/* ---- time ---- */

static bool overruns(struct world *w)
{
	bool any = false;

	for (int i = 0; i < MOST_JOBS; i++) {
		struct item *it = &w->items[i];

		if (it->life != RUNS || it->end_s > w->now_s)
			continue;
		it->end_s = w->now_s +
			    fmax(FLOOR_S, OVERRUN * (w->now_s - it->start_s));
		any = true;
	}
	return any;
}

static void catch_up(struct world *w)
{
	bool lowered = overruns(w) || w->stale, all = true;

	if (w->stale) {
		for (int i = 0; i < w->nwaiting; i++) {
			struct item *it = w->waiting[i];

			if (it->start_s == INFINITY &&
			    is_hopeless(w, it, false))
				it->latest_s = INFINITY;
			else
				all = all && it->start_s < INFINITY;
			judge(w, w->waiting[i]);
		}
		sort(w, by_latest);
		w->stale = false;
		w->raised = true;
	}
	if (!all || (lowered && !fits(w)))
		repair(w);
	if (w->raised && nlate(w) > 0)
		mend(w);
	if (w->raised && w->pull) {
		for (int i = 0; i < w->nwaiting; i++)
			pull_one(w, w->waiting[i]);
		if (nlate(w) > 0)
			judge_late(w);
	}
	w->raised = false;
}

#endif
