/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * band.h - a place for one job under the policy band.
 *
 * policy/band.c looks at all bound jobs once and bars processors; band.c and
 * band_shape.c choose the processors and judge a choice, by finishes (finish.h)
 * or by sums of needs. What decisions spend their time on is inline.
 */
#ifndef LIBRA_BAND_H
#define LIBRA_BAND_H

#include <math.h>
#include <string.h>

#include "core/engine_impl.h"
#include "core/gang/finish.h"
#include "core/gang/gang.h"
#include "core/where.h"

/* Of each job that is bound to a processor, in the cost of a place. */
#define LIBRA_BAND_BOUND_COST 1e-4
/* Costs that differ by less are equal: rounding chooses no place. */
#define LIBRA_BAND_TIE 1e-6

/* Greater than any stamp: a processor of this job is taken for good. */
#define LIBRA_BAND_TAKEN UINT64_MAX

/* The runs that begin in a word of processors, for a job behind all of theirs.
 */
struct libra_band_word {
	uint64_t changes; /* of the gang's, when they were looked at, */
	double touched_s; /* and when that was */
	double cost;	  /* the least of a processor; INFINITY without a run */
	double last_s;	  /* the last deadline of a job */
	uint64_t visits;  /* to look at all */
};

/* Scratch of decisions. */
struct libra_band_memory {
	uint32_t nprocs;
	uint64_t *barred; /* processors that may not be taken */
	uint64_t *out;	  /* nor these, in the block looked at */
	/* By slot: the stamp of the candidate that counted the job last, or
	 * LIBRA_BAND_TAKEN.
	 */
	uint64_t *seen;
	uint32_t seen_cap;
	bool taken;    /* there may be such */
	double *added; /* per processor: what taking it would add */
	/* One by one: parts of runs that may be taken, by the first processor
	 * of each; added is kept for that one alone.
	 */
	uint64_t *pieces;
	uint32_t *piece_end;
	/* By word of processors: what its runs cost, as long as nothing changes
	 * there.
	 */
	struct libra_band_word *words;
	uint64_t stamp;	 /* of a candidate; never one again */
	uint64_t visits; /* jobs of runs that were looked at since ever */
	uint32_t *earlier, *later; /* slots that a candidate has met */
	struct libra_finishes finishes;
	uint64_t *touched; /* processors of newly taken jobs */
	/* Of a decision about a shape. */
	struct libra_node_fit *fits; /* room for all nodes */
	uint64_t *renewed; /* processors whose additions have changed */
	/* Processors of a candidate. */
	struct libra_range *chosen;
	uint32_t nchosen;
};

/* One decision, for the job J. */
struct libra_band {
	struct libra_band_memory *m;
	const struct libra_gang *g;
	uint64_t *set;			   /* the answer */
	double now_s, deadline_s, least_s; /* least: cA */
	double budget_s;
	double later_cost;
	uint64_t end; /* no place is looked for behind so many steps */
	const struct libra_job *job;
	const struct libra_node *nodes;
	uint32_t nnodes;
	uint32_t n, limit;
	bool by_finishes; /* else by sums of needs */
	bool alone;	  /* sums: each processor by itself */
};

/* What a candidate set of processors costs. */
struct libra_tally {
	double needs_s; /* H */
	uint32_t nearlier, later;
	uint32_t nidle; /* late, or in need of nothing */
	uint32_t bound;
};

/* Result: 0, or -1 with ENOMEM; fini in any case. */
int libra_band_init(struct libra_band_memory *m, const struct libra_gang *g,
		    uint32_t nnodes);
void libra_band_fini(struct libra_band_memory *m);

/* Make room to look at so many slots.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_band_reserve(struct libra_band_memory *m, uint32_t nslots);

/* Does a bound job come after the new one?  A late one keeps nobody waiting. */
static inline bool libra_band_is_later(const struct libra_band *b,
				       uint32_t slot)
{
	return b->g->claims[slot].deadline_s > b->deadline_s;
}

/* What one needs that comes before the new one. */
static inline double libra_band_need_s(const struct libra_band *b,
				       uint32_t slot)
{
	return libra_band_is_later(b, slot) ? 0 : libra_gang_need_s(b->g, slot);
}

/* Steps since ever, of decisions alone. */
static inline uint64_t libra_band_steps(const struct libra_band *b)
{
	return b->m->visits + b->m->finishes.visits;
}

/* Has the search for a place looked at as much as it may?  Then it ends, with
 * the best place that it has found.
 */
static inline bool libra_band_is_spent(const struct libra_band *b)
{
	return libra_band_steps(b) >= b->end;
}

/* No job is taken. */
void libra_band_forget_taken(const struct libra_band *b);

