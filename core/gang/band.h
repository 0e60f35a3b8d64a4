/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * band.h - a placement for one job under the policy band.
 *
 * J is the new job, and cA the need that J must find room for.  H is the sum of
 * the needs of J's earlier neighbours.  The head of policy/band.c defines all
 * three.  policy/band.c visits all residents once and bars processors that J
 * may not have.  band.c and band_shape.c then choose processors and judge the
 * choice, by finishes (finish.h) or by sums of needs.  A candidate is a set of
 * processors that may become J's placement.  A step is a visit to a job, run or
 * processor.  The code that takes most of the time of a decision is inline.
 *
 * Callers: policy/band.c and the files band*.c here, under the lock of the
 * engine's host.  A decision allocates nothing and changes no gang: it writes
 * the scratch memory and the result set.  Instants and needs are in seconds.
 */
#ifndef LIBRA_BAND_H
#define LIBRA_BAND_H

#include <math.h>
#include <string.h>

#include "core/engine_impl.h"
#include "core/gang/finish.h"
#include "core/gang/gang.h"
#include "core/where.h"

/* The cost that each resident of each processor adds to a placement. */
#define LIBRA_BAND_BOUND_COST 1e-4
/* Costs that differ by less are equal, so that rounding does not decide. */
#define LIBRA_BAND_TIE 1e-6

/* In seen[]: the job is a resident of a processor that is in the set already.
 * The value is greater than any stamp.
 */
#define LIBRA_BAND_TAKEN UINT64_MAX

/* The least cost of a run that begins in a word of processors.  It serves jobs
 * of one processor whose deadline is not before any resident's.
 */
struct libra_band_word {
	uint64_t changes; /* the gang's changes[] when this was computed */
	double touched_s; /* the instant of the needs that were used */
	double cost; /* the least cost of a processor; INFINITY if no run begins
			there */
	double last_s;	 /* the last deadline of a resident */
	uint64_t visits; /* steps to visit all */
};

/* Scratch memory of decisions. */
struct libra_band_memory {
	uint32_t nprocs;
	uint64_t *barred; /* processors that J may not have */
	uint64_t *out;	  /* barred, or excluded from the present block */
	/* By slot: the stamp of the last candidate that counted the job, or
	 * LIBRA_BAND_TAKEN.
	 */
	uint64_t *seen;
	uint32_t seen_cap;
	bool taken;    /* a job may have LIBRA_BAND_TAKEN */
	double *added; /* per processor: cost that choosing it adds */
	/* libra_band_singly(): the pieces of runs that may be chosen.  A bit
	 * marks the first processor of a piece, and added[] is valid for that
	 * processor only.
	 */
	uint64_t *pieces;
	uint32_t *piece_end;
	/* By word of processors: the cost of its runs, valid while nothing
	 * changes there.
	 */
	struct libra_band_word *words;
	uint64_t stamp;		   /* of a candidate; never reused */
	uint64_t visits;	   /* steps since init */
	uint32_t *earlier, *later; /* residents of a candidate's processors */
	struct libra_finishes finishes;
	uint64_t *touched; /* processors of newly counted jobs */
	/* For jobs with a placement constraint. */
	struct libra_node_fit *fits; /* room for all nodes */
	uint64_t *renewed;	     /* processors whose `added` has changed */
	/* The processors of a candidate. */
	struct libra_range *chosen;
	uint32_t nchosen;
};

/* One decision, for the job J. Valid during the decision.  The caller fills it
 * in and owns what it points to.
 */
struct libra_band {
	struct libra_band_memory *m;
	const struct libra_gang *g;
	uint64_t *set;			   /* result: the chosen processors */
	double now_s, deadline_s, least_s; /* least_s: the need cA */
	double budget_s;   /* judged by sums: the greatest H allowed */
	double later_cost; /* judged by sums: cost of each later neighbour */
	uint64_t end;	   /* libra_band_steps() at which the search ends */
	const struct libra_job *job;
	const struct libra_node *nodes;
	uint32_t nnodes;
	uint32_t n, limit; /* processors of J; most residents of one, 0 = any */
	bool by_finishes;  /* judge by finishes; else by sums of needs */
	bool alone;	   /* judged by sums, each processor by itself */
};

/* The residents and needs that make the cost of a candidate set of processors.
 */
struct libra_tally {
	double needs_s; /* H */
	uint32_t nearlier, later;
	uint32_t nidle; /* jobs that are late or need nothing */
	uint32_t bound; /* residents, summed over processors */
};

/* Allocate scratch memory for a gang and its nodes.
 * Result: 0, or -1 with ENOMEM; call fini in any case.
 * Owner:  *m owns the memory; *m is all zeros before the call.
 */
int libra_band_init(struct libra_band_memory *m, const struct libra_gang *g,
		    uint32_t nnodes);
void libra_band_fini(struct libra_band_memory *m);

/* Reserve memory for nslots slots.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_band_reserve(struct libra_band_memory *m, uint32_t nslots);

/* Return true if a resident comes after J. A late resident counts as earlier,
 * with a need of 0, since J runs before it.
 */
static inline bool libra_band_is_later(const struct libra_band *b,
				       uint32_t slot)
{
	return b->g->need_lines[slot].deadline_s > b->deadline_s;
}

/* Return the need of a resident that comes before J; 0 for one after it. */
static inline double libra_band_need_s(const struct libra_band *b,
				       uint32_t slot)
{
	return libra_band_is_later(b, slot) ? 0 : libra_gang_need_s(b->g, slot);
}

/* Return the number of steps of all decisions since init. */
static inline uint64_t libra_band_steps(const struct libra_band *b)
{
	return b->m->visits + b->m->finishes.visits;
}

