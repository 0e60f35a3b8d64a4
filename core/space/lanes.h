/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lanes.h - free resources of each node over time.
 *
 * A lane is the timeline of one node: a list of steps, each with the free
 * amount of every resource.  The steps of a node are in blocks, so that a
 * search passes LIBRA_BLOCK_STEPS steps at a time.  struct libra_nodes
 * (spans.h) has one set of lanes for the current schedule and one for the trial
 * schedule.  Only init and reserve allocate.  Steps are indices, which a change
 * of their lane makes invalid.
 *
 * Cost to find an instant in a lane: O(steps of the node / LIBRA_BLOCK_STEPS);
 * O(1) near an instant that was found before.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_LANES_H
#define LIBRA_SPACE_LANES_H

#include "core/space/peaks.h"
#include "core/space/planned.h"
#include "core/space/steady.h"

#define LIBRA_NO_SPAN UINT32_MAX /* no span, no step, or no block */

#define LIBRA_BLOCK_STEPS 16

/* Neighbouring steps of one node.  Block i has the steps from
 * i * LIBRA_BLOCK_STEPS on.
 */
struct libra_block {
	double to_s;	     /* begin of the next block, or INFINITY */
	uint32_t next, prev; /* blocks of the node, or LIBRA_NO_SPAN */
	uint32_t n;	     /* steps */
	uint32_t node;	     /* LIBRA_NO_SPAN: unused */
};

/* The lanes of all nodes.  If the reserved steps run out, is_full is set, and
 * the lanes are incomplete until the next reset.  In use the blocks are 0 to
 * n - 1, except those of the list `unused`; memory has nblocks blocks.
 */
struct libra_lanes {
	uint32_t *first; /* first step of each node, at the begin of a block; it
			    may end before now */
	uint32_t *look;	 /* step at which a search begins: first, or the first
			    step of a later block while forward is set */
	uint32_t *near; /* block in which the last search ended, of each part of
			   the time (NEAR_PARTS in lanes.c) and each node */
	struct libra_block *blocks;
	double *from_s;
	int64_t *free;		      /* width amounts for each step */
	struct libra_peaks peaks;     /* of the lanes */
	struct libra_steady steady;   /* of the lanes */
	double first_to_s, last_to_s; /* ends of the first and of the last step
					 that the last libra_lanes_fits() read,
					 if it succeeded */
	uint64_t releases; /* resets and releases: more may be free since, also
			    on the timeline alone (a release of no spans) */
	uint32_t nnodes;
	uint32_t cap;		     /* steps */
	uint32_t n, nblocks, unused; /* blocks */
	double now_s;		     /* steps that end before it are past */
	bool forward; /* set by a caller whose searches (libra_lanes_fits())
			 never go back; libra_lanes_back() clears it */
	bool is_full;
};

/* Return how much of a resource an empty node has.  Resource 0 is processors.
 */
static inline int64_t libra_node_all(const struct libra_engine *e,
				     uint32_t node, uint32_t resource)
{
	if (resource == 0)
		return e->nodes[node].count;
	return (int64_t)
		e->resources[(size_t)node * e->nresources + resource - 1];
}

/* Return the step after a step of a node, or LIBRA_NO_SPAN. */
static inline uint32_t libra_lanes_next(const struct libra_lanes *lanes,
					uint32_t step)
{
	const struct libra_block *block =
		&lanes->blocks[step / LIBRA_BLOCK_STEPS];

	if (step % LIBRA_BLOCK_STEPS + 1 < block->n)
		return step + 1;
	return block->next == LIBRA_NO_SPAN ? LIBRA_NO_SPAN
					    : block->next * LIBRA_BLOCK_STEPS;
}

/* Return the step of a node that contains an instant, or the first one if the
 * instant is earlier.
 */
uint32_t libra_lanes_step_at(const struct libra_lanes *lanes, uint32_t node,
			     double at_s);

/* Bring the steady nodes (steady.h) up to date: forget those whose step of now
 * has ended, then read the lanes of LIBRA_STEADY_READS forgotten nodes.
 * Cost: that of libra_steady_forget_ended(), and the steps of these nodes until
 *       one has less than the step of now.
 */