/* Count the jobs of n more processors of a run. */
static inline void libra_band_count(const struct libra_band *b,
				    struct libra_tally *t, uint32_t run,
				    uint32_t n)
{
	const uint32_t *bound = libra_gang_bound(b->g, run);
	double alone_s = 0;

	b->m->visits += 1 + b->g->nbound[run];
	t->bound += n * b->g->nbound[run];
	for (uint32_t i = 0; i < b->g->nbound[run]; i++) {
		double need_s = libra_band_need_s(b, bound[i]);

		alone_s += need_s;
		if (b->m->seen[bound[i]] >= b->m->stamp)
			continue;
		b->m->seen[bound[i]] = b->m->stamp;
		if (libra_band_is_later(b, bound[i]))
			b->m->later[t->later++] = bound[i];
		else if (need_s > 0)
			b->m->earlier[t->nearlier++] = bound[i];
		else
			t->nidle++;
		if (!b->alone)
			t->needs_s += need_s;
	}
	if (b->alone)
		t->needs_s = fmax(t->needs_s, alone_s);
}

static inline bool libra_band_exceeds(const struct libra_band *b,
				      const struct libra_tally *t)
{
	return !b->by_finishes &&
	       t->needs_s > b->budget_s + LIBRA_SLACK_TOLERANCE_S;
}

static inline double libra_band_cost(const struct libra_band *b,
				     const struct libra_tally *t)
{
	return t->needs_s + b->later_cost * t->later +
	       LIBRA_BAND_BOUND_COST * t->bound;
}

static inline void libra_band_clear(const struct libra_band *b)
{
	memset(b->set, 0, b->g->words * sizeof(*b->set));
}

/* Choose n more processors. */
static inline void libra_band_choose(const struct libra_band *b, uint32_t first,
				     uint32_t n)
{
	struct libra_range *last = &b->m->chosen[b->m->nchosen];

	if (b->m->nchosen > 0 && last[-1].first + last[-1].count == first)
		last[-1].count += n;
	else
		b->m->chosen[b->m->nchosen++] = (struct libra_range){first, n};
}

/* Choose the first n processors of a range that are not out, at most.
 * Result: how many.
 */
uint32_t libra_band_choose_first(const struct libra_band *b,
				 struct libra_range range, uint32_t n);

/* Count the jobs of what is chosen. */
void libra_band_count_chosen(const struct libra_band *b, struct libra_tally *t);

/* The cost of what is chosen, judged whole; INFINITY if it is no place or does
 * not cost less than best.  *misses: the job that would miss its deadline
 * there, or LIBRA_NOBODY.
 */
double libra_band_price(const struct libra_band *b, double best,
			uint32_t *misses);

/* Processors first..end-1, looked at together. */
struct libra_block {
	uint32_t first, end;
	uint32_t
		node; /* the one that first lies in, or before it; for shapes */
	bool room;    /* there are processors enough */
};

/* Choose the processors of a block, none of those that are out.
 * Result: false if there are too few.
 */
typedef bool libra_band_choose_f(const struct libra_band *b,
				 struct libra_block *block);

/* The cost of a block, and its processors, chosen; INFINITY if it has no
 * place that costs less than best.  Those who would miss their deadlines are
 * put out, and it is chosen again, four times at the most.
 */
double libra_band_price_block(const struct libra_band *b,
			      libra_band_choose_f *choose,
			      struct libra_block *block, double best);

/* Make the chosen processors the set. */
void libra_band_take_chosen(const struct libra_band *b);

/* Is the set a place?  For one that was chosen one by one. */
bool libra_band_judge(const struct libra_band *b);

/* After a block at s: where the next one begins that is not like it. */
uint64_t libra_band_next_block(const struct libra_band *b, uint64_t s,
			       uint64_t size);

/* Would so many equal jobs, of which each adds need_s to the waits of the next,
 * find a place in an aligned block for certain?  Each block takes some whatever
 * the others do, so that one of them has a place for each but the last.
 * budget_s and later_cost are not looked at; least_s is that of the one that
 * needs most.
 */
bool libra_band_surely_takes(const struct libra_band *b, double need_s,
			     uint64_t njobs);

/* The first n processors of the block that costs least.
 * Result: false if no block has room within the budget.
 */
bool libra_band_in_block(const struct libra_band *b);

/* Processor by processor, each time the one that adds least.
 * Result: false if there are too few, or not within the budget.
 */
bool libra_band_singly(const struct libra_band *b);

/* Nothing is taken yet: what each processor would add. */
void libra_band_begin(const struct libra_band *b);

/* Put a processor into the set; what the others would add is renewed. */
void libra_band_take(const struct libra_band *b, struct libra_tally *t,
		     uint32_t proc);

/* Does it matter on which nodes the processors of the job are? */
bool libra_band_has_shape(const struct libra_band *b);

/* A place in the shape of the job; aligned: look for blocks first.
 * Result: false if there is none within the budget.
 */
bool libra_band_in_shape(const struct libra_band *b, bool aligned);

#endif