/* Return true if the search budget is spent.  The search then ends with the
 * best placement found so far.
 */
static inline bool libra_band_is_spent(const struct libra_band *b)
{
	return libra_band_steps(b) >= b->end;
}

/* Clear all marks LIBRA_BAND_TAKEN. */
void libra_band_forget_taken(const struct libra_band *b);

/* Add the residents of n more processors of a run to the tally.  Each job is
 * counted once for a stamp, however many processors it shares.
 */
static inline void libra_band_count(const struct libra_band *b,
				    struct libra_tally *t, uint32_t run,
				    uint32_t n)
{
	const uint32_t *bound = libra_gang_bound(b->g, run);
	double alone_s = 0;

	b->m->visits += 1 + b->g->runs.nbound[run];
	t->bound += n * b->g->runs.nbound[run];
	for (uint32_t i = 0; i < b->g->runs.nbound[run]; i++) {
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

/* Return true if H exceeds the budget, which exists only with sums. */
static inline bool libra_band_exceeds(const struct libra_band *b,
				      const struct libra_tally *t)
{
	return !b->by_finishes &&
	       t->needs_s > b->budget_s + LIBRA_SLACK_TOLERANCE_S;
}

/* Return the cost of a tally when it is judged by sums. */
static inline double libra_band_cost(const struct libra_band *b,
				     const struct libra_tally *t)
{
	return t->needs_s + b->later_cost * t->later +
	       LIBRA_BAND_BOUND_COST * t->bound;
}

/* Empty the result set. */
static inline void libra_band_clear(const struct libra_band *b)
{
	memset(b->set, 0, b->g->words * sizeof(*b->set));
}

/* Add n processors from first on to the candidate, in index order. */
static inline void libra_band_choose(const struct libra_band *b, uint32_t first,
				     uint32_t n)
{
	struct libra_range *last = &b->m->chosen[b->m->nchosen];

	if (b->m->nchosen > 0 && last[-1].first + last[-1].count == first)
		last[-1].count += n;
	else
		b->m->chosen[b->m->nchosen++] = (struct libra_range){first, n};
}

/* Add at most the first n processors of a range that are not `out`.
 * Result: how many were added.
 */
uint32_t libra_band_choose_first(const struct libra_band *b,
				 struct libra_range range, uint32_t n);

/* Count the residents of the candidate's processors. */
void libra_band_count_chosen(const struct libra_band *b, struct libra_tally *t);

/* Return the cost of the candidate as a whole, or INFINITY if it is not
 * acceptable or does not cost less than best.  Write to *misses a job on the
 * candidate that would miss its deadline, or LIBRA_NOBODY.
 */
double libra_band_price(const struct libra_band *b, double best,
			uint32_t *misses);

/* A block: processors first..end-1, a candidate for a placement. */
struct libra_block {
	uint32_t first, end;
	uint32_t node; /* with a constraint: the node of `first`, or a node
			  before that */
	bool room;     /* it has enough processors */
};

/* Choose the candidate's processors in a block, none of those that are `out`.
 * Result: false if there are too few.
 */
typedef bool libra_band_choose_f(const struct libra_band *b,
				 struct libra_block *block);

/* Return the cost of a block, with its processors as the candidate; INFINITY if
 * it has no placement that costs less than best.  If a job there would miss its
 * deadline, its processors are excluded and the choice is repeated, at most
 * four times.
 */
double libra_band_price_block(const struct libra_band *b,
			      libra_band_choose_f *choose,
			      struct libra_block *block, double best);

/* Copy the candidate to the result set. */
void libra_band_take_chosen(const struct libra_band *b);

/* Return true if the set is acceptable as a whole.  For a set that was chosen
 * processor by processor.
 */
bool libra_band_judge(const struct libra_band *b);

/* Return the start of the next block that differs from the block at processor
 * s.  Blocks have `size` processors, and the result is a multiple of size.
 */
uint64_t libra_band_next_block(const struct libra_band *b, uint64_t s,
			       uint64_t size);

/* Return true if njobs equal jobs, admitted one after the other, certainly find
 * placements in aligned blocks.  Each new job of a block adds need_s to the
 * wait of the next one there.  The number of jobs that a block takes does not
 * depend on the other blocks, so the sum over the blocks is a safe bound.
 * Ignores budget_s and later_cost.  least_s must be that of the job that needs
 * most.
 * Cost:   one trial for each block that differs from the one before.
 */
bool libra_band_surely_takes(const struct libra_band *b, double need_s,
			     uint64_t njobs);

/* Choose the first n processors of the block that costs least, and write them
 * to the result set.
 * Result: false if no block was found acceptable before the search budget was
 *         spent.
 */
bool libra_band_in_block(const struct libra_band *b);

/* Choose processor by processor, each time the one that adds least, and write
 * them to the result set.
 * Result: false if too few processors may be chosen, the set as a whole is not
 *         acceptable, or the search budget is spent.  Then the set has no
 *         meaning.
 */
bool libra_band_singly(const struct libra_band *b);

/* Begin a choice with libra_band_take(): compute what each processor would
 * add.
 */
void libra_band_begin(const struct libra_band *b);

/* Add a processor to the set, and update what the others would add. */
void libra_band_take(const struct libra_band *b, struct libra_tally *t,
		     uint32_t proc);

/* Return true if it matters on which nodes J's processors are. */
bool libra_band_has_shape(const struct libra_band *b);

/* Choose a placement that meets J's constraint, and write it to the result set.
 * aligned: try blocks first.
 * Result: false if none was found before the search budget was spent.
 */
bool libra_band_in_shape(const struct libra_band *b, bool aligned);

#endif