#define LIBRA_STEADY_READS 64
void libra_lanes_find_steady(const struct libra_engine *e,
			     struct libra_lanes *lanes);

/* Allocate the arrays by node.  The caller has set *lanes to zero.  The lanes
 * have no steps before reserve and reset.
 * Result: false if memory is out.  Call fini in either case.
 */
bool libra_lanes_init(const struct libra_engine *e, struct libra_lanes *lanes);
void libra_lanes_fini(struct libra_lanes *lanes);

/* Reserve memory for n steps of width resources each, those of the past and the
 * first step of each node included.  All steps stay as they are.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_lanes_reserve(struct libra_lanes *lanes, uint64_t n, uint32_t width);

/* Reset all lanes: from e->now_s on, an open node has all its resources free,
 * and a closed node none.  The caller has reserved a step for each node.
 * Cost: O(nodes x LIBRA_SLOTS).
 */
void libra_lanes_reset(const struct libra_engine *e, struct libra_lanes *lanes);

/* Clear forward: later searches begin at the first steps again.
 * Cost: O(nodes).
 */
void libra_lanes_back(const struct libra_engine *e, struct libra_lanes *lanes);

/* Forget the time before now.  Cost: that of libra_peaks_advance(); steps are
 * removed when a node changes.
 */
void libra_lanes_advance(const struct libra_engine *e,
			 struct libra_lanes *lanes);

/* Return true if a lane is below 0 in any resource at any time from now on, or
 * if is_full is set.
 * Cost: O(all steps).
 */
bool libra_lanes_is_short(const struct libra_engine *e,
			  const struct libra_lanes *lanes);

/* Reserve (sign 1) or release (-1) the amounts of spans over [from_s, to_s).
 * A release has the same two instants as its reservation; time before now is
 * ignored.  The function does not test whether the amounts are free: a lane may
 * fall below 0.  The spans stay the caller's.  After a release, a search on
 * these lanes begins again (libra_nodes_search()).
 * Cost: O(steps in that time) for each span.
 */
void libra_lanes_add(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t spans, double from_s, double to_s, int sign);

/* Set a node's lane over [from_s, to_s) to all resources of the node, or to
 * nothing.  For libra_lanes_begin(), after a reset: a search on the lanes would
 * not notice the change.
 */
void libra_lanes_set(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t node, double from_s, double to_s, bool all);

/* As add, for a running job or a hold: on a closed node only from the instant
 * at which the node is expected back.
 */
void libra_lanes_add_open(const struct libra_engine *e,
			  struct libra_lanes *lanes, uint32_t spans,
			  double from_s, double end_s, int sign);

/* Return true if a node has `need` (width amounts) free over [from_s, to_s).
 * free, an array of width amounts, gets the least free amount of each resource
 * in that time.  *at_s gets the begin of the step at from_s: the node has had
 * the amounts of that step since then.  The begin may be before now.
 * Result: false if the node has not enough at some time.  *at_s is then an
 *         instant after from_s: a search that begins in [from_s, *at_s), for
 *         the same duration or longer, fails too.  free is undefined.
 * Cost:   O(steps until one has not enough).
 */
bool libra_lanes_fits(struct libra_lanes *lanes, uint32_t node, double from_s,
		      double to_s, const int64_t *need, uint32_t width,
		      int64_t *free, double *at_s);

/* Return the first instant in [from_s, before_s) from which a node has `amount`
 * (width amounts) free for duration_s seconds or until before_s, or INFINITY.
 * A reservation that has these amounts from before_s on can start there.
 * Cost: O(steps of the node).
 */
double libra_lanes_find_before(const struct libra_lanes *lanes, uint32_t node,
			       const int64_t *amount, uint32_t width,
			       double from_s, double duration_s,
			       double before_s);

/* Return true if the lanes have the amounts of spans free over [from_s, to_s).
 * True for the empty list.
 */
bool libra_lanes_has(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t spans, double from_s, double to_s);

#endif
