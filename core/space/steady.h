/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steady.h - the nodes that never have less free than now, by free processors.
 *
 * A node is steady if no step of its lane has less of any resource than the
 * step of now: its jobs end, and none begins there.  For a job that starts now
 * such a node has room for what is free now, however long the job runs.  So a
 * search takes steady nodes in the order in which it prefers them, and ends
 * when it has enough, while it reads the lanes of all other nodes.
 *
 * A node whose lane changes counts as not steady until
 * libra_lanes_find_steady() has read the lane.
 *
 * Only core/space calls these functions.
 */
#ifndef LIBRA_SPACE_STEADY_H
#define LIBRA_SPACE_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/bits.h"

struct libra_engine;

/* Sets are `words` words of bits, by node. */
struct libra_steady {
	uint32_t words, most; /* most: processors of the largest node */
	uint64_t *with;	      /* with + n * words: steady nodes with n free */
	uint32_t *nwith;      /* by n: how many */
	uint64_t *falling;    /* all other nodes */
	uint64_t *stale;      /* of these, the nodes whose lane is to be read */
	uint32_t *procs;      /* by node: n; most + 1: not steady */
	double *to_s;	      /* by node: the end of the step that was read */
	double *least_to_s;   /* by word: the least of its nodes */
};

/* Allocate the sets.  The caller has set *steady to zero.  The sets are invalid
 * before reset.
 * Result: false if memory is out.  Call fini in either case.
 */
bool libra_steady_init(const struct libra_engine *e,
		       struct libra_steady *steady);
void libra_steady_fini(struct libra_steady *steady);

/* Forget all nodes.  Cost: O(nodes). */
void libra_steady_reset(const struct libra_engine *e,
			struct libra_steady *steady);

/* Forget a node, as its lane changes.  Cost: O(1). */
void libra_steady_forget(struct libra_steady *steady, uint32_t node);

/* Forget the nodes whose step of now has ended.
 * Cost: O(nodes / 64), and 64 nodes for each word with such a node.
 */
void libra_steady_forget_ended(const struct libra_engine *e,
			       struct libra_steady *steady);

/* Note what the lane of a node has: its free processors now (most + 1: the node
 * is not steady) and the end of the step of now.
 * Cost: O(1).
 */
void libra_steady_note(struct libra_steady *steady, uint32_t node,
		       uint32_t procs, double to_s);

/* Return word w of the set of steady nodes with `least` to `most` processors
 * free.
 * Cost: O(most - least).
 */
uint64_t libra_steady_word(const struct libra_steady *steady, uint32_t least,
			   uint32_t most, uint32_t w);

#endif
